"""System messages: the prompt state that a series of them amounts to (SF-5.1, CP-19).

A Pi session stores its system prompt as messages. Each one adds text, sets or drops named sections, and adds or removes
tools. What is in force at a position is the replay of all of them.
"""

from collections.abc import Iterable
from typing import Any

from model.interruptions import interruptibly
from model.json_text import JsonObject
from model.messages import block_texts, role_of


def current_system_message(messages: Iterable[JsonObject]) -> JsonObject | None:
    """Return one system message that stands for all those among `messages`, or None when there is none.

    Texts are joined by blank lines, sections replaced by name (null drops one), tools resolved by name. The time is
    that of the last system message. A field is left out when nothing is in it.
    """
    systems = [message for message in interruptibly(messages) if role_of(message) == "system"]
    if not systems:
        return None
    sections: dict[str, Any] = {}
    tools: dict[str, Any] = {}
    for message in systems:
        changes = message.get("sections")
        for name, text in changes.items() if isinstance(changes, dict) else ():
            if text is None:
                sections.pop(name, None)
            else:
                sections[name] = text
        for tool in _named(message.get("toolsRemoved")):
            tools.pop(tool["name"], None)
        for tool in _named(message.get("toolsAdded")):
            tools[tool["name"]] = tool
    texts = ["".join(block_texts(message.get("content"))) for message in systems]
    current: JsonObject = {"role": "system", "content": "\n\n".join(text for text in texts if text)}
    if sections:
        current["sections"] = sections
    if tools:
        current["toolsAdded"] = list(tools.values())
    if "timestamp" in systems[0]:
        current["timestamp"] = systems[0]["timestamp"]
    return current


def _named(tools: Any) -> list[JsonObject]:
    if not isinstance(tools, list):
        return []
    return [tool for tool in tools if isinstance(tool, dict) and isinstance(tool.get("name"), str)]
