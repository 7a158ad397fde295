"""What the status bar says of a session, where messages stand, and what gives way in a narrow window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QStatusTipEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.status_bar import StatusBar
from services.operations import SummarizerInfo
from tests.gui.conftest import open_session, settle
from tests.gui.test_turns import set_up_model, write
from tests.services.sessions import write_session
from tests.turns.playbook import Playbook, history, stalls

Sample = Callable[[str], Path]
BRANCHED = "real-v3-branched.jsonl"
LONG = "You are there, and Back returns. Nothing was written: an agent would still resume at the end of the file."


def test_the_model_of_the_path_and_the_writer_of_summaries_are_told_apart(
    window: MainWindow, sample: Sample, qtbot: QtBot
) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    status = window.status
    qtbot.waitUntil(lambda: status.model.text() == "acme-large", timeout=20_000)
    assert "acme/acme-large" in status.model.toolTip()
    assert status.summarizer.text() == "Summaries: offline digest"
    assert pane.select_id("e547f69a")
    with qtbot.waitSignal(pane.runner.ended, timeout=10_000):
        pane.take_selected()
    settle(pane, qtbot)
    qtbot.waitUntil(lambda: status.model.text() == "claude-sonnet-4-5", timeout=20_000)
    window.close_session()
    assert not status.model.isVisible()


def test_the_model_is_known_behind_a_compaction(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    entries = history("pi")
    compaction = {
        "type": "compaction", "id": "c0000000", "parentId": entries[-1]["id"], "timestamp": "2026-02-01T00:00:00.000Z",
        "summary": "All of it.", "firstKeptEntryId": entries[-1]["id"], "tokensBefore": 10,
    }  # fmt: skip
    open_session(window, write_session(tmp_path / "compacted.jsonl", [*entries, compaction]), qtbot)
    answers = [entry["message"] for entry in entries if entry.get("message", {}).get("role") == "assistant"]
    qtbot.waitUntil(lambda: window.status.model.text() == answers[-1]["model"], timeout=20_000)
    assert window.status.context.text().startswith("context ?")


def test_a_message_hides_nothing_of_the_session(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    open_session(window, sample(BRANCHED), qtbot)
    status = window.status
    qtbot.waitUntil(lambda: bool(status.model.text()), timeout=20_000)
    left = (status.session, status.model, status.context)
    window.say(LONG)
    assert all(part.isVisible() for part in left)
    assert status.message.accessibleName() == LONG
    assert status.message.toolTip() == LONG
    QApplication.sendEvent(window, QStatusTipEvent("What the command does."))  # so are the words about commands
    assert status.message.text() == "What the command does."
    assert all(part.isVisible() for part in left)
    window.say(LONG)
    window.resize(700, 500)
    qtbot.waitUntil(lambda: status.message.text().endswith("…") and len(status.message.text()) > 30, timeout=20_000)
    assert LONG.startswith(status.message.text()[:-1])


def test_a_run_takes_away_what_was_said_before_it(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    with Playbook(stalls("Half an answer")).server as server:
        set_up_model(server.url)
        pane = open_session(window, sample(BRANCHED), qtbot)
        window.say("Stopped. Nothing was written, and you are where you were.")
        write(pane, "Go.", qtbot)
        pane.composer.submit()
        assert window.status.job.text()
        assert window.status.message.text() == ""
        with qtbot.waitSignal(pane.runner.ended, timeout=20_000):
            window.stop()
        qtbot.waitUntil(lambda: window.status.message.text().startswith("Stopped."), timeout=20_000)
        assert not window.status.job.isVisible()


@pytest.mark.parametrize("width", [2000, 1000, 700, 400])
def test_the_least_important_parts_give_way(qtbot: QtBot, width: int) -> None:
    status = StatusBar()
    qtbot.addWidget(status)
    status.show_session("pi", 3, "1,295 entries")
    status.show_model("anthropic/claude-sonnet-4-5-20260101-with-a-long-name")
    status.show_context(16_000, 200_000, 180_000, estimated=False)
    status.show_problems(3)
    status.show_position(is_resume_point=False)
    status.show_summarizer(SummarizerInfo("model", "acme-large", ""))
    status.show_saved("Saved")
    status.show_job("Summarising the branch", 2.0)
    status.resize(width, 30)
    status.show()
    qtbot.waitExposed(status)
    assert status.minimumSizeHint().width() < 200
    parts = (
        status.session, status.model, status.context, status.meter, status.job, status.stop, status.problems,
        status.position, status.summarizer, status.saved,
    )  # fmt: skip

    def is_settled() -> bool:
        shown = [part for part in parts if part.isVisible()]
        return all(
            part.width() >= part.sizeHint().width() and part.mapTo(status, part.rect().topRight()).x() <= width
            for part in shown
        )

    if width > 400:
        qtbot.waitUntil(is_settled, timeout=20_000)
        assert all(part.isVisible() for part in (status.context, status.model))
    assert all(part.isVisible() for part in (status.job, status.stop))
    assert all(part.isVisible() for part in parts) == (width == 2000)
    status.resize(2000, 30)
    qtbot.waitUntil(status.summarizer.isVisible, timeout=20_000)
