"""The fields of the settings dialog: one kind for each shape of value, chosen by the schema of the key."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gui.check_box import CheckBox
from gui.choice_box import ChoiceBox
from gui.settings_dialog.setting_checks import NotANumberError, check, read_number
from gui.settings_dialog.setting_texts import number_text, setting_text, value_text
from gui.turns import open_next_turn
from gui.widgets import label
from model.settings_levels import SettingKey
from services.settings_survey import SettingState

PATH_KEYS = frozenset({"extensions", "sessions.folders"})
LIST_LINES = 4
NUMBER_WIDTH, LEAST_NUMBER_WIDTH = 17, 10  # characters
LEAST_WIDTH = 16  # characters of a text: in a small window the columns still stand in line

_schemas: dict[str, dict[str, Any]] = {}  # by dotted name: pydantic takes milliseconds for each


class SettingEditor(QWidget):
    """A field for one key.

    Signals: `checked` (sentence, empty when all is well) while a person types; `committed` (value, None for "say
    nothing") when a valid value was entered that differs from the one shown.
    """

    checked = Signal(str)
    committed = Signal(object)

    def __init__(self, key: SettingKey, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.key = key
        self._shown: Any = None

    def show_state(self, state: SettingState) -> None:
        """Show what the edited level says, or what is in force below it."""
        edited = state.edited
        self._shown = edited.value if edited is not None else None
        self.show_value(self._shown, state.below.value, state.below.effective_value)

    @abstractmethod
    def show_value(self, value: Any, below: Any, below_effective: Any) -> None:
        """Show `value` of the edited level (None: nothing), with what is in force below it."""

    @abstractmethod
    def field(self) -> QWidget:
        """Return the widget that takes the keyboard."""

    def commit(self, value: Any) -> None:
        """Check a value, and send it on when it is valid and new."""
        problem = check(self.key, value) if value is not None else ""
        self.checked.emit(problem)
        if not problem and value != self._shown:
            self._shown = value
            self.committed.emit(value)


class ChoiceEditor(SettingEditor):
    """A choice of few values, `auto` among them where the key has it."""

    def __init__(self, key: SettingKey, values: list[Any], parent: QWidget | None = None) -> None:
        super().__init__(key, parent)
        self._combo = ChoiceBox()
        self._values = values
        for value in values:
            self._combo.addItem(value_text(key.name, value))
        self._combo.activated.connect(lambda number: self.commit(self._values[number]))
        _only_child(self, self._combo)

    def field(self) -> QWidget:
        return self._combo

    def show_value(self, value: Any, below: Any, below_effective: Any) -> None:
        shown = below if value is None else value
        with QSignalBlocker(self._combo):
            self._combo.setCurrentIndex(self._values.index(shown) if shown in self._values else -1)


class FlagEditor(SettingEditor):
    """On or off."""

    def __init__(self, key: SettingKey, parent: QWidget | None = None) -> None:
        super().__init__(key, parent)
        self._box = CheckBox(self.tr("On"))
        self._box.clicked.connect(self.commit)
        _only_child(self, self._box)

    def field(self) -> QWidget:
        return self._box

    def show_value(self, value: Any, below: Any, below_effective: Any) -> None:
        shown = below if value is None else value
        self._box.setChecked(shown is True)
        self._box.setText(self.tr("On") if shown is True else self.tr("Off"))


class LineEditor(SettingEditor):
    """A line of text, checked at each key press, committed by Enter or by leaving the field. Escape takes it back."""

    def __init__(self, key: SettingKey, parent: QWidget | None = None) -> None:
        super().__init__(key, parent)
        self._line = _Line()
        self._line.textEdited.connect(lambda text: self.checked.emit(self._problem_with(text)))
        self._line.editingFinished.connect(self._finish)
        self._line.taken_back.connect(self._take_back)
        self._original = ""
        unit = setting_text(key.name).unit
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._line, 1)
        if unit:
            row.addWidget(label(unit, style="muted"))

    def field(self) -> QWidget:
        return self._line

    def show_value(self, value: Any, below: Any, below_effective: Any) -> None:
        self._original = "" if value is None else self.text_of(value)
        if not self._line.isModified():
            self._line.setText(self._original)
        self._line.setPlaceholderText("" if below is None else self.text_of(below))

    def text_of(self, value: Any) -> str:
        """Return a value as it is written in the field."""
        return str(value)

    def value_of(self, text: str) -> Any:
        """Return the value of a text that is not empty. Raises ValueError with a sentence."""
        return text

    def value_of_nothing(self) -> Any:
        """Return what an empty field means: to say nothing."""
        return None

    def _problem_with(self, text: str) -> str:
        if not text.strip():
            return ""
        try:
            return check(self.key, self.value_of(text.strip()))
        except ValueError as error:
            return str(error)

    def _finish(self) -> None:
        text = self._line.text().strip()
        problem = self._problem_with(text)
        if problem or not self._line.isModified():
            return
        self._line.setModified(False)
        self.commit(self.value_of(text) if text else self.value_of_nothing())

    def _take_back(self) -> None:
        self._line.setText(self._original)
        self.checked.emit("")


class TextEditor(LineEditor):
    """Text. Where the level below says something and the schema allows it, an empty field means "none"."""

    def __init__(self, key: SettingKey, parent: QWidget | None = None) -> None:
        super().__init__(key, parent)
        self._below: Any = None
        self._line.setMinimumWidth(self.fontMetrics().averageCharWidth() * LEAST_WIDTH)

    def show_value(self, value: Any, below: Any, below_effective: Any) -> None:
        self._below = below
        super().show_value(value, below, below_effective)

    def value_of_nothing(self) -> Any:
        return "" if self._below is not None and not check(self.key, "") else None


class NumberEditor(LineEditor):
    """A number, or `auto` where the key has it. Group separators may be written."""

    def __init__(self, key: SettingKey, *, may_be_auto: bool, parent: QWidget | None = None) -> None:
        super().__init__(key, parent)
        self._may_be_auto = may_be_auto
        self._line.setAlignment(Qt.AlignmentFlag.AlignRight)
        unit = self.fontMetrics().averageCharWidth()
        self._line.setMinimumWidth(unit * LEAST_NUMBER_WIDTH)
        self._line.setMaximumWidth(unit * NUMBER_WIDTH)
        self._row.setStretch(0, 100)
        self._row.addStretch(1)

    def text_of(self, value: Any) -> str:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return value_text(self.key.name, value) if value == "auto" else str(value)
        return number_text(value)

    def value_of(self, text: str) -> Any:
        if self._may_be_auto and text.casefold() in ("auto", self.text_of("auto").casefold()):
            return "auto"
        try:
            return read_number(text)
        except NotANumberError as error:
            if self._may_be_auto:
                raise NotANumberError(self.tr("Write a number, or “{0}”.").format(self.text_of("auto"))) from None
            raise error


class ListEditor(SettingEditor):
    """Several texts, one a line; paths can be chosen as well."""

    def __init__(self, key: SettingKey, parent: QWidget | None = None) -> None:
        super().__init__(key, parent)
        self._text = _Lines()
        self._text.setTabChangesFocus(True)
        self._text.setFixedHeight(self.fontMetrics().lineSpacing() * LIST_LINES + 14)
        self._text.setMinimumWidth(self.fontMetrics().averageCharWidth() * LEAST_WIDTH)
        self._text.left.connect(self._finish)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._text)
        if key.name in PATH_KEYS:
            self.add = QPushButton(self.tr("Add a file…") if key.name == "extensions" else self.tr("Add a folder…"))
            self.add.setAutoDefault(False)
            self.add.clicked.connect(self._choose_path)
            column.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)

    def field(self) -> QWidget:
        return self._text

    def show_value(self, value: Any, below: Any, below_effective: Any) -> None:
        if not self._text.document().isModified():
            lines = value if isinstance(value, list | tuple) else [] if value is None else [value]
            self._text.setPlainText("\n".join(str(line) for line in lines))
            self._text.document().setModified(False)
        self._text.setPlaceholderText("\n".join(below or ()))

    def _finish(self) -> None:
        document = self._text.document()
        if document.isModified():
            document.setModified(False)
            self.commit([line.strip() for line in self._text.toPlainText().splitlines() if line.strip()] or None)

    def _choose_path(self) -> None:
        dialog = QFileDialog(self.window(), self.add.text())
        wants_file = self.key.name == "extensions"
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile if wants_file else QFileDialog.FileMode.Directory)
        if wants_file:
            dialog.setNameFilter(self.tr("Python files (*.py)"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.add_line)
        open_next_turn(dialog)

    def add_line(self, text: str) -> None:
        """Add one line and commit."""
        lines = [*self._text.toPlainText().splitlines(), text]
        self._text.setPlainText("\n".join(line for line in lines if line.strip()))
        self._text.document().setModified(True)
        self._finish()


class _Line(QLineEdit):
    """Signal: `taken_back` when Escape was pressed with text that is not committed."""

    taken_back = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.isModified():
            self.taken_back.emit()
        else:
            super().keyPressEvent(event)


class _Lines(QPlainTextEdit):
    """Signal: `left` when the keyboard goes elsewhere."""

    left = Signal()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


def make_editor(key: SettingKey, parent: QWidget | None = None) -> SettingEditor:
    """Return the field that fits the schema of `key`."""
    if key.name not in _schemas:
        _schemas[key.name] = key.adapter.json_schema()
    schema = _schemas[key.name]
    shapes = [shape for shape in schema.get("anyOf", [schema]) if shape.get("type") != "null"]
    may_be_auto = any(shape.get("const") == "auto" for shape in shapes)
    shape = next(shape for shape in shapes if shape.get("const") != "auto")
    choices: list[Any] = ["auto"] if may_be_auto else []
    if shape["type"] == "boolean":
        return ChoiceEditor(key, [*choices, True, False], parent) if may_be_auto else FlagEditor(key, parent)
    if "enum" in shape:
        return ChoiceEditor(key, [*choices, *shape["enum"]], parent)
    if shape["type"] in ("integer", "number"):
        return NumberEditor(key, may_be_auto=may_be_auto, parent=parent)
    return ListEditor(key, parent) if shape["type"] == "array" else TextEditor(key, parent)


def _only_child(editor: QWidget, child: QWidget) -> None:
    row = QHBoxLayout(editor)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(child)
    row.addStretch(1)
