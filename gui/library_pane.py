"""The content of the library's dock: search field, list, notices, and how far reading is."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.icons import icon
from gui.library_actions import LibraryActions, short_path
from gui.library_arranger import MORE_HITS, MORE_SESSIONS, LibraryArranger
from gui.library_control import LibraryControl
from gui.library_model import LibraryModel
from gui.library_parts import EmptyState, Notice, SearchField
from gui.library_rows import LibraryRow, sessions_text, size_text, summary_text
from gui.library_view import LibraryView
from gui.settled_changes import SettledChanges
from gui.translation import shown
from gui.widgets import label
from gui.window_memory import write_settings
from services.library.lineage import Lineage
from services.library.search_text import Question
from services.library.sessions import LibrarySession

if TYPE_CHECKING:
    from services.library.searching import Hit, SessionHits
    from services.library.trash import Trashed

ARRANGE_PAUSE_MS = 200  # so that a scan does not arrange the list for each file
SEARCH_PAUSE_MS = 250  # after the last key
FOLDED_KEY = "library/folded"


class LibraryPane(QWidget):
    """Shows the sessions that `control` knows, and lets them be found and acted on."""

    def __init__(self, settings: QSettings | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.control = LibraryControl(self)
        self.model = LibraryModel(self)
        self.view = LibraryView(self.model)
        self.actions_ = LibraryActions(self.view, self.model, self.control, self)
        self._settings = settings
        self._arranger = LibraryArranger()
        self._lineage = Lineage()
        self._wanted_key: str | None = None
        self._centred: tuple[str, int] | None = None  # the row that was brought into sight, and how far it scrolled
        self._arrange_timer = QTimer(self, singleShot=True, interval=ARRANGE_PAUSE_MS)
        self._fold_timer = QTimer(self, interval=1)
        self._folds = SettledChanges(self._keep_folds, self)
        self._search_timer = QTimer(self, singleShot=True, interval=SEARCH_PAUSE_MS)
        self._make_widgets()
        self._lay_out()
        self._connect()
        if settings is not None:
            self.view.folded = set(_texts(settings.value(FOLDED_KEY)))
        self._show_scan()

    # What the dock does

    def close_library(self) -> None:
        """Stop all work and remember how the list looked."""
        self._folds.end()
        if self._settings is not None:
            self._settings.setValue(FOLDED_KEY, sorted(self.view.folded))
        self._arrange_timer.stop()
        self._search_timer.stop()
        self._fold_timer.stop()
        self.control.close()

    def _keep_folds(self) -> None:
        settings, folded = self._settings, sorted(self.view.folded)
        if settings is not None and folded != sorted(_texts(settings.value(FOLDED_KEY))):
            write_settings(settings, {FOLDED_KEY: folded})

    def show_open(self, paths: Collection[Path], current: Path | None) -> None:
        """Mark the sessions that are open and bring the one in front into sight."""
        self.actions_.open_paths = frozenset(paths)
        self.model.show_open(paths)
        if current is not None:
            self._wanted_key = str(current)
            self._select_wanted()

    def take_dropped(self, paths: list[Path]) -> None:
        """Add the folders and open the files that were dropped."""

        def take(dropped: tuple[list[Path], list[Path]]) -> None:
            files, folders = dropped
            for folder in folders:
                self.control.add_folder(folder)
            for file in files:
                self.actions_.open_wanted.emit(file, None)

        self.control.sort_dropped(paths, take)

    # Parts

    def _make_widgets(self) -> None:
        self.field = SearchField()
        self.menu_button = QToolButton()
        self.menu_button.setIcon(icon("more"))
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu_button.setAccessibleName(self.tr("Library menu"))
        self.menu_button.setToolTip(self.tr("Library menu"))
        self.menu_button.setMenu(self.actions_.menu(QMenu(self.menu_button)))
        self.empty = EmptyState()
        self.stack = QStackedWidget()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.view)
        self.notice = Notice()
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Reading the sessions"))
        self.status = label(style="muted", wrap=True)
        self.scan_button = QPushButton()
        self.scan_button.setProperty("link", True)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(8, 8, 8, 4)
        top.setSpacing(4)
        top.addWidget(self.field, 1)
        top.addWidget(self.menu_button)
        self.footer = QWidget()
        self.footer.setProperty("footer", True)
        self.footer.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        bottom = QHBoxLayout(self.footer)
        bottom.setContentsMargins(16, 5, 8, 5)
        bottom.addWidget(self.status, 1)
        bottom.addWidget(self.scan_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(self.stack, 1)
        column.addWidget(self.notice)
        column.addWidget(self.progress)
        column.addWidget(self.footer)
        self.setFocusProxy(self.field)  # always there: Tab goes no further from a proxy that hides

    def _connect(self) -> None:
        self._arrange_timer.timeout.connect(self._arrange_anew)
        self._fold_timer.timeout.connect(self._fold_some)
        self._search_timer.timeout.connect(self._search_texts)
        self.field.textChanged.connect(self._take_typed)
        self.field.list_wanted.connect(self._go_to_list)
        self.field.returnPressed.connect(self._open_first)
        self.view.typed.connect(self._type)
        self.view.collapsed.connect(self._folds.note)
        self.view.expanded.connect(self._folds.note)
        self.view.more_wanted.connect(self._show_more)
        self.actions_.origin_wanted.connect(self._show_session)
        self.actions_.refused.connect(self.notice.say)
        self.actions_.undo.triggered.connect(self.notice.hide)
        self.control.changed.connect(self._arrange_soon)
        self.control.scan_changed.connect(self._show_scan)
        self.control.found.connect(self._take_hits)
        self.control.said.connect(self.actions_.said)
        self.control.failed.connect(self._show_failure)
        self.control.trashed.connect(self._show_trashed)
        self.scan_button.clicked.connect(self._stop_or_go_on)
        self.empty.action_wanted.connect(self._help_out_of_empty)

    # Rows

    @property
    def typed(self) -> str:
        """What is looked for."""
        return self.field.text().strip()

    def _arrange_soon(self) -> None:
        if not self.model.rowCount():
            self._arrange_anew()
        elif not self._arrange_timer.isActive():
            self._arrange_timer.start()

    def _arrange_anew(self) -> None:
        """Sessions have changed."""
        self._lineage = Lineage(self.control.sessions.values())
        self._arranger.know(self.control.sessions.values())
        self._fold_timer.start()
        self._arrange()

    def _fold_some(self) -> None:
        """Get ready for what may be typed, a few sessions in each turn of the event loop."""
        if not self._arranger.fold_some():
            self._fold_timer.stop()

    def _arrange(self) -> None:
        """Show the sessions as they are known now."""
        is_where_it_was_put = self._centred == self._place()
        self.view.show_rows(self._arranger.rows(self.control.sessions, self.typed), self._lineage)
        if is_where_it_was_put and self._centred is not None and self._wanted_key is None:
            self._wanted_key = self._centred[0]  # rows that are found later may stand above it
        self._select_wanted()
        self._show_stack()
        self.actions_.enable()

    def _select_wanted(self) -> None:
        if self._wanted_key is not None and self.view.select_key(self._wanted_key):
            self._wanted_key = None
            self._centred = self._place()

    def _place(self) -> tuple[str, int] | None:
        row = self.view.current_row()
        return None if row is None else (row.key, self.view.verticalScrollBar().value())

    def _show_session(self, session: LibrarySession) -> None:
        """Bring a session into sight, whatever hides it."""
        self.field.clear()
        key = str(session.path)
        if not self.model.index_of(key).isValid():
            self._arranger.show_whole_shelf_of(session)
            self._arrange()
        self.view.select_key(key)

    def _show_more(self, row: LibraryRow) -> None:
        if row.key.startswith(MORE_SESSIONS):
            place = self.view.currentIndex()
            shelf = self.model.row_at(place.parent())
            self._arranger.show_more_of_shelf(row.key.removeprefix(MORE_SESSIONS))
            number = place.row()
            self._arrange()
            if shelf is not None:
                self.view.setCurrentIndex(self.model.index(number, 0, self.model.index_of(shelf.key)))
            return
        session = self.control.sessions.get(Path(row.key.removeprefix(MORE_HITS)))
        if session is None:
            return
        typed = self.typed

        def show(hits: tuple[Hit, ...]) -> None:
            if typed == self.typed:
                self._arranger.take_more_hits(session, hits)
                self._arrange()

        self.control.search_in(typed, session, show)

    # Searching

    def _take_typed(self) -> None:
        self._arranger.forget_hits()
        self.control.drop_search()
        self._arrange()
        if Question(self.typed):
            self._search_timer.start()
        else:
            self._search_timer.stop()

    def _search_texts(self) -> None:
        self.control.search(self.typed)

    def _take_hits(self, typed: str, hits: list[SessionHits]) -> None:
        if typed == self.typed:
            self._arranger.take_hits(hits)
            self._arrange()

    def _type(self, text: str) -> None:
        self.field.setFocus()
        if text:
            self.field.setText(self.field.text() + text)

    def _go_to_list(self) -> None:
        if self.stack.currentWidget() is self.view:
            self.view.setFocus()

    def _open_first(self) -> None:
        """Enter in the field: open the only session that answers, else go to the list."""
        shelves = [self.model.index(number, 0) for number in range(self.model.rowCount())]
        indexes = [self.model.index(number, 0, each) for each in shelves for number in range(self.model.rowCount(each))]
        rows = [row for index in indexes if (row := self.model.row_at(index)) is not None]
        paths = {row.session.path for row in rows if row.session is not None}
        if len(paths) == 1 and self.view.select_key(next(row.key for row in rows if row.session is not None)):
            self.actions_.open_selected()
        else:
            self._go_to_list()

    # States

    def _show_stack(self) -> None:
        if self.model.rowCount():
            self.stack.setCurrentWidget(self.view)
            return
        if self.view.hasFocus():
            self.field.setFocus()
        self.stack.setCurrentWidget(self.empty)
        if self.typed:
            self.empty.say(self.tr("No session answers to “{0}”.").format(self.typed), self.tr("Show all"))
        elif self.control.is_scan_shown:
            self.empty.say(self.tr("Looking for sessions…"))
        else:
            self.empty.say(self._nothing_found(), self.tr("Add a folder…"))

    def _nothing_found(self) -> str:
        folders = self.control.folders
        names = [short_path(folder) for folder in folders.all] if folders is not None else []
        what_now = self.tr("Add a folder that holds some, or drop one here.")
        return "\n".join((self.tr("No sessions were found in"), *names, "", what_now))

    def _show_scan(self) -> None:
        control = self.control
        progress = control.progress if control.is_scan_shown else None
        total = progress.total if progress is not None else 0
        self.progress.setVisible(control.is_scan_shown and total > 0)
        self.progress.setRange(0, 1000)  # bars count in 32 bits, files do not
        if progress is not None and total:
            self.progress.setValue(progress.done * 1000 // total)
        self.scan_button.setVisible(control.is_scan_shown or control.was_stopped)
        self.scan_button.setText(self.tr("Stop") if control.is_scan_shown else self.tr("Go on"))
        self.scan_button.setAccessibleName(
            self.tr("Stop reading the sessions") if control.is_scan_shown else self.tr("Go on reading the sessions")
        )
        self.status.setText(self._status_text())
        self.status.setToolTip(self._status_tip())
        self.footer.setVisible(bool(self.status.text()) or not self.scan_button.isHidden())
        if control.result is not None and not control.is_scan_shown:
            self.model.show_shared(control.result.shared)
        if not self.model.rowCount():
            self._show_stack()

    def _status_text(self) -> str:
        control = self.control
        progress = control.progress if control.is_scan_shown else None
        count = len(control.sessions)
        if progress is not None and progress.phase == "waiting":
            return self.tr("Another window is reading the sessions.")
        if progress is not None and progress.total:
            return self.tr("Reading {0} of {1}").format(size_text(progress.done), size_text(progress.total))
        if control.is_scan_shown:
            return self.tr("{0} so far").format(sessions_text(count)) if count else self.tr("Looking for sessions…")
        if control.was_stopped:
            return self.tr("Stopped before all was read.")
        if control.result is None:
            return ""
        text = summary_text(count, control.result.tokens, control.result.cost) if count else ""
        unread = sum(not problem.is_missing for problem in control.result.problems)
        if unread == 1:
            text += "\n" + self.tr("1 folder could not be read")
        elif unread:
            text += "\n" + self.tr("{0} folders could not be read").format(unread)
        return text.strip()

    def _status_tip(self) -> str:
        result = self.control.result
        if result is None:
            return ""
        tip = [self.tr("Entries that were copied into a forked session count once.")]
        tip += [f"{problem.path}: {shown(problem.reason)}" for problem in result.problems if not problem.is_missing]
        return "\n".join(tip)

    def _stop_or_go_on(self) -> None:
        if self.control.is_scan_shown:
            self.control.stop()
        else:
            self.control.refresh()

    def _help_out_of_empty(self) -> None:
        if self.typed:
            self.field.clear()
            self.field.setFocus()
        else:
            self.actions_.choose_folder()

    def _show_failure(self, sentence: str) -> None:
        self.notice.say(sentence, self.tr("Try again"), self.control.refresh)

    def _show_trashed(self, trashed: list[Trashed]) -> None:
        if len(trashed) == 1:
            text = self.tr("“{0}” was moved to the trash.").format(trashed[0].title)
        else:
            text = self.tr("{0} sessions were moved to the trash.").format(len(trashed))
        if self.actions_.trashed:
            self.notice.say(text, self.tr("Undo"), self.actions_.undo_trash)
        else:
            self.notice.say(text)
        self.actions_.said.emit(text)


def _texts(value: object) -> list[str]:
    """A list of texts out of the settings, where a list of one is kept as a text."""
    if isinstance(value, list):
        return [each for each in value if isinstance(each, str)]
    return [value] if isinstance(value, str) and value else []
