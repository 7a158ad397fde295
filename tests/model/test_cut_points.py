"""Cut points, metadata pull-in and split turns (CP-7, CP-8, CP-9)."""

import copy
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.cut_points import CutPoint, cut_traits, find_cut_point, own_messages, search_cut
from model.json_text import JsonObject
from model.rules import BRANCHWORK, OMP_13_19, PI_1_6, PRESETS, Rules
from tests.model.session_builders import Chain, tool_call
from tests.model.shaped_paths import shaped
from tests.model.strategies import messy_sessions, sessions

ALL_RULES = st.sampled_from(list(PRESETS.values()))


def cut(notation: str, keep: int, rules: Rules = BRANCHWORK, start: int = 1) -> tuple[int, int, int | None]:
    """Cut point, first kept entry and start of the split turn, as entry numbers."""
    path = shaped(notation)
    found = find_cut_point(path, start - 1, len(path), keep, rules)
    assert found.cut_index is not None
    turn_start = None if found.turn_start_index is None else found.turn_start_index + 1
    return found.cut_index + 1, found.first_kept_index + 1, turn_start


def message_entry(role: str) -> JsonObject:
    return {"type": "message", "id": "1", "message": {"role": role, "content": "x", "summary": "x", "command": "x"}}


def traits_of(entry: JsonObject, rules: Rules = BRANCHWORK):  # type: ignore[no-untyped-def]
    return cut_traits(entry, own_messages(entry, rules), rules)


class TestCutPoints:
    @pytest.mark.spec("O-084", "O-085", "O-086", "O-087", "O-088", "O-089", "P-057", "P-058", "P-059", "P-060")
    @pytest.mark.parametrize(
        "role",
        ["user", "assistant", "bashExecution", "hookMessage", "custom", "branchSummary", "compactionSummary"],
    )
    def test_these_roles_may_be_kept_first(self, role: str) -> None:
        assert traits_of(message_entry(role)).is_cut_point

    @pytest.mark.spec("O-092", "P-061")
    @pytest.mark.parametrize(
        "role", ["toolResult", "system", "developer", "pythonExecution", "fileMention", "observer"]
    )
    def test_a_tool_result_and_other_roles_may_not(self, role: str) -> None:
        traits = traits_of(message_entry(role))
        assert not traits.is_cut_point
        assert not traits.is_turn_start
        assert traits.stops_pull_in

    @pytest.mark.spec("O-090", "O-091", "P-060")
    @pytest.mark.parametrize("code", ["x", "s"])
    def test_extension_messages_and_branch_summaries_may(self, code: str) -> None:
        assert traits_of(shaped(code)[0]) == (True, True, True, True, True, 100)

    def test_a_branch_summary_without_text_is_metadata(self) -> None:
        assert traits_of(shaped("e")[0]) == (False, False, False, False, False, 0)

    def test_metadata_has_no_part_in_the_cut(self) -> None:
        assert traits_of(shaped("m")[0]) == (False, False, False, False, False, 0)

    def test_a_compaction_stops_the_pull_in_and_weighs_nothing(self) -> None:
        assert traits_of(shaped("C(1)")[0]) == (False, False, False, True, False, 0)

    def test_an_entry_that_a_context_edit_omits_is_metadata(self) -> None:
        assert cut_traits(shaped("u")[0], ()) == (False, False, False, False, False, 0)

    def test_a_message_that_is_no_object_is_metadata(self) -> None:
        assert traits_of({"type": "message", "id": "1", "message": "text"}).stops_pull_in is False

    def test_the_roles_of_the_agents(self) -> None:
        assert not traits_of(message_entry("hookMessage"), PI_1_6).is_cut_point
        assert traits_of(message_entry("custom"), PI_1_6) == (True, True, True, True, True, 1)
        assert not traits_of(message_entry("custom"), OMP_13_19).is_cut_point
        assert traits_of(message_entry("hookMessage"), OMP_13_19) == (True, False, False, True, True, 1)

    def test_under_omp_only_a_user_message_is_a_clean_cut(self) -> None:
        clean = {code: traits_of(shaped(code)[0], OMP_13_19).is_clean_cut for code in "uabxset"}
        assert clean == {"u": True, "a": False, "b": False, "x": False, "s": False, "e": False, "t": False}

    def test_bash_and_extension_messages_have_a_flag_each(self) -> None:
        bash, extension = shaped("b")[0], shaped("x")[0]
        bash_only = replace(BRANCHWORK, extension_cut_is_turn_start=False)
        assert (traits_of(bash, bash_only).is_clean_cut, traits_of(extension, bash_only).is_clean_cut) == (True, False)
        extension_only = replace(BRANCHWORK, bash_cut_is_turn_start=False)
        assert not traits_of(bash, extension_only).is_clean_cut
        assert traits_of(extension, extension_only).is_clean_cut

    def test_under_omp_extension_messages_and_summaries_count_by_their_type(self) -> None:
        assert traits_of(shaped("e")[0], OMP_13_19) == (True, True, False, False, False, 0)
        assert traits_of(shaped("s")[0], OMP_13_19) == (True, True, False, False, False, 100)
        assert not traits_of(shaped("m")[0], OMP_13_19).stops_pull_in
        assert traits_of(message_entry("observer"), OMP_13_19).stops_pull_in

    def test_under_pi_a_message_without_tokens_is_passed_over(self) -> None:
        assert not traits_of(shaped("u(0)")[0], PI_1_6).is_weighed
        assert traits_of(shaped("u(0)")[0]).is_weighed


class TestBudget:
    @pytest.mark.spec("O-083", "P-022")
    def test_the_walk_stops_where_the_budget_is_reached(self) -> None:
        assert cut("u a u a u a", 250) == (4, 4, 3)
        assert cut("u a u a u a", 400) == (3, 3, None)

    def test_reaching_the_budget_exactly_is_enough(self) -> None:
        assert cut("u a u a", 200)[0] == 3
        assert cut("u a u a", 201)[0] == 2

    def test_a_budget_never_reached_keeps_everything_from_the_first_cut_point(self) -> None:
        assert cut("m t u a", 1000) == (3, 3, None)

    def test_at_a_tool_result_the_next_cut_point_is_taken(self) -> None:
        assert cut("u a t a t a", 150) == (6, 6, 1)

    def test_behind_the_last_cut_point_the_last_one_is_taken(self) -> None:
        assert cut("u a u a t(500)", 300) == (4, 4, 3)
        assert cut("u a u a t(500)", 300, OMP_13_19)[0] == 1

    def test_without_a_cut_point_there_is_no_cut(self) -> None:
        path = shaped("t m t")
        assert find_cut_point(path, 0, 3, 10) == CutPoint(None, 0)
        assert find_cut_point(path, 1, 3, 10) == CutPoint(None, 1)

    def test_entries_outside_the_window_do_not_count(self) -> None:
        path = shaped("u a u a u a")
        assert find_cut_point(path, 2, 4, 50) == CutPoint(3, 3, 2)
        assert find_cut_point(path, 3, 6, 1000) == CutPoint(3, 3, None)

    def test_a_budget_of_zero_is_reached_at_once(self) -> None:
        assert cut("u a u(0)", 0) == (3, 3, None)
        assert cut("u a u(0)", 0, PI_1_6) == (2, 2, 1)

    def test_the_walk_ends_at_the_start_of_the_window(self) -> None:
        assert find_cut_point(shaped("u u a"), 1, 3, 250) == CutPoint(1, 1, None)
        assert find_cut_point(shaped("a u a"), 1, 3, 250) == CutPoint(1, 1, None)

    def test_messages_must_be_given_for_every_entry(self) -> None:
        with pytest.raises(ValueError, match="shorter"):
            find_cut_point(shaped("u a"), 0, 2, 10, messages=[()])

    def test_extension_messages_weigh_under_our_rules_and_not_under_omp(self) -> None:
        """Field report D06."""
        assert cut("u a x a", 200)[0] == 3
        assert cut("u a x a", 200, OMP_13_19)[0] == 2

    def test_a_compaction_in_the_window_weighs_only_under_pi(self) -> None:
        path = shaped("u a C(1) u a(50)")
        path[2]["summary"] = "x" * 400
        assert find_cut_point(path, 0, 5, 200).cut_index == 1
        assert find_cut_point(path, 0, 5, 200, PI_1_6).cut_index == 3


class TestPullIn:
    @pytest.mark.spec("O-093", "O-094")
    def test_metadata_before_the_cut_is_kept_with_it(self) -> None:
        assert cut("u a m l u a", 150) == (5, 3, None)

    @pytest.mark.spec("O-094")
    def test_it_ends_at_a_message_at_a_compaction_and_at_the_window(self) -> None:
        assert cut("u t m u a", 150)[1] == 3
        assert cut("u a m C(1) m u a", 150)[1] == 5
        assert cut("m m m u a", 150, start=3)[1] == 3

    def test_messages_of_other_entries_end_it_except_under_omp(self) -> None:
        assert cut("u a x u a", 150)[1] == 4
        assert cut("u a x u a", 150, OMP_13_19)[1] == 3


class TestSplitTurns:
    @pytest.mark.spec("O-095", "P-045", "P-046")
    def test_a_cut_inside_a_turn_splits_it(self) -> None:
        assert cut("u a u a t a", 150) == (6, 6, 3)

    @pytest.mark.spec("O-095", "P-044")
    def test_metadata_before_a_turn_start_does_not_split_the_turn_before(self) -> None:
        assert cut("u a m u a", 150) == (4, 3, None)
        assert cut("u a m u a", 150, PI_1_6) == (4, 3, 1)

    @pytest.mark.spec("O-096", "O-097", "O-098", "O-099", "P-043")
    @pytest.mark.parametrize("code", ["u", "b", "x", "s"])
    def test_a_turn_starts_here(self, code: str) -> None:
        assert cut(f"u a {code} a", 150) == (3, 3, None)
        assert cut(f"u a {code} a", 50) == (4, 4, 3)

    def test_a_window_that_begins_inside_a_turn_is_not_split_before_its_first_turn(self) -> None:
        assert cut("u a t a a", 150, start=2) == (4, 4, None)

    def test_the_turn_start_may_lie_before_a_compaction(self) -> None:
        assert cut("u a u C(1) a", 50) == (5, 5, 3)

    def test_history_ends_where_the_split_turn_starts(self) -> None:
        assert CutPoint(5, 5, 3).history_end_index == 3
        assert CutPoint(5, 4, None).history_end_index == 4
        assert CutPoint(5, 4, 0).is_split_turn
        assert not CutPoint(5, 4, None).is_split_turn


class TestOmittedAttempts:
    """Pi only: an input that fills the budget, followed only by its omitted attempts, is summarised."""

    @staticmethod
    def chain() -> Chain:
        chain = Chain()
        chain.user("x" * 80)
        chain.assistant("x" * 80)
        chain.user("x" * 800)
        chain.assistant([], stopReason="error", errorMessage="prompt is too long")
        return chain

    def cut(self, chain: Chain, omitted: set[str], rules: Rules = PI_1_6, keep: int = 100) -> CutPoint:
        path = chain.entries
        messages = [() if entry["id"] in omitted else own_messages(entry, rules) for entry in path]
        return find_cut_point(path, 0, len(path), keep, rules, messages)

    def test_the_input_goes_into_the_summary(self) -> None:
        chain = self.chain()
        chain.add("context_edit", targetId="e4", replacement=None)
        assert self.cut(chain, {"e4"}) == CutPoint(3, 3, 2)
        assert self.cut(chain, {"e4"}, BRANCHWORK) == CutPoint(2, 2, None)

    def test_not_when_the_budget_reaches_further_back(self) -> None:
        chain = self.chain()
        chain.add("context_edit", targetId="e4", replacement=None)
        assert self.cut(chain, {"e4"}, keep=210) == CutPoint(1, 1, 0)

    def test_not_without_an_omitted_attempt(self) -> None:
        chain = self.chain()
        del chain.entries[3]
        chain.add("label", targetId="e1", label="here")
        assert self.cut(chain, set()) == CutPoint(2, 2, None)

    def test_not_when_an_edit_concerns_an_earlier_entry(self) -> None:
        chain = self.chain()
        chain.add("context_edit", targetId="e3", replacement={"content": "x" * 800})
        assert self.cut(chain, {"e4"}) == CutPoint(2, 2, None)

    def test_not_when_something_follows_the_attempt(self) -> None:
        chain = self.chain()
        chain.add("context_edit", targetId="e4", replacement=None)
        chain.user("x" * 8)
        assert self.cut(chain, {"e4"}) == CutPoint(2, 2, None)

    def test_not_when_an_edit_names_no_entry(self) -> None:
        for target in (["e4"], {"e4": 1}, None, "gone"):
            chain = self.chain()
            chain.add("context_edit", targetId=target, replacement=None)
            assert self.cut(chain, {"e4"}) == CutPoint(2, 2, None)

    def test_the_whole_window_may_be_omitted(self) -> None:
        assert self.cut(self.chain(), {"e1", "e2", "e3", "e4"}) == CutPoint(None, 0)


class TestProperties:
    @given(sessions(), st.integers(0, 40), ALL_RULES)
    def test_the_cut_lies_in_the_window_and_never_at_a_tool_result(
        self, path: list[JsonObject], keep: int, rules: Rules
    ) -> None:
        found = find_cut_point(path, 0, len(path), keep, rules)
        if found.cut_index is None:
            assert found == CutPoint(None, 0)
            return
        assert 0 <= found.first_kept_index <= found.cut_index < len(path)
        assert path[found.cut_index].get("message", {}).get("role") != "toolResult"
        if found.turn_start_index is not None:
            assert found.turn_start_index <= found.first_kept_index

    @given(sessions(), st.integers(1, 40))
    def test_what_is_kept_reaches_the_budget_or_is_all_there_is(self, path: list[JsonObject], keep: int) -> None:
        traits = [cut_traits(entry, own_messages(entry)) for entry in path]
        found = search_cut(traits, 0, len(path), keep)
        if found.cut_index is None:
            return
        kept = sum(item.tokens for item in traits[found.cut_index :])
        earlier = [row for row in range(found.cut_index) if traits[row].is_cut_point]
        # The next cut point before it would have kept enough as well, or there is none.
        if kept < keep and earlier:
            assert sum(item.tokens for item in traits[earlier[-1] :]) >= keep
        if earlier:
            assert sum(item.tokens for item in traits[earlier[0] :]) >= keep

    @given(sessions(), st.integers(0, 40))
    def test_pulled_in_entries_are_metadata_and_the_entry_before_them_is_not(
        self, path: list[JsonObject], keep: int
    ) -> None:
        traits = [cut_traits(entry, own_messages(entry)) for entry in path]
        found = search_cut(traits, 0, len(path), keep)
        if found.cut_index is not None:
            assert not any(item.stops_pull_in for item in traits[found.first_kept_index : found.cut_index])
            assert found.first_kept_index == 0 or traits[found.first_kept_index - 1].stops_pull_in

    @given(messy_sessions, st.integers(-5, 50), ALL_RULES)
    def test_any_json_gives_a_cut_and_stays_as_it_is(self, path: list[JsonObject], keep: int, rules: Rules) -> None:
        before = copy.deepcopy(path)
        find_cut_point(path, 0, len(path), keep, rules)
        assert path == before

    def test_a_hundred_thousand_entries_are_ordinary(self) -> None:
        chain = [*shaped("u a"), *({"type": "label", "id": f"l{n}"} for n in range(100_000)), *shaped("u a")]
        assert find_cut_point(chain, 0, len(chain), 150).first_kept_index == 2

    def test_a_path_without_calls_in_its_tail_keeps_results_with_their_call(self) -> None:
        chain = Chain()
        chain.user("x" * 400)
        chain.assistant([tool_call("a"), tool_call("b"), tool_call("c")])
        for call in "abc":
            chain.tool_result(call, "x" * 400)
        path = chain.entries
        assert {find_cut_point(path, 0, 5, keep).cut_index for keep in range(0, 600, 25)} == {0, 1}
