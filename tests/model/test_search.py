"""Searching: what counts as text and as a match, and that ruling lines out by their bytes never loses one."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.full_text import full_text
from model.json_text import JsonObject
from model.line_search import LineBlock, search_lines
from model.search_query import ESCAPED_CHARACTER, SearchQuery, fold, unusual_ascii
from tests.model.strategies import messy_entries

LETTERS = [*"aAeEkKsSiItTéÉßẞſприветЙΟΔΟΣσςΐμµ한完成", "\u212a", "İ", "ı", "ﬁ", "ﬃ", "ʼn", "\uf9ba", "ộ", "ำ", "𝕏", "𞤀"]
PARTS = [
    "e\u0301",
    "\u0301",
    "и\u0306",
    "하\u11ab",
    "\u1112\u1161\u11ab",
    "ọ\u0302",
    "o\u0302\u0323",
    "ุ่",
    "ุ่",
    "ש\u05bc\u05c1",
]
SIGNS = ["👩\u200d👩\u200d👧", "\ud83d", '"', "\\", "/", "\x1b", "\x7f", "<", " ", "\n"]
TEXTS = st.lists(st.sampled_from([*LETTERS, *PARTS, *SIGNS]), max_size=12).map("".join)


def block_of(lines: list[bytes]) -> LineBlock:
    starts: list[int] = []
    at = 0
    for line in lines:
        starts.append(at)
        at += len(line) + 1
    return LineBlock(b"\n".join(lines), starts, [start + len(line) for start, line in zip(starts, lines, strict=True)])


def user(text: str) -> JsonObject:
    return {
        "type": "message", "id": "a1", "parentId": "p0", "timestamp": "2026-01-01T00:00:00.000Z",
        "message": {"role": "user", "content": [{"type": "text", "text": text}], "timestamp": 1},
    }  # fmt: skip


def matches(query: str, text: str) -> bool:
    return SearchQuery.of(query).matches(text)


def written(value: object, *, escaped: bool) -> bytes:
    text = json.dumps(value, ensure_ascii=escaped, separators=(",", ":"))
    return "".join(f"\\u{ord(c):04x}" if 0xD800 <= ord(c) < 0xE000 else c for c in text).encode()


def is_odd(line: bytes, query: SearchQuery) -> bool:
    """Whether a line is decoded because of how it is written."""
    pattern = unusual_ascii()
    return bool(pattern.search(line)) or (not query.is_ascii and bool(ESCAPED_CHARACTER.search(line)))


def is_reached(line: bytes, query: SearchQuery) -> bool:
    """Whether the search decodes a line or knows that it matches."""
    found = search_lines(block_of([line]), query)
    return bool(found.certain or found.possible) or is_odd(line, query)


@pytest.mark.spec("TN-12")
def test_all_words_must_occur_in_any_order_and_case() -> None:
    text = "The Selector was re-written;\nsee THEME tokens"
    assert matches("theme  selector", text)
    assert matches("token\tTHE", text)
    assert not matches("theme missing", text)
    assert not matches("", text)
    assert not matches(" \n ", text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("STRASSE", "die Straße"),
        ("café", "CAFE\u0301"),
        ("ПРИВЕТ", "привет"),
        ("οδοσ", "ΟΔΟΣ"),
        ("한국", unicodedata.normalize("NFD", "한국어")),
        ("ข้อความ", "ลดข้อความ"),
        ("الجلسة", "افتح الجلسة"),
        ("完了", "Done. 完了"),
        ("👩‍👩‍👧", "a family 👩‍👩‍👧!"),
    ],
)
def test_any_script(query: str, text: str) -> None:
    assert matches(query, text)
    for escaped in (False, True):
        assert is_reached(written(user(text), escaped=escaped), SearchQuery.of(query))
    assert not matches(query, "something else")


@pytest.mark.parametrize(
    ("query", "raw"),
    [
        ("naïve", b"na\\u00efve"),
        ("caf\u00e9", b"CAF\\u00C9"),
        ("second", b"first\\nsecond"),
        ("say", b'\\"say\\"'),
        ('"say"', b'\\"say\\"'),
        ("a/b", b"a\\/b"),
        ("c:\\new", b"c:\\\\new"),
        ("<b>", b"\\u003cb\\u003e"),
        ("eye", b"\\u0065ye"),
        ("😀", b"\\ud83d\\ude00"),
    ],
)
def test_escapes_are_read(query: str, raw: bytes) -> None:
    line = b'{"type":"message","id":"a","message":{"role":"user","content":"' + raw + b'"}}'
    sought = SearchQuery.of(query)
    assert sought.matches(full_text(json.loads(line)))
    assert is_reached(line, sought)


@pytest.mark.parametrize("query", ["nsecond", "u00", "role", "parentid", "text", "message", "p0", "2026", "claude-9"])
def test_what_only_the_file_says_is_no_text(query: str) -> None:
    entry = user("first\nsecond \u001b[1m")
    entry["message"]["model"] = "claude-9"
    line = written(entry, escaped=False)
    assert not SearchQuery.of(query).matches(full_text(entry))
    assert not search_lines(block_of([line]), SearchQuery.of(query)).certain


def test_every_text_of_an_entry_is_found() -> None:
    call = {"type": "toolCall", "id": "call-1", "name": "grep", "arguments": {"pattern": "needle", "in": ["a.py"]}}
    content = [{"type": "thinking", "thinking": "pondering", "thinkingSignature": "sig"}, call]
    answer = user("")
    answer["message"] = {"role": "assistant", "content": content, "errorMessage": "overloaded", "stopReason": "error"}
    for word in ("assistant", "grep", "needle", "a.py", "pondering", "overloaded", "a1"):
        assert matches(word, full_text(answer)), word
    for word in ("call-1", "sig", "pattern", "error-", "toolcall"):
        assert not matches(word, full_text(answer)), word
    image = {"type": "image", "data": "QUJD", "mimeType": "image/png"}
    result = user("")
    result["message"] = {
        "role": "toolResult",
        "toolName": "bash",
        "content": [{"type": "text", "text": "2 failed"}, image],
    }
    assert matches("toolresult bash failed", full_text(result))
    assert not matches("qujd", full_text(result))
    summary = {
        "type": "branch_summary",
        "id": "s",
        "fromId": "x",
        "summary": "went well",
        "details": {"readFiles": ["b.py"]},
    }
    assert matches("branch summary went b.py", full_text(summary))


def test_several_words_and_lines() -> None:
    texts = ["alpha beta", "alpha", "beta", "nothing", "BETA and Alpha"]
    block = block_of([written(user(text), escaped=False) for text in texts])
    assert search_lines(block, SearchQuery.of("alpha beta")).certain == [0, 4]
    assert search_lines(block, SearchQuery.of("alpha")).certain == [0, 1, 4]


def test_entries_that_share_a_damaged_line_are_all_possible() -> None:
    line = written(user("shared"), escaped=False)
    block = LineBlock(line, [0, 0], [len(line), len(line)])
    found = search_lines(block, SearchQuery.of("shared"))
    assert sorted(found.certain + found.possible) == [0, 1]


def test_an_accent_behind_a_letter_is_not_passed_over() -> None:
    line = written(user("cafe\u0301"), escaped=False)
    found = search_lines(block_of([line]), SearchQuery.of("cafe"))
    assert not found.certain
    assert not matches("cafe", "cafe\u0301")


@given(texts=st.lists(TEXTS, min_size=1, max_size=4), query=TEXTS, escaped=st.booleans(), cut=st.integers(0, 4))
def test_no_line_is_lost_and_none_is_taken_for_certain_wrongly(
    texts: list[str], query: str, escaped: bool, cut: int
) -> None:
    sought = SearchQuery.of(query or texts[0][:cut])
    if not sought:
        return
    entries = [user(text) for text in texts]
    lines = [written(entry, escaped=escaped) for entry in entries]
    found = search_lines(block_of(lines), sought)
    for number, (entry, line) in enumerate(zip(entries, lines, strict=True)):
        is_match = sought.matches(full_text(entry))
        if is_match:
            assert number in found.certain or number in found.possible or is_odd(line, sought)
        if number in found.certain:
            assert is_match


@given(TEXTS)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(messy_entries)
def test_the_text_of_any_json(entry: JsonObject) -> None:
    assert isinstance(full_text(entry), str)
