"""Lines and tables for a terminal, in any script.

Texts of a session are shown, never obeyed: control characters become visible ones, and marks that turn the direction of
writing around are left out. A column is as wide as the terminal shows it, not as many characters as it has.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

CUT_MARK: Final = "…"
COLUMN_GAP: Final = "  "
LEAST_WIDTH: Final = 8  # of a column that is cut to fit

_UNSAFE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\ud800-\udfff]")
_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_ISOLATE_START: Final = "\u2068"
_ISOLATE_END: Final = "\u2069"
_JOINER: Final = "\u200d"
_EMOJI_STYLE: Final = "\ufe0f"
_SKIN_TONES: Final = range(0x1F3FB, 0x1F400)
_NO_WIDTH: Final = frozenset({"Mn", "Me", "Cf"})


def safe_line(text: str) -> str:
    """Return `text` on one line, without anything that a terminal would obey."""
    return _UNSAFE.sub(_harmless, " ".join(text.split()))


def safe_lines(text: str) -> list[str]:
    """Return the lines of `text`, without anything that a terminal would obey; tabs become blanks."""
    lines = text.expandtabs(4).replace("\r\n", "\n").split("\n")
    return [_UNSAFE.sub(_harmless, line.rstrip()) for line in lines]


def shown_width(text: str) -> int:
    """Return how many columns of a terminal a safe line takes."""
    return sum(width for _, width in _clusters(text)) if not text.isascii() else len(text)


def fitted(text: str, width: int, *, right: bool = False) -> str:
    """Return a safe line cut or filled up to exactly `width` columns; `right` puts it at the right end.

    Text in a script that runs from right to left is kept apart from its neighbours.
    """
    taken = shown_width(text)
    if taken > width:
        text, taken = _cut(text, width)
    if _RIGHT_TO_LEFT.search(text):
        text = f"{_ISOLATE_START}{text}{_ISOLATE_END}"
    filling = " " * (width - taken)
    return filling + text if right else text + filling


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table. The one that may `shrink` is cut when the lines would be wider than the terminal."""

    title: str
    right: bool = False
    shrink: bool = False


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int | None = None) -> list[str]:
    """Return a table: a line of titles, then a line a row; `width` is the terminal's, None when there is no limit."""
    cells = [[column.title for column in columns], *([safe_line_keeping_indent(cell) for cell in row] for row in rows)]
    widths = [max(shown_width(line[place]) for line in cells) for place in range(len(columns))]
    if width is not None:
        over = sum(widths) + len(COLUMN_GAP) * (len(columns) - 1) - width
        for place, column in enumerate(columns):
            if column.shrink and over > 0:
                widths[place] = max(LEAST_WIDTH, widths[place] - over)
    lines = []
    for line in cells:
        texts = [
            fitted(cell, size, right=column.right) for cell, size, column in zip(line, widths, columns, strict=True)
        ]
        lines.append(COLUMN_GAP.join(texts).rstrip())
    return lines


def facts(pairs: Iterable[tuple[str, object]]) -> list[str]:
    """Return names and values below each other; pairs without a value are left out."""
    shown = [(name, safe_line(str(value))) for name, value in pairs if value not in (None, "")]
    size = max((len(name) for name, _ in shown), default=0)
    return [f"{name.ljust(size)}{COLUMN_GAP}{value}" for name, value in shown]


def indented(text: str, by: str = "    ") -> list[str]:
    """Return the lines of a text from a session, moved to the right."""
    return [(by + line).rstrip() for line in safe_lines(text)]


def safe_line_keeping_indent(text: str) -> str:
    """Return `text` as a safe line; blanks in front of it stay."""
    return text[: len(text) - len(text.lstrip(" "))] + safe_line(text)


def count_of(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _harmless(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return "\ufffd" if code < 0xA0 or 0xD800 <= code < 0xE000 else ""


def _cut(text: str, width: int) -> tuple[str, int]:
    """The beginning of a text with a mark behind it, and how wide both are."""
    kept, taken = [], 0
    for cluster, size in _clusters(text):
        if taken + size > width - 1:
            break
        kept.append(cluster)
        taken += size
    return "".join(kept) + CUT_MARK, taken + 1


def _clusters(text: str) -> Iterator[tuple[str, int]]:
    """The characters of a text, each with the marks that are drawn on it, and their widths in columns."""
    cluster, width, joined = "", 0, False
    for character in text:
        attached = joined or unicodedata.category(character) in _NO_WIDTH or ord(character) in _SKIN_TONES
        if cluster and attached:
            cluster += character
            if character == _EMOJI_STYLE:
                width = 2
        else:
            if cluster:
                yield cluster, width
            cluster, width = character, _width(character)
        joined = character == _JOINER
    if cluster:
        yield cluster, width


def _width(character: str) -> int:
    if unicodedata.category(character) in _NO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
