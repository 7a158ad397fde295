"""A setting whose entries have names of the user's choice: values for single models, model roles."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.flow_layout import FlowLayout
from gui.fuzzy import folded
from gui.selected_rows import outline_selected_rows
from gui.settings_dialog.setting_checks import NotANumberError, check, read_number
from gui.settings_dialog.setting_row import level_text
from gui.settings_dialog.setting_texts import number_text, setting_text
from gui.side_by_side import SideBySide
from gui.stretched_column import StretchedColumn
from gui.widgets import label
from model.settings_levels import SettingKey, table_entry_keys
from services.settings_survey import SettingsSurvey, SettingState

MOST_LINES = 7


class TableSetting(QWidget):
    """The entries of one table, with a column for each value and one for where it comes from.

    Signal: `changed` (values by key path, sentence).
    """

    changed = Signal(object, str)

    def __init__(self, name: str, name_header: str, headers: list[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self._headers = headers
        self._survey: SettingsSurvey | None = None
        self._added: list[str] = []  # entries that have no value yet
        text = setting_text(name)
        self.table = QTableWidget(0, len(headers) + 2)
        outline_selected_rows(self.table)
        self.table.setHorizontalHeaderLabels([name_header, *headers, self.tr("From")])
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setHighlightSections(False)
        self.table.setAccessibleName(text.title)
        self.table.setAccessibleDescription(text.help)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        StretchedColumn(self.table, 0)
        self.table.setTabKeyNavigation(False)
        self.table.itemChanged.connect(self._take_edit)
        self.problem = label(style="problem", wrap=True)
        self.problem.hide()
        self.new_name = QLineEdit()
        self.new_name.setPlaceholderText(name_header)
        self.new_name.setAccessibleName(self.tr("{0}: new entry").format(text.title))
        self.new_name.returnPressed.connect(self._add)
        self.add = QPushButton(self.tr("Add"))
        self.add.setAutoDefault(False)
        self.add.clicked.connect(self._add)
        self.remove = QPushButton(self.tr("Remove my values"))
        self.remove.setToolTip(self.tr("Takes what you set for the selected entry out of your settings"))
        self.remove.setAutoDefault(False)
        self.remove.clicked.connect(self._remove)
        self.table.itemSelectionChanged.connect(self._show_selection)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(label(text.title, wrap=True))
        column.addWidget(label(text.help, style="muted", wrap=True))
        column.addWidget(self.table)
        column.addWidget(self.problem)
        hint = self.fontMetrics().horizontalAdvance(name_header)
        self.new_name.setMinimumWidth(hint + 3 * self.fontMetrics().averageCharWidth())
        field, buttons = QHBoxLayout(), FlowLayout()
        field.addWidget(self.new_name)
        buttons.setSpacing(6)
        buttons.addWidget(self.add)
        buttons.addWidget(self.remove)
        column.addLayout(SideBySide(field, buttons, gap=6))
        self._fit()

    def matches(self, words: str) -> bool:
        """Whether the table is about `words`, which are in lower case."""
        text = setting_text(self.name)
        haystack = folded(f"{text.title} {text.help} {self.name}")
        return all(word in haystack for word in words.split())

    def show_survey(self, survey: SettingsSurvey) -> None:
        """Show the entries of all levels."""
        self._survey = survey
        depth = len(self.name.split("."))
        names = dict.fromkeys(state.key.path[depth] for state in survey.states.values() if state.key.table == self.name)
        self._added = [name for name in self._added if name not in names]
        with QSignalBlocker(self.table):
            self.table.setRowCount(0)
            for name in [*names, *self._added]:
                self._add_line(name, survey)
        self._fit()
        self._show_selection()

    def _add_line(self, name: str, survey: SettingsSurvey) -> None:
        line = self.table.rowCount()
        self.table.insertRow(line)
        self.table.setItem(line, 0, _fixed(name))
        origins: list[str] = []
        for place, key in enumerate(table_entry_keys(self.name, name)):
            state = survey.states.get(key.name)
            value = state.value if state is not None else None
            item = QTableWidgetItem("" if value is None else _text_of(value))
            item.setData(Qt.ItemDataRole.UserRole, key)
            if not isinstance(value, str):
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.table.setItem(line, place + 1, item)
            if state is not None and value is not None:
                origins.append(level_text(state.level, survey.dialect))
        self.table.setItem(line, len(self._headers) + 1, _fixed(", ".join(dict.fromkeys(origins))))

    def _take_edit(self, item: QTableWidgetItem) -> None:
        key = item.data(Qt.ItemDataRole.UserRole)
        if not isinstance(key, SettingKey):
            return
        text = item.text().strip()
        problem, value = "", None
        if text:
            try:
                value = read_number(text) if "integer" in str(key.adapter.json_schema()) else text
                problem = check(key, value)
            except NotANumberError as error:
                problem = str(error)
        self.problem.setText(f"⚠ {problem}" if problem else "")
        self.problem.setVisible(bool(problem))
        if not problem:
            entry = key.path[len(self.name.split("."))]
            self.changed.emit({key.path: value}, self.tr("{0}: changed for {1}.").format(self._title(), entry))

    def _add(self) -> None:
        name = self.new_name.text().strip()
        if not name or self._survey is None:
            return
        self.new_name.clear()
        if not self.table.findItems(name, Qt.MatchFlag.MatchExactly):
            self._added.append(name)
            self.show_survey(self._survey)
        line = next(line for line in range(self.table.rowCount()) if self._name_at(line) == name)
        self.table.setCurrentCell(line, 1)
        self.table.setFocus()
        self.table.edit(self.table.currentIndex())

    def _remove(self) -> None:
        own = self._own_states()
        if own:
            values: dict[tuple[str, ...], Any] = {state.key.path: None for state in own}
            entry = own[0].key.path[len(self.name.split("."))]
            self.changed.emit(values, self.tr("{0}: your values for {1} are removed.").format(self._title(), entry))

    def _show_selection(self) -> None:
        self.remove.setEnabled(bool(self._own_states()))

    def _own_states(self) -> list[SettingState]:
        line = self.table.currentRow()
        if line < 0 or self._survey is None:
            return []
        keys = table_entry_keys(self.name, self._name_at(line))
        states = [self._survey.states[key.name] for key in keys if key.name in self._survey.states]
        return [state for state in states if state.edited is not None]

    def _name_at(self, line: int) -> str:
        item = self.table.item(line, 0)
        return item.text() if item is not None else ""

    def _title(self) -> str:
        return setting_text(self.name).title

    def _fit(self) -> None:
        lines = min(max(self.table.rowCount(), 1), MOST_LINES)
        self.table.setFixedHeight(
            self.table.horizontalHeader().sizeHint().height() + lines * self.table.verticalHeader().defaultSectionSize()
        )
        for place in range(1, self.table.columnCount()):
            self.table.resizeColumnToContents(place)


def _text_of(value: Any) -> str:
    return number_text(value) if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def _fixed(text: str) -> QTableWidgetItem:
    item = QTableWidgetItem(text)
    item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
    item.setToolTip(text)
    return item
