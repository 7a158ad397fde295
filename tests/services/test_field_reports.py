"""What real users ran into with summaries, branches and token counts, each with what must happen instead.

The reports that a test of its subject covers are named there.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from model.compaction import CompactionPreparation
from model.json_text import JsonObject
from model.rules import BRANCHWORK, OMP_13_19, PI_1_6
from model.session_totals import session_totals
from model.summary_answers import NO_PRIOR_HISTORY
from model.token_estimates import context_size, estimate_tokens
from services.agent_session import AgentSession
from services.cancellation import CancellationToken
from services.endpoints.exchange import EndpointError, ModelRequest
from services.endpoints.http_exchange import Limits
from services.errors import ServiceError
from services.operations import CompactionOptions, NavigationOptions
from services.session_events import RetryScheduled
from services.summarizers.choice import make_endpoint
from tests.model.session_builders import Chain, text_block, tool_call
from tests.model.shaped_paths import prepared, shaped
from tests.services.loopback_server import (
    DONE,
    LoopbackServer,
    Script,
    answer,
    chat,
    chat_piece,
    close_at_once,
    cut_off,
    json_answer,
    stream,
)
from tests.services.sessions import Events, figure, open_session, with_model, write_session
from tests.services.test_compaction import by_pass, long_session

Operation = Callable[[AgentSession, Events], Any]


def compacted(session: AgentSession, events: Events) -> Any:
    return asyncio.run(session.compact(CompactionOptions(keep_recent_tokens=150), CancellationToken(), events))


def moved(session: AgentSession, events: Events) -> Any:
    options = NavigationOptions(summarize=True)
    return asyncio.run(session.navigate_tree("a0", options, CancellationToken(), events))


both = pytest.mark.parametrize("operation", [compacted, moved])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_session(tmp_path / "long.jsonl", long_session())


def failure(path: Path, operation: Operation, *scripts: Script) -> tuple[str, LoopbackServer, Events]:
    """Run an operation that must fail; return what is said. File and leaf are as before, and the session is idle."""
    before, events = path.read_bytes(), Events()
    with LoopbackServer(*scripts) as server:
        session = open_session(path, with_model(server.url))
        leaf_id = session.leaf_id
        with pytest.raises(ServiceError) as caught:
            operation(session, events)
    assert path.read_bytes() == before
    assert session.leaf_id == leaf_id
    assert not session.busy
    return str(caught.value), server, events


THINKING = [chat_piece(reasoning_content="hm, hm"), chat_piece(finish="stop"), DONE]


@both
@pytest.mark.parametrize("script", [chat(""), chat(" \n\t"), stream(THINKING)], ids=["empty", "blank", "thinking"])
def test_a_reply_without_text_is_never_a_summary(path: Path, operation: Operation, script: Script) -> None:
    """M01; M04: and the same request is not made again, which would say the same."""
    text, server, _ = failure(path, operation, script)
    assert "is empty" in text
    assert len(server.requests) == 1


@both
def test_a_reply_that_was_cut_off_is_not_saved(path: Path, operation: Operation) -> None:
    """M02: the part that came stays readable, and what to do is said."""
    before = path.read_bytes()
    with LoopbackServer(chat("Half a sum", finish="length")) as server:
        session = open_session(path, with_model(server.url))
        with pytest.raises(ServiceError, match="Raise the reserve") as caught:
            operation(session, Events())
    assert getattr(caught.value, "partial_text", "") == "Half a sum"
    assert path.read_bytes() == before


@both
def test_no_tools_are_offered_and_a_call_is_no_summary(path: Path, operation: Operation) -> None:
    """M05."""
    call = {"index": 0, "id": "c", "function": {"name": "read", "arguments": "{}"}}
    text, server, _ = failure(
        path, operation, stream([chat_piece(tool_calls=[call]), chat_piece(finish="tool_calls"), DONE])
    )
    assert "tried to call a tool" in text
    assert not {"tools", "tool_choice", "functions"} & set(server.requests[0].json)


DROPPED = stream([chat_piece("x" * 1000)], then=cut_off)
OVERLOADED = json_answer({"error": {"message": "overloaded"}}, "529 Overloaded")
INTERNAL = json_answer({"error": {"message": "boom"}}, "500 Internal Server Error")


@both
@pytest.mark.parametrize("first", [DROPPED, OVERLOADED, INTERNAL, close_at_once])
def test_a_passing_failure_is_tried_again(path: Path, operation: Operation, first: Script) -> None:
    """M06: with a count, and the text of the first attempt is forgotten."""
    events = Events()
    with LoopbackServer(first, chat("## Goal\nFine.")) as server:
        session = open_session(path, with_model(server.url))
        operation(session, events)
    assert len(server.requests) == 2
    assert [(each.attempt, each.max_attempts) for each in events.of(RetryScheduled)] == [(1, 2)]
    assert b"Fine." in path.read_bytes()
    assert b"xxx" not in path.read_bytes()


@both
def test_tries_are_bounded_and_a_lasting_failure_is_not_tried_again(path: Path, operation: Operation) -> None:
    """M06."""
    _, server, _ = failure(path, operation, DROPPED)
    assert len(server.requests) == 3  # 2 retries in the settings
    _, server, _ = failure(path, operation, json_answer({"error": {"message": "no such model"}}, "404 Not Found"))
    assert len(server.requests) == 1


def test_a_failure_of_the_second_call_applies_nothing_old(tmp_path: Path) -> None:
    """M11: all or nothing, though an older summary is at hand."""
    path = write_session(tmp_path / "long.jsonl", long_session(split=True, previous="OLD SUMMARY"))
    text, _, _ = failure(path, compacted, by_pass(history=chat("HISTORY"), prefix=chat("")))
    assert "turn prefix" in text


@both
def test_without_a_model_nothing_takes_its_place(path: Path, operation: Operation) -> None:
    """M12: no model, no key, an unexpected error: cancelled, never a placeholder in place of the history."""
    before = path.read_bytes()
    session = open_session(path)
    work: Any
    if operation is compacted:
        options = CompactionOptions(keep_recent_tokens=150, summarizer="model")
        work = session.compact(options, CancellationToken(), Events())
    else:
        given = NavigationOptions(summarize=True, summarizer="model")
        work = session.navigate_tree("a0", given, CancellationToken(), Events())
    with pytest.raises(ServiceError, match="no summariser 'model'"):
        asyncio.run(work)
    assert path.read_bytes() == before
    text, _, _ = failure(path, operation, json_answer({"error": {"message": "no key"}}, "401 Unauthorized"))
    assert "key" in text


def test_an_unexpected_error_leaves_the_session_usable(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """M12, X09."""
    before = path.read_bytes()
    with LoopbackServer(chat("## Goal\nFine.")) as server:
        session = open_session(path, with_model(server.url))
        with monkeypatch.context() as patch:
            patch.setattr("services.summarizers.by_model.checked_text", lambda *_: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                compacted(session, Events())
        assert path.read_bytes() == before
        assert not session.busy
        compacted(session, Events())
    assert path.read_bytes() != before


QUOTA = {"error": {"message": "You exceeded your current quota", "type": "insufficient_quota"}}


@both
@pytest.mark.parametrize(
    ("script", "words"),
    [
        (json_answer(QUOTA, "402 Payment Required"), ("402", "quota")),
        (json_answer(QUOTA, "403 Forbidden"), ("403", "quota")),
        (answer("<html><body>Nope</body></html>", "text/html", "403 Forbidden"), ("403",)),
        (answer("", "text/plain", "402 Payment Required"), ("402",)),
    ],
    ids=["402", "403", "html", "empty"],
)
def test_a_quota_error_is_a_sentence_with_its_status(
    path: Path, operation: Operation, script: Script, words: tuple[str, ...]
) -> None:
    """M13."""
    text, server, _ = failure(path, operation, script)
    assert all(word in text for word in words)
    assert "<" not in text
    assert len(server.requests) == 1


def test_a_stream_that_trickles_ends_at_the_total_limit() -> None:
    """M14: each piece comes in time, all of them together do not."""
    with LoopbackServer(stream([chat_piece("x")] * 400, pause_s=0.02)) as server:
        limits = Limits(connect_s=5, idle_s=5, total_s=0.3)
        endpoint = make_endpoint("openai-compatible", server.url, "m", "", limits=limits)
        with pytest.raises(EndpointError) as caught:
            asyncio.run(endpoint.send(ModelRequest.of_prompt("", "hello", 0, "id"), lambda _text: None))
        assert server.all_gone()
    assert caught.value.partial_text.startswith("x")
    assert not caught.value.transient


def test_a_silent_stream_ends_at_the_idle_limit() -> None:
    """M14."""
    quiet = stream([chat_piece("x")], then=lambda connection: connection.wait_until_gone())
    with LoopbackServer(quiet) as server:
        limits = Limits(connect_s=5, idle_s=0.2, total_s=60)
        endpoint = make_endpoint("openai-compatible", server.url, "m", "", limits=limits)
        with pytest.raises(EndpointError):
            asyncio.run(endpoint.send(ModelRequest.of_prompt("", "hello", 0, "id"), lambda _text: None))
        assert server.all_gone()


def test_a_server_that_dies_leaves_the_session_as_it_was(path: Path) -> None:
    """M16: closed and opened again, the session is the same and goes on."""
    failure(path, compacted, DROPPED)
    again = open_session(path)
    assert again.leaf_id == "a2"
    assert compacted(again, Events()).entry_id == again.leaf_id


def test_long_tool_results_are_shortened_in_a_prompt(tmp_path: Path) -> None:
    """M15."""
    chain = Chain()
    chain.user("read it")
    chain.assistant([tool_call("t1", "read", path="big.txt")], stopReason="toolUse")
    chain.tool_result(text="r" * 400_000)
    chain.assistant("read")
    chain.user("next")
    chain.assistant("answer " * 300)
    session = open_session(write_session(tmp_path / "s.jsonl", [figure()[0], *chain.entries]))
    preview = session.preview_compaction(keep_recent_tokens=300)
    assert isinstance(preview, CompactionPreparation)
    requests = session.compaction_prompts(preview)
    assert any("rrr" in request.prompt for request in requests)
    assert all(len(request.prompt) < 10_000 for request in requests)


# --- Cutting ---------------------------------------------------------------------------------------------------------


def test_results_larger_than_the_budget_do_not_hide_the_cut() -> None:
    """C01: four results of 22 000 tokens at the end, 20 000 to keep: cut before their call, never "nothing"."""
    path = shaped("u a u a u a t(22000) t(22000) t(22000) t(22000)")
    preparation = prepared(path, 20_000)
    assert preparation.first_kept_entry_id == "6"
    assert preparation.keep.tokens > 20_000
    assert preparation.summarize.tokens + preparation.turn_prefix.tokens > 0


def test_after_two_compactions_every_kept_result_has_its_call() -> None:
    """C03: what the second keeps spans the first, with calls on both sides."""
    chain = Chain()
    for turn in range(6):
        chain.user("x" * 400)
        chain.assistant([text_block("x" * 400), tool_call(f"t{turn}")], stopReason="toolUse")
        chain.tool_result(f"t{turn}", "x" * 400)
        chain.assistant("x" * 400)
        if turn == 3:
            chain.compaction("e10")
    for keep in range(50, 1400, 50):
        kept = prepared(chain.entries, keep).keep.messages
        calls = {block["id"] for message in kept for block in blocks_of(message) if block["type"] == "toolCall"}
        assert {message["toolCallId"] for message in kept if message["role"] == "toolResult"} <= calls


def blocks_of(message: JsonObject) -> list[JsonObject]:
    content = message.get("content")
    return content if isinstance(content, list) else []


def test_what_the_first_compaction_kept_is_in_a_group_of_the_second() -> None:
    """C04: u1 … u3, compacted with u2 and u3 kept, u4, compacted again: nobody is lost."""
    path = shaped("u a u a u a C(3) u a")
    preparation = prepared(path, 150)
    grouped = [
        id for group in (preparation.summarize, preparation.turn_prefix, preparation.keep) for id in group.source_ids
    ]
    assert grouped == ["3", "4", "5", "6", "8", "9"]
    assert not preparation.unsummarized_dropped.messages


def test_a_dead_branch_is_not_summarised(tmp_path: Path) -> None:
    """C06."""
    entries = long_session()
    dead = {**entries[2], "id": "dead", "parentId": "u0", "message": {**entries[2]["message"], "content": "Xylophone"}}
    path = write_session(tmp_path / "s.jsonl", [*entries[:3], dead, *entries[3:]])
    with LoopbackServer(chat("## Goal\nFine.")) as server:
        session = open_session(path, with_model(server.url))
        compacted(session, Events())
    assert b"Xylophone" not in server.requests[0].body
    assert b"Answer 0" in server.requests[0].body


def test_the_latest_compaction_of_the_active_path_counts(tmp_path: Path) -> None:
    """C08: three of them on the path, a fourth on a dead branch behind them in the file."""
    chain = Chain()
    for number in range(3):
        chain.user("x" * 400)
        last = chain.assistant("x" * 400)
        chain.compaction(last["id"], f"SUMMARY {number}")
    live = chain.user("x" * 400)
    chain.assistant("x" * 400)
    leaf = chain.assistant("x" * 400)
    chain.add("compaction", parent=live["id"], summary="DEAD", firstKeptEntryId=live["id"], tokensBefore=1)
    session = open_session(write_session(tmp_path / "s.jsonl", [figure()[0], *chain.entries]))
    session.move_leaf(leaf["id"])
    preview = session.preview_compaction(keep_recent_tokens=150)
    assert isinstance(preview, CompactionPreparation)
    assert preview.previous_summary == "SUMMARY 2"


def test_one_turn_alone_says_that_there_is_no_history(tmp_path: Path) -> None:
    """C15: one turn larger than what is kept, with nothing in front of it."""
    entries = long_session(split=True)
    [header, *rest] = entries
    turn = [entry for entry in rest if entry["id"] in ("u3", "s0", "s1", "s2", "s3")]
    path = write_session(tmp_path / "s.jsonl", [header, {**turn[0], "parentId": None}, *turn[1:]])
    with LoopbackServer(chat("PREFIX")) as server:
        session = open_session(path, with_model(server.url))
        summary = compacted(session, Events()).summary
    assert len(server.requests) == 1
    assert summary.startswith(f"{NO_PRIOR_HISTORY}\n\n---\n\n")
    assert summary.endswith("PREFIX")


# --- Branches --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("instructions", [None, "only the tests"])
def test_the_preview_shows_exactly_what_is_sent(path: Path, instructions: str | None) -> None:
    """B01: the prompt as a whole; tool results are not in it, and the calls are."""
    options = NavigationOptions(summarize=True, custom_instructions=instructions)
    with LoopbackServer(chat("## Goal\nFine.")) as server:
        session = open_session(path, with_model(server.url))
        preview = session.preview_navigation("a0", options)
        asyncio.run(session.navigate_tree("a0", options, CancellationToken(), Events()))
    messages = server.requests[0].json["messages"]
    assert [each["content"] for each in messages] == [preview.system_prompt, preview.prompt]


@pytest.mark.parametrize("with_results", [False, True])
def test_what_tools_returned_is_sent_where_that_is_wanted(tmp_path: Path, with_results: bool) -> None:
    """B01: a finding that stands in a result only; it is shortened, and shown before."""
    records = figure()
    finding = next(each for each in records if each.get("message", {}).get("role") == "toolResult")
    finding["message"]["content"][0]["text"] = "The port is 4711." + "." * 5000
    options = NavigationOptions(summarize=True, with_tool_results=with_results)
    with LoopbackServer(chat("## Goal\nFine.")) as server:
        session = open_session(write_session(tmp_path / "s.jsonl", records), with_model(server.url))
        preview = session.preview_navigation("f0000000", options)
        asyncio.run(session.navigate_tree("f0000000", options, CancellationToken(), Events()))
    sent = server.requests[0].json["messages"][-1]["content"]
    assert sent == preview.prompt
    assert ("The port is 4711." in sent) is with_results
    assert "." * 3000 not in sent


def test_a_branch_whose_summary_fails_is_not_dumped(tmp_path: Path) -> None:
    """B04: four hundred entries, the endpoint down: an error and no entry."""
    chain = Chain()
    chain.user("start", id="a0")
    for _ in range(200):
        chain.user("question " * 20)
        chain.assistant("answer " * 20)
    path = write_session(tmp_path / "s.jsonl", [figure()[0], *chain.entries])
    text, _, _ = failure(path, moved, json_answer({"error": {"message": "down"}}, "503 Service Unavailable"))
    assert "503" in text


# --- Token counts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["user", "toolResult"])
def test_images_count_as_each_agent_has_them_and_always_with_us(role: str) -> None:
    """K03: the number for parity is the agent's own; ours counts each image, wherever it stands."""
    image = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
    message = {"role": role, "content": [text_block("x" * 40), *[image] * 5]}
    all_of_it = 10 + 5 * 1200
    assert estimate_tokens(message, BRANCHWORK) == all_of_it
    assert estimate_tokens(message, PI_1_6) == all_of_it
    assert estimate_tokens(message, OMP_13_19) == (10 if role == "user" else all_of_it)


def test_cached_tokens_are_part_of_the_context() -> None:
    """K05: the total, else the sum of all four."""
    counts = {"input": 900, "output": 100, "cacheRead": 190_000, "cacheWrite": 0}
    assert context_size({**counts, "totalTokens": 0}) == 191_000
    assert context_size({**counts, "totalTokens": 200_000}) == 200_000


def test_path_file_and_context_are_three_numbers(tmp_path: Path) -> None:
    """K09: what was used altogether is more than what follows the last compaction, and more than the context."""
    used = {"input": 1000, "output": 10, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 1010}
    chain = Chain()
    first = chain.user("x" * 400)
    for _ in range(2):
        chain.user("x" * 400)
        last = chain.assistant("x" * 400, usage=used)
        chain.compaction(last["id"])
    leaf = chain.assistant("x" * 400, usage=used)
    for _ in range(2):
        chain.assistant("x" * 400, usage=used, parent=first["id"])
    session = open_session(write_session(tmp_path / "s.jsonl", [figure()[0], *chain.entries]))
    path_total = session_totals(session.snapshot().path(leaf["id"])).tokens
    file_total = session_totals(chain.entries).tokens
    usage = session.context_usage(leaf["id"], 100_000)
    assert usage is not None
    assert (path_total, file_total, usage.tokens) == (3030, 5050, 1010)
