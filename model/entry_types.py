"""Entries and messages as types, for edges: hook authors, the inspector, checks of what is written (SF-2 … SF-5).

The model itself works on the JSON objects. Attributes have the names of the format in snake_case; unknown fields are
kept, so `to_json` gives back the object that a typed entry was read from.
"""

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from model.entries import entry_type
from model.json_text import JsonObject
from model.messages import role_of


class FormatModel(BaseModel):
    """A JSON object of the session format. Frozen; unknown fields are kept."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="allow",
        frozen=True,
        strict=True,
        ser_json_inf_nan="null",
    )

    def to_json(self) -> JsonObject:
        """Return the JSON object, with the fields that were given and no others."""
        return self.model_dump(by_alias=True, exclude_unset=True)


class SessionHeader(FormatModel):
    type: Literal["session"]
    id: str
    version: int | None = None
    timestamp: str | None = None
    cwd: str | None = None
    parent_session: str | None = None
    title: str | None = None
    title_source: str | None = None


class Cost(FormatModel):
    """Dollars."""

    input: float = 0
    output: float = 0
    cache_read: float = 0
    cache_write: float = 0
    total: float = 0


class Usage(FormatModel):
    """Token counts of one model call (SF-5.3)."""

    input: float = 0
    output: float = 0
    cache_read: float = 0
    cache_write: float = 0
    total_tokens: float = 0
    cost: Cost | None = None


class Entry(FormatModel):
    """What all entries have. `parent_id` None is a root; numbers as `timestamp` are Unix milliseconds."""

    type: str
    id: str
    parent_id: str | None = None
    timestamp: str | float | None = None


class MessageEntry(Entry):
    type: Literal["message"]
    message: dict[str, Any]


class CompactionEntry(Entry):
    type: Literal["compaction"]
    summary: str
    first_kept_entry_id: str | None = None
    tokens_before: float
    short_summary: str | None = None
    details: Any = None
    usage: Usage | None = None
    from_hook: bool | None = None
    from_extension: bool | None = None
    preserve_data: dict[str, Any] | None = None
    system_message: dict[str, Any] | None = None


class BranchSummaryEntry(Entry):
    type: Literal["branch_summary"]
    from_id: str
    summary: str
    details: Any = None
    usage: Usage | None = None
    from_hook: bool | None = None
    from_extension: bool | None = None


class CustomMessageEntry(Entry):
    type: Literal["custom_message"]
    custom_type: str
    content: str | list[Any] | None
    display: bool
    details: Any = None
    attribution: str | None = None


class CustomEntry(Entry):
    type: Literal["custom"]
    custom_type: str
    data: Any = None


class ModelChangeEntry(Entry):
    """Pi: `provider` and `model_id`; OMP: `model` and `role`."""

    type: Literal["model_change"]
    provider: str | None = None
    model_id: str | None = None
    model: str | None = None
    role: str | None = None


class ThinkingLevelChangeEntry(Entry):
    type: Literal["thinking_level_change"]
    thinking_level: str | None = None


class UsageEntry(Entry):
    type: Literal["usage"]
    kind: str
    provider: str
    model: str
    usage: Usage
    note: str | None = None


class LabelEntry(Entry):
    type: Literal["label"]
    target_id: str
    label: str | None = None


class SessionInfoEntry(Entry):
    type: Literal["session_info"]
    name: str | None = None


class ContextEditEntry(Entry):
    type: Literal["context_edit"]
    target_id: str
    replacement: dict[str, Any] | None


class Message(FormatModel):
    """What all messages have; `timestamp` is Unix milliseconds."""

    role: str
    timestamp: float | None = None


class SystemMessage(Message):
    role: Literal["system"]
    content: str | list[Any] | None
    sections: dict[str, str | None] | None = None
    tools_added: list[Any] | None = None
    tools_removed: list[Any] | None = None


class UserMessage(Message):
    role: Literal["user", "developer"]
    content: str | list[Any] | None
    attribution: str | None = None


class AssistantMessage(Message):
    role: Literal["assistant"]
    content: list[Any] | None
    provider: str | None = None
    model: str | None = None
    api: str | None = None
    usage: Usage | None = None
    stop_reason: str | None = None
    error_message: str | None = None


class ToolResultMessage(Message):
    role: Literal["toolResult"]
    tool_call_id: str
    tool_name: str
    content: str | list[Any] | None = None
    is_error: bool | None = None
    details: Any = None
    pruned_at: float | None = None


class BashExecutionMessage(Message):
    role: Literal["bashExecution"]
    command: str
    output: str | None = None
    exit_code: int | None = None
    cancelled: bool | None = None
    truncated: bool | None = None
    full_output_path: str | None = None
    exclude_from_context: bool | None = None


class PythonExecutionMessage(Message):
    role: Literal["pythonExecution"]
    code: str
    output: str | None = None
    exit_code: int | None = None
    cancelled: bool | None = None
    truncated: bool | None = None
    exclude_from_context: bool | None = None


class CustomMessage(Message):
    role: Literal["custom", "hookMessage"]
    custom_type: str
    content: str | list[Any] | None
    display: bool | None = None
    details: Any = None


class BranchSummaryMessage(Message):
    role: Literal["branchSummary"]
    summary: str
    from_id: str | None = None


class CompactionSummaryMessage(Message):
    role: Literal["compactionSummary"]
    summary: str
    tokens_before: float | None = None
    short_summary: str | None = None


class FileMentionMessage(Message):
    role: Literal["fileMention"]
    files: list[dict[str, Any]]


_ENTRY_TYPES: Final[dict[str, type[Entry]]] = {
    "message": MessageEntry,
    "compaction": CompactionEntry,
    "branch_summary": BranchSummaryEntry,
    "custom_message": CustomMessageEntry,
    "custom": CustomEntry,
    "model_change": ModelChangeEntry,
    "thinking_level_change": ThinkingLevelChangeEntry,
    "usage": UsageEntry,
    "label": LabelEntry,
    "session_info": SessionInfoEntry,
    "context_edit": ContextEditEntry,
}
_MESSAGE_TYPES: Final[dict[str, type[Message]]] = {
    "system": SystemMessage,
    "developer": UserMessage,
    "user": UserMessage,
    "assistant": AssistantMessage,
    "toolResult": ToolResultMessage,
    "bashExecution": BashExecutionMessage,
    "pythonExecution": PythonExecutionMessage,
    "custom": CustomMessage,
    "hookMessage": CustomMessage,
    "branchSummary": BranchSummaryMessage,
    "compactionSummary": CompactionSummaryMessage,
    "fileMention": FileMentionMessage,
}


def typed_entry(entry: JsonObject) -> Entry:
    """Return an entry as its type; one of an unknown type is a plain `Entry`.

    Raises pydantic.ValidationError, a ValueError, when a known field is missing or of a wrong type.
    """
    return _ENTRY_TYPES.get(entry_type(entry) or "", Entry).model_validate(entry)


def typed_message(message: JsonObject) -> Message:
    """Return a message as the type of its role; one of an unknown role is a plain `Message`. Raises as
    `typed_entry`."""
    return _MESSAGE_TYPES.get(role_of(message) or "", Message).model_validate(message)


def format_problems(entry: JsonObject) -> list[str]:
    """Return what is wrong with the form of an entry and of its message, in words for the inspector; never raises."""
    problems = _problems(typed_entry, entry)
    message = entry.get("message") if entry_type(entry) == "message" else None
    return problems + (_problems(typed_message, message) if isinstance(message, dict) else [])


def _problems(read: Any, value: JsonObject) -> list[str]:
    try:
        read(value)
    except ValidationError as error:
        return [f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors(include_url=False)]
    return []
