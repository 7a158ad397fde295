"""Widgets that make do with little room: all that they say can still be read, in both directions."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHeaderView, QLabel, QStyleOptionComboBox, QTableWidget, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.choice_box import ChoiceBox
from gui.inspector.fold_button import FoldButton
from gui.side_by_side import SideBySide
from gui.stretched_column import StretchedColumn
from gui.whole_text import WholeText
from gui.wrapping_buttons import WrappingCheckBox, WrappingRadioButton

SENTENCE = "Summarise what I leave behind there, and go to the other branch then"


def show(widget: QWidget, qtbot: QtBot, width: int, height: int = 200) -> None:
    qtbot.addWidget(widget)
    widget.resize(width, height)
    widget.show()
    qtbot.waitExposed(widget)


@pytest.mark.parametrize("kind", [WrappingRadioButton, WrappingCheckBox])
def test_a_button_wraps_and_takes_clicks_on_every_line(
    qtbot: QtBot, kind: type[WrappingRadioButton] | type[WrappingCheckBox]
) -> None:
    box = QWidget()
    column = QVBoxLayout(box)
    button = kind(SENTENCE)
    column.addWidget(button)
    column.addStretch(1)
    show(box, qtbot, button.sizeHint().width() + 100)
    height = button.height()
    assert button.heightForWidth(button.width()) == height
    box.resize(button.sizeHint().width() // 2, 200)
    qtbot.waitUntil(lambda: button.height() > height)
    assert button.height() >= button.heightForWidth(button.width())
    assert button.text() == SENTENCE
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(60, button.height() - 4))
    assert button.isChecked()


@pytest.mark.parametrize("direction", list(Qt.LayoutDirection)[:2])
def test_two_parts_stand_below_each_other_where_it_is_narrow(qtbot: QtBot, direction: Qt.LayoutDirection) -> None:
    box = QWidget()
    box.setLayoutDirection(direction)
    parts = QLabel("What it is about"), QLabel("What can be done")
    columns = QVBoxLayout(), QVBoxLayout()
    for part, column in zip(parts, columns, strict=True):
        column.addWidget(part)
    box.setLayout(SideBySide(*columns, share=0.5))
    show(box, qtbot, 60 * box.fontMetrics().averageCharWidth())
    first, second = (part.geometry() for part in parts)
    is_mirrored = direction == Qt.LayoutDirection.RightToLeft
    assert (second.right() < first.left()) if is_mirrored else (first.right() < second.left())
    box.resize(20 * box.fontMetrics().averageCharWidth(), 200)
    qtbot.waitUntil(lambda: parts[1].geometry().top() > parts[0].geometry().bottom())
    assert box.rect().contains(parts[0].geometry())
    assert box.rect().contains(parts[1].geometry())


def test_a_choice_is_elided_only_where_it_must_be(qtbot: QtBot) -> None:
    box = ChoiceBox()
    box.addItem(SENTENCE)
    show(box, qtbot, box.sizeHint().width(), box.sizeHint().height())

    def drawn() -> str:
        option = QStyleOptionComboBox()
        box.initStyleOption(option)
        return option.currentText

    assert drawn() == SENTENCE
    box.resize(box.sizeHint().width() // 2, box.height())
    assert drawn().endswith("…")
    assert box.currentText() == SENTENCE


def test_a_column_that_is_too_narrow_to_read_scrolls(qtbot: QtBot) -> None:
    table = QTableWidget(1, 3)
    StretchedColumn(table, 0)
    show(table, qtbot, 600)
    header = table.horizontalHeader()
    assert header.sectionResizeMode(0) == QHeaderView.ResizeMode.Stretch
    table.resize(220, 200)
    qtbot.waitUntil(lambda: header.sectionResizeMode(0) == QHeaderView.ResizeMode.Interactive)
    assert header.sectionSize(0) >= 12 * table.fontMetrics().averageCharWidth()
    assert table.horizontalScrollBar().maximum() > 0
    table.resize(600, 200)
    qtbot.waitUntil(lambda: header.sectionResizeMode(0) == QHeaderView.ResizeMode.Stretch)


def test_a_text_without_blanks_is_shown_and_copied_whole(qtbot: QtBot) -> None:
    path = "/" + "a-name-without-a-blank_" * 20
    box = QWidget()
    column = QVBoxLayout(box)
    text = WholeText()
    column.addWidget(text)
    column.addStretch(1)
    text.show_text(path)
    show(box, qtbot, 300, 600)
    assert text.height() >= text.heightForWidth(text.width())
    assert text.verticalScrollBar().maximum() == 0
    text.selectAll()
    assert text.selected_text() == text.text() == path


def test_the_mark_of_a_fold_points_to_where_people_read(qtbot: QtBot) -> None:
    """Qt's own arrow would be painted over the text from right to left."""
    button = FoldButton("Files")
    qtbot.addWidget(button)

    def mark() -> QImage:
        return button.icon().pixmap(24, 24).toImage()

    folded = mark()
    button.setChecked(True)
    assert mark() != folded
    button.setChecked(False)
    assert mark() == folded
    button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    assert mark() != folded
    assert button.arrowType() == Qt.ArrowType.NoArrow
