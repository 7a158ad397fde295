"""Calls and their results find each other by id, on one branch, on either side, and within bounds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from model.json_text import JsonObject
from model.runs import Runs
from services import call_pairs
from services.call_pairs import call_of, results_of
from services.session_store import SessionStore

TIME = "2026-01-01T00:00:00.000Z"


def entry(id: str, parent: str | None, role: str, **more: object) -> JsonObject:
    return {
        "type": "message", "id": id, "parentId": parent, "timestamp": TIME,
        "message": {"role": role, "content": [], "timestamp": 1, **more},
    }  # fmt: skip


def calling(id: str, parent: str | None, *call_ids: object) -> JsonObject:
    return entry(
        id, parent, "assistant", content=[{"type": "toolCall", "id": each, "name": "read"} for each in call_ids]
    )


def result(id: str, parent: str | None, call_id: object) -> JsonObject:
    return entry(id, parent, "toolResult", toolCallId=call_id, toolName="read")


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[object]:
    stores: list[SessionStore] = []

    def open_entries(entries: list[JsonObject]) -> SessionStore:
        path = tmp_path / "s.jsonl"
        header = {"type": "session", "version": 3, "id": "s", "timestamp": TIME, "cwd": "/"}
        path.write_text("".join(json.dumps(each) + "\n" for each in [header, *entries]), "utf-8")
        stores.append(SessionStore.open(path))
        return stores[-1]

    yield open_entries
    for store in stores:
        store.close()


def results(store: SessionStore, id: str) -> dict[str, str]:
    index = store.index
    row = index.row_of(id)
    assert row is not None
    return {call: index.id_of(pair.row) for call, pair in results_of(store, index, Runs(index.parent), row).items()}


def call(store: SessionStore, id: str) -> str | None:
    index = store.index
    row = index.row_of(id)
    assert row is not None
    pair = call_of(store, index, Runs(index.parent), row)
    return None if pair is None else index.id_of(pair.row)


def test_s19_in_any_order(opened) -> None:  # type: ignore[no-untyped-def]
    """S19."""
    store = opened([
        entry("u", None, "user"), result("t2", "u", "c2"), calling("a", "t2", "c1", "c2", "c3"),
        result("t1", "a", "c1"),
    ])  # fmt: skip
    assert results(store, "a") == {"c1": "t1", "c2": "t2"}
    assert call(store, "t1") == call(store, "t2") == "a"
    assert call(store, "u") is None
    assert results(store, "t1") == {}


def test_the_nearest_of_a_repeated_id(opened) -> None:  # type: ignore[no-untyped-def]
    store = opened([
        calling("a1", None, "c"), result("t1", "a1", "c"), calling("a2", "t1", "c"), result("t2", "a2", "c"),
    ])  # fmt: skip
    assert results(store, "a1") == {"c": "t1"}
    assert results(store, "a2") == {"c": "t2"}
    assert call(store, "t2") == "a2"
    assert call(store, "t1") == "a1"
    unanswered = opened(
        [calling("a1", None, "c"), calling("a2", "a1", "c"), result("t", "a2", "c"), calling("a3", "t", "c")]
    )
    assert results(unanswered, "a1") == results(unanswered, "a3") == {}
    assert results(unanswered, "a2") == {"c": "t"}


def test_other_branches_and_odd_ids_are_no_pair(opened) -> None:  # type: ignore[no-untyped-def]
    store = opened([
        entry("u", None, "user"), calling("a", "u", "c", None, 7, [1]), result("t", "u", "c"), result("n", "a", None),
        result("s", "a", 7), result("l", "a", ["c"]),
    ])  # fmt: skip
    assert results(store, "a") == {}
    assert [call(store, id) for id in ("t", "n", "s", "l")] == [None] * 4


def test_the_search_is_bounded(opened, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(call_pairs, "SEARCHED_ENTRIES", 10)
    chain = [calling("a", None, "never", "c")]
    for number in range(30):
        chain.append(result(f"t{number}", str(chain[-1]["id"]), f"other {number}"))
    chain.append(result("t", "t29", "c"))
    store = opened(chain)
    read: list[int] = []
    entry_of = store.entry
    monkeypatch.setattr(store, "entry", lambda row, index=None: read.append(row) or entry_of(row, index))
    assert results(store, "a") == {}
    assert len(read) <= 11
