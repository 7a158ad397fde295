"""Runs the operations of an `AgentSession` on a worker, one at a time, and stops them when told to."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from services.cancellation import CancellationToken
from services.jobs import ABORT_GRACE_S, Job, Outcome, join_jobs

Operation = Callable[[CancellationToken, Callable[[object], None]], Coroutine[Any, Any, object]]
TICK_MS = 200


class OperationRunner(QObject):
    """The one operation that may be running in a session.

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
        self.title = ""
        self._job: Job | None = None
        self._gives_way = False
        self._next: Callable[[], object] | None = None
        self._began = 0.0
        self._clock = QTimer(self)
        self._clock.setInterval(TICK_MS)
        self._clock.timeout.connect(lambda: self.ticked.emit(self.elapsed_s))

    @property
    def is_running(self) -> bool:
        """Whether an operation runs."""
        return self._job is not None

    @property
    def is_stopping(self) -> bool:
        """Whether the running operation was told to stop."""
        return self._job is not None and self._job.token.is_set()

    @property
    def elapsed_s(self) -> float:
        """Seconds since the running operation began."""
        return time.monotonic() - self._began

    def run(
        self,
        title: str,
        operation: Operation,
        done: Callable[[object], None],
        *,
        abort_grace_s: float = ABORT_GRACE_S,
        gives_way: bool = False,
    ) -> bool:
        """Start `operation`; `done` gets its result. False, and nothing happens, while another one runs.

        `abort_grace_s`: how long it may take to end by itself when it is stopped. `gives_way`: `stop_then` stops it.
        """
        if self._job is not None:
            return False
        self._gives_way = gives_way
        job = self._job = Job(operation, self, abort_grace_s=abort_grace_s)
        job.progress.connect(self.reported)
        job.ended.connect(lambda outcome: self._end(job, outcome, done))
        self.title = title
        self._began = time.monotonic()
        self._clock.start()
        self.started.emit(title)
        job.start()
        return True

    def stop(self) -> None:
        """Stop the running operation: nothing is written, the leaf stays. Harmless when repeated or nothing runs."""
        if self._job is not None and self._job.abort():
            self.stopping.emit()

    def stop_then(self, act: Callable[[], object]) -> bool:
        """Stop a running operation that gives way, and call `act` when it has ended; False when none runs."""
        if self._job is None or not self._gives_way:
            return False
        self._next = act
        self.stop()
        return True

    def close(self) -> None:
        """Stop the running operation and wait for its thread."""
        self._next = None
        self.stop()
        join_jobs(self)

    def _end(self, job: Job, outcome: Outcome, done: Callable[[object], None]) -> None:
        if job is not self._job:
            return
        self._job = None
        self._clock.stop()
        job.wait()
        job.deleteLater()
        if outcome.kind == "done":
            done(outcome.value)
        self.ended.emit(outcome)
        act, self._next = self._next, None
        if act is not None:
            act()
