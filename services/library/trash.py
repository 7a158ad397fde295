"""Moving a session to the trash of the desktop, and back.

The folder of a session's artifacts (SF-5.4), which has the name of the file, goes with it.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QFile, QStandardPaths

from model.sentences import Sentence
from services.blobs import artifacts
from services.errors import ServiceError
from services.session_lock import SessionLock
from services.store_errors import SessionLockedError
from services.system_errors import os_reason


@dataclass(frozen=True, slots=True)
class Trashed:
    """What was moved: (where it was, where it is); the second is None where the desktop does not tell.

    `title` is what the list calls the session.
    """

    moved: tuple[tuple[Path, Path | None], ...]
    title: str

    @property
    def path(self) -> Path:
        """Where the session was."""
        return self.moved[0][0]

    @property
    def can_restore(self) -> bool:
        """Whether `restore` can put it back."""
        return all(in_trash is not None for _, in_trash in self.moved)


def move_to_trash(path: Path, title: str = "") -> Trashed:
    """Move a session that nobody has open to the trash. Blocking. Raises ServiceError; then it is where it was.

    `title` is what the list calls it, if it is not the name of the file.
    """
    lock = SessionLock(path)
    try:
        lock.acquire()
    except SessionLockedError:
        raise ServiceError(
            Sentence("Another window of this program works on this session, so it was not moved. Close it there first.")
        ) from None
    try:
        if not path.is_file():
            raise ServiceError(Sentence("{0} is not there any more.", path.name))
        with_it = path.with_suffix("")
        has_artifacts = with_it.is_dir() and not with_it.is_symlink() and bool(artifacts(path))
        moved = [_trash(path)]
        if has_artifacts:
            with suppress(ServiceError):  # they are of no use without the session, but do no harm either
                moved.append(_trash(with_it))
        return Trashed(tuple(moved), title or path.name)
    finally:
        lock.release()


def restore(trashed: Trashed) -> None:
    """Put a session back where it was. Blocking. Raises ServiceError; then it is still in the trash."""
    for original, in_trash in trashed.moved:
        if in_trash is None:
            raise ServiceError(Sentence("{0} has to be restored from the trash of the desktop.", original.name))
        if os.path.lexists(original):
            raise ServiceError(
                Sentence("There is another {0} now, so the one in the trash stays there.", original.name)
            )
        try:
            original.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(in_trash, original)
        except OSError as error:
            raise ServiceError(Sentence("{0} cannot be put back: {1}.", original.name, os_reason(error))) from error
        _drop_trash_note(in_trash)


def _trash(path: Path) -> tuple[Path, Path | None]:
    # Qt makes the trash of a new user only where the folder around it is there.
    with suppress(OSError):
        Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericDataLocation)).mkdir(
            parents=True, exist_ok=True
        )
    file = QFile(os.fspath(path))
    done = file.moveToTrash()
    if not done:
        raise ServiceError(
            Sentence("{0} cannot be moved to the trash of this desktop; nothing was deleted.", path.name)
        )
    in_trash = file.fileName()  # where it is now, if the desktop tells
    return path, Path(in_trash) if in_trash not in ("", os.fspath(path)) else None


def _drop_trash_note(in_trash: Path) -> None:
    """Take away the note that freedesktop.org trashes keep beside what was thrown away."""
    if in_trash.parent.name == "files":
        with suppress(OSError):
            (in_trash.parent.parent / "info" / f"{in_trash.name}.trashinfo").unlink()
