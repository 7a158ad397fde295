"""Writing beside another program is asked about: two writers make branches that nobody wanted."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from model.runs import NO_ROW
from model.sentences import Sentence
from services.cancellation import OperationCancelled
from services.errors import ServiceError
from services.questions import RecentWriter, WriterAnswer
from services.session_events import Emit
from services.store_errors import ReadOnlyError

if TYPE_CHECKING:
    from model.entry_index import EntryIndex
    from services.session_store import SessionStore

AskAboutWriter = Callable[[RecentWriter, Emit], Awaitable[WriterAnswer]]

RECENT_S: Final = 180.0


class WentOnError(ServiceError):
    """Another program went on from where an entry of ours belongs, so that it wasn't saved. `text` is what it says."""

    def __init__(self, text: str = "") -> None:
        super().__init__(
            Sentence(
                "Another program went on from this place meanwhile, so nothing was saved: what it wrote would be left "
                "on a branch that no agent resumes at."
            )
        )
        self.text = text


@dataclass(frozen=True, slots=True)
class KnownEntries:
    """Which entries stand directly behind some entry (None: at the beginning) when an operation begins."""

    of: dict[str | None, frozenset[str]]

    @classmethod
    def behind(cls, index: "EntryIndex", *entry_ids: str | None) -> "KnownEntries":
        """Return what is behind these entries in one state of the file."""
        found: dict[str | None, frozenset[str]] = {}
        for id in entry_ids:
            row = NO_ROW if id is None else index.row_of(id)
            rows = [] if row is None else np.flatnonzero(index.parent == row).tolist()
            found[id] = frozenset(index.id_of(child) for child in rows)
        return cls(found)

    def count_added(self, index: "EntryIndex") -> int:
        """Return how many more there are in a later state."""
        now = KnownEntries.behind(index, *self.of)
        return sum(len(now.of[id] - known) for id, known in self.of.items())


@dataclass(slots=True)
class WriterGate:
    """Asks before it writes into a file that another program is at work in.

    `passed` asks once in a session, when another program wrote within the last minutes; `still_passed` whenever one
    went on, while an operation ran, from the entry that the result belongs behind. `ask` None: nobody can be asked;
    then `passed` lets everything pass and `still_passed` nothing. `clock` gives Unix time in seconds. `catch_up` is
    called whenever the file has been looked at.
    """

    store: "SessionStore"
    clock: Callable[[], float]
    ask: AskAboutWriter | None = None
    last_write_s: float | None = None
    catch_up: Callable[[], None] = lambda: None
    _is_allowed: bool = field(default=False, init=False)

    def note_write(self) -> None:
        """Note that another program changed the file now."""
        self.last_write_s = self.clock()

    @property
    def seconds_ago(self) -> float | None:
        """How long ago another program wrote; None when that isn't within the last minutes."""
        ago = None if self.last_write_s is None else self.clock() - self.last_write_s
        return ago if ago is not None and 0 <= ago < RECENT_S else None

    async def passed(self, emit: Emit) -> None:
        """Return when the file may be written. Raises OperationCancelled when the user doesn't want that, and
        ReadOnlyError when nobody may write it.
        """
        await self._look()
        if (why := self.store.read_only) is not None:
            raise ReadOnlyError(why)  # before a summary is made for nothing
        if self.ask is not None and not self._is_allowed and (ago := self.seconds_ago) is not None:
            if self.store.is_gone:
                return  # there is nothing to write into: the store says so
            if await self.ask(RecentWriter(ago), emit) != "write":
                raise OperationCancelled
            self._is_allowed = True
            await self._look()
        self.catch_up()

    async def still_passed(self, known: KnownEntries, emit: Emit, text: str = "") -> None:
        """Return when what was worked out may be saved although time has passed: `text` is what it says.

        Raises WentOnError where another program went on from there, and nobody wants a branch beside it, and StoreError
        where the file can't be written at all.
        """
        await asyncio.to_thread(self.store.claim)
        await self._look()
        count = known.count_added(self.store.index)
        if not count or self.store.is_gone:
            return
        if self.ask is None or await self.ask(RecentWriter(self.seconds_ago or 0.0, count, text), emit) != "write":
            raise WentOnError(text)
        await self._look()

    async def _look(self) -> None:
        try:
            change = await asyncio.to_thread(self.store.refresh)
        except OSError:  # who writes is told
            return
        if change.kind not in ("none", "deleted"):
            self.note_write()
