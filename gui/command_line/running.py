"""One run of a subcommand: its work on a thread of its own, stopped by Ctrl+C, ended by an exit code.

The main thread only waits, so that a signal is taken at once, whatever the work is doing. Ctrl+C does what Escape does
in the window: it cancels the token. Work that passed the point of no return (`CancellationToken.seal`) is finished.
"""

import asyncio
import logging
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from gui.command_line.console import Console
from gui.command_line.exit_codes import ExitCode, UsageError
from gui.command_line.parser import read_arguments
from model.errors import NotASessionError, RefusedError
from services.cancellation import CancellationToken, OperationCancelled, run_until_cancelled
from services.errors import ServiceError
from services.session_events import Event, Notice, PhaseChanged, RetryScheduled
from services.worker_loop import new_worker_loop

log = logging.getLogger(__name__)

STOPPED_SENTENCE: Final = "Stopped; nothing was written."
STOP_GRACE_S: Final = 5.0  # for work that was told to stop and doesn't
_WAIT_S: Final = 0.5  # on systems where a signal doesn't end a wait
_ENDED: Final = 0

_SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a subcommand found or did: `value` makes it for `--json`, `lines` for people, given the terminal's width.

    Only what is asked for is made. `exit_code` is that of the command.
    """

    value: Callable[[], Any]
    lines: Callable[[int | None], Iterable[str]]
    exit_code: int = ExitCode.DONE


@dataclass(slots=True)
class Run:
    """What a subcommand works with: its arguments, the token that Ctrl+C cancels, and the console for warnings."""

    given: Any
    console: Console
    token: CancellationToken = field(default_factory=CancellationToken)

    def emit(self, event: Event) -> None:
        """Tell of what an operation reports: warnings always, its progress where a person watches."""
        if isinstance(event, Notice) and event.level != "info":
            self.console.warning(event.text)
        elif isinstance(event, Notice):
            self.console.status(event.text)
        elif isinstance(event, PhaseChanged):
            self.console.status(event.detail)
        elif isinstance(event, RetryScheduled):
            self.console.status(
                f"{event.message} Trying again in {event.delay_s:.0f} s ({event.attempt} of {event.max_attempts})."
            )


Work = Callable[[Run], Coroutine[Any, Any, Answer]]


def run_subcommand(arguments: Sequence[str]) -> int:
    """Run a subcommand and return its exit code. Never raises."""
    console = Console()
    try:
        given = read_arguments(arguments)
    except UsageError as error:
        console.error(f"{error} (see branchwork {arguments[0]} --help)")
        return ExitCode.BAD_USAGE
    except SystemExit as ended:  # --help
        return int(ended.code or 0)
    with _quiet_log():
        return _Worker(Run(given, console)).run()


class _Worker:
    """The thread that works, seen from the one that waits."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._news: queue.SimpleQueue[int] = queue.SimpleQueue()  # numbers of signals, _ENDED
        self._prints = False
        self._exit_code: int = ExitCode.FAILED

    def run(self) -> int:
        """Return the exit code once the work has ended; work that doesn't stop is left, and the process with it."""
        with self._signals_handled():
            threading.Thread(target=self._work, name="subcommand", daemon=True).start()
            number = self._wait()
        return 128 + number if number is not None and self._exit_code == ExitCode.STOPPED else self._exit_code

    def _wait(self) -> int | None:
        """Cancel the work at the first signal; return that signal's number, None when there was none."""
        token = self._run.token
        first: int | None = None
        patience_s = STOP_GRACE_S
        while True:
            try:
                news = self._news.get(timeout=_WAIT_S)
            except queue.Empty:
                patience_s -= _WAIT_S if token.is_set() else 0
                if patience_s <= 0:
                    self._leave(first or 0)
                continue
            if news == _ENDED:
                return first
            if token.is_set() or (not token.cancel() and self._prints):
                self._leave(news)
            first = first or news

    def _leave(self, number: int) -> None:
        """End the process although the thread still works: on what can't write a file any more."""
        if self._run.token.is_set():
            self._run.console.error(STOPPED_SENTENCE)
        os._exit(128 + number)

    @contextmanager
    def _signals_handled(self) -> Iterator[None]:
        """Take signals as long as the work runs; one that the process was told to ignore stays ignored."""
        before: dict[int, Any] = {}
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                if signal.getsignal(number) is not signal.SIG_IGN:
                    # A handler may run inside another one, so it must take no lock: `put` doesn't.
                    before[number] = signal.signal(number, lambda number, _frame: self._news.put(number))
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    # --- On the thread that works ------------------------------------------------------------------------------------

    def _work(self) -> None:
        try:
            with asyncio.Runner(loop_factory=new_worker_loop) as runner:
                self._exit_code = runner.run(self._outcome())
        finally:
            self._news.put(_ENDED)

    async def _outcome(self) -> int:
        run = self._run
        try:
            work: Work = run.given.work
            with redirect_stdout(sys.stderr):  # what an extension prints is no part of the answer
                answer = await run_until_cancelled(run.token, work(run))
            self._print(answer)
        except (OperationCancelled, asyncio.CancelledError):
            run.console.error(STOPPED_SENTENCE)
            return ExitCode.STOPPED
        except UsageError as error:
            run.console.error(str(error))
            return ExitCode.BAD_USAGE
        except NotASessionError as error:
            run.console.error(f"{run.given.file}: {error}")
            return ExitCode.NOT_A_SESSION
        except BrokenPipeError:
            _forget_output()  # the reader has seen enough, which is no failure
            return ExitCode.DONE
        except (ServiceError, RefusedError) as error:
            run.console.error(str(error))
            return ExitCode.FAILED
        except OSError as error:
            run.console.error(_os_sentence(error))
            return ExitCode.FAILED
        except Exception as error:
            log.exception("the subcommand failed")
            run.console.error(f"It failed unexpectedly: {type(error).__name__}: {error}")
            return ExitCode.FAILED
        return int(answer.exit_code)

    def _print(self, answer: Answer) -> None:
        console = self._run.console
        self._prints = True
        if self._run.given.json:
            console.print_json(answer.value())
        else:
            console.print_lines(self._until_cancelled(answer.lines(console.width)))

    def _until_cancelled(self, lines: Iterable[str]) -> Iterator[str]:
        for line in lines:
            self._run.token.raise_if_set()
            yield line


@contextmanager
def _quiet_log() -> Iterator[None]:
    """Keep log records off the error output, which has its sentences already."""
    handler = logging.NullHandler()
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)


def _forget_output() -> None:
    """Have what is still to be flushed at the end of the process go nowhere."""
    with suppress(OSError, ValueError, AttributeError):  # it may be closed, or never have been there
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _os_sentence(error: OSError) -> str:
    reason = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {reason}." if error.filename else f"{reason}."
