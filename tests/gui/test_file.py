"""The file of an open session: gone, saved again, odd, mended."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.session_pane import SessionPane
from services.disk import Disk
from services.operations import NavigationOptions
from services.session_store import SessionStore
from tests.gui.conftest import click_entry, open_session, settle
from tests.gui.test_story import OTHER_BRANCH, chunk, configure_model
from tests.services.loopback_server import Connection, LoopbackServer, stream
from tests.services.sessions import figure, message, write_session

Sample = Callable[[str], Path]
TIME = "2026-01-01T00:00:00.000Z"


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """The figure."""
    return write_session(tmp_path / "s.jsonl", figure())


def save_as(pane: SessionPane, path: Path, qtbot: QtBot) -> None:
    """Press the button of the banner and choose `path`."""
    qtbot.mouseClick(pane.banner.action, Qt.MouseButton.LeftButton)
    choose(pane, path, qtbot)


def choose(pane: SessionPane, path: Path, qtbot: QtBot) -> None:
    dialog = pane.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(path))
    dialog.close()
    qtbot.waitUntil(lambda: not pane.files.is_computing, timeout=20_000)


def lose(pane: SessionPane, qtbot: QtBot) -> None:
    """Delete the file and wait until the window says so."""
    pane.document.path.unlink()
    qtbot.waitUntil(lambda: pane.banner.isVisible() and "gone" in pane.banner.text.text(), timeout=20_000)
    assert pane.banner.action.text() == "Save as…"


def test_s15_a_label_on_a_deleted_file_writes_nothing(window: MainWindow, plain: Path, qtbot: QtBot) -> None:
    """Field report S15."""
    before = plain.read_bytes()
    pane = open_session(window, plain, qtbot)
    lose(pane, qtbot)
    qtbot.waitUntil(lambda: window.status.saved.text() == "The file is gone", timeout=20_000)
    click_entry(pane, "c0000000", qtbot)
    pane.banner.hide()
    with qtbot.waitSignal(pane.runner.ended, timeout=20_000):
        pane.edits.set_label("here")
    assert not plain.exists()
    assert pane.banner.isVisible()
    assert "gone" in pane.banner.text.text()
    other = plain.with_name("other.jsonl")
    save_as(pane, other, qtbot)
    assert other.read_bytes() == before
    assert pane.banner.action.text() == "Open it"
    with qtbot.waitSignal(window.session_ready, timeout=20_000):
        qtbot.mouseClick(pane.banner.action, Qt.MouseButton.LeftButton)
    opened = window.pane
    assert opened is not None
    assert opened.document.path == other
    settle(opened, qtbot)


def test_s15_saved_under_its_own_name_it_goes_on(window: MainWindow, plain: Path, qtbot: QtBot) -> None:
    """Field report S15."""
    before = plain.read_bytes()
    pane = open_session(window, plain, qtbot)
    lose(pane, qtbot)
    save_as(pane, plain, qtbot)
    assert plain.read_bytes() == before
    store = pane.document.store
    assert store is not None
    qtbot.waitUntil(lambda: not store.is_gone, timeout=20_000)
    settle(pane, qtbot)
    click_entry(pane, "c0000000", qtbot)
    with qtbot.waitSignal(pane.runner.ended, timeout=20_000):
        pane.edits.set_label("here")
    assert plain.read_bytes().startswith(before)
    assert b'"label":"here"' in plain.read_bytes()


def test_s15_deleted_during_a_job(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """Field report S15: the summary is complete, but there is nothing to append it to."""
    path = sample("real-v3-branched.jsonl")
    before = path.read_bytes()
    goes_on, arrived = threading.Event(), threading.Event()

    def wait(connection: Connection) -> None:
        arrived.set()
        assert goes_on.wait(20)
        for text in (chunk("## Goal\nAll of it."), chunk(None, "stop"), "data: [DONE]\n\n"):
            connection.send(b"%x\r\n%s\r\n" % (len(text), text.encode()))
        connection.send(b"0\r\n\r\n")

    with LoopbackServer(stream([chunk("\n")], then=wait)) as server:
        configure_model(server.url)
        pane = open_session(window, path, qtbot)
        session = pane.document.session
        assert session is not None
        leaf = session.leaf_id
        pane.navigation.go(OTHER_BRANCH, NavigationOptions(summarize=True))
        qtbot.waitUntil(arrived.is_set, timeout=20_000)
        lose(pane, qtbot)
        with qtbot.waitSignal(pane.runner.ended, timeout=20_000) as ended:
            goes_on.set()
    assert ended.args is not None
    assert ended.args[0].kind == "failed"
    assert not path.exists()
    assert session.leaf_id == leaf
    assert "gone" in pane.banner.text.text()
    other = path.with_name("other.jsonl")
    save_as(pane, other, qtbot)
    assert other.read_bytes() == before


def test_a_copy_overwrites_nothing(window: MainWindow, plain: Path, qtbot: QtBot) -> None:
    pane = open_session(window, plain, qtbot)
    taken = plain.with_name("taken.jsonl")
    taken.write_text("mine")
    window.save_copy_action.trigger()
    choose(pane, taken, qtbot)
    assert taken.read_text() == "mine"
    assert "already" in pane.banner.text.text()
    free = plain.with_name("free.jsonl")
    save_as(pane, free, qtbot)
    assert free.read_bytes() == plain.read_bytes()


# --- Problems --------------------------------------------------------------------------------------------------------


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """The figure with a torn line, an orphan and a line without an id; nothing of it is beyond repair."""
    path = write_session(tmp_path / "damaged.jsonl", figure())
    lines = path.read_bytes().splitlines(keepends=True)
    orphan = json.dumps(message("99000000", "gone", "user", "lost")).encode() + b"\n"
    path.write_bytes(b"".join([*lines[:3], b'{"type":"mess' + lines[3], b"\0\0\0\n", *lines[4:], orphan, b'{"x":1}\n']))
    return path


def test_problems_say_where_and_lead_there(window: MainWindow, damaged: Path, qtbot: QtBot) -> None:
    data = damaged.read_bytes()
    pane = open_session(window, damaged, qtbot)
    window.set_filter("all")
    settle(pane, qtbot)
    pane.show_problems()
    tab = pane.problems_tab
    model = tab.list.model()
    assert tab.list.hasFocus()
    rows = [[model.index(row, column).data() for column in range(3)] for row in range(model.rowCount())]
    torn, hole = data.index(b'{"type":"mess{'), data.index(b"\0\0\0")
    assert [(line, int(byte.replace(",", ""))) for line, byte, _ in rows] == [
        ("4", torn), ("4", torn), ("5", hole), ("9", data.index(b'{"type": "message", "id": "99')),
        ("10", data.index(b'{"x":1}')),
    ]  # fmt: skip
    for row, done in zip(rows, ("is shown", "left out", "skipped", "root", "left out"), strict=True):
        assert done in row[2]
    qtbot.keyClick(tab.list, Qt.Key.Key_Return)
    assert pane.selected_id == "f0000000", "it was recovered from that line"
    tab.list.setFocus()
    qtbot.keyClick(tab.list, Qt.Key.Key_End)
    assert tab.detail.text() == rows[-1][2]
    qtbot.mouseClick(tab.go, Qt.MouseButton.LeftButton)
    assert pane.selected_id == "99000000", "the one before"
    where = tab.list.visualRect(model.index(3, 2)).center()
    qtbot.mouseClick(tab.list.viewport(), Qt.MouseButton.LeftButton, pos=where)
    qtbot.mouseDClick(tab.list.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert pane.selected_id == "99000000"
    assert "line 9" in model.index(3, 0).data(Qt.ItemDataRole.AccessibleTextRole).lower()


def test_problems_are_copied(window: MainWindow, damaged: Path, qtbot: QtBot) -> None:
    pane = open_session(window, damaged, qtbot)
    pane.show_problems()
    tab = pane.problems_tab
    said: list[str] = []
    pane.said.connect(said.append)
    qtbot.mouseClick(tab.copy, Qt.MouseButton.LeftButton)
    copied = QApplication.clipboard().text().splitlines()
    assert said == ["5 problems were copied."]
    assert [line.split("\t")[:3:2] for line in copied] == [
        ["4", "recovered"], ["4", "unreadable"], ["5", "hole"], ["9", "orphan"], ["10", "no id"],
    ]  # fmt: skip
    tab.list.setFocus()
    qtbot.keyClick(tab.list, Qt.Key.Key_Home)
    qtbot.keyClick(tab.list, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(tab.list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert len(QApplication.clipboard().text().splitlines()) == 2


def test_what_is_not_in_the_tree_can_be_read_and_copied(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = write_session(tmp_path / "twice.jsonl", figure())
    lines = path.read_bytes().splitlines(keepends=True)
    first = lines[2].replace(b'"message":', b'"note":"only here","message":')
    numbered = b'{"type":"message","id":7,"text":"' + b"long " * 5000 + b'"}\n'
    path.write_bytes(b"".join([*lines[:2], first, numbered, *lines[2:]]))
    pane = open_session(window, path, qtbot)
    pane.show_problems()
    tab = pane.problems_tab
    qtbot.waitUntil(lambda: "only here" in tab.line.toPlainText(), timeout=20_000)
    qtbot.mouseClick(tab.copy_line, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == first.decode().rstrip("\n")
    qtbot.keyClick(tab.list, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: "long long" in tab.line.toPlainText(), timeout=20_000)
    qtbot.mouseClick(tab.copy_line, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == numbered.decode().rstrip("\n")
    qtbot.mouseClick(tab.repair, Qt.MouseButton.LeftButton)
    copy = path.with_name("mended.jsonl")
    choose(pane, copy, qtbot)
    assert "1 entry has a new id" in pane.banner.text.text()
    assert b"only here" in copy.read_bytes()


def test_new_problems_appear(window: MainWindow, plain: Path, qtbot: QtBot) -> None:
    pane = open_session(window, plain, qtbot)
    place = pane.tabs.indexOf(pane.problems_tab)
    assert not pane.tabs.isTabVisible(place)
    with plain.open("ab") as file:
        file.write(json.dumps(message("99000000", "gone", "user", "lost")).encode() + b"\n")
    qtbot.waitUntil(lambda: pane.tabs.isTabVisible(place), timeout=20_000)
    assert pane.problems_tab.list.model().rowCount() == 1


def test_a_repaired_copy_has_no_problems(window: MainWindow, damaged: Path, qtbot: QtBot) -> None:
    before = damaged.read_bytes()
    pane = open_session(window, damaged, qtbot)
    pane.show_problems()
    qtbot.mouseClick(pane.problems_tab.repair, Qt.MouseButton.LeftButton)
    copy = damaged.with_name("mended.jsonl")
    choose(pane, copy, qtbot)
    assert damaged.read_bytes() == before
    assert "repaired copy" in pane.banner.text.text()
    with qtbot.waitSignal(window.session_ready, timeout=20_000):
        qtbot.mouseClick(pane.banner.action, Qt.MouseButton.LeftButton)
    opened = window.pane
    assert opened is not None
    settle(opened, qtbot)
    store = opened.document.store
    assert isinstance(store, SessionStore)
    assert store.problems == ()
    assert store.index.count == 7


# --- Write-protected ------------------------------------------------------------------------------------------------


@pytest.fixture
def modes_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bits of files and folders decide who may write, also for a user whom the system lets write everywhere."""
    monkeypatch.setattr(Disk, "may_write", lambda _disk, path: not path.exists() or bool(path.stat().st_mode & 0o222))


@pytest.mark.usefixtures("modes_count")
def test_a_write_protected_file_says_so_before_anything_is_tried(
    window: MainWindow, sample: Sample, tmp_path: Path, qtbot: QtBot
) -> None:
    plain = sample("real-v3-before-compaction.jsonl")
    before = plain.read_bytes()
    plain.chmod(0o444)
    pane = open_session(window, plain, qtbot)
    assert window.status.saved.text() == "Read-only"
    assert pane.banner.isVisible()
    assert "write-protected" in pane.banner.text.text()
    pane.banner.dismiss.click()
    acts: list[Callable[[], object]] = [
        pane.edits.ask_for_label,
        pane.edits.set_resume_point,
        lambda: pane.edits.set_session_name("name"),
        lambda: qtbot.mouseClick(pane.compaction_tab.compact, Qt.MouseButton.LeftButton),
    ]
    pane.show_compaction()
    settle(pane, qtbot)
    qtbot.waitUntil(pane.compaction_tab.compact.isEnabled, timeout=20_000)
    for act in acts:
        act()
        qtbot.waitUntil(pane.banner.isVisible)
        assert "write-protected" in pane.banner.text.text()
        qtbot.waitUntil(lambda: not pane.runner.is_running)
        pane.banner.dismiss.click()
    assert pane.findChild(QInputDialog) is None
    assert plain.read_bytes() == before
    assert pane.files.refuses()
    save_as(pane, tmp_path / "copy.jsonl", qtbot)
    assert (tmp_path / "copy.jsonl").read_bytes() == before


@pytest.mark.usefixtures("modes_count")
def test_protection_that_comes_and_goes_is_told(window: MainWindow, plain: Path, qtbot: QtBot) -> None:
    pane = open_session(window, plain, qtbot)
    assert window.status.saved.text() == "Saved"
    assert not pane.banner.isVisible()
    for mode, words in ((0o444, "Read-only"), (0o644, "Saved"), (0o444, "Read-only")):
        plain.chmod(mode)
        qtbot.waitUntil(lambda words=words: window.status.saved.text() == words, timeout=20_000)  # type: ignore[misc]
        qtbot.waitUntil(lambda mode=mode: pane.banner.isVisible() == (mode == 0o444))  # type: ignore[misc]
    plain.chmod(0o644)
    qtbot.waitUntil(lambda: not pane.banner.isVisible(), timeout=20_000)
    with qtbot.waitSignal(pane.runner.ended, timeout=20_000) as ended:
        pane.edits.set_session_name("name")
    assert ended.args[0].kind == "done"


@pytest.mark.usefixtures("modes_count")
@pytest.mark.parametrize("version", [1, 3])
def test_a_write_protected_folder_matters_where_the_file_is_replaced(
    version: int, window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    """What is appended needs no new file; an old version has to be brought to the current one first."""
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "s.jsonl"
    lines = [{"type": "session", "version": version, "id": "s", "timestamp": TIME, "cwd": "/w"}]
    lines.append({"type": "message", "timestamp": TIME, "message": {"role": "user", "content": "hi", "timestamp": 1}})
    if version == 3:
        lines[1] |= {"id": "u", "parentId": None}
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    folder.chmod(0o555)
    try:
        pane = open_session(window, path, qtbot)
        assert window.status.saved.text() == ("Saved" if version == 3 else "Read-only")
        with qtbot.waitSignal(pane.runner.ended, timeout=20_000) as ended:
            pane.edits.set_session_name("name")
        assert ended.args[0].kind == ("done" if version == 3 else "failed")
        assert ("folder" in pane.banner.text.text()) == (version == 1)
    finally:
        folder.chmod(0o755)
