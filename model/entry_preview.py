"""One line about an entry, for lists: who speaks, and the beginning of what is said or done.

Reads any JSON: a missing or wrong field shows as nothing.
Source: tree-navigation spec, TN-12; session-format spec, SF-4 and SF-5.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from model.sentences import Sentence

Speaker = Literal["user", "assistant", "tool", "terminal", "compaction", "branch", "note", "system", "setting", "label"]

MAX_CHARACTERS = 400
_PATH_ARGUMENTS = ("path", "file_path", "filePath", "file")
_TERMINAL_TOOLS = frozenset({"bash", "shell", "python", "exec"})


@dataclass(frozen=True, slots=True)
class EntryPreview:
    """A line for an entry: `name` is the short role or tool name, `text` one line without line breaks."""

    speaker: Speaker
    name: str
    text: str
    monospace: bool = False
    failed: bool = False


def entry_preview(entry: Mapping[str, Any], call: Mapping[str, Any] | None = None, folder: str = "") -> EntryPreview:
    """Return the line for `entry`. `call` is the `toolCall` block that a tool result answers, when it is known.

    Paths of tools inside `folder`, the session's working directory, are told from there on.
    """
    kind = _text(entry.get("type"))
    if kind == "message":
        preview = _message_preview(_object(entry.get("message")), call)
        return replace(preview, text=_seen_from(folder, preview.text)) if folder and preview.monospace else preview
    if kind == "custom_message":
        text = _content_text(entry.get("content"))
        return EntryPreview("note", _text(entry.get("customType")) or "note", _line(text))
    if kind == "compaction":
        return EntryPreview("compaction", "compaction", _compaction_text(entry))
    if kind == "branch_summary":
        return EntryPreview("branch", "branch summary", _summary_line(_text(entry.get("summary"))))
    if kind == "label":
        label = _text(entry.get("label")).strip()
        return EntryPreview("label", "label", _line(label) if label else Sentence("cleared"))
    if kind == "context_edit":
        target_id = _text(entry.get("targetId"))
        if entry.get("replacement") is None:
            return EntryPreview("setting", "edit", Sentence("{0} left out of the context", target_id))
        return EntryPreview("setting", "edit", Sentence("{0} replaced in the context", target_id))
    return EntryPreview("setting", _SETTING_NAMES.get(kind, kind.replace("_", " ") or "unknown"), _setting_text(entry))


def _seen_from(folder: str, line: str) -> str:
    """The line without what all paths in the folder have in common: it would fill a narrow column."""
    folder = folder.rstrip("/\\")
    if not folder or folder not in line:
        return line
    line = line.removeprefix(f"cd {folder} && ")
    for separator in "/\\":
        line = re.sub(rf"(?<![\w./\\-]){re.escape(folder + separator)}(?=\S)", "", line)
    return line


def tool_call_text(call: Mapping[str, Any]) -> str:
    """Return the argument that says most about a tool call: its command, its path, or all arguments in short."""
    arguments = _object(call.get("arguments"))
    for key in ("command", "code", *_PATH_ARGUMENTS, "pattern", "query", "url"):
        if text := _text(arguments.get(key)):
            return _line(text + (_line_range(arguments) if key in _PATH_ARGUMENTS else ""))
    return _line(", ".join(f"{key}={_short(value)}" for key, value in arguments.items()))


def _line_range(arguments: Mapping[str, Any]) -> str:
    """Which lines of a file a call is about: parts of one file would look alike."""
    offset, limit = _count(arguments.get("offset")), _count(arguments.get("limit"))
    if not offset and not limit:
        return ""
    first = offset or 1
    return f":{first}-{first + limit - 1 if limit else ''}"


def tool_calls(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the `toolCall` blocks of an assistant message, in order."""
    return [block for block in _blocks(message.get("content")) if block.get("type") == "toolCall"]


def _message_preview(message: Mapping[str, Any], call: Mapping[str, Any] | None) -> EntryPreview:
    role = _text(message.get("role"))
    text = _content_text(message.get("content"))
    if role == "user":
        return EntryPreview("user", "user", _line(text) or _images(message))
    if role == "assistant":
        return _assistant_preview(message, text)
    if role == "toolResult":
        return _tool_preview(message, text, call)
    if role in ("bashExecution", "pythonExecution"):
        code = message.get("exitCode")
        failed = message.get("cancelled") is True or (isinstance(code, int) and code != 0)
        ran = _text(message.get("command")) or _text(message.get("code"))
        return EntryPreview(
            "terminal", "bash" if role[0] == "b" else "python", _line(ran), monospace=True, failed=failed
        )
    if role in ("branchSummary", "compactionSummary"):
        speaker: Speaker = "branch" if role == "branchSummary" else "compaction"
        return EntryPreview(speaker, "summary", _summary_line(_text(message.get("summary"))))
    if role == "fileMention":
        paths = [_text(file.get("path")) for file in _blocks(message.get("files"))]
        return EntryPreview("note", "files", _line(", ".join(paths)), monospace=True)
    if role in ("system", "developer"):
        return EntryPreview("system", role, _line(text) or _line(_sections(message)))
    return EntryPreview("note", role or "message", _line(text))


def _assistant_preview(message: Mapping[str, Any], text: str) -> EntryPreview:
    failed = message.get("stopReason") in ("error", "aborted")
    if line := _line(text):
        return EntryPreview("assistant", "assistant", line, failed=failed)
    if failed:
        if reason := _text(message.get("errorMessage")):
            return EntryPreview("assistant", "assistant", _line(reason), failed=True)
        ended = Sentence("aborted") if message.get("stopReason") == "aborted" else Sentence("error")
        return EntryPreview("assistant", "assistant", ended, failed=True)
    if calls := tool_calls(message):
        names = ", ".join(f"{_text(each.get('name'))}({tool_call_text(each)})" for each in calls)
        return EntryPreview("assistant", "assistant", _line(names), monospace=True)
    thoughts = " ".join(_text(block.get("thinking")) for block in _blocks(message.get("content")))
    return EntryPreview("assistant", "assistant", _line(thoughts))


def _tool_preview(message: Mapping[str, Any], text: str, call: Mapping[str, Any] | None) -> EntryPreview:
    name = _text(message.get("toolName")) or "tool"
    failed = message.get("isError") is True
    asked = tool_call_text(call) if call else ""
    answer = _line(text) or _images(message)
    # A command says most through its outcome, and a failed call through its error; a read file says nothing.
    if not asked:
        line = answer
    elif answer and (failed or name in _TERMINAL_TOOLS):
        line = f"{asked} → {answer}"
    else:
        line = asked
    speaker: Speaker = "terminal" if name in _TERMINAL_TOOLS else "tool"
    return EntryPreview(speaker, name, line if line is answer else _line(line), monospace=True, failed=failed)


def _compaction_text(entry: Mapping[str, Any]) -> str:
    short = _text(entry.get("shortSummary"))
    return _line(short) if short else _summary_line(_text(entry.get("summary")))


def _summary_line(summary: str) -> str:
    """The first sentence of a structured summary: headings say nothing in a list."""
    lines = (line.strip() for line in summary[: MAX_CHARACTERS * 4].splitlines())
    return _line(" ".join(line for line in lines if line and not line.startswith("#")))


_SETTING_NAMES = {
    "model_change": "model",
    "thinking_level_change": "thinking",
    "session_info": "name",
    "custom": "state",
    "service_tier_change": "tier",
    "mode_change": "mode",
    "title_change": "title",
}


def _setting_text(entry: Mapping[str, Any]) -> str:
    kind = entry.get("type")
    if kind == "model_change":
        return _line(
            _text(entry.get("model")) or "/".join(filter(None, map(_text, map(entry.get, ("provider", "modelId")))))
        )
    if kind == "thinking_level_change":
        return _text(entry.get("thinkingLevel")) or "off"
    keys = ("name", "title", "customType", "kind", "purpose", "mode", "serviceTier", "task")
    return _line(next((text for key in keys if (text := _text(entry.get(key)))), ""))


def _images(message: Mapping[str, Any]) -> str:
    count = sum(block.get("type") == "image" for block in _blocks(message.get("content")))
    return Sentence("[{0} images]", count) if count > 1 else Sentence("[image]") if count else ""


def _sections(message: Mapping[str, Any]) -> str:
    return " ".join(map(_text, _object(message.get("sections")).values()))


def _content_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    texts = (_text(block.get("text")) for block in _blocks(content) if block.get("type") == "text")
    return " ".join(text for text in texts if text)


def _blocks(value: Any) -> Iterable[dict[str, Any]]:
    return [block for block in value if isinstance(block, dict)] if isinstance(value, list) else []


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _short(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


def _line(text: str) -> str:
    """One line: white space folded, cut before it is measured so that a huge text costs nothing."""
    line = " ".join(text[: MAX_CHARACTERS * 4].split())
    if len(line) <= MAX_CHARACTERS and len(text) <= MAX_CHARACTERS * 4:
        return line
    return line[: MAX_CHARACTERS - 1] + "…"
