"""The plan of an export: each entry once, the active path first, no branch inside another."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from model.entry_index import EntryIndex, IdKeys, Records, build_index
from model.entry_kinds import Role
from model.runs import NO_ROW
from model.session_export import images_of, plan_export, replaced_values, without_image_data


def index_of(parents: list[int], roles: Sequence[Role] = ()) -> EntryIndex:
    """An index in which entry `row` hangs under entry `parents[row]` (-1: a root)."""
    ids = IdKeys()
    records = Records.empty(len(parents))
    records.offset[:] = np.arange(len(parents)) * 10
    records.time_ms[:] = np.arange(len(parents))
    records.key[:] = [ids.key(f"e{row}") for row in range(len(parents))]
    records.parent_key[:] = [0 if parent < 0 else ids.key(f"e{parent}") for parent in parents]
    records.role[: len(roles)] = roles
    return build_index(records, ids)[0]


@st.composite
def forests(draw: st.DrawFn) -> list[int]:
    count = draw(st.integers(0, 40))
    return [draw(st.integers(-1 if row % 7 == 0 else max(-1, row - 4), row - 1)) for row in range(count)]


@given(forests(), st.data())
def test_all_branches_hold_every_entry_once_and_each_begins_behind_its_fork(parents: list[int], data: Any) -> None:
    leaf = data.draw(st.integers(-1, len(parents) - 1))
    plan = plan_export(index_of(parents), leaf, all_branches=True)
    assert sorted(plan.rows) == list(range(len(parents)))
    assert plan.entry_count == len(parents)
    seen: set[int] = {NO_ROW}
    for number, branch in enumerate(plan.branches):
        assert branch.number == number
        assert branch.fork_row in seen
        assert parents[branch.rows[0]] == branch.fork_row
        for before, after in zip(branch.rows, branch.rows[1:], strict=False):
            assert parents[after] == before
        seen.update(branch.rows)
        if branch.fork_row != NO_ROW:
            assert number in plan.forks[branch.fork_row]
    assert sum(map(len, plan.forks.values())) == sum(branch.fork_row != NO_ROW for branch in plan.branches)
    if leaf >= 0:
        path = [leaf]
        while parents[path[-1]] >= 0:
            path.append(parents[path[-1]])
        assert plan.branches[0].rows == tuple(reversed(path))


@given(forests(), st.data())
def test_one_branch_is_the_path(parents: list[int], data: Any) -> None:
    leaf = data.draw(st.integers(-1, len(parents) - 1))
    everything = plan_export(index_of(parents), leaf, all_branches=True)
    plan = plan_export(index_of(parents), leaf, all_branches=False)
    assert plan.branches == (everything.branches[:1] if leaf >= 0 else ())
    assert not plan.forks


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=4))
def test_replacing_nothing_gives_an_equal_copy(value: dict[str, Any]) -> None:
    copy = replaced_values(value, lambda _key, text: text)
    assert copy == value
    assert copy is not value


def test_texts_are_replaced_with_the_key_they_stand_under_and_images_are_not_read() -> None:
    image = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
    value = {"a": "x", "b": ["y", {"c": "z"}], "n": 1, "content": [image]}
    assert replaced_values(value, lambda key, text: f"{key}={text}") == {
        "a": "a=x",
        "b": ["=y", {"c": "c=z"}],
        "n": 1,
        "content": [{"type": "type=image", "data": "AAAA", "mimeType": "mimeType=image/png"}],
    }
    assert value["a"] == "x"


def test_depth_is_not_limited() -> None:
    value: dict[str, Any] = {"x": "end"}
    for _ in range(50_000):
        value = {"x": value}
    copy = replaced_values(value, lambda _key, text: text.upper())
    while isinstance(copy["x"], dict):
        copy = copy["x"]
    assert copy["x"] == "END"


def test_images_are_found_in_messages_notes_and_mentioned_files() -> None:
    image = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
    user = {"type": "message", "message": {"role": "user", "content": [{"type": "text", "text": "x"}, image]}}
    note = {"type": "custom_message", "content": [image, 5]}
    files = {"type": "message", "message": {"role": "fileMention", "files": [{"path": "a", "image": image}, {}, 7]}}
    assert [list(images_of(entry)) for entry in (user, note, files)] == [[image]] * 3
    assert images_of({"type": "message", "message": "none"}) == []
    assert without_image_data(user)["message"]["content"][1] == {**image, "data": ""}
    assert without_image_data(files)["message"]["files"][0]["image"]["data"] == ""
    text = {"type": "message", "message": {"role": "user", "content": "data"}}
    assert without_image_data(text) is text
