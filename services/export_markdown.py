"""A session as Markdown: a heading an entry, prose as quotations, calls and output as code blocks."""

from __future__ import annotations

from collections.abc import Iterator

from model.entry_text import TextSection
from model.markdown_text import fenced, markdown_inline, markdown_prose
from model.runs import NO_ROW
from model.session_export import ExportBranch, ExportedEntry
from services.export_document import ExportDocument, time_text, tokens_text


def markdown_export(document: ExportDocument) -> Iterator[str]:
    """Yield the document in pieces."""
    yield f"# {markdown_inline(document.title)}\n\n"
    for name, value in document.facts:
        if value:
            yield f"- {name}: {markdown_inline(value)}\n"
    for branch in document.plan.branches:
        yield f"\n## {document.heading(branch)}{_origin(document, branch)}\n"
        for row in branch.rows:
            yield from _entry(document.exported(row))


def _origin(document: ExportDocument, branch: ExportBranch) -> str:
    if not branch.number:
        return ""
    if branch.fork_row == NO_ROW:
        return ", from the beginning"
    return f", from {markdown_inline(document.plan.index.id_of(branch.fork_row))}"


def _entry(entry: ExportedEntry) -> Iterator[str]:
    name = markdown_inline(entry.preview.name)
    if entry.is_quiet:
        yield f"\n*{name}* {markdown_inline(entry.preview.text)} ({markdown_inline(entry.entry_id)})\n"
    else:
        yield f"\n### {name}\n\n{_meta(entry)}\n"
        for section in entry.sections:
            yield f"\n{_section(section)}\n"
        for block in entry.images:
            yield f"\n[image, {markdown_inline(str(block.get('mimeType') or 'of unknown type'))}, not shown]\n"
    if entry.forks:
        yield "\nOther branches from here: " + ", ".join(f"Branch {number}" for number in entry.forks) + "\n"


def _meta(entry: ExportedEntry) -> str:
    parts = [f"Entry {markdown_inline(entry.entry_id)}"]
    if entry.time_ms is not None and (time := time_text(entry.time_ms)):
        parts.append(time)
    if entry.tokens:
        parts.append(tokens_text(entry.tokens))
    if entry.label is not None:
        parts.append(f"label **{markdown_inline(entry.label)}**")
    if entry.is_leaf:
        parts.append("leaf")
    if entry.preview.failed:
        parts.append("failed")
    return " · ".join(parts)


def _section(section: TextSection) -> str:
    text = fenced(section.text, "text") if section.verbatim else markdown_prose(section.text)
    return f"**{markdown_inline(section.title)}:**\n\n{text}" if section.title else text
