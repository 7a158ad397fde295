"""The session tree as the agents show it: flat rows, indented only where it branches (TN-12.1, TN-12.2).

The branch with the current leaf comes first everywhere. The children of a hidden entry attach to its nearest visible
ancestor. Iterative and linear.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from model.entries import entry_id
from model.json_text import JsonObject
from model.labels import Label, resolve_labels
from model.rules import BRANCHWORK, Rules
from model.tree import SessionTree
from model.tree_filters import FilterMode, is_visible, matches_search

Connector = Literal["", "├", "└"]


@dataclass(frozen=True, slots=True)
class TreeRow:
    """A visible entry; `row` is its place in the file, `indent` counts levels, the connector marks a branch's start."""

    row: int
    entry: JsonObject
    indent: int
    connector: Connector


@dataclass(frozen=True, slots=True)
class TreeView:
    """The visible rows from top to bottom, and the entry that is selected (None: nothing is visible)."""

    rows: tuple[TreeRow, ...]
    selected_id: str | None


def tree_view(
    tree: SessionTree,
    leaf_id: str | None,
    mode: FilterMode,
    *,
    search: str = "",
    folded: Iterable[str] = (),
    selected_id: str | None = None,
    rules: Rules = BRANCHWORK,
) -> TreeView:
    """Return the rows of a tree and the selection after opening it, searching in it and folding branches.

    The selection begins at `selected_id`, else at the leaf. Whenever it is hidden, it moves to the nearest visible
    ancestor, else to the last row. Everything below a `folded` entry is hidden.
    """
    ordered = _leaf_first_order(tree, tree.row_of(leaf_id))
    labels = resolve_labels(tree.entries)
    shown = [row for row in ordered if _passes(tree.entries[row], leaf_id, mode, labels, rules)]
    selected = _nearest(tree, shown, tree.row_of(leaf_id if selected_id is None else selected_id))
    found = [row for row in shown if matches_search(tree.entries[row], _label(tree.entries[row], labels), search)]
    selected = _nearest(tree, found, selected)
    below = _below(tree, ordered, frozenset(folded))
    unfolded = [row for row in found if row not in below]
    selected = _nearest(tree, unfolded, selected)
    rows = _indented(tree, unfolded, _visible_parents(tree, ordered, frozenset(unfolded)))
    return TreeView(tuple(rows), None if selected is None else entry_id(tree.entries[selected]))


def _leaf_first_order(tree: SessionTree, leaf: int | None) -> list[int]:
    """All rows depth first; of several children the one whose branch holds the leaf comes first."""
    active = frozenset(tree.path_rows(leaf))
    order: list[int] = []
    pending = sorted(tree.roots, key=lambda row: row not in active)[::-1]
    while pending:
        row = pending.pop()
        order.append(row)
        pending += sorted(tree.children(row), key=lambda child: child not in active)[::-1]
    return order


def _passes(entry: JsonObject, leaf_id: str | None, mode: FilterMode, labels: dict[str, Label], rules: Rules) -> bool:
    is_leaf = leaf_id is not None and entry_id(entry) == leaf_id
    return is_visible(entry, mode, labeled=_label(entry, labels) is not None, is_leaf=is_leaf, rules=rules)


def _label(entry: JsonObject, labels: dict[str, Label]) -> str | None:
    label = labels.get(entry_id(entry) or "")
    return None if label is None else label.text


def _below(tree: SessionTree, order: Sequence[int], folded: frozenset[str]) -> set[int]:
    """The rows below the folded entries."""
    below: set[int] = set()
    for row in order:
        parent = tree.parent(row)
        if parent is not None and (parent in below or entry_id(tree.entries[parent]) in folded):
            below.add(row)
    return below


def _nearest(tree: SessionTree, shown: Sequence[int], row: int | None) -> int | None:
    """The row itself or its nearest ancestor that is shown; failing that the last row."""
    visible = frozenset(shown)
    while row is not None and row not in visible:
        row = tree.parent(row)
    if row is not None:
        return row
    return shown[-1] if shown else None


def _visible_parents(tree: SessionTree, order: Sequence[int], visible: frozenset[int]) -> dict[int, int | None]:
    """The nearest ancestor that is shown, by row. `order` has every parent before its children."""
    parents: dict[int, int | None] = {}
    for row in order:
        parent = tree.parent(row)
        parents[row] = parent if parent is None or parent in visible else parents.get(parent)
    return parents


def _indented(tree: SessionTree, shown: Sequence[int], parents: dict[int, int | None]) -> list[TreeRow]:
    """The rows with indentation: one level deeper at a branch point, and once more behind the first entry of a
    branch."""
    children: dict[int | None, list[int]] = {}
    for row in shown:
        children.setdefault(parents[row], []).append(row)
    roots = children.get(None, [])
    outer = int(len(roots) > 1)  # several roots are the children of one that is not shown, and carry no connector
    levels: dict[int, tuple[int, Connector]] = {}
    pending = [(row, outer, outer > 0, False) for row in reversed(roots)]
    while pending:
        row, indent, starts_branch, is_last = pending.pop()
        connector: Connector = "" if not starts_branch or parents[row] is None else "└" if is_last else "├"
        levels[row] = (indent - outer, connector)
        below = children.get(row, [])
        branches = len(below) > 1
        deeper = indent + 1 if branches or (starts_branch and indent > 0) else indent
        pending += [(child, deeper, branches, place == 0) for place, child in enumerate(reversed(below))]
    return [TreeRow(row, tree.entries[row], *levels[row]) for row in shown]
