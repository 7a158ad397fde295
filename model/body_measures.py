"""What the body of an entry weighs and shows: its token estimate and its traits.

`measure_entry` is the rule, over a decoded entry. `measure_line` gives the same from the bytes of a line.
Source: compaction spec, CP-4.1; session-format spec, SF-5; tree-navigation spec, TN-12.
"""

from __future__ import annotations

from typing import NamedTuple

from model.context import entry_message
from model.entries import entry_type, message_of
from model.entry_kinds import Trait
from model.json_text import JsonObject, parse
from model.messages import block_texts, text_field, tool_calls
from model.record_heads import RecordHead, head_of
from model.token_estimates import estimate_tokens

_FAILED = ("error", "aborted")
_LENGTH_OF_LONG_INTEGER = b"99999999999999"  # rounding such a number to a double may make it one digit longer


class Measures(NamedTuple):
    """Estimate in tokens (0 when the entry produces no message) and traits of one entry."""

    estimate: int
    traits: Trait


def measure_entry(entry: JsonObject) -> Measures:
    """Return the measures of a decoded entry, whatever its fields hold."""
    message = entry_message(entry)
    if entry_type(entry) in ("compaction", "branch_summary"):
        shows_text = bool(text_field(entry, "summary").strip())
        traits = Trait.VISIBLE_TEXT if shows_text else Trait.EMPTY_SUMMARY
        return Measures(estimate_tokens(message) if message else 0, traits)
    if message is None:
        return Measures(0, Trait.NONE)
    traits = Trait.NONE
    if any(text.strip() for text in block_texts(message.get("content"))):
        traits |= Trait.VISIBLE_TEXT
    stored = message_of(entry)
    if stored is not None and stored.get("role") == "assistant":
        if stored.get("stopReason") in _FAILED:
            traits |= Trait.FAILED
        if tool_calls(stored):
            traits |= Trait.TOOL_CALLS
    return Measures(estimate_tokens(message), traits)


def measure_line(line: bytes | memoryview) -> tuple[RecordHead, Measures]:
    """Return head and measures of the entry that a line holds. Raises ValueError when the line is no JSON object."""
    entry = parse(bytes(line))
    if not isinstance(entry, dict):
        raise ValueError("not a JSON object")
    return head_of(entry), measure_entry(entry)
