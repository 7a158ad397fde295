"""What a model is told about a command or a piece of Python that the user ran (CB-8)."""

from typing import Any, Final

from model.json_text import JsonObject, number_text
from model.messages import text_field
from model.rules import Rules

_KIB: Final = 1024


def bash_text(message: JsonObject, rules: Rules) -> str:
    """Return the text of a `bashExecution` message: the command, its output, how it ended, what was cut off."""
    output = text_field(message, "output")
    parts = [f"Ran `{text_field(message, 'command')}`\n" + (_fenced(output) if output else "(no output)")]
    parts += _ending(message, "(command cancelled)", "Command exited with code")
    path = text_field(message, "fullOutputPath")
    if rules.full_output_path_named and message.get("truncated") and path:
        parts.append(f"[Output truncated. Full output: {path}]")
    return "\n\n".join(parts + _notices(message, rules))


def python_text(message: JsonObject, rules: Rules) -> str:
    """Return the text of a `pythonExecution` message, as for a command."""
    output = text_field(message, "output")
    code = _fenced(text_field(message, "code"), "python")
    parts = [f"Ran Python:\n{code}\n" + (f"Output:\n{_fenced(output)}" if output else "(no output)")]
    parts += _ending(message, "(execution cancelled)", "Execution failed with code")
    return "\n\n".join(parts + _notices(message, rules))


def _fenced(text: str, language: str = "") -> str:
    return f"```{language}\n{text}\n```"


def _ending(message: JsonObject, cancelled: str, failed: str) -> list[str]:
    """How the run ended, unless it ended well; a cancelled one has no exit code worth telling."""
    if message.get("cancelled"):
        return [cancelled]
    code = message.get("exitCode")
    return [] if code is None or code == 0 else [f"{failed} {_plain(code)}"]


def _notices(message: JsonObject, rules: Rules) -> list[str]:
    """The notices that OMP's output record asks for: what is shown of how much, and which limits were reached."""
    meta = message.get("meta")
    if not rules.output_meta_named or not isinstance(meta, dict):
        return []
    notices = []
    truncation = meta.get("truncation")
    if isinstance(truncation, dict):
        notices.append(_truncation_notice(truncation))
    limits = meta.get("limits")
    limits = limits if isinstance(limits, dict) else {}
    for name, what in (("matchLimit", "matches"), ("resultLimit", "results"), ("headLimit", "results")):
        limit = limits.get(name)
        if isinstance(limit, dict):
            reached, suggestion = _plain(limit.get("reached")), _plain(limit.get("suggestion"))
            notices.append(f"{reached} {what} limit reached. Use limit={suggestion} for more")
    columns = limits.get("columnTruncated")
    if isinstance(columns, dict):
        notices.append(f"Some lines truncated to {_plain(columns.get('maxColumn'))} chars")
    return [f"[{'. '.join(notices)}]"] if notices else []


def _truncation_notice(truncation: JsonObject) -> str:
    shown = truncation.get("shownRange")
    start, end = (_number(shown, "start"), _number(shown, "end"))
    total = _plain(truncation.get("totalLines"))
    if start is not None and end is not None and end >= start:
        notice = f"Showing lines {_plain(start)}-{_plain(end)} of {total}"
    else:
        notice = f"Showing {_plain(truncation.get('outputLines'))} of {total} lines"
    if truncation.get("truncatedBy") == "bytes":
        limit = _number(truncation, "maxBytes")
        notice += f" ({_byte_size(limit or _number(truncation, 'outputBytes') or 0)} limit)"
    if truncation.get("nextOffset") is not None:
        notice += f". Use offset={_plain(truncation['nextOffset'])} to continue"
    if truncation.get("artifactId") is not None:
        notice += f". Read artifact://{_plain(truncation['artifactId'])} for full output"
    return notice


def _number(value: Any, name: str) -> float | None:
    number = value.get(name) if isinstance(value, dict) else None
    return number if isinstance(number, int | float) and not isinstance(number, bool) else None


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value
    return number_text(value) if isinstance(value, int | float) and not isinstance(value, bool) else "?"


def _byte_size(count: float) -> str:
    if count < _KIB:
        return f"{_plain(count)}B"
    for unit in ("KB", "MB"):
        count /= _KIB
        if count < _KIB:
            return f"{count:.1f}{unit}"
    return f"{count / _KIB:.1f}GB"
