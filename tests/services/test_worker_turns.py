"""Workers take turns: one computes at a time, each for a while, and nobody waits for long for one that is away."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from services import worker_turns
from services.cancellation import CancellationToken
from services.worker_turns import LONGEST_WAIT_S, WORKERS, WorkerTurns


class Worker:
    """A thread that computes: it gives way when it is told to, and ends when it is told to."""

    def __init__(self, turns: WorkerTurns, give: Callable[[], None] | None = None) -> None:
        self.goes_on, self.ends = threading.Event(), threading.Event()
        self._gives = threading.Event()
        self._turns, self._give = turns, give or turns.give
        self._thread = threading.Thread(target=self._compute, daemon=True)
        self._thread.start()

    def give(self) -> None:
        """Have it come to a check."""
        self.goes_on.clear()
        self._gives.set()

    def end(self) -> None:
        self.ends.set()
        self._gives.set()

    def join(self) -> None:
        self.end()
        self._thread.join(10)

    def _compute(self) -> None:
        with self._turns:
            self.goes_on.set()
            while self._gives.wait(10) and not self.ends.is_set():
                self._gives.clear()
                self._give()
                self.goes_on.set()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers wait as long as it takes, and a turn may be over at once."""
    monkeypatch.setattr(worker_turns, "LONGEST_WAIT_S", 30.0)
    monkeypatch.setattr(worker_turns, "TURN_S", 0.0)


@pytest.fixture
def start() -> Iterator[Callable[..., Worker]]:
    started: list[Worker] = []

    def start(turns: WorkerTurns, give: Callable[[], None] | None = None) -> Worker:
        started.append(Worker(turns, give))
        return started[-1]

    yield start
    for worker in started:
        worker.end()
    for worker in started:
        worker.join()


@pytest.mark.usefixtures("patient")
def test_one_computes_and_the_others_come_after_it_in_their_order(start: Callable[..., Worker]) -> None:
    turns = WorkerTurns()
    first = start(turns)
    assert first.goes_on.wait(5)
    second = start(turns)
    assert not second.goes_on.wait(0.1)
    third = start(turns)
    assert not third.goes_on.wait(0.1)
    first.end()
    assert second.goes_on.wait(5)
    assert not third.goes_on.wait(0.1)
    second.end()
    assert third.goes_on.wait(5)


@pytest.mark.usefixtures("patient")
def test_a_long_work_lets_a_short_one_go_on_at_its_check(start: Callable[..., Worker]) -> None:
    turns = WorkerTurns()
    long = start(turns)
    assert long.goes_on.wait(5)
    short = start(turns)
    assert not short.goes_on.wait(0.1)
    long.give()
    assert short.goes_on.wait(5)
    assert not long.goes_on.wait(0.1)
    short.end()
    assert long.goes_on.wait(5)


@pytest.mark.usefixtures("patient")
def test_a_turn_is_not_cut_short(start: Callable[..., Worker], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_turns, "TURN_S", 30.0)
    turns = WorkerTurns()
    first = start(turns)
    assert first.goes_on.wait(5)
    second = start(turns)
    first.give()
    assert first.goes_on.wait(5)
    assert not second.goes_on.wait(0.1)


def test_nobody_waits_for_long_for_one_that_is_away(
    start: Callable[..., Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be reading from a slow disk. When it comes back it waits in turn."""
    turns = WorkerTurns()
    away = start(turns)
    assert away.goes_on.wait(5)
    other = start(turns)
    assert other.goes_on.wait(5)
    monkeypatch.setattr(worker_turns, "LONGEST_WAIT_S", 30.0)
    monkeypatch.setattr(worker_turns, "TURN_S", 0.0)
    away.give()
    assert not away.goes_on.wait(0.1)
    other.give()
    assert away.goes_on.wait(5)
    assert not other.goes_on.wait(0.1)


@pytest.mark.usefixtures("patient")
def test_who_looks_whether_to_stop_lets_others_go_on(start: Callable[..., Worker]) -> None:
    long = start(WORKERS, CancellationToken().raise_if_set)
    assert long.goes_on.wait(5)
    short = start(WORKERS)
    assert not short.goes_on.wait(0.1)
    long.give()
    assert short.goes_on.wait(5)


def test_who_does_not_take_part_does_not_wait() -> None:
    turns = WorkerTurns()
    worker = Worker(turns)
    assert worker.goes_on.wait(5)
    begin = time.perf_counter()
    for _ in range(2000):
        turns.give()
    assert time.perf_counter() - begin < 2000 * LONGEST_WAIT_S / 2
    worker.join()


def test_an_error_passes_the_turn_on(start: Callable[..., Worker], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_turns, "LONGEST_WAIT_S", 30.0)
    turns = WorkerTurns()
    with pytest.raises(ZeroDivisionError), turns:
        raise ZeroDivisionError
    assert start(turns).goes_on.wait(5)


@pytest.mark.usefixtures("patient")
def test_many_that_compute_at_once_all_come_to_their_end() -> None:
    """Never two at a time between two checks, and none is forgotten."""
    turns, inside, most, ended = WorkerTurns(), [0], [0], []

    def compute(name: int) -> None:
        with turns:
            for _ in range(20):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                time.sleep(0.0002)  # any other thread may go on now
                inside[0] -= 1
                turns.give()
        ended.append(name)

    threads = [threading.Thread(target=compute, args=(name,), daemon=True) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(ended) == list(range(8))
    assert most == [1]
