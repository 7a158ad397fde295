"""The automatic check around a turn: overflow recovery, pruning, threshold (CP-2, CP-3).

The two reasons are separate paths up to the shared compaction: they differ in what happens before and after it.
"""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from model.entries import new_context_edit_entry
from model.interruptions import interruptible
from model.json_text import JsonObject
from model.sentences import Sentence, told
from model.token_estimates import estimate_context
from model.triggers import AutomaticReason, automatic_reason, is_due_for_check, should_compact
from services.answering_model import AnsweringModel
from services.cancellation import CancellationToken
from services.compaction import compact_automatically
from services.compaction_run import failure
from services.errors import BusyError
from services.live_context import live_context
from services.operations import CompactionResult
from services.pruning import PruningResult, apply_pruning, plan_pruning
from services.session_events import CompactionEnded, Emit, Notice, ToolOutputsPruned
from services.store_errors import StoreError

if TYPE_CHECKING:
    from services.agent_session import AgentSession

log = logging.getLogger(__name__)

STILL_TOO_LARGE: Final = Sentence("the context is still too large after one compact-and-retry attempt.")


@dataclass(frozen=True, slots=True)
class Compacted:
    """A compaction that the check made. `is_still_too_large`: its context is above the threshold all the same."""

    reason: AutomaticReason
    result: CompactionResult
    is_still_too_large: bool = False


@dataclass(slots=True)
class AutomaticChecks:
    """The checks of one prompt. `has_recovered`: its overflow was answered with a compaction already (CP-2.4)."""

    session: "AgentSession"
    model: AnsweringModel
    token: CancellationToken
    emit: Emit
    has_recovered: bool = field(default=False, init=False)

    async def check(self, entry_id: str, answer: JsonObject, *, include_aborted: bool) -> Compacted | None:
        """Compact where the answer in entry `entry_id` asks for it (CP-2.1); None when the session goes on as it is.

        Never raises for a compaction that failed or was stopped: its events tell.
        """
        settings = self.model.compaction_settings(self.session.settings)
        window = self.model.context_window
        live = await asyncio.to_thread(live_context, self.session)
        if not is_due_for_check(answer, live.path, window, settings, include_aborted=include_aborted):
            return None
        if automatic_reason(answer, 0, window, self.model.choice, settings, self.session.rules) == "overflow":
            return await self._recover(entry_id)
        size = await asyncio.to_thread(estimate_context, live.path, live.projection, self.session.rules)
        tokens = max(0, size.tokens - await self._prune())
        if self.token.is_set() or not should_compact(tokens, window, settings, self.session.rules):
            return None
        return await self._compact("threshold")

    async def _recover(self, entry_id: str) -> Compacted | None:
        """Overflow: take the failure out of the live messages and compact, once for each prompt (CP-2.4)."""
        if self.has_recovered:
            self.emit(CompactionEnded("overflow", error_message=failure("overflow", STILL_TOO_LARGE)))
            return None
        self.has_recovered = True
        self._leave_out(entry_id)
        return await self._compact("overflow")

    async def _compact(self, reason: AutomaticReason) -> Compacted | None:
        session = self.session
        with step_token(self.token) as step:
            result = await compact_automatically(session, reason, step, self.emit)
        if result is None or self.token.is_set() or session.leaf_id != result.entry_id:
            return None
        settings = self.model.compaction_settings(session.settings)
        after = result.estimated_tokens_after
        return Compacted(reason, result, should_compact(after, self.model.context_window, settings, session.rules))

    def _leave_out(self, entry_id: str) -> None:
        """Take a failed answer out of the live messages; in Pi sessions for good, by a context edit."""
        session = self.session
        session.left_out.add(entry_id)
        if session.store.dialect != "pi":
            return
        edit = new_context_edit_entry(
            session.store.new_entry_id(), session.leaf_id, session.now(), session.store.dialect,
            target_id=entry_id, replacement=None,
        )  # fmt: skip
        try:
            session.append(edit)
        except StoreError as error:  # the live messages are right; only a reload would show the failure again
            log.warning("the context edit was not saved: %s", error)

    async def _prune(self) -> int:
        """Prune old tool outputs where the settings say so; return the tokens saved. A failure is only a notice."""
        session = self.session
        if not session.settings.pruning.enabled:
            return 0
        try:
            with session.operation(CancellationToken()), step_token(self.token) as step:
                with interruptible(step.raise_if_set):
                    planned = await asyncio.to_thread(plan_pruning, session)
                if not planned.results:
                    return 0
                step.seal()
                result: PruningResult = await asyncio.to_thread(apply_pruning, session, planned)
        except (StoreError, BusyError) as error:
            self.emit(Notice("warning", Sentence("Old tool outputs were not pruned: {0}", told(error))))
            return 0
        self.emit(ToolOutputsPruned(result.pruned, result.tokens_saved))
        return result.tokens_saved


@contextmanager
def step_token(token: CancellationToken) -> Iterator[CancellationToken]:
    """Give a token for one step of a longer operation: a step that writes can't be stopped, those after it can."""
    step = CancellationToken()

    def stop() -> None:
        step.cancel()

    remove = token.add_callback(stop)
    try:
        yield step
    finally:
        remove()
