"""The dock of the map: its title stands upright where lines of text begin, which Qt does at the left only."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QSize
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QDockWidget, QVBoxLayout, QWidget

from gui.dock_title import PADDING, Dock, DockTitle
from gui.theme import current_theme


class _Title(DockTitle):
    """The name of the dock, read upwards, below its buttons."""

    def _lay_out(self) -> None:
        column = self._box(QVBoxLayout(self))
        column.addWidget(self.close_button)
        column.addWidget(self.float_button)
        column.addStretch()

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        side = self.fontMetrics().height() + 2 * PADDING
        return QSize(side, 2 * side + self.fontMetrics().horizontalAdvance(self._dock.windowTitle()) + 3 * PADDING)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QColor(current_theme().text))
        painter.translate(PADDING, self.height() - 2 * PADDING)
        painter.rotate(-90)
        painter.drawText(0, self.fontMetrics().ascent(), self._dock.windowTitle())


class MapDock(Dock):
    """The dock of the map."""

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self.setObjectName("map")
        self.setFeatures(self.features() | QDockWidget.DockWidgetFeature.DockWidgetVerticalTitleBar)
        self.setTitleBarWidget(_Title(self, self.tr("Hide the map")))

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.LayoutDirectionChange, QEvent.Type.Show):
            self._mirror()
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._mirror()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(self._seen_from_left(event))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(self._seen_from_left(event))

    def _mirror(self) -> None:
        """Put the title at the right, where it is not by itself."""
        title, inside = self.titleBarWidget(), self.widget()
        if self.isRightToLeft() and title is not None and inside is not None:
            inside.move(0, inside.y())
            title.move(self.width() - title.width(), title.y())

    def _seen_from_left(self, event: QMouseEvent) -> QMouseEvent:
        """Qt takes hold of a dock by the place where it believes its title is."""
        if not self.isRightToLeft():
            return event
        where = QPointF(self.width() - event.position().x(), event.position().y())
        return QMouseEvent(
            event.type(), where, event.globalPosition(), event.button(), event.buttons(), event.modifiers()
        )
