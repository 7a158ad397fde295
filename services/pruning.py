"""Pruning the tool outputs of a session at work: in place (OMP), or by context edits (Pi).

Source: compaction spec, CP-3 with ruling R-23.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from model.entries import entry_id, message_of, new_context_edit_entry
from model.entry_kinds import Trait
from model.json_text import JsonObject
from model.pruning import Pruning, editable_path, prune_tool_outputs
from model.timestamps import timestamp_ms
from services.cancellation import CancellationToken

if TYPE_CHECKING:
    from services.agent_session import AgentSession


@dataclass(frozen=True, slots=True)
class PruningResult:
    """What a pruning changed: entry ids in the order of the path, and the estimated tokens saved.

    `backup` is where the file as it was is kept, None where nothing was rewritten.
    """

    pruned: tuple[str, ...] = ()
    tokens_saved: int = 0
    backup: Path | None = None


def plan_pruning(session: AgentSession) -> Pruning:
    """Return what pruning would change now, by the session's settings; it changes nothing.

    Decodes the active path. Interruptible.
    """
    with session.snapshot().decoded_path(session.leaf_id) as path:
        return _planned(session, path)


def _planned(session: AgentSession, path: list[JsonObject]) -> Pruning:
    if session.store.dialect == "pi":
        path = editable_path(path, session.rules)
    else:
        path = [_protected(entry) if _is_damaged(session, entry) else entry for entry in path]
    now_ms = timestamp_ms(session.now()) or 0
    return prune_tool_outputs(path, int(now_ms), session.settings.pruning, session.rules)


def prune(session: AgentSession, token: CancellationToken) -> PruningResult:
    """Prune the active path by hand. Blocking.

    Raises OperationCancelled, BusyError, StoreError; then nothing has changed.
    """
    with session.operation(token):
        planned = plan_pruning(session)
        token.seal()
        return apply_pruning(session, planned)


def apply_pruning(session: AgentSession, planned: Pruning) -> PruningResult:
    """Write what was planned, all of it or nothing; for callers that hold the session's operation. Blocking.

    OMP: the lines of the results are replaced, and the leaf stays. Pi: a context edit a result is appended behind the
    leaf, and the last one becomes the leaf. Raises StoreError.
    """
    if not planned.results:
        return PruningResult()
    pruned = tuple(result.entry_id for result in planned.results if result.entry_id is not None)
    backup = None
    if session.store.dialect == "pi":
        edits = _context_edits(session, planned)
        session.store.append(edits)
        session.move_leaf(entry_id(edits[-1]))
    else:
        snapshot = session.snapshot()
        backup = session.store.replace_entries(
            {
                snapshot.row(result.entry_id): {**snapshot.entry(result.entry_id), "message": result.message}
                for result in planned.results
                if result.entry_id is not None
            }
        )
    return PruningResult(pruned, planned.tokens_saved, backup)


def _context_edits(session: AgentSession, planned: Pruning) -> list[JsonObject]:
    """One edit a result, each behind the one before, the first behind the leaf."""
    edits: list[JsonObject] = []
    ids: set[str] = set()
    parent_id = session.leaf_id
    for result in planned.results:
        while (id := session.store.new_entry_id()) in ids:
            pass
        ids.add(id)
        edits.append(
            new_context_edit_entry(
                id, parent_id, session.now(), session.store.dialect,
                target_id=result.entry_id or "", replacement={"content": result.message["content"]},
            )
        )  # fmt: skip
        parent_id = id
    return edits


def _is_damaged(session: AgentSession, entry: JsonObject) -> bool:
    row = session.store.index.row_of(entry_id(entry) or "")
    return row is None or bool(session.store.index.traits[row] & Trait.DAMAGED)


def _protected(entry: JsonObject) -> JsonObject:
    """A tool result as pruning leaves alone: its line holds more than itself, so it can't be replaced."""
    message = message_of(entry)
    return entry if message is None else {**entry, "message": {**message, "prunedAt": 0}}
