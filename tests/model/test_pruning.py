"""Old tool outputs give way to a notice (CP-3)."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.json_text import JsonObject
from model.pruning import Pruning, prune_tool_outputs, pruning_notice
from model.rules import PRESETS, Rules
from model.settings import PruningSettings
from tests.model.shaped_paths import shaped
from tests.model.strategies import messy_sessions

NOW_MS = 1_770_200_000_000


def results(*sizes: int, tool: str = "bash") -> list[JsonObject]:
    """Tool results of these sizes in tokens, oldest first."""
    path = shaped(" ".join(f"t({size})" for size in sizes))
    for entry in path:
        entry["message"]["toolName"] = tool
    return path


def pruned_ids(path: list[JsonObject], **policy: int) -> list[str | None]:
    settings = PruningSettings(**{"protect_tokens": 100, "minimum_savings": 50, **policy})  # type: ignore[arg-type]
    return [result.entry_id for result in prune_tool_outputs(path, NOW_MS, settings).results]


class TestPolicy:
    @pytest.mark.spec("O-071", "O-072", "O-073", "O-074", "O-075")
    def test_the_worked_example(self) -> None:
        """Eight results of 10 000 tokens, the oldest from `read`: the newest four and `read` stay, three go."""
        path = results(*[10_000] * 8)
        path[0]["message"]["toolName"] = "read"
        pruning = prune_tool_outputs(path, NOW_MS)
        assert [result.index for result in pruning.results] == [1, 2, 3]
        assert pruning.tokens_saved == 29_973
        message = pruning.results[0].message
        assert message["content"] == [{"type": "text", "text": "[Output truncated - 10000 tokens]"}]
        assert message["prunedAt"] == NOW_MS
        assert message["toolCallId"] == path[1]["message"]["toolCallId"]
        assert (pruning.results[0].tokens, pruning.results[0].tokens_saved) == (10_000, 9_991)

    def test_the_newest_outputs_are_protected(self) -> None:
        assert pruned_ids(results(200, 60, 40)) == ["1"]
        assert pruned_ids(results(200, 60, 39)) == []
        assert pruned_ids(results(200, 100)) == ["1"]

    def test_savings_exactly_at_the_minimum_are_enough(self) -> None:
        assert pruned_ids(results(60, 200), minimum_savings=52) == ["1"]
        assert pruned_ids(results(60, 200), minimum_savings=53) == []

    @pytest.mark.parametrize("tool", ["skill", "read"])
    def test_protected_tools_stay_and_use_up_the_span(self, tool: str) -> None:
        assert pruned_ids(results(200, 200, tool=tool)) == []
        assert pruned_ids([*results(200), *results(200, tool=tool)]) == ["1"]

    def test_results_pruned_before_stay_and_use_up_the_span(self) -> None:
        path = results(200, 200)
        path[1]["message"]["prunedAt"] = 5
        assert pruned_ids(path) == ["1"]
        path[0]["message"]["prunedAt"] = 5
        assert pruned_ids(path) == []

    def test_a_result_smaller_than_the_notice_goes_and_saves_nothing(self) -> None:
        pruning = prune_tool_outputs(
            results(1, 200, 100), NOW_MS, PruningSettings(protect_tokens=100, minimum_savings=50)
        )
        assert [(result.entry_id, result.tokens_saved) for result in pruning.results] == [("1", 0), ("2", 192)]

    def test_other_entries_are_passed_over(self) -> None:
        path = [
            *shaped("u(500) a(500) b(500) C(1)"),
            {"type": "message", "id": "odd", "message": 5},
            *results(200, 100),
        ]
        assert pruned_ids(path) == ["1"]
        assert prune_tool_outputs([], NOW_MS) == Pruning(())

    def test_without_candidates_a_minimum_of_zero_changes_nothing(self) -> None:
        assert pruned_ids(results(10), minimum_savings=0) == []
        assert pruned_ids(results(1, 200), minimum_savings=0) == ["1"]

    def test_the_notice_names_the_size(self) -> None:
        assert pruning_notice(7) == "[Output truncated - 7 tokens]"


class TestProperties:
    @given(st.lists(st.integers(0, 300), max_size=12), st.integers(0, 400), st.integers(0, 400))
    def test_what_stays_is_the_newest_and_the_rest_is_worth_it(
        self, sizes: list[int], protect: int, minimum: int
    ) -> None:
        path = results(*sizes)
        policy = PruningSettings(protect_tokens=protect, minimum_savings=minimum)
        pruning = prune_tool_outputs(path, NOW_MS, policy)
        gone = {result.index for result in pruning.results}
        assert gone == set(range(len(gone)))
        if gone:
            assert sum(sizes[len(gone) :]) >= protect
            assert pruning.tokens_saved >= minimum

    @given(messy_sessions, st.sampled_from(list(PRESETS.values())))
    def test_any_json_gives_a_result_and_stays_as_it_is(self, path: list[JsonObject], rules: Rules) -> None:
        before = copy.deepcopy(path)
        prune_tool_outputs(path, NOW_MS, PruningSettings(protect_tokens=0, minimum_savings=0), rules)
        assert path == before
