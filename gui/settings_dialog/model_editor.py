"""The field for the model's id: typed, or chosen from the list that the endpoint offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QHBoxLayout, QPushButton, QWidget

from gui.number_text import short_count
from gui.settings_dialog.editors import SettingEditor
from model.settings_levels import SettingKey
from services.endpoints.exchange import ModelInfo

MOST_SHOWN = 14


class ModelEditor(SettingEditor):
    """Signal: `list_wanted` when the endpoint should be asked what it offers."""

    list_wanted = Signal()

    def __init__(self, key: SettingKey, parent: QWidget | None = None) -> None:
        super().__init__(key, parent)
        self._original = ""
        self._offers: dict[str, ModelInfo] = {}
        self.combo = QComboBox()
        self.combo.setEditable(True)
        self.combo.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.combo.setMaxVisibleItems(MOST_SHOWN)
        self.combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.combo.setMinimumContentsLength(10)  # it grows with its room
        completer = self.combo.completer()
        assert completer is not None
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        line = self.combo.lineEdit()
        assert line is not None
        self._line = line
        self._line.setPlaceholderText(self.tr("model id"))
        self.combo.activated.connect(self._finish)
        self._line.editingFinished.connect(self._finish)
        self.ask = QPushButton(self.tr("Get the list"))
        self.ask.setAutoDefault(False)
        self.ask.setToolTip(self.tr("Ask the server which models it offers"))
        self.ask.clicked.connect(self.list_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.combo, 1)
        row.addWidget(self.ask)

    def field(self) -> QWidget:
        return self.combo

    def offer(self, models: Sequence[ModelInfo]) -> None:
        """Offer `models` in the list; the text stays."""
        self._offers = {model.id: model for model in models}
        text = self._line.text()
        with QSignalBlocker(self.combo):
            self.combo.clear()
            for model in models:
                self.combo.addItem(model.id)
                self.combo.setItemData(self.combo.count() - 1, _about(model), Qt.ItemDataRole.ToolTipRole)
            self.combo.setCurrentIndex(self.combo.findText(text))
            self._line.setText(text)

    def info(self, model_id: str) -> ModelInfo | None:
        """Return what the endpoint's list says about a model, None when it is not listed."""
        return self._offers.get(model_id)

    def show_value(self, value: Any, below: Any, below_effective: Any) -> None:
        shown = below if value is None else value
        self._original = "" if shown is None else str(shown)
        if not self._line.hasFocus() or not self._line.isModified():
            with QSignalBlocker(self.combo):
                self.combo.setCurrentIndex(self.combo.findText(self._original))
                self._line.setText(self._original)

    def _finish(self, *_: object) -> None:
        text = self._line.text().strip()
        self._line.setModified(False)
        if text != self._original:
            self._original = text
            self.commit(text or None)


def _about(model: ModelInfo) -> str:
    parts = [model.name] if model.name and model.name != model.id else []
    if model.context_window:
        parts.append(f"{short_count(model.context_window)}")
    return " · ".join(parts)
