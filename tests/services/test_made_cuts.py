"""What the history tells of the cut of a compaction that is already in the file."""

import asyncio
from pathlib import Path

import pytest

from model.compaction import CompactionPreparation, prepare_compaction
from model.entry_kinds import Kind
from model.runs import Runs
from services.cancellation import CancellationToken
from services.compaction_run import run_settings
from services.made_cuts import MadeCut, latest_compaction_row, read_made_cut
from services.operations import CompactionOptions
from services.session_store import SessionStore
from tests.model.session_builders import Chain
from tests.services.sessions import SAMPLES, Events, copy_of, open_session, write_session

HEADER = {"type": "session", "version": 3, "id": "made", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/x"}


def cut_of(store: SessionStore, compaction_id: str) -> MadeCut:
    row = store.index.row_of(compaction_id)
    assert row is not None
    return read_made_cut(store, store.index, Runs(store.index.parent), row)


@pytest.mark.spec("CP-9", "CP-14")
@pytest.mark.parametrize(
    ("name", "keep"),
    [
        ("real-v3-before-compaction.jsonl", 3_000),
        ("real-v3-before-compaction.jsonl", 20_000),
        ("real-v3-before-compaction.jsonl", 40_000),
        ("real-v3-branched.jsonl", 500),
        ("real-v3-branched.jsonl", 3_000),
        ("omp-branched.jsonl", 500),
        ("omp-branched.jsonl", 3_000),
    ],
)
def test_a_compaction_has_cut_where_its_preview_said(tmp_path: Path, name: str, keep: int) -> None:
    session = open_session(copy_of(name, tmp_path))
    path = session.snapshot().path(session.leaf_id)
    prepared = prepare_compaction(path, run_settings(session, path, keep), session.rules)
    assert isinstance(prepared, CompactionPreparation)
    options = CompactionOptions(keep_recent_tokens=keep, summarizer="offline")
    result = asyncio.run(session.compact(options, CancellationToken(), Events()))
    store = session.store
    cut = cut_of(store, result.entry_id)
    ids = [store.index.id_of(row) for row in cut.path]
    assert ids[-1] == result.entry_id
    assert ids[cut.kept] == prepared.first_kept_entry_id
    assert ids[cut.prefix] == (prepared.turn_start_id or prepared.first_kept_entry_id)
    assert cut.start == 0


def made(tmp_path: Path, chain: Chain) -> SessionStore:
    return SessionStore.open(write_session(tmp_path / "made.jsonl", [HEADER, *chain.entries]))


def test_a_cut_before_a_request_splits_no_turn_whatever_the_summary_quotes(tmp_path: Path) -> None:
    chain = Chain()
    chain.user(id="one")
    chain.assistant(id="answer")
    chain.user(id="two")
    chain.compaction("two", "old\n\n---\n\n**Turn Context (split turn):**\n\nquoted", id="cut")
    assert cut_of(made(tmp_path, chain), "cut").prefix == cut_of(made(tmp_path, chain), "cut").kept == 2


def test_the_prefix_is_unknown_where_the_summary_does_not_tell(tmp_path: Path) -> None:
    chain = Chain()
    chain.user(id="one")
    chain.assistant(id="step")
    chain.assistant(id="next")
    chain.compaction("next", "an extension's own words", id="cut")
    cut = cut_of(made(tmp_path, chain), "cut")
    assert (cut.start, cut.prefix, cut.kept) == (0, 2, 2)


@pytest.mark.parametrize("kept_id", [None, "missing", "cut"])
def test_a_compaction_may_keep_nothing(tmp_path: Path, kept_id: str | None) -> None:
    chain = Chain()
    chain.user(id="one")
    chain.compaction(kept_id, id="cut")
    cut = cut_of(made(tmp_path, chain), "cut")
    assert (cut.start, cut.prefix, cut.kept) == (0, 1, 1)


def test_nothing_from_before_a_reset_is_in_it(tmp_path: Path) -> None:
    chain = Chain()
    chain.user(id="old")
    chain.add("reset_boundary")
    chain.user(id="new")
    chain.compaction("old", id="cut")
    cut = cut_of(made(tmp_path, chain), "cut")
    assert (cut.start, cut.prefix, cut.kept) == (2, 2, 2)


@pytest.mark.parametrize("name", ["real-v3-branched.jsonl", "omp-branched.jsonl", "real-v3-large.jsonl"])
def test_the_latest_compaction_of_every_path_is_found(name: str) -> None:
    store = SessionStore.open(SAMPLES / name)
    index, runs = store.index, Runs(store.index.parent)
    for leaf in range(-1, index.count):
        path = runs.path(leaf)
        compactions = path[index.kind[path] == Kind.COMPACTION]
        expected = int(compactions[-1]) if len(compactions) else None
        assert latest_compaction_row(index, runs, leaf) == expected
