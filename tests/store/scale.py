"""How much the proofs of the store do: sized for every run, and more where BRANCHWORK_PROOFS says how many times.

An ordinary run always tries the same cases; a longer one draws new ones.
"""

import os

import pytest
from hypothesis import HealthCheck, settings

TIMES = max(1, int(os.environ.get("BRANCHWORK_PROOFS", "1")))
PATIENCE = pytest.mark.timeout(120 * TIMES)


def cases(count: int) -> settings:
    """Return how to try generated cases, given how many are tried in an ordinary run."""
    return settings(
        max_examples=count * TIMES,
        derandomize=TIMES == 1,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
