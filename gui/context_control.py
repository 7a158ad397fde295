"""Feeds the *Context* tab: builds the context at the selected entry on a worker, when the tab can be seen."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QObject, QTimer

from gui.inspector.context_tab import ContextTab, ContextView
from gui.inspector.context_table import TableRow, share_text
from gui.latest_job import LatestJob
from gui.number_text import full_count
from gui.session_document import SessionDocument
from gui.translation import shown
from model.context_listing import ListedMessage
from model.entry_text import message_beginning, message_text
from model.messages import content_blocks
from model.rich_text import showable
from services.agent_session import AgentSession
from services.cancellation import CancellationToken
from services.context_reading import read_context
from services.counting_process import count_in_process

BEGINNING = 300  # characters of a message that its row may need
IDLE_MS = 400  # before a context is counted by itself


class ContextControl(QObject):
    """Shows the context at an entry of one document.

    Exact counts are made by another process, and only for a user who has asked for one: from then on for each context
    that is looked at for a while.
    """

    def __init__(self, document: SessionDocument, tab: ContextTab, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._tab = tab
        self._jobs = LatestJob(self)
        self._texts = LatestJob(self)
        self._counts = LatestJob(self)
        self._counts_by_itself = False
        self._idle = QTimer(self)
        self._idle.setSingleShot(True)
        self._idle.setInterval(IDLE_MS)
        self._idle.timeout.connect(self._count)
        tab.message_wanted.connect(self._read_message)
        tab.count_wanted.connect(self._ask_for_count)
        tab.count_stopped.connect(self._stop_counting)
        tab.left.connect(self._rest)

    def show_entry(self, row: int | None) -> None:
        """Show the context with the leaf at entry `row`."""
        session, index = self._document.session, self._document.index
        self._forget()
        if session is None or index is None or row is None:
            self._jobs.drop()
            self._tab.show_context(None)
            return
        entry_id = index.id_of(row)
        self._tab.show_waiting()
        self._jobs.start(lambda token: _context_at(session, entry_id, token), self._show, self._tab.show_failure)

    @property
    def is_computing(self) -> bool:
        """Whether something that was asked for is still to come."""
        running = self._jobs.running or self._texts.running or self._counts.running
        return running or self._idle.isActive()

    def close(self) -> None:
        """Drop what is being computed."""
        self._idle.stop()
        self._jobs.close()
        self._texts.close()
        self._counts.close()

    def _show(self, context: ContextView) -> None:
        self._tab.show_context(context)
        if self._counts_by_itself:
            self._idle.start()

    def _forget(self) -> None:
        self._idle.stop()
        self._texts.drop()
        self._counts.drop()

    def _read_message(self, number: int) -> None:
        message = self._tab.message(number)
        if message is None:
            self._texts.drop()
            return
        self._texts.start(lambda _token: _text_of(message), self._tab.show_message, self._tab.show_message)

    def _ask_for_count(self) -> None:
        self._counts_by_itself = True
        self._count()

    def _count(self) -> None:
        messages = [row.message for row in self._tab.model.rows]
        self._tab.show_count(self.tr("counting…"), is_possible=True, is_counting=True)

        def count(token: CancellationToken) -> int:
            return count_in_process([text for message in messages for text in message.counted_texts], token)

        self._counts.start(count, self._show_count, self._show_no_count)

    def _show_count(self, tokens: int) -> None:
        window = self._tab.model.window
        value = full_count(tokens)
        self._tab.show_count(value if not window else f"{value} · {share_text(tokens, window)}", is_possible=False)

    def _show_no_count(self, sentence: str) -> None:
        self._tab.show_count(sentence, is_possible=True)

    def _rest(self) -> None:
        """Nobody looks any more: what is not counted yet is counted when somebody does."""
        self._idle.stop()
        if self._counts.running:
            self._counts.drop()
            self._tab.show_count("", is_possible=True)

    def _stop_counting(self) -> None:
        self._counts_by_itself = False
        self._counts.drop()
        self._tab.show_count("", is_possible=True)


def _context_at(session: AgentSession, entry_id: str, token: CancellationToken) -> ContextView:
    reading = read_context(session, entry_id)
    rows = []
    images = 0
    for number, message in enumerate(reading.listing.messages):
        if number % 64 == 0:
            token.raise_if_set()
        sent = message.sent or {}
        images += sum(block.get("type") == "image" for block in content_blocks(sent.get("content")))
        rows.append(TableRow(message, showable(message_beginning(message.sent or message.message, BEGINNING, shown))))
    notes = [shown(note) for note in reading.notes]
    if reading.approximate:
        notes.append(
            QCoreApplication.translate(
                "ContextControl", "The agent itself sends a history of the provider's here, which nobody else can read."
            )
        )
    listing = reading.listing
    return ContextView(
        tuple(rows), listing.estimate, listing.recorded, listing.calibrated, images, listing.left_out,
        reading.model, reading.thinking_level, reading.window, tuple(notes),
        listing.sent_count, frozenset(mark for row in rows for mark in row.message.marks), reading.turn,
    )  # fmt: skip


def _text_of(message: ListedMessage) -> str:
    return showable(message_text(message.sent or message.message, shown))
