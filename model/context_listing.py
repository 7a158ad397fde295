"""The context of a position message by message: what the model is sent for each, its size, and why it is there.

Three sizes stand apart: what a provider recorded, the agents' estimate, and the estimate made right by what was
recorded. Source: context-building spec, CB-4 to CB-8 and CB-11; compaction spec, CP-4.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from model.context import ProjectedEntry, entry_message, latest_compaction
from model.entries import entry_id, entry_type, message_of
from model.interruptions import interruptibly, newest_first
from model.json_text import JsonObject
from model.llm_messages import ContextTemplates, convert_to_llm
from model.messages import is_failed_answer, role_of
from model.rules import BRANCHWORK, Rules
from model.token_estimates import context_size, estimate_tokens, measured_content, valid_usage

Mark = Literal["summary", "branch summary", "kept", "edited", "pruned", "not sent"]

_LEAST_RATIO: Final = 0.2  # of recorded to estimated tokens; beyond these limits something else was recorded
_MOST_RATIO: Final = 20.0


@dataclass(frozen=True, slots=True)
class ListedMessage:
    """A message of the context as the model is sent it; `sent` is None for one that no model is sent: `message` is what
    the session has of each.

    `tokens` is the agents' estimate and `total` their sum up to here, both of the message before its conversion, as the
    agents count them. `marks` say what sets it apart.
    """

    entry_id: str | None
    role: str
    sent: JsonObject | None
    tokens: int
    total: int
    marks: tuple[Mark, ...] = ()
    message: JsonObject = field(default_factory=dict)

    @property
    def counted_texts(self) -> tuple[str, ...]:
        """What a tokenizer counts of it; images are not text."""
        return () if self.sent is None else measured_content(self.sent).texts


@dataclass(frozen=True, slots=True)
class RecordedSize:
    """A context size that a provider measured: `tokens` of the first `messages` messages, `sent` of which are sent."""

    tokens: int
    messages: int
    sent: int


@dataclass(frozen=True, slots=True)
class ContextListing:
    """All messages with their sizes. `recorded` is None until something has answered since the last compaction or
    edit; `calibrated` goes on from it, with the ratio between what was recorded and estimated. `left_out` counts the
    entries that a context edit takes out.
    """

    messages: tuple[ListedMessage, ...] = ()
    recorded: RecordedSize | None = None
    calibrated: int | None = None
    left_out: int = 0

    @property
    def sent_count(self) -> int:
        """How many of the messages a model is sent."""
        return sum(message.sent is not None for message in self.messages)

    @property
    def estimate(self) -> int:
        """The agents' estimate of all messages, which decides where to cut."""
        return self.messages[-1].total if self.messages else 0


def list_context(
    path: Sequence[JsonObject],
    projection: Sequence[ProjectedEntry],
    templates: ContextTemplates,
    rules: Rules = BRANCHWORK,
) -> ContextListing:
    """Return the context at the end of a path. O(path)."""
    places = {id(entry): place for place, entry in enumerate(interruptibly(path))}
    compaction = latest_compaction(path)
    kept_before = compaction if compaction is not None and projection and projection[0].entry is path[compaction] else 0
    usage_from = next((place for place in newest_first(path) if _makes_usage_old(path[place])), -1)
    listed: list[ListedMessage] = []
    points: list[RecordedSize] = []
    total = left_out = sent_count = 0
    for item in interruptibly(projection):
        place = places.get(id(item.entry), 0)
        original = entry_message(item.entry, rules)
        left_out += original is not None and not item.messages and entry_type(item.entry) != "compaction"
        for message in item.messages:
            is_edited = (
                original is not None and message.get("content") != original.get("content") and len(item.messages) == 1
            )
            tokens = estimate_tokens(message, rules)
            total += tokens
            converted = [] if is_failed_answer(message) else convert_to_llm([message], templates, rules)
            sent = next(iter(converted), None)
            sent_count += sent is not None
            marks = _marks(message, sent, is_kept=place < kept_before, is_edited=is_edited)
            role = role_of(sent) or role_of(message) or ""
            listed.append(ListedMessage(entry_id(item.entry), role, sent, tokens, total, marks, message))
            if place > usage_from and (usage := valid_usage(message_of(item.entry), rules)) is not None:
                points.append(RecordedSize(int(context_size(usage)), len(listed), sent_count))
    recorded = points[-1] if points else None
    return ContextListing(tuple(listed), recorded, _calibrated(listed, points), left_out)


def _makes_usage_old(entry: JsonObject) -> bool:
    return entry_type(entry) in ("compaction", "context_edit")


def _marks(message: JsonObject, sent: JsonObject | None, *, is_kept: bool, is_edited: bool) -> tuple[Mark, ...]:
    role = role_of(message)
    marks: list[Mark] = []
    if role == "compactionSummary":
        marks.append("summary")
    if role == "branchSummary":
        marks.append("branch summary")
    if is_kept:
        marks.append("kept")
    if is_edited:
        marks.append("edited")
    if message.get("prunedAt") is not None:
        marks.append("pruned")
    if sent is None:
        marks.append("not sent")
    return tuple(marks)


def _calibrated(listed: Sequence[ListedMessage], points: Sequence[RecordedSize]) -> int | None:
    """The last recorded size, and the estimates after it times the ratio that the recorded sizes show.

    The ratio is taken between the first and the last of them, so that what is sent besides the messages, such as tools,
    does not count; with only one, of it alone.
    """
    if not points:
        return None
    last = points[-1]
    estimated = listed[last.messages - 1].total
    trailing = listed[-1].total - estimated
    first = points[0]
    grown = estimated - listed[first.messages - 1].total
    if grown > 0 and last.tokens > first.tokens:
        ratio = (last.tokens - first.tokens) / grown
    else:
        ratio = last.tokens / estimated if estimated else 1.0
    return round(last.tokens + trailing * min(_MOST_RATIO, max(_LEAST_RATIO, ratio)))
