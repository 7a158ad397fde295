"""The cyclic collector runs when nobody waits, and not only then when nobody ever does."""

from __future__ import annotations

import gc
import time
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject

from gui.idle_collector import LEAST_OBJECTS, MOST_PAUSES, MOST_WORK_S, IdleCollector


class Knot:
    """Garbage that only the collector can free."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def busy() -> list[bool]:
    return [False]


@pytest.fixture
def collector(qapp: object, busy: list[bool]) -> Iterator[IdleCollector]:
    owner = QObject()
    made = IdleCollector(lambda: busy[0], owner)
    made.take_over()
    yield made
    made.stop()
    gc.unfreeze()


def knot() -> weakref.ref[Knot]:
    """Garbage that is worth a run."""
    made = [Knot() for _ in range(LEAST_OBJECTS)]
    return weakref.ref(made[-1])


def test_it_collects_at_its_own_time_only(collector: IdleCollector) -> None:
    garbage = knot()
    many = [[] for _ in range(200_000)]  # would start Python's own runs
    assert garbage() is not None
    assert len(many) == 200_000
    collector.timeout.emit()  # behind the work of making them
    collector.timeout.emit()
    assert garbage() is None
    assert collector.isActive()


def test_a_busy_window_is_left_alone_but_not_for_ever(collector: IdleCollector, busy: list[bool]) -> None:
    busy[0] = True
    garbage = knot()
    for _ in range(MOST_PAUSES - 1):
        collector.timeout.emit()
    assert garbage() is not None
    collector.timeout.emit()
    assert garbage() is None


def test_it_waits_for_a_pause_in_which_nobody_does_anything(collector: IdleCollector) -> None:
    collector.timeout.emit()
    garbage = knot()
    for _ in range(3):
        until = time.thread_time() + 2 * MOST_WORK_S
        while time.thread_time() < until:
            pass
        collector.timeout.emit()
        assert garbage() is not None
    collector.timeout.emit()
    assert garbage() is None


def test_after_a_session_was_closed_everything_is_looked_at(collector: IdleCollector) -> None:
    kept = Knot()
    garbage = weakref.ref(kept)
    for _ in range(2):  # it is among the old objects then
        knot()
        collector.timeout.emit()
    del kept
    knot()
    collector.timeout.emit()
    assert garbage() is not None
    collector.note_closed()
    collector.timeout.emit()
    assert garbage() is None


def test_for_a_few_objects_nothing_is_run(collector: IdleCollector) -> None:
    """A program that rests goes on resting."""
    runs: list[str] = []

    def note(phase: str, _info: dict[str, int]) -> None:
        runs.append(phase)

    collector.timeout.emit()
    gc.callbacks.append(note)
    for _ in range(MOST_PAUSES + 1):
        collector.timeout.emit()
    assert not runs
    knot()
    collector.timeout.emit()
    gc.callbacks.remove(note)
    assert runs == ["start", "stop"]
