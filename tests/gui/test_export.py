"""Exporting from the window: by menu and keys, with secrets in it, stopped, and onto names that are taken."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from gui import export_control
from gui.export_dialog import ExportDialog
from gui.main_window import MainWindow
from gui.session_pane import SessionPane
from services.cancellation import CancellationToken
from tests.gui.conftest import click_entry, open_session
from tests.gui.test_document import appended
from tests.services.exported_pages import EVIL, Page, assert_inert, hostile_session
from tests.services.sessions import figure, message, write_session

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
PASSWORD = "xK9mQ2vL8pR4tW7z"
ALT = Qt.KeyboardModifier.AltModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def leaky(tmp_path: Path) -> Path:
    """The figure with secrets in two entries."""
    leak = message("90000000", "d0000000", "user", f"use {TOKEN}")
    call = {"type": "toolCall", "id": "c", "name": "login", "arguments": {"password": PASSWORD}}
    answer = message("91000000", "90000000", "assistant", "ok", stopReason="stop")
    answer["message"]["content"].append(call)
    return write_session(tmp_path / "s.jsonl", [*figure(), leak, answer])


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """The figure."""
    return write_session(tmp_path / "s.jsonl", figure())


@pytest.fixture
def home(own_folders: Path) -> Path:
    """Where exports go at first."""
    return own_folders


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Writing waits, when all but the last step is done, until this is set or it is stopped."""
    event = threading.Event()
    write = export_control.write_export

    def hold(*arguments: object, **named: object) -> None:
        *given, token, progress = arguments
        assert isinstance(token, CancellationToken)

        def step(done: int, total: int) -> None:
            progress(done, total)  # type: ignore[operator]
            while done == total and not event.is_set() and not token.wait(0.005):
                pass
            token.raise_if_set()

        write(*given, token, step, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(export_control, "write_export", hold)
    yield event
    event.set()


def press(key: Qt.Key, qtbot: QtBot, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press a key where the focus is, as a person does."""
    focused = QApplication.focusWidget()
    assert isinstance(focused, QWidget)
    qtbot.keyClick(focused, key, modifiers)


def dialog_of(pane: SessionPane, qtbot: QtBot) -> ExportDialog:
    """The dialog, when the session was looked through and a name proposed."""
    qtbot.waitUntil(lambda: pane.exports is not None and not pane.exports.is_computing, timeout=20_000)
    assert pane.exports is not None
    dialog = pane.exports.dialog
    assert dialog is not None
    qtbot.waitUntil(dialog.isActiveWindow)
    return dialog


def ask(window: MainWindow, pane: SessionPane, qtbot: QtBot) -> ExportDialog:
    window.export_action.trigger()
    return dialog_of(pane, qtbot)


def go(dialog: ExportDialog, qtbot: QtBot) -> None:
    """Press the button when it can be pressed."""
    qtbot.waitUntil(dialog.export_button.isEnabled, timeout=20_000)
    qtbot.mouseClick(dialog.export_button, Qt.MouseButton.LeftButton)


def wait_written(dialog: ExportDialog, qtbot: QtBot) -> Path:
    qtbot.waitUntil(dialog.close_button.isVisible, timeout=20_000)
    return Path(dialog.written.text())


def test_all_of_it_by_keys_alone(window: MainWindow, plain: Path, home: Path, qtbot: QtBot) -> None:
    pane = open_session(window, plain, qtbot)
    before = plain.read_bytes()
    said: list[str] = []
    pane.said.connect(said.append)
    pane.tree.setFocus()
    press(Qt.Key.Key_E, qtbot, CONTROL)
    dialog = dialog_of(pane, qtbot)
    press(Qt.Key.Key_M, qtbot, ALT)
    qtbot.waitUntil(lambda: dialog.path.text() == str(home / "s.md"))
    qtbot.waitUntil(dialog.export_button.isEnabled, timeout=20_000)
    press(Qt.Key.Key_E, qtbot, ALT)
    path = wait_written(dialog, qtbot)
    assert path == home / "s.md"
    assert "Text of F." in path.read_text()
    assert "6 entries in 2 branches." in dialog.written_facts.text()
    assert said == [f"Exported to {path}."]
    press(Qt.Key.Key_Return, qtbot)
    assert not dialog.isVisible()
    assert plain.read_bytes() == before
    window.activateWindow()  # as a desktop does
    qtbot.waitUntil(pane.tree.hasFocus)


def test_a_likely_secret_in_the_name_is_not_in_the_proposed_file(window: MainWindow, plain: Path, qtbot: QtBot) -> None:
    pane = open_session(window, plain, qtbot)
    pane.edits.set_session_name(f"Deploy with {TOKEN}")
    qtbot.waitUntil(lambda: pane.session_name() is not None and not pane.runner.is_running, timeout=20_000)
    window.export_action.trigger()
    dialog = dialog_of(pane, qtbot)
    qtbot.waitUntil(lambda: dialog.path.text() != "", timeout=20_000)
    assert TOKEN not in dialog.path.text()
    assert "Deploy with" in dialog.path.text()
    dialog.reject()


def test_the_branch_of_a_row_from_its_menu(window: MainWindow, plain: Path, qtbot: QtBot) -> None:
    pane = open_session(window, plain, qtbot)
    click_entry(pane, "f0000000", qtbot)
    window.going.show_row_menu(window.mapToGlobal(window.rect().center()))
    (menu,) = [menu for menu in window.findChildren(QMenu) if menu.isVisible()]
    assert window.export_branch_action in menu.actions()
    menu.close()
    window.export_branch_action.trigger()
    dialog = dialog_of(pane, qtbot)
    assert dialog.scope == "entry"
    dialog.formats["json"].click()
    go(dialog, qtbot)
    text = wait_written(dialog, qtbot).read_text()
    assert "Text of F." in text
    assert "The parser is fixed." not in text
    dialog.close_button.click()
    pane.select_id("d0000000")
    window.export_branch_action.trigger()
    dialog = dialog_of(pane, qtbot)
    assert dialog.scope == "path", "the selected entry is the leaf"
    assert list(dialog.scopes) == ["all", "path"]
    go(dialog, qtbot)
    text = wait_written(dialog, qtbot).read_text()
    assert "The parser is fixed." in text
    assert "Text of F." not in text


@pytest.mark.parametrize("name", ["html", "md", "json"])
def test_v07_v09_secrets_are_listed_before_anything_is_written(
    window: MainWindow, leaky: Path, home: Path, qtbot: QtBot, name: str
) -> None:
    """Field reports V07 and V09."""
    before = leaky.read_bytes()
    pane = open_session(window, leaky, qtbot)
    dialog = ask(window, pane, qtbot)
    dialog.formats[name].click()  # type: ignore[index]
    assert dialog.found.isVisible()
    assert "2 likely secrets" in dialog.found_title.text()
    rows = [[dialog.table.item(row, column).text() for column in range(4)] for row in range(dialog.table.rowCount())]  # type: ignore[union-attr]
    assert rows == [
        ["GitHub token", "ghp_… (40 characters)", "90000000", "1"],
        ["value of password", "xK9m… (16 characters)", "91000000", "1"],
    ]
    assert dialog.mask_choice.isChecked()
    press(Qt.Key.Key_Escape, qtbot)
    assert not dialog.isVisible()
    assert list(home.glob("s*")) == [], "stopping writes nothing"

    dialog = ask(window, pane, qtbot)
    dialog.formats[name].click()  # type: ignore[index]
    go(dialog, qtbot)
    masked = wait_written(dialog, qtbot).read_text()
    assert TOKEN not in masked
    assert PASSWORD not in masked
    assert "GitHub token removed" in masked
    assert "2 likely secrets were masked." in dialog.written_facts.text()
    dialog.close_button.click()

    dialog = ask(window, pane, qtbot)
    dialog.formats[name].click()  # type: ignore[index]
    dialog.keep_choice.click()
    go(dialog, qtbot)
    kept = wait_written(dialog, qtbot).read_text()
    assert TOKEN in kept.replace("\\", "")
    assert PASSWORD in kept
    assert leaky.read_bytes() == before


def test_secrets_on_another_branch_do_not_matter(window: MainWindow, leaky: Path, qtbot: QtBot) -> None:
    pane = open_session(window, leaky, qtbot)
    click_entry(pane, "f0000000", qtbot)
    window.export_branch_action.trigger()
    dialog = dialog_of(pane, qtbot)
    assert not dialog.found.isVisible()
    dialog.scopes["all"].click()
    qtbot.waitUntil(dialog.found.isVisible, timeout=20_000)


def test_v01_v03_v04_v06_a_hostile_session(window: MainWindow, tmp_path: Path, home: Path, qtbot: QtBot) -> None:
    """Field reports V01, V03, V04 and V06."""
    (tmp_path / "in").mkdir()
    pane = open_session(window, hostile_session(tmp_path / "in"), qtbot)
    dialog = ask(window, pane, qtbot)
    assert dialog.target.parent == home
    assert EVIL.replace('"', "”")[:10] not in dialog.target.name
    assert set(dialog.target.name) & set('"<>=/') == set()
    go(dialog, qtbot)
    page = Page(wait_written(dialog, qtbot).read_text())
    assert_inert(page)
    assert page.text.count(EVIL) >= 12
    window.grab()


def test_x07_says_which_state_it_shows(window: MainWindow, plain: Path, qtbot: QtBot) -> None:
    """Field report X07: the file grows while the question is open."""
    pane = open_session(window, plain, qtbot)
    dialog = ask(window, pane, qtbot)
    assert "6 entries, up to entry d0000000" in dialog.state.text()
    appended(plain, "d0000000", "aaaa0001", "came later")
    qtbot.waitUntil(dialog.newer.isVisible, timeout=20_000)
    assert "grown by 1" in dialog.newer_text.text()
    go(dialog, qtbot)
    path = wait_written(dialog, qtbot)
    assert "up to entry d0000000" in dialog.written_facts.text()
    text = path.read_text()
    assert "came later" not in text
    assert "State of the file" in text
    assert "up to entry d0000000, byte" in text
    dialog.close_button.click()

    dialog = ask(window, pane, qtbot)
    appended(plain, "aaaa0001", "aaaa0002", "last of all")
    qtbot.waitUntil(dialog.newer.isVisible, timeout=20_000)
    dialog.look_button.click()
    qtbot.waitUntil(lambda: "aaaa0002" in dialog.state.text(), timeout=20_000)
    assert not dialog.newer.isVisible()
    go(dialog, qtbot)
    assert "last of all" in wait_written(dialog, qtbot).read_text()


def test_nothing_is_overwritten(
    window: MainWindow, plain: Path, home: Path, qtbot: QtBot, held: threading.Event
) -> None:
    (home / "s.html").write_text("mine")
    pane = open_session(window, plain, qtbot)
    dialog = ask(window, pane, qtbot)
    assert dialog.target == home / "s 2.html"
    for text, words in (
        (str(home / "s.html"), "already"),
        (str(plain), "already"),
        (str(home), "folder"),
        (str(home / "none" / "x.html"), "no such folder"),
        ("", ""),
    ):
        dialog.path.setText(text)
        qtbot.waitUntil(lambda: not pane.exports.is_computing)  # type: ignore[union-attr]
        assert words in dialog.path_note.text()
        assert not dialog.export_button.isEnabled()
    dialog.path.setText(str(home / "new.html"))
    go(dialog, qtbot)
    qtbot.waitUntil(lambda: dialog.is_writing)
    (home / "new.html").write_text("somebody was faster")
    held.set()
    qtbot.waitUntil(lambda: "exists" in dialog.state.text(), timeout=20_000)
    assert str(home / "new.html") in dialog.state.text()
    assert ".tmp" not in dialog.state.text()
    assert (home / "new.html").read_text() == "somebody was faster"
    qtbot.waitUntil(lambda: "already" in dialog.path_note.text())
    assert {path.name for path in home.glob("*.html")} == {"s.html", "new.html"}


def test_escape_stops_the_writing_and_leaves_nothing(
    window: MainWindow, plain: Path, home: Path, qtbot: QtBot, held: threading.Event
) -> None:
    pane = open_session(window, plain, qtbot)
    dialog = ask(window, pane, qtbot)
    go(dialog, qtbot)
    qtbot.waitUntil(lambda: dialog.progress.value() == 1000, timeout=20_000)
    assert not dialog.export_button.isEnabled()
    assert dialog.hint.text() == "Esc stops"
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: dialog.state.text() == "Stopped. Nothing was written.", timeout=20_000)
    assert dialog.isVisible()
    qtbot.waitUntil(lambda: not [path for path in home.iterdir() if "s.html" in path.name], timeout=20_000)
    held.set()
    go(dialog, qtbot)
    assert wait_written(dialog, qtbot).exists()


def test_the_window_closes_while_it_is_written(
    window: MainWindow, plain: Path, home: Path, qtbot: QtBot, held: threading.Event
) -> None:
    """Field report G06."""
    pane = open_session(window, plain, qtbot)
    dialog = ask(window, pane, qtbot)
    go(dialog, qtbot)
    qtbot.waitUntil(lambda: dialog.is_writing)
    window.close()
    assert not window.isVisible()
    qtbot.waitUntil(lambda: not [path for path in home.iterdir() if "s.html" in path.name], timeout=20_000)


def test_what_was_written_is_opened_only_when_that_is_wanted(
    window: MainWindow, plain: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    revealed: list[Path] = []
    monkeypatch.setattr(export_control.QDesktopServices, "openUrl", opened.append)
    monkeypatch.setattr(export_control, "reveal", revealed.append)
    pane = open_session(window, plain, qtbot)
    dialog = ask(window, pane, qtbot)
    go(dialog, qtbot)
    path = wait_written(dialog, qtbot)
    assert opened == revealed == []
    dialog.open_button.click()
    dialog.reveal_button.click()
    assert [Path(url.toLocalFile()) for url in opened] == revealed == [path]


def test_a_refusing_disk_is_said(
    window: MainWindow, plain: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(export_control, "write_export", refuse)
    pane = open_session(window, plain, qtbot)
    dialog = ask(window, pane, qtbot)
    go(dialog, qtbot)
    qtbot.waitUntil(lambda: "No space left" in dialog.state.text(), timeout=20_000)
    assert dialog.export_button.isEnabled()


def test_an_empty_session(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "empty.jsonl"
    path.touch()
    pane = open_session(window, path, qtbot)
    dialog = ask(window, pane, qtbot)
    assert not dialog.scopes["path"].isEnabled()
    assert dialog.state.text() == "The session is empty."
    go(dialog, qtbot)
    assert_inert(Page(wait_written(dialog, qtbot).read_text()))
