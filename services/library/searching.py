"""Full-text search over all sessions of the library. Blocking: for a worker."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from model.entries import entry_id
from model.entry_preview import Speaker, entry_preview
from services.cancellation import CancellationToken
from services.library.database import LibraryDatabase, index_file, open_index
from services.library.lines import MOST_LINE_BYTES
from services.library.reading import record_at, search_text
from services.library.search_text import Question, snippet
from services.library.sessions import LibrarySession

FIRST_SESSIONS: Final = 20  # whose first hits are fetched at once
FIRST_HITS: Final = 3  # of each of them
MOST_HITS: Final = 200  # of a session that are listed


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry in which the words stand: the text around them on one line, and where they are in it."""

    offset: int
    entry_id: str | None
    """None for an entry of version 1, which has no id in the file."""
    speaker: Speaker
    speaker_name: str
    text: str
    places: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class SessionHits:
    """What was found in a session: how many lines, and the first of them as far as they were fetched."""

    session: LibrarySession
    count: int
    hits: tuple[Hit, ...] = ()


def search_sessions(
    typed: str, sessions: Collection[LibrarySession], token: CancellationToken, *, file: Path | None = None
) -> list[SessionHits]:
    """Return the sessions in whose texts all words of a question stand in one entry, those that were active last
    first.

    Raises OperationCancelled and ServiceError.
    """
    question = Question(typed)
    if not question:
        return []
    by_text = {session.text_id: session for session in sessions if session.text_id is not None}
    with _index(file, token) as database:
        counts = database.count_hits(question.expression())
        found = [SessionHits(by_text[text_id], count) for text_id, count in counts.items() if text_id in by_text]
        found.sort(key=lambda each: each.session.active_ms, reverse=True)
        for number, each in enumerate(found[:FIRST_SESSIONS]):
            token.raise_if_set()
            found[number] = SessionHits(each.session, each.count, _hits(database, question, each.session, FIRST_HITS))
    return found


def session_hits(
    typed: str, session: LibrarySession, token: CancellationToken, *, file: Path | None = None
) -> tuple[Hit, ...]:
    """Return the hits in one session, MOST_HITS at most. Raises OperationCancelled and ServiceError."""
    question = Question(typed)
    if not question:
        return ()
    with _index(file, token) as database:
        return _hits(database, question, session, MOST_HITS)


def entry_id_at(path: Path, offset: int) -> str | None:
    """Return the id that an entry has once its session is open, given the offset of its line; None when there is none
    any more.

    For entries that have no id in the file, the session is read. Raises OSError and RefusedError.
    """
    with path.open("rb", buffering=0) as file:
        records = record_at(file, offset, MOST_LINE_BYTES)
    if (id := next(filter(None, map(entry_id, reversed(records))), None)) is not None or not records:
        return id
    import numpy as np

    from services.session_store import SessionStore

    store = SessionStore.open(path)
    try:
        rows = np.flatnonzero(store.index.offset == offset)
        return store.index.id_of(int(rows[-1])) if len(rows) else None
    finally:
        store.close()


@contextmanager
def _index(file: Path | None, token: CancellationToken) -> Iterator[LibraryDatabase]:
    """The index, whose queries end when `token` is cancelled."""
    database = open_index(file or index_file())
    forget = token.add_callback(database.interrupt)
    try:
        yield database
    finally:
        forget()
        database.close()


def _hits(database: LibraryDatabase, question: Question, session: LibrarySession, limit: int) -> tuple[Hit, ...]:
    if session.text_id is None:
        return ()
    offsets = database.hits(question.expression(), session.text_id, limit)
    try:
        with session.path.open("rb", buffering=0) as file:
            found = [_hit(question, offset, record_at(file, offset, MOST_LINE_BYTES)) for offset in offsets]
    except OSError:
        return ()
    return tuple(hit for hit in found if hit is not None)


def _hit(question: Question, offset: int, records: Sequence[dict[str, object]]) -> Hit | None:
    """The hit in a line; None when the words are not there any more, because the file was rewritten since."""
    for record in reversed(records):
        text = search_text(record)
        if places := question.places(text):
            line, shown = snippet(text, places)
            preview = entry_preview(record)
            return Hit(offset, entry_id(record), preview.speaker, preview.name, line, tuple(shown))
    return None
