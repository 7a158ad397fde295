"""All of the window by keyboard alone: every action, every control of every dialog, and where the keyboard is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QButtonGroup,
    QComboBox,
    QDialog,
    QMenu,
    QRadioButton,
    QTabBar,
    QWidget,
)

from gui.main_window import MainWindow
from gui.shortcuts import is_command, menu_actions, plain_text
from gui.theme import LIGHT, apply_theme
from tests.gui.colors import SCALE, picture
from tests.gui.scenes import Stage, pump, wait_until

MOST_STEPS = 300
DIALOGS = (
    "help", "label", "name", "go to id", "event log", "prune", "review", "secrets", "writer", "writer with text",
    "export", "export with secrets", "export taken name", "exported", "branches", "link", "settings untrusted",
    "settings consent",
    "settings summaries", "settings tree", "settings shortcuts", "settings all",
)  # fmt: skip


@pytest.fixture(scope="module")
def stage(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("home")
        patch.setenv("BRANCHWORK_HOME", str(home / "branchwork"))
        patch.setenv("HOME", str(home))
        apply_theme(qapp, LIGHT)
        made = Stage(tmp_path_factory.mktemp("stage"), size=(1280, 860))
        yield made
        made.close()


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press a key where the keyboard is, as a person does."""
    target = QApplication.activePopupWidget() or QApplication.focusWidget() or QApplication.activeWindow()
    assert target is not None
    QTest.keyClick(target, key, modifiers)
    pump()


# --- Every action ----------------------------------------------------------------------------------------------------


def all_actions(window: MainWindow) -> list[QAction]:
    """Everything that can be done: in menus, tool bars, the menus of rows, and by keys only. One for each id."""
    found: dict[str, QAction] = {}
    for action in window.findChildren(QAction):
        if is_command(action):
            found.setdefault(action.objectName(), action)
    in_menus = [action for _place, action in menu_actions(window)]
    return list({action.objectName(): action for action in [*found.values(), *in_menus]}.values())


def menu_path(window: MainWindow, action: QAction) -> list[QAction] | None:
    """The actions of the menus around `action`, from the menu bar on, and itself; None when it is in no menu."""
    waiting = [[entry] for entry in window.menuBar().actions()]
    while waiting:
        path = waiting.pop()
        if path[-1] is action:
            return path
        menu = path[-1].menu()
        if isinstance(menu, QMenu):
            waiting += [[*path, entry] for entry in menu.actions()]
    return None


def choose(path: list[QAction]) -> None:
    """In the menu that is open: go down to each entry with the arrow keys, and press Enter on the last."""
    for depth, entry in enumerate(path, start=1):
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        for _ in range(len(menu.actions()) + 1):
            if menu.activeAction() is entry:
                break
            press(Qt.Key.Key_Down)
        assert menu.activeAction() is entry, entry.text()
        press(Qt.Key.Key_Return if depth == len(path) else Qt.Key.Key_Right)


def open_menu(window: MainWindow, title: QAction) -> None:
    """Open a menu of the menu bar by its letter."""
    letter = title.text().split("&")[1][0].upper()
    QTest.keyClick(window, getattr(Qt.Key, f"Key_{letter}"), Qt.KeyboardModifier.AltModifier)
    pump()


def open_row_menu(view: QAbstractItemView) -> QMenu | None:
    """Open the menu of the row that has the keyboard, as the menu key does."""
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), view.mapToGlobal(QPoint()))
    QApplication.sendEvent(view, event)
    pump()
    menu = QApplication.activePopupWidget()
    return menu if isinstance(menu, QMenu) else None


def test_every_action_is_done_by_keys(qapp: QApplication, tmp_path: Path) -> None:
    """By its shortcut where it has one, else by the keys of the menus; no key does anything else besides."""
    stage = Stage(tmp_path)
    try:
        stage.show("library")
        check_every_action(stage.window)
    finally:
        stage.close()


def check_every_action(window: MainWindow) -> None:
    actions = all_actions(window)
    assert len(actions) > 40
    done: list[str] = []
    for action in actions:
        action.triggered.disconnect()
        action.triggered.connect(lambda *_, action=action: done.append(action.objectName()))
        action.setEnabled(True)
    views = {"library": window.library.pane.view, "": window.pane.tree}  # type: ignore[union-attr]
    unreached: dict[str, list[str]] = {}
    for action in actions:
        done.clear()
        name = action.objectName()
        view = views["library" if name.startswith("library_") else ""]
        window.activateWindow()
        view.setFocus()
        assert view.hasFocus()
        action.setEnabled(True)
        if action.shortcuts():
            QTest.keySequence(view, action.shortcuts()[0])
            pump()
        elif (path := menu_path(window, action)) is not None:
            open_menu(window, path[0])
            choose(path[1:])
        elif (menu := open_row_menu(view)) is not None and action in menu.actions():
            choose([action])
        if done != [name]:
            unreached[f"{name} ({plain_text(action)})"] = list(done)
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
    assert unreached == {}


def focus_inside(widget: QWidget) -> None:
    """Give the keyboard to a widget, or to the first part of it that takes it."""
    for each in [widget, *widget.findChildren(QWidget)]:
        if each.isVisible() and each.focusPolicy() & Qt.FocusPolicy.TabFocus:
            each.setFocus()
            return


def test_the_menu_of_a_row_by_keys(stage: Stage) -> None:
    """Shift+F10 or the menu key, arrows, Enter: whatever stands in it is an action of the window."""
    stage.show("entry")
    pane = stage.window.pane
    assert pane is not None
    stage.window.activateWindow()
    pane.tree.setFocus()
    menu = open_row_menu(pane.tree)
    assert menu is not None
    listed = [action for action in menu.actions() if not action.isSeparator()]
    assert listed
    known = {action.objectName() for action in all_actions(stage.window)}
    assert [action.text() for action in listed if action.menu() is None and action.objectName() not in known] == []
    first = next(action for action in listed if action.isEnabled())
    press(Qt.Key.Key_Down)
    assert menu.activeAction() is first
    press(Qt.Key.Key_Escape)
    assert QApplication.activePopupWidget() is None


# --- Every dialog ----------------------------------------------------------------------------------------------------


def controls(front: QWidget) -> list[QWidget]:
    """What a person can use in a window and Tab should come to."""
    return [
        widget
        for widget in front.findChildren(QWidget)
        if widget.isVisible()
        and widget.isEnabled()
        and widget.window() is front
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        and not is_inner(widget)
    ]


def is_inner(widget: QWidget) -> bool:
    """A part that Qt makes for itself: the field in a spin or combo box, the viewport of a list."""
    parent = widget.parent()
    if isinstance(parent, QAbstractScrollArea) and widget is parent.viewport():
        return True
    return widget.objectName().startswith("qt_") or (
        isinstance(parent, QComboBox) and not isinstance(widget, QComboBox)
    )


def walk(front: QWidget, key: Qt.Key) -> list[QWidget]:
    """Press Tab (or back) until the keyboard is where it began; return where it was."""
    visited: list[QWidget] = []
    for _ in range(MOST_STEPS):
        focused = QApplication.focusWidget()
        assert focused is not None
        if focused in visited:
            break
        visited.append(focused)
        press(key)
    return visited


def stands_for(widget: QWidget, visited: list[QWidget]) -> bool:
    """Of buttons that exclude each other Tab comes to one; the arrow keys to the others."""
    if widget in visited:
        return True
    group = widget.group() if isinstance(widget, QAbstractButton) else None
    if isinstance(widget, QRadioButton) or (group is not None and group.exclusive()):
        others = group.buttons() if isinstance(group, QButtonGroup) else widget.parent().findChildren(QRadioButton)
        return any(other in visited for other in others)
    return any(widget.isAncestorOf(each) for each in visited)


def upwards(visited: list[QWidget]) -> list[str]:
    """Where Tab went to something that stands above what it came from."""
    places = [QRect(widget.mapToGlobal(QPoint()), widget.size()) for widget in visited]
    return [
        f"{named(one)} → {named(other)}"
        for one, other, before, place in zip(visited, visited[1:], places, places[1:], strict=False)
        if place.bottom() < before.top() and place.left() <= before.right() and before.left() <= place.right()
    ]


@pytest.mark.parametrize("scene", DIALOGS)
def test_tab_comes_to_every_control_and_escape_closes(stage: Stage, scene: str) -> None:
    dialog = stage.show(scene)
    assert isinstance(dialog, QDialog)
    dialog.activateWindow()
    wait_until(lambda: QApplication.focusWidget() is not None and QApplication.focusWidget().window() is dialog)
    there, back = walk(dialog, Qt.Key.Key_Tab), walk(dialog, Qt.Key.Key_Backtab)
    wanted = controls(dialog)
    assert wanted
    for visited in (there, back):
        assert [named(widget) for widget in wanted if not stands_for(widget, visited)] == []
    assert len(upwards(there)) <= 1  # from the end to the beginning
    press(Qt.Key.Key_Escape)
    wait_until(lambda: not shiboken6.isValid(dialog) or not dialog.isVisible())


@pytest.mark.parametrize("scene", ["recent", "navigate", "compaction", "compare", "library"])
def test_tab_comes_to_every_control_of_the_window(stage: Stage, scene: str) -> None:
    window = stage.show(scene)
    window.activateWindow()
    wait_until(window.isActiveWindow)
    focus_inside(window)
    wanted = controls(window)  # before the walk: what a row shows may come after Tab has gone by
    there = walk(window, Qt.Key.Key_Tab)
    there_still = [widget for widget in wanted if widget.isVisible()]  # not the button that stops what has ended
    assert [named(widget) for widget in there_still if not stands_for(widget, there)] == []
    tab = window.pane.tabs.currentWidget() if window.pane is not None else window
    assert upwards([widget for widget in there if tab.isAncestorOf(widget)]) == []


# --- Where the keyboard is -------------------------------------------------------------------------------------------


def named(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.accessibleName() or getattr(widget, 'text', str)()!r}"


def kind(widget: QWidget) -> str:
    """Controls of one kind look alike."""
    marks = [name for name in ("primary", "link", "quiet") if widget.property(name)]
    return " ".join([type(widget).__name__, *marks])


def test_the_keyboard_is_seen_on_every_kind_of_control(stage: Stage) -> None:
    seen: dict[str, str] = {}
    unseen: dict[str, str] = {}
    for scene in ("recent", "navigate", "compaction", "timeline", "compare", "context", "search", "library", *DIALOGS):
        front = stage.show(scene)
        front.activateWindow()
        for control in controls(front):
            if kind(control) in seen or control.visibleRegion().boundingRect().height() < 8:
                continue
            if changed_by_focus(front, control) > min(60, control.visibleRegion().boundingRect().width() / 2):
                seen[kind(control)] = scene
                unseen.pop(kind(control), None)
            else:
                unseen[kind(control)] = f"{scene}: {named(control)}"
    assert len(seen) > 12
    assert unseen == {}


def changed_by_focus(front: QWidget, control: QWidget) -> float:
    """How many pixels change clearly when `control` gets the keyboard: more than the cursor in a field."""
    control.setFocus(Qt.FocusReason.TabFocusReason)
    pump()
    focused = picture(front)
    control.clearFocus()
    pump()
    plain = picture(front)
    rect = QRect(control.mapTo(front, QPoint()), control.size()).adjusted(-2, -2, 2, 2) & front.rect()
    rows = slice(rect.top() * SCALE, (rect.bottom() + 1) * SCALE)
    columns = slice(rect.left() * SCALE, (rect.right() + 1) * SCALE)
    difference = np.abs(focused[rows, columns].astype(int) - plain[rows, columns].astype(int)).max(axis=2)
    return float((difference > 40).sum()) / SCALE**2


def test_a_tab_bar_shows_the_keyboard(stage: Stage) -> None:
    front = stage.show("navigate")
    front.activateWindow()
    pane = stage.window.pane
    assert pane is not None
    bar = pane.tabs.tabBar()
    assert isinstance(bar, QTabBar)
    assert changed_by_focus(front, bar) > 60
    bar.setFocus()
    before = pane.tabs.currentIndex()
    press(Qt.Key.Key_Right)
    assert pane.tabs.currentIndex() == before + 1


def test_shortcuts_are_written_as_on_the_keys(window: MainWindow) -> None:
    """No action has a key that cannot be typed on this platform."""
    for action in window.findChildren(QAction):
        for sequence in action.shortcuts():
            assert sequence.toString(QKeySequence.SequenceFormat.NativeText), action.objectName()
