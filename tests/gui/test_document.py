"""An open session against Qt's model tester, in every filter mode and while its file grows."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from gui.entry_names import entry_title
from gui.main_window import MainWindow
from gui.session_pane import SessionPane
from model.column_filters import FILTER_MODES
from model.tree_filters import is_visible
from services.session_loader import SessionLoader
from services.session_store import SessionStore
from tests.gui.conftest import open_session, preloaded, settle
from tests.gui.test_session_tree_model import expected_rows, unfolded_rows

Sample = Callable[[str], Path]
SAMPLES = [
    "real-v3-branched.jsonl",
    "omp-branched.jsonl",
    "real-v3-large.jsonl",
    "real-v3-before-compaction.jsonl",
    "real-v1-large.jsonl",
    "real-v1-before-compaction.jsonl",
]


def check_rows(pane: SessionPane) -> None:
    """The model shows the outline, and the outline shows what the filter lets through."""
    outline, store = pane.document.outline, pane.document.store
    assert outline is not None
    assert store is not None
    rows = unfolded_rows(pane.document.model)
    assert {owner: found for owner, found in rows.items() if found} == {
        owner: found for owner, found in expected_rows(outline).items() if found
    }
    shown = sorted(row for found in rows.values() for row in found)
    leaf = pane.document.leaf_row
    mode = pane.document.filter_mode
    assert shown == [
        row
        for row in range(store.index.count)
        if is_visible(store.entry(row), mode, labeled=row in store.labels, is_leaf=row == leaf)
    ]


@pytest.mark.spec("TN-12", "TN-12.2")
@pytest.mark.parametrize("name", SAMPLES)
def test_every_filter_of_every_sample(window: MainWindow, sample: Sample, qtbot: QtBot, name: str) -> None:
    path = sample(name)
    before = path.read_bytes()
    pane = open_session(window, path, qtbot)
    tester = QAbstractItemModelTester(pane.document.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for mode in (*FILTER_MODES, "default"):
        window.set_filter(mode)
        settle(pane, qtbot)
        assert pane.document.filter_mode == mode
        check_rows(pane)
    assert path.read_bytes() == before  # nothing is written by looking
    assert tester.model() is pane.document.model


def appended(path: Path, parent_id: str, new_id: str, text: str) -> None:
    """Append a user message as another program does."""
    message = {"role": "user", "content": [{"type": "text", "text": text}], "timestamp": 1}
    entry = {"type": "message", "id": new_id, "parentId": parent_id, "timestamp": "2026-03-03T00:00:00.000Z"}
    with path.open("ab") as file:
        file.write(json.dumps({**entry, "message": message}).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


@pytest.mark.parametrize("mode", FILTER_MODES)
def test_appended_lines_appear_without_moving_anything(
    window: MainWindow, sample: Sample, qtbot: QtBot, mode: str
) -> None:
    path = sample("real-v3-branched.jsonl")
    pane = open_session(window, path, qtbot)
    window.set_filter(mode)
    settle(pane, qtbot)
    document = pane.document
    tester = QAbstractItemModelTester(document.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert document.session is not None
    leaf_id = document.session.leaf_id
    assert leaf_id is not None
    index = document.index
    assert index is not None
    outline = document.outline
    assert outline is not None
    top = outline.group(-1)
    assert top is not None
    chosen_id = index.id_of(int(top[len(top) // 2]))
    assert pane.select_id(chosen_id)
    chosen = pane.tree.currentIndex()
    scrolled = pane.tree.verticalScrollBar().value()

    appended(path, leaf_id, "aaaa0001", "continued")
    appended(path, "e547f69a", "aaaa0002", "a new branch")
    appended(path, "aaaa0001", "aaaa0003", "continued again")
    qtbot.waitUntil(lambda: document.index is not None and document.index.row_of("aaaa0003") is not None, timeout=3000)
    settle(pane, qtbot)
    qtbot.waitUntil(lambda: not pane.is_computing)
    check_rows(pane)
    assert index.row_of(chosen_id) == pane.tree.current_entry()
    assert mode == "labeled-only" or chosen == pane.tree.currentIndex()
    assert pane.tree.verticalScrollBar().value() == scrolled
    assert document.session.leaf_id == "aaaa0003"  # we were at the end, so we go along
    assert tester.model() is document.model


def test_a_selected_leaf_follows_the_end(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample("omp-branched.jsonl")
    pane = open_session(window, path, qtbot)
    session = pane.document.session
    assert session is not None
    assert session.leaf_id is not None
    appended(path, session.leaf_id, "aaaa0001", "continued")
    qtbot.waitUntil(lambda: session.leaf_id == "aaaa0001", timeout=3000)
    settle(pane, qtbot)
    index = pane.document.index
    assert index is not None
    qtbot.waitUntil(lambda: pane.tree.current_entry() == pane.document.leaf_row)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(b"not json at all\n" * 3, "session"), (b"\x00" * 4096, "session"), (b"[1, 2, 3]\n", "session")],
)
def test_a_file_that_is_no_session_is_refused_with_a_sentence(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, content: bytes, sentence: str
) -> None:
    path = tmp_path / "other.jsonl"
    path.write_bytes(content)
    with qtbot.waitSignal(window.session_failed, timeout=20_000):
        window.open_file(path)
    assert window.pane is not None
    assert sentence in window.pane.banner.text.text()
    assert window.pane.banner.isVisible()
    assert path.read_bytes() == content
    qtbot.waitUntil(lambda: not window.sessions.is_busy)  # nothing goes on with what can't be read


def test_a_missing_file_is_said(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.session_failed, timeout=20_000):
        window.open_file(tmp_path / "gone.jsonl")
    assert window.pane is not None
    assert "exist" in window.pane.banner.text.text()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    with qtbot.waitSignal(window.session_failed, timeout=20_000):
        window.open_file(tmp_path / "pipe.jsonl")
    assert window.pane is not None
    assert "not a file" in window.pane.banner.text.text()


def test_commands_wait_until_there_is_something_to_act_on(
    window: MainWindow, sample: Sample, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "open", lambda _dialog: None)
    open_session(window, sample("omp-branched.jsonl"), qtbot)  # from now on a file is opened in the same turn
    known = sample("real-v3-branched.jsonl")
    before = known.read_bytes()
    with qtbot.waitSignal(window.session_ready, timeout=20_000):
        window.open_file(known)
        pane = window.pane
        assert pane is not None
        assert not pane.is_prepared, "nothing was made of its widgets yet"
        for action in window.assistance.shortcuts.actions():
            if action.objectName() not in ("quit", "close_session", "open_demo"):
                action.trigger()
        assert not window.sessions.rename(known, "nothing")
    settle(pane, qtbot)
    assert window.navigate_action.isEnabled()
    assert known.read_bytes() == before


def test_rows_stay_those_that_are_laid_out_when_the_store_knows_more(
    window: MainWindow, sample: Sample, qtbot: QtBot
) -> None:
    """An operation may take in what another program did before the window has heard of it."""
    path = sample("omp-branched.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    pane = open_session(window, path, qtbot)
    store, rows, index = pane.document.store, pane.document.rows, pane.document.index
    assert store is not None
    assert rows is not None
    assert index is not None
    last = index.count - 1
    entry = json.loads(lines[-1]) | {"id": "another1", "parentId": index.id_of(last)}
    with path.open("ab") as file:
        file.write(json.dumps(entry).encode() + b"\n")
    store.refresh()
    assert entry_title(pane.document, "another1") == "", "it is not shown yet"
    path.write_bytes(b"".join(lines[:5]))
    store.refresh()
    assert store.index.count < last
    rows.show_matches(None)  # what was painted is made again
    assert rows.content(last).entry_id == index.id_of(last)
    pane.document.set_filter("all")
    qtbot.waitUntil(lambda: pane.document.index is not None and pane.document.index.count == store.index.count)
    settle(pane, qtbot)


def test_a_session_is_opened_in_widgets_that_were_made_before(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    preloaded(window, qtbot)
    window.sessions.prepare()
    spare = window.sessions.findChild(SessionPane)
    assert spare is not None
    assert window.pane is None
    qtbot.waitUntil(lambda: spare.is_prepared, timeout=10_000)
    pane = open_session(window, sample("omp-branched.jsonl"), qtbot)
    assert pane is spare
    assert pane.map_dock.isVisible() == window.going.map.isChecked()
    check_rows(pane)
    other = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    assert other is not pane
    check_rows(other)


def test_nothing_is_prepared_once_the_window_is_closed(window: MainWindow, qtbot: QtBot) -> None:
    preloaded(window, qtbot)
    window.sessions.prepare()
    assert window.sessions.findChild(SessionPane) is not None
    window.close()
    qtbot.waitUntil(lambda: window.sessions.findChild(SessionPane) is None)
    window.sessions.prepare()  # as a timer does that was still running
    assert window.sessions.findChild(SessionPane) is None


def test_reading_is_stopped_and_begun_again(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    preloaded(window, qtbot)
    window.sessions.prepare()
    spare = window.sessions.findChild(SessionPane)
    assert spare is not None
    qtbot.waitUntil(lambda: spare.is_prepared, timeout=10_000)
    document = spare.document

    def load_and_stop() -> None:
        del document.load  # type: ignore[method-assign]  # the method of the class again
        document.load()
        document.stop_loading()

    document.load = load_and_stop  # type: ignore[method-assign]
    with qtbot.waitSignal(document.stopped, timeout=10_000):
        window.open_file(sample("real-v3-branched.jsonl"))
    qtbot.waitUntil(lambda: spare.banner.action.isVisible() and spare.banner.action.text() == "Read it again")
    with qtbot.waitSignal(window.session_ready, timeout=20_000):
        qtbot.mouseClick(spare.banner.action, Qt.MouseButton.LeftButton)
    settle(spare, qtbot)
    check_rows(spare)
    assert not spare.banner.isVisible()


def test_reading_is_stopped_when_all_is_read_but_not_shown_yet(
    window: MainWindow, sample: Sample, qtbot: QtBot
) -> None:
    pane = open_session(window, sample("omp-branched.jsonl"), qtbot)
    window.open_file(sample("real-v3-branched.jsonl"))
    pane = window.pane
    assert pane is not None
    qtbot.waitUntil(lambda: pane.document.is_reading)
    (loader,) = pane.document.findChildren(SessionLoader)
    assert loader.wait(20_000)
    with qtbot.waitSignal(pane.document.stopped, timeout=20_000):
        window.stop()
    assert not pane.document.is_reading
    assert "stopped" in pane.banner.text.text()
    with qtbot.waitSignal(pane.document.ready, timeout=20_000):
        qtbot.mouseClick(pane.banner.action, Qt.MouseButton.LeftButton)
    settle(pane, qtbot)


def test_the_place_what_follows_it_and_the_end_of_reading_have_a_turn_each(
    window: MainWindow, sample: Sample, qtbot: QtBot
) -> None:
    """All at once would hold up a window that shows a long session."""
    opened: list[SessionPane] = []
    window.sessions.pane_opened.connect(opened.append)
    window.open_file(sample("real-v3-branched.jsonl"))
    qtbot.waitUntil(lambda: bool(opened), timeout=20_000)
    (pane,) = opened
    document = pane.document
    seen: list[str] = []

    def note(what: str) -> None:
        if not document.is_loading:
            seen.append(what)
            QTimer.singleShot(0, lambda: seen.append("turn"))

    document.rows_shown.connect(lambda: note("rows"))
    document.laid_out.connect(lambda: note("laid out"))
    with qtbot.waitSignal(document.ready, timeout=20_000):
        document.ready.connect(lambda: note("ready"))
    assert seen[: seen.index("ready")] == ["rows", "turn", "laid out", "turn"]
    settle(pane, qtbot)
    assert document.outline is not None
    assert pane.tree.current_entry() == document.outline.shown_leaf


def test_an_empty_file_is_an_empty_session(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "empty.jsonl"
    path.touch()
    pane = open_session(window, path, qtbot)
    assert pane.document.model.rowCount() == 0
    assert pane.document.session is not None
    assert pane.document.session.leaf_id is None
    assert path.read_bytes() == b""


def test_a_session_that_is_being_read_leaves_its_renaming_to_who_asks(
    window: MainWindow, sample: Sample, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, may_go_on, open_store = sample("real-v3-branched.jsonl"), threading.Event(), SessionStore.open

    def slow(*given: Any, **more: Any) -> SessionStore:
        assert may_go_on.wait(20)
        return open_store(*given, **more)

    monkeypatch.setattr(SessionStore, "open", slow)
    with qtbot.waitSignal(window.session_ready, timeout=20_000):
        window.open_file(known)
        qtbot.waitUntil(lambda: window.pane is not None and window.pane.is_prepared, timeout=20_000)
        assert not window.sessions.rename(known, "told to nobody")
        may_go_on.set()
    assert window.sessions.rename(known, "told to the pane")
    qtbot.waitUntil(lambda: b"told to the pane" in known.read_bytes(), timeout=20_000)
