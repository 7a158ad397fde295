"""When a session is compacted by itself: the conditions of the automatic check, overflow and threshold (CP-2)."""

from collections.abc import Sequence
from typing import Literal

from model.context import ModelChoice, latest_compaction
from model.json_text import JsonObject
from model.overflow import is_context_overflow
from model.rules import BRANCHWORK, Rules
from model.settings import CompactionSettings
from model.timestamps import timestamp_ms

AutomaticReason = Literal["overflow", "threshold"]

CONTINUE_PROMPT = "Continue if you have next steps."  # CP-2.5, sent after a threshold compaction


def effective_reserve(context_window: int, settings: CompactionSettings, rules: Rules = BRANCHWORK) -> int:
    """Return the tokens kept free for the answer: `reserveTokens`, under OMP's rules at least a share of the window."""
    return max(int(context_window * rules.reserve_floor_share), settings.reserve_tokens)


def compaction_threshold(context_window: int, settings: CompactionSettings, rules: Rules = BRANCHWORK) -> float:
    """Return the context size above which a session is compacted (CP-2.3).

    A fixed number of tokens wins over a percentage, and both win over the reserve; OMP's two settings are clamped to
    the window and to 1 … 99 percent.
    """
    if settings.threshold_tokens > 0:
        return min(context_window - 1, max(1, settings.threshold_tokens))
    if settings.threshold_percent > 0:
        percent = min(99, max(1, settings.threshold_percent))
        return context_window * (percent / 100) // 1
    return context_window - effective_reserve(context_window, settings, rules)


def should_compact(
    context_tokens: float, context_window: int, settings: CompactionSettings, rules: Rules = BRANCHWORK
) -> bool:
    """Return whether a context of `context_tokens` is above the threshold. Never without a known window."""
    if not settings.is_automatic or context_window <= 0:
        return False
    return context_tokens > compaction_threshold(context_window, settings, rules)


def is_due_for_check(
    message: JsonObject,
    path: Sequence[JsonObject],
    context_window: int,
    settings: CompactionSettings,
    *,
    include_aborted: bool,
) -> bool:
    """Return whether the automatic check runs for an assistant message at the end of `path` at all (CP-2.1).

    Not for a message that is no newer than the latest compaction: an error or a usage from before it must not trigger
    again. `include_aborted` is true for the check in front of a new prompt.
    """
    if not settings.is_automatic or context_window <= 0:
        return False
    if message.get("stopReason") == "aborted" and not include_aborted:
        return False
    compaction = latest_compaction(path)
    if compaction is None:
        return True
    answered, compacted = timestamp_ms(message.get("timestamp")), timestamp_ms(path[compaction].get("timestamp"))
    return answered is None or compacted is None or answered > compacted


def automatic_reason(
    message: JsonObject,
    context_tokens: float,
    context_window: int,
    current_model: ModelChoice | None,
    settings: CompactionSettings,
    rules: Rules = BRANCHWORK,
) -> AutomaticReason | None:
    """Return why a session that is due for the check is compacted now, or None.

    `context_tokens` is the size of the live context less what pruning saved. An overflow counts only for the current
    model: an error of a smaller model that was used before must not compact for the new one.
    """
    answered_by = ModelChoice(message.get("provider"), message.get("model"))
    if answered_by == current_model and is_context_overflow(message, context_window, rules):
        return "overflow"
    return "threshold" if should_compact(max(0, context_tokens), context_window, settings, rules) else None
