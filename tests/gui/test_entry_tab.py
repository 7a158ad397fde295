"""The *Entry* tab: all of an entry, rendered without ever loading anything, and the ways to what belongs to it."""

from __future__ import annotations

import base64
import hashlib
import json
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QBuffer, QIODevice, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QImage, QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from gui import entry_control
from gui.inspector import entry_images
from gui.inspector import entry_tab as entry_tab_module
from gui.inspector.entry_page import summary_blocks
from gui.inspector.entry_tab import EntryTab
from gui.inspector.page_view import AT_ONCE, BY_ITSELF, PageView
from gui.main_window import MainWindow
from gui.session_pane import SessionPane
from gui.summary_text import SummaryText
from gui.theme import DARK, LIGHT, apply_theme, current_theme
from model.json_text import JsonObject
from model.rich_text import LINE_CHARACTERS, Block, Span
from tests.gui.conftest import open_session, settle

TIME = "2026-01-01T00:00:00.000Z"
HEADER = {"type": "session", "version": 3, "id": "s1", "timestamp": TIME, "cwd": "/w"}
PAYLOAD = '"><img src=http://127.0.0.1:9/x onerror=alert(1)>'


class Session:
    """Entries one behind the other, and the file of them."""

    def __init__(self) -> None:
        self.records: list[JsonObject] = [HEADER]
        self._last: str | None = None

    def add(self, id: str, parent: str | bool | None = True, **fields: Any) -> Session:
        parent_id = self._last if parent is True else parent
        self.records.append({"type": "message", "id": id, "parentId": parent_id, "timestamp": TIME, **fields})
        self._last = id
        return self

    def say(self, id: str, role: str, content: Any, **more: Any) -> Session:
        return self.add(id, message={"role": role, "content": content, "timestamp": 1, **more})

    def open(self, window: MainWindow, folder: Path, qtbot: QtBot) -> SessionPane:
        path = folder / "session.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in self.records), "utf-8")
        return open_session(window, path, qtbot)


def text(block: str) -> list[JsonObject]:
    return [{"type": "text", "text": block}]


def call(id: str, **arguments: Any) -> JsonObject:
    return {"type": "toolCall", "id": id, "name": "read", "arguments": arguments}


def png(width: int, height: int) -> str:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.darkGreen)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return base64.b64encode(bytes(buffer.data().data())).decode("ascii")


def show(pane: SessionPane, entry_id: str, qtbot: QtBot) -> PageView:
    """Show an entry, also one that the filter hides."""
    pane.tabs.setCurrentWidget(pane.entry_tab)
    index = pane.document.index
    assert index is not None
    pane.entry.show_entry(index.row_of(entry_id))
    settle(pane, qtbot)
    return pane.entry_tab.view


def links(view: PageView) -> list[tuple[str, int]]:
    """Text and middle of each link."""
    found = []
    block = view.document().begin()
    while block.isValid():
        pieces = block.begin()
        while not pieces.atEnd():
            piece = pieces.fragment()
            if piece.charFormat().isAnchor():
                found.append((piece.text(), piece.position() + piece.length() // 2))
            pieces += 1
        block = block.next()
    return found


def click_link(view: PageView, words: str, qtbot: QtBot, number: int = 0) -> None:
    place = [middle for link, middle in links(view) if words in link][number]
    cursor = QTextCursor(view.document())
    cursor.setPosition(place)
    view.setTextCursor(cursor)
    view.ensureCursorVisible()
    rect = view.cursorRect(cursor)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())


def take_focus(window: MainWindow, view: PageView, qtbot: QtBot) -> None:
    window.activateWindow()
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)


def images(view: PageView) -> list[str]:
    return [
        piece.charFormat().toImageFormat().name() for piece in fragments(view) if piece.charFormat().isImageFormat()
    ]


def fragments(view: PageView) -> list[Any]:
    found = []
    block = view.document().begin()
    while block.isValid():
        pieces = block.begin()
        while not pieces.atEnd():
            found.append(pieces.fragment())
            pieces += 1
        block = block.next()
    return found


# --- Text ------------------------------------------------------------------------------------------------------------


def test_t02_a_long_message_can_be_read_to_its_end(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """T02: a message of 2 000 characters, and one of a megabyte, to the last word."""
    long = " ".join(f"word{number}" for number in range(300))
    huge = "\n".join(f"line {number} of the output" for number in range(40_000)) + "\nthe very end"
    pane = Session().say("u", "user", long).say("t", "toolResult", text(huge)).open(window, tmp_path, qtbot)
    assert "word299" in show(pane, "u", qtbot).toPlainText()
    view = show(pane, "t", qtbot)
    assert len(view.toPlainText()) < 2 * BY_ITSELF
    presses = 0
    while any("show more" in link for link, _ in links(view)):
        click_link(view, "show more", qtbot)
        qtbot.waitUntil(lambda: not view.is_writing)
        presses += 1
        assert presses < 10
    assert view.toPlainText().endswith("the very end")
    assert view.toPlainText().count("of the output") == 40_000


def test_markdown_is_rendered_or_plain_and_the_choice_is_kept(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    source = "# Title\n\nsome **bold** `code`\n\n- point"
    session = Session().say("u", "user", source).say("a", "assistant", text("see *this*"))
    pane = session.open(window, tmp_path, qtbot)
    view, tab = show(pane, "u", qtbot), pane.entry_tab
    assert view.toPlainText() == "Title\nsome bold code\n•\u2002point"
    assert next(piece for piece in fragments(view) if piece.text() == "bold").charFormat().fontWeight() > 500
    qtbot.mouseClick(tab.forms["plain"], Qt.MouseButton.LeftButton)
    settle(pane, qtbot)
    assert view.toPlainText() == source
    assert "*this*" in show(pane, "a", qtbot).toPlainText()
    window.sessions.close_pane(pane)
    again = open_session(window, tmp_path / "session.jsonl", qtbot)
    assert again.entry_tab.forms["plain"].isChecked()
    assert show(again, "u", qtbot).toPlainText() == source


def test_json_and_the_line_of_the_file(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    pane = Session().say("u", "user", "é \ud83d", odd=[1.0]).open(window, tmp_path, qtbot)
    view = show(pane, "u", qtbot)
    qtbot.mouseClick(pane.entry_tab.forms["json"], Qt.MouseButton.LeftButton)
    settle(pane, qtbot)
    assert json.loads(view.toPlainText())["message"]["odd"] == [1]
    assert view.toPlainText().startswith('{\n  "type": "message",')
    qtbot.mouseClick(pane.entry_tab.forms["line"], Qt.MouseButton.LeftButton)
    settle(pane, qtbot)
    assert view.toPlainText() == (tmp_path / "session.jsonl").read_text("utf-8").split("\n")[1]


def test_json_shows_numbers_as_they_stand_in_the_file(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "session.jsonl"
    header = '{"type":"session","version":3,"id":"s","timestamp":"2026-03-02T06:00:14.600Z","cwd":"/w"}'
    entry = '{"type":"custom","customType":"c","id":"n1","parentId":null,"timestamp":"2026-03-02T06:00:14.600Z","data":'
    path.write_text(f"{header}\n{entry}[12345678901234567890123,1.50,-0,1E5]}}\n", "utf-8")
    pane = open_session(window, path, qtbot)
    view = show(pane, "n1", qtbot)
    qtbot.mouseClick(pane.entry_tab.forms["json"], Qt.MouseButton.LeftButton)
    settle(pane, qtbot)
    assert all(each in view.toPlainText() for each in ("12345678901234567890123", "1.50", "-0", "1E5"))


def test_copying(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    pane = Session().say("u1", "user", "say **it** \ud83d").open(window, tmp_path, qtbot)
    show(pane, "u1", qtbot)
    menu = pane.entry_tab.copy.menu()
    assert menu is not None
    copied = []
    for action in menu.actions():
        with qtbot.waitSignal(pane.said):
            action.trigger()
        copied.append(QGuiApplication.clipboard().text())
    assert copied[0] == "say **it** \ufffd"
    assert json.loads(copied[1])["id"] == json.loads(copied[2])["id"] == copied[3] == "u1"
    assert copied[2] == (tmp_path / "session.jsonl").read_text("utf-8").split("\n")[1]


@pytest.mark.parametrize("message", [
    None, "text", [], {}, {"role": "user", "content": None}, {"role": "user", "content": []},
    {"role": "assistant", "content": [None, 3, {"type": None}]}, {"role": 5, "content": [[]]},
    {"role": "toolResult", "content": {"a": 1}, "toolCallId": 7},
    {"role": "assistant", "content": [{"type": "image", "data": None}, {"type": "thinking"}, {"type": "toolCall"}]},
    {"role": "fileMention", "files": [None, {"path": 3, "image": {"data": 5}}]}, {"role": "bashExecution", "output": 5},
])  # fmt: skip
def test_s18_odd_content_is_no_content(message: Any, window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """S18: nulls and wrong types say so, in all forms, and nothing raises."""
    pane = Session().add("m", message=message).say("z", "user", "end").open(window, tmp_path, qtbot)
    view = show(pane, "m", qtbot)
    assert view.toPlainText()
    for form in pane.entry_tab.forms.values():
        qtbot.mouseClick(form, Qt.MouseButton.LeftButton)
        settle(pane, qtbot)
        assert view.toPlainText()


def test_empty_content_says_so(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    pane = Session().say("u", "user", None).open(window, tmp_path, qtbot)
    assert show(pane, "u", qtbot).toPlainText() == "No content"


# --- Safety ----------------------------------------------------------------------------------------------------------


def test_v01_v03_nothing_of_a_text_is_run_or_loaded(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """V01, V03: markup in ids, names, roles and results is literal text, and no request is made for anything."""
    asked: list[object] = []
    monkeypatch.setattr(socket.socket, "connect", lambda *each: asked.append(each))
    loads: list[tuple[object, object]] = []
    load = PageView.loadResource
    monkeypatch.setattr(PageView, "loadResource", lambda view, *each: loads.append(each) or load(view, *each))
    picture = tmp_path / "local.png"
    QImage(4, 4, QImage.Format.Format_RGB32).save(str(picture))
    attack = (
        "<script>location='http://127.0.0.1:9/'</script>\n"
        '<meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/">\n'
        '<iframe src="http://127.0.0.1:9/"></iframe>\n<img src="http://127.0.0.1:9/x.png">\n'
        f'<img src="{picture.as_uri()}">\n![a](http://127.0.0.1:9/y.png)\n![b]({picture.as_uri()})\n'
        f"![c]({picture})\n[d](file:///etc/passwd)\n[e](javascript:x)"
    )
    session = (
        Session()
        .say("u", "user", attack)
        .say(PAYLOAD, PAYLOAD, attack, model=PAYLOAD)
        .say("a", "assistant", [*text(attack), {**call(PAYLOAD), "name": PAYLOAD}], provider=PAYLOAD, model=PAYLOAD)
        .say("t", "toolResult", text(attack), toolCallId=PAYLOAD, toolName=PAYLOAD)
        .add("k", type="compaction", summary=f"## {PAYLOAD}\n{attack}", firstKeptEntryId=PAYLOAD)
        .add("c", type="custom", customType=PAYLOAD, data={PAYLOAD: attack})
    )
    pane = session.open(window, tmp_path, qtbot)
    for entry_id in ("u", PAYLOAD, "a", "t", "k", "c"):
        view = show(pane, entry_id, qtbot)
        shown = view.toPlainText()
        assert "<script>location='http://127.0.0.1:9/'</script>" in shown or "<script>location" in shown
        assert "<iframe src=" in shown
        assert images(view) == []
        targets = {piece.charFormat().anchorHref() for piece in fragments(view) if piece.charFormat().isAnchor()}
        assert all(target.startswith(("http://127.0.0.1:9/", "inside:")) for target in targets)
        view.grab()
    assert PAYLOAD in show(pane, "a", qtbot).toPlainText()
    assert loads == []
    assert asked == []


def test_an_image_name_in_the_document_would_load_no_file(tmp_path: Path, qtbot: QtBot) -> None:
    """V03: were a name of a file to get into the document, Qt would read it; it is kept from that."""
    picture = tmp_path / "local.png"
    QImage(4, 4, QImage.Format.Format_RGB32).save(str(picture))
    view = PageView()
    qtbot.addWidget(view)
    view.setHtml(f'<img src="{picture}"><img src="{picture.as_uri()}">')
    view.grab()
    for name in (str(picture), picture.as_uri()):
        assert view.document().resource(2, QUrl(name)).isNull()


def test_v03_tool_tips_show_the_texts_of_a_session_and_load_nothing(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    """V03: Qt takes a tip with tags for a page, and reads the files that it names."""
    attack = "needle <b>bold</b> &lt; <img src='/local.png'>"
    session = Session().say("u", "user", "go").say("b", "user", attack).add("c", "u", message={"role": "user"})
    pane = session.open(window, tmp_path, qtbot)
    pane.tree.setFocus()
    pane.search_bar.open()
    pane.search_bar.text.setText("needle")
    settle(pane, qtbot)
    index, model = pane.document.index, pane.document.model
    assert index is not None
    row = index.row_of("b")
    assert row is not None
    tips = [model.index_of(row).data(Qt.ItemDataRole.ToolTipRole)]
    pane.tabs.setCurrentWidget(pane.compare_tab)
    pane.compare.show_entry(row)
    settle(pane, qtbot)
    tips.append(pane.compare_tab.right.index(0, 0).data(Qt.ItemDataRole.ToolTipRole))
    for tip in tips:
        shown = QTextDocument()
        shown.setHtml(tip)
        assert attack in shown.toPlainText()


def test_links_are_asked_about_first(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(entry_tab_module, "open_in_browser", lambda url: opened.append(url.toString()))
    pane = Session().say("u", "user", "[Safe](https://evil.example/a?b=c%20d)").open(window, tmp_path, qtbot)
    view = show(pane, "u", qtbot)

    def question() -> QMessageBox:
        boxes = [box for box in window.findChildren(QMessageBox) if box.isVisible()]
        return boxes[0]

    for answer, expected in (("Cancel", []), ("Open", ["https://evil.example/a?b=c%20d"])):
        click_link(view, "Safe", qtbot)
        qtbot.waitUntil(lambda: any(box.isVisible() for box in window.findChildren(QMessageBox)))
        box = question()
        assert box.informativeText().replace("\u200b", "") == "https://evil.example/a?b=c%20d"
        assert box.textFormat() == Qt.TextFormat.PlainText
        assert opened == []
        qtbot.mouseClick(
            next(button for button in box.buttons() if button.text().replace("&", "") == answer),
            Qt.MouseButton.LeftButton,
        )
        qtbot.waitUntil(lambda: not any(box.isVisible() for box in window.findChildren(QMessageBox)))
        assert [url.replace(" ", "%20") for url in opened] == expected


# --- What belongs together ------------------------------------------------------------------------------------------


def test_thinking_is_folded_and_a_key_unfolds_it(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    content = [{"type": "thinking", "thinking": "a **secret** plan"}, *text("said aloud")]
    pane = Session().say("a", "assistant", content).say("b", "assistant", content).open(window, tmp_path, qtbot)
    view = show(pane, "a", qtbot)
    assert "secret plan" not in view.toPlainText()
    assert view.toPlainText().startswith("▸ Thinking · 17 characters")
    take_focus(window, view, qtbot)
    qtbot.keyClick(view, Qt.Key.Key_Tab)
    assert view.textCursor().selectedText().startswith("▸ Thinking")
    qtbot.keyClick(view, Qt.Key.Key_Return)
    settle(pane, qtbot)
    assert "a secret plan" in view.toPlainText()
    assert "secret plan" not in show(pane, "b", qtbot).toPlainText()
    assert "secret plan" in show(pane, "a", qtbot).toPlainText()
    click_link(view, "Thinking", qtbot)
    assert "secret plan" not in view.toPlainText()


@pytest.mark.parametrize("result_first", [False, True])
def test_s19_calls_and_results_find_each_other(
    result_first: bool, window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    """S19: by the id of the call, also where the result was saved first; a click goes to the other."""
    session = Session().say("u", "user", "do it")

    def answer() -> None:
        session.say(
            "t", "toolResult", text("\n".join(f"line {n}" for n in range(99))), toolCallId="c2", toolName="read"
        )

    if result_first:
        answer()
    session.say("a", "assistant", [call("c1", path="one.py"), call("c2", path="two.py")])
    if not result_first:
        answer()
    pane = session.say("z", "assistant", text("done")).open(window, tmp_path, qtbot)
    view = show(pane, "a", qtbot)
    shown = view.toPlainText()
    assert shown.index("one.py") < shown.index("two.py") < shown.index("line 0")
    assert "line 98" not in shown
    assert "more characters in the result" in shown
    click_link(view, "Go to it", qtbot)
    settle(pane, qtbot)
    assert pane.selected_id == "t"
    assert "two.py" in view.toPlainText()
    assert "line 98" in view.toPlainText()
    click_link(view, "Go to it", qtbot)
    settle(pane, qtbot)
    assert "one.py" in view.toPlainText()  # the default filter hides this entry, the tab shows it all the same


def test_results_of_other_branches_are_not_taken(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """T08, S19: the same call id on an abandoned branch is another call."""
    session = Session().say("u", "user", "do it").say("a", "assistant", [call("c", path="x")])
    session.add("t", "u", message={"role": "toolResult", "toolCallId": "c", "content": text("of another branch")})
    pane = session.open(window, tmp_path, qtbot)
    assert "of another branch" not in show(pane, "a", qtbot).toPlainText()
    assert "path: x" not in show(pane, "t", qtbot).toPlainText()


def test_images_are_shown_and_broken_ones_say_so(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = base64.b64decode(png(30, 20))
    digest = hashlib.sha256(data).hexdigest()
    blobs = tmp_path / "agent" / "blobs"
    blobs.mkdir(parents=True)
    (blobs / digest).write_bytes(data)
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "agent"))
    svg = base64.b64encode(b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>').decode()
    sources = [
        png(4000, 3000), f"blob:sha256:{digest}", f"data:image/png;base64,{png(5, 5)}", "blob:sha256:" + "0" * 64,
        "%%%", base64.b64encode(data[:60]).decode(), svg, "", None,
    ]  # fmt: skip
    content = [{"type": "image", "mimeType": "image/png", "data": source} for source in sources]
    pane = Session().say("t", "toolResult", content, toolName="shot").open(window, tmp_path, qtbot)
    view = show(pane, "t", qtbot)
    assert images(view) == ["image 0", "image 1", "image 2"]
    first = next(piece for piece in fragments(view) if piece.charFormat().isImageFormat()).charFormat().toImageFormat()
    assert first.width() <= view.viewport().width()
    assert first.width() / first.height() == pytest.approx(4 / 3, abs=0.01)
    shown = view.toPlainText()
    assert "was not found or is damaged" in shown
    assert shown.count("This image is damaged") == 2
    assert "of an unknown format" in shown
    assert shown.count("No content") == 2


# --- Summaries ------------------------------------------------------------------------------------------------------


def test_c20_summaries_are_open_selectable_and_copyable(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """C20: every compaction and branch summary by its sections, and all of it can be copied."""
    summary = (
        "## Goal\nShip **it**\n\n## Progress\n### Done\n- [x] parser\n\n## Next Steps\n1. docs\n\n"
        "<read-files>\na.py\n</read-files>\n\n<modified-files>\nb.py\n</modified-files>"
    )
    session = (
        Session()
        .say("u", "user", "go")
        .add("k", type="compaction", summary=summary, firstKeptEntryId="u", tokensBefore=9)
    )
    session.add(
        "b", type="branch_summary", summary=summary, fromId="u", details={"readFiles": ["a.py"], "modifiedFiles": []}
    )
    pane = session.open(window, tmp_path, qtbot)
    for entry_id in ("k", "b"):
        view = show(pane, entry_id, qtbot)
        lines = view.toPlainText().split("\n")
        assert lines[:6] == ["Goal", "Ship it", "Progress", "Done", "✓\u2002parser", "Next Steps"]
        assert lines[6:11] == ["1.\u2002docs", "Files read", "a.py", "Files modified", "b.py"]
        assert view.toPlainText().count("a.py") == 1
        take_focus(window, view, qtbot)
        qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert "Ship it" in QGuiApplication.clipboard().text()
    click_link(view, "u", qtbot)
    settle(pane, qtbot)
    assert pane.selected_id == "u"


CODE = "```text\nsrc/\n├── core/   # logic\n```"
TABLE = "| WP | Status |\n|---|---|\n| one | done |"


@pytest.mark.parametrize("kind", ["compaction", "branch_summary"])
def test_c20_the_markdown_of_a_summary_is_rendered_as_that_of_a_message(
    kind: str, window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    """C20: code, quotations, tables and emphasis; also where the summary is offered to be read again."""
    summary = f"> Offline digest\n\n## Goal\nShip *it*\n\n### Structure\n{CODE}\n\n{TABLE}\n\n1. one\n7. seven"
    session = Session().say("u", "user", "go")
    session.add("k", type=kind, summary=summary, firstKeptEntryId="u", tokensBefore=9, fromId="u")
    pane = session.say("z", "user", "on").open(window, tmp_path, qtbot)
    view = show(pane, "k", qtbot)
    assert view.toPlainText().split("\n")[:11] == [
        "Offline digest", "Goal", "Ship it", "Structure", "src/", "├── core/   # logic",
        "WP  │ Status", "────┼───────", "one │ done", "1.\u2002one", "7.\u2002seven",
    ]  # fmt: skip
    by_text = {piece.text(): piece.charFormat() for piece in fragments(view)}
    assert by_text["├── core/   # logic"].fontFixedPitch()
    assert by_text["it"].fontItalic()
    assert not by_text["Goal"].fontFixedPitch()
    again = SummaryText()
    qtbot.addWidget(again)
    again.show_summary(summary)
    assert view.toPlainText().startswith(again.toPlainText())
    qtbot.mouseClick(pane.entry_tab.forms["plain"], Qt.MouseButton.LeftButton)
    settle(pane, qtbot)
    assert summary in view.toPlainText()


def test_the_code_of_a_summary_has_its_sources_behind_it() -> None:
    sources = ((), ("a",), (), ("b",), ("c", "b"), ())
    blocks = list(summary_blocks("## Goal\nship\n```\none\ntwo\n```", sources))
    linked = [(block.kind, [span.link for span in block.spans if span.link]) for block in blocks]
    assert linked == [("heading", []), ("text", ["entry:a"]), ("code", []), ("note", ["entry:b", "entry:c"])]


def test_an_image_of_a_text_is_named_and_never_loaded(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(EntryTab, "_ask_about", lambda _tab, url: asked.append(url.toString()))
    pane = Session().say("u", "user", "see ![pic](https://a.example/x.png) here").open(window, tmp_path, qtbot)
    view = show(pane, "u", qtbot)
    assert view.toPlainText() == "see image: pic here"
    click_link(view, "image: pic", qtbot)
    assert asked == ["https://a.example/x.png"]


THAI = "ภาษาไทยเป็นภาษาที่ไม่มีการเว้นวรรคระหว่างคำ" * 32


@pytest.mark.parametrize("form", ["rendered", "plain", "line"])
def test_a_long_line_is_one_paragraph_and_a_longer_one_is_copied_as_one_line(
    form: str, window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    huge = f"{THAI * 4}\n{'word and ' * 2000}end\n\nlast"
    session = Session().say("t", "user", THAI).say("h", "user", huge)
    pane = session.open(window, tmp_path, qtbot)
    qtbot.mouseClick(pane.entry_tab.forms[form], Qt.MouseButton.LeftButton)  # type: ignore[index]
    view = show(pane, "t", qtbot)
    if form != "line":
        assert view.toPlainText() == THAI
    view = show(pane, "h", qtbot)
    take_focus(window, view, qtbot)
    qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    expected = (tmp_path / "session.jsonl").read_text("utf-8").split("\n")[2] if form == "line" else huge
    copied = QGuiApplication.clipboard().text()
    assert copied == (expected.replace("\n\n", "\n") if form == "rendered" else expected)
    cursor = view.textCursor()
    cursor.setPosition(10)
    cursor.setPosition(30, QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == expected[10:30]


def test_the_lines_of_a_digest_lead_to_their_entries(
    window: MainWindow, sample: Callable[[str], Path], qtbot: QtBot
) -> None:
    pane = open_session(window, sample("real-v3-before-compaction.jsonl"), qtbot)
    pane.show_compaction()
    settle(pane, qtbot)
    qtbot.waitUntil(pane.compaction_tab.compact.isEnabled)
    with qtbot.waitSignal(pane.compaction.compacted, timeout=60_000) as done:
        qtbot.mouseClick(pane.compaction_tab.compact, Qt.MouseButton.LeftButton)
    settle(pane, qtbot)
    view = show(pane, done.args[0].entry_id, qtbot)
    arrows = [link for link, _ in links(view) if link.startswith("→")]
    assert len(arrows) > 3
    before = pane.selected_id
    take_focus(window, view, qtbot)
    while not view.textCursor().selectedText().startswith("→"):
        qtbot.keyClick(view, Qt.Key.Key_Tab)
        assert view.hasFocus()
    sources = pane.document.session.line_sources(done.args[0].entry_id)  # type: ignore[union-attr]
    qtbot.keyClick(view, Qt.Key.Key_Return)
    settle(pane, qtbot)
    first = next(ids for ids in sources if ids)[0]
    index = pane.document.index
    assert index is not None
    assert pane.selected_id != before
    assert first in (pane.entry_tab._page.entry_id, pane.selected_id)  # type: ignore[union-attr]


def test_x05_appended_entries_leave_text_selection_and_place_alone(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    """X05: the view of an entry does not move while an agent goes on writing the file."""
    body = [*text("\n".join(f"line {number}" for number in range(400))), {"type": "image", "data": png(9, 9)}]
    session = Session().say("u", "user", body).say("a", "assistant", text("x"))
    pane = session.open(window, tmp_path, qtbot)
    view = show(pane, "u", qtbot)
    pane.select_id("u")
    settle(pane, qtbot)
    cursor = view.textCursor()
    cursor.setPosition(900)
    cursor.setPosition(950, QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
    view.verticalScrollBar().setValue(300)
    before = (view.textCursor().selectedText(), view.verticalScrollBar().value(), view.toPlainText())
    session.say("b", "user", "more")
    with qtbot.waitSignal(pane.document.laid_out, timeout=20_000), (tmp_path / "session.jsonl").open("a") as file:
        file.write(json.dumps(session.records[-1]) + "\n")
    settle(pane, qtbot)
    assert pane.selected_id == "u"
    assert (view.textCursor().selectedText(), view.verticalScrollBar().value(), view.toPlainText()) == before


def test_the_result_of_a_call_appears_when_it_is_written(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    session = Session().say("u", "user", "go").say("a", "assistant", [*text("I look"), call("c", path="x.py")])
    pane = session.open(window, tmp_path, qtbot)
    session.say("o", "user", "elsewhere")
    view = show(pane, "a", qtbot)
    assert "found it" not in view.toPlainText()
    session.add("t", "a", message={"role": "toolResult", "toolCallId": "c", "content": text("found it")})
    pane.select_id("u")
    pane.select_id("a")
    with (tmp_path / "session.jsonl").open("a") as file:
        file.write(json.dumps(session.records[-2]) + "\n" + json.dumps(session.records[-1]) + "\n")
    qtbot.waitUntil(lambda: "found it" in view.toPlainText(), timeout=20_000)


def test_folding_and_unfolding_keeps_the_place_in_a_long_text(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    content = [*text("\n\n".join(f"paragraph {n}" for n in range(900))), {"type": "thinking", "thinking": "hm"}]
    pane = Session().say("a", "assistant", content).open(window, tmp_path, qtbot)
    view = show(pane, "a", qtbot)
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum())
    for shown in (True, False, True):
        click_link(view, "Thinking", qtbot)
        settle(pane, qtbot)
        assert view.toPlainText().endswith("hm") is shown
        assert bar.maximum() > 5 * view.viewport().height()
        assert bar.maximum() - bar.value() < view.viewport().height()


# --- Size and look ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", [
    "x" * 1_000_000, "word " * 200_000, "A" * 500_000 + "\n" + "B" * 500_000, json.dumps({"k": ["v" * 50] * 18_000}),
    "- [ ] **a** `b`\n" * 60_000, "\n" * 300_000, "👩\u200d👩\u200d👧" * 100_000,
])  # fmt: skip
def test_a_megabyte_is_set_in_small_pieces(
    body: str, window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No line is longer than Qt lays out at once, and no step sets more than a few thousand characters."""
    pane = Session().say("m", "user", text(body)).say("z", "user", "end").open(window, tmp_path, qtbot)
    steps: list[int] = []
    write = PageView._write

    def counted(view: PageView, blocks: Any) -> None:
        blocks = list(blocks)
        steps.append(sum(len(block.text) for block in blocks))
        write(view, blocks)

    monkeypatch.setattr(PageView, "_write", counted)
    view = show(pane, "m", qtbot)
    assert max(len(line) for line in view.toPlainText().split("\n")) <= LINE_CHARACTERS
    assert steps[0] <= AT_ONCE + 4000
    assert max(steps) <= 16_000
    assert sum(steps) <= BY_ITSELF + 16_000


def test_nothing_is_decoded_on_the_thread_of_the_window(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []
    decode, make = entry_images.decoded_image, entry_control.page_of
    monkeypatch.setattr(
        entry_images, "decoded_image", lambda data: threads.append(threading.current_thread()) or decode(data)
    )
    monkeypatch.setattr(
        entry_control, "page_of", lambda *each: threads.append(threading.current_thread()) or make(*each)
    )
    content = [*text("# x"), {"type": "image", "data": png(9, 9)}]
    pane = Session().say("m", "user", content).open(window, tmp_path, qtbot)
    show(pane, "m", qtbot)
    assert len(threads) >= 3
    assert threading.main_thread() not in threads


def test_a_change_of_theme_recolours_the_text(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, qapp: QApplication
) -> None:
    pane = Session().say("u", "user", "see `code` and [x](https://a.example)").open(window, tmp_path, qtbot)
    view = show(pane, "u", qtbot)

    def colours() -> set[str]:
        return {
            piece.charFormat().foreground().color().name() for piece in fragments(view) if piece.charFormat().isAnchor()
        }

    assert colours() == {LIGHT.accent}
    apply_theme(qapp, DARK)
    qtbot.waitUntil(lambda: colours() == {DARK.accent})
    apply_theme(qapp, LIGHT)
    assert current_theme() is LIGHT


def test_paragraphs_keep_their_direction(qtbot: QtBot) -> None:
    view = PageView()
    qtbot.addWidget(view)
    arabic = "نص عربي"
    view.show_blocks([Block("item", (Span(arabic),), mark="•"), Block("item", (Span("latin"),), mark="•")])
    first = view.document().begin()
    assert first.textDirection() == Qt.LayoutDirection.RightToLeft
    assert first.blockFormat().rightMargin() > 0 == first.blockFormat().leftMargin()
    assert first.next().textDirection() == Qt.LayoutDirection.LeftToRight
    assert first.next().blockFormat().leftMargin() > 0


def test_g11_characters_of_several_parts_stay_whole(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """G11: emoji, families and combining marks come through as they are, also in a selection."""
    family, accented = "👩\u200d👩\u200d👧", "e\u0301"
    pane = Session().say("u", "user", f"{family * 300} {accented} \U0001f600").open(window, tmp_path, qtbot)
    view = show(pane, "u", qtbot)
    assert view.toPlainText().replace("\n", "") == f"{family * 300} {accented} \U0001f600"
    assert all(
        line.replace(family, "").strip(f" {accented}\U0001f600") == "" for line in view.toPlainText().split("\n")
    )
    view.selectAll()
    assert "\ufffd" not in view.textCursor().selectedText()
