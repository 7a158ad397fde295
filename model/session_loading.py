"""A whole session from the bytes of its file: header, entries in the current version, problems (SF-1, SF-2, SF-9,
SF-10)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from model.entries import entry_id, entry_type
from model.errors import NotASessionError
from model.json_text import JsonObject, stringify
from model.migration import CURRENT_VERSION, migrate
from model.records import Problem, RecordScan, read_records
from model.rules import BRANCHWORK, Rules
from model.sentences import Sentence

SessionKind = Literal["session", "empty", "recovered"]

KNOWN_TYPES: Final = frozenset(
    {
        "message",
        "compaction",
        "branch_summary",
        "custom_message",
        "custom",
        "model_change",
        "thinking_level_change",
        "usage",
        "model_usage",
        "label",
        "session_info",
        "context_edit",
        "service_tier_change",
        "ttsr_injection",
        "mcp_tool_selection",
        "session_init",
        "mode_change",
        "title_change",
        "credential_pin",
        "reset_boundary",
    }
)


@dataclass(frozen=True, slots=True)
class LoadedSession:
    """A session in memory. An `empty` one has no header yet, a `recovered` one has lost it and is read-only."""

    kind: SessionKind
    header: JsonObject | None
    entries: tuple[Any, ...]
    problems: tuple[Problem, ...] = ()
    stored_version: float = CURRENT_VERSION
    title_slot: bool = False  # the title comes from a line of its own, which rewrites keep (SF-1.5)
    ends_with_newline: bool = True

    @property
    def leaf(self) -> Any:
        """The last entry in file order, where an agent resumes, or None (SF-10)."""
        return self.entries[-1] if self.entries else None

    @property
    def migrated(self) -> bool:
        """Whether the file is of an older version."""
        return self.stored_version < CURRENT_VERSION

    @property
    def read_only(self) -> bool:
        """Whether nothing may be written: the header is lost, or the version is newer than what we know (SF-8)."""
        return self.kind == "recovered" or self.stored_version > CURRENT_VERSION


def load_session(data: bytes, new_uuid: Callable[[], str], rules: Rules = BRANCHWORK) -> LoadedSession:
    """Return the session that a file holds. O(size).

    Raises NotASessionError when the bytes hold neither a header nor entries; an empty file is an empty session.
    """
    scan = read_records(data, rules)
    values = [record.value for record in scan.records if _counts(record.value, rules)]
    place = _header_place(values, rules)
    if place is None:
        return _without_header(data, values, scan, rules)
    header = values[place]
    migration = migrate(values, header, new_uuid)
    current = migration.records[place]
    slot = values[0] if rules.title_slot_read and place > 0 and entry_type(values[0]) == "title" else None
    early = [value for value in migration.records[:place] if entry_type(value) in KNOWN_TYPES]
    entries = early + [value for value in migration.records[place + 1 :] if entry_type(value) != "session"]
    return LoadedSession(
        "session",
        current if slot is None else titled_header(current, slot),
        tuple(entries),
        scan.problems,
        migration.stored_version,
        slot is not None,
        scan.ends_with_newline,
    )


@dataclass(frozen=True, slots=True)
class OpeningEffect:
    """What an agent does to a file by merely opening it; `text` is the file afterwards where something is written."""

    kind: Literal["none", "newline", "rewritten", "replaced"]
    text: bytes = b""


def opening_effect(data: bytes, session: LoadedSession, rules: Rules) -> OpeningEffect:
    """Return what opening does to the file under `rules`. This project never changes a file by opening it."""
    if session.kind == "empty" and rules.empty_file_filled:
        return OpeningEffect("replaced")
    if session.migrated and rules.migration_rewrites_file:
        lines = [session.header, *session.entries]
        return OpeningEffect("rewritten", "".join(f"{stringify(line)}\n" for line in lines).encode("utf-8"))
    if rules.final_newline_added_on_opening and not session.ends_with_newline:
        return OpeningEffect("newline", data + b"\n")
    return OpeningEffect("none")


def _counts(value: Any, rules: Rules) -> bool:
    """Whether a JSON value counts as a record: objects do, in one agent everything that JavaScript takes for true."""
    return isinstance(value, dict) or (rules.scalar_records_are_entries and (bool(value) or value == []))


def _header_place(values: Sequence[Any], rules: Rules) -> int | None:
    """The index of the header: the first record of type `session` with an id."""
    candidates = range(min(1, len(values))) if rules.header_comes_first else range(len(values))
    return next((place for place in candidates if _is_header(values[place])), None)


def _is_header(value: Any) -> bool:
    return entry_type(value) == "session" and isinstance(value.get("id"), str)


def _without_header(data: bytes, values: Sequence[Any], scan: RecordScan, rules: Rules) -> LoadedSession:
    if not data or rules.unusable_file_replaced:
        return LoadedSession("empty", None, (), scan.problems)
    entries = [value for value in values if entry_type(value) in KNOWN_TYPES and entry_id(value) is not None]
    if not entries or not rules.headerless_entries_shown:
        raise NotASessionError(Sentence("This file is not a session: it has no session header."))
    return LoadedSession("recovered", None, tuple(entries), scan.problems, ends_with_newline=scan.ends_with_newline)


def titled_header(header: JsonObject, slot: JsonObject) -> JsonObject:
    """Return a header with the title of the slot line; an empty title deletes it (SF-1.5)."""
    titled = {name: value for name, value in header.items() if name not in ("title", "titleSource")}
    title = slot.get("title")
    if isinstance(title, str) and title:
        titled["title"] = title
        if isinstance(slot.get("source"), str):
            titled["titleSource"] = slot["source"]
    return titled
