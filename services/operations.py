"""What is asked of an `AgentSession`, and what comes of it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal

from model.json_text import JsonObject
from model.turn_messages import AttachedImage

Boundary = Literal["auto", "sinceKept", "sinceCompaction"]


@dataclass(frozen=True, slots=True)
class SummarizerInfo:
    """A way to have a summary written. `host` is where the session would be sent, None when nothing leaves."""

    id: str
    name: str
    description: str
    needs_network: bool = False
    host: str | None = None


@dataclass(frozen=True, slots=True)
class DraftSummary:
    """A finished summary before it's saved: what a review shows and may change.

    `line_sources` names for each line of `text` the entries that it's evidence from; empty for a model's text.
    `short_summary` is stored beside the text of a compaction.
    """

    text: str
    summarizer: SummarizerInfo
    line_sources: tuple[tuple[str, ...], ...] = ()
    short_summary: str | None = None


Review = Callable[[DraftSummary], Awaitable[str | None]]
"""Shows a draft and returns the text to save, or None to stop without saving."""


@dataclass(frozen=True, slots=True)
class NavigationPreview:
    """What going to an entry would do, without doing it (TN-3 … TN-7). Token numbers are the agents' estimate."""

    target_id: str
    old_leaf_id: str | None
    common_ancestor_id: str | None
    abandoned: tuple[str, ...]  # entry ids, oldest first
    abandoned_tokens: int
    message_count: int  # messages that the summariser would read
    message_tokens: int
    omitted: tuple[str, ...]  # abandoned entries that don't fit into the summariser's budget
    read_files: tuple[str, ...]
    modified_files: tuple[str, ...]
    new_leaf_id: str | None
    editor_text: str | None
    lands_on_parent: bool
    system_prompt: str
    prompt: str
    can_summarize: bool
    is_current_leaf: bool = False


@dataclass(frozen=True, slots=True)
class NavigationOptions:
    """Options of `navigate_tree` (TN-6). `replace_instructions` None: as the dialect has it (BS-5).

    `summarizer` is the id of a `SummarizerInfo`, None for the default; `review` sees the text before it's saved. `room`
    is how many times the usual number of tokens the answer may have, for one that was cut off. `with_tool_results`
    sends a model what tools returned as well, each shortened.
    """

    summarize: bool = False
    custom_instructions: str | None = None
    replace_instructions: bool | None = None
    label: str | None = None
    summarizer: str | None = None
    review: Review | None = None
    room: int = 1
    with_tool_results: bool = False


@dataclass(frozen=True, slots=True)
class NavigationResult:
    """How a navigation ended (TN-9, TN-10). `leaf_id` is the leaf afterwards, moved or not.

    `editor_images` are those of the message that is taken up again; `editor_images_left_out` more can't be sent again.
    """

    cancelled: bool
    leaf_id: str | None
    aborted: bool = False
    editor_text: str | None = None
    summary_entry_id: str | None = None
    summary_entry: JsonObject | None = None
    summary_skipped: bool = False
    common_ancestor_id: str | None = None
    abandoned: tuple[str, ...] = ()
    from_extension: bool = False
    label_entry_id: str | None = None
    line_sources: tuple[tuple[str, ...], ...] = ()
    editor_images: tuple[AttachedImage, ...] = ()
    editor_images_left_out: int = 0


@dataclass(frozen=True, slots=True)
class CompactionOptions:
    """Options of `compact`. None: as the settings have it. `room` as in `NavigationOptions`."""

    instructions: str | None = None
    keep_recent_tokens: int | None = None
    boundary: Boundary | None = None
    summarizer: str | None = None
    review: Review | None = None
    room: int = 1


@dataclass(frozen=True, slots=True)
class CompactionResult:
    """A saved compaction: its entry, and the context's size before and after by the agents' estimate."""

    entry: JsonObject
    entry_id: str
    first_kept_entry_id: str
    summary: str
    tokens_before: int
    estimated_tokens_after: int
    is_split_turn: bool
    short_summary: str | None = None
    usage: JsonObject | None = None
    details: Any = None
    from_extension: bool = False
    line_sources: tuple[tuple[str, ...], ...] = ()
