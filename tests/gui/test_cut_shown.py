"""The gutter shows the cut of a compaction that was made, wherever nothing is previewed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.row_content import Group, RowContent
from gui.session_pane import SessionPane
from model.compaction import CompactionPreparation
from model.json_text import JsonObject
from tests.gui.conftest import click_entry, open_session, settle
from tests.gui.test_document import appended
from tests.services.sessions import figure, write_session

Sample = Callable[[str], Path]
BRANCHED = "real-v3-branched.jsonl"
LONG = "real-v3-before-compaction.jsonl"


def compactions(path: Path) -> list[JsonObject]:
    entries = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [entry for entry in entries if entry["type"] == "compaction"]


def content_of(pane: SessionPane, entry_id: str) -> RowContent:
    index, rows = pane.document.index, pane.document.rows
    assert index is not None
    assert rows is not None
    row = index.row_of(entry_id)
    assert row is not None
    return rows.content(row)


def groups_along_path(pane: SessionPane, leaf_id: str) -> list[Group]:
    index, graph, rows = pane.document.index, pane.document.graph, pane.document.rows
    assert index is not None
    assert graph is not None
    assert rows is not None
    leaf = index.row_of(leaf_id)
    assert leaf is not None
    return [rows.content(int(row)).group for row in graph.runs.path(leaf)]


def go_to_tab(pane: SessionPane, tab: QWidget, qtbot: QtBot) -> None:
    pane.tabs.setCurrentWidget(tab)
    settle(pane, qtbot)


@pytest.mark.parametrize("keep", [500, 20_000])
def test_what_was_previewed_is_shown_as_made_in_every_tab(
    window: MainWindow, sample: Sample, qtbot: QtBot, keep: int
) -> None:
    pane = open_session(window, sample(LONG), qtbot)
    session = pane.document.session
    assert session is not None
    window.compact_action.trigger()
    settle(pane, qtbot)
    pane.compaction_tab.keep.setValue(keep)
    settle(pane, qtbot)
    leaf = session.leaf_id
    assert leaf is not None
    prepared = session.preview_compaction(keep_recent_tokens=keep)
    assert isinstance(prepared, CompactionPreparation)
    assert pane.compaction.cut_owner == "preview"
    previewed = groups_along_path(pane, leaf)
    cut_row = pane.compaction.gutter()[1]
    qtbot.mouseClick(pane.compaction_tab.compact, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not pane.runner.is_running and session.leaf_id != leaf, timeout=20_000)
    settle(pane, qtbot)
    outline, index = pane.document.outline, pane.document.index
    assert outline is not None
    assert index is not None
    shown = outline.trunk[outline.visible[outline.trunk]]
    click_entry(pane, index.id_of(int(shown[-2])), qtbot)
    for tab in (pane.compaction_tab, pane.entry_tab, pane.context_tab):
        go_to_tab(pane, tab, qtbot)
        assert pane.compaction.gutter()[1] == cut_row
        assert pane.compaction.cut_owner == "latest"
        assert content_of(pane, prepared.first_kept_entry_id).group == Group.KEPT
        made = groups_along_path(pane, leaf)
        first_in_window = next(place for place, group in enumerate(previewed) if group)
        assert made[first_in_window:] == previewed[first_in_window:]
        assert set(made[:first_in_window]) <= {Group.SUMMARIZED}, "that is in the summary since the one before"


def test_the_latest_compaction_of_the_path_is_shown_and_the_selected_one_instead(
    window: MainWindow, sample: Sample, qtbot: QtBot
) -> None:
    path = sample(BRANCHED)
    first, other, last = compactions(path)
    pane = open_session(window, path, qtbot)
    assert content_of(pane, last["id"]).is_cut, "it keeps nothing: the line is above itself"
    *before, itself = groups_along_path(pane, last["id"])
    assert set(before) == {Group.SUMMARIZED}
    assert itself == Group.NONE
    for chosen in (first, other):
        click_entry(pane, chosen["id"], qtbot)
        settle(pane, qtbot)
        cut = content_of(pane, chosen["firstKeptEntryId"])
        assert (cut.is_cut, cut.made_cut_text(), cut.group) == (True, "cut of this compaction", Group.KEPT)
        assert "the cut of the selected compaction" in cut.spoken(0, 0)
        assert "kept by the compaction" in cut.spoken(0, 0)
        assert not content_of(pane, last["id"]).is_cut
    click_entry(pane, first["firstKeptEntryId"], qtbot)
    settle(pane, qtbot)
    assert content_of(pane, last["id"]).made_cut_text() == "cut of the latest compaction"


def test_a_cut_that_was_made_cannot_be_dragged(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample(BRANCHED)
    first = compactions(path)[0]
    pane = open_session(window, path, qtbot)
    click_entry(pane, first["id"], qtbot)
    settle(pane, qtbot)
    dragged: list[int] = []
    pane.cut_handle.dragged.connect(dragged.append)
    assert pane.document.index is not None
    row = pane.document.index.row_of(first["firstKeptEntryId"])
    assert row is not None
    where = pane.document.model.index_of(row)
    pane.tree.scrollTo(where, pane.tree.ScrollHint.PositionAtCenter)
    line = pane.tree.visualRect(where).topLeft() + QPoint(200, 1)
    viewport = pane.tree.viewport()
    qtbot.mouseMove(viewport, line)
    assert viewport.cursor().shape() != Qt.CursorShape.SplitVCursor
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=line)
    qtbot.mouseMove(viewport, line - QPoint(0, 60))
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=line - QPoint(0, 60))
    assert dragged == []
    assert pane.tree.current_entry() != pane.document.index.row_of(first["id"]), "a press there selects a row"


def test_a_session_that_was_never_compacted_has_no_gutter(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    pane = open_session(window, write_session(tmp_path / "s.jsonl", figure()), qtbot)
    assert pane.compaction.gutter() == (None, None)


def test_the_gutter_follows_an_agent_that_goes_on_and_compacts(
    window: MainWindow, sample: Sample, qtbot: QtBot
) -> None:
    path = sample(BRANCHED)
    last = compactions(path)[-1]
    pane = open_session(window, path, qtbot)
    leaf = json.loads(path.read_text("utf-8").splitlines()[-1])["id"]

    def wait_for(entry_id: str) -> None:
        qtbot.waitUntil(
            lambda: pane.document.index is not None and pane.document.index.row_of(entry_id) is not None,
            timeout=20_000,
        )
        settle(pane, qtbot)

    appended(path, leaf, "aaaa0001", "on it goes")
    wait_for("aaaa0001")
    assert content_of(pane, "aaaa0001").group == Group.NONE
    assert content_of(pane, last["id"]).is_cut

    entry = {"type": "compaction", "id": "aaaa0002", "parentId": "aaaa0001", "timestamp": "2026-03-03T00:00:01.000Z"}
    with path.open("ab") as file:
        kept = {"summary": "by the agent", "firstKeptEntryId": "aaaa0001", "tokensBefore": 9}
        file.write(json.dumps(entry | kept).encode() + b"\n")
    wait_for("aaaa0002")
    click_entry(pane, "aaaa0001", qtbot)
    settle(pane, qtbot)
    cut = content_of(pane, "aaaa0001")
    assert (cut.is_cut, cut.cut_owner, cut.group) == (True, "latest", Group.KEPT)
    assert content_of(pane, last["id"]).group == Group.SUMMARIZED
    assert content_of(pane, "aaaa0002").context == 3 + 3, "its summary and the message that it keeps"
