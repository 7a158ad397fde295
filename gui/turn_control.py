"""Sends what is in the composer and shows the answer arriving; what is unsent survives a crash."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import QObject, QThreadPool, QTimer, Signal

from gui.composer import Composer
from gui.event_sentences import sentence
from gui.latest_job import LatestJob
from gui.live_answer import LiveAnswer
from gui.operation_runner import OperationRunner
from gui.session_document import SessionDocument
from gui.translation import shown
from model.turn_messages import AttachedImage
from services.agent_turns import TurnResult
from services.answering_model import NoModelError
from services.app_folders import state_folder
from services.cancellation import CancellationToken
from services.composer_drafts import ComposerDrafts
from services.jobs import Outcome
from services.session_events import (
    CompactionEnded,
    CompactionStarted,
    ToolOutputsPruned,
    TurnDelta,
    TurnEnded,
    TurnRetryScheduled,
    TurnStarted,
)
from services.session_keys import session_key

DRAFT_DELAY_MS = 600
KEEPING_S = 2.0  # how long a stopped turn may take to store what had arrived


class TurnControl(QObject):
    """Connects the composer of one document.

    Signals: `followed` when the leaf went on with a prompt or an answer; `model_wanted` when none is set up; `said`
    (sentence).
    """

    followed = Signal()
    model_wanted = Signal(str)
    said = Signal(str)

    def __init__(
        self,
        document: SessionDocument,
        composer: Composer,
        live: LiveAnswer,
        runner: OperationRunner,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._composer = composer
        self._live = live
        self._runner = runner
        self._is_ours = False
        self._is_stored = False
        self._failure = ""  # of the request that is about to be made again
        self._drafts = ComposerDrafts(state_folder() / "drafts")
        self._recalls = LatestJob(self)
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(DRAFT_DELAY_MS)
        self._delay.timeout.connect(self._save_draft)
        composer.send_wanted.connect(self.send)
        composer.edited.connect(self._save_soon)
        runner.started.connect(lambda _title: composer.show_running(True))
        runner.reported.connect(self._take)
        runner.ticked.connect(self._show_elapsed)
        runner.ended.connect(self._end)

    @property
    def is_computing(self) -> bool:
        """Whether the unsent text of the last time is still being looked for."""
        return self._recalls.running

    def recall(self) -> None:
        """Bring back what was typed and not sent the last time."""
        if (store := self._document.store) is not None:
            key, earlier_key = self._key(), store.session_id or str(store.path.absolute())
            self._recalls.start(lambda _token: self._drafts.recall(key, earlier_key), self._put_back)

    def send(self, text: str, images: tuple[AttachedImage, ...]) -> None:
        """Send a prompt from the current leaf."""
        session = self._document.session
        if session is None:
            self.said.emit(self.tr("The session is still being read."))
            return

        def run(token: CancellationToken, report: Callable[[object], None]) -> Coroutine[Any, Any, TurnResult]:
            return session.prompt(text, images, token, report)

        self._is_ours, self._is_stored = True, False
        if self._runner.run(self.tr("Sending"), run, self._finish, abort_grace_s=KEEPING_S, gives_way=True):
            self._composer.hold(True)
        else:
            self._is_ours = False
            self.said.emit(self.tr("Something else is running. Stop it first, or wait for it."))

    def close(self) -> None:
        """Keep what is unsent, and let go."""
        self._composer.attachments.close_reading()
        self._recalls.close()
        if self._delay.isActive():
            self._delay.stop()
            if key := self._key():
                self._drafts.save(key, self._composer.own_text, self._drafts.ticket(key))

    def _take(self, event: object) -> None:
        if not self._is_ours:
            return
        match event:
            case TurnStarted():
                if not self._is_stored:
                    self._is_stored = True
                    self._composer.take_sent()
                    self.followed.emit()
                self._failure = ""
                self._live.begin(sentence(event))
            case TurnDelta():
                self._live.add(event.text)
            case TurnEnded():
                self._live.end()
                self._document.refresh()
            case TurnRetryScheduled():
                self._failure = shown(event.message)
                self._live.begin(sentence(event))
            case CompactionStarted():
                self._live.begin(sentence(event))
            case CompactionEnded() | ToolOutputsPruned():
                self._live.end()
                self._document.refresh()

    def _show_elapsed(self, _seconds: float) -> None:
        if self._is_ours and self._live.isVisible():
            self._live.say(f"{self._failure} {self._runner.title}".strip())

    def _finish(self, value: object) -> None:
        if not isinstance(value, TurnResult):
            return
        if value.aborted:
            self.said.emit(self.tr("Stopped. What had arrived was kept as an answer that was stopped."))
        elif value.stop_reason == "length":
            self.said.emit(self.tr("The answer was cut off at the model's output limit."))

    def _end(self, outcome: Outcome) -> None:
        self._composer.show_running(False)
        if not self._is_ours:
            return
        self._is_ours = False
        self._composer.hold(False)
        self._live.end(keep=outcome.kind == "failed" and self._is_stored)
        if isinstance(outcome.value, NoModelError):
            self.model_wanted.emit(shown(outcome.text))
        if self._is_stored:
            self._document.refresh()
        self._composer.text.setFocus()

    def _put_back(self, text: str) -> None:
        if text and not self._composer.text.toPlainText():
            self._composer.text.setPlainText(text)
            self.said.emit(self.tr("What you had not sent is back in the composer."))

    def _save_soon(self) -> None:
        """Keep what was typed a moment from now, however long the typing goes on."""
        if not self._delay.isActive():
            self._delay.start()

    def _save_draft(self) -> None:
        if not (key := self._key()):
            return
        text, ticket = self._composer.own_text, self._drafts.ticket(key)
        QThreadPool.globalInstance().start(lambda: self._drafts.save(key, text, ticket))

    def _key(self) -> str:
        store = self._document.store
        return "" if store is None else session_key(store.path, store.session_id)
