"""What two branches hold from their common ancestor on: messages, tokens, cost, files.

Source: tree-navigation spec, TN-3; compaction spec, CP-16; session-format spec, SF-12.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from model.context import entry_message
from model.entries import entry_type, message_of
from model.entry_index import EntryIndex
from model.entry_kinds import Role
from model.file_operations import (
    FileLists,
    FileOperations,
    compute_file_lists,
    operations_in_details,
    operations_in_messages,
)
from model.interruptions import interruptibly
from model.json_text import JsonObject
from model.messages import role_of
from model.rules import BRANCHWORK, Rules
from model.runs import NO_ROW, Rows
from model.session_graph import SessionGraph
from model.session_totals import SessionTotals, UsageTally
from model.timestamps import timestamp_ms
from model.token_estimates import estimate_tokens

_MOST_BEHIND_ANSWER: Final = 64  # entries; a turn rarely makes more calls at once

Use = Literal["read", "modified"]


@dataclass(frozen=True, slots=True)
class BranchFigures:
    """What a stretch of entries holds. `tokens` is the agents' estimate; `totals` is what was recorded as used.

    Times are Unix milliseconds, None where no entry tells one.
    """

    entries: int
    user_messages: int
    answers: int
    failed_answers: int
    tool_results: int
    summaries: int
    tokens: int
    totals: SessionTotals
    files: FileLists
    first_ms: int | None
    last_ms: int | None


@dataclass(frozen=True, slots=True)
class FileUse:
    """A file that one branch or both touched, and how each did: None where it did not."""

    path: str
    left: Use | None
    right: Use | None


@dataclass(frozen=True, slots=True)
class ForkedPaths:
    """Two paths behind their common ancestor, as entry rows; `ancestor` is -1 when they share no entry."""

    ancestor: int
    left: Rows
    right: Rows


def forked_paths(graph: SessionGraph, leaf: int, row: int) -> ForkedPaths:
    """Return the active path (to entry row `leaf`, -1: none) and the branch of entry `row` behind what they share.

    The branch goes through `row` on to where it ends, along heaviest children. The two part before or at `row`: when
    `row` is on the active path, or behind its end, one of them is empty.
    """
    runs = graph.runs
    ancestor = runs.common_ancestor(leaf, row)
    tip = row if ancestor == row else branch_tip(graph, row, NO_ROW)
    shared = 0 if ancestor == NO_ROW else len(runs.path(ancestor))
    return ForkedPaths(ancestor, runs.path(leaf)[shared:], runs.path(tip)[shared:])


def branch_tip(graph: SessionGraph, row: int, leaf: int) -> int:
    """Return where the branch of entry `row` ends: at `leaf` (-1: none) if that is behind it, else along heaviest
    children.
    """
    runs = graph.runs
    if leaf != NO_ROW and runs.common_ancestor(leaf, row) == row:
        return leaf
    run = int(runs.run_of[row])
    while (following := graph.continuation(run)) is not None:
        run = following
    return runs.tail(run)


def answer_at(index: EntryIndex, row: int) -> int | None:
    """Return the answer at `row`, or the one with whose tool results and book-keeping `row` stands; None for none.

    A branch that starts behind `row` may go on with more records of that answer.
    """
    for _step in range(_MOST_BEHIND_ANSWER):
        if row == NO_ROW:
            return None
        if index.role[row] == Role.ASSISTANT:
            return row
        if index.role[row] not in (Role.TOOL_RESULT, Role.NONE):
            return None
        row = int(index.parent[row])
    return None


def branch_figures(
    entries: Iterable[JsonObject], rules: Rules = BRANCHWORK, *, answer_above: JsonObject | None = None
) -> BranchFigures:
    """Return the figures of a stretch of entries, in one pass. O(size of the entries).

    A reply that several entries hold is counted once as used, and not at all when `answer_above`, the answer before the
    stretch, is a part of it.
    """
    counts = dict.fromkeys(("user", "assistant", "toolResult"), 0)
    total = failed = summaries = tokens = 0
    tally = UsageTally()
    if answer_above is not None:
        tally.leave_out(answer_above)
    operations: list[FileOperations] = []
    times: list[int] = []
    for entry in interruptibly(entries):
        total += 1
        message = message_of(entry)
        role = role_of(message)
        if role in counts:
            counts[role] += 1
        if role == "assistant" and message is not None and message.get("stopReason") in ("error", "aborted"):
            failed += 1
        if entry_type(entry) in ("compaction", "branch_summary"):
            summaries += 1
            operations.append(operations_in_details(entry, rules))
        if message is not None:
            operations.append(operations_in_messages([message], rules))
        produced = entry_message(entry, rules)
        if produced is not None:
            tokens += estimate_tokens(produced, rules)
        tally.add(entry)
        if (time := timestamp_ms(entry.get("timestamp"))) is not None:
            times = [min(time, *times[:1]), max(time, *times[1:])] if times else [time, time]
    return BranchFigures(
        entries=total,
        user_messages=counts["user"],
        answers=counts["assistant"],
        failed_answers=failed,
        tool_results=counts["toolResult"],
        summaries=summaries,
        tokens=tokens,
        totals=tally.totals,
        files=compute_file_lists(FileOperations.union(operations)),
        first_ms=times[0] if times else None,
        last_ms=times[1] if times else None,
    )


def compare_files(left: FileLists, right: FileLists) -> tuple[FileUse, ...]:
    """Return every file that either branch touched: first those that both modified, then by path."""
    uses: dict[str, list[Use | None]] = {}
    for side, lists in enumerate((left, right)):
        named: tuple[tuple[Use, tuple[str, ...]], ...] = (
            ("read", lists.read_files),
            ("modified", lists.modified_files),
        )
        for use, paths in named:
            for path in paths:
                uses.setdefault(path, [None, None])[side] = use
    found = [FileUse(path, both[0], both[1]) for path, both in uses.items()]
    return tuple(sorted(found, key=lambda file: ((file.left, file.right) != ("modified", "modified"), file.path)))
