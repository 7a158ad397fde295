"""The library through its dock: real files in a temporary home, keys and clicks."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QLocale, QMimeData, QPoint, QSettings, Qt, QUrl
from PySide6.QtGui import QAccessible, QAction, QContextMenuEvent, QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QInputDialog, QMenu, QWidget
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from gui import library_actions, library_delegate, library_rows, settled_changes
from gui.library_model import LibraryModel
from gui.library_pane import FOLDED_KEY, LibraryPane
from gui.library_rows import LibraryRow, RowKind, cost_text, day_text
from gui.main_window import MainWindow
from gui.number_text import short_count
from services.app_folders import data_folder
from services.library import reader
from services.library.lineage import Lineage
from services.recent_files import RecentFiles
from services.session_store import SessionStore
from tests.gui.conftest import open_session, settle
from tests.library.session_files import START_MS, SessionFile

DAY_MS = 86_400_000
CONTROL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Numbers and days as an English desktop writes them."""
    before = QLocale()
    QLocale.setDefault(QLocale("en_US"))
    short_count.cache_clear()
    yield
    QLocale.setDefault(before)
    short_count.cache_clear()


@pytest.fixture
def folder(own_folders: Path) -> Path:
    """Pi's folder of sessions."""
    made = own_folders / ".pi" / "agent" / "sessions"
    made.mkdir(parents=True)
    return made


@pytest.fixture
def files(folder: Path) -> dict[str, SessionFile]:
    """Three sessions in two directories, the last active first, one of them a fork."""
    stream = SessionFile(folder / "stream.jsonl", id="stream", cwd="/work/importer", start_ms=START_MS + 9 * DAY_MS)
    stream.user("Stream big files").assistant("The reader loads the file in one call.", 0.5)
    login = SessionFile(folder / "login.jsonl", id="login", cwd="/work/importer", prefix="b")
    login.user("Flaky login test").assistant("It waits for a needle in the log.").user("ลดหน่วยความจำ")
    docs = SessionFile(
        folder / "docs.jsonl", id="docs", cwd="/work/branchwork", prefix="c", start_ms=START_MS + DAY_MS,
        parentSession=str(stream.path),
    )  # fmt: skip
    docs.user("Docs for the CLI").assistant("needle one").assistant("needle two").assistant("needle 3").assistant(
        "needle 4"
    )
    return {"stream": stream, "login": login, "docs": docs}


@pytest.fixture
def pane(window: MainWindow, files: dict[str, SessionFile], qtbot: QtBot) -> LibraryPane:
    """The library of the window, scanned to its end."""
    return start(window, qtbot)


def start(window: MainWindow, qtbot: QtBot) -> LibraryPane:
    window.library.start()
    made = window.library.pane
    assert made is not None
    wait_for_scan(made, qtbot)
    return made


def wait_for_scan(pane: LibraryPane, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not pane.control.is_scanning and not pane._arrange_timer.isActive(), timeout=20_000)


def press(key: Qt.Key, qtbot: QtBot, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press a key where the focus is, as a person does."""
    focused = QApplication.focusWidget()
    assert isinstance(focused, QWidget)
    qtbot.keyClick(focused, key, modifiers)


def rows(pane: LibraryPane) -> list[tuple[str, list[str]]]:
    """The shelves with the names of their rows."""
    model = pane.model
    shelves = [model.index(number, 0) for number in range(model.rowCount())]
    return [
        (shelf.data(), [model.index(number, 0, shelf).data() for number in range(model.rowCount(shelf))])
        for shelf in shelves
    ]


def select(pane: LibraryPane, file: SessionFile) -> None:
    assert pane.view.select_key(str(file.path))
    pane.view.setFocus()


def type_and_wait(pane: LibraryPane, text: str, qtbot: QtBot) -> None:
    """Type into the search field and wait for what is found in the texts."""
    pane.field.setFocus()
    with qtbot.waitSignal(pane.control.found, timeout=20_000):
        if text.isascii():
            qtbot.keyClicks(pane.field, text)
        else:  # as an input method does
            pane.field.insert(text)


# --- The list --------------------------------------------------------------------------------------------------------


@pytest.mark.spec("SF-13")
def test_sessions_by_directory_newest_first(pane: LibraryPane) -> None:
    assert rows(pane) == [("importer", ["Stream big files", "Flaky login test"]), ("branchwork", ["Docs for the CLI"])]
    assert pane.stack.currentWidget() is pane.view
    assert pane.status.text() == "3 sessions · 6.0k tokens · $1.75"


def test_every_row_can_be_read_aloud(pane: LibraryPane, files: dict[str, SessionFile], window: MainWindow) -> None:
    window.library.show_open([files["stream"].path])
    pane.view.setFocus()
    spoken = {}
    view = QAccessible.queryAccessibleInterface(pane.view)
    assert view.text(QAccessible.Text.Name) == "Library of sessions"
    for number in range(view.childCount()):
        child = view.child(number)
        text = child.text(QAccessible.Text.Name)
        spoken[text.split(",")[0]] = (text, child.state())
    shelf, state = spoken["importer"]
    assert shelf == "importer, 2"
    assert state.expandable
    assert state.expanded
    text, state = spoken["Stream big files"]
    assert "open, 2 entries, 1 branch, last active" in text
    assert "cost $0.50" in text
    assert state.selectable
    text, _ = spoken["Docs for the CLI"]
    assert "forked from “Stream big files”" in text


def test_the_model_keeps_its_promises(pane: LibraryPane, qtmodeltester: ModelTester, qtbot: QtBot) -> None:
    qtmodeltester.check(pane.model)
    type_and_wait(pane, "needle", qtbot)
    qtmodeltester.check(pane.model)
    model = LibraryModel()
    qtmodeltester.check(model)
    inner = LibraryRow(RowKind.MORE, "inner", "inner")
    for shown in (
        [],
        [inner],
        [LibraryRow(RowKind.SHELF, "a", "a", children=(inner,)), LibraryRow(RowKind.SHELF, "b")],
    ):
        model.show(shown, Lineage())
        qtmodeltester.check(model)


def test_contents_change_without_a_reset(pane: LibraryPane, files: dict[str, SessionFile], qtbot: QtBot) -> None:
    select(pane, files["docs"])
    resets: list[bool] = []
    pane.model.modelReset.connect(lambda: resets.append(True))
    files["login"].add("session_info", name="Login, named")
    pane.control.refresh()
    wait_for_scan(pane, qtbot)
    assert rows(pane)[0] == ("importer", ["Stream big files", "Login, named"])
    assert not resets
    assert pane.view.current_row().key == str(files["docs"].path)  # type: ignore[union-attr]


def test_new_rows_leave_selection_and_folds_where_they_are(
    pane: LibraryPane, files: dict[str, SessionFile], folder: Path, qtbot: QtBot
) -> None:
    select(pane, files["docs"])
    pane.view.collapse(pane.model.index(0, 0))
    SessionFile(folder / "new.jsonl", cwd="/work/other", prefix="n", start_ms=START_MS + 99 * DAY_MS).user("Brand new")
    pane.control.refresh()
    wait_for_scan(pane, qtbot)
    assert [title for title, _ in rows(pane)] == ["other", "importer", "branchwork"]
    assert pane.view.current_row().key == str(files["docs"].path)  # type: ignore[union-attr]
    assert [session.path for session in pane.view.selected_sessions()] == [files["docs"].path]
    assert [pane.view.isExpanded(pane.model.index(number, 0)) for number in range(3)] == [True, False, True]


def test_of_a_long_shelf_the_newest_are_shown_until_the_rest_is_wanted(
    window: MainWindow, folder: Path, qtbot: QtBot
) -> None:
    for number in range(40):
        SessionFile(folder / f"{number}.jsonl", prefix=f"{number:02}", start_ms=START_MS + number * DAY_MS).user(
            f"q{number}"
        )
    pane = start(window, qtbot)
    ((_, shown),) = rows(pane)
    assert shown == [f"q{number}" for number in range(39, 14, -1)] + ["15 sessions that are older"]
    pane.view.setFocus()
    press(Qt.Key.Key_End, qtbot)
    press(Qt.Key.Key_Return, qtbot)
    ((_, shown),) = rows(pane)
    assert len(shown) == 40
    assert pane.view.currentIndex().data() == "q14"


def test_keys_in_the_list(pane: LibraryPane, qtbot: QtBot) -> None:
    pane.view.setFocus()
    press(Qt.Key.Key_Home, qtbot)
    assert pane.view.currentIndex().data() == "importer"
    press(Qt.Key.Key_Left, qtbot)
    assert not pane.view.isExpanded(pane.view.currentIndex())
    press(Qt.Key.Key_Right, qtbot)
    assert pane.view.isExpanded(pane.view.currentIndex())
    press(Qt.Key.Key_Space, qtbot)
    assert not pane.view.isExpanded(pane.view.currentIndex())
    press(Qt.Key.Key_Return, qtbot)
    assert pane.view.isExpanded(pane.view.currentIndex())
    press(Qt.Key.Key_Down, qtbot)
    assert pane.view.currentIndex().data() == "Stream big files"
    press(Qt.Key.Key_Left, qtbot)
    assert pane.view.currentIndex().data() == "importer"
    press(Qt.Key.Key_Up, qtbot)
    assert pane.field.hasFocus()
    press(Qt.Key.Key_Down, qtbot)
    assert pane.view.hasFocus()
    press(Qt.Key.Key_D, qtbot)
    assert pane.field.hasFocus()
    assert pane.field.text() == "d"


def test_a_click_on_a_caption_folds_its_shelf(pane: LibraryPane, qtbot: QtBot) -> None:
    caption = pane.model.index(0, 0)
    where = pane.view.visualRect(caption).center()
    qtbot.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert not pane.view.isExpanded(caption)
    qtbot.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert pane.view.isExpanded(caption)


# --- Opening ---------------------------------------------------------------------------------------------------------


def test_enter_opens_and_the_open_one_is_marked(
    window: MainWindow, pane: LibraryPane, files: dict[str, SessionFile], qtbot: QtBot
) -> None:
    select(pane, files["login"])
    with qtbot.waitSignal(window.session_ready, timeout=20_000):
        press(Qt.Key.Key_Return, qtbot)
    assert window.pane is not None
    assert window.pane.document.path == files["login"].path
    index = pane.model.index_of(str(files["login"].path))
    assert "open" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    window.close_session()
    assert ", open," not in index.data(Qt.ItemDataRole.AccessibleTextRole)


def test_a_double_click_opens(
    window: MainWindow, pane: LibraryPane, files: dict[str, SessionFile], qtbot: QtBot
) -> None:
    where = pane.view.visualRect(pane.model.index_of(str(files["docs"].path))).center()
    with qtbot.waitSignal(window.session_ready, timeout=20_000):
        qtbot.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=where)
        qtbot.mouseDClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert [each.document.path for each in window.sessions.panes()] == [files["docs"].path]


def test_several_open_in_tabs(
    window: MainWindow, pane: LibraryPane, files: dict[str, SessionFile], qtbot: QtBot
) -> None:
    select(pane, files["stream"])
    press(Qt.Key.Key_Down, qtbot, Qt.KeyboardModifier.ShiftModifier)
    press(Qt.Key.Key_Return, qtbot)
    paths = [files["stream"].path, files["login"].path]
    qtbot.waitUntil(lambda: [each.document.path for each in window.sessions.panes()] == paths, timeout=20_000)
    qtbot.waitUntil(lambda: all(each.document.session is not None for each in window.sessions.panes()), timeout=20_000)
    for each in window.sessions.panes():
        settle(each, qtbot)


def test_the_session_in_front_is_selected_and_in_sight(
    window: MainWindow, folder: Path, qtbot: QtBot, sample: Callable[[str], Path]
) -> None:
    """Field report T13."""
    for number in range(60):
        SessionFile(folder / f"{number}.jsonl", cwd=f"/work/{number % 6}", prefix=f"{number:02}").user(f"q{number}")
    open_session(window, folder / "33.jsonl", qtbot)
    pane = start(window, qtbot)
    assert pane.view.currentIndex().data() == "q33"
    rect = pane.view.visualRect(pane.view.currentIndex())
    assert pane.view.viewport().rect().contains(rect)
    other = folder / "4.jsonl"
    open_session(window, other, qtbot)
    assert pane.view.currentIndex().data() == "q4"


# --- Finding ---------------------------------------------------------------------------------------------------------


def test_typing_filters_at_once_and_finds_in_texts(
    window: MainWindow, pane: LibraryPane, files: dict[str, SessionFile], qtbot: QtBot
) -> None:
    press(Qt.Key.Key_F, qtbot, CONTROL_SHIFT)
    assert pane.field.hasFocus()
    qtbot.keyClicks(pane.field, "docs")
    assert rows(pane)[0] == ("branchwork", ["Docs for the CLI"])
    assert rows(pane)[1][0] == "In the texts"
    press(Qt.Key.Key_Escape, qtbot)
    assert len(rows(pane)) == 2
    type_and_wait(pane, "needle", qtbot)
    assert rows(pane) == [("In the texts", ["Docs for the CLI", "Flaky login test"])]
    found = pane.model.index(0, 0, pane.model.index(0, 0))
    hits = [pane.model.index(number, 0, found).data() for number in range(pane.model.rowCount(found))]
    assert hits == ["needle one", "needle two", "needle 3", "1 more hit"]


def test_a_hit_opens_its_session_at_its_entry(
    window: MainWindow, pane: LibraryPane, files: dict[str, SessionFile], qtbot: QtBot
) -> None:
    type_and_wait(pane, "needle", qtbot)
    press(Qt.Key.Key_Down, qtbot)
    pane.view.select_key(f"found:{files['docs'].path}")
    press(Qt.Key.Key_Down, qtbot)
    press(Qt.Key.Key_Down, qtbot)
    assert pane.view.currentIndex().data() == "needle two"
    with qtbot.waitSignal(window.session_ready, timeout=20_000):
        press(Qt.Key.Key_Return, qtbot)
    opened = window.pane
    assert opened is not None
    settle(opened, qtbot)
    index = opened.document.index
    assert index is not None
    qtbot.waitUntil(lambda: opened.tree.current_entry() == index.row_of("c0000002"), timeout=20_000)


def test_more_hits_are_fetched_when_they_are_wanted(
    pane: LibraryPane, files: dict[str, SessionFile], qtbot: QtBot
) -> None:
    type_and_wait(pane, "needle", qtbot)
    assert pane.view.select_key(f"hits:{files['docs'].path}")
    pane.view.setFocus()
    press(Qt.Key.Key_Return, qtbot)
    found = pane.model.index(0, 0, pane.model.index(0, 0))
    qtbot.waitUntil(lambda: pane.model.index(3, 0, found).data() == "needle 4", timeout=20_000)


def test_words_in_scripts_without_spaces(pane: LibraryPane, qtbot: QtBot) -> None:
    type_and_wait(pane, "หน่วย", qtbot)
    assert rows(pane) == [("In the texts", ["Flaky login test"])]


def test_nothing_found_says_so(pane: LibraryPane, qtbot: QtBot) -> None:
    type_and_wait(pane, "nowhere", qtbot)
    qtbot.waitUntil(lambda: pane.stack.currentWidget() is pane.empty, timeout=20_000)
    assert pane.empty.text.text() == "No session answers to “nowhere”."
    assert pane.empty.button.text() == "Show all"
    pane.field.clear()
    type_and_wait(pane, "stream", qtbot)
    assert rows(pane)[-1] == ("In the texts", ["Stream big files"])
    pane.field.setText("@@")
    assert pane.stack.currentWidget() is pane.empty
    assert "“@@”" in pane.empty.text.text()
    qtbot.mouseClick(pane.empty.button, Qt.MouseButton.LeftButton)
    assert len(rows(pane)) == 2
    assert pane.field.hasFocus()


def test_a_row_has_all_facts_at_the_width_of_the_first_time(pane: LibraryPane, qtbot: QtBot) -> None:
    """Size, cost and origin too: whatever is counted is shortened before it is dropped."""
    painted = painted_texts(pane)
    docs = next(texts for texts in painted if "Docs for the CLI" in texts)
    assert any("5 entries" in text or "5 entr." in text for text in docs)
    assert any(" B · $" in text or " kB · $" in text or " bytes" in text for text in docs), docs
    assert any("from “Stream" in text for text in docs)


def test_sessions_with_the_same_first_message_can_be_told_apart(window: MainWindow, folder: Path, qtbot: QtBot) -> None:
    for number, hour in enumerate((0, 5, 5)):
        start_ms = START_MS + hour * 3_600_000
        same = SessionFile(folder / f"{number}.jsonl", id=f"id-{number}", cwd="/work/importer", start_ms=start_ms)
        same.user("Fix the parser").assistant("Done.")
    pane = start(window, qtbot)
    painted = [texts for texts in painted_texts(pane) if "Fix the parser" in texts]
    assert len(painted) == 3
    assert len(set(map(tuple, painted))) == 3
    assert sum(any(text in ("id-1", "id-2") for text in texts) for texts in painted) == 2


def painted_texts(pane: LibraryPane) -> list[list[str]]:
    """What the rows of sessions say, as it is painted."""
    found: list[list[str]] = []
    view = pane.view
    with pytest.MonkeyPatch.context() as patch:
        drawn: list[str] = []
        draw = library_delegate._draw_text
        patch.setattr(
            library_delegate,
            "_draw_text",
            lambda painter, rect, direction, text: drawn.append(text) or draw(painter, rect, direction, text),
        )
        for shelf in range(pane.model.rowCount()):
            parent = pane.model.index(shelf, 0)
            for number in range(pane.model.rowCount(parent)):
                drawn.clear()
                view.scrollTo(pane.model.index(number, 0, parent))
                view.viewport().grab(view.visualRect(pane.model.index(number, 0, parent)))
                found.append(list(drawn))
    return found


def test_enter_in_the_field_opens_the_only_session(
    window: MainWindow, pane: LibraryPane, files: dict[str, SessionFile], qtbot: QtBot
) -> None:
    pane.field.setFocus()
    pane.field.setText("i")
    press(Qt.Key.Key_Return, qtbot)
    assert pane.view.hasFocus()
    pane.field.setFocus()
    type_and_wait(pane, "mporter flaky", qtbot)
    with qtbot.waitSignal(window.session_ready, timeout=20_000):
        press(Qt.Key.Key_Return, qtbot)
    assert [each.document.path for each in window.sessions.panes()] == [files["login"].path]


def test_late_hits_of_an_earlier_question_are_dropped(pane: LibraryPane) -> None:
    pane.field.setText("needle")
    pane._take_hits("need", [])
    assert pane.model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "In the texts, searching…"


# --- Acts ------------------------------------------------------------------------------------------------------------


def give_name(name: str, qtbot: QtBot) -> None:
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, QInputDialog)
    dialog.setTextValue(name)
    dialog.accept()


@pytest.mark.parametrize("key", [(Qt.Key.Key_F2, False), (Qt.Key.Key_F2, True)])
def test_renaming_a_closed_session(
    pane: LibraryPane, files: dict[str, SessionFile], qtbot: QtBot, key: tuple[Qt.Key, bool]
) -> None:
    select(pane, files["login"])
    press(key[0], qtbot, Qt.KeyboardModifier.ShiftModifier if key[1] else Qt.KeyboardModifier.NoModifier)
    with qtbot.waitSignal(pane.control.said, timeout=20_000) as said:
        give_name("A better name", qtbot)
    assert said.args == ["The session is called “A better name” now. An empty name takes it away again."]
    qtbot.waitUntil(lambda: "A better name" in dict(rows(pane))["importer"], timeout=20_000)
    store = SessionStore.open(files["login"].path)
    assert store.session_name == "A better name"
    store.close()
    wait_for_scan(pane, qtbot)


def test_renaming_an_open_session_goes_through_its_tab(
    window: MainWindow, pane: LibraryPane, files: dict[str, SessionFile], qtbot: QtBot
) -> None:
    opened = open_session(window, files["login"].path, qtbot)
    select(pane, files["login"])
    pane.actions_.rename.trigger()
    give_name("Named in its tab", qtbot)
    qtbot.waitUntil(lambda: opened.session_name() == "Named in its tab", timeout=20_000)
    settle(opened, qtbot)
    session = opened.document.session
    assert session is not None
    assert session.leaf_id == session.resume_leaf_id
    pane.control.refresh()
    wait_for_scan(pane, qtbot)
    assert "Named in its tab" in dict(rows(pane))["importer"]


def test_to_the_trash_and_back(pane: LibraryPane, files: dict[str, SessionFile], qtbot: QtBot) -> None:
    path = files["docs"].path
    before = path.read_bytes()
    select(pane, files["docs"])
    press(Qt.Key.Key_Delete, qtbot)
    qtbot.waitUntil(lambda: not path.exists() and pane.notice.isVisible(), timeout=20_000)
    qtbot.waitUntil(lambda: rows(pane) == [("importer", ["Stream big files", "Flaky login test"])], timeout=20_000)
    assert "“Docs for the CLI” was moved to the trash" in pane.notice.text.text()
    wait_for_scan(pane, qtbot)
    pane.view.setFocus()
    press(Qt.Key.Key_Z, qtbot, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: len(rows(pane)) == 2, timeout=20_000)
    assert path.read_bytes() == before
    assert not pane.notice.isVisible()
    wait_for_scan(pane, qtbot)
    assert not pane.actions_.undo.isEnabled()


def test_undo_by_the_button(pane: LibraryPane, files: dict[str, SessionFile], qtbot: QtBot) -> None:
    select(pane, files["stream"])
    press(Qt.Key.Key_Down, qtbot, Qt.KeyboardModifier.ShiftModifier)
    pane.actions_.trash.trigger()
    qtbot.waitUntil(pane.notice.isVisible, timeout=20_000)
    assert "2 sessions" in pane.notice.text.text()
    assert not files["stream"].path.exists()
    qtbot.mouseClick(pane.notice.action, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: files["login"].path.exists() and files["stream"].path.exists(), timeout=20_000)
    wait_for_scan(pane, qtbot)


def test_an_open_session_is_not_thrown_away(
    window: MainWindow, pane: LibraryPane, files: dict[str, SessionFile], qtbot: QtBot
) -> None:
    open_session(window, files["docs"].path, qtbot)
    select(pane, files["docs"])
    press(Qt.Key.Key_Delete, qtbot)
    assert "is open" in pane.notice.text.text()
    assert pane.notice.isVisible()
    assert files["docs"].path.exists()
    assert not pane.control.is_scanning


def test_paths_are_copied_and_files_revealed(
    pane: LibraryPane, files: dict[str, SessionFile], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Path] = []
    monkeypatch.setattr(library_actions, "reveal", shown.append)
    select(pane, files["docs"])
    press(Qt.Key.Key_C, qtbot, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == str(files["docs"].path)
    press(Qt.Key.Key_E, qtbot, CONTROL_SHIFT)
    assert shown == [files["docs"].path]


def test_from_a_fork_to_its_origin(pane: LibraryPane, files: dict[str, SessionFile], qtbot: QtBot) -> None:
    pane.field.setText("docs")
    select(pane, files["docs"])
    press(Qt.Key.Key_O, qtbot, CONTROL_SHIFT)
    assert pane.view.currentIndex().data() == "Stream big files"
    select(pane, files["login"])
    assert not pane.actions_.origin.isEnabled()


@pytest.mark.spec("SF-2")
def test_a_fork_of_something_unknown_says_so(window: MainWindow, folder: Path, qtbot: QtBot) -> None:
    """Field report S20."""
    SessionFile(folder / "a.jsonl", parentSession="../../nowhere").user("lost")
    pane = start(window, qtbot)
    index = pane.model.index_of(str(folder / "a.jsonl"))
    assert "fork of an unknown session" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert "../../nowhere" in index.data(Qt.ItemDataRole.ToolTipRole)
    said: list[str] = []
    window.library.said.connect(said.append)
    pane.view.setCurrentIndex(index)
    pane.actions_.origin.trigger()
    assert said == ["From which session this one was forked is not known."]


@pytest.mark.parametrize("way", ["keyboard", "mouse"])
def test_the_menu_of_a_row(pane: LibraryPane, files: dict[str, SessionFile], qtbot: QtBot, way: str) -> None:
    select(pane, files["docs"])
    rect = pane.view.visualRect(pane.view.currentIndex())
    where = pane.view.viewport().mapToGlobal(rect.center())
    reason = QContextMenuEvent.Reason.Keyboard if way == "keyboard" else QContextMenuEvent.Reason.Mouse
    point = QPoint(0, 0) if way == "keyboard" else rect.center()
    target = pane.view if way == "keyboard" else pane.view.viewport()
    QApplication.sendEvent(target, QContextMenuEvent(reason, point, where))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    texts = [action.text().replace("&", "") for action in menu.actions() if not action.isSeparator()]
    assert texts[:5] == ["Open", "Rename…", "Show in file manager", "Copy path", "Show where it was forked from"]
    assert "Move to trash" in texts
    assert all(action.isEnabled() for action in menu.actions()[:5])
    menu.close()


def test_every_act_has_an_id_and_a_key_of_its_own(window: MainWindow, pane: LibraryPane) -> None:
    acts = [action for action in window.findChildren(QAction) if action.objectName().startswith("library_")]
    assert len(acts) == 9
    assert all(action.shortcut() != QKeySequence() for action in acts if action is not pane.actions_.open)
    assert window.assistance.shortcuts.conflicts() == {}


# --- Folders ---------------------------------------------------------------------------------------------------------


def test_an_empty_library_says_where_it_looked(window: MainWindow, own_folders: Path, qtbot: QtBot) -> None:
    pane = start(window, qtbot)
    assert pane.stack.currentWidget() is pane.empty
    text = pane.empty.text.text()
    assert "No sessions were found in" in text
    assert "~/.pi/agent/sessions" in text
    assert "~/.omp/agent/sessions" in text
    assert pane.empty.button.isVisible()
    assert not pane.footer.isVisible()


def test_a_folder_is_added_by_dropping_it_and_removed_by_the_menu(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    more = tmp_path / "more"
    SessionFile(more / "a.jsonl").user("From elsewhere")
    pane = start(window, qtbot)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(more))])
    arguments = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    enter = QDragEnterEvent(QPoint(5, 5), *arguments)
    QApplication.sendEvent(window.library, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(window.library, QDropEvent(QPoint(5, 5), *arguments))
    qtbot.waitUntil(lambda: rows(pane) == [("project", ["From elsewhere"])], timeout=20_000)
    wait_for_scan(pane, qtbot)
    menu = pane.menu_button.menu()
    assert menu is not None
    menu.aboutToShow.emit()
    (folders,) = [action.menu() for action in menu.actions() if action.menu() is not None]
    assert isinstance(folders, QMenu)
    folders.aboutToShow.emit()
    (remove,) = folders.actions()
    remove.trigger()
    qtbot.waitUntil(lambda: pane.stack.currentWidget() is pane.empty and not pane.control.is_scanning, timeout=20_000)
    assert (more / "a.jsonl").exists()


def test_a_dropped_file_is_opened(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    pane = start(window, qtbot)
    file = SessionFile(tmp_path / "a.jsonl").user("dropped")
    with qtbot.waitSignal(window.session_ready, timeout=20_000):
        pane.take_dropped([file.path])


def test_new_sessions_appear_when_the_window_comes_to_the_front(
    window: MainWindow, pane: LibraryPane, folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.library.watching.CHECK_EVERY_S", 1000)
    monkeypatch.setattr("services.library.watching.LibraryWatch._notice", lambda _watch, _path: None)
    SessionFile(folder / "new.jsonl", prefix="n", start_ms=START_MS + 99 * DAY_MS).user("Brand new")
    QApplication.sendEvent(window.library, QEvent(QEvent.Type.WindowActivate))
    qtbot.waitUntil(lambda: rows(pane)[0] == ("project", ["Brand new"]), timeout=20_000)
    wait_for_scan(pane, qtbot)


# --- States ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Scans wait before they count, until the event is set."""
    go_on = threading.Event()
    count_session = reader.count_session

    def wait(path: Path, token: object, *arguments: object, **named: object) -> object:
        while not go_on.wait(0.01):
            token.raise_if_set()  # type: ignore[attr-defined]
        return count_session(path, token, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(reader, "count_session", wait)
    yield go_on
    go_on.set()


def test_a_scan_shows_rows_and_how_far_it_is_and_can_be_stopped(
    window: MainWindow, files: dict[str, SessionFile], qtbot: QtBot, held: threading.Event
) -> None:
    window.library.start()
    pane = window.library.pane
    assert pane is not None
    assert "Looking" in pane.empty.text.text()
    qtbot.waitUntil(lambda: "Reading" in pane.status.text(), timeout=20_000)
    qtbot.waitUntil(lambda: len(rows(pane)) == 2, timeout=20_000)
    assert pane.progress.isVisible()
    assert "entries" not in pane.model.index_of(str(files["docs"].path)).data(Qt.ItemDataRole.AccessibleTextRole)
    qtbot.mouseClick(pane.scan_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not pane.control.is_scanning, timeout=20_000)
    assert pane.status.text() == "Stopped before all was read."
    assert not pane.progress.isVisible()
    assert len(rows(pane)) == 2
    held.set()
    qtbot.mouseClick(pane.scan_button, Qt.MouseButton.LeftButton)
    wait_for_scan(pane, qtbot)
    assert "5 entries" in pane.model.index_of(str(files["docs"].path)).data(Qt.ItemDataRole.AccessibleTextRole)


def test_the_window_closes_while_a_scan_runs(
    window: MainWindow, files: dict[str, SessionFile], qtbot: QtBot, held: threading.Event
) -> None:
    """Field report G06."""
    window.library.start()
    pane = window.library.pane
    assert pane is not None
    qtbot.waitUntil(lambda: "Reading" in pane.status.text(), timeout=20_000)
    window.close()
    pane.control.refresh()
    assert not window.isVisible()


def test_a_refresh_during_a_scan_begins_it_anew(
    window: MainWindow, files: dict[str, SessionFile], qtbot: QtBot, held: threading.Event
) -> None:
    window.library.start()
    pane = window.library.pane
    assert pane is not None
    qtbot.waitUntil(lambda: "Reading" in pane.status.text(), timeout=20_000)
    SessionFile(files["docs"].path.with_name("late.jsonl"), cwd="/work/late", prefix="l").user("Late")
    pane.control.refresh()
    held.set()
    qtbot.waitUntil(lambda: "late" in dict(rows(pane)), timeout=20_000)
    wait_for_scan(pane, qtbot)


def test_an_index_that_cannot_be_kept_is_an_error_with_a_way_on(
    window: MainWindow, files: dict[str, SessionFile], qtbot: QtBot
) -> None:
    data_folder().parent.mkdir(parents=True, exist_ok=True)
    data_folder().write_text("in the way")
    pane = start(window, qtbot)
    assert pane.notice.isVisible()
    assert "cannot be kept" in pane.notice.text.text()
    data_folder().unlink()
    qtbot.mouseClick(pane.notice.action, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(rows(pane)) == 2, timeout=20_000)
    wait_for_scan(pane, qtbot)
    assert not pane.notice.isVisible()


def test_unreadable_folders_are_told(
    window: MainWindow, files: dict[str, SessionFile], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    from services.library import walking

    (files["docs"].path.parent / "locked").mkdir()
    scandir = walking.os.scandir

    def refuse(folder: str) -> object:
        if folder.endswith("locked"):
            raise PermissionError(13, "Permission denied", folder)
        return scandir(folder)

    monkeypatch.setattr(walking.os, "scandir", refuse)
    pane = start(window, qtbot)
    assert "1 folder could not be read" in pane.status.text()
    assert "locked: Permission denied" in pane.status.toolTip()


def test_what_is_remembered(qtbot: QtBot, tmp_path: Path, files: dict[str, SessionFile]) -> None:
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)

    def open_window() -> tuple[MainWindow, LibraryPane]:
        window = MainWindow(settings, RecentFiles(tmp_path / "recent.json"))
        window.resize(1200, 800)
        window.show()
        return window, start(window, qtbot)

    window, pane = open_window()
    pane.view.collapse(pane.model.index(0, 0))
    window.resizeDocks([window.library], [333], Qt.Orientation.Horizontal)
    window.close()
    window.deleteLater()
    window, pane = open_window()
    assert [pane.view.isExpanded(pane.model.index(number, 0)) for number in range(2)] == [False, True]
    assert window.library.width() == 333
    window.library_action.trigger()
    assert not window.library.isVisible()
    window.close()
    window.deleteLater()
    window, pane = open_window()
    assert not window.library.isVisible()
    window.search_library_action.trigger()
    assert window.library.isVisible()
    assert pane.field.hasFocus()
    window.close()
    window.deleteLater()


# --- Small things ----------------------------------------------------------------------------------------------------


def test_folds_are_written_while_the_window_is_open(
    pane: LibraryPane, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kept() -> object:
        return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat).value(FOLDED_KEY)

    monkeypatch.setattr(settled_changes, "PAUSE_MS", 20)
    shelf = pane.model.index(0, 0)
    pane.view.collapse(shelf)
    qtbot.waitUntil(lambda: kept() == ["shelf:/work/importer"], timeout=10_000)
    pane.view.expand(shelf)
    qtbot.waitUntil(lambda: not kept(), timeout=10_000)


def test_words_for_days_and_prices() -> None:
    now = START_MS + 12 * 3_600_000
    assert [day_text(now - days * DAY_MS, now) for days in (0, 1, 3, 10, 400)] == [
        "today", "yesterday", "Sat", "24 Jan", "30 Dec 2024",
    ]  # fmt: skip
    assert [cost_text(cost) for cost in (None, 0.0, 0.001, 0.5, 12.345, 12345.6)] == [
        "", "", "<$0.01", "$0.50", "$12.35", "$12,346",
    ]  # fmt: skip
    assert library_rows.branches_text(1) == "1 branch"


def test_the_first_paint_needs_nothing_of_the_index() -> None:
    heavy = ("sqlite3", "numpy", "msgspec", "gui.library_pane", "services.library.scanning")
    code = f"import sys, gui.main_window; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_samples_are_listed(window: MainWindow, folder: Path, qtbot: QtBot, sample: Callable[[str], Path]) -> None:
    for name in ("real-v3-branched.jsonl", "omp-branched.jsonl", "real-v1-large.jsonl"):
        shutil.copy(sample(name), folder)
    pane = start(window, qtbot)
    spoken = [
        pane.model.index_of(str(folder / name)).data(Qt.ItemDataRole.AccessibleTextRole)
        for name in ("real-v3-branched.jsonl", "omp-branched.jsonl", "real-v1-large.jsonl")
    ]
    assert "295 entries, 13 branches" in spoken[0]
    assert "121 entries, 5 branches" in spoken[1]
    assert "1,018 entries, 1 branch" in spoken[2]
