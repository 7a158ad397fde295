"""Sentences: English text that keeps how it was made."""

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.json_text import stringify
from model.sentences import Sentence, packed, sentences, told, unpacked

WHY = Sentence("No space left on device")
NOTHING_SAVED = Sentence("Nothing was saved: {0}.", WHY)
COUNTED = Sentence("{1} of {0} in {2}", 12_345, Sentence("{0} × {1}", 2, "npm"), ("a", Sentence("b")))

values = st.recursive(
    st.integers() | st.text(),
    lambda inner: (
        st.lists(inner.filter(lambda value: isinstance(value, str)), max_size=3).map(tuple)
        | st.lists(inner, max_size=3).map(
            lambda given: Sentence(" ".join(f"{{{number}}}" for number in range(len(given))), *given)
        )
    ),
    max_leaves=8,
)


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same sentence, made in the same way."""
    if isinstance(one, tuple):
        return isinstance(other, tuple) and len(one) == len(other) and all(map(same, one, other))
    if type(one) is not type(other) or one != other:
        return False
    return not isinstance(one, Sentence) or (one.template == other.template and same(one.values, other.values))


def test_it_is_its_english_text() -> None:
    assert NOTHING_SAVED == "Nothing was saved: No space left on device."
    assert f"{NOTHING_SAVED} Try again." == "Nothing was saved: No space left on device. Try again."
    assert type(str(NOTHING_SAVED)) is str
    assert COUNTED == "2 × npm of 12,345 in a, b"
    assert json.dumps([WHY]) == stringify([WHY]) == '["No space left on device"]'
    assert {WHY: 1}["No space left on device"] == 1


def test_without_values_nothing_is_a_place() -> None:
    assert Sentence("{0} and {name}") == "{0} and {name}"


def test_a_place_without_a_value_is_refused() -> None:
    with pytest.raises(IndexError):
        Sentence("{0} and {1}", "one")


def test_sentences_follow_each_other() -> None:
    both = sentences(NOTHING_SAVED, "", Sentence("Try again."))
    assert both == "Nothing was saved: No space left on device. Try again."
    assert both.values == (NOTHING_SAVED, "Try again.")
    assert sentences() == ""


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made))])
def test_copies_know_how_they_were_made(again: Any) -> None:
    assert same(again(COUNTED), COUNTED)


@given(values)
def test_what_is_kept_in_a_file_comes_back(value: Any) -> None:
    assert same(unpacked(json.loads(json.dumps(packed(value)))), value)


@pytest.mark.parametrize(
    "odd", [None, 3.5, {"template": 1, "values": []}, {"template": "x"}, {"values": []}, {"template": "x", "values": 1}]
)
def test_what_was_never_packed_stays(odd: Any) -> None:
    assert unpacked(odd) == odd


def test_a_packed_template_with_too_few_values_is_shown_as_it_is() -> None:
    assert unpacked({"template": "{0} and {1}", "values": ["x"]}) == "{0} and {1}"


def test_an_exception_tells_the_sentence_it_was_made_with() -> None:
    assert told(ValueError(NOTHING_SAVED)) is NOTHING_SAVED
    assert str(ValueError(NOTHING_SAVED)) == NOTHING_SAVED
    assert told(OSError(28, "No space")) == "[Errno 28] No space"
    assert told(ValueError()) == ""
