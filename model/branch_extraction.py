"""One branch of a session as a session of its own (SF-11.6)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from model.dialects import Dialect
from model.entries import entry_id, entry_type, fresh_entry_id, new_label_entry
from model.errors import UnknownEntryError
from model.json_text import JsonObject
from model.labels import resolve_labels
from model.rules import BRANCHWORK, Rules
from model.timestamps import iso_timestamp
from model.tree import SessionTree

CURRENT_VERSION: Final = 3


@dataclass(frozen=True, slots=True)
class ExtractedBranch:
    """A new session: its header and its entries in file order."""

    header: JsonObject
    entries: tuple[JsonObject, ...]

    @property
    def leaf_id(self) -> str | None:
        """The id of the last entry."""
        return entry_id(self.entries[-1]) if self.entries else None


def new_header(session_id: str, timestamp: str, cwd: str, parent_session: str | None = None) -> JsonObject:
    """Return the header of a new session in the current version (SF-2)."""
    header = {"type": "session", "version": CURRENT_VERSION, "id": session_id, "timestamp": timestamp, "cwd": cwd}
    return header if parent_session is None else {**header, "parentSession": parent_session}


def extract_branch(
    entries: Sequence[JsonObject],
    leaf_id: str,
    dialect: Dialect,
    *,
    session_id: str,
    cwd: str,
    parent_session: str | None,
    now_ms: int,
    new_uuid: Callable[[], str],
    rules: Rules = BRANCHWORK,
) -> ExtractedBranch:
    """Return the path to `leaf_id` as a new session (SF-11.6). Raises UnknownEntryError.

    Label entries are taken out and the chain closed over the gaps; the labels in force of the entries that stay are
    appended at the end. A kept boundary that named a label entry moves to the next entry that stays.
    """
    path = SessionTree(entries).path_to(leaf_id)
    if not path:
        raise UnknownEntryError(leaf_id)
    kept = [entry for entry in path if entry_type(entry) != "label"]
    if rules.extraction_mends_references:
        kept = _mended(path)
    timestamp = iso_timestamp(now_ms)
    extracted = list(kept)
    taken = {id for entry in kept if (id := entry_id(entry)) is not None}
    targets = frozenset(taken)
    last_id = entry_id(kept[-1]) if kept else None
    for target_id, label in resolve_labels(entries).items():
        if target_id not in targets:
            continue
        time = label.timestamp if rules.extraction_keeps_label_times else timestamp
        id = fresh_entry_id(taken, new_uuid)
        extracted.append(new_label_entry(id, last_id, time, dialect, target_id=target_id, label=label.text))
        taken.add(id)
        last_id = id
    return ExtractedBranch(new_header(session_id, timestamp, cwd, parent_session), tuple(extracted))


def _mended(path: Sequence[JsonObject]) -> list[JsonObject]:
    """The path without label entries: each entry hangs at the one before it, and no boundary names a label entry."""
    kept: list[JsonObject] = []
    successor: dict[str, str] = {}  # id of a label entry -> id of the next entry that stays
    pending: list[str] = []
    parent: str | None = None
    for entry in path:
        id = entry_id(entry)
        if entry_type(entry) == "label":
            pending += [id] if id is not None else []
            continue
        if id is not None:
            successor.update(dict.fromkeys(pending, id))
            pending.clear()
        copy = {**entry, "parentId": parent}
        boundary = entry.get("firstKeptEntryId")
        if entry_type(entry) == "compaction" and isinstance(boundary, str) and boundary in successor:
            copy["firstKeptEntryId"] = successor[boundary]
        kept.append(copy)
        parent = id
    return kept
