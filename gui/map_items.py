"""What the map paints: the frame of what the tree shows, all lines in one item, and the mark of the selected entry."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QMarginsF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from gui.map_picture import MapPicture
from gui.theme import current_theme

TICK_HEIGHT = 14.0
LEAST_FORK_DISTANCE = 10.0  # pixels between branch points that get a dot
LINE_WIDTH = 1.6
HAIRLINE = 0.0  # a pixel of the device: a hundred times as fast as wider lines
MOST_WIDE_LINES = 160
FRAME_PADDING = QPointF(7.0, 9.0)


def cosmetic_pen(painter: QPainter, color: str, width: float, cap: Qt.PenCapStyle = Qt.PenCapStyle.FlatCap) -> QPen:
    """Return a pen that is `width` pixels wide at every zoom and on every screen."""
    pen = QPen(QColor(color), width * painter.device().devicePixelRatioF())
    pen.setCosmetic(True)
    pen.setCapStyle(cap)
    return pen


def draw_dots(painter: QPainter, points: Sequence[QPointF], color: str, diameter: float) -> None:
    """Draw round dots of `diameter` pixels."""
    painter.setPen(cosmetic_pen(painter, color, diameter, Qt.PenCapStyle.RoundCap))
    painter.drawPoints(list(points))


class FrameItem(QGraphicsItem):
    """Frames the part of the map that the tree shows."""

    def __init__(self) -> None:
        super().__init__()
        self.setZValue(-1)
        self._rect = QRectF()

    def show_rect(self, rect: QRectF) -> None:
        """Frame `rect`, padding included; an empty one shows nothing."""
        if rect != self._rect:
            self.prepareGeometryChange()
            self._rect = rect

    @property
    def rect(self) -> QRectF:
        """What is framed."""
        return self._rect

    def boundingRect(self) -> QRectF:
        return self._rect

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        if self._rect.isEmpty():
            return
        theme = current_theme()
        scale = painter.worldTransform()
        inset = QPointF(1 / abs(scale.m11()), 1 / scale.m22())
        painter.setPen(cosmetic_pen(painter, theme.accent, 1.2))
        painter.setBrush(QColor(theme.selection))
        painter.drawRect(self._rect.adjusted(inset.x(), inset.y(), -inset.x(), -inset.y()))


class LinesItem(QGraphicsItem):
    """All lines of the map; only those are painted that lie where something has to be painted."""

    def __init__(self) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self._picture: MapPicture | None = None
        self._bounds = QRectF()

    def show_picture(self, picture: MapPicture | None, bounds: QRectF) -> None:
        """Show `picture`, which lies within `bounds`."""
        self.prepareGeometryChange()
        self._picture, self._bounds = picture, bounds
        self.update()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        picture = self._picture
        if picture is None:
            return
        theme = current_theme()
        scale = painter.worldTransform()
        exposed: QRectF = option.exposedRect
        margin = QPointF(TICK_HEIGHT / abs(scale.m11()), TICK_HEIGHT / scale.m22())
        exposed = exposed.adjusted(-margin.x(), -margin.y(), margin.x(), margin.y())
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        flat = QMarginsF(0.01, 0.01, 0.01, 0.01)  # what is only a line has no area to meet
        pieces = [piece for piece in picture.branches if exposed.intersects(piece.bounds.marginsAdded(flat))]
        run_count = sum(piece.run_count for piece in pieces)
        painter.setPen(cosmetic_pen(painter, theme.muted, LINE_WIDTH if run_count <= MOST_WIDE_LINES else HAIRLINE))
        for piece in pieces:
            painter.drawPath(piece.path)
        if not picture.links.isEmpty():
            pen = cosmetic_pen(painter, theme.branch, LINE_WIDTH if run_count <= MOST_WIDE_LINES else HAIRLINE)
            pen.setDashPattern([4, 3])
            painter.setPen(pen)
            painter.drawPath(picture.links)
        painter.setPen(cosmetic_pen(painter, theme.accent, 3.0, Qt.PenCapStyle.RoundCap))
        painter.drawPath(picture.path)
        path_length = picture.layout.leaf_step * abs(scale.m11())
        if picture.forks and path_length / len(picture.forks) >= LEAST_FORK_DISTANCE:
            draw_dots(painter, picture.forks, theme.accent, 9.0)
            draw_dots(painter, picture.forks, theme.window, 5.5)
        half = TICK_HEIGHT / 2 / scale.m22()
        painter.setPen(cosmetic_pen(painter, theme.compaction, 4.0))
        ticks = [point for point in picture.compactions if exposed.contains(point)]
        painter.drawLines([QLineF(at.x(), at.y() - half, at.x(), at.y() + half) for at in ticks])
        if picture.layout.path_runs:
            draw_dots(painter, [QPointF(picture.layout.leaf_step, 0)], theme.accent, 11.0)


class SelectionItem(QGraphicsItem):
    """Marks where the selected entry lies, with a ring while the keyboard is there."""

    SIZE = 25.0

    def __init__(self) -> None:
        super().__init__()
        self._has_keyboard = False
        self.setZValue(1)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        self.hide()

    def show_keyboard(self, here: bool) -> None:
        """Show or hide the ring of the keyboard."""
        self._has_keyboard = here
        self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(-self.SIZE / 2, -self.SIZE / 2, self.SIZE, self.SIZE)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        theme = current_theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(theme.window))
        if self._has_keyboard:  # on a ground of its own: lines in the same colour run through it
            painter.setPen(QPen(QColor(theme.accent), 2.5))
            painter.drawEllipse(QPointF(0, 0), 10.0, 10.0)
        painter.setPen(QPen(QColor(theme.text), 2.0))
        painter.drawEllipse(QPointF(0, 0), 5.0, 5.0)
