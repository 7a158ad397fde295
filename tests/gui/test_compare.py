"""The *Compare* tab: two branches side by side, with figures that a plain count confirms."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.number_text import price
from gui.session_pane import SessionPane
from model.session_totals import session_totals
from tests.gui.conftest import click_entry, open_session, settle
from tests.services.sessions import figure, message, write_session

Sample = Callable[[str], Path]
OTHER_BRANCH = "e547f69a"


def show(window: MainWindow, sample: Sample, qtbot: QtBot) -> SessionPane:
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    pane.tabs.setCurrentWidget(pane.compare_tab)
    click_entry(pane, OTHER_BRANCH, qtbot)
    settle(pane, qtbot)
    return pane


def test_figures_of_both_branches(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = show(window, sample, qtbot)
    store, graph, index = pane.document.store, pane.document.graph, pane.document.index
    assert store is not None
    assert graph is not None
    assert index is not None
    chosen = index.row_of(OTHER_BRANCH)
    assert chosen is not None
    ancestor = graph.runs.common_ancestor(pane.document.leaf_row, chosen)
    left = [row for row in graph.runs.path(pane.document.leaf_row).tolist() if row not in graph.runs.path(ancestor)]
    tab = pane.compare_tab
    entries = store.entries(left)
    assert tab.figure("entries")[0] == str(len(left))
    assert tab.figure("user")[0] == str(sum(entry.get("message", {}).get("role") == "user" for entry in entries))
    assert tab.figure("cost")[0] == price(session_totals(entries).cost)
    assert int(tab.figure("tokens")[0].replace(",", "")) == sum(max(0, int(index.estimate[row])) for row in left)
    assert tab.left.rows.tolist() == [row for row in left if row in tab.left.rows]
    assert index.row_of(OTHER_BRANCH) in tab.right.rows
    assert tab.files.topLevelItemCount() > 0
    named = {tab.files.topLevelItem(number).text(0) for number in range(tab.files.topLevelItemCount())}
    paths = {
        block["arguments"]["path"]
        for entry in entries
        for block in (entry.get("message", {}).get("content") or [])
        if isinstance(block, dict) and block.get("type") == "toolCall" and block["name"] in ("read", "write", "edit")
    }
    assert paths <= named


def test_a_reply_in_several_entries_costs_once(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """Field report K08: also where a branch starts between two records of a reply."""
    used = {"input": 900, "output": 100, "totalTokens": 1000, "cost": {"total": 0.5}}
    first, second = ({"responseId": id, "usage": used} for id in ("msg_1", "msg_2"))
    entries = [
        message("a", None, "user", "go"),
        message("b", "a", "assistant", "I look here", **first),
        message("c", "b", "assistant", "and there", **first),
        message("d", "c", "assistant", "that is it", **second),
        message("e", "b", "user", "not there"),
        message("f", "e", "assistant", "then", **second),
        message("g", "f", "assistant", "here", **second),
    ]
    pane = open_session(window, write_session(tmp_path / "s.jsonl", [figure()[0], *entries]), qtbot)
    pane.tabs.setCurrentWidget(pane.compare_tab)
    click_entry(pane, "c", qtbot)
    settle(pane, qtbot)
    assert pane.compare_tab.figure("cost") == (price(0.5), price(0.5))
    assert pane.compare_tab.figure("used") == ("1000", "1000")
    assert pane.compare_tab.figure("entries") == ("3", "2")


def test_messages_lead_to_their_rows_and_the_comparison_stays(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = show(window, sample, qtbot)
    tab = pane.compare_tab
    before = tab.figure("entries")
    for view, model in ((tab.left_view, tab.left), (tab.right_view, tab.right)):
        view.setFocus()
        view.setCurrentIndex(model.index(2, 0))
        qtbot.keyClick(view, Qt.Key.Key_Return)
        settle(pane, qtbot)
        assert pane.tree.current_entry() == model.rows[2]
        assert tab.figure("entries") == before
    qtbot.mouseClick(tab.ancestor, Qt.MouseButton.LeftButton)
    settle(pane, qtbot)
    graph, outline = pane.document.graph, pane.document.outline
    assert graph is not None
    assert outline is not None
    ancestor = graph.runs.common_ancestor(int(tab.left.rows[0]), int(tab.right.rows[0]))
    assert pane.tree.current_entry() == outline.nearest_shown(ancestor)
    assert tab.figure("entries") == before


def test_another_branch_is_another_comparison(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = show(window, sample, qtbot)
    outline = pane.document.outline
    assert outline is not None
    index = pane.document.index
    assert index is not None
    first = pane.compare_tab.figure("entries")
    others = [head for head in outline.hides if head != index.row_of(OTHER_BRANCH)]
    found = set()
    for head in others:
        pane.tree.select_entry(head)
        settle(pane, qtbot)
        found.add(pane.compare_tab.figure("entries"))
    assert found - {first}


def test_an_entry_of_the_active_path_says_what_to_do(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    pane.tabs.setCurrentWidget(pane.compare_tab)
    settle(pane, qtbot)
    assert not pane.compare_tab.left_view.isVisible()
    assert "Select one of another branch" in pane.compare_tab.text.text()


def test_the_comparison_follows_the_file(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = show(window, sample, qtbot)
    tab = pane.compare_tab
    count = int(tab.figure("entries")[0])
    store, session = pane.document.store, pane.document.session
    assert store is not None
    assert session is not None
    entry = {"type": "message", "id": "feed0001", "parentId": session.leaf_id, "timestamp": "2026-03-02T08:00:00.000Z"}
    with pane.document.path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**entry, "message": {"role": "user", "content": "more", "timestamp": 1}}) + "\n")
    qtbot.waitUntil(lambda: tab.figure("entries")[0] == str(count + 1), timeout=5000)
    settle(pane, qtbot)


def test_t02_a_message_can_be_read_in_full(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """T02, G11: all of it, characters whole, on both sides."""
    pane = show(window, sample, qtbot)
    tab, store = pane.compare_tab, pane.document.store
    assert store is not None
    for view, model in ((tab.left_view, tab.left), (tab.right_view, tab.right)):
        view.setCurrentIndex(model.index(model.rowCount() - 1, 0))
        settle(pane, qtbot)
        assert tab.message is not None
        qtbot.waitUntil(tab.message.isVisible)
        said = [
            block["text"]
            for block in store.entry(int(model.rows[-1])).get("message", {}).get("content", [])
            if isinstance(block, dict) and block.get("type") == "text"
        ]
        assert all(text in tab.message.toPlainText() for text in said)
        assert tab.message.toPlainText()
