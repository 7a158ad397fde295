"""The sizes of the context along a path, and what a chart draws of them."""

from __future__ import annotations

import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.context_timeline import (
    CompactionMark,
    ContextTimeline,
    axis_steps,
    compaction_marks,
    envelope,
    recorded_size,
)
from model.json_text import JsonObject
from tests.model.session_builders import usage
from tests.model.strategies import messy_messages

NAN = float("nan")


def answer(**more: object) -> JsonObject:
    return {"role": "assistant", "content": [], "usage": usage(1200, 300), **more}


@pytest.mark.spec("CP-1")
def test_only_answers_that_measured_something_count() -> None:
    assert recorded_size(answer()) == 1200
    assert recorded_size(answer(stopReason="aborted")) is None
    assert recorded_size(answer(stopReason="error")) is None
    assert recorded_size(answer(usage={"input": 0, "output": 0, "totalTokens": 0})) is None
    assert recorded_size(answer(usage=None)) is None
    assert recorded_size({"role": "user", "usage": usage(5)}) is None
    assert recorded_size(None) is None


def test_total_tokens_missing_the_four_counters_count() -> None:
    """Field report K05."""
    counters = {"input": 900, "cacheRead": 190_000, "cacheWrite": 0, "output": 10, "totalTokens": 0}
    assert recorded_size(answer(usage=counters)) == 190_910


@given(messy_messages)
def test_any_message_has_a_size_or_none(message: JsonObject) -> None:
    size = recorded_size(message)
    assert size is None or isinstance(size, int | float)


def test_compactions_tell_what_they_saved() -> None:
    estimated = np.array([100.0, 9000.0, 800.0, NAN, 50.0])
    marks = compaction_marks(estimated, np.array([False, False, True, False, True]))
    assert marks == (CompactionMark(2, 9000.0, 800.0), CompactionMark(4, None, 50.0))
    assert compaction_marks(np.array([5.0]), np.array([True])) == (CompactionMark(0, None, 5.0),)


def test_largest_and_latest() -> None:
    rows = np.arange(3, dtype=np.int32)
    timeline = ContextTimeline(rows, np.array([10.0, 20.0, 15.0]), np.array([NAN, 25.0, NAN]))
    assert (timeline.largest, timeline.latest) == (25.0, 15.0)
    empty = ContextTimeline(rows[:0], np.empty(0), np.empty(0))
    assert (empty.largest, empty.latest) == (0.0, None)
    unknown = ContextTimeline(rows[:1], np.array([NAN]), np.array([NAN]))
    assert (unknown.largest, unknown.latest) == (0.0, None)


@given(st.lists(st.floats(0, 1e9) | st.just(NAN), max_size=300), st.integers(1, 80))
def test_no_peak_is_lost(values: list[float], columns: int) -> None:
    sizes = np.array(values, np.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        starts, low, high = envelope(sizes, columns)
    assert len(starts) == len(low) == len(high) == min(columns, len(values))
    known = sizes[~np.isnan(sizes)]
    if len(known):
        assert np.nanmax(high) == known.max()
        assert np.nanmin(low) == known.min()
    for start, end, least, most in zip(starts, [*starts[1:], len(values)][: len(starts)], low, high, strict=True):
        part = sizes[start:end]
        part = part[~np.isnan(part)]
        assert (least, most) == (part.min(), part.max()) if len(part) else np.isnan(least)


@given(st.floats(0.001, 1e12), st.integers(2, 12))
def test_axes_have_round_steps_up_to_the_largest(largest: float, most: int) -> None:
    steps = axis_steps(largest, most)
    assert steps[0] == 0
    assert steps[-1] >= largest * (1 - 1e-6)
    assert 2 <= len(steps) <= most + 2
    assert len({round((after - before) / steps[1], 6) for before, after in pairwise(steps)}) == 1


def test_an_axis_for_nothing() -> None:
    assert axis_steps(0, 5) == [0.0]
    assert axis_steps(200_000, 5) == [0, 50_000, 100_000, 150_000, 200_000]
