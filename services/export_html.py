"""A session as one web page: the entries branch by branch, and the tree beside them.

The page needs nothing else: its style is in it, it has no script, and its content security policy lets a browser load
nothing. Every text of the session is escaped; ids are shown, but anchors are made from places.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from typing import Final

from model.entry_text import TextSection
from model.json_text import JsonObject
from model.runs import NO_ROW
from model.session_export import SHOWN_IMAGES, ExportBranch, ExportedEntry
from services.export_document import ExportDocument, time_text, tokens_text

_FOLDED_LINES: Final = 14  # of output; longer ones are folded
_FOLDED_CHARACTERS: Final = 1200
_LINK_CHARACTERS: Final = 120

_UNPRINTABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")
_FENCE: Final = re.compile(
    r"^[ \t]*(`{3,}(?=[^`\n]*$)|~{3,})[^\n]*\n(.*?)(?:^[ \t]*\1[`~]*[ \t]*(?:\n|\Z)|\Z)", re.M | re.S
)
_HEADING: Final = re.compile(r"^#{1,6} +(.+)$", re.M)
_CODE: Final = re.compile(r"`([^`\n]+)`")
_INLINE: Final = re.compile(r"`[^`\n]+`|\*\*((?:[^*`\n]|`[^`\n]+`)+)\*\*")


def html_export(document: ExportDocument) -> Iterator[str]:
    """Yield the page in pieces."""
    style = _resource("export.css")
    values = {"policy": content_security_policy(style), "title": _text(document.title), "style": style}
    before, middle, after = _split(_resource("export.html"), "{{main}}", "{{nav}}")
    yield _filled(before, values)
    yield from _head(document)
    active = document.plan.active_rows
    links: dict[int, str] = {}
    for branch in document.plan.branches:
        yield _section_head(document, branch)
        for row in branch.rows:
            entry = document.exported(row)
            links[row] = _link(entry, is_active=row in active)
            yield from _article(document, entry)
        yield "</section>\n"
    yield middle
    yield from _tree(document, links)
    yield after


def content_security_policy(style: str) -> str:
    """Return the policy of a page with that style: nothing may be loaded, run or sent; images are part of the page."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"


# --- Entries ----------------------------------------------------------------------------------------------------------


def _head(document: ExportDocument) -> Iterator[str]:
    yield f'<h1 dir="auto">{_text(document.title)}</h1>\n<dl class="facts">\n'
    for name, value in document.facts:
        if value:
            yield f'<dt>{_text(name)}</dt><dd dir="auto">{_text(value)}</dd>\n'
    yield "</dl>\n"


def _section_head(document: ExportDocument, branch: ExportBranch) -> str:
    heading = _text(document.heading(branch))
    if branch.number:
        origin = "from the beginning"
        if branch.fork_row != NO_ROW:
            origin = f'from <a href="#e{branch.fork_row}">{_text(document.plan.index.id_of(branch.fork_row))}</a>'
        heading += f' <span class="meta">{origin}</span>'
    return f'<section aria-labelledby="b{branch.number}">\n<h2 id="b{branch.number}">{heading}</h2>\n'


def _article(document: ExportDocument, entry: ExportedEntry) -> Iterator[str]:
    speaker = entry.preview.speaker
    quiet = ' class="quiet"' if entry.is_quiet else ""
    yield f'<article id="e{entry.row}"{quiet}>\n<header><h3 class="{speaker}">{_text(entry.preview.name)}</h3>'
    if entry.label is not None:
        yield f' <bdi class="chip">{_text(entry.label)}</bdi>'
    if entry.is_leaf:
        yield ' <span class="leaf">leaf</span>'
    if entry.preview.failed:
        yield ' <span class="failed">failed</span>'
    if entry.is_quiet and entry.preview.text:
        yield f" <bdi>{_text(entry.preview.text)}</bdi>"
    yield f' <span class="meta">{_meta(entry)}</span></header>\n'
    if not entry.is_quiet:
        for section in entry.sections:
            yield _body(entry, section)
        for block in entry.images:
            yield _image(document, block)
    if entry.forks:
        branches = ", ".join(f'<a href="#b{number}">Branch {number}</a>' for number in entry.forks)
        yield f'<p class="forks">Other branches from here: {branches}</p>\n'
    yield "</article>\n"


def _meta(entry: ExportedEntry) -> str:
    parts = [f'<a href="#e{entry.row}">{_text(entry.entry_id)}</a>']
    if entry.time_ms is not None and (time := time_text(entry.time_ms)):
        parts.append(f"<time>{time}</time>")
    if entry.tokens:
        parts.append(tokens_text(entry.tokens))
    return " · ".join(parts)


def _body(entry: ExportedEntry, section: TextSection) -> str:
    """A section of an entry: prose as it is, output in a box, and folded what is long or seldom read."""
    title, text = _text(section.title), section.text
    if section.title == "Thinking":
        return f'<details><summary>Thinking</summary><div class="text" dir="auto">{_text(text)}</div></details>\n'
    if section.verbatim:
        box = f'<pre dir="auto">{_text(text)}</pre>'
        if len(text) > _FOLDED_CHARACTERS or text.count("\n") >= _FOLDED_LINES:
            first = _text(" ".join(text[:400].split())[:_LINK_CHARACTERS])
            title = f"{title or 'Text'}: " if title else ""
            return f"<details><summary><bdi>{title}{first}…</bdi></summary>{box}</details>\n"
        return f'<p class="title">{title}</p>{box}\n' if title else f"{box}\n"
    kind = "text summary" if entry.is_summary else "text"
    prose = f'<div class="{kind}" dir="auto">{_prose(text)}</div>\n'
    return f'<p class="title">{title}</p>{prose}' if title else prose


def _image(document: ExportDocument, block: JsonObject) -> str:
    data = document.image(block)
    mime = block.get("mimeType")
    if data is None or mime not in SHOWN_IMAGES:
        return f'<p class="title">[image, {_text(str(mime or "of unknown type"))}, not shown]</p>\n'
    return f'<img alt="Image" src="data:{mime};base64,{base64.b64encode(data).decode()}">\n'


def _prose(text: str) -> str:
    """Text of a message as markup: code blocks, code, bold and headings; everything else as it is written."""
    parts, position = [], 0
    for match in _FENCE.finditer(text):
        parts += [_lines(text[position : match.start()]), f"<pre>{_text(match[2].rstrip())}</pre>"]
        position = match.end()
    return "".join([*parts, _lines(text[position:])])


def _lines(text: str) -> str:
    """Text outside of code blocks as markup. It is escaped first, so that there is no other markup in it."""
    return _HEADING.sub(r'<b class="heading">\1</b>', _INLINE.sub(_marked, _text(text.strip("\n"))))


def _marked(match: re.Match[str]) -> str:
    marked = _CODE.sub(r"<code>\1</code>", match[1] or match[0])
    return f"<b>{marked}</b>" if match[1] else marked


# --- The tree ---------------------------------------------------------------------------------------------------------


def _link(entry: ExportedEntry, *, is_active: bool) -> str:
    """The row of the tree for an entry, "" for those that the tree leaves out."""
    preview = entry.preview
    if entry.label is None and not entry.is_leaf and (entry.is_quiet or preview.speaker in ("tool", "terminal")):
        return ""
    mark = ' class="path"' if is_active else ""
    label = f' <bdi class="chip">{_text(entry.label)}</bdi>' if entry.label is not None else ""
    text = _text(preview.text[:_LINK_CHARACTERS])
    who = f'<b class="{preview.speaker}">{_text(preview.name)}</b>'
    return f'<li{mark}><a href="#e{entry.row}">{who}{label} <bdi>{text}</bdi></a></li>\n'


def _tree(document: ExportDocument, links: dict[int, str]) -> Iterator[str]:
    """Nested lists: the active path, and every other branch folded under the entry where it forks."""
    plan = document.plan
    starts: dict[int, list[ExportBranch]] = defaultdict(list)
    for branch in plan.branches:
        starts[branch.fork_row].append(branch)
    yield "<h2>Tree</h2>\n<ol>\n"
    pending: list[ExportBranch | int | str] = [*reversed(starts[NO_ROW][1:])]
    pending += [row for branch in starts[NO_ROW][:1] for row in reversed(branch.rows)]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, int):
            yield links[item]
            pending += reversed(starts.get(item, []))
        else:
            count = f"{len(item.rows):,} {'entry' if len(item.rows) == 1 else 'entries'}"
            yield f"<li><details><summary>{_text(document.heading(item))} · {count}</summary><ol>\n"
            pending.append("</ol></details></li>\n")
            pending += reversed(item.rows)
    yield "</ol>\n"


# --- Text -------------------------------------------------------------------------------------------------------------


def _text(text: str) -> str:
    """A text of the session as it may stand in the page, be it content or the value of an attribute."""
    return escape(_UNPRINTABLE.sub("\ufffd", text), quote=True)


def _resource(name: str) -> str:
    return files("resources").joinpath(name).read_text(encoding="utf-8")


def _split(page: str, *places: str) -> list[str]:
    parts = []
    for place in places:
        part, _, page = page.partition(place)
        parts.append(part)
    return [*parts, page]


def _filled(page: str, values: dict[str, str]) -> str:
    """The page with its values; what stands in a value is never taken for a place."""
    return re.sub(r"{{(\w+)}}", lambda match: values[match[1]], page)
