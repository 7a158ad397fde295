"""Text with a form, ready to be shown: paragraphs of bounded length, made of spans. Nothing in it can do anything.

A view sets it piece by piece, so that the length of a line decides how long a window stands still.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal
from unicodedata import category, combining, east_asian_width

from model.json_text import utf16_length

BlockKind = Literal["text", "heading", "item", "code", "rule", "title", "note", "error", "image"]

LINE_CHARACTERS: Final = 4000  # Qt lays such a line out in a few milliseconds, one of a megabyte in a minute
PIECE_CHARACTERS: Final = 4000  # of lines that are set in one go, or what costs as much
LINE_COST: Final = 60  # characters
PICTURE_COST: Final = 24
_PICTURE_ROOM: Final = 6  # characters that a picture takes from the length of its line
_BLANKS: Final = " \t\u3000\u200b"
_IN_WORDS: Final = "'\u2019_-"
_LOOK_BACK: Final = 512  # characters in which the end of a word is looked for, where there is no blank
_LONGEST_CHARACTER: Final = 64

_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_UNSHOWABLE: Final = re.compile("[\ufdd0-\ufdef\ufffc\ufffe\uffff\ud800-\udfff]")
_PAIR: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_JOINS: Final = frozenset([*range(0x1F3FB, 0x1F400), *range(0xE0020, 0xE0080), *range(0x1160, 0x1200)])
"""What belongs to the character before it: skin tones, the tags of flags, later parts of Korean syllables."""
_FLAGS: Final = range(0x1F1E6, 0x1F200)  # two of these letters are one flag
_VIRAMA: Final = 9  # the combining class of signs that join two consonants
_BEFORE_CONSONANTS: Final = frozenset("เแโใไເແໂໃໄ")  # vowels of Thai and Lao that are written before what they follow
_AFTER_CONSONANTS: Final = frozenset("ะาำๅๆฯະາຳໆ")
_DELETE: Final = 0x7F
_PICTURE_OF_DELETE: Final = "\u2421"


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text in one form. `link` is a web address, or a place that the maker of the text agreed upon.

    An `image` is one that is not loaded; the text describes it.
    """

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    struck: bool = False
    link: str = ""
    tip: str = ""
    image: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph; one of `code` or plain `text` may have several lines.

    `level` is 1 to 6 for a heading and counts from 0 for a list item; `mark` stands before an item; `quotes` is how
    deep it is quoted; `gap` tells that it is set off from what is above. The span of an `image` names it. One that
    `continues` is no line of its own: it goes on with a line that is too long to be set in one go, and whoever copies
    it puts no line end before it.
    """

    kind: BlockKind
    spans: tuple[Span, ...] = ()
    level: int = 0
    mark: str = ""
    quotes: int = 0
    gap: bool = False
    continues: bool = False

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
    """Yield a text as blocks, several lines in each, exactly as written; a line that is too long is several blocks."""
    is_code = kind == "code"
    piece: list[str] = []
    cost = 0

    def block(text: str, *, continues: bool = False) -> Block:
        return Block(kind, (Span(text, code=is_code),), gap=gap, quotes=quotes, continues=continues)

    for line in showable(text).split("\n"):
        first, *more = broken_line(line)
        if piece and cost + len(first) > PIECE_CHARACTERS:
            yield block("\n".join(piece))
            piece, cost, gap = [], 0, False
        piece.append(first)
        cost += len(first) + LINE_COST
        if more:
            yield block("\n".join(piece))
            piece, cost, gap = [], 0, False
            for part in more:
                yield block(part, continues=True)
            cost = -1
    if piece or cost >= 0:
        yield block("\n".join(piece))


def code_blocks(text: str, *, gap: bool = True, quotes: int = 0) -> Iterator[Block]:
    """Yield a text as blocks of code."""
    return text_blocks(text, "code", gap=gap, quotes=quotes)


def broken_line(line: str, most: int = LINE_CHARACTERS) -> Iterator[str]:
    """Yield a line in parts of at most `most` characters, of fewer where fonts have to be searched for them.

    It is broken behind a blank, else where a word ends that the script itself shows, else between syllables, and in a
    character that is made of several only where there is no other place. The parts make the line again.
    """
    start = 0
    while len(line) - start > (room := _room(line[start : start + most], most)):
        end = _break_place(line, start, start + room)
        yield line[start:end]
        start = end
    yield line[start:]


def broken(block: Block, most: int = LINE_CHARACTERS) -> Iterator[Block]:
    """Yield a block in parts of at most `most` characters."""
    if sum(_weight(span.text) for span in block.spans) <= most:
        yield block
        return
    room = most
    spans: list[Span] = []
    for span in block.spans:
        for part in broken_line(span.text, most):
            if spans and _weight(part) > room:
                yield replace(block, spans=tuple(spans))
                block = replace(block, gap=False, continues=True, mark="")
                spans, room = [], most
            spans.append(replace(span, text=part))
            room -= _weight(part)
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
        cost += PICTURE_COST * _picture_count(span.text)
    return cost


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    return _PICTURE_OF_DELETE if code == _DELETE else chr(0x2400 + code)


def _picture_count(text: str) -> int:
    return 0 if text.isascii() else utf16_length(text) - len(text) + text.count("\u200d")


def _weight(text: str) -> int:
    return len(text) + _PICTURE_ROOM * _picture_count(text)


def _room(text: str, most: int) -> int:
    """How many characters of a line may stand together."""
    return max(1, min(most, most * len(text) // max(1, _weight(text))))


def _break_place(line: str, start: int, end: int) -> int:
    """The best place up to `end` to break a line, behind `start`, where a character begins."""
    text, size = line[start : end + 1], end - start
    half = size // 2
    blank = max(text.rfind(sign, half, size) for sign in _BLANKS) + 1
    if blank and not _continues(text, blank):
        return start + blank
    for place in range(size, max(half, size - _LOOK_BACK), -1):
        if _ends_word(text[place - 1], text[place]) and not _continues(text, place):
            return start + place
    places = [place for place in range(size, max(0, size - _LONGEST_CHARACTER), -1) if not _continues(text, place)] or [
        size
    ]
    for is_good in (_begins_syllable, _ends_syllable):
        if found := next((place for place in places if is_good(text[place - 1], text[place])), None):
            return start + found
    return start + places[0]


def _ends_word(before: str, after: str) -> bool:
    """Whether two characters belong to two words, as far as they show it themselves."""
    if category(before)[0] in "PSZ":
        return before not in _IN_WORDS and category(after)[0] not in "PM"
    return before.isalpha() and after.isalpha() and east_asian_width(before) in "WF" and east_asian_width(after) in "WF"


def _begins_syllable(_before: str, after: str) -> bool:
    return after in _BEFORE_CONSONANTS


def _ends_syllable(before: str, after: str) -> bool:
    return before not in _BEFORE_CONSONANTS and after not in _AFTER_CONSONANTS


def _continues(text: str, place: int) -> bool:
    """Whether what a person calls one character goes on at `place`; one begins where the text does."""
    before, char = text[place - 1], text[place]
    code = ord(char)
    if char == "\u200d" or before == "\u200d" or code in _JOINS or category(char)[0] == "M":
        return True
    if code in _FLAGS and ord(before) in _FLAGS:
        first = place
        while first > 0 and ord(text[first - 1]) in _FLAGS:
            first -= 1
        return (place - first) % 2 == 1
    return combining(before) == _VIRAMA and category(char) == "Lo"
