"""Stopping an operation at every phase and at random moments: soon idle, nothing written, nothing left behind."""

import asyncio
import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from services.agent_session import AgentSession
from services.cancellation import CancellationToken
from services.jobs import Job, Outcome, join_jobs
from services.operations import CompactionOptions, CompactionResult, DraftSummary, NavigationOptions, NavigationResult
from services.session_events import PhaseChanged, RetryScheduled, SummaryDelta
from tests.services.loopback_server import (
    LoopbackServer,
    Script,
    chat,
    chat_piece,
    json_answer,
    silent,
    silent_after_head,
    stay_open,
    stream,
)
from tests.services.sessions import open_session, with_model, write_session
from tests.services.test_compaction import by_pass, long_session
from tests.services.test_hooks import hooks_of, plugin

IDLE_WITHIN_S = 0.3


@pytest.fixture
def owner(qapp: object) -> Iterator[QObject]:
    owner = QObject()
    yield owner
    assert join_jobs(owner), "a thread is still running"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_session(tmp_path / "long.jsonl", long_session(split=True))


def compaction(session: AgentSession, **more: Any) -> Callable[..., Any]:
    options = CompactionOptions(keep_recent_tokens=150, **more)
    return lambda token, report: session.compact(options, token, report)


def navigation(session: AgentSession, **more: Any) -> Callable[..., Any]:
    options = NavigationOptions(summarize=True, **more)
    return lambda token, report: session.navigate_tree("a0", options, token, report)


def is_stopped(outcome: Outcome) -> bool:
    """Whether a job ended as aborted: a navigation gives that as its result."""
    return outcome.kind == "aborted" or (isinstance(outcome.value, NavigationResult) and outcome.value.aborted)


class Stutter(threading.Thread):
    """Adds up how long the machine, or an import, let a thread wait that only sleeps: no fault of what is stopped."""

    def __init__(self) -> None:
        super().__init__(name="stutter", daemon=True)
        self.late_s = 0.0
        self._over = threading.Event()

    def run(self) -> None:
        start = time.perf_counter()
        while not self._over.wait(0.005):
            now = time.perf_counter()
            self.late_s += max(0.0, now - start - 0.01)
            start = now

    def end(self) -> None:
        self._over.set()
        self.join()


class Stopped:
    """Runs a job, aborts it at a moment, and checks what must hold afterwards."""

    def __init__(self, path: Path, owner: QObject, qtbot: QtBot) -> None:
        self.path, self.owner, self.qtbot = path, owner, qtbot

    def at_event(self, session: AgentSession, work: Callable[..., Any], moment: Callable[[Any], bool]) -> list[Any]:
        """Abort at the first event for which `moment` is true; return all events that were reported."""
        before, leaf_id, threads = self.path.read_bytes(), session.leaf_id, set(threading.enumerate())
        job, events, aborted_at = Job(work, self.owner), [], []
        stutter = Stutter()
        stutter.start()

        def on_progress(event: Any) -> None:
            events.append(event)
            if moment(event) and not aborted_at:
                aborted_at.append(time.perf_counter() - stutter.late_s)
                assert job.abort()

        job.progress.connect(on_progress)
        with self.qtbot.waitSignal(job.finished, timeout=10_000):
            outcomes: list[Outcome] = []
            job.ended.connect(outcomes.append)
            job.start()
        assert aborted_at, f"the moment never came: {events}"
        took_s = time.perf_counter() - stutter.late_s - aborted_at[0]
        stutter.end()
        assert took_s < IDLE_WITHIN_S
        assert len(outcomes) == 1
        assert is_stopped(outcomes[0])
        assert not session.busy
        assert (self.path.read_bytes(), session.leaf_id) == (before, leaf_id)
        deadline = time.monotonic() + 2
        while (left := self.workers() - threads) and time.monotonic() < deadline:
            self.qtbot.wait(5)
        assert not left
        return events

    @staticmethod
    def workers() -> set[threading.Thread]:
        """The threads of jobs and of their blocking calls."""
        return {thread for thread in threading.enumerate() if thread.name in ("Job work", "blocking call")}


@pytest.fixture
def stopped(path: Path, owner: QObject, qtbot: QtBot) -> Stopped:
    return Stopped(path, owner, qtbot)


def phase(name: str) -> Callable[[Any], bool]:
    return lambda event: isinstance(event, PhaseChanged) and event.phase == name


def is_text(event: Any) -> bool:
    return isinstance(event, SummaryDelta)


half = stream([chat_piece("half a summary")], then=stay_open)
trickle = stream([chat_piece("x")] * 1000, pause_s=0.01)
busy = json_answer({"error": {"message": "busy"}}, "429 Too Many Requests", "retry-after: 30")


@pytest.mark.spec("CP-23", "TN-10", "O-184", "O-185")
@pytest.mark.parametrize("operation", [compaction, navigation])
@pytest.mark.parametrize(
    ("script", "moment"),
    [
        (silent, phase("preparing")),
        (silent, phase("connecting")),
        (silent_after_head, phase("connecting")),
        (half, is_text),
        (trickle, is_text),
        (busy, lambda event: isinstance(event, RetryScheduled)),
    ],
)
def test_a_request_is_stopped(
    operation: Callable[..., Any], script: Script, moment: Callable[[Any], bool], stopped: Stopped, path: Path
) -> None:
    with LoopbackServer(script) as server:
        session = open_session(path, with_model(server.url))
        stopped.at_event(session, operation(session), moment)
        assert server.all_gone()


@pytest.mark.spec("CP-23", "TN-10")
@pytest.mark.parametrize("operation", [compaction, navigation])
def test_a_hook_is_stopped(operation: Callable[..., Any], stopped: Stopped, path: Path) -> None:
    async def wait(event: Any, ctx: Any) -> None:
        await asyncio.sleep(60)

    hooks = hooks_of(plugin(session_before_compact=wait, session_before_tree=wait))
    session = open_session(path, hooks=hooks)
    stopped.at_event(session, operation(session), phase("hook"))


@pytest.mark.parametrize("operation", [compaction, navigation])
def test_a_review_is_stopped(operation: Callable[..., Any], stopped: Stopped, path: Path) -> None:
    async def review(_draft: DraftSummary) -> str:
        await asyncio.sleep(60)
        return "late"

    session = open_session(path)
    stopped.at_event(session, operation(session, review=review), phase("review"))


def test_the_second_pass_is_stopped(stopped: Stopped, path: Path) -> None:
    """History is there, the turn prefix is still being written."""
    with LoopbackServer(by_pass(history=chat("HISTORY"), prefix=half)) as server:
        session = open_session(path, with_model(server.url))
        seen = []

        def both_have_text(event: Any) -> bool:
            if isinstance(event, SummaryDelta):
                seen.append(event.pass_name)
            return set(seen) == {"history", "turn prefix"}

        stopped.at_event(session, compaction(session), both_have_text)
        assert server.all_gone()


def test_between_two_passes_it_is_stopped(tmp_path: Path, owner: QObject, qtbot: QtBot) -> None:
    """The history is complete; the request of the short summary is not answered."""
    path = write_session(tmp_path / "long.jsonl", long_session())
    with LoopbackServer(by_pass(history=chat("HISTORY"), short=silent)) as server:
        session = open_session(path, with_model(server.url), dialect="omp")
        stopped = Stopped(path, owner, qtbot)
        connects = []

        def second_request(event: Any) -> bool:
            connects.append(phase("connecting")(event))
            return sum(connects) == 2

        stopped.at_event(session, compaction(session), second_request)
        assert server.all_gone()


@pytest.mark.spec("CP-18")
def test_just_before_the_commit_it_is_stopped_and_after_it_not(
    path: Path, owner: QObject, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = open_session(path)
    before = path.read_bytes()
    job = Job(navigation(session), owner)
    check = session.check_current
    monkeypatch.setattr(session, "check_current", lambda *args: (check(*args), job.abort()))
    with qtbot.waitSignal(job.ended, timeout=20_000) as caught:
        job.start()
    assert is_stopped(caught.args[0])
    assert path.read_bytes() == before

    monkeypatch.setattr(session, "check_current", check)
    append, answers = session.store.append, []
    job = Job(navigation(session), owner)

    def append_and_abort(*args: Any, **more: Any) -> range:
        answers.append(job.abort())
        return append(*args, **more)

    monkeypatch.setattr(session.store, "append", append_and_abort)
    with qtbot.waitSignal(job.ended, timeout=20_000) as caught:
        job.start()
    assert answers == [False]
    assert caught.args[0].kind == "done"
    assert path.read_bytes().count(b"\n") == before.count(b"\n") + 1


def test_after_an_abort_the_next_operation_runs(path: Path, owner: QObject, qtbot: QtBot, stopped: Stopped) -> None:
    with LoopbackServer(silent, chat("fine")) as server:
        session = open_session(path, with_model(server.url))
        stopped.at_event(
            session, navigation(session), lambda event: phase("connecting")(event) and server.arrived.acquire(timeout=5)
        )
        job = Job(navigation(session), owner)
        with qtbot.waitSignal(job.ended, timeout=20_000) as caught:
            job.start()
        assert caught.args[0].value.summary_entry_id == session.leaf_id


@pytest.mark.spec("CP-23", "CP-18", "TN-10")
@pytest.mark.slow
def test_two_hundred_random_moments(tmp_path: Path, owner: QObject, qtbot: QtBot) -> None:
    """Each time either one entry was written or none, as the outcome says; never anything else."""
    moments = random.Random(20260302)
    path = write_session(tmp_path / "long.jsonl", long_session(split=True))
    script = by_pass(
        history=chat("one ", "two ", "three", pause_s=0.002),
        prefix=chat("four ", "five", pause_s=0.003),
        short=chat("s"),
    )
    written = 0
    with LoopbackServer(script) as server:
        session = open_session(path, with_model(server.url))
        for _ in range(200):
            session.move_leaf("s3")
            before = path.read_bytes()
            work = compaction(session) if moments.random() < 0.5 else navigation(session)
            job, times = Job(work, owner), [0.0]
            events_left = [moments.randrange(1, 16)]  # an operation reports about ten

            def abort(job: Job = job, times: list[float] = times) -> None:
                times[0] = time.perf_counter()
                job.abort()

            def count(_event: object, left: list[int] = events_left, abort: Callable[[], None] = abort) -> None:
                left[0] -= 1
                if left[0] == 0:
                    QTimer.singleShot(moments.choice((0, 0, 1, 3)), abort)

            job.progress.connect(count)
            with qtbot.waitSignal(job.ended, timeout=10_000) as caught:
                job.start()
            ended = time.perf_counter()
            [outcome] = caught.args
            assert outcome.kind in ("done", "aborted"), outcome
            assert not times[0] or ended - times[0] < IDLE_WITHIN_S
            times[0] = 0.0
            assert not session.busy
            if is_stopped(outcome):
                assert path.read_bytes() == before
                assert session.leaf_id == "s3"
            else:
                assert isinstance(outcome.value, NavigationResult | CompactionResult)
                added = path.read_bytes().removeprefix(before)
                assert added.count(b"\n") == 1
                written += 1
            job.wait()
            qtbot.wait(0)
    assert 20 < written < 180, "the moments hit only one side"
    deadline = time.monotonic() + 5
    while Stopped.workers() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not Stopped.workers()


def test_the_token_of_a_finished_operation_does_nothing(path: Path) -> None:
    token = CancellationToken()
    session = open_session(path)
    asyncio.run(session.navigate_tree("a0", NavigationOptions(summarize=True), token, lambda _event: None))
    after = path.read_bytes()
    assert not token.cancel()
    assert path.read_bytes() == after
