"""The preview of a compaction with the leaf imagined at the selected entry."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.row_content import Group
from gui.session_pane import SessionPane
from model.compaction import CompactionPreparation
from tests.gui.conftest import click_entry, open_session, settle


def grouped(pane: SessionPane) -> tuple[list[str], list[str]]:
    """The ids of the entries that the gutter shows as summarised, turn prefix included, and as kept."""
    index = pane.document.index
    groups, _ = pane.compaction.gutter()
    assert index is not None
    assert groups is not None
    return (
        [index.id_of(row) for row in (groups == Group.SUMMARIZED).nonzero()[0].tolist()]
        + [index.id_of(row) for row in (groups == Group.TURN_PREFIX).nonzero()[0].tolist()],
        [index.id_of(row) for row in (groups == Group.KEPT).nonzero()[0].tolist()],
    )


def test_the_cut_is_drawn_for_the_selected_entry_and_nothing_is_compacted_there(
    window: MainWindow, sample: Callable[[str], Path], qtbot: QtBot
) -> None:
    path = sample("real-v3-branched.jsonl")
    before = path.read_bytes()
    pane = open_session(window, path, qtbot)
    session, index, graph = pane.document.session, pane.document.index, pane.document.graph
    assert session is not None
    assert index is not None
    assert graph is not None
    window.compact_action.trigger()
    settle(pane, qtbot)
    tab = pane.compaction_tab
    tab.keep.setValue(2000)
    settle(pane, qtbot)
    here = grouped(pane)
    assert tab.compact.isEnabled()

    elsewhere = next(
        row
        for row in reversed(range(index.count))
        if not graph.runs.is_ancestor(row, pane.document.leaf_row)
        and pane.document.outline is not None
        and pane.document.outline.is_shown(row)
        and isinstance(
            session.preview_compaction(leaf_id=index.id_of(row), keep_recent_tokens=2000), CompactionPreparation
        )
    )
    qtbot.keyClick(tab.imagine, Qt.Key.Key_Space)
    settle(pane, qtbot)
    click_entry(pane, index.id_of(elsewhere), qtbot)
    settle(pane, qtbot)
    expected = session.preview_compaction(leaf_id=index.id_of(elsewhere), keep_recent_tokens=2000)
    assert isinstance(expected, CompactionPreparation)
    summarized, kept = grouped(pane)
    assert kept[0] == expected.first_kept_entry_id
    assert kept[-1] == index.id_of(elsewhere)
    assert summarized
    assert not tab.compact.isEnabled()
    assert "go to this entry first" in tab._explanation.text()
    assert tab.keep.value() == 2000
    assert tab.prompt.toPlainText()

    qtbot.keyClick(tab.imagine, Qt.Key.Key_Space)
    settle(pane, qtbot)
    tab.keep.setValue(2000)
    settle(pane, qtbot)
    assert grouped(pane) == here
    assert tab.compact.isEnabled()
    assert path.read_bytes() == before
