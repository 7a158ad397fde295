"""The filters of the tree as masks over the column index. Source: tree-navigation spec, TN-12.2."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from model.entry_index import EntryIndex
from model.entry_kinds import Kind, Role, Trait

FilterMode = Literal["default", "no-tools", "user-only", "labeled-only", "all"]
FILTER_MODES: tuple[FilterMode, ...] = ("default", "no-tools", "user-only", "labeled-only", "all")

_USAGE = (Kind.USAGE, Kind.MODEL_USAGE)
_HIDDEN_BY_DEFAULT = (
    Kind.LABEL,
    Kind.CUSTOM,
    Kind.MODEL_CHANGE,
    Kind.THINKING_LEVEL_CHANGE,
    Kind.SESSION_INFO,
    Kind.CONTEXT_EDIT,
    Kind.SERVICE_TIER_CHANGE,
    Kind.TTSR_INJECTION,
    Kind.MCP_TOOL_SELECTION,
    Kind.SESSION_INIT,
    Kind.MODE_CHANGE,
    Kind.TITLE_CHANGE,
    Kind.CREDENTIAL_PIN,
    Kind.RESET_BOUNDARY,
)


def visible_rows(index: EntryIndex, mode: FilterMode, *, leaf: int, labeled: Collection[int]) -> NDArray[np.bool_]:
    """Return for each entry row whether filter `mode` shows it. A few vector operations.

    `leaf` is the entry row of the current leaf or -1, `labeled` holds the rows that carry a label. While an index is
    not measured, assistant entries count as having text.
    """
    if mode == "all":
        return np.ones(index.count, np.bool_)
    visible = ~np.isin(index.kind, _USAGE)
    if index.measured:
        silent = (index.role == Role.ASSISTANT) & ((index.traits & (Trait.VISIBLE_TEXT | Trait.FAILED)) == 0)
        if leaf >= 0:
            silent[leaf] = False
        visible &= ~silent
    if mode == "user-only":
        return visible & (index.role == Role.USER)
    if mode == "labeled-only":
        has_label = np.zeros(index.count, np.bool_)
        has_label[list(labeled)] = True
        return visible & has_label
    visible &= ~np.isin(index.kind, _HIDDEN_BY_DEFAULT)
    if mode == "no-tools":
        visible &= index.role != Role.TOOL_RESULT
    return visible
