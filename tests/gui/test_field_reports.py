"""Public reports of the topics *tree* and *navigation*, each tried in the real window. Others are beside what they try.

T01, T02, T06, T08, T09, T14, T15: `test_tree_view`. T12, N07, N09, N14, N16: `test_jumps`. T13: `test_view_memory`.
N04, N17: `test_accessibility`. N12: `test_timeline`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.session_pane import SessionPane
from model.json_text import JsonObject
from tests.gui.conftest import click_entry, open_session, settle
from tests.services.sessions import message, write_session

Sample = Callable[[str], Path]
BRANCHED = "real-v3-branched.jsonl"
HEADER = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"}
CONTROL = Qt.KeyboardModifier.ControlModifier


def take(pane: SessionPane, entry_id: str, qtbot: QtBot) -> None:
    """Click an entry and go there by key, without questions."""
    click_entry(pane, entry_id, qtbot)
    pane.tree.setFocus()
    qtbot.keyClick(pane.tree, Qt.Key.Key_Return, CONTROL)
    qtbot.waitUntil(lambda: not pane.runner.is_running)
    settle(pane, qtbot)


def leaf_of(pane: SessionPane) -> str | None:
    session = pane.document.session
    assert session is not None
    return session.leaf_id


def lines_of(path: Path) -> list[JsonObject]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """Three questions with answers, and a branch behind the first answer."""
    records = [
        message("u1", None, "user", "first question"),
        message("a1", "u1", "assistant", "first answer"),
        message("x1", "a1", "user", "another question"),
        message("x2", "x1", "assistant", "another answer"),
        message("u2", "a1", "user", "second question"),
        message("a2", "u2", "assistant", "second answer"),
    ]
    return write_session(tmp_path / "talk.jsonl", [HEADER, *records])


def test_filtered_entries_leave_siblings_siblings(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """Field report T04: tools between user messages are filtered away; the branches keep their shape."""
    records = [message("u0", None, "user", "begin"), message("t0", "u0", "assistant", "thinking")]
    for side in "abc":
        records += [
            message(f"t{side}", "t0", "assistant", "looking"),
            message(f"u{side}", f"t{side}", "user", f"side {side}"),
            message(f"v{side}", f"u{side}", "user", f"on with {side}"),
        ]
    pane = open_session(window, write_session(tmp_path / "sides.jsonl", [HEADER, *records]), qtbot)
    before = pane.document.outline
    assert before is not None
    window.set_filter("user-only")
    settle(pane, qtbot)
    outline, index = pane.document.outline, pane.document.index
    assert outline is not None
    assert index is not None

    def row(entry_id: str) -> int:
        found = index.row_of(entry_id)
        assert found is not None
        return found

    assert sum(outline.branch_counts.values()) == sum(before.branch_counts.values()) == 2
    assert outline.owner[row("ua")] == outline.owner[row("ub")] == row("u0")
    model = pane.document.model
    assert model.index_of(row("ua")).parent() == model.index_of(row("u0"))
    assert model.index_of(row("ub")).parent() == model.index_of(row("u0"))


def test_a_move_without_a_summary_is_ours_alone(window: MainWindow, talk: Path, qtbot: QtBot) -> None:
    """Field report N02: reopened, we are where we were; the file, and so what an agent makes of it, is the same."""
    before = talk.read_bytes()
    pane = open_session(window, talk, qtbot)
    take(pane, "x2", qtbot)
    assert leaf_of(pane) == "x2"
    window.close_session()
    assert talk.read_bytes() == before
    pane = open_session(window, talk, qtbot)
    assert leaf_of(pane) == "x2"
    assert pane.selected_id == "x2"
    window.close_session()
    assert lines_of(talk)[-1]["id"] == "a2"  # where an agent resumes


def test_a_move_beside_another_writer_loses_nothing(window: MainWindow, talk: Path, qtbot: QtBot) -> None:
    """Field report N03: another program appends at the moment of the move."""
    pane = open_session(window, talk, qtbot)
    before = talk.read_bytes()
    click_entry(pane, "x2", qtbot)
    foreign = json.dumps(message("f1", "a2", "user", "from elsewhere")).encode() + b"\n"
    with talk.open("ab") as file:
        file.write(foreign)
    pane.tree.setFocus()
    qtbot.keyClick(pane.tree, Qt.Key.Key_Return, CONTROL)
    qtbot.waitUntil(lambda: not pane.runner.is_running and pane.document.index.row_of("f1") is not None)  # type: ignore[union-attr]
    settle(pane, qtbot)
    assert talk.read_bytes() == before + foreign
    assert pane.select_id("f1")


def test_where_a_move_lands(window: MainWindow, talk: Path, qtbot: QtBot) -> None:
    """Field report N05: on the parent of a user message, its text in the composer; on any other entry itself."""
    pane = open_session(window, talk, qtbot)
    for target, leaf, text in (("u1", None, "first question"), ("u2", "a1", "second question"), ("a2", "a2", "")):
        pane.composer.text.clear()
        take(pane, target, qtbot)
        assert leaf_of(pane) == leaf
        assert pane.composer.text.toPlainText() == text
        take(pane, "x2", qtbot)


def test_each_tab_writes_behind_its_own_leaf(window: MainWindow, talk: Path, tmp_path: Path, qtbot: QtBot) -> None:
    """Field report N11: two sessions in tabs, labelled in turn."""
    other_path = write_session(tmp_path / "other.jsonl", [{**HEADER, "id": "s2"}, message("o1", None, "user", "other")])
    panes = [open_session(window, path, qtbot) for path in (talk, other_path)]
    take(panes[0], "x2", qtbot)
    leaves = ["x2", "o1"]
    for number in range(4):
        which = number % 2
        pane = panes[which]
        window.sessions.setCurrentWidget(pane)
        assert pane.select_id(["u1", "o1"][which])
        pane.edits.set_label(f"label {number}")
        qtbot.waitUntil(lambda pane=pane: not pane.runner.is_running)
        settle(pane, qtbot)
        written = lines_of(pane.document.path)[-1]
        assert written["type"] == "label"
        assert written["parentId"] == leaves[which]
        leaves[which] = leaf_of(pane) or ""


def test_entries_before_in_and_after_a_compaction_can_be_gone_to(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    """Field report N15: places are named by id, so that a compaction shifts nothing."""
    records: list[JsonObject] = []
    for number in range(8):
        role = "assistant" if number % 2 else "user"
        records.append(message(f"m{number}", f"m{number - 1}" if number else None, role, f"text {number}"))
    compaction = {
        "type": "compaction", "id": "cut", "parentId": "m7", "timestamp": "2026-01-01T00:00:00.000Z",
        "summary": "what was", "firstKeptEntryId": "m4", "tokensBefore": 100,
    }  # fmt: skip
    records += [compaction, message("n1", "cut", "user", "after"), message("n2", "n1", "assistant", "well")]
    pane = open_session(window, write_session(tmp_path / "compacted.jsonl", [HEADER, *records]), qtbot)
    for target in ("m1", "m3", "m5", "cut", "n2"):
        take(pane, target, qtbot)
        assert leaf_of(pane) == target
        assert pane.selected_id == target
        QApplication.processEvents()
