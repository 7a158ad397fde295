"""The dock of the map: its title stands upright where lines of text begin, which Qt does at the left only."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QColor, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QDockWidget, QVBoxLayout, QWidget

from gui.icons import icon_pixmap
from gui.theme import current_theme

PADDING = 3


class _Button(QAbstractButton):
    """A small icon: the buttons of the style have wider edges."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        side = self.width() * 3 // 4
        tone = theme.text if self.underMouse() else theme.muted
        at = (self.width() - side) // 2
        painter.drawPixmap(at, at, icon_pixmap(self._name, tone, side, self.devicePixelRatioF()))


class _Title(QWidget):
    """The name of the dock, read upwards, below its buttons."""

    def __init__(self, dock: QDockWidget) -> None:
        super().__init__(dock)
        self._dock = dock
        side = self.fontMetrics().height()
        column = QVBoxLayout(self)
        column.setContentsMargins(PADDING, PADDING, PADDING, PADDING)
        column.setSpacing(0)
        self.close_button = self._button("dock_close", self.tr("Hide the map"), side)
        self.close_button.clicked.connect(dock.close)
        self.float_button = self._button("dock_float", self.tr("A window of its own, or back"), side)
        self.float_button.clicked.connect(lambda: dock.setFloating(not dock.isFloating()))
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

    def _button(self, name: str, text: str, side: int) -> _Button:
        button = _Button(name)
        button.setFixedSize(side, side)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the menu and Ctrl+M do the same
        button.setAccessibleName(text)
        button.setToolTip(text)
        return button


class MapDock(QDockWidget):
    """Can be moved, floated and closed as any other. Signal: `closed` by the user."""

    closed = Signal()

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self.setObjectName("map")
        self.setFeatures(self.features() | QDockWidget.DockWidgetFeature.DockWidgetVerticalTitleBar)
        self.setTitleBarWidget(_Title(self))

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()

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
