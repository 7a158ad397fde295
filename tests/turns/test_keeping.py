"""What is kept between runs of the program: positions, unsent text, the journal. And the numbers of the meter."""

import json
from pathlib import Path

import pytest

from model.json_text import JsonObject
from services.composer_drafts import ComposerDrafts
from services.context_meter import MeterReading, read_meter
from services.event_journal import EventJournal
from services.position_memory import FilePositions, WriteBehindPositions
from services.session_events import Notice, TurnDelta
from tests.services.sessions import message
from tests.turns.playbook import FILLER, RESERVE, WINDOW, history, play_on


def test_positions_are_there_at_once_and_on_disk_soon(tmp_path: Path) -> None:
    file = tmp_path / "state" / "positions.json"
    positions = WriteBehindPositions(FilePositions(file))
    for number in range(50):
        positions.remember(f"s{number % 5}", f"leaf{number}", number)
        assert positions.recall(f"s{number % 5}") == (f"leaf{number}", number)
    positions.settle()
    assert FilePositions(file).recall("s4") == ("leaf49", 49)
    assert WriteBehindPositions(FilePositions(file)).recall("s0") == ("leaf45", 45)
    assert positions.recall("unknown") is None


def test_of_two_drafts_the_later_one_counts(tmp_path: Path) -> None:
    drafts = ComposerDrafts(tmp_path / "drafts")
    first, second = drafts.ticket("a/../b"), drafts.ticket("a/../b")
    drafts.save("a/../b", "later \ud800 ไทย", second)
    drafts.save("a/../b", "earlier", first)
    assert ComposerDrafts(tmp_path / "drafts").recall("a/../b") == "later \ud800 ไทย"
    assert drafts.recall("other") == ""
    drafts.save("a/../b", "  ", drafts.ticket("a/../b"))
    assert drafts.recall("a/../b") == ""
    assert list((tmp_path / "drafts").iterdir()) == []


def test_a_draft_that_was_kept_under_the_session_id_is_found_once(tmp_path: Path) -> None:
    drafts = ComposerDrafts(tmp_path / "drafts")
    drafts.save("id", "typed before", drafts.ticket("id"))
    assert drafts.recall("/a/s.jsonl\nid", "id") == "typed before"
    assert drafts.recall("/b/copy.jsonl\nid", "id") == ""
    assert drafts.recall("/a/s.jsonl\nid", "id") == "typed before"
    drafts.save("id", "of an older version", drafts.ticket("id"))
    assert drafts.recall("/a/s.jsonl\nid", "id") == "typed before"


def test_the_journal_is_lines_in_order_and_begins_anew_when_it_is_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = EventJournal(tmp_path / "state" / "events.jsonl")
    for number in range(3):
        journal.note(Notice("info", f"n{number}"), "s", "2026-01-01T00:00:00.000Z")
    journal.note(TurnDelta("streamed"), "s", "2026-01-01T00:00:00.000Z")
    journal.flush()
    lines = [json.loads(line) for line in journal.file.read_text("utf-8").splitlines()]
    assert [line["text"] for line in lines] == ["n0", "n1", "n2"]
    assert list(lines[0])[:3] == ["time", "session", "type"]
    monkeypatch.setattr("services.event_journal.MOST_BYTES", 10)
    journal.note(Notice("info", "new"), "s", "2026-01-01T00:00:00.000Z")
    journal.flush()
    assert len(journal.file.read_text("utf-8").splitlines()) == 1
    assert len(journal.file.with_suffix(".before.jsonl").read_text("utf-8").splitlines()) == 3


def reading_of(tmp_path: Path, records: list[JsonObject]) -> MeterReading:
    session = play_on(tmp_path / "s.jsonl", "http://127.0.0.1:9", "pi", records=records)
    return read_meter(session, session.leaf_id, 0)


def with_own_model(records: list[JsonObject]) -> list[JsonObject]:
    """The records as if the model that is set up had written them."""
    for record in records:
        if record.get("message", {}).get("role") == "assistant":
            record["message"] |= {"provider": "openai-compatible", "model": "acme-1"}
    return records


@pytest.mark.spec("CP-4.3", "CB-11")
def test_the_meter_adds_the_texts_behind_the_last_usage(tmp_path: Path) -> None:
    records = with_own_model(history("pi"))
    records[-1]["message"]["usage"] |= {"input": 900, "cacheRead": 190, "totalTokens": 0}
    records.append(message("u9", records[-1]["id"], "user", "x" * 400))
    model = "openai-compatible/acme-1"
    assert reading_of(tmp_path, records) == MeterReading(1190, window=WINDOW, threshold=WINDOW - RESERVE, model=model)


@pytest.mark.spec("CB-11")
def test_the_meter_is_unknown_between_a_compaction_and_the_next_answer(tmp_path: Path) -> None:
    records = with_own_model(history("pi"))
    records[-1]["message"]["usage"] |= {"input": 3000, "totalTokens": 3000}
    compaction = {
        "type": "compaction", "id": "c", "parentId": "a2", "timestamp": "2026-01-02T00:00:00.000Z",
        "summary": "word " * 80, "firstKeptEntryId": "u2", "tokensBefore": 3000,
    }  # fmt: skip
    reading = reading_of(tmp_path, [*records, compaction])
    assert (reading.window, reading.threshold) == (WINDOW, WINDOW - RESERVE), "the same model goes on"
    assert reading.is_unknown
    assert reading.is_estimated
    assert 200 < reading.tokens < 400
    answer = message("a9", "c", "assistant", FILLER, stopReason="stop", usage={"totalTokens": 700})
    known = reading_of(tmp_path, [*records, compaction, answer])
    assert (known.tokens, known.is_unknown, known.is_estimated) == (700, False, False)


@pytest.mark.spec("CP-4.3")
def test_a_context_edit_makes_recorded_usage_old_and_leaves_the_model(tmp_path: Path) -> None:
    records = with_own_model(history("pi"))
    records[-1]["message"]["usage"] |= {"input": 3000, "totalTokens": 3000}
    edit = {
        "type": "context_edit", "id": "e", "parentId": records[-1]["id"], "timestamp": "2026-01-02T00:00:00.000Z",
        "targetId": records[-1]["id"], "replacement": None,
    }  # fmt: skip
    reading = reading_of(tmp_path, [*records, edit])
    assert (reading.window, reading.is_estimated, reading.is_unknown) == (WINDOW, True, False)
    assert reading.tokens < 3000


def test_the_meter_knows_no_window_of_an_unknown_model(tmp_path: Path) -> None:
    reading = reading_of(tmp_path, history("pi"))
    assert (reading.window, reading.threshold) == (None, None)
    assert reading.is_estimated
    assert not reading.is_unknown
