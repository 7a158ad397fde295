"""The tree of a session as JSON, and as lines for people.

For people it is the window's outline: the active path is the trunk, every other branch stands under the entry where it
forks, so that the indentation counts forks and never entries.
"""

from collections.abc import Iterator
from typing import Final

from gui.command_line.text_layout import Column, count_of, facts, safe_line, table
from model.column_filters import visible_rows
from model.entries import entry_type, message_of
from model.entry_index import INVALID_TIME, EntryIndex
from model.entry_kinds import NAME_OF_ROLE, TYPE_OF_KIND, Kind, Role
from model.entry_preview import entry_preview
from model.interruptions import interruptibly
from model.json_text import JsonObject
from model.messages import role_of
from model.outline import Outline
from model.runs import NO_ROW, Runs
from model.session_graph import SessionGraph
from model.timestamps import iso_timestamp
from model.tree_filters import FilterMode
from services.answered_calls import answered_call
from services.cancellation import CancellationToken
from services.session_store import SessionStore

LEAF_MARK: Final = "●"
PATH_MARK: Final = "│"
_BRANCH_START: Final = "├─"
_BRANCH: Final = "│ "
_CHECK_EVERY: Final = 1024


def session_graph(index: EntryIndex) -> SessionGraph:
    """Return the forest of a session."""
    return SessionGraph(Runs(index.parent), index.time_ms, index.estimate)


def tree_json(store: SessionStore) -> JsonObject:
    """Return all entries in file order with their children oldest first (TN-1). Interruptible."""
    index = store.index
    graph = session_graph(index)
    ids = [index.id_of(row) for row in range(index.count)]
    entries = []
    for row in interruptibly(range(index.count)):
        kind, role = _kind_and_role(store, index, row)
        time = int(index.time_ms[row])
        parent = int(index.parent[row])
        entry: JsonObject = {"id": ids[row], "parentId": ids[parent] if parent >= 0 else None, "type": kind}
        if role is not None:
            entry["role"] = role
        if row in store.labels:
            entry["label"] = store.labels[row]
        entry["children"] = [ids[child] for child in _children(graph, row)]
        entry["timestamp"] = None if time == INVALID_TIME else iso_timestamp(time)
        entry["tokens"] = max(0, int(index.estimate[row]))
        entries.append(entry)
    return {
        "leafId": ids[-1] if ids else None,
        "roots": [ids[int(graph.runs.heads[run])] for run in graph.children(None)],
        "entries": entries,
    }


def tree_lines(store: SessionStore, mode: FilterMode, width: int | None, token: CancellationToken) -> Iterator[str]:
    """Yield the tree for people: one line an entry that filter `mode` shows. Raises OperationCancelled."""
    index = store.index
    graph = session_graph(index)
    leaf = index.count - 1
    outline = Outline(graph, leaf, visible_rows(index, mode, leaf=leaf, labeled=store.labels))
    on_path = set(outline.trunk.tolist())
    rows = []
    for place, (row, level) in enumerate(outline_order(outline)):
        if place % _CHECK_EVERY == 0:
            token.raise_if_set()
        is_head = row in outline.hides
        branch = _BRANCH * (level - 1) + (_BRANCH_START if is_head else _BRANCH) if level else ""
        mark = LEAF_MARK if row == outline.shown_leaf else PATH_MARK if row in on_path else " "
        preview = entry_preview(store.entry(row, index), answered_call(store, index, row), store.cwd or "")
        label = f"[{safe_line(store.labels[row])}] " if row in store.labels else ""
        tokens = int(index.estimate[row])
        rows.append(
            (f"{mark} {index.id_of(row)}", f"{tokens:,}" if tokens > 0 else "",
             f"{branch}{safe_line(preview.name)}: {label}{safe_line(preview.text)}")
        )  # fmt: skip
    branches = sum(1 for run in range(len(graph.runs)) if not graph.runs.children[run])
    yield from facts(
        [
            ("Session", store.session_name or store.session_id),
            ("Entries", f"{count_of(index.count, 'entry', 'entries')}, {count_of(branches, 'branch', 'branches')}"),
            ("Leaf", index.id_of(leaf) if index.count else None),
        ]
    )
    yield ""
    yield from table([Column("  Entry"), Column("Tokens", right=True), Column("Text")], rows, width)


def outline_order(outline: Outline) -> Iterator[tuple[int, int]]:
    """Yield the entry rows of an outline from top to bottom, each with its level: how many forks it lies behind."""
    pending = [(int(row), 0) for row in reversed(_group(outline, NO_ROW))]
    while pending:
        row, level = pending.pop()
        yield row, level
        pending += [(below, level + 1 if below in outline.hides else level) for below in reversed(_group(outline, row))]


def _group(outline: Outline, owner: int) -> list[int]:
    rows = outline.group(owner)
    return [] if rows is None else rows.tolist()


def _children(graph: SessionGraph, row: int) -> list[int]:
    run = int(graph.runs.run_of[row])
    if graph.runs.tail(run) == row:
        return [int(graph.runs.heads[child]) for child in graph.children(run)]
    return [int(graph.runs.rows(run)[int(graph.runs.place[row]) + 1])]


def _kind_and_role(store: SessionStore, index: EntryIndex, row: int) -> tuple[str | None, str | None]:
    """Type and role of an entry; what the columns don't name is read from its line."""
    kind, role = int(index.kind[row]), int(index.role[row])
    if kind == Kind.UNKNOWN or role == Role.UNKNOWN:
        entry = store.entry(row, index)
        return entry_type(entry), role_of(message_of(entry))
    return TYPE_OF_KIND[Kind(kind)], NAME_OF_ROLE.get(Role(role))
