"""What a dialog says above its buttons, which stay in sight in a window that is too small for all of it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from gui.dialog_size import height_of_contents


class DialogScroll(QScrollArea):
    """Holds `body`. It is as high as that where there is room, and scrolls up and down where there is not.

    Signal: `rearranged` when its contents need another height.
    """

    rearranged = Signal()

    def __init__(self, body: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setWidget(body)
        self._body = body
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def least_width(self) -> int:
        """How wide it has to be for all of its contents, with a scroll bar beside them."""
        return self._body.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return height_of_contents(self._body, width)

    def sizeHint(self) -> QSize:
        return self._body.sizeHint()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_taken = super().eventFilter(watched, event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self.rearranged.emit()
        return is_taken
