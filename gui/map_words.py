"""What the map says: at the pointer, and line by line for who cannot see it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QCoreApplication

from gui.map_picture import MapPicture
from gui.number_text import full_count, short_count
from gui.row_content import entries_text
from gui.session_rows import SessionRows

translate = QCoreApplication.translate

LONGEST_QUOTE = 80  # characters of an entry
MOST_NAMED = 4  # branches that fork at one entry


class MapWords:
    """The words for one picture; `rows` tells what entries say, where it is known."""

    def __init__(self, picture: MapPicture, rows: SessionRows | None) -> None:
        self._picture = picture
        self._layout = picture.layout
        self._graph = picture.layout.graph
        self._runs = picture.layout.graph.runs
        self._rows = rows

    def summary(self) -> str:
        """Return what the map as a whole shows, and its keys."""
        text = translate(
            "MapWords",
            "Branches: {0}. Compactions: {1}. Arrow keys go from branch to branch, Home to the first entry, End to the "
            "current position, Enter to the tree; plus and minus zoom.",
        )
        branches = max(0, len(self._layout.lane) - len(self._layout.path_runs))
        return text.format(full_count(branches), full_count(len(self._picture.marks.compactions)))

    def tip(self, run: int) -> str:
        """Return what is said at the pointer."""
        if run >= len(self._runs):
            return ""
        extent, length = self._graph.extent(run), self._runs.length(run)
        parts = [entries_text(length)]
        if extent.entries > length:
            parts.append(translate("MapWords", "{0} with all that follows").format(entries_text(extent.entries)))
        if extent.tokens:
            parts.append(translate("MapWords", "{0} tokens").format(short_count(extent.tokens)))
        return " · ".join(parts)

    def line(self, run: int, row: int | None) -> str:
        """Return all that the line of `run` shows; `row` is the selected entry."""
        rows = self._runs.rows(run)
        tokens = int(np.maximum(self._graph.estimate[rows], 0).sum())
        parts = [
            self._name(run) if self._is_on_path(run) else self._branch_title(run),
            entries_text(len(rows)),
            translate("MapWords", "{0} tokens").format(short_count(tokens)) if tokens else "",
            translate("MapWords", "the current position is in it") if self._holds(run, self._layout.leaf) else "",
            self._start(run),
            translate("MapWords", "begins with {0}").format(self._quote(int(rows[0]))),
            self._end(run),
            *self._marks(run),
        ]
        if row is not None and self._holds(run, row):
            parts.append(translate("MapWords", "selected: {0}").format(self.entry(row)))
        return ", ".join(filter(None, parts))

    def entry(self, row: int) -> str:
        """Return which entry of its line `row` is, and what it says."""
        count = self._runs.length(int(self._runs.run_of[row]))
        text = translate("MapWords", "entry {0} of {1}, {2}")
        return text.format(full_count(int(self._runs.place[row]) + 1), full_count(count), self._quote(row))

    # Parts

    def _name(self, run: int) -> str:
        path = self._layout.path_runs
        number = int(self._picture.reading_place[run]) + 1
        if number > len(path):
            return translate("MapWords", "branch {0}").format(full_count(number - len(path)))
        if len(path) == 1:
            return translate("MapWords", "active path")
        return translate("MapWords", "active path, part {0} of {1}").format(full_count(number), full_count(len(path)))

    def _branch_title(self, run: int) -> str:
        path_count = len(self._layout.path_runs)
        number = int(self._picture.reading_place[run]) + 1 - path_count
        text = translate("MapWords", "branch {0} of {1}, not on the active path")
        return text.format(full_count(number), full_count(len(self._picture.order) - path_count))

    def _start(self, run: int) -> str:
        above = self._runs.parent_run(run)
        if above is None:
            return translate("MapWords", "starts at the root")
        if self._is_on_path(run):
            return ""
        text = translate("MapWords", "forks from {0} after {1}")
        return text.format(self._name(above), self._quote(self._runs.tail(above)))

    def _end(self, run: int) -> str:
        children = self._graph.children(run)
        if not children:
            return translate("MapWords", "nothing follows")
        others = [child for child in children if not self._is_on_path(child)]
        names = [self._name(child) for child in others[:MOST_NAMED]]
        if len(others) > MOST_NAMED:
            names.append(translate("MapWords", "{0} more").format(full_count(len(others) - MOST_NAMED)))
        if len(others) == len(children):
            return translate("MapWords", "goes on in {0}").format(", ".join(names))
        return translate("MapWords", "side branches at its end: {0}").format(", ".join(names))

    def _marks(self, run: int) -> list[str]:
        parts = []
        if count := sum(self._holds(run, row) for row in self._picture.marks.compactions):
            parts.append(translate("MapWords", "compactions in it: {0}").format(full_count(count)))
        for old_leaf, summary in self._picture.marks.links:
            if self._holds(run, summary):
                came_from = self._name(int(self._runs.run_of[old_leaf]))
                parts.append(translate("MapWords", "holds a summary of {0}").format(came_from))
        return parts

    def _quote(self, row: int) -> str:
        if self._rows is None:
            return translate("MapWords", "an entry")
        content = self._rows.content(row)
        text = content.preview.text
        shown = text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "…"
        return f"{content.name}: {shown}"

    def _is_on_path(self, run: int) -> bool:
        return int(self._picture.reading_place[run]) < len(self._layout.path_runs)

    def _holds(self, run: int, row: int) -> bool:
        return 0 <= row < len(self._runs.run_of) and int(self._runs.run_of[row]) == run
