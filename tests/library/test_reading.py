"""What is read out of bodies: words for the index, and what entries cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.dialects import detect_dialect
from model.session_totals import session_totals, usages_of
from services.library.reading import (
    MOST_OUTPUT_CHARACTERS,
    FileChangedMeanwhileError,
    Reading,
    edge_mark,
    read_bodies,
    search_text,
)
from services.library.sessions import Stamp
from services.session_store import SessionStore
from tests.library.session_files import SAMPLES, SessionFile

SAMPLE_NAMES = [path.name for path in sorted(SAMPLES.glob("*.jsonl"))]


def read(path: Path, start: int = 0) -> list[Reading]:
    return list(read_bodies(path, Stamp.of(path.stat()), start))


@pytest.mark.parametrize("name", SAMPLE_NAMES)
@pytest.mark.spec("SF-12", "SF-7")
def test_charges_and_dialect_of_samples_are_those_of_the_model(name: str) -> None:
    path = SAMPLES / name
    store = SessionStore.open(path)
    entries = store.entries(range(store.index.count))
    charges = [charge for reading in read(path) for charge in reading.charges]
    expected = session_totals(entries)
    assert sum(charge.tokens for charge in charges) == pytest.approx(expected.tokens)
    assert sum(charge.cost for charge in charges) == pytest.approx(expected.cost)
    assert len(charges) == sum(any(True for _ in usages_of(entry)) for entry in entries)
    marks = {name: sum(reading.marks[name] for reading in read(path)) for name in ("pi", "omp")}
    detected = detect_dialect(None, entries)
    assert marks == {"pi": detected.pi_marks, "omp": detected.omp_marks}
    store.close()


def test_a_copied_entry_has_the_same_content_whatever_its_parent(tmp_path: Path) -> None:
    one = SessionFile(tmp_path / "one.jsonl").user("q").assistant("a")
    (before,) = read(one.path)[0].charges
    text = one.path.read_text()
    two = tmp_path / "two.jsonl"
    two.write_text(text.replace('"parentId":"e0000000"', '"parentId":null'))
    (copied,) = read(two)[0].charges
    assert copied == before
    two.write_text(text.replace('"text":"a"', '"text":"b"'))
    (other,) = read(two)[0].charges
    assert other.entry_key == before.entry_key
    assert other.content_key != before.content_key


def test_words_of_entries() -> None:
    said = {"type": "message", "id": "1", "message": {"role": "user", "content": "hello there"}}
    assert search_text(said) == "hello there"
    assert search_text({"type": "label", "id": "1", "targetId": "x", "label": "checkpoint"}).endswith("checkpoint")
    assert search_text({"type": "custom", "id": "1", "customType": "state", "data": {"a": 1}}) == ""
    assert search_text({"type": "session", "id": "1"}) == ""
    call = {"type": "toolCall", "id": "c", "name": "bash", "arguments": {"command": "pytest -q"}}
    answer = {"role": "assistant", "content": [{"type": "text", "text": "I run"}, call]}
    assert "pytest -q" in search_text({"type": "message", "id": "1", "message": answer})
    assert search_text({"type": "message", "id": "1", "message": None}) == ""


def test_of_a_long_output_beginning_and_end_are_read() -> None:
    text = "first " + "x" * 50_000 + " last"
    content = [{"type": "text", "text": text}]
    found = search_text({"type": "message", "id": "1", "message": {"role": "toolResult", "content": content}})
    assert found.startswith("first ")
    assert found.endswith(" last")
    assert len(found) < MOST_OUTPUT_CHARACTERS * 2


def test_places_of_texts_are_those_of_their_lines(tmp_path: Path) -> None:
    file = SessionFile(tmp_path / "s.jsonl").user("one").add("custom", customType="x").user("two")
    data = file.path.read_bytes()
    texts = [text for reading in read(file.path) for text in reading.texts]
    assert [text for _, text in texts] == ["one", "two"]
    for offset, text in texts:
        assert text.encode() in data[offset:].split(b"\n")[0]
    behind = texts[1][0]
    assert [text for reading in read(file.path, behind) for _, text in reading.texts] == ["two"]


@pytest.mark.spec("SF-9")
def test_damage_is_noticed_and_does_not_end_the_reading(tmp_path: Path) -> None:
    file = SessionFile(tmp_path / "s.jsonl").user("before")
    file.path.write_bytes(file.path.read_bytes() + b'\x00\x00{"torn\n')
    file.user("after")
    readings = read(file.path)
    assert [text for reading in readings for _, text in reading.texts] == ["before", "after"]
    assert any(reading.is_damaged for reading in readings)
    assert not any(reading.is_damaged for reading in read(SessionFile(tmp_path / "t.jsonl").user("x").path))


def test_a_last_line_without_its_end(tmp_path: Path) -> None:
    file = SessionFile(tmp_path / "s.jsonl").user("whole")
    file.path.write_bytes(file.path.read_bytes()[:-1])
    assert [reading.is_ended for reading in read(file.path)][-1] is False
    assert [text for reading in read(file.path) for _, text in reading.texts] == ["whole"]


def test_a_file_that_changed_meanwhile_is_not_read(tmp_path: Path) -> None:
    file = SessionFile(tmp_path / "s.jsonl").user("x")
    stamp = Stamp.of(file.path.stat())
    file.user("y")
    with pytest.raises(FileChangedMeanwhileError):
        list(read_bodies(file.path, stamp))


def test_edge_marks(tmp_path: Path) -> None:
    file = SessionFile(tmp_path / "s.jsonl").user("x" * 9000)
    size = file.path.stat().st_size
    mark = edge_mark(file.path, size)
    file.user("appended")
    assert edge_mark(file.path, size) == mark
    data = bytearray(file.path.read_bytes())
    data[size - 20] ^= 1
    file.path.write_bytes(bytes(data))
    assert edge_mark(file.path, size) != mark
