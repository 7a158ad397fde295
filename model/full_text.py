"""All text of an entry that a person may look for: what was said, thought, called and answered, of any length.

Names of fields, numbers, pictures, signatures and what providers note about an answer are not part of it. Reads any
JSON. Source: session-format spec, SF-4 and SF-5; tree-navigation spec, TN-12.2.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from model.entries import entry_type, message_of
from model.json_text import JsonObject
from model.messages import role_of

_ENVELOPE: Final = frozenset({"type", "parentId", "timestamp", "usage"})
_PROVIDER_NOTES: Final = frozenset(
    {"role", "api", "provider", "model", "stopReason", "responseId", "toolCallId", "usage", "timestamp"}
)
_BLOCK_NOTES: Final = frozenset(
    {"type", "id", "mimeType", "data", "thinkingSignature", "textSignature", "thoughtSignature"}
)


def full_text(entry: JsonObject) -> str:
    """Return the text of `entry`: id, type or role, and every text in it, one under the other. O(size)."""
    message = message_of(entry)
    if message is None:
        parts = [entry_type(entry) or "", *_field_texts(entry, _ENVELOPE)]
    else:
        others = {name: value for name, value in entry.items() if name != "message"}
        parts = [role_of(message) or "", *_field_texts(message, _PROVIDER_NOTES), *_field_texts(others, _ENVELOPE)]
    return "\n".join(parts)


def _field_texts(fields: JsonObject, left_out: frozenset[str]) -> Iterator[str]:
    for name, value in fields.items():
        if name == "content" and isinstance(value, list):
            yield from _block_texts(value)
        elif name not in left_out:
            yield from _texts(value)


def _block_texts(blocks: Iterable[Any]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, dict):
            for name, value in block.items():
                if name not in _BLOCK_NOTES:
                    yield from _texts(value)
        else:
            yield from _texts(block)


def _texts(value: Any) -> Iterator[str]:
    """The texts in any JSON value, in their order."""
    if isinstance(value, str):
        yield value
        return
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            pending.extend(reversed(part.values()))
        elif isinstance(part, list):
            pending.extend(reversed(part))
