"""One cancellation token an operation: any thread may cancel it, everything the operation does looks at it.

A token has three states. It starts *open*; `cancel()` makes it *cancelled*; `seal()` makes it *sealed*, which is the
point where an operation writes its result. Cancelling and sealing exclude each other, so an operation either writes or
stops, never both (CP-18, CP-23).
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from model.interruptions import interruptible
from services.right_of_way import WINDOW
from services.worker_turns import WORKERS

T = TypeVar("T")


class OperationCancelled(Exception):
    """The operation was stopped on request, which is no error. Nothing was written."""


class CancellationToken:
    """A switch that is thrown at most once. All methods may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cancelled = threading.Event()
        self._sealed = False
        self._callbacks: list[Callable[[], None]] = []

    def cancel(self) -> bool:
        """Cancel the operation; False when it is too late because the result is already being written.

        Registered callbacks run on this thread, once, before the method returns.
        """
        with self._lock:
            if self._sealed:
                return False
            self._cancelled.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()
        return True

    def is_set(self) -> bool:
        """Whether the operation was cancelled."""
        return self._cancelled.is_set()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Block until the operation is cancelled or the time is over; whether it was cancelled."""
        return self._cancelled.wait(timeout_s)

    def raise_if_set(self) -> None:
        """Raise OperationCancelled when the operation was cancelled.

        Waits while the window has the right of way, and lets other workers go on.
        """
        if self._cancelled.is_set():
            raise OperationCancelled
        WINDOW.give()
        WORKERS.give()

    def seal(self) -> None:
        """Pass the point of no return: from here on `cancel()` has no effect.

        Raises OperationCancelled when the operation was cancelled before.
        """
        with self._lock:
            if self._cancelled.is_set():  # not `raise_if_set`, which may wait: `cancel` needs the lock
                raise OperationCancelled
            self._sealed = True
            self._callbacks = []

    @property
    def sealed(self) -> bool:
        """Whether the result is being or was written, so that it's too late to cancel."""
        return self._sealed

    def add_callback(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Have `callback` called once on cancellation; at once when it has already happened. Returns its removal.

        It runs on the thread that cancels, so it must be short and must not raise.
        """
        with self._lock:
            if not self._cancelled.is_set():
                if not self._sealed:
                    self._callbacks.append(callback)
                return lambda: self._remove(callback)
        callback()
        return lambda: None

    def _remove(self, callback: Callable[[], None]) -> None:
        with self._lock, suppress(ValueError):
            self._callbacks.remove(callback)


async def run_until_cancelled(token: CancellationToken, work: Coroutine[Any, Any, T]) -> T:
    """Await `work`, and end it at its next await once `token` is cancelled, or where it is interruptible.

    Raises OperationCancelled when the cancellation ended it. Work that ends by itself in spite of a cancellation keeps
    its result.
    """
    loop = asyncio.get_running_loop()
    with interruptible(token.raise_if_set):
        task = loop.create_task(work)

    def stop() -> None:
        with suppress(RuntimeError):  # the loop is closed: the work has ended
            loop.call_soon_threadsafe(task.cancel)

    remove = token.add_callback(stop)
    try:
        return await task
    except asyncio.CancelledError:
        token.raise_if_set()
        raise
    finally:
        remove()
