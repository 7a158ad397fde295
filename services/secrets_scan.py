"""Likely secrets in a text that is about to leave this machine: found by their form, shown shortened, maskable.

The rules are few and strict: a list full of false alarms teaches people to click it away. Keys of known make are found
by their prefix and length, others only where a name such as `password` stands in front of a value that looks random.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

MIN_ENTROPY_BITS: Final = 3.2  # a character of a random password or token; words of any language stay below
_SHOWN: Final = 4  # characters of a secret that are shown


@dataclass(frozen=True, slots=True)
class Secret:
    """A likely secret at `text[start:end]`. `preview` is safe to show."""

    kind: str
    start: int
    end: int
    preview: str


_RULES: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("private key", re.compile(r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]{40,}?-----END [A-Z ]+-----")),
    ("private key", re.compile(r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----[A-Za-z0-9+/=\s\\n]{40,}")),
    ("Anthropic key", re.compile(r"\bsk-ant-[A-Za-z0-9_-]{24,}")),
    ("OpenRouter key", re.compile(r"\bsk-or-[A-Za-z0-9_-]{24,}")),
    ("OpenAI key", re.compile(r"\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,}")),
    ("AWS access key", re.compile(r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b")),
    ("GitHub token", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})")),
    ("GitLab token", re.compile(r"\bglpat-[A-Za-z0-9_-]{20,}")),
    ("Google API key", re.compile(r"\bAIza[A-Za-z0-9_-]{35}")),
    ("Google OAuth secret", re.compile(r"\bGOCSPX-[A-Za-z0-9_-]{28}")),
    ("Groq key", re.compile(r"\bgsk_[A-Za-z0-9]{40,}")),
    ("Hugging Face token", re.compile(r"\bhf_[A-Za-z0-9]{30,}")),
    ("npm token", re.compile(r"\bnpm_[A-Za-z0-9]{36}\b")),
    ("PyPI token", re.compile(r"\bpypi-[A-Za-z0-9_-]{50,}")),
    ("SendGrid key", re.compile(r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}")),
    ("Slack token", re.compile(r"\bxox[abeoprs]-[A-Za-z0-9-]{20,}")),
    ("Slack webhook", re.compile(r"https://hooks\.slack\.com/services/[A-Za-z0-9/]{30,}")),
    ("Stripe key", re.compile(r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{20,}")),
    ("Telegram bot token", re.compile(r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}\b")),
    ("JSON web token", re.compile(r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}")),
    (
        "password in an address",
        re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@'\"<>]{1,80}:(?P<value>[^\s/@'\"<>]{3,120})@"),
    ),
)
_NAMED: Final = re.compile(
    r"(?P<name>passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|auth)"
    r"[\"']?\s{0,3}(?::|=|:=|=>)\s{0,3}(?P<quote>[\"'`]?)(?P<value>[^\s\"'`,;(){}\[\]<>]{10,200})(?P=quote)",
    re.IGNORECASE,
)
_NAME_BEFORE: Final = re.compile(r"[A-Za-z0-9_.-]{0,40}\Z")
_BEARER: Final = re.compile(r"\b(?:Bearer|Basic|Token)\s+(?P<value>[A-Za-z0-9+/_.=-]{20,400})", re.IGNORECASE)
_PLACEHOLDER: Final = re.compile(
    r"\$|%|\*{3}|\.{3}|…|x{4,}|example|placeholder|your[_-]|changeme|dummy|redacted|process\.env|os\.environ|getenv"
    r"|<[a-z]|undefined|null\b|none\b|true\b|false\b",
    re.IGNORECASE,
)
_CODE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")


def find_secrets(text: str) -> list[Secret]:
    """Return the likely secrets in `text`, in order and without overlaps. O(length of the text)."""
    found: list[tuple[int, int, str]] = []
    for kind, pattern in _RULES:
        for match in pattern.finditer(text):
            group = "value" if "value" in pattern.groupindex else 0
            found.append((*match.span(group), kind))
    found += [
        (*match.span("value"), kind.format(_name(text, match)))
        for kind, pattern in (("value of {0}", _NAMED), ("authorization", _BEARER))
        for match in pattern.finditer(text)
        if _looks_random(match["value"])
    ]
    return _without_overlaps(text, found)


def masked(text: str, secrets: Sequence[Secret]) -> str:
    """Return `text` with each secret replaced by a note of its kind."""
    parts, position = [], 0
    for secret in secrets:
        parts += [text[position : secret.start], f"[{secret.kind} removed]"]
        position = secret.end
    return "".join([*parts, text[position:]])


def _without_overlaps(text: str, found: list[tuple[int, int, str]]) -> list[Secret]:
    secrets: list[Secret] = []
    for start, end, kind in sorted(found, key=lambda item: (item[0], -item[1])):
        if not secrets or start >= secrets[-1].end:
            shown = text[start : start + _SHOWN].replace("\n", " ")
            secrets.append(Secret(kind, start, end, f"{shown}… ({end - start} characters)"))
    return secrets


def _name(text: str, match: re.Match[str]) -> str:
    """The whole name that a value is given to."""
    before = _NAME_BEFORE.search(text, max(0, match.start() - 40), match.start())
    return (before[0] if before else "") + match.groupdict().get("name", "")


def _looks_random(value: str) -> bool:
    """Whether a value looks made by chance: no placeholder, no name in code, mixed characters."""
    if _PLACEHOLDER.search(value):
        return False
    if _CODE.fullmatch(value) and not any(char.isdigit() for char in value):
        return False
    kinds = sum(any(test(char) for char in value) for test in (str.islower, str.isupper, str.isdigit))
    return kinds >= 2 and _entropy(value) >= MIN_ENTROPY_BITS


def _entropy(value: str) -> float:
    """Bits a character of `value` carries, by how often each occurs in it."""
    counts = Counter(value)
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts.values())
