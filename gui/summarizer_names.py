"""What the window calls those who write summaries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.translation import shown

if TYPE_CHECKING:
    from services.operations import SummarizerInfo


def summarizer_name(info: SummarizerInfo) -> str:
    """Return the name of a summariser; models keep their own."""
    return shown(info.name)
