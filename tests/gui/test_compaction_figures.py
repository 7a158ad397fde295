"""The figures of the *Compaction* tab: what they count, how they are named, and that they come true."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from gui.event_sentences import sentence
from gui.main_window import MainWindow
from gui.number_text import full_count
from gui.row_content import Group
from gui.session_pane import SessionPane
from model.compaction import CompactionPreparation
from services.session_events import CompactionEnded, CompactionOutcome
from tests.gui.conftest import open_session, settle

Sample = Callable[[str], Path]


def preview(window: MainWindow, path: Path, keep: int, qtbot: QtBot) -> SessionPane:
    pane = open_session(window, path, qtbot)
    window.compact_action.trigger()
    settle(pane, qtbot)
    pane.compaction_tab.keep.setValue(keep)
    settle(pane, qtbot)
    return pane


def numbers(text: str) -> list[int]:
    return [int(number.replace(",", "")) for number in re.findall(r"[0-9][0-9,]*", text)]


@pytest.mark.parametrize(
    ("name", "keep"),
    [("real-v3-before-compaction.jsonl", 20_000), ("real-v3-branched.jsonl", 3_000), ("omp-branched.jsonl", 2_000)],
)
def test_the_context_after_is_what_was_expected(
    window: MainWindow, sample: Sample, qtbot: QtBot, name: str, keep: int
) -> None:
    pane = preview(window, sample(name), keep, qtbot)
    session, rows, outline = pane.document.session, pane.document.rows, pane.document.outline
    assert session is not None
    assert rows is not None
    assert rows.context is not None
    assert outline is not None
    before, after = numbers(pane.compaction_tab.facts.fact("context"))
    assert before == int(rows.context[outline.leaf]), "the number of the column"
    leaf = session.leaf_id
    qtbot.mouseClick(pane.compaction_tab.compact, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not pane.runner.is_running and session.leaf_id != leaf, timeout=20_000)
    settle(pane, qtbot)
    rows, outline = pane.document.rows, pane.document.outline
    assert rows is not None
    assert rows.context is not None
    assert outline is not None
    assert int(rows.context[outline.leaf]) == pytest.approx(after, rel=0.05)


def test_the_groups_count_what_the_command_line_counts(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = preview(window, sample("real-v3-before-compaction.jsonl"), 20_000, qtbot)
    session = pane.document.session
    assert session is not None
    prepared = session.preview_compaction(keep_recent_tokens=20_000)
    assert isinstance(prepared, CompactionPreparation)
    groups = {
        Group.SUMMARIZED: prepared.summarize,
        Group.TURN_PREFIX: prepared.turn_prefix,
        Group.KEPT: prepared.keep,
    }
    for group, expected in groups.items():
        assert numbers(pane.compaction_tab.group_entries[group].text()) == [
            len(expected.entry_ids),
            len(expected.messages),
        ]
    assert pane.compaction_tab.group_entries[Group.SUMMARIZED].text() == "388 entries, 383 messages"


def test_recorded_usage_and_estimate_are_named_apart(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = preview(window, sample("real-v3-before-compaction.jsonl"), 20_000, qtbot)
    facts = pane.compaction_tab.facts
    tips = {value.accessibleName().split(":")[0]: value.toolTip() for value in facts.findChildren(QLabel)}
    assert "agents' estimate" in tips["Context now → expected after"]
    assert "The size of the digest is exact." in tips["Context now → expected after"]
    assert "provider measured" in tips["Recorded usage"]
    assert numbers(facts.fact("recorded")) != numbers(facts.fact("context"))[:1]


def test_what_is_said_afterwards_does_not_compare_recorded_usage_with_an_estimate(qapp: QApplication) -> None:
    outcome = CompactionOutcome("a summary", "e1", tokens_before=180_820, estimated_tokens_after=22_601)
    ended = CompactionEnded("manual", aborted=False, result=outcome)
    assert sentence(ended) == f"Compacted: the context has {full_count(22_601)} tokens by the agents' estimate."
