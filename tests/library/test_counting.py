"""What glance and count say agrees with the store, which reads a file in full."""

from __future__ import annotations

from array import array
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.entry_kinds import Role
from model.errors import RefusedError
from model.session_summary import summarize_session
from services.library import counting
from services.library.counting import count_session
from services.library.glancing import NEWER_VERSION, NO_HEADER, glance
from services.library.sessions import Facts, LibrarySession, Stage
from services.session_store import SessionStore
from tests.library.session_files import SAMPLES, SessionFile
from tests.store.damaged_files import corpus, damaged_files
from tests.store.scale import cases

pytestmark = pytest.mark.spec("SF-13")

SAMPLE_NAMES = [path.name for path in sorted(SAMPLES.glob("*.jsonl"))]
DAMAGED = corpus()


def display_name(path: Path, facts: Facts) -> str:
    return LibrarySession(path, glance(path).stamp, Stage.COUNTED, facts).display_name


def check_against_store(path: Path, facts: Facts) -> None:
    store = SessionStore.open(path)
    index = store.index
    parents = index.parent[index.parent >= 0]
    assert facts.entries == index.count
    assert facts.branches == index.count - len(np.unique(parents))
    assert facts.session_id == store.session_id
    assert facts.cwd == (store.cwd or "")
    spoken = np.isin(index.role, (Role.USER, Role.ASSISTANT)) & (index.time_ms > np.iinfo(np.int64).min)
    assert facts.active_ms == (int(index.time_ms[spoken].max()) if spoken.any() else None)
    if store.header is not None:
        summary = summarize_session(store.header, store.entries(range(index.count)))
        assert summary is not None
        shown = " ".join(summary.display_name.split())
        assert shown.startswith(display_name(path, facts))
        assert facts.created_ms == summary.created_ms
    store.close()


@pytest.mark.parametrize("name", SAMPLE_NAMES)
def test_samples(name: str) -> None:
    look = count_session(SAMPLES / name)
    assert look.facts is not None
    check_against_store(SAMPLES / name, look.facts)


@pytest.mark.parametrize("name", DAMAGED)
@pytest.mark.spec("SF-9")
def test_damaged_files(name: str, tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(DAMAGED[name])
    first, look = glance(path), count_session(path, is_damaged=True)
    try:
        SessionStore.open(path).close()
    except RefusedError:
        assert look.facts is None
        return
    assert look.facts is not None
    assert first.facts is not None
    assert first.facts.session_id == look.facts.session_id
    store = SessionStore.open(path)
    assert look.facts.entries == store.index.count
    assert (look.facts.problem == NO_HEADER) == (store.header is None and look.facts.entries != 0)
    store.close()


@given(data=damaged_files())
@cases(60)
@pytest.mark.spec("SF-9")
def test_any_damage(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("damaged") / "session.jsonl"
    path.write_bytes(data)
    glance(path)
    quick, close = count_session(path), count_session(path, is_damaged=True)
    try:
        store = SessionStore.open(path)
    except RefusedError:
        assert close.facts is None
        return
    assert close.facts is not None
    assert close.facts.entries == store.index.count
    assert (quick.facts is None) == (close.facts is None)
    store.close()


OLD = b'{"type":"session","id":"s","timestamp":"2026-02-03T08:01:00.000Z","cwd":"/w"}'
ENTRY = b'{"type":"message","timestamp":"2026-02-03T08:01:00.000Z","message":{"role":"user","content":"x"}}'


@pytest.mark.parametrize(
    "lines",
    [
        [ENTRY, ENTRY, OLD],
        [OLD, ENTRY, b'{"no":"type"}', ENTRY],
        [OLD, b'{"type":"message","id":"a"}', b'{"type":"message","id":"a"}', ENTRY],
        [b'{"type":"title","title":"t"}', b'{"type":"unknown"}', OLD, b'{"type":"title"}'],
        [ENTRY, OLD.replace(b'"id":"s"', b'"id":"s","version":2'), ENTRY],
    ],
)
@pytest.mark.spec("SF-8", "SF-9")
def test_entries_without_ids_count_wherever_the_header_of_an_old_session_stands(
    lines: list[bytes], tmp_path: Path
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    store = SessionStore.open(path)
    for is_damaged in (False, True):
        facts = count_session(path, is_damaged=is_damaged).facts
        assert facts is not None
        assert facts.entries == store.index.count
        assert facts.branches == int(store.index.count > 0)
    store.close()


@pytest.mark.parametrize("name", SAMPLE_NAMES)
def test_a_glance_says_what_the_count_says_as_far_as_it_sees(name: str) -> None:
    first, counted = glance(SAMPLES / name).facts, count_session(SAMPLES / name).facts
    assert first is not None
    assert counted is not None
    if "before-compaction" not in name:  # their last question and answer stand far from the end
        assert first.active_ms == counted.active_ms
    assert first.first_message == counted.first_message
    unseen = {"entries": None, "branches": None, "short_summary": None}
    assert first == replace(counted, **unseen, name=first.name, active_ms=first.active_ms)


def test_names(tmp_path: Path) -> None:
    file = SessionFile(tmp_path / "s.jsonl").user("the\n first\tquestion")
    facts = count_session(file.path).facts
    assert facts is not None
    assert display_name(file.path, facts) == "the first question"
    file.add("session_info", name="Given\nname ")
    for look in (glance(file.path), count_session(file.path)):
        assert look.facts is not None
        assert look.facts.name == "Given name"
    file.add("session_info", name="")
    for look in (glance(file.path), count_session(file.path)):
        assert look.facts is not None
        assert look.facts.name is None


def test_titles_of_omp(tmp_path: Path) -> None:
    file = SessionFile(tmp_path / "s.jsonl", title="From the header").user("question")
    file.add("compaction", summary="s", shortSummary="In short", firstKeptEntryId=file.last_id, tokensBefore=1)
    facts = count_session(file.path).facts
    assert facts is not None
    assert (facts.name, facts.short_summary) == ("From the header", "In short")
    slot = b'{"type":"title","v":1,"title":"From the slot","updatedAt":"2026-02-03T08:00:00.000Z","pad":""}\n'
    file.path.write_bytes(slot + file.path.read_bytes())
    for look in (glance(file.path), count_session(file.path)):
        assert look.facts is not None
        assert look.facts.name == "From the slot"
    file.path.write_bytes(slot.replace(b"From the slot", b"") + file.path.read_bytes()[len(slot) :])
    facts = count_session(file.path).facts
    assert facts is not None
    assert facts.name is None
    assert display_name(file.path, facts) == "In short"


def test_branches_are_the_ends(tmp_path: Path) -> None:
    file = SessionFile(tmp_path / "s.jsonl").user("a")
    root = file.last_id
    file.assistant("b").user("c").user("other", parent=root).user("third", parent=root)
    facts = count_session(file.path).facts
    assert facts is not None
    assert (facts.entries, facts.branches) == (5, 3)
    shuffled = file.path.read_bytes().splitlines(keepends=True)
    file.path.write_bytes(b"".join([shuffled[0], *reversed(shuffled[1:])]))
    again = count_session(file.path).facts
    assert again is not None
    assert (again.entries, again.branches) == (5, 3)


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), min_size=1, max_size=30))
def test_few_and_many_are_counted_alike(pairs: list[tuple[int, int]]) -> None:
    ids, parents = (array("q", column) for column in zip(*pairs, strict=True))
    assert counting._counts_of_few(ids, parents) == counting._counts_of_many(ids, parents)


def test_what_is_no_session(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    for data in (b'{"a":1}\n{"b":2}\n', b"text\n", b"\x00" * 100, b'{"type":"user","uuid":"x"}\n', b"[]\n"):
        path.write_bytes(data)
        assert glance(path).facts is None
        assert count_session(path).facts is None


def test_an_empty_file_is_an_empty_session(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.touch()
    for look in (glance(path), count_session(path)):
        assert look.facts == Facts(entries=0, branches=0)


def test_a_header_is_looked_for_in_the_first_mebibyte(tmp_path: Path) -> None:
    file = SessionFile(tmp_path / "s.jsonl").user("q")
    data = file.path.read_bytes()
    file.path.write_bytes(b'{"filler":"' + b"x" * 200_000 + b'"}\n' + data)
    look = glance(file.path)
    assert look.facts is not None
    assert look.facts.session_id
    file.path.write_bytes((b'{"filler":"' + b"x" * 200_000 + b'"}\n') * 6 + data)
    assert glance(file.path).facts is None


def test_a_newer_version(tmp_path: Path) -> None:
    file = SessionFile(tmp_path / "s.jsonl", version=4).user("q")
    look = glance(file.path)
    assert look.facts is not None
    assert look.facts.problem == NEWER_VERSION


def test_the_first_question_behind_much_else(tmp_path: Path) -> None:
    file = SessionFile(tmp_path / "s.jsonl")
    for _ in range(30):
        file.output("x" * 4000)
    file.user("at last")
    first, counted = glance(file.path).facts, count_session(file.path).facts
    assert first is not None
    assert counted is not None
    assert (first.first_message, counted.first_message) == (None, "at last")
