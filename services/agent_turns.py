"""A prompt and what follows from it: the answer, retries, recovery from an overflow, the threshold (CP-2, CP-21.4).

The model is offered no tools, so that a prompt is one turn, unless a compaction makes it go on.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from model.entries import new_message_entry
from model.json_text import JsonObject
from model.overflow import is_overflow_text
from model.sentences import Sentence, told
from model.timestamps import timestamp_ms
from model.turn_messages import (
    ABORTED_TEXT,
    AnswerEnd,
    AttachedImage,
    answer_message,
    continue_message,
    user_message,
)
from services.answering_model import AnsweringModel, answering_model
from services.automatic_checks import AutomaticChecks, Compacted
from services.cancellation import CancellationToken, OperationCancelled, run_until_cancelled
from services.endpoints.exchange import Endpoint, EndpointError, ModelReply, ModelRequest
from services.errors import BusyError, ServiceError
from services.live_context import live_context
from services.session_events import (
    Emit,
    Notice,
    TurnDelta,
    TurnEnded,
    TurnRetryFinished,
    TurnRetryScheduled,
    TurnStarted,
)
from services.summarizers.choice import retry_policy
from services.turn_requests import turn_request, without_secrets
from services.writer_gate import KnownEntries

if TYPE_CHECKING:
    from services.agent_session import AgentSession

log = logging.getLogger(__name__)

Sleep = Callable[[float], Awaitable[None]]

RETRY_STOPPED: Final = "Retry cancelled"


@dataclass(frozen=True, slots=True)
class TurnResult:
    """What came of a prompt. `stop_reason` and `error_message` are those of the last answer.

    `aborted`: it was stopped, be it in the answer or in what followed.
    """

    prompt_entry_id: str
    answer_entry_id: str
    stop_reason: str
    error_message: str | None = None
    aborted: bool = False


@dataclass(frozen=True, slots=True)
class _Answer:
    """A stored answer; `failure` is what went wrong with its request, None where nothing did."""

    entry_id: str
    message: JsonObject
    failure: EndpointError | None = None

    @property
    def stop_reason(self) -> str:
        return str(self.message["stopReason"])

    @property
    def error_text(self) -> str | None:
        text = self.message.get("errorMessage")
        return text if isinstance(text, str) else None


@dataclass(slots=True)
class AgentRun:
    """One prompt at work."""

    session: "AgentSession"
    token: CancellationToken
    emit: Emit
    sleep: Sleep = asyncio.sleep
    _latest_ms: int = field(default=0, init=False)

    async def prompt(self, text: str, images: Sequence[AttachedImage]) -> TurnResult:
        """Send a prompt under the current leaf and see it through.

        Raises what stops it before anything was written: NoModelError, BusyError, ServiceError, OperationCancelled.
        Afterwards failures and stops are stored answers.
        """
        if not text.strip() and not images:
            raise ServiceError(Sentence("There is nothing to send."))
        if self.session.busy:
            raise BusyError
        with self.session.turns.running(self.token):
            return await self._prompted(text, images)

    async def _prompted(self, text: str, images: Sequence[AttachedImage]) -> TurnResult:
        session = self.session
        choice = session.summarizer_choice()
        model = answering_model(choice)
        endpoint = await choice.model_endpoint()
        await session.writer_gate.passed(self.emit)
        checks = AutomaticChecks(session, model, self.token, self.emit)
        await self._check_before(checks)
        self.token.raise_if_set()
        checks.has_recovered = False  # the guard is per prompt
        turns = _Turns(self, model, endpoint)
        prompt_id, answer = await turns.asked(user_message(text, images, self.time_ms(), session.store.dialect))
        try:
            answer = await self._followed_up(checks, turns, answer)
        except OperationCancelled:
            pass  # between two answers: what is stored is the result
        except ServiceError as error:  # so it is when the session can't go on by itself
            self.emit(Notice("warning", Sentence("The session does not go on by itself: {0}", told(error))))
        except asyncio.CancelledError:
            if not self.token.is_set():
                raise
        return TurnResult(prompt_id, answer.entry_id, answer.stop_reason, answer.error_text, self.token.is_set())

    async def _check_before(self, checks: AutomaticChecks) -> None:
        """The check in front of a prompt: an aborted answer may have left too large a context."""
        last = (await asyncio.to_thread(live_context, self.session)).last_answer()
        if last is not None:
            compacted = await checks.check(*last, include_aborted=True)
            self._note(compacted)

    async def _followed_up(self, checks: AutomaticChecks, turns: "_Turns", answer: _Answer) -> _Answer:
        """Check after each answer and go on where the compaction says so; return the last answer."""
        session = self.session
        has_continued = False
        while session.leaf_id == answer.entry_id and not self.token.is_set():
            if answer.stop_reason == "stop":
                checks.has_recovered = False
            compacted = await checks.check(answer.entry_id, answer.message, include_aborted=False)
            self._note(compacted)
            if compacted is None:
                break
            if compacted.reason == "overflow":
                _, answer = await turns.asked(None)
                continue
            if has_continued or not self._may_continue(compacted):
                break
            has_continued = True  # once for each prompt: a context that stays large must not run up a bill
            _, answer = await turns.asked(continue_message(self.time_ms(), session.store.dialect), is_synthetic=True)
        return answer

    def _may_continue(self, compacted: Compacted) -> bool:
        """Whether the prompt after a threshold compaction is sent by itself (CP-2.5)."""
        if not self.session.settings.compaction.auto_continue or compacted.is_still_too_large:
            log.info("no prompt is sent after the compaction %s", compacted.result.entry_id)
            return False
        return True

    def _note(self, compacted: Compacted | None) -> None:
        if compacted is None:
            return
        entry_ms = timestamp_ms(compacted.result.entry.get("timestamp"))
        self._latest_ms = max(self._latest_ms, entry_ms or 0)
        if compacted.is_still_too_large:
            self.emit(Notice("warning", Sentence("The context is still above the threshold after the compaction.")))

    def time_ms(self) -> int:
        """The time for a message: later than a compaction of this run, or the message would count as older (CP-2.1)."""
        now_ms = timestamp_ms(self.session.now()) or 0
        self._latest_ms = max(now_ms, self._latest_ms + 1)
        return self._latest_ms


@dataclass(frozen=True, slots=True)
class _Turns:
    """Asks one model; everything that comes of it is stored."""

    run: AgentRun
    model: AnsweringModel
    endpoint: Endpoint

    async def asked(self, message: JsonObject | None, *, is_synthetic: bool = False) -> tuple[str, _Answer]:
        """Store `message` (None: go on with what is there) and ask; return the id that is answered, and the answer."""
        run = self.run
        session = run.session
        with session.operation(CancellationToken()) as operation:  # held until what arrived is stored, also on a stop
            leaf_id = session.leaf_id
            known = KnownEntries.behind(session.snapshot().index, leaf_id)
            live = await asyncio.to_thread(live_context, session)
            messages = live.messages if message is None else [*live.messages, message]
            request = await asyncio.to_thread(turn_request, session, messages)
            request = await without_secrets(request, session, self.endpoint.host, run.emit)
            if message is not None:
                await session.writer_gate.still_passed(known, run.emit)
            run.token.raise_if_set()
            session.check_current(operation, leaf_id, leaf_id)
            parent_id = leaf_id if message is None else self._stored(message, leaf_id)
            assert parent_id is not None, "a turn goes on from an entry"
            return parent_id, await self._answered(request, parent_id, is_synthetic)

    async def _answered(self, request: ModelRequest, parent_id: str, is_synthetic: bool) -> _Answer:
        """The answer, asked for again after passing failures; never after an overflow (CP-21.4)."""
        run = self.run
        policy = retry_policy(run.session.settings.retry)
        attempt = 0
        while True:
            run.emit(TurnStarted(parent_id, self.model.key, self.endpoint.host, is_synthetic, attempt > 0))
            answer = await self._attempt(request, parent_id)
            run.emit(TurnEnded(answer.entry_id, answer.stop_reason, answer.error_text))
            failure = answer.failure
            if failure is None or not _may_pass(failure) or attempt >= policy.max_retries:
                break
            attempt += 1
            delay_s = policy.delay_s(attempt, failure)
            run.emit(TurnRetryScheduled(attempt, policy.max_retries, delay_s, str(failure)))
            if not await self._waited(delay_s):
                run.emit(TurnRetryFinished(success=False, attempt=attempt, final_error=RETRY_STOPPED))
                return answer
            request = replace(request, routing_id=str(uuid4()))
            parent_id = answer.entry_id
        if attempt:
            run.emit(TurnRetryFinished(answer.error_text is None, attempt, answer.error_text))
        return answer

    async def _attempt(self, request: ModelRequest, parent_id: str) -> _Answer:
        """One request, and its answer as it was stored behind `parent_id`, whatever became of it."""
        run = self.run
        began_ms = run.time_ms()
        received: list[str] = []

        def on_text(text: str) -> None:
            received.append(text)
            run.emit(TurnDelta(text))

        failure: EndpointError | None = None
        end: AnswerEnd = "error"
        text, usage, error_text = "", None, None
        try:
            reply = await run_until_cancelled(run.token, self.endpoint.send(request, on_text))
            text, usage = reply.text, reply.usage
            end, error_text = _end_of(reply)
        except (OperationCancelled, asyncio.CancelledError):
            if not run.token.is_set():
                raise
            text, end, error_text = "".join(received), "aborted", ABORTED_TEXT
        except EndpointError as error:
            failure = error
            text, error_text = error.partial_text or "".join(received), told(error)
        except Exception as error:
            log.exception("a turn failed")
            text = "".join(received)
            error_text = Sentence("An unexpected {0}; see the log.", type(error).__name__)
        message = answer_message(self.model.identity, text, end, began_ms, usage, error_text)
        return _Answer(self._stored(message, parent_id), message, failure)

    def _stored(self, message: JsonObject, parent_id: str | None) -> str:
        """Append a message behind `parent_id`; the leaf goes along unless it was moved meanwhile. Raises StoreError."""
        session = self.run.session
        id = session.store.new_entry_id()
        entry = new_message_entry(id, parent_id, session.now(), session.store.dialect, message)
        session.store.append([entry])
        if session.leaf_id == parent_id:
            session.move_leaf(id)
        return id

    async def _waited(self, delay_s: float) -> bool:
        """Wait before a retry; False when it was stopped."""
        token = self.run.token

        async def pause() -> None:
            await self.run.sleep(delay_s)

        try:
            await run_until_cancelled(token, pause())
        except (OperationCancelled, asyncio.CancelledError):
            if not token.is_set():
                raise
            return False
        return not token.is_set()


def _may_pass(failure: EndpointError) -> bool:
    return failure.transient and not is_overflow_text(str(failure))


def _end_of(reply: ModelReply) -> tuple[AnswerEnd, str | None]:
    """How an answer is stored: with its end, and an error text where it's none that a chat can go on from."""
    if reply.stop_reason == "refused":
        return "error", Sentence("The provider ended the answer: {0}.", reply.detail or Sentence("refused"))
    if reply.has_tool_call or reply.stop_reason == "tool":
        return "error", Sentence("The model called a tool, but none was offered to it.")
    return ("length" if reply.stop_reason == "length" else "stop"), None
