"""The question before a prompt that looks as if it held secrets leaves this machine: mask, send, or stop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QSizePolicy, QTableWidget, QVBoxLayout, QWidget

from gui.dialog_scroll import DialogScroll
from gui.dialog_size import resize_to_font, room_for
from gui.flow_layout import FlowLayout
from gui.plain_table import plain_table
from gui.translation import shown
from gui.widgets import breakable, label, on_side
from services.questions import SecretsAnswer, SecretsFound

MOST_LINES = 8
MOST_ROWS = 200
SIDE = 20  # pixels beside the contents


class SecretsDialog(QDialog):
    """`name_of` says what an entry is called, without any of its text.

    Signals: `answered` (SecretsAnswer), exactly once, Escape and closing the dialog stop; `entry_wanted` (id) when the
    row of a secret is chosen.
    """

    answered = Signal(str)
    entry_wanted = Signal(str)

    def __init__(self, found: SecretsFound, parent: QWidget | None = None, name_of: Callable[[str], str] = str) -> None:
        super().__init__(parent)
        self._answer: SecretsAnswer = "stop"
        self.setWindowTitle(self.tr("Likely secrets"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        count = len(found.secrets)
        title = (
            self.tr("What looks like a secret would be sent to {0}")
            if count == 1
            else self.tr("{1} likely secrets would be sent to {0}")
        )
        self.title = label(title.format(breakable(found.host), self.locale().toString(count)), style="title", wrap=True)
        self._places = _places(found)[:MOST_ROWS]
        self.table = self._make_table(found, name_of)
        self.table.installEventFilter(self)
        self.table.itemSelectionChanged.connect(self._show_entry)
        self.note = label(
            self.tr(
                "Masked, each is replaced by a note of its kind. The session file stays as it is. "
                "Your answer holds for {0} until the session is closed."
            ).format(breakable(found.host)),
            style="muted",
            wrap=True,
        )
        self.mask_button = QPushButton(self.tr("&Mask and send"))
        self.mask_button.setProperty("primary", True)
        self.mask_button.setDefault(True)
        self.send_button = QPushButton(self.tr("&Send as it is"))
        self.stop_button = QPushButton(self.tr("S&top"))
        for button, answer in ((self.mask_button, "mask"), (self.send_button, "send"), (self.stop_button, "stop")):
            button.clicked.connect(lambda _checked=False, answer=answer: self._take(answer))
        hint = label(self.tr("Esc stops · nothing has been sent"), style="muted", wrap=True)
        hint.setAlignment(on_side(Qt.AlignmentFlag.AlignRight))
        body = QWidget()
        contents = QVBoxLayout(body)
        contents.setContentsMargins(0, 0, 0, 0)
        contents.setSpacing(12)
        contents.addWidget(self.title)
        contents.addWidget(self.table)
        contents.addWidget(self.note)
        contents.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(SIDE, 18, SIDE, 16)
        column.setSpacing(12)
        column.addWidget(DialogScroll(body), 1)
        shown = (self.mask_button, self.send_button, self.stop_button)
        taken = sum(button.sizeHint().width() for button in shown) + 6 * SIDE
        is_narrow = taken + hint.fontMetrics().horizontalAdvance(hint.text()) > room_for(self).width()
        buttons = FlowLayout(last_at_end=True) if is_narrow else QHBoxLayout()
        if is_narrow:
            column.addWidget(hint)
            buttons.setSpacing(8)
        for button in shown:
            if button is self.stop_button and not is_narrow:
                buttons.addWidget(hint)
            buttons.addWidget(button)
        hint.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        column.addLayout(buttons)
        self.finished.connect(lambda _result: self.answered.emit(self._answer))
        resize_to_font(self, 92)
        self.mask_button.setFocus()

    def _take(self, answer: SecretsAnswer) -> None:
        self._answer = answer
        self.done(QDialog.DialogCode.Accepted if answer != "stop" else QDialog.DialogCode.Rejected)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter on a row shows its entry. Without this it would press the default button, which sends."""
        is_enter = isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if watched is self.table and is_enter and event.type() == QEvent.Type.KeyPress:
            self._show_entry()
            return True
        return super().eventFilter(watched, event)

    def _show_entry(self) -> None:
        line = self.table.currentRow()
        if 0 <= line < len(self._places) and (entry_id := self._places[line][2]) is not None:
            self.entry_wanted.emit(entry_id)

    def _make_table(self, found: SecretsFound, name_of: Callable[[str], str]) -> QTableWidget:
        """What was found and where, each place once; how often it is in the text stands at the first."""
        counts = Counter((shown(secret.kind), shown(secret.preview)) for secret in found.secrets)
        rows = []
        for kind, preview, entry_id in self._places:
            times = counts.pop((kind, preview), 0)
            where = name_of(entry_id) if entry_id is not None else self.tr("no entry of the session")
            rows.append((kind, preview, where, self.locale().toString(times) if times else ""))
        headers = [self.tr("Kind"), self.tr("Begins with"), self.tr("Stands in"), self.tr("Times")]
        return plain_table(self.tr("Likely secrets"), headers, rows, self, numbers=(3,), most_lines=MOST_LINES)


def _places(found: SecretsFound) -> list[tuple[str, str, str | None]]:
    """Kind, beginning and entry of each secret, each once, in order."""
    entry_ids = found.entry_ids or ((),) * len(found.secrets)
    places = {
        (shown(secret.kind), shown(secret.preview), entry_id): None
        for secret, ids in zip(found.secrets, entry_ids, strict=True)
        for entry_id in ids or (None,)
    }
    return list(places)
