"""Entries that are read in stretches are the entries that are read one by one."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import numpy as np
import pytest

from model.interruptions import interruptible
from services.session_file import GAP_BYTES, STRETCH_BYTES, stretches
from services.session_store import SessionStore

SESSIONS = Path(__file__).parents[1] / "sessions"


def test_stretches_cover_all_lines_in_their_order() -> None:
    chance = Random(7)
    offsets, at = [], 0
    lengths = [chance.choice((10, 900, 40_000, 3 * STRETCH_BYTES)) for _ in range(400)]
    for length in lengths:
        at += chance.choice((1, 1, 1, GAP_BYTES + 1))
        offsets.append(at)
        at += length
    order = [*sorted(chance.sample(range(400), 300)), 3, 2, 1]
    places = np.array(offsets)[order], np.array(lengths, np.uint32)[order]
    found = list(stretches(*places))
    assert [row for first, last, _, _ in found for row in range(first, last)] == list(range(len(order)))
    for first, last, start, length in found:
        assert last - first == 1 or length <= STRETCH_BYTES
        behind = places[0][first : last - 1] + places[1][first : last - 1]
        assert (places[0][first + 1 : last] - behind <= GAP_BYTES).all()
        for row in range(first, last):
            assert start <= places[0][row] <= places[0][row] + places[1][row] <= start + length
    assert list(stretches(places[0][:0], places[1][:0])) == []


@pytest.mark.parametrize(
    "name", ["real-v3-branched.jsonl", "omp-branched.jsonl", "real-v1-large.jsonl", "real-v3-before-compaction.jsonl"]
)
def test_they_hold_the_same_entries(name: str) -> None:
    store = SessionStore.open(SESSIONS / name)
    rows = list(range(store.index.count))
    some = Random(3).sample(rows, len(rows) // 2)
    assert store.entries(rows) == [store.entry(row) for row in rows]
    assert store.entries(some) == [store.entry(row) for row in some]
    assert store.entries([]) == []
    store.close()


def test_what_is_damaged_or_gone_is_bare_here_too(tmp_path: Path) -> None:
    path = Path(shutil.copy(SESSIONS / "real-v3-branched.jsonl", tmp_path))
    path.chmod(0o600)
    store = SessionStore.open(path)
    rows = list(range(store.index.count))
    data = bytearray(path.read_bytes())
    offset = int(store.index.offset[5])
    data[offset : offset + 40] = b"#" * 40
    path.write_bytes(data[: int(store.index.offset[-3])])
    bare = store.entries(rows)
    assert [entry["id"] for entry in bare] == [store.index.id_of(row) for row in rows]
    assert "content" not in bare[5]["message"]
    assert "content" not in bare[-1].get("message", {})
    assert "content" in bare[6]["message"]
    store.close()


def test_reading_is_stopped() -> None:
    store = SessionStore.open(SESSIONS / "real-v3-branched.jsonl")

    def stop() -> None:
        raise KeyboardInterrupt

    with interruptible(stop), pytest.raises(KeyboardInterrupt):
        store.entries(range(store.index.count))
    store.close()
