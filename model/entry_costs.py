"""What an entry cost, as the agent recorded it: read from the bytes of its line, decoding only what counts.

Source: session-format spec, SF-5.3, SF-12.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import msgspec

from model.json_text import JsonObject
from model.replies import NO_REPLY, key_of_reply
from model.session_totals import usages_of
from model.usage import usage_number

COST_FIELD: Final = b'"cost"'
"""A line without it has no cost, unless it spells names in an unusual way."""


def entry_cost(entry: JsonObject) -> float | None:
    """Return the recorded cost of an entry in the currency of its record, None when none is recorded."""
    costs = [usage["cost"] for usage in usages_of(entry) if isinstance(usage.get("cost"), dict)]
    return sum(usage_number(cost, "total") for cost in costs) if costs else None


class LineCost(NamedTuple):
    """What a line says it cost, 0 for nothing, and the key of the reply that it is a record of."""

    cost: float
    reply: int


def line_cost(line: bytes) -> LineCost | None:
    """Return the recorded cost of a line that is usual enough. None: ask `entry_cost` and `reply_key`."""
    if COST_FIELD not in line:
        return _FREE
    try:
        entry = _decode(line)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None
    message = entry.message
    if message is None:
        usage = entry.usage if entry.type in _PRICED_TYPES else None
        return LineCost(_total(usage), NO_REPLY)
    if message.role == "toolResult":
        return None
    if message.role != "assistant":
        return _FREE
    reply = key_of_reply(message.responseId or message.id, message.provider, message.model, message.usage)
    return LineCost(_total(message.usage), reply)


def _total(usage: Any) -> float:
    return float(usage_number(usage.get("cost") if isinstance(usage, dict) else None, "total"))


class _Message(msgspec.Struct, gc=False):
    role: str
    usage: Any = None
    responseId: Any = None
    id: Any = None
    provider: Any = None
    model: Any = None


class _Entry(msgspec.Struct, gc=False):
    type: str
    message: _Message | None = None
    usage: Any = None


_decode = msgspec.json.Decoder(_Entry).decode
_FREE: Final = LineCost(0.0, NO_REPLY)
_PRICED_TYPES: Final = ("usage", "model_usage", "compaction", "branch_summary")
