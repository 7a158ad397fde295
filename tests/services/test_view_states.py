"""How sessions were looked at: kept by file, bounded, and tolerant of whatever its files hold."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services import view_states
from services.view_states import ViewState, ViewStates

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
NAMES = st.sampled_from(list(ViewState.__slots__))
STATE = ViewState(
    selected_id="b",
    at_leaf=False,
    top_id="a",
    top_offset=7,
    unfolded_heads=["x"],
    folded_points=["y"],
    filter_mode="all",
    branch_points_only=True,
    arrangement="fixed",
    tab="timeline",
    columns={"shown": ["TIME"]},
    docks="AAAA",
    map_docks="BBBB",
)


def remember(states: ViewStates, path: Path, state: ViewState) -> None:
    states.note(path, state)
    states.write(path)


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    remember(ViewStates(tmp_path / "views"), Path("/w/one.jsonl"), STATE)
    again = ViewStates(tmp_path / "views")
    assert again.recall(Path("/w/one.jsonl")) == STATE


def test_another_session_starts_with_the_habits_only(tmp_path: Path) -> None:
    states = ViewStates(tmp_path)
    assert states.recall(Path("/w/two.jsonl")) == ViewState()
    remember(states, Path("/w/one.jsonl"), STATE)
    other = states.recall(Path("/w/two.jsonl"))
    assert other == ViewState(arrangement="fixed", columns={"shown": ["TIME"]}, docks="AAAA", map_docks="BBBB")


def test_a_state_is_known_before_it_is_written(tmp_path: Path) -> None:
    states = ViewStates(tmp_path)
    states.note(Path("/w/one.jsonl"), STATE)
    assert states.recall(Path("/w/one.jsonl")) == STATE
    assert states.recall(Path("/w/two.jsonl")).arrangement == "fixed"
    assert not list(tmp_path.iterdir())
    states.write(Path("/w/one.jsonl"))
    states.write(Path("/w/one.jsonl"))
    assert states.recall(Path("/w/one.jsonl")) == STATE


@given(value=JSON | st.dictionaries(NAMES, JSON))
def test_anything_is_read_as_some_state(value: object) -> None:
    state = ViewState.of(value)
    assert all(isinstance(each, str) for each in [*state.unfolded_heads, *state.folded_points])
    assert type(state.at_leaf) is bool
    assert type(state.top_offset) is int


@pytest.mark.parametrize("rubbish", [b"", b"\xff\xfe", b"[" * 100_000, b"{}", b"null", b'{"selected_id": 5}'])
def test_a_broken_file_is_no_state(tmp_path: Path, rubbish: bytes) -> None:
    path = Path("/w/one.jsonl")
    remember(ViewStates(tmp_path), path, STATE)
    for file in tmp_path.iterdir():
        file.write_bytes(rubbish)
    states = ViewStates(tmp_path)
    assert states.recall(path) == ViewState()


def test_folds_are_bounded_and_so_are_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view_states, "MOST_SESSIONS", 3)
    many = [str(number) for number in range(5000)]
    assert len(ViewState.of({"unfolded_heads": many}).unfolded_heads) == view_states.MOST_FOLDS
    states = ViewStates(tmp_path)
    for number in range(6):
        remember(states, Path(f"/w/{number}.jsonl"), ViewState(selected_id=str(number)))
        for age, file in enumerate(sorted(tmp_path.iterdir(), key=lambda file: file.stat().st_mtime_ns)):
            os.utime(file, ns=(age * 10**9, age * 10**9))
    assert len(list(tmp_path.iterdir())) <= 4
    assert states.recall(Path("/w/5.jsonl")).selected_id == "5"
    assert states.recall(Path("/w/0.jsonl")).selected_id is None


def test_a_folder_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    states = ViewStates(tmp_path / "file" / "views")
    remember(states, Path("/w/one.jsonl"), STATE)
    assert ViewStates(tmp_path / "file" / "views").recall(Path("/w/one.jsonl")) == ViewState()
