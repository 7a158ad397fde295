"""Entries that look whether to stop while they are gone through."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from model.json_text import JsonObject

LOOKS_EVERY: Final = 32
"""Entries: what is done with so many takes well below a millisecond."""


class WatchedEntries(list[JsonObject]):
    """A list that calls `check` now and then while it is iterated, which may raise to stop, or wait.

    What is worked out from a long path goes through it many times, in functions that know of no other work and of no
    window: without this they would hold both up for half a second.
    """

    def __init__(self, entries: Iterable[JsonObject], check: Callable[[], None]) -> None:
        super().__init__(entries)
        self._check = check

    def __iter__(self) -> Iterator[JsonObject]:
        for place, entry in enumerate(super().__iter__()):
            if not place % LOOKS_EVERY:
                self._check()
            yield entry
