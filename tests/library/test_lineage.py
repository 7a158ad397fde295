"""Where forks come from, and that nothing is guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.library.lineage import Lineage
from services.library.sessions import Facts, LibrarySession, Stage, Stamp

pytestmark = pytest.mark.spec("SF-2")


def session(path: str, id: str = "", parent: str | None = None) -> LibrarySession:
    return LibrarySession(Path(path), Stamp("0:0", 1, 1), Stage.READ, Facts(session_id=id, parent_session=parent))


def test_by_path() -> None:
    origin, fork = session("/s/one.jsonl", "one"), session("/s/two.jsonl", "two", "/s/./x/../one.jsonl")
    lineage = Lineage([origin, fork])
    assert lineage.origin(fork) is origin
    assert lineage.origin(origin) is None


def test_by_id() -> None:
    origin, fork = session("/s/one.jsonl", "17ab"), session("/s/two.jsonl", "two", "17ab")
    assert Lineage([origin, fork]).origin(fork) is origin


def test_a_path_goes_before_an_id() -> None:
    by_path, by_id = session("/s/one.jsonl", "one"), session("/s/other.jsonl", "/s/one.jsonl")
    fork = session("/s/two.jsonl", "two", "/s/one.jsonl")
    assert Lineage([by_path, by_id, fork]).origin(fork) is by_path


@pytest.mark.parametrize("named", ["/old/home/--p--/2026_abc.jsonl", "C:\\old\\2026_abc.jsonl"])
def test_folders_that_were_moved(named: str) -> None:
    origin, fork = session("/new/--p--/2026_abc.jsonl", "abc"), session("/new/two.jsonl", "two", named)
    assert Lineage([origin, fork]).origin(fork) is origin


def test_what_is_not_known_is_not_guessed() -> None:
    """Field report S20: the name of the file and the id in the header may differ; the header counts."""
    named_alike = session("/new/2026_abc.jsonl", "xyz")
    fork = session("/new/two.jsonl", "two", "/old/2026_abc.jsonl")
    assert Lineage([named_alike, fork]).origin(fork) is None
    twins = [session("/a/one.jsonl", "one"), session("/b/one.jsonl", "one")]
    fork = session("/s/two.jsonl", "two", "one")
    assert Lineage([*twins, fork]).origin(fork) is None
    lost = session("/s/three.jsonl", "three", "/nowhere.jsonl")
    assert Lineage([lost]).origin(lost) is None


def test_circles_end() -> None:
    one = session("/s/one.jsonl", "one", "/s/two.jsonl")
    two = session("/s/two.jsonl", "two", "/s/one.jsonl")
    own = session("/s/own.jsonl", "own", "/s/own.jsonl")
    lineage = Lineage([one, two, own])
    assert lineage.origin(one) is two
    assert lineage.origin(two) is one
    assert lineage.origin(own) is None


@pytest.mark.parametrize("named", ["../../../etc/passwd", "/etc/passwd", "\0", "a" * 10_000, "~root/x", "//host/share"])
def test_names_are_never_opened(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Field report V06: what a header says is compared, not used as a path."""
    import os

    for name in ("stat", "lstat", "open", "scandir"):
        monkeypatch.setattr(os, name, lambda *_: pytest.fail("the disk was asked"))
    fork = session("/s/two.jsonl", "../../x", named)
    assert Lineage([fork]).origin(fork) is None
