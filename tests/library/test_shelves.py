"""The order of the library, and the filter."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.library.sessions import Facts, LibrarySession, Stage, Stamp
from services.library.shelves import Shelves


def session(name: str, cwd: str = "/work/importer", active_ms: int = 1) -> LibrarySession:
    path = Path(f"/s/{name}.jsonl")
    return LibrarySession(
        path, Stamp("0:0", 1, 1), Stage.READ, Facts(session_id="i", cwd=cwd, name=name, active_ms=active_ms)
    )


def shown(sessions: list[LibrarySession], typed: str = "") -> list[tuple[str, list[str]]]:
    shelves = Shelves()
    shelves.know(sessions)
    return names_of(shelves, typed)


def names_of(shelves: Shelves, typed: str) -> list[tuple[str, list[str]]]:
    return [(shelf.title, [each.display_name for each in shelf.sessions]) for shelf in shelves.arrange(typed)]


@pytest.mark.spec("SF-13")
def test_by_directory_newest_first() -> None:
    sessions = [
        session("a", "/w/one", 1),
        session("b", "/w/two", 5),
        session("c", "/w/one/", 9),
        session("d", "/w/two", 7),
    ]
    assert shown(sessions) == [("one", ["c", "a"]), ("two", ["d", "b"])]


def test_titles_tell_directories_of_one_name_apart() -> None:
    sessions = [session("a", "/w/app", 3), session("b", "/v/app", 2), session("c", "", 1), session("d", "/", 0)]
    assert [title for title, _ in shown(sessions)] == ["app — w", "app — v", "", "/"]
    windows = [session("a", "C:\\work\\app", 2), session("b", "D:\\other\\app\\", 1)]
    assert [title for title, _ in shown(windows)] == ["app — work", "app — other"]


def test_the_filter_wants_all_words_anywhere_in_what_is_shown() -> None:
    sessions = [session("Stream big files"), session("Flaky login"), session("Größe ändern", "/work/other")]
    assert shown(sessions, "files STREAM") == [("importer", ["Stream big files"])]
    assert shown(sessions, "grosse") == []
    assert shown(sessions, "große andern") == [("other", ["Größe ändern"])]
    assert [names for _, names in shown(sessions, "importer")] == [["Stream big files", "Flaky login"]]
    assert shown(sessions, "nothing like it") == []


def test_a_changed_name_is_looked_at_anew() -> None:
    shelves = Shelves()
    renamed = LibrarySession(Path("/s/before2.jsonl"), Stamp("0:0", 1, 1), Stage.READ, Facts(name="after"))
    before = LibrarySession(renamed.path, renamed.stamp, Stage.READ, Facts(name="old name"))
    shelves.know([before])
    assert shelves.arrange("old")
    shelves.know([renamed])
    assert not shelves.arrange("old")
    assert shelves.arrange("after")
    shelves.know([])
    assert not shelves.arrange("after")
    assert not shelves.arrange()


def test_it_is_the_same_whether_the_sessions_were_folded_before() -> None:
    sessions = [session(f"Number {number}", f"/w/{number % 7}", number) for number in range(40)]
    at_once, before = Shelves(), Shelves()
    at_once.know(sessions)
    before.know(sessions[:20])
    while before.fold_some(6):
        pass
    before.know(sessions)
    before.fold_some(3)
    for typed in ("", "number", "1", "number 13", "/w/3", "none"):
        assert names_of(before, typed) == names_of(at_once, typed)
    order = [shelf.sessions[0].active_ms for shelf in before.arrange("1")]
    assert order == sorted(order, reverse=True)
