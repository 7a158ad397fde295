"""Whoever goes through the entries of a long path looks now and then whether to stop."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.compaction import prepare_compaction
from model.json_text import JsonObject
from services.cancellation import CancellationToken, OperationCancelled
from services.session_store import SessionStore
from services.watched_entries import LOOKS_EVERY, WatchedEntries
from tests.model.shaped_paths import compaction_settings
from tests.services.sessions import message, write_session

HEADER = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"}


def test_it_looks_while_it_is_iterated_and_is_a_list_otherwise() -> None:
    looks: list[None] = []
    entries: list[JsonObject] = [{"id": str(number)} for number in range(3 * LOOKS_EVERY)]
    watched = WatchedEntries(entries, lambda: looks.append(None))
    assert watched == entries
    assert not looks
    assert list(watched) == entries
    assert len(looks) == 3
    assert [*zip(watched, entries, strict=True)] == [*zip(entries, entries, strict=True)]
    assert len(looks) == 6
    del watched[-LOOKS_EVERY:]
    assert len(watched) == 2 * LOOKS_EVERY


def test_what_is_worked_out_from_a_path_stops_when_it_is_told_to(tmp_path: Path) -> None:
    """Preparing a compaction knows nothing of the window; it stops within the path all the same."""
    records = [message(f"m{number}", f"m{number - 1}" if number else None, "user", "a" * 400) for number in range(900)]
    store = SessionStore.open(write_session(tmp_path / "long.jsonl", [HEADER, *records]))
    token = CancellationToken()
    path = store.entries(range(900), check=token.raise_if_set)
    assert prepare_compaction(path, compaction_settings())
    token.cancel()
    with pytest.raises(OperationCancelled):
        prepare_compaction(path, compaction_settings())
    store.close()
