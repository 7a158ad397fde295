"""Scans: what is told when, what is read again and what is not, and that nothing else is touched."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from model.entries import entry_type
from model.sentences import Sentence
from services.cancellation import CancellationToken, OperationCancelled
from services.errors import ServiceError
from services.library import database, reader, scanning
from services.library.scanning import LibraryUpdate, scan_library
from services.library.searching import search_sessions
from services.library.sessions import LibrarySession, Stage
from tests.library.conftest import Library
from tests.library.session_files import SAMPLES, SessionFile, state_of

Reads = Callable[[], list[str]]


def found(library: Library, typed: str) -> dict[str, int]:
    """How many hits a search gives, by file name."""
    hits = search_sessions(typed, library.sessions.values(), CancellationToken(), file=library.file)
    return {each.session.path.name: each.count for each in hits}


@pytest.mark.spec("SF-13")
def test_all_that_is_known_of_a_session(library: Library, folder: Path) -> None:
    file = SessionFile(folder / "--p--" / "s.jsonl").user("Make it stream").assistant("It streams", 0.5, 2000)
    library.scan()
    session = library[file.path]
    assert session.stage is Stage.READ
    assert session.display_name == "Make it stream"
    assert (session.facts.entries, session.facts.branches, session.facts.cwd) == (2, 1, "/home/dev/project")
    assert (session.tokens, session.cost, session.dialect) == (2000, 0.5, "pi")
    assert session.size == file.path.stat().st_size
    assert (library.result.tokens, library.result.cost) == (2000, 0.5)


def test_rows_come_before_bodies_are_read(library: Library, folder: Path) -> None:
    """Field report P02."""
    for number in range(3):
        SessionFile(folder / f"{number}.jsonl").user(f"question {number}")
    library.scan()
    stages = [session.stage for update in library.updates for session in update.sessions]
    assert stages[:3] == [Stage.GLANCED] * 3
    assert set(stages) == {Stage.GLANCED, Stage.COUNTED, Stage.READ}
    phases = [update.progress.phase for update in library.updates if update.progress]
    assert list(dict.fromkeys(phases)) == ["looking", "counting", "reading"]


def test_nothing_is_written_beside_sessions(library: Library, folder: Path) -> None:
    shutil.copytree(SAMPLES, folder / "samples")
    before = state_of(folder)
    library.scan().scan()
    found(library, "the")
    assert state_of(folder) == before
    assert len(library.sessions) == len(list(SAMPLES.glob("*.jsonl")))


def test_an_unchanged_file_is_not_read_again(library: Library, folder: Path, reads: Reads) -> None:
    SessionFile(folder / "a.jsonl").user("one")
    SessionFile(folder / "b.jsonl").user("two")
    (folder / "data.jsonl").write_text('{"no":"session"}\n')
    library.scan()
    assert sorted(set(reads())) == ["a.jsonl", "b.jsonl", "data.jsonl"]
    assert sorted(path.name for path in library.sessions) == ["a.jsonl", "b.jsonl"]
    again = Library(library.folders, library.file).scan()
    assert reads() == []
    assert again.sessions == library.sessions


@pytest.mark.parametrize("change", ["size", "time", "inode"])
def test_a_change_of_any_kind_is_seen(library: Library, folder: Path, reads: Reads, change: str) -> None:
    file = SessionFile(folder / "a.jsonl").user("one")
    library.scan()
    reads()
    status = file.path.stat()
    if change == "size":
        file.user("two")
        os.utime(file.path, ns=(status.st_atime_ns, status.st_mtime_ns))
    elif change == "time":
        os.utime(file.path, ns=(status.st_atime_ns, status.st_mtime_ns + 1_000_000))
    else:
        shutil.copy2(file.path, folder / "copy")
        os.replace(folder / "copy", file.path)
    library.scan()
    assert "a.jsonl" in reads()


def test_of_a_file_that_grew_only_the_new_lines_are_read(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = SessionFile(folder / "a.jsonl").user("alpha").assistant("beta", 1.0)
    library.scan()
    end = file.path.stat().st_size
    starts: list[int] = []
    read_bodies = reader.read_bodies
    monkeypatch.setattr(
        reader,
        "read_bodies",
        lambda path, stamp, start, token: starts.append(start) or read_bodies(path, stamp, start, token),
    )
    text_id = library[file.path].text_id
    file.user("gamma").assistant("delta", 2.0)
    library.scan()
    assert starts == [end]
    assert library[file.path].text_id == text_id
    assert (library[file.path].facts.entries, library[file.path].cost) == (4, 3.0)
    assert found(library, "alpha") == found(library, "gamma") == {"a.jsonl": 1}


@pytest.mark.parametrize("rewrite", ["shorter", "same beginning", "other end", "open end"])
def test_a_file_that_is_another_one_is_read_anew(library: Library, folder: Path, rewrite: str) -> None:
    file = SessionFile(folder / "a.jsonl").user("alpha").assistant("beta", 1.0)
    data = file.path.read_bytes()
    if rewrite == "open end":
        file.path.write_bytes(data[:-1])
        library.scan()
        file.path.write_bytes(data + data.splitlines(keepends=True)[1].replace(b"e0000000", b"e0000009"))
    else:
        library.scan()
        lines = data.splitlines(keepends=True)
        file.path.write_bytes(
            {
                "shorter": b"".join(lines[:2]),
                "same beginning": data.replace(b"beta", b"zeta"),
                "other end": b"".join([lines[0], lines[2], lines[1].replace(b"alpha", b"omega")]),
            }[rewrite]
        )
    library.scan()
    expected = {
        "shorter": ({"a.jsonl": 1}, {}, 0.0),
        "same beginning": ({"a.jsonl": 1}, {}, 1.0),
        "other end": ({}, {"a.jsonl": 1}, 1.0),
        "open end": ({"a.jsonl": 2}, {"a.jsonl": 1}, 1.0),
    }[rewrite]
    assert (found(library, "alpha"), found(library, "beta"), library[file.path].cost) == expected


def test_files_that_are_gone_are_forgotten(library: Library, folder: Path) -> None:
    file = SessionFile(folder / "a.jsonl").user("alpha").assistant("x", 1.0)
    SessionFile(folder / "b.jsonl", prefix="b").user("beta")
    library.scan()
    file.path.unlink()
    library.scan()
    assert [path.name for path in library.sessions] == ["b.jsonl"]
    assert found(library, "alpha") == {}
    assert library.result.cost == 0


def test_what_cannot_be_reached_now_is_kept_for_later(
    library: Library, folder: Path, tmp_path: Path, reads: Reads
) -> None:
    drive = tmp_path / "drive"
    library.folders.append(drive)
    file = SessionFile(drive / "a.jsonl").user("alpha")
    library.scan()
    drive.rename(tmp_path / "unplugged")
    library.scan()
    assert file.path not in library.sessions
    assert [problem.path for problem in library.result.problems] == [drive]
    reads()
    (tmp_path / "unplugged").rename(drive)
    library.scan()
    assert file.path in library.sessions
    assert reads() == []


def test_a_folder_that_is_not_looked_through_any_more(library: Library, folder: Path, tmp_path: Path) -> None:
    SessionFile(tmp_path / "more" / "a.jsonl").user("alpha")
    library.folders.append(tmp_path / "more")
    library.scan()
    library.folders.pop()
    library.scan()
    assert library.sessions == {}


def test_an_unreadable_file_is_shown_with_the_reason(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = SessionFile(folder / "a.jsonl").user("alpha")
    SessionFile(folder / "b.jsonl", prefix="b").user("beta")
    glance = scanning.glance

    def refuse(path: Path) -> object:
        if path == file.path:
            raise PermissionError(13, "Permission denied", str(path))
        return glance(path)

    monkeypatch.setattr(scanning, "glance", refuse)
    library.scan()
    assert library[file.path].facts.problem == "This file cannot be read: Permission denied."
    assert library[file.path].display_name == "a"
    assert len(library.sessions) == 2
    monkeypatch.undo()
    library.scan()
    assert library[file.path].facts.problem is None


@pytest.mark.spec("SF-12")
def test_history_that_was_forked_counts_once(library: Library, folder: Path) -> None:
    one = SessionFile(folder / "one.jsonl", id="one").user("q").assistant("a", 1.0, 100).assistant("b", 2.0, 200)
    fork = folder / "fork.jsonl"
    header, *entries = one.path.read_bytes().splitlines(keepends=True)
    new = json.loads(header) | {"id": "two", "parentSession": str(one.path)}
    fork.write_bytes(json.dumps(new).encode() + b"\n" + b"".join(entries))
    SessionFile(folder / "other.jsonl", id="three").user("q").assistant("a", 8.0, 800)
    grown = json.loads(entries[-1]) | {"id": "f0000001", "parentId": "e0000002"}
    with fork.open("ab") as file:
        file.write(json.dumps(grown).encode() + b"\n")
    library.scan()
    assert library[one.path].cost == 3.0
    assert library[fork].cost == 5.0
    assert (library.result.tokens, library.result.cost) == (1300, 13.0)
    text_id = library[fork].text_id
    assert text_id is not None
    assert library.result.shared[text_id] == (300, 3.0)
    one.path.unlink()
    library.scan()
    assert library.result.cost == 13.0
    assert library.result.shared == {}


@pytest.mark.spec("SF-9")
def test_an_entry_that_is_written_twice_costs_once(library: Library, folder: Path) -> None:
    """Field report K08."""
    file = SessionFile(folder / "a.jsonl").user("q").assistant("a", 1.0)
    file.append(json.loads(file.path.read_bytes().splitlines()[-1]))
    library.scan()
    assert (library[file.path].facts.entries, library[file.path].cost) == (2, 1.0)


@pytest.mark.spec("SF-12")
def test_a_reply_that_is_stored_in_several_entries_costs_once(library: Library, folder: Path) -> None:
    """Field report K08: the entries stay entries, whoever copied them, and however far the file was read before."""
    file = SessionFile(folder / "imported.jsonl").user("q")
    for text in ("I look", "and look again", "found"):
        file.assistant(text, 1.0, 100, reply="msg_01")
    file.user("and?").assistant("no", 2.0, 200, reply="msg_02")
    library.scan()
    assert (library[file.path].facts.entries, library[file.path].tokens, library[file.path].cost) == (6, 300, 3.0)
    file.assistant("at all", 2.0, 200, reply="msg_02")
    fork = (
        SessionFile(folder / "fork.jsonl", id="two", prefix="f").user("q").assistant("I look", 1.0, 100, reply="msg_01")
    )
    fork.assistant("and look again", 1.0, 100, reply="msg_01")
    library.scan()
    assert (library[file.path].facts.entries, library[file.path].tokens, library[file.path].cost) == (7, 300, 3.0)
    assert (library[fork.path].tokens, library[fork.path].cost) == (100, 1.0)
    assert (library.result.tokens, library.result.cost) == (300, 3.0)
    text_id = library[fork.path].text_id
    assert text_id is not None
    assert library.result.shared[text_id] == (100, 1.0)


def test_a_damaged_file_is_counted_closely(library: Library, folder: Path) -> None:
    file = SessionFile(folder / "a.jsonl").user("one").user("two").user("three")
    lines = file.path.read_bytes().splitlines()
    file.path.write_bytes(lines[0] + b"\n" + lines[1] + lines[2] + b"\n" + lines[3] + b"\n")
    library.scan()
    assert library[file.path].facts.entries == 3
    assert found(library, "two") == {"a.jsonl": 1}
    library.scan()
    assert library[file.path].facts.entries == 3


def test_a_large_file_is_saved_in_pieces_and_a_stopped_scan_goes_on_there(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "COMMIT_BYTES", 2000)
    monkeypatch.setattr("services.library.lines.read_lines.__kwdefaults__", {"block_bytes": 700, "most_bytes": 1 << 20})
    file = SessionFile(folder / "a.jsonl")
    for number in range(60):
        file.user(f"word{number} " + "x" * 80)
    token = CancellationToken()

    def stop_half_way(update: LibraryUpdate) -> None:
        library.take(update)
        if update.progress and update.progress.phase == "reading" and update.progress.done > 8000:
            token.cancel()

    with pytest.raises(OperationCancelled):
        scan_library([folder], token, stop_half_way, file=library.file, report_every_s=0)
    assert library[file.path].stage is Stage.COUNTED
    starts: list[int] = []
    read_bodies = reader.read_bodies
    monkeypatch.setattr(
        reader,
        "read_bodies",
        lambda path, stamp, start, token: starts.append(start) or read_bodies(path, stamp, start, token),
    )
    library.scan()
    assert starts[0] > 4000
    assert library[file.path].stage is Stage.READ
    assert [found(library, f"word{number} ") for number in (0, 30, 59)] == [{"a.jsonl": 1}] * 3


@pytest.mark.parametrize("phase", ["looking", "counting", "reading"])
def test_it_can_be_stopped_in_every_phase_and_finds_the_same_then(library: Library, folder: Path, phase: str) -> None:
    """Field report P02."""
    for number in range(5):
        SessionFile(folder / f"{number}.jsonl", prefix=f"{number}").user(f"common word{number}").assistant("a", 1.0)
    token = CancellationToken()

    def stop(update: LibraryUpdate) -> None:
        if update.progress and update.progress.phase == phase:
            token.cancel()

    with pytest.raises(OperationCancelled):
        scan_library([folder], token, stop, file=library.file, report_every_s=0)
    library.scan()
    assert len(library.sessions) == 5
    assert len(found(library, "common")) == 5
    assert library.result.cost == 5.0


@pytest.mark.parametrize("damage", ["garbage", "truncated", "other program"])
def test_a_broken_index_is_set_aside_and_made_again(library: Library, folder: Path, damage: str) -> None:
    for number in range(20):
        SessionFile(folder / f"{number}.jsonl", prefix=f"{number}").user(f"alpha {number} " + "words " * 50)
    library.scan()
    if damage == "garbage":
        library.file.write_bytes(b"no database at all" * 1000)
    elif damage == "truncated":
        with library.file.open("r+b") as file:
            file.seek(5000)
            file.write(os.urandom(library.file.stat().st_size - 5000))
    else:
        library.file.unlink()
        other = sqlite3.connect(library.file)
        other.execute("CREATE TABLE sessions (something)")
        other.commit()
        other.close()
    again = Library([folder], library.file).scan()
    assert len(again.sessions) == 20
    assert len(found(again, "alpha")) == 20
    assert library.file.with_suffix(".broken").exists()


def test_an_index_that_cannot_be_kept_is_told(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ServiceError, match="index of the library cannot be kept"):
        scan_library([folder], CancellationToken(), lambda _update: None, file=tmp_path / "file" / "library.db")


def test_a_full_disk_is_told_and_what_was_found_stays(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = SessionFile(folder / "a.jsonl").user("alpha")

    def full(*_: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        with database._translated():
            raise error

    monkeypatch.setattr(database.LibraryDatabase, "add_texts", full)
    with pytest.raises(ServiceError, match="disk is full"):
        library.scan()
    assert file.path in library.sessions
    monkeypatch.undo()
    assert library.scan()[file.path].stage is Stage.READ


def test_another_instance_reads_and_this_one_shows_what_it_finds(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch, reads: Reads
) -> None:
    monkeypatch.setattr(scanning, "_LOCK_POLL_S", 0.01)
    SessionFile(folder / "a.jsonl").user("alpha")
    lock = FileLock(library.file.with_suffix(".lock"), thread_local=False)
    lock.acquire()
    waiting = threading.Event()
    phases: list[str] = []

    def take(update: LibraryUpdate) -> None:
        library.take(update)
        phases.append(update.progress.phase if update.progress else "")
        if phases[-1] == "waiting":
            waiting.set()

    thread = threading.Thread(
        target=lambda: scan_library([folder], CancellationToken(), take, file=library.file, report_every_s=0)
    )
    thread.start()
    assert waiting.wait(10)
    assert [session.stage for session in library.sessions.values()] == [Stage.GLANCED]
    # The other instance reads the file, as it would with the lock in its hands.
    monkeypatch.setattr(scanning, "_only_reader", lambda *_: __import__("contextlib").nullcontext())
    Library([folder], library.file).scan()
    reads()
    lock.release()
    thread.join(10)
    assert not thread.is_alive()
    assert [session.stage for session in library.sessions.values()] == [Stage.READ]
    assert reads() == []


def test_two_instances_may_scan_at_once(library: Library, folder: Path) -> None:
    for number in range(30):
        SessionFile(folder / f"{number}.jsonl", prefix=f"{number:02}").user(f"alpha {number}").assistant("a", 1.0)
    others = [Library([folder], library.file) for _ in range(3)]
    threads = [threading.Thread(target=other.scan) for other in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for other in others:
        assert len(other.sessions) == 30
        assert other.result.cost == 30.0
        assert found(other, "alpha") == {f"{number}.jsonl": 1 for number in range(30)}


def test_texts_without_a_file_are_dropped_when_they_are_the_most(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_LEAST_DEAD", 10)
    for number in range(20):
        SessionFile(folder / f"{number}.jsonl", prefix=f"{number:02}").user(f"alpha {number}")
    library.scan()
    for number in range(15):
        (folder / f"{number}.jsonl").unlink()
    library.scan()
    assert len(found(library, "alpha")) == 5
    index = database.LibraryDatabase(library.file)
    assert sum(index.count_hits('"alpha"').values()) == 5
    index.close()


def test_names_that_no_database_takes(library: Library, folder: Path) -> None:
    file = (
        SessionFile(folder / "a.jsonl", cwd="/tmp/\ud800")
        .user("lone \udfff surrogate")
        .add("session_info", name="\ud800")
    )
    odd = Path(os.fsdecode(os.fsencode(folder) + b"/\xff.jsonl"))
    shutil.copy(file.path, odd)
    library.scan()
    assert library[file.path].facts.name == "\ufffd"
    assert odd in library.sessions
    assert Library([folder], library.file).scan().sessions.keys() == library.sessions.keys()


def test_an_empty_session_and_a_lost_header_are_shown(library: Library, folder: Path) -> None:
    (folder / "empty.jsonl").touch()
    lost = SessionFile(folder / "lost.jsonl").user("still here")
    lost.path.write_bytes(b"".join(lost.path.read_bytes().splitlines(keepends=True)[1:]))
    library.scan()
    assert library[folder / "empty.jsonl"].facts.entries == 0
    assert library[lost.path].display_name == "still here"
    kept = database.LibraryDatabase(library.file)
    session = kept.session(lost.path)
    kept.close()
    assert session is not None
    assert isinstance(session.facts.problem, Sentence)
    assert session.facts.problem == library[lost.path].facts.problem


def test_the_index_is_the_users_alone(library: Library, folder: Path) -> None:
    library.scan()
    assert library.file.stat().st_mode & 0o077 == 0


def test_all_entry_types_of_a_sample_are_looked_at(library: Library, folder: Path) -> None:
    shutil.copy(SAMPLES / "real-v3-branched.jsonl", folder)
    library.scan()
    kinds = {entry_type(json.loads(line)) for line in (folder / "real-v3-branched.jsonl").read_bytes().splitlines()}
    assert {"compaction", "branch_summary", "label"} <= kinds
    session: LibrarySession = library[folder / "real-v3-branched.jsonl"]
    assert (session.facts.entries, session.facts.branches) == (295, 13)
