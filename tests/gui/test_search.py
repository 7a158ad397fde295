"""Searching in the window: typed, marked, stepped through and left by keyboard; nothing of the tree's shape changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.match_marks import match_ranges
from gui.session_pane import SessionPane
from gui.theme import current_theme
from model.full_text import full_text
from model.search_query import SearchQuery, fold
from tests.gui.conftest import open_session, settle
from tests.gui.test_session_tree_model import unfolded_rows

Sample = Callable[[str], Path]
BRANCHED = "real-v3-branched.jsonl"
TIME = "2026-01-01T00:00:00.000Z"


def press(qtbot: QtBot, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    focused = QApplication.focusWidget()
    assert focused is not None
    qtbot.keyClick(focused, key, modifier)


def type_search(pane: SessionPane, text: str, qtbot: QtBot) -> None:
    """Open the search by its shortcut and type, key by key."""
    pane.tree.setFocus()
    press(qtbot, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert pane.search_bar.text.hasFocus()
    qtbot.keyClicks(pane.search_bar.text, text)
    settle(pane, qtbot)


def expected(pane: SessionPane, text: str) -> set[int]:
    store, query = pane.document.store, SearchQuery.of(text)
    assert store is not None
    return {
        row
        for row in range(store.index.count)
        if query.matches(f"{store.labels.get(row, '')}\n{full_text(store.entry(row))}")
    }


def marked(pane: SessionPane) -> set[int]:
    """Shown rows that are marked as matches."""
    order, rows = pane.document.order, pane.document.rows
    assert order is not None
    assert rows is not None
    return {row for row in order.rows.tolist() if rows.content(row).matched_words}


@pytest.mark.spec("TN-12")
def test_matches_are_marked_where_they_stand(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    before = unfolded_rows(pane.document.model)
    type_search(pane, "THEME  read", qtbot)
    assert unfolded_rows(pane.document.model) == before
    order = pane.document.order
    assert order is not None
    found = expected(pane, "theme read")
    shown = found & set(order.rows.tolist())
    assert marked(pane) == shown
    assert 5 < len(shown) < len(found)
    assert pane.search_bar.state.text() == f"{len(shown)} matches"
    assert pane.search_bar.hidden.isVisible()
    assert pane.search_bar.hidden.text() == f"{len(found) - len(shown)} hidden by the filter"
    first = pane.document.rows.content(min(shown))  # type: ignore[union-attr]
    assert "matches the search" in first.spoken(0, 1)


def test_steps_go_through_all_matches_and_unfold_branches(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    type_search(pane, "selector", qtbot)
    order, outline = pane.document.order, pane.document.outline
    assert order is not None
    assert outline is not None
    in_order = [row for row in order.rows.tolist() if row in marked(pane)]
    assert any(owner in outline.hides for row in in_order for owner in outline.owners(row)), "none in a branch"
    seen = []
    for number in range(len(in_order)):
        press(qtbot, Qt.Key.Key_Return if number % 2 else Qt.Key.Key_F3)
        row = pane.tree.current_entry()
        assert row is not None
        assert pane.tree.visualRect(pane.tree.currentIndex()).isValid()
        settle(pane, qtbot)
        assert pane.search_bar.state.text() == f"{in_order.index(row) + 1} of {len(in_order)} matches"
        assert pane.search_bar.text.hasFocus()  # typing can go on
        seen.append(row)
    assert sorted(seen) == sorted(in_order)
    start = in_order.index(seen[0])
    assert seen == in_order[start:] + in_order[:start]
    press(qtbot, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert pane.tree.current_entry() == seen[-2]
    press(qtbot, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert pane.tree.current_entry() == seen[-3]


def test_a_folded_branch_says_how_many_matches_it_hides(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    type_search(pane, "selector", qtbot)
    outline, order, rows = pane.document.outline, pane.document.order, pane.document.rows
    assert outline is not None
    assert order is not None
    assert rows is not None
    for head in outline.hides:
        below = {int(order.rows[place]) for place in order.below(head)} & marked(pane)
        assert rows.content(head).matches_below == len(below)
        assert ("match" in rows.content(head).fold_text()) == bool(below)


def test_what_the_filter_hides_is_said_and_can_be_shown(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    window.set_filter("user-only")
    settle(pane, qtbot)
    type_search(pane, "toolresult", qtbot)
    assert pane.search_bar.state.text() == "0 matches"
    assert not pane.search_bar.next.isEnabled()
    said: list[str] = []
    pane.said.connect(said.append)
    press(qtbot, Qt.Key.Key_Return)
    assert said == ["All matches are hidden by the filter."]
    hidden = len(expected(pane, "toolresult"))
    assert pane.search_bar.hidden.text() == f"{hidden} hidden by the filter"
    qtbot.mouseClick(pane.search_bar.hidden, Qt.MouseButton.LeftButton)
    settle(pane, qtbot)
    assert pane.document.filter_mode == "all"
    assert len(marked(pane)) == hidden
    assert not pane.search_bar.hidden.isVisible()


def test_what_the_filter_hides_is_said_whole_or_in_short(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    window.set_filter("user-only")
    settle(pane, qtbot)
    type_search(pane, "the", qtbot)
    bar, texts = pane.search_bar, set()
    for width in range(1900, 640, -20):
        window.resize(width, 700)
        qtbot.wait(1)
        if bar.hidden.isVisible():
            texts.add(bar.hidden.text())
            assert bar.hidden.width() >= bar.hidden.fontMetrics().horizontalAdvance(bar.hidden.text()), width
    assert len(texts) == 2, "the sentence and its short form"


@pytest.mark.parametrize("focus", ["field", "tree"])
def test_escape_leaves_the_search(window: MainWindow, sample: Sample, qtbot: QtBot, focus: str) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    type_search(pane, "theme", qtbot)
    assert marked(pane)
    if focus == "tree":
        press(qtbot, Qt.Key.Key_Down)
        assert pane.tree.hasFocus()
    press(qtbot, Qt.Key.Key_Escape)
    assert not pane.search_bar.isVisible()
    assert pane.tree.hasFocus()
    assert not marked(pane)
    type_search(pane, "", qtbot)
    assert pane.search_bar.text.selectedText() == "theme"  # typed over at once, or found again with one key


def test_escape_stops_work_before_it_leaves_the_search(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """Field report M08: with the focus in the search as well."""
    pane = open_session(window, sample(BRANCHED), qtbot)
    type_search(pane, "theme", qtbot)

    async def wait(token: object, _report: object) -> None:
        import asyncio

        await asyncio.sleep(60)

    pane.runner.run("Waiting", wait, lambda _result: None)
    with qtbot.waitSignal(pane.runner.ended, timeout=2000) as ended:
        press(qtbot, Qt.Key.Key_Escape)
    assert ended.args is not None
    assert ended.args[0].kind == "aborted"
    assert pane.search_bar.isVisible()


def test_nothing_found_is_said(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    type_search(pane, "zzz-not-there", qtbot)
    assert pane.search_bar.state.text() == "No match"
    assert not pane.search_bar.hidden.isVisible()


def test_the_newest_text_counts(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample("real-v3-large.jsonl"), qtbot)
    for text in ("e", "er", "err", "errno"):
        pane.search.search(text)
    settle(pane, qtbot)
    order = pane.document.order
    assert order is not None
    assert marked(pane) == expected(pane, "errno") & set(order.rows.tolist())


@pytest.mark.parametrize("change", ["filter", "branch points", "leaf"])
def test_marks_stay_when_the_rows_change(window: MainWindow, sample: Sample, qtbot: QtBot, change: str) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    type_search(pane, "theme", qtbot)
    if change == "filter":
        window.set_filter("no-tools")
    elif change == "branch points":
        window.going.branch_points.trigger()
    else:
        pane.navigation.take(40)
        qtbot.waitUntil(lambda: not pane.runner.is_running)
    settle(pane, qtbot)
    order = pane.document.order
    assert order is not None
    assert marked(pane) == expected(pane, "theme") & set(order.rows.tolist()) != set()


def test_entries_that_come_later_are_searched(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """Field report X05: a growing file disturbs neither the search nor the selection."""
    path = sample(BRANCHED)
    pane = open_session(window, path, qtbot)
    type_search(pane, "needle", qtbot)
    pane.tree.select_entry(10)
    store = pane.document.store
    assert store is not None
    assert marked(pane) == set()
    last = store.index.id_of(store.index.count - 1)
    message = {"role": "user", "content": "a Needle at last", "timestamp": 1}
    entry = {"type": "message", "id": "feed0001", "parentId": last, "timestamp": "2026-03-02T08:00:00.000Z"}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**entry, "message": message}) + "\n")
    qtbot.waitUntil(lambda: pane.search_bar.state.text() == "1 match", timeout=20_000)
    assert marked(pane) == {store.index.row_of("feed0001")}
    assert pane.tree.current_entry() == 10


def test_a_label_given_meanwhile_is_found(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    type_search(pane, "mylandmark", qtbot)
    pane.tree.select_entry(10)
    pane.edits.set_label("MyLandmark")
    qtbot.waitUntil(lambda: not pane.runner.is_running)
    settle(pane, qtbot)
    assert 10 in marked(pane)


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("A theme, THEMED", ["theme"], ["theme", "THEME"]),
        ("nothing", ["theme"], []),
        ("overlapping lapping", ["lapping", "overl"], ["overlapping", "lapping"]),
        ("the Straße", ["strasse"], ["Straße"]),
        ("CAFE\u0301 au lait", ["café"], ["CAFE\u0301"]),
        ("a family 👩‍👩‍👧 and 👧", ["👧"], ["👧", "👧"]),
        ("𝕏 marks the spot", ["spot"], ["spot"]),
        ("ลดข้อความ", ["ความ"], ["ความ"]),
    ],
)
def test_marks_in_a_text(text: str, words: list[str], found: list[str]) -> None:
    """Field report G11: right places, whatever the characters."""
    assert [text[start:end] for start, end in match_ranges(text, words)] == found


# --- In the inspector ------------------------------------------------------------------------------------------------


def write_session(path: Path, *contents: Any) -> Path:
    """A session of messages of a person, or of a model where the content is a list."""
    records: list[Any] = [{"type": "session", "version": 3, "id": "s", "timestamp": TIME, "cwd": "/w"}]
    for number, content in enumerate(contents):
        message = {"role": "assistant" if isinstance(content, list) else "user", "content": content, "timestamp": 1}
        parent = f"m{number - 1}" if number else None
        records.append(
            {"type": "message", "id": f"m{number}", "parentId": parent, "timestamp": TIME, "message": message}
        )
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def marks(pane: SessionPane) -> list[str]:
    """The marked pieces of the *Entry* page, each in the colour of matches."""
    found = pane.entry_tab.view.extraSelections()
    assert all(mark.format.background().color() == QColor(current_theme().match) for mark in found)
    return [mark.cursor.selectedText() for mark in found]


def is_in_view(pane: SessionPane, place: int = 0) -> bool:
    view = pane.entry_tab.view
    found = view.extraSelections()
    rect = view.cursorRect(found[place].cursor)
    return bool(view.viewport().rect().contains(rect))


def test_what_was_found_is_marked_in_the_text_and_brought_in_view(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    long = "\n\n".join(f"paragraph {number}" for number in range(300)) + "\n\nThey **Invalidate** it, e\u0301t\u00e9"
    path = write_session(tmp_path / "s.jsonl", long, "nothing", f"invalidate\n\n{long}", "last")
    pane = open_session(window, path, qtbot)
    pane.tabs.setCurrentWidget(pane.entry_tab)
    type_search(pane, "invalidate ", qtbot)
    pane.search_bar.text.insert("ÉTÉ")
    settle(pane, qtbot)
    press(qtbot, Qt.Key.Key_F3)
    settle(pane, qtbot)
    assert pane.selected_id == "m0"
    assert marks(pane) == ["Invalidate", "e\u0301t\u00e9"]
    assert is_in_view(pane)
    view = pane.entry_tab.view
    assert view.verticalScrollBar().value() > 0
    press(qtbot, Qt.Key.Key_F3)
    settle(pane, qtbot)
    assert pane.selected_id == "m2"
    assert marks(pane) == ["invalidate", "Invalidate", "e\u0301t\u00e9"]
    assert view.verticalScrollBar().value() == 0
    press(qtbot, Qt.Key.Key_Escape)
    settle(pane, qtbot)
    assert marks(pane) == []


def test_a_match_far_down_in_a_text_is_shown_as_well(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    long = "\n".join(f"line {number} of the text" for number in range(20_000)) + "\nthe needle\nend"
    pane = open_session(window, write_session(tmp_path / "s.jsonl", long, "last"), qtbot)
    pane.tabs.setCurrentWidget(pane.entry_tab)
    pane.select_id("m0")
    settle(pane, qtbot)
    assert "needle" not in pane.entry_tab.view.toPlainText()
    type_search(pane, "needle", qtbot)
    assert marks(pane) == ["needle"]
    assert is_in_view(pane)
    assert pane.entry_tab.view.toPlainText().count("show more") <= 1


def test_a_folded_part_with_a_match_is_unfolded_or_says_so(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    content = [{"type": "thinking", "thinking": "the plan, the plan"}, {"type": "text", "text": "said aloud"}]
    pane = open_session(window, write_session(tmp_path / "s.jsonl", "go", content, "last"), qtbot)
    pane.tabs.setCurrentWidget(pane.entry_tab)
    view = pane.entry_tab.view
    type_search(pane, "plan", qtbot)
    press(qtbot, Qt.Key.Key_F3)
    settle(pane, qtbot)
    assert pane.selected_id == "m1"
    assert marks(pane) == ["plan", "plan"]
    view.followed.emit("fold:0")  # as a click on the title does
    assert "the plan" not in view.toPlainText()
    assert view.toPlainText().startswith("▸ Thinking · 18 characters · 2 matches")
    view.followed.emit("fold:0")
    assert marks(pane) == ["plan", "plan"]
    press(qtbot, Qt.Key.Key_Escape)
    settle(pane, qtbot)
    assert "2 matches" not in view.toPlainText()


def test_entries_that_come_in_leave_the_reader_of_a_match_in_place(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    long = "the needle\n" + "\n\n".join(f"paragraph {number}" for number in range(300))
    path = write_session(tmp_path / "s.jsonl", long, "last")
    pane = open_session(window, path, qtbot)
    pane.tabs.setCurrentWidget(pane.entry_tab)
    pane.select_id("m0")
    type_search(pane, "needle", qtbot)
    bar = pane.entry_tab.view.verticalScrollBar()
    bar.setValue(500)
    entry = {"type": "custom", "customType": "x", "id": "more", "parentId": "m1", "timestamp": TIME, "data": "needle"}
    with qtbot.waitSignal(pane.document.laid_out, timeout=20_000), path.open("a") as file:
        file.write(json.dumps(entry) + "\n")
    settle(pane, qtbot)
    assert bar.value() == 500
    assert marks(pane) == ["needle"]


def test_a_row_tells_the_text_around_a_match_that_its_line_does_not_show(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    far = f"the beginning\n{'and so on ' * 60}\nhere they Invalidate the cache"
    pane = open_session(window, write_session(tmp_path / "s.jsonl", far, "they invalidate it", "last"), qtbot)
    model, index = pane.document.model, pane.document.index
    assert index is not None

    def told(entry_id: str) -> tuple[str, str]:
        row = index.row_of(entry_id)
        assert row is not None
        place = model.index_of(row)
        return place.data(Qt.ItemDataRole.ToolTipRole), place.data(Qt.ItemDataRole.AccessibleTextRole)

    before = told("m0")
    type_search(pane, "invalidate", qtbot)
    tip, spoken = told("m0")
    assert "here they Invalidate the cache" in tip
    assert "matches the search: here they Invalidate the cache" in spoken
    tip, spoken = told("m1")
    assert "they invalidate it" in tip, "the line may end before the match"
    assert spoken.count("they invalidate it") == 1, "it is read once"
    assert "invalidate" not in told("m2")[0]
    press(qtbot, Qt.Key.Key_Escape)
    assert told("m0") == before


@given(st.text(alphabet="aAbéE\u0301ßSſK\u212a İ", max_size=40), st.sampled_from(["a", "ab", "é", "ss", "k", "i"]))
def test_marks_are_where_the_word_is(text: str, word: str) -> None:
    """The short ways for plain texts find what the long way finds."""
    ranges = match_ranges(text, [word])
    assert bool(ranges) == (word in fold(text))
    assert all(word in fold(text[start:end]) for start, end in ranges)
