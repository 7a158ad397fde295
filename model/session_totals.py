"""What a session cost altogether: usage of answers, tools and summaries, abandoned branches included (SF-12)."""

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from model.entries import entry_type, message_of
from model.json_text import JsonObject
from model.messages import role_of
from model.replies import NO_REPLY, counted_once, reply_key
from model.usage import usage_number


@dataclass(frozen=True, slots=True)
class SessionTotals:
    """Sums over entries: tokens, the price as the agent noted it, and the number of usage records that count."""

    input: float = 0
    output: float = 0
    cache_read: float = 0
    cache_write: float = 0
    tokens: float = 0
    cost: float = 0
    records: int = 0


class UsageTally:
    """Adds up usage entry by entry. A reply that several records hold counts once; those take 64 bytes each."""

    def __init__(self) -> None:
        self._sums = _NOTHING
        self._replies = array("q")
        self._numbers = array("d")  # of the records of replies, one line each
        self._left_out: set[int] = set()

    def leave_out(self, entry: JsonObject) -> None:
        """Count the reply that `entry` is a record of nowhere: it counts elsewhere."""
        if (reply := reply_key(entry)) != NO_REPLY:
            self._left_out.add(reply)

    def add(self, entry: JsonObject) -> None:
        """Add what an entry used."""
        numbers = _usage_numbers(entry)
        if numbers is _NOTHING:
            return
        reply = reply_key(entry)
        if reply == NO_REPLY:
            self._sums = _added(self._sums, numbers)
        elif reply not in self._left_out:
            self._replies.append(reply)
            self._numbers.extend(numbers)

    @property
    def totals(self) -> SessionTotals:
        """The sums so far. O(records of replies)."""
        sums = self._sums
        if self._replies:
            import numpy as np  # the library's reader has no use for it

            lines = np.array(self._numbers).reshape(-1, len(_NOTHING))
            sums = _added(sums, counted_once(lines, np.array(self._replies)).sum(axis=0).tolist())
        return _as_totals(sums)


def session_totals(entries: Iterable[JsonObject]) -> SessionTotals:
    """Return the totals of a session. O(entries)."""
    tally = UsageTally()
    for entry in entries:
        tally.add(entry)
    return tally.totals


def entry_totals(entry: JsonObject) -> SessionTotals:
    """Return what one entry records as used, whether another one records the same reply or not."""
    return _as_totals(_usage_numbers(entry))


_Numbers = tuple[float, ...]  # as the fields of SessionTotals
_NOTHING: _Numbers = (0, 0, 0, 0, 0, 0, 0)


def _usage_numbers(entry: JsonObject) -> _Numbers:
    numbers = _NOTHING
    for usage in usages_of(entry):
        counters = [float(usage_number(usage, name)) for name in ("input", "output", "cacheRead", "cacheWrite")]
        tokens = float(usage_number(usage, "totalTokens")) or sum(counters)
        numbers = _added(numbers, (*counters, tokens, float(usage_number(usage.get("cost"), "total")), 1))
    return numbers


def _as_totals(numbers: _Numbers) -> SessionTotals:
    input_, output, cache_read, cache_write, tokens, cost, records = numbers
    return SessionTotals(input_, output, cache_read, cache_write, tokens, cost, int(records))


def _added(one: Iterable[float], other: Iterable[float]) -> _Numbers:
    return tuple(first + second for first, second in zip(one, other, strict=True))


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
