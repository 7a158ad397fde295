"""The event log of a session: what its operations reported, with times, and the window that shows it."""

from __future__ import annotations

from collections import deque
from datetime import UTC, datetime

from PySide6.QtCore import QLocale, QObject, QThreadPool, QTime, QTimer, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from gui.dialog_size import resize_to_font
from gui.event_sentences import sentence
from gui.operation_runner import OperationRunner
from gui.session_document import SessionDocument
from gui.translation import shown
from gui.widgets import TextView, breakable, label
from services.app_folders import state_folder
from services.event_journal import EventJournal
from services.jobs import Outcome
from services.session_events import Event

MOST_LINES = 1000
JOURNAL_DELAY_MS = 500


class EventLog(QObject):
    """Keeps the events of one session: as lines for people here, as JSON in the journal. Signal: `grew` (line)."""

    grew = Signal(str)

    def __init__(self, document: SessionDocument, runner: OperationRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.journal = EventJournal(state_folder() / "events.jsonl")
        self.lines: deque[str] = deque(maxlen=MOST_LINES)
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(JOURNAL_DELAY_MS)
        self._delay.timeout.connect(lambda: QThreadPool.globalInstance().start(self.journal.flush))
        runner.started.connect(self._begin)
        runner.reported.connect(self._take)
        runner.ended.connect(self._end)

    def note(self, words: str) -> None:
        """Take in what happened without an operation of ours."""
        self._note_fields({"type": "followed", "text": words}, words)

    def close(self) -> None:
        """Write what is still to be written."""
        self._delay.stop()
        self.journal.flush()

    def _begin(self, title: str) -> None:
        self._note_fields({"type": "operation_start", "title": title}, title)

    def _take(self, event: object) -> None:
        if isinstance(event, Event):
            self.journal.note(event, self._session_id(), _now())
            self._add(sentence(event))

    def _end(self, outcome: Outcome) -> None:
        words = {
            "done": self.tr("Done."),
            "aborted": self.tr("Stopped."),
            "failed": self.tr("Failed: {0}").format(shown(outcome.text)),
        }
        fields = {"type": "operation_end", "outcome": outcome.kind, **({"error": outcome.text} if outcome.text else {})}
        self._note_fields(fields, words[outcome.kind])

    def _note_fields(self, fields: dict[str, str], line: str) -> None:
        self.journal.note_fields(fields, self._session_id(), _now())
        self._add(line)

    def _add(self, text: str) -> None:
        if not self._delay.isActive():
            self._delay.start()
        if text:
            line = f"{QLocale().toString(QTime.currentTime(), 'HH:mm:ss')}  {' '.join(text.split())}"
            self.lines.append(line)
            self.grew.emit(line)

    def _session_id(self) -> str:
        store = self._document.store
        return "" if store is None else store.session_id


class EventLogDialog(QDialog):
    """Shows a log while it grows."""

    def __init__(self, log: EventLog, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Event log"))
        self.text = TextView(monospace=True)
        self.text.setAccessibleName(self.tr("Events of this session"))
        self.text.show_text("\n".join(log.lines) or self.tr("Nothing has run in this session yet."))
        self._is_empty = not log.lines
        log.grew.connect(self._add)
        where = label(self.tr("Kept in {0}").format(breakable(str(log.journal.file))), style="muted", wrap=True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(self.text, 1)
        column.addWidget(where)
        column.addWidget(buttons)
        resize_to_font(self, 96, 26)

    def _add(self, line: str) -> None:
        if self._is_empty:
            self._is_empty = False
            self.text.show_text(line)
        else:
            self.text.follow("\n" + line)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
