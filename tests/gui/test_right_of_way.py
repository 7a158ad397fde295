"""While the window paints, shows a result or answers a key, workers wait at their checks."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.latest_job import LatestJob
from gui.main_window import MainWindow
from gui.turns import Turns
from services import worker_turns
from services.cancellation import CancellationToken
from services.right_of_way import WINDOW
from services.session_loader import SessionLoader
from services.worker_turns import WORKERS
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
    qtbot.waitUntil(lambda: not WINDOW.is_taken, timeout=20_000)


def test_what_follows_a_selection_has_it(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    settle(pane, qtbot)
    seen: list[bool] = []
    pane.tree.entry_selected.connect(lambda _row: seen.append(WINDOW.is_taken))
    qtbot.keyClick(pane.tree, Qt.Key.Key_Home)
    qtbot.keyClick(pane.tree, Qt.Key.Key_Down)
    assert seen
    assert all(seen)
    qtbot.waitUntil(lambda: not WINDOW.is_taken, timeout=20_000)


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
    qtbot.waitUntil(lambda: not WINDOW.is_taken, timeout=20_000)
    job.close()


@pytest.mark.parametrize("steps", [1, 3])
def test_a_step_of_work_has_it(qtbot: QtBot, steps: int) -> None:
    owner = QObject()
    seen: list[bool] = []
    Turns([lambda: seen.append(WINDOW.is_taken)] * steps, owner).start()
    qtbot.waitUntil(lambda: len(seen) == steps, timeout=20_000)
    assert all(seen)
    qtbot.waitUntil(lambda: not WINDOW.is_taken, timeout=20_000)


def test_of_several_computations_one_goes_on_at_a_time(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside three busy threads the window's own waits ten times as long as beside one."""
    monkeypatch.setattr(worker_turns, "LONGEST_WAIT_S", 30.0)
    owner, inside, most, done = QObject(), [0], [0], []

    def compute(token: CancellationToken) -> None:
        for _ in range(30):
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            time.sleep(0.0005)  # any other thread may go on now
            inside[0] -= 1
            token.raise_if_set()

    jobs = [LatestJob(owner) for _ in range(4)]
    for job in jobs[:2]:
        job.start(compute, done.append)
    for job in jobs[2:]:
        job.follow(lambda token, _report: compute(token), done.append, done.append)
    qtbot.waitUntil(lambda: len(done) == len(jobs), timeout=20_000)
    assert most == [1]
    for job in jobs:
        job.close()


def test_reading_a_file_takes_turns_with_what_is_computed(
    sample: Sample, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_turns, "LONGEST_WAIT_S", 30.0)
    loader, stores = SessionLoader(sample("real-v3-branched.jsonl")), []
    loader.measured.connect(stores.append)
    with WORKERS:
        loader.start()
        qtbot.wait(100)
        assert not stores
    qtbot.waitUntil(lambda: bool(stores), timeout=20_000)
    loader.wait()
    stores[0].close()


def test_what_a_result_changes_is_laid_out_with_it(qtbot: QtBot) -> None:
    """Qt lays out behind the result that changed something."""
    box = QWidget()
    qtbot.addWidget(box)
    column = QVBoxLayout(box)
    box.show()
    qtbot.waitExposed(box)
    qtbot.wait(20)  # until nothing is left to be laid out
    seen: list[bool] = []

    class Layouts(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.LayoutRequest:
                seen.append(WINDOW.is_taken)
            return False

    layouts = Layouts()
    box.installEventFilter(layouts)
    job = LatestJob(box)
    job.start(lambda _token: "text", lambda text: column.addWidget(QLabel(text)))
    qtbot.waitUntil(lambda: bool(seen), timeout=20_000)
    assert all(seen)
    qtbot.waitUntil(lambda: not WINDOW.is_taken, timeout=20_000)
    job.close()
