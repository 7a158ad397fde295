"""Every recorded vector of the two clients, compared by the rules of README.md in this folder."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.adapter import run_case

VECTORS = Path(__file__).parent


def load_cases() -> list[Any]:
    cases = []
    for path in sorted(VECTORS.glob("*/*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        topic, dialect = document["topic"], document["dialect"]
        for case in document["cases"]:
            name = f"{dialect}-{topic}-{case['name']}"
            cases.append(pytest.param(topic, dialect, case["input"], case["expected"], id=name))
    return cases


def comparable(value: Any) -> Any:
    """Null fields are absent, numbers are doubles, infinite numbers and not-a-number are null (rules 1 and 2)."""
    if isinstance(value, dict):
        fields = {key: comparable(item) for key, item in value.items()}
        return {key: item for key, item in fields.items() if item is not None}
    if isinstance(value, list | tuple):
        return [comparable(item) for item in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            return None
        return number if math.isfinite(number) else None
    return value


@pytest.mark.parametrize(("topic", "dialect", "case_input", "expected"), load_cases())
def test_the_model_computes_what_the_client_recorded(
    topic: str, dialect: str, case_input: dict[str, Any], expected: Any
) -> None:
    before = json.dumps(case_input)

    result = run_case(topic, dialect, case_input)

    assert json.dumps(case_input) == before, "the input was changed"
    if not isinstance(expected, dict) or "throws" not in expected:
        assert comparable(result) == comparable(expected)
    elif expected["throws"] == "Error":
        assert comparable(result) == {"throws": "Error"}
    # Any other recorded failure is an internal error of the client: here it is enough that the model has come back.


def test_the_failures_that_the_documentation_describes_are_recorded() -> None:
    """docs/conformance.md says for internal errors of the clients what the project does instead."""
    names = {"Pi": "pi", "OMP": "omp"}
    described = set()
    document = (VECTORS.parents[1] / "docs" / "conformance.md").read_text(encoding="utf-8")
    for line in document.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 5 and cells[2].split(", ")[0] in names:
            described |= {(names[agent], cells[0], cells[1]) for agent in cells[2].split(", ")}
    recorded = set()
    for path in VECTORS.glob("*/*.json"):
        recording = json.loads(path.read_text(encoding="utf-8"))
        for case in recording["cases"]:
            throws = case["expected"].get("throws") if isinstance(case["expected"], dict) else None
            if throws not in (None, "Error"):
                recorded.add((recording["dialect"], recording["topic"], case["name"]))
    assert described
    assert described <= recorded
