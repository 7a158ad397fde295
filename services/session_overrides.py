"""Settings for one session only, set in the window and kept in the application's state (ST-1, level 5)."""

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from model.json_text import JsonObject
from services.app_folders import state_folder
from services.settings_files import value_at, with_changes, write_settings

log = logging.getLogger(__name__)

FILE_NAME: Final = "session-settings.json"


class SessionOverrides:
    """The settings of single sessions, by session id, in a small file of ours. A broken file is an empty one."""

    def __init__(self, file: Path | None = None) -> None:
        self.file = file or state_folder() / FILE_NAME
        self._read_at: object = None
        self._sessions: JsonObject = {}

    def of(self, session_id: str) -> JsonObject:
        """Return the settings of a session, in the form of a settings file; empty when it has none of its own."""
        found = self._known().get(session_id)
        return found if isinstance(found, dict) else {}

    def change_all(self, session_id: str, changes: Mapping[tuple[str, ...], Any]) -> dict[tuple[str, ...], Any]:
        """Change settings of a session; None takes one out. Return what was there, for an undo.

        Raises ServiceError; then they are as before.
        """
        known = dict(self._known())
        present = self.of(session_id)
        changed = with_changes(present, changes)
        known.pop(session_id, None)
        if changed:
            known[session_id] = changed
        write_settings(self.file, known)
        return {key: value_at(present, key) for key in changes}

    def _known(self) -> JsonObject:
        try:
            status = self.file.stat()
        except OSError:
            return {}
        stamp = (status.st_mtime_ns, status.st_size)
        if stamp != self._read_at:
            try:
                found = json.loads(self.file.read_text(encoding="utf-8"))
            except (OSError, ValueError) as error:
                log.warning("settings of sessions not read: %s", error)
                found = {}
            self._sessions, self._read_at = found if isinstance(found, dict) else {}, stamp
        return self._sessions
