"""The name of a session (SF-4.10, SF-13)."""

from collections.abc import Iterable

from model.entries import entry_type, one_line
from model.json_text import JsonObject
from model.messages import text_field


def session_name(entries: Iterable[JsonObject]) -> str | None:
    """Return the name given by the last `session_info` entry in file order, or None; an empty name clears it."""
    name: str | None = None
    for entry in entries:
        if entry_type(entry) == "session_info":
            name = one_line(text_field(entry, "name")) or None
    return name


def latest_short_summary(entries: Iterable[JsonObject]) -> str | None:
    """Return the short summary of the last compaction in file order that has one (OMP), or None."""
    summaries = (text_field(entry, "shortSummary") for entry in entries if entry_type(entry) == "compaction")
    return next((summary for summary in reversed(list(summaries)) if summary), None)
