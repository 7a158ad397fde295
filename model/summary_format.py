"""Tidy a rendered prompt the way OMP does before it sends one: fewer blank lines, compact tables.

Only the `omp-13.19` preset uses it, so that sizes and texts equal the agent's.
"""

import re

_OPENING_TAG = re.compile(r"<[a-z_-]+(?:\s+[^>]*)?>")
_CLOSING_TAG = re.compile(r"</([a-z_-]+)>")
_LIST_ITEM = re.compile(r"(?:[-*]\s|[0-9]+\.\s)")
_TABLE_ROW = re.compile(r"\|.*\|")
_TABLE_RULE = re.compile(r"\|[-:\s|]+\|")


def tidy_prompt(text: str) -> str:
    """Return a prompt text without superfluous white space.

    Blanks at line ends go. Runs of blank lines become one; in front of a list item, behind an opening tag and in front
    of a closing one they go altogether. Table rows lose the padding of their cells. Inside a code fence only the blanks
    at line ends go.
    """
    lines = [line.rstrip() for line in text.split("\n")]
    tidy: list[str] = []
    open_tags: list[str] = []  # tags that were opened at the left margin
    in_fence = False
    for number, line in enumerate(lines):
        stripped = line.strip()
        if stripped.startswith("```"):
            in_fence = not in_fence
            tidy.append(line)
        elif in_fence:
            tidy.append(line)
        elif not stripped:
            following = lines[number + 1].strip() if number + 1 < len(lines) else ""
            if not _superfluous(tidy[-1].strip() if tidy else "", following):
                tidy.append(line)
        else:
            if _CLOSING_TAG.fullmatch(stripped):
                _drop_trailing_blank_lines(tidy)
            tidy.append(_tidy_line(line, stripped, open_tags))
    _drop_trailing_blank_lines(tidy)
    return "\n".join(tidy)


def _superfluous(previous: str, following: str) -> bool:
    """Whether the blank line between two lines goes."""
    return (
        not previous
        or _LIST_ITEM.match(following) is not None
        or _OPENING_TAG.fullmatch(previous) is not None
        or _CLOSING_TAG.fullmatch(following) is not None
    )


def _tidy_line(line: str, stripped: str, open_tags: list[str]) -> str:
    closing = _CLOSING_TAG.fullmatch(stripped)
    if closing is not None:
        if open_tags and open_tags[-1] == closing[1]:
            open_tags.pop()
            return stripped
        return line
    if line == stripped and _OPENING_TAG.fullmatch(stripped) and not stripped.endswith("/>"):
        open_tags.append(re.split(r"[<\s>]", stripped)[1])
        return line
    indent = line[: len(line) - len(stripped)]
    if _TABLE_RULE.fullmatch(stripped):
        cells = [cell.strip() for cell in stripped.split("|")]
        return f"{indent}|{'|'.join(_rule(cell) for cell in cells if cell)}|"
    if _TABLE_ROW.fullmatch(stripped):
        return indent + "|".join(cell.strip() for cell in stripped.split("|"))
    return line


def _rule(cell: str) -> str:
    return f"{':' if cell.startswith(':') else ''}---{':' if cell.endswith(':') else ''}"


def _drop_trailing_blank_lines(lines: list[str]) -> None:
    while lines and not lines[-1].strip():
        lines.pop()
