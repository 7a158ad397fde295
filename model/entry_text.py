"""The full text of an entry, for reading: everything a person would want to see, in order, as plain text sections.

Reads any JSON: what is missing or wrong shows as nothing. Source: session format, SF-4 and SF-5.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TextSection:
    """A titled piece of an entry. `verbatim`: code or output, where white space counts."""

    title: str
    text: str
    verbatim: bool = False


def entry_sections(entry: Mapping[str, Any], call: Mapping[str, Any] | None = None) -> list[TextSection]:
    """Return the sections of `entry`; `call` is the `toolCall` block that a tool result answers."""
    kind = entry.get("type")
    if kind == "message":
        found = _message_sections(_object(entry.get("message")), call)
    elif kind in ("compaction", "branch_summary"):
        found = _summary_sections(entry)
    elif kind == "custom_message":
        found = _content_sections(entry.get("content"))
    else:
        found = _field_sections(entry)
    return [section for section in found if section.text]


def message_text(message: Mapping[str, Any]) -> str:
    """Return the text of a message: its sections, each under its title; those of a tool result need none."""
    sections = entry_sections({"type": "message", "message": message})
    if message.get("role") == "toolResult":
        return "\n\n".join(section.text for section in sections)
    return "\n\n".join(f"[{section.title}]\n{section.text}" if section.title else section.text for section in sections)


def _message_sections(message: Mapping[str, Any], call: Mapping[str, Any] | None) -> Iterator[TextSection]:
    role = message.get("role")
    if role == "toolResult":
        if call is not None:
            yield _call_section(call)
        yield from _content_sections(
            message.get("content"), title="Error" if message.get("isError") is True else "Result", verbatim=True
        )
        return
    if role in ("bashExecution", "pythonExecution"):
        yield TextSection(
            "Command" if role == "bashExecution" else "Code",
            _text(message.get("command")) or _text(message.get("code")),
            True,
        )
        yield TextSection("Output", _text(message.get("output")), True)
        exit_code = message.get("exitCode")
        if isinstance(exit_code, int) and exit_code:
            yield TextSection("Exit code", str(exit_code))
        return
    if role in ("branchSummary", "compactionSummary"):
        yield TextSection("Summary", _text(message.get("summary")))
        return
    if role == "fileMention":
        for file in _objects(message.get("files")):
            yield TextSection(_text(file.get("path")), _text(file.get("content")), True)
        return
    yield from _content_sections(message.get("content"))
    if role == "assistant" and (error := _text(message.get("errorMessage"))):
        yield TextSection("Error", error)
    for name, text in _object(message.get("sections")).items():
        yield TextSection(str(name), _text(text))


def _content_sections(content: Any, title: str = "", verbatim: bool = False) -> Iterator[TextSection]:
    if isinstance(content, str):
        yield TextSection(title, content, verbatim)
        return
    for block in _objects(content):
        match block.get("type"):
            case "text":
                yield TextSection(title, _text(block.get("text")), verbatim)
            case "thinking":
                yield TextSection("Thinking", _text(block.get("thinking")))
            case "toolCall":
                yield _call_section(block)
            case "image":
                yield TextSection("Image", _text(block.get("mimeType")) or "image")
            case other:
                yield TextSection(str(other), _pretty(block), True)


def _call_section(call: Mapping[str, Any]) -> TextSection:
    arguments = _object(call.get("arguments"))
    lines = (f"{name}: {value if isinstance(value, str) else _pretty(value)}" for name, value in arguments.items())
    return TextSection(f"Call of {_text(call.get('name')) or 'a tool'}", "\n".join(lines) or "(no arguments)", True)


def _summary_sections(entry: Mapping[str, Any]) -> Iterator[TextSection]:
    yield TextSection("In short", _text(entry.get("shortSummary")))
    yield TextSection("Summary", _text(entry.get("summary")) or "(empty)")
    details = entry.get("details")
    known = {"readFiles": "Files read", "modifiedFiles": "Files modified"}
    for key, title in known.items():
        paths = _object(details).get(key)
        if isinstance(paths, list):
            yield TextSection(title, "\n".join(str(path) for path in paths), True)
    if details is not None and not (isinstance(details, dict) and details.keys() <= known.keys()):
        yield TextSection("Details", _pretty(details), True)


def _field_sections(entry: Mapping[str, Any]) -> Iterator[TextSection]:
    for name, value in entry.items():
        if name not in ("type", "id", "parentId", "timestamp"):
            yield TextSection(
                str(name), value if isinstance(value, str) else _pretty(value), not isinstance(value, str)
            )


def _pretty(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _objects(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
