"""The menu of languages: each under its own name, so that it is found again from any other."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from gui.translation import languages, own_name


class LanguageMenu(QObject):
    """Adds itself to a menu; the choice is kept in `settings` under "language" ("": the system's).

    Signal: `said` (sentence) when another language was chosen.
    """

    said = Signal(str)

    def __init__(self, parent: QMenu, settings: QSettings) -> None:
        super().__init__(parent)
        self._settings = settings
        menu = parent.addMenu(self.tr("Lan&guage"))
        group = QActionGroup(self)
        chosen = str(settings.value("language", ""))
        names = {"": self.tr("As the s&ystem")} | {code: own_name(code) for code in languages()}
        for code, name in names.items():
            action = menu.addAction(name)
            action.setObjectName(f"language_{code or 'system'}")
            action.setCheckable(True)
            action.setChecked(code == chosen)
            action.triggered.connect(lambda _checked, code=code: self._choose(code))
            group.addAction(action)

    def _choose(self, code: str) -> None:
        self._settings.setValue("language", code)
        self.said.emit(self.tr("Branchwork speaks this language from the next start on."))
