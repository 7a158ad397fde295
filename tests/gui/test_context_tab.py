"""The *Context* tab: what the model would see, with its sizes apart, and the exact count of another process."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from pytestqt.qtbot import QtBot

from gui import context_control
from gui.inspector.context_table import MARK, ROLE, SUM, TEXT, TOKENS
from gui.main_window import MainWindow
from gui.number_text import full_count
from gui.session_pane import SessionPane
from model.context import path_context
from model.json_text import JsonObject
from model.rich_text import LINE_CHARACTERS
from services.cancellation import CancellationToken
from services.errors import ServiceError
from services.token_counter import exact_token_counter
from tests.gui.conftest import click_entry, open_session, settle
from tests.gui.test_turns import send, set_up_model
from tests.turns.playbook import Playbook, answers

Sample = Callable[[str], Path]
TIME = "2026-01-01T00:00:00.000Z"


def said(id: str, parent: str | None, role: str, text: str, **more: Any) -> JsonObject:
    message = {"role": role, "content": [{"type": "text", "text": text}], "timestamp": 1, **more}
    return {"type": "message", "id": id, "parentId": parent, "timestamp": TIME, "message": message}


def written(folder: Path, entries: list[JsonObject]) -> Path:
    path = folder / "session.jsonl"
    header = {"type": "session", "version": 3, "id": "s1", "timestamp": TIME, "cwd": "/w"}
    path.write_text("".join(json.dumps(record) + "\n" for record in [header, *entries]), "utf-8")
    return path


def show(window: MainWindow, path: Path, qtbot: QtBot, entry_id: str | None = None) -> SessionPane:
    pane = open_session(window, path, qtbot)
    pane.tabs.setCurrentWidget(pane.context_tab)
    if entry_id is not None:
        click_entry(pane, entry_id, qtbot)
    settle(pane, qtbot)
    return pane


def shown(pane: SessionPane, column: int) -> list[str]:
    model = pane.context_tab.model
    return [model.data(model.index(row, column)) for row in range(model.rowCount())]


def test_t08_only_the_path_to_the_entry_is_sent(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """T08: what was abandoned never appears as if it had happened."""
    entries = [
        said("a", None, "user", "start"),
        said("b", "a", "assistant", "abandoned once"),
        said("c", "a", "assistant", "abandoned twice"),
        said("d", "a", "assistant", "what happened"),
        said("e", "d", "user", "go on"),
    ]
    pane = show(window, written(tmp_path, entries), qtbot)
    assert shown(pane, TEXT) == ["start", "what happened", "go on"]
    click_entry(pane, "b", qtbot)
    settle(pane, qtbot)
    assert shown(pane, TEXT) == ["start", "abandoned once"]


def test_messages_marks_and_sums(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = show(window, sample("real-v3-branched.jsonl"), qtbot)
    session = pane.document.session
    assert session is not None
    context = path_context(session.snapshot().path(session.leaf_id))
    tab = pane.context_tab
    assert tab.model.rowCount() == len(context.messages)
    assert [row.message.entry_id for row in tab.model.rows] == context.source_ids
    assert "summary" in shown(pane, MARK)
    assert not tab.table.isColumnHidden(MARK)
    totals = [row.message.total for row in tab.model.rows]
    assert totals == sorted(totals)
    assert tab.sizes.fact("estimate").startswith(full_count(totals[-1]))
    assert tab.sizes.fact("recorded").startswith(full_count(16_640))
    assert tab.sizes.fact("calibrated").startswith(full_count(16_640))
    assert shown(pane, ROLE)[0] == "system"
    assert len(shown(pane, TOKENS)) == len(shown(pane, SUM))


def test_c09_k01_sizes_are_apart_and_named(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """K01, C09: recorded, estimated and calibrated sizes of a Chinese session; after a compaction nothing is known."""
    entries = [
        said("a", None, "user", "中" * 1000),
        said("b", "a", "assistant", "文" * 1000, usage={"totalTokens": 2500}),
        said("c", "b", "user", "中" * 1000),
        {"type": "compaction", "id": "k", "parentId": "c", "timestamp": TIME, "summary": "S", "firstKeptEntryId": "c"},
    ]
    pane = show(window, written(tmp_path, entries), qtbot, "c")
    sizes = pane.context_tab.sizes
    assert sizes.fact("recorded").startswith(full_count(2_500))
    assert "2 of 3" in sizes.fact("recorded")
    assert sizes.fact("estimate").startswith(full_count(750))
    assert sizes.fact("calibrated").startswith(full_count(3_750))
    assert sizes.fact("exact") == "not counted"
    click_entry(pane, "k", qtbot)
    settle(pane, qtbot)
    assert sizes.fact("recorded") == sizes.fact("calibrated") == "nothing recorded yet"
    assert shown(pane, MARK) == ["summary", "kept"]


def test_a_message_is_read_as_the_model_gets_it(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    entries = [
        said("a", None, "user", "long " * 20_000 + "the end"),
        {
            "type": "branch_summary",
            "id": "b",
            "parentId": "a",
            "timestamp": TIME,
            "summary": "what was left",
            "fromId": "x",
        },
    ]
    pane = show(window, written(tmp_path, entries), qtbot)
    tab = pane.context_tab
    tab.table.selectRow(1)
    settle(pane, qtbot)
    assert "<summary>" in tab.text.toPlainText()
    assert "what was left" in tab.text.toPlainText()
    tab.table.selectRow(0)
    settle(pane, qtbot)
    assert max(map(len, tab.text.toPlainText().split("\n"))) <= LINE_CHARACTERS
    window.activateWindow()
    tab.table.setFocus()
    qtbot.waitUntil(tab.table.hasFocus)
    with qtbot.waitSignal(tab.entry_wanted) as wanted:
        qtbot.keyClick(tab.table, Qt.Key.Key_Return)
    assert wanted.args == ["a"]
    assert pane.selected_id == "a"


def test_a_message_that_is_read_stays_while_the_session_goes_on(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    names = [f"e{number:02}" for number in range(60)]
    entries = [
        said(name, parent, "user" if number % 2 else "assistant", f"message {number}")
        for number, (name, parent) in enumerate(zip(names, [None, *names[:-1]], strict=True))
    ]
    path = written(tmp_path, entries)
    pane = show(window, path, qtbot)
    tab = pane.context_tab
    bar = tab.table.verticalScrollBar()
    tab.table.selectRow(30)
    bar.setValue(1)  # it is out of sight
    settle(pane, qtbot)
    assert "message 30" in tab.text.toPlainText()
    seen: list[bool] = []
    tab.text.textChanged.connect(lambda: seen.append(True))
    with path.open("a") as file:
        file.write(json.dumps(said("new", names[-1], "user", "one more")) + "\n")
    qtbot.waitUntil(lambda: tab.model.rowCount() == 61, timeout=20_000)
    settle(pane, qtbot)
    assert (tab.table.currentIndex().row(), bar.value()) == (30, 1)
    assert "message 30" in tab.text.toPlainText()
    assert not seen, "it is not even painted again"
    pane.select_id(names[20])
    settle(pane, qtbot)
    assert tab.model.rowCount() == 21
    assert not tab.table.currentIndex().isValid(), "there is no such message"
    assert not tab.text.toPlainText()


def test_a_row_is_read_aloud_with_its_marks(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = show(window, sample("real-v3-branched.jsonl"), qtbot)
    model = pane.context_tab.model
    row = shown(pane, MARK).index("summary")
    spoken = model.data(model.index(row, ROLE), Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("user, summary, ")
    assert "tokens up to here" in spoken
    table = QAccessible.queryAccessibleInterface(pane.context_tab.table)
    assert table.text(QAccessible.Text.Name) == "Messages of the context"


def test_the_exact_count_is_made_elsewhere_and_shown(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = show(window, sample("real-v3-branched.jsonl"), qtbot)
    tab = pane.context_tab
    expected = exact_token_counter().count_all(text for row in tab.model.rows for text in row.message.counted_texts)
    assert expected is not None
    qtbot.mouseClick(tab.count, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    qtbot.waitUntil(lambda: tab.sizes.fact("exact").startswith(full_count(expected)), timeout=60_000)
    assert not tab.count.isEnabled()


def test_the_window_itself_never_loads_the_tokenizer() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import gui.session_pane, sys; print('tiktoken' in sys.modules)"],
        capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2], timeout=60,
    )  # fmt: skip
    assert done.stdout.strip() == "False"


class _Counting:
    """Stands for the other process: counts until it is told to stop."""

    def __init__(self) -> None:
        self.tokens: list[CancellationToken] = []
        self.started = threading.Semaphore(0)

    def __call__(self, _texts: list[str], token: CancellationToken) -> int:
        self.tokens.append(token)
        stopped = threading.Event()
        token.add_callback(stopped.set)
        self.started.release()
        stopped.wait(60)
        token.raise_if_set()
        return 0


def test_counting_can_be_stopped_and_ends_with_the_tab(
    window: MainWindow, sample: Sample, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    counting = _Counting()
    monkeypatch.setattr(context_control, "count_in_process", counting)
    pane = show(window, sample("real-v3-branched.jsonl"), qtbot)
    tab = pane.context_tab

    def start() -> CancellationToken:
        qtbot.mouseClick(tab.count, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
        assert counting.started.acquire(timeout=30)
        assert tab.sizes.fact("exact") == "counting…"
        return counting.tokens[-1]

    token = start()
    qtbot.mouseClick(tab.count, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert token.is_set()
    assert tab.sizes.fact("exact") == "not counted"
    token = start()
    pane.tabs.setCurrentWidget(pane.entry_tab)
    assert token.is_set()
    pane.tabs.setCurrentWidget(pane.context_tab)
    qtbot.waitUntil(lambda: len(counting.tokens) == 3, timeout=20_000)  # by itself, once somebody looks again
    window.sessions.close_pane(pane)
    assert counting.tokens[-1].is_set()


def test_a_count_that_fails_says_why(
    window: MainWindow, sample: Sample, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_texts: list[str], _token: CancellationToken) -> int:
        raise ServiceError("No process today.")

    monkeypatch.setattr(context_control, "count_in_process", fail)
    pane = show(window, sample("real-v3-branched.jsonl"), qtbot)
    tab = pane.context_tab
    qtbot.mouseClick(tab.count, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    qtbot.waitUntil(lambda: tab.sizes.fact("exact") == "No process today.")
    assert tab.count.isEnabled()


@pytest.mark.usefixtures("turkish")
def test_what_a_message_consists_of_is_named_in_the_language_of_the_window(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    content = [
        {"type": "thinking", "thinking": "Hm."},
        {"type": "toolCall", "id": "c1", "name": "read", "arguments": {"path": "a.py"}},
        {"type": "toolCall", "id": "c2", "name": "list", "arguments": {}},
    ]
    entries = [said("u1", None, "user", "Ask."), said("a1", "u1", "assistant", "", content=content)]
    pane = show(window, written(tmp_path, entries), qtbot, "a1")
    assert shown(pane, TEXT)[1] == "[Düşünme] Hm. [read çağrısı] path: a.py [list çağrısı] (argüman yok)"
    pane.context_tab.table.selectRow(1)
    qtbot.waitUntil(lambda: bool(pane.context_tab.text.toPlainText()), timeout=20_000)
    assert pane.context_tab.text.toPlainText().startswith("[Düşünme]\nHm.\n\n[read çağrısı]\npath: a.py")


def test_what_send_sends_from_here_is_told_beside_what_the_agent_would_send(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    """The two are not the same, and both counts are true."""
    call = {"type": "toolCall", "id": "c1", "name": "read", "arguments": {"path": "a.py"}}
    entries = [
        said("s", None, "system", "Be brief."),
        said("a", "s", "user", "Look."),
        said("b", "a", "assistant", "Looking.", stopReason="toolUse", usage={"totalTokens": 2500}),
        said("t", "b", "toolResult", "def f(): ...", toolCallId="c1", toolName="read", isError=False),
        said("x", "t", "assistant", "", stopReason="error", errorMessage="Overloaded"),
        said("c", "x", "assistant", "A function.", stopReason="stop"),
        said("d", "c", "user", "Go on."),
        said("e", "d", "user", "Please."),
    ]
    entries[2]["message"]["content"].append(call)
    book = Playbook(answers("Fine."))
    with book.server as server:
        set_up_model(server.url)
        pane = show(window, written(tmp_path, entries), qtbot, "e")
        tab = pane.context_tab
        assert tab.model.rowCount() == 8
        assert shown(pane, MARK)[4] == "not sent"
        assert "Overloaded" in shown(pane, TEXT)[4]
        assert "7 messages" in tab._title.text()
        assert "at message 3 of 7" in tab.sizes.fact("recorded")
        told = tab.turn.text()
        assert "Send from here sends 5 messages" in told
        assert "calls are left out (1), what they returned becomes text (1)" in told
        assert "system prompt" in told
        assert "become one" in told
        assert send(pane, "Now.", qtbot) == "done"
    asked = [message["role"] for message in book.asked[0]["messages"]]
    assert asked == ["system", "user", "assistant", "user", "assistant", "user"]


def test_roles_and_marks_are_words_that_people_know(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    command = {"role": "bashExecution", "command": "ls -a", "output": "one", "timestamp": 1, "excludeFromContext": True}
    entries = [
        said("a", None, "user", "start"),
        {"type": "message", "id": "h", "parentId": "a", "timestamp": TIME, "message": command},
        {"type": "branch_summary", "id": "k", "parentId": "h", "timestamp": TIME, "summary": "S", "fromId": "a"},
    ]
    pane = show(window, written(tmp_path, entries), qtbot, "k")
    assert shown(pane, ROLE) == ["user", "bash command", "user"]
    assert shown(pane, MARK) == ["", "not sent", "branch summary"]
    assert "ls -a" in shown(pane, TEXT)[1]
    table = pane.context_tab.table
    metrics = table.fontMetrics()
    for column in (ROLE, MARK):
        for words in shown(pane, column):
            assert table.columnWidth(column) > metrics.horizontalAdvance(words)
    table.selectRow(1)
    settle(pane, qtbot)
    assert "ls -a" in pane.context_tab.text.toPlainText(), "what is not sent can be read as well"


@pytest.mark.parametrize("tab", ["context", "navigate", "compaction"])
def test_a_low_window_stays_low(window: MainWindow, sample: Sample, qtbot: QtBot, tab: str) -> None:
    pane = show(window, sample("real-v3-branched.jsonl"), qtbot)
    pane.tabs.setCurrentWidget(getattr(pane, f"{tab}_tab"))
    settle(pane, qtbot)
    window.resize(700, 500)
    qtbot.waitUntil(lambda: window.height() == 500, timeout=20_000)
