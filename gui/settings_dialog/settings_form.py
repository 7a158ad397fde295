"""Reads and writes settings on a worker, one change after the other, and takes the last one back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

from gui.translation import shown
from model.dialects import Dialect
from model.sentences import told
from model.settings_levels import Level, Path
from services.cancellation import CancellationToken
from services.errors import ServiceError
from services.jobs import Job, Outcome
from services.session_overrides import SessionOverrides
from services.settings_files import SettingsFiles
from services.settings_survey import SettingsSurvey, survey_settings

CLOSING_LIMIT_MS = 3000


@dataclass(frozen=True, slots=True)
class SettingsView:
    """As seen from where: the session that is open (`session_id` "" without one) and the level that is edited."""

    dialect: Dialect = "pi"
    cwd: str | None = None
    session_id: str = ""
    edited_level: Level = "application"


@dataclass(frozen=True, slots=True)
class SettingsChange:
    """Values to write (None: take out) into the level that `view` edits, and a sentence about it."""

    view: SettingsView
    values: Mapping[Path, Any]
    sentence: str
    is_undo: bool = False


@dataclass(frozen=True, slots=True)
class _Result:
    survey: SettingsSurvey
    done: list[tuple[SettingsChange, SettingsChange]]  # each change with its inverse
    failure: str = ""


class SettingsForm(QObject):
    """The settings behind the dialog.

    Signals: `surveyed` (SettingsSurvey) after each change and reading; `saved` (sentence, whether it can be undone);
    `failed` (sentence).
    """

    surveyed = Signal(object)
    saved = Signal(str, bool)
    failed = Signal(str)

    def __init__(self, files: SettingsFiles, overrides: SessionOverrides, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.files = files
        self._overrides = overrides
        self.view = SettingsView()
        self.survey: SettingsSurvey | None = None
        self._waiting: list[SettingsChange] = []
        self._undos: list[SettingsChange] = []
        self._job: Job | None = None
        self._is_stale = False

    @property
    def is_busy(self) -> bool:
        """Whether something is being read or written."""
        return self._job is not None

    def look(self, view: SettingsView) -> None:
        """Read all settings as seen from `view`."""
        self.view = view
        self.refresh()

    def refresh(self) -> None:
        """Read all settings again."""
        self._is_stale = True
        self._go_on()

    def change(self, values: Mapping[Path, Any], sentence: str) -> None:
        """Write values into the level that is edited; `sentence` says what that did."""
        self._waiting.append(SettingsChange(self.view, values, sentence))
        self._go_on()

    def undo(self) -> None:
        """Take the last change back."""
        if self._undos:
            self._waiting.append(self._undos.pop())
            self._go_on()

    def close(self) -> None:
        """Write what waits to be written; nothing is shown any more."""
        while (job := self._job) is not None:
            job.ended.disconnect()
            job.wait(CLOSING_LIMIT_MS)
            self._job = None
            if self._waiting:
                self._start(lambda _outcome: None)

    def _go_on(self) -> None:
        if self._job is None and (self._waiting or self._is_stale):
            self._start(self._finish)

    def _start(self, then: Callable[[Outcome], None]) -> None:
        changes, self._waiting = self._waiting, []
        self._is_stale = False
        view = self.view

        async def work(_token: CancellationToken, _report: Callable[[object], None]) -> object:
            return _write_and_look(self.files, self._overrides, changes, view)

        self._job = Job(work, self)
        self._job.ended.connect(then)
        self._job.start()

    def _finish(self, outcome: Outcome) -> None:
        job, self._job = self._job, None
        if job is not None:
            job.wait()
            job.deleteLater()
        result = outcome.value
        if isinstance(result, _Result):
            self._show(result)
        else:
            self.failed.emit(shown(outcome.text))
        self._go_on()

    def _show(self, result: _Result) -> None:
        for change, inverse in result.done:
            if not change.is_undo:
                self._undos.append(inverse)
        self.survey = result.survey
        self.surveyed.emit(result.survey)
        if result.done:
            last = result.done[-1][0]
            sentence = self.tr("Taken back: {0}").format(last.sentence) if last.is_undo else last.sentence
            self.saved.emit(sentence, bool(self._undos))
        if result.failure:
            self.failed.emit(shown(result.failure))


def _write_and_look(
    files: SettingsFiles, overrides: SessionOverrides, changes: list[SettingsChange], view: SettingsView
) -> _Result:
    done: list[tuple[SettingsChange, SettingsChange]] = []
    failure = ""
    for change in changes:
        try:
            if change.view.edited_level == "session":
                before = overrides.change_all(change.view.session_id, change.values)
            else:
                before = files.change_all(change.values)
        except ServiceError as error:
            failure = told(error)
            continue
        done.append((change, SettingsChange(change.view, before, change.sentence, is_undo=True)))
    own = overrides.of(view.session_id) if view.session_id else None
    survey = survey_settings(files, view.dialect, view.cwd, own, view.edited_level)
    return _Result(survey, done, failure)
