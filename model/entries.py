"""Entries, read as the agents read them, and the builders of new ones (SF-3, SF-4).

An entry in memory is the JSON object of its line and is never changed: a function that needs another one makes a copy.
The readers take any JSON value and never raise. The typed form is in `entry_types.py`.
"""

import re
from collections.abc import Callable, Container
from typing import Any, Final

from model.dialects import Dialect
from model.json_text import JsonObject
from model.rules import BRANCHWORK, Rules

ID_LENGTH: Final = 8  # hex digits of a new entry id
_ID_ATTEMPTS: Final = 100
_UNSET: Final = object()


def entry_type(entry: Any) -> str | None:
    """Return the type of an entry, or None when it has none that is text."""
    return _text_or_none(entry, "type")


def entry_id(entry: Any) -> str | None:
    """Return the id of an entry, or None when it has none (any text but the empty one is an id)."""
    return _text_or_none(entry, "id") or None


def parent_id(entry: Any) -> str | None:
    """Return the id of the parent, or None for a root; a parent that is no text reads as none."""
    return _text_or_none(entry, "parentId") or None


def message_of(entry: Any) -> JsonObject | None:
    """Return the message of a `message` entry, or None for other entries and for a message that is no object."""
    if entry_type(entry) != "message":
        return None
    message = entry.get("message")
    return message if isinstance(message, dict) else None


def from_extension(entry: JsonObject) -> bool:
    """Return whether an extension supplied the summary of this entry; both dialects' marks count (SF-4.2)."""
    return entry.get("fromExtension") is True or entry.get("fromHook") is True


def _text_or_none(value: Any, name: str) -> str | None:
    text = value.get(name) if isinstance(value, dict) else None
    return text if isinstance(text, str) else None


def fresh_entry_id(taken: Container[str], new_uuid: Callable[[], str]) -> str:
    """Return an id that no entry has yet: the first 8 hex digits of a random UUID, or a whole one after many
    collisions.

    `new_uuid` gives the text of a random UUID at each call.
    """
    for _ in range(_ID_ATTEMPTS):
        id = new_uuid()[:ID_LENGTH]
        if id not in taken:
            return id
    return new_uuid()


def new_message_entry(
    id: str, parent_id: str | None, timestamp: str, dialect: Dialect, message: JsonObject, *, rules: Rules = BRANCHWORK
) -> JsonObject:
    """Return a `message` entry (SF-4.1). OMP does not write what only streaming needs: partial arguments and events."""
    if rules.streaming_fields_dropped:
        message = _without_keys(message, frozenset({"partialJson", "jsonlEvents"}))
    return _entry("message", id, parent_id, timestamp, {"message": message})


def new_compaction_entry(
    id: str,
    parent_id: str | None,
    timestamp: str,
    dialect: Dialect,
    *,
    summary: str,
    first_kept_entry_id: str | None,
    tokens_before: int,
    short_summary: str | None = None,
    details: Any = None,
    usage: JsonObject | None = None,
    from_extension: bool | None = None,
    preserve_data: JsonObject | None = None,
    system_message: JsonObject | None = None,
    rules: Rules = BRANCHWORK,
) -> JsonObject:
    """Return a `compaction` entry with the fields of the dialect (SF-4.2, CP-19).

    `first_kept_entry_id` None keeps nothing: the entry then names itself. Optional parts that are None are left out,
    and so are those that the dialect does not know (OMP: `usage`, `system_message`; Pi: `short_summary`,
    `preserve_data`).
    """
    fields: JsonObject = {"summary": summary}
    if dialect == "omp":
        _put(fields, "shortSummary", short_summary)
    fields["firstKeptEntryId"] = id if first_kept_entry_id is None else first_kept_entry_id
    fields["tokensBefore"] = tokens_before
    _put(fields, "details", details)
    if dialect == "pi":
        _put(fields, "usage", usage)
    _put_extension_mark(fields, dialect, from_extension, rules)
    if dialect == "omp":
        _put(fields, "preserveData", preserve_data)
    else:
        _put(fields, "systemMessage", system_message)
    return _entry("compaction", id, parent_id, timestamp, fields)


def new_branch_summary_entry(
    id: str,
    parent_id: str | None,
    timestamp: str,
    dialect: Dialect,
    *,
    from_id: str | None,
    summary: str,
    details: Any = _UNSET,
    usage: JsonObject | None = None,
    from_extension: bool | None = None,
    rules: Rules = BRANCHWORK,
) -> JsonObject:
    """Return a `branch_summary` entry (SF-4.3, TN-8).

    `from_id` is the leaf that was left, None when there was none. Optional parts that are None are left out, and
    `usage` is written in the Pi dialect only.
    """
    fields: JsonObject = {"fromId": "root" if from_id is None else from_id, "summary": summary}
    if details is None and rules.null_branch_details_written:
        fields["details"] = None
    elif details is not _UNSET:
        _put(fields, "details", details)
    if dialect == "pi":
        _put(fields, "usage", usage)
    _put_extension_mark(fields, dialect, from_extension, rules)
    return _entry("branch_summary", id, parent_id, timestamp, fields)


def new_custom_message_entry(
    id: str,
    parent_id: str | None,
    timestamp: str,
    dialect: Dialect,
    *,
    custom_type: str,
    content: str | list[Any],
    display: bool,
    details: Any = None,
    attribution: str | None = None,
    rules: Rules = BRANCHWORK,
) -> JsonObject:
    """Return a `custom_message` entry (SF-4.4); in the OMP dialect it is attributed to the agent unless said
    otherwise."""
    fields: JsonObject = {"customType": custom_type, "content": content, "display": display}
    _put(fields, "details", details)
    if dialect == "omp":
        fields["attribution"] = attribution or "agent"
    return _extension_entry("custom_message", id, parent_id, timestamp, fields, rules)


def new_custom_entry(
    id: str,
    parent_id: str | None,
    timestamp: str,
    dialect: Dialect,
    *,
    custom_type: str,
    data: Any = None,
    rules: Rules = BRANCHWORK,
) -> JsonObject:
    """Return a `custom` entry (SF-4.5); `data` None is left out."""
    fields: JsonObject = {"customType": custom_type}
    _put(fields, "data", data)
    return _extension_entry("custom", id, parent_id, timestamp, fields, rules)


def new_label_entry(
    id: str, parent_id: str | None, timestamp: str, dialect: Dialect, *, target_id: str, label: str | None
) -> JsonObject:
    """Return a `label` entry (SF-4.9); without a label, or with an empty one, it clears the label of the target."""
    fields: JsonObject = {"targetId": target_id}
    _put(fields, "label", label)
    return _entry("label", id, parent_id, timestamp, fields)


def new_session_info_entry(
    id: str, parent_id: str | None, timestamp: str, dialect: Dialect, *, name: str
) -> JsonObject:
    """Return a `session_info` entry (SF-4.10); line breaks in the name become blanks, white space around it goes."""
    return _entry("session_info", id, parent_id, timestamp, {"name": one_line(name)})


def new_context_edit_entry(
    id: str, parent_id: str | None, timestamp: str, dialect: Dialect, *, target_id: str, replacement: JsonObject | None
) -> JsonObject:
    """Return a `context_edit` entry (SF-4.11): `replacement` is None or `{"content": text or blocks}`."""
    return _entry("context_edit", id, parent_id, timestamp, {"targetId": target_id, "replacement": replacement})


def new_model_change_entry(
    id: str, parent_id: str | None, timestamp: str, dialect: Dialect, *, model: str, role: str | None = None
) -> JsonObject:
    """Return a `model_change` entry (SF-4.6). `model` is `provider/model id`; Pi knows no `role`."""
    if dialect == "omp":
        fields: JsonObject = {"model": model}
        _put(fields, "role", role)
    else:
        provider, _, model_id = model.partition("/")
        fields = {"provider": provider, "modelId": model_id}
    return _entry("model_change", id, parent_id, timestamp, fields)


def new_thinking_level_change_entry(
    id: str, parent_id: str | None, timestamp: str, dialect: Dialect, *, thinking_level: str | None
) -> JsonObject:
    """Return a `thinking_level_change` entry (SF-4.7); None means off, which OMP writes as null."""
    level = "off" if thinking_level is None and dialect == "pi" else thinking_level
    return _entry("thinking_level_change", id, parent_id, timestamp, {"thinkingLevel": level})


def new_usage_entry(
    id: str,
    parent_id: str | None,
    timestamp: str,
    dialect: Dialect,
    *,
    kind: str,
    provider: str,
    model: str,
    usage: JsonObject,
    note: str | None = None,
) -> JsonObject:
    """Return a `usage` entry of the Pi dialect (SF-4.8); an empty note is left out."""
    fields: JsonObject = {"kind": kind, "provider": provider, "model": model, "usage": usage}
    _put(fields, "note", note or None)
    return _entry("usage", id, parent_id, timestamp, fields)


def new_bookkeeping_entry(
    id: str, parent_id: str | None, timestamp: str, dialect: Dialect, *, type: str, fields: JsonObject
) -> JsonObject:
    """Return one of the OMP bookkeeping entries, with the fields of SF-4.12 in the order given."""
    return _entry(type, id, parent_id, timestamp, fields)


def one_line(text: str) -> str:
    """Return a name on one line: runs of line breaks become one blank, white space around it goes."""
    return re.sub(r"[\r\n]+", " ", text).strip()


def _entry(type: str, id: str, parent_id: str | None, timestamp: str, fields: JsonObject) -> JsonObject:
    return {"type": type, "id": id, "parentId": parent_id, "timestamp": timestamp, **fields}


def _extension_entry(
    type: str, id: str, parent_id: str | None, timestamp: str, fields: JsonObject, rules: Rules
) -> JsonObject:
    entry = _entry(type, id, parent_id, timestamp, fields)
    if not rules.extension_fields_lead:
        return entry
    return {name: entry[name] for name in ("type", *fields, "id", "parentId", "timestamp")}


def _put(fields: JsonObject, name: str, value: Any) -> None:
    if value is not None:
        fields[name] = value


def _put_extension_mark(fields: JsonObject, dialect: Dialect, from_extension: bool | None, rules: Rules) -> None:
    if from_extension or (from_extension is False and rules.false_extension_mark_written):
        fields["fromExtension" if dialect == "omp" else "fromHook"] = from_extension


def _without_keys(value: JsonObject, names: frozenset[str]) -> JsonObject:
    """A copy of a JSON object in which no object, however deep, has one of the keys."""
    copy: JsonObject = {}
    pending: list[tuple[Any, Any]] = [(value, copy)]
    while pending:
        source, target = pending.pop()
        items = source.items() if isinstance(source, dict) else enumerate(source)
        for key, item in items:
            if isinstance(source, dict) and key in names:
                continue
            part: Any = item
            if isinstance(item, dict | list):
                part = {} if isinstance(item, dict) else []
                pending.append((item, part))
            if isinstance(source, dict):
                target[key] = part
            else:
                target.append(part)
    return copy
