"""A session that is opened again looks as it did: field report T13 and the state that product.md promises."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QSettings, Qt, QThreadPool, QTimer
from pytestqt.qtbot import QtBot

from gui import settled_changes
from gui.main_window import MainWindow
from gui.session_pane import SessionPane
from gui.settled_changes import SettledChanges
from gui.tree_columns import Column
from services.app_folders import state_folder
from services.view_states import ViewState, ViewStates
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


def view_files() -> dict[str, int]:
    """When each file about a view was written."""
    folder = state_folder() / "views"
    return {file.name: file.stat().st_mtime_ns for file in folder.glob("*.json")} if folder.is_dir() else {}


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two seconds are a moment."""
    monkeypatch.setattr(settled_changes, "PAUSE_MS", 30)


@pytest.mark.usefixtures("soon")
def test_a_change_is_written_while_the_session_is_open(
    window: MainWindow, sample: Sample, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = []
    write = ViewStates.write
    monkeypatch.setattr(
        ViewStates, "write", lambda self, path: (threads.append(threading.current_thread()), write(self, path))
    )
    path = sample(BRANCHED)
    pane = open_session(window, path, qtbot)
    changes: list[tuple[Callable[[], object], Callable[[ViewState], bool]]] = [
        (lambda: pane.select_id("e547f69a"), lambda state: state.selected_id == "e547f69a"),
        (lambda: pane.tree.expand(pane.tree.currentIndex()), lambda state: "e547f69a" in state.unfolded_heads),
        (lambda: pane.tree.collapse(pane.tree.currentIndex()), lambda state: "e547f69a" not in state.unfolded_heads),
        (lambda: pane.tree.verticalScrollBar().setValue(7), lambda state: state.top_offset > 0),
        (lambda: window.set_filter("user-only"), lambda state: state.filter_mode == "user-only"),
        (lambda: pane.tabs.setCurrentWidget(pane.context_tab), lambda state: state.tab == pane.tabs.current_name),
        (lambda: pane.tree.tree_header.want(Column.COST, False), lambda state: "COST" not in state.columns["shown"]),
        (lambda: pane.arrange(fixed=True), lambda state: state.arrangement == "fixed"),
    ]
    for change, is_written in changes:
        change()
        states = ViewStates(state_folder() / "views")
        qtbot.waitUntil(lambda: is_written(states.recall(path)), timeout=10_000)  # noqa: B023
    docks = states.recall(path).docks
    pane.resizeDocks([pane.inspector], [pane.inspector.width() + 60], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: states.recall(path).docks not in ("", docks), timeout=10_000)
    assert threads
    assert threading.main_thread() not in threads


@pytest.mark.usefixtures("soon")
def test_nothing_is_written_when_nothing_changed(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample(BRANCHED)
    pane = open_session(window, path, qtbot)
    pane.select_id("e547f69a")
    settle(pane, qtbot)
    close(window)
    before = view_files()
    assert before
    pane = open_session(window, path, qtbot)
    settle(pane, qtbot)
    qtbot.wait(200)
    pane.tabs.setCurrentWidget(pane.context_tab)
    pane.tabs.setCurrentWidget(pane.entry_tab)
    qtbot.wait(200)
    close(window)
    assert view_files() == before


@pytest.mark.usefixtures("soon")
def test_the_place_of_the_window_is_written_while_it_is_open(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    def kept() -> QSettings:
        return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)

    window.resize(1222, 733)
    qtbot.waitUntil(lambda: kept().value("geometry") == window.saveGeometry(), timeout=10_000)
    window.library.setVisible(not window.library.isVisible())
    qtbot.waitUntil(lambda: kept().value("state") == window.saveState(), timeout=10_000)
    written = (tmp_path / "window.ini").stat().st_mtime_ns
    window.resize(1000, 700)
    window.resize(1222, 733)
    qtbot.wait(200)
    assert (tmp_path / "window.ini").stat().st_mtime_ns == written


def test_what_never_ends_is_kept_now_and_then(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settled_changes, "PAUSE_MS", 200)
    monkeypatch.setattr(settled_changes, "MOST_MS", 600)
    kept: list[bool] = []
    owner = QObject()
    changes = SettledChanges(lambda: kept.append(True), owner)
    busy = QTimer(owner)
    busy.timeout.connect(changes.note)
    busy.start(1)
    qtbot.waitUntil(lambda: len(kept) >= 2, timeout=20_000)
    changes.end()
    kept.clear()
    qtbot.wait(400)
    assert not kept
    assert not changes.is_waiting


def test_the_look_survives_that_the_window_is_killed(sample: Sample, tmp_path: Path) -> None:
    path = sample(BRANCHED)
    environment = {**os.environ, "BRANCHWORK_HOME": str(tmp_path / "home")}
    command = [sys.executable, "-m", "tests.gui.killed_window", str(path)]
    with subprocess.Popen([*command, "e547f69a"], env=environment, stdout=subprocess.PIPE, text=True) as window:
        assert window.stdout is not None
        look = json.loads(window.stdout.readline())
        assert look["selected"] == "e547f69a"
        states = ViewStates(tmp_path / "home" / "state" / "views")
        settings = tmp_path / "home" / "config" / "window.ini"
        give_up = time.monotonic() + 60
        while states.recall(path).tab != look["tab"] or "geometry=" not in settings.read_text():
            assert time.monotonic() < give_up, "nothing was written"
            time.sleep(0.05)
        window.kill()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100, check=True)
    assert json.loads(done.stdout) == look


def test_a_picture_of_a_session_leaves_its_look_alone(sample: Sample, tmp_path: Path) -> None:
    environment = {**os.environ, "BRANCHWORK_HOME": str(tmp_path / "home")}
    command = [sys.executable, "-m", "gui.main", str(sample(BRANCHED)), "--select", "e547f69a"]
    picture = tmp_path / "picture.png"
    subprocess.run([*command, "--screenshot", str(picture)], env=environment, timeout=100, check=True)
    assert picture.exists()
    assert not (tmp_path / "home" / "state" / "views").exists()
