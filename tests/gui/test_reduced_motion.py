"""Nothing moves by itself: docks, branches and bars are where they belong at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QMainWindow, QProgressBar, QScrollBar, QStyle, QTreeView, QWidget
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from tests.gui.conftest import open_session


def test_no_part_of_the_window_is_animated(window: MainWindow, qtbot: QtBot, sample: Callable[[str], Path]) -> None:
    open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    moving: list[type[QWidget]] = [QMainWindow, QTreeView, QScrollBar, QProgressBar]
    for kind in moving:
        found = [window, *window.findChildren(kind)] if kind is QMainWindow else window.findChildren(kind)
        assert found
        for widget in found:
            widget.ensurePolished()
            duration = widget.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, widget)
            assert duration == 0, widget
