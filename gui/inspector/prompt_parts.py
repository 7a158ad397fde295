"""The two parts of what a model is sent for a summary: each can be read and copied just as it is sent."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QTabBar, QWidget

from gui.widgets import TextView, label

translate = QCoreApplication.translate

PROMPT_LINES = 16  # that are in view at once, at least


class PromptParts(QTabBar):
    """Chooses which part `view` shows. `note` says below what becomes of it."""

    def __init__(self, view: TextView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._texts = ("", "")
        self.note = label(style="muted", wrap=True)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setAccessibleName(self.tr("Parts of the prompt"))
        self.addTab(self.tr("Message"))
        self.addTab(self.tr("System prompt"))
        self.currentChanged.connect(self._show_part)
        self._show_part(0)

    def show_prompt(self, system_prompt: str, message: str) -> None:
        """Show a request with one message."""
        self._texts = (message, system_prompt)
        self._show_part(self.currentIndex())

    def show_reader(self, *, is_digest: bool) -> None:
        """Say who gets it: nobody, where the digest is chosen."""
        self.note.setText(
            self.tr(
                "The offline digest needs no prompt: it reads the entries here. This is what a model would be sent."
            )
            if is_digest
            else self.tr("A model is sent both parts, just as they stand here.")
        )

    def _show_part(self, part: int) -> None:
        self._view.show_text(self._texts[part])
        self._view.setAccessibleName(self.tabText(part))


def headed_prompt(name: str, system_prompt: str, message: str) -> str:
    """Return both parts as one text to be copied, each below its heading. `name` says what the request is for."""
    parts = (
        (translate("PromptParts", "System prompt"), system_prompt),
        (translate("PromptParts", "Message"), message),
    )
    return "\n\n".join(f"[{name} · {heading}]\n{text}" for heading, text in parts)
