"""Lines of text that were shaped before: painting one again costs a quarter of shaping it anew."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QStaticText, QTextOption, QTransform

MOST_LINES = 3000
LONGEST_PATH = 400
NARROWEST = 3  # pixels of a letter: of more letters than fit then nothing is ever shown


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is ready to paint, its text after shortening, and its size in pixels."""

    text: str
    static: QStaticText
    width: float
    height: float


class LineCache:
    """The lines of one font. Each line is read in its own direction."""

    def __init__(self, font: QFont) -> None:
        self.font = font
        self.metrics = QFontMetrics(font)
        self._lines: OrderedDict[tuple[str, int], Line] = OrderedDict()
        self._usual = max(1, self.metrics.averageCharWidth())
        self._widths: dict[str, int] = {}
        self._option = QTextOption()
        self._option.setWrapMode(QTextOption.WrapMode.NoWrap)
        self._option.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute)  # `draw` aligns
        self._option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)

    def width(self, text: str) -> int:
        """Return how wide all of `text` is, in pixels."""
        if (found := self._widths.get(text)) is None:
            if len(self._widths) > MOST_LINES:
                self._widths.clear()
            found = self._widths[text] = self.metrics.horizontalAdvance(text)
        return found

    def line(self, text: str, room: int) -> Line:
        """Return the line for `text`, shortened to `room` pixels."""
        key = (text, room)
        if (found := self._lines.get(key)) is not None:
            self._lines.move_to_end(key)
            return found
        line = self._shaped(text) if len(text) * self._usual <= room else None
        if line is None or line.width > room:
            line = self._shaped(self._shortened(text, room))
        self._lines[key] = line
        if len(self._lines) > MOST_LINES:
            self._lines.popitem(last=False)
        return line

    def _shaped(self, text: str) -> Line:
        static = QStaticText(text)
        static.setTextFormat(Qt.TextFormat.PlainText)
        static.setTextOption(self._option)
        static.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
        static.prepare(QTransform(), self.font)
        size = static.size()
        return Line(text, static, size.width(), size.height())

    def _shortened(self, text: str, room: int) -> str:
        """Shortening shapes all it is given: so it is given somewhat more than usually fits, and seldom more.

        A path is shortened in its middle: its end says most.
        """
        if len(text) <= LONGEST_PATH and "/" in text and " " not in text:
            return self.metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, room)
        likely = text[: max(8, round(room / self._usual * 1.3))]
        shown = self.metrics.elidedText(likely, Qt.TextElideMode.ElideRight, room)
        if shown == likely != text:
            shown = self.metrics.elidedText(text[: room // NARROWEST], Qt.TextElideMode.ElideRight, room)
        return shown

    def draw(self, painter: QPainter, rect: QRect, text: str, *, on_right: bool) -> None:
        """Paint `text` in the painter's pen, shortened to `rect`, at its left or right side."""
        self.paint(painter, rect, self.line(text, rect.width()), on_right=on_right)

    def paint(self, painter: QPainter, rect: QRect, line: Line, *, on_right: bool) -> None:
        """Paint a line in the painter's pen, in the middle of `rect`, at its left or right side."""
        left = rect.left() + rect.width() - line.width if on_right else rect.left()
        painter.setFont(self.font)
        painter.drawStaticText(QPointF(left, rect.top() + (rect.height() - line.height) / 2), line.static)
