"""Has each session look as it did the last time: read before it is opened, kept when it is closed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, QThreadPool
from PySide6.QtWidgets import QMainWindow

from gui.latest_job import LatestJob
from services.app_folders import state_folder
from services.view_states import ViewState, ViewStates


@cache
def _states(folder: Path) -> ViewStates:
    return ViewStates(folder)


class ViewMemory(QObject):
    """Reads and writes the state of one session on workers."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._states = _states(state_folder() / "views")
        self._reads = LatestJob(self)

    def recall(self, session_file: Path, done: Callable[[ViewState], None]) -> None:
        """Give the state of the last time to `done`, in a later turn of the event loop."""
        states = self._states
        self._reads.start(lambda _token: states.recall(session_file), done, lambda _sentence: done(ViewState()))

    def keep(self, session_file: Path, state: ViewState) -> None:
        """Write the state behind what the window does; it is known for `recall` at once."""
        self._states.note(session_file, state)
        QThreadPool.globalInstance().start(partial(self._states.write, session_file))

    def close(self) -> None:
        """Drop what is being read."""
        self._reads.close()


def docks_of(window: QMainWindow) -> str:
    """Return where the docks of a window are and how large, as text."""
    return bytes(window.saveState().toBase64().data()).decode("ascii")


def restore_docks(window: QMainWindow, docks: str) -> None:
    """Put the docks of a window where `docks` says; anything else changes nothing."""
    if docks:
        window.restoreState(QByteArray.fromBase64(QByteArray(docks.encode("ascii", "ignore"))))


def with_docks(state: ViewState, outer: QMainWindow, inner: QMainWindow) -> ViewState:
    """Return `state` with the docks of the session and of the tree inside it."""
    return replace(state, docks=docks_of(outer), map_docks=docks_of(inner))
