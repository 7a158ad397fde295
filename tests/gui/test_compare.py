"""The *Compare* tab: two branches side by side, with figures that a plain count confirms."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QMenu
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


def test_where_no_cost_is_recorded_none_is_shown(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    paid = {"input": 900, "output": 100, "totalTokens": 1000, "cost": {"total": 0.5}}
    entries = [
        message("a", None, "user", "go"),
        message("b", "a", "assistant", "for money", usage=paid),
        message("c", "a", "assistant", "for nothing"),
    ]
    pane = open_session(window, write_session(tmp_path / "s.jsonl", [figure()[0], *entries]), qtbot)
    pane.tabs.setCurrentWidget(pane.compare_tab)
    click_entry(pane, "b", qtbot)
    settle(pane, qtbot)
    assert pane.compare_tab.figure("cost") == ("–", price(0.5))


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
    qtbot.waitUntil(lambda: tab.figure("entries")[0] == str(count + 1), timeout=20_000)
    settle(pane, qtbot)


def test_what_is_read_in_a_comparison_stays_while_the_session_goes_on(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = forked_session(tmp_path / "s.jsonl")
    pane = open_session(window, path, qtbot)
    tab = pane.compare_tab
    pane.tabs.setCurrentWidget(tab)
    click_entry(pane, "x", qtbot)
    settle(pane, qtbot)
    for view, model in ((tab.left_view, tab.left), (tab.right_view, tab.right)):
        QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, pane)
        view.setCurrentIndex(model.index(1, 0))
        settle(pane, qtbot)
    assert tab.message is not None
    said = tab.message.toPlainText()
    assert "on that way" in said
    before = tab.text.text()
    texts: list[str] = []
    watch = QTimer(pane)
    watch.timeout.connect(lambda: texts.append(tab.text.text()))
    watch.start(1)
    for count, (entry_id, parent, speaker) in enumerate((("g", "d", "user"), ("h", "g", "assistant")), start=3):
        with path.open("a") as file:
            file.write(json.dumps(message(entry_id, parent, speaker, "more")) + "\n")
        qtbot.waitUntil(lambda: tab.figure("entries")[0] == str(count + 1), timeout=20_000)  # noqa: B023
        settle(pane, qtbot)
    watch.stop()
    assert sides(pane) == (["b", "c", "d", "g", "h"], ["x", "y"])
    assert str(tab.left.index(4, 1).data()) == "more"
    assert [view.currentIndex().row() for view in (tab.left_view, tab.right_view)] == [1, 1]
    assert tab.message.isVisible()
    assert tab.message.toPlainText() == said
    assert set(texts) == {before}, "nothing says that it is being read"
    pane.select_id("f")
    settle(pane, qtbot)
    assert sides(pane)[1] == ["e", "f"]
    assert not tab.message.isVisible()


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


def forked_session(path: Path) -> Path:
    """The active path ends at `d`; two other branches start at `a` and at `b`, and end at `y` and at `f`."""
    entries = [
        message("a", None, "user", "go"),
        message("x", "a", "assistant", "one way"),
        message("y", "x", "user", "on that way"),
        message("b", "a", "assistant", "another way"),
        message("e", "b", "user", "try this"),
        message("f", "e", "assistant", "tried"),
        message("c", "b", "user", "try that"),
        message("d", "c", "assistant", "done"),
    ]
    return write_session(path, [figure()[0], *entries])


def sides(pane: SessionPane) -> tuple[list[str], list[str]]:
    """The ids of the messages on both sides."""
    index, tab = pane.document.index, pane.compare_tab
    assert index is not None
    return ([index.id_of(int(row)) for row in tab.left.rows], [index.id_of(int(row)) for row in tab.right.rows])


def test_two_branches_neither_of_which_is_the_active_path(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    pane = open_session(window, forked_session(tmp_path / "s.jsonl"), qtbot)
    tab = pane.compare_tab
    pane.tabs.setCurrentWidget(tab)
    click_entry(pane, "x", qtbot)
    settle(pane, qtbot)
    assert sides(pane) == (["b", "c", "d"], ["x", "y"])
    assert not tab.unpin.isVisible()
    pane.tree.setFocus()
    qtbot.keyClick(pane.tree, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    settle(pane, qtbot)
    assert tab.pinned.text() == "Pinned: the branch of “assistant: one way”"
    assert tab.text.text() == "Now select an entry of another branch to compare them."
    click_entry(pane, "f", qtbot)
    settle(pane, qtbot)
    assert sides(pane) == (["x", "y"], ["b", "e", "f"])
    assert tab.figure("head") == ("Pinned branch", "Other branch")
    assert tab.figure("entries") == ("2", "3")
    assert tab.files.headerItem().text(1) == "Pinned branch"
    assert tab.left_view.accessibleName() == "Messages of the pinned branch"
    click_entry(pane, "y", qtbot)
    settle(pane, qtbot)
    assert sides(pane) == (["x", "y"], ["b", "e", "f"]), "an entry of the pinned branch changes nothing"
    click_entry(pane, "d", qtbot)
    settle(pane, qtbot)
    assert sides(pane) == (["x", "y"], ["b", "c", "d"]), "the active path can be the other one"
    click_entry(pane, "f", qtbot)
    settle(pane, qtbot)
    tab.unpin.setFocus()
    qtbot.keyClick(tab.unpin, Qt.Key.Key_Space)
    settle(pane, qtbot)
    assert sides(pane) == (["c", "d"], ["e", "f"])
    assert not tab.unpin.isVisible()
    assert tab.figure("head") == ("Active path", "Other branch")


def test_the_menu_of_a_row_pins_it_and_the_command_for_the_active_path_lets_go(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    pane = open_session(window, forked_session(tmp_path / "s.jsonl"), qtbot)
    click_entry(pane, "f", qtbot)
    window.going.show_row_menu(pane.mapToGlobal(pane.rect().center()))
    menu = next(each for each in window.findChildren(QMenu) if each.isVisible())
    assert window.going.compare_from in menu.actions()
    window.going.compare_from.trigger()
    menu.close()
    settle(pane, qtbot)
    assert pane.tabs.currentWidget() is pane.compare_tab
    click_entry(pane, "x", qtbot)
    settle(pane, qtbot)
    assert sides(pane) == (["b", "e", "f"], ["x", "y"])
    window.going.compare.trigger()
    settle(pane, qtbot)
    assert sides(pane) == (["b", "c", "d"], ["x", "y"])


def test_a_pinned_branch_stays_while_entries_come_in(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = forked_session(tmp_path / "s.jsonl")
    pane = open_session(window, path, qtbot)
    click_entry(pane, "x", qtbot)
    window.going.compare_from.trigger()
    click_entry(pane, "f", qtbot)
    settle(pane, qtbot)
    with qtbot.waitSignal(pane.document.laid_out, timeout=20_000), path.open("a") as file:
        file.write(json.dumps(message("z", "y", "user", "more")) + "\n")
    qtbot.waitUntil(lambda: sides(pane)[0] == ["x", "y", "z"], timeout=20_000)
    assert sides(pane)[1] == ["b", "e", "f"]
