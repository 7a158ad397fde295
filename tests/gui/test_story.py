"""The main job, end to end, through real widgets and events, on a copy of a real session and a real HTTP server."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.session_pane import SessionPane
from services.app_folders import config_folder
from tests.gui.conftest import click_entry, open_session, settle
from tests.services.loopback_server import Connection, LoopbackServer, stream

Sample = Callable[[str], Path]

OTHER_BRANCH = "e547f69a"  # a custom message: going there lands on its parent
FIRST_HALF = "## Goal\nPort the selectors"
SECOND_HALF = " to theme tokens.\n\n## Next Steps\n1. Go on"


def chunk(text: str | None, finish: str | None = None) -> str:
    delta = {} if text is None else {"content": text}
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return f"data: {json.dumps({'id': 'c1', 'object': 'chat.completion.chunk', 'choices': [choice]})}\n\n"


def configure_model(url: str, **more: object) -> None:
    config_folder().mkdir(parents=True, exist_ok=True)
    model = {"provider": "openai-compatible", "baseUrl": f"{url}/v1", "modelId": "small", "contextWindow": 128_000}
    model |= more
    (config_folder() / "settings.json").write_text(json.dumps({"model": model}), "utf-8")


def press(key: Qt.Key, qtbot: QtBot) -> None:
    """Press a key where the focus is, as a person does."""
    focused = QApplication.focusWidget()
    assert isinstance(focused, QWidget)
    qtbot.keyClick(focused, key)


def choose_summary(pane: SessionPane, qtbot: QtBot) -> None:
    """From the selected row: Enter, down to "summarise", Enter."""
    qtbot.waitUntil(lambda: not pane.is_computing)
    pane.tree.setFocus()
    press(Qt.Key.Key_Return, qtbot)
    choices = (pane.navigate_tab.go, pane.navigate_tab.summarize)
    qtbot.waitUntil(lambda: any(choice.hasFocus() for choice in choices))
    settle(pane, qtbot)
    if not pane.navigate_tab.summarize.isChecked():  # the last answer is remembered
        press(Qt.Key.Key_Down, qtbot)
    assert pane.navigate_tab.summarize.isChecked()
    press(Qt.Key.Key_Return, qtbot)


@pytest.mark.spec("TN-9", "TN-10", "BS-7", "TN-8", "TN-5")
def test_click_choose_stream_escape_and_again_without(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample("real-v3-branched.jsonl")
    before = path.read_bytes()
    stalled = threading.Event()

    def stall(connection: Connection) -> None:
        stalled.set()
        connection.wait_until_gone()

    with LoopbackServer(
        stream([chunk(FIRST_HALF)], then=stall),
        stream([chunk(FIRST_HALF), chunk(SECOND_HALF), chunk(None, "stop"), "data: [DONE]\n\n"]),
    ) as server:
        configure_model(server.url)
        pane = open_session(window, path, qtbot)
        session = pane.document.session
        assert session is not None
        old_leaf = session.leaf_id
        row = click_entry(pane, OTHER_BRANCH, qtbot)

        # Escape in mid-stream: the connection is closed, nothing is written, the leaf stays.
        choose_summary(pane, qtbot)
        qtbot.waitUntil(lambda: "Port the selectors" in pane.navigate_tab.stream.toPlainText())
        assert stalled.wait(2)
        assert window.status.stop.isVisible()
        with qtbot.waitSignal(pane.runner.ended, timeout=300):
            press(Qt.Key.Key_Escape, qtbot)
        assert server.connections[0].gone.wait(2)
        assert path.read_bytes() == before
        assert session.leaf_id == old_leaf
        assert pane.tree.current_entry() == row
        assert not window.status.stop.isVisible()

        # Again, without Escape: one line more, in the right place, and the window shows it.
        choose_summary(pane, qtbot)
        qtbot.waitUntil(lambda: not pane.runner.is_running and session.leaf_id != old_leaf)
        settle(pane, qtbot)

    after = path.read_bytes()
    assert after.startswith(before)
    added = after[len(before) :]
    assert added.endswith(b"\n")
    assert added.count(b"\n") == 1
    entry = json.loads(added)
    landing = json.loads(next(line for line in before.splitlines() if b'"id":"e547f69a"' in line))["parentId"]
    assert entry["type"] == "branch_summary"
    assert entry["parentId"] == landing
    assert entry["fromId"] == old_leaf
    assert FIRST_HALF + SECOND_HALF in entry["summary"]
    assert session.leaf_id == entry["id"]
    assert "3 warnings in theme.ts" in pane.composer.text.toPlainText()
    outline = pane.document.outline
    index = pane.document.index
    assert outline is not None
    assert index is not None
    assert index.id_of(outline.shown_leaf) == entry["id"]
    assert pane.tree.current_entry() == outline.shown_leaf
    sent = server.requests[-1].json
    assert "tools" not in sent
    assert "<conversation>" in json.dumps(sent["messages"])

    # Reopened, the file ends where we went.
    window.close_session()
    assert window.pane is None
    again = open_session(window, path, qtbot)
    assert again.document.session is not None
    assert again.document.session.leaf_id == entry["id"]


@pytest.mark.spec("CP-18", "CP-25")
def test_preview_a_cut_and_compact_with_the_digest(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample("real-v3-before-compaction.jsonl")
    before = path.read_bytes()
    pane = open_session(window, path, qtbot)
    session = pane.document.session
    assert session is not None
    old_leaf = session.leaf_id
    window.compact_action.trigger()
    settle(pane, qtbot)
    tab = pane.compaction_tab
    assert tab.group_tokens[3].text() != "0"  # type: ignore[index]
    wide = tab.group_tokens[3].text()  # type: ignore[index]
    tab.keep.setValue(5000)
    assert tab.group_tokens[3].text() != wide  # type: ignore[index]
    settle(pane, qtbot)
    rows = pane.document.rows
    outline = pane.document.outline
    assert rows is not None
    assert outline is not None
    groups, cut_row = pane.compaction.gutter()
    assert groups is not None
    assert cut_row is not None
    assert rows.content(cut_row).is_cut
    assert rows.content(outline.shown_leaf).group == 3
    assert "<conversation>" in tab.prompt.toPlainText()

    qtbot.mouseClick(tab.compact, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not pane.runner.is_running and session.leaf_id != old_leaf, timeout=10_000)
    settle(pane, qtbot)
    added = path.read_bytes()[len(before) :]
    assert path.read_bytes().startswith(before)
    entry = json.loads(added)
    assert added.count(b"\n") == 1
    assert entry["type"] == "compaction"
    assert entry["parentId"] == old_leaf
    assert entry["id"] == session.leaf_id
    assert not tab.compact.isEnabled()  # this branch is already compacted


@pytest.mark.spec("CP-25")
def test_the_cut_can_be_dragged_and_snaps(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample("real-v3-before-compaction.jsonl"), qtbot)
    window.compact_action.trigger()
    settle(pane, qtbot)
    _groups, cut_row = pane.compaction.gutter()
    assert cut_row is not None
    model, tree = pane.document.model, pane.tree
    viewport = tree.viewport()
    pane.tree.select_entry(cut_row, centre=True)

    def line() -> QPoint:
        return tree.visualRect(model.index_of(cut_row)).topLeft()

    def hover() -> bool:  # again while a window manager still sizes the window, or a real pointer enters it
        qtbot.mouseMove(viewport, line() + QPoint(40, 1))
        return viewport.cursor().shape() == Qt.CursorShape.SplitVCursor

    qtbot.waitUntil(hover)
    at = line()
    target = tree.indexAt(QPoint(at.x() + 40, at.y() - 5 * tree.visualRect(model.index_of(cut_row)).height()))
    to = tree.visualRect(target).topLeft() + QPoint(40, 2)
    before = pane.compaction_tab.keep.value()
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=at + QPoint(40, 1))
    qtbot.mouseMove(viewport, to)
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=to)
    settle(pane, qtbot)
    assert pane.compaction_tab.keep.value() > before
    _groups, moved = pane.compaction.gutter()
    assert moved is not None
    row = model.entry_row(target)
    assert row is not None
    assert row <= moved < cut_row
    assert tree.current_entry() == cut_row  # taking hold of the line selects nothing


@pytest.mark.spec("CP-25")
def test_the_cut_cannot_be_dragged_into_what_is_already_summarised(
    window: MainWindow, sample: Sample, qtbot: QtBot
) -> None:
    pane = open_session(window, sample("real-v3-before-compaction.jsonl"), qtbot)
    window.compact_action.trigger()
    settle(pane, qtbot)
    assert pane.document.outline is not None
    keep = pane.compaction_tab.keep.value()
    with qtbot.waitSignal(pane.compaction.said) as told:
        pane.compaction.drag_cut(int(pane.document.outline.trunk[5]))
    assert told.args == ["What lies there is already summarised."]
    assert pane.compaction_tab.keep.value() == keep
