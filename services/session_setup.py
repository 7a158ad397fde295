"""How an opened file becomes a session at work: its settings, and where the user was in it."""

from __future__ import annotations

from model.settings import default_settings
from services.agent_session import AgentSession
from services.session_store import SessionStore


def session_maker(store: SessionStore) -> AgentSession:
    """Return the session of an opened file, with the user's settings."""
    settings = default_settings(store.dialect)
    return AgentSession(store, lambda: settings)
