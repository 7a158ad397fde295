"""The page *All settings*: every key with its value, level and file, and what in the files does not count."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from gui.fuzzy import folded
from gui.selected_rows import outline_selected_rows
from gui.settings_dialog.page import Page
from gui.settings_dialog.setting_row import level_text, short_path
from gui.settings_dialog.setting_texts import setting_text, value_text
from gui.stretched_column import StretchedColumn
from gui.translation import shown
from gui.widgets import label
from services.settings_survey import SettingsSurvey, SettingState

KEY, VALUE, FROM, FILE = range(4)


class AllSettingsPage(Page):
    """Signals: `key_wanted` (dotted name) to go to the field of a key; `distrust_wanted` (folder)."""

    key_wanted = Signal(str)
    distrust_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            self.tr("All settings"),
            self.tr("What is in force, and where it comes from. Enter on a line goes to its field."),
            parent,
        )
        self._words = ""
        self._folder = ""
        self.table = QTableWidget(0, 4)
        outline_selected_rows(self.table)
        self.table.setHorizontalHeaderLabels([self.tr("Key"), self.tr("Value"), self.tr("From"), self.tr("File")])
        self.table.setAccessibleName(self.tr("All settings"))
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 10)
        self.table.setMinimumHeight(self.fontMetrics().height() * 16)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for place in (KEY, VALUE, FROM):
            header.setSectionResizeMode(place, QHeaderView.ResizeMode.Interactive)
        StretchedColumn(self.table, FILE)
        self.table.itemActivated.connect(self._go)
        self.problems = label(style="problem", wrap=True)
        self.trust = label(style="muted", wrap=True)
        self.distrust = QPushButton(self.tr("Stop trusting it"))
        self.distrust.setAutoDefault(False)
        self.distrust.clicked.connect(lambda: self.distrust_wanted.emit(self._folder))
        trusted = QHBoxLayout()
        trusted.addWidget(self.trust, 1)
        trusted.addWidget(self.distrust)
        self.column.addWidget(self.table, 1)
        self.column.addWidget(self.problems)
        self.column.addLayout(trusted)
        for widget in (self.trust, self.distrust):
            widget.hide()

    def show_all(self, survey: SettingsSurvey) -> None:
        chosen = self.table.currentRow()
        states = list(survey.states.values())
        self.table.setRowCount(len(states))
        for line, state in enumerate(states):
            self._show_state(line, state, survey)
        metrics = self.fontMetrics()
        for place, most in ((KEY, 36), (VALUE, 30), (FROM, 28)):
            self.table.resizeColumnToContents(place)
            width = min(self.table.columnWidth(place) + 12, metrics.averageCharWidth() * most)
            self.table.setColumnWidth(place, width)
        if chosen >= 0:
            self.table.setCurrentCell(chosen, KEY)
        lines: list[str] = []
        for problem in survey.problems:
            parts = (level_text(problem.level, survey.dialect), problem.key, shown(problem.message))
            lines.append("⚠ " + " · ".join(part for part in parts if part))
        self.problems.setText("\n".join([*lines, *map(shown, survey.notices)]))
        self.problems.setVisible(bool(lines or survey.notices))
        self._folder = survey.cwd or ""
        self.trust.setText(self.tr("You trust the project {0}.").format(self._folder))
        for widget in (self.trust, self.distrust):
            widget.setVisible(survey.trusts_project)
        self.keep_matching(self._words)

    def keep_matching(self, words: str) -> int:
        self._words = words
        count = 0
        for line in range(self.table.rowCount()):
            cells = [self.table.item(line, place) for place in range(4)]
            text = folded(" ".join(f"{cell.text()} {cell.toolTip()}" for cell in cells if cell is not None))
            matches = all(word in text for word in words.split())
            self.table.setRowHidden(line, not matches)
            count += matches
        return count if words else 0

    def _show_state(self, line: int, state: SettingState, survey: SettingsSurvey) -> None:
        name = state.key.table or state.key.name
        value = value_text(name, state.effective_value)
        if state.value == "auto":
            value = self.tr("{0} (automatic)").format(value)
        texts = (state.key.name, value, level_text(state.level, survey.dialect), short_path(state.file))
        for place, text in enumerate(texts):
            item = QTableWidgetItem(text)
            item.setToolTip(setting_text(name).title if place == KEY else text)
            self.table.setItem(line, place, item)

    def _go(self, item: QTableWidgetItem) -> None:
        key = self.table.item(item.row(), KEY)
        if key is not None:
            self.key_wanted.emit(key.text())
