"""Which session a session was forked from, as far as its header tells.

Nothing that a header says is used as a path on the disk: it is only compared with the paths and ids of the library.
Source: session-format spec, SF-2 (`parentSession`).
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath, PureWindowsPath

from services.library.sessions import LibrarySession


@dataclass(slots=True)
class Lineage:
    """Finds origins among sessions."""

    _by_path: dict[str, LibrarySession] = field(default_factory=dict)
    _by_name: dict[str, list[LibrarySession]] = field(default_factory=lambda: defaultdict(list))
    _by_id: dict[str, list[LibrarySession]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, sessions: Iterable[LibrarySession]) -> Lineage:
        """Return the lineage of some sessions. O(sessions)."""
        lineage = cls()
        for session in sessions:
            lineage._by_path[os.path.normpath(session.path)] = session
            lineage._by_name[session.path.name].append(session)
            if session.facts.session_id:
                lineage._by_id[session.facts.session_id].append(session)
        return lineage

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

    def forks(self, session: LibrarySession) -> list[LibrarySession]:
        """Return the sessions that were forked from `session`, oldest first. O(sessions)."""
        found = [each for each in self._by_path.values() if self.origin(each) is session]
        return sorted(found, key=lambda each: each.facts.created_ms or 0)

    def _moved(self, named: str) -> list[LibrarySession]:
        name = (PureWindowsPath if "\\" in named else PurePosixPath)(named).name
        return [each for each in self._by_name.get(name, ()) if each.facts.session_id and each.facts.session_id in name]


def is_fork(session: LibrarySession) -> bool:
    """Whether a session says that it was made from another one."""
    return bool(session.facts.parent_session)


def _only(sessions: Iterable[LibrarySession]) -> LibrarySession | None:
    found = list(sessions)
    return found[0] if len(found) == 1 else None
