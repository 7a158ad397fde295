"""Search over all sessions: the right ones, the right places, and the entry that each place belongs to."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from services.cancellation import CancellationToken, OperationCancelled
from services.library import searching
from services.library.database import LibraryDatabase
from services.library.searching import SessionHits, entry_id_at, search_sessions, session_hits
from services.session_store import SessionStore
from tests.library.conftest import Library
from tests.library.session_files import SAMPLES, SessionFile


def search(library: Library, typed: str) -> list[SessionHits]:
    return search_sessions(typed, library.sessions.values(), CancellationToken(), file=library.file)


def test_sessions_with_their_first_hits_last_active_first(library: Library, folder: Path) -> None:
    old = SessionFile(folder / "old.jsonl").user("the needle is here").user("and the Needle there")
    new = SessionFile(folder / "new.jsonl", start_ms=1_780_000_000_000, prefix="n")
    for number in range(5):
        new.user(f"needle {number}").assistant("nothing")
    library.scan()
    first, second = search(library, "needle")
    assert (first.session.path, first.count, len(first.hits)) == (new.path, 5, 3)
    assert (second.session.path, second.count) == (old.path, 2)
    hit = second.hits[0]
    assert (hit.entry_id, hit.speaker, hit.text) == ("e0000000", "user", "the needle is here")
    assert [hit.text[begin:end] for begin, end in hit.places] == ["needle"]
    assert len(session_hits("needle", first.session, CancellationToken(), file=library.file)) == 5


def test_all_words_have_to_be_in_one_entry(library: Library, folder: Path) -> None:
    SessionFile(folder / "a.jsonl").user("alpha").user("beta").user("alpha and beta")
    library.scan()
    (found,) = search(library, "beta alpha")
    assert [hit.entry_id for hit in found.hits] == ["e0000002"]


def test_nothing_to_look_for_and_nothing_found(library: Library, folder: Path) -> None:
    SessionFile(folder / "a.jsonl").user("alpha")
    library.scan()
    assert search(library, "") == search(library, "x") == search(library, "omega") == []


def test_a_file_that_changed_since_gives_no_wrong_hits(library: Library, folder: Path) -> None:
    file = SessionFile(folder / "a.jsonl").user("alpha").user("beta")
    library.scan()
    file.path.write_bytes(file.path.read_bytes().replace(b"alpha", b"gamma"))
    (found,) = search(library, "alpha")
    assert found.hits == ()
    file.path.unlink()
    (found,) = search(library, "beta")
    assert found.hits == ()


def test_every_hit_of_a_sample_names_an_entry_of_the_store(library: Library, folder: Path) -> None:
    for path in SAMPLES.glob("*.jsonl"):
        shutil.copy(path, folder)
    library.scan()
    count = 0
    for found in search(library, "compaction"):
        store = SessionStore.open(found.session.path)
        hits = session_hits("compaction", found.session, CancellationToken(), file=library.file)
        assert len(hits) == min(found.count, searching.MOST_HITS)
        without_id = [hit for hit in hits if hit.entry_id is None]
        for hit in [hit for hit in hits if hit.entry_id is not None] + without_id[:2]:  # looking those up is dear
            entry_id = hit.entry_id or entry_id_at(found.session.path, hit.offset)
            assert entry_id is not None
            row = store.index.row_of(entry_id)
            assert row is not None
            assert store.index.offset[row] == hit.offset
            count += 1
        store.close()
    assert count > 20


def test_entries_of_version_1_are_found_by_their_place(library: Library, folder: Path) -> None:
    shutil.copy(SAMPLES / "real-v1-large.jsonl", folder)
    library.scan()
    (found,) = search(library, "selector")
    assert found.hits
    assert all(hit.entry_id is None for hit in found.hits)
    assert entry_id_at(found.session.path, found.hits[0].offset)
    assert entry_id_at(found.session.path, 7) is None


def test_a_search_can_be_stopped(library: Library, folder: Path) -> None:
    SessionFile(folder / "a.jsonl").user("alpha")
    library.scan()
    token = CancellationToken()
    token.cancel()
    with pytest.raises(OperationCancelled):
        search_sessions("alpha", library.sessions.values(), token, file=library.file)


def test_a_running_query_ends_when_it_is_interrupted(library: Library, folder: Path) -> None:
    library.scan()
    database = LibraryDatabase(library.file)
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    token = CancellationToken()
    token.add_callback(database.interrupt)
    import threading

    threading.Timer(0.05, token.cancel).start()
    with pytest.raises(OperationCancelled):
        database._all(endless)
    database.close()
