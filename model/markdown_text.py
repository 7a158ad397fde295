"""Texts of a session inside a Markdown document: they keep their form and can do nothing.

Markdown lets a text put HTML into the page and load images from elsewhere, so both are taken out of it; a fence that a
text leaves open must not swallow what follows. Code blocks are written anew with a fence of their own at the line's
beginning, since where a foreign block ends depends on lists and quotes around it. Readable by any CommonMark reader.
"""

import re
from collections.abc import Iterator
from typing import Final

_FENCE: Final = re.compile(r"^(?P<indent>[ \t]*)(?P<fence>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)$")
_FENCE_LIKE: Final = re.compile(r"`{3,}|~{3,}")
_BACKTICKS: Final = re.compile(r"`+")
_MARKUP: Final = re.compile(r"[<&\[|]")
_SAFE_LINK: Final = re.compile(r"\]\((?=\s*(?:https?://|mailto:|#|[\w./-]*[\s)#?/]))")
_LINK: Final = re.compile(r"\]\(")
_DEFINITION: Final = re.compile(r"^(\s{0,3})\[(?=[^\]\n]*\]:)")
_PUNCTUATION: Final = re.compile(r"([\\`*_\[\]<>|~&$])")
_UNPRINTABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")


def markdown_prose(text: str) -> str:
    """Return Markdown that a message holds as a quotation that is safe: no HTML, no images, no open fence."""
    lines: list[str] = []
    code: list[str] = []
    opened: re.Match[str] | None = None
    for line in _clean(text).split("\n"):
        if opened is None:
            opened = _FENCE.match(line)
            if opened is None:
                lines.append(_safe_line(line))
            code = []
        elif _closes(line.strip(), opened["fence"]):
            lines += _code_block(code, opened)
            opened = None
        else:
            code.append(line)
    if opened is not None:
        lines += _code_block(code, opened)
    return "\n".join(f"> {line}" if line else ">" for line in lines)


def _closes(line: str, fence: str) -> bool:
    return len(line) >= len(fence) and set(line) == {fence[0]}


def _code_block(code: list[str], opened: re.Match[str]) -> list[str]:
    """The lines of a code block, less the blanks by which the whole block was moved to the right."""
    indent = len(opened["indent"])
    moved = [line[min(indent, len(line) - len(line.lstrip())) :] for line in code]
    return fenced("\n".join(moved), opened["info"].strip()).split("\n")


def fenced(text: str, info: str = "") -> str:
    """Return a code block with exactly this text. `info` names its language; only a plain name is taken over."""
    text = _clean(text)
    longest = max((len(match[0]) for match in _BACKTICKS.finditer(text)), default=0)
    fence = "`" * max(3, longest + 1)
    language = info if re.fullmatch(r"[\w+#.-]{1,30}", info) else ""
    return f"{fence}{language}\n{text}\n{fence}"


def markdown_inline(text: str) -> str:
    """Return a text on one line in which nothing is Markdown; to be put behind something else on its line."""
    return _PUNCTUATION.sub(r"\\\1", " ".join(_clean(text).split()))


def _safe_line(line: str) -> str:
    """A line outside of code blocks: HTML, images and strange links become text."""
    parts, position = [], 0
    for start, end, ticks in _code_spans(line):
        parts.append(_safe_text(line[position:start]))
        code = line[start + ticks : end - ticks]
        # Whether this is code at all depends on what surrounds it, so what would be markup is written as characters.
        parts.append(f"<code>{_as_characters(code.strip())}</code>" if _MARKUP.search(code) else line[start:end])
        position = end
    return _DEFINITION.sub(r"\1\\[", "".join([*parts, _safe_text(line[position:])]))


def _code_spans(line: str) -> Iterator[tuple[int, int, int]]:
    """Start and end of each code span of a line, and by how many backticks it is enclosed. O(length of the line)."""
    runs = [match.span() for match in _BACKTICKS.finditer(line)]
    closers: list[int | None] = [None] * len(runs)
    following: dict[int, int] = {}
    for number in range(len(runs) - 1, -1, -1):
        length = runs[number][1] - runs[number][0]
        closers[number] = following.get(length)
        following[length] = number
    number = 0
    while number < len(runs):
        start, end = runs[number]
        closer = closers[number]
        if closer is None or line[start - 1 : start] == "\\":
            number += 1
            continue
        yield start, runs[closer][1], end - start
        number = closer + 1


def _safe_text(text: str) -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace("![", "!&#91;")
    text = _FENCE_LIKE.sub(lambda match: f"&#{ord(match[0][0])};" * len(match[0]), text)
    return _LINK.sub(lambda match: "](" if _SAFE_LINK.match(text, match.start()) else "&#93;(", text)


def _as_characters(code: str) -> str:
    return "".join(
        char if char.isalnum() or char in " ,;:=/" or ord(char) > 127 else f"&#{ord(char)};" for char in code
    )


def _clean(text: str) -> str:
    return _UNPRINTABLE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
