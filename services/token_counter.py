"""The counter of exact tokens, loaded from the shipped ranks without any network."""

from functools import cache
from importlib.resources import files

from model.exact_tokens import ExactTokens, load_o200k_base


@cache
def exact_token_counter() -> ExactTokens:
    """Return the counter for `o200k_base`; the first call takes some tenths of a second, so make it on a worker."""
    return load_o200k_base((files("resources") / "o200k_base.tiktoken.gz").read_bytes())
