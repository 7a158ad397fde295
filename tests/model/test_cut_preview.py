"""The bisecting preview against the search that walks, for every number of tokens and under all rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.compaction import NothingToCompact, prepare_compaction
from model.cut_points import CutTraits, search_cut
from model.cut_preview import CutPreview
from model.dialects import Dialect
from model.json_text import JsonObject
from model.rules import PRESETS, Rules
from model.settings import default_settings

SESSIONS = Path(__file__).parents[1] / "sessions"

traits = st.builds(
    lambda message, cut, turn, clean, weighed, tokens: CutTraits(
        cut and message,
        turn and cut and message,
        clean and turn and cut and message,
        message,
        weighed and message,
        tokens,
    ),
    *[st.booleans() for _ in range(5)],
    st.integers(0, 50),
)


@pytest.mark.spec("CP-7", "CP-8", "CP-9", "CP-25")
@given(
    path=st.lists(traits, max_size=30),
    start=st.integers(0, 30),
    keep=st.integers(0, 400),
    rules=st.sampled_from(list(PRESETS.values())),
)
def test_bisecting_equals_walking(path: list[CutTraits], start: int, keep: int, rules: Rules) -> None:
    start = min(start, len(path))
    preview = CutPreview(path, [int(item.stops_pull_in) for item in path], start, len(path), rules=rules)
    walked = search_cut(path, start, len(path), keep, rules)
    found = preview.at(keep)
    if found is None:
        assert walked.cut_index is None or not any(item.stops_pull_in for item in path[start : walked.first_kept_index])
        return
    assert found.cut == walked
    window = sum(item.tokens for item in path[start:])
    assert found.summarized.tokens + found.turn_prefix.tokens + found.kept.tokens == window == preview.window_tokens


@pytest.mark.spec("CP-25")
@given(path=st.lists(traits, max_size=30), place=st.integers(0, 30), ratio=st.floats(1, 9))
def test_dragging_the_cut_lands_on_a_cut_point_or_says_why_not(path: list[CutTraits], place: int, ratio: float) -> None:
    preview = CutPreview(path, [int(item.stops_pull_in) for item in path], 0, len(path), ratio)
    keep = preview.keep_tokens_for(place)
    if place < len(path) and preview.obstacle(place) is None:
        assert path[place].is_cut_point
    if keep is None:
        return
    found = preview.at(keep)
    assert found is not None
    assert found.cut.cut_index is not None
    assert path[found.cut.cut_index].is_cut_point
    assert found.cut.cut_index >= place or not any(item.is_cut_point for item in path[place:])


def active_path(name: str) -> list[JsonObject]:
    entries = [json.loads(line) for line in (SESSIONS / name).read_text("utf-8").splitlines()][1:]
    by_id = {entry["id"]: entry for entry in entries}
    path = [entries[-1]]
    while (parent := path[-1]["parentId"]) is not None:
        path.append(by_id[parent])
    return path[::-1]


@pytest.mark.spec("CP-25")
@pytest.mark.parametrize(
    ("name", "dialect"),
    [("real-v3-before-compaction.jsonl", "pi"), ("real-v3-large.jsonl", "pi"), ("omp-branched.jsonl", "omp")],
)
def test_the_preview_is_what_the_preparation_does(name: str, dialect: Dialect) -> None:
    path = active_path(name)
    settings = default_settings(dialect).compaction
    preview = CutPreview.of(path, settings)
    if preview is None:
        assert isinstance(prepare_compaction(path, settings), NothingToCompact)
        return
    cuts = set()
    for keep in [1, 50, 300, 1000, 2500, 5000, 12_000, 20_000, 60_000, 10**6]:
        prepared = prepare_compaction(path, settings.replaced(keep_recent_tokens=keep))
        found = preview.at(keep)
        if isinstance(prepared, NothingToCompact):
            assert found is None
            continue
        assert found is not None
        assert path[found.cut.first_kept_index]["id"] == prepared.first_kept_entry_id
        assert found.cut.is_split_turn == prepared.is_split_turn
        for size, group in (
            (found.summarized, prepared.summarize),
            (found.turn_prefix, prepared.turn_prefix),
            (found.kept, prepared.keep),
        ):
            assert (size.entries, size.messages, size.tokens) == (
                len(group.entry_ids),
                len(group.messages),
                group.tokens,
            )
        cuts.add(prepared.first_kept_entry_id)
    assert len(cuts) > 1


def test_a_path_that_ends_in_a_compaction_has_no_preview() -> None:
    path = [{"type": "compaction", "id": "a", "parentId": None, "summary": "s", "firstKeptEntryId": "a"}]
    assert CutPreview.of(path, default_settings("pi").compaction) is None
