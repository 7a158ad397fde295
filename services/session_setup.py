"""How an opened file becomes a session at work: its settings, extensions, and where the user was in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from services.agent_session import AgentSession
from services.app_folders import data_folder
from services.session_store import SessionStore
from services.settings_files import SettingsFiles

if TYPE_CHECKING:
    from services.hooks import Hooks


def session_maker(store: SessionStore) -> AgentSession:
    """Return the session of an opened file, with the user's settings as they are at each moment."""
    files = SettingsFiles()

    def hooks() -> Hooks | None:
        from services.extensions import load_extensions

        cwd = store.cwd
        project = Path(cwd) / ".branchwork" / "extensions" if cwd and files.trust.is_trusted(cwd) else None
        named = files.resolve(store.dialect, cwd).values.extensions
        found = load_extensions(data_folder() / "extensions", named, project)
        return found.hooks if found.loaded else None

    return AgentSession(store, lambda: files.resolve(store.dialect, store.cwd).values, hooks=hooks)
