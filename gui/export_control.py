"""Exporting the open session: asks, looks it through on a worker, and writes on another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QStandardPaths, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from gui.export_dialog import SUFFIXES, ExportDialog, ExportScope
from gui.latest_job import LatestJob
from gui.number_text import full_count
from gui.operation_runner import OperationRunner
from gui.reveal import reveal
from gui.session_document import SessionDocument
from gui.translation import shown
from gui.turns import open_next_turn
from services.cancellation import CancellationToken
from services.export import ExportOptions, ExportSurvey, survey_export, write_export
from services.export_target import free_file, proposed_name, target_problem
from services.jobs import Outcome
from services.session_store import SessionStore


class ExportControl(QObject):
    """Signal: `said` (sentence)."""

    said = Signal(str)

    def __init__(self, document: SessionDocument, window: QWidget) -> None:
        super().__init__(window)
        self._document = document
        self._window = window
        self._looks = LatestJob(self)
        self._names = LatestJob(self)
        self._runner = OperationRunner(self)  # exporting only reads, so it needs not wait for what runs in the session
        self._runner.reported.connect(lambda step: self._show_writing(*step))
        self._runner.ended.connect(self._end)
        self._survey: ExportSurvey | None = None
        self._name = ""
        self._entry_id: str | None = None
        self._folder: Path | None = None
        self.dialog: ExportDialog | None = None
        document.grown.connect(self._note_growth)
        document.changed_on_disk.connect(self._note_change)

    @property
    def is_computing(self) -> bool:
        """Whether something that was asked for is still to be shown."""
        return self._looks.running or self._names.running or self._runner.is_running

    def open(self, name: str, entry_id: str | None, *, branch_only: bool = False) -> None:
        """Ask how to export the session, which is called `name`.

        `entry_id` is the selected entry; with `branch_only`, its branch alone is what is chosen at first.
        """
        store, session = self._document.store, self._document.session
        if store is None or session is None:
            return
        if self.dialog is not None:
            self.dialog.activateWindow()
            return
        self._name = proposed_name(name)
        self._entry_id = None if entry_id == session.leaf_id else entry_id
        scope: ExportScope = "all"
        if branch_only and entry_id is not None:
            scope = "path" if self._entry_id is None else "entry"
        has_path = session.leaf_id is not None
        dialog = ExportDialog(name, entry_id=self._entry_id, has_path=has_path, scope=scope, parent=self._window)
        dialog.scope_changed.connect(self._look)
        dialog.look_wanted.connect(self._look)
        dialog.target_changed.connect(self._check_target)
        dialog.export_wanted.connect(self._write)
        dialog.stop_wanted.connect(self._runner.stop)
        dialog.open_wanted.connect(self._open_written)
        dialog.reveal_wanted.connect(self._reveal_written)
        dialog.finished.connect(self._forget)
        self.dialog = dialog
        dialog.name_wanted.connect(self._propose)
        self._propose()
        self._look()
        open_next_turn(dialog)

    def close(self) -> None:
        """Stop what runs; a half-written export goes away."""
        self._looks.close()
        self._names.close()
        self._runner.close()

    # Looking through it

    def _options(self) -> ExportOptions | None:
        dialog, session = self.dialog, self._document.session
        if dialog is None or session is None:
            return None
        leaf_id = self._entry_id if dialog.scope == "entry" else session.leaf_id
        return ExportOptions(dialog.format, leaf_id, dialog.scope == "all", dialog.images.isChecked())

    def _look(self) -> None:
        store, options, dialog = self._document.store, self._options(), self.dialog
        if store is None or options is None or dialog is None:
            return
        self._survey = None
        dialog.show_looking()

        def look(token: CancellationToken, report: Callable[[tuple[int, int]], None]) -> ExportSurvey:
            store.measure(None, token)
            return survey_export(store, options, token, lambda done, total: report((done, total)))

        self._looks.follow(look, self._show_looking, self._take_survey, dialog.show_stopped)

    def _show_looking(self, step: tuple[int, int]) -> None:
        if self.dialog is not None:
            self.dialog.show_looking(*step)

    def _take_survey(self, survey: ExportSurvey) -> None:
        self._survey = survey
        if self.dialog is not None:
            self.dialog.show_survey(survey)

    def _note_growth(self, rows: range) -> None:
        if self.dialog is not None:
            known = self._survey.state.index.count if self._survey is not None else rows.stop
            if rows.stop == known + 1:
                self.dialog.show_newer(self.tr("The session has grown by 1 entry since; it will not be in the export."))
            elif rows.stop > known:
                text = self.tr("The session has grown by {0} entries since; they will not be in the export.")
                self.dialog.show_newer(text.format(full_count(rows.stop - known)))

    def _note_change(self, sentence: str) -> None:
        if self.dialog is not None:
            self.dialog.show_newer(sentence)

    # The file

    def _propose(self) -> None:
        dialog = self.dialog
        if dialog is None:
            return
        folder, name, suffix = self._folder, self._name, SUFFIXES[dialog.format]

        def find(_token: CancellationToken) -> Path:
            return free_file(folder or _usual_folder(), name, suffix)

        self._names.start(find, self._take_proposal, self.said.emit)

    def _take_proposal(self, path: Path) -> None:
        if self.dialog is not None:
            self.dialog.propose(path)

    def _check_target(self, _text: str) -> None:
        if self.dialog is not None:
            path = self.dialog.target
            self._names.start(lambda _token: target_problem(path), self.dialog.show_target_problem)

    # Writing

    def _write(self) -> None:
        store, survey, dialog, options = self._document.store, self._survey, self.dialog, self._options()
        if store is None or survey is None or dialog is None or options is None:
            return
        options = replace(options, secrets=dialog.secrets)
        path = dialog.target
        dialog.show_writing()

        async def write(token: CancellationToken, report: Callable[[object], None]) -> Path:
            return _written(store, survey, options, path, token, report)

        self._runner.run(self.tr("Exporting"), write, lambda _path: self._finish(path, survey, options))

    def _show_writing(self, done: int, total: int) -> None:
        if self.dialog is not None:
            self.dialog.show_writing(done, total)

    def _finish(self, path: Path, survey: ExportSurvey, options: ExportOptions) -> None:
        self._folder = path.parent
        self.said.emit(self.tr("Exported to {0}.").format(path))
        if self.dialog is not None:
            self.dialog.show_done(path, survey, masked=options.secrets == "mask")

    def _end(self, outcome: Outcome) -> None:
        if self.dialog is None or outcome.kind == "done":
            return
        stopped = self.tr("Stopped. Nothing was written.")
        self.dialog.show_stopped(stopped if outcome.kind == "aborted" else shown(outcome.text))
        self._check_target("")

    def _open_written(self) -> None:
        if self.dialog is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(self.dialog.written.text()))

    def _reveal_written(self) -> None:
        if self.dialog is not None:
            reveal(Path(self.dialog.written.text()))

    def _forget(self, *_: object) -> None:
        self.dialog = None
        self._survey = None
        self._looks.drop()
        self._names.drop()


def _written(
    store: SessionStore,
    survey: ExportSurvey,
    options: ExportOptions,
    path: Path,
    token: CancellationToken,
    report: Callable[[object], None],
) -> Path:
    write_export(store, survey, options, path, token, lambda done, total: report((done, total)))
    return path


def _usual_folder() -> Path:
    """Where people keep documents, if there is such a place."""
    documents = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    return documents if documents.is_dir() else Path.home()
