"""The window's actions for getting about in the session in front: searching, jumping, and what the tree shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QPoint, QSettings, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolBar, QWidget

from gui.icons import icon
from gui.tree_choices import TreeChoices

if TYPE_CHECKING:
    from gui.main_window import MainWindow
    from gui.session_pane import SessionPane

translate = QCoreApplication.translate

Act = Callable[["SessionPane"], object]


class GoingAbout(QObject):
    """Makes the `actions` and puts them into menus and tool bar."""

    def __init__(self, window: MainWindow, settings: QSettings) -> None:
        super().__init__(window)
        self._window = window
        self._settings = settings
        self.actions: list[QAction] = []
        add = self._action
        self.find = add("find", self.tr("&Find…"), ["Ctrl+F"], lambda pane: pane.open_search(), "search")
        self.next_match = add("next_match", self.tr("Next &match"), ["F3"], lambda pane: pane.search.step(1), "down")
        self.previous_match = add(
            "previous_match", self.tr("Previous m&atch"), ["Shift+F3"], lambda pane: pane.search.step(-1), "up"
        )
        self.to_id = add("go_to_id", self.tr("Go to an &id…"), ["Ctrl+J"], lambda pane: pane.ask_for_id())
        self.back = add("back", self.tr("&Back"), ["Alt+Left"], lambda pane: pane.jumps.back(), "back")
        self.forward = add("forward", self.tr("F&orward"), ["Alt+Right"], lambda pane: pane.jumps.forward(), "forward")
        self.leaf = add("go_to_leaf", self.tr("Go to the &leaf"), ["Ctrl+L"], lambda pane: pane.jumps.to_leaf(), "leaf")
        self.parent_entry = add(
            "go_to_parent", self.tr("&Parent entry"), ["Alt+Up"], lambda pane: pane.jumps.to_parent()
        )
        self.child = add("go_to_child", self.tr("&Child entry"), ["Alt+Down"], lambda pane: pane.jumps.to_child())
        self.next_branch = add(
            "go_to_next_branch",
            self.tr("Next &sibling branch"),
            ["Alt+Shift+Right"],
            lambda pane: pane.jumps.to_next_branch(),
        )
        self.previous_branch = add(
            "go_to_previous_branch",
            self.tr("Previous siblin&g branch"),
            ["Alt+Shift+Left"],
            lambda pane: pane.jumps.to_previous_branch(),
        )
        self.next_fork = add(
            "go_to_next_fork", self.tr("&Next branch point"), ["Alt+Shift+Down"], lambda pane: pane.jumps.to_next_fork()
        )
        self.previous_fork = add(
            "go_to_previous_fork",
            self.tr("P&revious branch point"),
            ["Alt+Shift+Up"],
            lambda pane: pane.jumps.to_previous_fork(),
        )
        self.next_label = add(
            "go_to_next_label", self.tr("Next labelled &entry"), ["F4"], lambda pane: pane.jumps.to_next_label()
        )
        self.previous_label = add(
            "go_to_previous_label",
            self.tr("Previous labelle&d entry"),
            ["Shift+F4"],
            lambda pane: pane.jumps.to_previous_label(),
        )
        self.branch_points = add(
            "branch_points_only",
            self.tr("Branch &points only"),
            ["Ctrl+B"],
            lambda pane: pane.document.show_branch_points_only(self.branch_points.isChecked()),
            "branches",
        )
        self.branch_points.setCheckable(True)
        self.tree_choices = TreeChoices(self._action, self)
        self.map = add("show_map", self.tr("&Map"), ["Ctrl+M"], self._show_map, "map")
        self.map.setCheckable(True)
        self.map.setChecked(bool(settings.value("map_shown", True, bool)))
        self.inspector = add("show_inspector", self.tr("&Inspector"), ["Ctrl+I"], self._show_inspector)
        self.inspector.setCheckable(True)
        self.inspector.setChecked(bool(settings.value("inspector_shown", True, bool)))
        self.compare = add(
            "show_comparison", self.tr("Compare with the acti&ve path"), ["Ctrl+D"], lambda pane: pane.show_comparison()
        )
        self.compare_from = add(
            "compare_from_here", self.tr("Compare from &here"), ["Ctrl+Alt+D"], lambda pane: pane.compare_from_here()
        )
        self.timeline = add("show_timeline", self.tr("&Timeline"), ["Ctrl+T"], lambda pane: pane.show_timeline())
        self.take = add(
            "go_there_at_once",
            self.tr("Go there, &without questions"),
            ["Ctrl+Shift+G"],
            lambda pane: pane.take_selected(),
        )
        self.copy_id = add("copy_id", self.tr("Copy the i&d"), ["Ctrl+Shift+J"], _copy_id)

    def fill_go_menu(self, menu: QMenu) -> None:
        """Add searching and jumping to the menu."""
        menu.addActions([self.find, self.next_match, self.previous_match, self.to_id])
        menu.addSeparator()
        menu.addActions([self.back, self.forward])
        menu.addSeparator()
        menu.addActions([self.take, self.leaf, self.parent_entry, self.child, self.next_branch, self.previous_branch])
        menu.addSeparator()
        menu.addActions([self.next_fork, self.previous_fork, self.next_label, self.previous_label])

    def fill_view_menu(self, menu: QMenu) -> None:
        """Add what the tree shows to the menu."""
        menu.addAction(self.branch_points)
        self.tree_choices.fill_menu(menu)
        menu.addActions([self.map, self.inspector, self.compare, self.compare_from, self.timeline])

    def fill_tool_bar_start(self, bar: QToolBar) -> None:
        """Add the buttons that come first."""
        for action in (self.back, self.forward):
            bar.addAction(action)
            button = bar.widgetForAction(action)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)  # type: ignore[attr-defined]
            button.setAccessibleName(action.iconText())

    def fill_tool_bar_end(self, bar: QToolBar) -> None:
        """Add the search at the far end."""
        space = QWidget()
        space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        bar.addWidget(space)
        bar.addAction(self.find)
        self.find.setIconText(self.tr("Find"))

    def welcome(self, pane: SessionPane) -> None:
        """Connect a session that was opened."""
        pane.menu_wanted.connect(self.show_row_menu)
        pane.show_map(self.map.isChecked())
        pane.show_inspector(self.inspector.isChecked())

    def show_pane(self, pane: SessionPane | None) -> None:
        """Adapt to the session in front, or to none."""
        self.branch_points.setChecked(pane is not None and pane.document.branch_points_only)
        self.tree_choices.show_pane(pane)
        if pane is not None:
            if self.map.isChecked() != pane.map_shown:
                self._settings.setValue("map_shown", pane.map_shown)
            self.map.setChecked(pane.map_shown)
            if self.inspector.isChecked() != pane.inspector_shown:
                self._settings.setValue("inspector_shown", pane.inspector_shown)
            self.inspector.setChecked(pane.inspector_shown)

    def show_row_menu(self, where: QPoint) -> None:
        """Show what can be done with the selected row."""
        menu = QMenu(self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([self._window.navigate_action, self.take, self._window.label_action])
        menu.addActions([self.compare, self.compare_from])
        menu.addSeparator()
        menu.addActions([self.parent_entry, self.child, self.next_branch, self.previous_branch])
        menu.addSeparator()
        menu.addActions([self.copy_id, self._window.export_branch_action])
        menu.popup(where)

    def _show_map(self, pane: SessionPane) -> None:
        self._settings.setValue("map_shown", self.map.isChecked())
        pane.show_map(self.map.isChecked())
        if self.map.isChecked():
            pane.map_view.setFocus()

    def _show_inspector(self, pane: SessionPane) -> None:
        self._settings.setValue("inspector_shown", self.inspector.isChecked())
        pane.show_inspector(self.inspector.isChecked())
        if self.inspector.isChecked():
            pane.tabs.setFocus()

    def _action(self, name: str, text: str, keys: list[str], act: Act, icon_name: str = "") -> QAction:
        action = QAction(text, self._window)
        action.setObjectName(name)
        action.setShortcuts([QKeySequence(key) for key in keys])
        if icon_name:
            action.setIcon(icon(icon_name))

        def run() -> None:
            if (pane := self._window.pane) is not None:
                act(pane)

        action.triggered.connect(run)
        self.actions.append(action)
        return action


def _copy_id(pane: SessionPane) -> None:
    if (entry_id := pane.selected_id) is not None:
        QGuiApplication.clipboard().setText(entry_id)
        pane.said.emit(translate("GoingAbout", "Copied {0}.").format(entry_id))
