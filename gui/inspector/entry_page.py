"""What the *Entry* tab shows of an entry, made on a worker: paragraphs, folds, links to other entries, images."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtGui import QImage

from gui.number_text import full_count
from gui.row_content import matches_text
from model.entry_text import SectionKind, TextSection, entry_sections, summary_fields
from model.json_text import JsonObject
from model.markdown_blocks import markdown_parts
from model.pretty_json import pretty_json
from model.rich_text import Block, BlockKind, Span, character_count, code_blocks, showable, text_blocks
from model.search_query import fold
from model.summary_sections import summary_files, summary_prose
from services.call_pairs import Pair

translate = QCoreApplication.translate

Form = Literal["rendered", "plain", "json", "line"]
FORMS: tuple[Form, ...] = ("rendered", "plain", "json", "line")

ENTRY = "entry:"
FOLD = "fold:"
MARKDOWN_CHARACTERS = 128 * 1024  # of one text; the rest, and longer ones, are shown as they are written
ANSWER_LINES = 24  # of a result that is shown under its call
ANSWER_CHARACTERS = 2400
SHORT_VALUE = 200  # characters
ID_FIELDS = ("firstKeptEntryId", "fromId", "targetId")
NO_IDS = ("root", "null")
MOST_SOURCES = 12  # of a line of a digest that are linked


_TERMINAL_CODES = re.compile("\x1b\\[[0-9;?]{0,20}[A-Za-z]")
"""What colours a terminal and moves its cursor; the plain form shows it."""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the page. One with a `fold` has a title that folds and unfolds it. `characters` is its length."""

    blocks: tuple[Block, ...]
    fold: str = ""
    title: Block | None = None
    characters: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "characters", character_count(self.blocks))  # on a worker: it may be a megabyte


@dataclass(frozen=True, slots=True)
class EntryPage:
    """An entry ready to be shown. `images` are the pictures that image blocks name, and why others are missing."""

    entry_id: str
    form: Form
    parts: tuple[Part, ...]
    text: str
    """What the copy button copies."""
    images: Mapping[str, QImage | str] = field(default_factory=dict)
    is_complete: bool = True
    """Whether nothing is still being read."""

    def says_the_same(self, other: EntryPage) -> bool:
        """Whether another page shows nothing else. Images of the same entry are the same."""
        return (self.entry_id, self.form, self.parts, self.images.keys(), self.is_complete) == (
            other.entry_id, other.form, other.parts, other.images.keys(), other.is_complete,
        )  # fmt: skip

    def blocks(self, unfolded: frozenset[str], matches: Mapping[str, int] | None = None) -> Iterator[Block]:
        """Yield the paragraphs, those of folded parts left out; `matches` is what a search found in parts by fold."""
        for part in self.parts:
            if part.title is not None:
                found = (matches or {}).get(part.fold, 0)
                yield _fold_title(part, part.fold in unfolded, found) if part.fold else part.title
            if not part.fold or part.fold in unfolded:
                yield from part.blocks

    def matches(self, words: Sequence[str]) -> dict[str, int]:
        """Return how often the folded `words` of a search occur in each part that can be folded, where they do."""
        found: dict[str, int] = {}
        for part in self.parts:
            texts = [fold(block.text) for block in part.blocks] if part.fold and words else []
            if count := sum(text.count(word) for text in texts for word in words):
                found[part.fold] = count
        return found

    def characters(self, unfolded: frozenset[str]) -> int:
        """Return how long the paragraphs are; titles count little."""
        return sum(part.characters for part in self.parts if not part.fold or part.fold in unfolded)


@dataclass(frozen=True, slots=True)
class Around:
    """What other entries say about an entry: the call that it answers, the results of its calls by their ids, the
    entries that the lines of its summary come from. `ids` turns an entry row into an id.
    """

    call: tuple[str, JsonObject] | None = None
    results: Mapping[str, tuple[str, JsonObject]] = field(default_factory=dict)
    sources: tuple[tuple[str, ...], ...] = ()


def named(pair: Pair | None, id_of: Any) -> tuple[str, JsonObject] | None:
    """Return a pair's other half with the id of its entry."""
    return None if pair is None else (id_of(pair.row), pair.part)


def page_of(
    entry: JsonObject, entry_id: str, form: Form, around: Around, images: Mapping[str, QImage | str] | None = None
) -> EntryPage:
    """Return the page of an entry, rendered or plain. Reads any JSON."""
    sections = [section for section in sections_of(entry, around) if not _is_repeated(section, entry)]
    maker = _Maker(form == "rendered", around)
    parts = [part for number, section in enumerate(sections) for part in maker.parts(number, section)]
    if entry.get("type") in ("compaction", "branch_summary"):
        parts.append(Part((Block("rule", gap=True),)))
        parts += [part for section in summary_fields(entry) for part in maker.parts(-1, section)]
    if not any(part.blocks or part.title for part in parts):
        parts = [Part((Block("note", (Span(translate("EntryPage", "No content")),)),))]
    if facts := " · ".join(facts_of(entry)):
        parts.append(Part((Block("note", (Span(facts),), gap=True),)))
    return EntryPage(entry_id, form, tuple(parts), plain_text(sections), images or {})


def _is_repeated(section: TextSection, entry: JsonObject) -> bool:
    """Whether a list of files is at the end of the summary as well."""
    summary = entry.get("summary")
    if section.kind not in ("files read", "files modified") or not isinstance(summary, str):
        return False
    files = summary_files(summary)
    listed = files.read_files if section.kind == "files read" else files.modified_files
    return set(section.text.split("\n")) <= set(listed)


def json_page(entry: JsonObject, entry_id: str) -> EntryPage:
    """Return the page of an entry as JSON, a member a line."""
    text = pretty_json(entry)
    return EntryPage(entry_id, "json", (Part(tuple(code_blocks(text, gap=False))),), text)


def line_page(line: bytes, entry_id: str) -> EntryPage:
    """Return the page of an entry as it stands in the file."""
    text = line.decode("utf-8", "replace")
    return EntryPage(entry_id, "line", (Part(tuple(code_blocks(text, gap=False))),), text)


def sections_of(entry: JsonObject, around: Around) -> list[TextSection]:
    """Return the sections of an entry, the call that it answers among them."""
    return entry_sections(entry, around.call[1] if around.call else None)


def image_blocks(sections: Iterable[TextSection]) -> dict[str, Mapping[str, Any]]:
    """Return the image blocks of an entry by the names that the page gives them."""
    return {
        f"image {number}": section.block
        for number, section in enumerate(sections)
        if section.kind == "image" and section.block is not None
    }


def plain_text(sections: Iterable[TextSection]) -> str:
    """Return all text of an entry, each section under its title."""
    return "\n\n".join(f"{section_title(section)}\n{section.text}".strip("\n") for section in sections)


def section_title(section: TextSection) -> str:
    """Return the title of a section in the window's language."""
    names: dict[SectionKind, str] = {
        "thinking": translate("EntryPage", "Thinking"),
        "result": translate("EntryPage", "Result"),
        "error": translate("EntryPage", "Error"),
        "image": translate("EntryPage", "Image"),
        "command": translate("EntryPage", "Command"),
        "code": translate("EntryPage", "Code"),
        "output": translate("EntryPage", "Output"),
        "exit code": translate("EntryPage", "Exit code"),
        "short": translate("EntryPage", "In short"),
        "summary": translate("EntryPage", "Summary"),
        "files read": translate("EntryPage", "Files read"),
        "files modified": translate("EntryPage", "Files modified"),
        "details": translate("EntryPage", "Details"),
    }
    if section.kind == "call":
        return translate("EntryPage", "Call of {0}").format(section.name or translate("EntryPage", "a tool"))
    return names.get(section.kind, section.name)


def facts_of(entry: JsonObject) -> tuple[str, ...]:
    """Return what the provider recorded about an answer: model, how it ended, usage, cost."""
    message = entry.get("message")
    if not isinstance(message, dict) or message.get("role") != "assistant":
        return ()
    facts = ["/".join(text for key in ("provider", "model") if isinstance(text := message.get(key), str) and text)]
    if isinstance(reason := message.get("stopReason"), str) and reason:
        facts.append(translate("EntryPage", "ended with {0}").format(reason))
    usage = message.get("usage")
    if isinstance(usage, dict):
        names = {
            "input": translate("EntryPage", "input {0}"),
            "output": translate("EntryPage", "output {0}"),
            "cacheRead": translate("EntryPage", "from cache {0}"),
            "cacheWrite": translate("EntryPage", "to cache {0}"),
        }
        counts = [text.format(full_count(count)) for name, text in names.items() if (count := _count(usage.get(name)))]
        if counts:
            facts.append(translate("EntryPage", "recorded usage: {0}").format(", ".join(counts)))
        cost = usage.get("cost")
        total = cost.get("total") if isinstance(cost, dict) else None
        if isinstance(total, int | float) and not isinstance(total, bool) and total == total and 0 < total < 1e9:
            facts.append("$" + QLocale().toString(float(total), "f", 4))
    return tuple(showable(fact).replace("\n", " ")[:400] for fact in facts if fact)


def _count(value: Any) -> int:
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and value == value
    return int(value) if is_number and 0 < value < 1e15 else 0


class _Maker:
    """Makes the parts of a page."""

    def __init__(self, is_rendered: bool, around: Around) -> None:
        self._is_rendered = is_rendered
        self._around = around

    def parts(self, number: int, section: TextSection) -> Iterator[Part]:
        """Yield the parts of a section; `number` names it on the page."""
        title = section_title(section)
        fold = f"{number}"
        if section.kind == "thinking":
            words = translate("EntryPage", "{0} · {1} characters").format(title, full_count(len(section.text)))
            yield Part(tuple(self._prose(section.text)), fold, _title(words))
        elif section.kind == "call":
            yield from self._call(section, title)
        elif section.kind == "image":
            yield Part((Block("image", (Span(f"image {number}"), Span(section.text)), gap=True),))
        elif section.kind == "summary":
            yield Part(tuple(self._summary(section.text)))
        elif section.kind == "error":
            body = self._output(section.text) if section.verbatim else text_blocks(section.text, gap=False)
            yield Part(tuple(body), "", _title(title, "error"))
        elif section.kind == "field":
            yield _field(section)
        elif section.verbatim:
            yield Part(tuple(self._output(section.text)), "", _title(title) if title else None)
        else:
            yield Part(tuple(self._prose(section.text)), "", _title(title) if title else None)

    def _prose(self, text: str) -> Iterator[Block]:
        if not self._is_rendered:
            yield from text_blocks(text)
            return
        for _lines, blocks in _prose_parts(text):
            yield from blocks

    def _output(self, text: str) -> Iterator[Block]:
        return code_blocks(_TERMINAL_CODES.sub("", text) if self._is_rendered else text, gap=False)

    def _call(self, section: TextSection, title: str) -> Iterator[Part]:
        arguments = tuple(code_blocks(section.text, gap=False))
        call_id = (section.block or {}).get("id")
        if self._around.call is not None and section.block is self._around.call[1]:
            yield Part(arguments, "", _title(title, link=self._around.call[0]))
            return
        yield Part(arguments, "", _title(title))
        answer = self._around.results.get(call_id) if isinstance(call_id, str) else None
        if answer is not None:
            yield _answer(*answer)

    def _summary(self, text: str) -> Iterator[Block]:
        if not self._is_rendered:
            yield from text_blocks(text)
            return
        yield from summary_blocks(text, self._around.sources)


def summary_blocks(text: str, sources: tuple[tuple[str, ...], ...] = ()) -> Iterator[Block]:
    """Yield a summary, its Markdown rendered as that of any other text, and the files at its end by themselves.

    `sources` has the entries that each line comes from; links to them stand behind the line, the table or the code.
    """
    prose, known_lines = summary_prose(text)
    for lines, blocks in _prose_parts(prose):
        ids = [each for line in sources[lines.start : min(lines.stop, known_lines)] for each in line]
        yield from _with_sources(blocks, tuple(dict.fromkeys(ids))) if ids else blocks
    files = summary_files(text)
    lists = (
        (translate("EntryPage", "Files read"), files.read_files),
        (translate("EntryPage", "Files modified"), files.modified_files),
    )
    for title, names in lists:
        if names:
            yield Block("heading", (Span(title),), level=2, gap=True)
            yield from code_blocks("\n".join(names), gap=False)


def _prose_parts(text: str) -> Iterator[tuple[range, list[Block]]]:
    """The blocks of a text, each with the lines that it was made of: of Markdown as far as that is read."""
    head = text
    if len(text) > MARKDOWN_CHARACTERS:
        head = text[: text.rfind("\n", 0, MARKDOWN_CHARACTERS) + 1]
    yield from markdown_parts(head)
    if len(head) < len(text):
        rest = text[len(head) :]
        first = head.count("\n")
        yield range(first, first + rest.count("\n") + 1), list(text_blocks(rest))


def _with_sources(blocks: list[Block], ids: tuple[str, ...]) -> Iterator[Block]:
    links = tuple(_source_links(ids))
    if blocks and blocks[-1].kind in ("text", "item", "heading"):
        yield from blocks[:-1]
        yield replace(blocks[-1], spans=(*blocks[-1].spans, *links))
    else:
        yield from blocks
        yield Block("note", links)


def _source_links(ids: tuple[str, ...]) -> Iterator[Span]:
    for place, entry_id in enumerate(ids[:MOST_SOURCES], start=1):
        sign = "→" if len(ids) == 1 else f"→{place}"
        yield Span(" ")
        yield Span(
            sign,
            link=ENTRY + entry_id,
            tip=translate("EntryPage", "Show the entry {0} that this comes from").format(entry_id),
        )
    if len(ids) > MOST_SOURCES:
        yield Span(" …")


def _answer(entry_id: str, message: JsonObject) -> Part:
    """The beginning of a call's result, and the way to all of it."""
    sections = entry_sections({"type": "message", "message": message})
    text = _TERMINAL_CODES.sub("", "\n".join(section.text for section in sections))
    lines = text[:ANSWER_CHARACTERS].split("\n")
    shown = "\n".join(lines[:ANSWER_LINES])
    is_error = message.get("isError") is True
    title = translate("EntryPage", "Error") if is_error else translate("EntryPage", "Result")
    body = [*code_blocks(shown, gap=False)] if text else [_note(translate("EntryPage", "No content"))]
    if len(shown) < len(text):
        more = translate("EntryPage", "… {0} more characters in the result").format(full_count(len(text) - len(shown)))
        body.append(_note(more))
    return Part(tuple(body), "", _title(title, "error" if is_error else "title", link=entry_id))


def _body(section: TextSection) -> Iterator[Block]:
    return code_blocks(section.text, gap=False) if section.verbatim else text_blocks(section.text, gap=False)


def _field(section: TextSection) -> Part:
    """A field and its value: on one line where that is short. The ids in some fields lead to their entries."""
    if len(section.text) > SHORT_VALUE or "\n" in section.text:
        return Part(tuple(_body(section)), "", _title(section.name))
    link = ENTRY + section.text if section.name in ID_FIELDS and section.text not in NO_IDS else ""
    tip = translate("EntryPage", "Show the entry {0}").format(section.text) if link else ""
    name = Span(showable(f"{section.name}: ").replace("\n", " ")[:SHORT_VALUE], bold=True)
    return Part((Block("note", (name, Span(showable(section.text), link=link, tip=tip))),))


def _title(words: str, kind: BlockKind = "title", *, link: str = "") -> Block:
    spans = [Span(showable(words).replace("\n", " ")[:200])]
    if link:
        tip = translate("EntryPage", "Show the entry {0}").format(link)
        spans += [Span("  "), Span(translate("EntryPage", "Go to it →"), link=ENTRY + link, tip=tip)]
    return Block(kind, tuple(spans), gap=True)


def _note(words: str) -> Block:
    return Block("note", (Span(words),))


def _fold_title(part: Part, is_unfolded: bool, matches: int) -> Block:
    assert part.title is not None
    words = part.title.text
    if matches and not is_unfolded:
        words = f"{words} · {matches_text(matches)}"
    tip = translate("EntryPage", "Fold") if is_unfolded else translate("EntryPage", "Unfold")
    return Block("title", (Span(f"{'▾' if is_unfolded else '▸'} {words}", link=FOLD + part.fold, tip=tip),), gap=True)
