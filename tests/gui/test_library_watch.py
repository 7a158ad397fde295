"""The library while agents are at work: what they do to files appears by itself and disturbs nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QFileSystemWatcher, Qt
from pytestqt.qtbot import QtBot

from gui import library_control
from gui.library_pane import LibraryPane
from gui.main_window import MainWindow
from services.library import watching
from tests.gui.conftest import open_session
from tests.gui.test_library import DAY_MS, rows, start, type_and_wait, wait_for_scan
from tests.library.session_files import START_MS, SessionFile

PATIENCE_MS = 20_000


@pytest.fixture
def folder(own_folders: Path) -> Path:
    """Pi's folder of sessions."""
    made = own_folders / ".pi" / "agent" / "sessions"
    made.mkdir(parents=True)
    return made


@pytest.fixture
def files(folder: Path) -> list[SessionFile]:
    """Sixty sessions in six directories."""
    return [
        SessionFile(
            folder / f"--w{number % 6}--" / f"{number}.jsonl", id=f"s{number}", cwd=f"/w/{number % 6}",
            prefix=f"{number:02}", start_ms=START_MS + number * DAY_MS,
        ).user(f"q{number}")
        for number in range(60)
    ]  # fmt: skip


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look often, so that nobody waits."""
    monkeypatch.setattr(library_control, "LEAST_PAUSE_S", 0.2)
    monkeypatch.setattr(library_control, "PAUSE_OF_SCANS", 0)
    monkeypatch.setattr(watching, "LEAST_PAUSE_S", 0.05)


@pytest.fixture
def pane(window: MainWindow, files: list[SessionFile], qtbot: QtBot) -> LibraryPane:
    return start(window, qtbot)


def names(pane: LibraryPane) -> set[str]:
    return {name for _, found in rows(pane) for name in found}


def wait_for(condition: object, qtbot: QtBot) -> None:
    qtbot.waitUntil(condition, timeout=PATIENCE_MS)  # type: ignore[arg-type]


def test_created_grown_renamed_and_deleted(
    window: MainWindow, pane: LibraryPane, files: list[SessionFile], folder: Path, qtbot: QtBot
) -> None:
    key = str(files[33].path)
    assert pane.view.select_key(key)
    pane.view.collapse(pane.model.index(1, 0))

    def look() -> dict[str, object]:
        row = pane.view.current_row()
        titles = [pane.model.index(number, 0) for number in range(pane.model.rowCount())]
        return {
            "current": row.key if row is not None else None,
            "selected": [each.path for each in pane.view.selected_sessions()],
            "folded": [index.data() for index in titles if not pane.view.isExpanded(index)],
            "place": pane.view.visualRect(pane.model.index_of(key)).top(),
            "progress": pane.progress.isVisible(),
        }

    before = look()
    assert before["selected"] == [files[33].path]
    new = SessionFile(folder / "--new--" / "new.jsonl", id="new", cwd="/w/new", prefix="n").user("Brand new")
    wait_for(lambda: "Brand new" in names(pane), qtbot)
    assert look() == before
    files[33].assistant("grown", 2.5)
    wait_for(lambda: "2.50" in pane.model.index_of(key).data(Qt.ItemDataRole.AccessibleTextRole), qtbot)
    assert look() == before
    files[7].add("session_info", name="Has a name now")
    wait_for(lambda: "Has a name now" in names(pane), qtbot)
    assert look() == before
    new.path.unlink()
    wait_for(lambda: "Brand new" not in names(pane), qtbot)
    assert look() == before
    files[8].path.rename(files[8].path.with_name("moved.jsonl"))
    wait_for(lambda: pane.model.index_of(str(files[8].path.with_name("moved.jsonl"))).isValid(), qtbot)
    assert not pane.model.index_of(str(files[8].path)).isValid()
    assert look() == before
    shutil.rmtree(files[1].path.parent)
    wait_for(lambda: len(pane.control.sessions) == 50, qtbot)
    assert pane.view.current_row().key == key  # type: ignore[union-attr]


def test_a_filter_stays(pane: LibraryPane, files: list[SessionFile], qtbot: QtBot) -> None:
    type_and_wait(pane, "q33", qtbot)
    assert names(pane) == {"q33"}
    key = str(files[33].path)
    assert pane.view.select_key(key)
    files[4].assistant("something else")
    files[33].add("session_info", name="q33, named")
    wait_for(lambda: "q33, named" in names(pane), qtbot)
    assert pane.field.text() == "q33"
    assert all("q33" in name for name in names(pane))
    assert pane.view.current_row().key == key  # type: ignore[union-attr]


def test_lost_notifications_are_made_up_for(
    window: MainWindow, files: list[SessionFile], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileSystemWatcher, "addPaths", lambda _self, paths: paths)
    monkeypatch.setattr(watching, "CHECK_EVERY_S", 0.2)
    pane = start(window, qtbot)
    assert pane.control._watch is not None
    files[3].add("session_info", name="Noticed all the same")
    wait_for(lambda: "Noticed all the same" in names(pane), qtbot)
    assert pane.control._watch.watched == []


def test_the_watched_are_few(
    window: MainWindow, files: list[SessionFile], folder: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "MOST_FOLDERS", 4)
    monkeypatch.setattr(watching, "MOST_FILES", 3)
    pane = start(window, qtbot)
    watch = pane.control._watch
    assert watch is not None
    wait_for(lambda: len(watch.watched) == 7, qtbot)
    assert str(folder) in watch.watched
    assert str(files[0].path) not in watch.watched
    files[0].user("now the newest")
    wait_for(lambda: str(files[0].path) in watch.watched, qtbot)
    assert len(watch.watched) == 7


def test_nothing_is_read_while_nothing_happens(pane: LibraryPane, files: list[SessionFile], qtbot: QtBot) -> None:
    watch = pane.control._watch
    assert watch is not None
    wait_for(lambda: bool(watch.watched), qtbot)
    scans: list[bool] = []
    pane.control.scan_changed.connect(lambda: scans.append(pane.control.is_scanning))
    (files[0].path.parent / "note.txt").write_text("not a session")
    looks: list[object] = []
    watch._to_watch.connect(looks.append)
    wait_for(lambda: len(looks) >= 2, qtbot)
    assert scans == []


def test_what_was_stopped_stays_stopped(pane: LibraryPane, files: list[SessionFile], qtbot: QtBot) -> None:
    pane.control.refresh()
    pane.control.stop()
    wait_for_scan(pane, qtbot)
    assert pane.control.was_stopped
    watch = pane.control._watch
    assert watch is not None
    with qtbot.waitSignal(watch.changed, timeout=PATIENCE_MS):
        files[3].add("session_info", name="Not yet")
    assert not pane.control.is_scanning
    assert not pane.control._later.isActive()
    assert "Not yet" not in names(pane)
    pane.control.refresh()
    wait_for(lambda: "Not yet" in names(pane), qtbot)


def test_closing_ends_the_watch(window: MainWindow, pane: LibraryPane, qtbot: QtBot) -> None:
    watch = pane.control._watch
    assert watch is not None
    assert watch.isRunning()
    window.close()
    assert watch.isFinished()


def test_t13_the_session_in_front_is_in_the_middle(window: MainWindow, files: list[SessionFile], qtbot: QtBot) -> None:
    """Field report T13."""
    open_session(window, files[26].path, qtbot)
    pane = start(window, qtbot)
    assert pane.view.currentIndex().data() == "q26"
    rect = pane.view.visualRect(pane.view.currentIndex())
    assert abs(rect.center().y() - pane.view.viewport().rect().center().y()) <= rect.height()
