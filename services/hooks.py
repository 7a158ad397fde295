"""Extension hooks by pluggy: their specifications, and calling them one after the other (HK-1, HK-2).

Handlers run on the worker of the operation they belong to: a coroutine is awaited there, a plain function is called on
a thread of its own. So an abort never has to wait for a handler; what an abandoned one still returns is dropped. An
extension is trusted code in this process, but its mistakes are not ours: what it raises is reported and passed over.
"""

import asyncio
import inspect
import logging
import traceback
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast

import pluggy

from model.hook_events import (
    BeforeCompactResult,
    BeforeTreeResult,
    CompactingResult,
    HookName,
    HookResult,
    InvalidHookResultError,
    Payload,
    SessionBeforeCompactEvent,
    SessionBeforeTreeEvent,
    SessionCompactEvent,
    SessionCompactFailedEvent,
    SessionCompactingEvent,
    SessionTreeEvent,
    read_hook_result,
)
from model.json_text import JsonObject
from model.sentences import Sentence, told
from services.cancellation import CancellationToken, OperationCancelled
from services.session_events import Emit, Notice

log = logging.getLogger(__name__)

PROJECT: Final = "branchwork"
NOTIFICATION_LIMIT_S: Final = 30.0  # for a handler of what has happened already: no abort reaches it

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)

Result = TypeVar("Result", BeforeCompactResult, CompactingResult, BeforeTreeResult)


class HookSpecs:
    """The hooks an extension may implement. Each may be a plain function or a coroutine function."""

    @hookspec
    def session_before_compact(self, event: SessionBeforeCompactEvent, ctx: "HookContext") -> Any:
        """Before a compaction, after its preparation. May return a `BeforeCompactResult` or its JSON form."""

    @hookspec
    def session_compacting(self, event: SessionCompactingEvent, ctx: "HookContext") -> Any:
        """Before the built-in generator of a compaction. May return a `CompactingResult` or its JSON form."""

    @hookspec
    def session_compact(self, event: SessionCompactEvent, ctx: "HookContext") -> Any:
        """After a compaction was saved."""

    @hookspec
    def session_before_tree(self, event: SessionBeforeTreeEvent, ctx: "HookContext") -> Any:
        """Before a navigation. May return a `BeforeTreeResult` or its JSON form."""

    @hookspec
    def session_tree(self, event: SessionTreeEvent, ctx: "HookContext") -> Any:
        """After a navigation."""

    @hookspec
    def session_compact_failed(self, event: SessionCompactFailedEvent, ctx: "HookContext") -> Any:
        """After a started compaction that saved nothing."""


Complete = Callable[[str, str, CancellationToken], Any]


@dataclass(frozen=True, slots=True)
class HookContext:
    """What a handler may use (HK-1). Entries are never to be changed.

    `branch()` gives the active path, root to leaf; `entry(id)` one entry. `await complete(prompt, system_prompt,
    signal)` asks the configured model and returns its text. `notify(text, level)` tells the user something.
    """

    cwd: str | None
    session_id: str
    session_file: str
    model: str | None
    branch: Callable[[], Sequence[JsonObject]]
    entry: Callable[[str], JsonObject]
    complete: Complete
    notify: Callable[..., None]
    log: logging.Logger


def new_plugin_manager() -> pluggy.PluginManager:
    """Return a plugin manager that knows the hooks and no extension yet."""
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(HookSpecs)
    return manager


class Hooks:
    """Calls the handlers of the registered extensions."""

    def __init__(self, manager: pluggy.PluginManager | None = None) -> None:
        self.manager = manager or new_plugin_manager()

    def has(self, hook: HookName) -> bool:
        """Whether an extension implements `hook`."""
        return bool(self._handlers(hook))

    async def ask(
        self,
        hook: HookName,
        event: Payload,
        ctx: HookContext,
        token: CancellationToken,
        emit: Emit,
        kind: type[Result],
        branch_entries: Sequence[JsonObject] = (),
    ) -> Result | None:
        """Return the result that counts: the last valid one, or the first that cancels (HK-2).

        Raises OperationCancelled when the token is set after a handler.
        """
        winner: Result | None = None
        async for result in self._results(hook, event, ctx, token, emit, branch_entries):
            winner = cast(Result, result)
            if getattr(winner, "cancel", False):
                break
        return winner

    async def tell(self, hook: HookName, event: Payload, ctx: HookContext, emit: Emit) -> None:
        """Notify all handlers of what has happened. A handler that takes too long is left behind; nothing is raised."""
        for name, handler in self._handlers(hook):
            try:
                async with asyncio.timeout(NOTIFICATION_LIMIT_S):
                    await _call(handler, event, ctx)
            except TimeoutError:
                limit = round(NOTIFICATION_LIMIT_S)
                message = Sentence("The extension {0} didn't return within {1} seconds (in {2}).", name, limit, hook)
                _report(message, emit)
            except (Exception, SystemExit) as error:
                _report(_failed(name, hook, error), emit, traceback.format_exc())

    async def _results(
        self,
        hook: HookName,
        event: Payload,
        ctx: HookContext,
        token: CancellationToken,
        emit: Emit,
        branch_entries: Sequence[JsonObject],
    ) -> AsyncIterator[HookResult]:
        for name, handler in self._handlers(hook):
            try:
                returned = await _call(handler, event, ctx)
                result = read_hook_result(hook, returned, branch_entries)
            except InvalidHookResultError as error:
                message = Sentence(
                    "The extension {0} returned something that can't be used: {1} (in {2}).", name, told(error), hook
                )
                _report(message, emit)
                result = None
            except OperationCancelled:
                token.raise_if_set()
                result = None
            except (Exception, SystemExit) as error:
                _report(_failed(name, hook, error), emit, traceback.format_exc())
                result = None
            token.raise_if_set()
            if result is not None:
                yield result

    def _handlers(self, hook: HookName) -> list[tuple[str, Callable[..., Any]]]:
        """The implementations in the order in which they are called: load order, with pluggy's first and last."""
        caller = getattr(self.manager.hook, hook)
        implementations = caller.get_hookimpls()
        first = [impl for impl in implementations if impl.tryfirst]
        last = [impl for impl in implementations if impl.trylast]
        rest = [impl for impl in implementations if not impl.tryfirst and not impl.trylast]
        # pluggy lists what it would call last at the beginning; "load order" wants the first registered first.
        ordered = [*reversed(first), *rest, *last]
        return [(impl.plugin_name, _accepting(impl.function, impl.argnames)) for impl in ordered]


def _accepting(function: Callable[..., Any], names: Sequence[str]) -> Callable[..., Any]:
    """The handler as a function of `event` and `ctx`, of which it may take only some."""

    def call(given: Mapping[str, Any]) -> Any:
        return function(*(given[name] for name in names))

    call.is_coroutine = inspect.iscoroutinefunction(function)  # type: ignore[attr-defined]
    return call


async def _call(handler: Callable[..., Any], event: Payload, ctx: HookContext) -> Any:
    given = {"event": event, "ctx": ctx}
    if getattr(handler, "is_coroutine", False):
        return await handler(given)
    returned = await asyncio.to_thread(handler, given)
    return await returned if inspect.isawaitable(returned) else returned


def _failed(name: str, hook: str, error: BaseException) -> Sentence:
    return Sentence("The extension {0} failed: {1} (in {2}).", name, told(error), hook)


def _report(message: Sentence, emit: Emit, details: str = "") -> None:
    log.warning("%s\n%s", message, details)
    emit(Notice("warning", message, details))
