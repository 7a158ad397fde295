"""The composer: the text of a message that was gone back to, for editing. Commands start with a slash."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from gui.widgets import label

MOST_LINES = 6
MARGINS = 20


class Composer(QWidget):
    """Signals: `compact_wanted` (instructions, may be empty), `tree_wanted`, and `refused` (sentence) for commands."""

    compact_wanted = Signal(str)
    tree_wanted = Signal()
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._offered = ""
        self.text = QPlainTextEdit()
        self.text.setPlaceholderText(self.tr("Text of a message you go back to · /compact, /tree"))
        self.text.setAccessibleName(self.tr("Composer"))
        self.text.setTabChangesFocus(True)
        self.text.installEventFilter(self)
        self._copy = QPushButton(self.tr("Copy"))
        self._copy.setToolTip(self.tr("Copy the text, to continue in your agent"))
        self._copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text.toPlainText()))
        self._offer = QWidget()
        self._offer_text = label(style="muted", wrap=True)
        take = QPushButton(self.tr("Put it here"))
        take.clicked.connect(self._take_offer)
        offer_row = QHBoxLayout(self._offer)
        offer_row.setContentsMargins(0, 0, 0, 0)
        offer_row.addWidget(self._offer_text, 1)
        offer_row.addWidget(take)
        self._offer.hide()
        self.text.textChanged.connect(self._fit)
        self.setProperty("footer", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout()
        row.addWidget(self.text, 1)
        row.addWidget(self._copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.addWidget(self._offer)
        layout.addLayout(row)
        self._fit()

    def offer(self, text: str) -> None:
        """Put the text of a message into the composer; what the user has typed is never overwritten. Source: TN-5."""
        if self.text.toPlainText().strip():
            self._offered = text
            self._offer_text.setText(self.tr("You went back to a message. Your own text was kept."))
            self._offer.show()
        else:
            self.text.setPlainText(text)

    def is_offering(self) -> bool:
        """Tell whether a message's text waits beside what the user has typed."""
        return self._offer.isVisible()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter runs a command; Shift+Enter is always a line break."""
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            and self.text.toPlainText().startswith("/")
        ):
            self._run_command(self.text.toPlainText().strip())
            return True
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Be as high as the text, up to a few lines."""
        text = self.text.toPlainText()
        self._copy.setEnabled(bool(text))
        self.text.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAsNeeded if len(text) > 60 else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )
        lines = min(MOST_LINES, max(1, text[:10_000].count("\n") + 1))
        self.text.setFixedHeight(self.text.fontMetrics().lineSpacing() * lines + MARGINS)

    def _run_command(self, line: str) -> None:
        command, _, rest = line.partition(" ")
        if command == "/compact":
            self.text.clear()
            self.compact_wanted.emit(rest.strip())
        elif command == "/tree" and not rest.strip():
            self.text.clear()
            self.tree_wanted.emit()
        else:
            self.refused.emit(
                self.tr("There is no command {0}. Known: /compact [instructions], /tree.").format(command)
            )

    def _take_offer(self) -> None:
        self.text.setPlainText(self._offered)
        self._offer.hide()
        self.text.setFocus()
