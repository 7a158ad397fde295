"""Foreign text in a Markdown document: readable, and without any effect. Qt's reader of CommonMark is the judge."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QTextDocument

from model.markdown_text import fenced, markdown_inline, markdown_prose

pytestmark = [
    pytest.mark.usefixtures("qapp"),
    pytest.mark.qt_log_ignore("attempted to insert into a list that no longer exists"),  # of Qt's reader, by odd lists
]

PIECES = st.sampled_from(
    ["`", "``", "```", "~~~", "\n", "\n\n", "    ", "- ", "1. ", "> ", "| a |", "|---|", "\\", "*", "_", "# ", "[a]",
     "(x)", "]", "![", "](", "<", ">", "&lt;", "text ", "\t", "<b>", "</b>", "[x]: http://h.example/", "-->", "<!--",
     "<img src='http://h.example/i.png'>", "![i](http://h.example/i.png)", "![i][x]", "[j](javascript:alert)",
     "\r", "\0", "\ud800"],
)  # fmt: skip
MARKDOWN = st.lists(PIECES, max_size=30).map("".join)


def read(text: str) -> QTextDocument:
    document = QTextDocument()
    document.setMarkdown(text)
    return document


def effects(document: QTextDocument) -> list[str]:
    """Images, and links that are none of the web."""
    found = []
    block = document.begin()
    while block.isValid():
        iterator = block.begin()
        while not iterator.atEnd():
            form = iterator.fragment().charFormat()
            if form.isImageFormat():
                found.append("image")
            if form.isAnchor() and form.anchorHref().lower().startswith(("javascript:", "data:", "vbscript:")):
                found.append(form.anchorHref())
            iterator += 1
        block = block.next()
    return found


@settings(max_examples=400, deadline=None)
@given(MARKDOWN)
@example("- ```\n<img src='http://h.example/i.png'>")
@example("| ` | <img src='http://h.example/i.png'> ` |\n|---|---|")
@example("\\`<img src='http://h.example/i.png'>`")
@example("`a\n# b <img src='http://h.example/i.png'>`")
@example("    ```\n<img src='http://h.example/i.png'>")
@example("```] > `<img src='http://h.example/i.png'>`\n\n```-->\n- <img src='http://h.example/i.png'>")
@example("[x]: javascript:alert(1)\n\n[x]")
def test_prose_can_do_nothing_and_ends_where_it_ends(text: str) -> None:
    document = read(f"{markdown_prose(text)}\n\nbehind it\n")
    assert effects(document) == []
    last = document.lastBlock()
    assert last.text() == "behind it"
    assert last.blockFormat().headingLevel() == 0
    assert not last.blockFormat().hasProperty(0x1080)  # no quotation


@settings(max_examples=200, deadline=None)
@given(MARKDOWN)
def test_a_code_block_holds_exactly_its_text(text: str) -> None:
    lines = read(f"{fenced(text, 'text')}\n\nbehind it\n").toPlainText().split("\n")
    assert lines[-1] == "behind it"
    clean = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd").replace("\ud800", "\ufffd")
    shown = "\n".join(lines[:-1])
    assert shown.replace("\u00a0", " ").expandtabs(4).strip() == clean.expandtabs(4).strip()


@settings(max_examples=200, deadline=None)
@given(MARKDOWN)
def test_inline_text_is_only_text(text: str) -> None:
    document = read(f"- Name: {markdown_inline(text)}\n")
    assert effects(document) == []
    assert document.blockCount() == 1


def test_markup_of_messages_keeps_its_form() -> None:
    prose = "# Plan\n\nuse `x < y` and **bold** [docs](https://docs.example/a) & <i>\n\n~~~py\n<b>\n~~~"
    assert markdown_prose(prose) == (
        "> # Plan\n>\n> use <code>x &#60; y</code> and **bold** [docs](https://docs.example/a) &amp; &lt;i>\n>\n"
        "> ```py\n> <b>\n> ```"
    )
    assert markdown_prose("1. run\n   ```sh\n   ls\n     -a\n   ```") == "> 1. run\n> ```sh\n> ls\n>   -a\n> ```"
    assert markdown_prose("see `a.b` and ![x](y.png)") == "> see `a.b` and !&#91;x](y.png)"


def test_a_fence_is_longer_than_any_inside() -> None:
    assert fenced("a\n````\nb") == "`````\na\n````\nb\n`````"
    assert fenced("x", "js`alert") == "```\nx\n```"


def test_long_lines_of_backticks_take_no_time() -> None:
    line = "`a``b```c````d" * 20_000
    assert len(markdown_prose(line)) >= len(line)
