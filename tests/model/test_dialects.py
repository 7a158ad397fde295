from typing import Any

import pytest
from hypothesis import given

from model.dialects import DetectedDialect, detect_dialect, dialect_mark
from model.json_text import JsonObject
from tests.model.strategies import json_values

pytestmark = pytest.mark.spec("SF-7")

OMP_MARK = {"type": "mode_change", "mode": "plan"}
PI_MARK = {"type": "session_info", "name": "x"}
PLAIN = {"type": "message", "message": {"role": "user"}}


@pytest.mark.parametrize(
    "entry",
    [
        *[
            {"type": kind}
            for kind in (
                "service_tier_change",
                "ttsr_injection",
                "mcp_tool_selection",
                "session_init",
                "mode_change",
                "title_change",
                "credential_pin",
                "reset_boundary",
            )
        ],
        *[{"type": "message", "message": {"role": role}} for role in ("pythonExecution", "fileMention", "developer")],
        {"type": "compaction", "shortSummary": "s"},
        {"type": "compaction", "preserveData": {}},
        {"type": "branch_summary", "fromExtension": False},
        {"type": "model_change", "model": "a/b"},
    ],
)
def test_marks_of_omp(entry: JsonObject) -> None:
    assert dialect_mark(entry) == "omp"


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "usage"},
        {"type": "context_edit"},
        {"type": "session_info"},
        {"type": "message", "message": {"role": "system"}},
        {"type": "compaction", "fromHook": True},
        {"type": "model_change", "provider": "a", "modelId": "b"},
    ],
)
def test_marks_of_pi(entry: JsonObject) -> None:
    assert dialect_mark(entry) == "pi"


@pytest.mark.parametrize(
    "entry",
    [
        PLAIN,
        {"type": "compaction", "shortSummary": None},
        {"type": "custom", "shortSummary": "s", "model": "a/b"},
        {"type": "model_change", "provider": "a"},
        {"type": "custom", "message": {"role": "system"}},
        {"type": ["usage"]},
        {},
    ],
)
def test_what_both_agents_write_is_no_mark(entry: JsonObject) -> None:
    assert dialect_mark(entry) is None


def test_marks_decide_before_the_path_and_the_path_before_the_default() -> None:
    path = "/home/dev/.pi/agent/sessions/x.jsonl"
    assert detect_dialect(path, [PLAIN, OMP_MARK]) == DetectedDialect("omp", 1, 0)
    assert detect_dialect(path, [PLAIN]) == DetectedDialect("pi", 0, 0)
    assert detect_dialect("C:\\Users\\dev\\.omp\\agent\\x.jsonl", [PLAIN]).dialect == "omp"
    assert detect_dialect("/home/dev/omp/x.jsonl", [PLAIN], default="pi").dialect == "pi"
    assert detect_dialect("/home/dev/.omp/x.jsonl", [PI_MARK]).dialect == "pi"
    assert detect_dialect(None, [], default="omp").dialect == "omp"


def test_of_mixed_marks_the_majority_decides_and_a_tie_goes_to_the_path() -> None:
    assert detect_dialect(None, [OMP_MARK, PI_MARK, PI_MARK]) == DetectedDialect("pi", 1, 2)
    assert detect_dialect(None, [OMP_MARK, PI_MARK, PI_MARK]).mixed
    assert detect_dialect("/x/.omp/y", [OMP_MARK, PI_MARK]).dialect == "omp"
    assert detect_dialect(None, [OMP_MARK, PI_MARK], default="omp").dialect == "omp"
    assert not detect_dialect(None, [OMP_MARK]).mixed
    assert not detect_dialect(None, [PI_MARK]).mixed


def test_a_title_slot_is_a_mark_and_the_user_decides_over_all() -> None:
    assert detect_dialect(None, [PLAIN], title_slot=True) == DetectedDialect("omp", 1, 0)
    assert detect_dialect("/x/.omp/y", [OMP_MARK], override="pi") == DetectedDialect("pi", 1, 0)


@given(json_values)
@pytest.mark.spec("SF-9.5")
def test_any_json_has_a_mark_or_none(value: Any) -> None:
    assert dialect_mark(value) in ("pi", "omp", None)
