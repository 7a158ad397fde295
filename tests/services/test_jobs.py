"""Jobs: one end each, within the promised time, whatever the work does."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from model.errors import RefusedError
from services.cancellation import CancellationToken, OperationCancelled
from services.errors import ServiceError
from services.jobs import Job, Outcome, join_jobs

Report = Callable[[object], None]

ABORT_LIMIT_S = 0.3


@pytest.fixture
def owner(qapp: object) -> Iterator[QObject]:
    owner = QObject()
    yield owner
    assert join_jobs(owner), "a thread is still running"


def run(job: Job, qtbot: QtBot) -> Outcome:
    """Start `job` and return how it ended."""
    with qtbot.waitSignal(job.ended, timeout=20_000) as caught:
        job.start()
    outcome = caught.args[0]
    assert isinstance(outcome, Outcome)
    return outcome


async def nothing(token: CancellationToken, report: Report) -> None:
    pass


def test_a_result_arrives_after_the_progress(owner: QObject, qtbot: QtBot) -> None:
    async def work(token: CancellationToken, report: Report) -> list[int]:
        report("half")
        await asyncio.sleep(0)
        return [1, 2]

    job, seen = Job(work, owner), []
    job.progress.connect(seen.append)
    job.ended.connect(seen.append)
    assert run(job, qtbot) == Outcome("done", value=[1, 2])
    assert seen == ["half", Outcome("done", value=[1, 2])]


@pytest.mark.parametrize("stops", [True, False])
def test_an_owner_that_goes_without_joining_takes_its_jobs_along(qtbot: QtBot, qapp: object, stops: bool) -> None:
    """Qt would end the whole program with the owner of a thread that still runs."""
    go_on, begun = threading.Event(), threading.Event()

    async def work(token: CancellationToken, report: Report) -> None:
        begun.set()
        if stops:
            await asyncio.sleep(60)
        go_on.wait(60)

    window = QObject()
    owner = QObject(window)
    ended: list[Outcome] = []
    job = Job(work, owner)
    job.ended.connect(ended.append)
    job.start()
    assert begun.wait(5)
    with qtbot.waitSignal(owner.destroyed, timeout=20_000):
        window.deleteLater()
    go_on.set()
    qtbot.wait(1)
    assert not ended


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ServiceError("The endpoint said no."), "The endpoint said no."),
        (RefusedError("Nothing to compact."), "Nothing to compact."),
        (OSError(28, "No space left on device", "/x/y.jsonl"), "/x/y.jsonl: No space left on device."),
    ],
)
def test_a_failure_carries_its_sentence_and_its_error(
    error: Exception, text: str, owner: QObject, qtbot: QtBot
) -> None:
    async def work(token: CancellationToken, report: Report) -> None:
        raise error

    assert run(Job(work, owner), qtbot) == Outcome("failed", text, error)


def test_an_unexpected_error_goes_to_the_log(owner: QObject, qtbot: QtBot, caplog: pytest.LogCaptureFixture) -> None:
    async def work(token: CancellationToken, report: Report) -> None:
        raise KeyError("surprise")

    outcome = run(Job(work, owner), qtbot)
    assert (outcome.kind, outcome.text) == ("failed", "It failed unexpectedly; see the log.")
    assert "surprise" in caplog.text


async def never_ends(token: CancellationToken, report: Report) -> None:
    report("started")
    await asyncio.Event().wait()


async def blocks_in_a_thread(token: CancellationToken, report: Report) -> None:
    report("started")
    await asyncio.to_thread(released.wait, 20)


async def blocks_the_loop(token: CancellationToken, report: Report) -> None:
    report("started")
    released.wait(20)


async def refuses_to_be_cancelled(token: CancellationToken, report: Report) -> None:
    report("started")
    while not released.is_set():
        try:
            await asyncio.sleep(20)
        except asyncio.CancelledError:
            continue


async def looks_up_a_name(token: CancellationToken, report: Report) -> None:
    report("started")
    await asyncio.get_running_loop().getaddrinfo("slow.invalid", 80)


async def cancels_its_own_token(token: CancellationToken, report: Report) -> None:
    report("started")
    token.cancel()
    token.raise_if_set()


async def raises_cancellation(token: CancellationToken, report: Report) -> None:
    report("started")
    await asyncio.to_thread(token.wait)
    raise OperationCancelled


released = threading.Event()


@pytest.fixture
def slow_names(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    released.clear()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_hints: released.wait(20))
    yield
    released.set()


@pytest.mark.parametrize(
    "work",
    [
        never_ends,
        blocks_in_a_thread,
        blocks_the_loop,
        refuses_to_be_cancelled,
        looks_up_a_name,
        cancels_its_own_token,
        raises_cancellation,
    ],
)
def test_an_abort_ends_every_kind_of_work(work: Callable[..., object], slow_names: None, qtbot: QtBot) -> None:
    def abort(_progress: object) -> None:
        times.append(time.perf_counter())
        job.abort()
        job.abort()

    job, ends, times = Job(work), [], []  # type: ignore[arg-type]
    job.ended.connect(ends.append)
    job.progress.connect(abort)
    with qtbot.waitSignal(job.finished, timeout=20_000):
        job.start()
    assert time.perf_counter() - times[0] < ABORT_LIMIT_S
    assert ends == [Outcome("aborted")]
    released.set()
    qtbot.wait(10)
    assert ends == [Outcome("aborted")], "a late result must be dropped"


def test_an_abort_before_the_first_step_ends_it(owner: QObject, qtbot: QtBot) -> None:
    job = Job(never_ends, owner)
    with qtbot.waitSignal(job.ended, timeout=2000) as caught:
        job.start()
        job.abort()
    assert caught.args == [Outcome("aborted")]


def test_no_progress_follows_the_end(slow_names: None, qtbot: QtBot) -> None:
    async def work(token: CancellationToken, report: Report) -> None:
        report("started")
        released.wait(20)
        report("late")
        done.set()

    job, seen, done = Job(work), [], threading.Event()
    job.progress.connect(seen.append)
    with qtbot.waitSignal(job.progress, timeout=20_000):
        job.start()
    with qtbot.waitSignal(job.finished, timeout=20_000):
        job.abort()
    released.set()
    assert done.wait(5)
    qtbot.wait(10)
    assert seen == ["started"]


def test_sealed_work_is_not_aborted(owner: QObject, qtbot: QtBot) -> None:
    async def work(token: CancellationToken, report: Report) -> str:
        token.seal()
        report("sealed")
        await asyncio.to_thread(go_on.wait, 5)
        return "written"

    job, go_on = Job(work, owner), threading.Event()
    with qtbot.waitSignal(job.progress, timeout=20_000):
        job.start()
    assert not job.abort()
    with qtbot.waitSignal(job.ended, timeout=20_000) as caught:
        go_on.set()
    assert caught.args == [Outcome("done", value="written")]


def test_two_hundred_jobs_leave_no_thread(owner: QObject, qtbot: QtBot) -> None:
    before = threading.active_count()
    for _ in range(200):
        assert run(Job(nothing, owner), qtbot).kind == "done"
    assert threading.active_count() <= before


def test_joining_stops_what_runs_and_tells_what_does_not_stop(qtbot: QtBot) -> None:
    owner = QObject()
    jobs = [Job(never_ends, owner) for _ in range(3)]
    for job in jobs:
        job.start()
    assert join_jobs(owner)
    assert all(job.isFinished() for job in jobs)
