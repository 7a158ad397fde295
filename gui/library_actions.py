"""What can be done with the sessions of the library, as actions with keys, and the menus that hold them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QFileDialog, QMenu

from gui.icons import icon
from gui.library_control import LibraryControl
from gui.library_model import LibraryModel
from gui.library_view import LibraryView
from gui.reveal import reveal
from gui.text_question import ask_for_text
from gui.turns import open_next_turn
from services.library.sessions import LibrarySession

if TYPE_CHECKING:
    from services.library.searching import Hit
    from services.library.trash import Trashed


class LibraryActions(QObject):
    """Acts on the selected rows of the list.

    Signals: `open_wanted` (Path, entry id or None); `said` (sentence); `refused` (sentence); `origin_wanted`
    (LibrarySession) to bring the session into sight that another one was forked from. `rename_open` is asked to rename
    a session that is open; it returns False when it isn't.
    """

    open_wanted = Signal(object, object)
    said = Signal(str)
    refused = Signal(str)
    origin_wanted = Signal(object)

    def __init__(self, view: LibraryView, model: LibraryModel, control: LibraryControl, parent: QObject) -> None:
        super().__init__(parent)
        self._view, self._model, self._control = view, model, control
        self.rename_open: Callable[[Path, str], bool] = lambda _path, _name: False
        self.open_paths: frozenset[Path] = frozenset()
        self.trashed: list[Trashed] = []
        """What was moved to the trash last and can be put back."""
        self.open = self._action("open", self.tr("&Open"), "", self.open_selected, "open")
        self.rename = self._action("rename", self.tr("&Rename…"), "Shift+F2", self.ask_for_name, "edit")
        self.reveal = self._action("reveal", self.tr("Show in &file manager"), "Ctrl+Shift+E", self._reveal)
        self.copy = self._action("copy_path", self.tr("&Copy path"), "Ctrl+Shift+C", self._copy_paths, "copy")
        self.origin = self._action(
            "origin", self.tr("&Show where it was forked from"), "Ctrl+Shift+O", self._show_origin, "branches"
        )
        self.trash = self._action("trash", self.tr("Move to &trash"), "Del", self._trash, "trash")
        self.undo = self._action("undo", self.tr("&Undo: out of the trash again"), "Ctrl+Z", self.undo_trash)
        self.refresh = self._action("refresh", self.tr("R&efresh"), "F5", control.refresh, "refresh")
        self.add_folder = self._action(
            "add_folder", self.tr("&Add a folder…"), "Ctrl+Shift+A", self.choose_folder, "add"
        )
        view.keys = lambda: (
            *((key, action) for action in self.findChildren(QAction) for key in action.shortcuts()),
            *((QKeySequence(key), action) for key, action in (("F2", self.rename), ("Ctrl+C", self.copy))),
        )
        view.context_actions = self._context_actions
        view.chosen.connect(self.open_selected)
        view.selectionModel().currentChanged.connect(lambda *_: self.enable())
        control.trashed.connect(self._take_trashed)
        self.enable()

    def menu(self, parent: QMenu) -> QMenu:
        """Fill `parent` with the actions that are not about one session."""
        parent.addActions([self.add_folder, self.refresh])
        folders = parent.addMenu(self.tr("Added &folders"))
        folders.aboutToShow.connect(lambda: self._fill_folder_menu(folders))
        parent.addSeparator()
        parent.addAction(self.undo)
        parent.aboutToShow.connect(lambda: folders.menuAction().setVisible(bool(self._added_folders())))
        return parent

    def enable(self) -> None:
        """Make those actions available that would do something."""
        session = self._session()
        for action in (self.open, self.rename, self.reveal, self.copy, self.trash):
            action.setEnabled(session is not None)
        self.origin.setEnabled(session is not None and bool(session.facts.parent_session))
        self.undo.setEnabled(bool(self.trashed))

    # Acts

    def open_selected(self) -> None:
        """Open the selected sessions, and the one of a hit at its entry."""
        row, session = self._view.current_row(), self._session()
        if row is not None and row.hit is not None and session is not None:
            self._open_hit(session, row.hit)
            return
        for chosen in self._sessions():
            self.open_wanted.emit(chosen.path, None)

    def ask_for_name(self) -> None:
        """Ask for the name of the session at the keyboard's place."""
        session = self._session()
        if session is None:
            return
        ask_for_text(
            self._view,
            self.tr("Name of the session"),
            self.tr("Name (empty takes it away):"),
            lambda name: self.give_name(session, name),
            session.facts.name or "",
        )

    def give_name(self, session: LibrarySession, name: str) -> None:
        """Give a session a name, in the way of its agent."""
        if " ".join(name.split()) == (session.facts.name or ""):
            return
        if not self.rename_open(session.path, name):
            self._control.rename(session, name)

    def undo_trash(self) -> None:
        """Put back what was moved to the trash last."""
        if self.trashed:
            trashed, self.trashed = self.trashed, []
            self.enable()
            self._control.restore(trashed)

    def choose_folder(self) -> None:
        """Ask for a folder to add."""
        dialog = QFileDialog(self._view, self.tr("Add a folder of sessions"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(lambda folder: self._control.add_folder(Path(folder)))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        open_next_turn(dialog)

    def _open_hit(self, session: LibrarySession, hit: Hit) -> None:
        path = session.path
        if hit.entry_id is not None:
            self.open_wanted.emit(path, hit.entry_id)
        else:
            self._control.find_entry(path, hit.offset, lambda entry_id: self.open_wanted.emit(path, entry_id))

    def _reveal(self) -> None:
        if (session := self._session()) is not None:
            reveal(session.path)

    def _copy_paths(self) -> None:
        if paths := [str(session.path) for session in self._sessions()]:
            QGuiApplication.clipboard().setText("\n".join(paths))
            self.said.emit(self.tr("Path copied.") if len(paths) == 1 else self.tr("Paths copied."))

    def _show_origin(self) -> None:
        session = self._session()
        origin = self._model.origin_of(session) if session is not None else None
        if origin is not None:
            self.origin_wanted.emit(origin)
        else:
            self.said.emit(self.tr("From which session this one was forked is not known."))

    def _trash(self) -> None:
        sessions = self._sessions()
        opened = next((session for session in sessions if session.path in self.open_paths), None)
        if opened is not None:
            self.refused.emit(
                self.tr("“{0}” is open. Close it before moving it to the trash.").format(opened.display_name)
            )
        elif sessions:
            self._control.move_to_trash(sessions)

    def _take_trashed(self, trashed: list[Trashed]) -> None:
        self.trashed = [each for each in trashed if each.can_restore]
        self.enable()

    # Inside

    def _action(self, name: str, text: str, shortcut: str, act: Callable[[], object], icon_name: str = "") -> QAction:
        """An action that answers to its key only in the list: it is about the rows that are selected there."""
        action = QAction(text, self)
        action.setObjectName(f"library_{name}")
        action.setShortcut(QKeySequence(shortcut))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.setShortcutVisibleInContextMenu(True)
        if icon_name:
            action.setIcon(icon(icon_name))
        action.triggered.connect(lambda _checked=False: act())
        return action

    def _session(self) -> LibrarySession | None:
        """The session at the keyboard's place."""
        return self._model.session_at(self._view.currentIndex())

    def _sessions(self) -> list[LibrarySession]:
        """The selected sessions, else the one at the keyboard's place."""
        session = self._session()
        return self._view.selected_sessions() or ([session] if session is not None else [])

    def _context_actions(self) -> Iterable[QAction | None]:
        self.enable()
        about_one = (self.open, self.rename, self.reveal, self.copy, self.origin, None, self.trash)
        return (*about_one, self.undo, None, self.refresh, self.add_folder)

    def _added_folders(self) -> Iterable[Path]:
        return self._control.folders.added if self._control.folders is not None else ()

    def _fill_folder_menu(self, menu: QMenu) -> None:
        menu.clear()
        for folder in self._added_folders():
            action = menu.addAction(self.tr("Remove {0}").format(short_path(folder)))
            action.setToolTip(self.tr("Nothing in the folder is changed."))
            action.triggered.connect(lambda _checked=False, folder=folder: self._control.remove_folder(folder))


def short_path(path: Path) -> str:
    """Return a path as people write it, with ~ for their home."""
    try:
        return str(Path("~") / path.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return str(path)
