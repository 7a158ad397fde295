"""What the sizes of contexts need of the bodies of a session: those of its compactions and context edits, read once."""

from typing import TYPE_CHECKING, Final

import numpy as np

from model.context_sizes import ContextFacts, EditFact, compaction_fact, edit_fact, edited_row
from model.entry_index import EntryIndex
from model.entry_kinds import Kind

if TYPE_CHECKING:
    from services.session_store import SessionStore

_AT_ONCE: Final = 256  # entries that are decoded before they are let go


def read_context_facts(
    store: "SessionStore",
    index: EntryIndex,
    known: ContextFacts | None = None,
) -> ContextFacts:
    """Return the facts of the entries of `index`. Blocking and interruptible.

    `known` are those of an earlier snapshot of the same generation, which are not read again.
    """
    known = known or ContextFacts()
    compactions = dict(known.compactions)
    edits = dict(known.edits)
    fresh = [row for row in _rows(index, Kind.COMPACTION) if row not in compactions]
    for first in range(0, len(fresh), _AT_ONCE):
        rows = fresh[first : first + _AT_ONCE]
        for row, entry in zip(rows, store.entries(rows, index), strict=True):
            compactions[row] = compaction_fact(entry, index)
    fresh = [row for row in _rows(index, Kind.CONTEXT_EDIT) if row not in edits]
    for first in range(0, len(fresh), _AT_ONCE):
        edits.update(_edit_facts(store, index, fresh[first : first + _AT_ONCE]))
    return ContextFacts(compactions, edits)


def _edit_facts(store: "SessionStore", index: EntryIndex, rows: list[int]) -> dict[int, EditFact]:
    entries = store.entries(rows, index)
    targets = [edited_row(entry, index) for entry in entries]
    wanted = sorted({target for target in targets if target is not None})
    bodies = dict(zip(wanted, store.entries(wanted, index), strict=True))
    return {
        row: edit_fact(entry, target, bodies[target])
        for row, entry, target in zip(rows, entries, targets, strict=True)
        if target is not None
    }


def _rows(index: EntryIndex, kind: Kind) -> list[int]:
    rows: list[int] = np.flatnonzero(index.kind == kind).tolist()
    return rows
