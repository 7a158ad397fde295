"""The answers of a compaction's requests: whether they may be stored, and the text that is (CP-12.2, CP-14 … CP-19).

`compact` is the whole procedure without any input or output: a generator that yields the requests to make and is sent
the answers.
"""

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from model.compaction import CompactionPreparation
from model.dialects import Dialect
from model.file_operations import FileLists, compute_file_lists, with_file_tags
from model.json_text import JsonObject
from model.messages import block_texts, tool_calls
from model.rules import BRANCHWORK, Rules
from model.summary_requests import (
    NO_OPTIONS,
    PassName,
    PromptTexts,
    SummaryOptions,
    SummaryRequest,
    first_requests,
    short_summary_request,
)
from model.usage import add_usages

NO_PRIOR_HISTORY: Final = "No prior history."
TURN_PREFIX_HEADING: Final = "**Turn Context (split turn):**"
PRIVATE_PRESERVE_KEY: Final = "openaiRemoteCompaction"

_SUBJECTS: Final[dict[PassName, str]] = {
    "history": "Summarization",
    "turn prefix": "Turn prefix summarization",
    "short summary": "Short summary",
    "branch": "Branch summarization",
}


FailureCause = Literal["error", "cut off", "tool call", "empty"]


class SummaryFailedError(Exception):
    """A pass that gave no text fit to be stored; `str(error)` says which and why, as the agents do."""

    def __init__(self, pass_name: PassName, text: str, cause: FailureCause = "error") -> None:
        super().__init__(text)
        self.pass_name = pass_name
        self.cause = cause


class SummaryAbortedError(Exception):
    """A pass that was stopped on request."""


@dataclass(frozen=True, slots=True)
class SummaryAnswer:
    """A text that may be stored. `short_summary`: a remote endpoint gave one along with the history (CP-15)."""

    text: str
    usage: JsonObject | None = None
    short_summary: str | None = None


@dataclass(frozen=True, slots=True)
class GeneratedCompaction:
    """A compaction by the default generator, ready to be stored (CP-19)."""

    summary: str
    first_kept_entry_id: str
    tokens_before: int
    files: FileLists
    short_summary: str | None = None
    usage: JsonObject | None = None
    preserve_data: JsonObject | None = None


def compact(
    preparation: CompactionPreparation,
    texts: PromptTexts,
    dialect: Dialect,
    options: SummaryOptions = NO_OPTIONS,
    hook_preserve_data: JsonObject | None = None,
    rules: Rules = BRANCHWORK,
) -> Generator[tuple[SummaryRequest, ...], tuple[SummaryAnswer, ...], GeneratedCompaction]:
    """Generate what a prepared compaction stores.

    Each yield is a group of requests that may be made at the same time; their answers are sent back in the same order.
    An error thrown in ends the procedure, except a SummaryFailedError of the short summary, which is then left out
    (R-32).
    """
    answers: dict[PassName, SummaryAnswer] = {}
    for requests in first_requests(preparation, texts, options, rules):
        given = yield requests
        answers |= {request.pass_name: answer for request, answer in zip(requests, given, strict=True)}
    summary = joined_summary(preparation, answers, rules)
    short_summary = answers["history"].short_summary if "history" in answers else None
    if preparation.settings.short_summary and short_summary is None:
        try:
            given = yield (short_summary_request(preparation, summary, texts, options, rules),)
        except SummaryFailedError:
            if rules.short_summary_failure_is_fatal:
                raise
        else:
            answers["short summary"] = given[0]
            short_summary = given[0].text
    files = compute_file_lists(preparation.file_ops)
    return GeneratedCompaction(
        summary=with_file_tags(summary, files, dialect, preparation.settings.file_tag_limit, rules),
        first_kept_entry_id=preparation.first_kept_entry_id,
        tokens_before=preparation.tokens_before,
        files=files,
        short_summary=short_summary,
        usage=add_usages((answer.usage for answer in answers.values()), rules),
        preserve_data=merged_preserve_data(preparation.previous_preserve_data, hook_preserve_data, rules),
    )


def joined_summary(
    preparation: CompactionPreparation, answers: Mapping[PassName, SummaryAnswer], rules: Rules = BRANCHWORK
) -> str:
    """Return the summary that the first requests give together, without file tags (CP-14).

    A split turn without earlier messages keeps the previous summary as its history (R-33).
    """
    if "turn prefix" not in answers:
        return answers["history"].text
    if "history" in answers:
        history = answers["history"].text
    else:
        carried = preparation.previous_summary if rules.keep_previous_summary_when_split else None
        history = carried or NO_PRIOR_HISTORY
    return f"{history}\n\n---\n\n{TURN_PREFIX_HEADING}\n\n{answers['turn prefix'].text}"


def merged_preserve_data(
    carried: JsonObject | None, hook_data: JsonObject | None, rules: Rules = BRANCHWORK
) -> JsonObject | None:
    """Return the `preserveData` to store: a hook's data over what the previous entry carries, None without any (R-36).

    Provider-private history is not carried over: a later request would replay what is gone.
    """
    kept = {name: value for name, value in (carried or {}).items() if name != PRIVATE_PRESERVE_KEY}
    added = hook_data or {}
    merged = {**added, **kept} if rules.carried_preserve_data_wins else {**kept, **added}
    return merged or None


def answer_text(pass_name: PassName, answer: JsonObject, rules: Rules = BRANCHWORK) -> str:
    """Return the text of a model's answer (an assistant message) when it may be stored (CP-12.2).

    Raises SummaryFailedError when it ended with an error, was cut off, calls a tool or has no text, and
    SummaryAbortedError when it was stopped.
    """
    stop_reason = answer.get("stopReason")
    if stop_reason == "aborted":
        raise SummaryAbortedError
    if stop_reason == "error":
        error_text = answer.get("errorMessage")
        said = error_text if isinstance(error_text, str) and error_text else "Unknown error"
        raise _failed(pass_name, "error", said, rules)
    if stop_reason == "length" and rules.cut_answer_fails:
        raise _failed(pass_name, "cut off", "generation hit the token cap and the summary is incomplete", rules)
    if tool_calls(answer) and rules.tool_call_answer_fails:
        raise SummaryFailedError(pass_name, f"{_SUBJECTS[pass_name]} attempted to call a tool", "tool call")
    text = "\n".join(block_texts(answer.get("content")))
    if not text.strip() and rules.empty_answer_fails:
        raise _failed(pass_name, "empty", "the answer has no text", rules)
    return text


def _failed(pass_name: PassName, cause: FailureCause, text: str, rules: Rules) -> SummaryFailedError:
    prefix = rules.branch_failure_prefix if pass_name == "branch" else f"{_SUBJECTS[pass_name]} failed: "
    return SummaryFailedError(pass_name, prefix + text, cause)
