"""Which tool call a result answers and which result answers a call: by the id of the call, wherever they stand.

Results mostly follow their call, but agents have also saved them before it. Only entries of one branch are a pair.
Source: session-format spec, SF-5.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from model.entries import message_of
from model.entry_index import EntryIndex
from model.entry_kinds import Role
from model.entry_preview import tool_calls
from model.interruptions import interruptibly
from model.json_text import JsonObject
from model.runs import Runs
from services.session_store import SessionStore

SEARCHED_ROWS: Final = 4096  # of the file before and behind an entry
SEARCHED_ENTRIES: Final = 128  # of those that are decoded, on each side


class Pair(NamedTuple):
    """The other half of a pair: its entry row, and its block (a call) or message (a result)."""

    row: int
    part: JsonObject


def call_of(store: SessionStore, index: EntryIndex, runs: Runs, row: int) -> Pair | None:
    """Return the call that the tool result at `row` answers. Decodes answers near by; call it on a worker."""
    call_id = (message_of(store.entry(row, index)) or {}).get("toolCallId")
    if index.role[row] != Role.TOOL_RESULT or not isinstance(call_id, str):
        return None
    for other in _near(index, runs, row, Role.ASSISTANT, backward_first=True):
        for call in tool_calls(message_of(store.entry(other, index)) or {}):
            if call.get("id") == call_id:
                return Pair(other, call)
    return None


def results_of(store: SessionStore, index: EntryIndex, runs: Runs, row: int) -> dict[str, Pair]:
    """Return the results of the calls in the answer at `row`, by the id of the call; the nearest of each.

    Decodes results near by, so call it on a worker. Interruptible.
    """
    calls = tool_calls(message_of(store.entry(row, index)) or {})
    wanted = {call_id for call in calls if isinstance(call_id := call.get("id"), str)}
    found: dict[str, Pair] = {}
    if index.role[row] != Role.ASSISTANT or not wanted:
        return found
    for other in interruptibly(_near(index, runs, row, Role.TOOL_RESULT, backward_first=False), each=1):
        message = message_of(store.entry(other, index)) or {}
        call_id = message.get("toolCallId")
        if isinstance(call_id, str) and call_id in wanted and call_id not in found:
            answered = call_of(store, index, runs, other)  # ids may repeat: it may answer a nearer call
            if answered is not None and answered.row == row:
                found[call_id] = Pair(other, message)
                if len(found) == len(wanted):
                    break
    return found


def _near(index: EntryIndex, runs: Runs, row: int, role: Role, *, backward_first: bool) -> Iterator[int]:
    """The entries of a role on the same branch, near ones first."""
    start, end = max(0, row - SEARCHED_ROWS), min(index.count, row + 1 + SEARCHED_ROWS)
    before = range(row - 1, start - 1, -1)
    behind = range(row + 1, end)
    for rows in (before, behind) if backward_first else (behind, before):
        count = 0
        roles = (
            index.role[rows.start : rows.stop] if rows.step > 0 else index.role[rows.stop + 1 : rows.start + 1][::-1]
        )
        for place in (roles == role).nonzero()[0].tolist():
            other = rows[place]
            if not (runs.is_ancestor(other, row) or runs.is_ancestor(row, other)):
                continue
            yield other
            count += 1
            if count >= SEARCHED_ENTRIES:
                break
