"""Compacting the current branch: prepare, generate, save, reload (CP-10 … CP-24)."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from model.compaction import CompactionPreparation, NothingToCompact, prepare_compaction
from model.context import latest_compaction, path_context
from model.digest_evidence import Evidence
from model.entries import entry_id, new_compaction_entry
from model.errors import RefusedError
from model.json_text import JsonObject
from model.offline_digest import EarlierSummary
from model.rules import Rules
from model.settings import EffectiveCompactionSettings, EffectiveSettings
from model.summary_answers import GeneratedCompaction, SummaryAnswer, SummaryFailedError
from model.summary_answers import compact as generate
from model.summary_requests import SummaryOptions, SummaryRequest, first_requests
from model.system_prompts import current_system_message
from model.token_estimates import estimate_context
from services.cancellation import CancellationToken, OperationCancelled
from services.errors import ServiceError
from services.operations import Boundary, CompactionOptions, CompactionResult, DraftSummary
from services.prompt_texts import prompt_texts
from services.session_events import (
    CompactionEnded,
    CompactionOutcome,
    CompactionStarted,
    Emit,
    Notice,
    PhaseChanged,
    Reason,
)
from services.summarizers.line_sources import aligned_sources
from services.summarizers.passes import PassResult, Summarizer, SummaryPass
from services.summarizers.running import in_parallel, reviewed

if TYPE_CHECKING:
    from services.agent_session import AgentSession, Operation


def prepare(
    session: "AgentSession",
    leaf_id: str | None,
    keep_recent_tokens: int | None,
    boundary: Boundary | None,
    rules: Rules,
) -> CompactionPreparation | NothingToCompact:
    """Return what a compaction at `leaf_id` would do."""
    path = session.snapshot().path(leaf_id)
    return prepare_compaction(path, run_settings(session.settings, keep_recent_tokens, boundary), rules)


def run_settings(
    settings: EffectiveSettings, keep_recent_tokens: int | None = None, boundary: Boundary | None = None
) -> EffectiveCompactionSettings:
    """Return the compaction settings with the values that were chosen for one run."""
    changes: dict[str, object] = {}
    if keep_recent_tokens is not None:
        changes["keep_recent_tokens"] = keep_recent_tokens
    if boundary in ("sinceKept", "sinceCompaction"):
        changes["boundary"] = boundary
    return settings.compaction.replaced(**changes) if changes else settings.compaction


def compaction_prompts(preparation: CompactionPreparation, instructions: str | None = None) -> list[SummaryRequest]:
    """Return the requests that would be sent for history and turn prefix (CP-25)."""
    batches = first_requests(preparation, prompt_texts(), SummaryOptions(custom_instructions=instructions))
    return [request for batch in batches for request in batch]


async def compact(
    session: "AgentSession", options: CompactionOptions, token: CancellationToken, emit: Emit
) -> CompactionResult:
    """Run a manual compaction with its events (CP-20, CP-22, CP-23)."""
    with session.operation(token) as operation:
        run = CompactionRun(session, options, "manual", token, emit, operation)
        emit(CompactionStarted("manual"))
        try:
            result = await run.run()
        except (OperationCancelled, asyncio.CancelledError):
            emit(CompactionEnded("manual", aborted=True))
            raise
        except (ServiceError, RefusedError) as error:
            emit(CompactionEnded("manual", error_message=f"Compaction failed: {error}"))
            raise
        except BaseException as error:
            emit(CompactionEnded("manual", error_message=f"Compaction failed: {type(error).__name__}"))
            raise
        emit(CompactionEnded("manual", result=_outcome(result)))
        return result


@dataclass(slots=True)
class CompactionRun:
    """One compaction from preparation to the saved entry."""

    session: "AgentSession"
    options: CompactionOptions
    reason: Reason
    token: CancellationToken
    emit: Emit
    operation: "Operation"

    async def run(self) -> CompactionResult:
        """Return the saved compaction. Raises what stops it; then nothing was written."""
        session, token = self.session, self.token
        leaf_id = session.leaf_id
        self.emit(PhaseChanged("preparing"))
        path = await asyncio.to_thread(session.snapshot().path, leaf_id, token.raise_if_set)
        settings = run_settings(session.settings, self.options.keep_recent_tokens, self.options.boundary)
        preparation = await asyncio.to_thread(prepare_compaction, path, settings, session.rules)
        token.raise_if_set()
        if isinstance(preparation, NothingToCompact):
            raise RefusedError(preparation.text)
        summarizer = await session.summarizer_choice().make("compaction", self.options.summarizer)
        generated, results = await self._generate(preparation, path, summarizer)
        draft = DraftSummary(generated.summary, summarizer.info, aligned_sources(generated.summary, results))
        summary = await reviewed(draft, self.options.review, self.emit)
        before = path_context(path, session.rules)
        tokens_before = int(estimate_context(path, before.projection, session.rules).tokens)
        entry = new_compaction_entry(
            session.store.new_entry_id(),
            leaf_id,
            session.now(),
            session.store.dialect,
            summary=summary,
            first_kept_entry_id=generated.first_kept_entry_id,
            tokens_before=tokens_before,
            short_summary=generated.short_summary,
            details=generated.files.as_details(),
            usage=generated.usage,
            preserve_data=generated.preserve_data,
            system_message=current_system_message(before.messages),
        )
        self._save(entry, leaf_id)
        context = path_context([*path, entry], session.rules)
        return CompactionResult(
            entry=entry,
            entry_id=str(entry["id"]),
            first_kept_entry_id=generated.first_kept_entry_id,
            summary=summary,
            tokens_before=tokens_before,
            estimated_tokens_after=int(estimate_context([*path, entry], context.projection, session.rules).tokens),
            is_split_turn=preparation.is_split_turn,
            short_summary=generated.short_summary,
            usage=generated.usage,
            details=entry.get("details"),
            line_sources=aligned_sources(summary, results),
        )

    def _save(self, entry: JsonObject, leaf_id: str | None) -> None:
        """Write the entry. Up to `seal` nothing is written, from there on nothing can be cancelled (CP-18)."""
        self.emit(PhaseChanged("saving"))
        self.session.check_current(self.operation, leaf_id)
        self.token.seal()
        self.session.append(entry)

    async def _generate(
        self, preparation: CompactionPreparation, path: Sequence[JsonObject], summarizer: Summarizer
    ) -> tuple[GeneratedCompaction, list[PassResult]]:
        """Make the requests of the generator and return what it makes of the answers."""
        summary_options = SummaryOptions(custom_instructions=self.options.instructions)
        steps = generate(preparation, prompt_texts(), self.session.store.dialect, summary_options)
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
                self.emit(Notice("warning", f"The short summary was left out: {error}"))
                failure = SummaryFailedError("short summary", str(error))
                continue
            results += given
            answers = tuple(SummaryAnswer(result.text, result.usage, result.short_summary) for result in given)

    def _pass(
        self, request: SummaryRequest, preparation: CompactionPreparation, path: Sequence[JsonObject]
    ) -> SummaryPass:
        group = {
            "history": preparation.summarize,
            "turn prefix": preparation.turn_prefix,
            "short summary": preparation.keep,
        }[request.pass_name]
        evidence = [Evidence(id or "", message) for id, message in zip(group.source_ids, group.messages, strict=True)]
        earlier = None
        if request.pass_name == "history" and preparation.previous_summary:
            previous = latest_compaction(path)
            earlier = EarlierSummary(preparation.previous_summary, entry_id(path[previous or 0]) or "")
        return SummaryPass(request, evidence, earlier)


def _outcome(result: CompactionResult) -> CompactionOutcome:
    return CompactionOutcome(
        summary=result.summary,
        first_kept_entry_id=result.first_kept_entry_id,
        tokens_before=result.tokens_before,
        estimated_tokens_after=result.estimated_tokens_after,
        short_summary=result.short_summary,
        usage=result.usage,
        details=result.details,
        preserve_data=result.entry.get("preserveData"),
    )
