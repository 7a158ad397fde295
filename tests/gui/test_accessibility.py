"""What assistive technology is told about the tree, and what the keyboard alone can do in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
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
    QPlainTextEdit,
    QScrollBar,
    QSlider,
    QSpinBox,
    QTabBar,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.session_pane import SessionPane
from gui.theme import LIGHT, apply_theme
from gui.tree_columns import Column
from tests.gui.conftest import open_session
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
