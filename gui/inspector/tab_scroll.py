"""The scrolling body of a tab, one part of which may be given all the room."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget


class TabScroll(QScrollArea):
    """Scrolls `body` up and down only.

    A tab is made from the outside in, the body first: what is put into another widget later is styled anew, with all
    that is in it. What takes the keyboard is put there from top to bottom, which is how Tab goes through it.
    """

    def __init__(self, body: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._caption: QWidget | None = None
        self._part: QWidget | None = None
        self._least = 0
        self._settling = QTimer(self)  # until the layout has followed
        self._settling.setSingleShot(True)
        self._settling.setInterval(0)
        self._settling.timeout.connect(self._scroll)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(body)

    def fill_with(self, caption: QWidget, part: QWidget) -> None:
        """Make `part` as high as the room below its caption, and bring both into view."""
        self.free()
        self._caption, self._part, self._least = caption, part, part.minimumHeight()
        self._stretch()
        self._settling.start()

    def free(self) -> None:
        """Let the part be as high as it was."""
        if self._part is not None:
            self._part.setMinimumHeight(self._least)
        self._caption = self._part = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._stretch()

    def _stretch(self) -> None:
        if self._caption is not None and self._part is not None:
            margin = self.fontMetrics().height()
            room = self.viewport().height() - self._caption.sizeHint().height() - 2 * margin
            self._part.setMinimumHeight(max(self._least, room))

    def _scroll(self) -> None:
        if self._caption is not None and (body := self.widget()) is not None:
            if (layout := body.layout()) is not None:
                layout.activate()
            top = self._caption.mapTo(body, self._caption.rect().topLeft()).y()
            self.verticalScrollBar().setValue(top - self.fontMetrics().height() // 2)
