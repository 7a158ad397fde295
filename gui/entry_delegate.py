"""Paints a row of the tree: icon, role, text, chips, numbers. One call for its content, no questions to Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from gui.icons import icon_pixmap
from gui.line_cache import LineCache
from gui.match_marks import draw_marked, match_ranges
from gui.row_content import Group, RowContent, entry_name
from gui.session_tree_model import Role
from gui.theme import Tone, current_theme
from gui.tree_columns import Column
from model.entry_preview import Speaker

TONES: dict[Speaker, Tone] = {
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "terminal": "terminal",
    "compaction": "compaction",
    "branch": "branch",
    "note": "note",
    "system": "muted",
    "setting": "muted",
    "label": "user",
}
ICONS: dict[Speaker, str] = {
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "terminal": "terminal",
    "compaction": "compaction",
    "branch": "branch_summary",
    "note": "note",
    "system": "system",
    "setting": "setting",
    "label": "label",
}
LEAST_TEXT = 7  # in units of the line height: what a row says goes before what is noted at its end
LEAST_BESIDE_SHORT = 1  # and beside a note that is only a number
LEAST_BESIDE_MARK = 4  # and beside a mark that is about other rows
LEAST_BESIDE_NAME = 5  # and beside the name, which the icon says as well
USUAL_NAMES: tuple[Speaker, ...] = ("user", "assistant", "compaction")


@lru_cache(maxsize=256)
def color(name: str) -> QColor:
    """Return the colour of a theme's `name`. Not to be changed: it's the same one each time."""
    return QColor(name)


Place = Callable[[int, int], QRect]
"""Mirrors a start and width into the row, for right-to-left windows."""


def _aligned(side: Qt.AlignmentFlag, direction: Qt.LayoutDirection) -> int:
    """Where text stands: content keeps its own reading order, the interface decides the side."""
    mirrored = QStyle.visualAlignment(direction, side | Qt.AlignmentFlag.AlignVCenter)
    return (mirrored | Qt.AlignmentFlag.AlignAbsolute).value


DIRECTIONS = (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft)
START = {direction: _aligned(Qt.AlignmentFlag.AlignLeft, direction) for direction in DIRECTIONS}


def row_fonts(font: QFont) -> tuple[QFont, QFont, QFont, QFont]:
    """Return the fonts of rows in a view with `font`: of its text, of names, of numbers and notes, of tools."""
    bold, small = QFont(font), QFont(font)
    bold.setWeight(QFont.Weight.DemiBold)
    small.setFeature(QFont.Tag("tnum"), 1)
    mono = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    for smaller, share in ((small, 0.92), (mono, 0.95)):
        if font.pointSizeF() > 0:
            smaller.setPointSizeF(font.pointSizeF() * share)
        else:
            smaller.setPixelSize(round(font.pixelSize() * share))
    return font, bold, small, mono


class EntryDelegate(QStyledItemDelegate):
    """Sizes are in units of the view's font, so that the rows scale with it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._font = QFont()
        self._use_font(QApplication.font())

    def use_font(self, font: QFont) -> None:
        """Follow the view's font."""
        if font != self._font:
            self._use_font(font)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(self._unit * 20, self.row_height)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        content = index.data(Role.CONTENT)
        if isinstance(content, RowContent):
            folded = not option.state & QStyle.StateFlag.State_Open
            self.paint_cell(painter, option.rect, option.direction, Column(index.column()), content, folded=folded)

    def paint_cell(
        self,
        painter: QPainter,
        rect: QRect,
        direction: Qt.LayoutDirection,
        column: Column,
        content: RowContent,
        *,
        folded: bool = False,
        cut_words: str = "",
    ) -> None:
        """Paint one cell; `folded` tells whether a branch head hides its branch, `cut_words` are said at a cut that can
        be moved.
        """
        if column == Column.ENTRY:
            self._paint_entry(painter, rect, direction, content, folded=folded, cut_words=cut_words)
        elif text := content.column_text(column, folded=folded):
            painter.setPen(color(current_theme().muted))
            is_left_to_right = direction == Qt.LayoutDirection.LeftToRight
            before, after = (4, self._unit // 2) if is_left_to_right else (self._unit // 2, 4)
            self._small_lines.draw(painter, rect.adjusted(before, 0, -after, 0), text, on_right=is_left_to_right)

    @property
    def row_height(self) -> int:
        """Height of every row in pixels."""
        return round(self._metrics.height() * 1.75)

    def _use_font(self, font: QFont) -> None:
        self._font, self._bold, self._small, self._mono = row_fonts(font)
        self._metrics = QFontMetrics(font)
        self._lines, self._mono_lines = LineCache(font), LineCache(self._mono)
        self._bold_lines, self._small_lines = LineCache(self._bold), LineCache(self._small)
        self._unit = self._metrics.height()
        names = [entry_name("branch", "branch summary"), *(entry_name(name, name) for name in USUAL_NAMES)]
        self._name_width = max(map(self._bold_lines.width, names))

    def _paint_entry(
        self,
        painter: QPainter,
        rect: QRect,
        direction: Qt.LayoutDirection,
        content: RowContent,
        *,
        folded: bool,
        cut_words: str,
    ) -> None:
        """From the left: icon, name, text, label; from the right: "current", and what is hidden or forks here."""
        theme = current_theme()
        dim = content.group == Group.SUMMARIZED and content.cut_owner == "preview"
        tone = color(theme.muted) if dim else theme.tone(TONES[content.preview.speaker])
        gap = self._unit // 2
        left, right, top, height = rect.left() + gap // 2, rect.right() - gap, rect.top(), rect.height()
        mirrored = direction == Qt.LayoutDirection.RightToLeft

        def place(start: int, width: int) -> QRect:
            where = QRect(start, top, width, height)
            return QStyle.visualRect(direction, rect, where) if mirrored else where

        size = self._unit
        icon = place(left, size)
        ratio = painter.device().devicePixelRatioF()
        pixmap = icon_pixmap(ICONS[content.preview.speaker], tone.name(), size, ratio)
        painter.drawPixmap(icon.left(), rect.top() + (rect.height() - size) // 2, pixmap)
        left += size + gap

        name_width = max(self._name_width, self._bold_lines.width(content.name))
        most = max(0, (right - left) * 2 // 5)
        if right - left - most >= self._unit * LEAST_BESIDE_NAME:
            name_width = min(name_width, most, self._name_width * 2)
            painter.setPen(tone)
            self._bold_lines.draw(painter, place(left, name_width), content.name, on_right=mirrored)
            left += name_width + gap

        # What the row says itself and its label, which a person gave to it, go before marks about other rows.
        own = left + self._unit * LEAST_BESIDE_MARK + (self._label_width(content) + gap if content.label else 0)
        if content.is_leaf:
            least = own if content.leaf_is_hidden else left
            right = self._paint_outlined_chip(painter, place, content.leaf_texts(), theme.accent, least, right) - gap
        if content.is_cut and cut_words:
            made_words = content.made_cut_text()
            least = own if made_words else left
            words = (made_words or cut_words,)
            right = self._paint_outlined_chip(painter, place, words, theme.kept, least, right) - gap
        if content.matched_words:
            right = self._paint_match_sign(painter, place, left, right) - gap
        right = self._paint_note(painter, place, content, left, right, folded=folded, mirrored=mirrored)
        label_width = 0
        if content.label:
            label_width = min(self._label_width(content), (right - left) // 2)

        lines = self._mono_lines if content.preview.monospace else self._lines
        room = max(0, right - left - (label_width + gap if label_width else 0))
        line = lines.line(content.preview.text, room)
        painter.setPen(color(theme.muted if dim or content.preview.speaker in ("setting", "system") else theme.text))
        if content.preview.failed:
            painter.setPen(color(theme.warning))
        if content.matched_words and (ranges := match_ranges(line.text, content.matched_words)):
            painter.setFont(lines.font)
            painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # the text decides how it is read
            draw_marked(painter, place(left, room), Qt.AlignmentFlag(START[direction]), line.text, ranges)
        else:
            lines.paint(painter, place(left, room), line, on_right=mirrored)
        if label_width > self._unit * 2:
            chip_at = left + min(room, round(line.width)) + gap
            self._paint_label_chip(painter, place(chip_at, label_width), content.label or "")

    def _paint_match_sign(self, painter: QPainter, place: Place, left: int, right: int) -> int:
        """A lens on the colour of matches: what was found may stand behind the end of the row."""
        theme = current_theme()
        size = self._unit
        if right - size < left:
            return right
        rect = place(right - size, size)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color(theme.match))
        painter.drawRoundedRect(self._chip_rect(rect), 4, 4)
        side = size * 3 // 4
        pixmap = icon_pixmap("search", theme.text, side, painter.device().devicePixelRatioF())
        painter.drawPixmap(rect.left() + (size - side) // 2, rect.top() + (rect.height() - side) // 2, pixmap)
        return right - size

    def _label_width(self, content: RowContent) -> int:
        return self._small_lines.width(content.label or "") + self._unit

    def _paint_outlined_chip(
        self, painter: QPainter, place: Place, texts: Sequence[str], tone: str, left: int, right: int
    ) -> int:
        """The first of the texts for which there is room; return where it begins."""
        theme = current_theme()
        room = right - left - self._unit
        text = next((text for text in texts if self._small_lines.width(text) <= room), None)
        if text is None:
            return right
        width = self._small_lines.width(text) + self._unit
        chip = self._chip_rect(place(right - width, width))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(color(tone), 1.2))
        painter.setBrush(color(theme.window))
        painter.drawRoundedRect(chip, chip.height() / 2, chip.height() / 2)
        painter.setFont(self._small)
        painter.drawText(chip, int(Qt.AlignmentFlag.AlignCenter), text)
        return right - width

    def _paint_note(
        self,
        painter: QPainter,
        place: Place,
        content: RowContent,
        left: int,
        right: int,
        *,
        folded: bool,
        mirrored: bool,
    ) -> int:
        """The longest of the notes that fits as a whole, at least a number; return where the text has to end."""
        hides_rows = folded and (content.hides or content.branches) is not None
        sign = "" if not hides_rows else "◂ " if mirrored else "▸ "
        room = right - left - self._unit // 2
        text = next(
            (
                whole
                for note in content.notes(folded=folded)
                if self._small_lines.width(whole := sign + note) <= room - self._unit * LEAST_TEXT
            ),
            "",
        )
        if not text:
            text = content.short_note(folded=folded)
            if not text or self._small_lines.width(text) > room - self._unit * LEAST_BESIDE_SHORT:
                return right
        width = self._small_lines.width(text) + 2
        painter.setPen(color(current_theme().muted))
        self._small_lines.draw(painter, place(right - width, width), text, on_right=not mirrored)
        return right - width - self._unit // 2

    def _paint_label_chip(self, painter: QPainter, rect: QRect, text: str) -> None:
        theme = current_theme()
        chip = self._chip_rect(rect)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color(theme.chip))
        painter.drawRoundedRect(chip, chip.height() / 2, chip.height() / 2)
        painter.setFont(self._small)
        painter.setPen(color(theme.on_chip))
        elided = self._small_lines.metrics.elidedText(
            text, Qt.TextElideMode.ElideRight, int(chip.width()) - self._unit // 2
        )
        painter.drawText(chip, int(Qt.AlignmentFlag.AlignCenter), elided)

    def _chip_rect(self, rect: QRect) -> QRectF:
        height = self._small_lines.metrics.height() + 3
        return QRectF(rect.left() + 0.5, rect.center().y() - height / 2 + 0.5, rect.width() - 1, height)
