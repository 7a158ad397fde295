"""Token numbers: the estimate of one message, usage records, the size of a context (CP-4, CB-11)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from model.context import ProjectedEntry, latest_compaction, projected_messages
from model.entries import entry_type, message_of
from model.interruptions import interruptibly, newest_first
from model.json_text import JsonObject, stringify, utf16_length
from model.messages import block_texts, content_blocks, role_of, text_field
from model.rules import BRANCHWORK, Rules
from model.system_prompts import current_system_message

UNITS_PER_TOKEN: Final = 4
IMAGE_UNITS: Final = 4800


def estimate_tokens(message: JsonObject, rules: Rules = BRANCHWORK) -> int:
    """Return the estimate of a message: a quarter of its length in UTF-16 units, rounded up (CP-4.1).

    An unknown role, and one that `rules` do not count, gives 0; so does every field that is missing or of a wrong type.
    """
    content = measured_content(message, rules)
    units = sum(map(utf16_length, content.texts)) + IMAGE_UNITS * content.images
    return -(-units // UNITS_PER_TOKEN)


def estimate_all(messages: Iterable[JsonObject], rules: Rules = BRANCHWORK) -> int:
    """Return the estimated tokens of messages in all (CP-4.1)."""
    return sum(estimate_tokens(message, rules) for message in interruptibly(messages))


@dataclass(frozen=True, slots=True)
class MeasuredContent:
    """What of a message takes room in a context: texts, and a number of images."""

    texts: tuple[str, ...] = ()
    images: int = 0


def measured_content(message: JsonObject, rules: Rules = BRANCHWORK) -> MeasuredContent:
    """Return the texts and the number of images that a size of the message counts (CP-4.1)."""
    role = role_of(message)
    if role not in rules.estimated_roles:
        return MeasuredContent()
    if role == "assistant":
        blocks = content_blocks(message.get("content"))
        return MeasuredContent(tuple(text for block in blocks for text in _answer_block_texts(block)))
    if role == "fileMention":
        files = content_blocks(message.get("files"))
        texts = (text_field(file, name) for file in files for name in ("path", "content"))
        return MeasuredContent(tuple(texts), sum(isinstance(file.get("image"), dict) for file in files))
    if role == "system":
        return MeasuredContent(tuple(_prompt_texts(message)))
    if role in _MEASURED_FIELDS:
        return MeasuredContent(tuple(text_field(message, name) for name in _MEASURED_FIELDS[role]))
    blocks = content_blocks(message.get("content"))
    images_counted = role != "user" or rules.user_images_counted
    images = sum(block.get("type") == "image" for block in blocks) if images_counted else 0
    return MeasuredContent(tuple(block_texts(blocks)), images)


def context_size(usage: Any) -> float:
    """Return the context size of a usage record: `totalTokens`, or the sum of the four counters when that is 0."""
    return _count(usage, "totalTokens") or sum(_count(usage, name) for name in _COUNTERS)


def prompt_size(usage: Any) -> float:
    """Return the prompt size of a usage record: input and cache counters, or the context size when they are 0."""
    return sum(_count(usage, name) for name in ("input", "cacheRead", "cacheWrite")) or context_size(usage)


def valid_usage(message: JsonObject | None, rules: Rules = BRANCHWORK) -> JsonObject | None:
    """Return the usage of an answer that measures its context, or None (CP-1, valid usage).

    An answer that failed or was aborted measures nothing, and neither does a record of zeros.
    """
    if message is None or role_of(message) != "assistant" or message.get("stopReason") in ("error", "aborted"):
        return None
    usage = message.get("usage")
    if not isinstance(usage, dict) or (not rules.zero_usage_is_usage and context_size(usage) <= 0):
        return None
    return usage


def last_usage(path: Sequence[JsonObject], rules: Rules = BRANCHWORK) -> JsonObject | None:
    """Return the last valid usage on a path of entries, or None."""
    usages = (valid_usage(message_of(entry), rules) for entry in interruptibly(reversed(path)))
    return next((usage for usage in usages if usage is not None), None)


@dataclass(frozen=True, slots=True)
class ContextEstimate:
    """The size of a context in tokens: what the last usage measured plus the estimates of the messages after it."""

    tokens: float
    usage_tokens: float = 0
    trailing_tokens: float = 0
    last_usage_index: int | None = None  # index of the message with the usage; None: everything is estimated


def estimate_messages(messages: Sequence[JsonObject], rules: Rules = BRANCHWORK) -> ContextEstimate:
    """Return the size of a list of messages, counted from the newest valid usage on."""
    for index in newest_first(messages):
        usage = valid_usage(messages[index], rules)
        if usage is not None:
            return _measured(context_size(usage), messages, index, rules)
    return _estimated(messages, rules)


def estimate_context(
    path: Sequence[JsonObject], projection: Sequence[ProjectedEntry], rules: Rules = BRANCHWORK
) -> ContextEstimate:
    """Return the size of the context at the end of a path (CP-4.3). O(path).

    A usage counts only when its entry lies after the latest compaction and the latest context edit of the path.
    Otherwise all messages are estimated, of several system messages only the prompt that they amount to. The projection
    is made of the entries of `path` themselves: equal ones that were read again are not recognised.
    """
    messages = projected_messages(projection)
    estimate = estimate_messages(messages, rules)
    if estimate.last_usage_index is not None:
        sources = [item.entry for item in interruptibly(projection) for _ in item.messages]
        measured = sources[estimate.last_usage_index]
        latest = next(
            (entry for entry in interruptibly(reversed(path)) if entry is measured or _invalidates_usage(entry)), None
        )
        if latest is measured:
            return estimate
    system = current_system_message(messages)
    others = [message for message in interruptibly(messages) if role_of(message) != "system"]
    return _estimated(others if system is None else [system, *others], rules)


@dataclass(frozen=True, slots=True)
class ContextFigures:
    """The size of one context in tokens, by measures that are told apart.

    `estimated`: all of its messages by the agents' estimate. `recorded`: what the provider measured for the latest
    answer since the last compaction or context edit, None without one. `counted`: what the agents go by, that and the
    estimates of what follows it.
    """

    estimated: int
    recorded: int | None
    counted: int


def context_figures(
    path: Sequence[JsonObject], projection: Sequence[ProjectedEntry], rules: Rules = BRANCHWORK
) -> ContextFigures:
    """Return the sizes of the context at the end of a path. O(path)."""
    estimate = estimate_context(path, projection, rules)
    return ContextFigures(
        estimated=estimate_all(projected_messages(projection), rules),
        recorded=None if estimate.last_usage_index is None else int(estimate.usage_tokens),
        counted=int(estimate.tokens),
    )


@dataclass(frozen=True, slots=True)
class ContextUsage:
    """What a status line shows: tokens and percent of the window, or None while the size is unknown (CB-11)."""

    tokens: float | None
    context_window: float
    percent: float | None


def context_usage(
    path: Sequence[JsonObject],
    projection: Sequence[ProjectedEntry],
    context_window: float,
    rules: Rules = BRANCHWORK,
) -> ContextUsage | None:
    """Return the usage to show for the context at the end of a path, None without a context window (CB-11). O(path).

    After a compaction the size is unknown until an answer with valid usage exists: older usage measures what is gone.
    """
    if context_window <= 0:
        return None
    compaction = latest_compaction(path)
    if compaction is not None and not _answered(path[compaction + 1 :], rules):
        return ContextUsage(None, context_window, None)
    if rules.status_from_last_answer:
        estimate = _from_last_answer(projected_messages(projection), rules)
    else:
        estimate = estimate_messages(projected_messages(projection), rules)
    return ContextUsage(
        estimate.tokens, context_window, estimate.tokens / context_window * 100 if context_window else None
    )


_MEASURED_FIELDS: Final = {
    "bashExecution": ("command", "output"),
    "pythonExecution": ("code", "output"),
    "branchSummary": ("summary",),
    "compactionSummary": ("summary",),
}
_COUNTERS: Final = ("input", "output", "cacheRead", "cacheWrite")


def _count(usage: Any, name: str) -> float:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) and value == value else 0


def _answered(entries: Sequence[JsonObject], rules: Rules) -> bool:
    """Whether an answer among the entries measures its context; with `zero_usage_is_usage` the last answer decides."""
    usage = last_usage(entries, rules)
    return usage is not None and context_size(usage) > 0


def _from_last_answer(messages: Sequence[JsonObject], rules: Rules) -> ContextEstimate:
    for index in newest_first(messages):
        usage = messages[index].get("usage")
        if role_of(messages[index]) == "assistant" and isinstance(usage, dict):
            return _measured(prompt_size(usage), messages, index, rules)
    return _estimated(messages, rules)


def _measured(usage_tokens: float, messages: Sequence[JsonObject], index: int, rules: Rules) -> ContextEstimate:
    trailing = estimate_all(messages[index + 1 :], rules)
    return ContextEstimate(usage_tokens + trailing, usage_tokens, trailing, index)


def _estimated(messages: Iterable[JsonObject], rules: Rules) -> ContextEstimate:
    tokens = estimate_all(messages, rules)
    return ContextEstimate(tokens, trailing_tokens=tokens)


def _invalidates_usage(entry: JsonObject) -> bool:
    """Whether an entry changes the context so that earlier measurements no longer hold."""
    return entry_type(entry) in ("compaction", "context_edit")


def _answer_block_texts(block: JsonObject) -> list[str]:
    kind = block.get("type")
    if kind == "text" or kind == "thinking":
        return [text_field(block, kind)]
    if kind == "toolCall":
        return [text_field(block, "name"), stringify(block.get("arguments", {}))]
    return []


def _prompt_texts(message: JsonObject) -> list[str]:
    texts = block_texts(message.get("content"))
    sections = message.get("sections")
    if isinstance(sections, dict):
        texts += [text_field(sections, name) for name in sections]
    if message.get("toolsAdded") is not None:
        texts.append(stringify(message["toolsAdded"]))
    return texts
