"""A page of settings: a title, a sentence about it, and rows in sections."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from gui.settings_dialog.setting_row import SettingRow
from gui.settings_dialog.setting_texts import setting_text, value_text
from gui.settings_dialog.table_setting import TableSetting
from gui.widgets import label, laid_out_once
from model.settings_levels import SettingKey, setting_keys
from services.settings_survey import SettingsSurvey

translate = QCoreApplication.translate

MARGIN = 22
HEADING_SIZE = 1.25  # of a title


@dataclass(frozen=True, slots=True)
class Section:
    """Keys under a heading; the first section of a page needs none."""

    heading: str
    names: tuple[str, ...]


@cache
def fixed_keys() -> dict[str, SettingKey]:
    """Return the keys that are not in a table, by their dotted names."""
    return {key.name: key for key in setting_keys({})}


class Page(QScrollArea):
    """A page that scrolls. What takes long to make is planned in steps and made one step a turn of the event loop.

    Signals: `changed` (values by key path, sentence) when settings are to be written.
    """

    changed = Signal(object, str)

    def __init__(self, title: str, about: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(title)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._steps: deque[Callable[[], object]] = deque()
        self._survey: SettingsSurvey | None = None
        self.body = QWidget()
        self.column = QVBoxLayout(self.body)
        self.column.setContentsMargins(MARGIN, MARGIN - 4, MARGIN, MARGIN)
        self.column.setSpacing(12)
        self.setWidget(self.body)
        heading = label(title, style="title", wrap=True)
        large = heading.font()
        if large.pointSizeF() > 0:
            large.setPointSizeF(large.pointSizeF() * HEADING_SIZE)
        heading.setFont(large)
        self.column.addWidget(heading)
        self.about = label(about, style="muted", wrap=True)
        if not about:
            self.about.hide()
        self.about.setContentsMargins(0, 0, 0, 8)
        self.column.addWidget(self.about)

    @property
    def is_built(self) -> bool:
        """Whether all parts of the page are there."""
        return not self._steps

    def plan(self, step: Callable[[], object]) -> None:
        """Have something made later; nobody sees the page before everything is there."""
        self._steps.append(step)
        self.body.setUpdatesEnabled(False)

    def build_some(self) -> None:
        """Take the next step."""
        if self._steps:
            self._steps.popleft()()
            if not self._steps:
                self.body.setUpdatesEnabled(True)
                self._show_survey()

    def build(self) -> None:
        """Take all steps at once."""
        while not self.is_built:
            self.build_some()

    def show_survey(self, survey: SettingsSurvey) -> None:
        """Show the settings as they stand, as soon as the page is built."""
        self._survey = survey
        self._show_survey()

    def show_all(self, survey: SettingsSurvey) -> None:
        """Show the settings as they stand. The page is built."""

    def keep_matching(self, words: str) -> int:
        """Show only what is about `words` (lower case; empty: everything), and return how much that is."""
        return 0

    def _show_survey(self) -> None:
        if self.is_built and self._survey is not None:
            with laid_out_once(self.body):
                self.show_all(self._survey)

    def close_page(self) -> None:
        """Stop what the page is doing."""

    def end(self) -> None:
        """Keep what was planned together at the top of the page."""
        self.plan(lambda: self.column.addStretch(1))


class SettingsPage(Page):
    """A page of rows made from the schema."""

    def __init__(self, title: str, about: str, sections: Sequence[Section], parent: QWidget | None = None) -> None:
        super().__init__(title, about, parent)
        self.rows: dict[str, SettingRow] = {}
        self.tables: list[TableSetting] = []
        self._headings: list[tuple[QWidget, tuple[str, ...]]] = []
        for section in sections:
            self.add_section(section)

    def add_section(self, section: Section) -> None:
        """Add a heading and rows at the end."""
        if section.heading:
            self.plan(lambda: self._add_heading(section))
        for name in section.names:
            self.plan(partial(self._add_setting, name))

    def add_row(self, row: SettingRow) -> None:
        """Add a row at the end."""
        self.rows[row.key.name] = row
        row.committed.connect(lambda value: self._change(row, value))
        self.column.addWidget(row)

    def add_table(self, make: Callable[[], TableSetting]) -> None:
        """Add a table at the end."""

        def add() -> None:
            table = make()
            self.tables.append(table)
            table.changed.connect(self.changed)
            self.column.addWidget(table)

        self.plan(add)

    def show_all(self, survey: SettingsSurvey) -> None:
        for table in self.tables:
            table.show_survey(survey)
        for name, row in self.rows.items():
            row.show_state(survey.states[name], survey.dialect)

    def keep_matching(self, words: str) -> int:
        if not self.is_built:
            return 0
        count = 0
        with laid_out_once(self.body):
            for table in self.tables:
                table.setVisible(table.matches(words))
                count += table.matches(words)
            for row in self.rows.values():
                matches = row.matches(words)
                row.setVisible(matches)
                count += matches
            for heading, names in self._headings:
                heading.setVisible(any(self.rows[name].matches(words) for name in names))
        return count

    def _add_setting(self, name: str) -> None:
        self.add_row(SettingRow(fixed_keys()[name], parent=self.body))

    def _add_heading(self, section: Section) -> None:
        heading = label(section.heading, style="caption", wrap=True)
        heading.setContentsMargins(0, 10, 0, 0)
        self.column.addWidget(heading)
        self._headings.append((heading, section.names))

    def _change(self, row: SettingRow, value: object) -> None:
        self.changed.emit({row.key.path: value}, change_sentence(row, value))


def change_sentence(row: SettingRow, value: object) -> str:
    """Return what a change did, for the status line."""
    title = setting_text(row.key.name).title
    if value is None:
        below = row.state.below.value if row.state is not None else row.key.default
        return translate("SettingRow", "“{0}” is reset to {1}.").format(title, value_text(row.key.name, below))
    return translate("SettingRow", "“{0}” is now {1}.").format(title, value_text(row.key.name, value))
