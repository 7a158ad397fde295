"""Runs the operations of an `AgentSession` on a worker, one at a time, and stops them when told to."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from services.cancellation import CancellationToken
from services.jobs import Job, Outcome, join_jobs

Operation = Callable[[CancellationToken, Callable[[object], None]], Coroutine[Any, Any, object]]
TICK_MS = 200


class OperationRunner(QObject):
    """The one operation that may be running in the window.

    Signals: `started` (what it does), `reported` (an event of services.session_events), `ticked` (elapsed seconds),
    `stopping`, and exactly one `ended` (Outcome) for each `started`.
    """

    started = Signal(str)
    reported = Signal(object)
    ticked = Signal(float)
    stopping = Signal()
    ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        self._began = 0.0
        self._clock = QTimer(self)
        self._clock.setInterval(TICK_MS)
        self._clock.timeout.connect(lambda: self.ticked.emit(time.monotonic() - self._began))

    @property
    def is_running(self) -> bool:
        """Whether an operation runs."""
        return self._job is not None

    def run(self, title: str, operation: Operation, done: Callable[[object], None]) -> bool:
        """Start `operation`; `done` gets its result. False, and nothing happens, while another one runs."""
        if self._job is not None:
            return False
        job = self._job = Job(operation, self)
        job.progress.connect(self.reported)
        job.ended.connect(lambda outcome: self._end(job, outcome, done))
        self._began = time.monotonic()
        self._clock.start()
        application = QApplication.instance()
        assert application is not None
        application.installEventFilter(self)
        self.started.emit(title)
        job.start()
        return True

    def stop(self) -> None:
        """Stop the running operation: nothing is written, the leaf stays. Harmless when repeated or nothing runs."""
        if self._job is not None and self._job.abort():
            self.stopping.emit()

    def close(self) -> None:
        """Stop the running operation and wait for its thread."""
        self.stop()
        join_jobs(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """While an operation runs, Escape stops it, wherever the focus is."""
        if event.type() == QEvent.Type.ShortcutOverride and self._is_escape(event):
            event.accept()  # now it comes back as a key press, to whatever has the focus
            return False
        if event.type() == QEvent.Type.KeyPress and self._is_escape(event):
            self.stop()
            return QApplication.activePopupWidget() is None  # an open menu closes as well
        return False

    def _is_escape(self, event: QEvent) -> bool:
        return isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape and self._job is not None

    def _end(self, job: Job, outcome: Outcome, done: Callable[[object], None]) -> None:
        if job is not self._job:
            return
        self._job = None
        self._clock.stop()
        application = QApplication.instance()
        if application is not None:
            application.removeEventFilter(self)
        job.wait()
        job.deleteLater()
        if outcome.kind == "done":
            done(outcome.value)
        self.ended.emit(outcome)
