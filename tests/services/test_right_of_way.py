"""The window goes first: workers wait at their checks, and nothing waits for long."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from services.cancellation import CancellationToken, OperationCancelled
from services.right_of_way import LONGEST_WAIT_S, WINDOW, RightOfWay


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers wait as long as it takes."""
    monkeypatch.setattr("services.right_of_way.LONGEST_WAIT_S", 30.0)
    monkeypatch.setattr("services.right_of_way.LONGEST_TURN_S", 30.0)


def worker(way: RightOfWay) -> threading.Event:
    """Start a thread that gives way once; the event tells that it went on."""
    return behind(way.give)


def behind(check: Callable[[], None]) -> threading.Event:
    """Start a thread that makes one check; the event tells that it went on."""
    went_on = threading.Event()

    def go_on() -> None:
        check()
        went_on.set()

    threading.Thread(target=go_on, daemon=True).start()
    return went_on


@pytest.mark.usefixtures("patient")
def test_others_wait_until_it_is_given_back() -> None:
    way = RightOfWay()
    with way:
        went_on = worker(way)
        with way:  # within itself
            pass
        assert not went_on.wait(0.1)
        assert way.is_taken
    assert went_on.wait(5)
    assert not way.is_taken


@pytest.mark.usefixtures("patient")
def test_who_looks_whether_to_stop_waits_too() -> None:
    with WINDOW:
        went_on = behind(CancellationToken().raise_if_set)
        assert not went_on.wait(0.1)
    assert went_on.wait(5)


def test_nobody_waits_while_it_is_free() -> None:
    way = RightOfWay()
    with way:
        pass
    assert worker(way).wait(5)


def test_nobody_waits_for_a_window_that_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be waiting for the worker; taken anew, it goes on."""
    monkeypatch.setattr("services.right_of_way.LONGEST_WAIT_S", 30.0)
    monkeypatch.setattr("services.right_of_way.LONGEST_TURN_S", 0.5)
    way = RightOfWay()
    with way:
        time.sleep(0.55)
        assert worker(way).wait(5)
        with way:
            went_on = worker(way)
            assert not went_on.wait(0.1)
    assert went_on.wait(5)


def test_a_long_turn_of_the_window_does_not_stop_the_work() -> None:
    way = RightOfWay()
    with way:
        assert worker(way).wait(5)


def test_the_thread_that_has_it_does_not_wait_for_itself() -> None:
    start = time.perf_counter()
    with WINDOW:
        for _ in range(2000):
            CancellationToken().raise_if_set()
    assert time.perf_counter() - start < 2000 * LONGEST_WAIT_S / 2


def test_an_error_gives_it_back() -> None:
    way = RightOfWay()
    with pytest.raises(ZeroDivisionError), way:
        raise ZeroDivisionError
    assert worker(way).wait(5)


@pytest.mark.usefixtures("patient")
def test_what_was_cancelled_does_not_wait() -> None:
    token = CancellationToken()
    token.cancel()
    stopped = threading.Event()

    def check() -> None:
        with pytest.raises(OperationCancelled):
            token.raise_if_set()
        stopped.set()

    with WINDOW:
        thread = threading.Thread(target=check)
        thread.start()
        assert stopped.wait(5)
    thread.join(10)


@pytest.mark.usefixtures("patient")
def test_the_window_can_cancel_what_is_about_to_write() -> None:
    """Sealing holds what cancelling needs: it does not wait for the window meanwhile."""
    token, sealed = CancellationToken(), threading.Event()

    def seal() -> None:
        token.seal()
        sealed.set()

    with WINDOW:
        threading.Thread(target=seal, daemon=True).start()
        assert sealed.wait(5)
        assert not token.cancel()
