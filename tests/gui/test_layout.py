"""Where everything stands: the docks, windows that keep their size, large fonts, tabs that fit, texts of any script."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, QSettings, QSize, Qt, QThreadPool
from PySide6.QtGui import QColor, QImage, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QDockWidget,
    QHeaderView,
    QLabel,
    QStyle,
    QStyleOptionViewItem,
    QTableView,
    QToolBar,
    QToolButton,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gui.icons import icon
from gui.inspector.context_table import TEXT
from gui.inspector.tabs import NAMES
from gui.main_window import MainWindow
from gui.session_pane import SessionPane
from gui.theme import LIGHT, THEMES, ThemeName, apply_theme, current_theme
from gui.tree_columns import Column
from services.recent_files import RecentFiles
from tests.gui.conftest import SESSIONS, open_session, settle
from tests.gui.layout_checks import faults
from tests.services.sessions import message, write_session

Sample = Callable[[str], Path]
BRANCHED = "real-v3-branched.jsonl"
OTHER_BRANCH = "e547f69a"
HEADER = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"}
ARABIC = "مرحبا بالعالم كيف حالك اليوم يا صديقي وهذا نص طويل جدا لا يتسع له الصف الواحد في الجدول أبدا " * 3


@pytest.fixture
def large_font(qapp: QApplication) -> Iterator[None]:
    """Text of 20 points for one test."""
    before = qapp.font()
    large = qapp.font()
    large.setPointSizeF(20)
    qapp.setFont(large)
    yield
    qapp.setFont(before)


@pytest.fixture
def right_to_left(qapp: QApplication) -> Iterator[None]:
    """A window that reads from right to left, for one test."""
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    apply_theme(qapp, current_theme())
    yield
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    apply_theme(qapp, current_theme())


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """A session in two scripts, with some damage."""
    path = tmp_path / "scripts.jsonl"
    entries = [
        message("a", None, "user", ARABIC),
        message("b", "a", "assistant", "// Queue the message"),
        message("c", "a", "user", ARABIC),
        message("d", "b", "user", "// and wait"),
    ]
    write_session(path, [HEADER, *entries])
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([*lines[:3], "\0", "{broken", *lines[3:]]) + "\n", "utf-8")
    return path


def restarted(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    """Close the window and open it again."""
    window.close()
    assert QThreadPool.globalInstance().waitForDone(20_000)
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    made = MainWindow(settings, RecentFiles(tmp_path / "recent.json"))
    qtbot.addWidget(made, before_close_func=lambda _window: None)
    made.show()
    qtbot.waitExposed(made)
    return made


# --- Docks -----------------------------------------------------------------------------------------------------------


def dock_of(window: MainWindow, name: str) -> QDockWidget:
    assert window.pane is not None
    return window.library if name == "library" else window.pane.inspector


@pytest.mark.parametrize("name", ["library", "inspector"])
def test_a_dock_can_be_closed_and_opened_again(window: MainWindow, sample: Sample, qtbot: QtBot, name: str) -> None:
    open_session(window, sample(BRANCHED), qtbot)
    dock, action = dock_of(window, name), window.library_action if name == "library" else window.going.inspector
    title = dock.titleBarWidget()
    assert any(each.text() == dock.windowTitle() for each in title.findChildren(QLabel))
    assert title.height() <= window.fontMetrics().height() * 1.5
    assert not action.shortcut().isEmpty()
    assert action.isChecked()
    assert dock.isVisible()
    qtbot.mouseClick(title.close_button, Qt.MouseButton.LeftButton)  # type: ignore[attr-defined]
    assert not dock.isVisible()
    assert not action.isChecked()
    action.trigger()
    assert dock.isVisible()
    window.assistance.shortcuts.change(action.objectName(), [QKeySequence("Ctrl+Alt+9")])
    qtbot.keyClick(window, Qt.Key.Key_9, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    assert not dock.isVisible()


@pytest.mark.parametrize("name", ["library", "inspector"])
def test_a_dock_floats_by_its_title(window: MainWindow, sample: Sample, qtbot: QtBot, name: str) -> None:
    open_session(window, sample(BRANCHED), qtbot)
    dock = dock_of(window, name)
    title = dock.titleBarWidget()
    where = title.mapTo(dock, title.rect().center())
    assert dock.childAt(where) in (title, *title.findChildren(QLabel))
    qtbot.mouseDClick(dock, Qt.MouseButton.LeftButton, pos=where)
    assert dock.isFloating()
    qtbot.mouseClick(title.float_button, Qt.MouseButton.LeftButton)  # type: ignore[attr-defined]
    assert not dock.isFloating()


@pytest.mark.parametrize("change", ["float", "other side", "close"])
@pytest.mark.parametrize("name", ["library", "inspector"])
def test_what_a_dock_looked_like_comes_back(
    window: MainWindow, sample: Sample, tmp_path: Path, qtbot: QtBot, name: str, change: str
) -> None:
    path = sample(BRANCHED)
    pane = open_session(window, path, qtbot)
    dock = dock_of(window, name)
    owner = window if name == "library" else pane
    sides = (Qt.DockWidgetArea.RightDockWidgetArea, Qt.DockWidgetArea.LeftDockWidgetArea)
    other = sides[0] if name == "library" else sides[1]
    if change == "float":
        dock.setFloating(True)
        dock.setGeometry(100, 120, 430, 390)
    elif change == "other side":
        owner.addDockWidget(other, dock)
    else:
        dock.close()
    qtbot.wait(10)
    again = restarted(window, tmp_path, qtbot)
    shown = open_session(again, path, qtbot)
    dock = dock_of(again, name)
    if change == "float":
        assert dock.isVisible()
        assert dock.isFloating()
        assert dock.size().toTuple() == (430, 390)
    elif change == "other side":
        assert (again if name == "library" else shown).dockWidgetArea(dock) == other
    else:
        assert not dock.isVisible()
    again.close()


def test_what_shows_a_tab_opens_the_inspector(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    window.going.inspector.trigger()
    assert not pane.inspector.isVisible()
    window.going.timeline.trigger()
    assert pane.timeline_tab.isVisible()
    assert window.going.inspector.isChecked()


def test_a_floating_inspector_goes_with_its_session(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    first = open_session(window, sample(BRANCHED), qtbot)
    first.inspector.setFloating(True)
    second = open_session(window, sample("real-v1-before-compaction.jsonl"), qtbot)
    assert not first.inspector.isVisible()
    assert second.inspector.isVisible()
    window.sessions.setCurrentWidget(first)
    assert first.inspector.isVisible()
    assert first.inspector.isFloating()


# --- Sizes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(700, 500), (1000, 700)])
@pytest.mark.parametrize("with_library", [False, True])
def test_nothing_that_is_shown_changes_the_size_of_the_window(
    window: MainWindow, sample: Sample, qtbot: QtBot, size: tuple[int, int], with_library: bool
) -> None:
    window.library.setVisible(with_library)
    window.resize(*size)
    pane = open_session(window, sample(BRANCHED), qtbot)
    pane.tabs.show_problems((), "The file cannot be changed.")

    def check(what: str) -> None:
        settle(pane, qtbot)
        qtbot.wait(1)
        assert window.size().toTuple() == size, what

    check("open")
    for entry in (OTHER_BRANCH, None):
        pane.go_to_leaf() if entry is None else pane.select_id(entry)
        for name in NAMES:
            pane.tabs.show_named(name)
            check(name)
    pane.tabs.show_named("compare")
    pane.select_id(OTHER_BRANCH)
    settle(pane, qtbot)
    pane.compare_tab.left_view.setCurrentIndex(pane.compare_tab.left.index(0, 0))
    check("message of a comparison")
    pane.banner.say("A sentence of some length that says what went wrong and what can be done. " * 3, "Do it", int)
    check("banner")
    pane.open_search()
    pane.search_bar.text.setText("theme")
    check("search")
    pane.composer.text.setPlainText("line\n" * 12)
    check("composer")
    window.status.show_problems(12_345)
    window.status.show_job("Summarising a branch of the session with the model", 12.0)
    pane.navigate_tab.show_running(True)
    pane.compaction_tab.show_running(True)
    check("run")


@pytest.mark.parametrize("size", [(700, 500), (1000, 700), (1440, 900)])
@pytest.mark.parametrize("name", NAMES)
def test_tabs_are_whole_at_every_size(
    window: MainWindow, sample: Sample, qtbot: QtBot, size: tuple[int, int], name: str
) -> None:
    window.library.hide()
    window.resize(*size)
    pane = open_session(window, sample(BRANCHED), qtbot)
    pane.tabs.show_problems((), "The file cannot be changed.")
    pane.select_id(OTHER_BRANCH)
    pane.tabs.show_named(name)
    settle(pane, qtbot)

    def is_whole() -> None:
        assert faults(window) == []

    qtbot.waitUntil(is_whole)


def test_a_comparison_has_room_for_messages(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    window.library.hide()
    window.resize(1000, 700)
    pane = open_session(window, sample(BRANCHED), qtbot)
    pane.select_id(OTHER_BRANCH)
    pane.show_comparison()
    settle(pane, qtbot)
    tab = pane.compare_tab
    row = tab.left_view.rowHeight(0)
    for view in (tab.left_view, tab.right_view):
        assert view.viewport().height() >= 6 * row
        in_sight = view.viewport().visibleRegion().boundingRect()
        assert in_sight.height() >= 4 * row
    assert tab.files.viewport().height() >= 3 * tab.files.visualItemRect(tab.files.topLevelItem(0)).height()


@pytest.mark.usefixtures("large_font")
def test_large_text_changes_no_window(qapp: QApplication, sample: Sample, tmp_path: Path, qtbot: QtBot) -> None:
    apply_theme(qapp, LIGHT)
    settings = QSettings(str(tmp_path / "large.ini"), QSettings.Format.IniFormat)
    window = MainWindow(settings, RecentFiles(tmp_path / "recent.json"))
    window.library.hide()
    window.resize(1440, 900)
    window.show()
    qtbot.waitExposed(window)
    pane = open_session(window, sample(BRANCHED), qtbot)
    pane.select_id(OTHER_BRANCH)
    for name in NAMES[:-1]:
        pane.tabs.show_named(name)
        settle(pane, qtbot)
        qtbot.wait(1)
        assert window.size().toTuple() == (1440, 900), name
        assert pane.inspector.width() <= 0.4 * 1440 + 1, name
    header = pane.compare_tab.files.header()
    for column in range(1, header.count()):
        assert header.sectionSize(column) >= header.sectionSizeHint(column)
    side = pane.fontMetrics().height()
    assert all(button.iconSize().height() >= side for button in (pane.composer.attach, pane.composer._copy))
    window.close()
    window.deleteLater()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", [700, 849])
def test_the_rest_of_the_tool_bar_can_be_reached(
    window: MainWindow, qapp: QApplication, qtbot: QtBot, width: int, theme: ThemeName
) -> None:
    apply_theme(qapp, THEMES[theme])
    window.resize(width, 500)
    qtbot.wait(1)
    check_tool_bar(window)
    apply_theme(qapp, LIGHT)


@pytest.mark.usefixtures("right_to_left")
def test_the_rest_of_the_tool_bar_can_be_reached_from_right_to_left(window: MainWindow, qtbot: QtBot) -> None:
    for width in (700, 849):
        window.resize(width, 500)
        qtbot.wait(1)
        check_tool_bar(window)


@pytest.mark.usefixtures("large_font")
def test_the_rest_of_the_tool_bar_can_be_reached_with_large_text(
    qapp: QApplication, tmp_path: Path, qtbot: QtBot
) -> None:
    apply_theme(qapp, LIGHT)
    settings = QSettings(str(tmp_path / "large.ini"), QSettings.Format.IniFormat)
    window = MainWindow(settings, RecentFiles(tmp_path / "recent.json"))
    window.show()
    qtbot.waitExposed(window)
    for width in (850, 1440):
        window.resize(width, 700)
        qtbot.wait(1)
        check_tool_bar(window)
    window.close()
    window.deleteLater()


def check_tool_bar(window: MainWindow) -> None:
    bar = window.findChild(QToolBar, "tools")
    more = bar.findChild(QToolButton, "qt_toolbar_ext_button")
    assert more.isVisible()
    assert bar.rect().contains(more.geometry())
    others = [each for each in bar.findChildren(QToolButton) if each is not more and each.isVisible()]
    assert [each.text() for each in others if each.geometry().intersects(more.geometry())] == []


# --- The tabs --------------------------------------------------------------------------------------------------------


def test_seven_tabs_have_their_names_at_1440(window: MainWindow, scripts: Path, qtbot: QtBot) -> None:
    pane = open_session(window, scripts, qtbot)
    window.library.hide()
    pane.resizeDocks([pane.inspector], [520], Qt.Orientation.Horizontal)
    tabs = pane.tabs
    assert tabs.isTabVisible(tabs.indexOf(pane.problems_tab))
    assert all(tabs.tabText(number) for number in range(tabs.count()))
    check_tabs(pane)


@pytest.mark.parametrize("width", [240, 290, 320, 400])
def test_no_tab_is_scrolled_away(window: MainWindow, scripts: Path, qtbot: QtBot, width: int) -> None:
    pane = open_session(window, scripts, qtbot)
    pane.resizeDocks([pane.inspector], [width], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: pane.inspector.width() == width)
    for name in NAMES:
        pane.tabs.show_named(name)
        check_tabs(pane)
    tabs = pane.tabs
    nameless = [number for number in range(tabs.count()) if not tabs.tabText(number)]
    assert nameless
    assert all(tabs.tabToolTip(number) and not tabs.tabIcon(number).isNull() for number in nameless)
    assert all(tabs.tabBar().accessibleTabName(number) for number in range(tabs.count()))


def check_tabs(pane: SessionPane) -> None:
    bar = pane.tabs.tabBar()
    for number in range(bar.count()):
        if bar.isTabVisible(number):
            assert bar.rect().contains(bar.tabRect(number)), number
            assert bar.tabRect(number).width() > pane.fontMetrics().height()


# --- Texts -----------------------------------------------------------------------------------------------------------


def test_problems_can_be_read_and_look_like_other_rows(window: MainWindow, scripts: Path, qtbot: QtBot) -> None:
    window.library.hide()
    window.resize(1000, 700)
    pane = open_session(window, scripts, qtbot)
    pane.show_problems()
    settle(pane, qtbot)
    problems, model = pane.problems_tab.list, pane.problems_tab.list.model()
    assert model.rowCount() == 2
    texts = [str(model.index(row, 2).data()) for row in range(2)]
    assert texts[0].startswith("1 NUL byte stands")
    for row, text in enumerate(texts):
        cell = problems.visualRect(model.index(row, 2))
        room = QRect(0, 0, cell.width() - 6, 10_000)
        needed = problems.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap.value, text).height()
        assert needed <= cell.height()
        assert cell.height() >= pane.context_tab.table.verticalHeader().defaultSectionSize()
    pane.resizeDocks([pane.inspector], [700], Qt.Orientation.Horizontal)
    qtbot.waitUntil(
        lambda: (
            problems.visualRect(model.index(0, 2)).height()
            == pane.context_tab.table.verticalHeader().defaultSectionSize()
        )
    )


@pytest.mark.parametrize("tab", ["context", "compare"])
@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_texts_keep_their_own_direction(
    window: MainWindow, scripts: Path, qtbot: QtBot, tab: str, direction: Qt.LayoutDirection
) -> None:
    window.setLayoutDirection(direction)
    pane = open_session(window, scripts, qtbot)
    pane.select_id("d" if tab == "context" else "c")
    pane.tabs.show_named(tab)
    settle(pane, qtbot)
    views = [pane.context_tab.table] if tab == "context" else [pane.compare_tab.left_view, pane.compare_tab.right_view]
    column = TEXT if tab == "context" else 1
    seen = set()
    for view in views:
        for row in range(view.model().rowCount()):
            index = view.model().index(row, column)
            option = QStyleOptionViewItem()
            option.direction = view.layoutDirection()
            view.itemDelegate().initStyleOption(option, index)
            is_arabic = ARABIC[:5] in option.text
            own = Qt.LayoutDirection.RightToLeft if is_arabic else Qt.LayoutDirection.LeftToRight
            assert option.direction == own
            side = QStyle.visualAlignment(option.direction, option.displayAlignment) & Qt.AlignmentFlag(0x3)
            starts_left = direction == Qt.LayoutDirection.LeftToRight
            assert side == (Qt.AlignmentFlag.AlignLeft if starts_left else Qt.AlignmentFlag.AlignRight)
            seen.add(is_arabic)
    assert seen == {True, False}


def test_names_of_columns_stand_over_their_cells(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    window.library.hide()
    pane = open_session(window, sample(BRANCHED), qtbot)
    pane.select_id(OTHER_BRANCH)
    for name in ("context", "compare", "timeline"):
        pane.tabs.show_named(name)
        settle(pane, qtbot)
        views = [
            view
            for view in getattr(pane, f"{name}_tab").findChildren(QAbstractItemView)
            if view.isVisible() and not isinstance(view, QHeaderView) and header_of(view).isVisible()
        ]
        assert views
        for view in views:
            cell = view.visualRect(view.model().index(0, 0))
            above = first_ink(header_of(view).viewport(), QRect(cell.left(), 2, cell.width(), 20))
            below = first_ink(view.viewport(), cell.adjusted(3, 3, 0, -3))
            assert abs(above - below) <= 2, (name, above, below)


def header_of(view: QAbstractItemView) -> QHeaderView:
    if isinstance(view, QTableView):
        return view.horizontalHeader()
    assert isinstance(view, QTreeView)
    return view.header()


def test_entry_stands_over_the_entries(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    header = pane.tree.tree_header
    where = QRect(0, 2, header.sectionSize(Column.ENTRY), header.height() - 6)
    lead = pane.tree.guides.lead
    assert 0 <= first_ink(header.viewport(), where) - lead <= 6


def first_ink(widget: QWidget, place: QRect) -> int:
    """The leftmost column of pixels of a place that differs from its ground."""
    image = widget.grab(place).toImage().convertToFormat(QImage.Format.Format_RGB32)
    flat = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    gray = flat[:, :, :3].astype(int).sum(axis=2)
    ground = QColor(image.pixel(QPoint(image.width() - 1, 0)))
    base = ground.red() + ground.green() + ground.blue()
    return place.left() + int(np.argmax((np.abs(gray - base) > 150).any(axis=0)))


# --- Files that cannot be read ---------------------------------------------------------------------------------------


def test_what_cannot_work_without_a_session_is_not_there(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text("this is no session\n", "utf-8")
    with qtbot.waitSignal(window.session_failed, timeout=20_000):
        window.open_file(path)
    pane = window.pane
    assert pane is not None
    assert "broken.jsonl" in pane.banner.text.text()
    assert not any(each.isVisible() for each in (pane.composer, pane.map_dock, pane.inspector, pane.search_bar))
    for action in (window.going.find, window.navigate_action, window.compact_action, window.going.map):
        assert not action.isEnabled()
    assert window.close_action.isEnabled()
    shutil.copyfile(SESSIONS / BRANCHED, path)
    with qtbot.waitSignal(window.session_ready, timeout=20_000):
        qtbot.mouseClick(pane.banner.action, Qt.MouseButton.LeftButton)
    settle(pane, qtbot)
    assert all(each.isVisible() for each in (pane.composer, pane.map_dock, pane.inspector))
    assert window.going.find.isEnabled()
    assert json.loads(path.read_text("utf-8").splitlines()[0])["type"] == "session"


def test_a_button_without_any_room_is_drawn(qtbot: QtBot) -> None:
    """As in a layout that is still moving: Qt then asks for icons of no size, and its warnings fail a test."""
    button = QToolButton()
    qtbot.addWidget(button)
    button.setIcon(icon("stop"))
    button.resize(40, 0)
    canvas = QImage(40, 40, QImage.Format.Format_RGB32)
    button.render(canvas)
    button.resize(40, 40)
    button.render(canvas)
    assert icon("stop").pixmap(QSize(0, 16)).isNull()
    assert not icon("stop").pixmap(QSize(16, 16)).isNull()
