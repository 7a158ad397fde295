"""Exact token counts by the encoding `o200k_base`, shown beside the estimates.

The ranks are handed in as bytes: nothing is read or fetched here. Counting is CPU work of some megabytes a second, so
it belongs on a worker; it looks for a stop every `CHUNK_CHARACTERS`.
"""

import base64
import gzip
import hashlib
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import tiktoken

O200K_BASE_SHA256: Final = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
CHUNK_CHARACTERS: Final = 32_768

# The pieces that the encoding cuts a text into before it merges bytes; part of its definition, as the ranks are.
_PIECES: Final = "|".join(
    (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    )
)
_SPECIAL_TOKENS: Final = {"<|endoftext|>": 199_999, "<|endofprompt|>": 200_018}
_WORD_END = re.compile(r"(?<=\w)(?= )")  # no piece reaches over a blank that follows a word


class ExactTokens:
    """Counts tokens. Immutable; may be used from several threads."""

    def __init__(self, encoding: tiktoken.Encoding) -> None:
        self._encoding = encoding

    def count(self, text: str, is_cancelled: Callable[[], bool] = lambda: False) -> int | None:
        """Return the number of tokens of a text, None when `is_cancelled` says so before the end.

        Words such as `<|endoftext|>` count as the plain text they are.
        """
        return self.count_all((text,), is_cancelled)

    def count_all(self, texts: Iterable[str], is_cancelled: Callable[[], bool] = lambda: False) -> int | None:
        """Return the number of tokens of several texts, each counted by itself; None when cancelled."""
        tokens = 0
        for text in texts:
            for chunk in _chunks(text):
                if is_cancelled():
                    return None
                tokens += len(self._encoding.encode_ordinary(chunk))
        return tokens


def load_o200k_base(compressed_ranks: bytes) -> ExactTokens:
    """Return a counter for the ranks of `o200k_base`, given as the published file compressed with gzip.

    Takes some tenths of a second. Raises ValueError when the bytes are not that file.
    """
    try:
        ranks = gzip.decompress(compressed_ranks)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError("the ranks of o200k_base cannot be unpacked") from error
    if hashlib.sha256(ranks).hexdigest() != O200K_BASE_SHA256:
        raise ValueError("the ranks are not those of o200k_base")
    return ExactTokens(
        tiktoken.Encoding("o200k_base", pat_str=_PIECES, mergeable_ranks=_parse(ranks), special_tokens=_SPECIAL_TOKENS)
    )


def _parse(ranks: bytes) -> dict[bytes, int]:
    """Lines of a token in base64 and its rank."""
    pairs = (line.split() for line in ranks.splitlines() if line)
    return {base64.b64decode(token): int(rank) for token, rank in pairs}


def _chunks(text: str) -> Iterator[str]:
    """The text in parts whose counts add up to its own: they end at the ends of words."""
    start = 0
    while len(text) - start > CHUNK_CHARACTERS:
        border = _WORD_END.search(text, start + CHUNK_CHARACTERS)
        if border is None:
            break
        yield text[start : border.start()]
        start = border.start()
    yield text[start:]
