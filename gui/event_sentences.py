"""Events of an operation as sentences: what the status bar, the banner and the event log say."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from gui.number_text import full_count
from gui.translation import shown
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

translate = QCoreApplication.translate


def sentence(event: Event) -> str:
    """Return what an event says to a person; empty for one that shows itself, such as streamed text."""
    match event:
        case TurnStarted():
            return _turn(event)
        case TurnEnded():
            ends = {
                "stop": translate("EventSentences", "The answer is complete."),
                "length": translate("EventSentences", "The answer was cut off at the model's output limit."),
                "aborted": translate("EventSentences", "The answer was stopped; what had arrived was kept."),
            }
            return ends.get(
                event.stop_reason,
                translate("EventSentences", "The turn failed: {0}").format(shown(event.error_message or "?")),
            )
        case RetryScheduled() | TurnRetryScheduled():
            return retry_sentence(event, event.delay_s)
        case RetryStarted():
            return translate("EventSentences", "Trying again ({0}).").format(event.attempt)
        case RetryFinished() | TurnRetryFinished():
            return (
                translate("EventSentences", "Trying again helped.")
                if event.success
                else translate("EventSentences", "No more tries.")
            )
        case CompactionStarted():
            return compaction_title(event)
        case CompactionEnded():
            return _compacted(event)
        case ToolOutputsPruned():
            saved = full_count(event.tokens_saved)
            if len(event.pruned) == 1:
                return translate("EventSentences", "1 old tool output was pruned; about {0} tokens saved.").format(
                    saved
                )
            return translate("EventSentences", "{0} old tool outputs were pruned; about {1} tokens saved.").format(
                full_count(len(event.pruned)), saved
            )
        case Notice():
            return shown(event.text)
        case PhaseChanged():
            return shown(event.detail)
    return ""


def retry_sentence(event: RetryScheduled | TurnRetryScheduled, left_s: float) -> str:
    """Return what failed, and that it's tried again in `left_s` seconds."""
    return f"{shown(event.message)} {countdown(event, left_s)}"


def countdown(event: RetryScheduled | TurnRetryScheduled, left_s: float) -> str:
    """Return what is said while a retry is `left_s` seconds away."""
    return translate("EventSentences", "Trying again in {0} s ({1} of {2})").format(
        f"{max(0.0, left_s):.0f}", event.attempt, event.max_attempts
    )


def compaction_title(event: CompactionStarted) -> str:
    """Return what runs, and why."""
    return {
        "manual": translate("EventSentences", "Compacting"),
        "threshold": translate("EventSentences", "Compacting: the context is nearly full"),
        "overflow": translate("EventSentences", "Compacting: the context was too large; the turn is repeated then"),
    }[event.reason]


def _turn(event: TurnStarted) -> str:
    model_id = event.model.partition("/")[2]
    if event.is_retry:
        return translate("EventSentences", "Asking {0} again").format(model_id)
    if event.is_synthetic:
        return translate("EventSentences", "{0} goes on by itself after the compaction").format(model_id)
    return translate("EventSentences", "{0} answers").format(model_id)


def _compacted(event: CompactionEnded) -> str:
    if event.result is not None:
        after = full_count(event.result.estimated_tokens_after)  # `tokens_before` is of another measure
        return translate("EventSentences", "Compacted: the context has {0} tokens by the agents' estimate.").format(
            after
        )
    if event.aborted:
        return translate("EventSentences", "The compaction was stopped; nothing was written.")
    if event.skipped:
        return translate("EventSentences", "There was nothing to compact.")
    return shown(event.error_message or "") or translate("EventSentences", "The compaction failed.")
