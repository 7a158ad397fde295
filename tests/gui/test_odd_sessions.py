"""Sessions of unusual shape: every way of getting about does something sensible, or says why it does nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from model.json_text import JsonObject
from services.jobs import Job
from tests.gui.conftest import open_session, settle
from tests.services.sessions import message

Sample = Callable[[str], Path]
HEADER = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"}


def label(id: str, parent: str | None, target: str) -> JsonObject:
    time = "2026-01-01T00:00:00.000Z"
    return {"type": "label", "id": id, "parentId": parent, "timestamp": time, "targetId": target, "label": "here"}


def user(id: str, parent: str | None) -> JsonObject:
    return message(id, parent, "user", f"text of {id}")


def without_time(number: int) -> JsonObject:
    return {**user(f"n{number}", f"n{number - 1}" if number else None), "timestamp": None}


SHAPES: dict[str, list[JsonObject]] = {
    "no entries": [HEADER],
    "one entry": [HEADER, user("a", None)],
    "only hidden entries": [HEADER, label("a", None, "x"), label("b", "a", "a")],
    "several roots": [HEADER, user("a", None), user("b", None), user("c", None)],
    "a circle": [HEADER, user("a", "c"), user("b", "a"), user("c", "b")],
    "orphans": [HEADER, user("a", "gone"), user("b", "a"), user("c", "lost")],
    "a comb": [HEADER, user("a", None), *(user(f"t{number}", "a") for number in range(40))],
    "no times": [HEADER, *map(without_time, range(5))],
    "scripts": [
        HEADER,
        message("a", None, "user", "ค้นหาข้อความในเซสชันนี้ " * 40),
        message("b", "a", "assistant", "ابحث عن نص في هذه الجلسة " * 40),
        message("c", "a", "assistant", "\ud83d lone, 👩‍👩‍👧, e\u0301, \u202eoverride\u202c"),
    ],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_everything_can_be_tried(window: MainWindow, tmp_path: Path, qtbot: QtBot, shape: str) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in SHAPES[shape]), encoding="utf-8")
    before = path.read_bytes()
    pane = open_session(window, path, qtbot)
    said: list[str] = []
    pane.said.connect(said.append)
    for tab in range(pane.tabs.count()):
        pane.tabs.setCurrentIndex(tab)
        settle(pane, qtbot)
    pane.open_search()
    for text in ("x", "user", "ข้อความ", "نص", "👧"):
        pane.search_bar.text.setText(text)
        settle(pane, qtbot)
        pane.search.step(1)
        pane.search.step(-1)
    jumps = pane.jumps
    relatives = (jumps.to_parent, jumps.to_child, jumps.to_next_branch, jumps.to_previous_branch, jumps.to_leaf)
    marks = (jumps.to_next_fork, jumps.to_previous_fork, jumps.to_next_label, jumps.to_previous_label)
    for _ in range(2):
        for jump in (*relatives, *marks, jumps.back, jumps.forward):
            jump()
        window.going.branch_points.trigger()
        settle(pane, qtbot)
    for entry_id in ("a", "zzz", ""):
        jumps.to_id(entry_id)
        settle(pane, qtbot)
    for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        pane.map_view.arrow_pressed.emit(dx, dy)
    pane.map_view.zoom_by(5)
    window.set_filter("labeled-only")
    settle(pane, qtbot)
    window.set_filter("all")
    settle(pane, qtbot)
    window.grab()
    pane.search_bar.leave()
    assert path.read_bytes() == before
    assert all(sentence.endswith((".", "…")) for sentence in said)
    index, outline = pane.document.index, pane.document.outline
    assert index is not None
    assert outline is not None
    assert pane.document.order is not None
    assert len(pane.document.order.rows) == index.count


def test_a_selection_comes_back_after_a_filter_that_shows_nothing(
    window: MainWindow, sample: Sample, qtbot: QtBot
) -> None:
    """Field report T06."""
    pane = open_session(window, sample("omp-branched.jsonl"), qtbot)
    chosen = pane.document.outline.trunk[3]  # type: ignore[union-attr]
    pane.tree.select_entry(int(chosen))
    selected = pane.tree.current_entry()
    assert selected is not None
    store = pane.document.store
    assert store is not None
    if not store.labels:
        window.set_filter("labeled-only")
        settle(pane, qtbot)
        assert pane.document.model.rowCount() == 0
    window.set_filter("default")
    settle(pane, qtbot)
    assert pane.tree.current_entry() == selected


def test_nothing_is_started_after_closing(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """Field report G06: a signal that was under way when the session was closed starts no thread."""
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    pane.open_search()
    pane.close_session()
    pane.document.refresh()
    pane.search.search("theme")
    pane.jumps.to_id("zzz")
    assert not pane.document.is_laying_out
    assert not pane.search.is_computing
    assert not pane.jumps.is_computing
    assert not [job for job in pane.findChildren(Job) if job.isRunning()]
