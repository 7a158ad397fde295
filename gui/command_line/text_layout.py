"""Lines and tables for a terminal, in any script.

Texts of a session are shown, never obeyed: control characters become visible ones, and marks that turn the direction of
writing around are left out. A column is as wide as the terminal shows it, not as many characters as it has.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from model.token_estimates import ContextFigures

CUT_MARK: Final = "…"
COLUMN_GAP: Final = "  "
LEAST_WIDTH: Final = 8  # of a column that is cut to fit

_UNSAFE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\ud800-\udfff]")
_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_ISOLATE_START: Final = "\u2068"
_ISOLATE_END: Final = "\u2069"
_OTHER_WIDTHS: Final = re.compile("[\u00ad\u0300-\u036f\u0483-\u2012\u2027-\u218f\u2200-\U0010ffff]")
_JOINER: Final = "\u200d"
_EMOJI_STYLE: Final = "\ufe0f"
_SKIN_TONES: Final = range(0x1F3FB, 0x1F400)
_PICTURE: Final = re.compile(
    "[\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_KEY_CAP: Final = re.compile("[#*0-9]")
_SKIN: Final = re.compile(  # what Unicode calls an Emoji_Modifier_Base
    "[\u261d\u26f9\u270a-\u270d\U0001f385\U0001f3c2-\U0001f3c4\U0001f3c7\U0001f3ca-\U0001f3cc\U0001f442\U0001f443"
    "\U0001f446-\U0001f450\U0001f466-\U0001f478\U0001f47c\U0001f481-\U0001f483\U0001f485-\U0001f487\U0001f48f\U0001f491"
    "\U0001f4aa\U0001f574\U0001f575\U0001f57a\U0001f590\U0001f595\U0001f596\U0001f645-\U0001f647\U0001f64b-\U0001f64f"
    "\U0001f6a3\U0001f6b4-\U0001f6b6\U0001f6c0\U0001f6cc\U0001f90c\U0001f90f\U0001f918-\U0001f91f\U0001f926"
    "\U0001f930-\U0001f939\U0001f93c-\U0001f93e\U0001f977\U0001f9b5\U0001f9b6\U0001f9b8\U0001f9b9\U0001f9bb"
    "\U0001f9cd-\U0001f9cf\U0001f9d1-\U0001f9dd\U0001fac3-\U0001fac5\U0001faf0-\U0001faf8]"
)
_INNER_JAMO: Final = re.compile("[\u1160-\u11ff\ud7b0-\ud7ff]")  # drawn into the block of the one before
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
    return len(text) if _is_plain(text) else sum(width for _, width in _clusters(text))


def fitted(text: str, width: int, *, right: bool = False) -> str:
    """Return a safe line cut or filled up to exactly `width` columns; `right` puts it at the right end."""
    text, taken = _cut(text, width)
    filling = " " * (width - taken)
    return filling + isolated(text) if right else isolated(text) + filling


def isolated(text: str) -> str:
    """Return a text that runs from right to left such that it keeps apart from its neighbours; others as they are."""
    return f"{_ISOLATE_START}{text}{_ISOLATE_END}" if _RIGHT_TO_LEFT.search(text) else text


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; `right`: what is in it stands at its right end."""

    title: str
    right: bool = False


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int | None = None) -> list[str]:
    """Return a table: a line of titles, then a line a row; `width` is the terminal's, None when there is no limit.

    The last column is not filled up.
    """
    front = columns[:-1]
    cells = [[column.title for column in columns], *([safe_line_keeping_indent(cell) for cell in row] for row in rows)]
    widths = [max(shown_width(line[place]) for line in cells) for place in range(len(front))]
    room = None
    if width is not None:
        room = max(LEAST_WIDTH, width - sum(widths) - len(COLUMN_GAP) * len(front))
    lines = []
    for *texts, end in cells:
        filled = zip(texts, widths, front, strict=True)
        parts = [fitted(text, size, right=column.right) for text, size, column in filled]
        parts.append(isolated(end if room is None else _cut(end, room)[0]))
        lines.append(COLUMN_GAP.join(parts).rstrip())
    return lines


def facts(pairs: Iterable[tuple[str, object]]) -> list[str]:
    """Return names and values below each other; pairs without a value are left out."""
    shown = [(name, safe_line(str(value))) for name, value in pairs if value not in (None, "")]
    size = max((len(name) for name, _ in shown), default=0)
    return [f"{name.ljust(size)}{COLUMN_GAP}{value}" for name, value in shown]


def size_facts(figures: ContextFigures | None, when: str = "") -> list[tuple[str, str | None]]:
    """Return the sizes of a context for `facts`, apart and named; `when` is put behind the names.

    None, which are no facts, is for answers that nobody reads: to work them out takes a reading of the path.
    """
    if figures is None:
        return []
    recorded, counted = figures.recorded, figures.counted
    goes_on = recorded is not None and counted != recorded
    return [
        (f"Recorded{when}", None if recorded is None else f"{recorded:,} tokens, with the latest answer"),
        (f"Counted{when}", f"{counted:,} tokens: that and estimates of what follows" if goes_on else None),
        (f"Estimated{when}", f"{figures.estimated:,} tokens, all messages"),
    ]


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
    """A text, or its beginning with a mark behind it, and how wide that is: at most `width`."""
    if _is_plain(text):
        return (text, len(text)) if len(text) <= width else (text[: width - 1] + CUT_MARK, width)
    kept, taken = [], 0
    for cluster, size in _clusters(text):
        kept.append((cluster, size))
        taken += size
        if taken > width:
            while taken > width - 1:
                taken -= kept.pop()[1]
            return "".join(cluster for cluster, _ in kept) + CUT_MARK, taken + 1
    return text, taken


def _is_plain(text: str) -> bool:
    """Whether each character is one column wide."""
    return text.isascii() or not _OTHER_WIDTHS.search(text)


def _clusters(text: str) -> Iterator[tuple[str, int]]:
    """The characters of a text, each with the marks that are drawn on it, and their widths in columns.

    What only changes a picture stands for itself where there is none before it.
    """
    cluster, width, base, joined = "", 0, "", False
    for character in text:
        own = _width(character)
        if joined and _is_picture(character):
            cluster, base = cluster + character, character
        elif cluster and (not own or (ord(character) in _SKIN_TONES and _has_skin(base))):
            cluster += character
            if character == _EMOJI_STYLE and _may_be_picture(base):
                width = 2
        else:
            if cluster:
                yield cluster, width
            cluster, width, base = character, own, character
        joined = character == _JOINER and _is_picture(base)
    if cluster:
        yield cluster, width


@lru_cache(4096)
def _width(character: str) -> int:
    if unicodedata.category(character) in _NO_WIDTH or _INNER_JAMO.match(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _is_picture(character: str) -> bool:
    return bool(_PICTURE.match(character))


def _may_be_picture(character: str) -> bool:
    return bool(_PICTURE.match(character) or _KEY_CAP.match(character))


def _has_skin(character: str) -> bool:
    return bool(_SKIN.match(character))
