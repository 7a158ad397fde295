"""The cut for every number of tokens to keep, after one pass over the path: what a slider asks for while it moves.

`search_cut` walks the window for one number; here sums and nearest places are laid out once, so that each question is
a bisection. Tests prove both equal. Source: compaction spec, CP-7 to CP-9 and CP-25.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from model.compaction import adapted_keep_recent, compaction_window, keep_recent_ratio
from model.context import build_session_projection
from model.cut_points import CutPoint, CutTraits, path_traits
from model.entries import entry_type
from model.interruptions import interruptibly
from model.json_text import JsonObject
from model.rules import BRANCHWORK, Rules
from model.settings import EffectiveCompactionSettings
from model.summarized_messages import path_messages

Places = NDArray[np.int64]
Obstacle = Literal["outside the window", "belongs to the message before", "no message"]


@dataclass(frozen=True, slots=True)
class GroupSize:
    """How much a group of a cut holds: entries of all kinds but compactions, their messages, and the estimated tokens.

    A `MessageGroup` of the preparation counts the same.
    """

    entries: int
    messages: int
    tokens: int


@dataclass(frozen=True, slots=True)
class PreviewedCut:
    """A cut and the sizes of the three groups that it makes of the window."""

    cut: CutPoint
    summarized: GroupSize
    turn_prefix: GroupSize
    kept: GroupSize


class CutPreview:
    """Cuts through the window `[start, end)` of one path.

    `traits` and `message_counts` have an item for each entry of the path; a count of None stands for a compaction,
    which counts in no group. `ratio` is the provider's tokens for each estimated one (CP-6).
    """

    def __init__(
        self,
        traits: Sequence[CutTraits],
        message_counts: Sequence[int | None],
        start: int,
        end: int,
        ratio: float = 1.0,
        rules: Rules = BRANCHWORK,
    ) -> None:
        self.start, self.end = start, end
        self._ratio = ratio
        self._rules = rules
        values = (value for item in interruptibly(traits) for value in item)  # `np.array` takes ten times as long
        width = len(CutTraits._fields)
        columns = np.fromiter(values, np.int64, len(traits) * width).reshape(-1, width)
        is_cut_point, is_turn_start, is_clean, stops, is_weighed, tokens = columns.T
        window = slice(start, end)
        self._cut_points: Places = np.flatnonzero(is_cut_point[window]) + start
        self._is_clean = is_clean
        # The weighed places from the newest to the oldest, and the tokens from each of them to the window's end.
        self._weighed: Places = (np.flatnonzero(is_weighed[window]) + start)[::-1]
        self._from_end = np.cumsum(tokens[self._weighed])
        self._turn_start = _nearest_before(is_turn_start, start, end)
        self._stop = _nearest_before(stops, start, end)
        is_counted = np.array([count is not None for count in message_counts], np.bool_)
        messages = np.array([count or 0 for count in message_counts], np.int64)
        self._has_message = messages > 0
        self._entries = _sums_before(is_counted.astype(np.int64))
        self._messages = _sums_before(messages)
        self._tokens = _sums_before(np.where(is_counted, tokens, 0))

    @classmethod
    def of(
        cls, path: Sequence[JsonObject], settings: EffectiveCompactionSettings, rules: Rules = BRANCHWORK
    ) -> Self | None:
        """Return the cuts through the active path `path`, None when its last entry is a compaction (CP-10). O(path)."""
        if path and entry_type(path[-1]) == "compaction":
            return None
        messages = path_messages(path, build_session_projection(path, rules), rules)
        traits = path_traits(path, messages, rules)
        counts = [
            None if entry_type(entry) == "compaction" else len(given)
            for entry, given in zip(interruptibly(path), messages, strict=True)
        ]
        window = compaction_window(path, settings.boundary, rules)
        ratio = keep_recent_ratio(path, traits, window, settings, rules)
        return cls(traits, counts, window.start_index, len(path), ratio, rules)

    @property
    def window_tokens(self) -> int:
        """The estimated tokens of the whole window."""
        return self._size(self.start, self.end).tokens

    def at(self, keep_recent_tokens: int) -> PreviewedCut | None:
        """Return the cut that keeps about `keep_recent_tokens`, None when nothing is left to summarise. O(log n)."""
        cut = self._cut(adapted_keep_recent(keep_recent_tokens, self._ratio))
        if cut.cut_index is None or not self._size(self.start, cut.first_kept_index).messages:
            return None
        return PreviewedCut(
            cut,
            summarized=self._size(self.start, cut.history_end_index),
            turn_prefix=self._size(cut.history_end_index, cut.first_kept_index),
            kept=self._size(cut.first_kept_index, self.end),
        )

    def keep_tokens_for(self, place: int) -> int | None:
        """Return a number of tokens to keep that cuts at `place` of the path, or else at the next cut point behind it.

        None when that would leave nothing to summarise. O(log window).
        """
        if not len(self._cut_points):
            return None
        following = int(np.searchsorted(self._cut_points, place))
        cut_index = int(self._cut_points[min(following, len(self._cut_points) - 1)])
        # The budget is reached at the first weighed entry from the cut point on, so that the cut falls there.
        weighed_behind = int(np.searchsorted(-self._weighed, -cut_index, side="right"))
        if not weighed_behind:
            return None
        keep = max(1, math.ceil(int(self._from_end[weighed_behind - 1]) * self._ratio))
        found = self.at(keep)
        return keep if found is not None and found.cut.cut_index == cut_index else None

    def obstacle(self, place: int) -> Obstacle | None:
        """Return why `place` of the path is no cut point, None when it is one."""
        if not self.start <= place < self.end:
            return "outside the window"
        if place in self._cut_points:
            return None
        return "belongs to the message before" if self._has_message[place] else "no message"

    def _cut(self, keep_recent_tokens: int) -> CutPoint:
        if not len(self._cut_points):
            return CutPoint(None, self.start)
        at = int(np.searchsorted(self._from_end, keep_recent_tokens))
        if at == len(self._weighed):
            cut_index = int(self._cut_points[0])
        else:
            following = int(np.searchsorted(self._cut_points, self._weighed[at]))
            fallback = -1 if self._rules.fallback_last_cut_point else 0
            cut_index = int(self._cut_points[following if following < len(self._cut_points) else fallback])
        first_kept = int(self._stop[cut_index - self.start]) + 1
        checked = first_kept if self._rules.split_check_after_pull_in else cut_index
        turn_start = None
        if not self._is_clean[checked] and (found := int(self._turn_start[checked + 1 - self.start])) >= self.start:
            turn_start = found
        return CutPoint(cut_index, first_kept, turn_start)

    def _size(self, start: int, end: int) -> GroupSize:
        entries, messages, tokens = (
            int(sums[end] - sums[start]) for sums in (self._entries, self._messages, self._tokens)
        )
        return GroupSize(entries, messages, tokens)


def _sums_before(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sum of the values before each place, and of all of them at the end."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(values)))


def _nearest_before(marks: NDArray[np.int64], start: int, end: int) -> Places:
    """For each place from `start` to `end` the nearest marked place of the window before it, else `start - 1`."""
    places = np.where(marks[start:end] != 0, np.arange(start, end), start - 1)
    return np.maximum.accumulate(np.concatenate(([start - 1], places)))
