"""What follows the selection comes in turns of its own, after the row was painted."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.turns import LaterTurns, open_next_turn
from gui.widgets import laid_out_once
from tests.gui.conftest import open_session, settle

Sample = Callable[[str], Path]
BRANCHED = "real-v3-branched.jsonl"


class Painted(QObject):
    """Counts the paint events of a widget."""

    def __init__(self, watched: QObject) -> None:
        super().__init__(watched)
        self.count = 0
        watched.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


def test_each_act_has_its_turn_and_is_done_once(qtbot: QtBot) -> None:
    owner = QObject()
    later = LaterTurns(owner)
    done: list[str] = []
    beats = QTimer(owner)
    beats.timeout.connect(lambda: done.append("beat") if done and done[-1] != "beat" else None)

    def first() -> None:
        done.append("first")

    def second() -> None:
        done.append("second")

    beats.start(0)
    for _ in range(3):
        later.ask(first)
        later.ask(second)
    assert later.is_waiting
    assert done == [], "nothing in the turn that asks"
    qtbot.waitUntil(lambda: not later.is_waiting)
    assert done[:3] == ["first", "beat", "second"]
    assert not later.isActive(), "nothing wakes up without need"


def test_who_asks_again_and_again_starves_nobody(qtbot: QtBot) -> None:
    owner = QObject()
    later = LaterTurns(owner)
    done: list[str] = []

    def first() -> None:
        done.append("first")
        if len(done) < 50:
            later.ask(first)
            later.ask(second)

    def second() -> None:
        done.append("second")

    later.ask(first)
    later.ask(second)
    qtbot.waitUntil(lambda: not later.is_waiting)
    assert done.count("second") >= len(done) // 3


def test_what_waits_can_be_done_at_once_or_dropped(qtbot: QtBot) -> None:
    owner = QObject()
    later = LaterTurns(owner)
    done: list[int] = []
    later.ask(lambda: done.append(1))
    later.ask(lambda: done.append(2))
    later.do_now()
    assert done == [1, 2]
    later.ask(lambda: done.append(3))
    later.close()
    qtbot.wait(20)
    assert done == [1, 2]


def test_the_row_is_painted_before_its_entry_is_shown(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    settle(pane, qtbot)
    rows = Painted(pane.tree.viewport())
    painted_before: list[int] = []
    show = pane.entry_tab.show_title
    pane.entry_tab.show_title = lambda content: (painted_before.append(rows.count), show(content))  # type: ignore[method-assign]
    QTest.keyClick(pane.tree, Qt.Key.Key_Up)
    assert painted_before == [], "nothing is shown in the turn of the key"
    assert pane.is_computing
    settle(pane, qtbot)
    assert painted_before
    assert painted_before[0] >= 1


def test_a_key_that_repeats_shows_only_where_it_ends(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    settle(pane, qtbot)
    for _ in range(12):
        QTest.keyClick(pane.tree, Qt.Key.Key_Up)
    shown: list[object] = []
    show = pane.entry_tab.show_title
    pane.entry_tab.show_title = lambda content: (shown.append(content), show(content))  # type: ignore[method-assign]
    settle(pane, qtbot)
    assert len(shown) == 1
    row, index = pane.tree.current_entry(), pane.document.index
    assert row is not None
    assert index is not None
    assert pane.entry_tab.shows(index.id_of(row))


@pytest.mark.parametrize("by_command", [False, True])
def test_an_entry_that_is_chosen_at_once_after_a_key_is_asked_about(
    window: MainWindow, sample: Sample, qtbot: QtBot, by_command: bool
) -> None:
    """Both keys may have waited while the window was busy: the second must not get lost."""
    pane = open_session(window, sample(BRANCHED), qtbot)
    pane.tabs.setCurrentWidget(pane.navigate_tab)
    pane.tree.setFocus()
    settle(pane, qtbot)
    asked: list[bool] = []
    pane.navigation.asked.connect(lambda: asked.append(True))
    QTest.keyClick(pane.tree, Qt.Key.Key_Up)
    if by_command:
        pane.navigate_to_selected()
    else:
        QTest.keyClick(pane.tree, Qt.Key.Key_Return)
    settle(pane, qtbot)
    assert asked == [True]


def test_closing_at_once_after_a_key_shows_nothing_more(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    settle(pane, qtbot)
    QTest.keyClick(pane.tree, Qt.Key.Key_Up)
    window.close_session()
    assert not pane.tree.followers.is_waiting
    qtbot.wait(20)  # what runs into closed controls fails the test


def test_a_dialog_opens_in_the_turn_behind_that_in_which_it_was_made(qtbot: QtBot) -> None:
    dialog = QDialog()
    qtbot.addWidget(dialog)
    open_next_turn(dialog)
    assert not dialog.isVisible()
    qtbot.waitUntil(dialog.isVisible, timeout=20_000)


def test_the_steps_may_be_all_that_keeps_a_dialog(qtbot: QtBot) -> None:
    gone: list[bool] = []

    def make() -> None:
        dialog = QDialog()
        dialog.destroyed.connect(lambda: gone.append(True))
        open_next_turn(dialog)

    make()
    qtbot.waitUntil(lambda: bool(gone), timeout=20_000)
    qtbot.wait(5)  # what runs into what is gone fails the test


def test_a_dialog_that_was_closed_before_is_not_opened(qtbot: QtBot) -> None:
    dialog = QDialog()
    qtbot.addWidget(dialog)
    open_next_turn(dialog)
    dialog.reject()
    qtbot.wait(30)
    assert not dialog.isVisible()


def test_a_tab_is_painted_in_the_turn_behind_that_in_which_it_is_shown(
    window: MainWindow, sample: Sample, qtbot: QtBot
) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    pane.tabs.setCurrentWidget(pane.context_tab)
    settle(pane, qtbot)
    pane.tabs.setCurrentWidget(pane.timeline_tab)
    settle(pane, qtbot)
    painted = Painted(pane.context_tab.table.viewport())
    pane.tabs.setCurrentWidget(pane.context_tab)
    window.repaint()
    assert painted.count == 0
    qtbot.waitUntil(lambda: painted.count > 0, timeout=20_000)


class Counted(QVBoxLayout):
    """Counts how often it lays out."""

    times = 0

    def setGeometry(self, rect: QRect) -> None:
        self.times += 1
        super().setGeometry(rect)


@pytest.mark.parametrize("once", [True, False])
def test_parts_that_are_shown_together_are_laid_out_once(qtbot: QtBot, once: bool) -> None:
    container = QWidget()
    qtbot.addWidget(container)
    layout = Counted(container)
    parts = [QLabel(f"part {number}") for number in range(6)]
    for part in parts:
        layout.addWidget(part)
        part.hide()
    container.show()
    qtbot.waitExposed(container)
    qtbot.wait(10)
    layout.times = 0
    with laid_out_once(container) if once else nullcontext():
        for part in parts:
            part.show()
    qtbot.waitUntil(lambda: all(part.height() < 100 for part in parts), timeout=20_000)
    qtbot.wait(10)
    if once:
        assert 1 <= layout.times <= 2
        assert [part.y() for part in parts] == sorted({part.y() for part in parts})
    else:  # what Qt does by itself
        assert layout.times >= len(parts)


def test_a_container_within_another_one_that_is_laid_out_once_waits_for_it(qtbot: QtBot) -> None:
    container = QWidget()
    qtbot.addWidget(container)
    layout = QVBoxLayout(container)
    with laid_out_once(container):
        with laid_out_once(container):
            pass
        assert not layout.isEnabled()
    assert layout.isEnabled()
