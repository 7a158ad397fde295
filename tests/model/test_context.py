import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.context import (
    LAST_ENTRY,
    ContextState,
    ModelChoice,
    SessionContext,
    build_session_context,
    build_session_projection,
    context_edits,
    context_start,
    context_state,
    edited_messages,
    entry_message,
    kept_start_index,
    latest_compaction,
    path_context,
    projected_messages,
    remote_history,
)
from model.json_text import JsonObject
from model.messages import role_of, tool_calls
from model.rules import BRANCHWORK, OMP_13_19, PI_1_6, PRESETS, Rules
from tests.model.session_builders import MINUTE_MS, START_MS, Chain, text_block, tool_call
from tests.model.strategies import messy_entries, messy_sessions, sessions


def texts(messages: list[JsonObject]) -> list[str]:
    """Messages in short: the summary of a summary, else the text."""
    return [
        message["summary"] if "summary" in message else "".join(block["text"] for block in blocks(message))
        for message in messages
    ]


def blocks(message: JsonObject) -> list[JsonObject]:
    content = message["content"]
    return [text_block(content)] if isinstance(content, str) else content


def conversation(*rounds: str) -> Chain:
    chain = Chain()
    for text in rounds:
        chain.user(f"q{text}")
        chain.assistant(f"a{text}")
    return chain


class TestPosition:
    @pytest.mark.spec("CB-1", "TN-2")
    def test_before_the_first_entry_there_is_no_context(self) -> None:
        context = build_session_context(conversation("1").entries, None)
        assert context.messages == []
        assert context.state == ContextState(thinking_level="off", model=None, mode="none")
        assert context == SessionContext()
        assert build_session_context([]) == SessionContext()

    @pytest.mark.spec("CB-1", "CB-2", "SF-10")
    def test_unspecified_is_the_last_entry_of_the_file_on_whatever_branch(self) -> None:
        chain = conversation("1", "2")
        chain.user("other", parent="e2")
        assert texts(build_session_context(chain.entries).messages) == ["q1", "a1", "other"]
        assert texts(build_session_context(chain.entries, LAST_ENTRY).messages) == ["q1", "a1", "other"]
        assert build_session_context(chain.entries).notes == ()

    @pytest.mark.spec("CB-1", "CB-2")
    def test_only_entries_on_the_path_contribute(self) -> None:
        chain = conversation("1", "2")
        chain.user("other", parent="e2")
        assert texts(build_session_context(chain.entries, "e4").messages) == ["q1", "a1", "q2", "a2"]

    @pytest.mark.spec("CB-1")
    def test_an_unknown_position_falls_back_to_the_last_entry_and_says_so(self) -> None:
        context = build_session_context(conversation("1").entries, "nope")
        assert texts(context.messages) == ["q1", "a1"]
        assert context.notes == ("No entry has the id nope; this is the context of the last entry.",)

    @pytest.mark.spec("CB-1")
    def test_each_message_knows_its_entry(self) -> None:
        chain = conversation("1")
        chain.add("model_change", provider="p", modelId="m")
        chain.compaction("e2", systemMessage={"role": "system", "content": "prompt"})
        chain.user("more")
        context = build_session_context(chain.entries)
        assert context.source_ids == ["e4", "e4", "e2", "e5"]
        assert [role_of(message) for message in context.messages] == [
            "system",
            "compactionSummary",
            "assistant",
            "user",
        ]

    @pytest.mark.spec("CB-2", "SF-9.7")
    def test_a_cycle_ends(self) -> None:
        chain = Chain()
        chain.user("x", id="x", parent="y")
        chain.user("y", id="y", parent="x")
        assert texts(build_session_context(chain.entries, "y").messages) == ["x", "y"]

    @pytest.mark.spec("CB-2", "SF-9.8")
    def test_of_two_entries_with_one_id_the_later_is_used(self) -> None:
        chain = Chain()
        chain.user("one", id="d", parent=None)
        chain.user("two", id="d", parent=None)
        chain.assistant("answer", parent="d")
        assert texts(build_session_context(chain.entries).messages) == ["two", "answer"]


class TestCompaction:
    @pytest.mark.spec(
        "CB-5",
        "O-033",
        "O-034",
        "O-035",
        "O-047",
        "O-049",
        "O-050",
        "O-052",
        "O-053",
        "O-054",
        "O-055",
        "O-057",
        "O-058",
    )
    def test_the_figure_of_the_seeds(self) -> None:
        """Records 1 usr 2 ass 3 tool 4 usr 5 ass 6 tool 7 tool 8 ass 9 tool 10 cmp; the boundary is record 4."""
        chain = Chain()
        chain.user("1", id="r1")
        chain.assistant([tool_call("t1")], id="r2")
        chain.tool_result("t1", "3", id="r3")
        chain.user("4", id="r4")
        chain.assistant([tool_call("t2"), tool_call("t3")], id="r5")
        chain.tool_result("t2", "6", id="r6")
        chain.tool_result("t3", "7", id="r7")
        chain.assistant([tool_call("t4")], id="r8")
        chain.tool_result("t4", "9", id="r9")
        chain.compaction("r4", "history", id="r10")
        chain.user("11", id="r11")

        context = build_session_context(chain.entries)

        assert context.source_ids == ["r10", "r4", "r5", "r6", "r7", "r8", "r9", "r11"]
        assert [role_of(message) for message in context.messages] == [
            "compactionSummary",
            "user",
            "assistant",
            "toolResult",
            "toolResult",
            "assistant",
            "toolResult",
            "user",
        ]

    @pytest.mark.spec("CB-4", "CB-5", "CB-10")
    def test_only_the_latest_compaction_speaks(self) -> None:
        chain = conversation("1", "2")
        chain.compaction("e3", "first")
        chain.user("q3")
        chain.compaction("e2", "second")
        chain.user("q4")
        assert texts(build_session_context(chain.entries).messages) == ["second", "a1", "q2", "a2", "q3", "q4"]

    @pytest.mark.spec("CB-4")
    def test_a_compaction_of_another_branch_says_nothing(self) -> None:
        chain = conversation("1")
        chain.compaction("e2")
        chain.user("other", parent="e2")
        assert texts(build_session_context(chain.entries).messages) == ["q1", "a1", "other"]

    @pytest.mark.spec("CB-5", "SF-4.2")
    @pytest.mark.parametrize(("boundary", "noted"), [("e3", False), ("gone", True), (None, True), ("e4", True)])
    def test_a_boundary_that_is_not_before_the_compaction_keeps_nothing(self, boundary: str, noted: bool) -> None:
        chain = conversation("1")
        chain.compaction(boundary)
        chain.user("after")
        context = build_session_context(chain.entries)
        assert texts(context.messages) == ["summary", "after"]
        assert bool(context.notes) == noted
        assert all("kept boundary" in note for note in context.notes)

    @pytest.mark.spec("CB-5")
    def test_a_boundary_that_exists_is_no_reason_for_a_note(self) -> None:
        chain = conversation("1")
        chain.compaction("e1")
        assert build_session_context(chain.entries).notes == ()

    @pytest.mark.spec("CB-5", "SF-4.2")
    def test_a_replayed_prompt_leads_and_kept_ones_are_dropped(self) -> None:
        chain = Chain()
        chain.message("system", content="base")
        chain.user("q1")
        chain.message("system", content="kept")
        chain.user("q2")
        chain.compaction("e2", systemMessage={"role": "system", "content": "base\n\nkept"})
        chain.message("system", content="after")
        messages = build_session_context(chain.entries).messages
        assert texts(messages) == ["base\n\nkept", "summary", "q1", "q2", "after"]
        in_omp = build_session_context(chain.entries, rules=OMP_13_19).messages
        assert texts(in_omp) == ["summary", "q1", "kept", "q2", "after"]

    @pytest.mark.spec("CB-5")
    def test_a_system_message_that_is_no_object_is_no_message(self) -> None:
        chain = Chain()
        chain.compaction(None, systemMessage="prompt")
        assert texts(build_session_context(chain.entries).messages) == ["summary"]

    @pytest.mark.spec("CB-5")
    def test_after_a_reset_boundary_the_context_starts_anew(self) -> None:
        chain = conversation("1")
        chain.compaction("e1")
        chain.user("q2")
        chain.add("reset_boundary")
        chain.user("q3")
        assert texts(build_session_context(chain.entries).messages) == ["q3"]
        assert context_start(chain.entries) == 5
        for rules in (PI_1_6, OMP_13_19):
            messages = build_session_context(chain.entries, rules=rules).messages
            assert texts(messages) == ["summary", "q1", "a1", "q2", "q3"]

    @pytest.mark.spec("CB-5")
    def test_a_compaction_after_a_reset_boundary_keeps_nothing_from_before_it(self) -> None:
        chain = conversation("1")
        chain.add("reset_boundary")
        chain.user("q2")
        chain.compaction("e2")
        chain.user("q3")
        assert texts(build_session_context(chain.entries).messages) == ["summary", "q2", "q3"]
        assert context_start(chain.entries[:2]) == 0

    @pytest.mark.spec("CB-5")
    def test_provider_private_history_makes_the_context_approximate(self) -> None:
        chain = conversation("1")
        remote = {"provider": "openai", "replacementHistory": [{"type": "message"}]}
        chain.compaction("e2", preserveData={"openaiRemoteCompaction": remote})
        chain.user("more")
        payload = {"type": "openaiResponsesHistory", "provider": "openai", "items": [{"type": "message"}]}

        context = build_session_context(chain.entries)
        assert context.approximate
        assert texts(context.messages) == ["summary", "a1", "more"]
        assert "providerPayload" not in context.messages[0]

        as_omp_does = build_session_context(chain.entries, rules=OMP_13_19)
        assert texts(as_omp_does.messages) == ["summary", "more"]
        assert as_omp_does.messages[0]["providerPayload"] == payload

    @pytest.mark.parametrize(
        "preserved",
        [
            None,
            5,
            {},
            {"openaiRemoteCompaction": None},
            {"openaiRemoteCompaction": {"replacementHistory": []}},
            {"openaiRemoteCompaction": {"provider": "", "replacementHistory": []}},
            {"openaiRemoteCompaction": {"provider": "openai"}},
            {"openaiRemoteCompaction": {"provider": "openai", "replacementHistory": {}}},
        ],
    )
    @pytest.mark.spec("CB-5")
    def test_other_preserved_data_is_no_history(self, preserved: Any) -> None:
        assert remote_history({"type": "compaction", "preserveData": preserved}) is None
        chain = conversation("1")
        chain.compaction("e2", preserveData=preserved)
        context = build_session_context(chain.entries, rules=OMP_13_19)
        assert not context.approximate
        assert texts(context.messages) == ["summary", "a1"]

    @pytest.mark.spec("CB-4")
    def test_the_latest_compaction_and_its_boundary_are_found_by_index(self) -> None:
        chain = conversation("1")
        assert latest_compaction(chain.entries) is None
        chain.compaction("e2")
        chain.user()
        chain.compaction("e1")
        assert latest_compaction(chain.entries) == 4
        assert latest_compaction(chain.entries[:4]) == 2
        assert kept_start_index(chain.entries, 4) == 0
        assert kept_start_index(chain.entries, 2) == 1
        assert kept_start_index([*chain.entries, {"type": "compaction", "firstKeptEntryId": 5}], 5) is None

    @pytest.mark.spec("CB-2", "CB-4")
    def test_a_path_of_a_hundred_thousand_entries_is_ordinary(self) -> None:
        chain = Chain()
        for _ in range(50_000):
            chain.user("q")
            chain.assistant("a")
        chain.compaction("e100000")
        assert len(build_session_context(chain.entries).messages) == 2


class TestContextEdits:
    def edited(self, target: JsonObject, replacement: Any) -> list[JsonObject]:
        edit = {"type": "context_edit", "id": "x", "targetId": target["id"], "replacement": replacement}
        return projected_messages(build_session_projection([target, edit]))

    @pytest.mark.spec("CB-6", "SF-4.11")
    def test_null_omits_the_message(self) -> None:
        chain = conversation("1")
        chain.add("context_edit", targetId="e2", replacement=None)
        assert texts(build_session_context(chain.entries).messages) == ["q1"]
        assert texts(build_session_context(chain.entries, "e2").messages) == ["q1", "a1"]
        assert texts(build_session_context(chain.entries, rules=OMP_13_19).messages) == ["q1", "a1"]

    @pytest.mark.spec("CB-6", "SF-4.11")
    @pytest.mark.parametrize("role", ["assistant", "toolResult"])
    def test_a_text_becomes_a_block_for_answers_and_results(self, role: str) -> None:
        target = {"type": "message", "id": "t", "message": {"role": role, "content": [text_block("long")], "x": 1}}
        assert self.edited(target, {"content": "short"}) == [{"role": role, "content": [text_block("short")], "x": 1}]
        assert self.edited(target, {"content": [text_block("b")]})[0]["content"] == [text_block("b")]

    @pytest.mark.spec("CB-6", "SF-4.11")
    def test_a_text_stays_a_text_for_inputs(self) -> None:
        question = {"type": "message", "id": "t", "message": {"role": "user", "content": "long"}}
        assert self.edited(question, {"content": "short"}) == [{"role": "user", "content": "short"}]
        note = {"type": "custom_message", "id": "t", "customType": "n", "content": "long", "timestamp": 5}
        assert self.edited(note, {"content": "short"})[0]["content"] == "short"

    @pytest.mark.spec("CB-6")
    def test_what_cannot_be_edited_can_be_omitted(self) -> None:
        command = {"type": "message", "id": "t", "message": {"role": "bashExecution", "command": "ls"}}
        assert self.edited(command, {"content": "x"}) == [command["message"]]
        assert self.edited(command, None) == []
        summary = {"type": "branch_summary", "id": "t", "summary": "s", "timestamp": 5}
        assert [message["summary"] for message in self.edited(summary, {"content": "x"})] == ["s"]
        assert self.edited(summary, None) == []

    @pytest.mark.spec("CB-6")
    def test_the_last_edit_of_a_target_wins(self) -> None:
        chain = conversation("1")
        chain.add("context_edit", targetId="e2", replacement=None)
        chain.add("context_edit", targetId="e2", replacement={"content": "back"})
        assert texts(build_session_context(chain.entries).messages) == ["q1", "back"]

    @pytest.mark.spec("CB-6")
    def test_only_edits_that_count_themselves_apply(self) -> None:
        chain = conversation("1")
        chain.add("context_edit", targetId="e2", replacement={"content": "edited"})
        chain.user("q2")
        chain.compaction("e2")
        assert texts(build_session_context(chain.entries).messages) == ["summary", "edited", "q2"]
        chain.entries[-1]["firstKeptEntryId"] = "e4"
        assert texts(build_session_context(chain.entries).messages) == ["summary", "q2"]
        chain.add("context_edit", targetId="e5", replacement=None)
        assert texts(build_session_context(chain.entries).messages) == ["q2"]

    @pytest.mark.spec("CB-6", "SF-9.5")
    @pytest.mark.parametrize(
        "edit",
        [
            {"type": "context_edit", "targetId": "t"},
            {"type": "context_edit", "targetId": "t", "replacement": "text"},
            {"type": "context_edit", "targetId": "other", "replacement": None},
            {"type": "context_edit", "targetId": ["t"], "replacement": None},
            {"type": "custom", "targetId": "t", "replacement": None},
        ],
    )
    def test_other_entries_edit_nothing(self, edit: JsonObject) -> None:
        target = {"type": "message", "id": "t", "message": {"role": "user", "content": "q"}}
        assert projected_messages(build_session_projection([target, edit])) == [target["message"]]

    @pytest.mark.spec("CB-6")
    def test_edits_by_target(self) -> None:
        edit = {"type": "context_edit", "targetId": "t", "replacement": {"content": "x"}}
        assert context_edits([edit, {**edit, "targetId": "u", "replacement": None}]) == {
            "t": {"content": "x"},
            "u": None,
        }
        assert edited_messages([{"role": "user", "content": "a"}], {}) == [{"role": "user", "content": None}]


class TestEntryMessage:
    TIME = START_MS + MINUTE_MS

    def only(self, kind: str, **fields: Any) -> JsonObject:
        return Chain().add(kind, **fields)

    @pytest.mark.spec("CB-7", "SF-4.1")
    def test_a_stored_message_is_itself(self) -> None:
        entry = Chain().user("x")
        assert entry_message(entry) is entry["message"]
        assert entry_message({"type": "message", "message": None}) is None
        assert entry_message({"type": "message"}) is None

    @pytest.mark.spec("SF-9.6")
    @pytest.mark.parametrize(
        ("role", "content"), [("user", []), ("assistant", []), ("toolResult", []), ("system", ""), ("custom", None)]
    )
    @pytest.mark.parametrize("stored", [{"content": None}, {}])
    def test_missing_content_reads_as_empty(self, role: str, content: Any, stored: JsonObject) -> None:
        entry = {"type": "message", "message": {"role": role, **stored}}
        for rules in (BRANCHWORK, PI_1_6):
            message = entry_message(entry, rules)
            assert message is not None
            assert message.get("content") == content
        assert entry_message(entry, OMP_13_19) == entry["message"]

    @pytest.mark.spec("CB-7", "SF-4.4", "O-037")
    def test_an_extension_message(self) -> None:
        entry = self.only(
            "custom_message", customType="n", content="x", display=False, details={"k": 1}, attribution="user"
        )
        message = {"role": "custom", "customType": "n", "content": "x", "display": False, "details": {"k": 1}}
        assert entry_message(entry) == {**message, "attribution": "user", "timestamp": self.TIME}
        assert entry_message(entry, OMP_13_19) == {**message, "attribution": "user", "timestamp": self.TIME}
        assert entry_message(entry, PI_1_6) == {**message, "timestamp": self.TIME}

    @pytest.mark.spec("CB-7")
    def test_an_extension_message_without_content(self) -> None:
        entry = self.only("custom_message", customType="n", content=None)
        assert entry_message(entry) == {"role": "custom", "customType": "n", "content": [], "timestamp": self.TIME}
        as_omp_reads_it = entry_message(entry, OMP_13_19)
        assert as_omp_reads_it == {"role": "custom", "customType": "n", "content": None, "timestamp": self.TIME}

    @pytest.mark.spec("CB-7", "SF-4.3", "O-036")
    def test_a_branch_summary(self) -> None:
        entry = self.only("branch_summary", fromId="old", summary="s", details={})
        expected = {"role": "branchSummary", "summary": "s", "fromId": "old", "timestamp": self.TIME}
        assert entry_message(entry) == expected
        for summary in ("", None, 5):
            assert entry_message({**entry, "summary": summary}) is None

    @pytest.mark.spec("CB-7", "SF-4.2", "O-020")
    def test_a_compaction(self) -> None:
        entry = self.only("compaction", summary="s", shortSummary="short", tokensBefore=9, firstKeptEntryId="x")
        message = {"role": "compactionSummary", "summary": "s", "tokensBefore": 9, "timestamp": self.TIME}
        assert entry_message(entry) == {**message, "shortSummary": "short"}
        assert entry_message(entry, PI_1_6) == message
        assert entry_message({**entry, "summary": None}, PI_1_6) == {**message, "summary": ""}

    @pytest.mark.spec("CB-7")
    def test_a_time_that_is_no_date_is_none(self) -> None:
        entry = {"type": "branch_summary", "summary": "s", "timestamp": "yesterday"}
        assert entry_message(entry) == {"role": "branchSummary", "summary": "s", "timestamp": None}

    @pytest.mark.spec("CB-7", "SF-4.5", "SF-4.9", "SF-4.12")
    @pytest.mark.parametrize(
        "kind", ["custom", "label", "model_change", "thinking_level_change", "session_info", "usage", "mystery", None]
    )
    def test_other_entries_give_no_message(self, kind: str | None) -> None:
        entry = {"type": kind, "id": "x", "summary": "s", "content": "c", "message": {"role": "user", "content": "m"}}
        assert entry_message(entry) is None


class TestState:
    @pytest.mark.spec("CB-3", "SF-4.7")
    def test_the_last_thinking_level_counts(self) -> None:
        chain = Chain()
        assert context_state(chain.entries).thinking_level == "off"
        chain.add("thinking_level_change", thinkingLevel="high")
        chain.compaction("e1")
        chain.add("thinking_level_change", thinkingLevel="low")
        assert context_state(chain.entries).thinking_level == "low"
        chain.add("thinking_level_change", thinkingLevel=None)
        assert context_state(chain.entries).thinking_level == "off"
        assert context_state(chain.entries, OMP_13_19).thinking_level == "off"
        assert context_state(chain.entries, PI_1_6).thinking_level is None

    @pytest.mark.spec("CB-3", "SF-4.6")
    def test_both_spellings_of_a_model_are_understood(self) -> None:
        pi, omp = Chain(), Chain()
        pi.add("model_change", provider="acme", modelId="large/2")
        omp.add("model_change", model="acme/large/2")
        choice = ModelChoice("acme", "large/2")
        for chain in (pi, omp):
            state = context_state(chain.entries)
            assert state.model == choice
            assert state.models == {"default": "acme/large/2"}
        assert context_state(pi.entries, PI_1_6).model == choice
        assert context_state(omp.entries, PI_1_6).model == ModelChoice(None, None)
        assert context_state(pi.entries, OMP_13_19).models == {}
        assert context_state(omp.entries, OMP_13_19).models == {"default": "acme/large/2"}

    @pytest.mark.spec("CB-3", "SF-4.6")
    def test_a_model_of_another_role_is_not_the_model_in_use(self) -> None:
        chain = Chain()
        chain.add("model_change", model="acme/large")
        chain.add("model_change", model="acme/small", role="smol")
        state = context_state(chain.entries)
        assert state.models == {"default": "acme/large", "smol": "acme/small"}
        assert state.model == ModelChoice("acme", "large")

    @pytest.mark.spec("CB-3")
    def test_an_answer_sets_the_model_that_gave_it(self) -> None:
        chain = Chain()
        chain.add("model_change", provider="other", modelId="m")
        chain.assistant()
        for rules in PRESETS.values():
            state = context_state(chain.entries, rules)
            assert state.model == ModelChoice("acme", "acme-large")
            assert state.models == {"default": "acme/acme-large"}
        chain.add("model_change", model="x/y")
        assert context_state(chain.entries).model == ModelChoice("x", "y")

    @pytest.mark.spec("CB-3", "SF-9.5")
    def test_what_names_no_model_changes_none(self) -> None:
        chain = Chain()
        chain.add("model_change", provider="acme", modelId="m")
        chain.add("model_change")
        chain.message("assistant", content=[], provider="acme")
        chain.message("user", content="x", provider="no", model="no")
        for rules in (BRANCHWORK, OMP_13_19):
            models = {"default": "acme/m"} if rules is BRANCHWORK else {}
            assert context_state(chain.entries, rules).models == models
        assert context_state(chain.entries).model == ModelChoice("acme", "m")
        assert context_state(chain.entries, PI_1_6).model == ModelChoice("acme", None)

    @pytest.mark.spec("CB-3", "SF-4.12")
    def test_the_bookkeeping_of_omp(self) -> None:
        chain = Chain()
        empty = context_state(chain.entries)
        assert (empty.service_tier, empty.mode, empty.mode_data) == (None, "none", None)
        assert (empty.injected_rules, empty.selected_tools, empty.has_tool_selection) == ((), (), False)
        chain.add("service_tier_change", serviceTier="flex")
        chain.add("service_tier_change", serviceTier="priority")
        chain.add("ttsr_injection", injectedRules=["b", "a"])
        chain.add("ttsr_injection", injectedRules=["a", "c", 5])
        chain.add("ttsr_injection", injectedRules="d")
        chain.add("mcp_tool_selection", selectedToolNames=["x"])
        chain.add("mcp_tool_selection", selectedToolNames=["y", "z"])
        chain.add("mode_change", mode="plan", data={"file": "p.md"})
        state = context_state(chain.entries)
        assert state.service_tier == "priority"
        assert state.injected_rules == ("b", "a", "c")
        assert state.selected_tools == ("y", "z")
        assert state.has_tool_selection
        assert (state.mode, state.mode_data) == ("plan", {"file": "p.md"})

    @pytest.mark.spec("CB-3")
    def test_compacted_entries_still_set_the_state(self) -> None:
        chain = Chain()
        chain.add("thinking_level_change", thinkingLevel="high")
        chain.user()
        chain.compaction("e2")
        context = path_context(chain.entries)
        assert context.state.thinking_level == "high"
        assert texts(context.messages) == ["summary", "question"]


@given(sessions(), st.data())
@pytest.mark.spec("CB-10", "O-033")
def test_there_is_one_summary_when_the_path_has_a_compaction(entries: list[JsonObject], data: st.DataObject) -> None:
    if not entries:
        return
    leaf = data.draw(st.sampled_from(entries))["id"]
    context = build_session_context(entries, leaf)
    path = [entry["id"] for entry in entries]
    assert set(context.source_ids) <= set(path)
    summaries = [item for item in context.projection if item.entry["type"] == "compaction" and item.messages]
    edited = {entry.get("targetId") for entry in entries if entry["type"] == "context_edit"}
    compactions = [item for item in context.projection if item.entry["type"] == "compaction"]
    assert len(summaries) <= 1
    if compactions and compactions[0].entry["id"] not in edited:
        assert summaries == compactions[:1]


@given(sessions(), st.data())
@pytest.mark.spec("CB-10", "CP-7")
def test_every_tool_result_follows_its_call(entries: list[JsonObject], data: st.DataObject) -> None:
    entries = [entry for entry in entries if entry["type"] != "context_edit"]
    if not entries:
        return
    called: set[str] = set()
    for message in build_session_context(entries, data.draw(st.sampled_from(entries))["id"]).messages:
        called |= {call["id"] for call in tool_calls(message)}
        assert role_of(message) != "toolResult" or message["toolCallId"] in called


@given(sessions(), st.data())
@pytest.mark.spec("CB-10")
def test_a_branch_summary_is_not_in_the_context_of_the_branch_it_left(
    entries: list[JsonObject], data: st.DataObject
) -> None:
    if not entries:
        return
    leaf = data.draw(st.sampled_from(entries))["id"]
    before = build_session_context(entries, leaf)
    summary = {"type": "branch_summary", "id": "S", "parentId": entries[0]["id"], "timestamp": 0, "summary": "left"}
    assert build_session_context([*entries, summary], leaf) == before


@given(sessions(), st.sampled_from(list(PRESETS.values())))
@pytest.mark.spec("CB-10")
def test_building_twice_gives_the_same_and_changes_nothing(entries: list[JsonObject], rules: Rules) -> None:
    before = copy.deepcopy(entries)
    first = build_session_context(entries, rules=rules)
    assert build_session_context(entries, rules=rules) == first
    assert entries == before


@given(messy_sessions, st.sampled_from(list(PRESETS.values())))
@pytest.mark.spec("SF-9.5", "CB-10")
def test_any_json_has_a_context(entries: list[JsonObject], rules: Rules) -> None:
    before = copy.deepcopy(entries)
    context = build_session_context(entries, rules=rules)
    assert all(isinstance(message, dict) for message in context.messages)
    assert len(context.source_ids) == len(context.messages)
    assert entries == before


@given(messy_entries, st.sampled_from(list(PRESETS.values())))
@pytest.mark.spec("SF-9.5")
def test_the_message_of_any_json_is_an_object_or_none(entry: JsonObject, rules: Rules) -> None:
    message = entry_message(entry, rules)
    assert message is None or isinstance(message, dict)
