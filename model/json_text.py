"""JSON as the agents read and write it: `JSON.parse` and `JSON.stringify` in Python values.

Python's own `json` differs in details that decide sizes and bytes: it writes `1.0`, `1e-07` and `NaN`, keeps the
order of index-like keys and refuses long integers. Lengths that decide anything count UTF-16 code units. Source:
session format, SF-9 and SF-11.2; JavaScript's rules for numbers, strings and property order.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from json.encoder import encode_basestring
from typing import Any, Final

JsonObject = dict[str, Any]

# From here on a double no longer holds every integer, and JavaScript prints the double.
MAX_SAFE_INTEGER: Final = 2**53
MAX_ARRAY_INDEX: Final = 2**32 - 2
_EXPONENT_FROM: Final = 21  # decimal places before the point; from here on numbers print with an exponent
_INDEX_KEY = re.compile(r"(?:0|[1-9][0-9]{0,9})\Z", re.ASCII)
_SURROGATE = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")


def _reject_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _integer(digits: str) -> int | float:
    """An integer of any length; beyond Python's limit of 4300 digits the double that JavaScript would hold."""
    try:
        return int(digits)
    except ValueError:
        return float(digits)


_DECODER = json.JSONDecoder(parse_constant=_reject_constant)
_LONG_INTEGER_DECODER = json.JSONDecoder(parse_constant=_reject_constant, parse_int=_integer)


def parse(text: bytes | str) -> Any:
    """Return the value of one JSON text.

    Bytes are read as UTF-8 with U+FFFD in place of invalid sequences. A repeated key keeps its first place and its
    last value; lone surrogates stay; numbers beyond a double's range are infinite. Raises ValueError when the text is
    no JSON or is nested too deeply to be read.
    """
    try:
        return _fast_decoder()(text)  # what it takes at all, it takes for the same
    except (ValueError, RecursionError):
        return _parse_tolerantly(text)


@cache
def _fast_decoder() -> Callable[[bytes | str], Any]:
    import msgspec  # takes its time: not before a session is read

    return msgspec.json.Decoder().decode


def _parse_tolerantly(text: bytes | str) -> Any:
    if not isinstance(text, str):
        text = text.decode("utf-8", "replace")
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError:  # an integer of more than 4300 digits, or a constant such as NaN
        return _LONG_INTEGER_DECODER.decode(text)


@dataclass(frozen=True, slots=True)
class NumberLiteral:
    """A number of a JSON text as it's written there. Only for texts that are written anew: nothing counts with it."""

    text: str


_LITERAL_DECODER: Final = json.JSONDecoder(
    strict=False, parse_int=NumberLiteral, parse_float=NumberLiteral, parse_constant=lambda _name: None
)
_MOST_OBJECTS: Final = 200  # that are looked for in a damaged text


def with_literals(value: Any, original: bytes | str) -> Any:
    """Return `value` with each number as it's written in `original`, where both have the same number at the same place.

    `original` is the line that `value` was read from, before some of it was changed; it may be damaged and hold several
    records. The result is for `stringify` alone.
    """
    if not isinstance(original, str):
        original = original.decode("utf-8", "replace")
    written = _written(value, original.removeprefix("\ufeff").strip())
    return value if written is None else _grafted(value, written)


def rewritten(value: Any, original: bytes | str) -> str:
    """Return the JSON text of a value that was read from `original` and changed; see `with_literals`.

    Numbers that stayed are written as they were, and the members of objects keep their order.
    """
    return stringify(with_literals(value, original), keeps_order=True)


def _written(value: Any, text: str) -> Any:
    """What `value` was read from, decoded with its numbers as they are written; None when it isn't there."""
    try:
        return _LITERAL_DECODER.decode(text)
    except (ValueError, RecursionError):
        pass
    found = [each for each in _objects_in(text) if _is_same_record(each, value)]
    return found[-1] if found else None


def _objects_in(text: str) -> Iterator[JsonObject]:
    """The objects in a text that is no JSON text, from the left to the right."""
    at = text.find('{"')
    for _ in range(_MOST_OBJECTS):
        if at < 0:
            return
        try:
            value, end = _LITERAL_DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield value
        at = text.find('{"', end)


def _is_same_record(written: JsonObject, value: Any) -> bool:
    """Whether an object is what a record was; one of version 1 has no id."""
    names = ("id",) if "id" in written else ("type", "timestamp")
    return isinstance(value, dict) and all(_is_same(value.get(name), written.get(name)) for name in names)


def _is_same(value: Any, written: Any) -> bool:
    if isinstance(written, NumberLiteral):
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and _double(value) == _double(written.text)
    return bool(value == written)


def _double(number: int | float | str) -> float:
    """The double that JavaScript holds for a number."""
    try:
        return float(number)
    except OverflowError:  # only an integer raises it
        return float("-inf") if str(number).startswith("-") else float("inf")


def _grafted(value: Any, written: Any) -> Any:
    """`value` with the numbers of `written`. Without recursion: what could be read may be nested deeply."""
    root: list[Any] = [None]
    pending: list[tuple[Any, Any, Any, Any]] = [(root, 0, value, written)]
    while pending:
        target, key, new, old = pending.pop()
        if isinstance(new, dict) and isinstance(old, dict):
            made: Any = dict.fromkeys(new)
            pending += [(made, name, item, old.get(name)) for name, item in new.items()]
        elif isinstance(new, list) and isinstance(old, list):
            made = list(new)
            pending += [(made, place, *pair) for place, pair in enumerate(zip(new, old, strict=False))]
        else:
            made = old if isinstance(old, NumberLiteral) and _is_same(new, old) else new
        target[key] = made
    return root[0]


def stringify(value: Any, *, keeps_order: bool = False) -> str:
    """Return the text that `JSON.stringify` gives for `value`: dicts, lists, tuples, strings, numbers, booleans, None.

    No blanks; non-ASCII characters as they are; lone surrogates as `\\udxxx`; numbers as JavaScript prints them
    (infinite ones as null), or as they are written where they are a `NumberLiteral`; keys that look like array indexes
    first, unless `keeps_order`. Depth is not limited. Raises TypeError for any other type and ValueError for a value
    that contains itself.
    """
    members_of = _members_in_place if keeps_order else _members
    parts: list[str] = []
    frames: list[Iterator[tuple[str, Any]]] = [iter([("", value)])]
    closers = [""]
    open_ids: list[int] = [0]
    open_set: set[int] = set()
    while frames:
        step = next(frames[-1], None)
        if step is None:
            frames.pop()
            parts.append(closers.pop())
            open_set.discard(open_ids.pop())
            continue
        prefix, item = step
        parts.append(prefix)
        if isinstance(item, dict):
            parts.append("{")
            closers.append("}")
            frames.append(members_of(item))
        elif isinstance(item, list | tuple):
            parts.append("[")
            closers.append("]")
            frames.append(_elements(item))
        else:
            parts.append(_scalar(item))
            continue
        if id(item) in open_set:
            raise ValueError("the value contains itself")
        open_set.add(id(item))
        open_ids.append(id(item))
    return "".join(parts)


def members(value: JsonObject) -> list[tuple[str, Any]]:
    """Return the members of an object in JavaScript's order: index-like keys ascending, then the others as they
    came."""
    indexes = [key for key in value if _INDEX_KEY.match(key) and int(key) <= MAX_ARRAY_INDEX]
    if not indexes:
        return list(value.items())
    indexes.sort(key=int)
    first = set(indexes)
    return [(key, value[key]) for key in indexes] + [item for item in value.items() if item[0] not in first]


def utf16_length(text: str) -> int:
    """Return the length of a text in UTF-16 code units."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf16_prefix(text: str, units: int, *, keep_pairs: bool = True) -> str:
    """Return the first `units` UTF-16 code units of a text.

    Where the border falls inside a surrogate pair, `keep_pairs` leaves the pair out; otherwise its first half stays.
    """
    units = max(units, 0)
    head = text[: units + 1]
    if head.isascii():
        return head[:units]
    encoded = head.encode("utf-16-le", "surrogatepass")
    end = 2 * units
    if keep_pairs and end and _is_high(encoded[end - 2 : end]) and _is_low(encoded[end : end + 2]):
        end -= 2
    return encoded[:end].decode("utf-16-le", "surrogatepass")


def _is_high(unit: bytes) -> bool:
    return len(unit) == 2 and 0xD8 <= unit[1] <= 0xDB


def _is_low(unit: bytes) -> bool:
    return len(unit) == 2 and 0xDC <= unit[1] <= 0xDF


def _members(value: JsonObject) -> Iterator[tuple[str, Any]]:
    separator = ""
    for key, item in members(value):
        yield f"{separator}{_string(key)}:", item
        separator = ","


def _members_in_place(value: JsonObject) -> Iterator[tuple[str, Any]]:
    separator = ""
    for key, item in value.items():
        yield f"{separator}{_string(key)}:", item
        separator = ","


def _elements(value: list[Any] | tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    separator = ""
    for item in value:
        yield separator, item
        separator = ","


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return _string(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return number_text(value)
    if isinstance(value, NumberLiteral):
        return value.text
    raise TypeError(f"{type(value).__name__} is not JSON")


def _string(text: str) -> str:
    quoted = encode_basestring(text)
    if text.isascii():
        return quoted
    return _SURROGATE.sub(_join_or_escape, quoted)


def _join_or_escape(match: re.Match[str]) -> str:
    found = match[0]
    if len(found) == 2:
        return found.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    return f"\\u{ord(found):04x}"


def number_text(value: int | float) -> str:
    """Return a number as JavaScript prints it inside JSON: shortest digits that round-trip, null when not finite."""
    if isinstance(value, int):
        if -MAX_SAFE_INTEGER <= value <= MAX_SAFE_INTEGER:
            return str(value)
        try:
            value = float(value)
        except OverflowError:
            return "null"
    if value != value or value in (float("inf"), float("-inf")):
        return "null"
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    padded = whole + fraction
    digits = padded.lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(padded) - len(digits))  # places of the point behind the first digit
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= _EXPONENT_FROM:
        return f"{sign}{digits}{'0' * (point - count)}"
    if 0 < point <= _EXPONENT_FROM:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    rest = f".{digits[1:]}" if count > 1 else ""
    return f"{sign}{digits[0]}{rest}e{'+' if point > 0 else '-'}{abs(point - 1)}"
