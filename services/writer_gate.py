"""Writing beside another program is asked about: two writers make branches that nobody wanted."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from services.cancellation import OperationCancelled
from services.questions import RecentWriter, WriterAnswer
from services.session_events import Emit

if TYPE_CHECKING:
    from services.session_store import SessionStore

AskAboutWriter = Callable[[RecentWriter, Emit], Awaitable[WriterAnswer]]

RECENT_S: Final = 180.0


@dataclass(slots=True)
class WriterGate:
    """Asks once in a session before it writes into a file that another program wrote within the last minutes.

    `ask` None lets everything pass. `clock` gives Unix time in seconds.
    """

    store: "SessionStore"
    clock: Callable[[], float]
    ask: AskAboutWriter | None = None
    last_write_s: float | None = None
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
        """Return when the file may be written. Raises OperationCancelled when the user doesn't want that."""
        if self.ask is None or self._is_allowed:
            return
        change = await asyncio.to_thread(self.store.refresh)
        if change.kind not in ("none", "deleted"):
            self.note_write()
        if self.store.is_gone or (ago := self.seconds_ago) is None:
            return  # there is nothing to write into: the store says so
        if await self.ask(RecentWriter(ago), emit) != "write":
            raise OperationCancelled
        self._is_allowed = True
