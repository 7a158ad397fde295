"""Navigation: the preview of going to the selected entry, the question, the move, and what it leaves to the user."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias, cast

from PySide6.QtCore import QObject, QTimer, Signal

from gui.entry_names import entry_title
from gui.inspector.navigate_tab import SUMMARIZE, NavigateTab
from gui.latest_job import LatestJob
from gui.operation_runner import OperationRunner
from gui.session_document import SessionDocument
from gui.summary_run import SummaryRun
from model.sentences import told
from model.settings import BranchAnswer
from services.branch_answers import keep_answer
from services.cancellation import CancellationToken, OperationCancelled
from services.errors import ServiceError
from services.operations import NavigationOptions, NavigationPreview, NavigationResult
from services.session_events import Notice

PREVIEW_DELAY_MS = 200  # while instructions are typed


@dataclass(frozen=True, slots=True)
class Asking:
    """Whether a question stood before a move, and what its answer is to be from now on."""

    was_skipped: bool = False
    kept: BranchAnswer | None = None


Moved: TypeAlias = tuple[NavigationResult, Asking]


class NavigationControl(SummaryRun):
    """Connects the *Navigate* tab of one document.

    Signals: `asked` when the question should get the keyboard; `moved` (NavigationResult, Asking) when a move is over.
    """

    asked = Signal()
    moved = Signal(object, object)

    def __init__(
        self, document: SessionDocument, tab: NavigateTab, runner: OperationRunner, parent: QObject | None = None
    ) -> None:
        super().__init__(document, tab, runner, parent)
        self._tab = tab
        self._previews = LatestJob(self)
        self._row: int | None = None
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(PREVIEW_DELAY_MS)
        self._delay.timeout.connect(lambda: self.show_entry(self._row))
        tab.go_wanted.connect(self._answer)
        tab.changed.connect(self._preview_soon)

    def show_entry(
        self, row: int | None, then: Callable[[NavigationPreview, BranchAnswer], None] | None = None
    ) -> None:
        """Preview going to entry `row`; then call `then` with the preview and what the settings say to do."""
        self._row = row
        self._delay.stop()
        session, index = self.document.session, self.document.index
        if session is None or index is None or row is None:
            self._previews.drop()
            self._tab.show_preview(None, "", "")
            return
        target_id, options = index.id_of(row), self._tab.options()

        def show(found: tuple[NavigationPreview, BranchAnswer]) -> None:
            preview, answer = found
            title = entry_title(self.document, preview.target_id)
            ancestor = entry_title(self.document, preview.common_ancestor_id)
            self._tab.show_preview(preview, title, ancestor)
            if then is not None:
                then(preview, answer)

        self._previews.start(
            lambda token: (
                session.preview_navigation(target_id, options),
                session.settings.branch_summary.answer,
            ),
            show,
            self.said.emit,
        )

    def choose(self, row: int) -> None:
        """Go to entry `row`, as the settings say: asking first, without a summary, or with one. Source: TN-12.4."""
        self.show_entry(row, self._go_or_ask)

    def ask(self, row: int) -> None:
        """Ask how to go to entry `row`, whatever the settings say. Source: TN-12.3."""
        self.show_entry(row, self._ask)

    def take(self, row: int) -> None:
        """Go to entry `row` without a summary and without questions."""
        index = self.document.index
        if index is not None:
            self.go(index.id_of(row), NavigationOptions())

    def go(self, target_id: str, options: NavigationOptions, asking: Asking = Asking()) -> None:
        """Run the navigation, and keep the answer that is to be kept."""
        session = self.document.session
        if session is None:
            return
        if target_id == session.leaf_id:
            self.said.emit(self.tr("You are already there."))
            return

        async def navigate(token: CancellationToken, report: Callable[[object], None]) -> Moved:
            asked = self.reading_first(options, report) if reads_first else options
            result = await session.navigate_tree(target_id, asked, token, report)
            if result.aborted:
                raise OperationCancelled  # for the window an abort is how it ended, not what came of it
            if asking.kept is not None and not result.cancelled:
                try:
                    keep_answer(asking.kept)
                except ServiceError as error:
                    report(Notice("warning", told(error)))
                    return result, Asking()
            return result, asking

        reads_first = options.summarize and self._tab.review.isChecked()
        title = self.tr("Summarising the branch") if options.summarize else self.tr("Going there")
        more = (
            partial(self.go, target_id, replace(options, room=options.room * 2), asking) if options.summarize else None
        )
        self.start(title, navigate, self._moved, more)

    @property
    def is_computing(self) -> bool:
        """Whether a preview is still to come."""
        return self._previews.running or self._delay.isActive() or self._tab.prompt.is_filling

    def close(self) -> None:
        """Drop what is being computed."""
        self._delay.stop()
        self._previews.close()

    def _preview_soon(self) -> None:
        if self._row is not None and not self._tab.footer.is_running:
            self._delay.start()

    def _answer(self, target_id: str, options: NavigationOptions) -> None:
        self.go(target_id, options, Asking(kept=self._tab.answer_to_keep))

    def _go_or_ask(self, preview: NavigationPreview, answer: BranchAnswer) -> None:
        is_worth_asking = bool(preview.abandoned) and answer == "ask"
        if preview.is_current_leaf or is_worth_asking or self._tab.options().label:
            self._ask(preview, answer)
        elif answer == "summarise" and preview.can_summarize:
            self._tab.choose(SUMMARIZE)
            self.asked.emit()  # where it is seen as it is written
            self.go(preview.target_id, self._tab.options(), Asking(was_skipped=True))
        else:
            self.go(preview.target_id, NavigationOptions(), Asking(was_skipped=True))

    def _ask(self, preview: NavigationPreview, answer: BranchAnswer) -> None:
        if preview.is_current_leaf:
            self.said.emit(self.tr("You are already there."))
            return
        if answer == "summarise":
            self._tab.start_with(SUMMARIZE)
        self.asked.emit()

    def _moved(self, moved: object) -> None:
        result, asking = cast("Moved", moved)
        if result.cancelled:
            self.said.emit(self.tr("An extension cancelled the move. Nothing was written, and you are where you were."))
            return
        self._tab.forget_answer()
        self.moved.emit(result, asking)
