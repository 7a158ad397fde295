"""A session that is opened again looks as it did: field report T13 and the state that product.md promises."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QThreadPool
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.session_pane import SessionPane
from gui.tree_columns import Column
from services.app_folders import state_folder
from tests.gui.conftest import open_session, settle
from tests.services.sessions import message, write_session

Sample = Callable[[str], Path]
BRANCHED = "real-v3-branched.jsonl"
HEADER = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"}


def close(window: MainWindow) -> None:
    window.close_session()
    assert QThreadPool.globalInstance().waitForDone(20_000)


def again(window: MainWindow, path: Path, qtbot: QtBot) -> SessionPane:
    close(window)
    return open_session(window, path, qtbot)


def top_of(pane: SessionPane) -> tuple[int | None, int]:
    index = pane.tree.indexAt(pane.tree.viewport().rect().topLeft())
    return pane.document.model.entry_row(index), pane.tree.visualRect(index).top()


def test_everything_comes_back(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample(BRANCHED)
    before = path.read_bytes()
    pane = open_session(window, path, qtbot)
    window.set_filter("all")
    settle(pane, qtbot)
    assert pane.select_id("e547f69a")
    head = pane.tree.currentIndex()
    pane.tree.expand(head)
    point = next(
        row for row in pane.document.outline.branch_counts if row >= 0 and row != pane.document.outline.owner[60]
    )
    pane.tree.collapse(pane.document.model.index_of(point))
    pane.tree.tree_header.want(Column.CONTEXT, False)
    pane.tree.tree_header.adjust()
    qtbot.keyClick(pane.tree.tree_header, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    pane.tabs.setCurrentWidget(pane.context_tab)
    pane.resizeDocks([pane.inspector], [520], Qt.Orientation.Horizontal)
    pane.around_tree.resizeDocks([pane.map_dock], [210], Qt.Orientation.Vertical)
    settle(pane, qtbot)
    map_height = pane.map_dock.height()
    bar = pane.tree.verticalScrollBar()
    bar.setValue(bar.value() + 37)
    settle(pane, qtbot)
    kept = (top_of(pane), pane.tree.folds(), pane.tree.tree_header.chosen())
    assert kept[1]
    assert kept[2]

    pane = again(window, path, qtbot)
    assert pane.selected_id == "e547f69a"
    assert pane.document.filter_mode == "all"
    assert pane.tabs.currentWidget() is pane.context_tab
    assert pane.inspector.width() == 520
    assert pane.map_dock.height() == map_height
    assert pane.tree.isColumnHidden(Column.CONTEXT)
    now = (top_of(pane), pane.tree.folds(), pane.tree.tree_header.chosen())
    assert now == kept
    assert path.read_bytes() == before


def test_the_current_entry_is_selected_and_in_sight(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """Field report T13: the tree opens at the leaf, at first and again, also when the session went on meanwhile."""
    path = sample(BRANCHED)
    pane = open_session(window, path, qtbot)
    for _ in range(2):
        session, index = pane.document.session, pane.document.index
        assert session is not None
        assert index is not None
        assert pane.selected_id == session.leaf_id
        rect = pane.tree.visualRect(pane.tree.currentIndex())
        assert pane.tree.viewport().rect().contains(rect)
        close(window)
        entry = message("fresh001", session.leaf_id, "user", "more")
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
        pane = open_session(window, path, qtbot)
        assert pane.selected_id == "fresh001"


def test_another_session_starts_with_the_habits(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    pane.tree.tree_header.want(Column.COST, False)
    pane.document.arrange("fixed")
    pane.tabs.setCurrentWidget(pane.timeline_tab)
    settle(pane, qtbot)
    close(window)
    other = open_session(window, sample("real-v3-large.jsonl"), qtbot)
    assert not other.tree.tree_header.wants(Column.COST)
    assert other.document.arrangement == "fixed"
    assert other.tabs.currentWidget() is other.entry_tab
    assert other.selected_id == other.document.session.leaf_id  # type: ignore[union-attr]


def test_entries_that_are_gone_leave_no_trace(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "short.jsonl"
    records = [message(f"m{number}", f"m{number - 1}" if number else None, "user", "x") for number in range(50)]
    branch = [message("b1", "m10", "user", "b"), message("b2", "b1", "user", "b")]
    write_session(path, [HEADER, *branch[:0], *records[:11], *branch, *records[11:]])
    pane = open_session(window, path, qtbot)
    assert pane.select_id("b2")
    settle(pane, qtbot)
    close(window)
    write_session(path, [HEADER, *records[:20]])
    pane = open_session(window, path, qtbot)
    assert pane.selected_id == "m19"
    assert pane.tree.folds()[0] == set()


@pytest.mark.parametrize("rubbish", [b"\xff", b'{"columns": {"shown": 3, "widths": {"COST": "x"}}, "docks": "?!"}'])
def test_a_broken_memory_is_none(window: MainWindow, sample: Sample, qtbot: QtBot, rubbish: bytes) -> None:
    path = sample(BRANCHED)
    open_session(window, path, qtbot)
    close(window)
    for file in (state_folder() / "views").iterdir():
        file.write_bytes(rubbish)
    pane = open_session(window, path, qtbot)
    assert pane.selected_id == pane.document.session.leaf_id  # type: ignore[union-attr]
    assert all(pane.tree.tree_header.wants(column) for column in (Column.TOKENS, Column.TIME))


def test_an_entry_that_was_asked_for_goes_first(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample(BRANCHED)
    open_session(window, path, qtbot)
    close(window)
    with qtbot.waitSignal(window.session_ready, timeout=20_000):
        window.open_file(path, "e547f69a")
    assert window.pane is not None
    assert window.pane.selected_id == "e547f69a"
