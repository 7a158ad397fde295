"""Sessions in the order in which the library shows them: by working directory, those that were active last first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Final

from services.library.search_text import folded
from services.library.sessions import LibrarySession

FOLDED_AT_ONCE: Final = 500  # sessions, a millisecond


@dataclass(frozen=True, slots=True)
class Shelf:
    """The sessions of one working directory; `cwd` is empty for those that name none."""

    cwd: str
    title: str
    """The last part of the directory's path, with the part before where another one has the same name."""
    sessions: tuple[LibrarySession, ...]


@dataclass(slots=True)
class _Known:
    session: LibrarySession
    order: tuple[int, str]
    """Larger for those that were active later."""
    cwd: str
    text: str = ""
    """What the filter looks at, folded."""

    @classmethod
    def of(cls, session: LibrarySession) -> _Known:
        return cls(session, (session.active_ms, str(session.path)), directory(session))


class Shelves:
    """Arranges sessions. What is asked of each one is asked when it comes or changes, so that typing stays quick."""

    def __init__(self) -> None:
        self._known: dict[Path, _Known] = {}
        self._by_cwd: dict[str, list[_Known]] = {}  # of all, those that were active last first
        self._unfolded: list[_Known] = []

    def know(self, sessions: Iterable[LibrarySession]) -> None:
        """Arrange these sessions from now on. O(sessions), and some microseconds for each one that is another."""
        before, self._known = self._known, {}
        for session in sessions:
            known = before.get(session.path)
            if known is None or known.session is not session:
                known = _Known.of(session)
                self._unfolded.append(known)
            self._known[session.path] = known
        self._by_cwd = {}
        for known in sorted(self._known.values(), key=_by_activity, reverse=True):
            self._by_cwd.setdefault(known.cwd, []).append(known)

    def fold_some(self, count: int = FOLDED_AT_ONCE) -> bool:
        """Get some more sessions ready for the filter, which else does so itself; False when all are."""
        for known in self._unfolded[-count:]:
            session = known.session
            known.text = folded("\n".join((session.display_name, session.facts.cwd, session.path.name)))
        del self._unfolded[-count:]
        return bool(self._unfolded)

    def arrange(self, typed: str = "") -> list[Shelf]:
        """Return the shelves with the sessions in whose names all typed words occur."""
        words = folded(typed).replace('"', " ").split()
        found = self._by_cwd
        if words:
            self.fold_some(len(self._unfolded))
            for word in words:
                found = {cwd: [each for each in known if word in each.text] for cwd, known in found.items()}
            found = dict(sorted(filter(_holds_some, found.items()), key=_by_latest, reverse=True))
        titles = _titles([*found])
        return [Shelf(cwd, titles[cwd], tuple([each.session for each in known])) for cwd, known in found.items()]


def directory(session: LibrarySession) -> str:
    """Return the working directory of a session as text, without a separator at its end."""
    cwd = session.facts.cwd.strip()
    return cwd.rstrip("/\\") or cwd[:1]


_by_activity = attrgetter("order")


def _by_latest(shelf: tuple[str, list[_Known]]) -> tuple[int, str]:
    return shelf[1][0].order


def _holds_some(shelf: tuple[str, list[_Known]]) -> bool:
    return bool(shelf[1])


def _titles(cwds: Sequence[str]) -> dict[str, str]:
    paths = {cwd: _pure(cwd) for cwd in cwds}
    names = {cwd: path.name or cwd for cwd, path in paths.items()}
    often = Counter(names.values())
    return {
        cwd: f"{name} — {paths[cwd].parent.name or paths[cwd].parent}" if often[name] > 1 and cwd else name
        for cwd, name in names.items()
    }


@lru_cache(4096)
def _pure(cwd: str) -> PurePath:
    is_windows = "\\" in cwd and "/" not in cwd
    return PureWindowsPath(cwd) if is_windows else PurePosixPath(cwd)
