"""*Navigate* and *Compaction*: what would be sent, which files, room for what is written, and where the keyboard is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.inspector.compaction_tab import CompactionTab
from gui.inspector.navigate_tab import NavigateTab
from gui.main_window import MainWindow
from gui.session_pane import SessionPane
from tests.gui.conftest import open_session, settle
from tests.gui.test_story import OTHER_BRANCH, chunk, configure_model
from tests.services.loopback_server import Connection, LoopbackServer, chat, stream
from tests.services.sessions import message, write_session
from tests.services.test_compaction import long_session

Sample = Callable[[str], Path]
Tab = NavigateTab | CompactionTab
BRANCHED = "real-v3-branched.jsonl"
LONG = "real-v3-before-compaction.jsonl"
LINES = [f"{number}. a line of the summary\n" for number in range(80)]
SIZES = [(1440, 900), (1000, 700), (700, 500)]
OPERATIONS = ["navigation", "compaction"]


def stall(connection: Connection) -> None:
    connection.wait_until_gone()


def show(window: MainWindow, path: Path, operation: str, qtbot: QtBot) -> tuple[SessionPane, Tab]:
    """Open a session and bring the tab into the state before its run."""
    pane = open_session(window, path, qtbot)
    window.activateWindow()
    tab: Tab = pane.navigate_tab if operation == "navigation" else pane.compaction_tab
    if operation == "navigation":
        assert pane.select_id(OTHER_BRANCH)
    pane.tabs.setCurrentWidget(tab)
    settle(pane, qtbot)
    if isinstance(tab, NavigateTab):
        tab.summarize.setChecked(True)
        settle(pane, qtbot)
    return pane, tab


def button_of(tab: Tab) -> QWidget:
    return tab.go_button if isinstance(tab, NavigateTab) else tab.compact


def copied(widget: QWidget, qtbot: QtBot) -> str:
    widget.setFocus()
    qtbot.keyClick(widget, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(widget, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    return QGuiApplication.clipboard().text()


@pytest.mark.parametrize("operation", OPERATIONS)
def test_both_parts_are_copied_as_they_are_sent(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, operation: str
) -> None:
    """B01, C04: system prompt and message, the lines of any length."""
    entries = long_session()
    entries.append(message("long", entries[-1]["id"], "user", "unbroken" * 2_000))
    entries.append(message("end", "long", "assistant", "Yes.", stopReason="stop"))
    path = write_session(tmp_path / "long.jsonl", entries)
    with LoopbackServer(chat("## Goal\nDone."), chat("## Goal\nDone.")) as server:
        configure_model(server.url)
        pane = open_session(window, path, qtbot)
        window.activateWindow()
        tab: Tab = pane.navigate_tab if operation == "navigation" else pane.compaction_tab
        if operation == "navigation":
            assert pane.select_id(entries[2]["id"])
        pane.tabs.setCurrentWidget(tab)
        settle(pane, qtbot)
        if isinstance(tab, NavigateTab):
            tab.summarize.setChecked(True)
        else:
            tab.keep.setValue(50)
        settle(pane, qtbot)
        assert not tab.prompt_parts.note.text().startswith("The offline digest")
        user = copied(tab.prompt, qtbot)
        tab.prompt_parts.setFocus()
        qtbot.keyClick(tab.prompt_parts, Qt.Key.Key_Right)
        system = copied(tab.prompt, qtbot)
        done = pane.navigation.moved if isinstance(tab, NavigateTab) else pane.compaction.compacted
        with qtbot.waitSignal(done, timeout=10_000):
            tab.submit()
        sent = [{each["role"]: each["content"] for each in request.json["messages"]} for request in server.requests]
    assert system == sent[0]["system"]
    assert user in [each["user"] for each in sent]
    assert "unbroken" * 1_000 in user or operation == "compaction"


@pytest.mark.usefixtures("turkish")
def test_headings_of_copied_prompts_are_those_that_are_shown(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    _pane, tab = show(window, sample(LONG), "compaction", qtbot)
    assert isinstance(tab, CompactionTab)
    qtbot.mouseClick(tab.copy, Qt.MouseButton.LeftButton)
    lines = QGuiApplication.clipboard().text().splitlines()
    names = [tab.pass_choice.itemText(number) for number in range(tab.pass_choice.count())]
    message_name, system_name = (tab.prompt_parts.tabText(part) for part in range(2))
    assert message_name != "Message"
    for name in names:
        assert lines.index(f"[{name} · {system_name}]") < lines.index(f"[{name} · {message_name}]")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_digest_needs_no_prompt(window: MainWindow, sample: Sample, qtbot: QtBot, operation: str) -> None:
    pane, tab = show(window, sample(BRANCHED if operation == "navigation" else LONG), operation, qtbot)
    note = tab.prompt_parts.note
    assert note.isVisible()
    assert "needs no prompt" in note.text()
    assert tab.prompt.toPlainText()
    if isinstance(tab, NavigateTab):
        assert tab.facts.fact("sent").startswith("nothing")
    with LoopbackServer() as server:
        configure_model(server.url)
        window.assistance.settings_changed.emit()
        settle(pane, qtbot)
        qtbot.waitUntil(lambda: tab.summarizer.currentData() != "offline", timeout=20_000)
        assert "needs no prompt" not in note.text()
        if isinstance(tab, NavigateTab):
            qtbot.waitUntil(lambda: "messages" in tab.facts.fact("sent"), timeout=20_000)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_files_unfold_by_keyboard_and_are_copied(
    window: MainWindow, sample: Sample, qtbot: QtBot, operation: str
) -> None:
    _pane, tab = show(window, sample(BRANCHED if operation == "navigation" else LONG), operation, qtbot)
    files = tab.files
    assert files.fold.text() == (
        "Files: 3 read, 2 modified" if operation == "navigation" else "Files: 2 read, 12 modified"
    )
    assert not files.list.isVisible()
    files.fold.setFocus()
    qtbot.keyClick(files.fold, Qt.Key.Key_Space)
    assert files.list.isVisible()
    rows = [files.list.topLevelItem(place) for place in range(files.list.topLevelItemCount())]
    words = [row.text(1) for row in rows if row is not None]
    assert (words.count("read"), words.count("modified")) == ((3, 2) if operation == "navigation" else (2, 12))
    qtbot.keyClick(files.fold, Qt.Key.Key_Tab)
    assert files.list.hasFocus()
    assert copied(files.list, qtbot).split("\n") == [row.text(0) for row in rows if row is not None]


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_what_is_written_fills_the_tab_and_its_end_is_in_sight(
    window: MainWindow, sample: Sample, qtbot: QtBot, operation: str, size: tuple[int, int]
) -> None:
    window.resize(*size)
    with LoopbackServer(stream([chunk(line) for line in LINES], then=stall)) as server:
        configure_model(server.url)
        pane, tab = show(window, sample(BRANCHED if operation == "navigation" else LONG), operation, qtbot)
        tab.submit()
        shown = tab.stream
        qtbot.waitUntil(lambda: LINES[-1] in shown.toPlainText(), timeout=10_000)
        bar = shown.verticalScrollBar()
        qtbot.waitUntil(lambda: bar.value() == bar.maximum() > 0, timeout=20_000)
        viewport = tab.body_scroll.viewport()

        def fills() -> bool:
            bottom = shown.mapTo(viewport, shown.rect().bottomLeft()).y()
            return bottom <= viewport.height() < 2 * shown.height()

        qtbot.waitUntil(fills, timeout=20_000)
        with qtbot.waitSignal(pane.runner.ended, timeout=20_000):
            pane.runner.stop()


@pytest.mark.parametrize("operation", OPERATIONS)
def test_what_was_written_and_not_saved_is_in_sight(
    window: MainWindow, sample: Sample, qtbot: QtBot, operation: str
) -> None:
    window.resize(1000, 700)
    cut = stream([*(chunk(line) for line in LINES), chunk(None, "length"), "data: [DONE]\n\n"])
    with LoopbackServer(cut, cut) as server:
        configure_model(server.url, maxOutputTokens=64_000)
        pane, tab = show(window, sample(BRANCHED if operation == "navigation" else LONG), operation, qtbot)
        with qtbot.waitSignal(pane.runner.ended, timeout=10_000):
            tab.submit()
        settle(pane, qtbot)
        viewport = tab.body_scroll.viewport()

        def fills() -> bool:
            top = tab.stream.caption.mapTo(viewport, tab.stream.caption.rect().topLeft()).y()
            return 0 <= top < viewport.height() / 4 and tab.stream.height() > viewport.height() / 2

        qtbot.waitUntil(fills, timeout=20_000)
        assert button_of(tab).isVisible()


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("ending", ["failed", "aborted", "done"])
def test_the_keyboard_comes_back(window: MainWindow, sample: Sample, qtbot: QtBot, operation: str, ending: str) -> None:
    """M06: to the button that began it, or to the tree when it is done or was stopped; never to what comes next."""
    cut = stream([chunk("## Goal"), chunk(None, "length"), "data: [DONE]\n\n"])
    reply = {"failed": cut, "aborted": stream([chunk("## Goal")], then=stall), "done": chat("## Goal\nDone.")}[ending]
    with LoopbackServer(reply, reply) as server:
        configure_model(server.url, maxOutputTokens=64_000)
        pane, tab = show(window, sample(BRANCHED if operation == "navigation" else LONG), operation, qtbot)
        seen: list[QWidget | None] = []
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(lambda _old, new: seen.append(new))
        button_of(tab).setFocus()
        with qtbot.waitSignal(pane.runner.ended, timeout=10_000):
            qtbot.keyClick(button_of(tab), Qt.Key.Key_Space)
            qtbot.waitUntil(lambda: tab.footer.stop_button.hasFocus() or bool(seen), timeout=20_000)
            if ending == "aborted":
                assert server.arrived.acquire(timeout=5)
                pane.runner.stop()
        settle(pane, qtbot)
        expected = button_of(tab) if ending == "failed" else pane.tree
        assert QApplication.focusWidget() is expected
        assert pane.map_view not in seen


def test_a_long_text_without_blanks_is_not_clipped(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    entries = long_session()
    entries.append(message("long", entries[-1]["id"], "user", "x" * 400))
    pane = open_session(window, write_session(tmp_path / "long.jsonl", entries), qtbot)
    window.resize(1000, 700)
    assert pane.select_id("long")
    pane.tabs.setCurrentWidget(pane.navigate_tab)
    settle(pane, qtbot)
    subtitle = pane.navigate_tab._subtitle
    qtbot.waitUntil(lambda: subtitle.height() >= 2 * subtitle.fontMetrics().lineSpacing(), timeout=20_000)
    parts = subtitle.text().split("\u200b")
    assert max(map(subtitle.fontMetrics().horizontalAdvance, parts)) < subtitle.width()
    assert subtitle.text().endswith("…")


def test_the_place_of_an_imagined_leaf_is_named(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample(LONG), qtbot)
    pane.show_compaction()
    settle(pane, qtbot)
    index = pane.document.index
    assert index is not None
    rows = pane.document.rows
    assert rows is not None
    answers = [
        row for row in range(index.count) if rows.content(row).name == "assistant" and rows.content(row).preview.text
    ]
    row = answers[-2]
    assert pane.select_id(index.id_of(row))
    pane.compaction_tab.imagine.setChecked(True)
    settle(pane, qtbot)
    title = pane.compaction_tab._title.text().replace("\u200b", "")
    assert rows.content(row).preview.text[:30] in title
    assert "assistant" in title
