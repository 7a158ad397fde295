"""What the controls of *Navigate* and *Compaction* share: starting a run for a tab, streaming its summary, its end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol, TypeVar

from PySide6.QtCore import QObject, Signal

from gui.check_box import CheckBox
from gui.inspector.running_footer import RunningFooter
from gui.inspector.summary_stream import SummaryStream
from gui.operation_runner import Operation, OperationRunner
from gui.session_document import SessionDocument
from services.jobs import Outcome
from services.operations import CompactionOptions, NavigationOptions
from services.questions import Question, RecentWriter, review_by_question
from services.session_events import Event, SummaryDelta, SummaryRestarted
from services.summarizers.passes import SummaryFailed

Options = TypeVar("Options", NavigationOptions, CompactionOptions)


class SummaryTab(Protocol):
    """A tab that has a summary written."""

    footer: RunningFooter
    stream: SummaryStream

    @property
    def review(self) -> CheckBox:
        """Whether it is read before it is saved."""
        ...

    def show_running(self, running: bool) -> None:
        """Show the summary that comes in place of what would be sent, and how to stop it."""


class SummaryRun(QObject):
    """A control whose tab starts operations.

    Signal: `said` (sentence).
    """

    said = Signal(str)

    def __init__(
        self, document: SessionDocument, tab: SummaryTab, runner: OperationRunner, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.document = document
        self.runner = runner
        self._tab_of_run = tab
        self._is_ours = False
        self._is_written = False
        self._with_more_room: Callable[[], None] | None = None
        tab.footer.stop_wanted.connect(runner.stop)
        runner.reported.connect(self._stream)
        runner.ended.connect(self._finish)

    def start(
        self,
        title: str,
        operation: Operation,
        done: Callable[[object], None],
        with_more_room: Callable[[], None] | None,
    ) -> None:
        """Start an operation of the tab; `done` gets its result.

        `with_more_room` starts it again after a summary that was cut off; None: the operation writes no summary.
        """
        self._is_ours, self._with_more_room = True, with_more_room
        self._is_written = False
        if not self.runner.run(title, operation, done):
            self._is_ours = False
            self.said.emit(self.tr("Something else is running. Stop it first, or wait for it."))
        elif with_more_room is not None:
            self._tab_of_run.footer.offer_more_room(None)
            self._tab_of_run.stream.begin()
            self._tab_of_run.show_running(True)

    @staticmethod
    def reading_first(options: Options, report: Callable[[object], None]) -> Options:
        """Return the options with the question whether to save what was written."""
        return replace(options, review=review_by_question(report))

    def _stream(self, event: Event) -> None:
        if not self._is_ours:
            return
        if isinstance(event, SummaryDelta):
            self._tab_of_run.stream.add(event.pass_name, event.text)
        elif isinstance(event, SummaryRestarted):
            self._tab_of_run.stream.restart(event.pass_name)
        elif isinstance(event, Question) and isinstance(event.subject, RecentWriter):
            self._is_written = bool(event.subject.text)

    def _finish(self, outcome: Outcome) -> None:
        if self._is_ours:
            self._is_ours = False
            is_unsaved = outcome.kind == "failed" or (outcome.kind == "aborted" and self._is_written)
            self._tab_of_run.stream.end(failed=is_unsaved)
            self._tab_of_run.show_running(False)
            if isinstance(outcome.value, SummaryFailed) and outcome.value.is_cut_off:
                self._tab_of_run.footer.offer_more_room(self._with_more_room)
