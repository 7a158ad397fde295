"""One conformance vector through the public functions of `model/`.

The topic functions translate shapes only: a vector's input becomes the arguments of a model function under the preset
of the vector's client, and the result takes the form of `expected`.
"""

from collections.abc import Callable
from typing import Any

from model.errors import RefusedError
from tests.conformance import adapter_compaction, adapter_format, adapter_navigation

TOPICS: dict[str, Callable[[str, dict[str, Any]], Any]] = {
    **adapter_format.TOPICS,
    **adapter_compaction.TOPICS,
    **adapter_navigation.TOPICS,
}


def run_case(topic: str, dialect: str, case_input: dict[str, Any]) -> Any:
    """Return what `model/` makes of the input of one vector, in the shape of the vector's `expected`.

    `dialect` is "pi" or "omp". A call that the model refuses gives `{"throws": "Error"}`.
    """
    try:
        return TOPICS[topic](dialect, case_input)
    except RefusedError:
        return {"throws": "Error"}
