"""The turn that runs in a session: a compaction by hand stops it first and waits until it is over (CP-2)."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from services.cancellation import CancellationToken
from services.errors import BusyError

_inside: ContextVar[bool] = ContextVar("inside a turn", default=False)


class RunningTurns:
    """At most one turn runs at a time. May be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._token: CancellationToken | None = None
        self._over = threading.Event()
        self._over.set()

    @contextmanager
    def running(self, token: CancellationToken) -> Iterator[None]:
        """Hold the place of the running turn. Raises BusyError while another one has it."""
        with self._lock:
            if self._token is not None:
                raise BusyError
            self._token = token
            self._over.clear()
        mark = _inside.set(True)
        try:
            yield
        finally:
            _inside.reset(mark)
            with self._lock:
                self._token = None
                self._over.set()

    async def stop(self) -> None:
        """Stop the running turn and wait until what had arrived is stored. Does nothing inside of a turn."""
        with self._lock:
            token = self._token
        if token is None or _inside.get():
            return
        token.cancel()
        while not self._over.is_set():
            await asyncio.sleep(0.01)
