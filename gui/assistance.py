"""Settings, command palette, shortcuts and help of the window: their actions, and the dialogs when they are wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from gui.icons import icon
from gui.preload import DIALOG_LIBRARIES, DIALOG_MODULES, Preload
from gui.shortcuts import Shortcuts
from gui.turns import open_next_turn

WARM_UP_DELAY_MS = 2000  # after the session's own modules; a session that is being opened comes first

if TYPE_CHECKING:
    from gui.command_palette import CommandPalette
    from gui.help import HelpDialog
    from gui.main_window import MainWindow
    from gui.settings_dialog.dialog import OpenSession, SettingsDialog


class Assistance(QObject):
    """Signals: `settings_changed` when a setting was written; `filter_setting_changed` when it was the tree's filter;
    `theme_chosen` (name, "" for the system's).
    """

    settings_changed = Signal()
    filter_setting_changed = Signal()
    theme_chosen = Signal(str)

    def __init__(self, window: MainWindow, settings: QSettings) -> None:
        super().__init__(window)
        self._window = window
        self._settings = settings
        self._wanted_page: str | None = None
        self.shortcuts = Shortcuts(window, settings)
        self.settings_dialog: SettingsDialog | None = None
        self.help_dialog: HelpDialog | None = None
        self.palette: CommandPalette | None = None
        self.settings_action = self._action("open_settings", self.tr("Se&ttings…"), ["Ctrl+,"], self.open_settings)
        self.settings_action.setIcon(icon("setting"))
        self.settings_action.setMenuRole(QAction.MenuRole.PreferencesRole)
        self.palette_action = self._action(
            "open_palette", self.tr("&Command palette…"), ["Ctrl+Shift+P"], self.open_palette
        )
        self.help_action = self._action("open_help", self.tr("&Help and keys"), ["F1", "?"], self.open_help)
        self.shortcuts_action = self._action(
            "open_shortcuts", self.tr("Change &shortcuts…"), [], lambda: self.open_settings("shortcuts")
        )
        self.preload = Preload(DIALOG_LIBRARIES, DIALOG_MODULES, self)
        self.preload.finished.connect(self._open_wanted)
        self._warm_up = QTimer(self)
        self._warm_up.setSingleShot(True)
        self._warm_up.setInterval(WARM_UP_DELAY_MS)
        self._warm_up.timeout.connect(self.preload.start)
        window.preload.finished.connect(self._warm_up_soon)

    def fill_menu(self, menu: QMenu) -> None:
        """Add the actions to the help menu."""
        menu.addActions([self.palette_action, self.help_action])
        menu.addSeparator()
        menu.addActions([self.shortcuts_action, self.settings_action])

    def open_settings(self, page: str = "") -> None:
        """Show the settings, at a page of gui.settings_dialog.dialog.PAGE_NAMES."""
        self._wanted_page = page if isinstance(page, str) else ""
        if self.preload.is_finished:
            self._open_wanted()
        elif self._window.preload.is_finished:
            self.preload.start()
        else:  # one after the other: an import waits for another one of the same module
            self._window.preload.start()

    def open_palette(self) -> None:
        """Show the command palette."""
        from gui.command_palette import CommandPalette

        if self.palette is None:
            self.palette = CommandPalette(self._window, self.shortcuts, self._settings)
        self.palette.open()

    def open_help(self) -> None:
        """Show the help page."""
        from gui.help import HelpDialog

        if self.help_dialog is not None:
            self.help_dialog.activateWindow()
            return
        dialog = self.help_dialog = HelpDialog(self._window, self.shortcuts)
        dialog.shortcuts_wanted.connect(lambda: self.open_settings("shortcuts"))
        dialog.finished.connect(self._forget_help)
        open_next_turn(dialog)

    def close(self) -> None:
        """Close the dialogs, so that nothing of them goes on working."""
        self._warm_up.stop()
        self.preload.close()
        for dialog in (self.settings_dialog, self.help_dialog):
            if dialog is not None:
                dialog.reject()

    def _warm_up_soon(self) -> None:
        if self._wanted_page is None:
            self._warm_up.start()
        else:
            self.preload.start()

    def _open_wanted(self) -> None:
        page, self._wanted_page = self._wanted_page, None
        if page is None:
            return
        from gui.settings_dialog.dialog import SettingsDialog

        if self.settings_dialog is None:
            theme = str(self._settings.value("theme", ""))
            dialog = SettingsDialog(self._window, self.shortcuts, session=self._session(), theme=theme, page=page)
            dialog.settings_changed.connect(self.settings_changed)
            dialog.filter_setting_changed.connect(self.filter_setting_changed)
            dialog.theme_chosen.connect(self.theme_chosen)
            dialog.finished.connect(self._forget_settings)
            self.settings_dialog = dialog
            open_next_turn(dialog, dialog.make_first_page)
        elif page:
            self.settings_dialog.show_page(page)

    def _session(self) -> OpenSession | None:
        from gui.settings_dialog.dialog import OpenSession

        pane = self._window.pane
        store = pane.document.store if pane is not None else None
        if pane is None or store is None:
            return None
        return OpenSession(store.dialect, store.cwd, store.session_id, pane.session_name() or pane.document.path.name)

    def _action(self, name: str, text: str, keys: list[str], act: object) -> QAction:
        action = QAction(text, self._window)
        action.setObjectName(name)
        action.setShortcuts([QKeySequence(each) for each in keys])
        action.triggered.connect(act)
        return action

    def _forget_settings(self, *_: object) -> None:
        self.settings_dialog = None

    def _forget_help(self, *_: object) -> None:
        self.help_dialog = None
