"""The composer: a prompt for the model, sent from the current leaf. Commands start with a slash."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QMimeData, QObject, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from gui.attachments import Attachments, has_images
from gui.icons import icon
from gui.plain_tips import plain_tip
from gui.widgets import label, whole_characters
from model.turn_messages import AttachedImage

MOST_LINES = 6
MARGINS = 20
TIP_CHARACTERS = 400


class _PromptText(QPlainTextEdit):
    """Text in which pasted and dropped images are attached instead."""

    def __init__(self, attachments: Attachments) -> None:
        super().__init__()
        self._attachments = attachments

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return has_images(source) or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        if not self._attachments.add_from(source):
            super().insertFromMimeData(source)


@dataclass(frozen=True, slots=True)
class Offer:
    """What a message has for the composer; `left_out` of its images are none that can be sent."""

    text: str = ""
    images: tuple[AttachedImage, ...] = ()
    left_out: int = 0


class Composer(QWidget):
    """What is put here for a place in the session makes way at the next place, unless the person has changed it.

    Signals: `send_wanted` (text, images); `compact_wanted` (instructions, may be empty), `tree_wanted`, and
    `refused` (sentence) for commands; `edited` when the text is another one.
    """

    send_wanted = Signal(str, object)
    compact_wanted = Signal(str)
    tree_wanted = Signal()
    refused = Signal(str)
    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._offered = Offer()
        self._placed: tuple[str, tuple[AttachedImage, ...]] = ("", ())  # what was put here, as it is held here
        self._is_running = False
        self.attachments = Attachments()
        self.text = _PromptText(self.attachments)
        self.text.installEventFilter(self)
        self._hints = (
            self.tr("Message to the model, from the current leaf on · /compact, /tree"),
            self.tr("Message to the model"),
        )
        self.text.setAccessibleName(self.tr("Composer"))
        self.text.setAccessibleDescription(self.tr("Enter sends, Shift+Enter starts a new line"))
        self.text.setTabChangesFocus(True)
        self.attach = QPushButton(icon("add"), "")
        self.attach.setToolTip(self.tr("Attach images; pasting and dropping them works too"))
        self.attach.setAccessibleName(self.tr("Attach images"))
        self.attach.clicked.connect(self.attachments.choose)
        self._copy = QPushButton(icon("copy"), "")
        self._copy.setToolTip(self.tr("Copy the text, to continue in your agent"))
        self._copy.setAccessibleName(self.tr("Copy the text"))
        self._copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text.toPlainText()))
        self.send = QPushButton(self.tr("Send"))
        self.send.setProperty("primary", True)
        self.send.setToolTip(self.tr("Send from the current leaf (Enter)"))
        self.send.clicked.connect(self.submit)
        self._offer = QWidget(self)
        self._offer_text = label(style="muted", wrap=True)
        self.take = QPushButton(self.tr("Put it here"))
        self.take.clicked.connect(self._take_offer)
        self.dismiss = QPushButton(icon("close"), "")
        self.dismiss.setToolTip(self.tr("Keep what is here (Esc)"))
        self.dismiss.setAccessibleName(self.tr("Keep what is here"))
        self.dismiss.clicked.connect(self._drop_offer)
        offer_row = QHBoxLayout(self._offer)
        offer_row.setContentsMargins(0, 0, 0, 0)
        offer_row.addWidget(self._offer_text, 1)
        offer_row.addWidget(self.take)
        offer_row.addWidget(self.dismiss)
        self._offer.hide()
        self.text.textChanged.connect(self._fit)
        self.text.textChanged.connect(self.edited)
        self.attachments.changed.connect(self._fit)
        self.attachments.refused.connect(self.refused)
        self.setProperty("footer", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout()
        row.addWidget(self.text, 1)
        side = self.fontMetrics().height()
        for button in (self.attach, self._copy, self.send):
            button.setIconSize(QSize(side, side))
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignBottom)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.addWidget(self._offer)
        layout.addWidget(self.attachments)
        layout.addLayout(row)
        self._fit()

    def arrive(self, offer: Offer) -> None:
        """The leaf is at another place: take up what belongs there, nothing at most places.

        What the person has typed or attached is never overwritten: the message is offered beside it. Source: TN-5.
        """
        self._hide_offer()
        if not self.is_own:
            self._put(offer)
        elif offer != Offer():
            self._offered = offer
            self._offer_text.setText(self.tr("You went back to a message. What you have written here was kept."))
            self._offer_text.setToolTip(plain_tip(offer.text[:TIP_CHARACTERS]))
            self._offer.show()

    @property
    def is_own(self) -> bool:
        """Whether something is here that the person has typed, changed or attached."""
        text, images = self.text.toPlainText(), self.attachments.images
        return (text, images) != self._placed and bool(text.strip() or images)

    @property
    def own_text(self) -> str:
        """The text as far as it would be lost: a message that was only put here is in the session."""
        return self.text.toPlainText() if self.is_own else ""

    def is_offering(self) -> bool:
        """Tell whether a message's text waits beside what the user has typed."""
        return self._offer.isVisible()

    def submit(self) -> None:
        """Send what is there, or run the command that it is."""
        text = self.text.toPlainText()
        if text.startswith("/"):
            self._run_command(text.strip())
        elif self._is_running:
            self.refused.emit(self.tr("Something is running. Your text stays here until it is done."))
        elif self.attachments.is_reading:
            self.refused.emit(self.tr("An image is still being read; try again in a moment."))
        elif text.strip() or self.attachments.images:
            images: tuple[AttachedImage, ...] = self.attachments.images
            self.send_wanted.emit(text, images)

    def hold(self, held: bool) -> None:
        """Keep the text as it is while it is being sent."""
        self.text.setReadOnly(held)
        self.attach.setEnabled(not held)

    def show_running(self, running: bool) -> None:
        """Show whether something can be sent now."""
        self._is_running = running
        self._fit()

    def take_sent(self) -> None:
        """The prompt is in the session: make room for the next."""
        self.hold(False)
        self._hide_offer()
        self._put(Offer())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter sends or runs a command; Shift+Enter is always a line break."""
        if isinstance(event, QResizeEvent):
            self._fit_hint(event.size().width())
        if (
            event.type() in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride)
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
            and self.is_offering()
        ):
            event.accept()
            if event.type() == QEvent.Type.KeyPress:
                self._drop_offer()
            return True
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and not event.modifiers() & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier)
        ):
            self.submit()
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.is_offering():
            self._drop_offer()
        else:
            super().keyPressEvent(event)

    def _fit_hint(self, width: int) -> None:
        """Say as much as fits into a line of the text, which is so many pixels wide."""
        metrics, room = self.text.fontMetrics(), width - 2 * MARGINS
        fitting = [hint for hint in self._hints if metrics.horizontalAdvance(hint) <= room]
        hint = fitting[0] if fitting else metrics.elidedText(self._hints[-1], Qt.TextElideMode.ElideRight, room)
        if hint != self.text.placeholderText():
            self.text.setPlaceholderText(hint)

    def _fit(self) -> None:
        """Be as high as the text, up to a few lines, and offer what can be done with it."""
        text = self.text.toPlainText()
        self._copy.setEnabled(bool(text))
        self.send.setEnabled(not self._is_running and bool(text.strip() or self.attachments.images))
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
                self.tr(
                    "There is no command {0}, so nothing was sent. Known: /compact [instructions], /tree. "
                    "A blank in front makes it a message."
                ).format(command[:40])
            )

    def _put(self, offer: Offer) -> None:
        """Replace what is here, which can be undone while the person writes."""
        cursor = QTextCursor(self.text.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(whole_characters(offer.text))
        self.text.moveCursor(QTextCursor.MoveOperation.Start)
        self.attachments.put(offer.images, offer.left_out)
        self._placed = (self.text.toPlainText(), self.attachments.images)

    def _take_offer(self) -> None:
        offer = self._offered
        self._drop_offer()
        self._put(offer)

    def _drop_offer(self) -> None:
        self._hide_offer()
        self.text.setFocus()

    def _hide_offer(self) -> None:
        self._offered = Offer()
        self._offer.hide()
