"""Has each session look as it did the last time: read before it is opened, kept soon after that changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from PySide6.QtCore import QByteArray, QCoreApplication, QObject, QThreadPool, SignalInstance
from PySide6.QtWidgets import QMainWindow, QWidget

from gui.latest_job import LatestJob
from gui.settled_changes import SettledChanges
from gui.window_memory import STATE_FOLDER
from services.app_folders import state_folder
from services.view_states import ViewState, ViewStates


@cache
def _states(folder: Path) -> ViewStates:
    return ViewStates(folder)


class ViewMemory(QObject):
    """Reads and writes the state of one session on workers.

    `look` returns the state as it is now, None while it is not to be kept.
    """

    def __init__(self, look: Callable[[], ViewState | None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        application = QCoreApplication.instance()
        folder = None if application is None else application.property(STATE_FOLDER)
        self._states = _states(Path(folder or state_folder()) / "views")
        self._look = look
        self._session_file: Path | None = None
        self._kept: ViewState | None = None
        self._reads = LatestJob(self)
        self._changes = SettledChanges(self.keep, self)

    def recall(self, session_file: Path, done: Callable[[ViewState], None]) -> None:
        """Give the state of the last time to `done`, in a later turn of the event loop."""
        states = self._states

        def take(state: ViewState) -> None:
            self._session_file, self._kept = session_file, state
            done(state)

        self._reads.start(lambda _token: states.recall(session_file), take, lambda _sentence: take(ViewState()))

    def follow(self, changes: Iterable[SignalInstance], inside: QWidget) -> None:
        """Keep the state a moment after one of `changes` or another size of `inside`."""
        for change in changes:
            change.connect(self._changes.note)
        inside.installEventFilter(self._changes)

    def keep(self) -> None:
        """Write the state, if it is another one, behind what the window does; it is known for `recall` at once."""
        state = self._look()
        if self._session_file is None or state is None or state == self._kept:
            return
        self._kept = state
        self._states.note(self._session_file, state)
        QThreadPool.globalInstance().start(partial(self._states.write, self._session_file))

    def close(self) -> None:
        """Keep the state; drop what is being read."""
        self._reads.close()
        self._changes.end()
        self.keep()


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
