"""An event loop whose blocking calls never hold up its end."""

import asyncio
import concurrent.futures
import socket
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar, TypeVarTuple

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

if sys.platform == "win32":
    from asyncio import ProactorEventLoop as PlatformLoop
else:
    from asyncio import SelectorEventLoop as PlatformLoop


class WorkerLoop(PlatformLoop):
    """Runs each blocking call (name look-up, `asyncio.to_thread`) on a daemon thread of its own.

    The pool of the standard loop is joined when the loop ends and again when the interpreter exits; a name look-up that
    takes half a minute would hold up both. A daemon thread is left to itself when nobody awaits it any more.
    """

    def run_in_executor(
        self, executor: concurrent.futures.Executor | None, func: Callable[[*Ts], T], *args: *Ts
    ) -> asyncio.Future[T]:
        """Await `func(*args)` on a new daemon thread (a given `executor` is used as in any loop)."""
        if executor is not None:
            return super().run_in_executor(executor, func, *args)
        future: concurrent.futures.Future[T] = concurrent.futures.Future()

        def call() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = func(*args)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)

        threading.Thread(target=call, name="blocking call", daemon=True).start()
        return asyncio.wrap_future(future, loop=self)

    async def getaddrinfo(self, host: Any, port: Any, **hints: int) -> Any:
        """Look a host name up without holding up a cancellation."""
        return await self.run_in_executor(None, lambda: socket.getaddrinfo(host, port, **hints))


def new_worker_loop() -> asyncio.AbstractEventLoop:
    """Return a fresh event loop for one operation on a thread of its own."""
    return WorkerLoop()
