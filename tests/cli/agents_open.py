"""What both agents need to open a file and to lose nothing of it: checked line by line, without our own reader's help.

Source: the notes on the agents' strictness beside the conformance vectors.
"""

import json
from pathlib import Path
from typing import Any

from model.json_text import parse
from model.rules import OMP_13_19, PI_1_6
from model.session_loading import load_session, opening_effect

CONTENT_ROLES = ("user", "assistant", "toolResult", "system", "developer", "custom")


def assert_agents_open(path: Path) -> list[dict[str, Any]]:
    """Check the file and return its records."""
    data = path.read_bytes()
    assert not data.startswith(b"\xef\xbb\xbf"), "one agent refuses a byte order mark"
    assert data.endswith(b"\n")
    records = [parse(line) for line in data.decode("utf-8").removesuffix("\n").split("\n")]
    header, *entries = records
    assert header["type"] == "session"
    assert header["version"] == 3
    assert all(isinstance(header[name], str) and header[name] for name in ("id", "timestamp"))
    seen: set[str] = set()
    for entry in entries:
        _check_entry(entry, seen)
        seen.add(entry["id"])
    assert all(entry["parentId"] is None or entry["parentId"] in seen for entry in entries)
    for rules in (PI_1_6, OMP_13_19):
        session = load_session(data, lambda: "unused", rules)
        assert [entry["id"] for entry in session.entries] == [entry["id"] for entry in entries]
        assert opening_effect(data, session, rules).kind == "none"
    return records


def _check_entry(entry: dict[str, Any], seen: set[str]) -> None:
    where = json.dumps(entry)[:200]
    assert isinstance(entry["type"], str), where
    assert entry["type"] != "session", where
    assert entry["id"], where
    assert entry["id"] not in seen, where
    assert isinstance(entry["timestamp"], str), where
    if entry["type"] == "compaction":
        assert isinstance(entry["summary"], str), where
        assert isinstance(entry["tokensBefore"], int), where
    if entry["type"] == "message":
        message = entry["message"]
        if message["role"] in CONTENT_ROLES:
            assert isinstance(message["content"], str | list), where
        if message["role"] == "assistant":
            assert isinstance(message["content"], list), where
            assert isinstance(message["usage"]["cost"]["total"], int | float), where
