"""The page *Tree and colours*: how the window looks, and which rows it shows at first."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.choice_box import ChoiceBox
from gui.fuzzy import folded
from gui.settings_dialog.page import Section, SettingsPage
from gui.settings_dialog.setting_row import titled_row


class TreePage(SettingsPage):
    """Signal: `theme_chosen` (name, "" for the system's)."""

    theme_chosen = Signal(str)

    def __init__(self, theme: str, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Tree and colours"), "", [], parent)
        self.theme = ChoiceBox()
        for name, text in (
            ("", self.tr("As the system")),
            ("light", self.tr("Light")),
            ("dark", self.tr("Dark")),
            ("contrast", self.tr("High contrast")),
        ):
            self.theme.addItem(text, name)
        self.theme.setCurrentIndex(max(0, self.theme.findData(theme)))
        self.theme.activated.connect(lambda number: self.theme_chosen.emit(self.theme.itemData(number)))
        self._theme_box = QWidget()
        choice = QHBoxLayout()
        choice.addWidget(self.theme)
        choice.addStretch(1)
        titled_row(self.tr("Colours"), self.tr("Of all windows, at once."), self.theme, self._theme_box, [choice])
        self.column.addWidget(self._theme_box)
        self.add_section(Section("", ("treeFilterMode",)))
        self.end()

    def keep_matching(self, words: str) -> int:
        text = folded(" ".join([self.tr("Colours"), self.tr("Light"), self.tr("Dark"), self.tr("High contrast")]))
        matches = all(word in text for word in words.split())
        self._theme_box.setVisible(matches)
        return super().keep_matching(words) + matches
