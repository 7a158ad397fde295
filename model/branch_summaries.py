"""Summaries of branches that are left: what fits into the budget, the request, the stored text (BS-2 … BS-9)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from model.context import context_edits, edited_messages
from model.dialects import Dialect
from model.entries import entry_id, entry_type, message_of
from model.errors import RefusedError
from model.file_operations import (
    FileLists,
    FileOperations,
    compute_file_lists,
    operations_in_details,
    operations_in_messages,
    with_file_tags,
)
from model.interruptions import interruptibly, newest_first
from model.json_text import JsonObject
from model.messages import role_of
from model.rules import BRANCHWORK, Rules
from model.sentences import Sentence
from model.summarized_messages import Messages, branch_message
from model.summary_requests import (
    HISTORY_SHARE,
    NO_OPTIONS,
    PromptTexts,
    SummaryOptions,
    SummaryRequest,
    conversation_element,
    conversation_text,
    is_given,
    summary_request,
    with_focus,
)
from model.token_estimates import estimate_tokens

UNKNOWN_WINDOW_TOKENS: Final = 128_000
OMP_OUTPUT_TOKENS: Final = 2048

_SUMMARY_TYPES: Final = frozenset({"compaction", "branch_summary"})


@dataclass(frozen=True, slots=True)
class BranchPreparation:
    """What a branch summary is made from.

    `messages` fit the budget, oldest first, each with the id of its entry in `source_ids`. `omitted_entry_ids` are the
    entries whose messages do not fit. `file_ops` are those of the whole branch.
    """

    messages: tuple[JsonObject, ...]
    source_ids: tuple[str | None, ...]
    total_tokens: int
    file_ops: FileOperations
    omitted_entry_ids: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class GeneratedBranchSummary:
    """A branch summary by the default generator, ready to be stored (BS-7)."""

    summary: str
    files: FileLists
    usage: JsonObject | None = None


def branch_token_budget(context_window: int | None, reserve_tokens: int, rules: Rules = BRANCHWORK) -> int:
    """Return how many tokens of a branch the summarising model can read; 0 is no limit (BS-2).

    A window of None or 0 is unknown and counts as `UNKNOWN_WINDOW_TOKENS`. Raises RefusedError when nothing is left
    (R-40); under the agents' rules that is no limit.
    """
    window = context_window or UNKNOWN_WINDOW_TOKENS
    if window > reserve_tokens:
        return window - reserve_tokens
    if rules.branch_budget_may_be_unlimited:
        return 0
    raise RefusedError(
        Sentence(
            "The context window of {0} tokens is not larger than branchSummary.reserveTokens ({1}).",
            int(window),
            reserve_tokens,
        )
    )


def prepare_branch_entries(
    entries: Sequence[JsonObject],
    token_budget: int = 0,
    rules: Rules = BRANCHWORK,
    *,
    with_tool_results: bool = False,
) -> BranchPreparation:
    """Return the messages of an abandoned branch that fit the budget, newest first chosen (BS-3, BS-4). O(entries).

    `entries` are chronological; `token_budget` 0 is no limit. A compaction or branch summary that does not fit is taken
    all the same while less than nine tenths are used; behind the first entry that does not fit nothing older is.
    `with_tool_results` takes in what tools returned, which neither agent does: a finding may stand nowhere else.
    """
    messages = _branch_messages(entries, rules, with_tool_results)
    taken: list[int] = []
    total = 0
    visited_from = 0
    for row in newest_first(entries):
        if not messages[row]:
            continue
        tokens = sum(estimate_tokens(message, rules) for message in messages[row])
        fits = token_budget <= 0 or total + tokens <= token_budget
        if fits or (entry_type(entries[row]) in _SUMMARY_TYPES and 10 * total < 9 * token_budget):
            taken.append(row)
            total += tokens
        if not fits:
            visited_from = row
            break
    taken.reverse()
    first_taken = taken[0] if taken else len(entries)
    return BranchPreparation(
        messages=tuple(message for row in interruptibly(taken) for message in messages[row]),
        source_ids=tuple(entry_id(entries[row]) for row in interruptibly(taken) for _ in messages[row]),
        total_tokens=total,
        file_ops=_branch_files(entries, messages, visited_from, rules),
        omitted_entry_ids=tuple(entry_id(entries[row]) for row in interruptibly(range(first_taken)) if messages[row]),
    )


def branch_summary_request(
    preparation: BranchPreparation,
    texts: PromptTexts,
    output_limit: int,
    options: SummaryOptions = NO_OPTIONS,
    *,
    replace_instructions: bool = False,
    include_thinking: bool = True,
    rules: Rules = BRANCHWORK,
) -> SummaryRequest:
    """Return the request for the summary of a prepared branch (BS-5).

    The custom instructions of `options` follow the built-in ones, or stand for them with `replace_instructions`.
    """
    text = conversation_text(preparation.messages, texts.context, include_thinking=include_thinking, rules=rules)
    custom = options.custom_instructions
    replaced = replace_instructions and is_given(custom)
    instructions = custom if replaced else with_focus(texts.branch_summary, custom)
    prompt = f"{conversation_element(text)}\n\n{instructions}"
    return summary_request("branch", prompt, output_limit, texts, options, rules)


def branch_output_limit(dialect: Dialect, reserve_tokens: int) -> int:
    """Return how many tokens a branch summary may have in a session of a dialect, before the model's own limit."""
    return OMP_OUTPUT_TOKENS if dialect == "omp" else math.floor(HISTORY_SHARE * reserve_tokens)


def finished_branch_summary(
    preparation: BranchPreparation,
    text: str,
    texts: PromptTexts,
    dialect: Dialect,
    *,
    file_tag_limit: int = 0,
    usage: JsonObject | None = None,
    rules: Rules = BRANCHWORK,
) -> GeneratedBranchSummary:
    """Return what is stored for a model's text: the preamble in front, the file elements behind (BS-6)."""
    files = compute_file_lists(preparation.file_ops)
    summary = f"{texts.branch_preamble}{rules.branch_preamble_separator}{text}"
    return GeneratedBranchSummary(with_file_tags(summary, files, dialect, file_tag_limit, rules), files, usage)


def _branch_messages(entries: Sequence[JsonObject], rules: Rules, with_tool_results: bool) -> list[Messages]:
    """The messages that each entry is summarised by; by default the calls of tools without their results."""
    edits = context_edits(entries) if rules.context_edits_apply else {}
    messages: list[Messages] = []
    for entry in interruptibly(entries):
        message = branch_message(entry, rules)
        if message is None or (role_of(message) == "toolResult" and not with_tool_results):
            messages.append(())
        elif entry_type(entry) not in _SUMMARY_TYPES and entry_id(entry) in edits:
            messages.append(tuple(edited_messages([message], edits[entry_id(entry)])))
        else:
            messages.append((message,))
    return messages


def _branch_files(
    entries: Sequence[JsonObject], messages: Sequence[Messages], visited_from: int, rules: Rules
) -> FileOperations:
    """The files that the branch worked on, whether or not its messages fit the budget (BS-3, R-41)."""
    with_details = _SUMMARY_TYPES if rules.branch_files_from_compactions else {"branch_summary"}
    details = (
        operations_in_details(entry, rules) for entry in interruptibly(entries) if entry_type(entry) in with_details
    )
    if rules.branch_files_from_all_entries:
        worked = [message for entry in interruptibly(entries) if (message := message_of(entry)) is not None]
    else:
        worked = [message for given in messages[visited_from:] for message in given]
    return FileOperations.union(chain(details, [operations_in_messages(worked, rules)]))
