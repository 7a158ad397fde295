"""From sessions and hits to the rows of the library."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from gui.library_rows import LibraryRow, RowKind, hits_text, more_hits_text, session_rows, sessions_text
from services.library.search_text import Question
from services.library.sessions import LibrarySession
from services.library.shelves import Shelf, Shelves, directory

if TYPE_CHECKING:
    from services.library.searching import Hit, SessionHits

translate = QCoreApplication.translate

MOST_OF_A_SHELF = 25  # sessions that are shown before somebody asks for the rest
MANY_OF_A_SHELF = 2000  # and then more of them, each time that somebody asks
MOST_ROWS = 3000  # of sessions, before shelves show one each
MORE_SESSIONS = "more:"
MORE_HITS = "hits:"


class LibraryArranger:
    """Makes the rows; knows how much of each shelf is shown, and what was found in the texts."""

    def __init__(self) -> None:
        self._shelves = Shelves()
        self._most: dict[str, int] = {}
        self._hits: list[SessionHits] | None = None
        self._more_hits: dict[Path, tuple[Hit, ...]] = {}

    def forget_hits(self) -> None:
        """What was found belongs to another question."""
        self._hits = None
        self._more_hits.clear()

    def take_hits(self, hits: list[SessionHits]) -> None:
        """Show what was found in the texts."""
        self._hits = hits

    def take_more_hits(self, session: LibrarySession, hits: tuple[Hit, ...]) -> None:
        """Show more of what was found in one session."""
        self._more_hits[session.path] = hits

    def know(self, sessions: Iterable[LibrarySession]) -> None:
        """Arrange these sessions from now on."""
        self._shelves.know(sessions)

    def fold_some(self) -> bool:
        """Get some more sessions ready for what is typed; False when all are."""
        return self._shelves.fold_some()

    def show_more_of_shelf(self, cwd: str) -> None:
        """Show many more sessions of a directory, not the newest alone."""
        self._most[cwd] = self._most.get(cwd, MOST_OF_A_SHELF) + MANY_OF_A_SHELF

    def show_whole_shelf_of(self, session: LibrarySession) -> None:
        """Show all sessions of a session's directory."""
        self._most[directory(session)] = sys.maxsize

    def rows(self, sessions: Mapping[Path, LibrarySession], typed: str) -> list[LibraryRow]:
        """Return the rows of the sessions that answer to what was typed, and of what was found in texts.

        Of very many directories those that come last show fewer sessions.
        """
        rows: list[LibraryRow] = []
        room = MOST_ROWS
        for shelf in self._shelves.arrange(typed):
            rows.append(self._shelf_row(shelf, max(1, min(room, MOST_OF_A_SHELF))))
            room -= len(rows[-1].children)
        if Question(typed) and (rows or not self._has_nothing(sessions)):
            rows.append(self._texts_row(sessions))
        return rows

    def _has_nothing(self, sessions: Mapping[Path, LibrarySession]) -> bool:
        """Whether all texts were looked through and nothing was found."""
        return self._hits is not None and not self._hits and _are_searchable(sessions)

    def _shelf_row(self, shelf: Shelf, most: int) -> LibraryRow:
        most = self._most.get(shelf.cwd, most)
        sessions = shelf.sessions
        if len(sessions) > most + 1:
            sessions = sessions[:most]
        rows = session_rows(sessions)
        if more := len(shelf.sessions) - len(sessions):
            title = translate("LibraryArranger", "{0} that are older").format(sessions_text(more))
            rows += (LibraryRow(RowKind.MORE, MORE_SESSIONS + shelf.cwd, title),)
        where = shelf.cwd or translate("LibraryArranger", "These sessions name no directory.")
        return LibraryRow(
            RowKind.SHELF,
            f"shelf:{shelf.cwd}",
            shelf.title or translate("LibraryArranger", "No directory"),
            str(len(shelf.sessions)),
            f"{where}\n{sessions_text(len(shelf.sessions))}",
            children=rows,
        )

    def _texts_row(self, sessions: Mapping[Path, LibrarySession]) -> LibraryRow:
        """What was found in the texts, as a shelf of its own below the others."""
        title, key = translate("LibraryArranger", "In the texts"), "texts"
        if self._hits is None:
            return LibraryRow(RowKind.SHELF, key, title, translate("LibraryArranger", "searching…"))
        count = sum(found.count for found in self._hits)
        note = hits_text(count)
        if not count:
            note = (
                translate("LibraryArranger", "nothing")
                if _are_searchable(sessions)
                else translate("LibraryArranger", "nothing so far")
            )
        children = tuple(self._found_row(found, sessions) for found in self._hits)
        return LibraryRow(RowKind.SHELF, key, title, note, children=children)

    def _found_row(self, found: SessionHits, sessions: Mapping[Path, LibrarySession]) -> LibraryRow:
        session = sessions.get(found.session.path, found.session)
        hits = self._more_hits.get(session.path, found.hits)
        rows = [LibraryRow(RowKind.HIT, f"hit:{session.path}:{hit.offset}", hit=hit, tip=hit.text) for hit in hits]
        more = found.count - len(hits)
        if more > 0 and session.path not in self._more_hits:
            rows.append(LibraryRow(RowKind.MORE, f"{MORE_HITS}{session.path}", more_hits_text(more)))
        return LibraryRow(
            RowKind.SESSION,
            f"found:{session.path}",
            note=hits_text(found.count),
            session=session,
            children=tuple(rows),
        )


def _are_searchable(sessions: Mapping[Path, LibrarySession]) -> bool:
    """Whether the texts of all sessions are known."""
    return all(session.text_id is not None for session in sessions.values())
