"""A summary while it is written. What a failed run had written stays to be read and copied."""

from __future__ import annotations

from PySide6.QtCore import QSize, QTimer
from PySide6.QtWidgets import QWidget

from gui.translation import shown
from gui.widgets import CLIP_CHARACTERS, TextView, label
from services.summarizers.passes import pass_title

LEAST_LINES = 5
FLUSH_MS = 40  # streamed pieces are shown together: each one lays out its paragraph


def shown_pass(pass_name: str) -> str:
    """Return what the window calls a pass of a summary."""
    return shown(pass_title(pass_name))


class SummaryStream(TextView):
    """The texts of the passes below each other, each under its title as soon as there are two. `caption` is above."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, monospace=True)
        self.setAccessibleName(self.tr("Summary being written"))
        self.setMinimumHeight(self.fontMetrics().lineSpacing() * LEAST_LINES)
        self.caption = label(self.tr("SUMMARY, BEING WRITTEN"), style="caption")
        self.is_kept = False
        self._follows = True  # the end, until the reader scrolls up
        self.verticalScrollBar().valueChanged.connect(self._note_place)
        self.verticalScrollBar().rangeChanged.connect(self._stay_at_end)
        self._texts: dict[str, str] = {}
        self._added = ""  # to the only pass, since it was shown last
        self._flush = QTimer(self)
        self._flush.setSingleShot(True)
        self._flush.setInterval(FLUSH_MS)
        self._flush.timeout.connect(self._show_texts)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumHeight())  # it takes what room there is

    def begin(self) -> None:
        """A summary begins to arrive."""
        self.caption.setText(self.tr("SUMMARY, BEING WRITTEN"))
        self.drop()
        self._follows = True

    def add(self, pass_name: str, text: str) -> None:
        """More of a pass arrived. Nobody reads along further than a text is shown at once."""
        if sum(map(len, self._texts.values())) < CLIP_CHARACTERS:
            self._texts[pass_name] = self._texts.get(pass_name, "") + text
            self._added += text
            self._show_soon()

    def restart(self, pass_name: str) -> None:
        """What arrived of a pass does not count: it is asked for again."""
        if self._texts.pop(pass_name, ""):
            self._added = ""
            self.clear()
            self._show_soon()

    def end(self, *, failed: bool) -> None:
        """Nothing more arrives. What a failed run had written is kept until the next one."""
        self._show_texts()
        self.is_kept = failed and any(text.strip() for text in self._texts.values())
        if self.is_kept:
            self.caption.setText(self.tr("WHAT WAS WRITTEN, NOT SAVED"))

    def drop(self) -> None:
        """Forget the text."""
        self._flush.stop()
        self._texts, self._added, self.is_kept = {}, "", False
        self.clear()

    def _note_place(self, value: int) -> None:
        self._follows = value >= self.verticalScrollBar().maximum()

    def _stay_at_end(self, _least: int, most: int) -> None:
        if self._follows:
            self.verticalScrollBar().setValue(most)

    def _show_soon(self) -> None:
        if not self._flush.isActive():
            self._flush.start()

    def _show_texts(self) -> None:
        self._flush.stop()
        added, self._added = self._added, ""
        if len(self._texts) > 1:
            bar = self.verticalScrollBar()
            place = None if bar.value() >= bar.maximum() else bar.value()
            self.show_text("\n\n".join(f"[{shown_pass(name)}]\n{text}" for name, text in self._texts.items()))
            bar.setValue(bar.maximum() if place is None else place)
        elif self.document().isEmpty():
            self.follow("".join(self._texts.values()))
        elif added:
            self.follow(added)
