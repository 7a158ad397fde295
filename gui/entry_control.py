"""Feeds the *Entry* tab: what an entry says is put together on a worker, with what other entries say about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from gui.inspector.entry_images import decoded_images
from gui.inspector.entry_page import (
    Around,
    EntryPage,
    Form,
    image_blocks,
    json_page,
    line_page,
    named,
    page_of,
    sections_of,
)
from gui.inspector.entry_tab import EntryTab
from gui.latest_job import LatestJob
from gui.number_text import full_count
from gui.session_document import SessionDocument
from gui.widgets import whole_characters
from model.entry_index import EntryIndex
from model.json_text import JsonObject, with_literals
from model.pretty_json import pretty_json
from model.runs import Runs
from services.agent_session import AgentSession
from services.blobs import BlobFolders
from services.call_pairs import call_of, results_of
from services.cancellation import CancellationToken
from services.session_store import SessionStore

PATIENCE_MS = 150  # with the entry before still shown


class EntryControl(QObject):
    """Shows an entry of one document. Signal: `said` (sentence)."""

    said = Signal(str)

    def __init__(self, document: SessionDocument, tab: EntryTab, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._tab = tab
        self._jobs = LatestJob(self)
        self._shown: tuple[EntryIndex, int, Form] | None = None
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(tab.show_waiting)
        self._copies = LatestJob(self)
        document.laid_out.connect(self._follow)
        tab.form_chosen.connect(self._show_form)
        tab.copy_wanted.connect(self._copy)

    @property
    def is_computing(self) -> bool:
        """Whether a page is still to come."""
        return self._jobs.running or self._copies.running or self._tab.view.is_writing

    def show_entry(self, row: int | None) -> None:
        """Show entry `row`, or that nothing is selected."""
        document = self._document
        store, index, graph, rows = document.store, document.index, document.graph, document.rows
        if store is None or index is None or graph is None or rows is None or row is None:
            self._drop()
            self._tab.show_nothing()
            return
        self._tab.show_title(rows.content(row))
        shown = (index, row, self._tab.form)
        if self._shown == shown:
            return
        self._shown = shown
        reading = _Reading(store, index, graph.runs, document.session, row, self._tab.form)
        if self._tab.shows(index.id_of(row)):
            self._patience.stop()
        else:
            self._patience.start()
        self._jobs.follow(reading.pages, self._show, self._show, self._show_failure)

    def follow_search(self) -> None:
        """A search found something else: mark that."""
        index, rows = self._document.index, self._document.rows
        if self._shown is None or index is None or rows is None:
            return
        shown_index, shown_row, _form = self._shown
        row = index.row_of(shown_index.id_of(shown_row))
        if row is not None:
            self._tab.mark(rows.content(row).matched_words)

    def close(self) -> None:
        """Drop what is being read."""
        self._drop()
        self._jobs.close()
        self._copies.close()

    def _show(self, page: EntryPage) -> None:
        self._patience.stop()
        self._tab.show_page(page)

    def _show_failure(self, sentence: str) -> None:
        self._patience.stop()
        self._tab.show_sentence(sentence)

    def _show_form(self, _form: str) -> None:
        if self._shown is not None:
            self.show_entry(self._shown[1])

    def _follow(self, *_: object) -> None:
        """Entries came in, perhaps the result of a call that is shown."""
        index = self._document.index
        if self._shown is not None and index is not None and self._tab.isVisible():
            shown_index, shown_row, _form = self._shown
            self.show_entry(index.row_of(shown_index.id_of(shown_row)))

    def _copy(self, what: str) -> None:
        if self._shown is None or self._document.store is None:
            return
        store, (index, row, _form) = self._document.store, self._shown

        def read(_token: CancellationToken) -> str:
            if what == "id":
                return index.id_of(row)
            if what == "line":
                return store.raw_line(row, index).decode("utf-8", "replace")
            return pretty_json(as_written(store, index, row)) if what == "json" else self._tab.page_text

        self._copies.start(read, self._put, self.said.emit)

    def _put(self, text: str) -> None:
        QGuiApplication.clipboard().setText(whole_characters(text))
        self.said.emit(self.tr("Copied {0} characters.").format(full_count(len(text))))

    def _drop(self) -> None:
        self._patience.stop()
        self._jobs.drop()
        self._shown = None


def as_written(store: SessionStore, index: EntryIndex, row: int) -> JsonObject:
    """Return the entry at `row` for `stringify`: with its numbers as they stand in the file. Raises OSError."""
    entry: JsonObject = with_literals(store.entry(row, index), store.raw_line(row, index))
    return entry


class _Reading:
    """Reads one entry on a worker: first what it says, then what takes longer."""

    def __init__(
        self,
        store: SessionStore,
        index: EntryIndex,
        runs: Runs,
        session: AgentSession | None,
        row: int,
        form: Form,
    ) -> None:
        self._store, self._index, self._runs, self._session = store, index, runs, session
        self._row, self._form = row, form

    def pages(self, token: CancellationToken, report: Callable[[EntryPage], None]) -> EntryPage:
        """Return the complete page; report one before that, where images or sources are still to come."""
        store, index, row = self._store, self._index, self._row
        entry_id = index.id_of(row)
        if self._form == "line":
            return line_page(store.raw_line(row, index), entry_id)
        if self._form == "json":
            return json_page(as_written(store, index, row), entry_id)
        entry = store.entry(row, index)
        token.raise_if_set()
        answers = results_of(store, index, self._runs, row)
        around = Around(
            named(call_of(store, index, self._runs, row), index.id_of),
            {call_id: (index.id_of(pair.row), pair.part) for call_id, pair in answers.items()},
        )
        images = image_blocks(sections_of(entry, around))
        has_summary = self._session is not None and entry.get("type") in ("compaction", "branch_summary")
        page = page_of(entry, entry_id, self._form, around)
        if not images and not has_summary:
            return page
        report(replace(page, is_complete=False))
        if has_summary and self._session is not None:
            sources = self._session.line_sources(entry_id)
            around = Around(around.call, around.results, sources)
        decoded = decoded_images(images, BlobFolders.of_session(store.path))
        return page_of(entry, entry_id, self._form, around, decoded)
