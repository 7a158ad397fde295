"""Extension hooks: what handlers are given, what their results do, and that their mistakes stop nothing."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from services.cancellation import CancellationToken, OperationCancelled, run_until_cancelled
from services.errors import BusyError
from services.hooks import Hooks, hookimpl
from services.operations import CompactionOptions, NavigationOptions, NavigationResult
from services.session_events import CompactionEnded, Notice
from tests.services.loopback_server import LoopbackServer, chat
from tests.services.sessions import Events, figure, lines_of, open_session, with_model, write_session
from tests.services.test_compaction import long_session

SUMMARIZE = NavigationOptions(summarize=True)
KEEP = CompactionOptions(keep_recent_tokens=150)


def plugin(**handlers: Callable[..., Any]) -> object:
    """An extension with the given handlers."""

    class Extension:
        pass

    extension = Extension()
    for name, handler in handlers.items():
        setattr(extension, name, hookimpl(handler))
    return extension


def noting(seen: list[Any]) -> Callable[..., Any]:
    """A handler that keeps its events."""

    def handle(event: Any) -> None:
        seen.append(event)

    return handle


def hooks_of(*extensions: object) -> Hooks:
    hooks = Hooks()
    for number, extension in enumerate(extensions):
        hooks.manager.register(extension, f"extension-{number}")
    return hooks


@pytest.fixture
def tree_file(tmp_path: Path) -> Path:
    return write_session(tmp_path / "figure.jsonl", figure())


@pytest.fixture
def long_file(tmp_path: Path) -> Path:
    return write_session(tmp_path / "long.jsonl", long_session())


def go(
    path: Path, hooks: Hooks, options: NavigationOptions = SUMMARIZE, events: Events | None = None
) -> NavigationResult:
    session = open_session(path, hooks=hooks)
    emit = Events() if events is None else events
    return asyncio.run(session.navigate_tree("f0000000", options, CancellationToken(), emit))


# --- Navigation (HK-6, HK-7) -----------------------------------------------------------------------------------------


@pytest.mark.spec("HK-6", "HK-1", "P-166", "P-167", "P-140")
def test_the_event_before_a_navigation_tells_everything(tree_file: Path) -> None:
    seen: list[Any] = []
    hooks = hooks_of(plugin(session_before_tree=lambda event, ctx: seen.extend([event, ctx])))
    go(tree_file, hooks, NavigationOptions(custom_instructions="c", replace_instructions=True, label="l"))
    event, ctx = seen
    preparation = event.preparation
    assert (preparation.target_id, preparation.old_leaf_id, preparation.common_ancestor_id) == (
        "f0000000",
        "d0000000",
        "a0000000",
    )
    assert [entry["id"] for entry in preparation.entries_to_summarize] == ["b0000000", "c0000000", "d0000000"]
    assert preparation.user_wants_summary is False
    assert event.as_json()["preparation"]["customInstructions"] == "c"
    assert not event.signal.is_set()
    assert (ctx.cwd, ctx.session_id, ctx.session_file) == ("/x", "figure", str(tree_file))
    assert [entry["id"] for entry in ctx.branch()] == ["a0000000", "b0000000", "c0000000", "d0000000"]
    assert ctx.entry("e0000000")["parentId"] == "a0000000"


@pytest.mark.spec("HK-6", "TN-10")
def test_8_a_hook_cancels(tree_file: Path) -> None:
    before = tree_file.read_bytes()
    result = go(tree_file, hooks_of(plugin(session_before_tree=lambda event, ctx: {"cancel": True})))
    assert (result.cancelled, result.aborted, result.leaf_id) == (True, False, "d0000000")
    assert tree_file.read_bytes() == before


@pytest.mark.spec("HK-6")
def test_9_a_summary_nobody_asked_for_is_ignored(tree_file: Path) -> None:
    before = tree_file.read_bytes()
    hooks = hooks_of(plugin(session_before_tree=lambda event, ctx: {"summary": {"summary": "mine"}}))
    result = go(tree_file, hooks, NavigationOptions())
    assert (result.leaf_id, result.summary_entry_id) == ("f0000000", None)
    assert tree_file.read_bytes() == before


@pytest.mark.spec("HK-6", "HK-7", "BS-7", "P-135")
def test_10_a_hooks_summary_is_stored_as_it_is(tree_file: Path) -> None:
    summary = {"summary": "mine", "details": {"any": [1]}, "usage": {"input": 5}}
    after: list[Any] = []
    hooks = hooks_of(plugin(session_before_tree=lambda event, ctx: {"summary": summary}, session_tree=noting(after)))
    result = go(tree_file, hooks)
    entry = lines_of(tree_file)[-1]
    assert (entry["summary"], entry["details"], entry["usage"], entry["fromHook"]) == (
        "mine",
        {"any": [1]},
        {"input": 5},
        True,
    )
    assert result.from_extension
    [event] = after
    assert (event.new_leaf_id, event.old_leaf_id, event.from_extension) == (entry["id"], "d0000000", True)
    assert event.summary_entry == entry


@pytest.mark.spec("BS-9")
def test_a_hooks_summary_is_stored_though_nothing_was_collected(tree_file: Path) -> None:
    hooks = hooks_of(plugin(session_before_tree=lambda event, ctx: {"summary": {"summary": "mine"}}))
    session = open_session(tree_file, hooks=hooks)
    session.move_leaf("e0000000")
    result = asyncio.run(session.navigate_tree("f0000000", SUMMARIZE, CancellationToken(), Events()))
    assert lines_of(tree_file)[-1]["summary"] == "mine"
    assert not result.summary_skipped


@pytest.mark.spec("HK-6")
def test_options_are_overridden_even_by_empty_values(tree_file: Path) -> None:
    override = {"customInstructions": "from the hook", "replaceInstructions": True, "label": ""}
    hooks = hooks_of(plugin(session_before_tree=lambda event, ctx: override))
    with LoopbackServer(chat("text")) as server:
        session = open_session(tree_file, with_model(server.url), hooks=hooks)
        options = NavigationOptions(summarize=True, custom_instructions="mine", label="l")
        result = asyncio.run(session.navigate_tree("f0000000", options, CancellationToken(), Events()))
    assert server.requests[0].json["messages"][-1]["content"].endswith("</conversation>\n\nfrom the hook")
    assert result.label_entry_id is None


@pytest.mark.spec("HK-2")
def test_handlers_run_after_each_other_and_the_last_result_wins(tree_file: Path) -> None:
    order: list[str] = []

    def handler(name: str, result: Any) -> Callable[..., Any]:
        async def slow(event: Any, ctx: Any) -> Any:
            order.append(f"{name} begins")
            await asyncio.sleep(0.01)
            order.append(f"{name} ends")
            return result

        return slow

    hooks = hooks_of(
        plugin(session_before_tree=handler("first", {"summary": {"summary": "one"}})),
        plugin(session_before_tree=handler("second", None)),
        plugin(session_before_tree=handler("third", {"summary": {"summary": "three"}})),
    )
    go(tree_file, hooks)
    assert order == [f"{name} {what}" for name in ("first", "second", "third") for what in ("begins", "ends")]
    assert lines_of(tree_file)[-1]["summary"] == "three"


@pytest.mark.spec("HK-2")
def test_pluggys_order_marks_count(tree_file: Path) -> None:
    order: list[str] = []

    class Late:
        @hookimpl(trylast=True)
        def session_before_tree(self) -> None:
            order.append("last")

    class Early:
        @hookimpl(tryfirst=True)
        def session_before_tree(self) -> None:
            order.append("first")

    middle = plugin(session_before_tree=lambda: order.append("middle"))
    go(tree_file, hooks_of(Late(), middle, Early()))
    assert order == ["first", "middle", "last"]


@pytest.mark.spec("HK-2")
def test_a_cancelling_result_stops_the_dispatch(tree_file: Path) -> None:
    called: list[str] = []
    hooks = hooks_of(
        plugin(session_before_tree=lambda event, ctx: {"cancel": True}),
        plugin(session_before_tree=lambda event, ctx: called.append("second")),
    )
    assert go(tree_file, hooks).cancelled
    assert called == []


@pytest.mark.spec("HK-2")
@pytest.mark.parametrize(
    ("returned", "words"),
    [
        ({"summary": {"summary": 5}}, "summary.summary"),
        ({"summary": {"summary": ""}}, "summary.summary"),
        ({"summary": {}}, "summary.summary"),
        ({"cancel": "yes"}, "cancel"),
        ([1, 2], "can't be used"),
        ("stop", "can't be used"),
    ],
)
def test_a_result_that_cannot_be_used_is_reported_and_ignored(returned: Any, words: str, tree_file: Path) -> None:
    events = Events()
    hooks = hooks_of(plugin(session_before_tree=lambda event, ctx: returned))
    result = go(tree_file, hooks, events=events)
    assert result.summary_entry_id
    assert lines_of(tree_file)[-1]["summary"].count("Offline digest") == 1
    [notice] = events.of(Notice)
    assert words in notice.text
    assert "extension-0" in notice.text
    assert "session_before_tree" in notice.text


@pytest.mark.spec("HK-2")
def test_a_failing_handler_is_isolated(tree_file: Path, caplog: pytest.LogCaptureFixture) -> None:
    def fail(event: Any, ctx: Any) -> None:
        raise ZeroDivisionError("one over zero")

    events = Events()
    good = plugin(session_before_tree=lambda event, ctx: {"summary": {"summary": "good"}})
    go(tree_file, hooks_of(plugin(session_before_tree=fail, session_tree=fail), good), events=events)
    assert lines_of(tree_file)[-1]["summary"] == "good"
    assert [notice.text for notice in events.of(Notice)] == [
        "The extension extension-0 failed: one over zero (in session_before_tree).",
        "The extension extension-0 failed: one over zero (in session_tree).",
    ]
    assert "ZeroDivisionError" in events.of(Notice)[0].details
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.spec("HK-2")
def test_no_operation_may_start_inside_one_but_after_it_may(tree_file: Path) -> None:
    outcomes: list[Any] = []

    async def inside(event: Any, ctx: Any) -> None:
        with pytest.raises(BusyError):
            await session.navigate_tree("e0000000", NavigationOptions(), CancellationToken(), Events())
        outcomes.append("refused")

    async def after(event: Any, ctx: Any) -> None:
        if event.new_leaf_id != "e0000000":
            result = await session.navigate_tree("e0000000", NavigationOptions(), CancellationToken(), Events())
            outcomes.append(result.leaf_id)

    session = open_session(tree_file, hooks=hooks_of(plugin(session_before_tree=inside, session_tree=after)))
    asyncio.run(session.navigate_tree("f0000000", NavigationOptions(), CancellationToken(), Events()))
    assert outcomes == ["refused", "refused", "e0000000"]
    assert session.leaf_id == "e0000000"


@pytest.mark.spec("HK-2", "TN-10")
@pytest.mark.parametrize("kind", ["blocking", "awaiting", "asking the token"])
def test_an_abort_reaches_a_handler_at_once(kind: str, tree_file: Path) -> None:
    entered, released, token = threading.Event(), threading.Event(), CancellationToken()

    def block(event: Any, ctx: Any) -> Any:
        entered.set()
        released.wait(10)
        return {"summary": {"summary": "late"}}

    async def wait(event: Any, ctx: Any) -> Any:
        entered.set()
        await asyncio.sleep(10)

    def ask(event: Any, ctx: Any) -> Any:
        entered.set()
        event.signal.wait(10)
        event.signal.raise_if_set()

    handler = {"blocking": block, "awaiting": wait, "asking the token": ask}[kind]
    session = open_session(tree_file, hooks=hooks_of(plugin(session_before_tree=handler)))
    before = tree_file.read_bytes()
    threading.Thread(target=lambda: (entered.wait(5), token.cancel())).start()

    async def run() -> NavigationResult:
        return await run_until_cancelled(token, session.navigate_tree("f0000000", SUMMARIZE, token, Events()))

    from services.worker_loop import new_worker_loop

    with asyncio.Runner(loop_factory=new_worker_loop) as runner:
        result = runner.run(run())
    released.set()
    assert (result.cancelled, result.aborted) == (True, True)
    assert tree_file.read_bytes() == before
    assert not session.busy


# --- Compaction (HK-3, HK-4, HK-5, HK-8) -----------------------------------------------------------------------------


def recorder(seen: list[str], **results: Any) -> object:
    """An extension that notes which hooks are called and returns what it's told to."""

    def handler(name: str) -> Callable[..., Any]:
        def handle(event: Any, ctx: Any) -> Any:
            seen.append(name)
            return results.get(name)

        return handle

    names = ("session_before_compact", "session_compacting", "session_compact", "session_compact_failed")
    return plugin(**{name: handler(name) for name in names})


def compact(path: Path, hooks: Hooks, events: Events | None = None, options: CompactionOptions = KEEP) -> Any:
    session = open_session(path, hooks=hooks)
    emit = Events() if events is None else events
    return asyncio.run(session.compact(options, CancellationToken(), emit))


@pytest.mark.spec("HK-9", "CP-18", "O-132")
def test_the_order_of_a_compactions_events(long_file: Path) -> None:
    seen: list[str] = []
    events = Events()
    events_and_hooks: list[str] = []

    def emit(event: Any) -> None:
        events_and_hooks.extend([*seen, event.event_name])
        seen.clear()

    session = open_session(long_file, hooks=hooks_of(recorder(seen)))
    asyncio.run(session.compact(KEEP, CancellationToken(), emit))
    wanted = ("compaction_start", "session_before_compact", "session_compacting", "session_compact", "compaction_end")
    assert [name for name in events_and_hooks if name in wanted] == list(wanted)
    assert not events


@pytest.mark.spec("HK-3", "P-164", "O-128", "P-135")
def test_an_extensions_compaction_is_stored_unchanged(long_file: Path) -> None:
    seen: list[str] = []
    given = {
        "summary": "  mine  ",
        "firstKeptEntryId": "a1",
        "tokensBefore": 7,
        "details": {"version": 2},
        "usage": {"input": 3},
    }
    result = compact(long_file, hooks_of(recorder(seen, session_before_compact={"compaction": given})))
    entry = lines_of(long_file)[-1]
    assert {name: entry[name] for name in given} == given
    assert entry["fromHook"] is True
    assert result.from_extension
    assert seen == ["session_before_compact", "session_compact"]


@pytest.mark.spec("HK-3", "P-137")
def test_the_event_before_a_compaction_tells_everything(long_file: Path) -> None:
    seen: list[Any] = []
    hooks = hooks_of(plugin(session_before_compact=noting(seen)))
    compact(long_file, hooks, options=CompactionOptions(instructions="focus", keep_recent_tokens=150))
    event = seen[0].as_json()
    assert set(event) == {"preparation", "branchEntries", "customInstructions", "reason", "willRetry"}
    assert (event["reason"], event["willRetry"], event["customInstructions"]) == ("manual", False, "focus")
    preparation = event["preparation"]
    assert [message["role"] for message in preparation["messagesToSummarize"]] == ["user", "assistant"] * 2
    assert (preparation["isSplitTurn"], preparation["turnPrefixMessages"]) == (False, ())
    assert preparation["firstKeptEntryId"] == "u2"
    assert preparation["settings"]["keepRecentTokens"] == 150
    assert [entry["id"] for entry in event["branchEntries"]] == ["u0", "a0", "u1", "a1", "u2", "a2"]


@pytest.mark.spec("HK-3")
@pytest.mark.parametrize(
    "bad",
    [
        {"summary": "", "firstKeptEntryId": "a1", "tokensBefore": 7},
        {"summary": "x", "firstKeptEntryId": "elsewhere", "tokensBefore": 7},
        {"summary": "x", "firstKeptEntryId": "a1", "tokensBefore": -1},
        {"summary": "x", "firstKeptEntryId": "a1", "tokensBefore": True},
        {"summary": "x", "firstKeptEntryId": "a1"},
    ],
)
def test_a_compaction_that_cannot_be_used_falls_back_to_our_own(bad: dict[str, Any], long_file: Path) -> None:
    events = Events()
    result = compact(long_file, hooks_of(recorder([], session_before_compact={"compaction": bad})), events)
    assert not result.from_extension
    assert "Offline digest" in result.summary
    assert len(events.of(Notice)) == 1


@pytest.mark.spec("HK-3", "HK-8")
def test_a_hook_cancels_a_compaction(long_file: Path) -> None:
    before = long_file.read_bytes()
    seen: list[str] = []
    events = Events()
    with pytest.raises(OperationCancelled):
        compact(long_file, hooks_of(recorder(seen, session_before_compact={"cancel": True})), events)
    [end] = events.of(CompactionEnded)
    assert (end.aborted, end.error_message) == (True, None)
    assert seen == ["session_before_compact", "session_compact_failed"]
    assert long_file.read_bytes() == before


@pytest.mark.spec("HK-4")
def test_the_generator_takes_prompt_and_context_from_a_hook(long_file: Path) -> None:
    wishes = {"prompt": "MY PROMPT", "context": ["one", "two"], "preserveData": {"index": 1}}
    with LoopbackServer(chat("text")) as server:
        session = open_session(
            long_file, with_model(server.url), hooks=hooks_of(recorder([], session_compacting=wishes)), dialect="omp"
        )
        settings = session.settings
        assert settings.compaction.short_summary
        asyncio.run(session.compact(KEEP, CancellationToken(), Events()))
    prompt = server.requests[0].json["messages"][-1]["content"]
    assert prompt.endswith("<additional-context>\n- one\n- two\n</additional-context>\n\nMY PROMPT")
    assert lines_of(long_file)[-1]["preserveData"] == {"index": 1}


@pytest.mark.spec("HK-4", "CP-19")
def test_data_to_keep_is_written_in_pi_sessions_as_well_and_carried(long_file: Path) -> None:
    hooks = hooks_of(recorder([], session_compacting={"preserveData": {"index": 1}}))
    session = open_session(long_file, hooks=hooks)
    asyncio.run(session.compact(KEEP, CancellationToken(), Events()))
    assert lines_of(long_file)[-1]["preserveData"] == {"index": 1}


@pytest.mark.spec("HK-8")
def test_a_failure_is_told_to_extensions(long_file: Path) -> None:
    told: list[Any] = []
    hooks = hooks_of(plugin(session_compact_failed=lambda event: told.append(event.as_json())))
    with LoopbackServer(chat("")) as server:
        session = open_session(long_file, with_model(server.url), hooks=hooks)
        with pytest.raises(Exception, match="empty"):
            asyncio.run(session.compact(KEEP, CancellationToken(), Events()))
    [event] = told
    assert event["errorMessage"].startswith("Compaction failed: The history summary is empty")
    assert (event["reason"], event["aborted"], event["willRetry"], event["fromExtension"]) == (
        "manual",
        False,
        False,
        False,
    )


@pytest.mark.spec("HK-1")
def test_an_extension_can_ask_the_model(long_file: Path) -> None:
    answers: list[str] = []

    async def ask(event: Any, ctx: Any) -> Any:
        answers.append(await ctx.complete("prompt?", "system!", event.signal))
        ctx.notify("done", "info")

    with LoopbackServer(chat("the answer")) as server:
        session = open_session(long_file, with_model(server.url), hooks=hooks_of(plugin(session_before_compact=ask)))
        events = Events()
        asyncio.run(session.compact(KEEP, CancellationToken(), events))
    assert answers == ["the answer"]
    assert server.requests[0].json["messages"] == [
        {"role": "system", "content": "system!"},
        {"role": "user", "content": "prompt?"},
    ]
    assert events.of(Notice)[0] == Notice("info", "done")
