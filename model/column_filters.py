"""The filters of the tree as masks over the column index; equal to `tree_filters.is_visible`, entry by entry.

Source: tree-navigation spec, TN-12.2.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, get_args

import numpy as np
from numpy.typing import NDArray

from model.entry_index import EntryIndex
from model.entry_kinds import KIND_OF_TYPE, Role, Trait
from model.tree_filters import METADATA_TYPES, USAGE_TYPES, FilterMode

FILTER_MODES: Final[tuple[FilterMode, ...]] = get_args(FilterMode)

_METADATA: Final = [KIND_OF_TYPE[name] for name in METADATA_TYPES]
_USAGE: Final = [KIND_OF_TYPE[name] for name in USAGE_TYPES]


def visible_rows(index: EntryIndex, mode: FilterMode, *, leaf: int, labeled: Collection[int]) -> NDArray[np.bool_]:
    """Return for each entry row whether filter `mode` shows it. A few vector operations.

    `leaf` is the entry row of the current leaf or -1, `labeled` holds the rows that carry a label. While an index is
    not measured, assistant entries count as having text.
    """
    if mode == "all":
        return np.ones(index.count, np.bool_)
    visible = np.asarray(~np.isin(index.kind, _USAGE), np.bool_)
    if index.measured:
        silent = (index.role == Role.ASSISTANT) & ((index.traits & (Trait.VISIBLE_TEXT | Trait.FAILED)) == 0)
        if leaf >= 0:
            silent[leaf] = False
        visible &= ~silent
    if mode == "user-only":
        visible &= index.role == Role.USER
        return visible
    if mode == "labeled-only":
        has_label = np.zeros(index.count, np.bool_)
        has_label[list(labeled)] = True
        visible &= has_label
        return visible
    visible &= ~np.isin(index.kind, _METADATA)
    if mode == "no-tools":
        visible &= index.role != Role.TOOL_RESULT
    return visible
