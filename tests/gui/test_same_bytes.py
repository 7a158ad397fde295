"""The window leaves the same bytes in a file as the program's interface does, ids and times aside."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.session_pane import SessionPane
from services.agent_session import AgentSession
from services.cancellation import CancellationToken
from services.operations import CompactionOptions, NavigationOptions
from services.session_setup import session_maker
from services.session_store import SessionStore
from tests.gui.conftest import open_session, settle

Sample = Callable[[str], Path]
Operation = Callable[[AgentSession], Coroutine[Any, Any, object]]


def added(path: Path, before: bytes) -> list[dict[str, Any]]:
    """The lines behind `before`, without what differs from run to run."""
    after = path.read_bytes()
    assert after.startswith(before)
    entries = [json.loads(line) for line in after[len(before) :].splitlines()]
    return [{key: value for key, value in entry.items() if key not in ("id", "timestamp")} for entry in entries]


def by_interface(path: Path, operation: Operation) -> None:
    store = SessionStore.open(path)
    try:
        asyncio.run(operation(session_maker(store)))
    finally:
        store.close()


CASES: dict[str, tuple[str, Callable[[SessionPane], None], Operation]] = {
    "navigate": (
        "real-v3-branched.jsonl",
        lambda pane: pane.navigation.go("e547f69a", NavigationOptions(summarize=True)),
        lambda session: session.navigate_tree(
            "e547f69a", NavigationOptions(summarize=True), CancellationToken(), lambda _event: None
        ),
    ),
    "compact": (
        "real-v3-before-compaction.jsonl",
        lambda pane: pane.compaction.compact(CompactionOptions(keep_recent_tokens=5000)),
        lambda session: session.compact(
            CompactionOptions(keep_recent_tokens=5000), CancellationToken(), lambda _event: None
        ),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_window_and_interface_leave_the_same_bytes(
    window: MainWindow, sample: Sample, tmp_path: Path, qtbot: QtBot, case: str
) -> None:
    name, in_window, operation = CASES[case]
    path = sample(name)
    before = path.read_bytes()
    other = tmp_path / "other" / name
    other.parent.mkdir()
    other.write_bytes(before)
    by_interface(other, operation)

    pane = open_session(window, path, qtbot)
    in_window(pane)
    qtbot.waitUntil(lambda: not pane.runner.is_running, timeout=10_000)
    settle(pane, qtbot)
    assert len(added(path, before)) == 1
    assert added(path, before) == added(other, before)
