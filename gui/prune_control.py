"""Pruning by hand: works out on a worker what would go, shows it, and does it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from gui.event_sentences import sentence
from gui.latest_job import LatestJob
from gui.operation_runner import OperationRunner
from gui.prune_dialog import PruneDialog
from gui.session_document import SessionDocument
from gui.turns import open_next_turn
from model.pruning import Pruning
from model.settings import PruningSettings
from services.cancellation import CancellationToken
from services.pruning import PruningResult, plan_pruning, prune
from services.session_events import ToolOutputsPruned

KEEPING_S = 2.0  # for a file that is being rewritten when a stop is asked for


class PruneControl(QObject):
    """Signals: `pruned` when the session changed; `said` (sentence)."""

    pruned = Signal()
    said = Signal(str)

    def __init__(self, document: SessionDocument, runner: OperationRunner, window: QWidget) -> None:
        super().__init__(window)
        self._document = document
        self._runner = runner
        self._window = window
        self._plans = LatestJob(self)
        self.dialog: PruneDialog | None = None

    @property
    def is_computing(self) -> bool:
        """Whether a preview is still to come."""
        return self._plans.running or (self.dialog is not None and self.dialog.isHidden())

    def preview(self) -> None:
        """Show what pruning would change."""
        session = self._document.session
        if session is not None:
            self._plans.start(
                lambda _token: (plan_pruning(session), session.settings.pruning),
                self._show,
                self.said.emit,
            )

    def close(self) -> None:
        """Drop what is being worked out."""
        self._plans.close()

    def _show(self, found: tuple[Pruning, PruningSettings]) -> None:
        store = self._document.store
        if store is None:
            return
        dialog = PruneDialog(*found, store.dialect, self._window)
        dialog.prune_wanted.connect(self._prune, Qt.ConnectionType.QueuedConnection)
        dialog.finished.connect(self._forget)
        self.dialog = dialog
        open_next_turn(dialog)

    def _prune(self) -> None:
        session = self._document.session
        if session is None:
            return

        async def run(token: CancellationToken, report: Callable[[object], None]) -> PruningResult:
            await session.writer_gate.passed(report)
            return prune(session, token)

        if not self._runner.run(self.tr("Pruning"), run, self._finish, abort_grace_s=KEEPING_S):
            self.said.emit(self.tr("Something else is running. Stop it first, or wait for it."))

    def _finish(self, result: object) -> None:
        if isinstance(result, PruningResult):
            self.pruned.emit()
            kept = ""
            if result.backup is not None:
                kept = self.tr(" The file as it was: {0}").format(result.backup.name)
            elif result.pruned:
                kept = self.tr(" To undo it, go to the entry before the new ones.")
            self.said.emit(sentence(ToolOutputsPruned(result.pruned, result.tokens_saved)) + kept)

    def _forget(self, *_: object) -> None:
        self.dialog = None
