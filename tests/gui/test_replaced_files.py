"""A file that is replaced by a shorter one while a part of the window shows what is no longer there."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.session_pane import SessionPane
from tests.gui.conftest import open_session, settle

LONG = "real-v3-branched.jsonl"
TABS = ("entry_tab", "context_tab", "navigate_tab", "compaction_tab", "compare_tab", "timeline_tab")


def replace(path: Path, lines: list[bytes]) -> None:
    beside = path.with_suffix(".new")
    beside.write_bytes(b"".join(lines))
    os.replace(beside, path)


def replace_shown(path: Path, lines: list[bytes], pane: SessionPane, qtbot: QtBot) -> None:
    """Put a file of these lines in the place of another, and wait until the window shows it."""
    replace(path, lines)
    left = len(lines) - 1
    qtbot.waitUntil(lambda: pane.document.index is not None and pane.document.index.count == left, timeout=20_000)
    settle(pane, qtbot)


@pytest.mark.parametrize("tab", TABS)
@pytest.mark.parametrize("share", [0.5, 0.0])
def test_what_is_shown_follows_a_file_that_became_shorter(
    window: MainWindow, sample: Callable[[str], Path], qtbot: QtBot, tab: str, share: float
) -> None:
    path = sample(LONG)
    lines = path.read_bytes().splitlines(keepends=True)
    pane = open_session(window, path, qtbot)
    pane.tabs.setCurrentWidget(getattr(pane, tab))
    settle(pane, qtbot)  # the settings would take back what is entered before they are read
    pane.compaction_tab.keep.setValue(3000)
    pane.open_search()
    pane.search_bar.text.setText("the")
    settle(pane, qtbot)
    pane.show_comparison()
    pane.tabs.setCurrentWidget(getattr(pane, tab))
    settle(pane, qtbot)

    left = max(1, int(len(lines) * share)) - 1
    replace_shown(path, lines[: left + 1], pane, qtbot)
    groups, cut_row = pane.compaction.gutter()
    assert groups is None or len(groups) == left
    assert cut_row is None or cut_row < left
    pane.tree.viewport().repaint()
    pane.map_view.viewport().repaint()
    for other in TABS:
        pane.tabs.setCurrentWidget(getattr(pane, other))
        settle(pane, qtbot)

    replace_shown(path, lines, pane, qtbot)


@pytest.mark.parametrize("way", ["map by mouse", "map by key", "timeline", "comparison"])
@pytest.mark.parametrize("becomes", ["shorter", "longer in front"])
def test_what_is_not_drawn_anew_yet_leads_to_the_same_entry_or_nowhere(
    window: MainWindow, sample: Callable[[str], Path], qtbot: QtBot, way: str, becomes: str
) -> None:
    path = sample(LONG)
    lines = path.read_bytes().splitlines(keepends=True)
    pane = open_session(window, path, qtbot)
    index, outline = pane.document.index, pane.document.outline
    assert index is not None
    assert outline is not None
    pane.tabs.setCurrentWidget(pane.compare_tab if way == "comparison" else pane.timeline_tab)
    settle(pane, qtbot)
    graph = pane.document.graph
    assert graph is not None
    off_path = next(row for row in range(index.count - 1, -1, -1) if row not in outline.trunk)
    pane.select_id(index.id_of(off_path))
    settle(pane, qtbot)
    table, last = pane.compare_tab.right_view, pane.compare_tab.right.rowCount() - 1
    goal = int(pane.compare_tab.right.rows[last]) if way == "comparison" else outline.leaf
    said: list[str] = []
    pane.said.connect(said.append)
    reached: list[str | None] = []

    def act() -> None:
        if way == "map by mouse":
            picture = pane.map_view.picture
            assert picture is not None
            step = float(picture.layout.steps(np.array([goal]))[0])
            pane.map_view.run_clicked.emit(int(picture.layout.graph.runs.run_of[goal]), step)
        elif way == "map by key":
            qtbot.keyClick(pane.map_view, Qt.Key.Key_End)
        elif way == "timeline":
            qtbot.keyClick(pane.timeline_tab.chart, Qt.Key.Key_End)
        else:
            table.setCurrentIndex(table.model().index(last, 0))
            table.activated.emit(table.currentIndex())
        reached.append(pane.selected_id)

    pane.document.laid_out.connect(act)
    replace(path, lines[:9] if becomes == "shorter" else [lines[0], entry_line("extra001"), *lines[1:]])
    qtbot.waitUntil(lambda: bool(reached), timeout=20_000)
    pane.document.laid_out.disconnect(act)
    settle(pane, qtbot)
    if becomes == "shorter":
        assert any("not in the file any more" in sentence for sentence in said)
    else:
        assert reached[0] == index.id_of(goal)


@pytest.mark.parametrize("way", ["emptied", "filtered"])
def test_where_there_is_no_row_nothing_is_selected(
    window: MainWindow, sample: Callable[[str], Path], qtbot: QtBot, way: str
) -> None:
    path = sample("real-v3-large.jsonl")  # in which nothing is labelled
    header = path.read_bytes().splitlines(keepends=True)[0]
    pane = open_session(window, path, qtbot)
    selected = pane.selected_id
    leaf_id = pane.document.session.leaf_id  # type: ignore[union-attr]
    if way == "emptied":
        replace(path, [header])
    else:
        window.set_filter("labeled-only")
    qtbot.waitUntil(lambda: pane.document.model.rowCount() == 0, timeout=20_000)
    settle(pane, qtbot)
    for action in (window.going.take, window.navigate_action, window.label_action, window.going.copy_id):
        action.trigger()
    assert window.findChild(QInputDialog) is None
    settle(pane, qtbot)
    assert not pane.runner.is_running
    if way == "filtered":
        assert pane.document.session.leaf_id == leaf_id  # type: ignore[union-attr]
        window.set_filter("default")
        qtbot.waitUntil(lambda: pane.document.model.rowCount() > 0, timeout=20_000)
        settle(pane, qtbot)
        assert pane.selected_id == selected, "it is still the one that was chosen"


def test_a_cut_that_is_looked_for_while_the_file_becomes_shorter_fails_nowhere(
    window: MainWindow, sample: Callable[[str], Path], qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    """The store may know of it before the window does."""
    path = sample(LONG)
    lines = path.read_bytes().splitlines(keepends=True)
    pane = open_session(window, path, qtbot)
    pane.tabs.setCurrentWidget(pane.compaction_tab)
    settle(pane, qtbot)
    store = pane.document.store
    assert store is not None
    path.write_bytes(b"".join(lines[:2]))
    store.refresh()
    pane.take_settings()
    settle(pane, qtbot)
    qtbot.waitUntil(lambda: pane.document.index is not None and pane.document.index.count == 1, timeout=20_000)
    settle(pane, qtbot)
    assert not [record for record in caplog.records if record.exc_info]


def entry_line(id: str) -> bytes:
    message = {"role": "user", "content": "In front of all", "timestamp": 1}
    entry = {"type": "message", "id": id, "parentId": None, "timestamp": "2025-01-01T00:00:00.000Z", "message": message}
    return json.dumps(entry).encode() + b"\n"


def test_the_previewed_cut_is_that_of_the_file_as_it_is(
    window: MainWindow, sample: Callable[[str], Path], qtbot: QtBot
) -> None:
    path = sample(LONG)
    lines = path.read_bytes().splitlines(keepends=True)

    def shown(pane: SessionPane) -> tuple[bool, list[int], int | None]:
        groups, cut_row = pane.compaction.gutter()
        assert groups is not None
        return pane.compaction_tab.compact.isEnabled(), groups.tolist(), cut_row

    def preview() -> SessionPane:
        pane = open_session(window, path, qtbot)
        pane.tabs.setCurrentWidget(pane.compaction_tab)
        settle(pane, qtbot)
        pane.compaction_tab.keep.setValue(3000)
        settle(pane, qtbot)
        return pane

    pane = preview()
    before = shown(pane)
    replace_shown(path, lines[: len(lines) // 2], pane, qtbot)
    followed = shown(pane)
    assert followed[0]
    assert followed != before
    window.close_session()
    assert followed == shown(preview())
