"""The *Problems* tab: everything odd that was found in the file, where, and what was done about it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QPushButton, QVBoxLayout, QWidget

from gui.flow_layout import FlowLayout
from gui.inspector.tab_scroll import TabScroll
from gui.number_text import full_count
from gui.problem_list import ProblemList
from gui.translation import shown
from gui.turns import open_next_turn
from gui.widgets import TextView, label, whole_characters
from model.records import Problem

LEAST_LINES = 8


class ProblemsTab(QWidget):
    """Signals: `repair_wanted` (path of the copy to write); `place_wanted` (offset in the file); `line_wanted` (Problem
    or None) for the line that is to be shown; `said` (sentence).
    """

    line_wanted = Signal(object)
    repair_wanted = Signal(str)
    place_wanted = Signal(object)  # offsets need more than 32 bits
    said = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        body = QWidget()
        scroll = TabScroll(body, self)
        self._title = label(style="title", wrap=True)
        self._text = label(style="muted", wrap=True)
        self.list = ProblemList()
        self.list.chosen.connect(lambda problem: self.place_wanted.emit(problem.offset))
        self.list.pointed_at.connect(self._show_problem)
        self.detail = label(wrap=True)
        self.line = TextView(monospace=True)
        self.line.setAccessibleName(self.tr("The line as it stands in the file"))
        self._whole_line = ""
        self.copy_line = QPushButton(self.tr("Copy the &line"))
        self.copy_line.setToolTip(self.tr("Copy all of the line that is shown, as it stands in the file"))
        self.copy_line.clicked.connect(self._copy_line)
        self.go = QPushButton(self.tr("&Go to the entry"))
        self.go.setToolTip(self.tr("Select the entry that stands there, or the one before"))
        self.go.clicked.connect(self.list.choose)
        self.copy = QPushButton(self.tr("Cop&y"))
        self.copy.setToolTip(self.tr("Copy the selected problems; all, where one alone is selected"))
        self.copy.clicked.connect(self._copy)
        self.repair = QPushButton(self.tr("Save a &repaired copy…"))
        self.repair.setToolTip(self.tr("Write a clean file beside this one; the original stays as it is"))
        self.repair.clicked.connect(self._choose_copy)
        row = FlowLayout(last_at_end=True)
        row.setSpacing(6)
        row.addWidget(self.go)
        row.addWidget(self.copy)
        row.addWidget(self.copy_line)
        row.addWidget(self.repair)
        self.list.setMinimumHeight(self.fontMetrics().height() * LEAST_LINES)
        layout = QVBoxLayout(body)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.addWidget(self._title)
        layout.addWidget(self._text)
        layout.addWidget(self.list, 2)
        layout.addWidget(self.detail)
        layout.addWidget(self.line, 1)
        layout.addLayout(row)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)

    def show_problems(self, problems: Sequence[Problem], read_only: str | None) -> None:
        """List `problems`; `read_only` is the sentence why the file cannot be changed, or None."""
        count = len(problems)
        self._title.setText(self.tr("1 problem") if count == 1 else self.tr("{0} problems").format(full_count(count)))
        self._text.setText(
            shown(read_only or "") or self.tr("All other entries are shown. The file itself was not changed.")
        )
        self.list.show_problems(problems)
        self.copy.setEnabled(bool(problems))

    def _show_problem(self, problem: Problem | None) -> None:
        self.go.setEnabled(problem is not None)
        text = "" if problem is None else self.list.text(problem)
        self.detail.setText(text)
        self.detail.setVisible(bool(text))
        self.show_line("")
        self.line_wanted.emit(problem)

    def show_line(self, text: str) -> None:
        """Show a line of the file, nothing where there is none."""
        self._whole_line = text
        self.line.show_text(text)
        self.line.setVisible(bool(text))
        self.copy_line.setEnabled(bool(text))

    def _copy_line(self) -> None:
        QGuiApplication.clipboard().setText(whole_characters(self._whole_line))
        self.said.emit(self.tr("The line was copied."))

    def _copy(self) -> None:
        count = self.list.copy()
        many = self.tr("{0} problems were copied.").format(full_count(count))
        self.said.emit(self.tr("1 problem was copied.") if count == 1 else many)

    def _choose_copy(self) -> None:
        dialog = QFileDialog(self, self.tr("Save a repaired copy"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)  # nothing is ever overwritten
        dialog.setDefaultSuffix("jsonl")
        dialog.fileSelected.connect(self.repair_wanted)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        open_next_turn(dialog)
