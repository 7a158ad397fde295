"""Which entries a tree shows: filter modes and search (TN-12.2)."""

from typing import Any, Final, Literal

from model.entries import entry_type, message_of
from model.json_text import JsonObject, utf16_prefix
from model.messages import block_texts, role_of, text_field
from model.rules import BRANCHWORK, Rules

FilterMode = Literal["default", "no-tools", "user-only", "labeled-only", "all"]

SEARCHED_UNITS: Final = 200  # UTF-16 code units of an entry's text that a search looks at

METADATA_TYPES: Final = frozenset(
    {
        "label",
        "custom",
        "model_change",
        "thinking_level_change",
        "session_info",
        "context_edit",
        "service_tier_change",
        "ttsr_injection",
        "mcp_tool_selection",
        "session_init",
        "mode_change",
        "title_change",
        "credential_pin",
        "reset_boundary",
    }
)
USAGE_TYPES: Final = frozenset({"usage", "model_usage"})
_FINISHED: Final = ("stop", "toolUse")


def is_visible(
    entry: JsonObject, mode: FilterMode, *, labeled: bool = False, is_leaf: bool = False, rules: Rules = BRANCHWORK
) -> bool:
    """Return whether an entry shows in a filter mode. `labeled`: it has a label; `is_leaf`: it is the current leaf.

    Answers without visible text and usage entries show in mode `all` only, except for the current leaf and for answers
    that failed or were aborted.
    """
    if mode == "all" and not rules.all_filter_hides_silent_entries:
        return True
    kind = entry_type(entry)
    if kind in USAGE_TYPES or (not is_leaf and _is_silent_answer(entry)):
        return False
    role = role_of(message_of(entry))
    if mode == "all":
        return True
    if mode == "user-only":
        return role == "user"
    if mode == "labeled-only":
        return labeled
    return kind not in METADATA_TYPES and not (mode == "no-tools" and role == "toolResult")


def matches_search(entry: JsonObject, label: str | None, search: str) -> bool:
    """Return whether all words of `search` occur in what can be searched of an entry, in any order and case."""
    words = search.lower().split()
    if not words:
        return True
    text = searchable_text(entry, label).lower()
    return all(word in text for word in words)


def searchable_text(entry: JsonObject, label: str | None) -> str:
    """Return the text of an entry that a search in the tree looks at: label, kind, and the beginning of its content."""
    return " ".join([*([label] if label else []), *_searchable_parts(entry)])


def _is_silent_answer(entry: JsonObject) -> bool:
    """Whether the entry is an answer that shows no text and ended well."""
    message = message_of(entry)
    if message is None or role_of(message) != "assistant":
        return False
    stop_reason = message.get("stopReason")
    failed = bool(stop_reason) and stop_reason not in _FINISHED
    return not failed and not any(text.strip() for text in block_texts(message.get("content")))


def _searchable_parts(entry: JsonObject) -> list[str]:
    kind = entry_type(entry)
    message = message_of(entry)
    if message is not None:
        command = [text_field(message, "command")] if role_of(message) == "bashExecution" else []
        return [role_of(message) or "", _beginning(message.get("content")), *command]
    if kind == "custom_message":
        return [text_field(entry, "customType"), _beginning(entry.get("content"))]
    name, *fields = _SEARCHED_FIELDS.get(kind or "", (kind or "",))
    return [name, *(text_field(entry, field) for field in fields)]


_SEARCHED_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "compaction": ("compaction",),
    "branch_summary": ("branch summary", "summary"),
    "session_info": ("title", "name"),
    "model_change": ("model", "modelId", "model"),
    "thinking_level_change": ("thinking", "thinkingLevel"),
    "custom": ("custom", "customType"),
    "label": ("label", "label"),
}


def _beginning(content: Any) -> str:
    return utf16_prefix("".join(block_texts(content)), SEARCHED_UNITS)
