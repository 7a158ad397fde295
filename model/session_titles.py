"""The title of an OMP session: in the header, or in a line of its own in front of it (SF-1.5)."""

from typing import Any, Final

from model.json_text import JsonObject, stringify

SLOT_BYTES: Final = 256  # with the LF


def with_title(header: JsonObject, title: str, source: str) -> JsonObject:
    """Return a header with another title; an empty one deletes it."""
    named = {"title": title, "titleSource": source} if title else {}
    kept = {name: value for name, value in header.items() if title or name not in ("title", "titleSource")}
    return {**kept, **named}


def title_slot_line(slot: JsonObject, title: str, source: str, updated_at: str) -> bytes:
    """Return a title slot line with another title, with its LF exactly SLOT_BYTES long; a long title is cut."""
    while True:
        fields: dict[str, Any] = {**slot, "title": title, "source": source, "updatedAt": updated_at, "pad": ""}
        line = stringify(fields).encode()
        missing = SLOT_BYTES - 1 - len(line)
        if missing >= 0:
            return stringify({**fields, "pad": " " * missing}).encode() + b"\n"
        title = title[:-1]
        if not title:
            raise ValueError("the title slot has no room")
