"""Messages, read as the agents read them: a field of the wrong type reads as absent, and nothing raises (SF-5, SF-9).

A message in memory is its JSON object and is never changed. The typed form is in `entry_types.py`.
"""

from typing import Any

from model.json_text import JsonObject


def role_of(message: Any) -> str | None:
    """Return the role of a message, or None when it has none that is text."""
    role = message.get("role") if isinstance(message, dict) else None
    return role if isinstance(role, str) else None


def is_failed_answer(message: JsonObject) -> bool:
    """Tell whether a message is an answer that failed: the agents show it, and send it to no model."""
    return role_of(message) == "assistant" and message.get("stopReason") == "error"


def content_blocks(content: Any) -> list[JsonObject]:
    """Return the content of a message as a list of blocks; a text is one text block, anything else is no block."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if isinstance(content, list):
        return [block for block in content if isinstance(block, dict)]
    return []


def block_texts(content: Any) -> list[str]:
    """Return the text of each text block of a content; a block without text gives the empty one."""
    return [text_field(block, "text") for block in content_blocks(content) if block.get("type") == "text"]


def tool_calls(message: JsonObject) -> list[JsonObject]:
    """Return the tool call blocks of an assistant message in order."""
    return [block for block in content_blocks(message.get("content")) if block.get("type") == "toolCall"]


def text_field(value: JsonObject, name: str) -> str:
    """Return a field that should hold text; anything else reads as empty."""
    text = value.get(name)
    return text if isinstance(text, str) else ""
