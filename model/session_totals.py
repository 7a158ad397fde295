"""What a session cost altogether: usage of answers, tools and summaries, abandoned branches included (SF-12)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any

from model.entries import entry_type, message_of
from model.json_text import JsonObject
from model.messages import role_of
from model.usage import usage_number


@dataclass(frozen=True, slots=True)
class SessionTotals:
    """Sums over all entries of a file: tokens, the price as the agent noted it, and the number of usage records."""

    input: float = 0
    output: float = 0
    cache_read: float = 0
    cache_write: float = 0
    tokens: float = 0
    cost: float = 0
    records: int = 0

    def __add__(self, other: "SessionTotals") -> "SessionTotals":
        return SessionTotals(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))


def session_totals(entries: Iterable[JsonObject]) -> SessionTotals:
    """Return the totals of a session. O(entries)."""
    input_: float = 0
    output: float = 0
    cache_read: float = 0
    cache_write: float = 0
    tokens: float = 0
    cost: float = 0
    records = 0
    for usage in (usage for entry in entries for usage in usages_of(entry)):
        counters = [usage_number(usage, name) for name in ("input", "output", "cacheRead", "cacheWrite")]
        input_ += counters[0]
        output += counters[1]
        cache_read += counters[2]
        cache_write += counters[3]
        tokens += usage_number(usage, "totalTokens") or sum(counters)
        cost += usage_number(usage.get("cost"), "total")
        records += 1
    return SessionTotals(input_, output, cache_read, cache_write, tokens, cost, records)


def usages_of(entry: JsonObject) -> Iterator[JsonObject]:
    """Yield the usage records that count for an entry.

    Those of answers, of tool results (Pi), of the results of OMP's `task` tool, of `usage` and `model_usage` entries,
    and of compactions and branch summaries, whoever wrote them.
    """
    message = message_of(entry)
    found: list[Any] = []
    if message is None:
        if entry_type(entry) in ("usage", "model_usage", "compaction", "branch_summary"):
            found.append(entry.get("usage"))
    elif role_of(message) == "assistant":
        found.append(message.get("usage"))
    elif role_of(message) == "toolResult":
        found.append(message.get("usage"))
        details = message.get("details")
        if message.get("toolName") == "task" and isinstance(details, dict):
            found.append(details.get("usage"))
    yield from (usage for usage in found if isinstance(usage, dict))
