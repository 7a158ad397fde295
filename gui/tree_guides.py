"""The lines before the rows of the tree: the spine, the guides of branches, the active path along them, fold marks.

All levels share one strip before the text, so that the text of all rows starts at the same place. Of more levels than
the strip has room for, those around the current row are shown.
"""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QPen

from gui.entry_delegate import color
from gui.row_content import RowContent
from gui.theme import current_theme
from model.outline import Outline
from model.runs import NO_ROW

GUTTER_WIDTH = 5
SPINE_X = GUTTER_WIDTH + 6.0
MOST_LEVELS = 6
STEP = 0.85  # of the height of a line of text


class Guides:
    """Where the levels are, in pixels from the start of the strip, and how the lines of a row are drawn."""

    def __init__(self) -> None:
        self._unit = 16
        self._deepest = 0
        self._first = 0

    @property
    def lead(self) -> int:
        """Width of the strip."""
        return round(SPINE_X + 7 + self._step * min(self._deepest, MOST_LEVELS))

    @property
    def are_too_few(self) -> bool:
        """Whether there are more levels than can be shown at once."""
        return self._deepest > MOST_LEVELS

    @property
    def first_level(self) -> int:
        """The level whose fold marks are shown first."""
        return self._first

    def use_unit(self, unit: int) -> None:
        """Follow a font whose lines are `unit` pixels high."""
        self._unit = unit

    def make_room(self, deepest: int) -> None:
        """Make room for rows with `deepest` rows around them."""
        self._deepest = deepest
        self._first = min(self._first, max(0, deepest - MOST_LEVELS))

    def follow(self, level: int) -> bool:
        """Show the level of a row with `level` rows around it, and the one around it; True when others are shown."""
        before = self._first
        if level <= self._first:
            self._first = max(0, level - 1)
        elif level >= self._first + MOST_LEVELS:
            self._first = level - MOST_LEVELS + 1
        self._first = min(self._first, max(0, self._deepest - MOST_LEVELS))
        return self._first != before

    def is_fold_mark(self, x: float, level: int) -> bool:
        """Return whether the fold mark of a row with `level` rows around it is at `x`."""
        return abs(x - self._fold_mark_x(level)) <= max(self._step / 2, self._unit * 0.6)

    def paint(
        self,
        painter: QPainter,
        strip: QRect,
        row: int,
        outline: Outline,
        content: RowContent,
        *,
        is_folded: bool | None,
    ) -> None:
        """Draw the lines of entry `row` into `strip`; `is_folded` is None for a row without rows below."""
        top, bottom, middle = strip.top(), strip.bottom() + 1, strip.top() + strip.height() / 2
        left = strip.left()
        active: list[QLineF] = []
        quiet: list[QLineF] = []
        owner, position = int(outline.owner[row]), int(outline.position[row])
        level = self._level(outline, row)
        depth, is_own = level, True
        node_x = left + SPINE_X
        while True:
            group = outline.group(owner)
            last = 0 if group is None else len(group) - 1
            until = outline.active_until.get(owner, NO_ROW)
            x = self._line_x(depth)
            starts = depth > 0 or position > outline.spine_start
            goes_on = position < last and (depth > 0 or position >= outline.spine_start)
            if x is not None:
                x += left
                if is_own:
                    node_x = x
                    if starts and goes_on and position > until:
                        quiet.append(QLineF(x, top, x, bottom))
                    elif starts and goes_on and position < until:
                        active.append(QLineF(x, top, x, bottom))
                    else:
                        if starts:
                            (active if position <= until else quiet).append(QLineF(x, top, x, middle))
                        if goes_on:
                            (active if position < until else quiet).append(QLineF(x, middle, x, bottom))
                elif goes_on:
                    (active if position < until else quiet).append(QLineF(x, top, x, bottom))
            if owner < 0:
                break
            is_own = False
            depth -= 1
            position, owner = int(outline.position[owner]), int(outline.owner[owner])
        mark_x = left + self._fold_mark_x(level)
        if level and self._line_x(level) is not None:
            end = mark_x - self._unit / 3 if is_folded is not None else left + self.lead - 2
            if content.hides is not None:
                (active if content.on_trunk else quiet).append(QLineF(node_x, middle, end, middle))
        theme = current_theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if quiet:
            painter.setPen(QPen(color(theme.muted), 1.0, c=Qt.PenCapStyle.FlatCap))
            painter.drawLines(quiet)
        if active:
            painter.setPen(QPen(color(theme.accent), 2.0, c=Qt.PenCapStyle.FlatCap))
            painter.drawLines(active)
        if content.is_leaf:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color(theme.accent))
            painter.drawEllipse(QPointF(node_x, middle), 4.0, 4.0)
        if is_folded is not None:
            self._paint_fold_mark(painter, QPointF(mark_x, middle), folded=is_folded)

    def _paint_fold_mark(self, painter: QPainter, centre: QPointF, *, folded: bool) -> None:
        size = self._unit / 4.5
        painter.setPen(QPen(color(current_theme().muted), 1.5, c=Qt.PenCapStyle.RoundCap, j=Qt.PenJoinStyle.RoundJoin))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if folded:
            points = [QPointF(-size / 2, -size), QPointF(size / 2, 0), QPointF(-size / 2, size)]
        else:
            points = [QPointF(-size, -size / 2), QPointF(0, size / 2), QPointF(size, -size / 2)]
        painter.drawPolyline([centre + point for point in points])

    def _level(self, outline: Outline, row: int) -> int:
        level, owner = 0, int(outline.owner[row])
        while owner >= 0:
            level, owner = level + 1, int(outline.owner[owner])
        return level

    @property
    def _step(self) -> float:
        return self._unit * STEP

    def _line_x(self, depth: int) -> float | None:
        """Where the line of the rows with `depth` rows around them runs: below the fold marks of the level before."""
        if depth == 0:
            return SPINE_X
        return self._column_x(depth - 1) if self._first <= depth - 1 < self._first + MOST_LEVELS else None

    def _fold_mark_x(self, level: int) -> float:
        return self._column_x(min(max(level, self._first), self._first + MOST_LEVELS - 1))

    def _column_x(self, level: int) -> float:
        return SPINE_X + 5 + self._step * (level - self._first + 0.5)
