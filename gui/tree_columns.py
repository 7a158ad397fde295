"""The columns of the tree."""

from __future__ import annotations

from enum import IntEnum


class Column(IntEnum):
    """Columns, in the order in which they are shown."""

    ENTRY = 0
    TOKENS = 1
    CONTEXT = 2
    COST = 3
    TIME = 4


OPTIONAL = (Column.TOKENS, Column.CONTEXT, Column.COST, Column.TIME)
"""Those that may be hidden."""
