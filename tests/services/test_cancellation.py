"""The token: cancelled or sealed, never both; its callbacks; ending an await."""

import asyncio
import threading

import pytest

from services.cancellation import CancellationToken, OperationCancelled, run_until_cancelled


def test_callbacks_run_once_on_the_cancelling_thread() -> None:
    token, seen = CancellationToken(), []
    token.add_callback(lambda: seen.append(threading.current_thread().name))
    canceller = threading.Thread(target=token.cancel, name="canceller")
    canceller.start()
    canceller.join()
    assert token.cancel()
    assert seen == ["canceller"]


def test_a_callback_added_late_runs_at_once() -> None:
    token, seen = CancellationToken(), []
    token.cancel()
    token.add_callback(lambda: seen.append("now"))
    assert seen == ["now"]


def test_a_removed_callback_is_not_called() -> None:
    token, seen = CancellationToken(), []
    token.add_callback(lambda: seen.append("no"))()
    token.cancel()
    assert seen == []


def test_waiting_ends_with_the_cancellation() -> None:
    token = CancellationToken()
    assert not token.wait(0)
    threading.Thread(target=token.cancel).start()
    assert token.wait()


def test_sealed_cannot_be_cancelled_and_cancelled_cannot_be_sealed() -> None:
    sealed, cancelled = CancellationToken(), CancellationToken()
    sealed.seal()
    assert not sealed.cancel()
    assert not sealed.is_set()
    cancelled.cancel()
    with pytest.raises(OperationCancelled):
        cancelled.seal()
    assert not cancelled.sealed


def test_of_many_racing_cancels_and_one_seal_exactly_one_side_wins() -> None:
    for _ in range(200):
        token, barrier, answers = CancellationToken(), threading.Barrier(3), []

        def cancel(token: CancellationToken = token, barrier: threading.Barrier = barrier) -> None:
            barrier.wait()
            answers.append(token.cancel())  # noqa: B023

        threads = [threading.Thread(target=cancel) for _ in range(2)]
        for thread in threads:
            thread.start()
        barrier.wait()
        try:
            token.seal()
            sealed = True
        except OperationCancelled:
            sealed = False
        for thread in threads:
            thread.join()
        assert any(answers) is not sealed


def test_cancelling_from_another_thread_ends_an_await() -> None:
    async def stalled() -> None:
        threading.Thread(target=token.cancel).start()
        await asyncio.Event().wait()

    token = CancellationToken()
    with pytest.raises(OperationCancelled):
        asyncio.run(run_until_cancelled(token, stalled()))


def test_work_that_ends_in_spite_of_a_cancellation_keeps_its_result() -> None:
    async def stubborn() -> str:
        token.cancel()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "kept"
        return "never"

    token = CancellationToken()
    assert asyncio.run(run_until_cancelled(token, stubborn())) == "kept"


def test_an_error_of_the_work_is_its_own() -> None:
    async def failing() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        asyncio.run(run_until_cancelled(CancellationToken(), failing()))
