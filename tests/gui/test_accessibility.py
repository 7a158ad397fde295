"""What assistive technology is told about the tree, and what the keyboard alone can do in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent, QAccessibleInterface
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QScrollBar,
    QSlider,
    QSpinBox,
    QTabBar,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from gui.accessible_places import AccessiblePlaces
from gui.main_window import MainWindow
from gui.number_text import full_count
from gui.session_pane import SessionPane
from gui.theme import LIGHT, apply_theme
from gui.tree_columns import Column
from tests.gui.conftest import open_session, settle
from tests.gui.scenes import Stage

Sample = Callable[[str], Path]


def rows_of(pane: SessionPane) -> list[QAccessibleInterface]:
    """The first cell of every row that is unfolded, as a screen reader walks them."""
    tree = QAccessible.queryAccessibleInterface(pane.tree)
    assert tree is not None
    children = (tree.child(number) for number in range(tree.childCount()))
    cells = [child for child in children if child.role() == QAccessible.Role.TreeItem]
    return cells[:: len(Column)]


def test_the_tree_has_role_names_levels_and_states(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    tree = QAccessible.queryAccessibleInterface(pane.tree)
    assert tree is not None
    assert tree.role() == QAccessible.Role.Tree
    assert tree.text(QAccessible.Text.Name) == "Session tree"
    rows = rows_of(pane)
    names = [row.text(QAccessible.Text.Name) for row in rows]
    assert len(names) > 100
    assert sum("current position" in name for name in names) == 1
    assert any("other branch" in name for name in names)
    assert any("branch of" in name and "entries" in name for name in names)
    assert any("label now" in name for name in names)
    assert any("level 2" in name for name in names)
    assert all(name.strip() for name in names)
    folded = [row for row in rows if row.state().expandable and not row.state().expanded]
    unfolded = [row for row in rows if row.state().expandable and row.state().expanded]
    assert folded
    assert unfolded


def test_each_row_says_what_is_painted(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """Name, role, level, and whether it is selected and unfolded: of every row, each as the tree has it."""
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    assert pane.select_id("e547f69a")
    tree, model = pane.tree, pane.document.model
    tree.expand(tree.currentIndex())
    read = rows_of(pane)
    index = model.index(0, 0)
    levels = set()
    for row in read:
        content = model.content(index)
        assert content is not None
        level, above = 1, index.parent()
        while above.isValid():
            level, above = level + 1, above.parent()
        levels.add(level)
        name = row.text(QAccessible.Text.Name)
        assert row.role() == QAccessible.Role.TreeItem
        assert name == content.spoken(0, level)
        assert (f"level {level}" in name) == (level > 1)
        state = row.state()
        assert bool(state.selected) == tree.selectionModel().isSelected(index), name
        assert bool(state.focused) == (index == tree.currentIndex()), name
        assert bool(state.expandable) == model.hasChildren(index), name
        assert bool(state.expanded) == (model.hasChildren(index) and tree.isExpanded(index)), name
        index = tree.indexBelow(index)
    assert not index.isValid(), "every row was read"
    assert len(levels) >= 2


def test_arrow_keys_fold_unfold_and_walk(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """G03: the standard keys of a tree."""
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    tree, model = pane.tree, pane.document.model
    index = pane.document.index
    assert index is not None
    assert pane.select_id("e547f69a")  # a folded branch head
    tree.setFocus()
    head = tree.currentIndex()
    assert not tree.isExpanded(head)
    qtbot.keyClick(tree, Qt.Key.Key_Right)
    assert tree.isExpanded(head)
    qtbot.keyClick(tree, Qt.Key.Key_Down)
    assert tree.currentIndex().parent() == head
    qtbot.keyClick(tree, Qt.Key.Key_Left)
    assert tree.currentIndex() == head
    qtbot.keyClick(tree, Qt.Key.Key_Left)
    assert not tree.isExpanded(head)
    qtbot.keyClick(tree, Qt.Key.Key_Left)
    assert tree.currentIndex() == model.parent(head)
    qtbot.keyClick(tree, Qt.Key.Key_Home)
    assert tree.currentIndex().row() == 0
    qtbot.keyClick(tree, Qt.Key.Key_End)
    last = tree.currentIndex()
    assert not tree.indexBelow(last).isValid()


@pytest.mark.spec("TN-12.3")
def test_enter_on_the_leaf_only_says_that_we_are_there(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample("real-v3-branched.jsonl")
    before = path.read_bytes()
    pane = open_session(window, path, qtbot)
    pane.go_to_leaf()
    qtbot.keyClick(pane.tree, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "already there" in window.status.currentMessage())
    assert path.read_bytes() == before


@pytest.mark.spec("TN-12.4", "TN-11")
def test_ctrl_enter_goes_there_without_questions(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """N17: from any row, and nothing is written."""
    path = sample("real-v3-branched.jsonl")
    before = path.read_bytes()
    pane = open_session(window, path, qtbot)
    session = pane.document.session
    assert session is not None
    assert pane.select_id("e547f69a")
    pane.tree.setFocus()
    qtbot.keyClick(pane.tree, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not pane.runner.is_running and "3 warnings" in pane.composer.text.toPlainText())
    assert path.read_bytes() == before
    assert pane.tabs.currentWidget() is pane.entry_tab


def test_a_typed_text_is_never_overwritten(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """N04: the text of the message is offered beside it."""
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    pane.composer.text.setPlainText("my own words")
    assert pane.select_id("e547f69a")
    qtbot.keyClick(pane.tree, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(pane.composer.is_offering)
    assert pane.composer.text.toPlainText() == "my own words"


def test_every_control_has_a_name(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    kinds = (QAbstractButton, QComboBox, QLineEdit, QPlainTextEdit, QSlider, QSpinBox)
    widgets = [widget for kind in kinds for widget in window.findChildren(kind)]
    assert len(widgets) > 20
    nameless = [describe(widget) for widget in widgets if not name_of(widget) and is_a_control(widget)]
    assert not nameless
    assert pane.tree.accessibleName()


# --- Every control, in every state of the window ---------------------------------------------------------------------

ROLES: dict[type[QWidget], set[QAccessible.Role]] = {
    QAbstractButton: {
        QAccessible.Role.Button, QAccessible.Role.CheckBox, QAccessible.Role.RadioButton, QAccessible.Role.ButtonMenu,
    },
    QComboBox: {QAccessible.Role.ComboBox},
    QLineEdit: {QAccessible.Role.EditableText},
    QPlainTextEdit: {QAccessible.Role.EditableText},
    QTextEdit: {QAccessible.Role.EditableText, QAccessible.Role.StaticText},
    QAbstractSpinBox: {QAccessible.Role.SpinBox},
    QSlider: {QAccessible.Role.Slider},
    QTabBar: {QAccessible.Role.PageTabList},
    QAbstractItemView: {QAccessible.Role.Tree, QAccessible.Role.List, QAccessible.Role.Table},
    QLabel: {QAccessible.Role.StaticText},
    QDialog: {QAccessible.Role.Dialog},
}  # fmt: skip


@pytest.fixture(scope="module")
def stage(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("home")
        patch.setenv("BRANCHWORK_HOME", str(home / "branchwork"))
        patch.setenv("HOME", str(home))
        apply_theme(qapp, LIGHT)
        made = Stage(tmp_path_factory.mktemp("stage"))
        yield made
        made.close()


def test_every_control_of_every_dialog_has_a_name_and_a_role(stage: Stage) -> None:
    wrong: list[str] = []
    read = 0
    for scene in stage.names:
        front = stage.show(scene)
        if isinstance(front, QMenu):
            continue  # its entry in the bar says its name
        assert QAccessible.queryAccessibleInterface(front).text(QAccessible.Text.Name), scene
        for widget in front.findChildren(QWidget):
            if widget.isVisible() and widget.window() is front and is_a_control(widget) and is_used(widget):
                read += 1
                interface = QAccessible.queryAccessibleInterface(widget)
                fitting = [roles for kind, roles in ROLES.items() if isinstance(widget, kind)]
                if not name_of(widget):
                    wrong.append(f"{scene}: {describe(widget)} has no name")
                if fitting and interface.role() not in fitting[0]:
                    wrong.append(f"{scene}: {describe(widget)} is a {interface.role()}")
                if not fitting and not interface.text(QAccessible.Text.Description):
                    # Qt has no role for a picture that is used by keys: it says in words what it shows.
                    wrong.append(f"{scene}: {describe(widget)} says not what it shows")
    assert read > 300
    assert sorted(set(wrong)) == []


def is_used(widget: QWidget) -> bool:
    """Something to use, or text to read; not the boxes that hold it."""
    parent = widget.parent()
    is_inside = isinstance(parent, QAbstractScrollArea) and widget is parent.viewport()
    if isinstance(widget, QScrollBar | QHeaderView | QKeySequenceEdit) or is_inside or widget.focusProxy() is not None:
        return False
    if isinstance(widget, QLabel):
        return bool(widget.text().strip())
    return isinstance(widget, (*ROLES, QAbstractSlider)) or bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)


def name_of(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    return "" if interface is None else interface.text(QAccessible.Text.Name).strip()


def is_a_control(widget: QWidget) -> bool:
    """Not a part that Qt makes for itself: the line edit of a spin box, a scroll button, an empty tab button."""
    return not widget.objectName().startswith("qt_") and not isinstance(widget.parent(), QSpinBox | QComboBox)


def describe(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()} in {type(widget.parent()).__name__}"


# --- The pictures: the map and the chart of the timeline are read place by place -------------------------------------


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a screen reader reads by itself: the name of what gets the focus, and announcements."""
    heard: list[str] = []

    def hear(event: QAccessibleEvent) -> None:
        if isinstance(event, QAccessibleAnnouncementEvent):
            heard.append(event.message())
        elif event.type() == QAccessible.Event.Focus:
            heard.append(event.accessibleInterface().text(QAccessible.Text.Name))

    monkeypatch.setattr(QAccessible, "updateAccessibility", hear)
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    return heard


def children_of(widget: QWidget) -> list[QAccessibleInterface]:
    chart = QAccessible.queryAccessibleInterface(widget)
    assert chart.role() == QAccessible.Role.Chart
    return [chart.child(number) for number in range(chart.childCount())]


def focus_in(widget: QWidget) -> QAccessibleInterface:
    found = QAccessible.queryAccessibleInterface(widget).focusChild()
    assert found is not None
    state = found.state()
    assert state.focused
    assert state.selected
    return found


def test_every_line_of_the_map_is_read(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """Entries, active path or not, and where it forks: of each run, as the graph has it."""
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    picture = pane.map_view.picture
    assert picture is not None
    runs, path = picture.layout.graph.runs, list(picture.layout.path_runs)
    children = children_of(pane.map_view)
    names = [child.text(QAccessible.Text.Name) for child in children]
    assert len(names) == len(set(names)) == len(runs)
    assert picture.order[: len(path)].tolist() == path
    for name, run in zip(names, picture.order.tolist(), strict=True):
        count = runs.length(run)
        assert f"{count} entries" in name if count > 1 else "1 entry" in name
        assert ("not on the active path" in name) == (run not in path)
        assert ("forks from" in name) == (run not in path and runs.parent_run(run) is not None)
        if run not in path and runs.parent_run(run) in path:
            part = path.index(runs.parent_run(run)) + 1
            assert f"forks from active path, part {part} of {len(path)} after " in name
        assert ("nothing follows" in name) == (not picture.layout.graph.children(run))
    assert [("the current position is in it" in name) for name in names].count(True) == 1
    compactions = sum(int(name.split("compactions in it: ")[1][0]) for name in names if "compactions in it" in name)
    assert compactions == len(picture.compactions)
    for number, child in enumerate(children):
        assert child.isValid()
        assert child.parent().indexOfChild(child) == number
        assert not child.rect().isEmpty()
        assert child.rect().intersects(window.geometry())


def test_the_line_at_a_point_of_the_map(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    map_view, picture = pane.map_view, pane.map_view.picture
    assert picture is not None
    chart = QAccessible.queryAccessibleInterface(map_view)
    layout = picture.layout
    run = int(picture.order[-1])
    middle = QPointF(float(layout.start[run] + layout.end[run] * 3) / 4, float(layout.lane[run]))
    at = map_view.viewport().mapToGlobal(map_view.mapFromScene(middle))
    assert chart.indexOfChild(chart.childAt(at.x(), at.y())) == len(picture.order) - 1
    assert chart.childAt(-5000, -5000) is None


def test_keys_in_the_map_are_read(window: MainWindow, sample: Sample, qtbot: QtBot, said: list[str]) -> None:
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    pane.go_to_leaf()
    view = pane.map_view
    view.setFocus()
    qtbot.waitUntil(lambda: bool(said))
    path = list(pane.map_view.picture.layout.path_runs)  # type: ignore[union-attr]
    assert said[-1].startswith(f"active path, part {len(path)} of {len(path)}, ")
    assert "the current position is in it" in said[-1]
    for key, beginning in (
        (Qt.Key.Key_Left, f"active path, part {len(path) - 1} of "),
        (Qt.Key.Key_Right, f"active path, part {len(path)} of "),
        (Qt.Key.Key_Home, "active path, part 1 of "),
        (Qt.Key.Key_Right, "entry 80 of 80, "),  # along the same line: only where on it
        (Qt.Key.Key_Down, "branch "),
        (Qt.Key.Key_End, f"active path, part {len(path)} of "),
    ):
        said.clear()
        qtbot.keyClick(view, key)
        assert [text[: len(beginning)] for text in said] == [beginning], key
        focus_in(view)
    assert focus_in(view).text(QAccessible.Text.Name) == said[-1]
    said.clear()
    pane.tree.setFocus()
    qtbot.keyClick(pane.tree, Qt.Key.Key_Home)
    assert said == [], "the map is silent while the keyboard is elsewhere"


def test_a_session_that_grows_repeats_nothing(
    window: MainWindow, sample: Sample, qtbot: QtBot, said: list[str]
) -> None:
    """While an agent works, every entry makes another map and another timeline."""
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    store = pane.document.store
    assert store is not None
    pane.go_to_leaf()
    pane.map_view.setFocus()
    qtbot.waitUntil(lambda: bool(said))
    qtbot.keyClick(pane.map_view, Qt.Key.Key_Home)
    said.clear()
    leaf = store.index.id_of(store.index.count - 1)
    entry = {"type": "message", "id": "feed0001", "parentId": leaf, "timestamp": "2026-03-02T08:00:00Z"}
    with pane.document.path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**entry, "message": {"role": "user", "content": "go on", "timestamp": 1}}) + "\n")
    count = store.index.count + 1

    def has_grown() -> bool:
        picture = pane.map_view.picture
        return picture is not None and len(picture.layout.graph.runs.run_of) == count

    qtbot.waitUntil(has_grown, timeout=10_000)
    assert said == []
    assert focus_in(pane.map_view).text(QAccessible.Text.Name).startswith("active path, part 1 of ")


def test_every_entry_of_the_timeline_is_read(window: MainWindow, sample: Sample, qtbot: QtBot, said: list[str]) -> None:
    """Its number, its context, the share of the window, and what a compaction did: by keys, and place by place."""
    pane = open_session(window, sample("real-v3-before-compaction.jsonl"), qtbot)
    window.set_filter("all")
    pane.tabs.setCurrentWidget(pane.timeline_tab)
    settle(pane, qtbot)
    chart = pane.timeline_tab.chart
    timeline = chart.timeline
    assert timeline is not None
    assert timeline.window is not None
    said.clear()
    chart.setFocus()
    qtbot.waitUntil(lambda: bool(said))
    count = full_count(len(timeline.rows))
    children = children_of(chart)
    assert len(children) == len(timeline.rows)
    mark = timeline.compactions[-1]
    steps: list[tuple[Qt.Key, int]] = [
        (Qt.Key.Key_Home, 0), (Qt.Key.Key_Right, 1), (Qt.Key.Key_PageDown, 1 + len(timeline.rows) // 10),
        (Qt.Key.Key_PageUp, 1), (Qt.Key.Key_End, len(timeline.rows) - 1),
    ]  # fmt: skip
    for key, place in steps:
        said.clear()
        qtbot.keyClick(chart, key)
        tokens = float(timeline.estimated[place])
        assert len(said) == 1
        assert said[0].startswith(f"Entry {full_count(place + 1)} of {count}, ")
        assert f"about {full_count(round(tokens))} tokens (estimate)" in said[0]
        assert f"{round(100 * tokens / timeline.window)} % of the window" in said[0]
        assert ("compaction" in said[0]) == (place == mark.place)
        assert focus_in(chart).text(QAccessible.Text.Name) == said[0]
    qtbot.keyClick(chart, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert chart.selected == mark.place
    sizes = full_count(round(mark.before or 0)), full_count(round(mark.after or 0))
    assert "compaction from {} to {} tokens".format(*sizes) in said[-1]
    rects = [child.rect() for child in children]
    assert all(left.center().x() <= right.center().x() for left, right in pairwise(rects))
    interface = QAccessible.queryAccessibleInterface(chart)
    at = rects[mark.place].center()
    assert abs(interface.indexOfChild(interface.childAt(at.x(), at.y())) - mark.place) <= 3  # pixels are fewer
    qtbot.keyClick(chart, Qt.Key.Key_Return)
    assert pane.tree.hasFocus()
    assert pane.tree.current_entry() == timeline.rows[mark.place]


def test_what_was_read_may_be_gone(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """A reader holds on to places of a session that was closed: they say that they are gone, and nothing ends."""
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    children = children_of(pane.map_view)
    for child in children[::2]:
        QAccessible.uniqueId(child)  # from now on Qt owns it
    gone: list[bool] = []
    pane.map_view.destroyed.connect(lambda: gone.append(True))
    window.sessions.close_all()
    qtbot.waitUntil(lambda: bool(gone))
    assert not any(isValid(child) for child in children[::2])
    assert not any(child.isValid() for child in children[1::2])
    assert all(child.text(QAccessible.Text.Name) == "" for child in children[1::2])


class OddPicture(QWidget):
    """A widget whose interface somebody asked for before it could say that it has places."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        QAccessible.queryAccessibleInterface(self)
        self.places = ThreePlaces(self)


class ThreePlaces(AccessiblePlaces):
    here = 0

    def count(self) -> int:
        return 3

    def current(self) -> int | None:
        return self.here

    def text(self, place: int) -> str:
        return f"place {place}"

    def rect(self, place: int) -> QRect:
        return QRect()

    def at(self, point: QPoint) -> int | None:
        return None


def test_a_picture_without_places_of_its_own_is_read_all_the_same(qtbot: QtBot, said: list[str]) -> None:
    picture = OddPicture()
    qtbot.addWidget(picture)
    picture.show()
    qtbot.waitExposed(picture)
    picture.activateWindow()
    picture.setFocus()
    qtbot.waitUntil(picture.hasFocus)
    said.clear()
    for place in (1, 2, 2):
        picture.places.here = place
        picture.places.moved(f"note {place}")
    assert said == ["place 1", "place 2"]
    picture.places.moved("further on")
    assert said[2:] == ["further on"]
