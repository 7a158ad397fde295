"""The tree as it is shown: levels, columns, the two arrangements, costs, the cut line, and what stays in sight."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QAccessible, QImage, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QTreeView
from pytestqt.qtbot import QtBot

from gui import session_tree_model, session_tree_view
from gui.branch_list import BranchColumn, BranchListDialog
from gui.entry_delegate import EntryDelegate
from gui.line_cache import Line, LineCache
from gui.main_window import MainWindow
from gui.number_text import price
from gui.row_content import RowContent
from gui.session_pane import SessionPane
from gui.session_tree_view import SessionTreeView
from gui.tree_columns import OPTIONAL, Column
from gui.tree_guides import MOST_LEVELS
from model.column_filters import FILTER_MODES
from model.json_text import JsonObject
from tests.gui.conftest import click_entry, open_session, settle
from tests.services.sessions import message, write_session

Sample = Callable[[str], Path]
BRANCHED = "real-v3-branched.jsonl"
HEADER = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"}
SHIFT = Qt.KeyboardModifier.ShiftModifier


def nested(depth: int) -> list[JsonObject]:
    """A full binary tree would be too large for a great depth: here each branch forks into two of nearly one size."""
    records: list[JsonObject] = []
    pending = [("r", None, 0)]
    while pending:
        name, parent, level = pending.pop()
        records.append(message(name, parent, "user", f"text of {name} at level {level}"))
        if level < depth:
            pending += [(f"{name}{side}", name, level + 1) for side in "ab"]
    return records


@pytest.mark.parametrize("depth", [80, 300])
def test_many_branch_levels_leave_the_text_readable(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, depth: int
) -> None:
    """Field report T01: nested branch points at 900 pixels; the text starts at one place on every level."""
    window.resize(900, 700)
    records: list[JsonObject] = []
    for level in range(depth):
        parent = f"m{level - 1}" if level else None
        records += [
            message(f"m{level}", parent, "user", f"level {level}"),
            message(f"x{level}", parent, "user", "side"),
        ]
    path = write_session(tmp_path / "deep.jsonl", [HEADER, *records])
    pane = open_session(window, path, qtbot)
    for arrangement in (False, True):
        pane.arrange(fixed=arrangement)
        settle(pane, qtbot)
        for entry_id in ("m0", f"x{depth // 2}", f"m{depth - 1}"):
            assert pane.select_id(entry_id)
            assert pane.tree.guides.lead < pane.tree.viewport().width() / 3
            assert pane.tree.horizontalScrollBar().maximum() == 0


def test_levels_around_the_selected_row_are_shown(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """Field report T01: of more levels than there is room for those around the selection are shown."""
    path = write_session(tmp_path / "nested.jsonl", [HEADER, *nested(10)])
    pane = open_session(window, path, qtbot)
    tree, outline = pane.tree, pane.document.outline
    assert outline is not None
    index = pane.document.index
    assert index is not None
    assert outline.deepest_level > MOST_LEVELS
    lead = tree.guides.lead
    deepest = max(range(index.count), key=lambda row: len(outline.owners(row)))
    level = len(outline.owners(deepest))
    assert pane.select_id(index.id_of(deepest))
    assert tree.guides.first_level + MOST_LEVELS >= level > tree.guides.first_level
    assert tree.guides.lead == lead
    owner = outline.owners(deepest)[-1]
    assert pane.select_id(index.id_of(owner))
    mark = fold_mark(pane, owner)
    assert 0 < mark.x() <= tree.guides.lead
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=mark)
    assert not tree.isExpanded(pane.document.model.index_of(owner))
    pane.go_to_leaf()
    assert tree.guides.first_level == max(0, len(outline.owners(outline.shown_leaf)) - 1)


def fold_mark(pane: SessionPane, row: int) -> QPoint:
    """The place of a row's fold mark: found by asking along the row."""
    index = pane.document.model.index_of(row)
    rect = pane.tree.visualRect(index)
    places = [QPoint(x, rect.center().y()) for x in range(rect.left(), rect.right())]
    marks = [place for place in places if pane.tree._fold_mark_at(place).isValid()]
    assert marks
    return marks[len(marks) // 2]


def test_text_starts_at_one_place_at_every_level(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """Field report T09: icon, name and text line up, folded or not."""
    pane = open_session(window, sample(BRANCHED), qtbot)
    assert pane.select_id("e547f69a")
    pane.tree.expand(pane.tree.currentIndex())
    pane.tree.clearSelection()
    pane.composer.text.setFocus()
    tree = pane.tree
    image = tree.viewport().grab().toImage()
    lead = tree.guides.lead
    levels = set()
    starts = set()
    for row in tree.entries_in_view(folded_heads=True):
        rect = tree.visualRect(pane.document.model.index_of(row))
        if rect.top() < 0 or rect.bottom() >= image.height():
            continue
        levels.add(len(pane.document.outline.owners(row)))  # type: ignore[union-attr]
        starts.add(first_ink(image, lead, rect.top(), rect.bottom()))
    assert len(levels) > 1
    assert max(starts) - min(starts) <= 4  # the icons differ by a few pixels


def first_ink(image: QImage, left: int, top: int, bottom: int) -> int:
    paper = image.pixelColor(image.width() - 3, (top + bottom) // 2)
    for x in range(left, image.width()):
        if any(image.pixelColor(x, y) != paper for y in range(top + 2, bottom - 1)):
            return x
    raise AssertionError("an empty row")


def test_rows_are_easy_to_hit_and_to_read(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """Field report T15: at 1366 by 768 a click anywhere in a row hits it, and rows are taller than their text."""
    window.resize(1366, 768)
    pane = open_session(window, sample(BRANCHED), qtbot)
    tree = pane.tree
    for row in tree.entries_in_view()[1:6]:
        rect = tree.visualRect(pane.document.model.index_of(row))
        assert rect.height() >= 1.5 * tree.fontMetrics().height()
        for y in (rect.top() + 1, rect.bottom() - 1):
            qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(tree.guides.lead + 40, y))
            assert tree.current_entry() == row
    view = pane.map_view
    view.resize(view.width(), view.height())
    assert view.run_at(view.viewport().rect().center()) is not None  # a click near a line is one on it


# Columns


def test_columns_are_hidden_and_shown_from_the_menu(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    header = pane.tree.tree_header
    menu = QMenu()
    header.fill_menu(menu)
    cost = next(action for action in menu.actions() if action.text() == "Cost")
    assert cost.isChecked()
    cost.trigger()
    assert pane.tree.isColumnHidden(Column.COST)
    action = window.going.tree_choices._columns[Column.COST]
    assert not action.isChecked()
    action.trigger()
    assert not pane.tree.isColumnHidden(Column.COST)


def test_columns_are_resized_and_hidden_by_keys(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    header = pane.tree.tree_header
    said: list[str] = []
    pane.said.connect(said.append)
    window.going.tree_choices.adjust.trigger()
    assert header.hasFocus()
    qtbot.keyClick(header, Qt.Key.Key_Right)
    assert said[-1].startswith("Context: ")
    before = header.sectionSize(Column.CONTEXT)
    qtbot.keyClick(header, Qt.Key.Key_Right, SHIFT)
    assert header.sectionSize(Column.CONTEXT) > before
    for _ in range(100):
        qtbot.keyClick(header, Qt.Key.Key_Left, SHIFT)
    assert 0 < header.sectionSize(Column.CONTEXT) < before
    qtbot.keyClick(header, Qt.Key.Key_Delete)
    assert pane.tree.isColumnHidden(Column.CONTEXT)
    qtbot.keyClick(header, Qt.Key.Key_Escape)
    assert pane.tree.hasFocus()
    window.going.tree_choices.reset.trigger()
    assert not pane.tree.isColumnHidden(Column.CONTEXT)
    assert header.sectionSize(Column.CONTEXT) == before


def test_a_narrow_tree_drops_columns_and_brings_them_back(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    tree = pane.tree

    def shown() -> list[Column]:
        return [column for column in OPTIONAL if not tree.isColumnHidden(column)]

    assert shown() == list(OPTIONAL)
    counts = []
    for width in (700, 560, 420, 300):
        pane.stack.setFixedWidth(width)
        qtbot.waitUntil(lambda width=width: tree.viewport().width() <= width)
        counts.append(len(shown()))
        used = sum(tree.header().sectionSize(column) for column in Column if not tree.isColumnHidden(column))
        assert used <= tree.viewport().width() + 1
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] < len(OPTIONAL)
    assert all(tree.tree_header.wants(column) for column in OPTIONAL)
    pane.stack.setMinimumWidth(0)
    pane.stack.setMaximumWidth(16_777_215)
    qtbot.waitUntil(lambda: shown() == list(OPTIONAL))


@pytest.mark.spec("SF-12")
@pytest.mark.parametrize("points", [10, 20])
@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_a_folded_row_says_at_every_width_what_it_hides(
    window: MainWindow,
    sample: Sample,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    direction: Qt.LayoutDirection,
    points: int,
) -> None:
    """All of it where there is room, else the most important, at least how many entries; never half a word of it."""
    painted: list[tuple[str, QRect]] = []
    paint = LineCache.paint

    def note_paint(self: LineCache, painter: QPainter, rect: QRect, line: Line, *, on_right: bool) -> None:
        painted.append((line.text, rect))
        paint(self, painter, rect, line, on_right=on_right)

    monkeypatch.setattr(LineCache, "paint", note_paint)
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    tree = pane.tree
    font = tree.font()
    font.setPointSize(points)
    tree.setFont(font)
    window.setLayoutDirection(direction)
    assert pane.select_id("e547f69a")  # a folded branch head
    content = pane.document.model.content(tree.currentIndex())
    assert content is not None
    notes = [*content.notes(folded=True), content.short_note(folded=True)]
    assert [note.split(" ")[0] for note in notes] == ["41", "41", "41", "+41"]
    said = []
    for width in range(350, 901, 50):
        pane.stack.setFixedWidth(width)
        qtbot.waitUntil(lambda width=width: tree.width() == width)
        row = tree.visualRect(tree.currentIndex())
        painted.clear()
        tree.viewport().grab(QRect(0, row.top(), tree.viewport().width(), row.height()))
        in_row = [(text, rect) for text, rect in painted if rect.top() == row.top()]
        found = [text.removeprefix("▸ ").removeprefix("◂ ") for text, _rect in in_row if "41" in text]
        assert len(found) == 1, width
        said.append(notes.index(found[0]))
        rects = sorted((rect for _text, rect in in_row), key=lambda rect: rect.left())
        assert all(left.right() < right.left() for left, right in pairwise(rects)), width
        assert content.preview.text[0] in [text[0] for text, _rect in in_row], "what it says is still there"
    assert said[0] == 3
    assert points == 20 or said[-1] == 0
    tip = tree.currentIndex().data(Qt.ItemDataRole.ToolTipRole)
    assert tip == notes[0]
    assert notes[0] in tree.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)


def test_a_folded_branch_point_tells_what_its_branches_hide(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a long session most branch points are folded from the beginning."""
    monkeypatch.setattr(session_tree_model, "ROWS_FILLED_AT_ONCE", 2)
    records = [message("m0", None, "user", "begin")]
    for number in range(1, 40):
        before = f"m{number - 1}"
        records.append(message(f"x{number}", before, "assistant", "a side way " * 40))
        records.append(message(f"y{number}", f"x{number}", "user", "go on"))
        records.append(message(f"z{number}", before, "user", "and that"))
        records.append(message(f"m{number}", before, "assistant", "on the trunk"))
    pane = open_session(window, write_session(tmp_path / "forks.jsonl", [HEADER, *records]), qtbot)
    model, index = pane.document.model, pane.document.index
    assert index is not None
    qtbot.waitUntil(lambda: not model.is_filling)
    point = model.index_of(index.row_of("m3"))  # type: ignore[arg-type]
    assert model.rowCount(point) == 2
    assert not pane.tree.isExpanded(point), "far from the leaf"
    content = model.content(point)
    assert content is not None
    estimate = sum(int(index.estimate[index.row_of(id)]) for id in ("x4", "y4", "z4"))
    notes = list(content.notes(folded=True))
    assert re.fullmatch(rf"2 other branches · 3 entries · {estimate} tokens · .+ ago", notes[0])
    assert notes[1:3] == [f"2 other branches · 3 entries · {estimate} tokens", "2 other branches · 3 entries"]
    assert content.short_note(folded=True) == "+3"
    assert next(iter(content.notes(folded=False))) == "2 other branches"
    for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
        assert notes[0] in point.data(role)
    pane.search_bar.open()
    pane.search_bar.text.setText("side way")
    settle(pane, qtbot)
    content = model.content(point)
    assert content is not None
    assert next(iter(content.notes(folded=True))).endswith("· 1 match")


def test_a_folded_branch_tells_what_all_of_it_cost(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    def answer(id: str, parent: str, cost: float) -> JsonObject:
        return message(id, parent, "assistant", "yes", usage={"cost": {"total": cost}})

    records = [
        message("a", None, "user", "begin"),
        answer("x", "a", 0.5),
        message("x2", "x", "user", "go on"),
        answer("x3", "x2", 1.25),
        answer("b", "a", 0.002),
        message("c", "b", "user", "end"),
    ]
    pane = open_session(window, write_session(tmp_path / "costs.jsonl", [HEADER, *records]), qtbot)
    model, index = pane.document.model, pane.document.index
    assert index is not None
    rows = pane.document.rows
    assert rows is not None

    def cost(entry_id: str, *, folded: bool) -> str:
        row = index.row_of(entry_id)
        assert row is not None
        return rows.content(row).column_text(Column.COST, folded=folded)

    assert cost("x", folded=True) == "Σ " + price(1.75)
    assert cost("x", folded=False) == price(0.5)
    assert cost("b", folded=False) == price(0.002)
    assert cost("c", folded=False) == ""
    assert model.index_of(index.row_of("b"), Column.COST).data() == price(0.002)  # type: ignore[arg-type]


@pytest.mark.spec("SF-12")
def test_the_cost_of_a_reply_in_several_entries_stands_at_the_first(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    """Field report K08: what a folded branch costs is the sum of what its rows say."""

    def answer(id: str, parent: str, reply: str) -> JsonObject:
        return message(id, parent, "assistant", "yes", responseId=reply, usage={"cost": {"total": 0.5}})

    records = [
        message("a", None, "user", "begin"),
        answer("x", "a", "msg_1"),
        message("r", "x", "toolResult", "found"),
        answer("y", "r", "msg_1"),
        answer("z", "y", "msg_1"),
        answer("w", "z", "msg_2"),
        answer("b", "a", "msg_3"),
    ]
    pane = open_session(window, write_session(tmp_path / "costs.jsonl", [HEADER, *records]), qtbot)
    rows, index = pane.document.rows, pane.document.index
    assert rows is not None
    assert index is not None
    contents = {id: rows.content(index.row_of(id)) for id in "xryzwb"}  # type: ignore[arg-type]
    costs = {id: content.column_text(Column.COST, folded=False) for id, content in contents.items()}
    assert costs == {"x": price(0.5), "r": "", "y": "", "z": "", "w": price(0.5), "b": price(0.5)}
    assert contents["x"].column_text(Column.COST, folded=True) == "Σ " + price(1.0)


# The two arrangements


def test_rows_stay_where_they_are_when_the_leaf_moves(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    window.going.tree_choices.fixed_rows.trigger()
    settle(pane, qtbot)
    session, outline, order = pane.document.session, pane.document.outline, pane.document.order
    assert session is not None
    assert outline is not None
    assert order is not None
    assert outline.arrangement == "fixed"
    rows = order.rows.tolist()
    assert pane.select_id("e547f69a")
    pane.tree.setFocus()
    qtbot.keyClick(pane.tree, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not pane.runner.is_running)
    settle(pane, qtbot)
    moved = pane.document.outline
    assert moved is not None
    assert moved.leaf != outline.leaf
    assert pane.document.order.rows.tolist() == rows  # type: ignore[union-attr]
    assert pane.selected_id == session.leaf_id
    window.going.tree_choices.fixed_rows.trigger()
    settle(pane, qtbot)
    assert pane.document.outline.spine_end == pane.document.leaf_row  # type: ignore[union-attr]
    assert pane.selected_id == session.leaf_id


# The cut


def test_the_cut_says_at_the_pointer_why_it_cannot_be_there(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample("real-v3-large.jsonl"), qtbot)
    pane.show_compaction()
    settle(pane, qtbot)
    tree, rows = pane.tree, pane.document.rows
    assert rows is not None
    cut_row = pane.compaction.gutter()[1]
    assert cut_row is not None
    index = pane.document.model.index_of(cut_row)
    tree.scrollTo(index, tree.ScrollHint.PositionAtCenter)
    line = tree.visualRect(index).topLeft() + QPoint(200, 0)

    def send(kind: QEvent.Type, where: QPoint, buttons: Qt.MouseButton) -> None:
        place = QPointF(where)
        event = QMouseEvent(
            kind, place, tree.viewport().mapToGlobal(place), buttons, buttons, Qt.KeyboardModifier.NoModifier
        )
        QApplication.sendEvent(tree.viewport(), event)

    words = pane.cut_handle.words
    send(QEvent.Type.MouseButtonPress, line, Qt.MouseButton.LeftButton)
    seen = set()
    height = tree.visualRect(index).height()
    for step in (*range(1, 7), *range(5, -4, -1)):
        send(QEvent.Type.MouseMove, line - QPoint(0, step * height), Qt.MouseButton.LeftButton)
        assert words.isVisible()
        assert tree.viewport().rect().contains(words.geometry())
        drawn = tree.visualRect(pane.document.model.index_of(pane.compaction.gutter()[1])).top()  # type: ignore[arg-type]
        assert not words.geometry().top() <= drawn <= words.geometry().bottom(), "it covers the line"
        seen.add(words.text())
    assert any("Keeps" in text for text in seen)
    assert any("tool result" in text or "Settings" in text for text in seen)
    send(QEvent.Type.MouseButtonRelease, line, Qt.MouseButton.LeftButton)
    assert not words.isVisible()
    pane.compaction.said.emit("Later.")
    assert not words.isVisible()


# What stays in sight


def test_a_growing_composer_hides_neither_leaf_nor_selection(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    tree = pane.tree
    leaf = pane.document.model.index_of(pane.document.outline.shown_leaf)  # type: ignore[union-attr]
    height = tree.viewport().height()
    pane.composer.text.setPlainText("one\ntwo\nthree\nfour\nfive\nsix")
    qtbot.waitUntil(lambda: tree.viewport().height() < height)
    assert tree.viewport().rect().contains(tree.visualRect(leaf))
    top = pane.document.order.rows[0]  # type: ignore[union-attr]
    click_entry(pane, pane.document.index.id_of(int(top)), qtbot)  # type: ignore[union-attr]
    pane.composer.text.clear()
    qtbot.waitUntil(lambda: tree.viewport().height() == height)
    pane.composer.text.setPlainText("one\ntwo\nthree\nfour\nfive\nsix")
    qtbot.waitUntil(lambda: tree.viewport().height() < height)
    assert tree.visualRect(tree.currentIndex()).top() >= 0
    assert not tree.viewport().rect().intersects(tree.visualRect(leaf))


def test_the_composer_says_what_fits_into_a_line(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    text = pane.composer.text
    assert "/compact" in text.placeholderText()
    for width in (500, 300, 150):
        text.setFixedWidth(width)
        qtbot.waitUntil(lambda width=width: text.width() == width)
        assert 0 < text.fontMetrics().horizontalAdvance(text.placeholderText()) < text.viewport().width()


def test_the_selection_survives_a_filter_that_shows_nothing(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """Field report T06."""
    pane = open_session(window, sample("real-v3-large.jsonl"), qtbot)
    index = pane.document.index
    assert index is not None
    chosen = index.id_of(40)
    assert pane.select_id(chosen)
    chosen = pane.selected_id or ""
    for modes in (("labeled-only", "default"), ("user-only", "labeled-only", "default")):
        for mode in modes:
            window.set_filter(mode)  # type: ignore[arg-type]
            settle(pane, qtbot)
            if mode == "labeled-only":
                assert pane.document.model.rowCount() == 0
        assert pane.selected_id == chosen
        assert index.id_of(pane.tree.current_entry() or 0) == chosen
        assert pane.tree.viewport().rect().contains(pane.tree.visualRect(pane.tree.currentIndex()))


# Reading all of it


def test_long_entries_are_read_in_full_beside_their_row(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """Field report T02: 2 000 characters deep in a branch: the row elides, the inspector has all of it."""
    text = " ".join(f"word{number}" for number in range(250))
    records = [
        message("a", None, "user", "begin"),
        message("b", "a", "user", text),
        message("c", "a", "user", "end"),
    ]
    pane = open_session(window, write_session(tmp_path / "long.jsonl", [HEADER, *records]), qtbot)
    click_entry(pane, "b", qtbot)
    settle(pane, qtbot)
    qtbot.waitUntil(lambda: "word249" in pane.entry_tab.view.toPlainText())
    assert "word0" in pane.entry_tab.view.toPlainText()
    assert pane.tree.horizontalScrollBar().maximum() == 0


def test_only_the_active_path_is_in_the_context(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """Field report T08: what was abandoned is reachable in the tree, and never part of the transcript."""
    pane = open_session(window, sample(BRANCHED), qtbot)
    outline, order, index = pane.document.outline, pane.document.order, pane.document.index
    assert outline is not None
    assert order is not None
    assert index is not None
    trunk = set(outline.trunk.tolist())
    top = outline.group(-1)
    assert top is not None
    assert set(top[outline.spine_start :].tolist()) <= trunk
    abandoned = set(order.rows.tolist()) - trunk
    assert abandoned
    assert all(pane.select_id(index.id_of(row)) for row in abandoned)


def test_the_branches_are_listed(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """Field report T14: 200 turns and 6 forks; the list tells first prompt, size, date and where one is."""
    records: list[JsonObject] = []
    for number in range(400):
        role = "assistant" if number % 2 else "user"
        parent = f"m{number - 1}" if number else None
        records.append(message(f"m{number}", parent, role, f"text {number}"))
        if number % 60 == 31:
            records.append(message(f"s{number}", f"m{number}", "user", f"another way at {number}"))
            records.append(message(f"t{number}", f"s{number}", "assistant", "well"))
    pane = open_session(window, write_session(tmp_path / "forks.jsonl", [HEADER, *records]), qtbot)
    window.going.tree_choices.branches.trigger()
    dialog = pane.findChild(BranchListDialog)
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible, timeout=20_000)
    model = dialog.model
    assert model.rowCount() == 1 + len([record for record in records if record["id"].startswith("s")])
    lines = [[model.index(row, column).data() for column in BranchColumn] for row in range(model.rowCount())]
    assert lines[0][BranchColumn.ABOUT] == "text 0"
    assert lines[0][BranchColumn.ACTIVE] == "active"
    assert [line[BranchColumn.ABOUT] for line in lines[1:3]] == ["another way at 31", "another way at 91"]
    assert {line[BranchColumn.ENTRIES] for line in lines[1:]} == {"2"}
    assert all(line[BranchColumn.LAST].endswith("ago") or line[BranchColumn.LAST] for line in lines)
    assert all(not line[BranchColumn.ACTIVE] for line in lines[1:])
    dialog.table.selectRow(2)
    with qtbot.waitSignal(dialog.destroyed):
        qtbot.keyClick(dialog.table, Qt.Key.Key_Return)
    assert pane.selected_id == "s91"


@pytest.mark.parametrize("mode", FILTER_MODES)
def test_the_list_of_branches_tells_how_many_the_filter_hides(
    window: MainWindow, sample: Sample, qtbot: QtBot, mode: str
) -> None:
    path = sample(BRANCHED)
    pane = open_session(window, path, qtbot)
    window.set_filter(mode)
    settle(pane, qtbot)
    entries = [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]
    leaves = {entry["id"] for entry in entries} - {entry["parentId"] for entry in entries}
    window.going.tree_choices.branches.trigger()
    dialog = pane.findChild(BranchListDialog)
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible, timeout=20_000)
    listed, hidden = dialog.model.rowCount(), dialog.model.hidden_count
    assert listed + hidden == len(leaves), "as the library counts them"
    words = [each.text() for each in dialog.findChildren(QLabel)]
    assert any(f"{hidden} more" in text for text in words) == bool(hidden)
    dialog.close()


# Accessibility


def test_no_row_claims_that_it_can_be_edited_or_dragged(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """Every cell of every row has a role, a name or an empty one, and a state that is true."""
    pane = open_session(window, sample(BRANCHED), qtbot)
    tree = QAccessible.queryAccessibleInterface(pane.tree)
    assert tree is not None
    cells = [tree.child(number) for number in range(tree.childCount())]
    rows = [cell for cell in cells if cell.role() == QAccessible.Role.TreeItem]
    assert len(rows) > 100 * len(Column)
    for cell in rows:
        state = cell.state()
        assert not state.editable
        assert not state.disabled
        assert state.selectable
        assert state.focusable
    expandable = {cell.state().expandable for cell in rows[:: len(Column)]}
    assert expandable == {0, 1} or expandable == {False, True}


def open_long(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> SessionPane:
    """A session of more rows than are in view, settled."""
    records = [message(f"m{number}", f"m{number - 1}" if number else None, "user", "a") for number in range(400)]
    pane = open_session(window, write_session(tmp_path / "long.jsonl", [HEADER, *records]), qtbot)
    settle(pane, qtbot)
    return pane


def test_a_frame_of_scrolling_ends_in_time_and_the_next_one_paints_the_rest(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane = open_long(window, tmp_path, qtbot)
    painted: list[int] = []
    paint_cell = EntryDelegate.paint_cell

    def paint(delegate: EntryDelegate, *arguments: Any, **named: Any) -> None:
        content = next(each for each in arguments if isinstance(each, RowContent))
        painted.append(int(content.entry_id.removeprefix("m")))
        paint_cell(delegate, *arguments, **named)

    monkeypatch.setattr(EntryDelegate, "paint_cell", paint)
    monkeypatch.setattr(session_tree_view, "FRAME_S", 0.0)
    bar, view = pane.tree.verticalScrollBar(), pane.tree.viewport()
    bar.setSliderPosition(bar.maximum() // 2)  # as the wheel and the mouse do
    view.repaint()
    assert painted == []
    in_view = pane.tree.entries_in_view()
    qtbot.waitUntil(lambda: set(in_view) <= set(painted), timeout=20_000)
    painted.clear()
    view.repaint()  # not scrolled: whatever is shown is complete
    assert set(in_view) <= set(painted)


def test_where_a_row_is_gone_to_all_are_painted_at_once(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane = open_long(window, tmp_path, qtbot)
    monkeypatch.setattr(session_tree_view, "FRAME_S", 0.0)
    view = pane.tree.viewport()
    assert pane.select_id("m200")
    at_once = view.grab().toImage()
    settle(pane, qtbot)
    view.repaint()
    assert view.grab().toImage() == at_once


def test_what_changes_no_rows_looks_at_none(
    window: MainWindow, sample: Sample, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A label in a session of 100,000 entries: to lay out all rows, or to go through them, would hold up the window."""
    laid_out: list[None] = []

    def lay_out_later(tree: SessionTreeView) -> None:
        laid_out.append(None)
        QTreeView.scheduleDelayedItemsLayout(tree)

    monkeypatch.setattr(SessionTreeView, "scheduleDelayedItemsLayout", lay_out_later, raising=False)  # not virtual
    pane = open_session(window, sample(BRANCHED), qtbot)
    settle(pane, qtbot)
    assert laid_out, "the rows were laid out when they came"
    changed: list[object] = []
    pane.document.model.itemChanged.connect(changed.append)
    before = pane.tree.viewport().grab().toImage()
    laid_out.clear()
    pane.edits.set_label("marked")
    qtbot.waitUntil(lambda: pane.tree.viewport().grab().toImage() != before, timeout=20_000)  # the label is there
    settle(pane, qtbot)
    assert not laid_out
    assert not changed
