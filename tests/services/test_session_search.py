"""Searching a whole session file: every entry that matches is found, whatever the state of the file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from model.errors import NotASessionError
from model.full_text import full_text
from model.search_query import SearchQuery
from services import session_search
from services.cancellation import CancellationToken, OperationCancelled
from services.session_search import Finding, SessionSearch
from services.session_store import SessionStore
from tests.services.sessions import copy_of, message, write_session
from tests.store.damaged_files import SAMPLES, corpus

CORPUS = {**corpus(), **SAMPLES}
HEADER = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"}


@pytest.fixture
def opened() -> Iterator[Callable[[Path], SessionStore]]:
    stores: list[SessionStore] = []

    def open_store(path: Path) -> SessionStore:
        stores.append(SessionStore.open(path))
        return stores[-1]

    yield open_store
    for store in stores:
        store.close()


def found(store: SessionStore, text: str, search: SessionSearch | None = None, **where: int) -> list[int]:
    """Entry rows that match; no row is told twice, and the last step says that all is done."""
    steps: list[Finding] = []
    search = search or SessionSearch(store)
    search.run(store.index, SearchQuery.of(text), CancellationToken(), steps.append, **where)
    rows = [row for step in steps for row in step.rows]
    assert len(set(rows)) == len(rows)
    assert not steps or steps[-1].done == steps[-1].total
    return sorted(rows)


def by_looking(store: SessionStore, text: str) -> list[int]:
    query = SearchQuery.of(text)
    texts = [f"{store.labels.get(row, '')}\n{full_text(store.entry(row))}" for row in range(store.index.count)]
    return [row for row, each in enumerate(texts) if query.matches(each)]


@pytest.mark.spec("TN-12")
@pytest.mark.parametrize("name", sorted(CORPUS))
def test_every_match_is_found_in_any_file(
    name: str, tmp_path: Path, opened: Callable[[Path], SessionStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_search, "BLOCK_BYTES", 700)
    path = tmp_path / "any.jsonl"
    path.write_bytes(CORPUS[name])
    try:
        store = opened(path)
    except NotASessionError:
        return
    for text in ("e", "user", "hello", "the file", "naïve", "é", "/", '"', "compaction"):
        assert found(store, text) == by_looking(store, text), text


def test_tool_output_far_behind_the_first_characters(tmp_path: Path, opened: Callable[[Path], SessionStore]) -> None:
    long = message("t1", "u1", "toolResult", "line\n" * 50_000 + "the Needle is here", toolCallId="c", toolName="bash")
    path = write_session(tmp_path / "long.jsonl", [HEADER, message("u1", None, "user", "look for it"), long])
    store = opened(path)
    assert found(store, "needle") == [1]
    assert found(store, "NEEDLE bash") == [1]
    assert found(store, "needle look") == []


def test_a_label_counts_as_text_of_what_it_labels(tmp_path: Path, opened: Callable[[Path], SessionStore]) -> None:
    label = {"type": "label", "id": "l1", "parentId": "u1", "timestamp": HEADER["timestamp"], "targetId": "u1"}
    records = [HEADER, message("u1", None, "user", "first words"), {**label, "label": "Checkpoint One"}]
    store = opened(write_session(tmp_path / "labels.jsonl", records))
    assert found(store, "checkpoint first") == [0]
    assert found(store, "checkpoint") == [0, 1]


def test_the_rows_around_the_user_come_first(
    tmp_path: Path, opened: Callable[[Path], SessionStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_search, "BLOCK_BYTES", 300)
    parents = [None, *(f"u{number}" for number in range(39))]
    records = [message(f"u{number}", parent, "user", "same words") for number, parent in enumerate(parents)]
    store = opened(write_session(tmp_path / "near.jsonl", [HEADER, *records]))
    steps: list[Finding] = []
    SessionSearch(store).run(store.index, SearchQuery.of("words"), CancellationToken(), steps.append, near=30)
    rows = [row for step in steps for row in step.rows]
    assert sorted(rows) == list(range(40))
    assert abs(rows[0] - 30) <= 3
    assert [step.done for step in steps] == sorted(step.done for step in steps)


def test_only_what_came_later(tmp_path: Path, opened: Callable[[Path], SessionStore]) -> None:
    records = [HEADER, message("u1", None, "user", "old words")]
    path = write_session(tmp_path / "grows.jsonl", records)
    store = opened(path)
    search = SessionSearch(store)
    assert found(store, "words", search) == [0]
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(message("u2", "u1", "user", "new words")) + "\n")
        file.write(json.dumps(message("u3", "u2", "user", "x")).replace('"x"', '"w\\u006frds"') + "\n")
    store.refresh()
    assert found(store, "words", search, first=1) == [1, 2]
    assert found(store, "words", search) == [0, 1, 2]


def test_an_older_version_is_searched_as_it_is_shown(tmp_path: Path, opened: Callable[[Path], SessionStore]) -> None:
    store = opened(copy_of("real-v1-before-compaction.jsonl", tmp_path))
    assert found(store, "toolresult") == by_looking(store, "toolresult") != []


def test_a_search_stops_when_told_to(
    tmp_path: Path, opened: Callable[[Path], SessionStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_search, "BLOCK_BYTES", 10_000)
    store = opened(copy_of("real-v3-large.jsonl", tmp_path))
    token = CancellationToken()
    steps: list[Finding] = []

    def stop_soon(step: Finding) -> None:
        steps.append(step)
        if step.done:
            token.cancel()

    with pytest.raises(OperationCancelled):
        SessionSearch(store).run(store.index, SearchQuery.of("e"), token, stop_soon)
    assert steps[-1].done < steps[-1].total


def test_nothing_to_look_for(tmp_path: Path, opened: Callable[[Path], SessionStore]) -> None:
    assert found(opened(copy_of("real-v3-branched.jsonl", tmp_path)), "  ") == []


def test_odd_lines_are_found_also_when_a_search_was_stopped_while_it_looked_for_them(
    tmp_path: Path, opened: Callable[[Path], SessionStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_search, "BLOCK_BYTES", 300)
    records = [message(f"u{number}", f"u{number - 1}" if number else None, "user", "word") for number in range(40)]
    path = write_session(tmp_path / "odd.jsonl", [HEADER, *records])
    path.write_text(path.read_text("utf-8").replace('"word"', '"w\\u006frd"'), "utf-8")
    store = opened(path)
    search = SessionSearch(store)
    token = CancellationToken()
    looks = 0
    read = store.raw_bytes

    def read_and_stop(offset: int, length: int) -> bytes:
        nonlocal looks
        looks += 1
        if looks == 60:  # in the second pass, over lines that may be written in an unusual way
            token.cancel()
        return read(offset, length)

    monkeypatch.setattr(store, "raw_bytes", read_and_stop)
    with pytest.raises(OperationCancelled):
        search.run(store.index, SearchQuery.of("word"), token, lambda _step: None)
    assert looks == 60
    looks = 1000
    assert found(store, "word", search) == list(range(40))
    assert looks < 1000 + 80  # it went on where it was stopped
