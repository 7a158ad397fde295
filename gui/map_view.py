"""The map: the whole forest small, below the tree. A few items paint all of it: thousands of forks stay smooth."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMargins, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QGraphicsScene, QGraphicsView, QToolTip, QWidget

from gui.accessible_places import AccessiblePlaces
from gui.map_items import FRAME_PADDING, FrameItem, LinesItem, SelectionItem
from gui.map_picture import MapPicture, place_of
from gui.map_words import MapWords
from gui.plain_tips import plain_tip
from gui.theme import current_theme

ZOOM_STEP = 1.25
MOST_ZOOM = 4000.0
MARGIN = 16  # pixels around the map
CLICK_DISTANCE = 4  # pixels that the pointer may move between press and release of a click
WIDEST_LANE = 1.6  # of the height of a line of text
LONGEST_STEP = 6.0
LEAST_RECT = 8  # pixels of a line, for who points at it


class MapView(QGraphicsView):
    """Shows a `MapPicture`; zoom 1 shows all of it.

    Signals: `run_clicked` (run, step); `arrow_pressed` (dx, dy); `start_wanted` and `leaf_wanted` for Home and End;
    `left` when the keyboard should go to the tree.
    """

    run_clicked = Signal(int, float)
    arrow_pressed = Signal(int, int)
    start_wanted = Signal()
    leaf_wanted = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._read_lines = _ReadLines(self)
        self._words: MapWords | None = None
        self._picture: MapPicture | None = None
        self._zoom = 1.0
        self._extent: QRectF | None = None
        self._selected: int | None = None
        self._pressed_at: QPoint | None = None
        self._panned_from: QPoint | None = None
        self._frame, self._lines, self._selection = FrameItem(), LinesItem(), SelectionItem()
        scene = QGraphicsScene(self)
        scene.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        for item in (self._frame, self._lines, self._selection):
            scene.addItem(item)
        self.setScene(scene)
        self.setFrameShape(QGraphicsView.Shape.NoFrame)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # the map is mirrored as a whole, scroll bars are not
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.SmartViewportUpdate)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumHeight(self.fontMetrics().height() * 3)
        self.setAccessibleName(self.tr("Map of the session"))
        self.setAccessibleDescription(self.tr("There is nothing to show yet."))

    # What is shown

    @property
    def picture(self) -> MapPicture | None:
        """What is shown."""
        return self._picture

    @property
    def words(self) -> MapWords | None:
        """What is said of it."""
        return self._words

    @property
    def selected(self) -> int | None:
        """The entry row that is marked."""
        return self._selected

    @property
    def zoom(self) -> float:
        """How many times longer than at first the map is."""
        return self._zoom

    @property
    def frame(self) -> QRectF:
        """The frame of what the tree shows, in steps and lanes; empty when there is none."""
        return self._frame.rect

    def show_picture(self, picture: MapPicture, words: MapWords) -> None:
        """Show another layout at the same zoom; the selected entry has to be marked anew."""
        self._picture, self._words = picture, words
        self._fit()
        self._lines.show_picture(picture, self.sceneRect())
        self.show_selected(None)
        self.setAccessibleDescription(words.summary())
        self._read_lines.changed()

    def show_selected(self, row: int | None) -> None:
        """Mark where an entry row of the picture lies, and keep it in sight."""
        self._selected = row
        self._selection.setVisible(row is not None)
        if (place := self._selected_place()) is not None:
            self._selection.setPos(place)
            if self._zoom > 1:
                self.ensureVisible(QRectF(place, place), MARGIN * 2, MARGIN)
            self._read_lines.moved(self._said_of_selected())

    def show_extent(self, extent: QRectF | None) -> None:
        """Frame what the tree shows, given in steps and lanes."""
        self._extent = extent
        padding = QPointF(FRAME_PADDING.x() / abs(self.transform().m11()), FRAME_PADDING.y() / self.transform().m22())
        if extent is None:
            self._frame.show_rect(QRectF())
        else:
            self._frame.show_rect(extent.adjusted(-padding.x(), -padding.y(), padding.x(), padding.y()))

    def zoom_by(self, factor: float, around: QPoint | None = None) -> None:
        """Zoom around a point of the viewport, by default around the selected entry."""
        if around is None and (place := self._selected_place()) is not None:
            around = self.mapFromScene(place)
        self._zoom = min(MOST_ZOOM, max(1.0, self._zoom * factor))
        self._fit(around)

    def zoom_to_fit(self) -> None:
        """Show all of the map."""
        self._zoom = 1.0
        self._fit()

    def run_at(self, point: QPoint) -> tuple[int, float] | None:
        """Return the run nearest to a point of the viewport, and the step there; None without any."""
        if self._picture is None:
            return None
        place, scale = self.mapToScene(point), self.transform()
        run = self._picture.layout.nearest_run(place.x(), place.y(), scale.m11(), scale.m22())
        return None if run is None else (run, place.x())

    # Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """With Ctrl zoom; else pan, along the map or, with Shift, across."""
        turned = event.angleDelta().y() or event.angleDelta().x()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(ZOOM_STEP ** (turned / 120), event.position().toPoint())
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._pan(QPoint(0, turned // 2))
        else:
            self._pan(QPoint(turned // 2, 0))
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys, Home and End go from run to run, plus and minus zoom, 0 shows all, Enter goes to the tree."""
        arrows = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
        modifiers = event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        match event.key():
            case _ if modifiers:
                super().keyPressEvent(event)
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.zoom_by(ZOOM_STEP)
            case Qt.Key.Key_Minus:
                self.zoom_by(1 / ZOOM_STEP)
            case Qt.Key.Key_0:
                self.zoom_to_fit()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.left.emit()
            case Qt.Key.Key_Home:
                self.start_wanted.emit()
            case Qt.Key.Key_End:
                self.leaf_wanted.emit()
            case key if key in arrows:
                dx, dy = arrows[Qt.Key(key)]
                self.arrow_pressed.emit(-dx if self._is_mirrored() else dx, dy)
            case _:
                super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._pressed_at = self._panned_from = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._panned_from is None or self._pressed_at is None:
            return
        here = event.position().toPoint()
        if self._panned_from != self._pressed_at or (here - self._pressed_at).manhattanLength() > CLICK_DISTANCE:
            self._pan(here - self._panned_from)
            self._panned_from = here
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        is_click = self._pressed_at is not None and self._pressed_at == self._panned_from
        self._pressed_at = self._panned_from = None
        self.viewport().unsetCursor()
        if is_click and event.button() == Qt.MouseButton.LeftButton:
            found = self.run_at(event.position().toPoint())
            if found is not None:
                self.run_clicked.emit(*found)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            found = self.run_at(event.pos())
            text = "" if found is None or self._words is None else self._words.tip(found[0])
            QToolTip.showText(event.globalPos(), plain_tip(text), self.viewport())
            return True
        return super().viewportEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._fit()
            self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._selection.show_keyboard(True)
        self._read_lines.focused(self._said_of_selected())
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._selection.show_keyboard(False)
        self.viewport().update()

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:  # type: ignore[override]
        """The ring of the keyboard's place."""
        if self.hasFocus():
            painter.resetTransform()
            painter.setPen(QPen(QColor(current_theme().accent), 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))

    # Inside

    def _selected_place(self) -> QPointF | None:
        picture = self._picture
        return None if picture is None or self._selected is None else QPointF(*place_of(picture.layout, self._selected))

    def _said_of_selected(self) -> str:
        return "" if self._words is None or self._selected is None else self._words.entry(self._selected)

    def _fit(self, around: QPoint | None = None) -> None:
        """Scale the map to the window and the zoom; what is at `around`, by default in the middle, stays there."""
        if self._picture is None:
            return
        around = self.viewport().rect().center() if around is None else around
        fixed = self.mapToScene(around)
        layout = self._picture.layout
        first, last = layout.lanes
        width = max(1, self.viewport().width() - 2 * MARGIN)
        height = max(1, self.viewport().height() - 2 * MARGIN)
        unit = self.fontMetrics().height()
        along = min(width / max(layout.length, 1e-9), LONGEST_STEP * unit) * self._zoom
        across = min(height / max(last - first, 1) * self._zoom, WIDEST_LANE * unit)
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if self._zoom == 1 else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setHorizontalScrollBarPolicy(policy)
        self.setVerticalScrollBarPolicy(policy)
        self.setTransform(QTransform.fromScale(-along if self._is_mirrored() else along, across))
        margin = QPointF(MARGIN / along, MARGIN / across)
        whole = QRectF(0, first, layout.length, last - first)
        self.setSceneRect(whole.adjusted(-margin.x(), -margin.y(), margin.x(), margin.y()))
        self._lines.show_picture(self._picture, self.sceneRect())
        self.show_extent(self._extent)
        moved = self.mapFromScene(fixed) - around
        self._pan(-moved)

    def _is_mirrored(self) -> bool:
        """Whether time runs from right to left, as the interface reads."""
        parent = self.parentWidget()
        return parent is not None and parent.isRightToLeft()

    def _pan(self, by: QPoint) -> None:
        for bar, distance in ((self.horizontalScrollBar(), by.x()), (self.verticalScrollBar(), by.y())):
            bar.setValue(bar.value() - distance)


class _ReadLines(AccessiblePlaces):
    """The lines of the map for who cannot see them, one a run."""

    def __init__(self, view: MapView) -> None:
        super().__init__(view)
        self._view = view

    def count(self) -> int:
        return 0 if (picture := self._view.picture) is None else len(picture.order)

    def current(self) -> int | None:
        picture, row = self._view.picture, self._view.selected
        if picture is None or row is None:
            return None
        return int(picture.reading_place[picture.layout.graph.runs.run_of[row]])

    def text(self, place: int) -> str:
        picture, words = self._view.picture, self._view.words
        return "" if picture is None or words is None else words.line(int(picture.order[place]), self._view.selected)

    def rect(self, place: int) -> QRect:
        picture, view = self._view.picture, self._view
        if picture is None:
            return QRect()
        layout, run = picture.layout, int(picture.order[place])
        lane = float(layout.lane[run])
        start = view.mapFromScene(QPointF(float(layout.start[run]), lane))
        end = view.mapFromScene(QPointF(float(layout.end[run]), lane))
        around = QMargins(LEAST_RECT, LEAST_RECT, LEAST_RECT, LEAST_RECT)
        local = QRect(start, end).normalized().marginsAdded(around)
        return QRect(view.viewport().mapToGlobal(local.topLeft()), local.size())

    def at(self, point: QPoint) -> int | None:
        view = self._view
        local = view.viewport().mapFromGlobal(point)
        found = view.run_at(local) if view.viewport().rect().contains(local) else None
        return None if found is None or view.picture is None else int(view.picture.reading_place[found[0]])
