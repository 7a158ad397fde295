"""What providers say when a request exceeds the context window, and what only sounds like it (CP-2.2).

The phrases are facts about provider messages. Each names the agents that know it; `Rules.overflow_vocabulary` picks an
agent's own list, or all of them. A phrase of several parts matches when the parts follow each other in one line; they
are looked for one after the other, so that a long message costs no more than its length.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_LINE_BREAK = re.compile("[\n\r\u2028\u2029]")
_FLAGS: Final = re.IGNORECASE | re.ASCII

BOTH: Final = frozenset({"pi", "omp"})
PI: Final = frozenset({"pi"})
OMP: Final = frozenset({"omp"})
OURS: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Phrase:
    """One phrase: patterns in their order, the agents that know it, and the one provider that an agent limits it to."""

    parts: tuple[re.Pattern[str], ...]
    known_to: frozenset[str] = BOTH
    provider_in_pi: str | None = None

    def occurs_in(self, text: str) -> bool:
        """Return whether the phrase occurs in a provider's message. O(length)."""
        if len(self.parts) == 1:
            return self.parts[0].search(text) is not None
        return any(self._occurs_in_line(line) for line in _LINE_BREAK.split(text))

    def _occurs_in_line(self, line: str) -> bool:
        position = 0
        for part in self.parts:
            match = part.search(line, position)
            if match is None:
                return False
            position = match.end()
        return True


def _phrase(*parts: str, known_to: frozenset[str] = BOTH, provider_in_pi: str | None = None) -> Phrase:
    return Phrase(tuple(re.compile(part, _FLAGS) for part in parts), known_to, provider_in_pi)


OVERFLOW_PHRASES: Final[Sequence[Phrase]] = (
    _phrase("prompt is too long"),
    _phrase("prompt too long", known_to=PI),
    _phrase("prompt exceeds max length", known_to=PI),
    _phrase("request_too_large"),
    _phrase("request exceeds the maximum size", known_to=OMP),
    _phrase("payload too large", known_to=OMP),
    _phrase("entity too large", known_to=OMP),
    _phrase(r"\b413\b", r"\b(?:request|payload|entity)\b", r"\btoo large\b", known_to=OMP),
    _phrase(r"^(?:[\w.-]+ API error \()?413\b", known_to=PI),
    _phrase("input is too long for requested model"),
    _phrase("exceeds the context window"),
    _phrase(
        r"exceeds (?:the )?(?:model'?s )?maximum context length(?: of [0-9,]+ tokens?|\s*\([0-9,]+\))", known_to=PI
    ),
    _phrase("maximum context length is [0-9]+ tokens"),
    _phrase("maximum context length is [0-9,]+ tokens", known_to=OURS),
    _phrase("context window exceeded", known_to=PI),
    _phrase("context window exceeds limit"),
    _phrase("context (?:window|length|size)", "exceeded|overflow|too small", known_to=OMP),
    _phrase("context[_ ]length[_ ]exceeded"),
    _phrase("model_context_window_exceeded", known_to=PI),
    _phrase("input token count", "exceeds the maximum"),
    _phrase("maximum prompt length is [0-9]"),
    _phrase("reduce the length of the messages"),
    _phrase("exceeds (?:the )?maximum allowed input length of [0-9,]+ token", known_to=PI),
    _phrase(r"input \([0-9]+ tokens\) is longer than the model'?s context length \([0-9]+ tokens\)", known_to=PI),
    _phrase("exceeds the limit of [0-9]"),
    _phrase("exceeds the available context size"),
    _phrase("requested tokens?", "exceed", "context (?:window|length|size)", known_to=OMP),
    _phrase("requested tokens?", "exceeds?|greater than", "n_ctx|context", known_to=OMP),
    _phrase("prompt|input", "too long|too large", "context|n_ctx", known_to=OMP),
    _phrase("greater than the context length"),
    _phrase("exceeded model token limit"),
    _phrase("too large for model with [0-9]+ maximum context length", known_to=PI),
    _phrase("prompt has [0-9,]+ tokens?, but the configured context size is [0-9,]+ token", known_to=PI),
    _phrase("range of input length should be", known_to=PI),
    _phrase("token limit exceeded"),
    _phrase("too many tokens"),
    _phrase(r"^4(?:00|13)\s*(?:status code)?\s*\(no body\)", provider_in_pi="cerebras"),
)

NON_OVERFLOW_PHRASES: Final[Sequence[Phrase]] = (
    _phrase("rate limit", known_to=PI),
    _phrase("too many requests", known_to=PI),
    _phrase("^(?:throttling error|service unavailable):", known_to=PI),
    _phrase("^(?:throttling|service ?unavailable)", known_to=OURS),
)
