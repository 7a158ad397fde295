"""Which session a session was forked from, as far as its header tells.

Nothing that a header says is used as a path on the disk: it is only compared with the paths and ids of the library.
Source: session-format spec, SF-2 (`parentSession`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import PurePosixPath, PureWindowsPath

from services.library.sessions import LibrarySession


class Lineage:
    """Finds origins among sessions."""

    def __init__(self, sessions: Iterable[LibrarySession] = ()) -> None:
        self._by_path = {str(session.path): session for session in sessions}
        self._by_id = _grouped((session.facts.session_id, session) for session in self._by_path.values())
        self._by_name: dict[str, list[LibrarySession]] | None = None

    def origin(self, session: LibrarySession) -> LibrarySession | None:
        """Return the session that `session` was forked from; None when it tells none, or none that can be found.

        By path, then by id; after a move of the folders by the name of the file, which holds time and id. Where several
        sessions answer, or only the session itself, the origin is unknown rather than guessed.
        """
        named = session.facts.parent_session
        if not named:
            return None
        found = self._by_path.get(os.path.normpath(named))
        if found is None:
            found = _only(self._by_id.get(named, ())) or _only(self._moved(named))
        return None if found is None or found.path == session.path else found

    def _moved(self, named: str) -> list[LibrarySession]:
        if self._by_name is None:  # few libraries need it
            self._by_name = _grouped((session.path.name, session) for session in self._by_path.values())
        name = (PureWindowsPath if "\\" in named else PurePosixPath)(named).name
        return [each for each in self._by_name.get(name, ()) if each.facts.session_id and each.facts.session_id in name]


def _grouped(named: Iterable[tuple[str, LibrarySession]]) -> dict[str, list[LibrarySession]]:
    groups: dict[str, list[LibrarySession]] = {}
    for name, session in named:
        groups.setdefault(name, []).append(session)
    return groups


def _only(sessions: Iterable[LibrarySession]) -> LibrarySession | None:
    found = list(sessions)
    return found[0] if len(found) == 1 else None
