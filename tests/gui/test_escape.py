"""Escape stops what runs, from any focus, whatever the server does; the file stays as it was."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QInputDialog
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.review_dialog import ReviewDialog
from gui.session_pane import SessionPane
from services.operations import CompactionOptions, NavigationOptions
from services.session_events import RetryScheduled
from tests.gui.conftest import click_entry, open_session, settle
from tests.gui.test_story import OTHER_BRANCH, chunk, configure_model
from tests.services.loopback_server import LoopbackServer, Script, answer, silent, silent_after_head, stream

Sample = Callable[[str], Path]
LIMIT_MS = 300


def trickle() -> Script:
    return stream((chunk("x") for _ in range(1000)), pause_s=0.05)


FOCUS: dict[str, Callable[[SessionPane], None]] = {
    "tree": lambda pane: pane.tree.setFocus(),
    "composer": lambda pane: pane.composer.text.setFocus(),
    "tabs": lambda pane: pane.tabs.tabBar().setFocus(),
    "stream": lambda pane: pane.navigate_tab.stream.setFocus(),
    "label": lambda pane: pane.navigate_tab.label_text.setFocus(),
}


def start_navigation(pane: SessionPane, qtbot: QtBot) -> None:
    pane.navigation.go(OTHER_BRANCH, NavigationOptions(summarize=True))
    assert pane.runner.is_running


def escape(pane: SessionPane, qtbot: QtBot) -> None:
    """Press Escape where the focus is; the session is idle within the limit."""
    focused = QApplication.focusWidget()
    assert focused is not None
    with qtbot.waitSignal(pane.runner.ended, timeout=LIMIT_MS) as ended:
        qtbot.keyClick(focused, Qt.Key.Key_Escape)
    assert ended.args is not None
    assert ended.args[0].kind == "aborted"
    assert not pane.runner.is_running


@pytest.mark.spec("CP-23", "TN-10")
@pytest.mark.parametrize("script", [silent, silent_after_head, trickle()], ids=["silent", "head only", "trickle"])
@pytest.mark.parametrize("focus", FOCUS)
def test_escape_from_any_focus(window: MainWindow, sample: Sample, qtbot: QtBot, focus: str, script: Script) -> None:
    path = sample("real-v3-branched.jsonl")
    before = path.read_bytes()
    with LoopbackServer(script) as server:
        configure_model(server.url)
        pane = open_session(window, path, qtbot)
        assert pane.document.session is not None
        leaf = pane.document.session.leaf_id
        threads = set(threading.enumerate())
        start_navigation(pane, qtbot)
        assert server.arrived.acquire(timeout=5)
        FOCUS[focus](pane)
        escape(pane, qtbot)
        assert server.all_gone()
        assert path.read_bytes() == before
        assert pane.document.session.leaf_id == leaf
        qtbot.waitUntil(lambda: set(threading.enumerate()) <= threads | set(server._threads), timeout=2000)
        focused = QApplication.focusWidget()
        assert focused is not None
        qtbot.keyClick(focused, Qt.Key.Key_Escape)  # nothing runs: harmless


@pytest.mark.spec("CP-23")
def test_escape_in_an_open_dialog_and_in_an_open_menu(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample("real-v3-before-compaction.jsonl")
    before = path.read_bytes()
    with LoopbackServer(silent) as server:
        configure_model(server.url)
        pane = open_session(window, path, qtbot)
        pane.compaction.compact(CompactionOptions(keep_recent_tokens=5000))
        assert server.arrived.acquire(timeout=5)
        pane.ask_for_label()
        dialog = pane.findChild(QInputDialog)
        assert dialog is not None
        qtbot.waitUntil(dialog.isActiveWindow)
        escape(pane, qtbot)
        assert dialog.isVisible()  # Escape stopped the work; the next one closes the dialog
        dialog.close()

        pane.compaction.compact(CompactionOptions(keep_recent_tokens=5000))
        assert server.arrived.acquire(timeout=5)
        menu = window.menuBar().actions()[0].menu()
        menu.popup(window.mapToGlobal(window.rect().topLeft()))  # type: ignore[union-attr]
        with qtbot.waitSignal(pane.runner.ended, timeout=LIMIT_MS):
            qtbot.keyClick(menu, Qt.Key.Key_Escape)
        assert server.all_gone()
    assert path.read_bytes() == before


def test_escape_stops_the_session_in_front_first(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    with LoopbackServer(silent) as server:
        configure_model(server.url)
        first = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
        start_navigation(first, qtbot)
        second = open_session(window, sample("real-v3-before-compaction.jsonl"), qtbot)
        second.compaction.compact(CompactionOptions(keep_recent_tokens=5000))
        assert server.arrived.acquire(timeout=5)
        assert server.arrived.acquire(timeout=5)
        second.tree.setFocus()
        escape(second, qtbot)
        assert first.runner.is_running
        second.tree.setFocus()
        with qtbot.waitSignal(first.runner.ended, timeout=LIMIT_MS):
            qtbot.keyClick(second.tree, Qt.Key.Key_Escape)


@pytest.mark.parametrize("phase", ["loading", "running", "idle"])
def test_closing_the_window_in_any_phase(window: MainWindow, sample: Sample, qtbot: QtBot, phase: str) -> None:
    """G06: closing while something runs ends it, loses nothing and leaves no thread behind."""
    path = sample("real-v3-before-compaction.jsonl")
    before = path.read_bytes()
    threads = set(threading.enumerate())
    with LoopbackServer(silent) as server:
        configure_model(server.url)
        if phase == "loading":
            window.open_file(path)
        else:
            pane = open_session(window, path, qtbot)
            if phase == "running":
                pane.compaction.compact(CompactionOptions(keep_recent_tokens=5000))
                assert server.arrived.acquire(timeout=5)
        began = time.monotonic()
        window.close()
        assert time.monotonic() - began < 5
        assert not window.isVisible()
    qtbot.waitUntil(lambda: set(threading.enumerate()) <= threads, timeout=3000)
    assert path.read_bytes() == before


def test_a_second_operation_is_refused_while_one_runs(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    with LoopbackServer(silent) as server:
        configure_model(server.url)
        pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
        start_navigation(pane, qtbot)
        assert server.arrived.acquire(timeout=5)
        pane.compaction.compact(CompactionOptions())
        assert "running" in window.status.currentMessage()
        pane.tree.setFocus()
        escape(pane, qtbot)
        assert len(server.requests) == 1


def start_compaction(pane: SessionPane) -> None:
    """The cut with 20 000 tokens kept splits a turn of this sample: two requests at once."""
    pane.compaction.compact(CompactionOptions(keep_recent_tokens=20_000))
    assert pane.runner.is_running


@pytest.mark.spec("CP-23", "CP-21")
def test_escape_in_a_retry_wait(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample("real-v3-before-compaction.jsonl")
    before = path.read_bytes()
    busy = answer("{}", "application/json", "429 Too Many Requests", "retry-after: 20")
    with LoopbackServer(busy) as server:
        configure_model(server.url)
        pane = open_session(window, path, qtbot)
        with qtbot.waitSignal(
            pane.runner.reported, check_params_cb=lambda event: isinstance(event, RetryScheduled), timeout=5000
        ):
            start_compaction(pane)
        pane.tree.setFocus()
        escape(pane, qtbot)
        assert len(server.requests) <= 2  # history and turn prefix, neither again
    assert path.read_bytes() == before


@pytest.mark.spec("CP-14", "CP-23")
def test_escape_when_one_of_two_passes_is_done(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample("real-v3-before-compaction.jsonl")
    before = path.read_bytes()
    done = stream([chunk("## Goal\nDone."), chunk(None, "stop"), "data: [DONE]\n\n"])
    with LoopbackServer(done, silent) as server:
        configure_model(server.url)
        pane = open_session(window, path, qtbot)
        start_compaction(pane)
        assert server.arrived.acquire(timeout=5)
        assert server.arrived.acquire(timeout=5)
        qtbot.waitUntil(
            lambda: server.connections[0].gone.is_set() or server.connections[1].gone.is_set(), timeout=3000
        )
        pane.composer.text.setFocus()
        escape(pane, qtbot)
        assert server.all_gone()
    assert path.read_bytes() == before


@pytest.mark.spec("CP-23")
def test_escape_in_a_review(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample("real-v3-branched.jsonl")
    before = path.read_bytes()
    pane = open_session(window, path, qtbot)
    click_entry(pane, OTHER_BRANCH, qtbot)
    pane.tabs.setCurrentWidget(pane.navigate_tab)
    settle(pane, qtbot)
    pane.navigate_tab.summarize.setChecked(True)
    pane.navigate_tab.review.setChecked(True)
    qtbot.mouseClick(pane.navigate_tab.go_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is not None or len(window.findChildren(ReviewDialog)) > 0)
    dialog = window.findChildren(ReviewDialog)[0]
    qtbot.waitUntil(dialog.isVisible)
    with qtbot.waitSignal(pane.runner.ended, timeout=LIMIT_MS):
        qtbot.keyClick(QApplication.focusWidget() or dialog, Qt.Key.Key_Escape)
    assert path.read_bytes() == before
