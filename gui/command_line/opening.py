"""Opening the session of a run."""

import asyncio
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from gui.command_line.running import Run
from model.errors import NotASessionError
from services.agent_session import AgentSession
from services.session_setup import session_maker
from services.session_store import SessionStore


@asynccontextmanager
async def opened_store(run: Run) -> AsyncIterator[SessionStore]:
    """Read the file of the run, and let go of it at the end.

    Raises NotASessionError, OSError, OperationCancelled.
    """
    path: Path = run.given.file
    if not stat.S_ISREG(path.stat().st_mode):
        raise NotASessionError("this is no file.")
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
