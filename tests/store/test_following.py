"""What other programs do to an open file: appended, rewritten, shortened, deleted, made again."""

import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model import header_scan
from model.entry_index import EntryIndex
from model.errors import NotASessionError
from services import session_store
from services.session_store import SessionStore, StoreChange
from services.store_errors import GONE
from tests.store.damaged_files import HEADER, SAMPLES, chain, damaged_files, entry, lines
from tests.store.plain_reading import assert_equals, read_plainly
from tests.store.scale import PATIENCE, cases

pytestmark = PATIENCE

Opened = Callable[[Path], SessionStore]
NEEDS_PIPES = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "session.jsonl"
    file.write_bytes(lines(HEADER, *chain(5)))
    return file


def add(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def test_nothing_happened(path: Path, opened: Opened) -> None:
    store = opened(path)
    index = store.index
    assert store.refresh() == StoreChange()
    assert store.index is index


def test_appended_lines(path: Path, opened: Opened) -> None:
    store = opened(path)
    before = store.index
    add(path, lines(entry("a", "00000004"), entry("b", "a")))
    assert store.refresh() == StoreChange("appended", range(5, 7))
    assert before.count == 5, "a snapshot never changes"
    assert store.index.generation == before.generation
    assert_equals(store.index, read_plainly(path.read_bytes()))
    assert store.refresh() == StoreChange()


def test_a_line_in_two_writes(path: Path, opened: Opened) -> None:
    store = opened(path)
    line = entry("a", "00000004")
    add(path, line[:30])
    assert store.refresh() == StoreChange()
    assert [problem.kind for problem in store.problems] == ["unfinished"]
    add(path, line[30:] + b"\n")
    assert store.refresh() == StoreChange("appended", range(5, 6))
    assert store.problems == ()


def test_a_whole_line_whose_end_comes_later(path: Path, opened: Opened) -> None:
    store = opened(path)
    add(path, entry("a", "00000004"))
    assert store.refresh() == StoreChange("appended", range(5, 6))
    index = store.index
    add(path, b"\n")
    assert store.refresh() == StoreChange()
    add(path, lines(entry("b", "a")))
    assert store.refresh() == StoreChange("appended", range(6, 7))
    assert store.index.generation == index.generation


def test_labels_and_names_follow(path: Path, opened: Opened) -> None:
    store = opened(path)
    label = (
        b'{"type":"label","id":"l%d","parentId":null,"timestamp":"2026-02-03T08:01:00.000Z","targetId":"00000002",%s}'
    )
    add(path, lines(label % (1, b'"label":"here"')))
    store.refresh()
    assert store.labels == {2: "here"}
    add(path, lines(label % (2, b'"label":null')))
    store.refresh()
    assert store.labels == {}
    add(path, lines(b'{"type":"session_info","id":"n","parentId":null,"name":" A\\nname "}'))
    store.refresh()
    assert store.session_name == "A name"


def test_an_orphan_finds_its_parent(path: Path, opened: Opened) -> None:
    add(path, lines(entry("late", "early")))
    store = opened(path)
    assert store.index.parent[5] == -1
    add(path, lines(entry("early", "00000004")))
    change = store.refresh()
    assert change.kind == "appended"
    assert change.renumbered
    assert_equals(store.index, read_plainly(path.read_bytes()))
    assert not [problem for problem in store.problems if problem.kind == "orphan"]


def test_an_id_that_comes_again(path: Path, opened: Opened) -> None:
    store = opened(path)
    add(path, lines(entry("00000002", "00000001", "again")))
    assert store.refresh().renumbered
    assert_equals(store.index, read_plainly(path.read_bytes()))
    assert [problem.kind for problem in store.problems] == ["repeated id"]
    assert store.entry(4)["message"]["content"] == "again"


def test_rewritten_in_place(path: Path, opened: Opened) -> None:
    store = opened(path)
    status = path.stat()
    path.write_bytes(path.read_bytes().replace(b"text 00000002", b"text 0000000x"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    change = store.refresh()
    assert (change.kind, change.renumbered) == ("replaced", True)
    assert store.entry(2)["message"]["content"] == "text 0000000x"


def test_caught_in_the_middle_of_a_write(path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system sets the time of a file before its size: that is no rewriting yet."""
    store = opened(path)
    os.utime(path, ns=(1, 1))

    def go_on(_seconds: float) -> None:
        if store.index.count == 5 and path.read_bytes().count(b"\n") == 6:
            add(path, lines(entry("a", "00000004")))

    monkeypatch.setattr(session_store.time, "sleep", go_on)
    assert store.refresh() == StoreChange("appended", range(5, 6))


def test_only_touched_up(path: Path, opened: Opened) -> None:
    store = opened(path)
    path.chmod(0o600)
    assert store.refresh().kind == "none"


def test_replaced_by_a_longer_file(path: Path, opened: Opened) -> None:
    store = opened(path)
    other = path.with_name("other")
    other.write_bytes(lines(HEADER, *chain(9, "aaaa")))
    other.replace(path)
    assert store.refresh().kind == "replaced"
    assert_equals(store.index, read_plainly(path.read_bytes()))


def test_overwritten_by_a_longer_file(path: Path, opened: Opened) -> None:
    store = opened(path)
    path.write_bytes(lines(HEADER, *chain(9, "aaaa")))
    assert store.refresh().kind == "replaced"
    assert_equals(store.index, read_plainly(path.read_bytes()))


def test_shortened(path: Path, opened: Opened) -> None:
    store = opened(path)
    path.write_bytes(lines(HEADER, *chain(2)))
    change = store.refresh()
    assert (change.kind, store.index.count) == ("truncated", 2)
    assert change.message


def test_emptied(path: Path, opened: Opened) -> None:
    store = opened(path)
    path.write_bytes(b"")
    assert store.refresh().kind == "truncated"
    assert (store.index.count, store.header) == (0, None)


def test_deleted_and_made_again(path: Path, opened: Opened, tmp_path: Path) -> None:
    store = opened(path)
    data = path.read_bytes()
    path.unlink()
    change = store.refresh()
    assert (change.kind, change.message) == ("deleted", GONE)
    assert store.refresh() == StoreChange(), "it is told once"
    assert store.entry(3)["id"] == "00000003", "what was read stays readable"
    store.save_copy(tmp_path / "saved.jsonl")
    assert (tmp_path / "saved.jsonl").read_bytes() == data
    path.write_bytes(lines(HEADER, *chain(3, "bbbb")))
    assert store.refresh().kind == "replaced"
    assert store.index.id_of(0) == "bbbb0000"


def test_replaced_by_something_else(path: Path, opened: Opened) -> None:
    store = opened(path)
    other = path.with_name("other")
    other.write_bytes(b"not a session\n" * 100)
    other.replace(path)
    change = store.refresh()
    assert (change.kind, change.renumbered) == ("replaced", False)
    assert store.read_only == change.message
    assert store.entry(3)["id"] == "00000003"
    assert store.refresh() == StoreChange()
    add(path, b"still none\n")
    assert store.refresh().message == store.read_only
    path.write_bytes(lines(HEADER, *chain(3)))
    assert (store.refresh().kind, store.read_only, store.index.count) == ("replaced", None, 3)


@pytest.mark.parametrize("make", [Path.mkdir, pytest.param(getattr(os, "mkfifo", None), marks=NEEDS_PIPES)])
def test_what_is_no_file_takes_its_place(path: Path, opened: Opened, make: Callable[[Path], None]) -> None:
    store = opened(path)
    path.unlink()
    make(path)
    change = store.refresh()
    assert change.kind == "replaced"
    assert store.read_only == change.message
    assert store.entry(3)["id"] == "00000003"
    assert store.refresh() == StoreChange()


def test_an_old_version_grows(path: Path, opened: Opened) -> None:
    path.write_bytes(SAMPLES["real-v1-large"])
    store = opened(path)
    ids = [store.index.id_of(row) for row in range(store.index.count)]
    add(path, b'{"type":"message","timestamp":"2026-02-03T08:01:00.000Z","message":{"role":"user","content":"x"}}\n')
    assert store.refresh().renumbered
    assert [store.index.id_of(row) for row in range(store.index.count)][:-1] == ids


def test_an_old_snapshot_reads_what_it_means(path: Path, opened: Opened) -> None:
    store = opened(path)
    before = store.index
    add(path, lines(entry("00000002", "00000001", "again")))
    store.refresh()
    assert store.entry(3, before)["id"] == "00000003"
    assert store.entry(3)["id"] == "00000004"


def test_a_closed_store_reads_nothing_and_raises_nothing(path: Path) -> None:
    store = SessionStore.open(path)
    store.close()
    assert store.entry(2) == {
        "type": "message", "id": "00000002", "parentId": "00000001", "message": {"role": "user"},
    }  # fmt: skip


def test_changes_are_told_to_who_follows_whoever_noticed_them(path: Path, opened: Opened) -> None:
    store = opened(path)
    add(path, lines(entry("a", "00000004")))
    store.refresh()
    add(path, lines(entry("b", "a")))
    assert store.changes() == StoreChange("appended", range(5, 7))
    assert store.changes() == StoreChange()


@cases(100)
@given(data=damaged_files(), cuts=st.lists(st.floats(0, 1), max_size=6))
def test_any_file_in_any_pieces(data: bytes, cuts: list[float], tmp_path: Path) -> None:
    """A file that grows piece by piece is the same in the end, and nothing moves unless that is said."""
    path = tmp_path / "session.jsonl"
    ends = sorted({int(cut * len(data)) for cut in cuts} | {len(data)})
    path.write_bytes(lines(HEADER) + data[: ends[0]])
    store = SessionStore.open(path)
    for start, end in pairwise(ends):
        before = store.index
        add(path, data[start:end])
        change = store.refresh()
        if not change.renumbered:
            assert_grown(before, store.index, change)
    expected = read_plainly(path.read_bytes())
    assert_equals(store.index, expected)
    assert store.entries(range(store.index.count)) == expected.entries
    assert dict(store.labels) == expected.labels
    again = SessionStore.open(path)
    kinds = sorted(problem.kind for problem in store.problems)
    assert kinds == sorted(problem.kind for problem in again.problems)
    store.close()
    again.close()


@pytest.fixture(autouse=True)
def few_lines_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read even single lines the way in which many are read."""
    monkeypatch.setattr(header_scan, "_LEAST_LINES", 1)


def assert_grown(before: EntryIndex, after: EntryIndex, change: StoreChange) -> None:
    known = range(before.count)
    assert after.generation == before.generation
    assert [after.id_of(row) for row in known] == [before.id_of(row) for row in known]
    assert after.parent[: before.count].tolist() == before.parent.tolist()
    assert change.rows == (range(before.count, after.count) if after.count > before.count else range(0))


def test_what_is_no_session_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"hello\n")
    with pytest.raises(NotASessionError):
        SessionStore.open(tmp_path / "x")


@pytest.mark.parametrize("make", [Path.mkdir, pytest.param(getattr(os, "mkfifo", None), marks=NEEDS_PIPES)])
def test_what_is_no_file_is_refused_at_once(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "x")
    for opening in (SessionStore.open, SessionStore.open_tail):
        with pytest.raises(NotASessionError):
            opening(tmp_path / "x")
