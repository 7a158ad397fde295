"""Events of an operation as sentences: what the status bar, the banner and the event log say."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from gui.number_text import full_count
from services.session_events import (
    CompactionEnded,
    CompactionStarted,
    Event,
    Notice,
    PhaseChanged,
    RetryFinished,
    RetryScheduled,
    RetryStarted,
    ToolOutputsPruned,
    TurnEnded,
    TurnRetryFinished,
    TurnRetryScheduled,
    TurnStarted,
)


def sentence(event: Event) -> str:
    """Return what an event says to a person; empty for one that shows itself, such as streamed text."""
    match event:
        case TurnStarted():
            return _turn(event)
        case TurnEnded():
            ends = {
                "stop": _tr("The answer is complete."),
                "length": _tr("The answer was cut off at the model's output limit."),
                "aborted": _tr("The answer was stopped; what had arrived was kept."),
            }
            return ends.get(event.stop_reason, _tr("The turn failed: {0}").format(event.error_message or "?"))
        case RetryScheduled() | TurnRetryScheduled():
            return retry_sentence(event, event.delay_s)
        case RetryStarted():
            return _tr("Trying again ({0}).").format(event.attempt)
        case RetryFinished() | TurnRetryFinished():
            return _tr("Trying again helped.") if event.success else _tr("No more tries.")
        case CompactionStarted():
            return compaction_title(event)
        case CompactionEnded():
            return _compacted(event)
        case ToolOutputsPruned():
            return _tr("{0} old tool outputs were pruned; about {1} tokens saved.").format(
                len(event.pruned), full_count(event.tokens_saved)
            )
        case Notice():
            return event.text
        case PhaseChanged():
            return event.detail
    return ""


def retry_sentence(event: RetryScheduled | TurnRetryScheduled, left_s: float) -> str:
    """Return what is said while a retry is `left_s` seconds away."""
    return _tr("{0} Trying again in {1} s ({2} of {3})").format(
        event.message, f"{max(0.0, left_s):.0f}", event.attempt, event.max_attempts
    )


def compaction_title(event: CompactionStarted) -> str:
    """Return what runs, and why."""
    return {
        "manual": _tr("Compacting"),
        "threshold": _tr("Compacting: the context is nearly full"),
        "overflow": _tr("Compacting: the context was too large; the turn is repeated then"),
    }[event.reason]


def _turn(event: TurnStarted) -> str:
    if event.is_retry:
        return _tr("Asking {0} again").format(event.model)
    if event.is_synthetic:
        return _tr("{0} goes on by itself after the compaction").format(event.model)
    return _tr("{0} answers").format(event.model)


def _compacted(event: CompactionEnded) -> str:
    if event.result is not None:
        before, after = full_count(event.result.tokens_before), full_count(event.result.estimated_tokens_after)
        return _tr("Compacted: {0} → about {1} tokens.").format(before, after)
    if event.aborted:
        return _tr("The compaction was stopped; nothing was written.")
    if event.skipped:
        return _tr("There was nothing to compact.")
    return event.error_message or _tr("The compaction failed.")


def _tr(text: str) -> str:
    return QCoreApplication.translate("EventSentences", text)
