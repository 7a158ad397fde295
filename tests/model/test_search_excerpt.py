"""The piece of a text around a match: short, on one line, and with the match in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.search_excerpt import BEFORE, EXCERPT_CHARACTERS, excerpt_around
from model.search_query import fold

LONG = "word " * 500


@pytest.mark.parametrize(("text", "words", "expected"), [
    ("They invalidate it", ["invalidate"], "They invalidate it"),
    ("first\nThey  INVALIDATE\tit\nlast", ["invalidate"], "They INVALIDATE it"),
    ("nothing", ["invalidate"], ""),
    ("only b", ["a", "b"], "only b"),
    ("été E\u0301te\u0301", ["été"], "été E\u0301te\u0301"),
    ("", ["a"], ""),
])  # fmt: skip
def test_around_the_first_word_that_occurs(text: str, words: list[str], expected: str) -> None:
    assert excerpt_around(text, words) == expected


def test_signs_tell_that_the_text_goes_on() -> None:
    found = excerpt_around(f"{LONG}needle {LONG}", ["needle"])
    assert found.startswith("… word")
    assert found.endswith("…")
    assert found.index("needle") <= BEFORE + 3
    assert len(found) <= EXCERPT_CHARACTERS + 4


@given(st.text(alphabet="ßİéẞﬁ ab\u0301", max_size=300), st.text(alphabet="ßé ab", max_size=300))
def test_the_match_is_in_it_also_where_folding_changes_lengths(before: str, after: str) -> None:
    assert "needle" in fold(excerpt_around(f"{before} Needle {after}", ["needle"]))
