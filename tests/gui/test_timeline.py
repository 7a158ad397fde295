"""The *Timeline* tab: what the chart shows is what the entries say, and every point of it can be reached."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.number_text import full_count
from gui.session_pane import SessionPane
from gui.theme import CONTRAST, DARK, LIGHT, Theme, apply_theme
from model.context_timeline import ContextTimeline, recorded_size
from model.entries import message_of
from services.app_folders import config_folder
from tests.gui.conftest import open_session, settle

Sample = Callable[[str], Path]
LARGE = "real-v3-before-compaction.jsonl"
CONTROL = Qt.KeyboardModifier.ControlModifier


def show(pane: SessionPane, qtbot: QtBot) -> ContextTimeline:
    pane.tabs.setCurrentWidget(pane.timeline_tab)
    settle(pane, qtbot)
    timeline = pane.timeline_tab.chart.timeline
    assert timeline is not None
    return timeline


@pytest.mark.spec("CP-1", "CP-2.3")
def test_sizes_are_those_of_the_tree_and_of_the_answers(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(LARGE), qtbot)
    timeline = show(pane, qtbot)
    outline, rows, store = pane.document.outline, pane.document.rows, pane.document.store
    assert outline is not None
    assert rows is not None
    assert store is not None
    assert timeline.rows.tolist() == outline.trunk.tolist()
    for place in range(0, len(timeline.rows), 37):
        row = int(timeline.rows[place])
        assert timeline.estimated[place] == (rows.content(row).context or 0)
        recorded = recorded_size(message_of(store.entry(row)))
        assert np.isnan(timeline.recorded[place]) if recorded is None else timeline.recorded[place] == recorded
    assert (timeline.window, timeline.model) == (200_000, "anthropic/claude-opus-4-5")
    assert timeline.threshold == 200_000 - 16_384
    tab = pane.timeline_tab
    assert tab.list.topLevelItemCount() == len(timeline.compactions) > 0
    assert tab.facts.fact("count") == str(len(timeline.compactions))
    assert tab.facts.fact("threshold") == full_count(183_616)
    assert "Arrow keys" in tab.chart.accessibleDescription()


def test_the_window_of_the_settings(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    config_folder().mkdir(parents=True, exist_ok=True)
    model = {
        "provider": "openai-compatible",
        "baseUrl": "http://localhost:1/v1",
        "modelId": "own",
        "contextWindow": 50_000,
    }
    (config_folder() / "settings.json").write_text(json.dumps({"model": model}), "utf-8")
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    timeline = show(pane, qtbot)
    assert (timeline.window, timeline.threshold) == (50_000, 50_000 - 16_384)


def test_a_window_that_nobody_knows_is_said(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    timeline = show(pane, qtbot)
    assert timeline.window is None
    assert pane.timeline_tab.facts.fact("threshold") == "not known"


def test_by_keyboard(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(LARGE), qtbot)
    window.set_filter("all")
    settle(pane, qtbot)
    timeline = show(pane, qtbot)
    chart = pane.timeline_tab.chart
    chart.setFocus()

    def place() -> int:
        return timeline.rows.tolist().index(pane.tree.current_entry())

    assert place() == len(timeline.rows) - 1
    places = [mark.place for mark in timeline.compactions]
    for expected in (*reversed(places), places[0]):
        qtbot.keyClick(chart, Qt.Key.Key_Left, CONTROL)
        assert place() == expected
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    assert place() == places[0] + 1
    qtbot.keyClick(chart, Qt.Key.Key_Home)
    assert place() == 0
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    assert place() == 0
    qtbot.keyClick(chart, Qt.Key.Key_End)
    assert place() == len(timeline.rows) - 1
    assert chart.hasFocus()
    assert "compaction" in chart.text_at(places[0])
    assert "tokens (estimate)" in chart.text_at(places[0])


def test_a_place_is_marked_also_where_the_filter_hides_its_entry(
    window: MainWindow, sample: Sample, qtbot: QtBot
) -> None:
    pane = open_session(window, sample(LARGE), qtbot)
    window.set_filter("user-only")
    settle(pane, qtbot)
    timeline, outline = show(pane, qtbot), pane.document.outline
    assert outline is not None
    chart = pane.timeline_tab.chart
    chart.setFocus()
    qtbot.keyClick(chart, Qt.Key.Key_Home)
    places = range(1, 12)
    assert any(outline.nearest_shown(int(timeline.rows[place])) != timeline.rows[place] for place in places)
    for place in places:
        qtbot.keyClick(chart, Qt.Key.Key_Right)
        settle(pane, qtbot)
        assert chart.selected == place
    pane.go_to_leaf()
    settle(pane, qtbot)
    assert chart.selected == timeline.rows.tolist().index(outline.shown_leaf)


def test_by_mouse(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(LARGE), qtbot)
    window.set_filter("all")
    settle(pane, qtbot)
    timeline = show(pane, qtbot)
    chart = pane.timeline_tab.chart
    for share in (0.3, 0.6, 0.9):
        qtbot.mouseClick(
            chart, Qt.MouseButton.LeftButton, pos=QPoint(round(chart.width() * share), chart.height() // 2)
        )
        assert pane.tree.current_entry() in timeline.rows
    item = pane.timeline_tab.list.topLevelItem(0)
    point = pane.timeline_tab.list.visualItemRect(item).center()
    qtbot.mouseClick(pane.timeline_tab.list.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert pane.tree.current_entry() == timeline.rows[timeline.compactions[0].place]


def test_the_chart_follows_the_leaf(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """Field report N12."""
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    before = show(pane, qtbot)
    pane.navigation.take(40)
    qtbot.waitUntil(lambda: not pane.runner.is_running)
    settle(pane, qtbot)
    after = show(pane, qtbot)
    assert after.rows[-1] == 40
    assert len(after.rows) != len(before.rows)


@pytest.mark.parametrize("theme", [LIGHT, DARK, CONTRAST], ids=lambda theme: theme.name)
def test_colours_follow_the_theme(
    window: MainWindow, sample: Sample, qtbot: QtBot, qapp: QApplication, theme: Theme
) -> None:
    pane = open_session(window, sample(LARGE), qtbot)
    show(pane, qtbot)
    apply_theme(qapp, theme)
    try:
        image = pane.timeline_tab.chart.grab().toImage()
        colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(0, image.height(), 2)}
        assert {theme.window, theme.assistant, QColor(theme.compaction).name()} <= colours
    finally:
        apply_theme(qapp, LIGHT)


def test_mirrored_the_newest_entry_is_on_the_left(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(LARGE), qtbot)
    timeline = show(pane, qtbot)
    chart = pane.timeline_tab.chart
    chosen: list[int] = []
    chart.place_chosen.connect(chosen.append)
    left, right = QPointF(chart.width() * 0.2, 50).toPoint(), QPointF(chart.width() * 0.8, 50).toPoint()
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=left)
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=right)
    chart.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=left)
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=right)
    assert chosen[0] < chosen[1] < len(timeline.rows)
    assert chosen[2] > chosen[3]


def test_the_heads_of_the_table_stand_at_one_height(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    head = pane.timeline_tab.list.headerItem()
    sides = {head.textAlignment(column) & Qt.AlignmentFlag.AlignVertical_Mask for column in (1, 2)}
    assert sides == {Qt.AlignmentFlag.AlignVCenter}, "as the first one, which has Qt's own"
