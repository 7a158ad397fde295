"""Whose rules apply where this project and the two agents differ.

`BRANCHWORK` are the project's own rules; `PI_1_6` and `OMP_13_19` reproduce what Pi 1.6.0 and OMP 13.19.0 do,
accidents included. Each flag names one recorded difference and is read in one or two places. Differences that a user
may choose (boundary, adapted budget, short summary, …) are settings, not rules. Source: compaction spec, CP-26.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal

AGENT_ROLES: Final = frozenset(
    {
        "system",
        "developer",
        "user",
        "assistant",
        "toolResult",
        "custom",
        "hookMessage",
        "branchSummary",
        "compactionSummary",
        "bashExecution",
        "pythonExecution",
        "fileMention",
    }
)


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
    walk_weighs_compactions: bool = False  # the summary of a compaction inside the window fills the budget, too
    cut_by_entry_type: bool = False  # custom messages and branch summaries count even when they produce no message
    hook_message_is_cut_point: bool = True  # the name of role "custom" before version 3
    stored_context_roles_start_turns: bool = True  # custom and summary roles of `message` entries
    extension_cut_is_turn_start: bool = True  # a cut at a custom message or a summary is clean
    zero_token_entries_passed_over: bool = False  # they never reach the budget, not even one of zero tokens
    recovery_suffix_summarized: bool = False  # an input followed only by its omitted attempts is not kept
    path_follows_parent_links: bool = False  # entries before a broken parent link produce no messages
    empty_branch_summary_in_window: bool = False

    # Triggers (CP-2)
    reserve_floor_share: float = 0.0  # the reserve is at least this share of the context window
    overflow_vocabulary: Literal["all", "pi", "omp"] = "all"  # whose overflow phrases are known
    silent_overflow_needs_stop: bool = True  # only an answer with stop reason "stop" can be a silent overflow
    full_length_stop_is_overflow: bool = True
    overflow_counts_cache_writes: bool = True

    # File operations (CP-16, CP-17)
    extension_marks: tuple[str, ...] = ("fromExtension", "fromHook")  # fields that mark an extension's summary
    nested_calls_tracked: bool = True
    file_tag_name_separator: str = "\n"
    file_tag_block_separator: str | None = None  # None is a line break in OMP sessions, a blank line in Pi's
    old_file_tags_replaced: bool = True

    # Summary requests (CP-12 … CP-15, CP-19)
    summary_reasoning: str | None = None  # sent whatever the session's thinking level is
    output_limits_sent: bool = True
    prompt_cache_off_requested: bool = True
    turn_prefix_under_headings: bool = False  # the turn prefix prompt uses headings in place of tags
    turn_prefix_takes_focus: bool = True  # custom instructions apply to both passes of a split turn
    turn_prefix_via_remote: bool = True
    cut_answer_fails: bool = True  # CP-12.2: an answer that ended at the length limit
    tool_call_answer_fails: bool = True
    empty_answer_fails: bool = True
    split_passes_in_parallel: bool = True
    short_summary_failure_is_fatal: bool = False
    carried_preserve_data_wins: bool = False
    usage_sum_names_cost_source: bool = False

    # Branch summaries (BS-2 … BS-9)
    branch_files_from_all_entries: bool = True  # not only those that the walk visited
    branch_files_from_compactions: bool = True
    empty_branch_summary_in_branch: bool = False
    branch_budget_may_be_unlimited: bool = False  # a budget of zero or less is no limit
    branch_preamble_separator: str = "\n\n"
    branch_failure_prefix: str = "Branch summarization failed: "
    empty_branch_text: str | None = None  # stored when nothing can be summarised; None stores no entry

    # Tree and navigation (TN-1 … TN-8)
    tree_by_id: bool = False  # of entries that share an id the last stands in every place; cycles hang nowhere
    all_filter_hides_silent_entries: bool = False  # TN-12.2: answers without text and usage, in mode "all", too
    orphan_input_refused: bool = False  # taking up an input again whose parent is missing is an error

    # Writing (SF-4, SF-11): what new entries look like, and what opening a file does to it
    extension_fields_lead: bool = False  # the fields of custom entries come before id, parent and time
    false_extension_mark_written: bool = False
    null_branch_details_written: bool = False
    branch_summary_names_its_parent: bool = (
        False  # `fromId` is where the summary hangs, not the leaf that was left
    )
    streaming_fields_dropped: bool = False
    first_write_roles: frozenset[str] = frozenset({"user", "assistant"})  # SF-11.4
    extraction_mends_references: bool = True  # SF-11.6: parents and kept boundaries no longer name label entries
    extraction_keeps_label_times: bool = True
    final_newline_added_on_opening: bool = False
    migration_rewrites_file: bool = False  # on opening already
    unusable_file_replaced: bool = False  # by a new session
    empty_file_filled: bool = False  # with the header of a new session, on opening

    # Reading (SF-8, SF-9)
    damaged_lines: Literal["recover", "first record", "skip"] = "recover"
    byte_order_mark_accepted: bool = True
    header_comes_first: bool = False  # a record of another type before it makes the file unusable
    headerless_entries_shown: bool = True
    scalar_records_are_entries: bool = False
    title_slot_read: bool = True
    null_content_hides_session: bool = False  # in lists of sessions

    # Context (CB-3 … CB-8): what an entry contributes, and what of it a model is sent
    state_fields: Literal["both", "pi", "omp"] = "both"  # whose spelling of model and thinking entries is understood
    null_content_is_empty: bool = True  # SF-9.6
    omp_message_fields: bool = True  # attribution and shortSummary travel with the messages made from entries
    context_edits_apply: bool = True  # CB-6
    replayed_system_message: bool = True  # CB-5.1: a compaction's own system message comes first
    kept_system_messages_dropped: bool = True  # CB-5.3
    reset_boundary_applies: bool = True  # CB-5
    remote_history_replaces_kept_range: bool = False  # CB-5: provider-private history, which we cannot replay
    llm_roles: frozenset[str] = AGENT_ROLES  # roles that reach a model, as they are or converted
    attribution_filled_in: bool = False
    pruned_results_reduced: bool = True
    full_output_path_named: bool = True
    output_meta_named: bool = True
    summaries_reformatted: bool = False  # blank lines, list gaps and tables of a wrapped summary are tidied

    # Text of a conversation (CP-12.1)
    thinking_serialized: bool = True
    developer_serialized: bool = True
    tool_result_cut_keeps_pairs: bool = True

    # Token numbers (CP-4, CB-11)
    estimated_roles: frozenset[str] = AGENT_ROLES  # the others count nothing
    zero_usage_is_usage: bool = False  # a usage record of zeros is a measurement
    status_from_last_answer: bool = False  # the status line takes the prompt size of the last answer, whatever its end


BRANCHWORK: Final = Rules()

PI_1_6: Final = replace(
    BRANCHWORK,
    name="pi-1.6",
    split_check_after_pull_in=True,
    merge_branch_details=False,
    silent_overflow_is_overflow=True,
    walk_weighs_compactions=True,
    hook_message_is_cut_point=False,
    zero_token_entries_passed_over=True,
    recovery_suffix_summarized=True,
    path_follows_parent_links=True,
    overflow_vocabulary="pi",
    overflow_counts_cache_writes=False,
    extension_marks=("fromHook",),
    file_tag_block_separator="\n\n",
    old_file_tags_replaced=False,
    output_limits_sent=False,
    turn_prefix_under_headings=True,
    empty_answer_fails=False,
    split_passes_in_parallel=False,
    usage_sum_names_cost_source=True,
    branch_files_from_all_entries=False,
    branch_files_from_compactions=False,
    empty_branch_summary_in_branch=True,
    branch_budget_may_be_unlimited=True,
    empty_branch_text="No content to summarize",
    tree_by_id=True,
    all_filter_hides_silent_entries=True,
    orphan_input_refused=True,
    extension_fields_lead=True,
    false_extension_mark_written=True,
    null_branch_details_written=True,
    final_newline_added_on_opening=True,
    migration_rewrites_file=True,
    empty_file_filled=True,
    damaged_lines="skip",
    byte_order_mark_accepted=False,
    header_comes_first=True,
    headerless_entries_shown=False,
    scalar_records_are_entries=True,
    title_slot_read=False,
    null_content_hides_session=True,
    state_fields="pi",
    omp_message_fields=False,
    reset_boundary_applies=False,
    llm_roles=AGENT_ROLES - {"developer", "hookMessage", "pythonExecution", "fileMention"},
    pruned_results_reduced=False,
    output_meta_named=False,
    thinking_serialized=False,
    developer_serialized=False,
    estimated_roles=AGENT_ROLES - {"developer", "hookMessage", "pythonExecution", "fileMention"},
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
    cut_by_entry_type=True,
    stored_context_roles_start_turns=False,
    extension_cut_is_turn_start=False,
    empty_branch_summary_in_window=True,
    reserve_floor_share=0.15,
    overflow_vocabulary="omp",
    silent_overflow_needs_stop=False,
    full_length_stop_is_overflow=False,
    extension_marks=("fromExtension",),
    nested_calls_tracked=False,
    file_tag_name_separator="\\n",
    file_tag_block_separator="",
    summary_reasoning="high",
    prompt_cache_off_requested=False,
    turn_prefix_takes_focus=False,
    turn_prefix_via_remote=False,
    cut_answer_fails=False,
    tool_call_answer_fails=False,
    empty_answer_fails=False,
    short_summary_failure_is_fatal=True,
    carried_preserve_data_wins=True,
    branch_files_from_all_entries=False,
    branch_files_from_compactions=False,
    empty_branch_summary_in_branch=True,
    branch_budget_may_be_unlimited=True,
    branch_preamble_separator="",
    branch_failure_prefix="",
    empty_branch_text="No content to summarize",
    tree_by_id=True,
    orphan_input_refused=True,
    extension_fields_lead=True,
    false_extension_mark_written=True,
    null_branch_details_written=True,
    branch_summary_names_its_parent=True,
    streaming_fields_dropped=True,
    first_write_roles=frozenset({"assistant"}),
    extraction_mends_references=False,
    extraction_keeps_label_times=False,
    unusable_file_replaced=True,
    empty_file_filled=True,
    damaged_lines="first record",
    header_comes_first=True,
    headerless_entries_shown=False,
    title_slot_read=False,
    state_fields="omp",
    null_content_is_empty=False,
    context_edits_apply=False,
    replayed_system_message=False,
    kept_system_messages_dropped=False,
    reset_boundary_applies=False,
    remote_history_replaces_kept_range=True,
    llm_roles=AGENT_ROLES - {"system"},
    attribution_filled_in=True,
    full_output_path_named=False,
    summaries_reformatted=True,
    developer_serialized=False,
    tool_result_cut_keeps_pairs=False,
    estimated_roles=AGENT_ROLES - {"system", "developer", "custom", "pythonExecution", "fileMention"},
    zero_usage_is_usage=True,
    status_from_last_answer=True,
)

PRESETS: Final[dict[str, Rules]] = {rules.name: rules for rules in (BRANCHWORK, PI_1_6, OMP_13_19)}
