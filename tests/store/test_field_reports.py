"""What users of such tools ran into, by the numbers of the field reports."""

import cProfile
import json
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from model.entry_kinds import Trait
from model.runs import Runs
from model.session_totals import session_totals
from services import session_file
from services.cancellation import CancellationToken, OperationCancelled
from services.session_reading import TAIL_BYTES
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


def test_s01_an_empty_file_is_an_empty_session(written: Opened) -> None:
    store = written(b"")
    assert (store.index.count, store.read_only, store.problems) == (0, None, ())
    assert store.path.read_bytes() == b""
    store.append([json.loads(entry("new", None))])
    header, line = store.path.read_bytes().splitlines()
    assert json.loads(header)["type"] == "session"
    assert json.loads(line)["id"] == "new"


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
    broken = ten[5].replace(b"text", b"te\nxt\r\n\nx")
    store = written(lines(HEADER, *ten[:5], broken, *ten[6:]))
    assert store.index.count == 10
    assert [(problem.kind, problem.line) for problem in store.problems] == [("recovered", 7)]
    assert store.problems[0].message.startswith("The lines 7 to 10 are one record")
    assert store.index.traits[5] & Trait.DAMAGED
    assert "te\nxt\r\n\nx" in json.dumps(store.entry(5)).replace("\\n", "\n").replace("\\r", "\r")
    assert store.raw_line(5) == broken
    assert store.index.parent.tolist() == list(range(-1, 9))
    copy = store.path.with_name("copy.jsonl")
    store.save_repaired_copy(copy)
    mended = SessionStore.open(copy)
    assert mended.problems == ()
    assert mended.entries(range(10)) == store.entries(range(10))
    mended.close()


@pytest.mark.parametrize(
    "broken",
    [
        b'{"type":"message","id":"x","parentId":null,"timestamp":"t","message":"te\nxt',
        b'{"type":"message","id":"x\nxt"} and more',
        b'{"type":"me\nssage"}',
        b'{"type":"mess\n' + b"a\n" * 300 + b'age","timestamp":"t"}',
    ],
    ids=["cut off", "something behind", "no record", "too many lines"],
)
def test_s09_what_lines_do_not_form_together_is_one_damaged_region(written: Opened, broken: bytes) -> None:
    ten = chain(10)
    store = written(lines(HEADER, *ten[:5], broken, *ten[5:]))
    assert store.index.count == 10
    assert [(problem.kind, problem.line) for problem in store.problems] == [("unreadable", 7)]
    last = 7 + broken.count(b"\n")
    assert store.problems[0].message == f"The lines 7 to {last} cannot be read."


def test_s09_half_a_record_swallows_no_good_one(written: Opened) -> None:
    ten = chain(10)
    spaced = [json.dumps(json.loads(line)).encode() for line in ten]  # not of the form that is read at once
    store = written(lines(HEADER, *spaced[:5], spaced[5][:90], *spaced[5:]))
    assert store.index.count == 10
    assert kinds(store) == ["unreadable"]


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


ODD_MESSAGES: list[object] = [
    None,
    {"role": "user", "content": None},
    {"role": "assistant"},
    {"role": "assistant", "content": "a text"},
    {"role": "assistant", "content": [None, 5, {"type": "text"}], "usage": None},
    {"role": "assistant", "content": [], "usage": {"input": None, "cost": {"total": None}}},
]


def test_s18_null_arrays_and_missing_usage(written: Opened) -> None:
    odd = [entry(f"{number:08x}", None, message=message) for number, message in enumerate(ODD_MESSAGES)]
    store = written(lines(HEADER, *odd))
    store.measure()
    assert store.index.count == len(odd)
    assert (store.index.estimate >= 0).all()
    totals = session_totals(store.entries(range(len(odd))))
    assert (totals.tokens, totals.cost) == (0, 0)


def test_s19_a_result_in_front_of_its_call(written: Opened) -> None:
    result = {"role": "toolResult", "toolCallId": "c", "toolName": "bash", "content": []}
    call = {"role": "assistant", "content": [{"type": "toolCall", "id": "c", "name": "bash", "arguments": {}}]}
    store = written(lines(HEADER, entry("r", "a", message=result), entry("a", None, message=call)))
    assert store.index.count == 2
    assert [store.index.named_parent(row) for row in range(2)] == ["a", None]
    assert store.problems == ()


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


def test_d08_emoji_weigh_as_in_javascript(written: Opened) -> None:
    store = written(lines(HEADER, entry("a", None, "👩‍👩‍👧" * 4), entry("b", "a", "x" * 32)))
    store.measure()
    assert store.index.estimate.tolist() == [8, 8], "8 units each, a quarter of them"


STRANGE = (
    b'{"type":"custom","id":"%s","parentId":null,"timestamp":"t","customType":"x",'
    b'"data":{"b":12345678901234567890123,"a":1.0,"1":"\\ud800","e":1E400}}'
)


def test_d10_what_json_dialects_differ_in_survives(written: Opened) -> None:
    nan = b'{"type":"custom","id":"n","parentId":null,"timestamp":"t","customType":"x","data":NaN}'
    strange = STRANGE % b"s"
    store = written(lines(HEADER, strange, nan, *chain(2)))
    assert kinds(store) == ["recovered"], "NaN is no JSON for the agents"
    assert "\ud800" in store.entry(0)["data"]["1"]
    before = store.path.read_bytes()
    store.append([json.loads(entry("new", None))])
    assert store.path.read_bytes().startswith(before)
    store.replace_entries({2: json.loads(entry("00000000", None, "other"))})
    assert store.path.read_bytes().splitlines()[:3] == before.splitlines()[:3], "key order, numbers, surrogates"


def test_d15_an_upgrade_keeps_what_cannot_be_read(written: Opened) -> None:
    first = b'{"type":"message","timestamp":"2026-02-03T08:01:00.000Z","message":{"role":"user","content":"one"}}'
    data = lines(HEADER.replace(b'"version":3,', b""), first, b"{broken", first.replace(b"one", b"two"))
    store = written(data)
    assert (store.version, store.index.count) == (1, 2)
    store.append([{**json.loads(entry("new", store.index.id_of(1)))}])
    assert store.version == 3
    assert b"{broken" in store.path.read_bytes().splitlines()
    assert store.path.with_name("session.jsonl.v1.bak").read_bytes() == data


class TestLargeFiles:
    """What must not grow with a file, or not faster than it. Counted, not timed."""

    def test_p01_a_file_is_read_in_blocks_and_can_be_stopped(
        self, written: Opened, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(session_file, "BLOCK_BYTES", 64 << 10)
        data = lines(HEADER, *(entry(f"{number:08x}", None, "x" * 900) for number in range(2000)))
        path = written(lines(HEADER)).path
        path.write_bytes(data)
        sizes: list[int] = []
        read_into = session_file.SessionFile.read_into
        monkeypatch.setattr(
            session_file.SessionFile,
            "read_into",
            lambda file, view, offset: (sizes.append(len(view)), read_into(file, view, offset))[1],
        )
        steps: list[tuple[int, int]] = []
        store = SessionStore.open(path, progress=lambda *step: steps.append(step))
        assert store.index.count == 2000
        store.close()
        assert max(sizes) <= 64 << 10
        assert len(steps) > 20
        assert steps == sorted(steps)
        assert steps[-1] == (len(data), len(data))
        token = CancellationToken()
        with pytest.raises(OperationCancelled):
            SessionStore.open(path, progress=lambda done, _total: done > 300_000 and token.cancel(), token=token)
        assert path.read_bytes() == data

    def test_p05_a_path_costs_the_same_in_a_chain_of_any_depth(self) -> None:
        def moves(depth: int) -> int:
            runs = Runs(np.arange(-1, depth - 1, dtype=np.int32))
            return calls_of(lambda: [(runs.path(depth - 1 - n), runs.common_ancestor(n, depth - 1)) for n in range(20)])

        assert moves(50_000) == moves(500)

    def test_p06_reading_is_linear(self, written: Opened) -> None:
        def reading(count: int) -> int:
            path = written(lines(HEADER, *chain(count))).path
            return calls_of(lambda: SessionStore.open(path).close())

        small, large = reading(2_000), reading(20_000)
        assert large < small * 12

    def test_p11_the_first_rows_need_the_end_of_the_file_alone(
        self, written: Opened, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = written(lines(HEADER, *chain(17_000))).path
        read: list[int] = []
        read_some = session_file.SessionFile._read_some
        monkeypatch.setattr(
            session_file.SessionFile,
            "_read_some",
            lambda file, offset, length: (read.append(length), read_some(file, offset, length))[1],
        )
        tail = SessionStore.open_tail(path)
        assert tail is not None
        assert tail.partial
        assert tail.index.id_of(tail.index.count - 1) == f"0000{16_999:04x}"
        tail.close()
        assert sum(read) < 4 * TAIL_BYTES < path.stat().st_size


def calls_of(act: Callable[[], object]) -> int:
    """Return how many functions are called by an act."""
    profile = cProfile.Profile()
    profile.runcall(act)
    return sum(entry.callcount for entry in profile.getstats())


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


def test_many_problems_are_counted(written: Opened) -> None:
    store = written(lines(HEADER, *chain(3), *(b"{%d" % number for number in range(5000))))
    assert kinds(store)[-1] == "more"
    assert "4,000 more" in store.problems[-1].message
