"""What the composer holds when one goes from place to place: the messages of the places, and what a person wrote."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.session_pane import SessionPane
from services.app_folders import state_folder
from tests.gui.conftest import open_session, settle
from tests.gui.test_turns import PNG, send, set_up_model, write
from tests.services.sessions import write_session
from tests.turns.playbook import Playbook, answers, records_of

FIRST, ANSWER, SECOND, END = "a0000001", "a0000002", "a0000003", "a0000004"
PICTURE = {"type": "image", "mimeType": "image/png", "data": base64.b64encode(PNG).decode()}


def message(id: str, parent: str | None, role: str, *content: dict[str, Any]) -> dict[str, Any]:
    said = {"role": role, "content": list(content), "timestamp": 1_700_000_000_000}
    if role == "assistant":
        said |= {"api": "a", "provider": "p", "model": "m", "stopReason": "stop"}
    return {"type": "message", "id": id, "parentId": parent, "timestamp": "2026-01-01T00:00:00.000Z", "message": said}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


@pytest.fixture
def pane(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> SessionPane:
    """A session with two questions; the first one has a picture that can be sent again and two that can't."""
    header = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/"}
    strange = {"type": "image", "mimeType": "image/tiff", "data": PICTURE["data"]}
    missing = {"type": "image", "mimeType": "image/png", "data": "blob:sha256:" + "0" * 64}
    entries = [
        message(FIRST, None, "user", text("First\u00a0question"), PICTURE, strange, missing),
        message(ANSWER, FIRST, "assistant", text("One.")),
        message(SECOND, ANSWER, "user", text("Second question")),
        message(END, SECOND, "assistant", text("Two.")),
    ]
    return open_session(window, write_session(tmp_path / "talk.jsonl", [header, *entries]), qtbot)


def go(pane: SessionPane, entry_id: str, qtbot: QtBot) -> None:
    """Go to an entry without a summary."""
    assert pane.select_id(entry_id)
    with qtbot.waitSignal(pane.runner.ended, timeout=10_000):
        pane.take_selected()
    settle(pane, qtbot)


def held(pane: SessionPane) -> str:
    return pane.composer.text.toPlainText().replace("\u00a0", " ")


def test_an_untouched_message_makes_way_for_that_of_the_next_place(pane: SessionPane, qtbot: QtBot) -> None:
    composer = pane.composer
    go(pane, FIRST, qtbot)
    assert held(pane) == "First question"
    go(pane, SECOND, qtbot)
    assert (held(pane), composer.is_offering()) == ("Second question", False)
    go(pane, FIRST, qtbot)
    assert (held(pane), composer.is_offering()) == ("First question", False)
    go(pane, END, qtbot)
    assert (held(pane), composer.attachments.images, composer.attachments.isVisible()) == ("", (), False)
    go(pane, FIRST, qtbot)
    with qtbot.waitSignal(pane.jumps.travelled, timeout=10_000):
        pane.jumps.back()
    assert held(pane) == ""


def test_ones_own_words_stay_and_the_message_is_offered(pane: SessionPane, qtbot: QtBot) -> None:
    composer = pane.composer
    go(pane, SECOND, qtbot)
    composer.text.setFocus()
    qtbot.keyClicks(composer.text, "My ")
    go(pane, FIRST, qtbot)
    assert (held(pane), composer.is_offering()) == ("My Second question", True)
    assert composer.attachments.images == ()
    qtbot.mouseClick(composer.take, Qt.MouseButton.LeftButton)
    assert (held(pane), composer.is_offering()) == ("First question", False)
    assert len(composer.attachments.images) == 1
    composer.text.undo()
    assert held(pane) == "My Second question"


@pytest.mark.parametrize("typed", ["", "My "])
def test_an_untouched_message_makes_way_when_an_agent_goes_on_from_there(
    pane: SessionPane, qtbot: QtBot, typed: str
) -> None:
    go(pane, SECOND, qtbot)
    with qtbot.waitSignal(pane.runner.ended, timeout=10_000):
        pane.edits.set_resume_point()
    settle(pane, qtbot)
    assert held(pane) == "Second question", "it still belongs behind what was written by ourselves"
    pane.composer.text.setFocus()
    qtbot.keyClicks(pane.composer.text, typed)
    session = pane.document.session
    assert session is not None
    with pane.document.path.open("a") as file:
        file.write(json.dumps(message("b0000001", session.leaf_id, "user", text("Asked in the agent"))) + "\n")
    qtbot.waitUntil(lambda: session.leaf_id == "b0000001", timeout=10_000)
    settle(pane, qtbot)
    assert (held(pane), pane.composer.is_offering()) == (f"{typed}Second question" if typed else "", False)


@pytest.mark.parametrize("way", ["escape in the text", "escape on a button", "button", "next place"])
def test_an_offer_can_be_dismissed(pane: SessionPane, qtbot: QtBot, way: str) -> None:
    composer = pane.composer
    write(pane, "Mine", qtbot)
    go(pane, FIRST, qtbot)
    assert composer.is_offering()
    if way == "button":
        qtbot.mouseClick(composer.dismiss, Qt.MouseButton.LeftButton)
    elif way == "next place":
        go(pane, END, qtbot)
    else:
        widget = composer.text if way == "escape in the text" else composer.take
        widget.setFocus()
        qtbot.keyClick(widget, Qt.Key.Key_Escape)
        assert composer.text.hasFocus()
    assert (held(pane), composer.is_offering()) == ("Mine", False)


def test_an_offer_is_gone_after_sending(pane: SessionPane, qtbot: QtBot) -> None:
    with Playbook(answers("Three.")).server as server:
        set_up_model(server.url)
        write(pane, "Mine", qtbot)
        go(pane, FIRST, qtbot)
        assert pane.composer.is_offering()
        assert send(pane, "", qtbot) == "done"
    assert (held(pane), pane.composer.is_offering()) == ("", False)


def test_images_of_a_message_come_along(pane: SessionPane, qtbot: QtBot) -> None:
    path = pane.document.path
    attachments = pane.composer.attachments
    go(pane, FIRST, qtbot)
    assert [image.data for image in attachments.images] == [PICTURE["data"]]
    assert attachments.note.isVisible()
    assert attachments.note.text() == "2 images of the message can't be sent again"
    with Playbook(answers("Three.")).server as server:
        set_up_model(server.url)
        assert send(pane, "", qtbot) == "done"
    _, picture = records_of(path)[-2]["message"]["content"]
    assert picture == PICTURE
    assert not attachments.isVisible()


def test_a_message_that_was_only_put_there_is_no_draft(
    window: MainWindow, pane: SessionPane, qtbot: QtBot, sample: Callable[[str], Path]
) -> None:
    path = pane.document.path
    go(pane, SECOND, qtbot)
    window.close_session()
    again = open_session(window, path, qtbot)
    assert held(again) == ""
    go(again, SECOND, qtbot)
    again.composer.text.setFocus()
    qtbot.keyClicks(again.composer.text, "My ")
    drafts = state_folder() / "drafts"
    qtbot.waitUntil(lambda: drafts.is_dir() and any(drafts.glob("*.txt")), timeout=20_000)
    window.close_session()
    third = open_session(window, path, qtbot)
    qtbot.waitUntil(lambda: held(third) == "My Second question", timeout=20_000)
