"""What is at work in one open session: turns, automatic compactions, pruning, the meter, the event log."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from gui.composer import Composer
from gui.event_log import EventLog, EventLogDialog
from gui.live_answer import LiveAnswer
from gui.meter_control import MeterControl
from gui.operation_runner import OperationRunner
from gui.prune_control import PruneControl
from gui.run_display import RunDisplay
from gui.session_document import SessionDocument
from gui.status_bar import StatusBar
from gui.turn_control import TurnControl
from model.entry_kinds import Kind

MODEL_SETTINGS_PAGE = "summaries"


class SessionWork(QObject):
    """Makes and connects the controls that work in a session.

    Signals: `followed` when the leaf went on; `changed` when the file is another one though the leaf stays; `measured`
    when the meter shows another number; `settings_wanted` (page); `said` and `warned` (sentence).
    """

    followed = Signal()
    changed = Signal()
    measured = Signal()
    settings_wanted = Signal(str)
    said = Signal(str)
    warned = Signal(str)

    def __init__(
        self,
        document: SessionDocument,
        runner: OperationRunner,
        composer: Composer,
        live: LiveAnswer,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._document = document
        self._window = window
        self.live = live
        self.log = EventLog(document, runner, self)
        self.log_dialog: EventLogDialog | None = None
        self.display = RunDisplay(runner, self)
        self.turns = TurnControl(document, composer, live, runner, self)
        self.meter = MeterControl(document, self)
        self.pruning = PruneControl(document, runner, window)
        self.display.said.connect(self.said)
        self.display.warned.connect(self.warned)
        self.turns.said.connect(self.said)
        self.turns.followed.connect(self.followed)
        self.turns.model_wanted.connect(lambda: self.settings_wanted.emit(MODEL_SETTINGS_PAGE))
        self.pruning.said.connect(self.said)
        self.pruning.pruned.connect(self.changed)
        self.meter.changed.connect(self.measured)
        document.laid_out.connect(self.meter.refresh)
        document.grown.connect(self._watch_agent)
        document.ready.connect(self.turns.recall)

    @property
    def is_computing(self) -> bool:
        """Whether something that was asked for is still to be shown."""
        return self.turns.is_computing or self.meter.is_computing or self.pruning.is_computing

    def close(self) -> None:
        """Drop what is being computed, and keep what is unsent and unwritten."""
        self.turns.close()
        self.meter.close()
        self.pruning.close()
        self.log.close()

    def show_log(self) -> None:
        """Show the event log, beside the window."""
        if self.log_dialog is not None:
            self.log_dialog.activateWindow()
            return
        self.log_dialog = EventLogDialog(self.log, self._window)
        self.log_dialog.finished.connect(self._forget_log)
        self.log_dialog.show()

    def show_meter(self, status: StatusBar) -> bool:
        """Show the context meter and where an agent would resume; False while neither is known."""
        session, reading = self._document.session, self.meter.reading
        if session is None or reading is None:
            return False
        status.show_context(
            reading.tokens, reading.window, reading.threshold, reading.is_estimated, unknown=reading.is_unknown
        )
        status.show_model(reading.model)
        status.show_position(session.leaf_id == session.resume_leaf_id)
        return True

    def _watch_agent(self, rows: range) -> None:
        """Say when an agent at work compacted the session that is followed."""
        store = self._document.store
        if store is not None and (store.index.kind[rows.start : rows.stop] == Kind.COMPACTION).any():
            words = self.tr("The agent at work has compacted its context.")
            self.log.note(words)
            self.said.emit(words)

    def _forget_log(self, *_: object) -> None:
        if self.log_dialog is not None:
            self.log_dialog.deleteLater()
            self.log_dialog = None
