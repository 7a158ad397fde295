"""Preparing a compaction: window, groups, figures and worked examples (CP-5, CP-6, CP-9 … CP-11, CP-27)."""

import copy
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.compaction import (
    MessageGroup,
    NothingToCompact,
    Window,
    adapted_keep_recent,
    compaction_window,
    prepare_compaction,
)
from model.context import build_session_context
from model.entries import entry_type
from model.json_text import JsonObject
from model.messages import role_of, tool_calls
from model.rules import BRANCHWORK, OMP_13_19, PI_1_6, PRESETS, Rules
from tests.model.session_builders import Chain, usage
from tests.model.shaped_paths import compaction_settings, prepared, shaped
from tests.model.strategies import messy_sessions, sessions

ALL_RULES = st.sampled_from(list(PRESETS.values()))
BOUNDARIES = st.sampled_from(["sinceKept", "sinceCompaction"])


def ids(group: MessageGroup) -> str:
    return " ".join(map(str, group.entry_ids))


@pytest.mark.spec("O-079", "O-080", "O-081", "O-082", "P-025", "P-038", "P-039", "P-040")
class TestWorkedExamples:
    """The table of CP-27: path, tokens to keep, boundary → first kept, split turn, history, turn prefix, dropped."""

    @pytest.mark.parametrize(
        ("notation", "keep", "boundary", "first_kept", "turn_start", "history", "prefix", "dropped"),
        [
            ("u a t u a t t a t", 600, "sinceKept", "4", None, "1 2 3", "", ""),
            ("u a t u a t t a t", 300, "sinceKept", "8", "4", "1 2 3", "4 5 6 7", ""),
            ("u a t u a t t a t", 100, "sinceKept", "8", "4", "1 2 3", "4 5 6 7", ""),
            ("u a t a t t a t", 150, "sinceKept", "7", "1", "", "1 2 3 4 5 6", ""),
            ("u a m u a", 150, "sinceKept", "3", None, "1 2", "", ""),
            ("u a u a C(3) u a", 150, "sinceKept", "6", None, "3 4", "", ""),
            ("u a u a C(3) u a", 250, "sinceKept", "4", "3", "", "3", ""),
            ("u a u a C(3) u a", 50, "sinceCompaction", "7", "6", "", "6", "3 4"),
            ("u a u a C(gone) u a", 50, "sinceCompaction", "7", "6", "", "6", ""),
            ("u a u a C(gone) u a", 50, "sinceKept", "7", "6", "", "6", ""),
            ("u a s a", 150, "sinceKept", "3", None, "1 2", "", ""),
            ("u a u(25) w(25) t(1000)", 150, "sinceKept", "4", "3", "1 2", "3", ""),
        ],
    )
    def test_it_is_cut_like_this(
        self,
        notation: str,
        keep: int,
        boundary: str,
        first_kept: str,
        turn_start: str | None,
        history: str,
        prefix: str,
        dropped: str,
    ) -> None:
        path = shaped(notation)
        preparation = prepared(path, keep, boundary=boundary)
        assert preparation.first_kept_entry_id == first_kept
        assert preparation.turn_start_id == turn_start
        assert preparation.is_split_turn == (turn_start is not None)
        assert ids(preparation.summarize) == history
        assert ids(preparation.turn_prefix) == prefix
        assert ids(preparation.unsummarized_dropped) == dropped
        assert preparation.keep.entry_ids[0] == first_kept

    def test_what_fits_is_not_compacted(self) -> None:
        nothing = prepare_compaction(shaped("u a"), compaction_settings(keep_recent_tokens=20000))
        assert nothing == NothingToCompact("too_small", 200, "1", 20000)
        assert nothing.text == "There is nothing to compact: the session is too small."

    @pytest.mark.parametrize("keep", [0, 50, 20000])
    def test_a_path_that_ends_with_a_compaction_is_not_compacted_again(self, keep: int) -> None:
        nothing = prepare_compaction(shaped("u a u a C(3)"), compaction_settings(keep_recent_tokens=keep))
        assert isinstance(nothing, NothingToCompact)
        assert nothing == NothingToCompact("already_compacted", 202)
        assert nothing.text == "This branch is already compacted."


class TestFigures:
    @pytest.mark.spec("O-047", "O-048", "O-049", "O-050", "P-030", "P-031", "P-032", "P-003")
    def test_records_before_the_boundary_are_summarised(self) -> None:
        """Records `hdr usr ass tool usr ass tool tool ass tool`, the header counting as 0."""
        preparation = prepared(shaped("u a t u a t t a t"), 600)
        assert ids(preparation.summarize) == "1 2 3"
        assert ids(preparation.keep) == "4 5 6 7 8 9"
        assert preparation.first_kept_entry_id == "4"

    @pytest.mark.spec("P-047", "P-048", "P-049", "P-050", "P-051", "P-052", "P-053")
    def test_one_turn_larger_than_the_budget_is_split(self) -> None:
        """Records `hdr usr ass tool ass tool tool ass tool`."""
        preparation = prepared(shaped("u a t a t t a t"), 150)
        assert preparation.turn_start_id == "1"
        assert preparation.first_kept_entry_id == "7"
        assert preparation.is_split_turn
        assert preparation.messages_to_summarize == ()
        roles = [role_of(message) for message in preparation.turn_prefix_messages]
        assert roles == ["user", "assistant", "toolResult", "assistant", "toolResult", "toolResult"]
        assert ids(preparation.keep) == "7 8"


class TestWindow:
    def test_without_a_compaction_it_is_the_whole_path(self) -> None:
        assert compaction_window(shaped("u a"), "sinceKept") == Window(0, None, None)
        assert compaction_window([], "sinceCompaction") == Window(0, None, None)

    def test_since_kept_it_starts_at_what_the_previous_one_keeps(self) -> None:
        assert compaction_window(shaped("u a u a C(3) u"), "sinceKept") == Window(2, 4, None)

    def test_since_compaction_it_starts_behind_the_previous_one(self) -> None:
        assert compaction_window(shaped("u a u a C(3) u"), "sinceCompaction") == Window(5, 4, 2)

    @pytest.mark.parametrize("boundary", ["sinceKept", "sinceCompaction"])
    @pytest.mark.parametrize("kept", ["5", "gone"])
    def test_what_keeps_nothing_starts_behind_itself(self, boundary: str, kept: str) -> None:
        assert compaction_window(shaped(f"u a u a C({kept}) u"), boundary) == Window(5, 4, None)  # type: ignore[arg-type]

    def test_only_the_latest_compaction_counts(self) -> None:
        """Field report C08."""
        assert compaction_window(shaped("u a C(1) u a C(2) u"), "sinceKept") == Window(1, 5, None)

    def test_nothing_counts_in_front_of_a_reset_boundary(self) -> None:
        path = shaped("u a R u a C(1) u")
        assert compaction_window(path, "sinceKept") == Window(3, 5, None)
        assert compaction_window(path, "sinceCompaction") == Window(6, 5, 3)
        assert compaction_window(shaped("u C(1) u R u"), "sinceKept") == Window(4, None, None)
        assert compaction_window(path, "sinceKept", OMP_13_19) == Window(0, 5, None)

    def test_a_compaction_right_behind_a_reset_boundary_is_the_previous_one(self) -> None:
        assert compaction_window(shaped("u R C(1) u"), "sinceCompaction") == Window(3, 2, 2)

    def test_only_our_rules_know_reset_boundaries(self) -> None:
        path = shaped("u a R u a u a")
        assert ids(prepared(path, 150).summarize) == "4 5"
        assert ids(prepared(path, 150, PI_1_6).summarize) == "1 2 3 4 5"

    def test_a_compaction_in_front_of_a_reset_boundary_is_no_previous_one(self) -> None:
        preparation = prepared(shaped("u C(1) R u a u a"), 150)
        assert preparation.previous_summary is None
        assert ids(preparation.summarize) == "4 5"


class TestBudget:
    @pytest.mark.spec("O-082")
    def test_it_shrinks_by_the_ratio_of_measured_to_estimated_tokens(self) -> None:
        path = shaped("u a u a")
        path[-1]["message"]["usage"] = usage(1200)
        assert prepared(path, 600, adapt_keep_recent=True).keep_recent_tokens == 200
        unchanged = prepare_compaction(path, compaction_settings(keep_recent_tokens=600))
        assert isinstance(unchanged, NothingToCompact)
        assert unchanged.keep_recent_tokens == 600

    @pytest.mark.parametrize(
        ("keep", "ratio", "adapted"),
        [(600, 3.0, 200), (100, 3.0, 33), (2, 3.0, 1), (0, 2.0, 1), (0, 1.0, 0), (600, 1.0, 600), (600, 0.5, 600)],
    )
    def test_it_is_rounded_down_and_at_least_one(self, keep: int, ratio: float, adapted: int) -> None:
        assert adapted_keep_recent(keep, ratio) == adapted

    def test_it_does_not_grow(self) -> None:
        path = shaped("u a u a")
        path[-1]["message"]["usage"] = usage(50)
        assert prepared(path, 100, adapt_keep_recent=True).keep_recent_tokens == 100

    def test_usage_from_before_the_previous_compaction_counts_only_under_omp(self) -> None:
        path = shaped("u a C(1) u a u a")
        path[1]["message"]["usage"] = usage(4000)
        for entry in path[4:]:
            entry["message"].pop("usage", None)
        settings = {"adapt_keep_recent": True, "boundary": "sinceCompaction"}
        assert prepared(path, 100, **settings).keep_recent_tokens == 100
        assert prepared(path, 100, OMP_13_19, **settings).keep_recent_tokens == 10
        since_kept = {"adapt_keep_recent": True, "boundary": "sinceKept"}
        assert prepared(path, 100, **since_kept).keep_recent_tokens == 100

    def test_the_usage_of_the_very_first_entry_counts_under_omp(self) -> None:
        path = shaped("a u a")
        path[0]["message"]["usage"] = usage(3000)
        del path[2]["message"]["usage"]
        assert prepared(path, 150, OMP_13_19, adapt_keep_recent=True).keep_recent_tokens == 15

    def test_usage_behind_the_previous_compaction_counts(self) -> None:
        path = shaped("u a C(1) a u a")
        path[3]["message"]["usage"] = usage(1000)
        del path[5]["message"]["usage"]
        assert prepared(path, 100, adapt_keep_recent=True).keep_recent_tokens == 50

    def test_the_estimate_is_that_of_the_window(self) -> None:
        path = shaped("u(5000) a C(4) u a u a")
        path[-1]["message"]["usage"] = usage(800)
        preparation = prepared(path, 200, adapt_keep_recent=True, boundary="sinceCompaction")
        assert preparation.keep_recent_tokens == 100

    def test_a_window_without_tokens_has_no_ratio(self) -> None:
        path = shaped("u(0) a(0)")
        path[-1]["message"]["usage"] = usage(800)
        nothing = prepare_compaction(path, compaction_settings(keep_recent_tokens=7, adapt_keep_recent=True))
        assert isinstance(nothing, NothingToCompact)
        assert nothing.keep_recent_tokens == 7

    @pytest.mark.parametrize("tokens", [10**400, float("inf")])
    def test_a_number_beyond_all_measure_is_no_measure(self, tokens: float) -> None:
        path = shaped("u a u a")
        path[-1]["message"]["usage"] = {"input": tokens, "totalTokens": tokens}
        assert prepared(path, 100, adapt_keep_recent=True).keep_recent_tokens == 100


class TestResult:
    @pytest.mark.spec("P-027")
    def test_the_previous_summary_and_its_data_are_handed_over(self) -> None:
        path = shaped("u a u a C(3) u a u a")
        path[4] |= {"summary": "earlier", "preserveData": {"index": 1}}
        preparation = prepared(path, 150)
        assert preparation.previous_summary == "earlier"
        assert preparation.previous_preserve_data == {"index": 1}

    def test_without_a_previous_compaction_there_are_none(self) -> None:
        preparation = prepared(shaped("u a u a"), 150)
        assert preparation.previous_summary is None
        assert preparation.previous_preserve_data is None

    def test_data_of_another_shape_is_none(self) -> None:
        path = shaped("u a C(1) u a")
        path[2] |= {"summary": 5, "preserveData": [1]}
        preparation = prepared(path, 150)
        assert preparation.previous_summary == ""
        assert preparation.previous_preserve_data is None

    @pytest.mark.spec("P-041", "P-042")
    def test_tokens_before_are_those_of_the_context_that_is_replaced(self) -> None:
        path = shaped("u a C(2) u a")
        path[2]["summary"] = "x" * 40
        assert prepared(path, 150).tokens_before == 310
        path[-1]["message"]["usage"] = usage(5000)
        assert prepared(path, 150).tokens_before == 5000

    def test_under_omp_they_are_those_of_the_last_usage(self) -> None:
        path = shaped("u a u a")
        path[1]["message"]["usage"] = usage(700)
        del path[3]["message"]["usage"]
        assert prepared(path, 150, OMP_13_19).tokens_before == 700
        assert prepared(path, 150).tokens_before == 900
        assert prepared(shaped("u a u a"), 150, OMP_13_19).tokens_before == 0

    def test_tokens_before_beyond_all_measure_are_zero(self) -> None:
        path = shaped("u a u a")
        path[-1]["message"]["usage"] = {"totalTokens": float("inf")}
        assert prepared(path, 150).tokens_before == 0

    @pytest.mark.spec("P-080", "P-142", "P-143", "P-144", "P-147", "P-148")
    def test_the_groups_have_sums_and_sources(self) -> None:
        preparation = prepared(shaped("u a m u(50) a t(10) a"), 100)
        assert preparation.summarize == MessageGroup(
            ("1", "2", "3"), preparation.messages_to_summarize, ("1", "2"), 200
        )
        assert (ids(preparation.turn_prefix), preparation.turn_prefix.tokens) == ("4 5 6", 160)
        assert (ids(preparation.keep), preparation.keep.tokens) == ("7", 100)
        assert len(preparation.recent_messages) == 1
        assert (preparation.window_start_id, preparation.cut_point_id) == ("1", "7")
        assert preparation.settings.keep_recent_tokens == 100

    def test_what_drops_out_unsummarised_is_counted(self) -> None:
        preparation = prepared(shaped("u a u(30) m a C(3) u a u a"), 150, boundary="sinceCompaction")
        assert ids(preparation.unsummarized_dropped) == "3 4 5"
        assert preparation.unsummarized_dropped.tokens == 130
        assert preparation.unsummarized_dropped.source_ids == ("3", "5")

    def test_the_cut_point_is_not_the_pulled_in_metadata(self) -> None:
        preparation = prepared(shaped("u a m u a"), 150)
        assert (preparation.cut_point_id, preparation.first_kept_entry_id) == ("4", "3")

    def test_compactions_in_the_window_are_in_no_group(self) -> None:
        preparation = prepared(shaped("u a C(1) u a C(1) u a"), 150)
        assert ids(preparation.summarize) == "1 2 4 5"
        assert ids(preparation.keep) == "7 8"

    def test_an_entry_without_an_id_cannot_be_the_boundary(self) -> None:
        path = shaped("u a u a")
        path[2] = {**path[2], "id": ""}
        nothing = prepare_compaction(path, compaction_settings(keep_recent_tokens=150))
        assert isinstance(nothing, NothingToCompact)
        assert nothing.reason == "too_small"

    def test_an_empty_path_is_too_small(self) -> None:
        assert prepare_compaction([], compaction_settings()) == NothingToCompact("too_small", 0, None, 20000)

    def test_a_turn_prefix_alone_is_enough(self) -> None:
        assert ids(prepared(shaped("u a a"), 50).turn_prefix) == "1 2"

    def test_metadata_alone_is_nothing(self) -> None:
        nothing = prepare_compaction(shaped("m l u a"), compaction_settings(keep_recent_tokens=150))
        assert isinstance(nothing, NothingToCompact)


class TestRules:
    def test_the_sizes_are_those_of_the_rules(self) -> None:
        path = shaped("u u u a")
        path[1]["message"]["role"] = "developer"
        assert prepared(path, 150).summarize.tokens == 200
        assert prepared(path, 150, PI_1_6).summarize.tokens == 100
        assert prepared(path, 150).tokens_before == 400
        assert prepared(path, 150, PI_1_6).tokens_before == 300

    def test_context_edits_are_unknown_to_omp(self) -> None:
        path = [*shaped("u a u a"), {"type": "context_edit", "id": "c", "targetId": "1", "replacement": None}]
        assert prepared(path, 150).summarize.source_ids == ("2",)
        assert prepared(path, 150, OMP_13_19).summarize.source_ids == ("1", "2")

    def test_file_lists_and_nested_calls_are_read_by_the_rules(self) -> None:
        path = shaped("u s t u a")
        path[1] |= {"fromHook": True, "details": {"readFiles": ["r"], "modifiedFiles": []}}
        path[2]["message"]["nestedCalls"] = {"calls": [{"name": "read", "arguments": {"path": "n"}}]}
        assert prepared(path, 150).file_ops.read == {"n"}
        assert prepared(path, 150, OMP_13_19).file_ops.read == frozenset()
        only_own_marks = replace(BRANCHWORK, extension_marks=("fromExtension",))
        assert prepared(path, 150, only_own_marks).file_ops.read == {"n", "r"}


class TestContextEdits:
    def test_an_omitted_entry_is_neither_summarised_nor_counted(self) -> None:
        path = shaped("u a t(900) u a u a")
        path.insert(3, {"type": "context_edit", "id": "edit", "parentId": "3", "targetId": "3", "replacement": None})
        preparation = prepared(path, 150)
        assert ids(preparation.summarize) == "1 2 3 edit 4 5"
        assert preparation.summarize.source_ids == ("1", "2", "4", "5")
        assert preparation.summarize.tokens == 400

    def test_an_entry_before_a_broken_link_contributes_nothing_under_pi(self) -> None:
        path = shaped("u a u a u a")
        path[2] = {**path[2], "parentId": "gone"}
        assert prepared(path, 150, PI_1_6).summarize.source_ids == ("3", "4")
        assert prepared(path, 150).summarize.source_ids == ("1", "2", "3", "4")

    def test_a_branch_summary_without_text_is_a_message_only_under_omp(self) -> None:
        path = shaped("e u a u a")
        assert [role_of(m) for m in prepared(path, 150).messages_to_summarize] == ["user", "assistant"]
        with_empty = prepared(path, 150, OMP_13_19).messages_to_summarize
        assert with_empty[0] == {
            "role": "branchSummary",
            "summary": "",
            "fromId": "root",
            "timestamp": 1_770_105_660_000,
        }


class TestFiles:
    @staticmethod
    def path() -> list[JsonObject]:
        path = shaped("u w u w t a")
        path[3]["message"]["content"][1]["arguments"] = {"path": "kept"}
        return path

    @pytest.mark.spec("O-118", "O-123", "P-096", "P-145")
    def test_those_of_history_and_turn_prefix_count_and_those_of_the_kept_part_do_not(self) -> None:
        preparation = prepared(self.path(), 350)
        assert ids(preparation.keep).startswith("3")
        assert preparation.file_ops.written == {"w"}
        assert prepared(self.path(), 50).file_ops.written == {"w", "kept"}

    @pytest.mark.spec("O-122", "P-098", "P-099")
    def test_those_of_the_previous_compaction_are_carried_over(self) -> None:
        path = shaped("u a C(1) u a")
        path[2]["details"] = {"readFiles": ["r"], "modifiedFiles": ["m"]}
        assert prepared(path, 150).file_ops.read == {"r"}
        assert prepared(path, 150).file_ops.edited == {"m"}
        path[2]["fromHook"] = True
        assert prepared(path, 150).file_ops.read == frozenset()

    @pytest.mark.spec("P-098", "P-099")
    def test_those_of_summarised_branch_summaries_are_added(self) -> None:
        path = shaped("u s a s u a s")
        for row in (1, 3, 6):
            path[row]["details"] = {"readFiles": [f"r{row}"], "modifiedFiles": []}
        assert prepared(path, 300).file_ops.read == {"r1", "r3"}
        assert prepared(path, 300, PI_1_6).file_ops.read == frozenset()

    def test_those_of_a_branch_summary_outside_the_window_are_not(self) -> None:
        path = shaped("s u C(2) u a")
        path[0]["details"] = {"readFiles": ["r"], "modifiedFiles": []}
        assert prepared(path, 150).file_ops.read == frozenset()


class TestProperties:
    @given(sessions(), st.integers(0, 60), BOUNDARIES, ALL_RULES)
    def test_the_groups_partition_the_window(
        self, path: list[JsonObject], keep: int, boundary: str, rules: Rules
    ) -> None:
        """Field report C04."""
        settings = compaction_settings(keep_recent_tokens=keep, boundary=boundary)
        preparation = prepare_compaction(path, settings, rules)
        if isinstance(preparation, NothingToCompact):
            return
        window = compaction_window(path, settings.boundary, rules)
        groups = (preparation.summarize, preparation.turn_prefix, preparation.keep)
        expected = [entry["id"] for entry in path[window.start_index :] if entry_type(entry) != "compaction"]
        assert [id for group in groups for id in group.entry_ids] == expected
        assert all(len(group.messages) == len(group.source_ids) for group in groups)
        assert all(set(group.source_ids) <= set(group.entry_ids) for group in groups)
        assert bool(preparation.turn_prefix_messages) <= preparation.is_split_turn
        assert role_of(preparation.recent_messages[0] if preparation.recent_messages else {}) != "toolResult"

    @given(sessions(), st.integers(0, 60), BOUNDARIES)
    def test_every_kept_tool_result_has_its_call(self, entries: list[JsonObject], keep: int, boundary: str) -> None:
        """Field report C03."""
        path = _one_branch(entries)
        settings = compaction_settings(keep_recent_tokens=keep, boundary=boundary)
        preparation = prepare_compaction(path, settings)
        if isinstance(preparation, NothingToCompact):
            return
        compaction = {
            "type": "compaction",
            "id": "new",
            "parentId": path[-1]["id"],
            "summary": "s",
            "firstKeptEntryId": preparation.first_kept_entry_id,
        }
        before = _calls_without_result(build_session_context(path).messages)
        after = _calls_without_result(build_session_context([*path, compaction]).messages)
        assert after <= before

    @given(messy_sessions, st.integers(0, 60), BOUNDARIES, st.booleans(), ALL_RULES)
    def test_any_json_gives_a_result_and_stays_as_it_is(
        self, path: list[JsonObject], keep: int, boundary: str, adapt: bool, rules: Rules
    ) -> None:
        before = copy.deepcopy(path)
        settings = compaction_settings(keep_recent_tokens=keep, boundary=boundary, adapt_keep_recent=adapt)
        first = prepare_compaction(path, settings, rules)
        assert path == before
        assert repr(prepare_compaction(path, settings, rules)) == repr(first)

    def test_a_hundred_thousand_entries_are_ordinary(self) -> None:
        chain = Chain()
        for number in range(50_000):
            chain.user("x" * 40, id=f"u{number}")
            chain.assistant("x" * 40, id=f"a{number}")
        preparation = prepared(chain.entries, 20_000)
        assert preparation.keep.tokens == 20_000
        assert len(preparation.summarize.entry_ids) == 98_000


def _one_branch(entries: list[JsonObject]) -> list[JsonObject]:
    """The path from the last entry to the root."""
    by_id = {entry["id"]: entry for entry in entries}
    path, id = [], entries[-1]["id"] if entries else None
    while id is not None:
        path.append(by_id[id])
        id = by_id[id]["parentId"]
    return path[::-1]


def _calls_without_result(messages: list[JsonObject]) -> set[str]:
    """Ids of the tool results that no earlier message has called for."""
    called: set[str] = set()
    orphans = set()
    for message in messages:
        called |= {call["id"] for call in tool_calls(message)}
        if role_of(message) == "toolResult" and message["toolCallId"] not in called:
            orphans.add(message["toolCallId"])
    return orphans
