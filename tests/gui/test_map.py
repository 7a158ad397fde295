"""The map in the window: it shows the whole forest, follows the tree, and leads to every branch by mouse and by key."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.map_picture import MapPicture, Marks, place_of
from gui.session_pane import SessionPane
from gui.theme import DARK, LIGHT, apply_theme
from model.entry_kinds import Kind
from model.map_layout import MapLayout
from tests.gui.conftest import open_session, settle
from tests.model.test_map_layout import layout_of

Sample = Callable[[str], Path]
BRANCHED = "real-v3-branched.jsonl"


@pytest.fixture
def pane(window: MainWindow, sample: Sample, qtbot: QtBot) -> SessionPane:
    return open_session(window, sample(BRANCHED), qtbot)


def layout(pane: SessionPane) -> MapLayout:
    picture = pane.map_view.picture
    assert picture is not None
    return picture.layout


def middle_of(pane: SessionPane, run: int) -> QPoint:
    """A point of the map on the line of a run."""
    found = layout(pane)
    step = (found.start[run] + found.end[run] * 3) / 4
    return pane.map_view.mapFromScene(QPointF(float(step), float(found.lane[run])))


def test_every_run_has_its_line(pane: SessionPane) -> None:
    graph, picture = pane.document.graph, pane.map_view.picture
    assert graph is not None
    assert picture is not None
    assert len(picture.layout.lane) == len(graph.forest)
    drawn = sum(piece.run_count for piece in picture.branches if not piece.path.isEmpty())
    assert drawn == len(graph.forest) - len(picture.layout.path_runs)
    index = pane.document.index
    assert index is not None
    assert len(picture.compactions) == int((index.kind == Kind.COMPACTION).sum())
    assert pane.map_view.viewport().visibleRegion().boundingRect().height() > 50


@pytest.mark.spec("TN-8")
def test_summaries_are_linked_to_the_leaf_that_they_came_from(pane: SessionPane) -> None:
    store, picture = pane.document.store, pane.map_view.picture
    assert store is not None
    assert picture is not None
    index = store.index
    links = 0
    for row in range(index.count):
        entry = store.entry(row)
        if entry["type"] == "branch_summary" and index.row_of(entry["fromId"]) is not None:
            links += 1
    assert links > 0
    assert picture.links.elementCount() > links


def test_a_click_goes_to_the_run(pane: SessionPane, qtbot: QtBot) -> None:
    runs = layout(pane).graph.runs
    outline = pane.document.outline
    assert outline is not None
    for run in range(len(runs)):
        qtbot.mouseClick(pane.map_view.viewport(), Qt.MouseButton.LeftButton, pos=middle_of(pane, run))
        selected = pane.tree.current_entry()
        assert selected is not None
        rows = runs.rows(run)
        assert selected in rows or selected == outline.nearest_shown(int(rows[len(rows) * 3 // 4 - 1]))


def test_a_drag_pans_and_selects_nothing(pane: SessionPane, qtbot: QtBot) -> None:
    before = pane.tree.current_entry()
    view = pane.map_view
    view.zoom_by(8)
    QApplication.processEvents()
    bar = view.horizontalScrollBar()
    bar.setValue((bar.minimum() + bar.maximum()) // 2)
    start = bar.value()
    viewport = view.viewport()
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=QPoint(200, 40))
    for x in (190, 150, 120):
        qtbot.mouseMove(viewport, QPoint(x, 40))
        QApplication.processEvents()
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=QPoint(120, 40))
    assert bar.value() == start + 80
    assert pane.tree.current_entry() == before


def test_zooming_keeps_what_is_under_the_pointer(pane: SessionPane) -> None:
    view = pane.map_view
    whole = view.sceneRect()
    at = QPointF(view.viewport().width() * 0.6, view.viewport().height() / 2)
    there = view.mapToScene(at.toPoint())

    def wheel(turns: int) -> None:
        event = QWheelEvent(
            at, view.viewport().mapToGlobal(at), QPoint(), QPoint(0, 120 * turns), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.ControlModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(view.viewport(), event)

    for _ in range(12):
        wheel(1)
    assert view.zoom > 10
    assert abs(view.mapToScene(at.toPoint()).x() - there.x()) < whole.width() / 100
    for _ in range(40):
        wheel(-1)
    assert view.zoom == 1


def test_by_keyboard(pane: SessionPane, window: MainWindow, qtbot: QtBot) -> None:
    """Along to where branches fork, across to the lines beside, zoom, and back to the tree."""
    window.going.map.trigger()
    assert not pane.map_dock.isVisible()
    window.going.map.trigger()
    assert pane.map_view.hasFocus()
    graph, outline = pane.document.graph, pane.document.outline
    assert graph is not None
    assert outline is not None
    runs = graph.runs
    path = runs.path_runs(outline.leaf)
    for above in reversed(path[:-1]):
        qtbot.keyClick(pane.map_view, Qt.Key.Key_Left)
        assert pane.tree.current_entry() == outline.nearest_shown(runs.tail(above))
    for run in path[1:]:
        qtbot.keyClick(pane.map_view, Qt.Key.Key_Right)
        assert pane.tree.current_entry() == outline.nearest_shown(runs.tail(run))
    seen = {0}
    for key, direction in ((Qt.Key.Key_Up, -1), (Qt.Key.Key_Down, 1)):
        pane.go_to_leaf()
        pane.map_view.setFocus()
        for _ in range(20):
            qtbot.keyClick(pane.map_view, key)
            seen.add(int(layout(pane).lane[runs.run_of[pane.map.row]]))
        assert layout(pane).lanes[0 if direction < 0 else 1] in seen
    zoom = pane.map_view.zoom
    qtbot.keyClick(pane.map_view, Qt.Key.Key_Plus)
    qtbot.keyClick(pane.map_view, Qt.Key.Key_Plus)
    qtbot.keyClick(pane.map_view, Qt.Key.Key_Minus)
    assert pane.map_view.zoom > zoom
    qtbot.keyClick(pane.map_view, Qt.Key.Key_0)
    assert pane.map_view.zoom == 1
    qtbot.keyClick(pane.map_view, Qt.Key.Key_Return)
    assert pane.tree.hasFocus()


def test_steps_lead_through_what_the_filter_hides(pane: SessionPane, window: MainWindow, qtbot: QtBot) -> None:
    """The map marks the entry itself, and goes on from it, also when the tree has shown the nearest one before it."""
    window.set_filter("user-only")
    settle(pane, qtbot)
    graph, outline, view = pane.document.graph, pane.document.outline, pane.map_view
    assert graph is not None
    assert outline is not None
    path = graph.runs.path_runs(outline.leaf)
    tails = [graph.runs.tail(run) for run in reversed(path[:-1])]
    assert any(outline.nearest_shown(tail) != tail for tail in tails), "none is hidden"
    view.setFocus()
    for tail in tails:
        qtbot.keyClick(view, Qt.Key.Key_Left)
        settle(pane, qtbot)
        assert (pane.map.row, view.selected) == (tail, tail)
    assert pane.tree.select_entry(outline.shown_leaf)
    settle(pane, qtbot)
    assert (pane.map.row, view.selected) == (outline.shown_leaf, outline.shown_leaf)


def test_a_step_at_once_after_a_selection_starts_from_it(pane: SessionPane, qtbot: QtBot) -> None:
    graph, outline = pane.document.graph, pane.document.outline
    assert graph is not None
    assert outline is not None
    settle(pane, qtbot)
    path = graph.runs.path_runs(outline.leaf)
    pane.tree.select_entry(graph.runs.tail(path[1]))
    qtbot.keyClick(pane.map_view, Qt.Key.Key_Left)
    assert pane.map.row == graph.runs.tail(path[0])


def test_the_frame_follows_the_tree(pane: SessionPane, qtbot: QtBot) -> None:
    bar = pane.tree.verticalScrollBar()

    def framed() -> tuple[float, float]:
        frame = pane.map_view.frame
        return frame.left(), frame.right()

    qtbot.waitUntil(lambda: not pane.map_view.frame.isEmpty())
    at_end = framed()
    bar.setValue(0)
    qtbot.waitUntil(lambda: framed() != at_end)
    assert framed()[1] < at_end[0]
    steps = layout(pane).steps
    rows = pane.tree.entries_in_view()
    assert framed()[0] <= min(steps([row])[0] for row in rows)  # type: ignore[arg-type]
    assert framed()[1] >= max(steps([row])[0] for row in rows)  # type: ignore[arg-type]


def test_the_map_follows_the_leaf(pane: SessionPane, qtbot: QtBot) -> None:
    pane.navigation.take(40)
    qtbot.waitUntil(lambda: not pane.runner.is_running)
    settle(pane, qtbot)
    assert layout(pane).leaf == 40


def test_the_map_follows_a_growing_file(pane: SessionPane, qtbot: QtBot) -> None:
    store = pane.document.store
    assert store is not None
    entry = {
        "type": "message",
        "id": "feed0001",
        "parentId": store.index.id_of(10),
        "timestamp": "2026-03-02T08:00:00Z",
    }
    with pane.document.path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**entry, "message": {"role": "user", "content": "another try", "timestamp": 1}}) + "\n")
    qtbot.waitUntil(lambda: len(layout(pane).graph.runs.run_of) == store.index.count, timeout=20_000)
    settle(pane, qtbot)
    assert layout(pane).leaf == pane.document.outline.leaf  # type: ignore[union-attr]


def test_what_is_said_of_the_map(pane: SessionPane, window: MainWindow) -> None:
    view = pane.map_view
    assert view.accessibleName() == "Map of the session"
    branches = len(layout(pane).lane) - len(layout(pane).path_runs)
    assert view.accessibleDescription().startswith(f"Branches: {branches}. ")
    assert "Arrow keys" in view.accessibleDescription()
    run = len(layout(pane).lane) - 1
    assert view.words is not None
    assert view.words.tip(run).startswith(f"{layout(pane).graph.runs.length(run)} entries")


def test_hidden_it_costs_nothing_and_stays_hidden(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    first = open_session(window, sample(BRANCHED), qtbot)
    window.going.map.trigger()
    assert not first.map_dock.isVisible()
    second = open_session(window, sample("omp-branched.jsonl"), qtbot)
    assert not second.map_dock.isVisible()
    assert second.map_view.picture is None
    window.going.map.trigger()
    settle(second, qtbot)
    assert second.map_view.picture is not None
    assert not first.map_shown


def test_colours_follow_the_theme(pane: SessionPane, qapp: QApplication) -> None:
    def colours() -> set[str]:
        image = pane.map_view.viewport().grab().toImage()
        return {image.pixelColor(x, y).name() for x in range(0, image.width(), 3) for y in range(image.height())}

    assert {LIGHT.window, LIGHT.accent} <= colours()
    apply_theme(qapp, DARK)
    try:
        assert {DARK.window, DARK.accent} <= colours()
        assert LIGHT.window not in colours()
    finally:
        apply_theme(qapp, LIGHT)


def test_an_entry_is_marked_on_the_bend_of_its_line() -> None:
    layout = layout_of([-1, 0, 1, 2, 3, 0, 5, 6, 7], 4)
    drawn = MapPicture.of(layout, Marks()).branches[0].path
    points = [drawn.pointAtPercent(number / 2000) for number in range(2001)]
    for row in (5, 6, 7, 8):
        step, lane = place_of(layout, row)
        nearest = min(points, key=lambda point: abs(point.x() - step))
        assert abs(nearest.y() - lane) < 0.02
    run = layout.graph.runs.run_of[8]
    assert place_of(layout, 8) == (layout.end[run], layout.lane[run])
    assert abs(place_of(layout, 5)[1]) < 1


def test_only_what_is_in_sight_is_painted() -> None:
    parents = [-1]
    for number in range(1, 4001):
        parents += [number * 2 - 2, number * 2 - 2]
    picture = MapPicture.of(layout_of(parents, len(parents) - 1), Marks())
    sight = QRectF(100, -5, 50, 10)
    seen = [piece for piece in picture.branches if piece.bounds.intersects(sight)]
    assert len(picture.branches) > 50
    assert len(seen) < len(picture.branches) / 8


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_the_title_of_the_map_stands_where_lines_begin(
    window: MainWindow, sample: Sample, qtbot: QtBot, direction: Qt.LayoutDirection
) -> None:
    window.setLayoutDirection(direction)
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    dock = pane.map_dock
    title, inside = dock.titleBarWidget(), dock.widget()
    is_mirrored = direction == Qt.LayoutDirection.RightToLeft
    qtbot.waitUntil(lambda: (title.x() > inside.x()) == is_mirrored)
    window.resize(1200, 800)
    qtbot.waitUntil(lambda: (title.x() > inside.x()) == is_mirrored and title.width() + inside.width() <= dock.width())
    assert title.minimumSizeHint().height() < dock.height()
    qtbot.mouseClick(dock.titleBarWidget().close_button, Qt.MouseButton.LeftButton)
    assert not dock.isVisible()
    assert not window.going.map.isChecked()
    window.going.map.trigger()
    assert dock.isVisible()
