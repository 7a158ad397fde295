"""Text with a form, ready to be shown: paragraphs of bounded length, made of spans. Nothing in it can do anything.

A view sets it piece by piece, so that the length of a line decides how long a window stands still.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal
from unicodedata import combining

from model.json_text import utf16_length

BlockKind = Literal["text", "heading", "item", "code", "rule", "title", "note", "error", "image"]

LINE_CHARACTERS: Final = 1000
PIECE_CHARACTERS: Final = 4000  # of lines that are set in one go, or what costs as much
LINE_COST: Final = 60  # characters
PICTURE_COST: Final = 24

_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_UNSHOWABLE: Final = re.compile("[\ufdd0-\ufdef\ufffc\ufffe\uffff\ud800-\udfff]")
_PAIR: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_JOINS: Final = frozenset(range(0x1F3FB, 0x1F400))  # skin tones
_DELETE: Final = 0x7F
_PICTURE_OF_DELETE: Final = "\u2421"


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text in one form. `link` is a web address, or a place that the maker of the text agreed upon."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    struck: bool = False
    link: str = ""
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph; one of `code` or plain `text` may have several lines.

    `level` is 1 to 6 for a heading and counts from 0 for a list item; `mark` stands before an item; `quotes` is how
    deep it is quoted; `gap` tells that it is set off from what is above. The span of an `image` names it.
    """

    kind: BlockKind
    spans: tuple[Span, ...] = ()
    level: int = 0
    mark: str = ""
    quotes: int = 0
    gap: bool = False

    @property
    def text(self) -> str:
        """The text of all spans."""
        return "".join(span.text for span in self.spans)


def showable(text: str) -> str:
    """Return `text` with a visible sign in place of each character that cannot be shown; line ends become LF."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _PAIR.sub(lambda match: match[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le"), text)
    return _UNSHOWABLE.sub("\ufffd", _CONTROL.sub(_picture, text))


def text_blocks(text: str, kind: BlockKind = "text", *, gap: bool = True, quotes: int = 0) -> Iterator[Block]:
    """Yield a text as blocks, several lines in each, exactly as written but for lines that are too long: those are
    broken.
    """
    is_code = kind == "code"
    piece: list[str] = []
    cost = 0
    for line in showable(text).split("\n"):
        for part in broken_line(line):
            if piece and cost + len(part) > PIECE_CHARACTERS:
                yield Block(kind, (Span("\n".join(piece), code=is_code),), gap=gap, quotes=quotes)
                piece, cost, gap = [], 0, False
            piece.append(part)
            cost += len(part) + LINE_COST
    yield Block(kind, (Span("\n".join(piece), code=is_code),), gap=gap, quotes=quotes)


def code_blocks(text: str, *, gap: bool = True, quotes: int = 0) -> Iterator[Block]:
    """Yield a text as blocks of code."""
    return text_blocks(text, "code", gap=gap, quotes=quotes)


def broken_line(line: str, most: int = LINE_CHARACTERS) -> Iterator[str]:
    """Yield a line in parts of at most `most` characters: behind a blank where there is one near, never in a character
    that is made of several.
    """
    start = 0
    while len(line) - start > most:
        end = line.rfind(" ", start + most // 2, start + most) + 1 or _whole(line, start, start + most)
        yield line[start:end]
        start = end
    yield line[start:]


def broken(block: Block, most: int = LINE_CHARACTERS) -> Iterator[Block]:
    """Yield a block in parts of at most `most` characters."""
    if sum(len(span.text) for span in block.spans) <= most:
        yield block
        return
    room = most
    spans: list[Span] = []
    for span in block.spans:
        for part in broken_line(span.text, most):
            if spans and len(part) > room:
                yield replace(block, spans=tuple(spans))
                block = replace(block, gap=False, mark="")
                spans, room = [], most
            spans.append(replace(span, text=part))
            room -= len(part)
    yield replace(block, spans=tuple(spans))


def character_count(blocks: Iterable[Block]) -> int:
    """Return how many characters some blocks have, line ends included."""
    return sum(sum(len(span.text) for span in block.spans) + 1 for block in blocks)


def block_cost(block: Block) -> int:
    """Return how much work it is to lay out a block, in characters of plain text: lines cost, too, and so do pictures
    among the letters, for which fonts are searched.
    """
    cost = LINE_COST
    for span in block.spans:
        cost += len(span.text) + LINE_COST * span.text.count("\n")
        if not span.text.isascii():
            pictures = utf16_length(span.text) - len(span.text) + span.text.count("\u200d")
            cost += PICTURE_COST * pictures
    return cost


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    return _PICTURE_OF_DELETE if code == _DELETE else chr(0x2400 + code)


def _whole(line: str, start: int, end: int) -> int:
    """The last place up to `end` where a character begins that a person would call one."""
    place = end
    while place > start + 1 and place > end - 64 and _continues(line, place):
        place -= 1
    return place if place > max(start + 1, end - 64) else end


def _continues(line: str, place: int) -> bool:
    char = line[place]
    code = ord(char)
    joined = char == "\u200d" or line[place - 1] == "\u200d"
    return joined or combining(char) > 0 or code in _JOINS or 0xFE00 <= code <= 0xFE0F
