"""A file that is replaced by a shorter one while a part of the window shows what is no longer there."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.session_pane import SessionPane
from tests.gui.conftest import open_session, settle

LONG = "real-v3-branched.jsonl"
TABS = ("entry_tab", "context_tab", "navigate_tab", "compaction_tab", "compare_tab", "timeline_tab")


def replace(path: Path, lines: list[bytes]) -> None:
    beside = path.with_suffix(".new")
    beside.write_bytes(b"".join(lines))
    os.replace(beside, path)


@pytest.mark.parametrize("tab", TABS)
@pytest.mark.parametrize("share", [0.5, 0.0])
def test_what_is_shown_follows_a_file_that_became_shorter(
    window: MainWindow, sample: Callable[[str], Path], qtbot: QtBot, tab: str, share: float
) -> None:
    path = sample(LONG)
    lines = path.read_bytes().splitlines(keepends=True)
    pane = open_session(window, path, qtbot)
    pane.tabs.setCurrentWidget(getattr(pane, tab))
    settle(pane, qtbot)  # the settings would take back what is entered before they are read
    pane.compaction_tab.keep.setValue(3000)
    pane.open_search()
    pane.search_bar.text.setText("the")
    settle(pane, qtbot)
    pane.show_comparison()
    pane.tabs.setCurrentWidget(getattr(pane, tab))
    settle(pane, qtbot)

    replace(path, lines[: max(1, int(len(lines) * share))])
    left = max(1, int(len(lines) * share)) - 1
    qtbot.waitUntil(lambda: pane.document.index is not None and pane.document.index.count == left, timeout=20_000)
    settle(pane, qtbot)
    groups, cut_row = pane.compaction.gutter()
    assert groups is None or len(groups) == left
    assert cut_row is None or cut_row < left
    pane.tree.viewport().repaint()
    pane.map_view.viewport().repaint()
    for other in TABS:
        pane.tabs.setCurrentWidget(getattr(pane, other))
        settle(pane, qtbot)

    replace(path, lines)
    qtbot.waitUntil(
        lambda: pane.document.index is not None and pane.document.index.count == len(lines) - 1, timeout=20_000
    )
    settle(pane, qtbot)


def test_the_previewed_cut_is_that_of_the_file_as_it_is(
    window: MainWindow, sample: Callable[[str], Path], qtbot: QtBot
) -> None:
    path = sample(LONG)
    lines = path.read_bytes().splitlines(keepends=True)

    def shown(pane: SessionPane) -> tuple[bool, list[int], int | None]:
        groups, cut_row = pane.compaction.gutter()
        assert groups is not None
        return pane.compaction_tab.compact.isEnabled(), groups.tolist(), cut_row

    def preview() -> SessionPane:
        pane = open_session(window, path, qtbot)
        pane.tabs.setCurrentWidget(pane.compaction_tab)
        settle(pane, qtbot)
        pane.compaction_tab.keep.setValue(3000)
        settle(pane, qtbot)
        return pane

    pane = preview()
    before = shown(pane)
    replace(path, lines[: len(lines) // 2])
    left = len(lines) // 2 - 1
    qtbot.waitUntil(lambda: pane.document.index is not None and pane.document.index.count == left, timeout=20_000)
    settle(pane, qtbot)
    followed = shown(pane)
    assert followed[0]
    assert followed != before
    window.close_session()
    assert followed == shown(preview())
