"""The rules of the project and of the two agents (CP-26)."""

from dataclasses import FrozenInstanceError

import pytest

from model.rules import BRANCHWORK, OMP_13_19, PI_1_6, PRESETS, Rules

# The table of CP-26: flag → default, `omp-13.19`, `pi-1.6`.
TABLE = {
    "split_check_after_pull_in": (False, True, True),
    "pull_in_stops_only_at_message_type": (False, True, False),
    "walk_counts_only_message_type": (False, True, False),
    "fallback_last_cut_point": (True, False, True),
    "user_images_counted": (True, False, True),
    "custom_role_is_cut_point": (True, False, True),
    "bash_cut_is_turn_start": (True, False, True),
    "tokens_before_from_last_usage": (False, True, False),
    "keep_previous_summary_when_split": (True, False, True),
    "merge_branch_details": (True, False, False),
    "silent_overflow_is_overflow": (False, True, True),
}


@pytest.mark.parametrize("flag", TABLE)
def test_a_flag_has_the_values_of_the_table(flag: str) -> None:
    assert tuple(getattr(rules, flag) for rules in (BRANCHWORK, OMP_13_19, PI_1_6)) == TABLE[flag]


def test_stale_usage_counts_under_omp_alone() -> None:
    assert OMP_13_19.stale_usage_allowed_in_ratio
    assert not BRANCHWORK.stale_usage_allowed_in_ratio


def test_presets_have_their_names() -> None:
    """Field report D07: the version of the agent that a test speaks of is named."""
    assert {"branchwork": BRANCHWORK, "pi-1.6": PI_1_6, "omp-13.19": OMP_13_19} == PRESETS
    assert Rules() == BRANCHWORK


def test_rules_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        BRANCHWORK.name = "x"  # type: ignore[misc]
