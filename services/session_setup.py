"""How an opened file becomes a session at work: its settings, extensions, and where the user was in it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from services.agent_session import AgentSession, PositionMemory
from services.app_folders import state_folder
from services.position_memory import FilePositions, WriteBehindPositions
from services.questions import ask_about_secrets, ask_about_writer
from services.session_extensions import extensions_wanted, load_wanted
from services.session_overrides import SessionOverrides
from services.session_store import SessionStore
from services.settings_files import SettingsFiles

if TYPE_CHECKING:
    from model.settings import EffectiveSettings
    from services.hooks import Hooks
    from services.summarizers.secret_gate import AskAboutSecrets
    from services.writer_gate import AskAboutWriter


def window_session(store: SessionStore) -> AgentSession:
    """Return the session of a file that is open in the window: it asks questions and comes back to where it was."""
    memory = _positions(state_folder() / "positions.json")
    return session_maker(store, ask_about_secrets, ask_about_writer, memory)


@cache
def _positions(file: Path) -> WriteBehindPositions:
    return WriteBehindPositions(FilePositions(file))


def session_maker(
    store: SessionStore,
    ask: AskAboutSecrets | None = None,
    ask_about_writer: AskAboutWriter | None = None,
    memory: PositionMemory | None = None,
) -> AgentSession:
    """Return the session of an opened file, with the user's settings as they are at each moment.

    `ask` decides about likely secrets in a prompt for another machine; without it such a prompt isn't sent.
    `ask_about_writer` decides about writing beside another program; without it nobody is asked.
    """
    files = SettingsFiles()
    overrides = SessionOverrides()

    def settings() -> EffectiveSettings:
        return files.resolve(store.dialect, store.cwd, overrides.of(store.session_id)).values

    def hooks() -> Hooks | None:
        found = load_wanted(extensions_wanted(files, store.dialect, store.cwd))
        return found.hooks if found.loaded else None

    return AgentSession(
        store, settings, hooks=hooks, memory=memory, ask_about_secrets=ask, ask_about_writer=ask_about_writer
    )
