"""What a preview expects of a compaction, against what the compaction then comes to."""

import asyncio
from pathlib import Path

import pytest

from model.compaction import CompactionPreparation, prepare_compaction
from model.context import path_context
from model.json_text import JsonObject
from model.token_estimates import estimate_tokens
from services.agent_session import AgentSession
from services.cancellation import CancellationToken
from services.compaction_forecast import CompactionForecast, forecast
from services.compaction_run import run_settings
from services.operations import CompactionOptions
from tests.services.sessions import Events, copy_of, open_session


def context_tokens(session: AgentSession) -> int:
    path = session.snapshot().path(session.leaf_id)
    return sum(estimate_tokens(message) for message in path_context(path).messages)


def expected(session: AgentSession, keep: int) -> tuple[CompactionPreparation, CompactionForecast]:
    path = session.snapshot().path(session.leaf_id)
    preparation = prepare_compaction(path, run_settings(session, path, keep), session.rules)
    assert isinstance(preparation, CompactionPreparation)
    return preparation, forecast(preparation, path, session.store.dialect, session.rules)


@pytest.mark.spec("CP-4", "CP-10", "CP-19")
@pytest.mark.parametrize(
    ("name", "keep"),
    [
        ("real-v3-before-compaction.jsonl", 20_000),
        ("real-v3-before-compaction.jsonl", 3_000),
        ("real-v3-branched.jsonl", 5_000),
        ("real-v3-branched.jsonl", 500),
        ("omp-branched.jsonl", 2_000),
        ("real-v1-before-compaction.jsonl", 20_000),
    ],
)
def test_a_compaction_comes_to_what_was_expected_of_it(tmp_path: Path, name: str, keep: int) -> None:
    session = open_session(copy_of(name, tmp_path))
    _, expectation = expected(session, keep)
    assert expectation.before == context_tokens(session)
    options = CompactionOptions(keep_recent_tokens=keep, summarizer="offline")
    asyncio.run(session.compact(options, CancellationToken(), Events()))
    assert expectation.after("offline") == pytest.approx(context_tokens(session), rel=0.02)


def test_a_models_summary_is_expected_to_be_as_large_as_the_one_that_it_continues(tmp_path: Path) -> None:
    session = open_session(copy_of("real-v3-before-compaction.jsonl", tmp_path))
    preparation, expectation = expected(session, 20_000)
    assert preparation.previous_summary
    assert expectation.previous == -(-len(preparation.previous_summary) // 4)
    assert expectation.after("a model") == expectation.kept + expectation.system + expectation.previous


def test_recorded_usage_stands_beside_the_estimate(tmp_path: Path) -> None:
    session = open_session(copy_of("real-v3-before-compaction.jsonl", tmp_path))
    usages: list[JsonObject] = [
        entry["message"]["usage"]
        for entry in session.snapshot().path(session.leaf_id)
        if entry.get("message", {}).get("role") == "assistant" and entry["message"]["stopReason"] in ("stop", "toolUse")
    ]
    _, expectation = expected(session, 20_000)
    last = usages[-1]
    recorded = last.get("totalTokens") or sum(last[name] for name in ("input", "output", "cacheRead", "cacheWrite"))
    assert expectation.recorded == recorded
    assert expectation.before < recorded, "the estimate is another measure"
