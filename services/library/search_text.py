"""Texts as the index sees them, and questions as a person types them.

The index splits words at everything that is no letter, digit or sign. Scripts that write without spaces get each
character as a word of its own, so that any stretch of it is found as a phrase.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

TOKENIZER: Final = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc So'"
LEAST_CHARACTERS: Final = 2  # of a question in a script with spaces: one letter would find nearly everything

_SINGLE: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u2600-\u27bf\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U0001f000-\U0001faff\U00020000-\U0003ffff"
)
_SINGLE_CHARACTER: Final = re.compile(f"[{_SINGLE}]")
_SINGLE_RUN: Final = re.compile(f"[{_SINGLE}]+")
_ARABIC_MARKS: Final = "\u0640\u064b-\u065f\u0670"  # stretching and vowels, which few people type
_ARABIC_MARK: Final = re.compile(f"[{_ARABIC_MARKS}]")
_ARABIC_LETTER: Final = re.compile("[\u0620-\u063f\u0641-\u064a]")
_SURROGATE: Final = re.compile("[\ud800-\udfff\0]")
_WORD_CLASSES: Final = frozenset("LN")
_PART: Final = re.compile(r'"([^"]*)"?|(\S+)')


def indexed_text(text: str) -> str:
    """Return a text in the form in which it goes into the index."""
    if text.isascii():
        return text
    return _SINGLE_RUN.sub(_spaced, _ARABIC_MARK.sub("", _SURROGATE.sub(" ", text)))


def storable(text: str) -> str:
    """Return a text without lone surrogates, which no database takes."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


class Question:
    """What is looked for: words in any order, and quoted phrases. The last word may be the beginning of one."""

    def __init__(self, typed: str) -> None:
        self.typed = typed
        found = [(phrase or word, bool(word)) for phrase, word in _PART.findall(typed)]
        self._parts = [(part, is_word) for part, is_word in found if any(map(_is_sign, part))]
        self._is_open = bool(found) and found[-1][1] and not typed[-1:].isspace()

    def __bool__(self) -> bool:
        """Whether there is enough to look for."""
        text = "".join(part for part, _ in self._parts)
        return len(text) >= LEAST_CHARACTERS or _SINGLE_CHARACTER.search(text) is not None

    def expression(self) -> str:
        """Return the question for the index; nothing in it is taken for an operator."""
        phrases = ['"{}"'.format(indexed_text(part).replace('"', " ")) for part, _ in self._parts]
        return " ".join(phrases) + ("*" if self._is_open and phrases else "")

    def places(self, text: str) -> list[tuple[int, int]]:
        """Return where in a text its parts stand: begin and end, in order, without overlap."""
        plain = folded(text)
        found = sorted(match.span() for pattern in self._patterns() for match in pattern.finditer(plain))
        places: list[tuple[int, int]] = []
        for begin, end in found:
            if begin < end and (not places or begin >= places[-1][1]):
                places.append((begin, end))
        return places

    def _patterns(self) -> Iterator[re.Pattern[str]]:
        for number, (part, _) in enumerate(self._parts):
            words = [word for word in indexed_text(folded(part)).split() if any(map(_is_sign, word))]
            signs = [sign for word in words for sign in re.findall(r"\w+|[^\w\s]", word) if any(map(_is_sign, sign))]
            if not signs:
                continue
            is_open = self._is_open and number == len(self._parts) - 1
            yield re.compile(_before(signs[0]) + r"[\W_]*".join(map(_pattern, signs)) + _after(signs[-1], is_open))


def snippet(
    text: str, places: Sequence[tuple[int, int]], before: int = 40, length: int = 160
) -> tuple[str, list[tuple[int, int]]]:
    """Return the part of a text around the first of `places`, on one line, and where the places are in it."""
    first = places[0][0] if places else 0
    begin = max(0, first - before)
    if begin:
        begin = next((at + 1 for at in range(begin, first) if text[at].isspace()), begin)
    end = min(len(text), begin + length)
    line: list[str] = ["… "] if begin else []
    moved: dict[int, int] = {}
    size = len(line[0]) if line else 0
    for at in range(begin, end):
        moved[at] = size
        character = " " if text[at].isspace() else text[at]
        if character == " " and (not line or line[-1].endswith(" ")):
            continue
        line.append(character)
        size += 1
    moved[end] = size
    shown = [(moved[a], moved[min(b, end)]) for a, b in places if begin <= a < end]
    if end < len(text):
        line.append("…")
    return "".join(line), shown


def _spaced(run: re.Match[str]) -> str:
    return f" {' '.join(run[0])} "


def _before(sign: str) -> str:
    return "" if _SINGLE_CHARACTER.match(sign) else r"(?<![^\W_])"


def _after(sign: str, is_open: bool) -> str:
    return "" if is_open or _SINGLE_CHARACTER.match(sign) else r"(?![^\W_])"


def _pattern(sign: str) -> str:
    marks = f"[{_ARABIC_MARKS}]*"
    return "".join(re.escape(each) + (marks if _ARABIC_LETTER.match(each) else "") for each in sign)


def _is_sign(character: str) -> bool:
    """Whether a character is part of a word for the index."""
    kind = unicodedata.category(character)
    return kind[0] in _WORD_CLASSES or kind in ("So", "Co", "Mn", "Mc")


def folded(text: str) -> str:
    """Return a text without case and accents; each character stays where it is."""
    return text.lower() if text.isascii() else text.translate(_FOLDS)


class _Folds(dict[int, str]):
    """What characters become, worked out when one is seen for the first time."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        plain = character
        if not _SINGLE_CHARACTER.match(character):
            plain = (unicodedata.normalize("NFD", character)[:1].lower() or character)[:1]
        self[code] = plain
        return plain


_FOLDS: Final = _Folds()
