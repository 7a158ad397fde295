"""Preparing a compaction: the window, the cut, the two groups to summarise and what is kept (CP-5, CP-6, CP-9 … CP-11).

Pure: the same path, settings and rules give the same preparation, which a preview shows as it is (CP-25).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, Literal, NamedTuple

from model.context import build_session_projection, context_start, kept_start_index, latest_compaction
from model.cut_points import CutPoint, CutTraits, omitted_attempts_start, path_traits, search_cut
from model.entries import entry_id, entry_type
from model.file_operations import FileOperations, operations_in_details, operations_in_messages
from model.interruptions import interruptibly
from model.json_text import JsonObject
from model.messages import text_field
from model.rules import BRANCHWORK, Rules
from model.sentences import Sentence
from model.settings import Boundary, EffectiveCompactionSettings
from model.summarized_messages import Messages, linked_path, path_messages
from model.token_estimates import context_size, estimate_context, last_usage, prompt_size
from model.usage import is_finite

NothingReason = Literal["already_compacted", "too_small"]

_NOTHING_TEXTS: Final[dict[NothingReason, Sentence]] = {
    "already_compacted": Sentence("This branch is already compacted."),
    "too_small": Sentence("There is nothing to compact: the session is too small."),
}


@dataclass(frozen=True, slots=True)
class MessageGroup:
    """A run of entries that a compaction treats alike.

    `entry_ids` are all entries of the run except compactions, metadata included. `messages` are what they contribute to
    the context, each with the id of its entry in `source_ids`. `tokens` is the sum of the estimates.
    """

    entry_ids: tuple[str | None, ...] = ()
    messages: tuple[JsonObject, ...] = ()
    source_ids: tuple[str | None, ...] = ()
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a path that one compaction considers: from `start_index` to the end.

    `previous_index` is the latest compaction in the context, None without one. `dropped_start_index` is where the
    entries begin that it keeps and this compaction would drop without summarising them, None when there are none.
    """

    start_index: int = 0
    previous_index: int | None = None
    dropped_start_index: int | None = None


@dataclass(frozen=True, slots=True)
class CompactionPreparation:
    """What a compaction of a path would do (CP-10). Ids name entries of the path; numbers are estimated tokens."""

    first_kept_entry_id: str
    summarize: MessageGroup
    turn_prefix: MessageGroup
    keep: MessageGroup
    is_split_turn: bool
    tokens_before: int
    previous_summary: str | None
    previous_preserve_data: JsonObject | None
    file_ops: FileOperations
    settings: EffectiveCompactionSettings
    window_start_id: str | None
    cut_point_id: str | None
    turn_start_id: str | None
    keep_recent_tokens: int  # adapted, CP-6
    unsummarized_dropped: MessageGroup

    @property
    def messages_to_summarize(self) -> tuple[JsonObject, ...]:
        return self.summarize.messages

    @property
    def turn_prefix_messages(self) -> tuple[JsonObject, ...]:
        return self.turn_prefix.messages

    @property
    def recent_messages(self) -> tuple[JsonObject, ...]:
        return self.keep.messages


@dataclass(frozen=True, slots=True)
class NothingToCompact:
    """Why nothing is done (CP-10), as far as a preview can show it."""

    reason: NothingReason
    tokens_before: int = 0
    window_start_id: str | None = None
    keep_recent_tokens: int = 0

    @property
    def text(self) -> str:
        """The reason as a sentence for the user."""
        return _NOTHING_TEXTS[self.reason]


class _Groups(NamedTuple):
    summarize: MessageGroup
    turn_prefix: MessageGroup
    keep: MessageGroup
    dropped: MessageGroup


def prepare_compaction(
    path: Sequence[JsonObject], settings: EffectiveCompactionSettings, rules: Rules = BRANCHWORK
) -> CompactionPreparation | NothingToCompact:
    """Return what a compaction of the active path (root to leaf) summarises and keeps, or why nothing is done.

    O(path). Nothing given is changed.
    """
    counted = linked_path(path, rules)
    projection = build_session_projection(counted, rules)
    if rules.tokens_before_from_last_usage:
        tokens_before = _whole(context_size(last_usage(path, rules)))
    else:
        tokens_before = _whole(estimate_context(counted, projection, rules).tokens)
    if path and entry_type(path[-1]) == "compaction":
        return NothingToCompact("already_compacted", tokens_before)
    messages = path_messages(path, projection, rules)
    traits = path_traits(path, messages, rules)
    window = compaction_window(path, settings.boundary, rules)
    ratio = keep_recent_ratio(path, traits, window, settings, rules)
    keep = adapted_keep_recent(settings.keep_recent_tokens, ratio)
    attempts_start = omitted_attempts_start(path, messages, window.start_index, len(path), rules)
    cut = search_cut(traits, window.start_index, len(path), keep, rules, attempts_start)
    groups = _groups(path, messages, traits, window, cut)
    first_kept_id = _id_at(path, cut.first_kept_index)
    if first_kept_id is None or not (groups.summarize.messages or groups.turn_prefix.messages):
        return NothingToCompact("too_small", tokens_before, _id_at(path, window.start_index), keep)
    previous = {} if window.previous_index is None else path[window.previous_index]
    preserved = previous.get("preserveData")
    return CompactionPreparation(
        first_kept_entry_id=first_kept_id,
        summarize=groups.summarize,
        turn_prefix=groups.turn_prefix,
        keep=groups.keep,
        unsummarized_dropped=groups.dropped,
        is_split_turn=cut.is_split_turn,
        tokens_before=tokens_before,
        previous_summary=text_field(previous, "summary") if previous else None,
        previous_preserve_data=preserved if isinstance(preserved, dict) else None,
        file_ops=_file_operations(path, previous, window, cut, groups, rules),
        settings=settings,
        window_start_id=_id_at(path, window.start_index),
        cut_point_id=_id_at(path, cut.cut_index),
        turn_start_id=_id_at(path, cut.turn_start_index),
        keep_recent_tokens=keep,
    )


def compaction_window(path: Sequence[JsonObject], boundary: Boundary, rules: Rules = BRANCHWORK) -> Window:
    """Return the window of a path (CP-5). O(path).

    It starts at the first entry; after the previous compaction with `sinceCompaction`; at what that one keeps with
    `sinceKept`, and after it when that cannot be found. What lies before a reset boundary never counts.
    """
    first = context_start(path) if rules.reset_boundary_applies else 0
    previous = latest_compaction(path)
    if previous is None or previous < first:
        return Window(first)
    kept = kept_start_index(path, previous)
    if kept is not None:
        kept = max(kept, first)
    if kept is None or boundary == "sinceCompaction":
        return Window(previous + 1, previous, kept)
    return Window(kept, previous)


def keep_recent_ratio(
    path: Sequence[JsonObject],
    traits: Sequence[CutTraits],
    window: Window,
    settings: EffectiveCompactionSettings,
    rules: Rules = BRANCHWORK,
) -> float:
    """Return how many tokens the provider counted for each one estimated, at least 1 (CP-6).

    The last usage after the previous compaction tells what the provider counted; `traits` hold the estimates. 1 as well
    when the settings do not ask for it, or nothing was measured.
    """
    if not settings.adapt_keep_recent:
        return 1
    measured_from = 0
    if not rules.stale_usage_allowed_in_ratio:
        measured_from = window.start_index if window.previous_index is None else window.previous_index + 1
    measured = prompt_size(last_usage(path[measured_from:], rules))
    estimated = sum(item.tokens for item in interruptibly(traits[window.start_index :]))
    return max(1, measured / estimated) if estimated and is_finite(measured) else 1


def adapted_keep_recent(keep_recent_tokens: int, ratio: float) -> int:
    """Return how many estimated tokens are kept so that the provider counts about `keep_recent_tokens` (CP-6)."""
    return max(1, math.floor(keep_recent_tokens / ratio)) if ratio > 1 else keep_recent_tokens


def _groups(
    path: Sequence[JsonObject],
    messages: Sequence[Messages],
    traits: Sequence[CutTraits],
    window: Window,
    cut: CutPoint,
) -> _Groups:
    def group(start: int, end: int) -> MessageGroup:
        rows = [row for row in interruptibly(range(start, end)) if entry_type(path[row]) != "compaction"]
        return MessageGroup(
            entry_ids=tuple(entry_id(path[row]) for row in interruptibly(rows)),
            messages=tuple(message for row in interruptibly(rows) for message in messages[row]),
            source_ids=tuple(entry_id(path[row]) for row in interruptibly(rows) for _ in messages[row]),
            tokens=sum(traits[row].tokens for row in interruptibly(rows)),
        )

    dropped_start, dropped_end = window.dropped_start_index, window.previous_index
    return _Groups(
        summarize=group(window.start_index, cut.history_end_index),
        turn_prefix=group(cut.history_end_index, cut.first_kept_index),
        keep=group(cut.first_kept_index, len(path)),
        dropped=MessageGroup() if dropped_start is None else group(dropped_start, dropped_end or 0),
    )


def _file_operations(
    path: Sequence[JsonObject], previous: JsonObject, window: Window, cut: CutPoint, groups: _Groups, rules: Rules
) -> FileOperations:
    """The files of the previous compaction and of everything that is summarised (CP-16)."""
    summarized = path[window.start_index : cut.first_kept_index] if rules.merge_branch_details else ()
    branches = (entry for entry in interruptibly(summarized) if entry_type(entry) == "branch_summary")
    details = (operations_in_details(entry, rules) for entry in chain([previous], branches))
    messages = chain(groups.summarize.messages, groups.turn_prefix.messages)
    return FileOperations.union(chain(details, [operations_in_messages(messages, rules)]))


def _id_at(path: Sequence[JsonObject], index: int | None) -> str | None:
    return None if index is None or index >= len(path) else entry_id(path[index])


def _whole(tokens: float) -> int:
    return int(tokens) if is_finite(tokens) else 0
