"""What a row says of the current position: that it is here, or below, where the filter hides it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from gui.entry_delegate import EntryDelegate
from gui.main_window import MainWindow
from gui.row_content import Group, RowContent
from gui.theme import current_theme
from gui.tree_columns import Column
from tests.gui.conftest import open_session, settle

Sample = Callable[[str], Path]


def leaf_row(window: MainWindow) -> RowContent:
    assert window.pane is not None
    outline, rows = window.pane.document.outline, window.pane.document.rows
    assert outline is not None
    assert rows is not None
    return rows.content(outline.shown_leaf)


@pytest.mark.spec("TN-6")
def test_a_row_that_stands_in_for_a_hidden_leaf_says_that_it_is_below(
    window: MainWindow, sample: Sample, qtbot: QtBot
) -> None:
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    assert leaf_row(window).leaf_texts() == ("current",)
    assert "current position" in leaf_row(window).spoken(Column.ENTRY, 0)
    window.set_filter("user-only")
    settle(pane, qtbot)
    assert leaf_row(window).leaf_texts() == ("current is below ↓", "↓")
    assert "the current position is below, hidden by the filter" in leaf_row(window).spoken(Column.ENTRY, 0)
    assert "the current position is below, hidden by the filter" in leaf_row(window).tip
    assert sum(bool(content.leaf_texts()) for content in map(pane.document.rows.content, range(295))) == 1  # type: ignore[union-attr]
    window.set_filter("default")
    settle(pane, qtbot)
    assert leaf_row(window).leaf_texts() == ("current",)


def test_settings_behind_a_row_leave_it_the_current_one(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """What follows is hidden by default, and the context is the same there."""
    path = sample("real-v3-branched.jsonl")
    last = json.loads(path.read_text("utf-8").splitlines()[-1])
    setting = {"type": "thinking_level_change", "id": "0fade000", "parentId": last["id"], "thinkingLevel": "high"}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(setting | {"timestamp": "2026-03-03T00:00:00.000Z"}) + "\n")
    pane = open_session(window, path, qtbot)
    outline = pane.document.outline
    assert outline is not None
    assert outline.shown_leaf != outline.leaf
    assert leaf_row(window).leaf_texts() == ("current",)


def shows_label(delegate: EntryDelegate, content: RowContent, width: int) -> bool:
    image = QImage(width, delegate.row_height, QImage.Format.Format_RGB32)
    image.fill(QColor(current_theme().window))
    painter = QPainter(image)
    rect = QRect(0, 0, width, delegate.row_height)
    delegate.paint_cell(painter, rect, Qt.LayoutDirection.LeftToRight, Column.ENTRY, content, cut_words="cut")
    painter.end()
    chip = QColor(current_theme().chip).rgb()
    return any(image.pixel(x, image.height() // 2 - 6) == chip for x in range(width))


@pytest.mark.parametrize("is_cut", [False, True])
def test_marks_about_other_rows_do_not_push_a_label_away(
    window: MainWindow, sample: Sample, qtbot: QtBot, *, is_cut: bool
) -> None:
    open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    delegate = EntryDelegate()
    plain = replace(leaf_row(window), is_leaf=False, label="checked by hand", is_cut=False)
    marked = replace(plain, is_leaf=True, leaf_is_hidden=True)
    if is_cut:
        marked = replace(plain, is_cut=True, cut_owner="latest", group=Group.KEPT)
    shown = [shows_label(delegate, plain, width) for width in range(150, 900, 25)]
    assert shown.count(True) > 10
    assert [shows_label(delegate, marked, width) for width in range(150, 900, 25)] == shown
