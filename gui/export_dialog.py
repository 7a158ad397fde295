"""The question how a session is exported: format, how much of it, to where, and what happens to likely secrets.

It answers nothing by itself: its control looks the session through, and writes.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final, Literal

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QDialog,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QTableWidget,
    QVBoxLayout,
    QWidget,
)

from gui.check_box import CheckBox
from gui.dialog_scroll import DialogScroll
from gui.dialog_size import height_of_contents, resize_to_font, room_for
from gui.flow_layout import FlowLayout
from gui.number_text import full_count
from gui.plain_table import plain_table
from gui.row_content import entries_text
from gui.translation import shown
from gui.turns import open_next_turn
from gui.whole_text import WholeText
from gui.widgets import breakable, label, make_clearable, rule
from services.export import ExportFormat, ExportSurvey, SecretsDecision
from services.export_secrets import FoundSecret
from services.export_target import TargetProblem

translate = QCoreApplication.translate

ExportScope = Literal["all", "path", "entry"]

MOST_SECRETS: Final = 200  # rows of the table
MOST_LINES: Final = 5  # of it that are seen at once
WIDTH: Final = 78  # characters
SIDE: Final = 20  # pixels beside the contents
SUFFIXES: Final[dict[ExportFormat, str]] = {"html": ".html", "md": ".md", "json": ".json"}


class ExportDialog(QDialog):
    """Signals: `scope_changed` when something else is to be looked through; `name_wanted` when the proposed name does
    not fit the format any more; `target_changed` (typed text); `export_wanted`; `look_wanted` to look through the
    session as it is now; `stop_wanted` while it is written; `open_wanted` and `reveal_wanted` when there is an export.
    """

    scope_changed = Signal()
    name_wanted = Signal()
    target_changed = Signal(str)
    export_wanted = Signal()
    look_wanted = Signal()
    stop_wanted = Signal()
    open_wanted = Signal()
    reveal_wanted = Signal()

    def __init__(
        self,
        name: str,
        *,
        entry_id: str | None,
        has_path: bool,
        scope: ExportScope = "all",
        parent: QWidget | None = None,
    ) -> None:
        """`entry_id`: of the selected entry, whose branch may be exported alone; None offers no such choice."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Export"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.is_writing = False
        self._is_looked_through = False
        self._proposed = ""
        self._target_problem: TargetProblem | None = "no name"
        self._secrets: tuple[FoundSecret, ...] = ()
        self._has_path = has_path
        self._make_choices(entry_id, scope)
        self._make_target()
        self._make_findings()
        self._make_buttons()
        self.title = label(self.tr("Export “{0}”").format(breakable(_shortened(name))), style="title", wrap=True)
        self._question = self._make_question()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(SIDE, 18, SIDE, 16)
        self._column.setSpacing(12)
        self._column.addWidget(self.title)
        self._column.addWidget(self._question, 1)
        resize_to_font(self, WIDTH, least_width=self._scroll.least_width + 2 * SIDE)
        self._show_state()

    # What is chosen

    @property
    def format(self) -> ExportFormat:
        """The chosen format."""
        return next(name for name, button in self.formats.items() if button.isChecked())

    @property
    def scope(self) -> ExportScope:
        """How much of the session is exported."""
        return next(name for name, button in self.scopes.items() if button.isChecked())

    @property
    def secrets(self) -> SecretsDecision:
        """What happens to likely secrets; "stop" while none are known, so that none can slip through."""
        if not self._secrets:
            return "stop"
        return "mask" if self.mask_choice.isChecked() else "keep"

    @property
    def target(self) -> Path:
        """The file to write."""
        path = Path(self.path.text().strip())
        try:
            return path.expanduser()
        except RuntimeError:  # the home of somebody who is not known here
            return path

    # What is known

    def propose(self, path: Path) -> None:
        """Put a name into the field."""
        self._proposed = str(path)
        self.path.setText(self._proposed)

    def show_target_problem(self, problem: TargetProblem | None) -> None:
        """Say why nothing can be written under the name in the field, or None."""
        words = {
            "exists": self.tr("There is something of that name already, and it stays. Choose another name."),
            "folder": self.tr("That is a folder. Put the name of a new file behind it."),
            "no folder": self.tr("There is no such folder."),
            "no name": self.tr("This cannot be the name of a file."),
        }
        self._target_problem = problem
        self.path_note.setText(words[problem] if problem is not None and self.path.text().strip() else "")
        self.path_note.setVisible(bool(self.path_note.text()))
        self.path.setAccessibleDescription(self.path_note.text())
        self._show_state()

    def show_looking(self, done: int = 0, total: int = 0) -> None:
        """Say that the session is being looked through."""
        self._is_looked_through = False
        self.state.setText(self.tr("Looking for secrets…"))
        self._show_progress(done, total)
        self._show_state()

    def show_survey(self, survey: ExportSurvey) -> None:
        """Say what was found."""
        self._is_looked_through = True
        self.progress.hide()
        self.state.setText(state_text(survey))
        self.state.setAccessibleName(self.state.text())
        self.newer.hide()
        self._show_secrets(survey.secrets)
        self._show_state()

    def show_newer(self, sentence: str) -> None:
        """Say that the session has changed since it was looked through."""
        if self._is_looked_through and not self.is_writing:
            self.newer_text.setText(sentence)
            self.newer.show()

    def show_writing(self, done: int = 0, total: int = 0) -> None:
        """Say how far the writing is."""
        self.is_writing = True
        self.state.setText(self.tr("Writing {0}…").format(breakable(self.target.name)))
        self._show_progress(done, total)
        self._show_state()

    def show_stopped(self, sentence: str) -> None:
        """Say that nothing was written, and why; everything can be chosen anew."""
        self.is_writing = False
        self.progress.hide()
        self.state.setText(sentence)
        self._show_state()
        self.export_button.setFocus()

    def show_done(self, path: Path, survey: ExportSurvey, *, masked: bool) -> None:
        """Say what was written and offer to show it."""
        self.is_writing = False
        self._show_state()
        self.title.setText(self.tr("Exported"))
        facts = [branches_text(survey), state_text(survey)]
        if masked:
            count = len(survey.secrets)
            facts.append(
                self.tr("1 likely secret was masked.")
                if count == 1
                else self.tr("{0} likely secrets were masked.").format(full_count(count))
            )
        answer = self._make_answer()
        self.written.show_text(str(path))
        self.written_facts.setText("\n".join(facts))
        self._column.replaceWidget(self._question, answer)
        self._question.hide()
        answer.show()  # now, so that it counts for the size
        self.close_button.setDefault(True)
        self.close_button.setFocus()
        resize_to_font(self, WIDTH)

    # Qt

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._make_room()

    def reject(self) -> None:
        """Escape stops the writing first."""
        if self.is_writing:
            self.stop_wanted.emit()
        else:
            super().reject()

    # Parts

    def _make_choices(self, entry_id: str | None, scope: ExportScope) -> None:
        self.formats: dict[ExportFormat, QRadioButton] = {
            "html": QRadioButton(self.tr("&Web page with the tree (HTML)")),
            "md": QRadioButton(self.tr("&Markdown")),
            "json": QRadioButton(self.tr("&JSON")),
        }
        self.scopes: dict[ExportScope, QRadioButton] = {
            "all": QRadioButton(self.tr("&All branches")),
            "path": QRadioButton(self.tr("Only the active &path")),
        }
        if entry_id is not None:
            self.scopes["entry"] = QRadioButton(self.tr("Only the &branch up to the selected entry"))
            self.scopes["entry"].setToolTip(entry_id)
        self.formats["html"].setChecked(True)
        self.scopes[scope].setChecked(True)
        self.images = CheckBox(self.tr("With &images"))
        self.images.setChecked(True)
        self._groups = [QButtonGroup(self), QButtonGroup(self)]
        for group, choices in zip(self._groups, ([*self.formats.values()], [*self.scopes.values()]), strict=True):
            for button in choices:
                group.addButton(button)
        for chosen in self.formats.values():
            chosen.toggled.connect(lambda is_on: self._take_format() if is_on else None)
        for part in self.scopes.values():
            part.toggled.connect(lambda is_on: self.scope_changed.emit() if is_on else None)

    def _make_target(self) -> None:
        self.path = QLineEdit()
        make_clearable(self.path)
        self.path.setAccessibleName(self.tr("File to write"))
        self.path.textChanged.connect(self._take_path)
        self.choose_button = QPushButton(self.tr("C&hoose…"))
        self.choose_button.setAutoDefault(False)
        self.choose_button.clicked.connect(self._choose)
        self.path_note = label(style="problem", wrap=True)
        self.path_note.hide()

    def _make_findings(self) -> None:
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Progress"))
        self.progress.hide()
        self.state = label(style="muted", wrap=True)
        self.newer_text = label(wrap=True)
        self.look_button = QPushButton(self.tr("&Look again"))
        self.look_button.setAutoDefault(False)
        self.look_button.clicked.connect(self.look_wanted)
        self.newer = QWidget()
        line = QHBoxLayout(self.newer)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.newer_text, 1)
        line.addWidget(self.look_button)
        self.newer.hide()
        self.found = QWidget()
        self.found_title = label(style="notice", wrap=True)
        self.table = plain_table("", (), (), self)
        self.mask_choice = QRadioButton(self.tr("Ma&sk them: a note of its kind stands in place of each"))
        self.keep_choice = QRadioButton(self.tr("&Keep them as they are"))
        self.mask_choice.setChecked(True)
        self._found_column = QVBoxLayout(self.found)
        self._found_column.setContentsMargins(0, 0, 0, 0)
        for widget in (self.found_title, self.table, self.mask_choice, self.keep_choice):
            self._found_column.addWidget(widget)
        self.found.hide()

    def _make_buttons(self) -> None:
        self.export_button = QPushButton(self.tr("&Export"))
        self.export_button.setProperty("primary", True)
        self.export_button.setDefault(True)
        self.export_button.clicked.connect(self.export_wanted)
        self.cancel_button = QPushButton()
        self.cancel_button.setAutoDefault(False)
        self.cancel_button.clicked.connect(self.reject)
        self.open_button = QPushButton(self.tr("&Open it"))
        self.reveal_button = QPushButton(self.tr("Show in &file manager"))
        self.close_button = QPushButton(self.tr("&Close"))
        self.open_button.clicked.connect(self.open_wanted)
        self.reveal_button.clicked.connect(self.reveal_wanted)
        self.close_button.clicked.connect(self.accept)

    def _make_question(self) -> QWidget:
        page = QWidget(self)
        self._body = QWidget()
        self._scroll = DialogScroll(self._body, page)
        self._scroll.rearranged.connect(self._make_room)
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(6)
        formats: list[QAbstractButton] = [*self.formats.values(), self.images]
        scopes: list[QAbstractButton] = [*self.scopes.values()]
        widths = (max(button.sizeHint().width() for button in choices) for choices in (formats, scopes))
        is_narrow = sum(widths) + 4 * SIDE > room_for(self).width()
        above = 0
        for place, (caption, choices) in enumerate(((self.tr("Format"), formats), (self.tr("How much"), scopes))):
            column = 0 if is_narrow else place
            grid.addWidget(label(caption, style="caption"), above, column)
            for line, button in enumerate(choices, start=above + 1):
                grid.addWidget(button, line, column)
            above += len(choices) + 1 if is_narrow else 0
        grid.setColumnStretch(1, 1)
        file_caption = label(self.tr("&File"), style="caption")
        file_caption.setBuddy(self.path)
        file = QHBoxLayout()
        file.addWidget(self.path, 1)
        file.addWidget(self.choose_button)
        buttons = QHBoxLayout()
        buttons.addWidget(self.export_button)
        buttons.addStretch(1)
        self.hint = label(style="muted")
        buttons.addWidget(self.hint)
        buttons.addWidget(self.cancel_button)
        body = QVBoxLayout(self._body)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(10)
        body.addLayout(grid)
        body.addWidget(file_caption)
        body.addLayout(file)
        body.addWidget(self.path_note)
        body.addWidget(rule())
        body.addWidget(self.state)
        body.addWidget(self.progress)
        body.addWidget(self.newer)
        body.addWidget(self.found)
        body.addStretch(1)
        outer = QVBoxLayout(page)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(10)
        outer.addWidget(self._scroll, 1)
        outer.addLayout(buttons)
        return page

    def _make_answer(self) -> QWidget:
        page = QWidget()
        self.written = WholeText()
        self.written.setAccessibleName(self.tr("The file that was written"))
        self.written_facts = label(style="muted", wrap=True)
        buttons = FlowLayout(last_at_end=True)
        buttons.setSpacing(8)
        for button in (self.open_button, self.reveal_button, self.close_button):
            buttons.addWidget(button)
        body = QWidget()
        answer = QVBoxLayout(body)
        answer.setContentsMargins(0, 0, 0, 0)
        answer.setSpacing(10)
        answer.addWidget(self.written)
        answer.addWidget(self.written_facts)
        answer.addStretch(1)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(DialogScroll(body), 1)
        column.addLayout(buttons)
        return page

    # Inside

    def _take_format(self) -> None:
        text = self.path.text()
        if text == self._proposed:
            self.name_wanted.emit()
            return
        known = next((suffix for suffix in SUFFIXES.values() if text.casefold().endswith(suffix)), None)
        if known is not None:
            self.path.setText(text[: -len(known)] + SUFFIXES[self.format])

    def _take_path(self, text: str) -> None:
        self._target_problem = "no name"
        self._show_state()
        self.target_changed.emit(text)

    def _choose(self) -> None:
        dialog = QFileDialog(self, self.tr("Export to"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)  # nothing is ever overwritten
        dialog.setDefaultSuffix(SUFFIXES[self.format])
        if self.path.text().strip():
            dialog.selectFile(str(self.target))
        dialog.fileSelected.connect(self.path.setText)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        open_next_turn(dialog)

    def _make_room(self) -> None:
        """Grow so that all is seen at once, as far as the window allows."""
        if self._question.isHidden():
            return
        self._column.activate()
        view = self._scroll.viewport().size()
        missing = height_of_contents(self._body, view.width()) - view.height()
        if missing > 0:
            self.resize(self.width(), min(self.height() + missing, max(self.height(), room_for(self).height())))

    def _show_progress(self, done: int, total: int) -> None:
        self.progress.setRange(0, 1000 if total else 0)
        self.progress.setValue(done * 1000 // total if total else 0)
        self.progress.show()

    def _show_secrets(self, found: tuple[FoundSecret, ...]) -> None:
        self._secrets = found
        self.found.setVisible(bool(found))
        if not found:
            return
        places = len({each.entry_id for each in found})
        title = (
            self.tr("What looks like a secret stands in it. Nothing has been written yet.")
            if len(found) == 1
            else self.tr("{0} likely secrets stand in {1} of its entries. Nothing has been written yet.").format(
                full_count(len(found)), full_count(places)
            )
        )
        self.found_title.setText(title)
        table = _secrets_table(found, self)
        self._found_column.replaceWidget(self.table, table)
        self.table.deleteLater()
        self.table = table
        QWidget.setTabOrder(self.look_button, table)
        QWidget.setTabOrder(table, self.mask_choice)

    def _show_state(self) -> None:
        """Enable what can be done now."""
        for widget in (*self.formats.values(), self.images, self.path, self.choose_button, self.found):
            widget.setEnabled(not self.is_writing)
        for name, button in self.scopes.items():
            button.setEnabled(not self.is_writing and (name != "path" or self._has_path))
        self.export_button.setEnabled(self._is_looked_through and self._target_problem is None and not self.is_writing)
        self.cancel_button.setText(self.tr("S&top") if self.is_writing else self.tr("Ca&ncel"))
        self.hint.setText(self.tr("Esc stops") if self.is_writing else self.tr("Nothing has been written"))


def state_text(survey: ExportSurvey) -> str:
    """Return which state of the session an export shows."""
    state = survey.state
    if state.last_entry_id is None:
        return translate("ExportDialog", "The session is empty.")
    return translate("ExportDialog", "State of the session: {0}, up to entry {1}.").format(
        entries_text(state.index.count), state.last_entry_id
    )


def branches_text(survey: ExportSurvey) -> str:
    """Return how much of the session an export holds."""
    entries, count = entries_text(survey.plan.entry_count), len(survey.plan.branches)
    if count == 1:
        return translate("ExportDialog", "{0}, one branch.").format(entries)
    return translate("ExportDialog", "{0} in {1} branches.").format(entries, full_count(count))


def _secrets_table(found: tuple[FoundSecret, ...], dialog: QWidget) -> QTableWidget:
    """Which secrets stand where, each once with how often."""
    counts = Counter((shown(each.secret.kind), shown(each.secret.preview), each.entry_id) for each in found)
    header = translate("ExportDialog", "(header)")
    rows = [
        (kind, preview, header if entry_id is None else entry_id, full_count(count))
        for (kind, preview, entry_id), count in [*counts.items()][:MOST_SECRETS]
    ]
    headers = (
        translate("ExportDialog", "Kind"),
        translate("ExportDialog", "Begins with"),
        translate("ExportDialog", "Entry"),
        translate("ExportDialog", "Times"),
    )
    name = translate("ExportDialog", "Likely secrets")
    return plain_table(name, headers, rows, dialog, numbers=(3,), most_lines=MOST_LINES)


def _shortened(name: str) -> str:
    line = " ".join(name.split())
    return line if len(line) <= 80 else line[:79] + "…"
