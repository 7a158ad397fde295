"""The lines of the map as paths that are painted piece by piece; made on a worker, once a layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath

from model.map_layout import MapLayout
from model.runs import Rows

RUNS_IN_A_PIECE = 64
LANES_IN_A_PIECE = 16
LONGEST_BEND = 2.0  # steps
BISECTIONS = 20


@dataclass(frozen=True, slots=True)
class Piece:
    """Some lines that lie near each other, and the place that they take."""

    path: QPainterPath
    bounds: QRectF
    run_count: int = 1


@dataclass(frozen=True, slots=True)
class Marks:
    """Entry rows to point out: compactions, and for each branch summary the leaf that it came from and itself."""

    compactions: Sequence[int] = ()
    links: Sequence[tuple[int, int]] = ()


@dataclass(frozen=True, slots=True)
class MapPicture:
    """All that the map shows of one layout; across, a lane is 1 high."""

    layout: MapLayout
    branches: Sequence[Piece]
    path: QPainterPath
    links: QPainterPath
    forks: Sequence[QPointF]
    """Branch points on the active path."""
    compactions: Sequence[QPointF]
    marks: Marks
    order: Rows
    """The runs in the order in which the map is read aloud: the active path, then what forks off, from the start."""
    reading_place: Rows
    """For each run its place in that order."""

    @classmethod
    def of(cls, layout: MapLayout, marks: Marks) -> MapPicture:
        """Draw `layout`. O(runs)."""
        on_path = np.zeros(len(layout.lane), np.bool_)
        on_path[list(layout.path_runs)] = True
        forked = np.flatnonzero(~on_path)
        order = forked[np.lexsort((layout.start[forked], layout.lane[forked] // LANES_IN_A_PIECE))]
        pieces = [order[at : at + RUNS_IN_A_PIECE] for at in range(0, len(order), RUNS_IN_A_PIECE)]
        path = QPainterPath()
        if layout.path_runs:
            path.moveTo(0, 0)
            path.lineTo(layout.leaf_step, 0)
        rest = QPainterPath()
        if layout.path_runs and layout.leaf_step < (end := float(layout.end[layout.path_runs[-1]])):
            rest.moveTo(layout.leaf_step, 0)
            rest.lineTo(end, 0)
        forks = [QPointF(layout.end[run], 0) for run in layout.path_runs[:-1]]
        from_start = forked[np.lexsort((layout.lane[forked], layout.start[forked]))]
        reading = np.concatenate((layout.path_runs, from_start)).astype(np.int32)
        return cls(
            layout,
            [*(_piece(layout, piece.tolist()) for piece in pieces), Piece(rest, rest.boundingRect())],
            path,
            _links(layout, marks.links),
            forks,
            [_point(layout, row) for row in marks.compactions],
            marks,
            reading,
            np.argsort(reading).astype(np.int32),
        )


def place_of(layout: MapLayout, row: int) -> tuple[float, float]:
    """Return step and lane of an entry row, on the bend of its line where that has not reached its lane yet."""
    run = int(layout.graph.runs.run_of[row])
    step = float(layout.steps(np.array([row]))[0])
    start, from_lane, lane = float(layout.start[run]), float(layout.from_lane[run]), float(layout.lane[run])
    share = (step - start) / max(_bend(layout, run), 1e-9)
    if from_lane == lane or share >= 1:
        return step, lane
    # The bend is a cubic curve: its x is 1.5u(1-u) + u³ of the bend's length, its y 3u² - 2u³ of the way across.
    low, high = 0.0, 1.0
    for _ in range(BISECTIONS):
        u = (low + high) / 2
        low, high = (u, high) if 1.5 * u * (1 - u) + u**3 < share else (low, u)
    return step, from_lane + (lane - from_lane) * (3 * low**2 - 2 * low**3)


def _point(layout: MapLayout, row: int) -> QPointF:
    return QPointF(*place_of(layout, row))


def _bend(layout: MapLayout, run: int) -> float:
    """Steps in which a branch leaves the line that it forks off."""
    return min(LONGEST_BEND, float(layout.end[run] - layout.start[run]) * 0.7)


def _piece(layout: MapLayout, runs: Sequence[int]) -> Piece:
    path = QPainterPath()
    for run in runs:
        start, end = float(layout.start[run]), float(layout.end[run])
        from_lane, lane = float(layout.from_lane[run]), float(layout.lane[run])
        path.moveTo(start, from_lane)
        if from_lane != lane:
            bend = _bend(layout, run)
            path.cubicTo(start + bend / 2, from_lane, start + bend / 2, lane, start + bend, lane)
        path.lineTo(end, lane)
    return Piece(path, path.boundingRect(), len(runs))


def _links(layout: MapLayout, links: Sequence[tuple[int, int]]) -> QPainterPath:
    path = QPainterPath()
    for old_leaf, summary in links:
        start, end = _point(layout, old_leaf), _point(layout, summary)
        middle = (start.x() + end.x()) / 2
        path.moveTo(start)
        if start.y() == end.y():  # along one line: go round it
            path.quadTo(middle, start.y() - 0.6, end.x(), end.y())
        else:
            path.cubicTo(middle, start.y(), middle, end.y(), end.x(), end.y())
    return path
