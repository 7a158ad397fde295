"""Where a window of the path is cut: cut points, metadata pull-in, turn starts and split turns (CP-7, CP-8, CP-9).

`cut_traits` says how one entry takes part; the search works on these traits alone, so that a preview which keeps them
in columns comes to the same result.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from model.context import entry_message
from model.entries import entry_id, entry_type, message_of
from model.interruptions import interruptibly
from model.json_text import JsonObject
from model.messages import role_of, text_field
from model.rules import BRANCHWORK, Rules
from model.token_estimates import estimate_tokens

Messages = Sequence[JsonObject]

_EXTENSION_TYPES: Final = frozenset({"custom_message", "branch_summary"})
_STORED_CONTEXT_ROLES: Final = frozenset({"custom", "hookMessage", "branchSummary", "compactionSummary"})
_CUT_POINT_ROLES: Final = frozenset({"user", "assistant", "bashExecution"}) | _STORED_CONTEXT_ROLES


class CutTraits(NamedTuple):
    """How one entry takes part in the search for a cut."""

    is_cut_point: bool  # it may be the first entry kept
    is_turn_start: bool  # a turn starts here
    is_clean_cut: bool  # a cut here splits no turn
    stops_pull_in: bool  # metadata in front of a cut is pulled in up to here, not beyond
    is_weighed: bool  # the walk adds its tokens and may stop at it
    tokens: int  # the estimate of its messages


@dataclass(frozen=True, slots=True)
class CutPoint:
    """A cut through a path; all indexes count on the path.

    `cut_index` is the first context-producing entry kept, None when the window has no cut point. `first_kept_index` is
    the first entry kept after metadata pull-in (the window's start without a cut point). `turn_start_index` is where
    the split turn starts, None when no turn is split.
    """

    cut_index: int | None
    first_kept_index: int
    turn_start_index: int | None = None

    @property
    def is_split_turn(self) -> bool:
        return self.turn_start_index is not None

    @property
    def history_end_index(self) -> int:
        """The end (exclusive) of the entries that the history summary replaces."""
        return self.first_kept_index if self.turn_start_index is None else self.turn_start_index


def find_cut_point(
    path: Sequence[JsonObject],
    start_index: int,
    end_index: int,
    keep_recent_tokens: int,
    rules: Rules = BRANCHWORK,
    messages: Sequence[Messages] | None = None,
) -> CutPoint:
    """Return where the window `path[start_index:end_index]` is cut to keep about `keep_recent_tokens`. O(path).

    `messages` holds the messages that each entry of `path` contributes to the context; without it each entry counts
    with the message it stands for by itself. Source: CP-7 to CP-9.
    """
    if messages is None:
        messages = [own_messages(entry, rules) for entry in interruptibly(path)]
    traits = path_traits(path, messages, rules)
    attempts_start = omitted_attempts_start(path, messages, start_index, end_index, rules)
    return search_cut(traits, start_index, end_index, keep_recent_tokens, rules, attempts_start)


def own_messages(entry: JsonObject, rules: Rules = BRANCHWORK) -> Messages:
    """Return the messages that an entry stands for by itself, whatever surrounds it."""
    message = entry_message(entry, rules)
    return () if message is None else (message,)


def cut_traits(entry: JsonObject, messages: Messages, rules: Rules = BRANCHWORK) -> CutTraits:
    """Return how an entry takes part in the search, given the messages it contributes to the context (usually one)."""
    type_ = entry_type(entry)
    tokens = sum(estimate_tokens(message, rules) for message in messages)
    if type_ == "compaction":
        weight = tokens if rules.walk_weighs_compactions else 0
        return CutTraits(False, False, False, stops_pull_in=True, is_weighed=weight > 0, tokens=weight)
    role = role_of(messages[0]) if messages else None
    is_cut_point = _is_cut_point(type_, role, rules)
    is_turn_start = is_cut_point and _is_turn_start(type_, role, rules)
    return CutTraits(
        is_cut_point,
        is_turn_start,
        is_clean_cut=is_turn_start and _is_clean(role, rules),
        stops_pull_in=type_ == "message" if rules.pull_in_stops_only_at_message_type else bool(messages),
        is_weighed=_is_weighed(type_, messages, tokens, rules),
        tokens=tokens,
    )


def path_traits(path: Sequence[JsonObject], messages: Sequence[Messages], rules: Rules = BRANCHWORK) -> list[CutTraits]:
    """Return how each entry of a path takes part in the search, given the messages that each contributes. O(path)."""
    return [cut_traits(entry, given, rules) for entry, given in zip(interruptibly(path), messages, strict=True)]


def omitted_attempts_start(
    path: Sequence[JsonObject],
    messages: Sequence[Messages],
    start_index: int,
    end_index: int,
    rules: Rules = BRANCHWORK,
) -> int | None:
    """Return where a final run of attempts that context edits omit begins, their edits included; None without one.

    Only `Rules.recovery_suffix_summarized` asks for it; under other rules the answer is None.
    """
    if not rules.recovery_suffix_summarized:
        return None
    begin = end_index
    while begin > start_index and not messages[begin - 1]:
        begin -= 1
    suffix = path[begin:end_index]
    if not any(message_of(entry) is not None for entry in suffix):
        return None
    ids = {entry_id(entry) for entry in suffix}
    edits = [entry for entry in suffix if entry_type(entry) == "context_edit"]
    return begin if all(text_field(entry, "targetId") in ids for entry in edits) else None


def search_cut(
    traits: Sequence[CutTraits],
    start_index: int,
    end_index: int,
    keep_recent_tokens: int,
    rules: Rules = BRANCHWORK,
    attempts_start: int | None = None,
) -> CutPoint:
    """Return the cut through `traits[start_index:end_index]`, one item for each entry of the path. O(window).

    `attempts_start` is what `omitted_attempts_start` gives: an input right before it that fills the budget by itself is
    summarised, and only what follows is kept.
    """
    cut_points = [index for index in range(start_index, end_index) if traits[index].is_cut_point]
    if not cut_points:
        return CutPoint(None, start_index)
    reached = _budget_reached_at(traits, start_index, end_index, keep_recent_tokens)
    cut_index = _cut_at_or_after(cut_points, reached, rules)
    if attempts_start is not None and cut_index == reached == attempts_start - 1:
        cut_index = attempts_start
    first_kept = cut_index
    while first_kept > start_index and not traits[first_kept - 1].stops_pull_in:
        first_kept -= 1
    checked = first_kept if rules.split_check_after_pull_in else cut_index
    turn_start = None
    if not traits[checked].is_clean_cut:
        turn_start = next((i for i in range(checked, start_index - 1, -1) if traits[i].is_turn_start), None)
    return CutPoint(cut_index, first_kept, turn_start)


def _budget_reached_at(
    traits: Sequence[CutTraits], start_index: int, end_index: int, keep_recent_tokens: int
) -> int | None:
    """The newest entry from which on the window holds `keep_recent_tokens` or more, None when it holds less."""
    total = 0
    for index in range(end_index - 1, start_index - 1, -1):
        if traits[index].is_weighed:
            total += traits[index].tokens
            if total >= keep_recent_tokens:
                return index
    return None


def _cut_at_or_after(cut_points: Sequence[int], reached: int | None, rules: Rules) -> int:
    if reached is None:
        return cut_points[0]
    last = cut_points[-1] if rules.fallback_last_cut_point else cut_points[0]
    return next((index for index in cut_points if index >= reached), last)


def _is_cut_point(type_: str | None, role: str | None, rules: Rules) -> bool:
    if type_ in _EXTENSION_TYPES:
        return role is not None or rules.cut_by_entry_type
    if type_ != "message":
        return False
    if role == "custom":
        return rules.custom_role_is_cut_point
    if role == "hookMessage":
        return rules.hook_message_is_cut_point
    return role in _CUT_POINT_ROLES


def _is_turn_start(type_: str | None, role: str | None, rules: Rules) -> bool:
    """Whether a cut point starts a turn; of the cut points only an assistant message never does."""
    if type_ == "message" and role in _STORED_CONTEXT_ROLES:
        return rules.stored_context_roles_start_turns
    return role != "assistant"


def _is_clean(role: str | None, rules: Rules) -> bool:
    if role == "user":
        return True
    return rules.bash_cut_is_turn_start if role == "bashExecution" else rules.extension_cut_is_turn_start


def _is_weighed(type_: str | None, messages: Messages, tokens: int, rules: Rules) -> bool:
    if rules.walk_counts_only_message_type and type_ != "message":
        return False
    if rules.zero_token_entries_passed_over and not tokens:
        return False
    return bool(messages)
