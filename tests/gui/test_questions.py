"""Questions of a running operation: a summary is read before it is saved, likely secrets are decided about."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.review_dialog import LONGEST_LINE, ReviewDialog
from gui.secrets_dialog import SecretsDialog
from gui.session_pane import SessionPane
from gui.source_list import MOST_SOURCES, SourceItem
from gui.summary_text import SummaryText
from services.app_folders import config_folder
from services.operations import DraftSummary, SummarizerInfo
from services.questions import SecretsFound
from services.secrets_scan import find_secrets
from tests.gui.conftest import click_entry, open_session, settle
from tests.services.loopback_server import LoopbackServer, chat

Sample = Callable[[str], Path]

OTHER_BRANCH = "e547f69a"
SUMMARY = "## Goal\nShip it\n\n## Progress\n### Done\n- [x] parser\n- [ ] docs\n\n<read-files>\na.py\n</read-files>"
INFO = SummarizerInfo("model", "acme", "")
SECRET = "sk-ant-" + "aB3dE5gH7jK9mN1pQ3sT5vW7"


def press(key: Qt.Key, qtbot: QtBot, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    focused = QApplication.focusWidget()
    assert isinstance(focused, QWidget)
    qtbot.keyClick(focused, key, modifier)


def compact_and_wait_for_review(window: MainWindow, pane: SessionPane, qtbot: QtBot) -> ReviewDialog:
    window.compact_action.trigger()
    settle(pane, qtbot)
    pane.compaction_tab.keep.setValue(5000)
    settle(pane, qtbot)
    pane.compaction_tab.review.setChecked(True)
    qtbot.mouseClick(pane.compaction_tab.compact, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: pane.questions.dialog is not None, timeout=10_000)
    dialog = pane.questions.dialog
    assert isinstance(dialog, ReviewDialog)
    qtbot.waitExposed(dialog)
    return dialog


def test_a_compaction_is_read_changed_and_saved(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample("real-v3-before-compaction.jsonl")
    before = path.read_bytes()
    pane = open_session(window, path, qtbot)
    dialog = compact_and_wait_for_review(window, pane, qtbot)
    assert path.read_bytes() == before
    assert "Goal" in dialog.sections.toPlainText()
    dialog.text.setFocus()
    qtbot.keyClicks(dialog.text, "Mine. ")
    assert dialog.state.text() == "Changed by you"
    qtbot.waitUntil(lambda: dialog.sections.toPlainText().startswith("Mine."))
    with qtbot.waitSignal(pane.runner.ended, timeout=20_000):
        press(Qt.Key.Key_Return, qtbot, Qt.KeyboardModifier.ControlModifier)
    entry = json.loads(path.read_bytes()[len(before) :])
    assert entry["type"] == "compaction"
    assert entry["summary"].startswith("Mine. ")
    assert pane.questions.dialog is None


@pytest.mark.parametrize("how", ["escape", "discard", "close"])
def test_without_consent_nothing_is_saved(window: MainWindow, sample: Sample, qtbot: QtBot, how: str) -> None:
    path = sample("real-v3-before-compaction.jsonl")
    before = path.read_bytes()
    pane = open_session(window, path, qtbot)
    session = pane.document.session
    assert session is not None
    leaf = session.leaf_id
    dialog = compact_and_wait_for_review(window, pane, qtbot)
    with qtbot.waitSignal(pane.runner.ended, timeout=2000) as ended:
        if how == "escape":
            press(Qt.Key.Key_Escape, qtbot)
        elif how == "discard":
            qtbot.mouseClick(dialog.discard, Qt.MouseButton.LeftButton)
        else:
            dialog.close()
    assert ended.args is not None
    assert ended.args[0].kind == "aborted"
    assert path.read_bytes() == before
    assert session.leaf_id == leaf
    assert pane.questions.dialog is None
    assert not session.busy


def test_a_branch_summary_is_read_only_where_that_was_asked_for(
    window: MainWindow, sample: Sample, qtbot: QtBot
) -> None:
    path = sample("real-v3-branched.jsonl")
    before = path.read_bytes()
    pane = open_session(window, path, qtbot)
    pane.navigate_tab.review.setChecked(True)
    ask_for_summary(window, pane, OTHER_BRANCH, qtbot)
    qtbot.waitUntil(lambda: pane.questions.dialog is not None, timeout=10_000)
    dialog = pane.questions.dialog
    assert isinstance(dialog, ReviewDialog)
    shown = dialog.text.toPlainText()
    with qtbot.waitSignal(pane.runner.ended, timeout=20_000):
        qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    entry = json.loads(path.read_bytes()[len(before) :].splitlines()[0])
    assert entry["type"] == "branch_summary"
    assert entry["summary"] == shown.rstrip()


def test_an_untouched_text_is_saved_as_it_came(qtbot: QtBot) -> None:
    odd = "## Goal\r\nodd\u2028line\x0b end \ud800"
    dialog = ReviewDialog(DraftSummary(odd, INFO))
    qtbot.addWidget(dialog)
    with qtbot.waitSignal(dialog.answered) as answered:
        dialog.accept_text()
    assert answered.args == [odd]


def test_an_empty_text_cannot_be_saved_and_changes_can_be_undone(qtbot: QtBot) -> None:
    dialog = ReviewDialog(DraftSummary(SUMMARY, INFO))
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.text.selectAll()
    qtbot.keyClick(dialog.text, Qt.Key.Key_Delete)
    assert not dialog.save.isEnabled()
    dialog.accept_text()
    assert dialog.isVisible()
    qtbot.mouseClick(dialog.restore, Qt.MouseButton.LeftButton)
    assert dialog.text.toPlainText() == SUMMARY
    assert dialog.save.isEnabled()


def test_an_endless_line_is_saved_whole_but_not_edited(qtbot: QtBot) -> None:
    text = "x" * (LONGEST_LINE + 1)
    dialog = ReviewDialog(DraftSummary(text, INFO))
    qtbot.addWidget(dialog)
    assert dialog.text.isReadOnly()
    with qtbot.waitSignal(dialog.answered) as answered:
        dialog.accept_text()
    assert answered.args == [text]


def test_sections_are_shown_with_their_marks(qtbot: QtBot) -> None:
    view = SummaryText()
    qtbot.addWidget(view)
    view.show_summary(SUMMARY + "\n")
    lines = view.toPlainText().split("\n")
    assert lines[:6] == ["Goal", "Ship it", "Progress", "Done", "✓\u2002parser", "○\u2002docs"]
    assert lines[6:] == ["Files read", "a.py"]
    view.show_summary("<b>no markup</b>")
    assert view.toPlainText() == "<b>no markup</b>"


def go_to_line(dialog: ReviewDialog, number: int) -> str:
    """Put the cursor into a line of the text, by keyboard; return the line."""
    dialog.text.setFocus()
    dialog.text.moveCursor(QTextCursor.MoveOperation.Start)
    for _ in range(number):
        dialog.text.moveCursor(QTextCursor.MoveOperation.NextBlock)
    return dialog.text.textCursor().block().text()


def listed_sources(dialog: ReviewDialog) -> list[str]:
    items = [dialog.sources.list.item(place) for place in range(dialog.sources.list.count())]
    return [item.entry_id for item in items if isinstance(item, SourceItem)]


def test_each_line_of_a_digest_leads_to_its_entries(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """By arrow keys, Enter and mouse; the tree behind the dialog selects the entry."""
    pane = open_session(window, sample("real-v3-before-compaction.jsonl"), qtbot)
    pane.document.set_filter("all")
    settle(pane, qtbot)
    dialog = compact_and_wait_for_review(window, pane, qtbot)
    draft = dialog._draft
    assert dialog.sources.isVisible()
    index = pane.document.index
    assert index is not None
    wanted: list[str] = []
    dialog.entry_wanted.connect(wanted.append)
    with_sources = [number for number, ids in enumerate(draft.line_sources) if ids]
    assert len(with_sources) > 10
    for number in with_sources:
        line = go_to_line(dialog, number)
        assert line == draft.text.split("\n")[number]
        listed = listed_sources(dialog)
        assert listed == list(draft.line_sources[number])[:MOST_SOURCES]
        assert all(index.row_of(entry_id) is not None for entry_id in listed)
    assert not wanted, "reading alone goes nowhere"
    titles = [dialog.sources.list.item(place).text() for place in range(dialog.sources.list.count())]
    assert all(titles)
    assert not set(titles) & set(listed_sources(dialog)), "who speaks and the beginning, not the id"
    several = next(number for number in with_sources if len(draft.line_sources[number]) > 1)
    go_to_line(dialog, several)
    assert dialog.sources.caption.text().startswith("THIS LINE COMES FROM")
    press(Qt.Key.Key_Tab, qtbot)
    assert dialog.sources.list.hasFocus()
    press(Qt.Key.Key_Return, qtbot)
    press(Qt.Key.Key_Down, qtbot)
    ids = draft.line_sources[several]
    assert wanted[0] == ids[0]
    assert wanted[-1] == ids[1]
    assert pane.tree.current_entry() == index.row_of(ids[1])
    first = dialog.sources.list.visualItemRect(dialog.sources.list.item(0)).center()
    qtbot.mouseClick(dialog.sources.list.viewport(), Qt.MouseButton.LeftButton, pos=first)
    assert pane.tree.current_entry() == index.row_of(ids[0])

    go_to_line(dialog, several)
    qtbot.keyClicks(dialog.text, "Changed ")
    assert dialog.sources.list.count() == 0
    assert "NO ENTRY" in dialog.sources.caption.text()
    with qtbot.waitSignal(pane.runner.ended, timeout=20_000):
        press(Qt.Key.Key_Escape, qtbot)


def test_a_models_text_has_no_sources_and_the_short_summary_is_shown(qtbot: QtBot) -> None:
    dialog = ReviewDialog(DraftSummary(SUMMARY, INFO, short_summary="Parser shipped.\n- docs are open"))
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.sources.isVisible()
    shown = dialog.sections.toPlainText().split("\n")
    assert shown[-3:] == ["Short summary", "Parser shipped.", "•\u2002docs are open"]


# --- Secrets ---------------------------------------------------------------------------------------------------------


def with_secret(path: Path) -> None:
    """Put what looks like a key into the branch that is left."""
    lines = path.read_text("utf-8").splitlines()
    last = json.loads(lines[-1])
    entry = {
        "type": "message",
        "id": "5ec2e7aa",
        "parentId": last["id"],
        "timestamp": last["timestamp"],
        "message": {"role": "user", "content": f"use {SECRET} please, and {SECRET} again", "timestamp": 1},
    }
    path.write_text("\n".join([*lines, json.dumps(entry)]) + "\n", "utf-8")


def behind_a_proxy(server: LoopbackServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Configure a model on a host elsewhere, reached through a proxy on this machine."""
    monkeypatch.setenv("http_proxy", server.url)
    monkeypatch.setenv("HTTP_PROXY", server.url)
    model = {
        "provider": "openai-compatible",
        "baseUrl": "http://models.example/v1",
        "modelId": "small",
        "contextWindow": 128_000,
        "plainHttpHosts": ["models.example"],
    }
    config_folder().mkdir(parents=True, exist_ok=True)
    (config_folder() / "settings.json").write_text(json.dumps({"model": model}), "utf-8")


def ask_for_summary(window: MainWindow, pane: SessionPane, target: str, qtbot: QtBot) -> None:
    window.activateWindow()
    click_entry(pane, target, qtbot)
    settle(pane, qtbot)
    qtbot.waitUntil(pane.tree.hasFocus)
    press(Qt.Key.Key_Return, qtbot)
    tab = pane.navigate_tab
    qtbot.waitUntil(lambda: tab.go.hasFocus() or tab.summarize.hasFocus())
    tab.summarize.setChecked(True)
    tab.submit()


@pytest.mark.parametrize(("answer", "is_sent", "holds_secret"), [
    ("mask", True, False), ("send", True, True), ("stop", False, False), ("escape", False, False),
])  # fmt: skip
def test_likely_secrets_are_asked_about_before_anything_is_sent(
    window: MainWindow,
    sample: Sample,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
    is_sent: bool,
    holds_secret: bool,
) -> None:
    path = sample("real-v3-branched.jsonl")
    with_secret(path)
    before = path.read_bytes()
    with LoopbackServer(chat("## Goal\nShip it")) as server:
        behind_a_proxy(server, monkeypatch)
        pane = open_session(window, path, qtbot)
        ask_for_summary(window, pane, OTHER_BRANCH, qtbot)
        qtbot.waitUntil(lambda: pane.questions.dialog is not None, timeout=10_000)
        dialog = pane.questions.dialog
        assert isinstance(dialog, SecretsDialog)
        assert not server.requests
        cells = [dialog.table.item(0, column) for column in range(4)]
        texts = [cell.text() for cell in cells if cell is not None]
        assert texts[0] == "Anthropic key"
        assert SECRET not in texts[1]
        assert texts[2:] == ["user · 5ec2e7aa", "2"]
        with qtbot.waitSignal(pane.runner.ended, timeout=10_000):
            if answer == "escape":
                press(Qt.Key.Key_Escape, qtbot)
            else:
                buttons = {"mask": dialog.mask_button, "send": dialog.send_button, "stop": dialog.stop_button}
                qtbot.mouseClick(buttons[answer], Qt.MouseButton.LeftButton)
        settle(pane, qtbot)
        if is_sent:  # the answer holds for the host: back again without a question
            ask_for_summary(window, pane, "5ec2e7aa", qtbot)
            with qtbot.waitSignal(pane.runner.ended, timeout=10_000):
                pass
            assert pane.questions.dialog is None
    if not is_sent:
        assert not server.requests
        assert path.read_bytes() == before
    else:
        sent = json.dumps(server.requests[0].json)
        assert (SECRET in sent) == holds_secret
        assert ("[Anthropic key removed]" in sent) != holds_secret


def test_a_secret_leads_to_its_entry_and_enter_sends_nothing(
    window: MainWindow, sample: Sample, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """V07: which entry it is in is said without the secret; it can be looked at before anything is sent."""
    path = sample("real-v3-branched.jsonl")
    with_secret(path)
    before = path.read_bytes()
    with LoopbackServer(chat("## Goal\nShip it")) as server:
        behind_a_proxy(server, monkeypatch)
        pane = open_session(window, path, qtbot)
        ask_for_summary(window, pane, OTHER_BRANCH, qtbot)
        qtbot.waitUntil(lambda: pane.questions.dialog is not None, timeout=10_000)
        dialog = pane.questions.dialog
        assert isinstance(dialog, SecretsDialog)
        assert pane.document.index is not None
        row = pane.document.index.row_of("5ec2e7aa")
        assert pane.tree.current_entry() != row
        qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog)
        dialog.table.setFocus()
        press(Qt.Key.Key_Space, qtbot)
        assert pane.tree.current_entry() == row
        press(Qt.Key.Key_Return, qtbot)
        assert dialog.isVisible()
        assert not server.requests
        with qtbot.waitSignal(pane.runner.ended, timeout=10_000):
            press(Qt.Key.Key_Escape, qtbot)
        assert pane.tree.current_entry() == row
        assert not server.requests
    assert path.read_bytes() == before


def test_each_entry_of_a_secret_has_a_row(qtbot: QtBot) -> None:
    secrets = tuple(find_secrets(f"a {SECRET} b ghp_{'aB3d' * 9} c {SECRET}"))
    found = SecretsFound("models.example", secrets, (("e1", "e2"), (), ("e1", "e2")))
    dialog = SecretsDialog(found, name_of=lambda entry_id: f"User · {entry_id}")
    qtbot.addWidget(dialog)
    cells = [
        [item.text() for column in range(4) if (item := dialog.table.item(row, column)) is not None]
        for row in range(dialog.table.rowCount())
    ]
    assert [(kind, where, times) for kind, _begins, where, times in cells] == [
        ("Anthropic key", "User · e1", "2"),
        ("Anthropic key", "User · e2", ""),
        ("GitHub token", "no entry of the session", "1"),
    ]


def test_the_question_names_host_and_kinds_and_masks_by_default(qtbot: QtBot) -> None:
    text = f"a {SECRET} b ghp_{'aB3d' * 9} c {SECRET}"
    dialog = SecretsDialog(SecretsFound("models.example", tuple(find_secrets(text))))
    qtbot.addWidget(dialog)
    dialog.show()
    assert "3 likely secrets" in dialog.title.text()
    assert "models.example" in dialog.title.text()
    assert dialog.table.rowCount() == 2
    default = next(button for button in dialog.findChildren(QPushButton) if button.isDefault())
    assert default is dialog.mask_button
    with qtbot.waitSignal(dialog.answered) as answered:
        qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert answered.args == ["mask"]
