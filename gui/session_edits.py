"""Small changes of a session's file that a person asks for: labels, the session's name, the resume point."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from gui.act_sentences import label_sentence, name_sentence, nothing_changed
from gui.file_control import FileControl
from gui.operation_runner import OperationRunner
from gui.place_keeper import PlaceKeeper
from gui.session_document import SessionDocument
from gui.text_question import ask_for_text
from services.agent_session import AgentSession


class SessionEdits(QObject):
    """Makes them on a worker; what would change nothing is not written. Signal: `said` (sentence)."""

    said = Signal(str)

    def __init__(
        self,
        document: SessionDocument,
        runner: OperationRunner,
        files: FileControl,
        place: PlaceKeeper,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._runner = runner
        self._files = files
        self._place = place
        self._window = parent

    def ask_for_label(self) -> None:
        """Ask for the label of the selected entry."""
        entry_id = self._selected_id()
        if entry_id is None or self._document.session is None or self._files.refuses():
            return
        ask_for_text(
            self._window,
            self.tr("Label"),
            self.tr("Label of the selected entry (empty removes it):"),
            lambda text: self.set_label(text, entry_id),
            self._label_of(entry_id),
        )

    def ask_for_name(self) -> None:
        """Ask for the name of the session."""
        if self._document.session is None or self._files.refuses():
            return
        ask_for_text(
            self._window,
            self.tr("Name of the session"),
            self.tr("Name (empty takes it away):"),
            self.set_session_name,
            self._session_name(),
        )

    def set_label(self, text: str, entry_id: str | None = None) -> None:
        """Label an entry, by default the selected one; an empty text clears its label."""
        entry_id = entry_id or self._selected_id()
        if entry_id is None:
            return
        before, text = self._label_of(entry_id), text.strip()
        if text == before:
            self.said.emit(nothing_changed())
        else:
            self._make(lambda session: session.set_label(entry_id, text), label_sentence(before, text))

    def set_session_name(self, name: str) -> None:
        """Give the session a name; a blank one takes it away."""
        before, name = self._session_name(), name.strip()
        if name == before:
            self.said.emit(nothing_changed())
        else:
            self._make(lambda session: session.set_session_name(name), name_sentence(before, name))

    def set_resume_point(self) -> None:
        """Append the entry that makes the agents resume at the current leaf."""
        session = self._document.session
        if session is None or self._files.refuses():
            return
        if session.leaf_id == session.resume_leaf_id:
            self.said.emit(self.tr("Nothing changed: the agents would resume here anyway."))
            return
        done = self.tr("One entry was added, so the agents resume here. Set the point elsewhere to change that.")
        self._make(lambda session: session.set_resume_point(), done)

    def _selected_id(self) -> str | None:
        """The id of the entry whose row is selected: where the filter hides what was chosen, it stands for another."""
        index, row = self._document.index, self._place.row
        return None if index is None or row is None else index.id_of(row)

    def _session_name(self) -> str:
        store = self._document.store
        return (store.session_name or "") if store is not None else ""

    def _label_of(self, entry_id: str) -> str:
        store = self._document.store
        row = None if store is None else store.index.row_of(entry_id)
        return "" if store is None or row is None else store.labels.get(row, "")

    def _make(self, change: Callable[[AgentSession], object], done: str) -> None:
        session = self._document.session
        if session is None:
            return

        async def work(_token: object, report: Callable[[object], None]) -> object:
            await session.writer_gate.passed(report)
            return change(session)

        def finish(value: object) -> None:
            self._document.refresh()
            self.said.emit(done if value else nothing_changed())

        if not self._runner.run(self.tr("Saving"), work, finish):
            self.said.emit(self.tr("Something else is running. Stop it first, or wait for it."))
