"""The counter of exact tokens, loaded from the shipped ranks without any network.

As a program it counts for a window: texts as a JSON list on standard input, the number on standard output.
"""

import json
import sys
from functools import cache
from importlib.resources import files

from model.exact_tokens import ExactTokens, load_o200k_base


@cache
def exact_token_counter() -> ExactTokens:
    """Return the counter for `o200k_base`; the first call takes some tenths of a second, so make it on a worker."""
    return load_o200k_base((files("resources") / "o200k_base.tiktoken.gz").read_bytes())


def main() -> int:
    """Count the texts on standard input, a JSON list, and write the number of their tokens. Returns the exit code."""
    tokens = exact_token_counter().count_all(json.loads(sys.stdin.buffer.read()))
    sys.stdout.write(json.dumps({"tokens": tokens}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
