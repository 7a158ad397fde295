"""The composer at work in the real window: sending, stopping, images, unsent text, and what is shown meanwhile."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QTableWidget
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.prune_dialog import PruneDialog
from gui.review_dialog import ReviewDialog
from gui.session_pane import SessionPane
from gui.writer_dialog import WriterDialog
from services.app_folders import config_folder, state_folder
from services.session_events import TurnDelta
from tests.cli.agents_open import assert_agents_open
from tests.gui.conftest import click_entry, open_session, settle
from tests.services.sessions import write_session
from tests.services.test_compaction import long_session
from tests.turns.playbook import (
    Playbook,
    answers,
    history,
    overflows,
    overloaded,
    records_of,
    stalls,
)

Sample = Callable[[str], Path]
BRANCHED = "real-v3-branched.jsonl"
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360f8cf500f000381"
    "0180b5f1c2a10000000049454e44ae426082"
)


def set_up_model(url: str, **more: Any) -> None:
    """Write settings with a model at `url`."""
    config_folder().mkdir(parents=True, exist_ok=True)
    model = {"provider": "openai-compatible", "baseUrl": url, "modelId": "acme-1", "contextWindow": 128_000}
    retry = {"maxRetries": 2, "baseDelayMs": 1}
    values = {"model": model | more.pop("model", {}), "retry": retry, **more}
    (config_folder() / "settings.json").write_text(json.dumps(values), "utf-8")


def write(pane: SessionPane, text: str, qtbot: QtBot) -> None:
    pane.composer.text.setFocus()
    qtbot.keyClicks(pane.composer.text, text)


def send(pane: SessionPane, text: str, qtbot: QtBot) -> str:
    """Type a prompt, press Enter, wait for the end; return how it ended."""
    write(pane, text, qtbot)
    with qtbot.waitSignal(pane.runner.ended, timeout=10_000) as ended:
        qtbot.keyClick(pane.composer.text, Qt.Key.Key_Return)
    settle(pane, qtbot)
    assert ended.args is not None
    return str(ended.args[0].kind)


def test_a_prompt_makes_a_branch_and_its_answer_is_selected(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample(BRANCHED)
    book = Playbook(answers("Another way."), answers("And on."))
    with book.server as server:
        set_up_model(server.url)
        pane = open_session(window, path, qtbot)
        session = pane.document.session
        assert session is not None
        target = session.snapshot().path(session.leaf_id)[-4]["id"]
        click_entry(pane, target, qtbot)
        session.move_leaf(target)
        pane.document.refresh()
        settle(pane, qtbot)
        assert window.status.position.isVisible()
        assert send(pane, "Otherwise?", qtbot) == "done"
        *_, prompt, answer = records_of(path)
        assert prompt["parentId"] == target
        assert answer["message"]["content"][0]["text"] == "Another way."
        assert pane.composer.text.toPlainText() == ""
        assert (pane.selected_id, session.leaf_id) == (answer["id"], answer["id"])
        assert pane.live.isHidden()
        assert window.status.position.isHidden()
        write(pane, "first line", qtbot)
        qtbot.keyClick(pane.composer.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        write(pane, "second", qtbot)
        with qtbot.waitSignal(pane.runner.ended, timeout=10_000):
            qtbot.keyClick(pane.composer.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert records_of(path)[-2]["message"]["content"][0]["text"] == "first line\nsecond"
    assert_agents_open(path)


def test_escape_keeps_what_arrived(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample(BRANCHED)
    book = Playbook(stalls("Half an answer"))
    with book.server as server:
        set_up_model(server.url)
        pane = open_session(window, path, qtbot)
        write(pane, "Go.", qtbot)
        qtbot.keyClick(pane.composer.text, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: pane.live.text.toPlainText() == "Half an answer", timeout=10_000)
        assert pane.live.isVisible()
        write(pane, "next", qtbot)  # typing goes on meanwhile, sending doesn't
        qtbot.keyClick(pane.composer.text, Qt.Key.Key_Return)
        assert pane.composer.text.toPlainText() == "next"
        with qtbot.waitSignal(pane.runner.ended, timeout=20_000):
            qtbot.keyClick(pane.composer.text, Qt.Key.Key_Escape)
        settle(pane, qtbot)
    message = records_of(path)[-1]["message"]
    assert (message["content"][0]["text"], message["stopReason"]) == ("Half an answer", "aborted")
    assert pane.composer.text.toPlainText() == "next"
    assert pane.selected_id == records_of(path)[-1]["id"]


def test_without_a_model_the_settings_open_and_the_text_stays(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample(BRANCHED)
    before = path.read_bytes()
    pane = open_session(window, path, qtbot)
    assert send(pane, "Hello", qtbot) == "failed"
    qtbot.waitUntil(lambda: window.assistance.settings_dialog is not None, timeout=20_000)
    dialog = window.assistance.settings_dialog
    assert dialog is not None
    assert "No model is set up" in pane.banner.text.text()
    assert pane.banner.action.isVisible()
    dialog.reject()
    assert pane.composer.text.toPlainText() == "Hello"
    assert not pane.composer.text.isReadOnly()
    assert path.read_bytes() == before


def test_unknown_commands_are_not_sent(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample(BRANCHED)
    before = path.read_bytes()
    pane = open_session(window, path, qtbot)
    write(pane, "/drop everything", qtbot)
    with qtbot.waitSignal(pane.said) as said:
        qtbot.keyClick(pane.composer.text, Qt.Key.Key_Return)
    assert said.args is not None
    assert "/drop" in said.args[0]
    assert not pane.runner.is_running
    assert pane.composer.text.toPlainText() == "/drop everything"
    pane.composer.text.setPlainText("/compact keep names")
    qtbot.mouseClick(pane.composer.send, Qt.MouseButton.LeftButton)
    assert pane.tabs.currentWidget() is pane.compaction_tab
    assert pane.compaction_tab.instructions.toPlainText() == "keep names"
    pane.composer.text.setPlainText("/tree")
    qtbot.mouseClick(pane.composer.send, Qt.MouseButton.LeftButton)
    assert pane.tree.hasFocus()
    assert path.read_bytes() == before


def test_images_are_pasted_dropped_and_taken_back(
    window: MainWindow, sample: Sample, qtbot: QtBot, tmp_path: Path
) -> None:
    path = sample(BRANCHED)
    picture = tmp_path / "picture.png"
    picture.write_bytes(PNG)
    book = Playbook(answers("A dot."))
    with book.server as server:
        set_up_model(server.url)
        pane = open_session(window, path, qtbot)
        attachments = pane.composer.attachments
        image = QImage(3, 3, QImage.Format.Format_RGB32)
        image.fill(QColor("red"))
        QApplication.clipboard().setImage(image)
        with qtbot.waitSignal(attachments.changed, timeout=20_000):
            pane.composer.text.paste()
        dropped = QMimeData()
        dropped.setUrls([QUrl.fromLocalFile(str(picture))])
        with qtbot.waitSignal(attachments.changed, timeout=20_000):
            pane.composer.text.insertFromMimeData(dropped)
        assert len(attachments.buttons) == 2
        qtbot.mouseClick(attachments.buttons[0], Qt.MouseButton.LeftButton)
        assert len(attachments.images) == 1
        assert send(pane, "What is it?", qtbot) == "done"
        assert attachments.images == ()
    text, block = records_of(path)[-2]["message"]["content"]
    assert text["text"] == "What is it?"
    assert (block["type"], block["mimeType"]) == ("image", "image/png")
    assert book.asked[0]["messages"][-1]["content"][-1]["type"] == "image_url"


def test_a_file_that_is_no_image_is_refused(window: MainWindow, sample: Sample, qtbot: QtBot, tmp_path: Path) -> None:
    pane = open_session(window, sample(BRANCHED), qtbot)
    fake = tmp_path / "fake.png"
    fake.write_text("no image")
    with qtbot.waitSignal(pane.said, timeout=20_000) as said:
        pane.composer.attachments.add_files([fake])
    assert said.args is not None
    assert "fake.png" in said.args[0]
    assert pane.composer.attachments.images == ()


def test_unsent_text_comes_back(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample(BRANCHED)
    pane = open_session(window, path, qtbot)
    write(pane, "not yet sent", qtbot)
    drafts = state_folder() / "drafts"
    qtbot.waitUntil(lambda: drafts.is_dir() and any(drafts.glob("*.txt")), timeout=20_000)  # kept before any closing
    window.close_session()
    pane = open_session(window, path, qtbot)
    qtbot.waitUntil(lambda: pane.composer.text.toPlainText() == "not yet sent", timeout=20_000)
    pane.composer.text.clear()
    window.close_session()
    pane = open_session(window, path, qtbot)
    assert pane.composer.text.toPlainText() == ""


def test_a_copy_of_a_session_has_unsent_text_of_its_own(
    window: MainWindow, sample: Sample, qtbot: QtBot, tmp_path: Path
) -> None:
    path = sample(BRANCHED)
    copy = Path(shutil.copy(path, tmp_path / "copy.jsonl"))
    for file in (path, copy):
        write(open_session(window, file, qtbot), f"unsent in {file.name}", qtbot)
        window.close_session()
    for file in (path, copy):
        pane = open_session(window, file, qtbot)
        qtbot.waitUntil(lambda: pane.composer.text.toPlainText() != "", timeout=20_000)  # noqa: B023
        assert pane.composer.text.toPlainText() == f"unsent in {file.name}"
        window.close_session()


def test_typing_that_never_pauses_survives_a_kill(sample: Sample, tmp_path: Path) -> None:
    path = sample(BRANCHED)
    environment = {**os.environ, "BRANCHWORK_HOME": str(tmp_path / "home")}
    command = [sys.executable, "-m", "tests.gui.killed_typing", str(path)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as typing:
        assert typing.stdout is not None
        while (line := typing.stdout.readline()) and int(line) < 40:
            pass
        typing.kill()
    drafts = [file.read_text("utf-8") for file in (tmp_path / "home" / "state" / "drafts").glob("*.txt")]
    assert [text[:12] for text in drafts] == ["typed on and"]


def test_the_log_and_the_meter_follow_a_retry_and_an_overflow(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = write_session(tmp_path / "played.jsonl", history("omp"))
    book = Playbook(overloaded(), answers("Fine.", context=3000), overflows(), answers("Recovered."))
    with book.server as server:
        set_up_model(
            server.url, model={"contextWindow": 4000}, compaction={"reserveTokens": 500, "keepRecentTokens": 150}
        )
        pane = open_session(window, path, qtbot)
        assert (
            window.status.context.text() == "context ≈618"
        )  # the window of the model that worked here so far is not known
        assert send(pane, "Go.", qtbot) == "done"
        assert window.status.context.text() == "context 3.0k of 4.0k"
        assert "3500" in window.status.context.toolTip()
        assert send(pane, "word " * 100, qtbot) == "done"
        assert window.status.context.text() == "context 500 of 4.0k"
    pane.show_event_log()
    dialog = pane.work.log_dialog
    assert dialog is not None
    shown = dialog.text.toPlainText()
    for words in ("Trying again in", "Trying again helped", "The turn failed", "context was too large", "Compacted:"):
        assert words in shown
    pane.work.log.close()
    lines = [json.loads(line) for line in (state_folder() / "events.jsonl").read_text("utf-8").splitlines()]
    kinds = [line["type"] for line in lines]
    assert kinds.count("turn_start") == kinds.count("turn_end") == 4
    assert [line["reason"] for line in lines if line["type"] == "compaction_end"] == ["overflow"]
    assert all(line["time"] and line["session"] == "played" for line in lines)
    assert TurnDelta.event_name not in kinds


def test_the_meter_is_unknown_right_after_a_compaction(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """Field report K06."""
    pane = open_session(window, sample("real-v3-before-compaction.jsonl"), qtbot)
    window.compact_action.trigger()
    settle(pane, qtbot)
    pane.compaction_tab.keep.setValue(5000)
    settle(pane, qtbot)
    with qtbot.waitSignal(pane.runner.ended, timeout=20_000):
        qtbot.mouseClick(pane.compaction_tab.compact, Qt.MouseButton.LeftButton)
    settle(pane, qtbot)
    assert window.status.context.text().startswith("context ? (≈")


def append_as_agent(path: Path, entry_id: str, parent_id: str, tokens: int) -> None:
    """What an agent at work writes: an answer that measures the context, now."""
    usage = {"input": tokens, "output": 0, "cacheRead": 0, "cacheWrite": 0, "totalTokens": tokens}
    cost = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}
    message = {
        "role": "assistant", "content": [{"type": "text", "text": "At work."}], "api": "x", "provider": "acme",
        "model": "acme-1", "usage": usage | {"cost": cost}, "stopReason": "stop", "timestamp": 1,
    }  # fmt: skip
    entry = {"type": "message", "id": entry_id, "parentId": parent_id, "timestamp": "2026-01-02T00:00:00.000Z"}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry | {"message": message}) + "\n")


def test_an_agent_at_work_moves_the_meter_and_writing_beside_it_is_asked_about(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = write_session(tmp_path / "played.jsonl", history("pi"))
    set_up_model("http://127.0.0.1:9")
    pane = open_session(window, path, qtbot)
    append_as_agent(path, "agent1", "a2", 64_000)
    qtbot.waitUntil(lambda: window.status.context.text() == "context 64.0k of 128k", timeout=10_000)
    settle(pane, qtbot)
    before = path.read_bytes()
    pane.edits.set_label("mine")
    qtbot.waitUntil(lambda: isinstance(pane.questions.dialog, WriterDialog), timeout=20_000)
    dialog = pane.questions.dialog
    assert isinstance(dialog, WriterDialog)
    with qtbot.waitSignal(pane.runner.ended, timeout=20_000):
        qtbot.mouseClick(dialog.stop_button, Qt.MouseButton.LeftButton)
    assert path.read_bytes() == before
    pane.edits.set_label("mine")
    qtbot.waitUntil(lambda: isinstance(pane.questions.dialog, WriterDialog), timeout=20_000)
    dialog = pane.questions.dialog
    assert isinstance(dialog, WriterDialog)
    with qtbot.waitSignal(pane.runner.ended, timeout=20_000):
        qtbot.mouseClick(dialog.write_button, Qt.MouseButton.LeftButton)
    assert records_of(path)[-1]["label"] == "mine"


@pytest.mark.parametrize("answer", ["stop", "escape", "write"])
def test_a_summary_beside_an_agent_that_went_on_is_asked_about(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, answer: str
) -> None:
    """The leaf stands at the end; while a summary is made, an agent goes on from there."""
    path = write_session(tmp_path / "long.jsonl", long_session())
    pane = open_session(window, path, qtbot)
    session = pane.document.session
    assert session is not None
    leaf_id = session.leaf_id
    assert leaf_id is not None
    window.compact_action.trigger()
    settle(pane, qtbot)
    pane.compaction_tab.keep.setValue(150)
    settle(pane, qtbot)
    pane.compaction_tab.review.setChecked(True)
    qtbot.mouseClick(pane.compaction_tab.compact, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: isinstance(pane.questions.dialog, ReviewDialog), timeout=10_000)
    append_as_agent(path, "agent1", leaf_id, 1000)
    before = path.read_bytes()
    assert isinstance(pane.questions.dialog, ReviewDialog)
    pane.questions.dialog.accept_text()
    qtbot.waitUntil(lambda: isinstance(pane.questions.dialog, WriterDialog), timeout=20_000)
    dialog = pane.questions.dialog
    assert isinstance(dialog, WriterDialog)
    assert "Goal" in dialog.text.toPlainText()
    dialog.copy_button.click()
    assert "## Goal" in QApplication.clipboard().text()
    assert path.read_bytes() == before
    with qtbot.waitSignal(pane.runner.ended, timeout=20_000):
        if answer == "escape":
            qtbot.keyClick(dialog, Qt.Key.Key_Escape)
        else:
            button = dialog.write_button if answer == "write" else dialog.stop_button
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settle(pane, qtbot)
    if answer == "write":
        assert records_of(path)[-1]["parentId"] == leaf_id
        qtbot.waitUntil(lambda: "newest message" in pane.banner.text.text(), timeout=20_000)
        qtbot.mouseClick(pane.banner.action, Qt.MouseButton.LeftButton)
        assert pane.place.entry_id == "agent1"
        return
    assert path.read_bytes() == before
    qtbot.waitUntil(lambda: session.leaf_id == "agent1", timeout=20_000)  # gone along, as when nothing runs
    assert pane.compaction_tab.stream.is_kept
    assert "Goal" in pane.compaction_tab.stream.toPlainText()
    if answer == "stop":
        assert "nothing was saved" in pane.banner.text.text()


def test_newest_messages_on_another_branch_are_told_whenever_they_come(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = write_session(tmp_path / "played.jsonl", history("pi"))
    pane = open_session(window, path, qtbot)
    assert not pane.banner.isVisible()
    append_as_agent(path, "agent1", "a1", 1000)
    qtbot.waitUntil(pane.banner.isVisible, timeout=10_000)
    assert "newest message" in pane.banner.text.text()
    pane.banner.hide()
    append_as_agent(path, "agent2", "agent1", 1000)
    qtbot.waitUntil(lambda: pane.document.index is not None and pane.document.index.row_of("agent2") is not None)
    settle(pane, qtbot)
    assert not pane.banner.isVisible()  # that branch was told of
    append_as_agent(path, "agent3", "a1", 1000)
    qtbot.waitUntil(pane.banner.isVisible, timeout=10_000)
    qtbot.mouseClick(pane.banner.action, Qt.MouseButton.LeftButton)
    assert pane.place.entry_id == "agent3"


def test_a_compaction_of_the_agent_is_told(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = write_session(tmp_path / "played.jsonl", history("pi"))
    pane = open_session(window, path, qtbot)
    entry = {
        "type": "compaction", "id": "c", "parentId": "a2", "timestamp": "2026-01-02T00:00:00.000Z",
        "summary": "Short.", "firstKeptEntryId": "u2", "tokensBefore": 3000,
    }  # fmt: skip
    with qtbot.waitSignal(pane.said, timeout=20_000) as said, path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")
    assert said.args == ["The agent at work has compacted its context."]
    qtbot.waitUntil(lambda: window.status.context.text().startswith("context ? (≈"), timeout=20_000)


def test_a_compaction_by_hand_stops_the_turn_first(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample("real-v3-before-compaction.jsonl")
    book = Playbook(stalls("Half an"))
    with book.server as server:
        set_up_model(server.url, model={"contextWindow": 1_000_000})
        pane = open_session(window, path, qtbot)
        window.compact_action.trigger()
        settle(pane, qtbot)
        pane.compaction_tab.keep.setValue(5000)
        settle(pane, qtbot)
        write(pane, "Go.", qtbot)
        qtbot.keyClick(pane.composer.text, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: pane.live.text.toPlainText() != "", timeout=10_000)
        qtbot.waitUntil(lambda: not pane.is_computing and pane.compaction_tab.compact.isEnabled(), timeout=10_000)
        with qtbot.waitSignal(pane.compaction.compacted, timeout=20_000):
            qtbot.mouseClick(pane.compaction_tab.compact, Qt.MouseButton.LeftButton)
        settle(pane, qtbot)
    *_, answer, compaction = records_of(path)
    assert (answer["message"]["stopReason"], compaction["type"]) == ("aborted", "compaction")


@pytest.mark.parametrize("dialect", ["pi", "omp"])
def test_pruning_by_hand_is_shown_first(window: MainWindow, qtbot: QtBot, tmp_path: Path, dialect: Any) -> None:
    path = write_session(tmp_path / "played.jsonl", history(dialect, 8, tool_tokens=10_000))
    before = path.read_bytes()
    pane = open_session(window, path, qtbot)
    window.prune_action.trigger()
    qtbot.waitUntil(lambda: pane.work.pruning.dialog is not None and pane.work.pruning.dialog.isVisible())
    dialog = pane.work.pruning.dialog
    assert isinstance(dialog, PruneDialog)
    table = dialog.findChild(QTableWidget)
    assert isinstance(table, QTableWidget)
    assert (table.rowCount(), table.item(0, 1).text()) == (4, "t0")
    assert "39964" in dialog.title.text()
    assert path.read_bytes() == before
    with qtbot.waitSignal(pane.said, timeout=20_000) as said:
        qtbot.mouseClick(dialog.prune_button, Qt.MouseButton.LeftButton)
    settle(pane, qtbot)
    assert_agents_open(path)
    assert said.args is not None
    if dialect == "omp":
        [backup] = tmp_path.glob("*.bak")
        assert backup.read_bytes() == before
        assert said.args[0].endswith(f"The file as it was: {backup.name}")
    else:
        assert said.args[0].endswith("To undo it, go to the entry before the new ones.")
        assert path.read_bytes().startswith(before)
    window.prune_action.trigger()
    qtbot.waitUntil(lambda: pane.work.pruning.dialog is not None, timeout=20_000)
    again = pane.work.pruning.dialog
    assert again is not None
    assert again.title.text() == "Nothing to prune"
    again.reject()


def test_the_position_is_remembered(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample(BRANCHED)
    pane = open_session(window, path, qtbot)
    session = pane.document.session
    assert session is not None
    target = session.snapshot().path(session.leaf_id)[-3]["id"]
    session.move_leaf(target)
    window.close_session()
    pane = open_session(window, path, qtbot)
    assert pane.document.session is not None
    assert pane.document.session.leaf_id == target
    assert window.status.position.isVisible()
