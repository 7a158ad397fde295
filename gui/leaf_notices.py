"""Where the leaf is, said in the banner when the file goes on somewhere else (TN-11)."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from gui.banner import Banner
from gui.entry_names import entry_title
from gui.operation_runner import OperationRunner
from gui.session_document import SessionDocument
from model.runs import NO_ROW
from services.agent_session import AgentSession
from services.operations import NavigationResult


class LeafNotices(QObject):
    """Looks when a session is opened, and when another program has gone on.

    Signals: `moved` (NavigationResult) after the offer to go somewhere was taken; `entry_wanted` (id) for an entry to
    look at; `said` (sentence).
    """

    moved = Signal(object)
    entry_wanted = Signal(str)
    said = Signal(str)

    def __init__(self, document: SessionDocument, runner: OperationRunner, banner: Banner, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._runner = runner
        self._banner = banner
        self._has_grown = False  # by another program, since it was looked where the newest message is
        self._newest_elsewhere: str | None = None  # as it was told last
        self._said = ""  # in the banner, when the session was opened
        self._opened_at: str | None = None  # the leaf of then
        document.grown.connect(self._note_growth)
        document.leaf_changed.connect(self._note_leaf)

    def say_where_one_is(self, session: AgentSession) -> None:
        """Offer the jump where an agent would resume elsewhere, or the newest message is on another branch."""
        end_id, newest = session.resume_leaf_id, self._find_newest_elsewhere()
        self._newest_elsewhere = newest
        self._opened_at = session.leaf_id
        if session.leaf_id != end_id and end_id is not None:
            text = (
                self.tr("You are where you left off; the file goes on to “{0}”.")
                if self._is_ahead(end_id)
                else self.tr("You are where you left off; the file ends on another branch, with “{0}”.")
            )
            self._said = text.format(entry_title(self._document, end_id))
            self._banner.say(self._said, self.tr("Go there"), lambda: self._move_to(end_id))
        elif newest is not None:
            self._said = self.tr("The newest message is on another branch than the end of the file.")
            self._banner.say(
                self._said,
                self.tr("Go there"),
                lambda: self._move_to(newest),
                self.tr("Show it"),
                lambda: self._show(newest),
            )

    def look_for_newest(self) -> None:
        """Say where the newest message is when another program wrote it on another branch; once for each branch."""
        graph, index = self._document.graph, self._document.index
        if not self._has_grown or self._runner.is_running or graph is None or index is None:
            return
        self._has_grown = False
        newest = self._find_newest_elsewhere()
        told, self._newest_elsewhere = self._newest_elsewhere, newest
        if newest is None:
            return
        before, now = index.row_of(told) if told else None, index.row_of(newest)
        if before is None or now is None or not graph.runs.is_ancestor(before, now):
            self._banner.say(
                self.tr("Another program has gone on: the newest message is not on the path that you are on."),
                self.tr("Show it"),
                lambda: self._show(self._newest_elsewhere or newest),
            )

    def go_along(self) -> None:
        """Take up what another program wrote while an operation ran that has changed nothing."""
        if self._has_grown and self._document.session is not None:
            self._document.session.catch_up()
            self._document.refresh()

    def _find_newest_elsewhere(self) -> str | None:
        """The id of the newest message when it is not on the active path."""
        graph, index = self._document.graph, self._document.index
        if graph is None or index is None:
            return None
        newest = graph.newest_message(index.kind)
        leaf = self._document.leaf_row
        if newest is None or leaf >= index.count or graph.runs.is_ancestor(newest, leaf):
            return None
        return index.id_of(newest)

    def _is_ahead(self, entry_id: str) -> bool:
        """Whether the path that one is on leads on to an entry."""
        graph, index, leaf = self._document.graph, self._document.index, self._document.leaf_row
        row = None if index is None else index.row_of(entry_id)
        if leaf == NO_ROW:
            return True
        if graph is None or index is None or row is None or leaf >= index.count:
            return False
        return bool(graph.runs.is_ancestor(leaf, row))

    def _note_growth(self, _rows: range) -> None:
        self._has_grown = True

    def _note_leaf(self) -> None:
        """What was said when the session was opened is not true any more once the leaf has moved."""
        session = self._document.session
        if session is not None and self._said and session.leaf_id != self._opened_at:
            if self._banner.text.text() == self._said:
                self._banner.hide()
            self._said = ""

    def _move_to(self, entry_id: str) -> None:
        """Make an entry the leaf, whatever it is: a message isn't taken up again by that. Nothing is written."""
        session = self._document.session
        if session is None:
            return

        async def move(_token: object, _report: object) -> None:
            session.move_leaf(entry_id)

        def arrive(_nothing: object) -> None:
            self.moved.emit(NavigationResult(cancelled=False, leaf_id=entry_id))

        if not self._runner.run(self.tr("Going there"), move, arrive):
            self.said.emit(self.tr("Something else is running. Stop it first, or wait for it."))

    def _show(self, entry_id: str) -> None:
        self._banner.hide()
        self.entry_wanted.emit(entry_id)
