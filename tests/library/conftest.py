"""A folder of sessions in the place where Pi keeps them, and scans of it into an index of the test's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from services.cancellation import CancellationToken
from services.library.scanning import LibraryUpdate, ScanResult, scan_library
from services.library.sessions import LibrarySession


class Library:
    """What a window would know: the sessions that scans have told of."""

    def __init__(self, folders: list[Path], file: Path) -> None:
        self.folders = folders
        self.file = file
        self.sessions: dict[Path, LibrarySession] = {}
        self.updates: list[LibraryUpdate] = []
        self.result = ScanResult()

    def scan(self, token: CancellationToken | None = None) -> Library:
        """Scan once."""
        self.updates = []
        self.result = scan_library(
            self.folders, token or CancellationToken(), self.take, file=self.file, report_every_s=0
        )
        return self

    def take(self, update: LibraryUpdate) -> None:
        """Take in what a scan tells."""
        self.updates.append(update)
        self.sessions.update((session.path, session) for session in update.sessions)
        for path in update.gone:
            self.sessions.pop(path, None)

    def __getitem__(self, path: Path) -> LibrarySession:
        return self.sessions[path]


@pytest.fixture
def folder(own_folders: Path) -> Path:
    """Pi's folder of sessions."""
    made = own_folders / ".pi" / "agent" / "sessions"
    made.mkdir(parents=True)
    return made


@pytest.fixture
def library(folder: Path, tmp_path: Path) -> Library:
    """The library of Pi's folder."""
    return Library([folder], tmp_path / "library.db")


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """The names of the files that scans have read since it was asked last, one name a look."""
    from services.library import reader, scanning

    seen: list[str] = []
    for module, name in ((scanning, "glance"), (reader, "count_session"), (reader, "read_bodies")):
        original = getattr(module, name)

        def noting(
            path: Path, *arguments: object, _original: Callable[..., object] = original, **named: object
        ) -> object:
            seen.append(path.name)
            return _original(path, *arguments, **named)

        monkeypatch.setattr(module, name, noting)

    def since() -> list[str]:
        found = list(seen)
        seen.clear()
        return found

    return since
