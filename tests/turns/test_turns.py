"""The long session: success, overflow, retry, threshold, abort, transient errors, and what they leave in the file."""

import asyncio
import errno
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from model.dialects import Dialect
from model.turn_messages import AttachedImage
from services.agent_session import AgentSession
from services.agent_turns import TurnResult
from services.answering_model import NoModelError
from services.cancellation import CancellationToken, OperationCancelled, run_until_cancelled
from services.disk import Disk
from services.errors import BusyError
from services.operations import CompactionOptions
from services.questions import RecentWriter
from services.session_events import CompactionStarted, Event, TurnDelta, TurnRetryScheduled
from services.session_store import SessionStore, WriteError
from services.summarizers.secret_gate import SecretsHeldBack
from tests.cli.agents_open import assert_agents_open
from tests.services.loopback_server import DONE, chat, chat_piece, chat_usage, json_answer, stream
from tests.services.sessions import Events
from tests.services.test_hooks import hooks_of, noting, plugin
from tests.turns.event_words import in_words
from tests.turns.playbook import (
    FILLER,
    Playbook,
    answers,
    breaks_off,
    cut_off_by_a_full_window,
    history,
    overflows,
    overloaded,
    play_on,
    records_of,
    stalls,
)

DIALECTS: list[Dialect] = ["pi", "omp"]
STILL = (
    "compaction ends: overflow, Context overflow recovery failed: "
    "the context is still too large after one compact-and-retry attempt."
)
TURN = ["turn starts", "text", "turn ends: stop"]
FAILED = ["turn starts", "turn ends: error"]
RECOVERED = ["compaction starts: overflow", "compaction ends: overflow, saved, will retry"]
COMPACTED = ["compaction starts: threshold", "compaction ends: threshold, saved"]


def say(
    session: AgentSession,
    text: str,
    emit: Callable[[Event], None],
    token: CancellationToken | None = None,
    images: tuple[AttachedImage, ...] = (),
) -> TurnResult:
    token = token or CancellationToken()
    return asyncio.run(run_until_cancelled(token, session.prompt(text, images, token, emit)))


def assert_sound(path: Path) -> None:
    """The file reads back without problems, and an agent can open it."""
    store = SessionStore.open(path)
    assert store.problems == ()
    store.close()
    assert_agents_open(path)


ROUNDS = 8


def round_of_turns(dialect: Dialect) -> list[Any]:
    """What the model does in one round of eight prompts; the same again in the next round."""
    return [
        answers("Fine."),
        overloaded(),
        breaks_off("Beginning"),
        answers("There it is."),
        overflows(),
        answers(f"After the recovery. {FILLER}"),
        answers("Large.", context=3500),
        *([answers("Nothing left to do.")] if dialect == "omp" else []),
        stalls("Half an"),
        answers("Again."),
        overflows(),
        overflows(),
        answers(f"Smaller. {FILLER}"),
    ]


def log_of_round(dialect: Dialect) -> list[list[str]]:
    """What is specified to be told in such a round, prompt by prompt (CP-2, CP-20, CP-21.4, HK-9)."""
    synthetic = ["turn starts synthetic", "text", "turn ends: stop"] if dialect == "omp" else []
    return [
        TURN,
        [
            *FAILED, "retry 1 of 2",
            "turn starts retry", "text", "turn ends: error", "retry 2 of 2",
            "turn starts retry", "text", "turn ends: stop", "retries end: success",
        ],
        [*FAILED, *RECOVERED, *TURN],
        [*TURN, *COMPACTED, *synthetic],
        ["turn starts", "text", "turn ends: aborted"],
        TURN,
        [*FAILED, *RECOVERED, *FAILED, STILL],
        ["compaction starts: overflow", "compaction ends: overflow, skipped", *TURN],  # a new prompt, a new attempt
    ]  # fmt: skip


@pytest.mark.spec("CP-2", "CP-20", "CP-21.4", "HK-9")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_long_session_tells_what_is_specified(dialect: Dialect, tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    book = Playbook(*(script for _ in range(ROUNDS) for script in round_of_turns(dialect)))
    events = Events()
    with book.server as server:
        session = play_on(path, server.url, dialect, records=history(dialect))

        def turn(text: str, *, stop: bool = False) -> list[str]:
            events.clear()
            token = CancellationToken()

            def emit(event: Event) -> None:
                events.append(event)
                if stop and isinstance(event, TurnDelta):
                    token.cancel()

            assert say(session, text, emit, token).aborted == stop
            return in_words(events)

        for number in range(ROUNDS):
            log = [
                turn(f"Begin round {number}."),
                turn("It is slow today."),
                turn(f"Too much. {FILLER * 2}"),
                turn(f"Fill it. {FILLER * 2}"),
                turn("Stop me.", stop=True),
                turn("Once more."),
                turn(f"Two in a row. {FILLER * 2}"),
                turn("Smaller then."),
            ]
            assert log == log_of_round(dialect), f"round {number}"
    assert book.is_over()
    assert_sound(path)
    entries = records_of(path)[1:]
    assert all(later["parentId"] == earlier["id"] for earlier, later in pairwise(entries))


@pytest.mark.spec("CP-2.4")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_failure_leaves_the_live_messages_and_stays_in_the_file(dialect: Dialect, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    book = Playbook(overflows(), answers("Recovered."))
    with book.server as server:
        session = play_on(path, server.url, dialect, records=history(dialect))
        say(session, "Go on.", Events())
    entries = records_of(path)
    failure = next(entry for entry in entries if entry.get("message", {}).get("stopReason") == "error")
    assert "prompt is too long" in failure["message"]["errorMessage"]
    edits = [entry for entry in entries if entry["type"] == "context_edit"]
    if dialect == "pi":
        [edit] = edits
        assert (edit["targetId"], edit["replacement"]) == (failure["id"], None)
    else:
        assert edits == []
    assert failure["id"] in session.left_out
    asked_again = book.asked[1]["messages"]
    assert "Ship it." in asked_again[0]["content"]
    assert asked_again[-1] == {"role": "user", "content": asked_again[-1]["content"]}
    assert asked_again[-1]["content"].endswith("Go on.")
    assert "tools" not in book.asked[0]


@pytest.mark.spec("CP-2.5", "R-22")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_synthetic_prompt_is_stored_as_its_dialect_does(dialect: Dialect, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    book = Playbook(*(answers(f"Large. {FILLER}", context=3500) for _ in range(2)))
    with book.server as server:
        session = play_on(
            path,
            server.url,
            dialect,
            lambda given: given.replaced(compaction=given.compaction.replaced(auto_continue=True)),
            records=history(dialect),
        )
        events = Events()
        say(session, "Go.", events)
    messages = [entry["message"] for entry in records_of(path) if entry["type"] == "message"]
    [synthetic] = [each for each in messages if "Continue if you have next steps." in str(each["content"])]
    assert synthetic["content"] == [{"type": "text", "text": "Continue if you have next steps."}]
    assert synthetic["role"] == ("developer" if dialect == "omp" else "user")
    assert synthetic.get("attribution") == ("agent" if dialect == "omp" else None)
    assert in_words(events) == [*TURN, *COMPACTED, "turn starts synthetic", *TURN[1:], *COMPACTED]
    assert book.is_over()  # it goes on by itself once, not for ever
    assert_sound(path)


@pytest.mark.spec("CP-3", "R-23")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_pruning_comes_first_and_can_be_enough(dialect: Dialect, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    records = history(dialect, 8, tool_tokens=10_000)
    records[-1]["message"]["usage"] |= {"input": 95_000, "totalTokens": 95_000}
    book = Playbook(answers("Fine."))
    with book.server as server:
        session = play_on(
            path,
            server.url,
            dialect,
            lambda given: given.replaced(pruning=given.pruning.replaced(enabled=True)),
            records=records,
            window=90_000,
        )
        events = Events()
        say(session, "Go.", events)
    assert in_words(events) == ["pruned 4", *TURN]
    entries = records_of(path)
    if dialect == "omp":
        pruned = [entry["message"] for entry in entries if entry.get("message", {}).get("prunedAt")]
        assert [each["content"][0]["text"] for each in pruned] == ["[Output truncated - 10000 tokens]"] * 4
        assert list(tmp_path.glob("*.bak"))
    else:
        edits = [entry for entry in entries if entry["type"] == "context_edit"]
        assert [edit["targetId"] for edit in edits] == ["t0", "t1", "t2", "t3"]
    assert_sound(path)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_compaction_that_frees_nothing_ends_it(dialect: Dialect, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    book = Playbook(answers("Large.", context=3500), summary=chat("## Goal\n" + "word " * 4000))
    with book.server as server:
        session = play_on(path, server.url, dialect, records=history(dialect))
        events = Events()
        say(session, "Go.", events)
    assert in_words(events) == [*TURN, *COMPACTED, "notice: warning"]
    assert book.is_over()
    assert_sound(path)


@pytest.mark.spec("CP-22")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_recovery_that_fails_leaves_a_session_to_go_on_with(dialect: Dialect, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    told: list[Any] = []
    book = Playbook(overflows(), answers("Good."), summary=json_answer({"error": {"message": "no"}}, "403 Forbidden"))
    with book.server as server:
        session = play_on(
            path,
            server.url,
            dialect,
            records=history(dialect),
            hooks=hooks_of(plugin(session_compact_failed=noting(told))),
        )
        events = Events()
        result = say(session, "Go.", events)
        assert (result.stop_reason, result.aborted) == ("error", False)
        assert told[0].error_message.startswith("Context overflow recovery failed: 127.0.0.1")
        assert in_words(events)[-1].startswith("compaction ends: overflow, Context overflow recovery failed: ")
        events.clear()
        assert say(session, "Again.", events).stop_reason == "stop"
    assert in_words(events) == TURN
    assert_sound(path)


@pytest.mark.spec("HK-9", "CP-20")
def test_hooks_and_events_come_in_their_order(tmp_path: Path) -> None:
    order: list[str] = []
    hooks = hooks_of(
        plugin(
            session_before_compact=lambda event, ctx: order.append(f"before {event.reason} {event.will_retry}"),
            session_compact=lambda event, ctx: order.append(f"compact {event.reason} {event.will_retry}"),
        )
    )

    def emit(event: Event) -> None:
        if event.event_name in ("compaction_start", "compaction_end", "turn_start", "turn_end"):
            order.append(event.event_name)

    book = Playbook(overflows(), answers("Fine."))
    with book.server as server:
        session = play_on(tmp_path / "s.jsonl", server.url, "pi", records=history("pi"), hooks=hooks)
        say(session, "Go.", emit)
    assert order == [
        "turn_start",
        "turn_end",
        "compaction_start",
        "before overflow True",
        "compact overflow True",
        "compaction_end",
        "turn_start",
        "turn_end",
    ]


# --- Guards ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_overflow_of_another_model_compacts_nothing(dialect: Dialect, tmp_path: Path) -> None:
    """Field report C19."""
    path = tmp_path / "s.jsonl"
    records = history(dialect)
    records[-1]["message"] |= {"stopReason": "error", "errorMessage": "prompt is too long", "content": []}
    book = Playbook(answers("Fine."))
    with book.server as server:
        events = Events()
        say(play_on(path, server.url, dialect, records=records), "Go.", events)
    assert in_words(events) == TURN


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_overflow_of_this_model_in_the_file_is_recovered_from_before_the_prompt(
    dialect: Dialect, tmp_path: Path
) -> None:
    path = tmp_path / "s.jsonl"
    records = history(dialect)
    own = {"provider": "openai-compatible", "model": "acme-1", "timestamp": 1_700_000_000_000}
    records[-1]["message"] |= {"stopReason": "error", "errorMessage": "prompt is too long", "content": [], **own}
    book = Playbook(answers("Fine."))
    with book.server as server:
        events = Events()
        say(play_on(path, server.url, dialect, records=records), "Go.", events)
    assert in_words(events) == [*RECOVERED, *TURN]


def test_usage_from_before_a_compaction_triggers_nothing(tmp_path: Path) -> None:
    """Field report C09."""
    path = tmp_path / "s.jsonl"
    book = Playbook(answers("Large.", context=3500), answers("Small."))
    with book.server as server:
        session = play_on(path, server.url, "pi", records=history("pi"))
        say(session, "Go.", Events())
        events = Events()
        say(session, "On.", events)
    assert in_words(events) == TURN


def test_nothing_happens_after_an_abort(tmp_path: Path) -> None:
    """Field report C17."""
    path = tmp_path / "s.jsonl"
    book = Playbook(answers("Large.", context=3500), answers("Small."))
    token = CancellationToken()
    events = Events()

    def emit(event: Event) -> None:
        events.append(event)
        if isinstance(event, CompactionStarted):
            token.cancel()

    with book.server as server:
        session = play_on(path, server.url, "omp", records=history("omp"))
        result = say(session, "Go.", emit, token)
        assert result.aborted
        assert in_words(events) == [*TURN, "compaction starts: threshold", "compaction ends: threshold, aborted"]
        assert len(book.asked) == 1
        assert not session.busy
    assert_sound(path)


def test_answers_that_are_all_errors_still_count(tmp_path: Path) -> None:
    """C10: An error has no usage, yet the context has a size: the estimate compacts before the next prompt."""
    path = tmp_path / "s.jsonl"
    records = history("pi", 16)
    for record in records:
        if record.get("message", {}).get("role") == "assistant":
            record["message"] |= {"stopReason": "error", "errorMessage": "boom", "timestamp": 1_700_000_000_000}
    book = Playbook(answers("Fine."))
    with book.server as server:
        events = Events()
        session = play_on(
            path,
            server.url,
            "pi",
            lambda given: given.replaced(compaction=given.compaction.replaced(reserve_tokens=5000)),
            records=records,
            window=8000,
        )
        say(session, "Go.", events)
    assert in_words(events) == [*COMPACTED, *TURN]


def test_without_a_known_window_nothing_is_checked(tmp_path: Path) -> None:
    book = Playbook(overflows())
    with book.server as server:
        session = play_on(tmp_path / "s.jsonl", server.url, "omp", records=history("omp"), window=None)
        events = Events()
        say(session, "Go.", events)
    assert in_words(events) == FAILED


@pytest.mark.spec("R-20")
def test_a_good_answer_above_the_window_is_for_the_threshold(tmp_path: Path) -> None:
    book = Playbook(answers("Larger than the window.", context=4500))
    with book.server as server:
        events = Events()
        say(play_on(tmp_path / "s.jsonl", server.url, "pi", records=history("pi")), "Go.", events)
    assert in_words(events) == [*TURN, *COMPACTED]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_full_window_without_output_is_recovered_from_once(dialect: Dialect, tmp_path: Path) -> None:
    """Field report C11."""
    book = Playbook(cut_off_by_a_full_window(), cut_off_by_a_full_window())
    with book.server as server:
        session = play_on(tmp_path / "s.jsonl", server.url, dialect, records=history(dialect))
        events = Events()
        say(session, "Go.", events)
    cut = ["turn starts", "turn ends: length"]
    assert in_words(events) == [*cut, *RECOVERED, *cut, STILL]
    assert book.is_over()


def test_an_answer_cut_off_in_a_small_context_compacts_nothing(tmp_path: Path) -> None:
    """Field report C13."""
    short = stream([chat_piece("Cut"), chat_piece(finish="length"), chat_usage(280, 20), DONE])
    with (book := Playbook(short)).server as server:
        session = play_on(tmp_path / "s.jsonl", server.url, "pi", records=history("pi"))
        events = Events()
        say(session, "Go.", events)
    assert in_words(events) == ["turn starts", "text", "turn ends: length"]
    assert book.is_over()


def test_what_an_abort_left_too_large_is_compacted_before_the_next_prompt(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    records = history("pi")
    records[-3]["message"]["usage"] |= {"input": 3500, "totalTokens": 3500}
    records[-1]["message"] |= {"stopReason": "aborted", "errorMessage": "Request was aborted."}
    book = Playbook(answers("Fine."))
    with book.server as server:
        events = Events()
        say(play_on(path, server.url, "pi", records=records), "Go.", events)
    assert in_words(events) == [*COMPACTED, *TURN]


@pytest.mark.spec("CP-2")
def test_a_compaction_by_hand_stops_the_turn_first(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    book = Playbook(stalls("Half an"))
    events = Events()

    async def both(session: AgentSession) -> TurnResult:
        arrived = asyncio.Event()

        def emit(event: Event) -> None:
            events.append(event)
            if isinstance(event, TurnDelta):
                arrived.set()

        turn = asyncio.create_task(session.prompt("Go.", (), CancellationToken(), emit))
        await arrived.wait()
        await session.compact(CompactionOptions(), CancellationToken(), emit)
        return await turn

    with book.server as server:
        session = play_on(path, server.url, "pi", records=history("pi"))
        result = asyncio.run(both(session))
    assert result.aborted
    assert in_words(events) == [
        "turn starts", "text", "turn ends: aborted", "compaction starts: manual", "compaction ends: manual, saved",
    ]  # fmt: skip
    assert [entry["type"] for entry in records_of(path)][-2:] == ["message", "compaction"]
    assert_sound(path)


def test_a_rate_limit_that_speaks_of_tokens_is_no_overflow(tmp_path: Path) -> None:
    """Field report C19."""
    limited = json_answer({"error": {"message": "Rate limit: too many tokens per minute"}}, "429 Too Many Requests")
    book = Playbook(limited, answers("Fine."))
    with book.server as server:
        session = play_on(tmp_path / "s.jsonl", server.url, "pi", records=history("pi"))
        events = Events()
        say(session, "Go.", events)
    assert in_words(events) == [
        *FAILED,
        "retry 1 of 2",
        "turn starts retry",
        "text",
        "turn ends: stop",
        "retries end: success",
    ]


# --- What is stored --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", DIALECTS)
def test_prompt_and_answer_have_the_shape_of_the_dialect(dialect: Dialect, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    book = Playbook(answers("An image."))
    with book.server as server:
        session = play_on(path, server.url, dialect, records=history(dialect))
        image = AttachedImage("image/png", "aGVsbG8=")
        result = say(session, "What is this?", Events(), images=(image,))
    *_, prompt, answer = records_of(path)
    assert (prompt["id"], answer["id"]) == (result.prompt_entry_id, result.answer_entry_id)
    assert prompt["message"]["content"] == [
        {"type": "text", "text": "What is this?"},
        {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"},
    ]
    assert list(prompt["message"])[2:] == (["attribution", "timestamp"] if dialect == "omp" else ["timestamp"])
    message = answer["message"]
    assert (message["api"], message["provider"], message["model"]) == (
        "openai-completions",
        "openai-compatible",
        "acme-1",
    )
    assert message["usage"]["totalTokens"] == 500
    assert message["usage"]["cost"]["total"] == 0
    assert (message["stopReason"], "errorMessage" in message) == ("stop", False)
    sent = book.asked[0]["messages"][-1]["content"]
    assert sent[-1] == {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGVsbG8="}}


def test_a_prompt_from_inside_the_tree_makes_a_branch(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    book = Playbook(answers("Another way."))
    with book.server as server:
        session = play_on(path, server.url, "pi", records=history("pi"))
        session.move_leaf("a0")
        result = say(session, "Otherwise.", Events())
    prompt = next(entry for entry in records_of(path) if entry["id"] == result.prompt_entry_id)
    assert prompt["parentId"] == "a0"
    assert "Request 1" not in str(book.asked[0])
    assert session.leaf_id == result.answer_entry_id


def test_an_answer_that_is_stopped_keeps_what_arrived(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    token = CancellationToken()
    book = Playbook(stalls("Half an answer"))
    with book.server as server:
        session = play_on(path, server.url, "pi", records=history("pi"))

        def stop_at_text(event: Event) -> None:
            if isinstance(event, TurnDelta):
                token.cancel()

        result = say(session, "Go.", stop_at_text, token)
    assert result.aborted
    message = records_of(path)[-1]["message"]
    assert message["content"] == [{"type": "text", "text": "Half an answer"}]
    assert (message["stopReason"], message["errorMessage"]) == ("aborted", "Request was aborted.")
    assert not session.busy


def test_a_stop_in_the_pause_before_a_retry_asks_no_more(tmp_path: Path) -> None:
    token = CancellationToken()
    events = Events()

    def emit(event: Event) -> None:
        events.append(event)
        if isinstance(event, TurnRetryScheduled):
            token.cancel()

    book = Playbook(overloaded())
    with book.server as server:
        session = play_on(
            tmp_path / "s.jsonl",
            server.url,
            "pi",
            lambda given: given.replaced(retry=given.retry.replaced(base_delay_ms=60_000)),
            records=history("pi"),
        )
        result = say(session, "Go.", emit, token)
    assert result.aborted
    assert in_words(events) == [*FAILED, "retry 1 of 2", "retries end: failure"]


def test_the_answer_goes_to_the_branch_that_was_asked(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    book = Playbook(answers("Here."))
    with book.server as server:
        session = play_on(path, server.url, "pi", records=history("pi"))

        def emit(event: Event) -> None:
            if isinstance(event, TurnDelta):
                session.move_leaf("a0")

        result = say(session, "Go.", emit)
    answer = next(entry for entry in records_of(path) if entry["id"] == result.answer_entry_id)
    assert answer["parentId"] == result.prompt_entry_id
    assert session.leaf_id == "a0"


class FullDisk(Disk):
    """A disk that takes nothing more once it is full."""

    def __init__(self) -> None:
        self.is_full = False

    def write(self, handle: int, data: bytes | memoryview) -> int:
        if self.is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(handle, data)


def test_an_answer_that_cannot_be_stored_is_an_error_and_harms_nothing(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    disk = FullDisk()
    texts: list[str] = []

    def emit(event: Event) -> None:
        if isinstance(event, TurnDelta):
            disk.is_full = True
            texts.append(event.text)

    book = Playbook(answers("Lost."), answers("Kept."))
    with book.server as server:
        session = play_on(path, server.url, "pi", records=history("pi"))
        session.store.disk = disk
        with pytest.raises(WriteError):
            say(session, "Go.", emit)
        assert texts == ["Lost."]
        assert not session.busy
        assert records_of(path)[-1]["message"]["role"] == "user"
        assert_sound(path)
        disk.is_full = False
        assert say(session, "Again.", Events()).stop_reason == "stop"
    assert_sound(path)


def test_secrets_in_a_summary_end_what_goes_on_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can be asked: the session stops there, and says so; what is stored is the result."""
    monkeypatch.setattr("services.summarizers.secret_gate.is_loopback", lambda _host: False)
    secret = "sk-ant-" + "aB3dE5gH7jK9mN1pQ3sT5vW7"
    book = Playbook(overflows(), summary=chat(f"## Goal\nUse {secret}"))
    with book.server as server:
        session = play_on(tmp_path / "s.jsonl", server.url, "pi", records=history("pi"))
        events = Events()
        result = say(session, "Go.", events)
    assert in_words(events) == [*FAILED, *RECOVERED, "notice: warning"]
    assert result.stop_reason == "error"
    assert len(book.asked) == 1


# --- What is not sent ------------------------------------------------------------------------------------------------


def test_without_a_model_nothing_is_written(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    session = play_on(
        path,
        "http://127.0.0.1:9",
        "pi",
        lambda given: given.replaced(model=given.model.replaced(provider=None)),
        records=history("pi"),
    )
    before = path.read_bytes()
    with pytest.raises(NoModelError):
        say(session, "Go.", Events())
    assert path.read_bytes() == before


def test_secrets_are_held_back_before_anything_is_written(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    session = play_on(path, "https://models.example", "pi", records=history("pi"))
    before = path.read_bytes()
    with pytest.raises(SecretsHeldBack):
        say(session, "Use sk-ant-" + "aB3dE5gH7jK9mN1pQ3sT5vW7", Events())
    assert path.read_bytes() == before


def test_a_second_prompt_is_refused_while_one_runs(tmp_path: Path) -> None:
    session = play_on(tmp_path / "s.jsonl", "http://127.0.0.1:9", "pi", records=history("pi"))
    with session.operation(CancellationToken()), pytest.raises(BusyError):
        say(session, "Go.", Events())


def test_writing_beside_another_program_is_asked_about(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    asked: list[float] = []
    answer = "stop"

    async def ask(writer: RecentWriter, _emit: object) -> Any:
        asked.append(writer.seconds_ago)
        return answer

    book = Playbook(answers("Fine."), answers("Fine again."))
    with book.server as server:
        session = play_on(path, server.url, "pi", records=history("pi"), ask_about_writer=ask)
        with path.open("a", encoding="utf-8") as file:
            file.write(
                '{"type":"custom","id":"other","parentId":"a2","timestamp":"2026-01-02T00:00:00.000Z","customType":"x"}\n'
            )
        before = path.read_bytes()
        with pytest.raises(OperationCancelled):
            say(session, "Go.", Events())
        assert path.read_bytes() == before
        answer = "write"
        say(session, "Go.", Events())
        say(session, "On.", Events())
    assert len(asked) == 2
    assert all(0 <= seconds < 180 for seconds in asked)
