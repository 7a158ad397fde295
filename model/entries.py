"""Entries, read as the agents read them, and the builders of new ones (SF-3, SF-4).

An entry in memory is the JSON object of its line and is never changed: a function that needs another one makes a copy.
The readers take any JSON value and never raise. The typed form is in `entry_types.py`.
"""

from typing import Any

from model.json_text import JsonObject


def entry_type(entry: Any) -> str | None:
    """Return the type of an entry, or None when it has none that is text."""
    return _text_or_none(entry, "type")


def entry_id(entry: Any) -> str | None:
    """Return the id of an entry, or None when it has none (any text but the empty one is an id)."""
    return _text_or_none(entry, "id") or None


def parent_id(entry: Any) -> str | None:
    """Return the id of the parent, or None for a root; a parent that is no text reads as none."""
    return _text_or_none(entry, "parentId") or None


def message_of(entry: Any) -> JsonObject | None:
    """Return the message of a `message` entry, or None for other entries and for a message that is no object."""
    if entry_type(entry) != "message":
        return None
    message = entry.get("message")
    return message if isinstance(message, dict) else None


def from_extension(entry: JsonObject) -> bool:
    """Return whether an extension supplied the summary of this entry; both dialects' marks count (SF-4.2)."""
    return entry.get("fromExtension") is True or entry.get("fromHook") is True


def _text_or_none(value: Any, name: str) -> str | None:
    text = value.get(name) if isinstance(value, dict) else None
    return text if isinstance(text, str) else None
