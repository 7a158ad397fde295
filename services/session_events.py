"""What a running operation reports: typed events, in the order of the hooks spec (HK-9).

`event_name` is the name an event has in logs and for scripts (CP-20); `as_json` its fields there.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, ClassVar, Literal

Reason = Literal["manual", "threshold", "overflow"]
Level = Literal["info", "warning", "error"]
Phase = Literal["hook", "preparing", "secrets", "connecting", "summarising", "waiting", "review", "saving"]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in an operation."""

    event_name: ClassVar[str] = ""

    def as_json(self) -> dict[str, Any]:
        """Return the event with the field names of the session events (CP-20); absent values are left out."""
        values = {_camel(field.name): _plain(getattr(self, field.name)) for field in fields(self)}
        return {"type": self.event_name, **{name: value for name, value in values.items() if value is not None}}


Emit = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class PhaseChanged(Event):
    """What the operation does from now on; `detail` is a sentence for the user."""

    event_name: ClassVar[str] = "phase"
    phase: Phase
    detail: str = ""


@dataclass(frozen=True, slots=True)
class SummaryDelta(Event):
    """More text of a summary. `pass_name`: "history", "turn prefix", "short summary" or "branch"."""

    event_name: ClassVar[str] = "summary_delta"
    text: str
    pass_name: str


@dataclass(frozen=True, slots=True)
class SummaryRestarted(Event):
    """The text received so far for a pass is void: its request is made again."""

    event_name: ClassVar[str] = "summary_restarted"
    pass_name: str


@dataclass(frozen=True, slots=True)
class RetryScheduled(Event):
    """A request failed for a passing reason and is made again after `delay_s` seconds (CP-21.3)."""

    event_name: ClassVar[str] = "summarization_retry_scheduled"
    attempt: int
    max_attempts: int
    delay_s: float
    message: str

    def as_json(self) -> dict[str, Any]:
        """Return the event with the delay in milliseconds."""
        return {
            "type": self.event_name,
            "attempt": self.attempt,
            "maxAttempts": self.max_attempts,
            "delayMs": round(self.delay_s * 1000),
            "errorMessage": self.message,
        }


@dataclass(frozen=True, slots=True)
class RetryStarted(Event):
    """The wait is over; attempt number `attempt` (the first retry is 1) begins."""

    event_name: ClassVar[str] = "summarization_retry_attempt_start"
    attempt: int


@dataclass(frozen=True, slots=True)
class RetryFinished(Event):
    """No more retries for this request: it succeeded or failed for good."""

    event_name: ClassVar[str] = "summarization_retry_finished"
    success: bool


@dataclass(frozen=True, slots=True)
class CompactionOutcome:
    """What a compaction saved (CP-20, `result`). Token numbers are the agents' estimate (CP-4)."""

    summary: str
    first_kept_entry_id: str
    tokens_before: int
    estimated_tokens_after: int
    short_summary: str | None = None
    usage: dict[str, Any] | None = None
    details: Any = None
    preserve_data: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class CompactionStarted(Event):
    """A compaction began. OMP's name for automatic ones is `auto_compaction_start`."""

    event_name: ClassVar[str] = "compaction_start"
    reason: Reason
    action: str = "context-full"


@dataclass(frozen=True, slots=True)
class CompactionEnded(Event):
    """A started compaction is over; exactly one follows each start."""

    event_name: ClassVar[str] = "compaction_end"
    reason: Reason
    action: str = "context-full"
    result: CompactionOutcome | None = None
    aborted: bool = False
    will_retry: bool = False
    error_message: str | None = None
    skipped: bool | None = None


@dataclass(frozen=True, slots=True)
class TurnStarted(Event):
    """A request of a chat turn goes out. `parent_id`: the entry that is answered; `is_retry`: asked before."""

    event_name: ClassVar[str] = "turn_start"
    parent_id: str
    model: str
    host: str
    is_synthetic: bool = False
    is_retry: bool = False


@dataclass(frozen=True, slots=True)
class TurnDelta(Event):
    """More text of the answer."""

    event_name: ClassVar[str] = "turn_delta"
    text: str


@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    """The answer is over and stored as `entry_id`. `stop_reason`: "stop", "length", "error" or "aborted"."""

    event_name: ClassVar[str] = "turn_end"
    entry_id: str
    stop_reason: str
    error_message: str | None = None


@dataclass(frozen=True, slots=True)
class TurnRetryScheduled(Event):
    """A turn failed for a passing reason and is asked again after `delay_s` seconds (CP-21.4)."""

    event_name: ClassVar[str] = "auto_retry_start"
    attempt: int
    max_attempts: int
    delay_s: float
    message: str

    def as_json(self) -> dict[str, Any]:
        """Return the event with the delay in milliseconds."""
        return {
            "type": self.event_name,
            "attempt": self.attempt,
            "maxAttempts": self.max_attempts,
            "delayMs": round(self.delay_s * 1000),
            "errorMessage": self.message,
        }


@dataclass(frozen=True, slots=True)
class TurnRetryFinished(Event):
    """No more retries for this turn: it succeeded, failed for good, or was stopped."""

    event_name: ClassVar[str] = "auto_retry_end"
    success: bool
    attempt: int
    final_error: str | None = None


@dataclass(frozen=True, slots=True)
class ToolOutputsPruned(Event):
    """Old tool outputs gave way to a notice before the threshold was looked at (CP-3)."""

    event_name: ClassVar[str] = "tool_outputs_pruned"
    pruned: tuple[str, ...]  # entry ids
    tokens_saved: int


@dataclass(frozen=True, slots=True)
class Notice(Event):
    """A message for the user that doesn't end the operation; `details` (a traceback, say) is for the log."""

    event_name: ClassVar[str] = "notice"
    level: Level
    text: str
    details: str = ""


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        plain = {_camel(field.name): _plain(getattr(value, field.name)) for field in fields(value)}
        return {name: item for name, item in plain.items() if item is not None}
    return value
