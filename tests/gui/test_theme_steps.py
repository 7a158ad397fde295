"""Changing the look: in steps that each take little, of everything that is open, and with ticks that can be seen."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QLineEdit,
    QMainWindow,
    QStyle,
    QStyleOptionButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gui.check_box import CheckBox
from gui.theme import DARK, LIGHT, THEMES, WIDGETS_PER_TURN, Theme, apply_theme, contrast, theme_steps

FIELDS = 3 * WIDGETS_PER_TURN


@pytest.fixture(autouse=True)
def light_again(qapp: QApplication) -> Iterator[None]:
    apply_theme(qapp, LIGHT)
    yield
    apply_theme(qapp, LIGHT)


@pytest.fixture
def fields(qtbot: QtBot) -> Iterator[list[QLineEdit]]:
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    fields = [QLineEdit() for _ in range(FIELDS)]
    for field in fields:
        column.addWidget(field)
    with qtbot.waitExposed(window):
        window.show()
    yield fields
    window.close()


class _StyleChanges(QObject):
    """Counts the widgets that get another style."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.StyleChange and isinstance(watched, QWidget):
            self.count += 1
        return False


def test_no_step_of_a_theme_styles_more_than_some_widgets(qapp: QApplication, fields: list[QLineEdit]) -> None:
    changes = _StyleChanges()
    for field in fields:
        field.installEventFilter(changes)
    counts = []
    for step in theme_steps(qapp, DARK):
        step()
        counts.append(changes.count)
    steps = [after - before for before, after in itertools.pairwise(counts)]
    assert counts[-1] >= FIELDS
    assert max(steps) <= WIDGETS_PER_TURN


def test_nothing_is_painted_between_the_steps(qapp: QApplication, fields: list[QLineEdit]) -> None:
    window = fields[0].window()
    steps = list(theme_steps(qapp, DARK))
    for step in steps[:-1]:
        step()
        assert not window.updatesEnabled()
    steps[-1]()
    assert window.updatesEnabled()


def test_a_theme_that_is_chosen_while_another_one_is_put_on_wins(qapp: QApplication, fields: list[QLineEdit]) -> None:
    field = fields[0]
    abandoned = theme_steps(qapp, DARK)
    for _ in range(2):
        next(abandoned)()
    apply_theme(qapp, THEMES["contrast"])
    assert field.window().updatesEnabled()
    assert QColor(THEMES["contrast"].window).name() in colors_of(field.grab().toImage())


def test_what_is_hidden_has_the_new_look_when_it_is_shown(
    qapp: QApplication, qtbot: QtBot, fields: list[QLineEdit]
) -> None:
    fields[1].hide()
    apply_theme(qapp, DARK)
    fields[1].show()
    qtbot.waitUntil(fields[1].isVisible)
    assert fields[1].grab().toImage().pixelColor(20, 6).name() == DARK.window


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("is_enabled", [True, False], ids=["enabled", "disabled"])
def test_a_tick_can_be_seen(qapp: QApplication, qtbot: QtBot, theme: Theme, is_enabled: bool) -> None:
    box = CheckBox("On")
    qtbot.addWidget(box)
    box.setChecked(True)
    box.setEnabled(is_enabled)
    box.show()
    apply_theme(qapp, theme)
    option = QStyleOptionButton()
    box.initStyleOption(option)
    place = box.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, box)
    inside = box.grab(place.adjusted(2, 2, -2, -2)).toImage()
    ground = inside.pixelColor(0, inside.height() - 1)
    assert max(contrast(QColor(each), ground) for each in colors_of(inside)) >= 3
    box.setChecked(False)
    assert len(colors_of(box.grab(place.adjusted(2, 2, -2, -2)).toImage())) == 1


def colors_of(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_docks_are_painted_a_turn_after_the_rest(qapp: QApplication, qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    dock = QDockWidget("dock", window)
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
    window.show()
    qtbot.waitExposed(window)
    apply_theme(qapp, DARK)
    assert window.updatesEnabled()
    assert not dock.updatesEnabled()
    qtbot.waitUntil(dock.updatesEnabled, timeout=20_000)
