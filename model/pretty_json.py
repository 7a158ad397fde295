"""JSON laid out for reading: a member a line. Any depth; the indent stops growing where nobody reads it any more."""

from collections.abc import Iterator
from typing import Any, Final

from model.json_text import members, stringify

INDENT: Final = 2
DEEPEST_INDENT: Final = 40  # levels


def pretty_json(value: Any) -> str:
    """Return a JSON value as text, in the order of its members. Iterative and linear; numbers as JavaScript prints
    them, other characters as they are.
    """
    parts: list[str] = []
    pending: list[Iterator[tuple[str, Any]]] = [iter([("", value)])]
    closers = [""]
    while pending:
        step = next(pending[-1], None)
        if step is None:
            pending.pop()
            parts.append(closers.pop())
            continue
        prefix, item = step
        parts.append(prefix)
        if not isinstance(item, dict | list) or not item:
            parts.append(stringify(item))
            continue
        depth = len(pending)
        is_object = isinstance(item, dict)
        parts.append("{" if is_object else "[")
        closers.append(_line(depth - 1) + ("}" if is_object else "]"))
        pending.append(_members(item, depth) if isinstance(item, dict) else _elements(item, depth))
    return "".join(parts)


def _members(value: dict[str, Any], depth: int) -> Iterator[tuple[str, Any]]:
    separator = ""
    for key, item in members(value):
        yield f"{separator}{_line(depth)}{stringify(key)}: ", item
        separator = ","


def _elements(value: list[Any], depth: int) -> Iterator[tuple[str, Any]]:
    separator = ""
    for item in value:
        yield separator + _line(depth), item
        separator = ","


def _line(depth: int) -> str:
    return "\n" + " " * (INDENT * min(depth, DEEPEST_INDENT))
