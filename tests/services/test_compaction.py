"""Compaction: what is sent, what is saved, the events, and that a failure leaves everything as it was."""

import asyncio
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from model.compaction import CompactionPreparation, NothingToCompact
from model.errors import RefusedError
from services.agent_session import AgentSession
from services.cancellation import CancellationToken, OperationCancelled
from services.errors import ServiceError
from services.operations import CompactionOptions, CompactionResult, DraftSummary, NavigationOptions
from services.prompt_texts import prompt_texts
from services.questions import RecentWriter
from services.session_events import CompactionEnded, CompactionStarted, Event, Notice, RetryScheduled
from services.writer_gate import WentOnError
from tests.services.loopback_server import (
    Connection,
    LoopbackServer,
    Request,
    Script,
    chat,
    json_answer,
    silent,
    stay_open,
    stream,
)
from tests.services.sessions import (
    BRANCHED,
    Events,
    copy_of,
    lines_of,
    message,
    open_session,
    with_model,
    write_session,
)

OMP = "omp-branched.jsonl"


def long_session(*, split: bool = False, previous: str | None = None) -> list[dict[str, Any]]:
    """Four turns; with `split` the last one is so long that it is cut. Every text has about 100 tokens."""
    text = "word " * 80
    entries: list[dict[str, Any]] = [
        {"type": "session", "version": 3, "id": "long", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/x"}
    ]
    parent: str | None = None

    def add(entry: dict[str, Any]) -> None:
        nonlocal parent
        entries.append(entry | {"parentId": parent})
        parent = entry["id"]

    for turn in range(3):
        add(message(f"u{turn}", None, "user", f"Request {turn}. {text}"))
        add(message(f"a{turn}", None, "assistant", f"Answer {turn}. {text}", stopReason="stop"))
        if turn == 0 and previous is not None:
            add(
                {
                    "type": "compaction",
                    "id": "c0",
                    "timestamp": "2026-01-01T00:00:00.000Z",
                    "summary": previous,
                    "firstKeptEntryId": "c0",
                    "tokensBefore": 9,
                    "details": {"readFiles": ["old.py"], "modifiedFiles": []},
                }
            )
    if split:
        add(message("u3", None, "user", f"Long request. {text}"))
        for step in range(4):
            add(message(f"s{step}", None, "assistant", f"Step {step}. {text}", stopReason="toolUse"))
    return entries


def keep(tokens: int, **more: Any) -> CompactionOptions:
    return CompactionOptions(keep_recent_tokens=tokens, **more)


def compact(session: AgentSession, options: CompactionOptions, events: Events | None = None) -> CompactionResult:
    emit = Events() if events is None else events
    return asyncio.run(session.compact(options, CancellationToken(), emit))


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    return lambda **more: write_session(tmp_path / "long.jsonl", long_session(**more))


def with_remote(url: str, **compaction: Any) -> Callable[[Any], Any]:
    """Settings with a remote endpoint, and retries without pauses."""
    return lambda given: given.replaced(
        compaction=given.compaction.replaced(remote_endpoint=url, **compaction),
        retry=given.retry.replaced(max_retries=2, base_delay_ms=1),
    )


def by_pass(**answers: Script) -> Script:
    """Answer by what the prompt asks for: `history`, `prefix` or `short`."""
    texts = prompt_texts()

    def script(connection: Connection, request: Request) -> None:
        body = request.json
        prompt = body["prompt"] if "prompt" in body else body["messages"][-1]["content"]
        kind = "prefix" if texts.turn_prefix in prompt else "short" if texts.short_summary in prompt else "history"
        answers[kind](connection, request)

    return script


# --- The remote endpoint (CP-15) -------------------------------------------------------------------------------------


@pytest.mark.spec("CP-15", "O-115", "O-116", "P-015")
def test_the_remote_endpoint_gets_exactly_two_keys_and_no_credentials(file: Callable[..., Path]) -> None:
    path = file()
    with LoopbackServer(json_answer({"summary": "HISTORY", "other": 1})) as server:
        session = open_session(path, with_remote(server.url + "/sum?x=1"))
        result = compact(session, keep(150))
    [request] = server.requests
    assert (request.method, request.path) == ("POST", "/sum?x=1")
    assert request.headers["content-type"] == "application/json"
    assert "authorization" not in request.headers
    body = request.json
    assert set(body) == {"systemPrompt", "prompt"}
    assert body["prompt"].startswith("<conversation>\n[User]: Request 0.")
    entry = lines_of(path)[-1]
    assert entry["summary"] == result.summary == "HISTORY"
    assert entry["firstKeptEntryId"] == "u2"
    assert entry["parentId"] == "a2"
    assert entry["tokensBefore"] == result.tokens_before > result.estimated_tokens_after
    assert session.leaf_id == entry["id"]


@pytest.mark.spec("CP-15", "O-117", "CP-22")
@pytest.mark.parametrize(
    ("script", "words", "requests"),
    [
        (json_answer({"text": "x"}), "without a summary", 1),
        (json_answer({"summary": 5}), "without a summary", 1),
        (json_answer(["summary"]), "without a summary", 1),
        (json_answer({"summary": "  "}), "is empty", 1),
        (json_answer({}, "500 Internal Server Error"), "500 Internal Server Error", 3),
        (json_answer({"error": "x"}, "404 Not Found"), "404 Not Found", 1),
    ],
)
def test_a_remote_answer_without_a_summary_saves_nothing(
    script: Script, words: str, requests: int, file: Callable[..., Path]
) -> None:
    path = file()
    before = path.read_bytes()
    with LoopbackServer(script) as server:
        session = open_session(path, with_remote(server.url))
        events = Events()
        with pytest.raises(ServiceError) as caught:
            compact(session, keep(150), events)
    assert words in str(caught.value)
    assert len(server.requests) == requests
    assert (path.read_bytes(), session.leaf_id, session.busy) == (before, "a2", False)
    [end] = events.of(CompactionEnded)
    assert end.error_message == f"Compaction failed: {caught.value}"
    assert len(events.of(RetryScheduled)) == requests - 1


@pytest.mark.spec("CP-15", "ST-4")
def test_a_remote_timeout_is_the_settings_own(file: Callable[..., Path]) -> None:
    with LoopbackServer(silent) as server:
        session = open_session(file(), with_remote(server.url, remote_timeout_seconds=0.1))
        with pytest.raises(ServiceError, match=r"sent nothing|not finished"):
            compact(session, keep(150))
    assert len(server.requests) == 3


@pytest.mark.spec("CP-15")
def test_a_short_summary_that_came_along_saves_its_request(tmp_path: Path) -> None:
    path = copy_of(OMP, tmp_path)
    with LoopbackServer(json_answer({"summary": "HISTORY", "shortSummary": "SHORT"})) as server:
        session = open_session(path, with_remote(server.url), dialect="omp")
        session.move_leaf(next(record["id"] for record in lines_of(path) if record["type"] == "branch_summary"))
        compact(session, keep(500))
    assert not any(prompt_texts().short_summary in request.json["prompt"] for request in server.requests)
    assert lines_of(path)[-1]["shortSummary"] == "SHORT"


@pytest.mark.spec("R-32", "CP-13")
def test_the_short_summary_may_fail(tmp_path: Path) -> None:
    path = copy_of(OMP, tmp_path)
    script = by_pass(
        history=json_answer({"summary": "HISTORY"}),
        prefix=json_answer({"summary": "PREFIX"}),
        short=json_answer({}, "400 Bad Request"),
    )
    with LoopbackServer(script) as server:
        session = open_session(path, with_remote(server.url), dialect="omp")
        session.move_leaf(next(record["id"] for record in lines_of(path) if record["type"] == "branch_summary"))
        events = Events()
        result = compact(session, keep(500), events)
    assert "shortSummary" not in lines_of(path)[-1]
    assert result.short_summary is None
    assert "short summary was left out" in events.of(Notice)[0].text


# --- Split turns (CP-14) ---------------------------------------------------------------------------------------------


@pytest.mark.spec("CP-14", "O-100", "O-103")
def test_a_split_turn_makes_two_requests_at_once_and_joins_the_answers(file: Callable[..., Path]) -> None:
    """Field report C15."""
    path = file(split=True)
    both = threading.Barrier(2)

    def together(text: str) -> Script:
        def script(connection: Connection, request: Request) -> None:
            both.wait(5)
            chat(text)(connection, request)

        return script

    with LoopbackServer(by_pass(history=together("HISTORY"), prefix=together("PREFIX"))) as server:
        session = open_session(path, with_model(server.url))
        result = compact(session, keep(150, instructions="keep names"))
    assert result.is_split_turn
    assert result.summary == "HISTORY\n\n---\n\n**Turn Context (split turn):**\n\nPREFIX"
    prompts = {request.json["max_tokens"]: request.json["messages"][-1]["content"] for request in server.requests}
    assert set(prompts) == {13107, 8192}
    assert all(prompt.endswith("Additional focus: keep names") for prompt in prompts.values())


@pytest.mark.spec("CP-14")
@pytest.mark.parametrize("failing", ["history", "prefix"])
def test_the_first_failure_cancels_the_other_request(failing: str, file: Callable[..., Path]) -> None:
    """Field report M11."""
    path = file(split=True)
    before = path.read_bytes()
    arrived = threading.Barrier(2)

    def fail(connection: Connection, request: Request) -> None:
        arrived.wait(5)
        json_answer({"error": {"message": "no"}}, "400 Bad Request")(connection, request)

    def hang(connection: Connection, request: Request) -> None:
        arrived.wait(5)
        silent(connection, request)

    answers = {"history": hang, "prefix": hang} | {failing: fail}
    with LoopbackServer(by_pass(**answers)) as server:
        session = open_session(path, with_model(server.url))
        with pytest.raises(ServiceError, match="400"):
            compact(session, keep(150))
        assert server.all_gone()
    assert (path.read_bytes(), session.leaf_id) == (before, "s3")


@pytest.mark.spec("CP-14", "R-33")
def test_a_split_first_turn_keeps_the_previous_summary(tmp_path: Path) -> None:
    records = long_session(split=True, previous="OLD")
    records = [record for record in records if record["id"] not in ("u1", "a1", "u2", "a2")]
    for record in records:
        if record["id"] == "u3":
            record["parentId"] = "c0"
    path = write_session(tmp_path / "s.jsonl", records)
    with LoopbackServer(chat("PREFIX")) as server:
        result = compact(open_session(path, with_model(server.url)), keep(150))
    assert len(server.requests) == 1
    assert result.summary.startswith("OLD\n\n---\n\n**Turn Context (split turn):**\n\nPREFIX")
    assert result.details == {"readFiles": ["old.py"], "modifiedFiles": []}


# --- Saving and events -----------------------------------------------------------------------------------------------


@pytest.mark.spec("CP-20")
def test_the_events_of_a_compaction(file: Callable[..., Path]) -> None:
    events = Events()
    result = compact(open_session(file()), keep(150), events)
    names = [event.event_name for event in events]
    assert names[0] == "compaction_start"
    assert names[-1] == "compaction_end"
    [end] = events.of(CompactionEnded)
    assert end.as_json() == {
        "type": "compaction_end",
        "reason": "manual",
        "action": "context-full",
        "aborted": False,
        "willRetry": False,
        "result": {
            "summary": result.summary,
            "firstKeptEntryId": "u2",
            "tokensBefore": result.tokens_before,
            "estimatedTokensAfter": result.estimated_tokens_after,
            "details": {"readFiles": [], "modifiedFiles": []},
        },
    }
    assert events.of(CompactionStarted)[0].as_json()["reason"] == "manual"


@pytest.mark.spec("CP-10")
def test_nothing_to_do_is_said_and_changes_nothing(file: Callable[..., Path]) -> None:
    path = file()
    session = open_session(path)
    before = path.read_bytes()
    events = Events()
    with pytest.raises(RefusedError, match="too small"):
        compact(session, keep(20000), events)
    assert path.read_bytes() == before
    assert "too small" in events.of(CompactionEnded)[0].error_message
    compact(session, keep(150))
    with pytest.raises(RefusedError, match="already compacted"):
        compact(session, keep(150))


@pytest.mark.spec("CP-25")
def test_the_preview_shows_what_is_then_sent_and_saved(file: Callable[..., Path]) -> None:
    path = file(split=True)
    with LoopbackServer(chat("TEXT")) as server:
        session = open_session(path, with_model(server.url))
        preparation = session.preview_compaction(keep_recent_tokens=150)
        assert isinstance(preparation, CompactionPreparation)
        prompts = {request.prompt for request in session.compaction_prompts(preparation)}
        result = compact(session, keep(150))
    assert {request.json["messages"][-1]["content"] for request in server.requests} == prompts
    assert result.first_kept_entry_id == preparation.first_kept_entry_id
    assert isinstance(session.preview_compaction(), NothingToCompact)


@pytest.mark.spec("CP-12", "CP-13")
def test_a_previous_summary_is_updated(file: Callable[..., Path]) -> None:
    path = file(previous="OLD SUMMARY")
    with LoopbackServer(chat("NEW")) as server:
        compact(open_session(path, with_model(server.url)), keep(150))
    prompt = server.requests[0].json["messages"][-1]["content"]
    assert "<previous-summary>\nOLD SUMMARY\n</previous-summary>" in prompt
    assert prompt.endswith(prompt_texts().update_summary)
    assert "Request 0" not in prompt


def test_a_review_decides_what_is_saved(file: Callable[..., Path]) -> None:
    path = file()
    session = open_session(path)
    before = path.read_bytes()

    async def reject(_draft: DraftSummary) -> None:
        return None

    async def edit(draft: DraftSummary) -> str:
        return draft.text.replace("Request 0", "The first request") + "\n\n"

    events = Events()
    with pytest.raises(OperationCancelled):
        compact(session, keep(150, review=reject), events)
    [end] = events.of(CompactionEnded)
    assert (end.aborted, end.error_message, path.read_bytes()) == (True, None, before)
    compact(session, keep(150, review=edit))
    assert "The first request" in lines_of(path)[-1]["summary"]


@pytest.mark.spec("CP-18", "CP-19", "O-129", "O-130", "O-131", "P-028", "P-029", "O-003")
@pytest.mark.parametrize("name", [BRANCHED, OMP, "real-v3-large.jsonl"])
def test_a_real_session_is_compacted_and_read_again(name: str, tmp_path: Path) -> None:
    path = copy_of(name, tmp_path)
    session = open_session(path)
    session.move_leaf(session.snapshot().index.id_of(110 if name == BRANCHED else 40))
    before = path.read_bytes()
    result = compact(session, keep(400))
    assert path.read_bytes().startswith(before)
    again = open_session(path)
    assert again.leaf_id == result.entry_id
    context = again.context(again.leaf_id)
    summaries = [entry for entry in context.messages if entry["role"] == "compactionSummary"]
    assert [entry["summary"] for entry in summaries] == [result.summary]
    assert ("systemMessage" in result.entry) is (name == BRANCHED)
    assert result.estimated_tokens_after < result.tokens_before


@pytest.mark.spec("CP-12.2")
def test_a_request_over_the_window_is_refused_with_the_numbers(file: Callable[..., Path]) -> None:
    """Field report M15."""
    path = file()
    with LoopbackServer(silent) as server:
        session = open_session(path, with_model(server.url, context_window=1000, max_output_tokens=500))
        with pytest.raises(ServiceError, match=r"leaves 500 for the answer.*window of 1,000"):
            compact(session, keep(150))
    assert server.requests == []


@pytest.mark.spec("CP-12.2")
def test_a_limit_above_the_models_own_is_lowered(file: Callable[..., Path]) -> None:
    """Field report C14."""
    with LoopbackServer(chat("fine")) as server:
        compact(open_session(file(), with_model(server.url, max_output_tokens=4096)), keep(150))
    assert server.requests[0].json["max_tokens"] == 4096


def test_a_server_that_read_only_a_part_is_found_out(file: Callable[..., Path]) -> None:
    usage = {"choices": [], "usage": {"prompt_tokens": 40, "completion_tokens": 3}}
    script = stream([*_pieces("A fine summary."), f"data: {json.dumps(usage)}\n\n", "data: [DONE]\n\n"])
    path = file()
    before = path.read_bytes()
    with LoopbackServer(script) as server, pytest.raises(ServiceError, match="read 40 of about"):
        compact(open_session(path, with_model(server.url)), keep(150))
    assert path.read_bytes() == before


def _pieces(text: str) -> list[str]:
    from tests.services.loopback_server import chat_piece

    return [chat_piece(text), chat_piece(finish="stop")]


@pytest.mark.spec("CP-21", "O-180")
def test_retries_are_announced_and_their_wait_can_be_stopped(file: Callable[..., Path]) -> None:
    path = file()
    before = path.read_bytes()
    token = CancellationToken()

    def emit(event: Event) -> None:
        events.append(event)
        if isinstance(event, RetryScheduled):
            token.cancel()

    events = Events()
    busy = json_answer({"error": {"message": "busy"}}, "429 Too Many Requests", "retry-after: 17")
    with LoopbackServer(busy) as server:
        session = open_session(path, with_model(server.url))
        from services.cancellation import run_until_cancelled

        with pytest.raises(OperationCancelled):
            asyncio.run(run_until_cancelled(token, session.compact(keep(150), token, emit)))
    [scheduled] = events.of(RetryScheduled)
    assert (scheduled.attempt, scheduled.max_attempts, scheduled.delay_s) == (1, 2, 17.0)
    assert "busy" in scheduled.message
    assert scheduled.as_json()["delayMs"] == 17000
    assert [end.aborted for end in events.of(CompactionEnded)] == [True]
    assert path.read_bytes() == before
    assert not session.busy


@pytest.mark.spec("CP-23")
def test_an_abort_in_mid_stream_closes_the_connection(file: Callable[..., Path]) -> None:
    path = file()
    before = path.read_bytes()
    token = CancellationToken()
    with LoopbackServer(stream(_pieces("half")[:1], then=stay_open)) as server:
        session = open_session(path, with_model(server.url))

        def emit(event: Event) -> None:
            if event.event_name == "summary_delta":
                token.cancel()

        from services.cancellation import run_until_cancelled

        with pytest.raises(OperationCancelled):
            asyncio.run(run_until_cancelled(token, session.compact(keep(150), token, emit)))
        assert server.all_gone()
    assert path.read_bytes() == before


@pytest.mark.parametrize("with_summary", [True, False])
def test_a_file_that_was_replaced_meanwhile_is_left_alone(with_summary: bool, file: Callable[..., Path]) -> None:
    path = file()
    session = open_session(path)
    other = json.dumps(long_session()[0]) + "\n" + json.dumps(long_session()[1]) + "\n"

    async def review(draft: DraftSummary) -> str:
        path.write_text(other)
        return draft.text

    if with_summary:
        options = NavigationOptions(summarize=True, review=review)
        work: Any = session.navigate_tree("a0", options, CancellationToken(), Events())
    else:
        work = session.compact(keep(150, review=review), CancellationToken(), Events())
    with pytest.raises(ServiceError, match="changed meanwhile"):
        asyncio.run(work)
    assert path.read_text() == other
    assert not session.busy


# --- Settings of a model ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["write", "stop", None])
def test_a_program_that_went_on_meanwhile_is_not_left_behind_unasked(
    answer: str | None, file: Callable[..., Path]
) -> None:
    path = file()
    asked: list[RecentWriter] = []

    async def ask(writer: RecentWriter, _emit: object) -> Any:
        asked.append(writer)
        return answer

    session = open_session(path, **({} if answer is None else {"ask_about_writer": ask}))
    leaf_id = session.leaf_id
    foreign = message("agent1", leaf_id, "assistant", "At work.", stopReason="stop")

    async def review(draft: DraftSummary) -> str:
        with path.open("a", encoding="utf-8") as out:
            out.write(json.dumps(foreign) + "\n")
        return draft.text

    if answer == "write":
        result = compact(session, keep(150, review=review))
        *_, before, entry = lines_of(path)
        assert before == foreign
        assert (entry["id"], entry["parentId"]) == (result.entry_id, leaf_id)
        assert [(writer.entry_count, writer.text) for writer in asked] == [(1, result.summary)]
        return
    events = Events()
    with pytest.raises(WentOnError) as error:
        compact(session, keep(150, review=review), events)
    assert "Goal" in error.value.text
    assert lines_of(path)[-1] == foreign
    assert [event.aborted for event in events if isinstance(event, CompactionEnded)] == [False]
    assert session.leaf_id == leaf_id
    result = compact(session, keep(150))  # it goes along now
    assert result.entry["parentId"] == "agent1"


def overriding(key: str, keep: int, reserve: int) -> Callable[[Any], Any]:
    """Settings with values of their own for the model `key`."""
    override = {"keepRecentTokens": keep, "reserveTokens": reserve}
    return lambda given: given.replaced(compaction=given.compaction.replaced(model_overrides={key: override}))


@pytest.mark.spec("ST-3")
def test_the_values_of_the_model_that_is_set_up_count_for_a_compaction_by_hand(tmp_path: Path) -> None:
    path = write_session(tmp_path / "s.jsonl", long_session())
    with LoopbackServer(chat("HISTORY")) as server:
        model = with_model(server.url)
        override = overriding("openai-compatible/acme-1", 150, 2000)
        session = open_session(path, lambda given: override(model(given)))
        preview = session.preview_compaction()
        assert isinstance(preview, CompactionPreparation)
        assert preview.settings.keep_recent_tokens == 150
        result = asyncio.run(session.compact(CompactionOptions(), CancellationToken(), Events()))
        assert result.first_kept_entry_id == preview.first_kept_entry_id
        assert server.requests[0].json["max_tokens"] == 1600  # 0.8 of the reserve
        chosen = session.preview_compaction(leaf_id="a2", keep_recent_tokens=300)
        assert isinstance(chosen, CompactionPreparation)
        assert chosen.settings.keep_recent_tokens == 300


@pytest.mark.spec("ST-3")
def test_without_a_model_the_values_of_the_one_that_the_session_names_count(tmp_path: Path) -> None:
    entries = long_session()
    entries[-1]["message"] |= {"provider": "acme", "model": "large", "api": "x"}
    session = open_session(write_session(tmp_path / "s.jsonl", entries), overriding("acme/large", 150, 2000))
    assert isinstance(session.preview_compaction(), CompactionPreparation)
    assert isinstance(session.preview_compaction(leaf_id="a1"), NothingToCompact)  # nobody is named up to there
