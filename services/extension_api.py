"""What authors of extensions import: the mark for handlers, and the building blocks of the built-in summaries (HK-1).

from services.extension_api import convert_to_llm, hookimpl, serialize_conversation
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import uuid4

from model.branch_summaries import (
    BranchPreparation,
    branch_output_limit,
    branch_summary_request,
    finished_branch_summary,
    prepare_branch_entries,
)
from model.compaction import CompactionPreparation, NothingToCompact, prepare_compaction
from model.conversation_text import serialize_conversation
from model.dialects import Dialect
from model.file_operations import FileLists, FileOperations, compute_file_lists
from model.hook_events import (
    BeforeCompactResult,
    BeforeTreeResult,
    BranchSummaryPayload,
    CompactingResult,
    CompactionResult,
    SessionBeforeCompactEvent,
    SessionBeforeTreeEvent,
    SessionCompactEvent,
    SessionCompactFailedEvent,
    SessionCompactingEvent,
    SessionTreeEvent,
)
from model.json_text import JsonObject
from model.llm_messages import convert_to_llm as _convert_to_llm
from model.navigation import AbandonedEntries, collect_entries_for_branch_summary
from model.summary_requests import SummaryOptions, SummaryRequest, conversation_element, conversation_text
from services.cancellation import CancellationToken, OperationCancelled, run_until_cancelled
from services.endpoints.exchange import Endpoint, ModelRequest
from services.errors import ServiceError
from services.hooks import HookContext, hookimpl
from services.prompt_texts import context_templates, prompt_texts
from services.summarizers.checks import checked_text
from services.summarizers.choice import make_endpoint
from services.summarizers.passes import SummaryPass

__all__ = [
    "AbandonedEntries",
    "BeforeCompactResult",
    "BeforeTreeResult",
    "BranchPreparation",
    "BranchSummaryPayload",
    "CancellationToken",
    "CompactingResult",
    "CompactionPreparation",
    "CompactionResult",
    "Endpoint",
    "FileLists",
    "FileOperations",
    "HookContext",
    "NothingToCompact",
    "OperationCancelled",
    "ServiceError",
    "SessionBeforeCompactEvent",
    "SessionBeforeTreeEvent",
    "SessionCompactEvent",
    "SessionCompactFailedEvent",
    "SessionCompactingEvent",
    "SessionTreeEvent",
    "SummaryText",
    "collect_entries_for_branch_summary",
    "compute_file_lists",
    "convert_to_llm",
    "generate_branch_summary",
    "generate_summary",
    "generate_summary_with_usage",
    "hookimpl",
    "make_endpoint",
    "prepare_branch_entries",
    "prepare_compaction",
    "serialize_conversation",
]


@dataclass(frozen=True, slots=True)
class SummaryText:
    """A summary and what it cost, where the provider tells (SF-5.3)."""

    text: str
    usage: JsonObject | None = None


def convert_to_llm(messages: Sequence[JsonObject]) -> list[JsonObject]:
    """Return session messages as the plain messages that a model is sent (CB-8)."""
    return _convert_to_llm(messages, context_templates())


async def generate_summary(
    messages: Sequence[JsonObject],
    endpoint: Endpoint,
    max_tokens: int,
    signal: CancellationToken,
    *,
    previous_summary: str | None = None,
    custom_instructions: str | None = None,
) -> str:
    """Return the summary of messages by the model of `endpoint`, in the structured format. See the next function."""
    summary = await generate_summary_with_usage(
        messages,
        endpoint,
        max_tokens,
        signal,
        previous_summary=previous_summary,
        custom_instructions=custom_instructions,
    )
    return summary.text


async def generate_summary_with_usage(
    messages: Sequence[JsonObject],
    endpoint: Endpoint,
    max_tokens: int,
    signal: CancellationToken,
    *,
    previous_summary: str | None = None,
    custom_instructions: str | None = None,
) -> SummaryText:
    """Return a summary with its usage. `max_tokens` 0 sends no limit.

    Raises OperationCancelled when `signal` is set, ServiceError when there is no text fit to be saved.
    """
    texts = prompt_texts()
    parts = [conversation_element(conversation_text(messages, texts.context))]
    if previous_summary:
        parts.append(f"<previous-summary>\n{previous_summary}\n</previous-summary>")
    instructions = texts.update_summary if previous_summary else texts.summary
    if custom_instructions and custom_instructions.strip():
        instructions += f"\n\nAdditional focus: {custom_instructions}"
    request = SummaryRequest("history", texts.system_prompt, "\n\n".join([*parts, instructions]), max_tokens)
    return await _written(request, endpoint, signal)


async def generate_branch_summary(
    entries: Sequence[JsonObject],
    endpoint: Endpoint,
    signal: CancellationToken,
    *,
    dialect: Dialect = "pi",
    token_budget: int = 0,
    reserve_tokens: int = 16384,
    custom_instructions: str | None = None,
    replace_instructions: bool = False,
) -> SummaryText | None:
    """Return the summary of a branch as it would be stored, None when nothing in it can be summarised (BS-2 … BS-9).

    `entries` are chronological; `token_budget` 0 is no limit. Raises as `generate_summary_with_usage`.
    """
    texts = prompt_texts()
    preparation = prepare_branch_entries(entries, token_budget)
    if not preparation.messages:
        return None
    request = branch_summary_request(
        preparation,
        texts,
        branch_output_limit(dialect, reserve_tokens),
        SummaryOptions(custom_instructions=custom_instructions),
        replace_instructions=replace_instructions,
    )
    summary = await _written(request, endpoint, signal)
    finished = finished_branch_summary(preparation, summary.text, texts, dialect, usage=summary.usage)
    return SummaryText(finished.summary, finished.usage)


async def _written(request: SummaryRequest, endpoint: Endpoint, signal: CancellationToken) -> SummaryText:
    sent = ModelRequest.of_prompt(request.system_prompt, request.prompt, request.max_tokens, str(uuid4()))
    reply = await run_until_cancelled(signal, endpoint.send(sent, lambda _text: None))
    return SummaryText(checked_text(reply, SummaryPass(request), 0), reply.usage)
