"""Opening the session of a run."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from gui.command_line.running import Run
from gui.command_line.text_layout import count_of
from services.agent_session import AgentSession
from services.app_folders import state_folder
from services.position_memory import FilePositions
from services.questions import RecentWriter, WriterAnswer
from services.session_events import Emit
from services.session_setup import session_maker
from services.session_store import SessionStore


@asynccontextmanager
async def opened_store(run: Run) -> AsyncIterator[SessionStore]:
    """Read the file of the run, and let go of it at the end.

    Raises NotASessionError, OSError, OperationCancelled.
    """
    path: Path = run.given.file
    store = await asyncio.to_thread(SessionStore.open, path, token=run.token, dialect=run.given.dialect)
    try:
        yield store
    finally:
        store.close()


@asynccontextmanager
async def opened_session(run: Run) -> AsyncIterator[AgentSession]:
    """Open the session of the run with the user's settings; its leaf is the last entry of the file (SF-10)."""
    async with opened_store(run) as store:
        yield session_maker(store)


@asynccontextmanager
async def session_to_change(run: Run) -> AsyncIterator[AgentSession]:
    """Open the session of the run to write into it: who does so beside another program is warned.

    A summary that would stand beside what another program wrote meanwhile is saved only when that was asked for.
    """

    async def warn(writer: RecentWriter, _emit: Emit) -> WriterAnswer:
        if writer.entry_count and not run.given.write_beside:
            return "stop"
        ago = count_of(round(writer.seconds_ago), "second")
        run.console.warning(f"Another program wrote this session {ago} ago; if it is at work, both go on apart.")
        return "write"

    async with opened_store(run) as store:
        positions = FilePositions(state_folder() / "positions.json")
        try:
            yield session_maker(store, ask_about_writer=warn, memory=_LastChange(positions, store))
        finally:
            if (upgrade := store.take_upgrade()) is not None:
                run.console.warning(upgrade.message)


class _LastChange:
    """Knows whether the last change of a session was ours. The leaf is the last entry in any case.

    Moves that write nothing are not remembered: the next command and the window begin where they would without them.
    """

    def __init__(self, positions: FilePositions, store: SessionStore) -> None:
        self._positions = positions
        self._index = store.index

    def recall(self, key: str, earlier_key: str = "") -> tuple[str | None, int] | None:
        count = self._index.count
        known = self._positions.recall(key, earlier_key)
        if known is None or known[1] != count or not count:
            return None
        return self._index.id_of(count - 1), count

    def remember(self, key: str, leaf_id: str | None, entry_count: int) -> None:
        if entry_count != self._index.count:
            self._positions.remember(key, leaf_id, entry_count)
