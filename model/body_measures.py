"""What the body of an entry weighs and shows: its token estimate and its traits.

`measure_entry` is the rule, over a decoded entry. `measure_records` gives the same from the bytes of many lines,
several times as fast: it decodes only the fields that count, into typed structures, and leaves every line in which one
of them has another type to the rule. It also checks what the header scan, which saw only the beginnings, said.
Source: compaction spec, CP-4.1; session-format spec, SF-5, SF-9; tree-navigation spec, TN-12.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from model.context import entry_message
from model.entries import entry_type
from model.entry_kinds import KIND_OF_TYPE, ROLE_OF_NAME, Role, Trait
from model.entry_records import INVALID_TIME, IdKeys, Keys, Records
from model.header_scan import TIME_LENGTH, clock_times
from model.json_text import MAX_SAFE_INTEGER, JsonObject, number_text, parse, utf16_length
from model.messages import block_texts, role_of, text_field, tool_calls
from model.record_heads import head_of
from model.timestamps import timestamp_ms
from model.token_estimates import IMAGE_UNITS, UNITS_PER_TOKEN, estimate_tokens

_FAILED: Final = ("error", "aborted")
_UNITS_OF_NO_ARGUMENTS: Final = 2  # "{}"
_LONG_INTEGER: Final = re.compile(rb"[0-9]{16}")  # may be printed otherwise in JavaScript
_LINES_AT_ONCE: Final = 256  # whose decoded lists are fewer than what makes the garbage collector stop everything
_LINES_A_CHECK: Final = 64  # which take less than a millisecond
_NO_ID: Final = "\0" * 8


class Measures(NamedTuple):
    """Estimate in tokens (0 when the entry produces no message) and traits of one entry."""

    estimate: int
    traits: Trait


def measure_entry(entry: JsonObject) -> Measures:
    """Return the measures of a decoded entry, whatever its fields hold."""
    if entry_type(entry) in ("compaction", "branch_summary"):
        traits = Trait.VISIBLE_TEXT if text_field(entry, "summary").strip() else Trait.EMPTY_SUMMARY
    else:
        traits = Trait.NONE
    message = entry_message(entry)
    if message is None:
        return Measures(0, traits)
    if any(text.strip() for text in block_texts(message.get("content"))):
        traits |= Trait.VISIBLE_TEXT
    if role_of(message) == "assistant":
        if message.get("stopReason") in _FAILED:
            traits |= Trait.FAILED
        if tool_calls(message):
            traits |= Trait.TOOL_CALLS
    return Measures(estimate_tokens(message), traits)


def measure_records(
    records: Records, lines: Sequence[bytes], ids: IdKeys, check: Callable[[], None] = lambda: None
) -> NDArray[np.int64]:
    """Fill `estimate` and `traits` of records from their lines. `check` is called every some milliseconds.

    Returns the numbers of the records whose line cannot be decoded as a whole or says something else of type, id,
    parent, time or role than the record; their measures are void.
    """
    doubtful: list[int] = []
    for first in range(0, len(lines), _LINES_AT_ONCE):
        doubtful += _measure_some(records, first, lines[first : first + _LINES_AT_ONCE], ids, check)
    return np.array(sorted(doubtful), np.int64)


def _measure_some(
    records: Records, first: int, lines: Sequence[bytes], ids: IdKeys, check: Callable[[], None]
) -> list[int]:
    numbers: list[int] = []
    entries: list[_Entry] = []
    weights: list[int] = []
    doubtful: list[int] = []
    for number, line in enumerate(lines, first):
        if number % _LINES_A_CHECK == 0:
            check()
        try:
            entry = _decode(line)
            weights.append(_weigh(entry))
        except _ODD_LINE:
            if not _measure_by_the_rule(records, number, line, ids):
                doubtful.append(number)
            continue
        numbers.append(number)
        entries.append(entry)
    if numbers:
        at = np.array(numbers, np.int64)
        units, traits = np.divmod(np.array(weights, np.int64), _TRAITS)
        records.estimate[at] = -(-units // UNITS_PER_TOKEN)
        records.traits[at] = traits
        doubtful += at[_differ(records, at, entries, ids)].tolist()
    return doubtful


def _measure_by_the_rule(records: Records, number: int, line: bytes, ids: IdKeys) -> bool:
    """Measure one record; false when its line doesn't bear it out."""
    try:
        entry = parse(line)
    except ValueError:
        return False
    head = head_of(entry)
    if head.entry_id is None:
        return False
    records.estimate[number], records.traits[number] = measure_entry(entry)
    return bool(
        records.kind[number] == head.kind
        and records.role[number] == head.role
        and records.time_ms[number] == head.time_ms
        and int(records.key[number]) == ids.key(head.entry_id)
        and int(records.parent_key[number]) == ids.key(head.parent_id or "")
    )


def _differ(records: Records, at: NDArray[np.int64], entries: list[_Entry], ids: IdKeys) -> NDArray[np.bool_]:
    """Return which of the records are otherwise than their decoded lines say."""
    kinds = [_KIND_CODES.get(entry.type, _UNKNOWN) for entry in entries]
    roles = [_ROLE_CODES.get(entry.message.role, _UNKNOWN) if entry.message else _NO_ROLE for entry in entries]
    different: NDArray[np.bool_] = records.kind[at] != np.array(kinds, np.uint8)
    different |= records.role[at] != np.array(roles, np.uint8)
    different |= records.time_ms[at] != _times([entry.timestamp for entry in entries])
    different |= records.key[at] != _keys([entry.id for entry in entries], ids)
    different |= records.parent_key[at] != _keys([entry.parentId or _NO_ID for entry in entries], ids)
    return different


def _keys(texts: list[str], ids: IdKeys) -> Keys:
    joined = "".join(texts)
    if joined.isascii() and set(map(len, texts)) == {len(_NO_ID)}:
        return np.frombuffer(joined.encode(), "<u8")
    return np.array([0 if text == _NO_ID else ids.key(text) for text in texts], np.uint64)


def _times(texts: list[str]) -> NDArray[np.int64]:
    joined = "".join(texts)
    if joined.isascii() and set(map(len, texts)) == {TIME_LENGTH}:
        times, good = clock_times(np.frombuffer(joined.encode(), np.uint8).reshape(-1, TIME_LENGTH))
        if good.all():
            return times
    exact = (timestamp_ms(text) for text in texts)
    return np.array([INVALID_TIME if time is None else time for time in exact], np.int64)


class _UnusualError(Exception):
    """A line that the typed structures do not cover."""


_ODD_LINE: Final = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, _UnusualError)


class _Text(msgspec.Struct, tag="text", gc=False):
    text: str = ""


class _Thinking(msgspec.Struct, tag="thinking", gc=False):
    thinking: str = ""


class _RedactedThinking(msgspec.Struct, tag="redactedThinking", gc=False):
    pass


class _Image(msgspec.Struct, tag="image", gc=False):
    pass


class _ToolCall(msgspec.Struct, tag="toolCall", gc=False):
    name: str = ""
    arguments: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


_Content = str | list[_Text | _Thinking | _RedactedThinking | _Image | _ToolCall] | None


class _Message(msgspec.Struct, gc=False):
    role: str
    content: _Content = None
    stopReason: str = ""
    command: str = ""
    output: str = ""


class _Entry(msgspec.Struct, gc=False):
    type: str
    id: str
    timestamp: str
    parentId: str | None = None
    message: _Message | None = None
    content: _Content = None
    summary: str = ""


def _printed_number(text: str) -> msgspec.Raw:
    return msgspec.Raw(number_text(float(text)).encode())


_decode = msgspec.json.Decoder(_Entry, float_hook=_printed_number).decode
_encode = msgspec.json.Encoder().encode
_KIND_CODES: Final = {name: int(kind) for name, kind in KIND_OF_TYPE.items()}
_ROLE_CODES: Final = {name: int(role) for name, role in ROLE_OF_NAME.items()}
_UNKNOWN: Final = 255
_NO_ROLE: Final = int(Role.NONE)
_TRAITS: Final = 256  # a weight is a number of UTF-16 units times this, plus traits: one small integer a line
_VISIBLE_TEXT: Final = int(Trait.VISIBLE_TEXT)
_TOOL_CALLS: Final = int(Trait.TOOL_CALLS)
_EMPTY_SUMMARY: Final = int(Trait.EMPTY_SUMMARY)
_ANSWER_FAILED: Final = int(Trait.FAILED)


def _weigh(entry: _Entry) -> int:
    kind = entry.type
    if kind == "message":
        message = entry.message
        if message is None:
            raise _UnusualError
        role = message.role
        if role == "assistant":
            return _weigh_answer(message.content) | (_ANSWER_FAILED if message.stopReason in _FAILED else 0)
        if role in ("toolResult", "user"):
            return _weigh_content(message.content)
        if role == "bashExecution" and message.content is None:
            return (utf16_length(message.command) + utf16_length(message.output)) * _TRAITS
        raise _UnusualError
    if entry.message is not None:
        raise _UnusualError
    if kind == "custom_message":
        return _weigh_content(entry.content)
    if kind in ("compaction", "branch_summary"):
        weight = _weigh_text(entry.summary)
        return weight if weight & _VISIBLE_TEXT else weight | _EMPTY_SUMMARY
    return 0


def _weigh_answer(content: _Content) -> int:
    if content is None or isinstance(content, str):
        return _weigh_text(content or "")
    units = traits = 0
    for block in content:
        if isinstance(block, _Text):
            weight = _weigh_text(block.text)
            units += weight // _TRAITS
            traits |= weight % _TRAITS
        elif isinstance(block, _ToolCall):
            units += utf16_length(block.name) + _arguments_units(block.arguments)
            traits |= _TOOL_CALLS
        elif isinstance(block, _Thinking):
            units += utf16_length(block.thinking)
    return units * _TRAITS | traits


def _weigh_content(content: _Content) -> int:
    if content is None or isinstance(content, str):
        return _weigh_text(content or "")
    units = traits = 0
    for block in content:
        if isinstance(block, _Text):
            weight = _weigh_text(block.text)
            units += weight // _TRAITS
            traits |= weight % _TRAITS
        elif isinstance(block, _Image):
            units += IMAGE_UNITS
    return units * _TRAITS | traits


def _weigh_text(text: str) -> int:
    shows = _VISIBLE_TEXT if text and not text.isspace() else 0
    return utf16_length(text) * _TRAITS | shows


def _arguments_units(arguments: dict[str, Any] | msgspec.UnsetType) -> int:
    """Return the length of `JSON.stringify(arguments)`, where the encoder prints the same."""
    if arguments is msgspec.UNSET:
        return _UNITS_OF_NO_ARGUMENTS
    text = _encode(arguments)
    for value in arguments.values():
        if type(value) is int:
            if abs(value) > MAX_SAFE_INTEGER:
                raise _UnusualError
        elif isinstance(value, dict | list) and _LONG_INTEGER.search(text):
            raise _UnusualError
    return len(text) if text.isascii() else utf16_length(text.decode())
