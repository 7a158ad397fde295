"""One setting in the dialog: what it is, its field, what is wrong with it, where its value comes from, the way back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QLayout, QPushButton, QVBoxLayout, QWidget

from gui.fuzzy import folded
from gui.settings_dialog.editors import SettingEditor, make_editor
from gui.settings_dialog.setting_checks import check
from gui.settings_dialog.setting_texts import setting_text, value_text
from gui.side_by_side import SideBySide
from gui.widgets import label, rule
from model.dialects import Dialect
from model.settings_levels import Level, SettingKey
from services.settings_survey import SettingState

translate = QCoreApplication.translate

AGENT_NAMES: dict[Dialect, str] = {"pi": "Pi", "omp": "OMP"}


class SettingRow(QWidget):
    """Signal: `committed` (value, None to say nothing) when a person entered a valid value or took theirs back."""

    committed = Signal(object)

    def __init__(self, key: SettingKey, editor: SettingEditor | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.key = key
        self._state: SettingState | None = None
        text = setting_text(key.name)
        self.title = label(text.title, wrap=True)
        self.title.setToolTip(key.name)
        self.help = label(text.help, style="muted", wrap=True)
        if not text.help:
            self.help.hide()
        self.editor = editor or make_editor(key)
        field = self.editor.field()
        field.setAccessibleName(text.title)
        field.setAccessibleDescription(text.help)
        self.title.setBuddy(field)
        self.problem = label(style="problem", wrap=True)
        self.origin = label(style="muted", wrap=True)
        self.reset = QPushButton()
        self.reset.setFlat(True)
        self.reset.setProperty("link", True)
        self.reset.setAutoDefault(False)
        self.reset.clicked.connect(lambda: self.committed.emit(None))
        self.editor.checked.connect(self._show_problem)
        self.editor.committed.connect(self.committed)

        where_from, way_back = QVBoxLayout(), QVBoxLayout()
        where_from.addWidget(self.origin)
        where_from.addStretch(1)
        way_back.addWidget(self.reset)
        way_back.addStretch(1)
        from_where = SideBySide(where_from, way_back, gap=10)
        lay_out_row(self, [self.title, self.help], [self.editor, self.problem, from_where])
        self.problem.hide()
        self.reset.hide()

    @property
    def state(self) -> SettingState | None:
        """What is shown."""
        return self._state

    def show_state(self, state: SettingState, dialect: Dialect) -> None:
        """Show the value, where it comes from, and what other levels say."""
        self._state = state
        self.editor.show_state(state)
        self._show_problem("")
        self.origin.setText(origin_text(state, dialect))
        self.origin.setToolTip(_said_with_files(state, dialect))
        edited = state.edited
        self.reset.setVisible(edited is not None)
        if edited is not None:
            back_to = value_text(self.key.name, state.below.value)
            self.reset.setText(self.tr("Reset to {0}").format(back_to))
            self.reset.setAccessibleName(
                self.tr("{0}: reset to {1}").format(setting_text(self.key.name).title, back_to)
            )
            self.reset.setToolTip(level_text(state.below.level, dialect))

    def matches(self, words: str) -> bool:
        """Whether the row is about `words`, which are in lower case."""
        text = setting_text(self.key.name)
        haystack = folded(f"{text.title} {text.help} {self.key.name} {' '.join(text.choices.values())}")
        return all(word in haystack for word in words.split())

    def _show_problem(self, sentence: str) -> None:
        edited = self._state.edited if self._state is not None else None
        if not sentence and edited is not None and edited.problem and not self._has_new_text():
            reason = check(self.key, edited.value)
            sentence = self.tr("{0} in the file does not count: {1}").format(edited.value, reason)
        self.problem.setText(f"⚠ {sentence}" if sentence else "")
        self.problem.setVisible(bool(sentence))
        field = self.editor.field()
        if bool(field.property("wrong")) != bool(sentence):
            field.setProperty("wrong", bool(sentence))
            field.style().unpolish(field)
            field.style().polish(field)
        help_text = setting_text(self.key.name).help
        field.setAccessibleDescription(f"{sentence} {help_text}".strip())

    def _has_new_text(self) -> bool:
        is_modified: Any = getattr(self.editor.field(), "isModified", None)
        return bool(is_modified and is_modified())


def lay_out_row(row: QWidget, left: Sequence[QWidget], right: Sequence[QWidget | QLayout]) -> None:
    """Arrange a row: what it is on the left, what can be done on the right or below, and a thin line at the end."""
    columns: list[QVBoxLayout] = []
    for parts in (left, right):
        column = QVBoxLayout()
        column.setSpacing(4)
        for part in parts:
            if isinstance(part, QWidget):
                column.addWidget(part)
            else:
                column.addLayout(part)
        column.addStretch(1)
        columns.append(column)
    whole = QVBoxLayout(row)
    whole.setContentsMargins(0, 0, 0, 0)
    whole.setSpacing(10)
    whole.addLayout(SideBySide(columns[0], columns[1], share=6 / 11))
    whole.addWidget(rule())


def titled_row(title: str, explanation: str, field: QWidget, row: QWidget, right: Sequence[QWidget | QLayout]) -> None:
    """Make `row` look like those of the settings, for what is no single setting. `field` takes the keyboard."""
    name = label(title, wrap=True)
    name.setBuddy(field)
    field.setAccessibleName(title)
    field.setAccessibleDescription(explanation)
    lay_out_row(row, [name, label(explanation, style="muted", wrap=True)], right)


def level_text(level: Level, dialect: Dialect) -> str:
    """Return the name of a level, as in "from …"."""
    agent = AGENT_NAMES[dialect]
    return {
        "defaults": translate("settings", "the default"),
        "user": translate("settings", "{0}'s settings").format(agent),
        "project": translate("settings", "{0}'s settings of the project").format(agent),
        "application": translate("settings", "your settings"),
        "session": translate("settings", "this session's own settings"),
    }[level]


def origin_text(state: SettingState, dialect: Dialect) -> str:
    """Return where the value comes from, what `auto` means here, and what lower levels say, in short sentences."""
    name, agent = state.key.name, AGENT_NAMES[dialect]
    if state.level == "defaults":
        parts = [translate("settings", "Default")]
    elif state.level == "application":
        parts = [translate("settings", "Set by you")]
    elif state.level == "session":
        own = value_text(name, state.value)
        parts = [
            translate("settings", "This session has its own: {0}").format(own)
            if state.is_overridden
            else translate("settings", "For this session")
        ]
    else:
        file = f" ({short_path(state.file)})" if state.file else ""
        parts = [translate("settings", "From {0}{1}").format(level_text(state.level, dialect), file)]
    if state.value == "auto":
        parts.append(
            translate("settings", "here, in {0} sessions: {1}").format(agent, value_text(name, state.effective_value))
        )
    for said in state.said:
        if said.level in ("user", "project") and (said.level != state.level or said.problem):
            text = value_text(name, said.value) if not said.problem else str(said.value)
            sentence = translate("settings", "{0} say {1}").format(level_text(said.level, dialect), text)
            parts.append(f"{sentence} ({check(state.key, said.value)})" if said.problem else sentence)
    return " · ".join(parts)


def short_path(path: Path | None) -> str:
    """Return a path with the home folder as `~`."""
    if path is None:
        return ""
    try:
        return str(Path("~") / path.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return str(path)


def _said_with_files(state: SettingState, dialect: Dialect) -> str:
    lines = [translate("settings", "Default: {0}").format(value_text(state.key.name, state.key.default))]
    for said in state.said:
        where = f" ({short_path(said.file)})" if said.file else ""
        lines.append(f"{level_text(said.level, dialect)}{where}: {value_text(state.key.name, said.value)}")
    return "\n".join([state.key.name, *lines])
