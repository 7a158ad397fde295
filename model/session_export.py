"""A session as a document for reading: which branches it has, in which order, and what is said about each entry.

The active path comes first, whole; then every other branch as a part of its own, each behind the one that it forks off.
So no part is nested in another, however often a session forks. Source: tree-navigation spec, TN-1 and TN-12.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from model.entries import message_of
from model.entry_index import EntryIndex
from model.entry_preview import EntryPreview, entry_preview
from model.entry_text import TextSection, entry_sections
from model.interruptions import interruptibly
from model.json_text import JsonObject
from model.messages import content_blocks
from model.outline import Outline
from model.runs import NO_ROW, Runs
from model.session_graph import SessionGraph

SHOWN_IMAGES: Final = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""Types of images that can hold nothing but an image."""


@dataclass(frozen=True, slots=True)
class ExportBranch:
    """A stretch of entries from behind `fork_row` (NO_ROW: the beginning) to a leaf; number 0 is the active path."""

    number: int
    rows: tuple[int, ...]
    fork_row: int = NO_ROW


@dataclass(frozen=True, slots=True)
class ExportPlan:
    """What of a session goes into an export, and in which order. `leaf` is an entry row, NO_ROW in an empty session."""

    index: EntryIndex
    leaf: int
    branches: tuple[ExportBranch, ...]
    all_branches: bool
    forks: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """For each entry row behind which other branches start their numbers."""

    @property
    def rows(self) -> Iterator[int]:
        """All entry rows of the export, in its order."""
        return (row for branch in self.branches for row in branch.rows)

    @property
    def entry_count(self) -> int:
        """How many entries the export has."""
        return sum(len(branch.rows) for branch in self.branches)

    @property
    def active_rows(self) -> frozenset[int]:
        """The entry rows of the active path."""
        return frozenset(self.branches[0].rows) if self.branches else frozenset()


def plan_export(index: EntryIndex, leaf: int, *, all_branches: bool) -> ExportPlan:
    """Return the plan of an export with the leaf at an entry row: of its branch only, or of all. O(entries)."""
    runs = Runs(index.parent)
    if not all_branches:
        path = tuple(runs.path(leaf).tolist())
        return ExportPlan(index, leaf, (ExportBranch(0, path),) if path else (), all_branches=False)
    graph = SessionGraph(runs, index.time_ms, index.estimate)
    outline = Outline(graph, leaf, np.ones(index.count, np.bool_))
    branches: list[ExportBranch] = []
    forks: dict[int, list[int]] = {}
    trunk = tuple(outline.trunk.tolist())
    if trunk:
        branches.append(ExportBranch(0, trunk))
    pending = _heads(outline, NO_ROW, trunk)[::-1]
    while pending:
        head = pending.pop()
        rows = (head, *(row for row in interruptibly(_group(outline, head)) if row not in outline.hides))
        fork = int(index.parent[head])
        branches.append(ExportBranch(len(branches), rows, fork))
        if fork != NO_ROW:
            forks.setdefault(fork, []).append(branches[-1].number)
        pending += _heads(outline, head, rows)[::-1]
    return ExportPlan(index, leaf, tuple(branches), True, {row: tuple(numbers) for row, numbers in forks.items()})


def _heads(outline: Outline, owner: int, rows: Iterable[int]) -> list[int]:
    """The branch heads under `owner` and under `rows` that belong to it, in the order of their forks."""
    found = [row for row in _group(outline, owner) if row in outline.hides]
    found += [
        head for row in interruptibly(rows) if row != owner for head in _group(outline, row) if head in outline.hides
    ]
    return found


def _group(outline: Outline, owner: int) -> list[int]:
    rows = outline.group(owner)
    return [] if rows is None else [int(row) for row in rows]


@dataclass(frozen=True, slots=True)
class ExportedEntry:
    """An entry as an export shows it. `time_ms` is None when the entry has no time that is a date."""

    row: int
    entry_id: str
    entry: JsonObject
    preview: EntryPreview
    sections: tuple[TextSection, ...]
    images: tuple[JsonObject, ...]
    time_ms: int | None
    tokens: int
    label: str | None = None
    is_leaf: bool = False
    forks: tuple[int, ...] = ()

    @property
    def is_quiet(self) -> bool:
        """Whether one line says everything: settings and other book-keeping."""
        return self.preview.speaker in ("setting", "label")

    @property
    def is_summary(self) -> bool:
        """Whether its text is a summary of other entries."""
        return self.preview.speaker in ("compaction", "branch")


def exported_entry(
    row: int,
    entry_id: str,
    entry: JsonObject,
    *,
    time_ms: int | None,
    tokens: int,
    label: str | None,
    is_leaf: bool,
    forks: tuple[int, ...],
) -> ExportedEntry:
    """Return what an export shows of an entry; images stand apart from the texts."""
    sections = tuple(section for section in entry_sections(entry) if section.title != "Image")
    return ExportedEntry(
        row, entry_id, entry, entry_preview(entry), sections, tuple(images_of(entry)), time_ms, tokens, label,
        is_leaf, forks,
    )  # fmt: skip


def images_of(entry: JsonObject) -> Sequence[JsonObject]:
    """Return the image blocks of an entry."""
    message = message_of(entry) or entry
    blocks = [block for block in content_blocks(message.get("content")) if block.get("type") == "image"]
    files = [file.get("image") for file in content_blocks(message.get("files"))]
    return [*blocks, *(image for image in files if isinstance(image, dict))]


def without_image_data(entry: JsonObject) -> JsonObject:
    """Return an entry whose image blocks are empty; the same object when it has none."""
    return replaced_values(entry, lambda _key, text: text, drop_images=True) if images_of(entry) else entry


def replaced_values(value: JsonObject, replace: Callable[[str, str], str], *, drop_images: bool = False) -> JsonObject:
    """Return a copy of a JSON object in which each text is what `replace(key, text)` gives for it.

    `key` is the name of the member that the text stands in, "" in a list. The data of images is not touched, or with
    `drop_images` left empty. Iterative, so depth is not limited.
    """
    copy: JsonObject = {}
    pending: list[tuple[Any, Any, bool]] = [(value, copy, False)]
    while pending:
        source, target, is_image = pending.pop()
        for key, item in source.items() if isinstance(source, dict) else enumerate(source):
            name = key if isinstance(key, str) else ""
            part: Any = item
            if isinstance(item, dict | list):
                part = {} if isinstance(item, dict) else []
                pending.append((item, part, isinstance(item, dict) and item.get("type") == "image"))
            elif isinstance(item, str) and is_image and name == "data":
                part = "" if drop_images else item
            elif isinstance(item, str):
                part = replace(name, item)
            if isinstance(source, dict):
                target[key] = part
            else:
                target.append(part)
    return copy
