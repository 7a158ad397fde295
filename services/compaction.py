"""Compacting the current branch: prepare, generate, save, reload (CP-10 … CP-24)."""

import asyncio
import logging
from typing import TYPE_CHECKING, Literal

from model.compaction import CompactionPreparation, NothingToCompact, prepare_compaction
from model.errors import RefusedError
from model.rules import BRANCHWORK, Rules
from model.sentences import Sentence, told
from model.summary_requests import SummaryOptions, SummaryRequest, first_requests
from services.cancellation import CancellationToken, OperationCancelled
from services.compaction_run import CompactionRun, run_settings
from services.errors import ServiceError
from services.operations import Boundary, CompactionOptions, CompactionResult
from services.prompt_texts import prompt_texts
from services.session_events import (
    CompactionEnded,
    CompactionOutcome,
    CompactionStarted,
    Emit,
)

log = logging.getLogger(__name__)

AutomaticReason = Literal["overflow", "threshold"]

if TYPE_CHECKING:
    from services.agent_session import AgentSession


def prepare(
    session: "AgentSession",
    leaf_id: str | None,
    keep_recent_tokens: int | None,
    boundary: Boundary | None,
    rules: Rules,
) -> CompactionPreparation | NothingToCompact:
    """Return what a compaction at `leaf_id` would do."""
    path = session.snapshot().path(leaf_id)
    return prepare_compaction(path, run_settings(session, path, keep_recent_tokens, boundary), rules)


def compaction_prompts(
    preparation: CompactionPreparation, instructions: str | None = None, rules: Rules = BRANCHWORK
) -> list[SummaryRequest]:
    """Return the requests that would be sent for history and turn prefix (CP-25)."""
    batches = first_requests(preparation, prompt_texts(), SummaryOptions(custom_instructions=instructions), rules)
    return [request for batch in batches for request in batch]


async def compact(
    session: "AgentSession", options: CompactionOptions, token: CancellationToken, emit: Emit
) -> CompactionResult:
    """Run a manual compaction with its events (CP-20, CP-22, CP-23). Raises what stops it."""
    await session.turns.stop()
    await session.writer_gate.passed(emit)
    with session.operation(token) as operation:
        return await _with_events(CompactionRun(session, options, "manual", token, emit, operation))


async def compact_automatically(
    session: "AgentSession", reason: AutomaticReason, token: CancellationToken, emit: Emit
) -> CompactionResult | None:
    """Run an automatic compaction; None when it was dropped, had nothing to do, failed or was aborted (CP-2, CP-22).

    Failures are events, never raised: the session stays usable and unchanged.
    """
    if session.busy:
        return None
    with session.operation(token) as operation:
        run = CompactionRun(session, CompactionOptions(), reason, token, emit, operation, reason == "overflow")
        try:
            return await _with_events(run)
        except (OperationCancelled, ServiceError, RefusedError, OSError):
            return None
        except asyncio.CancelledError:
            if not token.is_set():
                raise
            return None
        except Exception:
            log.exception("automatic compaction failed")
            return None


async def _with_events(run: CompactionRun) -> CompactionResult:
    """Run a compaction between its start and its one end event, and tell extensions of a failure. Raises its cause."""
    run.emit(CompactionStarted(run.reason))
    try:
        result = await run.run()
    except (OperationCancelled, asyncio.CancelledError):
        await run.report_failure(aborted=True)
        raise
    except RefusedError as error:
        await run.report_failure(told(error), skipped=run.reason != "manual")
        raise
    except (ServiceError, OSError) as error:
        await run.report_failure(told(error))
        raise
    except Exception as error:
        await run.report_failure(Sentence("an unexpected {0}; see the log", type(error).__name__))
        raise
    run.emit(CompactionEnded(run.reason, result=_outcome(result), will_retry=run.will_retry))
    return result


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
