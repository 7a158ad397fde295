"""How much the proofs of the store do: sized for every run, and more where BRANCHWORK_PROOFS says how many times."""

import os

TIMES = max(1, int(os.environ.get("BRANCHWORK_PROOFS", "1")))


def examples(count: int) -> int:
    """Return how many cases to try, given how many are tried in an ordinary run."""
    return count * TIMES
