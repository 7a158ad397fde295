"""A view of plain text: whatever it breaks or holds back is not in what is copied, and all of it can be read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from pytestqt.qtbot import QtBot

from gui.long_lines import CONTINUES
from gui.widgets import CLIP_CHARACTERS, FIRST_CHARACTERS, TextView

ROOT = Path(__file__).parents[2]
UNBROKEN = "x" * 9_500
WORDS = "palavra café\u00a0com 👍🏽 " * 900
ENDLESS = "\n".join(f"line {number} {'.' * (number % 90)}" for number in range(12_000))


@pytest.fixture
def view(qtbot: QtBot) -> TextView:
    made = TextView()
    qtbot.addWidget(made)
    made.resize(500, 300)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.mark.parametrize(
    "lines",
    [
        ("from gui.widgets import TextView", "view = TextView()", "view.show_text(LONG)"),
        ("from gui.summary_text import SummaryText", "view = SummaryText()", "view.show_summary(LONG)"),
    ],
)
def test_what_was_copied_outlives_the_window(lines: tuple[str, ...]) -> None:
    """In a process of its own: the clipboard is emptied when the program ends, and what was on it is freed once."""
    program = """
import time
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
LONG = "a" * 9_500
application = QApplication([])
{0}
{1}
view.show()
{2}
give_up = time.monotonic() + 20
while QGuiApplication.clipboard().text() != LONG and time.monotonic() < give_up:
    application.processEvents()
    view.selectAll()
    view.copy()
assert QGuiApplication.clipboard().text() == LONG
"""
    off_screen = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run([sys.executable, "-c", program.format(*lines)], check=True, cwd=ROOT, env=off_screen)


def copied(view: TextView, qtbot: QtBot) -> str:
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    return QGuiApplication.clipboard().text()


@pytest.mark.parametrize(
    "text", [UNBROKEN, WORDS, f"a\n{UNBROKEN}\n\nb\n", ENDLESS, "x" * (CLIP_CHARACTERS + 10), "short\u00a0text", "\n"]
)
def test_all_that_is_copied_is_the_text(view: TextView, qtbot: QtBot, text: str) -> None:
    view.show_text(text)
    qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert copied(view, qtbot) == text


def test_a_part_that_is_copied_has_no_breaks_of_the_view(view: TextView, qtbot: QtBot) -> None:
    view.show_text(f"before\n{UNBROKEN}\nbe\u00a0hind")
    cursor = view.textCursor()
    cursor.setPosition(3)
    cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
    assert copied(view, qtbot) == f"ore\n{UNBROKEN}\nbe\u00a0hind"


def test_breaks_of_the_view_are_marked(view: TextView, qtbot: QtBot) -> None:
    """The mark is painted: with it the picture has the colour of links in it, and without a break it has not."""

    def marks() -> int:
        image, wanted = view.viewport().grab().toImage(), view.palette().link().color().rgb()
        return sum(image.pixel(x, y) == wanted for x in range(image.width()) for y in range(image.height()))

    view.show_text("y" * 60 + "\nzz")
    assert marks() == 0
    view.show_text(f"{UNBROKEN}\nbehind")
    blocks = [view.document().findBlockByNumber(number) for number in range(view.document().blockCount())]
    assert [block.userState() == CONTINUES for block in blocks] == [False, *[True] * (len(blocks) - 2), False]
    assert len(blocks) > 2
    cursor = view.textCursor()
    cursor.setPosition(blocks[1].position())
    view.setTextCursor(cursor)
    view.centerCursor()
    qtbot.waitUntil(lambda: marks() > 0, timeout=20_000)


def test_the_rest_of_a_long_text_comes_when_the_end_is_reached(view: TextView, qtbot: QtBot) -> None:
    view.show_text(ENDLESS)
    first = view.toPlainText()
    assert len(first) < CLIP_CHARACTERS + 100
    assert "more characters" in first
    for _ in range(len(ENDLESS) // (CLIP_CHARACTERS // 2) + 1):
        qtbot.keyClick(view, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert view.toPlainText() == ENDLESS


def test_the_first_piece_is_filled_up_by_itself(view: TextView, qtbot: QtBot) -> None:
    """Also when one has selected something meanwhile; another text in between is not mixed up with it."""
    text = "".join(f"line {number}\n" for number in range(4000))
    assert FIRST_CHARACTERS < len(text) < CLIP_CHARACTERS
    view.show_text(text)
    assert len(view.toPlainText()) < FIRST_CHARACTERS + 100
    view.setTextCursor(selection := view.textCursor())
    qtbot.waitUntil(lambda: view.toPlainText() == text)
    assert view.textCursor() == selection
    view.show_text(text[1:])
    view.show_text("short")
    qtbot.wait(20)
    assert view.toPlainText() == "short"
    view.show_text(text)
    view.clear()
    view.follow("streamed")
    qtbot.wait(20)
    assert view.toPlainText() == "streamed"


def test_words_of_the_view_are_not_copied(view: TextView, qtbot: QtBot) -> None:
    view.show_text(ENDLESS)
    cursor = view.textCursor()
    cursor.setPosition(5)
    cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
    part = copied(view, qtbot)
    assert ENDLESS.startswith("line " + part)
    assert len(part) > FIRST_CHARACTERS // 2


def test_the_end_of_what_streams_in_is_in_sight_unless_one_scrolled_up(view: TextView) -> None:
    for number in range(60):
        view.follow(f"line {number}\n")
    bar = view.verticalScrollBar()
    assert bar.value() == bar.maximum() > 10
    bar.setValue(bar.maximum() - 1)
    place = bar.value()
    view.follow("more\nand more\n")
    assert bar.value() == place
