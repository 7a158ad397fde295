"""Entries in a form that both agents can open, for a repaired copy of a damaged session.

Source: session-format spec, SF-9; the conformance notes on what makes an agent refuse or lose a file.
"""

from typing import Any, Final

from model.entries import entry_type, message_of, parent_id
from model.json_text import JsonObject
from model.messages import role_of
from model.timestamps import iso_timestamp, timestamp_ms

NO_USAGE: Final[JsonObject] = {
    "input": 0,
    "output": 0,
    "cacheRead": 0,
    "cacheWrite": 0,
    "totalTokens": 0,
    "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0},
}
DAMAGED_MESSAGE: Final = "branchwork.damaged-message"
REPEATED_ENTRY: Final = "branchwork.repeated-entry"
_SPEAKING_FOR_ALL: Final = frozenset({"label", "session_info"})  # wherever it hangs, the last one counts


def mended_entry(entry: JsonObject, parent: str | None, time: str) -> JsonObject:
    """Return an entry that hangs under `parent` and that both agents can open; the same object if it already is so.

    `time` stands in for a missing timestamp. A message without content gets an empty one, an answer without usage a
    usage of zeros; a `message` entry without a message becomes a `custom` entry that keeps what was there.
    """
    mended = entry
    if "parentId" not in entry or parent_id(entry) != parent:
        mended = {**mended, "parentId": parent}
    if not isinstance(entry.get("timestamp"), str):
        number = timestamp_ms(entry.get("timestamp"))
        mended = {**mended, "timestamp": time if number is None else iso_timestamp(number)}
    if entry_type(entry) == "message":
        mended = _with_mended_message(mended)
    if entry_type(entry) == "custom_message" and entry.get("content") is None:
        mended = {**mended, "content": ""}
    return mended


def renamed_entry(entry: JsonObject, new_id: str) -> JsonObject:
    """Return an entry whose id occurs again behind it, under an id of its own (SF-9.8).

    One that would count for the whole session by itself becomes a `custom` entry that keeps it.
    """
    if entry_type(entry) not in _SPEAKING_FOR_ALL:
        return {**entry, "id": new_id}
    fields: JsonObject = {name: entry[name] for name in ("parentId", "timestamp") if name in entry}
    return {"type": "custom", "id": new_id, **fields, "customType": REPEATED_ENTRY, "data": {"entry": entry}}


def with_usage(entry: JsonObject) -> JsonObject:
    """Return an entry whose answer, if it is one, has a usage with cost; the same object if nothing is missing."""
    message = message_of(entry)
    if message is None or role_of(message) != "assistant":
        return entry
    usage = message.get("usage")
    if isinstance(usage, dict) and isinstance(usage.get("cost"), dict):
        return entry
    complete = {**NO_USAGE, **usage, "cost": NO_USAGE["cost"]} if isinstance(usage, dict) else NO_USAGE
    return {**entry, "message": {**message, "usage": complete}}


def _with_mended_message(entry: JsonObject) -> JsonObject:
    message = message_of(entry)
    if message is None:
        fields = {name: entry[name] for name in ("id", "parentId", "timestamp")}
        return {"type": "custom", **fields, "customType": DAMAGED_MESSAGE, "data": {"entry": entry}}
    empty: dict[str, Any] = {
        "user": "", "system": "", "developer": "", "custom": "", "hookMessage": "", "assistant": [], "toolResult": [],
    }  # fmt: skip
    role = role_of(message)
    if role in empty and message.get("content") is None:
        entry = {**entry, "message": {**message, "content": empty[role]}}
    return with_usage(entry)
