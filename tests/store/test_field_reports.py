"""What users of such tools ran into, by the numbers of the field reports."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from model.entry_kinds import Trait
from services import session_file
from services.session_store import SessionStore
from services.store_errors import ReadOnlyError
from tests.store.damaged_files import HEADER, SAMPLES, chain, entry, lines

Opened = Callable[[bytes], SessionStore]


@pytest.fixture
def written(opened: Callable[[Path], SessionStore], tmp_path: Path) -> Opened:
    def open_bytes(data: bytes) -> SessionStore:
        path = tmp_path / "session.jsonl"
        path.write_bytes(data)
        return opened(path)

    return open_bytes


def kinds(store: SessionStore) -> list[str]:
    return [problem.kind for problem in store.problems]


def test_s01_headerless(written: Opened) -> None:
    store = written(lines(*chain(3)))
    assert store.index.count == 3
    with pytest.raises(ReadOnlyError, match="repaired copy"):
        store.append([json.loads(entry("new", None))])


def test_s03_a_broken_first_line_hides_nothing(written: Opened) -> None:
    data = b"{broken\n" + lines(*chain(20))
    store = written(data)
    assert store.index.count == 20
    assert store.read_only is not None
    assert store.path.read_bytes() == data


def test_s05_half_an_entry_and_the_next_on_one_line(written: Opened) -> None:
    ten = chain(10)
    store = written(lines(HEADER, *ten[:5], b'{"type":"mess' + ten[5], *ten[6:]))
    assert store.index.count == 10
    assert [(problem.kind, problem.line) for problem in store.problems] == [("recovered", 7), ("unreadable", 7)]
    assert store.index.traits[5] & Trait.DAMAGED


def test_s07_a_hole_of_nul_bytes(written: Opened) -> None:
    ten = chain(10)
    before = lines(HEADER, *ten[:5])
    store = written(before + b"\0" * 300 + b"\n" + lines(*ten[5:]))
    assert store.index.count == 10
    assert [(problem.kind, problem.line, problem.offset) for problem in store.problems] == [("hole", 7, len(before))]


def test_s09_one_record_over_three_lines(written: Opened) -> None:
    ten = chain(10)
    store = written(lines(HEADER, *ten[:5], ten[5].replace(b"text", b"te\nxt\nx"), *ten[6:]))
    assert store.index.count == 9
    damage = [problem for problem in store.problems if problem.kind != "orphan"]
    assert [(problem.kind, problem.line) for problem in damage] == [("unreadable", 7)]
    assert damage[0].message == "The lines 7 to 9 cannot be read."


def test_s11_repeated_lines(written: Opened) -> None:
    long = chain(7000)
    store = written(lines(HEADER, *long[:200], *long[100:]))
    assert store.index.count == 7000
    assert kinds(store).count("repeated id") == 100
    assert store.index.parent.tolist() == list(range(-1, 6999))


def test_s13_parents_that_were_never_written(written: Opened) -> None:
    store = written(lines(HEADER, *(entry(f"a{number}", f"gone{number}") for number in range(24)), *chain(19)))
    assert kinds(store) == ["orphan"] * 24
    assert [row for row in range(43) if store.index.traits[row] & Trait.ORPHAN] == list(range(24))
    assert "gone3" in store.problems[3].message


def test_s14_shuffled_lines_make_the_same_tree(written: Opened) -> None:
    header, *rest = SAMPLES["real-v3-branched"].splitlines()
    edges = []
    for shuffle in (False, True):
        if shuffle:
            random.Random(1).shuffle(rest)
        index = written(lines(header, *rest)).index
        edges.append({index.id_of(row): index.named_parent(row) for row in range(index.count)})
        assert not (index.traits & Trait.ORPHAN).any()
    assert edges[0] == edges[1]


def test_s16_half_a_record_then_the_whole(written: Opened) -> None:
    ten = chain(10)
    store = written(lines(HEADER, *ten[:5], ten[5][:70], *ten[5:]))
    assert store.index.count == 10
    assert kinds(store) == ["unreadable"]


def test_s20_the_header_tells_the_id(written: Opened) -> None:
    store = written(lines(HEADER, *chain(2)))
    assert store.session_id == json.loads(HEADER)["id"] != store.path.stem


def test_s21_a_second_header(written: Opened) -> None:
    ten = chain(10)
    store = written(lines(HEADER, *ten[:5], HEADER, *ten[5:]))
    assert store.index.count == 10
    assert [(problem.kind, problem.line) for problem in store.problems] == [("extra header", 7)]


def test_d01_the_last_line_is_where_agents_resume(written: Opened) -> None:
    label = b'{"type":"label","id":"last","parentId":"00000001","timestamp":"2026-02-03T08:01:00.000Z","targetId":"x"}'
    store = written(lines(HEADER, *chain(3), label))
    assert store.index.id_of(store.index.count - 1) == "last"


def test_p04_a_line_too_long_to_be_read(written: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_file, "BLOCK_BYTES", 1000)
    monkeypatch.setattr(session_file, "LONGEST_LINE_BYTES", 4000)
    ten = chain(10)
    for hole in (b"\0" * 50_000, b"x" * 4001, entry("long", None, "y" * 9000)):
        before = lines(HEADER, *ten[:5])
        store = written(before + hole + b"\n" + lines(*ten[5:]))
        assert store.index.count == 10
        assert [(problem.kind, problem.line, problem.offset) for problem in store.problems] == [
            ("unreadable", 7, len(before))
        ]
        assert f"{len(hole) + 1:,}" in store.problems[0].message
        at_the_end = written(lines(HEADER, *ten) + hole)
        assert at_the_end.index.count == 10
        assert kinds(at_the_end) == ["unreadable"]


def test_p05_a_deep_chain(written: Opened) -> None:
    store = written(lines(HEADER, *chain(50_000)))
    assert store.index.parent.tolist() == list(range(-1, 49_999))


def test_many_problems_are_counted(written: Opened) -> None:
    store = written(lines(HEADER, *chain(3), *(b"{%d" % number for number in range(5000))))
    assert kinds(store)[-1] == "more"
    assert "4,000 more" in store.problems[-1].message
