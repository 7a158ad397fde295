"""Puts the questions of a running operation to the person at the window, and takes them back when it stops."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog

from gui.entry_names import entry_name, entry_title
from gui.operation_runner import OperationRunner
from gui.review_dialog import ReviewDialog
from gui.secrets_dialog import SecretsDialog
from gui.writer_dialog import WriterDialog
from services.operations import DraftSummary
from services.questions import Question, RecentWriter

if TYPE_CHECKING:
    from gui.session_pane import SessionPane


class QuestionDesk(QObject):
    """Shows a dialog for each `Question` that the operations of a session ask; the answer goes to their worker.

    An entry that a dialog speaks about is selected in the tree behind it.
    """

    def __init__(self, runner: OperationRunner, pane: SessionPane) -> None:
        super().__init__(pane)
        self._pane = pane
        self._runner = runner
        self.dialog: QDialog | None = None
        runner.reported.connect(self._take)
        runner.stopping.connect(self._withdraw)
        runner.ended.connect(self._withdraw)

    def _take(self, event: object) -> None:
        if not isinstance(event, Question) or self._runner.is_stopping:
            return
        dialog: ReviewDialog | SecretsDialog | WriterDialog
        if isinstance(event.subject, DraftSummary):
            dialog = ReviewDialog(event.subject, self._pane, partial(entry_title, self._pane.document))
            dialog.entry_wanted.connect(self._pane.select_id)
        elif isinstance(event.subject, RecentWriter):
            dialog = WriterDialog(event.subject, self._pane)
        else:
            dialog = SecretsDialog(event.subject, self._pane, partial(entry_name, self._pane.document))
            dialog.entry_wanted.connect(self._pane.select_id)
        dialog.answered.connect(lambda answer: event.answer(answer))  # noqa: PLW0108 - a slotted object has no weak references
        dialog.finished.connect(lambda _result: self._forget(dialog))
        self.dialog = dialog
        dialog.open()

    def _withdraw(self, *_: object) -> None:
        """The operation does not wait any more."""
        if self.dialog is not None:
            self.dialog.reject()

    def _forget(self, dialog: QDialog) -> None:
        if self.dialog is dialog:
            self.dialog = None
