"""Likely secrets in a text that is about to leave this machine: found by their form, shown shortened, maskable.

The rules are few and strict: a list full of false alarms teaches people to click it away. Keys of known make are found
by their prefix and length, others only where a name such as `token` stands in front of a value that looks random. What
people think up doesn't look so: behind `password` and the like a value counts that is no placeholder and no code.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from model.sentences import Sentence

MIN_ENTROPY_BITS: Final = 3.2  # a character of a random password or token; words of any language stay below
_SHOWN: Final = 4  # characters of a secret that are shown


@dataclass(frozen=True, slots=True)
class Secret:
    """A likely secret at `text[start:end]`. `preview` is safe to show."""

    kind: str
    start: int
    end: int
    preview: str


@dataclass(frozen=True, slots=True)
class _Rule:
    """A form of secrets. Each match holds one of `literals`, which is looked for first: `re` takes fifty times as long.

    A match is the secret, or its group `value` where it has one, unless it's what people write in place of a secret.
    """

    kind: str
    pattern: re.Pattern[str]
    literals: tuple[str, ...]

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        if any(literal in text for literal in self.literals):
            has_value = "value" in self.pattern.groupindex
            for match in self.pattern.finditer(text):
                if not has_value:
                    yield match.span()
                elif not _stands_for_password(match["value"]):
                    yield match.span("value")


_RULES: Final = tuple(
    _Rule(kind, re.compile(pattern), literals)
    for kind, pattern, literals in (
        (
            Sentence("private key"),  # to its end, or as far as it got
            r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----"
            r"(?:[\s\S]{40,}?-----END [A-Z ]+-----|[A-Za-z0-9+/=\s\\n]{40,})",
            ("PRIVATE KEY",),
        ),
        (Sentence("Anthropic key"), r"\bsk-ant-[A-Za-z0-9_-]{24,}", ("sk-ant-",)),
        (Sentence("OpenRouter key"), r"\bsk-or-[A-Za-z0-9_-]{24,}", ("sk-or-",)),
        (Sentence("OpenAI key"), r"\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,}", ("sk-",)),
        (Sentence("AWS access key"), r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b", ("AKIA", "ASIA", "ABIA", "ACCA")),
        (
            Sentence("GitHub token"),
            r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})",
            ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        ),
        (Sentence("GitLab token"), r"\bglpat-[A-Za-z0-9_-]{20,}", ("glpat-",)),
        (Sentence("Google API key"), r"\bAIza[A-Za-z0-9_-]{35}", ("AIza",)),
        (Sentence("Google OAuth secret"), r"\bGOCSPX-[A-Za-z0-9_-]{28}", ("GOCSPX-",)),
        (Sentence("Groq key"), r"\bgsk_[A-Za-z0-9]{40,}", ("gsk_",)),
        (Sentence("Hugging Face token"), r"\bhf_[A-Za-z0-9]{30,}", ("hf_",)),
        (Sentence("npm token"), r"\bnpm_[A-Za-z0-9]{36}\b", ("npm_",)),
        (Sentence("PyPI token"), r"\bpypi-[A-Za-z0-9_-]{50,}", ("pypi-",)),
        (Sentence("SendGrid key"), r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}", ("SG.",)),
        (Sentence("Slack token"), r"\bxox[abeoprs]-[A-Za-z0-9-]{20,}", ("xox",)),
        (Sentence("Slack webhook"), r"https://hooks\.slack\.com/services/[A-Za-z0-9/]{30,}", ("hooks.slack.com",)),
        (Sentence("Stripe key"), r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{20,}", ("k_live_", "k_test_")),
        (Sentence("Telegram bot token"), r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}\b", (":AA",)),
        (Sentence("JSON web token"), r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}", (".eyJ",)),
        (
            Sentence("password in an address"),
            r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@'\"<>]{0,80}:(?P<value>[^\s/@'\"<>]{3,120})@",
            ("://",),
        ),
        (
            Sentence("password of a command"),
            r"\bcurl\b[^\n]{0,400}?\s(?:-u|--(?:proxy-)?user)[ =]?\\?[\"']?[^\s:\"'\\]{1,80}"
            r":(?P<value>[^\s\"'\\]{4,120})",
            ("curl",),
        ),
        (
            Sentence("password of a command"),
            r"\bsshpass\s+-p\s?\\?[\"']?(?P<value>[^\s\"'\\]{4,120})",
            ("sshpass",),
        ),
    )
)
_NAMED: Final = re.compile(
    r"(?P<name>passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|credentials?"
    r"|auth)"
    r"[\"']?\s{0,3}(?::|=|:=|=>)\s{0,3}(?P<quote>[\"'`]?)(?P<value>[^\s\"'`,;(){}\[\]<>]{10,200})(?P=quote)",
    re.IGNORECASE,
)
_PASSWORD: Final = re.compile(
    r"(?P<name>passw(?:or)?d|passphrase|pwd|secret)\\?[\"']?\s{0,3}(?::=|=>|=|:)\*{0,2}\s{0,3}"
    r"(?:(?P<quote>\\?[\"'`])(?P<quoted>[^\s\"'`\\]{6,200})(?P=quote)"
    r"|(?P<plain>[^\s\"'`,;(){}\[\]<>\\]{6,200}+)(?![(\[]))",
    re.IGNORECASE,
)
_NAME_BEFORE: Final = re.compile(r"[A-Za-z0-9_.-]{0,40}\Z")
_BEARER: Final = re.compile(r"\b(?:Bearer|Basic|Token)\s+(?P<value>[A-Za-z0-9+/_.=-]{20,400})", re.IGNORECASE)

# Where the three patterns above can match, one of these is found in the text as small UTF-8 letters. A plain beginning
# makes `re` fast; white space that is not ASCII counts as any byte above.
_SPACE: Final = rb"[\s\x1c-\x1f\x80-\xff]"
_KEY: Final = b"key(?:%s)" % b"|".join(
    b"(?<=%s%skey)" % (word, between)
    for word in (b"api", b"access", b"account", b"private")
    for between in (b"", b"_", b"-")
)
_VALUE: Final = rb"[^\s\"'`,;(){}\[\]<>]{10}"
_ASSIGNED: Final = rb"\\?[\"']?%b{0,9}[:=][=>]?\*{0,2}%b{0,9}\\?[\"'`]?" % (_SPACE, _SPACE)
_NAMED_CLUES: Final = tuple(
    re.compile(name + _ASSIGNED + _VALUE) for name in (b"token", _KEY, b"credentials?", b"auth")
)
_PASSWORD_CLUES: Final = tuple(
    re.compile(name + _ASSIGNED + rb"[^\s\"'`]{6}") for name in (b"pass(?:w(?:or)?d|phrase)", b"pwd", b"secret")
)
_BEARER_CLUES: Final = tuple(re.compile(word + _SPACE) for word in (b"bearer", b"basic", b"token"))
_PLACEHOLDER: Final = re.compile(
    r"\$|%|\*{3}|\.{3}|…|x{4,}|example|placeholder|your[_-]|changeme|dummy|redacted|process\.env|os\.environ|getenv"
    r"|<[a-z]|undefined|null\b|none\b|true\b|false\b",
    re.IGNORECASE,
)
_NO_PASSWORD: Final = re.compile(  # what stands in its place: in documents, in code, in forms
    r"^\$|\$[{(]|^%|^[{<@[]|[}>]$|&[a-z]+$|^#[a-z-]+$|^\*+$|\*{3}|\.{3}|…|x{4,}|(?:\b|_)(?:example|placeholder|dummy|redacted|masked)"
    r"|your|change[_-]?me|process\.env|environ|getenv|^(?:undefined|null|none|true|false)$"
    r"|^(?:my|the|a|new|old|some|test|user|db|admin|root)?[_-]?(?:passw(?:or)?d|pass|pwd|pw|passphrase|secret|token)s?$",
    re.IGNORECASE,
)
_PATH: Final = re.compile(r"[~.]{0,2}/|[A-Za-z]:[\\/]|[A-Za-z][A-Za-z0-9+.-]*://")
_TYPE: Final = re.compile(
    r"(?:u?int|float|uint8array|sha|md|aes|rsa|base|utf|argon|pbkdf|scrypt|bcrypt)[-_]?\d+.*",
    re.IGNORECASE,
)
_REQUIRED: Final = re.compile(r"[A-Za-z]+[!?]")  # a type, in GraphQL for example
_WORD: Final = re.compile(  # of a form or a schema, as a value in quotes
    r"[A-Z]\w*|string|number|boolean|object|integer|required|optional|hidden|invalid|incorrect|missing|empty|default|"
    r"unknown|visible|disabled|enabled|plain|plaintext|hashed|encrypted|varchar|unset|prompt|\w*(?:passw|secret)\w*"
)
_SLUG: Final = re.compile(r"[a-z0-9]+(?:[-_./:][a-z0-9]+)+")
_SIGNS: Final = frozenset("!@#$%^")
_CODE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")


def find_secrets(text: str) -> list[Secret]:
    """Return the likely secrets in `text`, in order and without overlaps. O(length of the text)."""
    found = [(*span, rule.kind) for rule in _RULES for span in rule.spans(text)]
    small = _small_letters(text)
    has_password = any(clue.search(small) for clue in _PASSWORD_CLUES)
    if has_password:
        given = (match for match in _PASSWORD.finditer(text) if _is_password(match))
        found += [(*_password_span(match), Sentence("value of {0}", _name(text, match))) for match in given]
    if has_password or any(clue.search(small) for clue in _NAMED_CLUES):
        named = (match for match in _NAMED.finditer(text) if _looks_random(match["value"]))
        found += [(*match.span("value"), Sentence("value of {0}", _name(text, match))) for match in named]
    if any(clue.search(small) for clue in _BEARER_CLUES):
        bearers = (match for match in _BEARER.finditer(text) if _looks_random(match["value"]))
        found += [(*match.span("value"), Sentence("authorization")) for match in bearers]
    return _without_overlaps(text, found) if found else []


def counted_kinds(secrets: Iterable[Secret]) -> tuple[str, ...]:
    """Return how many there are of each kind, to be listed in a sentence."""
    counts = Counter(secret.kind for secret in secrets)
    return tuple(Sentence("{0} × {1}", count, kind) for kind, count in counts.items())


def masked(text: str, secrets: Sequence[Secret]) -> str:
    """Return `text` with each secret replaced by a note of its kind."""
    parts, position = [], 0
    for secret in secrets:
        parts += [text[position : secret.start], f"[{secret.kind} removed]"]
        position = secret.end
    return "".join([*parts, text[position:]])


def _small_letters(text: str) -> bytes:
    """UTF-8 of `text` in which each ASCII letter, and what `re` takes for one when case is ignored, is a small one."""
    if not text.isascii():
        for letter, like in (("\u0130", "i"), ("\u0131", "i"), ("\u017f", "s"), ("\u212a", "k")):
            text = text.replace(letter, like)
    return text.encode("utf-8", "surrogatepass").lower()


def _without_overlaps(text: str, found: list[tuple[int, int, str]]) -> list[Secret]:
    secrets: list[Secret] = []
    for start, end, kind in sorted(found, key=lambda item: (item[0], -item[1])):
        if not secrets or start >= secrets[-1].end:
            shown = text[start : start + _SHOWN].replace("\n", " ")
            secrets.append(Secret(kind, start, end, Sentence("{0}… ({1} characters)", shown, end - start)))
    return secrets


def _name(text: str, match: re.Match[str]) -> str:
    """The whole name that a value is given to."""
    before = _NAME_BEFORE.search(text, max(0, match.start() - 40), match.start())
    return (before[0] if before else "") + match.groupdict().get("name", "")


def _looks_random(value: str) -> bool:
    """Whether a value looks made by chance: no placeholder, no name in code, mixed characters."""
    if _PLACEHOLDER.search(value):
        return False
    if _CODE.fullmatch(value) and not any(char.isdigit() for char in value[value.rfind(".") + 1 :]):
        return False
    kinds = sum(any(test(char) for char in value) for test in (str.islower, str.isupper, str.isdigit))
    return kinds >= 2 and _entropy(value) >= MIN_ENTROPY_BITS


def _password_span(match: re.Match[str]) -> tuple[int, int]:
    return match.span("plain" if match["quoted"] is None else "quoted")


def _is_password(match: re.Match[str]) -> bool:
    """Whether a value may be what somebody thought up: no placeholder, path, type or word of a form."""
    quoted, plain = match["quoted"], match["plain"]
    value: str = plain if quoted is None else quoted
    if _stands_for_password(value) or _PATH.match(value) or _TYPE.fullmatch(value):
        return False
    has_digit = any(char.isdigit() for char in value)
    has_sign = not _SIGNS.isdisjoint(value)
    if sum(char.isalnum() for char in value) < 3:
        return False
    if match["name"].lower() == "secret" and (_SLUG.fullmatch(value) or value.isdigit() or not has_digit):
        return False  # what secrets of a cluster or of a store are called
    if quoted is not None:
        return has_digit or has_sign or not _WORD.fullmatch(value)
    return (has_digit or has_sign) and not _REQUIRED.fullmatch(value) and not (_CODE.fullmatch(value) and "." in value)


def _stands_for_password(value: str) -> bool:
    return bool(_NO_PASSWORD.search(value))


def _entropy(value: str) -> float:
    """Bits a character of `value` carries, by how often each occurs in it."""
    counts = Counter(value)
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts.values())
