"""While the window paints, shows a result or answers a key, workers wait at their checks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from pytestqt.qtbot import QtBot

from gui.latest_job import LatestJob
from gui.main_window import MainWindow
from gui.turns import Turns
from services.right_of_way import WINDOW
from tests.gui.conftest import open_session, settle

Sample = Callable[[str], Path]


class Watch(QObject):
    """Notes for each paint whether workers were held."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[bool] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.seen.append(WINDOW.is_taken)
        return False


def test_painting_has_it(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    settle(pane, qtbot)
    watch = Watch()
    pane.tree.viewport().installEventFilter(watch)
    qtbot.keyClick(pane.tree, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: bool(watch.seen), timeout=20_000)
    assert all(watch.seen)
    assert not WINDOW.is_taken


def test_what_follows_a_selection_has_it(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    settle(pane, qtbot)
    seen: list[bool] = []
    pane.tree.entry_selected.connect(lambda _row: seen.append(WINDOW.is_taken))
    qtbot.keyClick(pane.tree, Qt.Key.Key_Home)
    qtbot.keyClick(pane.tree, Qt.Key.Key_Down)
    assert seen
    assert all(seen)
    assert not WINDOW.is_taken


def test_a_result_and_what_is_reported_before_it_have_it(qtbot: QtBot) -> None:
    owner = QObject()
    job, seen = LatestJob(owner), []
    job.follow(
        lambda _token, report: report("on the way"),
        lambda _value: seen.append(WINDOW.is_taken),
        lambda _value: seen.append(WINDOW.is_taken),
    )
    qtbot.waitUntil(lambda: len(seen) == 2, timeout=20_000)
    assert seen == [True, True]
    assert not WINDOW.is_taken
    job.close()


@pytest.mark.parametrize("steps", [1, 3])
def test_a_step_of_work_has_it(qtbot: QtBot, steps: int) -> None:
    owner = QObject()
    seen: list[bool] = []
    Turns([lambda: seen.append(WINDOW.is_taken)] * steps, owner).start()
    qtbot.waitUntil(lambda: len(seen) == steps, timeout=20_000)
    assert all(seen)
    assert not WINDOW.is_taken
