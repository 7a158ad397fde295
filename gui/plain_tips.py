"""Texts of a session in tool tips: Qt takes a text with tags for a page, and would load what it names."""

from __future__ import annotations

from html import escape


def plain_tip(text: str) -> str:
    """Return what a tool tip has to be given so that it shows exactly `text`."""
    if "<" not in text and "&" not in text:
        return text
    lines = "<br>".join(escape(line, quote=False) for line in text.split("\n"))
    return f"<qt>{lines}</qt>"
