"""The event log of a session in short words, so that a test can write down the one that is specified."""

from collections.abc import Iterable

from services.session_events import (
    CompactionEnded,
    CompactionStarted,
    Event,
    Notice,
    ToolOutputsPruned,
    TurnDelta,
    TurnEnded,
    TurnRetryFinished,
    TurnRetryScheduled,
    TurnStarted,
)


def in_words(events: Iterable[Event]) -> list[str]:
    """One line an event that the specification orders; phases and the deltas of summaries are left out."""
    lines: list[str] = []
    for event in events:
        line = _line(event)
        if line and not (line == "text" and lines and lines[-1] == "text"):
            lines.append(line)
    return lines


def _line(event: Event) -> str:
    match event:
        case TurnStarted():
            marks = [name for name, on in (("synthetic", event.is_synthetic), ("retry", event.is_retry)) if on]
            return " ".join(["turn starts", *marks])
        case TurnDelta():
            return "text"
        case TurnEnded():
            return f"turn ends: {event.stop_reason}"
        case TurnRetryScheduled():
            return f"retry {event.attempt} of {event.max_attempts}"
        case TurnRetryFinished():
            return f"retries end: {'success' if event.success else 'failure'}"
        case CompactionStarted():
            return f"compaction starts: {event.reason}"
        case CompactionEnded():
            what = (
                "saved"
                if event.result
                else "aborted"
                if event.aborted
                else "skipped"
                if event.skipped
                else event.error_message
            )
            return f"compaction ends: {event.reason}, {what}" + (", will retry" if event.will_retry else "")
        case ToolOutputsPruned():
            return f"pruned {len(event.pruned)}"
        case Notice():
            return f"notice: {event.level}"
    return ""
