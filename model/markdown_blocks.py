"""Markdown as blocks to show: what people and models write, and nothing that could do something.

HTML stays the text that it is; an image is its description and a link to it; only links to the web and to mail remain
links. Lines end where their writer ended them. What is not understood is shown as written. Time is linear in the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final
from unicodedata import combining, east_asian_width

from model.rich_text import Block, Span, broken, code_blocks, showable

MOST_INLINE: Final = 8000  # characters of a line that is looked through for emphasis and links
_DEEPEST: Final = 6  # of lists and quotations
_WIDEST_CELL: Final = 48

_QUOTE: Final = re.compile(r" {0,3}> ?")
_FENCE: Final = re.compile(r"(?P<indent>[ \t]*)(?P<fence>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)$")
_HEADING: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE: Final = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_RULE: Final = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_ITEM: Final = re.compile(r"(?P<indent>[ \t]*)(?P<mark>[-*+]|[0-9]{1,9}[.)])(?:[ \t]+|$)(?P<box>\[[ xX]\](?=[ \t]|$))?")
_DIVIDER: Final = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_CELL_END: Final = re.compile(r"(?<!\\)\|")

_INLINE: Final = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<ticks>`+)"
    r"|(?P<image>!)?\[(?P<label>(?:[^\[\]\\]|\\.)*)\]\([ ]*<?(?P<target>[^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?"
    r"(?:[ ]+(?:\"[^\"]*\"|'[^']*'))?[ ]*\)"
    r"|<(?P<auto>(?:https?://|mailto:)[^\s<>]+)>"
    r"|(?P<bare>https?://[^\s<>`\"\[\]|]+)"
    r"|(?P<run>\*+|_+|~~)"
)
_WEB: Final = re.compile(r"(?:https?://[^\s/]|mailto:[^\s])", re.IGNORECASE)


def markdown_blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a Markdown text in order. Never raises."""
    return (block for _lines, blocks in markdown_parts(text) for block in blocks)


def markdown_parts(text: str) -> Iterator[tuple[range, list[Block]]]:
    """Yield the blocks of a Markdown text in order, each with the lines of the text that it was made of: a line of
    prose, an item of a list, all of a table or of a stretch of code. Never raises.
    """
    return _Reader(showable(text).split("\n")).parts()


def inline_spans(line: str) -> tuple[Span, ...]:
    """Return the spans of one line of Markdown."""
    if len(line) > MOST_INLINE:
        return (Span(line),)
    return tuple(_styled(list(_tokens(line))))


def is_web_link(target: str) -> bool:
    """Whether a link leads to the web or to mail, the only places that a link of a session may lead to."""
    return _WEB.match(target) is not None


# --- Blocks ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Reader:
    lines: list[str]
    place: int = 0
    gap: bool = False
    indents: list[int] = field(default_factory=list)  # of the lists that are open

    def parts(self) -> Iterator[tuple[range, list[Block]]]:
        after_blank = True
        while self.place < len(self.lines):
            first = self.place
            quotes, line = _unquoted(self.lines[first])
            self.place += 1
            if not line.strip():
                self.gap = after_blank = True
                continue
            is_set_off, self.gap = self.gap, False
            blocks = list(self._read(line, quotes, after_blank))
            if blocks and is_set_off:
                blocks[0] = replace(blocks[0], gap=True)
            yield range(first, self.place), blocks
            after_blank = False

    def _read(self, line: str, quotes: int, after_blank: bool) -> Iterator[Block]:
        if opened := _FENCE.match(line):
            yield from self._fenced(opened, quotes)
        elif heading := _HEADING.match(line):
            self.indents.clear()
            yield from self._line("heading", heading[2] or "", quotes, level=len(heading[1]), gap=True)
        elif _RULE.match(line):
            yield Block("rule", quotes=quotes)
        elif item := _ITEM.match(line):
            yield from self._item(line, item, quotes)
        elif after_blank and not self.indents and line.startswith(("    ", "\t")):
            yield from self._indented(line, quotes)
        elif "|" in line and len(line) <= MOST_INLINE and self._divided(quotes):
            yield from self._table(line, quotes)
        elif after_blank and (underline := self._peek(quotes, _UNDERLINE)):
            self.place += 1
            yield from self._line("heading", line.strip(), quotes, level=1 if underline[1][0] == "=" else 2, gap=True)
        else:
            indent = _indent(line)
            while self.indents and indent <= self.indents[-1] and after_blank:
                self.indents.pop()
            yield from self._line("text", line.strip(), quotes, level=len(self.indents))

    def _line(
        self, kind: str, text: str, quotes: int, *, level: int = 0, mark: str = "", gap: bool = False
    ) -> Iterator[Block]:
        yield from broken(Block(kind, inline_spans(text), level, mark, quotes, gap))  # type: ignore[arg-type]

    def _fenced(self, opened: re.Match[str], quotes: int) -> Iterator[Block]:
        fence, indent = opened["fence"], _indent(opened["indent"])
        code: list[str] = []
        while self.place < len(self.lines):
            depth, line = _unquoted(self.lines[self.place], quotes)
            if depth < quotes:
                break
            self.place += 1
            stripped = line.strip()
            if len(stripped) >= len(fence) and set(stripped) == {fence[0]}:
                break
            code.append(line[min(indent, len(line) - len(line.lstrip())) :])
        yield from code_blocks("\n".join(code), quotes=quotes)
        self.gap = True

    def _indented(self, line: str, quotes: int) -> Iterator[Block]:
        code = [line]
        while self.place < len(self.lines):
            depth, line = _unquoted(self.lines[self.place], quotes)
            if depth != quotes or not line.startswith(("    ", "\t")):
                break
            code.append(line)
            self.place += 1
        yield from code_blocks("\n".join(each[1:] if each[0] == "\t" else each[4:] for each in code), quotes=quotes)
        self.gap = True

    def _item(self, line: str, item: re.Match[str], quotes: int) -> Iterator[Block]:
        indent = _indent(item["indent"])
        while self.indents and indent <= self.indents[-1]:
            self.indents.pop()
        self.indents.append(indent)
        mark = item["mark"] if item["mark"][0].isdigit() else "•"
        if item["box"]:
            mark = "○" if item["box"][1] == " " else "✓"
        level = min(len(self.indents) - 1, _DEEPEST)
        yield from self._line("item", line[item.end() :].strip(), quotes, level=level, mark=mark)

    def _table(self, head: str, quotes: int) -> Iterator[Block]:
        self.place += 1
        rows = [_cells(head)]
        while self.place < len(self.lines):
            depth, line = _unquoted(self.lines[self.place], quotes)
            if depth != quotes or "|" not in line or len(line) > MOST_INLINE:
                break
            rows.append(_cells(line))
            self.place += 1
        widths = [
            min(_WIDEST_CELL, max(_width(row[column]) for row in rows if column < len(row)))
            for column in range(max(map(len, rows)))
        ]
        lines = [" │ ".join(map(_padded, row, widths)).rstrip() for row in rows]
        yield from code_blocks(
            "\n".join([lines[0], "─┼─".join("─" * width for width in widths), *lines[1:]]), quotes=quotes
        )
        self.gap = True

    def _divided(self, quotes: int) -> bool:
        return "|" in self.lines[min(self.place, len(self.lines) - 1)] and self._peek(quotes, _DIVIDER) is not None

    def _peek(self, quotes: int, pattern: re.Pattern[str]) -> re.Match[str] | None:
        if self.place >= len(self.lines):
            return None
        depth, line = _unquoted(self.lines[self.place], quotes)
        return pattern.match(line) if depth == quotes else None


def _unquoted(line: str, most: int = _DEEPEST) -> tuple[int, str]:
    depth, start = 0, 0
    while depth < most and (match := _QUOTE.match(line, start)):
        depth, start = depth + 1, match.end()
    return depth, line[start:]


def _indent(line: str) -> int:
    blanks = line[: len(line) - len(line.lstrip(" \t"))]
    return sum(4 if char == "\t" else 1 for char in blanks[:200])


def _cells(line: str) -> list[str]:
    inside = line.strip()
    inside = inside[1:] if inside.startswith("|") else inside
    inside = inside[:-1] if inside.endswith("|") and not inside.endswith("\\|") else inside
    return ["".join(span.text for span in inline_spans(cell.strip())) for cell in _CELL_END.split(inside)]


def _padded(cell: str, width: int) -> str:
    return cell + " " * max(0, width - _width(cell))


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


# --- Inside a line ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Run:
    """A run of the signs for emphasis, as far as it is one."""

    text: str
    can_open: bool
    can_close: bool
    left: int
    closes: list[int] = field(default_factory=list)
    opens: list[int] = field(default_factory=list)


def _tokens(line: str) -> Iterator[Span | _Run]:
    place = 0
    ticks = _closing_ticks(line)
    position = 0
    while match := _INLINE.search(line, position):
        start, position = match.span()
        found: list[Span | _Run] = []
        if match["escape"]:
            found = [Span(match[0][1])]
        elif match["ticks"]:
            closer = ticks.get(start)
            if closer is None:
                continue
            end = closer + len(match[0])
            code = line[position:closer]
            found = [Span(code[1:-1] if code.strip() and code[0] == code[-1] == " " else code, code=True)]
            position = end
        elif match["label"] is not None:
            found = list(_link(match))
        elif match["auto"]:
            found = [Span(match["auto"], link=match["auto"])]
        elif match["bare"]:
            address = _trimmed(match["bare"])
            position = start + len(address)
            found = [Span(address, link=address)]
        else:
            found = [_run(line, start, match["run"])]
        if start > place:
            yield Span(line[place:start])
        yield from found
        place = position
    if place < len(line):
        yield Span(line[place:])


def _closing_ticks(line: str) -> dict[int, int]:
    """Where the code ends that begins at a run of backticks: at the next run of the same length."""
    runs = [match.span() for match in re.finditer("`+", line)]
    following: dict[int, int] = {}
    closing: dict[int, int] = {}
    for start, end in reversed(runs):
        if end - start in following:
            closing[start] = following[end - start]
        following[end - start] = start
    return closing


def _link(match: re.Match[str]) -> Iterator[Span]:
    label, target = match["label"], match["target"]
    text = "".join(token.text for token in _tokens(label)) if label else target
    is_image = bool(match["image"])
    if is_web_link(target):
        yield Span(text, link=target, image=is_image)
    else:  # a place on a disk, or worse: it leads nowhere, and is shown
        yield Span(f"{text} ({target})" if target and target != text else text, image=is_image)


def _trimmed(address: str) -> str:
    address = address.rstrip(".,;:!?*_~'")
    while address.endswith(")") and address.count("(") < address.count(")"):
        address = address[:-1].rstrip(".,;:!?*_~'")
    return address


def _run(line: str, start: int, text: str) -> _Run:
    before, after = line[start - 1 : start], line[start + len(text) : start + len(text) + 1]
    left = bool(after) and not after.isspace() and (after.isalnum() or not before or not before.isalnum())
    right = bool(before) and not before.isspace() and (before.isalnum() or not after or not after.isalnum())
    if text[0] == "_":  # not inside of words
        left, right = left and not before.isalnum(), right and not after.isalnum()
    fits = len(text) <= 3
    return _Run(text, left and fits, right and fits, len(text))


def _styled(tokens: list[Span | _Run]) -> Iterator[Span]:
    """Spans with their emphasis; a sign that nothing answers is text."""
    _pair([token for token in tokens if isinstance(token, _Run)])
    depth = {"bold": 0, "italic": 0, "struck": 0}
    for token in tokens:
        if isinstance(token, Span):
            yield replace(
                token,
                bold=token.bold or depth["bold"] > 0,
                italic=token.italic or depth["italic"] > 0,
                struck=token.struck or depth["struck"] > 0,
            )
            continue
        for length in token.closes:
            depth[_style(token.text, length)] -= 1
        if token.left:
            yield Span(token.text[0] * token.left, depth["bold"] > 0, depth["italic"] > 0, False, depth["struck"] > 0)
        for length in token.opens:
            depth[_style(token.text, length)] += 1


def _pair(runs: list[_Run]) -> None:
    open_runs: list[tuple[_Run, int]] = []
    waiting: dict[tuple[str, int], int] = {}
    for run in runs:
        sign = run.text[0]
        if run.can_close:
            for length in (1, 2):
                if run.left < length or not waiting.get((sign, length)):
                    continue
                if sign == "~" and length == 1:
                    continue
                while open_runs:
                    opener, opened = open_runs.pop()
                    waiting[opener.text[0], opened] -= 1
                    if opener.text[0] == sign and opened == length:
                        opener.opens.append(length)
                        opener.left -= length
                        run.closes.append(length)
                        run.left -= length
                        break
        if run.can_open and run.left:
            lengths = (2,) if sign == "~" else (2, 1) if run.left == 3 else (run.left,)
            for length in lengths:
                open_runs.append((run, length))
                waiting[sign, length] = waiting.get((sign, length), 0) + 1


def _style(text: str, length: int) -> str:
    return "struck" if text[0] == "~" else "bold" if length == 2 else "italic"
