"""Paints the rows of the library: captions, sessions of three lines, and found places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from gui.entry_delegate import ICONS, START, TONES
from gui.icons import icon_pixmap
from gui.library_model import Role
from gui.library_rows import LibraryRow, RowKind, SessionTexts
from gui.selected_rows import selection_pen
from gui.theme import current_theme
from gui.widgets import text_direction

if TYPE_CHECKING:
    from services.library.searching import Hit

MARGIN = 8  # between the edge of the view and the mark of a selected row
RADIUS = 6.0
OPEN_BAR_WIDTH = 3
ENDLESS = 1e6


class LibraryDelegate(QStyledItemDelegate):
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
        row = index.data(Role.ROW)
        kind = row.kind if isinstance(row, LibraryRow) else RowKind.SESSION
        return QSize(self._unit * 8, self._heights[kind])

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(Role.ROW)
        if not isinstance(row, LibraryRow):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.kind is RowKind.SHELF:
            self._paint_caption(painter, option, row)
        else:
            self._paint_place(painter, option)
            if row.kind is RowKind.SESSION:
                self._paint_session(painter, option, index.data(Role.TEXTS), is_open=bool(index.data(Role.IS_OPEN)))
            elif row.hit is not None:
                self._paint_hit(painter, option, row.hit)
            else:
                is_below_session = index.parent().data(Role.TEXTS) is not None
                self._paint_more(painter, option, row, is_below_session=is_below_session)
        painter.restore()

    def _use_font(self, font: QFont) -> None:
        self._font = QFont(font)
        self._bold = QFont(font)
        self._bold.setWeight(QFont.Weight.DemiBold)
        self._small = _scaled(font, 0.92)
        self._small.setFeature(QFont.Tag("tnum"), 1)
        self._caption = QFont(self._small)
        self._caption.setWeight(QFont.Weight.DemiBold)
        self._caption.setCapitalization(QFont.Capitalization.AllUppercase)
        self._bold_metrics = QFontMetrics(self._bold)
        self._small_metrics = QFontMetrics(self._small)
        self._small_bold_metrics = QFontMetrics(self._caption)
        self._unit = QFontMetrics(font).height()
        self._hit_indent = self._unit // 2
        small = self._small_metrics.height()
        self._heights = {
            RowKind.SHELF: round(small * 2.1),
            RowKind.SESSION: round(self._unit + 2 * small + self._unit * 0.9),
            RowKind.HIT: round(small * 1.75),
            RowKind.MORE: round(small * 1.75),
        }

    # Parts

    def _paint_place(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        """The mark of a selected row, of the row under the pointer, and of the keyboard's place."""
        theme = current_theme()
        place = QRectF(option.rect).adjusted(MARGIN, 1, -MARGIN, -1)
        state = option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.selection))
            painter.drawRoundedRect(place, RADIUS, RADIUS)
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.raised))
            painter.drawRoundedRect(place, RADIUS, RADIUS)
        _outline(painter, place, state)

    def _paint_caption(self, painter: QPainter, option: QStyleOptionViewItem, row: LibraryRow) -> None:
        theme = current_theme()
        rect = option.rect.adjusted(MARGIN * 2, self._unit // 4, -MARGIN * 2, 0)
        direction = option.direction
        chevron = self._unit
        is_folded = bool(row.children) and not option.state & QStyle.StateFlag.State_Open
        painter.setPen(QColor(theme.muted))
        if row.children:
            box = QStyle.visualRect(direction, rect, QRect(rect.right() - chevron, rect.top(), chevron, rect.height()))
            _paint_chevron(painter, box, direction, folded=is_folded, size=self._unit / 5)
        right = rect.right() - chevron - 2
        note = row.note
        painter.setFont(self._small)
        note_width = min(self._small_metrics.horizontalAdvance(note), (right - rect.left()) // 2)
        note_rect = QRect(right - note_width, rect.top(), note_width + 1, rect.height())
        painter.drawText(QStyle.visualRect(direction, rect, note_rect), START[direction], note)
        painter.setFont(self._caption)
        room = right - note_width - self._unit // 2 - rect.left()
        title = self._small_bold_metrics.elidedText(row.title, Qt.TextElideMode.ElideMiddle, room)
        _draw_text(
            painter,
            QStyle.visualRect(direction, rect, QRect(rect.left(), rect.top(), room, rect.height())),
            direction,
            title,
        )
        _outline(painter, QRectF(option.rect).adjusted(MARGIN, 2, -MARGIN, -1), option.state)

    def _paint_session(
        self, painter: QPainter, option: QStyleOptionViewItem, texts: SessionTexts, *, is_open: bool
    ) -> None:
        theme = current_theme()
        direction = option.direction
        rect = option.rect.adjusted(MARGIN * 2, 0, -MARGIN * 2, 0)
        if is_open:
            bar = QRect(option.rect.left() + MARGIN, rect.top(), OPEN_BAR_WIDTH, rect.height())
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent))
            inset = self._unit // 2
            painter.drawRoundedRect(
                QRectF(QStyle.visualRect(direction, option.rect, bar)).adjusted(0, inset, 0, -inset), 1.5, 1.5
            )
        small = self._small_metrics.height()
        top = rect.top() + (rect.height() - self._unit - 2 * small - 1) // 2
        first = QRect(rect.left(), top, rect.width(), self._unit + 1)
        second = QRect(rect.left(), top + self._unit + 1, rect.width(), small)
        third = second.translated(0, small)

        right = first.right() + 1
        if texts.problem:
            right -= self._unit
            icon = QStyle.visualRect(direction, rect, QRect(right, first.top(), self._unit, self._unit))
            self._paint_icon(painter, icon, "warning", theme.warning)
            right -= self._unit // 3
        if texts.tag:
            painter.setFont(self._small)
            painter.setPen(QColor(theme.muted))
            width = self._small_metrics.horizontalAdvance(texts.tag) + 1
            tag = QRect(right - width, first.top(), width, first.height())
            _draw_text(painter, QStyle.visualRect(direction, rect, tag), direction, texts.tag)
            right -= width + self._unit // 3
        painter.setFont(self._bold)
        painter.setPen(QColor(theme.text))
        room = right - first.left()
        # Eliding shapes all it is given: more than a narrow letter for every three pixels is never shown.
        title = self._bold_metrics.elidedText(texts.title[: room // 3], Qt.TextElideMode.ElideRight, room)
        _draw_text(
            painter,
            QStyle.visualRect(direction, rect, QRect(first.left(), first.top(), room, first.height())),
            direction,
            title,
        )
        painter.setFont(self._small)
        painter.setPen(QColor(theme.muted))
        metas = (meta for meta in texts.meta if self._small_metrics.horizontalAdvance(meta) <= second.width())
        self._put_small(painter, second, direction, next(metas, texts.meta[-1]))
        self._paint_third_line(painter, third, direction, texts)

    def _paint_third_line(
        self, painter: QPainter, line: QRect, direction: Qt.LayoutDirection, texts: SessionTexts
    ) -> None:
        """Size and cost, and where a fork comes from."""
        if not texts.fork:
            self._put_small(painter, line, direction, texts.measures)
            return
        theme = current_theme()
        side = round(line.height() * 0.95)
        icon = QRect(line.left(), line.top() + (line.height() - side) // 2, side, side)
        self._paint_icon(painter, QStyle.visualRect(direction, line, icon), "branches", theme.muted)
        painter.setPen(QColor(theme.muted))
        rest = line.adjusted(side + self._unit // 4, 0, 0, 0)
        text = " · ".join(filter(None, (texts.measures, texts.fork)))
        self._put_small(painter, QStyle.visualRect(direction, line, rest), direction, text)

    def _put_small(self, painter: QPainter, rect: QRect, direction: Qt.LayoutDirection, text: str) -> None:
        elided = self._small_metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        _draw_text(painter, rect, direction, elided)

    def _paint_hit(self, painter: QPainter, option: QStyleOptionViewItem, hit: Hit) -> None:
        theme = current_theme()
        direction = option.direction
        rect = option.rect.adjusted(MARGIN * 2, 0, -MARGIN * 2, 0)
        side = self._small_metrics.height()
        icon = QStyle.visualRect(
            direction, rect, QRect(rect.left() + self._hit_indent, rect.center().y() - side // 2, side, side)
        )
        self._paint_icon(painter, icon, ICONS[hit.speaker], theme.tone(TONES[hit.speaker]).name())
        left = rect.left() + self._hit_indent + side + self._unit // 2
        text_rect = QStyle.visualRect(direction, rect, QRect(left, rect.top(), rect.right() - left, rect.height()))
        self._paint_found(painter, text_rect, direction, hit)

    def _paint_found(self, painter: QPainter, rect: QRect, direction: Qt.LayoutDirection, hit: Hit) -> None:
        """The text around a hit, beginning near it, with the words that were looked for marked."""
        theme = current_theme()
        text, places = _near_first_place(hit, rect.width() // max(1, self._small_metrics.averageCharWidth()))
        # The marked words are bold, so that a little room is left for them.
        text = self._small_metrics.elidedText(text, Qt.TextElideMode.ElideRight, round(rect.width() * 0.95))
        layout = QTextLayout(text, self._small)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        layout.setTextOption(option)
        mark = QTextCharFormat()
        mark.setBackground(QColor(theme.match))
        mark.setForeground(QColor(theme.text))
        mark.setFontWeight(QFont.Weight.DemiBold)
        formats = []
        for begin, end in places:
            found = QTextLayout.FormatRange()
            found.start, found.length, found.format = _units(text[:begin]), _units(text[begin:end]), mark
            formats.append(found)
        layout.setFormats(formats)
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(ENDLESS)
        line.setLineWidth(line.naturalTextWidth() + 1)
        layout.endLayout()
        left = rect.left() if direction == Qt.LayoutDirection.LeftToRight else rect.right() - line.width()
        painter.save()
        painter.setClipRect(rect)
        painter.setPen(QColor(theme.muted))
        layout.draw(painter, QPointF(left, rect.top() + (rect.height() - line.height()) / 2))
        painter.restore()

    def _paint_more(
        self, painter: QPainter, option: QStyleOptionViewItem, row: LibraryRow, *, is_below_session: bool
    ) -> None:
        direction = option.direction
        indent = self._hit_indent + self._small_metrics.height() + self._unit // 2 if is_below_session else 0
        left, right = (indent, 0) if direction == Qt.LayoutDirection.LeftToRight else (0, indent)
        rect = option.rect.adjusted(MARGIN * 2 + left, 0, -MARGIN * 2 - right, 0)
        painter.setFont(self._small)
        painter.setPen(QColor(current_theme().accent))
        title = self._small_metrics.elidedText(row.title, Qt.TextElideMode.ElideRight, rect.width())
        _draw_text(painter, rect, direction, title)

    def _paint_icon(self, painter: QPainter, rect: QRect, name: str, color: str) -> None:
        ratio = painter.device().devicePixelRatioF()
        painter.drawPixmap(rect.topLeft(), icon_pixmap(name, color, rect.width(), ratio))


def _outline(painter: QPainter, place: QRectF, state: QStyle.StateFlag) -> None:
    """Outline a row that is selected or has the keyboard."""
    if state & (QStyle.StateFlag.State_HasFocus | QStyle.StateFlag.State_Selected):
        width, tone = selection_pen(has_keyboard=bool(state & QStyle.StateFlag.State_HasFocus))
        inset = width / 2
        painter.setPen(QPen(QColor(tone), width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(place.adjusted(inset, inset, -inset, -inset), RADIUS, RADIUS)


def _draw_text(painter: QPainter, rect: QRect, direction: Qt.LayoutDirection, text: str) -> None:
    """Draw a line of text on the side where the interface begins; inside, the text keeps its own direction."""
    painter.setLayoutDirection(text_direction(text) or direction)
    painter.drawText(rect, START[direction], text)


def _near_first_place(hit: Hit, characters: int) -> tuple[str, list[tuple[int, int]]]:
    """The text of a hit so that its first place is within the first `characters`."""
    first = hit.places[0][1] if hit.places else 0
    cut = max(0, min(hit.places[0][0], first - characters + 4)) if hit.places else 0
    if cut == 0:
        return hit.text, list(hit.places)
    cut = max(cut, hit.text.find(" ", cut, hit.places[0][0]) + 1)  # not in the middle of a word, if that can be
    return "…" + hit.text[cut:], [(begin - cut + 1, end - cut + 1) for begin, end in hit.places if begin >= cut]


def _units(text: str) -> int:
    """How long a text is for Qt."""
    return len(text) + sum(character > "\uffff" for character in text)


def _scaled(font: QFont, factor: float) -> QFont:
    scaled = QFont(font)
    if font.pointSizeF() > 0:
        scaled.setPointSizeF(font.pointSizeF() * factor)
    else:
        scaled.setPixelSize(round(font.pixelSize() * factor))
    return scaled


def _paint_chevron(painter: QPainter, box: QRect, direction: Qt.LayoutDirection, *, folded: bool, size: float) -> None:
    painter.save()
    painter.setPen(QPen(QColor(current_theme().muted), 1.4, c=Qt.PenCapStyle.RoundCap, j=Qt.PenJoinStyle.RoundJoin))
    painter.translate(QPointF(box.center()) + QPointF(0.5, 0.5))
    if direction == Qt.LayoutDirection.RightToLeft:
        painter.scale(-1, 1)
    points = [QPointF(-size, -size / 2), QPointF(0, size / 2), QPointF(size, -size / 2)]
    if folded:
        points = [QPointF(-size / 2, -size), QPointF(size / 2, 0), QPointF(-size / 2, size)]
    painter.drawPolyline(points)
    painter.restore()
