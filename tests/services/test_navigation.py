"""Navigation: the table of TN-13, the cases of TN-10, summaries by digest and by model."""

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from model.errors import RefusedError, UnknownEntryError
from model.interruptions import interruptible
from services.agent_session import AgentSession
from services.cancellation import CancellationToken, OperationCancelled
from services.errors import BusyError, ServiceError
from services.operations import DraftSummary, NavigationOptions, NavigationResult
from services.questions import RecentWriter
from services.session_events import Notice, SummaryDelta
from services.session_store import StoreError
from services.writer_gate import WentOnError
from tests.services.loopback_server import LoopbackServer, Script, chat, chat_piece, cut_off, json_answer, stream
from tests.services.sessions import (
    BRANCHED,
    Events,
    copy_of,
    figure,
    lines_of,
    message,
    open_session,
    with_model,
    write_session,
)

PLAIN = NavigationOptions()
SUMMARIZE = NavigationOptions(summarize=True)


def go(
    session: AgentSession, target: str, options: NavigationOptions = PLAIN, events: Events | None = None
) -> NavigationResult:
    emit = Events() if events is None else events
    return asyncio.run(session.navigate_tree(target, options, CancellationToken(), emit))


@pytest.fixture
def figure_file(tmp_path: Path) -> Callable[..., Path]:
    return lambda *args, **more: write_session(tmp_path / "figure.jsonl", figure(*args, **more))


def summary_written(path: Path) -> dict[str, Any]:
    """The one entry that was added to the figure."""
    entry = lines_of(path)[-1]
    assert entry["type"] == "branch_summary"
    return entry


# --- TN-13 -----------------------------------------------------------------------------------------------------------


@pytest.mark.spec(
    "TN-13",
    "TN-7",
    "TN-8",
    "BS-1",
    "BS-7",
    "O-133",
    "O-134",
    "O-135",
    "O-136",
    "O-159",
    "P-084",
    "P-089",
    "P-090",
    "P-091",
    "P-092",
    "P-093",
    "P-094",
    "P-095",
    "P-110",
    "P-111",
    "O-004",
)
def test_1_an_assistant_target_gets_the_summary_as_its_child(figure_file: Callable[..., Path]) -> None:
    """Field report D04."""
    path = figure_file()
    session = open_session(path)
    result = go(session, "f0000000", SUMMARIZE)
    entry = summary_written(path)
    assert (entry["parentId"], entry["fromId"]) == ("f0000000", "d0000000")
    assert entry["details"] == {"readFiles": [], "modifiedFiles": ["src/a.py"]}
    assert entry["timestamp"] == "2026-02-02T02:40:00.250Z"
    assert "fromHook" not in entry
    assert result.common_ancestor_id == "a0000000"
    assert result.abandoned == ("b0000000", "c0000000", "d0000000")
    assert session.leaf_id == result.leaf_id == result.summary_entry_id == entry["id"]
    assert not any(record.get("parentId") == "d0000000" for record in lines_of(path))


@pytest.mark.spec("TN-5", "TN-7")
def test_2_a_user_target_lands_on_its_parent_with_its_text(figure_file: Callable[..., Path]) -> None:
    path = figure_file("user")
    session = open_session(path)
    result = go(session, "f0000000", SUMMARIZE)
    assert summary_written(path)["parentId"] == "e0000000"
    assert result.editor_text == "Text of F."
    assert session.leaf_id == result.summary_entry_id


@pytest.mark.spec("TN-3", "TN-4")
def test_3_an_ancestor_target_leaves_what_follows_it(figure_file: Callable[..., Path]) -> None:
    path = figure_file()
    result = go(open_session(path), "b0000000", SUMMARIZE)
    assert (result.common_ancestor_id, result.abandoned) == ("b0000000", ("c0000000", "d0000000"))
    assert summary_written(path)["parentId"] == "b0000000"


@pytest.mark.spec("TN-4", "TN-9")
def test_4_a_descendant_target_leaves_nothing_to_summarise(figure_file: Callable[..., Path]) -> None:
    path = figure_file(extra=[message("90000000", "d0000000", "assistant", "Later.", stopReason="stop")])
    session = open_session(path)
    session.move_leaf("d0000000")
    before = path.read_bytes()
    result = go(session, "90000000", SUMMARIZE)
    assert (result.summary_skipped, result.abandoned, session.leaf_id) == (True, (), "90000000")
    assert path.read_bytes() == before


@pytest.mark.spec("TN-5", "TN-11")
def test_5_the_root_user_message_means_before_the_first_entry(figure_file: Callable[..., Path]) -> None:
    path = figure_file()
    before = path.read_bytes()
    session = open_session(path)
    result = go(session, "a0000000")
    assert (result.cancelled, session.leaf_id, result.editor_text) == (False, None, "Fix the parser.")
    assert path.read_bytes() == before


@pytest.mark.spec("TN-7")
def test_6_a_summary_before_the_first_entry_is_a_second_root(figure_file: Callable[..., Path]) -> None:
    """Field report D05."""
    path = figure_file()
    result = go(open_session(path), "a0000000", SUMMARIZE)
    assert (result.common_ancestor_id, len(result.abandoned)) == ("a0000000", 3)
    assert summary_written(path)["parentId"] is None


@pytest.mark.spec("TN-6")
def test_11_a_label_goes_to_the_summary_and_becomes_the_leaf(figure_file: Callable[..., Path]) -> None:
    path = figure_file()
    session = open_session(path)
    result = go(session, "f0000000", NavigationOptions(summarize=True, label=" x "))
    *_, summary, label = lines_of(path)
    assert (label["type"], label["targetId"], label["label"], label["parentId"]) == (
        "label",
        summary["id"],
        "x",
        summary["id"],
    )
    assert session.leaf_id == label["id"] == result.label_entry_id
    assert result.summary_entry_id == summary["id"]


@pytest.mark.spec("TN-6")
def test_12_without_a_summary_the_label_goes_to_the_target(figure_file: Callable[..., Path]) -> None:
    path = figure_file()
    session = open_session(path)
    go(session, "f0000000", NavigationOptions(label="x"))
    label = lines_of(path)[-1]
    assert (label["targetId"], label["parentId"], session.leaf_id) == ("f0000000", "f0000000", label["id"])


@pytest.mark.spec("TN-3")
def test_13_another_root_leaves_the_whole_path(figure_file: Callable[..., Path]) -> None:
    path = figure_file(
        extra=[message("70000000", None, "user", "New."), message("71000000", "70000000", "assistant", "x")]
    )
    session = open_session(path)
    session.move_leaf("d0000000")
    result = go(session, "71000000", SUMMARIZE)
    assert result.common_ancestor_id is None
    assert result.abandoned == ("a0000000", "b0000000", "c0000000", "d0000000")


@pytest.mark.spec("TN-9", "TN-10")
def test_14_the_current_leaf_is_no_move(figure_file: Callable[..., Path]) -> None:
    path = figure_file()
    before = path.read_bytes()
    session = open_session(path)
    events = Events()
    assert go(session, "d0000000", SUMMARIZE, events) == NavigationResult(cancelled=False, leaf_id="d0000000")
    assert (path.read_bytes(), list(events)) == (before, [])


@pytest.mark.spec("TN-4")
def test_15_the_walk_passes_a_compaction(figure_file: Callable[..., Path]) -> None:
    """Field report D03."""
    compaction = {
        "type": "compaction", "id": "80000000", "parentId": "d0000000", "timestamp": "2026-01-01T00:00:00.000Z",
        "summary": "Earlier work.", "firstKeptEntryId": "d0000000", "tokensBefore": 5,
    }  # fmt: skip
    path = figure_file(extra=[compaction, message("81000000", "80000000", "user", "Go on.")])
    result = go(open_session(path), "f0000000", SUMMARIZE)
    assert result.abandoned == ("b0000000", "c0000000", "d0000000", "80000000", "81000000")
    assert "Earlier work." in summary_written(path)["summary"]


# --- TN-10: whatever goes wrong, bytes and leaf are as before --------------------------------------------------------


def unchanged(path: Path, session: AgentSession, attempt: Callable[[], object]) -> None:
    before, leaf_id = path.read_bytes(), session.leaf_id
    attempt()
    assert path.read_bytes() == before
    assert session.leaf_id == leaf_id
    assert not session.busy


@pytest.mark.spec("TN-9", "TN-10")
@pytest.mark.parametrize(
    ("target", "options", "error"),
    [
        ("nowhere", NavigationOptions(), UnknownEntryError),
        ("f0000000", NavigationOptions(summarize=True, summarizer="model"), ServiceError),
        ("f0000000", NavigationOptions(summarize=True, summarizer="nobody"), ServiceError),
    ],
)
def test_a_refused_call_changes_nothing(
    target: str, options: NavigationOptions, error: type[Exception], figure_file: Callable[..., Path]
) -> None:
    path = figure_file()
    session = open_session(path)

    def attempt() -> None:
        with pytest.raises(error):
            go(session, target, options)

    unchanged(path, session, attempt)


@pytest.mark.spec("BS-2", "R-40")
def test_a_budget_that_leaves_nothing_is_refused(figure_file: Callable[..., Path]) -> None:
    path = figure_file()
    session = open_session(path, with_model("http://127.0.0.1:1", context_window=16000))

    def attempt() -> None:
        with pytest.raises(RefusedError, match="16,000"):
            go(session, "f0000000", SUMMARIZE)

    unchanged(path, session, attempt)


FAILURES: list[tuple[Script, str]] = [
    (json_answer({"error": {"message": "bad key"}}, "401 Unauthorized"), "bad key"),
    (json_answer({"error": {"message": "boom"}}, "500 Internal Server Error"), "boom"),
    (stream([chat_piece("half a sum")], then=cut_off), "broke off"),
    (chat("cut", finish="length"), "cut off by the output limit at"),
    (chat(""), "is empty"),
    (chat(" \n "), "is empty"),
    (stream([chat_piece(reasoning="hm"), chat_piece(finish="stop"), "data: [DONE]\n\n"]), "only thought"),
    (stream([chat_piece("x", tool_calls=[{}]), chat_piece(finish="tool_calls"), "data: [DONE]\n\n"]), "call a tool"),
    (chat("[User]: go on\n\n[Assistant]: sure"), "went on with the conversation"),
    (chat("No.", finish="content_filter"), "refused by the model (content_filter)"),
]


@pytest.mark.spec("BS-6", "CP-12.2", "TN-10")
@pytest.mark.parametrize(("script", "words"), FAILURES)
def test_a_summary_that_is_none_is_not_saved(script: Script, words: str, figure_file: Callable[..., Path]) -> None:
    path = figure_file()
    with LoopbackServer(script) as server:
        session = open_session(path, with_model(server.url))

        def attempt() -> None:
            with pytest.raises(ServiceError) as caught:
                go(session, "f0000000", SUMMARIZE)
            assert words in str(caught.value)
            if str(caught.value).startswith("The branch summary"):  # there was an answer
                assert str(caught.value).endswith(" Nothing was written.")

        unchanged(path, session, attempt)


def test_the_partial_text_of_a_failure_stays_readable(figure_file: Callable[..., Path]) -> None:
    with LoopbackServer(stream([chat_piece("half a sum")], then=cut_off)) as server:
        session = open_session(figure_file(), with_model(server.url))
        events = Events()
        with pytest.raises(ServiceError) as caught:
            go(session, "f0000000", SUMMARIZE, events)
    assert caught.value.partial_text == "half a sum"  # type: ignore[attr-defined]
    assert [event.text for event in events.of(SummaryDelta)] == ["half a sum"] * 3
    assert len(server.requests) == 3


@pytest.mark.spec("CP-24", "TN-9")
def test_a_second_operation_is_refused_while_one_runs(figure_file: Callable[..., Path]) -> None:
    session = open_session(figure_file())
    seen: list[object] = []

    async def review(draft: DraftSummary) -> str:
        assert session.busy
        with pytest.raises(BusyError):
            await session.navigate_tree("e0000000", NavigationOptions(), CancellationToken(), seen.append)
        with pytest.raises(BusyError):
            session.set_label("a0000000", "x")
        return draft.text

    result = go(session, "f0000000", NavigationOptions(summarize=True, review=review))
    assert result.summary_entry_id
    assert seen == []


@pytest.mark.spec("TN-10")
def test_a_disk_that_refuses_leaves_everything(
    figure_file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = figure_file()
    session = open_session(path)

    def full(*_args: object, **_more: object) -> None:
        raise StoreError("The entry could not be saved: No space left on device.")

    monkeypatch.setattr(session.store, "append", full)

    def attempt() -> None:
        with pytest.raises(StoreError):
            go(session, "f0000000", SUMMARIZE)

    unchanged(path, session, attempt)


@pytest.mark.spec("TN-10")
def test_a_label_that_cannot_be_saved_is_a_warning(
    figure_file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = open_session(figure_file())
    append = session.store.append

    def only_summaries(entries: Any, **more: Any) -> range:
        if entries[0]["type"] == "label":
            raise StoreError("No space left on device.")
        return append(entries, **more)

    monkeypatch.setattr(session.store, "append", only_summaries)
    events = Events()
    result = go(session, "f0000000", NavigationOptions(summarize=True, label="x"), events)
    assert session.leaf_id == result.summary_entry_id
    assert "No space left" in events.of(Notice)[0].text


def test_a_move_without_a_summary_does_not_read_what_it_leaves(
    figure_file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would take seconds at the end of a long session, for nothing."""
    session = open_session(figure_file())
    read: list[int] = []
    entries = session.store.entries

    def counted(rows: Sequence[int], *more: Any) -> list[Any]:
        read.extend(rows)
        return entries(rows, *more)

    monkeypatch.setattr(session.store, "entries", counted)
    result = go(session, "f0000000")
    assert result.abandoned
    assert read == []


def test_a_preview_can_be_stopped_while_it_reads(figure_file: Callable[..., Path]) -> None:
    def check() -> None:
        raise OperationCancelled

    session = open_session(figure_file())
    with interruptible(check), pytest.raises(OperationCancelled):
        session.preview_navigation("f0000000")


# --- Summaries -------------------------------------------------------------------------------------------------------


@pytest.mark.spec("BS-5", "BS-7", "SF-12", "O-137", "P-078")
def test_a_model_writes_one_line_with_its_usage(figure_file: Callable[..., Path]) -> None:
    path = figure_file()
    before = path.read_bytes()
    usage = 'data: {"choices": [], "usage": {"prompt_tokens": 900, "completion_tokens": 30}}\n\n'
    script = stream(
        [chat_piece("## Goal\n"), chat_piece("Fix it."), chat_piece(finish="stop"), usage, "data: [DONE]\n\n"]
    )
    with LoopbackServer(script) as server:
        session = open_session(path, with_model(server.url))
        preview = session.preview_navigation("f0000000", SUMMARIZE)
        events = Events()
        go(session, "f0000000", SUMMARIZE, events)
    after = path.read_bytes()
    assert after.startswith(before)
    [line] = after[len(before) :].splitlines()
    entry = json.loads(line)
    assert entry["summary"].endswith("\n\n## Goal\nFix it.\n\n<modified-files>\nsrc/a.py\n</modified-files>")
    assert entry["usage"]["input"] == 900
    [system, user] = server.requests[0].json["messages"]
    assert (system["content"], user["content"]) == (preview.system_prompt, preview.prompt)
    assert server.requests[0].json["max_tokens"] == 13107
    assert "tools" not in server.requests[0].json
    assert "".join(event.text for event in events.of(SummaryDelta)) == "## Goal\nFix it."


@pytest.mark.spec("CP-12.2", "P-014")
def test_each_request_has_a_routing_id_of_its_own(figure_file: Callable[..., Path]) -> None:
    with LoopbackServer(json_answer({}, "500 x"), chat("fine")) as server:
        go(open_session(figure_file(), with_model(server.url)), "f0000000", SUMMARIZE)
    ids = [request.headers["x-client-request-id"] for request in server.requests]
    assert len(set(ids)) == len(ids) == 2


@pytest.mark.spec("BS-5", "R-42")
@pytest.mark.parametrize(("replace", "holds_prompt"), [(True, False), (False, True), (None, True)])
def test_instructions_follow_or_replace_the_prompt(
    replace: bool | None, holds_prompt: bool, figure_file: Callable[..., Path]
) -> None:
    session = open_session(figure_file())
    options = NavigationOptions(custom_instructions="only decisions", replace_instructions=replace)
    prompt = session.preview_navigation("f0000000", options).prompt
    assert ("## Key Decisions" in prompt) is holds_prompt
    assert prompt.endswith("Additional focus: only decisions" if holds_prompt else "</conversation>\n\nonly decisions")


def test_a_review_can_change_the_text_and_can_stop(figure_file: Callable[..., Path]) -> None:
    path = figure_file()
    session = open_session(path)
    drafts: list[DraftSummary] = []

    async def reject(draft: DraftSummary) -> None:
        drafts.append(draft)

    async def change(draft: DraftSummary) -> str:
        return "Mine.\n" + draft.text

    unchanged(path, session, lambda: go(session, "f0000000", NavigationOptions(summarize=True, review=reject)))
    assert "Fix the parser" not in drafts[0].text
    assert "The parser is fixed." in drafts[0].text
    result = go(session, "f0000000", NavigationOptions(summarize=True, review=change))
    assert summary_written(path)["summary"].startswith("Mine.\n")
    assert len(result.line_sources) == summary_written(path)["summary"].count("\n") + 1


def test_an_empty_review_saves_nothing(figure_file: Callable[..., Path]) -> None:
    path = figure_file()
    session = open_session(path)

    async def clear(_draft: DraftSummary) -> str:
        return "  \n"

    def attempt() -> None:
        with pytest.raises(ServiceError, match="empty"):
            go(session, "f0000000", NavigationOptions(summarize=True, review=clear))

    unchanged(path, session, attempt)


@pytest.mark.spec("BS-9", "R-45")
def test_only_tool_results_and_settings_are_nothing_to_summarise(tmp_path: Path) -> None:
    records = figure()[:4]
    records.append(message("b0000000", "a0000000", "toolResult", "x", toolCallId="t", toolName="ls", isError=False))
    path = write_session(tmp_path / "s.jsonl", records)
    before = path.read_bytes()
    result = go(open_session(path), "f0000000", SUMMARIZE)
    assert (result.summary_skipped, result.leaf_id, result.abandoned) == (True, "f0000000", ("b0000000",))
    assert path.read_bytes() == before


@pytest.mark.spec("TN-11")
def test_there_and_back_ten_times_shows_the_same(tmp_path: Path) -> None:
    session = open_session(copy_of(BRANCHED, tmp_path))
    first = session.leaf_id
    assert first
    other = session.snapshot().index.id_of(100)
    contexts = []
    for _ in range(10):
        go(session, other)
        go(session, first)
        contexts.append(session.context(session.leaf_id).source_ids)
    assert all(ids == contexts[0] for ids in contexts)


@pytest.mark.spec("BS-8", "TN-11")
@pytest.mark.parametrize("name", [BRANCHED, "omp-branched.jsonl", "real-v3-large.jsonl"])
def test_a_real_session_gets_one_entry_that_is_read_again(name: str, tmp_path: Path) -> None:
    path = copy_of(name, tmp_path)
    before = path.read_bytes()
    session = open_session(path)
    target = session.snapshot().index.id_of(40)
    result = go(session, target, SUMMARIZE)
    assert path.read_bytes().startswith(before)
    assert path.read_bytes().count(b"\n") == before.count(b"\n") + 1
    again = open_session(path)
    assert again.leaf_id == result.summary_entry_id
    assert again.context(again.leaf_id).messages[-1]["summary"] == lines_of(path)[-1]["summary"]


def test_a_session_of_version_1_is_brought_up_to_date_with_the_first_summary(tmp_path: Path) -> None:
    path = copy_of("real-v1-large.jsonl", tmp_path)
    before = path.read_bytes()
    session = open_session(path)
    target = session.snapshot().index.id_of(40)
    go(session, target)
    assert path.read_bytes() == before
    session.move_leaf(session.snapshot().last_entry_id)
    result = go(session, target, SUMMARIZE)
    again = open_session(path)
    assert again.leaf_id == result.summary_entry_id
    assert again.store.version == 3
    assert len(again.context(again.leaf_id).messages) == len(session.context(session.leaf_id).messages)
    assert any(backup.read_bytes() == before for backup in tmp_path.iterdir())


@pytest.mark.parametrize("answer", ["write", "stop", None])
@pytest.mark.parametrize("behind", ["d0000000", "f0000000", "e0000000"], ids=["what is left", "landing", "elsewhere"])
def test_the_file_growing_meanwhile_loses_nothing(tmp_path: Path, behind: str, answer: str | None) -> None:
    """Beside a program that went on from there a summary is saved only when that is wanted; its text is not lost."""
    path = write_session(tmp_path / "s.jsonl", figure())
    asked: list[RecentWriter] = []

    async def ask(writer: RecentWriter, _emit: object) -> Any:
        asked.append(writer)
        return answer

    session = open_session(path, **({} if answer is None else {"ask_about_writer": ask}))
    old_leaf_id = session.leaf_id
    foreign = message("60000000", behind, "user", "From elsewhere.")
    drafts: list[str] = []

    async def review(draft: DraftSummary) -> str:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(foreign) + "\n")
        drafts.append(draft.text)
        return draft.text

    options = NavigationOptions(summarize=True, review=review)
    if behind == "e0000000" or answer == "write":
        result = go(session, "f0000000", options)
        *_, before, entry = lines_of(path)
        assert before == foreign
        assert (entry["id"], entry["parentId"]) == (result.summary_entry_id, "f0000000")
    else:
        with pytest.raises(WentOnError) as error:
            go(session, "f0000000", options)
        assert error.value.text == drafts[0]
        assert lines_of(path)[-1] == foreign
        assert session.leaf_id == old_leaf_id
        assert not session.busy
    is_asked = behind != "e0000000" and answer is not None
    assert [(writer.entry_count, writer.text) for writer in asked] == ([(1, drafts[0])] if is_asked else [])


def test_what_is_known_of_a_navigation_is_told_when_it_is_stopped(tmp_path: Path) -> None:
    session = open_session(write_session(tmp_path / "s.jsonl", figure()))
    token = CancellationToken()

    async def review(draft: DraftSummary) -> str:
        token.cancel()
        return draft.text

    preview = session.preview_navigation("f0000000")
    options = NavigationOptions(summarize=True, review=review)
    result = asyncio.run(session.navigate_tree("f0000000", options, token, Events()))
    assert result.aborted
    assert result.abandoned == preview.abandoned != ()
    assert result.common_ancestor_id == preview.common_ancestor_id is not None
