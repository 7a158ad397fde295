"""Sessions in the order in which the library shows them: by working directory, those that were active last first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

from services.library.search_text import folded
from services.library.sessions import LibrarySession


@dataclass(frozen=True, slots=True)
class Shelf:
    """The sessions of one working directory; `cwd` is empty for those that name none."""

    cwd: str
    title: str
    """The last part of the directory's path, with the part before where another one has the same name."""
    sessions: tuple[LibrarySession, ...]


@dataclass(slots=True)
class Shelves:
    """Arranges sessions. Keeps the folded texts that the filter looks at, so that typing stays quick."""

    _haystacks: dict[Path, tuple[LibrarySession, str]] = field(default_factory=dict)

    def arrange(self, sessions: Iterable[LibrarySession], typed: str = "") -> list[Shelf]:
        """Return the shelves with the sessions in whose names all typed words occur."""
        words = folded(typed).replace('"', " ").split()
        by_cwd: dict[str, list[LibrarySession]] = defaultdict(list)
        for session in sessions:
            if not words or self._answers(session, words):
                by_cwd[directory(session)].append(session)
        for found in by_cwd.values():
            found.sort(key=_by_activity, reverse=True)
        cwds = sorted(by_cwd, key=lambda cwd: _by_activity(by_cwd[cwd][0]), reverse=True)
        titles = _titles(cwds)
        return [Shelf(cwd, titles[cwd], tuple(by_cwd[cwd])) for cwd in cwds]

    def _answers(self, session: LibrarySession, words: Sequence[str]) -> bool:
        known = self._haystacks.get(session.path)
        if known is None or known[0] is not session:
            text = "\n".join((session.display_name, session.facts.cwd, session.path.name))
            known = self._haystacks[session.path] = (session, folded(text))
        return all(word in known[1] for word in words)


def directory(session: LibrarySession) -> str:
    """Return the working directory of a session as text, without a separator at its end."""
    cwd = session.facts.cwd.strip()
    return cwd.rstrip("/\\") or cwd[:1]


def _by_activity(session: LibrarySession) -> tuple[int, str]:
    return session.active_ms, str(session.path)


def _titles(cwds: Sequence[str]) -> dict[str, str]:
    paths = {cwd: _pure(cwd) for cwd in cwds}
    names = {cwd: path.name or cwd for cwd, path in paths.items()}
    often = Counter(names.values())
    return {
        cwd: f"{name} — {paths[cwd].parent.name or paths[cwd].parent}" if often[name] > 1 and cwd else name
        for cwd, name in names.items()
    }


def _pure(cwd: str) -> PurePath:
    is_windows = "\\" in cwd and "/" not in cwd
    return PureWindowsPath(cwd) if is_windows else PurePosixPath(cwd)
