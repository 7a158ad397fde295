"""Usage records (SF-5.3): reading their numbers tolerantly, and adding records up."""

import math
from collections.abc import Iterable
from typing import Any, Final

from model.json_text import JsonObject
from model.rules import BRANCHWORK, Rules

COUNTERS: Final = ("input", "output", "cacheRead", "cacheWrite", "totalTokens")
COST_PARTS: Final = ("input", "output", "cacheRead", "cacheWrite", "total")
OPTIONAL_COUNTERS: Final = ("cacheWrite1h", "reasoning", "premiumRequests")


def usage_number(usage: Any, name: str) -> int | float:
    """Return one number of a usage record or of its `cost`; what is missing or no finite number reads as 0."""
    value = usage.get(name) if isinstance(usage, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not is_finite(value):
        return 0
    return value


def is_finite(value: int | float) -> bool:
    """Return whether a number is within the range of a double: a session file may hold integers of any length."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def add_usages(usages: Iterable[JsonObject | None], rules: Rules = BRANCHWORK) -> JsonObject | None:
    """Return the sum of several usage records (CP-14), or None without any; a single record is returned as it is.

    The sum has the five counters and the five parts of the cost; optional counters appear when a record has them.
    """
    records = [usage for usage in usages if isinstance(usage, dict)]
    if len(records) <= 1:
        return records[0] if records else None
    total: JsonObject = {name: _total(records, name) for name in COUNTERS}
    for name in OPTIONAL_COUNTERS:
        if any(name in record for record in records):
            total[name] = _total(records, name)
    costs = [record.get("cost") for record in records]
    total["cost"] = {name: _total(costs, name) for name in COST_PARTS}
    if rules.usage_sum_names_cost_source:
        named = [isinstance(cost, dict) and cost.get("totalFromProvider") is True for cost in costs]
        total["cost"]["totalFromProvider"] = all(named)
    return total


def _total(records: Iterable[Any], name: str) -> int | float:
    return sum(usage_number(record, name) for record in records)
