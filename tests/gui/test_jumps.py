"""Getting about by keyboard: relatives, branch points, labels, ids, places visited before, and the menu of a row."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QInputDialog, QMenu
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.session_pane import SessionPane
from gui.visited_places import Place, VisitedPlaces
from tests.gui.conftest import click_entry, open_session, settle
from tests.services.sessions import message, write_session

Sample = Callable[[str], Path]
BRANCHED = "real-v3-branched.jsonl"
HEADER = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"}
ALT = Qt.KeyboardModifier.AltModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def press(qtbot: QtBot, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    focused = QApplication.focusWidget()
    assert focused is not None
    qtbot.keyClick(focused, key, modifier)


def selected(pane: SessionPane) -> str:
    index, row = pane.document.index, pane.tree.current_entry()
    assert index is not None
    assert row is not None
    return index.id_of(row)


def select(pane: SessionPane, entry_id: str) -> None:
    assert pane.select_id(entry_id)
    pane.tree.setFocus()


@pytest.fixture
def forked(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> SessionPane:
    """The path a-b-c-d-e with the leaf last; four branches behind b: p, q-q2, r, c; two behind d: x-x2-x3, e.

    Timestamps are equal, so that the file's order counts.
    """
    chain = [
        ("a", None),
        ("b", "a"),
        ("p", "b"),
        ("q", "b"),
        ("q2", "q"),
        ("r", "b"),
        ("c", "b"),
        ("d", "c"),
        ("x", "d"),
    ]
    chain += [("x2", "x"), ("x3", "x2")]
    records = [message(id, parent, "user" if id in "acpqrx" else "assistant", f"text of {id}") for id, parent in chain]
    label = {"type": "label", "id": "lab", "parentId": "x3", "targetId": "q2", "label": "here", "timestamp": "x"}
    records += [label, message("e", "d", "assistant", "text of e")]
    path = write_session(tmp_path / "forked.jsonl", [HEADER, *records])
    pane = open_session(window, path, qtbot)
    pane.tree.setFocus()
    return pane


def test_parent_child_and_leaf(forked: SessionPane, qtbot: QtBot) -> None:
    """Field report G09."""
    assert selected(forked) == "e"
    for parent in ("d", "c", "b", "a", "a"):
        press(qtbot, Qt.Key.Key_Up, ALT)
        assert selected(forked) == parent
    for child in ("b", "c", "d", "e", "e"):
        press(qtbot, Qt.Key.Key_Down, ALT)
        assert selected(forked) == child
    select(forked, "q")
    press(qtbot, Qt.Key.Key_Down, ALT)
    assert selected(forked) == "q2"
    press(qtbot, Qt.Key.Key_L, CONTROL)
    assert selected(forked) == "e"


def test_each_branch_of_a_fork_is_a_key_away(forked: SessionPane, qtbot: QtBot) -> None:
    """Field report N14: four children, all to be reached in at most three keys."""
    select(forked, "c")
    seen = []
    for _ in range(4):
        press(qtbot, Qt.Key.Key_Right, ALT | SHIFT)
        seen.append(selected(forked))
    assert seen == ["p", "q", "r", "c"]
    press(qtbot, Qt.Key.Key_Left, ALT | SHIFT)
    assert selected(forked) == "r"


def test_a_branch_alone_has_no_siblings(forked: SessionPane, qtbot: QtBot) -> None:
    select(forked, "a")
    said: list[str] = []
    forked.said.connect(said.append)
    press(qtbot, Qt.Key.Key_Right, ALT | SHIFT)
    assert said == ["There is no other branch beside this one."]


def test_branch_points_above_and_below(forked: SessionPane, qtbot: QtBot) -> None:
    press(qtbot, Qt.Key.Key_Up, ALT | SHIFT)
    assert selected(forked) == "d"
    press(qtbot, Qt.Key.Key_Up, ALT | SHIFT)
    assert selected(forked) == "b"
    press(qtbot, Qt.Key.Key_Up, ALT | SHIFT)
    assert selected(forked) == "b"  # there is none above
    press(qtbot, Qt.Key.Key_Down, ALT | SHIFT)
    assert selected(forked) == "d"


def test_branch_points_in_folded_branches_are_left_alone(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    outline, order = pane.document.outline, pane.document.order
    assert outline is not None
    assert order is not None
    pane.tree.select_entry(int(order.rows[0]))
    pane.tree.setFocus()
    before = pane.tree.folds()[0]
    seen = []
    for _ in range(10):
        press(qtbot, Qt.Key.Key_Down, ALT | SHIFT)
        seen.append(pane.tree.current_entry())
    assert pane.tree.folds()[0] == before
    assert set(seen) <= set(outline.branch_counts)


def test_labels(forked: SessionPane, qtbot: QtBot) -> None:
    press(qtbot, Qt.Key.Key_F4)
    assert selected(forked) == "q2"
    select(forked, "a")
    press(qtbot, Qt.Key.Key_F4, SHIFT)
    assert selected(forked) == "q2"


def test_going_to_an_id(forked: SessionPane, window: MainWindow, qtbot: QtBot) -> None:
    def go(text: str) -> None:
        window.activateWindow()
        forked.tree.setFocus()
        qtbot.waitUntil(forked.tree.hasFocus)
        press(qtbot, Qt.Key.Key_J, CONTROL)
        dialog = forked.findChild(QInputDialog)
        assert dialog is not None
        dialog.setTextValue(text)
        with qtbot.waitSignal(dialog.destroyed):
            dialog.accept()
        settle(forked, qtbot)

    said: list[str] = []
    forked.said.connect(said.append)
    go(" x2 ")
    assert selected(forked) == "x2"
    go("q")
    assert selected(forked) == "q"  # in full before as a beginning
    go("la")
    assert selected(forked) == "x3"
    assert said.pop() == "The filter hides that entry; the nearest one before it is selected."
    go("nope")
    assert said.pop() == "No entry has an id that begins with nope."
    assert selected(forked) == "x3"


def test_a_beginning_that_fits_several_ids_is_no_choice(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    before = selected(pane)
    said: list[str] = []
    pane.said.connect(said.append)
    pane.jumps.to_id("e")
    settle(pane, qtbot)
    assert said[0].startswith("Several ids begin with e: ")
    assert selected(pane) == before
    pane.jumps.to_id("e547f6")
    settle(pane, qtbot)
    assert selected(pane) == "e547f69a"


def test_back_and_forward_through_what_was_looked_at(forked: SessionPane, qtbot: QtBot) -> None:
    for entry_id in ("b", "x3", "q"):
        click_entry(forked, entry_id, qtbot)
    press(qtbot, Qt.Key.Key_Down)  # a step on is no place of its own
    assert selected(forked) == "q2" or selected(forked) != "q"
    drifted = selected(forked)
    for expected in ("x3", "b", "e", "e"):
        press(qtbot, Qt.Key.Key_Left, ALT)
        assert selected(forked) == expected
    for expected in ("b", "x3", drifted, drifted):
        press(qtbot, Qt.Key.Key_Right, ALT)
        assert selected(forked) == expected


def test_five_moves_and_five_steps_back(forked: SessionPane, qtbot: QtBot) -> None:
    """Field report N16: the leaf is remembered as well, and nothing is written."""
    session, path = forked.document.session, forked.document.path
    assert session is not None
    before = path.read_bytes()
    leaves = [session.leaf_id]
    for target in ("d", "x3", "b", "q2", "e"):
        forked.navigation.take(forked.document.index.row_of(target))  # type: ignore[union-attr]
        qtbot.waitUntil(lambda: not forked.runner.is_running)
        settle(forked, qtbot)
        assert session.leaf_id == target
        assert selected(forked) == target
        leaves.append(session.leaf_id)
    for leaf in reversed(leaves[:-1]):
        press(qtbot, Qt.Key.Key_Left, ALT)
        qtbot.waitUntil(lambda: not forked.runner.is_running)
        settle(forked, qtbot)
        assert session.leaf_id == leaf
        assert selected(forked) == leaf
        assert forked.document.outline.leaf == forked.document.index.row_of(leaf)  # type: ignore[union-attr, arg-type]
    for leaf in leaves[1:]:
        press(qtbot, Qt.Key.Key_Right, ALT)
        qtbot.waitUntil(lambda: not forked.runner.is_running)
        settle(forked, qtbot)
        assert session.leaf_id == leaf
    assert path.read_bytes() == before


def test_there_and_back_ten_times_shows_the_same(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """Field report N09."""
    pane = open_session(window, sample(BRANCHED), qtbot)

    def shown() -> tuple[object, ...]:
        outline, order = pane.document.outline, pane.document.order
        assert outline is not None
        assert order is not None
        return (
            order.rows.tolist(),
            dict(outline.branch_counts),
            {head: dict(outline.hides)[head] for head in outline.hides},
        )

    first = shown()
    pane.navigation.take(60)
    qtbot.waitUntil(lambda: not pane.runner.is_running)
    settle(pane, qtbot)
    other = shown()
    assert other != first
    for _ in range(10):
        pane.jumps.back()
        qtbot.waitUntil(lambda: not pane.runner.is_running)
        settle(pane, qtbot)
        assert shown() == first
        pane.jumps.forward()
        qtbot.waitUntil(lambda: not pane.runner.is_running)
        settle(pane, qtbot)
        assert shown() == other


def test_no_leaf_is_moved_while_something_runs(forked: SessionPane, qtbot: QtBot) -> None:
    """Field report N07."""
    session = forked.document.session
    assert session is not None
    forked.navigation.take(forked.document.index.row_of("b"))  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: not forked.runner.is_running)
    settle(forked, qtbot)

    async def wait(_token: object, _report: object) -> None:
        import asyncio

        await asyncio.sleep(60)

    forked.runner.run("Waiting", wait, lambda _result: None)
    said: list[str] = []
    forked.said.connect(said.append)
    forked.jumps.back()
    assert said == ["Something else is running. Stop it first, or wait for it."]
    assert session.leaf_id == "b"
    with qtbot.waitSignal(forked.runner.ended):
        forked.runner.stop()
    forked.jumps.back()  # the place is still there
    qtbot.waitUntil(lambda: session.leaf_id == "e")


def test_an_agent_that_appends_makes_no_places(forked: SessionPane, qtbot: QtBot) -> None:
    session, path = forked.document.session, forked.document.path
    assert session is not None
    select(forked, "b")
    select(forked, "e")
    for number in range(5):
        parent = session.leaf_id
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(message(f"n{number}", parent, "assistant", "more")) + "\n")
        qtbot.waitUntil(lambda number=number: session.leaf_id == f"n{number}", timeout=20_000)
        settle(forked, qtbot)
    forked.jumps.back()
    settle(forked, qtbot)
    assert selected(forked) == "b"


@pytest.mark.parametrize("way", ["menu key", "shift f10", "mouse"])
def test_the_menu_of_a_row(forked: SessionPane, window: MainWindow, qtbot: QtBot, way: str) -> None:
    """Field report G12: the menu opens at the row, or at the pointer."""
    select(forked, "c")
    tree = forked.tree
    row = tree.visualRect(tree.currentIndex())
    if way == "mouse":
        rect = tree.visualRect(forked.document.model.index_of(forked.document.index.row_of("d")))  # type: ignore[union-attr, arg-type]
        point = QPoint(rect.left() + 20, rect.center().y())  # the menu has room to the right of it
        where = tree.viewport().mapToGlobal(point)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, where)
        QApplication.sendEvent(tree.viewport(), event)
    else:
        where = tree.viewport().mapToGlobal(row.bottomLeft())
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(0, 0), QPoint(0, 0))
        QApplication.sendEvent(tree, event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert menu.pos() == where
    assert selected(forked) == ("d" if way == "mouse" else "c")
    texts = [action.text().replace("&", "") for action in menu.actions()]
    assert {"Navigate to the selected entry…", "Label the selected entry…", "Parent entry", "Copy the id"} <= set(texts)
    copy = next(action for action in menu.actions() if action.text().replace("&", "") == "Copy the id")
    copy.trigger()
    menu.close()
    assert QApplication.clipboard().text() == selected(forked)


def test_every_jump_is_in_the_menu_with_a_key(window: MainWindow) -> None:
    """Field report G09: all bound and listed."""
    listed = {action for menu in window.menuBar().findChildren(QMenu) for action in menu.actions()}
    for action in window.going.actions:
        assert action.shortcuts(), action.text()
        assert action in listed or action is window.going.copy_id, action.text()


def test_branch_points_only(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """Field report T12: a long chain with four forks in a few rows that say how long the runs are."""
    records = [
        message(f"m{number}", f"m{number - 1}" if number else None, "user", f"step {number}") for number in range(3000)
    ]
    records += [message(f"s{fork}", f"m{fork}", "user", f"try {fork}") for fork in (500, 1000, 1800, 2500)]
    records.append(message("end", "m2999", "assistant", "end"))
    pane = open_session(window, write_session(tmp_path / "chain.jsonl", [HEADER, *records]), qtbot)
    pane.tree.setFocus()
    press(qtbot, Qt.Key.Key_B, CONTROL)
    settle(pane, qtbot)
    order, rows, index = pane.document.order, pane.document.rows, pane.document.index
    assert order is not None
    assert rows is not None
    assert index is not None
    shown = {index.id_of(row): next(rows.content(row).notes(folded=False), "") for row in order.rows.tolist()}
    assert shown == {
        "m0": "",
        "m500": "500 entries up to here · 1 other branch",
        "s500": "",
        "m1000": "500 entries up to here · 1 other branch",
        "s1000": "",
        "m1800": "800 entries up to here · 1 other branch",
        "s1800": "",
        "m2500": "700 entries up to here · 1 other branch",
        "s2500": "",
        "end": "500 entries up to here",
    }
    assert selected(pane) == "end"
    press(qtbot, Qt.Key.Key_B, CONTROL)
    settle(pane, qtbot)
    assert len(pane.document.order.rows) == len(records)  # type: ignore[union-attr]


class TestVisitedPlaces:
    def place(self, name: str) -> Place:
        return Place(name, "leaf")

    def there(self, place: Place) -> bool:
        return place.entry_id != "gone"

    def test_what_lies_ahead_is_forgotten_by_a_visit(self) -> None:
        places = VisitedPlaces()
        for name in ("a", "b", "c"):
            places.visit(self.place(name))
        places.go(places.steps(-1, self.there))
        places.visit(self.place("d"))
        assert places.steps(1, self.there) == 0
        assert places.place(places.steps(-1, self.there)) == self.place("b")

    def test_places_that_are_gone_are_passed_over(self) -> None:
        places = VisitedPlaces()
        for name in ("a", "gone", "b"):
            places.visit(self.place(name))
        assert places.place(places.steps(-1, self.there)) == self.place("a")

    def test_nowhere_to_go(self) -> None:
        places = VisitedPlaces()
        assert places.steps(-1, self.there) == 0
        places.visit(self.place("a"))
        places.visit(self.place("a"))
        assert places.steps(-1, self.there) == 0
        places.drift(self.place("b"))
        assert places.current == self.place("b")
        assert places.steps(-1, self.there) == 0

    def test_only_so_many_are_kept(self) -> None:
        places = VisitedPlaces()
        for number in range(500):
            places.visit(self.place(str(number)))
        steps = 0
        while step := places.steps(-1, self.there):
            places.go(step)
            steps += 1
        assert steps == 199
