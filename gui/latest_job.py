"""Work of which only the newest request counts: a preview, a context, the text of the selected row."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from PySide6.QtCore import QObject

from gui.translation import shown
from gui.turns import right_of_way
from services.cancellation import CancellationToken
from services.jobs import Job, Outcome, Work, join_jobs
from services.worker_turns import WORKERS

T = TypeVar("T")
R = TypeVar("R")


class LatestJob(QObject):
    """Runs one computation at a time on a worker thread; a new one drops the one before, and its late result.

    Results are told apart by the job that sends them, never by a flag.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        self._is_closed = False

    @property
    def running(self) -> bool:
        """Whether a result is still to come."""
        return self._job is not None

    def start(
        self,
        compute: Callable[[CancellationToken], T],
        done: Callable[[T], None],
        failed: Callable[[str], None] | None = None,
    ) -> None:
        """Call `compute` on a worker, then `done` with its result, or `failed` with a sentence, on this thread."""

        async def work(token: CancellationToken) -> T:
            with WORKERS:
                return compute(token)

        self.run(work, done, failed)

    def follow(
        self,
        compute: Callable[[CancellationToken, Callable[[R], None]], T],
        reported: Callable[[R], None],
        done: Callable[[T], None],
        failed: Callable[[str], None] | None = None,
    ) -> None:
        """As `start`; what `compute` hands to its second argument is given to `reported` on this thread."""

        async def work(token: CancellationToken, report: Callable[[object], None]) -> T:
            with WORKERS:
                return compute(token, report)

        self._start(work, done, failed, reported)

    def run(
        self,
        await_result: Callable[[CancellationToken], Coroutine[Any, Any, T]],
        done: Callable[[T], None],
        failed: Callable[[str], None] | None = None,
    ) -> None:
        """Await a coroutine on a worker; otherwise as `start`. Dropping it ends it at its next await."""

        async def work(token: CancellationToken, _report: Callable[[object], None]) -> T:
            return await await_result(token)

        self._start(work, done, failed)

    def _start(
        self,
        work: Work,
        done: Callable[[T], None],
        failed: Callable[[str], None] | None,
        reported: Callable[[R], None] | None = None,
    ) -> None:
        self.drop()
        if self._is_closed:
            return  # a late signal asked for it: a thread that starts now would outlive its owner
        job = Job(work, self)
        self._job = job
        if reported is not None:
            job.progress.connect(lambda value: self._report(job, value, reported))
        job.ended.connect(lambda outcome: self._finish(job, outcome, done, failed))
        job.start()

    def drop(self) -> None:
        """Forget the running computation: it is told to stop, and what it still returns is not used."""
        if self._job is not None:
            self._job.abort()
            self._job = None

    def close(self) -> None:
        """Drop the running computation and wait for its thread. Nothing is started after that."""
        self._is_closed = True
        self.drop()
        join_jobs(self)

    def _report(self, job: Job, value: R, reported: Callable[[R], None]) -> None:
        if job is self._job:
            with right_of_way():
                reported(value)

    def _finish(
        self,
        job: Job,
        outcome: Outcome,
        done: Callable[[T], None],
        failed: Callable[[str], None] | None,
    ) -> None:
        is_latest = job is self._job
        if is_latest:
            self._job = None
        job.wait()
        job.deleteLater()
        if not is_latest:
            return
        if outcome.kind == "done":
            with right_of_way():
                done(outcome.value)  # type: ignore[arg-type]
        elif outcome.kind == "failed" and failed is not None:
            failed(shown(outcome.text))
