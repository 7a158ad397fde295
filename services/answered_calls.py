"""Which tool call a tool result answers: the call stands in an answer a few entries before it."""

from __future__ import annotations

from typing import Final

from model.entries import message_of
from model.entry_index import EntryIndex
from model.entry_kinds import Role
from model.entry_preview import tool_calls
from model.json_text import JsonObject
from services.session_store import SessionStore

SEARCHED_ENTRIES: Final = 64  # before a result; a turn rarely makes more calls at once


def answered_call(store: SessionStore, index: EntryIndex, row: int) -> JsonObject | None:
    """Return the call that the tool result at entry `row` answers, None when it isn't found near by.

    Other rows have none. Decodes the answers on the way.
    """
    if index.role[row] != Role.TOOL_RESULT:
        return None
    call_id = (message_of(store.entry(row, index)) or {}).get("toolCallId")
    parent = int(index.parent[row])
    for _step in range(SEARCHED_ENTRIES):
        if parent < 0:
            return None
        if index.role[parent] == Role.ASSISTANT:
            calls = tool_calls(message_of(store.entry(parent, index)) or {})
            if (found := next((call for call in calls if call.get("id") == call_id), None)) is not None:
                return found
        elif index.role[parent] == Role.USER:
            return None
        parent = int(index.parent[parent])
    return None
