"""Pruning a session at work: what it writes, what it leaves, and that a failure changes nothing."""

from pathlib import Path

import pytest

from model.context import path_context
from model.pruning import editable_path
from services.agent_session import AgentSession
from services.cancellation import CancellationToken, OperationCancelled
from services.errors import BusyError
from services.pruning import PruningResult, apply_pruning, plan_pruning, prune
from services.store_errors import StoreError
from tests.cli.test_changing import tool_session
from tests.services.sessions import open_session


@pytest.fixture(params=["pi", "omp"])
def session(request: pytest.FixtureRequest, tmp_path: Path) -> AgentSession:
    return open_session(tool_session(tmp_path / "s.jsonl", request.param), dialect=request.param)


@pytest.mark.spec("CP-3")
def test_the_leaf_stays_where_the_conversation_goes_on(session: AgentSession) -> None:
    before = session.leaf_id
    result = prune(session, CancellationToken())
    assert (result.pruned, result.tokens_saved) == (("t1", "t2", "t3"), 29_973)
    path = session.snapshot().path(session.leaf_id)
    assert before in [entry["id"] for entry in path]
    assert session.leaf_id == session.resume_leaf_id
    assert plan_pruning(session).results == ()
    assert prune(session, CancellationToken()) == PruningResult()


@pytest.mark.spec("CP-3")
def test_the_context_shrinks_by_what_was_promised(session: AgentSession) -> None:
    def size() -> int:
        context = session.context(session.leaf_id)
        return sum(len(str(message.get("content"))) for message in context.messages)

    before = size()
    result = prune(session, CancellationToken())
    assert before - size() == pytest.approx(4 * result.tokens_saved, abs=400)


def test_only_the_active_path_is_pruned(session: AgentSession) -> None:
    session.move_leaf("t5")
    assert [result.entry_id for result in plan_pruning(session).results] == []
    session.move_leaf("t7")
    assert [result.entry_id for result in plan_pruning(session).results] == ["t1", "t2", "t3"]


def test_stopped_or_busy_it_changes_nothing(session: AgentSession) -> None:
    before = session.store.path.read_bytes()
    token = CancellationToken()
    token.cancel()
    with pytest.raises(OperationCancelled):
        prune(session, token)
    with session.operation(CancellationToken()), pytest.raises(BusyError):
        prune(session, CancellationToken())
    assert session.store.path.read_bytes() == before
    assert not session.busy


def test_a_failed_write_changes_nothing(session: AgentSession, tmp_path: Path) -> None:
    planned = plan_pruning(session)
    path, leaf = session.store.path, session.leaf_id
    kept = path.rename(tmp_path / "moved.jsonl")
    before = kept.read_bytes()
    with pytest.raises(StoreError):
        apply_pruning(session, planned)
    assert kept.read_bytes() == before
    assert (session.leaf_id, path.exists()) == (leaf, False)


@pytest.mark.spec("R-23")
def test_what_a_compaction_dropped_or_an_edit_changed_is_not_edited_again(tmp_path: Path) -> None:
    session = open_session(tool_session(tmp_path / "s.jsonl", "pi"), dialect="pi")
    path = session.snapshot().path(session.leaf_id)
    edit = {"type": "context_edit", "id": "x", "parentId": "t7", "timestamp": "", "targetId": "t2", "replacement": None}
    other = {**edit, "id": "y", "parentId": "x", "targetId": "t3", "replacement": {"content": "short"}}
    compaction = {"type": "compaction", "id": "z", "parentId": "y", "summary": "s", "firstKeptEntryId": "a2"}
    editable = editable_path([*path, edit, other, compaction])
    results = [entry for entry in editable if entry["id"].startswith("t")]
    assert [entry["id"] for entry in results] == ["t3", "t4", "t5", "t6", "t7"]
    assert results[0]["message"]["content"] == [{"type": "text", "text": "short"}]
    assert "prunedAt" in results[0]["message"]
    assert path_context([*path, edit]).messages != path_context(path).messages


def test_a_result_on_a_damaged_line_is_left_alone(tmp_path: Path) -> None:
    path = tool_session(tmp_path / "s.jsonl", "omp", results=9)
    lines = path.read_text().splitlines()
    place = next(number for number, line in enumerate(lines) if '"id": "t1"' in line)
    path.write_text("\n".join([*lines[: place - 1], lines[place - 1] + lines[place], *lines[place + 1 :]]) + "\n")
    session = open_session(path, dialect="omp")
    assert session.store.problems != ()
    assert [result.entry_id for result in plan_pruning(session).results] == ["t2", "t3", "t4"]
    assert prune(session, CancellationToken()).pruned == ("t2", "t3", "t4")
