"""The full text of an entry, for reading: everything a person would want to see, in order, as plain text sections.

Reads any JSON: what is missing or wrong shows as nothing. Source: session format, SF-4 and SF-5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from model.pretty_json import pretty_json
from model.sentences import Sentence

SectionKind = Literal[
    "text", "thinking", "call", "result", "error", "image", "command", "code", "output", "exit code", "file", "short",
    "summary", "files read", "files modified", "details", "field", "block",
]  # fmt: skip
"""What a section is. The title says the same in English; `block` is a kind of content that nobody knows."""

_FILE_LISTS: Final[Mapping[str, SectionKind]] = {"readFiles": "files read", "modifiedFiles": "files modified"}
_TITLES: Final[Mapping[str, str]] = {
    "thinking": Sentence("Thinking"),
    "result": Sentence("Result"),
    "error": Sentence("Error"),
    "image": Sentence("Image"),
    "command": Sentence("Command"),
    "code": Sentence("Code"),
    "output": Sentence("Output"),
    "exit code": Sentence("Exit code"),
    "short": Sentence("In short"),
    "summary": Sentence("Summary"),
    "files read": Sentence("Files read"),
    "files modified": Sentence("Files modified"),
    "details": Sentence("Details"),
}
_VERBATIM: Final = frozenset(
    {"call", "result", "command", "code", "output", "file", "files read", "files modified", "details", "block"}
)
_ENVELOPE: Final = frozenset({"type", "id", "parentId", "timestamp"})
_SUMMARY_FIELDS: Final = frozenset({"shortSummary", "summary", "details"})


@dataclass(frozen=True, slots=True)
class TextSection:
    """A titled piece of an entry. `verbatim`: code or output, where white space counts.

    A `title` of ours is a `Sentence`, as is a `text` of ours. `name` is the tool of a call, the path of a
    file, the name of a field; `block` is the content block that the section stands for, where there is one.
    """

    title: str
    text: str
    verbatim: bool = False
    kind: SectionKind = "text"
    name: str = ""
    block: Mapping[str, Any] | None = None


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
        found = _field_sections(entry, _ENVELOPE)
    return [section for section in found if section.text]


def summary_fields(entry: Mapping[str, Any]) -> list[TextSection]:
    """Return what an entry with a summary says besides it: sizes, boundary, usage, what an extension kept with it."""
    return [section for section in _field_sections(entry, _ENVELOPE | _SUMMARY_FIELDS) if section.text]


def message_text(message: Mapping[str, Any], say: Callable[[str], str] = str) -> str:
    """Return the text of a message: its sections, each under its title; those of a tool result need none.

    `say` puts a `Sentence` into another language.
    """
    sections = entry_sections({"type": "message", "message": message})
    is_result = message.get("role") == "toolResult"
    return "\n\n".join(
        f"[{say(section.title)}]\n{say(section.text)}" if section.title and not is_result else say(section.text)
        for section in sections
    )


def message_beginning(message: Mapping[str, Any], most: int, say: Callable[[str], str] = str) -> str:
    """Return up to `most` characters of `message_text` on one line, without making all of it."""
    parts: list[str] = []
    room = most
    for section in _message_sections(message, None):
        if section.text and room > 0:
            title = f"[{say(section.title)}] " if section.title and message.get("role") != "toolResult" else ""
            parts.append(" ".join(f"{title}{say(section.text)[:room]}".split()))
            room -= len(parts[-1]) + 1
        if room <= 0:
            break
    return " ".join(parts)[:most]


def call_section(call: Mapping[str, Any]) -> TextSection:
    """Return the section of a tool call: its arguments, one under the other."""
    arguments = _object(call.get("arguments"))
    lines = (f"{name}: {value if isinstance(value, str) else pretty_json(value)}" for name, value in arguments.items())
    name = _text(call.get("name"))
    title = Sentence("Call of {0}", name) if name else Sentence("Call of a tool")
    return TextSection(title, "\n".join(lines) or Sentence("(no arguments)"), True, "call", name, call)


def _section(kind: SectionKind, text: str, *, name: str = "", block: Mapping[str, Any] | None = None) -> TextSection:
    return TextSection(_TITLES.get(kind, name), text, kind in _VERBATIM, kind, name, block)


def _message_sections(message: Mapping[str, Any], call: Mapping[str, Any] | None) -> Iterator[TextSection]:
    role = message.get("role")
    if role == "toolResult":
        if call is not None:
            yield call_section(call)
        is_error = message.get("isError") is True
        for section in _content_sections(message.get("content")):
            if section.kind == "text":
                kind: SectionKind = "error" if is_error else "result"
                yield TextSection(_TITLES[kind], section.text, True, kind)
            else:
                yield section
        return
    if role in ("bashExecution", "pythonExecution"):
        ran = _text(message.get("command")) or _text(message.get("code"))
        yield _section("command" if role == "bashExecution" else "code", ran)
        yield _section("output", _text(message.get("output")))
        exit_code = message.get("exitCode")
        if isinstance(exit_code, int) and exit_code:
            yield _section("exit code", str(exit_code))
        return
    if role in ("branchSummary", "compactionSummary"):
        yield _section("summary", _text(message.get("summary")))
        return
    if role == "fileMention":
        for file in _objects(message.get("files")):
            yield _section(
                "file", _text(file.get("content")) or _text(file.get("skippedReason")), name=_text(file.get("path"))
            )
            if isinstance(image := file.get("image"), dict):
                yield _image(image)
        return
    yield from _content_sections(message.get("content"))
    if role == "assistant" and (error := _text(message.get("errorMessage"))):
        yield _section("error", error)
    for name, text in _object(message.get("sections")).items():
        yield _section("field", _text(text), name=str(name))


def _content_sections(content: Any) -> Iterator[TextSection]:
    if isinstance(content, str):
        yield _section("text", content)
        return
    for block in _objects(content):
        match block.get("type"):
            case "text":
                yield _section("text", _text(block.get("text")))
            case "thinking":
                yield _section("thinking", _text(block.get("thinking")))
            case "toolCall":
                yield call_section(block)
            case "image":
                yield _image(block)
            case other:
                yield _section("block", pretty_json(block), name=other if isinstance(other, str) else "?")


def _image(block: Mapping[str, Any]) -> TextSection:
    return _section("image", _text(block.get("mimeType")) or Sentence("image"), block=block)


def _summary_sections(entry: Mapping[str, Any]) -> Iterator[TextSection]:
    yield _section("short", _text(entry.get("shortSummary")))
    yield _section("summary", _text(entry.get("summary")) or Sentence("(empty)"))
    details = entry.get("details")
    for key, kind in _FILE_LISTS.items():
        paths = _object(details).get(key)
        if isinstance(paths, list):
            yield _section(kind, "\n".join(path if isinstance(path, str) else pretty_json(path) for path in paths))
    if details is not None and not (isinstance(details, dict) and details.keys() <= _FILE_LISTS.keys()):
        yield _section("details", pretty_json(details))


def _field_sections(entry: Mapping[str, Any], left_out: frozenset[str]) -> Iterator[TextSection]:
    for name, value in entry.items():
        if name not in left_out:
            is_text = isinstance(value, str)
            yield TextSection(str(name), value if is_text else pretty_json(value), not is_text, "field", str(name))


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _objects(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
