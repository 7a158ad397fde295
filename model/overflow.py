"""Does an assistant message report that the context is too large (CP-2.2)?"""

from typing import Final

from model.json_text import JsonObject
from model.overflow_patterns import NON_OVERFLOW_PHRASES, OVERFLOW_PHRASES, Phrase
from model.rules import BRANCHWORK, Rules
from model.usage import usage_number

FULL_WINDOW_SHARE: Final = 0.99


def is_overflow_text(text: str, *, provider: str | None = None, rules: Rules = BRANCHWORK) -> bool:
    """Return whether a provider's error text reports a context overflow: a known phrase, and none that excludes it."""
    if any(_known(phrase, provider, rules) and phrase.occurs_in(text) for phrase in NON_OVERFLOW_PHRASES):
        return False
    return any(_known(phrase, provider, rules) and phrase.occurs_in(text) for phrase in OVERFLOW_PHRASES)


def is_context_overflow(message: JsonObject, context_window: int | None = None, rules: Rules = BRANCHWORK) -> bool:
    """Return whether an assistant message reports a context overflow.

    An error with an overflow text; with a known `context_window` also an answer cut off without output because its
    input fills the window. A successful answer whose input exceeds the window counts only under the agents' rules
    (R-20): ours leave it to the threshold.
    """
    error_text = message.get("errorMessage")
    if message.get("stopReason") == "error" and isinstance(error_text, str):
        provider = message.get("provider")
        if is_overflow_text(error_text, provider=provider if isinstance(provider, str) else None, rules=rules):
            return True
    if not context_window or context_window < 0:
        return False
    return _is_silent_overflow(message, context_window, rules) or _is_full_length_stop(message, context_window, rules)


def _is_silent_overflow(message: JsonObject, context_window: int, rules: Rules) -> bool:
    if not rules.silent_overflow_is_overflow:
        return False
    if rules.silent_overflow_needs_stop and message.get("stopReason") != "stop":
        return False
    return _input_tokens(message, rules) > context_window


def _is_full_length_stop(message: JsonObject, context_window: int, rules: Rules) -> bool:
    if not rules.full_length_stop_is_overflow or message.get("stopReason") != "length":
        return False
    usage = message.get("usage")
    if not isinstance(usage, dict) or usage_number(usage, "output") != 0:
        return False
    return _input_tokens(message, rules) >= context_window * FULL_WINDOW_SHARE


def _input_tokens(message: JsonObject, rules: Rules) -> int | float:
    names = ("input", "cacheRead", "cacheWrite") if rules.overflow_counts_cache_writes else ("input", "cacheRead")
    return sum(usage_number(message.get("usage"), name) for name in names)


def _known(phrase: Phrase, provider: str | None, rules: Rules) -> bool:
    if rules.overflow_vocabulary == "all":
        return True
    if rules.overflow_vocabulary not in phrase.known_to:
        return False
    limited_to = phrase.provider_in_pi if rules.overflow_vocabulary == "pi" else None
    return limited_to is None or provider == limited_to
