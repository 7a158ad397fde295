"""How an opened file becomes a session at work: its settings, and where the user was in it."""

from __future__ import annotations

from services.agent_session import AgentSession
from services.session_store import SessionStore
from services.settings_files import SettingsFiles


def session_maker(store: SessionStore) -> AgentSession:
    """Return the session of an opened file, with the user's settings as they are at each moment."""
    files = SettingsFiles()
    return AgentSession(store, lambda: files.resolve(store.dialect, store.cwd).values)
