"""Whose rules apply where this project and the two agents differ.

`BRANCHWORK` are the project's own rules; `PI_1_6` and `OMP_13_19` reproduce what Pi 1.6.0 and OMP 13.19.0 do,
accidents included. Each flag names one recorded difference and is read in one or two places. Differences that a user
may choose (boundary, adapted budget, short summary, …) are settings, not rules. Source: compaction spec, CP-26.
"""

from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One flag per difference between this project and an agent. The defaults are `BRANCHWORK`."""

    name: str = "branchwork"

    # Cut point and preparation (CP-5 … CP-11)
    split_check_after_pull_in: bool = False  # a turn counts as split by the entry at the moved cut index
    pull_in_stops_only_at_message_type: bool = False  # custom messages and branch summaries are pulled in too
    walk_counts_only_message_type: bool = False  # custom messages and branch summaries weigh nothing in the walk
    fallback_last_cut_point: bool = True  # CP-7.2: no cut point after the budget's end: cut at the last one
    user_images_counted: bool = True
    custom_role_is_cut_point: bool = True
    bash_cut_is_turn_start: bool = True
    stale_usage_allowed_in_ratio: bool = False  # CP-6: usage from before the previous compaction
    tokens_before_from_last_usage: bool = False
    keep_previous_summary_when_split: bool = True
    merge_branch_details: bool = True
    silent_overflow_is_overflow: bool = False


BRANCHWORK: Final = Rules()

PI_1_6: Final = replace(
    BRANCHWORK,
    name="pi-1.6",
    split_check_after_pull_in=True,
    merge_branch_details=False,
    silent_overflow_is_overflow=True,
)

OMP_13_19: Final = replace(
    BRANCHWORK,
    name="omp-13.19",
    split_check_after_pull_in=True,
    pull_in_stops_only_at_message_type=True,
    walk_counts_only_message_type=True,
    fallback_last_cut_point=False,
    user_images_counted=False,
    custom_role_is_cut_point=False,
    bash_cut_is_turn_start=False,
    stale_usage_allowed_in_ratio=True,
    tokens_before_from_last_usage=True,
    keep_previous_summary_when_split=False,
    merge_branch_details=False,
    silent_overflow_is_overflow=True,
)

PRESETS: Final[dict[str, Rules]] = {rules.name: rules for rules in (BRANCHWORK, PI_1_6, OMP_13_19)}
