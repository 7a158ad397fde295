"""Questions find what they should in every script, by way of a real index, and say where it stands."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.library.search_text import TOKENIZER, Question, indexed_text, snippet, storable

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40)


@pytest.fixture(scope="module")
def index() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE VIRTUAL TABLE texts USING fts5(text, content='', tokenize=\"{TOKENIZER}\")")
    return connection


def is_found(index: sqlite3.Connection, text: str, typed: str) -> bool:
    question = Question(typed)
    if not question:
        return False
    index.execute("INSERT INTO texts (texts) VALUES ('delete-all')")
    index.execute("INSERT INTO texts (rowid, text) VALUES (1, ?)", (indexed_text(text),))
    return bool(index.execute("SELECT rowid FROM texts WHERE texts MATCH ?", (question.expression(),)).fetchall())


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("Make the importer stream", "importer"),
        ("Make the importer stream", "IMPORT"),  # the last word may be a beginning
        ("Make the importer stream", "stream importer"),
        ("see services/session_store.py line 3", "session_store.py"),
        ("see services/session_store.py line 3", "services/sess"),
        ("Größe über alles", "größe uber"),
        ("café", "cafe"),
        ("cafe", "café"),
        ("İstanbul", "istanbul"),
        ("ตอนนี้ลองกับไฟล์จริงของลูกค้า", "ไฟล์"),
        ("ลดหน่วยความจำ", "หน่วย"),
        ("abcลดหน่วยxyz", "หน่วย"),
        ("abcลดหน่วยxyz", "abc"),
        ("漢字テスト", "字テ"),
        ("메모리를 줄인다", "모리"),
        ("لماذا يستغرق بدء التشغيل", "بدء"),
        ("مُحَمَّد", "محمد"),
        ("محمد", "مُحَمَّد"),
        ("हिन्दी में", "हिन्दी"),
        ("done ✅ and 🌳", "🌳"),
        ("done ✅ and 🌳", "✅"),
        ("a b a c", '"a c"'),
        ('say "hello" now', 'say "hello"'),
    ],
)
def test_found(index: sqlite3.Connection, text: str, typed: str) -> None:
    assert is_found(index, text, typed)
    question = Question(typed)
    places = question.places(text)
    assert places
    assert all(0 <= begin < end <= len(text) for begin, end in places)


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("Make the importer stream", "exporter"),
        ("Make the importer stream", "import stream"),  # only the last word may be a beginning
        ("Make the importer stream", "importer stre "),  # a blank ends it
        ("a b a c", '"b c"'),
        ("NEAR misses", "NOT misses"),
        ("ลดหน่วยความจำ", "หน่วง"),
        ("anything", "***"),
        ("anything", '"'),
        ("anything", "a"),  # too short a question
    ],
)
def test_not_found(index: sqlite3.Connection, text: str, typed: str) -> None:
    assert not is_found(index, text, typed)


@given(TEXT)
def test_no_question_is_an_operator_or_an_error(typed: str) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE VIRTUAL TABLE texts USING fts5(text, content='', tokenize=\"{TOKENIZER}\")")
    if question := Question(typed):
        connection.execute("SELECT rowid FROM texts WHERE texts MATCH ?", (question.expression(),)).fetchall()
        question.places(typed)
    connection.close()


@given(TEXT, st.data())
def test_whole_words_of_a_text_are_found_in_it(text: str, data: st.DataObject) -> None:
    words = text.split()
    if not words:
        return
    word = data.draw(st.sampled_from(words)).replace('"', "")
    if not Question(word) or not any(char.isalnum() for char in word):  # a mark with nothing to stand on is no word
        return
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE VIRTUAL TABLE texts USING fts5(text, content='', tokenize=\"{TOKENIZER}\")")
    assert is_found(connection, text.replace('"', ""), word)
    connection.close()


def test_phrases_and_words() -> None:
    assert Question('one "two three" fo').expression() == '"one" "two three" "fo"*'
    assert Question("one two ").expression() == '"one" "two"'
    assert not any(map(Question, ("", "  ", "- -")))


def test_places_are_those_of_the_words() -> None:
    text = "Import: the importer reads; IMPORT it"
    assert [text[begin:end] for begin, end in Question("import ").places(text)] == ["Import", "IMPORT"]
    assert [text[begin:end] for begin, end in Question("import").places(text)] == ["Import", "import", "IMPORT"]


@given(st.text(max_size=300), st.integers(0, 299), st.integers(1, 20))
def test_a_snippet_is_one_line_with_the_places_moved(text: str, begin: int, length: int) -> None:
    if not text:
        return
    begin = min(begin, len(text) - 1)
    places = [(begin, min(len(text), begin + length))]
    line, moved = snippet(text, places)
    assert "\n" not in line
    assert len(line) <= 164
    for at, end in moved:
        assert 0 <= at <= end <= len(line)
    if moved:
        shown, whole = line[moved[0][0] : moved[0][1]], " ".join(text[begin : places[0][1]].split())
        assert shown.replace(" ", "").startswith(whole.replace(" ", "")[: len(shown.replace(" ", ""))])


def test_a_snippet_begins_near_the_place() -> None:
    text = "word " * 100 + "needle " + "word " * 100
    line, places = snippet(text, Question("needle").places(text))
    assert line.startswith("… ")
    assert line.endswith("…")
    assert [line[begin:end] for begin, end in places] == ["needle"]
    assert places[0][0] < 60


def test_lone_surrogates_can_be_stored() -> None:
    assert storable("a\ud800b") == "a\ufffdb"
    indexed_text("a\ud800b").encode()
