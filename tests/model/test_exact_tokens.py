import gzip
from importlib.resources import files
from pathlib import Path

import pytest
import tiktoken
import tiktoken_ext.openai_public
from hypothesis import given
from hypothesis import strategies as st

from model.exact_tokens import CHUNK_CHARACTERS, ExactTokens, load_o200k_base
from services.token_counter import exact_token_counter
from tests.model.strategies import TEXTS

SESSION = Path(__file__).parents[1] / "sessions" / "real-v3-branched.jsonl"


@pytest.fixture(scope="module")
def counter() -> ExactTokens:
    return load_o200k_base((files("resources") / "o200k_base.tiktoken.gz").read_bytes())


def test_counts_are_those_of_the_published_encoding(counter: ExactTokens, monkeypatch: pytest.MonkeyPatch) -> None:
    ranks = counter._encoding._mergeable_ranks
    monkeypatch.setattr(tiktoken_ext.openai_public, "load_tiktoken_bpe", lambda *_, **__: ranks)
    published = tiktoken.Encoding(**tiktoken_ext.openai_public.o200k_base())
    assert published._pat_str == counter._encoding._pat_str
    assert published._special_tokens == counter._encoding._special_tokens
    text = SESSION.read_text(encoding="utf-8")
    assert len(text) > 10 * CHUNK_CHARACTERS
    assert counter.count(text) == len(published.encode_ordinary(text))


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("hello world", 2), ("<|endoftext|>", 7), ("สวัสดี", 4), ("\ud83d", 1), ("a" * 8, 1)]
)
def test_small_counts(counter: ExactTokens, text: str, tokens: int) -> None:
    assert counter.count(text) == tokens


PIECES = st.sampled_from([*" \n\t/'s_\u00a0\u0e31\x1c.1", "word", "’s", "😀"])


@given(st.lists(PIECES, min_size=1, max_size=30), TEXTS)
def test_long_texts_are_counted_in_parts_that_add_up(pieces: list[str], more: str) -> None:
    counter = exact_token_counter()
    filler = "x y" * (CHUNK_CHARACTERS // 3)
    text = filler + "".join(pieces) + more + filler
    assert counter.count(text) == len(counter._encoding.encode_ordinary(text))


def test_a_long_text_without_words_is_one_part(counter: ExactTokens) -> None:
    text = "-" * (3 * CHUNK_CHARACTERS)
    assert counter.count(text) == len(counter._encoding.encode_ordinary(text))


def test_several_texts_are_counted_one_by_one(counter: ExactTokens) -> None:
    assert counter.count_all(["hello", " world", ""]) == 2


def test_a_count_can_be_stopped_between_parts(counter: ExactTokens) -> None:
    looks: list[bool] = []

    def stop_at_the_third_look() -> bool:
        looks.append(True)
        return len(looks) == 3

    assert counter.count("word " * CHUNK_CHARACTERS, stop_at_the_third_look) is None
    assert len(looks) == 3
    assert counter.count("word", lambda: True) is None


@pytest.mark.parametrize("data", [b"", b"no gzip", b"\x1f\x8b\x08\x00"])
def test_bytes_that_are_not_the_ranks_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="o200k_base"):
        load_o200k_base(data)


def test_other_ranks_are_refused() -> None:
    with pytest.raises(ValueError, match="not those of o200k_base"):
        load_o200k_base(gzip.compress(b"YQ== 0\n"))


def test_the_shipped_ranks_are_loaded_once() -> None:
    assert exact_token_counter() is exact_token_counter()
    assert exact_token_counter().count("hello world") == 2
