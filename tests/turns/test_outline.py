"""What Context says that Send would send is what is sent: the same count, whatever the session holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from model.context import path_context
from model.json_text import JsonObject
from model.turn_messages import user_message
from services.live_context import live_projection
from services.turn_requests import outline_turn, turn_request
from tests.services.sessions import SAMPLES, copy_of, open_session, write_session
from tests.turns.playbook import history


def check(path: Path, step: int) -> None:
    session = open_session(path)
    index = session.store.index
    for row in range(0, index.count, step):
        entries = session.snapshot().path(index.id_of(row))
        projection = live_projection(session, path_context(entries, session.rules).projection)
        live: list[JsonObject] = [message for item in projection for message in item.messages]
        prompt = user_message("Go on.", (), 1, session.store.dialect)
        request = turn_request(session, [*live, prompt])
        assert outline_turn(live, session.rules).messages == len(request.turns)


@pytest.mark.parametrize("name", sorted(path.name for path in SAMPLES.glob("*.jsonl")))
def test_the_count_is_that_of_the_request(tmp_path: Path, name: str) -> None:
    check(copy_of(name, tmp_path), 41)


@pytest.mark.parametrize("dialect", ["pi", "omp"])
def test_tool_calls_are_left_out_and_results_joined(tmp_path: Path, dialect: str) -> None:
    entries = history(dialect, 3, tool_tokens=20)  # type: ignore[arg-type]
    check(write_session(tmp_path / "played.jsonl", entries), 1)
    session = open_session(tmp_path / "played.jsonl")
    outline = outline_turn([entry["message"] for entry in entries if "message" in entry], session.rules)
    assert (outline.tool_calls, outline.tool_results) == (3, 3)


@pytest.mark.parametrize("content", [5, 0.5, True, {"type": "text"}, None, [5, None, {"type": "text", "text": 5}]])
def test_content_of_another_type_is_none(tmp_path: Path, content: Any) -> None:
    entries = history("pi", 2, tool_tokens=20)
    for role in ("user", "assistant", "toolResult"):
        odd = [
            entry | {"message": entry["message"] | {"content": content}}
            if entry.get("message", {}).get("role") == role
            else entry
            for entry in entries
        ]
        check(write_session(tmp_path / f"{role}.jsonl", odd), 1)
