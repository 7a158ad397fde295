"""Markdown as blocks: what is said stays, what could do something becomes text, and the time is linear."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.markdown_blocks import inline_spans, is_web_link, markdown_blocks, markdown_parts
from model.rich_text import LINE_CHARACTERS, Block, Span, block_cost, broken_line, code_blocks, showable, text_blocks

MARKED = st.text(alphabet="ab *_`~[]()!<>#-+1.|\\\n\t:/http👧\u200d\u0301\ud83d\u202e", max_size=200)


def read(text: str) -> list[Block]:
    return list(markdown_blocks(text))


def kinds(text: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in read(text)]


def joined(blocks: Iterable[Block]) -> str:
    """The text of blocks as it is copied."""
    return "".join(("" if block.continues else "\n") + block.text for block in blocks).removeprefix("\n")


def styled(line: str) -> list[tuple[str, str]]:
    def style(span: Span) -> str:
        names = ("bold", "italic", "code", "struck")
        return "+".join(name for name in names if getattr(span, name)) or ("link" if span.link else "")

    return [(span.text, style(span)) for span in inline_spans(line)]


def test_blocks() -> None:
    text = "# One\ntext\nmore\n\n- a\n  - [x] b\n3. c\n\n> said\n\n---\n```py\nx = 1\n\n  y\n```\nTwo\n===\n"
    assert [(block.kind, block.text, block.level, block.mark, block.quotes) for block in read(text)] == [
        ("heading", "One", 1, "", 0),
        ("text", "text", 0, "", 0),
        ("text", "more", 0, "", 0),
        ("item", "a", 0, "•", 0),
        ("item", "b", 1, "✓", 0),
        ("item", "c", 0, "3.", 0),
        ("text", "said", 0, "", 1),
        ("rule", "", 0, "", 0),
        ("code", "x = 1\n\n  y", 0, "", 0),
        ("text", "Two", 0, "", 0),
        ("text", "===", 0, "", 0),
    ]
    assert kinds("Two\n===") == [("heading", "Two")]


@given(MARKED)
def test_each_block_tells_its_lines(text: str) -> None:
    """The lines of the parts follow one another, and only blank ones belong to none."""
    lines = showable(text).split("\n")
    seen: set[int] = set()
    for part, _blocks in markdown_parts(text):
        assert part
        assert not seen or part.start > max(seen)
        seen |= set(part)
    assert all(not lines[number].lstrip("> ").strip() for number in set(range(len(lines))) - seen)


def test_an_open_fence_ends_with_the_text() -> None:
    assert kinds("```\n# no heading\n<b>") == [("code", "# no heading\n<b>")]


def test_tables_keep_their_columns() -> None:
    assert kinds("| a | long |\n|--|--|\n| `日本` | \\| |") == [("code", "a    │ long\n─────┼─────\n日本 │ |")]


@pytest.mark.parametrize(("line", "spans"), [
    ("a **b** *c*", [("a ", ""), ("b", "bold"), (" ", ""), ("c", "italic")]),
    ("***d*** ~~e~~", [("d", "bold+italic"), (" ", ""), ("e", "struck")]),
    ("snake_case_name", [("snake", ""), ("_", ""), ("case", ""), ("_", ""), ("name", "")]),
    ("2 * 3 ** 4", [("2 ", ""), ("*", ""), (" 3 ", ""), ("**", ""), (" 4", "")]),
    ("`a*b*` ``c`d``", [("a*b*", "code"), (" ", ""), ("c`d", "code")]),
    ("**open", [("**", ""), ("open", "")]),
    (r"\*not\*", [("*", ""), ("not", ""), ("*", "")]),
])  # fmt: skip
def test_emphasis(line: str, spans: list[tuple[str, str]]) -> None:
    assert styled(line) == spans


def test_v03_html_is_text_and_images_are_links() -> None:
    """V01, V03: nothing is left that a view could run or load."""
    text = '<script>alert(1)</script> <img src=x onerror="go()"> ![pic](https://e.example/x.png) ![own](/etc/passwd)'
    spans = inline_spans(text)
    assert "".join(span.text for span in spans if not span.image).rstrip() == text.split("!")[0].rstrip()
    assert [(span.text, span.link) for span in spans if span.image] == [
        ("pic", "https://e.example/x.png"),
        ("own (/etc/passwd)", ""),
    ]
    assert [span.link for span in spans if span.link] == ["https://e.example/x.png"]


@pytest.mark.parametrize(
    "target", ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "entry:abc", "//e", "x"]
)
def test_only_links_to_the_web_are_links(target: str) -> None:
    assert not is_web_link(target)
    spans = inline_spans(f"[here]({target})")
    assert [span.link for span in spans] == [""]
    assert target in spans[0].text


def test_addresses_end_where_the_sentence_does() -> None:
    found = [span.link for span in inline_spans("(see https://a.example/b_(c)), or https://d.example/e.") if span.link]
    assert found == ["https://a.example/b_(c)", "https://d.example/e"]


@given(MARKED)
def test_nothing_raises_and_no_line_is_long(text: str) -> None:
    for block in markdown_blocks(text * 20):
        assert all(len(line) <= LINE_CHARACTERS for line in block.text.split("\n"))
        block.text.encode()
        assert block_cost(block) > 0


@given(st.text(alphabet="ab \n\u0301👧\u200d", max_size=400))
def test_plain_text_is_kept(text: str) -> None:
    assert joined(text_blocks(text)) == joined(code_blocks(text)) == text
    assert joined(text_blocks(text * 40)) == text * 40


@given(st.text(alphabet="ab\u0301👧👩\u200d ", max_size=300), st.integers(20, 60))
def test_g11_a_line_is_broken_between_characters(line: str, most: int) -> None:
    """G11: never inside of what a person calls one character, where there is another place."""
    parts = list(broken_line(line, most))
    assert "".join(parts) == line
    assert all(0 < len(part) <= most for part in parts[:-1])


def test_g11_families_stay_together() -> None:
    """G11."""
    family = "👩\u200d👩\u200d👧"
    assert all(part.replace(family, "") == "" for part in broken_line(family * 400, 1000))


THAI = "ภาษาไทยเป็นภาษาที่ไม่มีการเว้นวรรคระหว่างคำ"
ARABIC = "هذا نص عربي طويل لاختبار كسر الأسطر "


def test_a_line_of_a_few_thousand_characters_is_not_broken() -> None:
    for text in (THAI * 32, ARABIC * 60, "word and " * 400, "x" * LINE_CHARACTERS):
        assert list(broken_line(text)) == [text]
        assert [block.text for block in markdown_blocks(text)] == [text.strip()]


@pytest.mark.parametrize(("line", "ends"), [
    (ARABIC * 300, " "), ("word,and;" * 2000, ",;"), ("日本語の文章は長い" * 2000, "日本語の文章は長い"),
])  # fmt: skip
def test_a_longer_line_is_broken_where_a_word_ends(line: str, ends: str) -> None:
    *parts, _last = broken_line(line)
    assert parts
    assert all(part[-1] in ends for part in parts)
    assert all(len(part) > LINE_CHARACTERS // 2 for part in parts), "no stub"


def test_a_longer_line_without_blanks_is_broken_between_syllables() -> None:
    parts = list(broken_line(THAI * 400))
    assert "".join(parts) == THAI * 400
    assert all(part[0] in "เแโใไ" for part in parts[1:])
    marked = "กี่" * 4000  # a consonant, a vowel above it and a tone
    assert all(part.replace("กี่", "") == "" for part in broken_line(marked))


@pytest.mark.parametrize("whole", ["🇹🇷", "क्षि", "각", "e\u0301\u0323", "🏴\U000e0067\U000e007f", "ကြ"])
def test_g11_no_character_is_taken_apart(whole: str) -> None:
    """G11."""
    for most in range(40, 60):
        assert all(part.replace(whole, "") == "" for part in broken_line(whole * 200, most))


@pytest.mark.parametrize("odd", [
    "[" * 100_000, "*a" * 50_000, "`" * 50_000, "![a](" * 20_000, "> " * 50_000, "https://" * 20_000, "- " * 50_000,
    "|" * 50_000 + "\n|-|\n" + "|" * 50_000, "\n".join(" " * depth + "- x" for depth in range(300)), "x" * 1_000_000,
])  # fmt: skip
def test_odd_texts_come_to_an_end(odd: str) -> None:
    assert all(len(line) <= LINE_CHARACTERS for block in read(odd) for line in block.text.split("\n"))


def test_what_cannot_be_shown_has_a_sign() -> None:
    assert showable("a\0b\x1b[31m\r\nc\rd\ud83d\ud83d\ude00\ufffc\x7f") == "a␀b␛[31m\nc\nd\ufffd😀\ufffd␡"
