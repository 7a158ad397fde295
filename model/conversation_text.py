"""A conversation as plain text, so that a summariser does not take it for one to continue (CP-12.1)."""

from collections.abc import Iterable
from typing import Any, Final

from model.json_text import JsonObject, members, stringify, utf16_length, utf16_prefix
from model.messages import block_texts, content_blocks, role_of, text_field, tool_calls
from model.rules import BRANCHWORK, Rules

TOOL_RESULT_UNITS: Final = 2000  # UTF-16 code units of a tool result that are kept


def serialize_conversation(
    messages: Iterable[JsonObject], include_thinking: bool | None = None, rules: Rules = BRANCHWORK
) -> str:
    """Return the text of plain messages, one paragraph for each part, joined by blank lines.

    `messages` are as after `convert_to_llm`; roles that it does not give are left out. `include_thinking` None means as
    `rules` say. Tool results are cut to `TOOL_RESULT_UNITS`; nothing else is. Images leave no trace.
    """
    thinking = rules.thinking_serialized if include_thinking is None else include_thinking
    paragraphs: list[str] = []
    for message in messages:
        role = role_of(message)
        if role == "user" or (role == "developer" and rules.developer_serialized):
            paragraphs += _labelled("User", "".join(block_texts(message.get("content"))))
        elif role == "assistant":
            paragraphs += _answer(message, thinking)
        elif role == "toolResult":
            text = _shortened("".join(block_texts(message.get("content"))), rules.tool_result_cut_keeps_pairs)
            paragraphs += _labelled("Tool result", text)
    return "\n\n".join(paragraphs)


def _labelled(label: str, text: str) -> list[str]:
    return [f"[{label}]: {text}"] if text else []


def _answer(message: JsonObject, include_thinking: bool) -> list[str]:
    """Thinking, text and calls of an answer; each part that has a block is printed, even when its text is empty."""
    content = message.get("content")
    thinking = [text_field(b, "thinking") for b in content_blocks(content) if b.get("type") == "thinking"]
    texts = block_texts(content)
    calls = [_call(block) for block in tool_calls(message)]
    parts = []
    if thinking and include_thinking:
        parts.append("[Assistant thinking]: " + "\n".join(thinking))
    if texts:
        parts.append("[Assistant]: " + "\n".join(texts))
    if calls:
        parts.append("[Assistant tool calls]: " + "; ".join(calls))
    return parts


def _call(block: JsonObject) -> str:
    arguments = ", ".join(f"{name}={stringify(value)}" for name, value in _arguments(block.get("arguments")))
    return f"{text_field(block, 'name')}({arguments})"


def _arguments(arguments: Any) -> list[tuple[str, Any]]:
    """The named arguments; a text counts as its UTF-16 units and a list as its elements, as in JavaScript."""
    if isinstance(arguments, dict):
        return members(arguments)
    if isinstance(arguments, str):
        encoded = arguments.encode("utf-16-le", "surrogatepass")
        units = [encoded[i : i + 2].decode("utf-16-le", "surrogatepass") for i in range(0, len(encoded), 2)]
        return [(str(index), unit) for index, unit in enumerate(units)]
    if isinstance(arguments, list):
        return [(str(index), value) for index, value in enumerate(arguments)]
    return []


def _shortened(text: str, keep_pairs: bool) -> str:
    omitted = utf16_length(text) - TOOL_RESULT_UNITS
    if omitted <= 0:
        return text
    head = utf16_prefix(text, TOOL_RESULT_UNITS, keep_pairs=keep_pairs)
    return f"{head}\n\n[... {omitted} more characters truncated]"
