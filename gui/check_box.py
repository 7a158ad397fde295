"""A check box whose tick has the colour that the palette gives to text on the accent."""

from __future__ import annotations

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QCheckBox, QStyle, QStyleOptionButton

TICK = ((0.21, 0.52), (0.42, 0.73), (0.79, 0.27))  # parts of the box
STROKE = 0.15


class CheckBox(QCheckBox):
    """Draws the tick itself: a style sheet could name a picture only, which knows one colour."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.isChecked():
            return
        option = QStyleOptionButton()
        self.initStyleOption(option)
        box = self.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, self)
        pen = QPen(self.palette().color(QPalette.ColorGroup.Active, QPalette.ColorRole.BrightText))
        pen.setWidthF(STROKE * box.width())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(pen)
        painter.drawPolyline([QPointF(box.x() + x * box.width(), box.y() + y * box.height()) for x, y in TICK])
