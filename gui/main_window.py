"""The window: menus, tool bar and status bar around the session that is open, or the start page.

Everything that a session needs is imported when one is opened, so that the window is there at once.
"""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSettings, QSize, Qt, QThreadPool, Signal
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeySequence,
)
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QMainWindow,
    QMenu,
    QStackedWidget,
    QToolBar,
    QToolButton,
    QWidget,
)

from gui.assistance import Assistance
from gui.command_tips import give_tips
from gui.going_about import GoingAbout
from gui.icons import icon
from gui.language_menu import LanguageMenu
from gui.library_dock import LibraryDock
from gui.preload import SESSION_LIBRARIES, SESSION_MODULES, Preload
from gui.session_tabs import SessionTabs
from gui.start_page import StartPage
from gui.status_bar import StatusBar
from gui.stop_key import StopKey
from gui.theme import THEMES, system_theme, theme_steps
from gui.turns import Turns, open_next_turn
from gui.window_memory import WindowMemory
from services.recent_files import RecentFiles
from services.right_of_way import WINDOW

if TYPE_CHECKING:
    from gui.session_pane import SessionPane
    from model.tree_filters import FilterMode

FIRST_SIZE = (1280, 820)
MESSAGE_MS = 8000
RECENT_WIDTH = 80  # characters of a path in the menu of recent sessions


class MainWindow(QMainWindow):
    """Shows the open sessions in tabs, one in front.

    Signals: `session_shown` when rows were laid out; `session_ready` when the complete session is there;
    `session_failed` (sentence) when it cannot be read.
    """

    session_shown = Signal()
    session_ready = Signal()
    session_failed = Signal(str)

    def __init__(self, settings: QSettings, recent: RecentFiles, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._recent = recent
        self._wanted: list[tuple[Path, str | None]] = []
        self.preload = Preload(SESSION_LIBRARIES, SESSION_MODULES, self)
        self.preload.finished.connect(self._open_wanted)
        self.setWindowTitle("Branchwork")
        self.setAcceptDrops(True)
        self.start_page = StartPage()
        self.stack = QStackedWidget()
        self.stack.addWidget(self.start_page)
        self.sessions = SessionTabs()
        self.sessions.pane_opened.connect(self._welcome)
        self.sessions.pane_changed.connect(self._show_pane)
        self.stack.addWidget(self.sessions)
        self._theming = Turns((), self)
        self._stop_key = StopKey(self._is_running, self.stop, self)
        self.setCentralWidget(self.stack)
        self.status = StatusBar()
        self.setStatusBar(self.status)
        self._make_library()
        self._session_actions: list[QAction] = []
        self.assistance = Assistance(self, settings)
        self.assistance.settings_changed.connect(self._take_settings)
        self.assistance.filter_setting_changed.connect(self._follow_filter_setting)
        self.assistance.theme_chosen.connect(lambda name: self._theme_actions[name].trigger())
        self._make_actions()
        self._make_menus()
        self._make_tool_bar()
        self.start_page.open_wanted.connect(self.choose_file)
        self.start_page.demo_wanted.connect(self.open_demo)
        self.start_page.recent_chosen.connect(lambda path: self.open_file(Path(path)))
        self.status.stop_wanted.connect(self.stop)
        self.status.problems_wanted.connect(self._show_problems)
        self.start_page.show_recent(recent.paths())
        self._set_session_actions(False)
        self._memory = WindowMemory(self, settings)
        self._memory.restore(QSize(*FIRST_SIZE), self.stack)
        give_tips(self)
        self.assistance.shortcuts.adopt()

    @property
    def pane(self) -> SessionPane | None:
        """The session in front."""
        return self.sessions.current_pane()

    # Opening and closing

    def choose_file(self) -> None:
        """Ask for a session file and open it."""
        dialog = QFileDialog(self, self.tr("Open a session"))
        dialog.setNameFilters([self.tr("Sessions (*.jsonl)"), self.tr("All files (*)")])
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        if self.pane is not None:
            dialog.setDirectory(str(self.pane.document.path.parent))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda path: self.open_file(Path(path)))
        open_next_turn(dialog)

    def open_file(self, path: Path, entry_id: str | None = None) -> None:
        """Open a session file in a tab, or show the tab where it is open, and select an entry in it."""
        self._wanted.append((path.absolute(), entry_id))
        if self.preload.is_finished:
            self._open_wanted()
        else:  # in the first half second: it opens as soon as the modules are in
            self.say(self.tr("Opening {0}…").format(path.name))
            self.preload.start()

    def _open_wanted(self) -> None:
        wanted, self._wanted = self._wanted, []
        for path, entry_id in wanted:
            self.sessions.open_path(path, entry_id)

    def _welcome(self, pane: SessionPane) -> None:
        """Connect a session that was opened."""
        path = pane.document.path
        pane.said.connect(self.say)
        pane.filter_wanted.connect(self.set_filter)
        pane.settings_wanted.connect(self.assistance.open_settings)
        pane.open_wanted.connect(self.open_file)
        self.going.welcome(pane)
        pane.entry_form = str(self._settings.value("entry_form", ""))
        pane.entry_form_chosen.connect(lambda form: self._settings.setValue("entry_form", form))
        pane.state_changed.connect(self._show_state)
        pane.runner.started.connect(partial(self._forget_message, pane))
        pane.runner.started.connect(self._follow_runs)
        pane.runner.ticked.connect(lambda _seconds: self._show_job())
        pane.runner.stopping.connect(self._show_job)
        pane.runner.ended.connect(self._follow_runs)
        pane.document.reading_changed.connect(self._follow_runs)
        pane.document.laid_out.connect(self.session_shown)
        pane.document.ready.connect(lambda: QThreadPool.globalInstance().start(lambda: self._recent.add(path)))
        pane.document.ready.connect(self.status.clearMessage)
        pane.document.ready.connect(self.session_ready)
        pane.document.failed.connect(self.status.clearMessage)
        pane.document.failed.connect(self.session_failed)
        pane.document.filter_mode = self._filter_mode()
        pane.follows_filter_setting = self._settings.value("filter") is None

    def open_demo(self) -> None:
        """Open a copy of the bundled session in a temporary folder."""
        from services.demo import demo_session

        self.open_file(demo_session())

    def close_session(self) -> None:
        """Close the session in front; running work is stopped, nothing is lost."""
        if (pane := self.pane) is not None:
            self.sessions.close_pane(pane)

    def stop(self) -> None:
        """Stop the running work, or the reading of a file: of the session in front, else of any other."""
        running = [pane for pane in self.sessions.panes() if pane.runner.is_running or pane.document.is_reading]
        if running:
            pane = self.pane if self.pane is not None and self.pane in running else running[0]
            pane.document.stop_loading()
            pane.runner.stop()

    def say(self, sentence: str) -> None:
        """Say in the status bar what happened."""
        self.status.showMessage(sentence, MESSAGE_MS)

    # Qt

    def event(self, event: QEvent) -> bool:
        with WINDOW:  # all painting and laying out of what it contains is done within
            return super().event(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.assistance.close()
        self._wanted = []
        self.sessions.close_all()
        self.library.close_library()
        self.preload.close()
        self._memory.close()
        super().closeEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = next((url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()), None)
        if path is not None:
            event.acceptProposedAction()
            self.open_file(Path(path))

    # Inside

    def _action(
        self,
        text: str,
        shortcut: str | QKeySequence.StandardKey,
        act: object,
        icon_name: str = "",
        name: str = "",
    ) -> QAction:
        action = QAction(text, self)
        action.setObjectName(name or getattr(act, "__name__", ""))  # its id, for shortcuts and the command palette
        if shortcut:
            action.setShortcut(QKeySequence(shortcut))
        if icon_name:
            action.setIcon(icon(icon_name))
        action.triggered.connect(act)
        return action

    def _session_action(self, text: str, shortcut: str, act: str, icon_name: str = "") -> QAction:
        """An action that calls method `act` of the open session, or of a part of it."""

        def run() -> None:
            if self.pane is not None:
                attrgetter(act)(self.pane)()

        action = self._action(text, shortcut, run, icon_name, name=act.rpartition(".")[2])
        self._session_actions.append(action)
        return action

    def _make_actions(self) -> None:
        self.open_action = self._action(self.tr("&Open…"), QKeySequence.StandardKey.Open, self.choose_file, "open")
        self.demo_action = self._action(self.tr("Open the &demo"), "", self.open_demo)
        self.close_action = self._action(self.tr("&Close session"), QKeySequence.StandardKey.Close, self.close_session)
        self.quit_action = self._action(self.tr("&Quit"), QKeySequence.StandardKey.Quit, self.close, name="quit")
        self._session_actions.append(self.close_action)
        self.library_action = self.library.toggleViewAction()
        self.library_action.setObjectName("show_library")
        self.library_action.setText(self.tr("&Library"))
        self.library_action.setShortcut(QKeySequence("Ctrl+Shift+L"))
        self.search_library_action = self._action(
            self.tr("Search &all sessions"), "Ctrl+Shift+F", self.library.search, "search", name="search_library"
        )
        self.library.filled.connect(self.assistance.shortcuts.adopt)
        self.assistance.settings_changed.connect(self.library.refresh)
        self.going = GoingAbout(self, self._settings)
        self._session_actions += self.going.actions
        self.navigate_action = self._session_action(
            self.tr("&Navigate to the selected entry…"), "Ctrl+G", "navigate_to_selected", "branches"
        )
        self.compact_action = self._session_action(self.tr("&Compact…"), "Ctrl+K", "show_compaction", "compaction")
        self.label_action = self._session_action(
            self.tr("&Label the selected entry…"), "F2", "edits.ask_for_label", "label"
        )
        self.name_action = self._session_action(self.tr("Na&me…"), "Ctrl+Shift+N", "edits.ask_for_name", "edit")
        self.resume_action = self._session_action(self.tr("Set as &resume point"), "", "edits.set_resume_point")
        self.prune_action = self._session_action(self.tr("&Prune tool outputs…"), "Ctrl+Shift+K", "preview_pruning")
        self.save_copy_action = self._session_action(self.tr("&Save a copy…"), "Ctrl+Shift+S", "save_copy")
        self.export_action = self._session_action(self.tr("&Export…"), "Ctrl+E", "export_session")
        self.export_branch_action = self._session_action(
            self.tr("E&xport this branch…"), "Ctrl+Shift+X", "export_branch"
        )
        self.log_action = self._session_action(self.tr("&Event log"), "Ctrl+Alt+E", "show_event_log")
        self.stop_action = self._action(self.tr("S&top what is running"), "", self.stop, "stop")
        self._session_actions.append(self.stop_action)

    def _make_library(self) -> None:
        self.library = LibraryDock(self._settings, self)
        areas = Qt.DockWidgetArea
        starts_left = self.layoutDirection() == Qt.LayoutDirection.LeftToRight
        self.addDockWidget(areas.LeftDockWidgetArea if starts_left else areas.RightDockWidgetArea, self.library)
        self.library.open_wanted.connect(self.open_file)
        self.library.said.connect(self.say)
        self.library.rename_open = self.sessions.rename
        self.sessions.pane_changed.connect(self._show_in_library)
        self.sessions.pane_closed.connect(self._show_in_library)

    def _show_in_library(self) -> None:
        paths = [pane.document.path for pane in self.sessions.panes()]
        self.library.show_open(paths, self.pane.document.path if self.pane is not None else None)

    def _make_menus(self) -> None:
        bar = self.menuBar()
        file_menu = bar.addMenu(self.tr("&File"))
        file_menu.addAction(self.open_action)
        self._recent_menu = file_menu.addMenu(self.tr("Open &recent"))
        self._recent_menu.aboutToShow.connect(self._fill_recent_menu)
        file_menu.addAction(self.demo_action)
        file_menu.addSeparator()
        file_menu.addActions([self.save_copy_action, self.export_action, self.export_branch_action])
        file_menu.addSeparator()
        file_menu.addAction(self.assistance.settings_action)
        file_menu.addSeparator()
        file_menu.addAction(self.close_action)
        file_menu.addAction(self.quit_action)
        self.going.fill_go_menu(bar.addMenu(self.tr("&Go")))
        view_menu = bar.addMenu(self.tr("&View"))
        self._filter_menu = view_menu.addMenu(icon("filter"), self.tr("&Filter"))
        self._make_filter_actions()
        self.going.fill_view_menu(view_menu)
        view_menu.addSeparator()
        view_menu.addActions([self.library_action, self.search_library_action])
        view_menu.addSeparator()
        self._make_theme_actions(view_menu.addMenu(self.tr("&Colours")))
        LanguageMenu(view_menu, self._settings).said.connect(self.say)
        session_menu = bar.addMenu(self.tr("&Session"))
        session_menu.addActions([self.navigate_action, self.compact_action, self.prune_action])
        session_menu.addSeparator()
        session_menu.addActions([self.label_action, self.name_action, self.resume_action, self.going.copy_id])
        session_menu.addSeparator()
        session_menu.addActions([self.log_action, self.stop_action])
        self.assistance.fill_menu(bar.addMenu(self.tr("&Help")))

    def _make_filter_actions(self) -> None:
        names: dict[FilterMode, str] = {
            "default": self.tr("&Default: hide settings and labels"),
            "no-tools": self.tr("No &tools"),
            "user-only": self.tr("&User messages only"),
            "labeled-only": self.tr("&Labelled only"),
            "all": self.tr("&All entries"),
        }
        group = QActionGroup(self)
        self._filter_actions: dict[FilterMode, QAction] = {}
        for number, (mode, name) in enumerate(names.items(), start=1):
            choose = partial(self.set_filter, mode)
            action = self._action(name, f"Ctrl+{number}", lambda _on, choose=choose: choose(), name=f"filter_{mode}")
            action.setCheckable(True)
            group.addAction(action)
            self._filter_menu.addAction(action)
            self._filter_actions[mode] = action
        remembered = self._settings.value("filter")
        self._filter_actions[remembered if remembered in names else "default"].setChecked(True)

    def _make_theme_actions(self, menu: QMenu) -> None:
        names = {"light": self.tr("&Light"), "dark": self.tr("&Dark"), "contrast": self.tr("&High contrast")}
        group = QActionGroup(self)
        chosen = self._settings.value("theme", "")
        system = self._action(self.tr("As the &system"), "", lambda: self._set_theme(""), name="theme_system")
        system.setCheckable(True)
        system.setChecked(not chosen)
        self._theme_actions = {"": system}
        group.addAction(system)
        menu.addAction(system)
        for theme, name in names.items():
            action = self._action(name, "", lambda _checked, theme=theme: self._set_theme(theme), name=f"theme_{theme}")
            action.setCheckable(True)
            action.setChecked(chosen == theme)
            self._theme_actions[theme] = action
            group.addAction(action)
            menu.addAction(action)
        if (hints := QGuiApplication.styleHints()) is not None:
            hints.colorSchemeChanged.connect(self._follow_desktop)

    def _make_tool_bar(self) -> None:
        bar = QToolBar(self.tr("Tools"))
        bar.setObjectName("tools")
        bar.setMovable(False)
        side = self.fontMetrics().height()
        bar.setIconSize(QSize(side, side))
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.addToolBar(bar)
        self.going.fill_tool_bar_start(bar)
        bar.addAction(self.open_action)
        self._filter_button = QToolButton()
        self._filter_button.setIcon(icon("filter"))
        self._filter_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._filter_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._filter_button.setMenu(self._filter_menu)
        bar.addWidget(self._filter_button)
        for action in (self.going.branch_points, self.going.leaf, self.navigate_action, self.compact_action):
            bar.addAction(action)
        self.going.fill_tool_bar_end(bar)
        short = {self.going.leaf: self.tr("Go to leaf"), self.navigate_action: self.tr("Navigate…")}
        for action, text in short.items():
            action.setIconText(text)
        self._show_filter()
        if (more := bar.findChild(QToolButton, "qt_toolbar_ext_button")) is not None:
            more.setIconSize(QSize(side * 3 // 4, side * 3 // 4))

    def set_filter(self, mode: FilterMode) -> None:
        """Show what filter `mode` lets through, and remember it for other sessions."""
        self._filter_actions[mode].setChecked(True)
        self._settings.setValue("filter", mode)
        self._show_filter()
        if self.pane is not None:
            self.pane.follows_filter_setting = False
            self.pane.document.set_filter(mode)

    def _filter_mode(self) -> FilterMode:
        return next(mode for mode, action in self._filter_actions.items() if action.isChecked())

    def _show_filter(self) -> None:
        short = {
            "default": self.tr("Default filter"),
            "no-tools": self.tr("No tools"),
            "user-only": self.tr("User only"),
            "labeled-only": self.tr("Labelled only"),
            "all": self.tr("All entries"),
        }
        self._filter_button.setText(f"{short[self._filter_mode()]} ▾")

    def _follow_desktop(self, *_: object) -> None:
        if self.isVisible() and not self._settings.value("theme", ""):  # not any more once it is closed
            self._set_theme("")

    def _set_theme(self, name: str) -> None:
        self._settings.setValue("theme", name)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            theme = next((each for key, each in THEMES.items() if key == name), system_theme())
            self._theming.stop()
            self._theming = Turns(theme_steps(application, theme), self)
            self._theming.start()

    def _fill_recent_menu(self) -> None:
        self._recent_menu.clear()
        metrics = self._recent_menu.fontMetrics()
        room = metrics.averageCharWidth() * RECENT_WIDTH
        for path in self._recent.paths():
            shown = metrics.elidedText(str(path), Qt.TextElideMode.ElideMiddle, room)
            action = self._recent_menu.addAction(shown.replace("&", "&&"))
            action.triggered.connect(lambda _checked=False, path=path: self.open_file(path))
        if self._recent_menu.isEmpty():
            self._recent_menu.addAction(self.tr("None yet")).setEnabled(False)

    def _set_session_actions(self, enabled: bool) -> None:
        for action in self._session_actions:
            action.setEnabled(enabled)
        self.close_action.setEnabled(self.pane is not None)

    def _show_pane(self) -> None:
        """Adapt to the session in front, or to none."""
        pane = self.pane
        self.stack.setCurrentWidget(self.start_page if pane is None else self.sessions)
        self._set_session_actions(pane is not None and pane.takes_commands)
        self.going.show_pane(pane)
        self.status.clear_session()
        self._show_job()
        if pane is None:
            self.setWindowTitle("Branchwork")
            self.setWindowFilePath("")
            self.start_page.show_recent(self._recent.paths())
        else:
            self._filter_actions[pane.document.filter_mode].setChecked(True)
            self._show_filter()
            self._show_state()

    def _is_running(self) -> bool:
        return any(pane.runner.is_running or pane.document.is_reading for pane in self.sessions.panes())

    def _follow_runs(self, *_: object) -> None:
        self._stop_key.watch()
        self._show_job()

    def _forget_message(self, pane: SessionPane, *_: object) -> None:
        """What was said before a run must not stand beside it."""
        if pane is self.pane:
            self.status.clearMessage()

    def _show_job(self) -> None:
        """Show the work of the session in front in the status bar."""
        runner = None if self.pane is None else self.pane.runner
        if runner is None or not runner.is_running:
            self.status.show_job("")
        elif runner.is_stopping:
            self.status.show_job(self.tr("Stopping"))
        else:
            self.status.show_job(runner.title, runner.elapsed_s)

    def _follow_filter_setting(self) -> None:
        self._settings.remove("filter")
        for pane in self.sessions.panes():
            pane.follows_filter_setting = True

    def _take_settings(self) -> None:
        """Settings were changed: what is shown may be another thing now."""
        for pane in self.sessions.panes():
            pane.take_settings()

    def _show_problems(self) -> None:
        if self.pane is not None:
            self.pane.show_problems()

    def _show_state(self) -> None:
        if (pane := self.pane) is None:
            return
        self._set_session_actions(pane.takes_commands)
        pane.show_state(self.status)
        self.going.show_pane(pane)
        self._filter_actions[pane.document.filter_mode].setChecked(True)
        self._show_filter()
        path = pane.document.path
        self.setWindowTitle(f"{pane.session_name() or path.name} — Branchwork")
        self.setWindowFilePath(str(path))
