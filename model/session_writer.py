"""The bookkeeping of appending to a session: ids, parents, the leaf, and what is refused (TN-2, SF-11).

Nothing here touches a file: whoever owns one writes what `appended` holds.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from model.context import build_session_projection, projected_messages
from model.dialects import Dialect
from model.entries import (
    entry_id,
    entry_type,
    fresh_entry_id,
    message_of,
    new_bookkeeping_entry,
    new_branch_summary_entry,
    new_compaction_entry,
    new_context_edit_entry,
    new_custom_entry,
    new_custom_message_entry,
    new_label_entry,
    new_message_entry,
    new_model_change_entry,
    new_session_info_entry,
    new_thinking_level_change_entry,
    new_usage_entry,
)
from model.errors import RefusedError, UnknownEntryError
from model.json_text import JsonObject
from model.messages import role_of
from model.rules import BRANCHWORK, Rules
from model.sentences import Sentence
from model.system_prompts import current_system_message
from model.timestamps import iso_timestamp
from model.tree import SessionTree

_TEXT_AS_BLOCK_ROLES: Final = ("assistant", "toolResult")
_EDITABLE_ROLES: Final = ("user", *_TEXT_AS_BLOCK_ROLES)


class SessionWriter:
    """A session that grows: each append is a child of the leaf and becomes the leaf.

    `now_ms` gives the time and `new_uuid` the text of a random UUID at each call. Appending methods return the new
    entry.
    """

    def __init__(
        self,
        entries: Sequence[JsonObject],
        dialect: Dialect,
        *,
        now_ms: Callable[[], int],
        new_uuid: Callable[[], str],
        rules: Rules = BRANCHWORK,
    ) -> None:
        self.dialect: Final = dialect
        self.rules: Final = rules
        self.appended: Final[list[JsonObject]] = []
        self._now_ms = now_ms
        self._new_uuid = new_uuid
        self._entries = list(entries)
        self._by_id = {id: entry for entry in entries if (id := entry_id(entry)) is not None}
        self.leaf_id: str | None = next(
            (id for entry in reversed(entries) if (id := entry_id(entry)) is not None), None
        )

    @property
    def entries(self) -> list[JsonObject]:
        """All entries in file order."""
        return list(self._entries)

    @property
    def has_conversation(self) -> bool:
        """Whether a new session has come so far that it is written to disk (SF-11.4)."""
        roles = {role_of(message_of(entry)) for entry in self._entries}
        return not roles.isdisjoint(self.rules.first_write_roles)

    def path(self) -> list[JsonObject]:
        """Return the entries from the root to the leaf. O(entries)."""
        return SessionTree(self._entries).path_to(self.leaf_id)

    def branch(self, id: str | None) -> None:
        """Move the leaf to an entry, or before the first one (None). Raises UnknownEntryError."""
        if id is not None:
            self._require(id)
        self.leaf_id = id

    def append_message(self, message: JsonObject) -> JsonObject:
        return self._append(new_message_entry(*self._base(), message, rules=self.rules))

    def append_compaction(
        self, summary: str, first_kept_entry_id: str | None, tokens_before: int, **optional: Any
    ) -> JsonObject:
        """Append a compaction; None keeps nothing. `optional` are the further arguments of `new_compaction_entry`.

        In the Pi dialect the prompt in force is written into it, so that it survives the messages that set it.
        """
        id, parent_id, timestamp, dialect = self._base()
        if dialect == "pi":
            context = projected_messages(build_session_projection(self.path(), self.rules))
            prompt = current_system_message(context)
            if prompt is not None:
                optional["system_message"] = {**prompt, "timestamp": self._now_ms()}
        return self._append(
            new_compaction_entry(
                id,
                parent_id,
                timestamp,
                dialect,
                summary=summary,
                first_kept_entry_id=first_kept_entry_id,
                tokens_before=tokens_before,
                rules=self.rules,
                **optional,
            )
        )

    def branch_with_summary(self, id: str | None, summary: str, **optional: Any) -> JsonObject:
        """Move the leaf to `id` and append the summary of what was left there (TN-7, TN-8). Raises UnknownEntryError.

        `optional` are the further arguments of `new_branch_summary_entry`.
        """
        from_id = id if self.rules.branch_summary_names_its_parent else self.leaf_id
        self.branch(id)
        return self._append(
            new_branch_summary_entry(*self._base(), from_id=from_id, summary=summary, rules=self.rules, **optional)
        )

    def append_label_change(self, target_id: str, label: str | None) -> JsonObject:
        """Append a label entry; no or an empty label clears. Raises UnknownEntryError."""
        self._require(target_id)
        return self._append(new_label_entry(*self._base(), target_id=target_id, label=label))

    def append_context_edit(self, target_id: str, replacement: Any) -> JsonObject:
        """Append a context edit (CB-6): None omits the target, `{"content": …}` replaces its content.

        Raises RefusedError for a replacement of another form, and for a target that is unknown, off the active branch
        or no message that can be edited.
        """
        content = replacement.get("content") if isinstance(replacement, dict) else None
        if replacement is not None and not isinstance(content, str | list):
            raise RefusedError(Sentence("A context edit needs text or blocks as content, or nothing at all."))
        target = self._require(target_id)
        if all(entry_id(entry) != target_id for entry in self.path()):
            raise RefusedError(Sentence("The entry {0} is not on the active branch.", str(target_id)))
        role = role_of(message_of(target))
        if entry_type(target) != "custom_message" and role not in _EDITABLE_ROLES:
            raise RefusedError(Sentence("The entry {0} has no content that can be edited.", str(target_id)))
        if isinstance(content, str) and role in _TEXT_AS_BLOCK_ROLES:
            replacement = {"content": [{"type": "text", "text": content}]}
        return self._append(new_context_edit_entry(*self._base(), target_id=target_id, replacement=replacement))

    def append_custom_message_entry(
        self, custom_type: str, content: str | list[Any], display: bool, **optional: Any
    ) -> JsonObject:
        return self._append(
            new_custom_message_entry(
                *self._base(), custom_type=custom_type, content=content, display=display, rules=self.rules, **optional
            )
        )

    def append_custom_entry(self, custom_type: str, data: Any = None) -> JsonObject:
        return self._append(new_custom_entry(*self._base(), custom_type=custom_type, data=data, rules=self.rules))

    def append_session_info(self, name: str) -> JsonObject:
        return self._append(new_session_info_entry(*self._base(), name=name))

    def append_model_change(self, model: str, role: str | None = None) -> JsonObject:
        return self._append(new_model_change_entry(*self._base(), model=model, role=role))

    def append_thinking_level_change(self, thinking_level: str | None) -> JsonObject:
        return self._append(new_thinking_level_change_entry(*self._base(), thinking_level=thinking_level))

    def append_usage(
        self, kind: str, provider: str, model: str, usage: JsonObject, note: str | None = None
    ) -> JsonObject:
        return self._append(
            new_usage_entry(*self._base(), kind=kind, provider=provider, model=model, usage=usage, note=note)
        )

    def append_bookkeeping(self, type: str, fields: JsonObject) -> JsonObject:
        """Append an OMP bookkeeping entry (SF-4.12)."""
        return self._append(new_bookkeeping_entry(*self._base(), type=type, fields=fields))

    def _base(self) -> tuple[str, str | None, str, Dialect]:
        id = fresh_entry_id(self._by_id, self._new_uuid)
        return id, self.leaf_id, iso_timestamp(self._now_ms()), self.dialect

    def _require(self, id: str) -> JsonObject:
        if id not in self._by_id:
            raise UnknownEntryError(id)
        return self._by_id[id]

    def _append(self, entry: JsonObject) -> JsonObject:
        self._entries.append(entry)
        self.appended.append(entry)
        self._by_id[entry["id"]] = entry
        self.leaf_id = entry["id"]
        return entry
