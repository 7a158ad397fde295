"""What the formats for people are made of: title, facts, and entries that are read when their turn comes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from model.json_text import JsonObject
from model.session_export import ExportBranch, ExportedEntry, ExportPlan


@dataclass(frozen=True, slots=True)
class ExportDocument:
    """A session as a document. `exported` reads the entry at a row; `image` gives the bytes of an image block."""

    plan: ExportPlan
    title: str
    facts: tuple[tuple[str, str], ...]
    exported: Callable[[int], ExportedEntry]
    image: Callable[[JsonObject], bytes | None]

    def heading(self, branch: ExportBranch) -> str:
        """Return what a branch is called."""
        if branch.number:
            return f"Branch {branch.number}"
        return "Active branch" if self.plan.all_branches else "Branch"


def time_text(time_ms: int) -> str:
    """Return a time for people, in UTC."""
    try:
        return datetime.fromtimestamp(time_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError, OSError):
        return ""


def tokens_text(tokens: int) -> str:
    """Return a number of tokens in words."""
    return "1 token" if tokens == 1 else f"{tokens:,} tokens"
