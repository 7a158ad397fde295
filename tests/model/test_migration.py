import copy
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.json_text import JsonObject
from model.migration import migrate, stored_version
from model.session_loading import load_session
from tests.model.strategies import messy_entries

pytestmark = pytest.mark.spec("SF-8")

SESSIONS = Path(__file__).parents[1] / "sessions"


def new_ids() -> Callable[[], str]:
    numbers = itertools.count()
    return lambda: f"#{next(numbers)}"


def session(version: Any, *entries: JsonObject) -> list[Any]:
    header = {"type": "session", "id": "s", "version": version} if version else {"type": "session", "id": "s"}
    return [header, *entries]


def migrated(records: list[Any]) -> list[Any]:
    before = copy.deepcopy(records)
    result = migrate(records, records[0], new_ids())
    assert records == before
    return list(result.records)


@pytest.mark.parametrize(
    ("header", "version"),
    [
        (None, 1),
        ({}, 1),
        ({"version": None}, 1),
        ({"version": 2}, 2),
        ({"version": "2"}, 2),
        ({"version": 9}, 9),
        ({"version": "two"}, 3),
        ({"version": []}, 3),
        ({"version": float("nan")}, 3),
    ],
)
def test_the_stored_version(header: JsonObject | None, version: float) -> None:
    assert stored_version(header) == version


def test_a_current_session_comes_back_as_it_is() -> None:
    records = session(3, {"type": "message", "id": "a", "message": {"role": "hookMessage"}})
    result = migrate(records, records[0], new_ids())
    assert result.records == tuple(records)
    assert not result.changed


def test_version_1_gets_a_chain_of_ids() -> None:
    records = session(
        None,
        {"type": "message", "id": "old", "message": {"role": "user"}},
        {"type": "mystery", "x": 1},
        5,
        {"type": "custom"},
    )
    assert migrated(records) == [
        {"type": "session", "id": "s", "version": 3},
        {"type": "message", "message": {"role": "user"}, "id": "#0", "parentId": None},
        {"type": "mystery", "x": 1, "id": "#1", "parentId": "#0"},
        5,
        {"type": "custom", "id": "#2", "parentId": "#1"},
    ]
    assert migrate(records, records[0], new_ids()).changed


@pytest.mark.parametrize(
    ("index", "boundary"),
    [
        (1, "#0"),
        (2, "#1"),
        (2.0, "#1"),
        (0, None),
        (3, None),
        (4, None),
        (99, None),
        (-1, None),
        (1.5, None),
        ("1", None),
        (True, None),
        (None, None),
    ],
)
@pytest.mark.spec("O-047", "CB-5")
def test_the_boundary_of_version_1_counts_records_with_the_header_as_0(index: Any, boundary: str | None) -> None:
    records = session(
        None, {"type": "message"}, {"type": "message"}, {"type": "compaction", "firstKeptEntryIndex": index}
    )
    compaction = migrated([*records, {"type": "message"}])[3]
    assert compaction.get("firstKeptEntryId") == boundary
    assert "firstKeptEntryIndex" not in compaction


def test_a_boundary_is_no_second_header_and_no_scalar() -> None:
    for other in ({"type": "session", "id": "two"}, 5):
        records = session(None, {"type": "message"}, other, {"type": "compaction", "firstKeptEntryIndex": 2})
        assert "firstKeptEntryId" not in migrated(records)[3]
    given_id = session(
        None, {"type": "message"}, {"type": "compaction", "firstKeptEntryIndex": 1, "firstKeptEntryId": "x"}
    )
    assert migrated(given_id)[2]["firstKeptEntryId"] == "#0"


@pytest.mark.spec("SF-5.1")
@pytest.mark.parametrize("version", [None, 2])
def test_the_role_hook_message_is_called_custom(version: int | None) -> None:
    hook = {"type": "message", "id": "a", "parentId": None, "message": {"role": "hookMessage", "content": "x"}}
    entries = migrated(
        session(
            version,
            hook,
            {"type": "message", "id": "b", "message": None},
            {"type": "custom", "message": {"role": "hookMessage"}},
        )
    )
    assert entries[1]["message"] == {"role": "custom", "content": "x"}
    assert entries[2]["message"] is None
    assert entries[3]["message"] == {"role": "hookMessage"}
    assert entries[0]["version"] == 3
    if version == 2:
        assert entries[1]["id"] == "a"


@pytest.mark.parametrize("name", ["large", "before-compaction"])
def test_the_sample_of_version_1_is_what_pi_made_of_it(name: str) -> None:
    ours = load_session((SESSIONS / f"real-v1-{name}.jsonl").read_bytes(), new_ids())
    lines = (SESSIONS / f"real-v3-{name}.jsonl").read_text(encoding="utf-8").splitlines()
    header, *theirs = [json.loads(line) for line in lines]
    assert ours.header == header
    names = {entry["id"]: f"#{row}" for row, entry in enumerate(theirs)}
    renamed = [
        {
            key: names[value] if key in ("id", "parentId", "firstKeptEntryId") and value else value
            for key, value in entry.items()
        }
        for entry in theirs
    ]
    assert list(ours.entries) == renamed


@given(st.lists(messy_entries, max_size=6), st.sampled_from([None, 1, 2, 3, 4]))
def test_migrating_twice_is_migrating_once(entries: list[JsonObject], version: int | None) -> None:
    records = session(version, *entries)
    once = migrate(records, records[0], new_ids())
    twice = migrate(once.records, once.records[0], new_ids())
    assert twice.records == once.records
    assert not twice.changed


@given(st.lists(messy_entries, max_size=6))
def test_any_entries_of_version_1_become_a_chain(entries: list[JsonObject]) -> None:
    records = migrated(session(1, *entries))
    chain = [record for record in records if record.get("type") != "session"]
    assert [entry["parentId"] for entry in chain] == [None, *(entry["id"] for entry in chain[:-1])][: len(chain)]
