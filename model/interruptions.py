"""Long computations look now and then whether to stop, or whether others go first, without knowing who asks.

Whoever runs one says with `interruptible` what is called; loops over the entries of a path, or its messages, go through
`interruptibly`. Without that they would hold up a person who stops them, and the window, for half a second.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeVar

T = TypeVar("T")

LOOKS_EVERY: Final = 32
"""Items: what is done with so many takes well below a millisecond."""

_check: ContextVar[Callable[[], None] | None] = ContextVar("check", default=None)


@contextmanager
def interruptible(check: Callable[[], None]) -> Iterator[None]:
    """Have `check` called now and then by what is computed inside; it may raise to stop, or wait.

    Holds for this thread, and for the tasks and threads that asyncio starts inside.
    """
    before = _check.set(check)
    try:
        yield
    finally:
        _check.reset(before)


def interruptibly(items: Iterable[T], each: int = LOOKS_EVERY) -> Iterator[T]:
    """Go through `items`, and call what `interruptible` was given before the first, and then once in `each` of them."""
    check = _check.get()
    return iter(items) if check is None else _looking(items, each, check)


def _looking(items: Iterable[T], each: int, check: Callable[[], None]) -> Iterator[T]:
    for place, item in enumerate(items):
        if not place % each:
            check()
        yield item


def newest_first(items: Sequence[object]) -> Iterator[int]:
    """Go through the places of a sequence from its last to its first, as `interruptibly` does."""
    return interruptibly(range(len(items) - 1, -1, -1))
