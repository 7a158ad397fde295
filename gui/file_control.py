"""The file of the open session as such: what is odd about it, that it is gone, and copies of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from gui.banner import Banner
from gui.inspector.problems_tab import ProblemsTab
from gui.latest_job import LatestJob
from gui.number_text import full_count
from gui.session_document import SessionDocument
from gui.translation import shown
from gui.turns import open_next_turn
from model.records import Problem, ProblemKind
from services.cancellation import CancellationToken
from services.jobs import Outcome
from services.session_rewriting import RenamedEntry
from services.session_store import ReadOnlyError, SessionGoneError

ABOUT_THE_FILE: frozenset[ProblemKind] = frozenset({"mixed dialects", "more", "no header"})  # and about no line of it
ShowProblems = Callable[[Sequence[Problem], str | None], None]


class FileControl(QObject):
    """Signals: `said` (sentence); `entry_wanted` (id) for a problem that was chosen; `open_wanted` (Path) of a copy."""

    said = Signal(str)
    entry_wanted = Signal(str)
    open_wanted = Signal(object)

    def __init__(
        self,
        document: SessionDocument,
        banner: Banner,
        tab: ProblemsTab,
        show_problems: ShowProblems,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._document = document
        self._banner = banner
        self._window = window
        self._show = show_problems
        self._shown: tuple[Sequence[Problem], str | None] = ((), None)
        self._why_not = ""
        self._copies = LatestJob(self)
        self._lines = LatestJob(self)
        self._tab = tab
        self.dialog: QFileDialog | None = None
        tab.repair_wanted.connect(self._save_repaired)
        tab.place_wanted.connect(self._go_to)
        tab.line_wanted.connect(self._read_line)
        tab.said.connect(self.said)
        document.laid_out.connect(self._show_problems)
        document.changed_on_disk.connect(self.show_change)
        document.access_changed.connect(self._follow_access)

    @property
    def is_computing(self) -> bool:
        """Whether a copy is being written, or a line read."""
        return self._copies.running or self._lines.running

    def close(self) -> None:
        """Stop writing; what is half-written goes away."""
        self._copies.close()
        self._lines.close()

    def save_copy(self) -> None:
        """Ask where to, and save the session as it is shown; also when its file is gone."""
        store = self._document.store
        if store is None or store.partial:
            return
        dialog = QFileDialog(self._window, self.tr("Save a copy"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)  # nothing is ever overwritten
        dialog.setDefaultSuffix("jsonl")
        dialog.setNameFilters([self.tr("Sessions (*.jsonl)"), self.tr("All files (*)")])
        if store.is_gone:
            dialog.selectFile(str(store.path))  # the name is free again
        else:
            dialog.setDirectory(str(store.path.parent))
        dialog.fileSelected.connect(lambda path: self._save(Path(path), store.save_copy, self._finish_copy))
        dialog.finished.connect(self._forget)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog = dialog
        open_next_turn(dialog)

    def show_change(self, sentence: str) -> None:
        """Say what another program did to the file."""
        store = self._document.store
        if store is not None and store.is_gone:
            self._banner.say(sentence, self.tr("Save as…"), self.save_copy)
        else:
            self._banner.say(sentence)

    def explains(self, outcome: Outcome) -> bool:
        """Show the way out when an operation failed because the file is gone, or cannot be changed where it is; False
        for every other end.
        """
        store = self._document.store
        is_refused = isinstance(outcome.value, ReadOnlyError) and store is not None and store.is_protected
        if isinstance(outcome.value, SessionGoneError) or is_refused:
            self._banner.say(outcome.text, self.tr("Save as…"), self.save_copy)
            return True
        return False

    def refuses(self) -> bool:
        """Say why the session cannot be changed, if it cannot, with the way out; False when it can."""
        store = self._document.store
        if store is None or store.read_only is None:
            return False
        self._why_not = shown(store.read_only)
        if store.is_protected:
            self._banner.say(store.read_only, self.tr("Save as…"), self.save_copy)
        else:
            self._banner.say(store.read_only)
        return True

    def _follow_access(self) -> None:
        """The file was write-protected, or is not any more."""
        self._show_problems()
        if self.refuses():
            return
        if self._banner.text.text() == self._why_not:
            self._banner.hide()
        self.said.emit(self.tr("The file can be changed again."))

    # Problems

    def _show_problems(self, *_: object) -> None:
        store = self._document.store
        if store is None or store.partial:
            return
        now = (store.problems, store.read_only)
        if now != self._shown:
            self._show(*now)
        self._shown = now

    def _go_to(self, offset: int) -> None:
        index = self._document.index
        if index is None or not index.count:
            return
        row = max(0, int(index.offset.searchsorted(offset, "right")) - 1)
        self.entry_wanted.emit(index.id_of(row))

    def _read_line(self, problem: Problem | None) -> None:
        store = self._document.store
        self._lines.drop()
        if store is not None and problem is not None and problem.kind not in ABOUT_THE_FILE:
            offset = problem.offset
            self._lines.start(
                lambda _token: store.line_at(offset).decode("utf-8", "replace"), self._tab.show_line, self.said.emit
            )

    # Copies

    def _save_repaired(self, path: str) -> None:
        store = self._document.store
        if store is None:
            return

        renamed: list[RenamedEntry] = []

        def save(path: Path, token: CancellationToken) -> None:
            store.measure(None, token)
            renamed.extend(store.save_repaired_copy(path, token))

        self._save(Path(path), save, lambda saved: self._finish_repaired(saved, len(renamed)))

    def _save(
        self, path: Path, write: Callable[[Path, CancellationToken], object], done: Callable[[Path], None]
    ) -> None:
        def save(token: CancellationToken) -> Path | None:
            try:
                write(path, token)
            except FileExistsError:
                return None
            return path

        def finish(saved: Path | None) -> None:
            if saved is None:
                self._banner.say(
                    self.tr("There is something called {0} already, and it stays. Nothing was saved.").format(
                        path.name
                    ),
                    self.tr("Save as…"),
                    self.save_copy,
                )
            else:
                done(saved)

        self._copies.start(save, finish, self._banner.say)

    def _finish_copy(self, path: Path) -> None:
        self.said.emit(self.tr("Saved to {0}.").format(path))
        if path == self._document.path:
            self._banner.hide()
            self._document.refresh()  # the session goes on in it
            return
        if (session := self._document.session) is not None:
            session.note_copy(path)
        self._offer(self.tr("The session was saved to {0}.").format(path), path)

    def _finish_repaired(self, path: Path, renamed_count: int) -> None:
        sentence = self.tr("A repaired copy was saved to {0}.").format(path)
        if renamed_count == 1:
            sentence = self.tr(
                "A repaired copy was saved to {0}. In it 1 entry has a new id, since a later one has the same."
            ).format(path)
        elif renamed_count:
            sentence = self.tr(
                "A repaired copy was saved to {0}. In it {1} entries have new ids, since later ones have the same."
            ).format(path, full_count(renamed_count))
        self._offer(sentence, path)

    def _offer(self, sentence: str, path: Path) -> None:
        def show() -> None:
            self._banner.hide()
            self.open_wanted.emit(path)

        self._banner.say(sentence, self.tr("Open it"), show)

    def _forget(self, *_: object) -> None:
        self.dialog = None
