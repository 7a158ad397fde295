"""The chart of the *Timeline* tab: context size along the active path, painted by hand.

One chart is a hundred lines; a plotting library would cost a quarter of a second at its import and follow neither the
theme nor the reading direction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QLocale, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui.accessible_places import AccessiblePlaces
from gui.number_text import full_count, short_count
from gui.theme import Theme, current_theme
from model.context_timeline import CompactionMark, ContextTimeline, Tokens, axis_steps, envelope

MOST_STEPS = 5
MARGIN = 10.0
TRIANGLE = 5.0
DOT = 3.0
RING = 9.0  # radius of the mark of the keyboard's place
PAGE = 10  # Page Up and Page Down go over such a share of the path
LINE_WIDTH = 1.6
HAIRLINE = 0.0  # a pixel of the device: many times as fast as wider lines
DOTTED = Qt.PenStyle.DotLine
IN_THE_MIDDLE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute


@dataclass(frozen=True, slots=True)
class _Axes:
    """Where places and tokens lie in the widget."""

    plot: QRectF
    count: int
    top: float
    mirrored: bool

    def x(self, place: float) -> float:
        share = (place + 0.5) / max(1, self.count)
        return (
            self.plot.right() - share * self.plot.width()
            if self.mirrored
            else self.plot.left() + share * self.plot.width()
        )

    def y(self, tokens: float) -> float:
        return self.plot.bottom() - tokens / max(self.top, 1e-9) * self.plot.height()

    def place(self, x: float) -> int:
        share = (x - self.plot.left()) / max(1.0, self.plot.width())
        return min(self.count - 1, max(0, math.floor((1 - share if self.mirrored else share) * self.count)))


class TimelineChart(QWidget):
    """Signals: `place_chosen` (place on the path) by a click or by keys; `left` for going to the tree."""

    place_chosen = Signal(int)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._read_places = _ReadPlaces(self)
        self._timeline: ContextTimeline | None = None
        self._top = 0.0
        self._selected: int | None = None
        self._hovered: int | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Context size along the active path"))

    @property
    def timeline(self) -> ContextTimeline | None:
        """What is shown."""
        return self._timeline

    def sizeHint(self) -> QSize:
        height = self.fontMetrics().height()
        return QSize(height * 24, height * 10)

    def minimumSizeHint(self) -> QSize:
        height = self.fontMetrics().height()
        return QSize(height * 10, height * 8)

    def show_timeline(self, timeline: ContextTimeline | None, description: str) -> None:
        """Draw `timeline`; `description` says in words what it shows."""
        self._timeline = timeline
        self._top = 0.0 if timeline is None else max(timeline.largest, timeline.window or 0, timeline.threshold or 0)
        self._hovered = None
        self.setAccessibleDescription(description)
        self._selected = None
        self._read_places.changed()
        self.update()

    def show_selected(self, place: int | None) -> None:
        """Mark the selected entry, None when it is not on the path."""
        self._selected = place
        self._read_places.moved("")
        self.update()

    @property
    def selected(self) -> int | None:
        """The place of the selected entry, None when it is not on the path."""
        return self._selected

    def place_at(self, x: float) -> int | None:
        """Return the place at `x` in the widget, None without any."""
        timeline = self._timeline
        return None if timeline is None or not len(timeline.rows) else self._axes(timeline).place(x)

    def rect_of(self, place: int) -> QRect:
        """Return the strip of the widget that stands for a place."""
        timeline = self._timeline
        if timeline is None:
            return QRect()
        axes = self._axes(timeline)
        width = max(1.0, axes.plot.width() / axes.count)
        return QRectF(axes.x(place) - width / 2, axes.plot.top(), width, axes.plot.height()).toAlignedRect()

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = current_theme()
        timeline = self._timeline
        if timeline is None or not len(timeline.rows):
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        axes = self._axes(timeline)
        self._paint_grid(painter, theme, axes)
        self._paint_limits(painter, theme, axes, timeline)
        self._paint_sizes(painter, theme, axes, timeline)
        for mark in timeline.compactions:
            x = axes.x(mark.place)
            painter.setPen(QPen(QColor(theme.compaction), 1.0))
            painter.drawLine(QPointF(x, axes.plot.top()), QPointF(x, axes.plot.bottom()))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.compaction))
            painter.drawPolygon(
                [QPointF(x - TRIANGLE, axes.plot.top()), QPointF(x + TRIANGLE, axes.plot.top()),
                 QPointF(x, axes.plot.top() + TRIANGLE * 1.6)]
            )  # fmt: skip
        if self._hovered is not None:
            self._paint_place(painter, axes, timeline, self._hovered, QPen(QColor(theme.muted), 1.0, DOTTED))
        if self._selected is not None:
            self._paint_place(painter, axes, timeline, self._selected, QPen(QColor(theme.text), 1.0))
            if self.hasFocus():
                self._paint_keyboard(painter, axes, timeline, self._selected)
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme.accent), 1.0))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _axes(self, timeline: ContextTimeline) -> _Axes:
        metrics = QFontMetricsF(self.font())
        steps = axis_steps(self._top, MOST_STEPS)
        labels = max(metrics.horizontalAdvance(_tick_text(step)) for step in steps) + MARGIN
        mirrored = self.isRightToLeft()
        left, right = (MARGIN, labels + MARGIN / 2) if mirrored else (labels + MARGIN / 2, MARGIN)
        plot = QRectF(self.rect()).adjusted(left, metrics.height(), -right, -metrics.height() * 1.6)
        return _Axes(plot, len(timeline.rows), max(steps[-1], 1.0), mirrored)

    def _paint_grid(self, painter: QPainter, theme: Theme, axes: _Axes) -> None:
        height = QFontMetricsF(self.font()).height()
        for step in axis_steps(self._top, MOST_STEPS):
            y = axes.y(step)
            painter.setPen(QPen(QColor(theme.line), 1.0))
            painter.drawLine(QPointF(axes.plot.left(), y), QPointF(axes.plot.right(), y))
            painter.setPen(QColor(theme.muted))
            if axes.mirrored:
                where = QRectF(axes.plot.right() + 4, y - height / 2, self.width() - axes.plot.right() - 4, height)
                side = Qt.AlignmentFlag.AlignLeft
            else:
                where = QRectF(0, y - height / 2, axes.plot.left() - 6, height)
                side = Qt.AlignmentFlag.AlignRight
            painter.drawText(where, int(side | IN_THE_MIDDLE), _tick_text(step))
        below = QRectF(axes.plot.left(), axes.plot.bottom() + 4, axes.plot.width(), height)
        first, last = self.tr("first entry"), self.tr("entry {0}, the leaf").format(full_count(axes.count))
        starts = (last, first) if axes.mirrored else (first, last)
        for text, side in zip(starts, (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight), strict=True):
            painter.drawText(below, int(side | IN_THE_MIDDLE), text)

    def _paint_limits(self, painter: QPainter, theme: Theme, axes: _Axes, timeline: ContextTimeline) -> None:
        """The window and the threshold, each with its name above the line."""
        limits = (
            (timeline.window, self.tr("window"), theme.text, Qt.PenStyle.SolidLine),
            (timeline.threshold, self.tr("threshold"), theme.warning, Qt.PenStyle.DashLine),
        )
        side = Qt.AlignmentFlag.AlignRight if axes.mirrored else Qt.AlignmentFlag.AlignLeft
        height = QFontMetricsF(self.font()).height()
        window_y = None if timeline.window is None else axes.y(timeline.window)
        for tokens, name, color, style in limits:
            if tokens is None:
                continue
            y = axes.y(tokens)
            painter.setPen(QPen(QColor(color), 1.4, style))
            painter.drawLine(QPointF(axes.plot.left(), y), QPointF(axes.plot.right(), y))
            is_crowded = tokens is timeline.threshold and window_y is not None and abs(y - window_y) < height
            top = y if is_crowded else y - height
            painter.setPen(QColor(color))
            painter.drawText(
                QRectF(axes.plot.left() + 4, top, axes.plot.width() - 8, height),
                int(side | IN_THE_MIDDLE),
                f"{name} {short_count(round(tokens))}",
            )

    def _paint_sizes(self, painter: QPainter, theme: Theme, axes: _Axes, timeline: ContextTimeline) -> None:
        columns = max(1, int(axes.plot.width()))
        accent = QColor(theme.accent)
        area = QColor(accent)
        area.setAlphaF(0.14)
        line, filled = self._line(axes, timeline.estimated, columns)
        is_dense = len(timeline.estimated) > columns  # then the line goes up and down in each column of pixels
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, not is_dense)
        painter.fillPath(filled, area)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(accent, HAIRLINE if is_dense else LINE_WIDTH))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(line)
        starts, _low, high = envelope(timeline.recorded, max(1, columns // 2))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.assistant))
        for start, tokens in zip(starts.tolist(), high.tolist(), strict=True):
            if not math.isnan(tokens):
                at = QPointF(axes.x(start), axes.y(tokens))
                painter.drawRect(QRectF(at.x() - DOT / 2, at.y() - DOT / 2, DOT, DOT))

    def _line(self, axes: _Axes, values: Tokens, columns: int) -> tuple[QPainterPath, QPainterPath]:
        line, area = QPainterPath(), QPainterPath()
        starts, low, high = envelope(values, columns)
        area.moveTo(axes.x(-0.5), axes.plot.bottom())
        is_drawing = False
        for start, least, most in zip(starts.tolist(), low.tolist(), high.tolist(), strict=True):
            if math.isnan(most):
                is_drawing = False
                continue
            x = axes.x(start)
            if is_drawing:
                line.lineTo(x, axes.y(most))
            else:
                line.moveTo(x, axes.y(most))
            if least != most:
                line.lineTo(x, axes.y(least))
            area.lineTo(x, axes.y(most))
            is_drawing = True
        area.lineTo(area.currentPosition().x(), axes.plot.bottom())
        area.closeSubpath()
        return line, area

    def _paint_place(self, painter: QPainter, axes: _Axes, timeline: ContextTimeline, place: int, pen: QPen) -> None:
        painter.setPen(pen)
        painter.drawLine(QPointF(axes.x(place), axes.plot.top()), QPointF(axes.x(place), axes.plot.bottom()))
        tokens = float(timeline.estimated[place])
        if not math.isnan(tokens):
            theme = current_theme()
            painter.setPen(QPen(QColor(theme.window), 1.5))
            painter.setBrush(QColor(theme.text))
            painter.drawEllipse(QPointF(axes.x(place), axes.y(tokens)), 4.0, 4.0)

    def _paint_keyboard(self, painter: QPainter, axes: _Axes, timeline: ContextTimeline, place: int) -> None:
        """A ring on the current place; at the foot of its line where its size is not known."""
        theme = current_theme()
        tokens = float(timeline.estimated[place])
        at = QPointF(axes.x(place), axes.y(0.0 if math.isnan(tokens) else tokens))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for color, width in ((theme.window, 5.0), (theme.accent, 2.5)):  # lines in the same colour run through it
            painter.setPen(QPen(QColor(color), width))
            painter.drawEllipse(at, RING, RING)

    # What a person does

    def text_at(self, place: int) -> str:
        """Return in words what the chart shows for an entry of the path."""
        timeline = self._timeline
        if timeline is None:
            return ""
        estimated, recorded = timeline.estimated[place], timeline.recorded[place]
        parts = [self.tr("Entry {0} of {1}").format(full_count(place + 1), full_count(len(timeline.rows)))]
        mark = next((mark for mark in timeline.compactions if mark.place == place), None)
        if mark is not None:
            parts.append(self._compaction_text(mark))
        if not np.isnan(estimated):
            parts.append(self.tr("about {0} tokens (estimate)").format(full_count(round(estimated))))
            if timeline.window:
                parts.append(self.tr("{0} % of the window").format(round(100 * estimated / timeline.window)))
            if timeline.threshold is not None and estimated > timeline.threshold:
                parts.append(self.tr("above the threshold"))
        if not np.isnan(recorded):
            parts.append(self.tr("{0} tokens (recorded)").format(full_count(round(recorded))))
        return " · ".join(parts)

    def _compaction_text(self, mark: CompactionMark) -> str:
        if mark.before is None or mark.after is None:
            return self.tr("compaction")
        sizes = full_count(round(mark.before)), full_count(round(mark.after))
        return self.tr("compaction from {0} to {1} tokens").format(*sizes)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys go from entry to entry, or with Ctrl from compaction to compaction; Enter goes to the tree."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left.emit()
        elif (target := self._target(Qt.Key(event.key()), event.modifiers())) is not None:
            self.place_chosen.emit(target)
        else:
            super().keyPressEvent(event)

    def _target(self, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> int | None:
        """Where a key goes, None for those that go nowhere."""
        timeline = self._timeline
        if timeline is None or not len(timeline.rows):
            return None
        last = len(timeline.rows) - 1
        here = last if self._selected is None else self._selected
        page, forwards = max(1, len(timeline.rows) // PAGE), -1 if self.isRightToLeft() else 1
        steps = {
            Qt.Key.Key_Home: -last, Qt.Key.Key_End: last, Qt.Key.Key_PageUp: -page, Qt.Key.Key_PageDown: page,
            Qt.Key.Key_Left: -forwards, Qt.Key.Key_Right: forwards,
        }  # fmt: skip
        if (step := steps.get(key)) is None:
            return None
        if modifiers & Qt.KeyboardModifier.ControlModifier and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            places = [mark.place for mark in timeline.compactions][::step]
            return next((place for place in places if (place - here) * step > 0), here)
        return min(last, max(0, here + step))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._read_places.focused("")

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hovered = self.place_at(event.position().x())
        if self._hovered is None:
            return
        QToolTip.showText(event.globalPosition().toPoint(), self.text_at(self._hovered), self)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.place_at(event.position().x())
        if place is not None and event.button() == Qt.MouseButton.LeftButton:
            self.place_chosen.emit(place)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self.update()


class _ReadPlaces(AccessiblePlaces):
    """The entries of the path for who cannot see the chart."""

    def __init__(self, chart: TimelineChart) -> None:
        super().__init__(chart)
        self._chart = chart

    def count(self) -> int:
        return 0 if (timeline := self._chart.timeline) is None else len(timeline.rows)

    def current(self) -> int | None:
        return self._chart.selected

    def text(self, place: int) -> str:
        return self._chart.text_at(place).replace(" · ", ", ")

    def rect(self, place: int) -> QRect:
        local = self._chart.rect_of(place)
        return QRect(self._chart.mapToGlobal(local.topLeft()), local.size())

    def at(self, point: QPoint) -> int | None:
        local = self._chart.mapFromGlobal(point)
        return self._chart.place_at(local.x()) if self._chart.rect().contains(local) else None


def _tick_text(tokens: float) -> str:
    """A round number in short: 0, 50k, 2.5M."""
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if tokens >= size:
            return QLocale().toString(tokens / size, "g", 4) + unit
    return QLocale().toString(tokens, "g", 4)
