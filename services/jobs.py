"""Pieces of work on threads of their own, which stop when told to."""

import asyncio
import logging
import queue
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Final, Literal, NamedTuple

from PySide6.QtCore import QObject, QThread, Signal

from model.errors import RefusedError
from model.sentences import Sentence, told
from services.cancellation import CancellationToken, OperationCancelled, run_until_cancelled
from services.errors import ServiceError
from services.system_errors import os_reason
from services.worker_loop import new_worker_loop

log = logging.getLogger(__name__)

ABORT_GRACE_S: Final = 0.12  # how long an aborted work may take to end by itself before it's given up
WIND_UP_GRACE_S: Final = 0.05  # how long its event loop may take to close after that

Work = Callable[[CancellationToken, Callable[[object], None]], Coroutine[Any, Any, object]]


class Outcome(NamedTuple):
    """How a job ended. `text` is a sentence for the user; `value` the result, or the error of a failure."""

    kind: Literal["done", "failed", "aborted"]
    text: str = ""
    value: object = None


class Job(QThread):
    """One piece of work, joined by its `owner`. Whatever happens, `ended` is sent exactly once.

    Signals: `progress` (whatever the work reports), `ended` (Outcome). No progress follows the end.

    `work` is called with the job's token and a function that reports progress, and runs in an event loop of its own.
    The loop is on a daemon thread that this QThread only watches: work that ignores its cancellation, such as a
    blocking call, is left behind after `abort_grace_s` and what it still returns is dropped. It can't write any more,
    since writing starts with `CancellationToken.seal()`; work that keeps what it has when it's stopped gets longer.
    """

    progress = Signal(object)
    ended = Signal(object)

    def __init__(self, work: Work, owner: QObject | None = None, *, abort_grace_s: float = ABORT_GRACE_S) -> None:
        super().__init__(owner)
        self.token = CancellationToken()
        self._abort_grace_s = abort_grace_s
        self._work = work
        self._outcomes: queue.SimpleQueue[Outcome | None] = queue.SimpleQueue()  # None: abort was asked for
        self._wound_up = threading.Event()
        self._reporting = threading.Lock()
        self._over = False
        if owner is not None:
            owner.destroyed.connect(self._end_with_owner)

    def abort(self) -> bool:
        """Ask the work to stop; False when it's too late because the result is being written. Harmless if repeated."""
        return self.token.cancel()

    def _end_with_owner(self) -> None:
        """Nobody has joined it, and the owner's children are about to go: Qt ends the program when a thread runs on."""
        self.abort()
        self.wait()

    def run(self) -> None:
        """Run the work to its end. This and what it calls run off the caller's thread."""
        remove = self.token.add_callback(lambda: self._outcomes.put(None))
        threading.Thread(target=self._run_loop, name=f"{type(self).__name__} work", daemon=True).start()
        outcome = self._outcomes.get() or self._outcome_after_abort()
        remove()
        self._wound_up.wait(WIND_UP_GRACE_S)  # join() would enter this thread in Python's list of threads for good
        with self._reporting:
            self._over = True
        self.ended.emit(outcome)

    def _outcome_after_abort(self) -> Outcome:
        with suppress(queue.Empty):
            if outcome := self._outcomes.get(timeout=self._abort_grace_s):
                return outcome
        log.info("aborted work did not stop by itself and is left behind")
        return Outcome("aborted")

    def _run_loop(self) -> None:
        with asyncio.Runner(loop_factory=new_worker_loop) as runner:
            self._outcomes.put(runner.run(self._outcome()))
        self._wound_up.set()

    async def _outcome(self) -> Outcome:
        try:
            self.token.raise_if_set()
            return Outcome("done", value=await run_until_cancelled(self.token, self._work(self.token, self._report)))
        except (OperationCancelled, asyncio.CancelledError):
            return Outcome("aborted")
        except (ServiceError, RefusedError) as error:
            return Outcome("failed", told(error), error)
        except OSError as error:
            return Outcome("failed", _os_sentence(error), error)
        except Exception as error:  # without an outcome the window would stay busy for ever
            log.exception("job failed")
            return Outcome("failed", Sentence("It failed unexpectedly; see the log."), error)

    def _report(self, value: object) -> None:
        with self._reporting:
            if not self._over:
                self.progress.emit(value)


def join_jobs(owner: QObject, timeout_ms: int = 5000) -> bool:
    """Abort and join all jobs of `owner`; False when one still runs. Call before closing."""
    jobs = owner.findChildren(Job)
    for job in jobs:
        job.abort()
    still_running = [job for job in jobs if not job.wait(timeout_ms)]
    return not still_running


def _os_sentence(error: OSError) -> Sentence:
    reason = os_reason(error)
    return Sentence("{0}: {1}.", str(error.filename), reason) if error.filename else Sentence("{0}.", reason)
