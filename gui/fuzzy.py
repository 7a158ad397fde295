"""Fuzzy matching for short texts: the letters of a pattern in order, best at the starts of words."""

from __future__ import annotations

from dataclasses import dataclass

FIRST_OF_WORD, AFTER_MATCH, GAP = 8, 6, -1
NEVER = -1_000_000


@dataclass(frozen=True, slots=True)
class FuzzyMatch:
    """How well a pattern fits (more is better), and the places of its letters in the text."""

    score: int
    places: tuple[int, ...]


def folded(text: str) -> str:
    """Return `text` for comparing whatever is typed: without case, each i of Turkish alike."""
    return text.replace("İ", "i").replace("ı", "i").casefold()


def fuzzy_match(pattern: str, text: str) -> FuzzyMatch | None:
    """Return the best way to find the letters of `pattern` in `text` in order, None when there is none.

    Blanks in the pattern and letter case do not count. O(length of the pattern x length of the text).
    """
    wanted = [char for char in folded(pattern) if not char.isspace()]
    letters = [folded(char) for char in text]
    if not wanted:
        return FuzzyMatch(0, ())
    if len(wanted) > len(letters):
        return None
    starts = [place == 0 or not text[place - 1].isalnum() for place in range(len(text))]
    best: list[list[int]] = []  # for each letter wanted and each place: the best score when it is found there
    origins: list[list[int]] = []
    for number, letter in enumerate(wanted):
        scores, origin = [NEVER] * len(letters), [-1] * len(letters)
        reach, reach_from = NEVER, -1  # the best end of the letters before, minus the gap since
        for place, char in enumerate(letters):
            bonus = FIRST_OF_WORD if starts[place] else 0
            if char == letter:
                if number == 0:
                    scores[place] = bonus - min(place, 10)
                else:
                    before = best[-1][place - 1] if place else NEVER
                    close = before + AFTER_MATCH
                    scores[place], origin[place] = max((close + bonus, place - 1), (reach + bonus, reach_from))
            if number and place:
                reach, reach_from = max((reach + GAP, reach_from), (best[-1][place - 1] + GAP, place - 1))
        best.append(scores)
        origins.append(origin)
    end = max(range(len(letters)), key=lambda place: best[-1][place])
    if best[-1][end] <= NEVER // 2:
        return None
    places = [end]
    for origin in reversed(origins[1:]):
        places.append(origin[places[-1]])
    return FuzzyMatch(best[-1][end] * 4 - len(letters), tuple(reversed(places)))
