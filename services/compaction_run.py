"""One compaction from its preparation to the saved entry: hooks, requests, review, writing (CP-10 … CP-19)."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from model.compaction import CompactionPreparation, NothingToCompact, prepare_compaction
from model.context import context_state, path_context
from model.entries import new_compaction_entry
from model.errors import RefusedError
from model.json_text import JsonObject
from model.sentences import Sentence, told
from model.settings import EffectiveCompactionSettings
from model.summary_answers import GeneratedCompaction, SummaryAnswer, SummaryFailedError
from model.summary_answers import compact as generate
from model.summary_requests import SummaryOptions, SummaryRequest
from model.system_prompts import current_system_message
from model.token_estimates import estimate_context
from services.answering_model import NoModelError, answering_model
from services.cancellation import CancellationToken, OperationCancelled
from services.errors import ServiceError
from services.operations import Boundary, CompactionOptions, CompactionResult, DraftSummary
from services.prompt_texts import prompt_texts
from services.session_events import (
    CompactionEnded,
    Emit,
    Notice,
    PhaseChanged,
    Reason,
)
from services.session_snapshot import let_go
from services.summarizers.candidates import automatic_candidates
from services.summarizers.digest_passes import earlier_summary, evidence_of
from services.summarizers.line_sources import aligned_sources
from services.summarizers.passes import PassResult, Summarizer, SummaryPass
from services.summarizers.running import in_parallel, reviewed
from services.writer_gate import KnownEntries

if TYPE_CHECKING:
    from services.agent_session import AgentSession, Operation


def failure(reason: Reason, cause: str) -> Sentence:
    """Return what the end of a failed compaction says (CP-22)."""
    if reason == "manual":
        return Sentence("Compaction failed: {0}", cause)
    if reason == "overflow":
        return Sentence("Context overflow recovery failed: {0}", cause)
    return Sentence("Auto-compaction failed: {0}", cause)


def model_settings(session: "AgentSession", path: Sequence[JsonObject]) -> EffectiveCompactionSettings:
    """Return the compaction settings for the model that works at the end of `path` (ST-3).

    That is the one that is set up, which the next prompt goes to; without one, the last that the path names.
    """
    choice = session.summarizer_choice()
    try:
        return answering_model(choice).compaction_settings(choice.settings)
    except NoModelError:
        named = context_state(path, session.rules).model
        return choice.settings.compaction.for_model(f"{named.provider}/{named.model_id}" if named else None)


def run_settings(
    session: "AgentSession",
    path: Sequence[JsonObject],
    keep_recent_tokens: int | None = None,
    boundary: Boundary | None = None,
) -> EffectiveCompactionSettings:
    """Return the compaction settings for `path` with the values that were chosen for one run."""
    settings = model_settings(session, path)
    changes: dict[str, object] = {}
    if keep_recent_tokens is not None:
        changes["keep_recent_tokens"] = keep_recent_tokens
    if boundary in ("sinceKept", "sinceCompaction"):
        changes["boundary"] = boundary
    return settings.replaced(**changes) if changes else settings


@dataclass(slots=True)
class _Draft:
    """A compaction that is about to be saved."""

    summary: str
    first_kept_entry_id: str
    tokens_before: int | None  # None: as large as the context is when it's saved (CP-11)
    short_summary: str | None
    details: Any
    usage: JsonObject | None
    preserve_data: JsonObject | None
    from_extension: bool = False
    line_sources: tuple[tuple[str, ...], ...] = ()


@dataclass(slots=True)
class CompactionRun:
    """One compaction from preparation to the saved entry. `will_retry` as in CP-2."""

    session: "AgentSession"
    options: CompactionOptions
    reason: Reason
    token: CancellationToken
    emit: Emit
    operation: "Operation"
    will_retry: bool = False
    used_extension: bool = False

    async def run(self) -> CompactionResult:
        """Return the saved compaction. Raises what stops it; then nothing was written."""
        session = self.session
        leaf_id = session.leaf_id
        snapshot = session.snapshot()
        known = KnownEntries.behind(snapshot.index, leaf_id)
        self.emit(PhaseChanged("preparing"))
        path = await asyncio.to_thread(snapshot.path, leaf_id)
        try:
            return await self._run_on(path, leaf_id, known)
        finally:
            let_go(path)  # which nothing holds any more

    async def _run_on(self, path: list[JsonObject], leaf_id: str | None, known: KnownEntries) -> CompactionResult:
        session, token = self.session, self.token
        settings = run_settings(session, path, self.options.keep_recent_tokens, self.options.boundary)
        preparation = await asyncio.to_thread(prepare_compaction, path, settings, session.rules)
        token.raise_if_set()
        if isinstance(preparation, NothingToCompact):
            raise RefusedError(preparation.text)
        draft = await self._from_extension(preparation, path)
        if draft is None:
            draft = await self._generated(preparation, path)
        before = path_context(path, session.rules)
        if draft.tokens_before is None:
            draft.tokens_before = int(estimate_context(path, before.projection, session.rules).tokens)
        entry = new_compaction_entry(
            session.store.new_entry_id(),
            leaf_id,
            session.now(),
            session.store.dialect,
            summary=draft.summary,
            first_kept_entry_id=draft.first_kept_entry_id,
            tokens_before=draft.tokens_before,
            short_summary=draft.short_summary,
            details=draft.details,
            usage=draft.usage,
            from_extension=draft.from_extension or None,
            preserve_data=draft.preserve_data,
            system_message=current_system_message(before.messages),
        )
        if draft.preserve_data is not None:  # Pi keeps it as a field that it doesn't know (HK-4)
            entry.setdefault("preserveData", draft.preserve_data)
        await self._save(entry, leaf_id, known)
        result = self._result(entry, [*path, entry], draft, preparation.is_split_turn)
        session.release(self.operation)
        with suppress(asyncio.CancelledError):  # it is saved: nothing may make it look stopped
            await self._tell_extensions(entry, draft)
        return result

    async def report_failure(self, cause: str = "", *, aborted: bool = False, skipped: bool = False) -> None:
        """Emit the end of a compaction that saved nothing, and tell the extensions (CP-22, CP-23, HK-8).

        `skipped`: an automatic run had nothing to do, which is no failure.
        """
        message = None if aborted or skipped else failure(self.reason, cause)
        self.emit(
            CompactionEnded(self.reason, aborted=aborted, error_message=message, skipped=True if skipped else None)
        )
        hooks = self.session.hooks
        if hooks is None or not hooks.has("session_compact_failed"):
            return
        from model.hook_events import SessionCompactFailedEvent
        from services.hook_context import hook_context

        event = SessionCompactFailedEvent(
            reason=self.reason, error_message=message, aborted=aborted, from_extension=self.used_extension
        )
        await hooks.tell("session_compact_failed", event, hook_context(self.session, self.emit), self.emit)

    # --- Extensions --------------------------------------------------------------------------------------------------

    async def _from_extension(self, preparation: CompactionPreparation, path: Sequence[JsonObject]) -> _Draft | None:
        """The compaction that an extension supplies, stored unchanged (HK-3). Raises OperationCancelled."""
        hooks = self.session.hooks
        if hooks is None or not hooks.has("session_before_compact"):
            return None
        from model.hook_events import BeforeCompactResult, PreparationPayload, SessionBeforeCompactEvent
        from services.hook_context import hook_context

        self.emit(PhaseChanged("hook", Sentence("Asking the extensions")))
        event = SessionBeforeCompactEvent(
            preparation=PreparationPayload.of(preparation),
            branch_entries=tuple(path),
            custom_instructions=self.options.instructions,
            reason=self.reason,
            will_retry=self.will_retry,
            signal=self.token,
        )
        ctx = hook_context(self.session, self.emit)
        result = await hooks.ask("session_before_compact", event, ctx, self.token, self.emit, BeforeCompactResult, path)
        if result is not None and result.cancel:
            raise OperationCancelled
        given = result.compaction if result else None
        if given is None:
            return None
        self.used_extension = True
        return _Draft(
            given.summary,
            given.first_kept_entry_id,
            given.tokens_before,
            given.short_summary,
            given.details,
            given.usage,
            given.preserve_data,
            from_extension=True,
        )

    async def _asked_before_generating(
        self, preparation: CompactionPreparation
    ) -> tuple[SummaryOptions, JsonObject | None]:
        """What extensions want of the built-in generator: its options, and data to keep on the entry (HK-4)."""
        options = SummaryOptions(custom_instructions=self.options.instructions)
        hooks = self.session.hooks
        if hooks is None or not hooks.has("session_compacting"):
            return options, None
        from model.hook_events import CompactingResult, SessionCompactingEvent
        from services.hook_context import hook_context

        messages = preparation.messages_to_summarize + preparation.turn_prefix_messages
        event = SessionCompactingEvent(session_id=self.session.store.session_id, messages=messages)
        ctx = hook_context(self.session, self.emit)
        result = await hooks.ask("session_compacting", event, ctx, self.token, self.emit, CompactingResult)
        if result is None:
            return options, None
        options = replace(options, prompt_override=result.prompt or None, extra_context=result.context or ())
        return options, result.preserve_data

    async def _tell_extensions(self, entry: JsonObject, draft: _Draft) -> None:
        hooks = self.session.hooks
        if hooks is None or not hooks.has("session_compact"):
            return
        from model.hook_events import SessionCompactEvent
        from services.hook_context import hook_context

        event = SessionCompactEvent(
            compaction_entry=entry,
            from_extension=draft.from_extension,
            reason=self.reason,
            will_retry=self.will_retry,
        )
        await hooks.tell("session_compact", event, hook_context(self.session, self.emit), self.emit)

    # --- Generating and saving ---------------------------------------------------------------------------------------

    async def _generated(self, preparation: CompactionPreparation, path: Sequence[JsonObject]) -> _Draft:
        """The compaction by the built-in generator, reviewed where that was asked for."""
        options, hook_data = await self._asked_before_generating(preparation)
        generated, results, summarizer = await self._answered_by_first(preparation, path, options, hook_data)
        sources = aligned_sources(generated.summary, results)
        draft = DraftSummary(generated.summary, summarizer.info, sources, generated.short_summary)
        summary = await reviewed(draft, self.options.review, self.emit)
        return _Draft(
            summary,
            generated.first_kept_entry_id,
            None,
            generated.short_summary,
            generated.files.as_details(),
            generated.usage,
            generated.preserve_data,
            line_sources=aligned_sources(summary, results),
        )

    async def _answered_by_first(
        self,
        preparation: CompactionPreparation,
        path: Sequence[JsonObject],
        options: SummaryOptions,
        hook_data: JsonObject | None,
    ) -> tuple[GeneratedCompaction, list[PassResult], Summarizer]:
        """What the first candidate makes that succeeds; a manual run has one only. Raises the last one's error."""
        choice = self.session.summarizer_choice()
        if self.reason == "manual":
            candidates: Sequence[Summarizer] = [await choice.make("compaction", self.options.summarizer)]
        else:
            candidates = await automatic_candidates(choice)
        *others, last = candidates
        for summarizer in others:
            try:
                generated, results = await self._answered(preparation, path, summarizer, options, hook_data)
            except ServiceError as error:
                message = Sentence("{0}: {1} The next model is tried.", summarizer.info.name, told(error))
                self.emit(Notice("warning", message))
            else:
                return generated, results, summarizer
        generated, results = await self._answered(preparation, path, last, options, hook_data)
        return generated, results, last

    async def _answered(
        self,
        preparation: CompactionPreparation,
        path: Sequence[JsonObject],
        summarizer: Summarizer,
        options: SummaryOptions,
        hook_data: JsonObject | None,
    ) -> tuple[GeneratedCompaction, list[PassResult]]:
        """Make the requests of the generator, those of one group at the same time, and return what it makes of them."""
        session = self.session
        steps = generate(preparation, prompt_texts(), session.store.dialect, options, hook_data, session.rules)
        results: list[PassResult] = []
        failure: SummaryFailedError | None = None
        answers: tuple[SummaryAnswer, ...] | None = None
        while True:
            try:
                batch = steps.throw(failure) if failure else steps.send(answers) if answers else next(steps)
            except StopIteration as stop:
                generated: GeneratedCompaction = stop.value
                return generated, results
            failure = None
            passes = [self._pass(request, preparation, path) for request in batch]
            try:
                given = await in_parallel([summarizer.write(task, self.token, self.emit) for task in passes])
            except ServiceError as error:
                if batch[0].pass_name != "short summary":
                    raise
                self.emit(Notice("warning", Sentence("The short summary was left out: {0}", told(error))))
                failure = SummaryFailedError("short summary", str(error))
                continue
            results += given
            answers = tuple(SummaryAnswer(result.text, result.usage, result.short_summary) for result in given)

    async def _save(self, entry: JsonObject, leaf_id: str | None, known: KnownEntries) -> None:
        """Write the entry. Up to `seal` nothing is written, from there on nothing can be cancelled (CP-18)."""
        self.emit(PhaseChanged("saving"))
        await self.session.writer_gate.still_passed(known, self.emit, str(entry["summary"]))
        self.token.raise_if_set()
        self.session.check_current(self.operation, leaf_id, leaf_id)
        self.token.seal()
        self.session.append(entry)

    def _result(
        self, entry: JsonObject, path: Sequence[JsonObject], draft: _Draft, is_split_turn: bool
    ) -> CompactionResult:
        after = path_context(path, self.session.rules)
        return CompactionResult(
            entry=entry,
            entry_id=str(entry["id"]),
            first_kept_entry_id=draft.first_kept_entry_id,
            summary=draft.summary,
            tokens_before=draft.tokens_before or 0,
            estimated_tokens_after=int(estimate_context(path, after.projection, self.session.rules).tokens),
            is_split_turn=is_split_turn,
            short_summary=draft.short_summary,
            usage=draft.usage,
            details=draft.details,
            from_extension=draft.from_extension,
            line_sources=draft.line_sources,
        )

    def _pass(
        self, request: SummaryRequest, preparation: CompactionPreparation, path: Sequence[JsonObject]
    ) -> SummaryPass:
        group = {
            "history": preparation.summarize,
            "turn prefix": preparation.turn_prefix,
            "short summary": preparation.keep,
        }[request.pass_name]
        earlier = earlier_summary(preparation, path) if request.pass_name == "history" else None
        return SummaryPass(request.with_room(self.options.room), evidence_of(group), earlier)
