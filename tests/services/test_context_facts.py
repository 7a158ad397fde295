"""The size of the context at every entry, in one pass, is what the context of each position adds up to."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.context import path_context
from model.context_sizes import ContextFacts, context_sizes, grown_sizes
from model.json_text import JsonObject, stringify
from model.runs import Runs
from model.token_estimates import estimate_tokens
from services.context_facts import read_context_facts
from services.session_store import SessionStore
from tests.model.session_builders import Chain, text_block, tool_call

SESSIONS = Path(__file__).parents[1] / "sessions"
SAMPLES = (
    "omp-branched.jsonl",
    "real-v1-large.jsonl",
    "real-v3-before-compaction.jsonl",
    "real-v3-branched.jsonl",
    "real-v3-large.jsonl",
)
TEXTS = st.text("a", max_size=30)
HEADER = {"type": "session", "version": 3, "id": "made", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/x"}


def size_at(path: list[JsonObject]) -> int:
    """What the *Context* tab adds up with the leaf at the end of `path`."""
    return sum(estimate_tokens(message) for message in path_context(path).messages)


def sizes_of(store: SessionStore) -> list[int]:
    sizes = context_sizes(store.index, Runs(store.index.parent), read_context_facts(store, store.index))
    assert sizes is not None
    found: list[int] = sizes.tolist()
    return found


@pytest.mark.parametrize("name", SAMPLES)
def test_every_row_of_a_sample_has_the_size_of_its_context(name: str) -> None:
    store = SessionStore.open(SESSIONS / name)
    runs = Runs(store.index.parent)
    entries = store.entries(range(store.index.count))
    sizes = sizes_of(store)
    rows = range(0, store.index.count, 1 if store.index.count < 500 else 7)
    for row in rows:
        assert sizes[row] == size_at([entries[on_path] for on_path in runs.path(row)]), f"row {row}"


@st.composite
def branched(draw: st.DrawFn) -> list[JsonObject]:
    """Sessions of several branches with all that changes a context: compactions that keep what they can and cannot,
    context edits of anything, reset boundaries, and system messages.
    """
    chain = Chain()
    for _ in range(draw(st.integers(1, 14))):
        ids = [entry["id"] for entry in chain.entries]
        some = st.sampled_from(ids) if ids else st.none()
        last = st.just(ids[-1]) if ids else st.none()
        parent = draw(st.one_of(last, last, last, last, last, some, st.none()))
        kind = draw(st.sampled_from(["user", "answer", "result", "system", "custom", "branch", "label", "reset"]))
        if ids and draw(st.booleans()):
            kind = draw(st.sampled_from(["compaction", "edit", "edit"]))
        if kind == "user":
            chain.user(draw(TEXTS), parent=parent)
        elif kind == "answer":
            chain.assistant([text_block(draw(TEXTS)), tool_call("t1", path=draw(TEXTS))], parent=parent)
        elif kind == "result":
            chain.tool_result("t1", draw(TEXTS), parent=parent)
        elif kind == "system":
            chain.message("system", content=draw(TEXTS), parent=parent)
        elif kind == "custom":
            chain.add("custom_message", parent=parent, customType="note", content=draw(TEXTS), display=True)
        elif kind == "branch":
            chain.add("branch_summary", parent=parent, fromId="e1", summary=draw(TEXTS))
        elif kind == "label":
            chain.add("label", parent=parent, targetId="e1", label="mark")
        elif kind == "reset":
            chain.add("reset_boundary", parent=parent)
        elif kind == "compaction":
            own = {} if draw(st.booleans()) else {"systemMessage": {"role": "system", "content": draw(TEXTS)}}
            kept = draw(st.one_of(some, some, some, st.none(), st.just("missing")))
            chain.compaction(kept, draw(TEXTS), parent=parent, **own)
        else:
            replacement = draw(st.none() | st.just({"content": "changed to this"}) | st.just("nonsense"))
            on_path = _path_ids(chain.entries, parent)
            target = draw(st.sampled_from(on_path)) if on_path else "e1"
            chain.add("context_edit", parent=parent, targetId=target, replacement=replacement)
    return chain.entries


def _path_ids(entries: list[JsonObject], leaf: str | None) -> list[str]:
    by_id = {entry["id"]: entry for entry in entries}
    found = []
    while leaf is not None:
        found.append(leaf)
        leaf = by_id[leaf]["parentId"]
    return found[::-1]


def written(entries: list[JsonObject]) -> Path:
    handle, name = tempfile.mkstemp(suffix=".jsonl")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.writelines(stringify(line) + "\n" for line in [HEADER, *entries])
    return Path(name)


@given(branched())
def test_every_row_of_any_session_has_the_size_of_its_context(entries: list[JsonObject]) -> None:
    path = written(entries)
    store = SessionStore.open(path)
    try:
        by_id = {entry["id"]: entry for entry in entries}
        sizes = sizes_of(store)
        for row, entry in enumerate(entries):
            assert sizes[row] == size_at([by_id[id] for id in _path_ids(entries, entry["id"])]), entry["id"]
    finally:
        store.close()
        path.unlink()


@given(branched(), st.integers(1, 5), st.booleans())
def test_what_an_agent_appends_is_added_to_the_sizes_that_are_known(
    entries: list[JsonObject], count: int, is_compacted: bool
) -> None:
    path = written(entries)
    store = SessionStore.open(path)
    try:
        before = store.index
        sizes = context_sizes(before, Runs(before.parent), read_context_facts(store, before))
        assert sizes is not None
        chain = Chain()
        chain.entries = list(entries)
        for number in range(count):
            chain.user("some more words", id=f"new{number}")
        if is_compacted:
            chain.compaction(f"new{count - 1}", "all of it")
        store.append(chain.entries[len(entries) :])
        grown = grown_sizes(sizes, store.index)
        if is_compacted:
            assert grown is None, "a compaction changes more than it adds"
        else:
            assert grown is not None
            assert grown.tolist() == sizes_of(store)
    finally:
        store.close()
        path.unlink()


def test_an_edit_counts_as_long_as_its_target_is_kept() -> None:
    """Two compactions: the first forgets what was edited and keeps the edit, the second keeps both again."""
    chain = Chain()
    chain.user("x" * 400, id="long")
    chain.user("y" * 40, id="short")
    chain.add("context_edit", id="edit", targetId="long", replacement=None)
    chain.compaction("short", "", id="forgets")
    chain.add("context_edit", id="again", targetId="long", replacement={"content": "x" * 80})
    chain.compaction("long", "", id="remembers")
    chain.add("context_edit", id="late", targetId="long", replacement={"content": "x" * 4})
    path = written(chain.entries)
    store = SessionStore.open(path)
    path.unlink()
    assert sizes_of(store) == [100, 110, 10, 10, 10, 30, 11]
    store.close()


def test_a_compaction_keeps_nothing_from_before_a_reset_and_no_system_messages() -> None:
    chain = Chain()
    chain.user("x" * 400, id="first")
    chain.add("reset_boundary")
    chain.message("system", content="y" * 40)
    chain.user("z" * 4)
    chain.compaction("first", "s" * 8, systemMessage={"role": "system", "content": "y" * 20})
    path = written(chain.entries)
    store = SessionStore.open(path)
    path.unlink()
    assert sizes_of(store) == [100, 0, 10, 11, 2 + 5 + 1]
    store.close()


def test_the_end_of_a_file_has_no_sizes_before_what_it_knows_the_beginning_of(tmp_path: Path) -> None:
    chain = Chain()
    chain.user("the beginning, which is not in the end of the file")
    for number in range(400):
        chain.user(f"{number} " + "x" * 4000)
    kept = chain.user("kept")
    chain.compaction(str(kept["id"]), "a summary")
    chain.user("after the compaction")
    path = tmp_path / "long.jsonl"
    path.write_text("".join(stringify(line) + "\n" for line in [HEADER, *chain.entries]), encoding="utf-8")
    whole, tail = SessionStore.open(path), SessionStore.open_tail(path)
    assert tail is not None
    assert 3 < tail.index.count < whole.index.count
    facts = read_context_facts(tail, tail.index)
    sizes = context_sizes(tail.index, Runs(tail.index.parent), facts, is_tail=True)
    assert sizes is not None
    assert (sizes[:-2] == -1).all(), "numbers of a part of the path are no sizes"
    assert sizes[-2:].tolist() == sizes_of(whole)[-2:]


def test_nothing_is_read_again_of_what_is_known(tmp_path: Path) -> None:
    store = SessionStore.open(SESSIONS / "real-v3-branched.jsonl")
    known = read_context_facts(store, store.index)
    store.close()  # entries read from now on are empty
    assert read_context_facts(store, store.index, known) == known


def test_sizes_are_unknown_while_the_bodies_are_not_measured() -> None:
    store = SessionStore.open(SESSIONS / "omp-branched.jsonl")
    index = store.index
    estimate = np.full(index.count, -1, np.int32)
    bare = index.with_measures(estimate, index.traits)
    bare.measured = False
    assert context_sizes(bare, Runs(bare.parent), ContextFacts()) is None
