"""How large the context was along a path: the agents' estimate at each entry, and what answers recorded.

Source: compaction spec, CP-1, CP-2.3 and CP-4; context-building spec, CB-5.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.json_text import JsonObject
from model.messages import role_of
from model.rules import BRANCHWORK, Rules
from model.runs import Rows
from model.token_estimates import context_size, valid_usage

Tokens = NDArray[np.float64]
"""Sizes in tokens, NaN where they are not known."""


@dataclass(frozen=True, slots=True)
class CompactionMark:
    """A compaction: its place on the path, and the estimated context before and after it (None: not known)."""

    place: int
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class ContextTimeline:
    """The sizes along a path. `rows`, `estimated` and `recorded` have an item for each entry of it.

    `window` and `threshold` are those of `model`, None when they are not known.
    """

    rows: Rows
    estimated: Tokens
    recorded: Tokens
    compactions: tuple[CompactionMark, ...] = ()
    model: str = ""
    window: int | None = None
    threshold: float | None = None

    @property
    def largest(self) -> float:
        """The largest size that is known, 0 without any."""
        known = np.concatenate([self.estimated, self.recorded])
        known = known[~np.isnan(known)]
        return float(known.max()) if len(known) else 0.0

    @property
    def latest(self) -> float | None:
        """The estimate at the end of the path."""
        return _known(self.estimated[-1]) if len(self.estimated) else None


def recorded_size(message: JsonObject | None, rules: Rules = BRANCHWORK) -> float | None:
    """Return the context size that an answer recorded with its usage; None for all that measures nothing (CP-1)."""
    if message is None or role_of(message) != "assistant":
        return None
    usage = valid_usage(message, rules)
    return None if usage is None else context_size(usage)


def compaction_marks(estimated: Tokens, is_compaction: NDArray[np.bool_]) -> tuple[CompactionMark, ...]:
    """Return the compactions of a path with the sizes before and at them."""
    return tuple(
        CompactionMark(place, _known(estimated[place - 1]) if place else None, _known(estimated[place]))
        for place in np.flatnonzero(is_compaction).tolist()
    )


def envelope(values: Tokens, columns: int) -> tuple[NDArray[np.intp], Tokens, Tokens]:
    """Return the places where `columns` (or fewer) stretches of `values` begin, with the least and largest of each.

    A stretch without a known value has NaN. A chart that draws them misses no peak, however many values there are.
    """
    count = len(values)
    starts = np.unique(np.arange(min(columns, count)) * count // max(1, min(columns, count)))
    if not count:
        return starts, values, values
    low = np.fmin.reduceat(values, starts)
    high = np.fmax.reduceat(values, starts)
    return starts, low, high


def axis_steps(largest: float, most: int) -> list[float]:
    """Return round numbers from 0 to at least `largest`, at equal distances, about `most` of them at most."""
    if largest <= 0:
        return [0.0]
    rough = largest / max(1, most)
    size = 10.0 ** np.floor(np.log10(rough))
    step = float(next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= rough))
    return [float(step * number) for number in range(int(np.ceil(largest / step - 1e-9)) + 1)]


def _known(tokens: np.float64) -> float | None:
    return None if np.isnan(tokens) else float(tokens)
