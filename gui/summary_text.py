"""A summary shown by its sections, whatever its shape: headings, points with their marks, the files at the end."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from gui.inspector.entry_page import summary_blocks
from gui.inspector.page_view import PageView
from model.rich_text import Block, Span

translate = QCoreApplication.translate


class SummaryText(PageView):
    """Read-only. The text is never markup, and each paragraph keeps its reading direction."""

    def show_summary(self, text: str, short: str | None = None) -> None:
        """Show a summary, or any other text, and below it the short form that is stored beside it."""
        blocks = list(summary_blocks(text))
        if short:
            title = Span(translate("SummaryText", "Short summary"))
            blocks += [Block("heading", (title,), level=2, gap=True), *summary_blocks(short)]
        self.show_blocks(blocks, stays=True)
