"""Navigation: the preview of going to the selected entry, the question, the move, and what it leaves to the user."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from gui.entry_names import entry_title
from gui.inspector.navigate_tab import NavigateTab
from gui.latest_job import LatestJob
from gui.operation_runner import OperationRunner
from gui.session_document import SessionDocument
from gui.summary_run import SummaryRun
from services.cancellation import CancellationToken, OperationCancelled
from services.operations import NavigationOptions, NavigationPreview, NavigationResult

PREVIEW_DELAY_MS = 200  # while instructions are typed


class NavigationControl(SummaryRun):
    """Connects the *Navigate* tab of one document.

    Signals: `asked` when the question should get the keyboard; `moved` (NavigationResult).
    """

    asked = Signal()
    moved = Signal(object)

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
        tab.go_wanted.connect(self.go)
        tab.changed.connect(self._preview_soon)

    def show_entry(self, row: int | None, then: Callable[[NavigationPreview, bool], None] | None = None) -> None:
        """Preview going to entry `row`; then call `then` with the preview and whether the settings say to ask."""
        self._row = row
        self._delay.stop()
        session, index = self.document.session, self.document.index
        if session is None or index is None or row is None:
            self._previews.drop()
            self._tab.show_preview(None, "", "")
            return
        target_id, options = index.id_of(row), self._tab.options()

        def show(found: tuple[NavigationPreview, bool]) -> None:
            preview, asks = found
            title = entry_title(self.document, preview.target_id)
            ancestor = entry_title(self.document, preview.common_ancestor_id)
            self._tab.show_preview(preview, title, ancestor)
            if then is not None:
                then(preview, asks)

        self._previews.start(
            lambda _token: (session.preview_navigation(target_id, options), session.settings.branch_summary.enabled),
            show,
            self.said.emit,
        )

    def choose(self, row: int) -> None:
        """Go to entry `row`, asking first whether to summarise what is left. Source: TN-12.3, TN-12.4."""
        self.show_entry(row, self._ask)

    def take(self, row: int) -> None:
        """Go to entry `row` without a summary and without questions."""
        index = self.document.index
        if index is not None:
            self.go(index.id_of(row), NavigationOptions())

    def go(self, target_id: str, options: NavigationOptions) -> None:
        """Run the navigation."""
        session = self.document.session
        if session is None:
            return
        if target_id == session.leaf_id:
            self.said.emit(self.tr("You are already there."))
            return

        async def navigate(token: CancellationToken, report: Callable[[object], None]) -> NavigationResult:
            asked = self.reading_first(options, report) if reads_first else options
            result = await session.navigate_tree(target_id, asked, token, report)
            if result.aborted:
                raise OperationCancelled  # for the window an abort is how it ended, not what came of it
            return result

        reads_first = options.summarize and self._tab.review.isChecked()
        title = self.tr("Summarising the branch") if options.summarize else self.tr("Going there")
        more = partial(self.go, target_id, replace(options, room=options.room * 2)) if options.summarize else None
        self.start(title, navigate, self._moved, more)

    @property
    def is_computing(self) -> bool:
        """Whether a preview is still to come."""
        return self._previews.running or self._delay.isActive()

    def close(self) -> None:
        """Drop what is being computed."""
        self._delay.stop()
        self._previews.close()

    def _preview_soon(self) -> None:
        if self._row is not None and not self._tab.footer.is_running:
            self._delay.start()

    def _ask(self, preview: NavigationPreview, asks: bool) -> None:
        if preview.is_current_leaf:
            self.said.emit(self.tr("You are already there."))
        elif preview.abandoned and asks:
            self._tab.ask()
            self.asked.emit()
        else:
            self.go(preview.target_id, NavigationOptions())

    def _moved(self, result: object) -> None:
        assert isinstance(result, NavigationResult)
        self.moved.emit(result)
