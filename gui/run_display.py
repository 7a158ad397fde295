"""What a running operation is doing, in the status bar: phases, compactions, the countdown of a retry."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Signal

from gui.event_sentences import compaction_title, countdown, sentence
from gui.operation_runner import OperationRunner
from services.session_events import (
    CompactionEnded,
    CompactionStarted,
    Notice,
    RetryScheduled,
    RetryStarted,
    ToolOutputsPruned,
    TurnRetryFinished,
    TurnRetryScheduled,
    TurnStarted,
)


class RunDisplay(QObject):
    """Keeps the title of the running operation up to date.

    Signals: `said` (sentence) for what went well, `warned` (sentence) for what a person should read.
    """

    said = Signal(str)
    warned = Signal(str)

    def __init__(self, runner: OperationRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._title = ""
        self._retry: RetryScheduled | TurnRetryScheduled | None = None
        self._retry_at = 0.0
        runner.started.connect(self._begin)
        runner.reported.connect(self._take)
        runner.ticked.connect(self._count_down)
        runner.ended.connect(self._end)

    @property
    def waiting_for(self) -> str:
        """What is said about the retry that is waited for; empty when none is."""
        return "" if self._retry is None else countdown(self._retry, self._retry_at - time.monotonic())

    def _begin(self, title: str) -> None:
        self._title = title
        self._retry = None

    def _take(self, event: object) -> None:
        match event:
            case RetryScheduled() | TurnRetryScheduled():
                self._retry = event
                self._retry_at = time.monotonic() + event.delay_s
                self._count_down()
            case RetryStarted() | TurnRetryFinished():
                self._show(self._title)
            case TurnStarted():
                self._show(sentence(event))
            case CompactionStarted():
                self._show(compaction_title(event))
            case CompactionEnded():
                self._show(self._title)
                if event.reason != "manual":  # a manual one tells by its outcome
                    (self.warned if event.error_message else self.said).emit(sentence(event))
            case ToolOutputsPruned():
                self.said.emit(sentence(event))
            case Notice():
                (self.said if event.level == "info" else self.warned).emit(sentence(event))

    def _show(self, title: str) -> None:
        self._retry = None
        self._runner.title = title

    def _count_down(self, *_: object) -> None:
        if self._retry is not None:
            self._runner.title = self.waiting_for

    def _end(self, *_: object) -> None:
        self._retry = None
