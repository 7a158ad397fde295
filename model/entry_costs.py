"""What an entry cost, as the agent recorded it: read from the bytes of its line, decoding only what counts.

Source: session-format spec, SF-5.3, SF-12.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from model.json_text import JsonObject
from model.session_totals import usages_of
from model.usage import usage_number

COST_FIELD: Final = b'"cost"'
"""A line without it has no cost, unless it spells names in an unusual way."""


def entry_cost(entry: JsonObject) -> float | None:
    """Return the recorded cost of an entry in the currency of its record, None when none is recorded."""
    costs = [usage["cost"] for usage in usages_of(entry) if isinstance(usage.get("cost"), dict)]
    return sum(usage_number(cost, "total") for cost in costs) if costs else None


def line_cost(line: bytes) -> float | None:
    """Return the recorded cost of a line that is usual enough, 0 for none. None: ask `entry_cost`."""
    if COST_FIELD not in line:
        return 0.0
    try:
        entry = _decode(line)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None
    message = entry.message
    if message is None:
        usage = entry.usage if entry.type in _PRICED_TYPES else None
    elif message.role == "toolResult":
        return None
    else:
        usage = message.usage if message.role == "assistant" else None
    cost = usage.get("cost") if isinstance(usage, dict) else None
    return float(usage_number(cost, "total"))


class _Message(msgspec.Struct, gc=False):
    role: str
    usage: Any = None


class _Entry(msgspec.Struct, gc=False):
    type: str
    message: _Message | None = None
    usage: Any = None


_decode = msgspec.json.Decoder(_Entry).decode
_PRICED_TYPES: Final = ("usage", "model_usage", "compaction", "branch_summary")
