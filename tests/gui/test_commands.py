"""Command palette, shortcuts and help through their widgets and keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QToolBar, QWidget
from pytestqt.qtbot import QtBot

from gui.command_palette import NOTE_ROLE, CommandPalette
from gui.fuzzy import fuzzy_match
from gui.help import HelpDialog
from gui.main_window import MainWindow
from gui.settings_dialog.shortcuts_page import ShortcutsPage
from gui.shortcuts import is_command, is_reserved, menu_actions, plain_text
from services.recent_files import RecentFiles
from tests.gui.conftest import open_session, preloaded

Sample = Callable[[str], Path]


def press(key: Qt.Key, qtbot: QtBot, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press a key where the focus is, as a person does."""
    focused = QApplication.focusWidget()
    assert isinstance(focused, QWidget)
    qtbot.keyClick(focused, key, modifiers)


CONTROL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def open_palette(window: MainWindow, qtbot: QtBot) -> CommandPalette:
    window.activateWindow()
    window.setFocus()
    press(Qt.Key.Key_P, qtbot, CONTROL_SHIFT)
    palette = window.assistance.palette
    assert palette is not None
    assert palette.isVisible()
    assert palette.pattern.hasFocus()
    return palette


# --- Every action ----------------------------------------------------------------------------------------------------


def test_every_action_has_an_id_a_text_and_a_key_of_its_own(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    of_buttons = pane.findChildren(QMenu)
    menus = [menu for menu in window.findChildren(QMenu) if menu not in of_buttons]
    in_menus = [action for menu in menus for action in menu.actions()]
    in_bars = [action for bar in window.findChildren(QToolBar) for action in bar.actions()]
    named = [action for action in in_menus + in_bars if action.text() and action.menu() is None]
    without_id = {plain_text(action) for action in named if not is_command(action)}
    recent = {str(path) for path in Path("/").glob("*")}
    assert {text for text in without_id if "/" not in text and text not in recent} == set()
    texts: dict[str, set[str]] = {}
    for action in window.findChildren(QAction):
        if is_command(action):
            texts.setdefault(action.objectName(), set()).add(plain_text(action))
    assert {name: found for name, found in texts.items() if len(found) > 1} == {}
    conflicts = {
        keys: [action.objectName() for action in actions]
        for keys, actions in window.assistance.shortcuts.conflicts().items()
    }
    assert conflicts == {}
    assert [
        action.objectName()
        for action in window.assistance.shortcuts.actions()
        if any(is_reserved(keys) for keys in action.shortcuts())
    ] == []


# --- Palette ---------------------------------------------------------------------------------------------------------


def test_a_command_is_found_by_letters_and_run_by_keyboard(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    palette = open_palette(window, qtbot)
    assert len(palette.texts()) == len(window.assistance.shortcuts.actions()) - 1, "all but the palette itself"
    qtbot.keyClicks(palette.pattern, "userm")
    assert palette.texts()[0] == "User messages only"
    assert "Ctrl+3" in palette.pattern.accessibleDescription()
    press(Qt.Key.Key_Return, qtbot)
    assert not palette.isVisible()
    assert pane.document.filter_mode == "user-only"
    assert open_palette(window, qtbot).texts()[0] == "User messages only", "what was used last comes first"
    press(Qt.Key.Key_Escape, qtbot)


@pytest.mark.parametrize(
    ("words", "command"),
    [("summary", "Compact…"), ("without summary", "Go there, without questions"), ("html", "Export…")],
)
def test_the_palette_finds_a_command_by_what_it_does(
    window: MainWindow, qtbot: QtBot, words: str, command: str
) -> None:
    palette = open_palette(window, qtbot)
    qtbot.keyClicks(palette.pattern, words)
    assert command in palette.texts()
    assert len(palette.texts()) < 6


def test_a_command_says_what_it_does_while_its_menu_is_open(window: MainWindow, qtbot: QtBot) -> None:
    command = window.assistance.settings_action
    menu = next(menu for menu in window.findChildren(QMenu) if command in menu.actions())
    window.menuBar().setActiveAction(menu.menuAction())
    qtbot.waitUntil(menu.isVisible)
    menu.setActiveAction(command)
    qtbot.waitUntil(lambda: "Set up a model" in window.statusBar().currentMessage())


def test_arrows_choose_and_escape_gives_the_keyboard_back(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    window.activateWindow()
    pane.tree.setFocus()
    press(Qt.Key.Key_P, qtbot, CONTROL_SHIFT)
    palette = window.assistance.palette
    assert palette is not None
    first = palette.list.currentIndex().row()
    press(Qt.Key.Key_Up, qtbot)
    assert palette.list.currentIndex().row() == len(palette.texts()) - 1
    press(Qt.Key.Key_Down, qtbot)
    assert palette.list.currentIndex().row() == first
    press(Qt.Key.Key_Escape, qtbot)
    assert not palette.isVisible()
    assert pane.tree.hasFocus()


def test_what_cannot_be_done_now_comes_last_and_is_not_run(window: MainWindow, qtbot: QtBot) -> None:
    palette = open_palette(window, qtbot)
    qtbot.keyClicks(palette.pattern, "compact")
    assert palette.texts()[0] == "Compact…"
    assert not window.compact_action.isEnabled()
    assert "not possible now" in palette.pattern.accessibleDescription()
    press(Qt.Key.Key_Return, qtbot)
    assert palette.isVisible()
    palette.pattern.clear()
    qtbot.keyClicks(palette.pattern, "zzzz")
    assert palette.texts() == []
    press(Qt.Key.Key_Return, qtbot)
    press(Qt.Key.Key_Escape, qtbot)


def test_a_menu_name_finds_what_is_in_it(window: MainWindow, qtbot: QtBot) -> None:
    palette = open_palette(window, qtbot)
    qtbot.keyClicks(palette.pattern, "colours dark")
    assert palette.texts() == ["Dark"]


def test_the_palette_closes_when_something_else_gets_the_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    palette = open_palette(window, qtbot)
    window.start_page.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    window.start_page.setFocus()
    assert not palette.isVisible()


@pytest.mark.parametrize(
    ("pattern", "better", "worse"),
    [
        ("gtl", "Go to the leaf", "Light"),
        ("set", "Settings…", "Reset all"),
        ("nbp", "Next branch point", "Navigate to the selected branch point"),
        ("open", "Open…", "Stop what is running, then"),
    ],
)
def test_word_starts_and_neighbours_win(pattern: str, better: str, worse: str) -> None:
    good, bad = fuzzy_match(pattern, better), fuzzy_match(pattern, worse)
    assert good is not None
    assert bad is None or good.score > bad.score


@given(st.text(max_size=12), st.text(max_size=40))
def test_a_match_names_the_letters_in_order(pattern: str, text: str) -> None:
    match = fuzzy_match(pattern, text)
    wanted = [char for char in pattern.casefold() if not char.isspace()]
    if match is not None:
        assert list(match.places) == sorted(set(match.places))
        assert [text[place].casefold() for place in match.places] == wanted
    else:
        rest = iter(char.casefold() for char in text)
        assert not all(char in rest for char in wanted)


# --- Shortcuts -------------------------------------------------------------------------------------------------------


def shortcuts_page(window: MainWindow, qtbot: QtBot) -> ShortcutsPage:
    preloaded(window, qtbot)
    window.assistance.shortcuts_action.trigger()
    qtbot.waitUntil(lambda: window.assistance.settings_dialog is not None)
    dialog = window.assistance.settings_dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: not dialog.is_busy)
    page = dialog.page("shortcuts")
    assert isinstance(page, ShortcutsPage)
    return page


def test_a_shortcut_is_changed_kept_and_reset(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    page = shortcuts_page(window, qtbot)
    page.choose("theme_dark")
    qtbot.keyClick(page.keys, Qt.Key.Key_D, CONTROL_SHIFT)
    action = window.findChild(QAction, "theme_dark")
    assert action is not None
    assert action.shortcut() == QKeySequence("Ctrl+Shift+D")
    assert page.reset.isEnabled()

    other = MainWindow(
        QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat), RecentFiles(tmp_path / "recent.json")
    )
    qtbot.addWidget(other)
    kept = other.findChild(QAction, "theme_dark")
    assert kept is not None
    assert kept.shortcut() == QKeySequence("Ctrl+Shift+D")
    other.close()

    page.choose("theme_dark")
    qtbot.mouseClick(page.reset, Qt.MouseButton.LeftButton)
    assert action.shortcuts() == []
    assert not window.assistance.shortcuts.is_changed(action)


def test_a_conflict_is_shown_and_can_be_settled(window: MainWindow, qtbot: QtBot) -> None:
    page = shortcuts_page(window, qtbot)
    page.choose("theme_dark")
    qtbot.keyClick(page.keys, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    assert page.problem.text() == "⚠ Ctrl+O already belongs to “Open…”."
    action = window.findChild(QAction, "theme_dark")
    assert action is not None
    assert action.shortcuts() == []
    qtbot.mouseClick(page.take_over, Qt.MouseButton.LeftButton)
    assert action.shortcut() == QKeySequence("Ctrl+O")
    assert window.open_action.shortcuts() == []
    assert not page.take_over.isVisible()
    qtbot.mouseClick(page.reset_all, Qt.MouseButton.LeftButton)
    assert window.open_action.shortcut() == QKeySequence("Ctrl+O")
    assert action.shortcuts() == []


def test_keys_for_moving_and_stopping_are_refused(window: MainWindow, qtbot: QtBot) -> None:
    page = shortcuts_page(window, qtbot)
    page.choose("theme_dark")
    page.keys.setKeySequence(QKeySequence("Esc"))
    assert "moving about or for stopping" in page.problem.text()
    assert window.assistance.shortcuts.users_of(QKeySequence("Esc")) == []


def test_a_shortcut_can_be_taken_away_and_found_by_its_keys(window: MainWindow, qtbot: QtBot) -> None:
    page = shortcuts_page(window, qtbot)
    assert page.keep_matching("ctrl+o") >= 1
    page.keep_matching("")
    page.choose("choose_file")
    qtbot.mouseClick(page.remove, Qt.MouseButton.LeftButton)
    assert window.open_action.shortcuts() == []
    page.choose("choose_file")
    qtbot.mouseClick(page.reset, Qt.MouseButton.LeftButton)
    assert window.open_action.shortcut() == QKeySequence("Ctrl+O")


# --- Help ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", [Qt.Key.Key_F1, Qt.Key.Key_Question])
def test_help_lists_every_action_with_its_keys(window: MainWindow, qtbot: QtBot, key: Qt.Key) -> None:
    window.activateWindow()
    window.setFocus()
    press(key, qtbot)
    dialog = window.assistance.help_dialog
    assert isinstance(dialog, HelpDialog)
    dialog.activateWindow()
    qtbot.waitUntil(dialog.search.hasFocus)
    lines = dialog.shown_lines()
    for _place, action in menu_actions(window):
        assert any(line.startswith(plain_text(action)) for line in lines), plain_text(action)
    assert any("Ctrl+Shift+P" in line for line in lines)
    assert any(line.endswith("Esc") for line in lines)
    qtbot.keyClicks(dialog.search, "ctrl+o")
    assert "Open… Ctrl+O" in dialog.shown_lines()
    assert len(dialog.shown_lines()) < len(lines)
    dialog.search.clear()
    qtbot.keyClicks(dialog.search, "prune")
    (prune,) = [each for each in dialog.findChildren(QLabel) if each.text() == "Prune tool outputs…"]
    name_and_line = 4 * prune.fontMetrics().height()
    qtbot.waitUntil(lambda: prune.y() < name_and_line, timeout=2000)  # right below the name of its group
    qtbot.keyClicks(dialog.search, "xylophone")
    assert dialog.shown_lines() == []
    assert any(each.isVisible() and "xylophone" in each.text() for each in dialog.findChildren(QLabel))
    press(Qt.Key.Key_Escape, qtbot)
    assert window.assistance.help_dialog is None


def test_a_question_mark_in_the_composer_is_text(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    window.activateWindow()
    pane.composer.text.setFocus()
    qtbot.keyClicks(pane.composer.text, "why?")
    assert pane.composer.text.toPlainText() == "why?"
    assert window.assistance.help_dialog is None


def test_help_leads_to_the_shortcuts(window: MainWindow, qtbot: QtBot) -> None:
    preloaded(window, qtbot)
    window.assistance.open_help()
    dialog = window.assistance.help_dialog
    assert dialog is not None
    dialog.change.click()
    qtbot.waitUntil(lambda: window.assistance.settings_dialog is not None)
    settings = window.assistance.settings_dialog
    assert settings is not None
    assert settings.stack.currentWidget() is settings.page("shortcuts")


def test_the_palette_says_what_is_not_possible_now(window: MainWindow, qtbot: QtBot) -> None:
    palette = open_palette(window, qtbot)
    qtbot.keyClicks(palette.pattern, "compact")
    row = palette.texts().index("Compact…")
    assert "not possible now" in palette.list.model().index(row, 0).data(NOTE_ROLE)
    assert palette.pattern.accessibleDescription().endswith("not possible now")
    palette.run_at(row)
    assert palette.isVisible(), "nothing happens"
    palette.pattern.clear()
    qtbot.keyClicks(palette.pattern, "demo")
    assert "possible" not in palette.list.model().index(0, 0).data(NOTE_ROLE)
