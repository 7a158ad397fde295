"""What an entry is called where a dialog or a tab speaks about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gui.row_content import RowContent
    from gui.session_document import SessionDocument

TITLE_CHARACTERS = 80
PLACE_CHARACTERS = 48


def entry_name(document: SessionDocument, entry_id: str | None) -> str:
    """Return who speaks in an entry and its id, without any of its text; the id alone where it is not shown."""
    content = _content(document, entry_id)
    return f"{content.name} · {entry_id}" if content is not None else entry_id or ""


def entry_title(document: SessionDocument, entry_id: str | None) -> str:
    """Return who speaks in an entry and how its text begins, "" for no entry."""
    content = _content(document, entry_id)
    if content is None:
        return ""
    text = content.preview.text
    if len(text) > TITLE_CHARACTERS:
        text = text[: TITLE_CHARACTERS - 1] + "…"
    return f"{content.name}: {text}" if text else content.name


def entry_place(document: SessionDocument, entry_id: str) -> str:
    """Return words that tell an entry from others: who speaks, and how its text begins, or when it was."""
    content = _content(document, entry_id)
    if content is None:
        return entry_id
    text = content.preview.text
    if len(text) > PLACE_CHARACTERS:
        text = text[: PLACE_CHARACTERS - 1].rstrip() + "…"
    return f"“{content.name}: {text}”" if text else f"{content.name} · {content.time_text or entry_id}"


def _content(document: SessionDocument, entry_id: str | None) -> RowContent | None:
    rows, index = document.rows, document.index
    row = index.row_of(entry_id) if index is not None and entry_id is not None else None
    return rows.content(row) if rows is not None and row is not None else None
