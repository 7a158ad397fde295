"""One state of a session, read entry by entry: what an operation works on, whatever happens to the file meanwhile."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property

from model.entry_index import EntryIndex
from model.errors import UnknownEntryError
from model.json_text import JsonObject
from model.runs import NO_ROW, Runs
from services.right_of_way import WINDOW
from services.session_store import SessionStore
from services.worker_turns import WORKERS

_FREED_AT_ONCE = 256


def let_go(entries: list[JsonObject]) -> None:
    """Free many decoded entries bit by bit, from the list that alone still holds them.

    All at once that would hold the interpreter, and with it the window, for a tenth of a second.
    """
    while entries:
        WINDOW.give()
        WORKERS.give()
        del entries[-_FREED_AT_ONCE:]


class SessionSnapshot:
    """The entries of a store as they were when this was made. Positions are entry ids, None before the first entry."""

    def __init__(self, store: SessionStore) -> None:
        self._store = store
        self.index: EntryIndex = store.index

    @cached_property
    def runs(self) -> Runs:
        """The contracted forest of the entries."""
        return Runs(self.index.parent)

    @property
    def last_entry_id(self) -> str | None:
        """The last entry of the file: where an agent resumes (SF-10); None in an empty session."""
        return self.index.id_of(self.index.count - 1) if self.index.count else None

    def row(self, entry_id: str | None) -> int:
        """Return the row of an entry, NO_ROW before the first. Raises UnknownEntryError."""
        if entry_id is None:
            return NO_ROW
        row = self.index.row_of(entry_id)
        if row is None:
            raise UnknownEntryError(entry_id)
        return row

    def entry(self, entry_id: str) -> JsonObject:
        """Return an entry. Raises UnknownEntryError."""
        return self._store.entry(self.row(entry_id), self.index)

    def path(self, leaf_id: str | None) -> list[JsonObject]:
        """Return the entries from the root to `leaf_id`. Interruptible."""
        return self.entries(self.runs.path(self.row(leaf_id)).tolist())

    def common_ancestor(self, old_leaf_id: str | None, target_id: str) -> str | None:
        """Return the deepest entry on both paths, None when they share none (TN-3)."""
        row = self.runs.common_ancestor(self.row(old_leaf_id), self.row(target_id))
        return None if row == NO_ROW else self.index.id_of(row)

    def abandoned_rows(self, old_leaf_id: str | None, target_id: str | None) -> list[int]:
        """Return the rows that a move leaves behind, oldest first (TN-4)."""
        old_path = self.runs.path(self.row(old_leaf_id))
        ancestor = self.runs.common_ancestor(self.row(old_leaf_id), self.row(target_id))
        shared = 0 if ancestor == NO_ROW else len(self.runs.path(ancestor))
        return [int(row) for row in old_path[shared:]]

    def ids(self, rows: list[int]) -> tuple[str, ...]:
        """Return the ids of the entries at `rows`."""
        return tuple(self.index.id_of(row) for row in rows)

    def entries(self, rows: Sequence[int]) -> list[JsonObject]:
        """Return the entries at `rows`. Interruptible."""
        return self._store.entries(rows, self.index)

    @contextmanager
    def decoded(self, rows: Sequence[int]) -> Iterator[list[JsonObject]]:
        """Give the entries at `rows`, as `entries` does, for as long as they are needed; then let them go.

        What is made of them, and holds parts of them, is best made by a function of its own: gone when this ends.
        """
        entries = self.entries(rows)
        try:
            yield entries
        finally:
            let_go(entries)

    def decoded_path(self, leaf_id: str | None) -> AbstractContextManager[list[JsonObject]]:
        """Give the entries from the root to `leaf_id` as `decoded` does."""
        return self.decoded(self.runs.path(self.row(leaf_id)).tolist())
