"""Appending: checked, in one write, behind what others wrote, and only whole."""

import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from model.entries import new_branch_summary_entry, new_custom_entry, new_label_entry, new_message_entry
from model.json_text import JsonObject
from services.session_store import SessionStore, StoreChange
from services.store_errors import ReadOnlyError, SessionGoneError, SessionLockedError, StoreError
from tests.store.damaged_files import HEADER, SAMPLES, chain, corpus, entry, lines
from tests.store.plain_reading import assert_equals, read_plainly

TIME = "2026-02-03T09:00:00.000Z"
Opened = Callable[[Path], SessionStore]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "session.jsonl"
    file.write_bytes(lines(HEADER, *chain(5)))
    return file


def custom(store: SessionStore, parent: str | None = None, **data: Any) -> JsonObject:
    return new_custom_entry(store.new_entry_id(), parent, TIME, store.dialect, custom_type="test", data=data)


def test_one_entry(path: Path, opened: Opened) -> None:
    store = opened(path)
    before = path.read_bytes()
    new = new_branch_summary_entry(
        "aaaaaaaa", "00000001", TIME, "pi", from_id="00000004", summary="What was tried: ünï 😀 \ud83d \u2028"
    )
    assert store.append([new]) == range(5, 6)
    after = path.read_bytes()
    assert after.startswith(before)
    assert json.loads(after[len(before) :]) == new
    assert after.endswith('ünï 😀 \\ud83d \u2028"}\n'.encode())
    assert store.entry(5) == new
    assert store.index.parent[5] == 1
    assert store.index.measured
    assert_equals(store.index, read_plainly(after))


def test_several_entries_in_one_write(path: Path, opened: Opened) -> None:
    store = opened(path)
    new = [custom(store, "00000004"), custom(store, "00000002")]
    new.append(custom(store, new[0]["id"]))
    assert store.append(new) == range(5, 8)
    assert store.index.parent[5:].tolist() == [4, 2, 5]
    assert store.append([]) == range(8, 8)


def test_the_store_goes_on_after_its_own_write(path: Path, opened: Opened) -> None:
    store = opened(path)
    for number in range(20):
        store.append([custom(store, store.index.id_of(number % 5))], durable=False)
        assert store.refresh() == StoreChange()
    assert_equals(store.index, read_plainly(path.read_bytes()))
    assert store.index.generation == 0


def test_others_are_taken_in_first(path: Path, opened: Opened) -> None:
    store = opened(path)
    with path.open("ab") as file:
        file.write(lines(entry("foreign", "00000004")))
    assert store.append([custom(store, "foreign")]) == range(6, 7)
    assert store.index.parent[6] == 5
    assert store.changes() == StoreChange("appended", range(5, 6)), "who follows hears of it"


def test_a_missing_line_end_is_written_first(path: Path, opened: Opened) -> None:
    whole = path.read_bytes()
    for torn in (whole[:-1], whole[:-30], whole + b'{"type":"mess', whole + b"\0\0\0"):
        path.write_bytes(torn)
        store = opened(path)
        store.append([custom(store, "00000001")])
        data = path.read_bytes()
        assert data.startswith(torn + b"\n{")
        assert data.endswith(b"}\n")
        assert_equals(store.index, read_plainly(data))
        assert store.entry(store.index.count - 1)["customType"] == "test"
        store.close()


def test_another_writer_may_finish_its_line(path: Path, opened: Opened) -> None:
    store = opened(path)
    line = entry("foreign", "00000004")
    with path.open("ab", buffering=0) as file:
        file.write(line[:40])

        def finish() -> None:
            time.sleep(0.05)
            file.write(line[40:] + b"\n")

        other = threading.Thread(target=finish)
        other.start()
        store.append([custom(store, "00000001")])
        other.join()
    assert b"\n\n" not in path.read_bytes()
    assert store.index.row_of("foreign") == 5
    assert store.problems == ()


def test_an_empty_file_becomes_a_session(tmp_path: Path, opened: Opened) -> None:
    """Field report D14."""
    path = tmp_path / "new.jsonl"
    path.write_bytes(b"")
    store = opened(path)
    assert (store.index.count, store.header, store.read_only, store.problems) == (0, None, None, ())
    assert path.stat().st_size == 0
    message = new_message_entry("aaaaaaaa", None, TIME, "pi", {"role": "user", "content": "hello", "timestamp": 1})
    assert store.append([message]) == range(1)
    header, line = map(json.loads, path.read_bytes().splitlines())
    assert (header["type"], header["version"], line) == ("session", 3, message)
    assert store.session_id == header["id"]
    assert opened(path).index.count == 1


def test_answers_always_have_a_usage_with_cost(path: Path, opened: Opened) -> None:
    store = opened(path)
    answer = {"role": "assistant", "content": [], "usage": {"input": 5}, "stopReason": "stop", "timestamp": 1}
    store.append([new_message_entry("aaaaaaaa", "00000004", TIME, "pi", answer)])
    usage = store.entry(5)["message"]["usage"]
    assert usage["input"] == 5
    assert usage["cost"]["total"] == 0


def test_refusals_change_nothing(path: Path, opened: Opened) -> None:
    store = opened(path)
    data, index = path.read_bytes(), store.index
    refused: list[list[JsonObject]] = [
        [custom(store, "unknown")],
        [{**custom(store), "id": "00000003"}],
        [{**custom(store), "id": "x"}, {**custom(store), "id": "x"}],
        [{**custom(store), "type": "session"}],
        [{**custom(store), "type": None}],
        [{**custom(store), "id": ""}],
        [{**custom(store, "b"), "id": "a"}, {**custom(store), "id": "b"}],
    ]
    for entries in refused:
        with pytest.raises(StoreError):
            store.append(entries)
    assert (path.read_bytes(), store.index) == (data, index)


def test_a_file_that_is_gone_is_not_made_again(path: Path, opened: Opened) -> None:
    store = opened(path)
    path.unlink()
    for _ in range(2):
        with pytest.raises(SessionGoneError):
            store.append([custom(store)])
    assert not path.exists()
    assert store.changes().kind == "deleted"


@pytest.mark.parametrize("name", ["no header", "broken first line", "newer version"])
def test_what_is_read_only_stays_as_it_is(name: str, path: Path, opened: Opened) -> None:
    data = corpus()[name]
    path.write_bytes(data)
    store = opened(path)
    assert store.index.count == 10
    with pytest.raises(ReadOnlyError):
        store.append([custom(store)])
    assert path.read_bytes() == data


def test_a_file_without_permission(path: Path, opened: Opened) -> None:
    if os.geteuid() == 0:
        pytest.skip("the administrator may write everywhere")
    store = opened(path)
    path.chmod(0o400)
    with pytest.raises(StoreError):
        store.append([custom(store)])
    assert store.index.count == 5


def test_a_replaced_file_still_gets_what_belongs_to_it(path: Path, opened: Opened) -> None:
    store = opened(path)
    other = path.with_name("other")
    other.write_bytes(lines(HEADER, *chain(3)))
    other.replace(path)
    with pytest.raises(StoreError, match="00000004"):
        store.append([custom(store, "00000004")])
    assert store.append([custom(store, "00000002")]) == range(3, 4)
    assert store.changes().kind == "replaced"


def test_two_instances(path: Path, opened: Opened) -> None:
    first, second = opened(path), opened(path)
    first.append([custom(first)])
    with pytest.raises(SessionLockedError):
        second.append([custom(second)])
    assert second.refresh().kind == "appended", "the second one can still look"
    link = path.with_name("link.jsonl")
    link.symlink_to(path)
    third = opened(link)
    with pytest.raises(SessionLockedError):
        third.append([custom(third)])
    first.close()
    second.append([custom(second)])


def test_nothing_is_left_beside_the_file(path: Path, opened: Opened) -> None:
    store = opened(path)
    store.append([custom(store)])
    store.close()
    assert [file.name for file in path.parent.iterdir() if file.name != "home"] == [path.name]


@pytest.mark.parametrize("name", [name for name in SAMPLES if "v1" not in name])
def test_old_bytes_stay_in_front(name: str, path: Path, opened: Opened) -> None:
    path.write_bytes(SAMPLES[name])
    store = opened(path)
    leaf = store.index.id_of(store.index.count - 1)
    label = new_label_entry(store.new_entry_id(), leaf, TIME, store.dialect, target_id=leaf, label="here")
    summary = new_branch_summary_entry(
        store.new_entry_id(), store.index.id_of(3), TIME, store.dialect, from_id=leaf, summary="Summary."
    )
    store.append([label])
    store.append([summary])
    data = path.read_bytes()
    assert data.startswith(SAMPLES[name])
    assert [json.loads(line) for line in data[len(SAMPLES[name]) :].splitlines()] == [label, summary]
    assert_equals(store.index, read_plainly(data))
