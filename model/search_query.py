"""What a search looks for, and which raw lines of a file cannot hold it.

An entry matches when each white-space separated word of the query occurs in its text, in any order. Words are compared
without regard to case and to composed or decomposed characters, in any script. Decoding every entry for each key
pressed would take seconds; most lines are ruled out by their bytes. Source: tree-navigation spec, TN-12.2.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import Final

MOST_SPELLINGS: Final = 8  # of a part of a word that are looked for in the bytes
_IN_JSON: Final = {
    '"': (b'\\"',),
    "\\": (b"\\\\",),
    "/": (b"/", b"\\/"),
}  # all other printable characters stand as they are
_ESCAPED: Final = re.compile(r'["\\\\\x00-\x1f\x7f\ud800-\udfff\ufffd]')  # or may be
_FOLDED_RANGES: Final = (range(0x80, 0xD800), range(0xE000, 0x1EA00), range(0x2F800, 0x2FB00))  # where fold() acts
_UNREADABLE: Final = "\ufffd"  # stands for bytes that are no UTF-8


def fold(text: str) -> str:
    """Return `text` for comparison: equal for texts that differ only in case or in how characters are composed."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFC", text.casefold())


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a query, folded.

    `spellings`: a line with the word contains one of these byte strings once its ASCII letters are in lower case,
    unless the word is spelt there with escapes (`\\u0065`) or with an unusual character for an ASCII letter (ﬁ for fi).
    """

    text: str
    spellings: tuple[bytes, ...]

    @property
    def literal(self) -> bytes | None:
        """The word as it stands in a line in lower case; None when JSON may write it otherwise or a mark begins it.

        Where it is found in a text with ASCII characters on both sides, the word occurs.
        """
        if _ESCAPED.search(self.text) or unicodedata.combining(self.text[0]):
            return None
        return _utf8(self.text)


@dataclass(frozen=True)
class SearchQuery:
    """The words of a query; without any it matches nothing."""

    words: tuple[Word, ...]

    @classmethod
    def of(cls, text: str) -> "SearchQuery":
        """Return the query that a person typed."""
        folded = dict.fromkeys(fold(text).split())
        needed = [word for word in folded if not any(word != other and word in other for other in folded)]
        return cls(tuple(Word(word, _spellings(word)) for word in needed))

    def __bool__(self) -> bool:
        return bool(self.words)

    def matches(self, text: str) -> bool:
        """Return whether all words occur in `text`."""
        folded = fold(text)
        return bool(self.words) and all(word.text in folded for word in self.words)

    @cached_property
    def by_bytes(self) -> tuple[Word, ...]:
        """The words with the most telling bytes first."""
        return tuple(sorted(self.words, key=lambda word: -min(map(len, word.spellings))))

    @cached_property
    def is_ascii(self) -> bool:
        """Whether no word has a character beyond ASCII."""
        return all(word.text.isascii() for word in self.words)


# Lines in which a word may be spelt otherwise than by its own characters. Patterns for raw bytes.
ESCAPED_CHARACTER: Final = re.compile(rb"\\u(?!00[01])")
"""An escape of anything but a control character."""


@cache
def unusual_ascii() -> re.Pattern[bytes]:
    """Return the pattern for an escape of an ASCII character, or an unusual character that folds to ASCII ones."""
    unusual = {other for plain, others in _others().items() if plain.isascii() for other in others}
    spelt = [re.escape(other.encode()) for other in unusual]
    escapes = [f"{ord(other):04x}".encode() for other in unusual]
    return re.compile(rb"\\u(?:00[2-7]|" + b"|".join(escapes) + b")|" + b"|".join(spelt), re.IGNORECASE)


@cache
def _others() -> dict[str, frozenset[str]]:
    """For each character of folded texts the other characters that fold to it, alone or among others."""
    found: dict[str, set[str]] = {}
    for other in map(chr, chain(*_FOLDED_RANGES)):
        folded = fold(other)
        if folded != other:
            for part in folded:
                found.setdefault(part, set()).add(other)
    return {plain: frozenset(others) for plain, others in found.items()}


def _spellings(word: str) -> tuple[bytes, ...]:
    """The byte strings of which a line with `word` has one: those of the stretch of it that is the longest in bytes."""
    best = [b""]
    for start in range(len(word)):
        spelt = [b""]
        for character in word[start:]:
            forms = _forms(character)
            if not forms or len(spelt) * len(forms) > MOST_SPELLINGS:
                break
            spelt = [before + form for before in spelt for form in forms]
        if len(min(spelt, key=len)) > len(min(best, key=len)):
            best = spelt
    return tuple(sorted(set(best))) if all(best) else _traces(word[0])


def _forms(character: str) -> tuple[bytes, ...]:
    """All ways to write a character of a folded text by one other, none when there are other ways, too."""
    if character.isascii():
        return _IN_JSON.get(character, (character.encode(),)) if character.isprintable() else ()
    if character == _UNREADABLE:
        return ()
    forms = (character, *_others().get(character, ()))
    is_single = all(len(fold(form)) == len(unicodedata.normalize("NFD", form)) == 1 for form in forms)
    return tuple(map(_utf8, forms)) if is_single and not unicodedata.combining(character) else ()


def _traces(character: str) -> tuple[bytes, ...]:
    """Byte strings of which a line has one in whatever way it writes a character that can be written in several."""
    if character == _UNREADABLE:
        return (b"",)
    if character.isascii():
        return (character.encode(), b"\\")
    forms = (character, *_others().get(character, ()))
    parts = {part for form in forms for part in unicodedata.normalize("NFD", form) if not part.isascii()}
    return tuple(sorted(_utf8(form) for form in {*forms, *parts}))


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
