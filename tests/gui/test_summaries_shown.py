"""Summaries where they are shown: what was stored before, the draft pass by pass, what a failed run had written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.inspector.summary_stream import SummaryStream
from gui.main_window import MainWindow
from gui.session_pane import SessionPane
from services.operations import CompactionOptions, NavigationOptions
from services.session_events import RetryScheduled
from tests.gui.conftest import open_session, settle
from tests.gui.test_story import OTHER_BRANCH, chunk, configure_model
from tests.services.loopback_server import LoopbackServer, chat, close_at_once, cut_off, stream
from tests.services.sessions import message, write_session
from tests.services.test_compaction import by_pass, long_session

Sample = Callable[[str], Path]
SUMMARY = "## Goal\nShip it\n\n## Progress\n### Done\n- [x] parser\n- [ ] docs"


def show_compaction(window: MainWindow, pane: SessionPane, qtbot: QtBot) -> None:
    window.activateWindow()
    pane.tabs.setCurrentWidget(pane.compaction_tab)
    settle(pane, qtbot)


@pytest.fixture
def compacted(tmp_path: Path) -> Path:
    """A session that goes on behind a compaction with a short summary."""
    entries = long_session(previous=SUMMARY)
    next(entry for entry in entries if entry["type"] == "compaction")["shortSummary"] = "Parser shipped."
    return write_session(tmp_path / "long.jsonl", entries)


def test_what_was_summarised_before_is_read_by_sections_and_copied(
    window: MainWindow, compacted: Path, qtbot: QtBot
) -> None:
    """C20: unfolded by keyboard, selectable, and copied as it is stored."""
    pane = open_session(window, compacted, qtbot)
    show_compaction(window, pane, qtbot)
    box = pane.compaction_tab.stored
    assert box.fold.isVisible()
    assert not box.sections.isVisible()
    box.fold.setFocus()
    qtbot.keyClick(box.fold, Qt.Key.Key_Space)
    assert box.sections.isVisible()
    assert box.sections.toPlainText().split("\n") == [
        *("Goal", "Ship it", "Progress", "Done", "✓\u2002parser", "○\u2002docs"),
        *("Short summary", "Parser shipped."),
    ]
    box.sections.setFocus()
    qtbot.keySequence(box.sections, QKeySequence.StandardKey.SelectAll)
    qtbot.keySequence(box.sections, QKeySequence.StandardKey.Copy)
    assert "✓\u2002parser" in QGuiApplication.clipboard().text()
    qtbot.mouseClick(box.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == SUMMARY


def test_a_new_summary_is_shown_at_once(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """C20: where the branch ends with a compaction, its summary is what the tab is about."""
    pane = open_session(window, sample("real-v3-before-compaction.jsonl"), qtbot)
    show_compaction(window, pane, qtbot)
    with qtbot.waitSignal(pane.compaction.compacted, timeout=10_000) as compacted:
        pane.compaction.compact(CompactionOptions(keep_recent_tokens=5000))
    assert compacted.args is not None
    settle(pane, qtbot)
    box = pane.compaction_tab.stored
    qtbot.waitUntil(box.sections.isVisible)
    assert "Goal" in box.sections.toPlainText()
    qtbot.mouseClick(box.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == compacted.args[0].summary


def test_two_passes_are_streamed_apart(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """The history and the prefix of a split turn arrive at the same time; neither text is mixed into the other."""
    path = write_session(tmp_path / "long.jsonl", long_session(split=True))
    halves = {
        "history": stream([chunk("one "), chunk("two")], pause_s=0.02, then=lambda each: each.wait_until_gone()),
        "prefix": stream([chunk("three "), chunk("four")], pause_s=0.03, then=lambda each: each.wait_until_gone()),
    }
    with LoopbackServer(by_pass(**halves)) as server:
        configure_model(server.url)
        pane = open_session(window, path, qtbot)
        show_compaction(window, pane, qtbot)
        pane.compaction.compact(CompactionOptions(keep_recent_tokens=150))
        shown = pane.compaction_tab.stream
        expected = {
            "[history]\none two\n\n[turn prefix]\nthree four",
            "[turn prefix]\nthree four\n\n[history]\none two",
        }
        qtbot.waitUntil(lambda: shown.toPlainText() in expected, timeout=10_000)
        with qtbot.waitSignal(pane.runner.ended, timeout=20_000):
            pane.runner.stop()
        assert not shown.isVisible(), "nobody wants to read what was stopped"


def test_a_text_that_is_asked_for_again_starts_afresh(qtbot: QtBot) -> None:
    shown = SummaryStream()
    qtbot.addWidget(shown)
    shown.begin()
    shown.add("history", "old")
    shown.add("turn prefix", "kept")
    shown.restart("history")
    shown.add("history", "new")
    shown.end(failed=False)
    assert shown.toPlainText() == "[turn prefix]\nkept\n\n[history]\nnew"
    assert not shown.is_kept


CUT = stream([chunk("## Goal\nHalf a sum"), chunk(None, "length"), "data: [DONE]\n\n"])


@pytest.mark.parametrize("operation", ["navigation", "compaction"])
def test_what_a_failed_run_had_written_stays_readable(
    window: MainWindow, sample: Sample, qtbot: QtBot, operation: str
) -> None:
    """M02: cut off at the limit: not saved, the part is there to be read and copied, and what to do is said."""
    path = sample("real-v3-branched.jsonl" if operation == "navigation" else "real-v3-before-compaction.jsonl")
    before = path.read_bytes()
    with LoopbackServer(CUT, chat("## Goal\nDone.")) as server:
        configure_model(server.url, maxOutputTokens=64_000)
        pane = open_session(window, path, qtbot)
        tab = pane.navigate_tab if operation == "navigation" else pane.compaction_tab
        pane.tabs.setCurrentWidget(tab)
        settle(pane, qtbot)
        with qtbot.waitSignal(pane.runner.ended, timeout=10_000) as ended:
            if operation == "navigation":
                pane.navigation.choose(row_of(pane, OTHER_BRANCH))
                qtbot.waitUntil(lambda: pane.navigate_tab.summarize.isEnabled() and not pane.is_computing)
                pane.navigate_tab.summarize.setChecked(True)
                pane.navigate_tab.submit()
            else:
                pane.compaction.compact(CompactionOptions(keep_recent_tokens=5000))
        assert ended.args is not None
        assert ended.args[0].kind == "failed"
        assert path.read_bytes() == before
        assert tab.stream.isVisible()
        assert "Half a sum" in tab.stream.toPlainText()
        assert "NOT SAVED" in tab.stream.caption.text()
        assert "output limit" in pane.banner.text.text()
        assert "reserve" in pane.banner.text.text()

        # Once more with twice the room: complete, and saved.
        again = tab.footer.again
        assert again.isVisible()
        first = server.requests[0].json["max_tokens"]
        done = pane.navigation.moved if operation == "navigation" else pane.compaction.compacted
        again.setFocus()
        with qtbot.waitSignal(done, timeout=10_000):
            qtbot.keyClick(again, Qt.Key.Key_Space)
        assert server.requests[-1].json["max_tokens"] == 2 * first
        assert not again.isVisible()
        assert path.read_bytes().removeprefix(before).count(b"\n") == 1


def row_of(pane: SessionPane, entry_id: str) -> int:
    index = pane.document.index
    row = index.row_of(entry_id) if index is not None else None
    assert row is not None
    return row


def test_a_dropped_stream_is_asked_for_again_and_counted(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """M06: once in the middle of the stream, once at the start; the window shows which attempt it is."""
    path = sample("real-v3-branched.jsonl")
    dropped = stream([chunk("x" * 1000)], then=cut_off)
    shown: list[str] = []
    with LoopbackServer(dropped, close_at_once, chat("## Goal\nDone.")) as server:
        configure_model(server.url)
        pane = open_session(window, path, qtbot)
        pane.runner.reported.connect(
            lambda event: shown.append(pane.runner.title) if isinstance(event, RetryScheduled) else None
        )
        with qtbot.waitSignal(pane.navigation.moved, timeout=30_000):
            pane.navigation.go(OTHER_BRANCH, NavigationOptions(summarize=True))
        assert len(server.requests) == 3
        assert [title.partition("(")[2] for title in shown] == ["1 of 3)", "2 of 3)"]


def test_the_button_is_ready_as_soon_as_the_cut_is_known(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """While the details are worked out a click still counts."""
    pane = open_session(window, sample("real-v3-before-compaction.jsonl"), qtbot)
    show_compaction(window, pane, qtbot)
    tab = pane.compaction_tab
    ready: list[bool] = []
    for keep in range(5000, 5400, 100):
        tab.keep.setValue(keep)
        ready.append(tab.compact.isEnabled())
        QApplication.processEvents()
        ready.append(tab.compact.isEnabled())
    assert all(ready)
    assert pane.is_computing
    with qtbot.waitSignal(pane.compaction.compacted, timeout=10_000):
        qtbot.mouseClick(tab.compact, Qt.MouseButton.LeftButton)


def test_safe_acts_work_while_a_summary_is_written(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """B05, M14: filter, search and selection work; a move or a label waits with a word; the run is not disturbed."""
    path = sample("real-v3-branched.jsonl")
    before = path.read_bytes()
    with LoopbackServer(stream([chunk("## Goal\nHalf")], then=lambda each: each.wait_until_gone())) as server:
        configure_model(server.url)
        pane = open_session(window, path, qtbot)
        assert pane.document.session is not None
        leaf_id = pane.document.session.leaf_id
        pane.navigation.go(OTHER_BRANCH, NavigationOptions(summarize=True))
        assert server.arrived.acquire(timeout=5)
        pane.document.set_filter("user-only")
        settle(pane, qtbot)
        pane.document.set_filter("all")
        settle(pane, qtbot)
        qtbot.waitUntil(lambda: window.status.job.text().endswith(" s"), timeout=20_000)  # M14: how long it has run
        assert pane.select_id(OTHER_BRANCH)
        pane.navigation.take(row_of(pane, OTHER_BRANCH))
        assert "running" in window.status.currentMessage()
        assert pane.runner.is_running
        assert pane.document.session.leaf_id == leaf_id
        with qtbot.waitSignal(pane.runner.ended, timeout=20_000):
            pane.runner.stop()
        assert len(server.requests) == 1
    assert path.read_bytes() == before


def test_after_an_abort_nothing_is_asked_again(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """C17: a full context does not start a compaction of its own after one was stopped."""
    entries = long_session()
    usage = {"input": 127_000, "output": 10, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 127_010}
    entries.append(message("full", "a2", "assistant", "Full.", stopReason="stop", usage=usage))
    path = write_session(tmp_path / "full.jsonl", entries)
    before = path.read_bytes()
    with LoopbackServer(stream([chunk("half")], then=lambda each: each.wait_until_gone())) as server:
        configure_model(server.url)
        pane = open_session(window, path, qtbot)
        pane.compaction.compact(CompactionOptions(keep_recent_tokens=150))
        assert server.arrived.acquire(timeout=5)
        with qtbot.waitSignal(pane.runner.ended, timeout=20_000):
            pane.runner.stop()
        pane.document.refresh()
        settle(pane, qtbot)
        assert not pane.runner.is_running
        assert len(server.requests) == 1
    assert path.read_bytes() == before


@pytest.mark.spec("TN-12", "BS-5")
def test_every_way_of_leaving_a_branch_is_reached_by_keyboard(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """B03, B07: none, default, with instructions in place of ours, and a label; the choice is there the next time."""
    path = sample("real-v3-branched.jsonl")
    with LoopbackServer(chat("## Goal\nDone.")) as server:
        configure_model(server.url)
        pane = open_session(window, path, qtbot)
        window.activateWindow()
        tab = pane.navigate_tab
        assert pane.document.session is not None
        leaf_id = pane.document.session.leaf_id
        assert leaf_id is not None

        def key(key: Qt.Key, text: str = "") -> None:
            focused = QApplication.focusWidget()
            assert focused is not None
            if text:
                qtbot.keyClicks(focused, text)
            else:
                qtbot.keyClick(focused, key)

        def ask(entry_id: str) -> None:
            assert pane.select_id(entry_id)
            settle(pane, qtbot)
            pane.tree.setFocus()
            key(Qt.Key.Key_Return)
            qtbot.waitUntil(lambda: any(each.hasFocus() for each in (tab.go, tab.summarize, tab.instruct)))
            settle(pane, qtbot)

        ask(OTHER_BRANCH)
        assert tab.go.isChecked()
        key(Qt.Key.Key_Down)
        assert tab.summarize.isChecked()
        key(Qt.Key.Key_Down)
        assert tab.instruct.isChecked()
        key(Qt.Key.Key_Tab)
        assert tab.instructions.hasFocus()
        key(Qt.Key.Key_A, "Only the tests")
        key(Qt.Key.Key_Tab)
        assert tab.replace.hasFocus()
        key(Qt.Key.Key_Space)
        key(Qt.Key.Key_Tab)
        assert tab.label_text.hasFocus()
        key(Qt.Key.Key_A, "tried it")
        with qtbot.waitSignal(pane.navigation.moved, timeout=10_000) as moved:
            key(Qt.Key.Key_Return)
        settle(pane, qtbot)
        assert moved.args is not None
        assert moved.args[0].label_entry_id is not None
        prompt = server.requests[0].json["messages"][-1]["content"]
        assert prompt.rstrip().endswith("Only the tests")
        assert "## " not in prompt.rpartition("</conversation>")[2], "ours is not sent along"

        ask(leaf_id)
        assert tab.instruct.isChecked()
        assert tab.instructions.toPlainText() == "Only the tests"
        assert tab.replace.isChecked()
        key(Qt.Key.Key_Up)
        key(Qt.Key.Key_Up)
        with qtbot.waitSignal(pane.navigation.moved, timeout=10_000):
            key(Qt.Key.Key_Return)
        assert len(server.requests) == 1, "just gone there, without a summary"


def test_the_prompt_that_is_shown_follows_what_is_chosen(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """B01: instructions and results of tools are in the preview, before anything is sent; then exactly that is."""
    with LoopbackServer(chat("## Goal\nDone.")) as server:
        configure_model(server.url)
        pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
        window.activateWindow()
        tab = pane.navigate_tab
        pane.tabs.setCurrentWidget(tab)
        assert pane.select_id(OTHER_BRANCH)
        settle(pane, qtbot)
        tab.instruct.setChecked(True)
        qtbot.keyClicks(tab.instructions, "Only the tests")
        settle(pane, qtbot)
        assert tab.prompt.toPlainText().rstrip().endswith("Only the tests")
        assert "[Tool result]" not in tab.prompt.toPlainText()
        sent_before = tab.facts.fact("sent")
        tab.results.setChecked(True)
        settle(pane, qtbot)
        assert "[Tool result]" in tab.prompt.toPlainText()
        assert tab.facts.fact("sent") != sent_before
        assert tab.preview is not None
        expected = tab.preview.prompt
        assert not server.requests
        with qtbot.waitSignal(pane.navigation.moved, timeout=10_000):
            tab.submit()
        assert server.requests[0].json["messages"][-1]["content"] == expected
