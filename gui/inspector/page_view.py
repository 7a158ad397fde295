"""Shows paragraphs: a part at once, the rest while nobody waits. It loads nothing, whatever the text asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from PySide6.QtCore import QEvent, QMimeData, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QImage,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextImageFormat,
    QTextOption,
)
from PySide6.QtWidgets import QTextBrowser, QWidget

from gui.inspector.page_marks import PageMarks
from gui.long_lines import has_long_lines, selected_text, set_continues, with_text
from gui.number_text import full_count
from gui.plain_tips import plain_tip
from gui.theme import current_theme
from gui.widgets import fixed_font, runs_from_right
from model.markdown_blocks import is_web_link
from model.rich_text import Block, Span, block_cost, character_count
from model.search_query import fold

AT_ONCE = 6 * 1024  # characters, or what costs as much, that are set before the window is painted again
A_TURN = 8 * 1024  # that are set in each turn after that
BY_ITSELF = 64 * 1024  # that are shown without being asked for more
MORE = 256 * 1024  # that are added on demand
LOOKED_AHEAD = 4000  # paragraphs in which the first match of a search is looked for before they are set
IMAGE_HEIGHT = 480  # pixels, at most
INDENT = 20  # pixels of a level
MORE_LINK = "more:"
INSIDE = "inside:"


class PageView(QTextBrowser):
    """Read-only paragraphs that can be selected, with links for mouse and keyboard.

    Signals: `followed` (target) for a link inside the program; `web_wanted` (address) for one to the web: it is never
    opened here. Texts of any length are set piece by piece; paragraphs keep their own reading direction.
    """

    followed = Signal(str)
    web_wanted = Signal(QUrl)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("quiet", True)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextBrowserInteraction | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        option = QTextOption()
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDefaultTextOption(option)
        self.document().setDocumentMargin(6)
        self._blocks: list[Block] = []
        self._rest: Iterator[Block] = iter(())
        self._images: Mapping[str, QImage | str] = {}
        self._length = 0
        self._targets: list[str] = []
        self._wanted = 0
        self._place: tuple[int, int] | None = None
        self.verticalScrollBar().actionTriggered.connect(self._stay_here)
        self._timer = QTimer(self)
        self._timer.setInterval(1)  # not 0: what waits, such as painting, comes first
        self._timer.timeout.connect(self._take_turn)
        self._is_blank = True
        self._offers_more = False
        self._writes_colours = ""
        self._marks = PageMarks(self)
        self.anchorClicked.connect(self._follow)

    @property
    def is_writing(self) -> bool:
        """Whether more of the text is about to be set or marked."""
        return self._timer.isActive()

    def show_blocks(
        self,
        blocks: Iterable[Block],
        images: Mapping[str, QImage | str] | None = None,
        *,
        stays: bool = False,
        length: int | None = None,
        words: Sequence[str] = (),
    ) -> None:
        """Show other paragraphs; with `stays`, at the place where the reader is. `length` is about how many characters
        they have, where that is known: counting a long text takes a while. The folded `words` of a search are marked,
        and the first of them is brought in view if the reader does not stay.
        """
        self._place = (self.verticalScrollBar().value(), self.textCursor().position()) if stays else (0, 0)
        shown = self.document().characterCount() if stays else 0
        self._blocks = list(blocks)
        self._length = character_count(self._blocks) if length is None else length
        self._images = images or {}
        self._writes_colours = current_theme().name
        self._rest = iter(self._blocks)
        self.clear()
        self._targets = []
        self._is_blank = True
        self._offers_more = False
        self._write(first_blocks(self._rest, AT_ONCE))
        self._continue(max(BY_ITSELF, shown) - AT_ONCE)
        self._return_to_place()
        self._marks.start(words, scrolls=not stays or self._marks.lacks_first)

    def mark_words(self, words: Sequence[str]) -> None:
        """Mark other words of a search in the text that is shown, and bring the first in view."""
        self._marks.start(words, scrolls=True)
        if words:
            self._timer.start()

    def _return_to_place(self) -> None:
        """Go back to where the reader was, as soon as the text is long enough again."""
        if self._place is None:
            return
        place, position = self._place
        if position >= self.document().characterCount() and self.is_writing:
            return
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(position, self.document().characterCount() - 1))
        self.setTextCursor(cursor)
        self.verticalScrollBar().setValue(place)
        if self.verticalScrollBar().maximum() >= place or not self.is_writing:
            self._place = None

    def _stay_here(self, *_: object) -> None:
        """The reader moved: that counts, not the place of before."""
        self._place = None
        self._marks.stay()

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing is ever loaded; an empty image keeps Qt from looking for a file of that name."""
        return QImage() if kind == QTextDocument.ResourceType.ImageResource.value else ""

    # Writing

    def _continue(self, characters: int) -> None:
        """Set up to that many more characters, a few a turn, then offer what is left."""
        self._wanted = characters
        self._timer.start()

    def _take_turn(self) -> None:
        if self._marks.is_looking:
            self._marks.take_turn()
            return
        if self._wanted <= 0 and self._marks.lacks_first and self._has_match_ahead():
            self._withdraw_offer()
            self._wanted = MORE
        if self._wanted > 0 and (blocks := first_blocks(self._rest, A_TURN)):
            self._wanted -= character_count(blocks)
            self._write(blocks)
            self._return_to_place()
            return
        self._timer.stop()
        self._return_to_place()
        if not self._offers_more and (following := next(self._rest, None)) is not None:
            self._rest = chain([following], self._rest)
            self._offer_more(max(character_count([following]), self._length - self.document().characterCount()))

    def _has_match_ahead(self) -> bool:
        """Whether what a search found stands soon behind what is shown."""
        rest = list(self._rest)
        self._rest = iter(rest)
        word = max(self._marks.words, key=len)
        return any(word in fold(block.text) for block in rest[:LOOKED_AHEAD])

    def _offer_more(self, characters: int) -> None:
        words = self.tr("{0} more characters: show more").format(full_count(characters))
        self._write([Block("note", (Span(words, link=MORE_LINK),), gap=True)])
        self._offers_more = True

    def _withdraw_offer(self) -> None:
        if not self._offers_more:
            return
        self._offers_more = False
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
        cursor.removeSelectedText()
        self._marks.forget_end()

    def _show_more(self) -> None:
        self._withdraw_offer()
        self._continue(MORE)

    def _write(self, blocks: Iterable[Block]) -> None:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        forms = _Forms(self.font())
        for block in blocks:
            block_format = forms.block(block, is_first=self._is_blank)
            if self._is_blank:
                cursor.setBlockFormat(block_format)
                cursor.setBlockCharFormat(forms.char(block, Span("")))
                self._is_blank = False
            else:
                cursor.insertBlock(block_format, forms.char(block, Span("")))
            if block.continues:
                set_continues(cursor.block())
            if block.kind == "image":
                self._write_image(cursor, block, forms)
                continue
            if block.mark:
                cursor.insertText(f"{block.mark}\u2002", forms.mark(block))
            if len(block.spans) == 1 and "\n" in block.spans[0].text:
                self._write_lines(cursor, block, forms)
                continue
            for span in block.spans:
                form = forms.char(block, span)
                if span.link and not is_web_link(span.link):
                    form.setAnchorHref(f"{INSIDE}{len(self._targets)}")  # ids may hold anything
                    self._targets.append(span.link)
                cursor.insertText(self.tr("image: {0}").format(span.text) if span.image else span.text, form)
        cursor.endEditBlock()

    def _write_lines(self, cursor: QTextCursor, block: Block, forms: _Forms) -> None:
        """The lines of a block; only the first is set off from what is above."""
        first, _, more = block.spans[0].text.partition("\n")
        form = forms.char(block, block.spans[0])
        cursor.insertText(first, form)
        cursor.insertBlock(forms.block(block, is_first=True), form)
        cursor.insertText(more, form)

    def _write_image(self, cursor: QTextCursor, block: Block, forms: _Forms) -> None:
        name, kind = block.spans[0].text, block.spans[1].text
        image = self._images.get(name)
        if isinstance(image, QImage):
            self.document().addResource(QTextDocument.ResourceType.ImageResource, QUrl(name), image)
            cursor.insertImage(self._fitted(image, name))
            return
        words = image if image is not None else self.tr("{0}: it is being read").format(kind)
        cursor.insertText(words, forms.char(Block("note"), Span("")))

    def _fitted(self, image: QImage, name: str) -> QTextImageFormat:
        """An image in the width that there is; never larger than it is."""
        room = max(40, self.viewport().width() - 2 * round(self.document().documentMargin()) - 4)
        size = image.deviceIndependentSize()
        scale = min(1.0, room / max(1.0, size.width()), IMAGE_HEIGHT / max(1.0, size.height()))
        form = QTextImageFormat()
        form.setName(name)
        form.setWidth(max(1.0, size.width() * scale))
        form.setHeight(max(1.0, size.height() * scale))
        return form

    # Qt

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied; lines that were too long to be set in one go are whole again."""
        data = super().createMimeDataFromSelection()
        return with_text(data, selected_text(self.textCursor())) if has_long_lines(self.textCursor()) else data

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width() and any(
            isinstance(image, QImage) for image in self._images.values()
        ):
            self._fit_images()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        is_look = event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange, QEvent.Type.FontChange)
        if is_look and self._blocks and (self._writes_colours != current_theme().name):
            self.show_blocks(self._blocks, self._images, stays=True, length=self._length, words=self._marks.words)

    def _fit_images(self) -> None:
        block = self.document().begin()
        while block.isValid():
            pieces = block.begin()
            while not pieces.atEnd():
                form = pieces.fragment().charFormat()
                image = self._images.get(form.toImageFormat().name()) if form.isImageFormat() else None
                if isinstance(image, QImage):
                    cursor = QTextCursor(self.document())
                    cursor.setPosition(pieces.fragment().position())
                    cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor)
                    cursor.setCharFormat(self._fitted(image, form.toImageFormat().name()))
                    break
                pieces += 1
            block = block.next()

    def _follow(self, url: QUrl) -> None:
        place = url.toString().removeprefix(INSIDE)
        if not place.isdecimal():
            self.web_wanted.emit(url)
        elif (target := self._targets[int(place)]) == MORE_LINK:
            self._show_more()
        else:
            self.followed.emit(target)


class _Forms:
    """The formats of paragraphs and spans, in the colours of the theme."""

    def __init__(self, font: QFont) -> None:
        theme = current_theme()
        self._fixed = fixed_font().families()
        self._muted, self._accent = theme.tone("muted"), QColor(theme.accent)
        self._raised, self._warning = QColor(theme.raised), QColor(theme.warning)
        self._thin = QColor(theme.line)
        self._line = round(font.pointSizeF() if font.pointSizeF() > 0 else font.pixelSize() * 0.75) or 10

    def block(self, block: Block, *, is_first: bool) -> QTextBlockFormat:
        form = QTextBlockFormat()
        gap = (
            0
            if is_first or not block.gap
            else self._line * (1.2 if block.kind in ("title", "error", "heading") else 0.7)
        )
        form.setTopMargin(gap)
        if block.kind in ("title", "error"):
            form.setBottomMargin(self._line * 0.3)
        elif block.kind == "heading":
            form.setHeadingLevel(min(6, max(1, block.level)))
            form.setBottomMargin(self._line * 0.3)
        elif block.kind == "rule":
            form.setProperty(QTextBlockFormat.Property.BlockTrailingHorizontalRulerWidth, 1)
            form.setBackground(self._thin)  # of the rule
        elif block.kind == "code":
            form.setBackground(self._raised)
        depth = INDENT * (block.level if block.kind in ("text", "item") else 0) + INDENT * block.quotes * 3 // 4
        hangs = INDENT if block.mark or (block.continues and block.kind == "item") else 0
        if runs_from_right(block.text):
            form.setRightMargin(depth + hangs)
        else:
            form.setLeftMargin(depth + hangs)
        if block.mark and not runs_from_right(block.text):
            form.setTextIndent(-hangs)
        return form

    def char(self, block: Block, span: Span) -> QTextCharFormat:
        form = QTextCharFormat()
        if block.kind in ("title", "error", "heading") or span.bold:
            form.setFontWeight(QFont.Weight.DemiBold)
        if block.kind == "title" or block.kind == "note" or block.quotes:
            form.setForeground(self._muted)
        elif block.kind == "error":
            form.setForeground(self._warning)
        if block.kind == "heading" and block.level <= 2:
            form.setProperty(QTextCharFormat.Property.FontSizeAdjustment, 1)
        if span.italic:
            form.setFontItalic(True)
        if span.struck:
            form.setFontStrikeOut(True)
        if span.code or block.kind == "code":
            form.setFontFamilies(self._fixed)
            form.setFontFixedPitch(True)
            if block.kind != "code":
                form.setBackground(self._raised)
        if span.link:
            form.setAnchor(True)
            form.setAnchorHref(span.link)
            form.setForeground(self._accent)
            form.setFontUnderline(True)
            form.setToolTip(plain_tip(span.tip or span.link))
        return form

    def mark(self, block: Block) -> QTextCharFormat:
        form = self.char(block, Span(""))
        form.setForeground(self._muted)
        return form


def first_blocks(blocks: Iterator[Block], cost: int) -> list[Block]:
    """Take blocks until they cost that much to lay out; at least one, where there is one."""
    taken: list[Block] = []
    while cost > 0 and (block := next(blocks, None)) is not None:
        taken.append(block)
        cost -= block_cost(block)
    return taken
