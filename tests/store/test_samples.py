"""Every sample session opens and shows what an independent reading of its lines shows."""

import json
from pathlib import Path

import pytest

from model.context import entry_message
from model.entry_kinds import Kind, kind_of
from model.timestamps import timestamp_ms
from model.token_estimates import estimate_tokens
from services.session_store import SessionStore

SESSIONS = Path(__file__).parents[1] / "sessions"
SAMPLES = sorted(SESSIONS.glob("*v3*.jsonl")) + sorted(SESSIONS.glob("omp*.jsonl"))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_index_equals_a_plain_reading_of_the_lines(path: Path) -> None:
    lines = path.read_bytes().splitlines()
    header, *entries = [json.loads(line) for line in lines]
    row_of = {entry["id"]: row for row, entry in enumerate(entries)}
    store = SessionStore.open(path)
    index = store.index
    assert store.header == header
    assert [index.id_of(row) for row in range(index.count)] == list(row_of)
    assert [index.row_of(entry["id"]) for entry in entries] == list(range(len(entries)))
    assert index.parent.tolist() == [row_of.get(entry["parentId"], -1) for entry in entries]
    assert index.kind.tolist() == [kind_of(entry["type"]) for entry in entries]
    assert index.time_ms.tolist() == [timestamp_ms(entry["timestamp"]) for entry in entries]
    assert [store.raw_line(row) for row in range(index.count)] == lines[1:]
    assert store.entries(range(index.count)) == entries
    messages = [entry_message(entry) for entry in entries]
    assert index.estimate.tolist() == [estimate_tokens(message) if message else 0 for message in messages]
    assert not store.problems
    assert Kind.UNKNOWN not in index.kind
    store.close()
