import json
from pathlib import Path

import pytest
from hypothesis import given

from model.entry_types import (
    AssistantMessage,
    BranchSummaryEntry,
    CompactionEntry,
    Entry,
    Message,
    SessionHeader,
    ToolResultMessage,
    format_problems,
    typed_entry,
    typed_message,
)
from model.json_text import JsonObject
from tests.model.session_builders import Chain
from tests.model.strategies import messy_entries

SESSIONS = Path(__file__).parents[1] / "sessions"


@pytest.mark.spec("SF-4.2", "SF-4.3", "O-016", "O-017", "O-026", "P-063", "P-101")
def test_fields_are_attributes_in_snake_case_and_unknown_ones_stay() -> None:
    entry = Chain().compaction("e0", "s", shortSummary="ss", fromHook=True, method="new")
    typed = typed_entry(entry)
    assert isinstance(typed, CompactionEntry)
    assert (typed.first_kept_entry_id, typed.tokens_before, typed.short_summary) == ("e0", 50_000, "ss")
    assert typed.from_hook is True
    assert typed.from_extension is None
    assert typed.to_json() == entry
    summary = typed_entry(Chain().add("branch_summary", fromId="x", summary="s"))
    assert isinstance(summary, BranchSummaryEntry)
    assert summary.parent_id is None


@pytest.mark.spec("SF-5.1")
def test_messages_have_types_too() -> None:
    answer = typed_message(Chain().assistant("x")["message"])
    assert isinstance(answer, AssistantMessage)
    assert answer.usage is not None
    assert answer.usage.cache_read == 0
    result = typed_message(Chain().tool_result()["message"])
    assert isinstance(result, ToolResultMessage)
    assert result.is_error is False
    assert type(typed_message({"role": "observer", "x": 1})) is Message


@pytest.mark.spec("SF-9.5")
def test_an_unknown_type_is_a_plain_entry() -> None:
    entry = {"type": "mystery", "id": "x", "parentId": None, "timestamp": 5, "stuff": [1]}
    assert type(typed_entry(entry)) is Entry
    assert typed_entry(entry).to_json() == entry


@pytest.mark.spec("SF-9.5")
def test_what_is_wrong_is_said() -> None:
    entry = {"type": "compaction", "id": 5, "summary": "s", "tokensBefore": 1}
    with pytest.raises(ValueError, match="CompactionEntry"):
        typed_entry(entry)
    assert format_problems(entry) == ["id: Input should be a valid string"]
    message = {"type": "message", "id": "x", "message": {"role": "bashExecution", "command": None}}
    assert format_problems(message) == ["command: Input should be a valid string"]
    assert format_problems({**message, "message": 5}) == ["message: Input should be a valid dictionary"]
    assert format_problems(Chain().user()) == []


@pytest.mark.parametrize(
    "path", [*sorted(SESSIONS.glob("*v3*.jsonl")), SESSIONS / "omp-branched.jsonl"], ids=lambda p: p.name
)
@pytest.mark.spec("SF-2", "SF-4", "SF-5")
def test_the_sample_sessions_have_the_form_of_the_format(path: Path) -> None:
    header, *entries = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert SessionHeader.model_validate(header).to_json() == header
    for entry in entries:
        assert format_problems(entry) == []
        assert typed_entry(entry).to_json() == entry


@given(messy_entries)
@pytest.mark.spec("SF-9.5")
def test_any_json_can_be_checked(entry: JsonObject) -> None:
    assert all(isinstance(problem, str) for problem in format_problems(entry))
