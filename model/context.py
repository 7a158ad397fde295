"""The context of a position: what the model is sent, entry by entry (CB-1 … CB-7).

A *projection* is the list of the entries that count at a position, each with the messages it contributes, in the
order in which the model sees them. It is computed from the path alone; other branches never contribute.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from model.entries import entry_id, entry_type, message_of
from model.interruptions import interruptibly, newest_first
from model.json_text import JsonObject
from model.messages import role_of, text_field
from model.rules import BRANCHWORK, Rules
from model.sentences import Sentence
from model.timestamps import timestamp_ms
from model.tree import SessionTree


class LastEntry:
    """The position of a session that was just opened: its last entry in file order (SF-10)."""


LAST_ENTRY: Final = LastEntry()

_NO_BLOCKS_ROLES: Final = frozenset({"user", "assistant", "toolResult"})
_EDITABLE_ROLES: Final = frozenset({"user", "assistant", "toolResult", "custom"})


@dataclass(frozen=True, slots=True)
class ProjectedEntry:
    """An entry that counts at a position, and the messages it contributes (often one, possibly none)."""

    entry: JsonObject
    messages: tuple[JsonObject, ...]


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The model in use; a part is None where the entry that names the model lacks it."""

    provider: str | None
    model_id: str | None


@dataclass(frozen=True, slots=True)
class ContextState:
    """What the whole path says about the agent's state, compacted entries included (CB-3)."""

    thinking_level: str | None = "off"
    model: ModelChoice | None = None
    models: dict[str, str] = field(default_factory=dict)  # role -> "provider/model id"
    service_tier: Any = None
    injected_rules: tuple[str, ...] = ()
    selected_tools: tuple[str, ...] = ()
    has_tool_selection: bool = False
    mode: str = "none"
    mode_data: Any = None


@dataclass(frozen=True, slots=True)
class SessionContext:
    """The context of one position. `notes` says in words where the session was not followed to the letter."""

    projection: tuple[ProjectedEntry, ...] = ()
    state: ContextState = ContextState()
    approximate: bool = False  # the agent itself sends provider-private history instead of the kept range
    notes: tuple[str, ...] = ()

    @property
    def messages(self) -> list[JsonObject]:
        """The messages in order."""
        return projected_messages(self.projection)

    @property
    def source_ids(self) -> list[str | None]:
        """The id of the entry that each message comes from, in step with `messages`."""
        return [entry_id(item.entry) for item in self.projection for _ in item.messages]


def build_session_context(
    entries: Sequence[JsonObject], leaf_id: str | LastEntry | None = LAST_ENTRY, rules: Rules = BRANCHWORK
) -> SessionContext:
    """Return the context at `leaf_id` (CB-1). O(entries).

    `leaf_id` is an id, None for the position before the first entry, or `LAST_ENTRY`; an unknown id falls back to the
    last entry, which `notes` reports.
    """
    if leaf_id is None or not entries:
        return SessionContext()
    tree = SessionTree(entries)
    row = None if isinstance(leaf_id, LastEntry) else tree.row_of(leaf_id)
    notes = []
    if row is None:
        row = len(entries) - 1
        if not isinstance(leaf_id, LastEntry):
            notes.append(Sentence("No entry has the id {0}; this is the context of the last entry.", str(leaf_id)))
    return path_context([entries[row] for row in tree.path_rows(row)], rules, notes)


def path_context(path: Sequence[JsonObject], rules: Rules = BRANCHWORK, notes: Iterable[str] = ()) -> SessionContext:
    """Return the context at the end of a path from root to leaf. O(path)."""
    all_notes = list(notes)
    compaction = latest_compaction(path)
    kept_missing = compaction is not None and kept_start_index(path, compaction) is None
    if kept_missing and path[compaction or 0].get("firstKeptEntryId") != entry_id(path[compaction or 0]):
        all_notes.append(
            Sentence("The compaction names a kept boundary that is not on this branch; nothing before it is kept.")
        )
    return SessionContext(
        projection=tuple(build_session_projection(path, rules)),
        state=context_state(path, rules),
        approximate=compaction is not None and remote_history(path[compaction]) is not None,
        notes=tuple(all_notes),
    )


def build_session_projection(path: Sequence[JsonObject], rules: Rules = BRANCHWORK) -> list[ProjectedEntry]:
    """Return the entries of a path that count at its end, in the order of the context (CB-4 … CB-6). O(path).

    With a compaction on the path: the latest one first, then the entries it keeps, then those after it. Older
    compactions contribute nothing.
    """
    selected = _selected_entries(path, rules)
    replacements = context_edits(selected) if rules.context_edits_apply else {}
    projection = []
    for place, entry in enumerate(interruptibly(selected)):
        if entry_type(entry) == "compaction" and place > 0:
            messages: list[JsonObject] = []
        else:
            messages = entry_messages(entry, rules)
        if entry_id(entry) in replacements:
            messages = edited_messages(messages, replacements[entry_id(entry)])
        projection.append(ProjectedEntry(entry, tuple(messages)))
    return projection


def projected_messages(projection: Iterable[ProjectedEntry]) -> list[JsonObject]:
    """Return the messages of a projection in order."""
    return [message for item in interruptibly(projection) for message in item.messages]


def latest_compaction(path: Sequence[JsonObject]) -> int | None:
    """Return the index of the last compaction on a path, or None."""
    return next((place for place in newest_first(path) if entry_type(path[place]) == "compaction"), None)


def entry_message(entry: JsonObject, rules: Rules = BRANCHWORK) -> JsonObject | None:
    """Return the message that an entry stands for, whatever surrounds it, or None (CB-7).

    A message made from another kind of entry has the entry's time in Unix milliseconds, or None when that is no date.
    The entry is not changed; a stored message is returned as it is where nothing has to be filled in.
    """
    kind = entry_type(entry)
    if kind == "message":
        return _stored_message(entry, rules)
    if kind == "custom_message":
        return _custom_message(entry, rules)
    if kind == "branch_summary" and text_field(entry, "summary"):
        message = {"role": "branchSummary", "summary": entry["summary"]}
        return _copied(entry, message, "fromId")
    if kind == "compaction":
        return _compaction_summary(entry, rules)
    return None


def remote_history(compaction: JsonObject) -> JsonObject | None:
    """Return the provider-private history that a compaction carries (OMP) as a provider payload, or None."""
    preserved = compaction.get("preserveData")
    remote = preserved.get("openaiRemoteCompaction") if isinstance(preserved, dict) else None
    if not isinstance(remote, dict) or not text_field(remote, "provider"):
        return None
    items = remote.get("replacementHistory")
    if not isinstance(items, list):
        return None
    return {"type": "openaiResponsesHistory", "provider": remote["provider"], "items": items}


def context_state(path: Iterable[JsonObject], rules: Rules = BRANCHWORK) -> ContextState:
    """Return the agent's state at the end of a path: the last entry of each kind counts (CB-3). O(path)."""
    thinking_level: Any = "off"
    model: ModelChoice | None = None
    models: dict[str, str] = {}
    other: dict[str, JsonObject] = {}
    rule_names: dict[str, None] = {}
    for entry in interruptibly(path):
        kind = entry_type(entry)
        if kind == "thinking_level_change":
            thinking_level = _thinking_level(entry, rules)
        elif kind == "model_change":
            model = _changed_model(entry, model, models, rules)
        elif kind == "ttsr_injection":
            rule_names.update(dict.fromkeys(_texts(entry.get("injectedRules"))))
        elif kind in ("service_tier_change", "mcp_tool_selection", "mode_change"):
            other[kind] = entry
        elif (message := message_of(entry)) is not None and role_of(message) == "assistant":
            model = _answering_model(message, model, models, rules)
    selection = other.get("mcp_tool_selection")
    mode = other.get("mode_change", {})
    return ContextState(
        thinking_level=thinking_level,
        model=model,
        models=models,
        service_tier=other.get("service_tier_change", {}).get("serviceTier"),
        injected_rules=tuple(rule_names),
        selected_tools=tuple(_texts(selection.get("selectedToolNames"))) if selection else (),
        has_tool_selection=selection is not None,
        mode=text_field(mode, "mode") or "none",
        mode_data=mode.get("data"),
    )


def _selected_entries(path: Sequence[JsonObject], rules: Rules) -> list[JsonObject]:
    """The entries that count, in the order of the context; a compaction that counts is the first of them."""
    compaction = latest_compaction(path)
    start = context_start(path) if rules.reset_boundary_applies else 0
    if compaction is None or compaction < start:
        return list(path[start:])
    latest = path[compaction]
    kept: Sequence[JsonObject] = ()
    kept_start = kept_start_index(path, compaction)
    replaced = rules.remote_history_replaces_kept_range and remote_history(latest) is not None
    if kept_start is not None and not replaced:
        kept = path[max(kept_start, start) : compaction]
    if rules.kept_system_messages_dropped:
        kept = [entry for entry in interruptibly(kept) if role_of(message_of(entry)) != "system"]
    return [latest, *kept, *path[compaction + 1 :]]


def context_start(path: Sequence[JsonObject]) -> int:
    """Return the index after the last `reset_boundary`, where the context starts; 0 without one."""
    return next((place + 1 for place in newest_first(path) if entry_type(path[place]) == "reset_boundary"), 0)


def kept_start_index(path: Sequence[JsonObject], compaction: int) -> int | None:
    """Return the index of the first entry that a compaction keeps, or None when it keeps nothing before itself."""
    first_kept = path[compaction].get("firstKeptEntryId")
    if not isinstance(first_kept, str):
        return None
    return next((place for place in interruptibly(range(compaction)) if path[place].get("id") == first_kept), None)


def entry_messages(entry: JsonObject, rules: Rules = BRANCHWORK) -> list[JsonObject]:
    """Return the messages that an entry contributes where it counts, before context edits; a compaction's own system
    message stands before its summary (CB-5.1).
    """
    message = entry_message(entry, rules)
    if message is None:
        return []
    replayed = rules.replayed_system_message and entry_type(entry) == "compaction"
    system = entry.get("systemMessage") if replayed else None
    return [system, message] if isinstance(system, dict) else [message]


def context_edits(selected: Iterable[JsonObject]) -> dict[str | None, Any]:
    """Return the replacement of the latest context edit of each target among entries, by the target's id."""
    return {
        target: entry["replacement"]
        for entry in interruptibly(selected)
        if entry_type(entry) == "context_edit"
        and "replacement" in entry
        and isinstance(target := entry.get("targetId"), str)
    }


def edited_messages(messages: list[JsonObject], replacement: Any) -> list[JsonObject]:
    """Return the messages of an entry after its latest context edit: none, or with other content (CB-6)."""
    if replacement is None:
        return []
    if not isinstance(replacement, dict):
        return messages
    return [_with_content(message, replacement.get("content")) for message in messages]


def _with_content(message: JsonObject, content: Any) -> JsonObject:
    role = role_of(message)
    if role not in _EDITABLE_ROLES:
        return message
    if role in ("assistant", "toolResult") and isinstance(content, str):
        content = [{"type": "text", "text": content}]
    return {**message, "content": content}


def _stored_message(entry: JsonObject, rules: Rules) -> JsonObject | None:
    message = message_of(entry)
    if message is None or not rules.null_content_is_empty or message.get("content") is not None:
        return message
    role = role_of(message)
    if role == "system":
        return {**message, "content": ""}
    return {**message, "content": []} if role in _NO_BLOCKS_ROLES else message


def _custom_message(entry: JsonObject, rules: Rules) -> JsonObject:
    content = entry.get("content")
    if content is None and rules.null_content_is_empty:
        content = []
    message: JsonObject = {"role": "custom", "customType": entry.get("customType"), "content": content}
    attribution = ("attribution",) if rules.omp_message_fields else ()
    return _copied(entry, message, "display", "details", *attribution)


def _compaction_summary(entry: JsonObject, rules: Rules) -> JsonObject:
    message: JsonObject = {"role": "compactionSummary", "summary": text_field(entry, "summary")}
    short_summary = ("shortSummary",) if rules.omp_message_fields else ()
    message = _copied(entry, message, *short_summary, "tokensBefore")
    history = remote_history(entry) if rules.remote_history_replaces_kept_range else None
    return message if history is None else {**message, "providerPayload": history}


def _copied(entry: JsonObject, message: JsonObject, *names: str) -> JsonObject:
    """The message with the named fields that the entry has, and with the entry's time."""
    fields = {name: entry[name] for name in names if name in entry}
    return {**message, **fields, "timestamp": timestamp_ms(entry.get("timestamp"))}


def _thinking_level(entry: JsonObject, rules: Rules) -> Any:
    level = entry.get("thinkingLevel")
    if rules.state_fields == "pi":
        return level
    return level if isinstance(level, str) else "off"


def _changed_model(
    entry: JsonObject, current: ModelChoice | None, models: dict[str, str], rules: Rules
) -> ModelChoice | None:
    """The model after a `model_change`; the OMP form also goes into `models` under its role."""
    provider, model_id, reference = (text_field(entry, name) or None for name in ("provider", "modelId", "model"))
    if reference is not None and rules.state_fields != "pi":
        role = text_field(entry, "role") or "default"
        models[role] = reference
        return _split(reference) if role == "default" else current
    if rules.state_fields == "omp":
        return current
    if provider is None and model_id is None and rules.state_fields == "both":
        return current
    models["default"] = f"{provider}/{model_id}"
    return ModelChoice(provider, model_id)


def _answering_model(
    message: JsonObject, current: ModelChoice | None, models: dict[str, str], rules: Rules
) -> ModelChoice | None:
    """The model after an answer: the one that gave it."""
    provider, model_id = (text_field(message, name) or None for name in ("provider", "model"))
    if provider is not None and model_id is not None:
        models["default"] = f"{provider}/{model_id}"
    elif rules.state_fields != "pi":
        return current
    return ModelChoice(provider, model_id)


def _split(reference: str) -> ModelChoice:
    """A model reference `provider/model id`; it is split at the first slash (SF-4.6)."""
    provider, _, model_id = reference.partition("/")
    return ModelChoice(provider, model_id)


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
