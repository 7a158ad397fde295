"""The context meter: read on a worker when leaf, session or settings changed, also while an agent writes."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from gui.latest_job import LatestJob
from gui.session_document import SessionDocument
from services.context_meter import MeterReading, read_meter

PAUSE_MS = 150  # between two readings while entries keep coming


class MeterControl(QObject):
    """Reads the meter of one document. Signal: `changed`."""

    changed = Signal()

    def __init__(self, document: SessionDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.reading: MeterReading | None = None
        self._document = document
        self._jobs = LatestJob(self)
        self._is_stale = False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._read)

    @property
    def is_computing(self) -> bool:
        """Whether a reading is still to come."""
        return self._jobs.running or self._pause.isActive()

    def refresh(self) -> None:
        """Read again; a reading that is under way is finished first, so that a busy file doesn't starve it."""
        if self._jobs.running:
            self._is_stale = True
        elif not self._pause.isActive():
            self._pause.start()

    def close(self) -> None:
        """Drop what is being read."""
        self._pause.stop()
        self._jobs.close()

    def _read(self) -> None:
        session, rows, outline = self._document.session, self._document.rows, self._document.outline
        if session is None or rows is None or outline is None:
            return
        leaf_id = session.leaf_id
        known = -1 if rows.context is None or outline.leaf < 0 else int(rows.context[outline.leaf])
        self._is_stale = False
        self._jobs.start(lambda _token: read_meter(session, leaf_id, max(0, known)), self._show, self._give_up)

    def _show(self, reading: MeterReading) -> None:
        self.reading = reading
        self.changed.emit()
        if self._is_stale:
            self._pause.start()

    def _give_up(self, _sentence: str) -> None:
        self.reading = None
        self.changed.emit()
