"""What all dialogs have in common: their first size, what is chosen in them at first, and what Enter does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt, QUrl
from PySide6.QtWidgets import (
    QApplication,
    QInputDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QMessageBox,
    QTableView,
    QTableWidget,
)
from pytestqt.qtbot import QtBot

from gui.branch_list import BranchListDialog, open_branch_list
from gui.export_dialog import ExportDialog
from gui.main_window import MainWindow
from gui.prune_dialog import PruneDialog
from gui.secrets_dialog import SecretsDialog
from gui.writer_dialog import WriterDialog
from model.pruning import PrunedResult, Pruning
from model.settings import PruningSettings
from services.questions import RecentWriter, SecretsFound
from services.secrets_scan import find_secrets
from tests.gui.conftest import open_session
from tests.gui.scenes import SECRET

Sample = Callable[[str], Path]


@pytest.fixture(params=[Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft], ids=["ltr", "rtl"])
def direction(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Qt.LayoutDirection]:
    qapp.setLayoutDirection(request.param)
    yield request.param
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def selected_rows(table: QTableView) -> list[int]:
    return [index.row() for index in table.selectionModel().selectedRows()]


def plan(count: int) -> Pruning:
    message = {"role": "toolResult", "toolName": "read"}
    return Pruning(tuple(PrunedResult(number, f"a1b2c3d{number}", 4_000, 3_900, message) for number in range(count)))


@pytest.mark.usefixtures("direction")
def test_the_first_branch_is_chosen(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    open_branch_list(pane)
    (dialog,) = pane.findChildren(BranchListDialog)
    qtbot.waitUntil(dialog.isVisible, timeout=20_000)
    assert selected_rows(dialog.table) == [0]
    assert dialog.table.currentIndex().row() == 0
    assert dialog.go.isDefault()
    qtbot.keyClick(dialog.table, Qt.Key.Key_Down)
    assert selected_rows(dialog.table) == [1]
    wanted = dialog.model.row_at(dialog.table.currentIndex())
    qtbot.keyClick(dialog.table, Qt.Key.Key_Return)
    assert pane.tree.current_entry() == wanted


@pytest.mark.usefixtures("direction")
def test_the_first_line_of_what_is_pruned_is_chosen(window: MainWindow, qtbot: QtBot) -> None:
    dialog = PruneDialog(plan(3), PruningSettings(), "pi", window)
    qtbot.addWidget(dialog)
    dialog.open()
    (table,) = dialog.findChildren(QTableWidget)
    assert selected_rows(table) == [0]
    dialog.reject()


def test_a_name_is_seen_whole_where_it_is_asked_for(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    pane.edits.set_session_name("Theme port and refactoring of the renderer")
    qtbot.waitUntil(lambda: pane.session_name() == "Theme port and refactoring of the renderer")
    pane.edits.ask_for_name()
    (dialog,) = pane.findChildren(QInputDialog)
    field = dialog.findChild(QLineEdit)
    assert field is not None
    qtbot.waitUntil(field.hasFocus)
    assert field.selectedText() == field.text() == pane.session_name()
    assert field.fontMetrics().horizontalAdvance(field.text()) < field.width() - 16
    qtbot.keyClicks(field, "Another name")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: pane.session_name() == "Another name")


def test_a_name_without_a_blank_is_not_cut_off(window: MainWindow, qtbot: QtBot) -> None:
    host = "models." * 30 + "example"
    secrets = SecretsDialog(SecretsFound(host, tuple(find_secrets(f"key {SECRET}"))), window)
    export = ExportDialog("refactoring_" * 9, entry_id=None, has_path=True, parent=window)
    for dialog in (secrets, export):
        qtbot.addWidget(dialog)
        dialog.open()
        qtbot.waitUntil(dialog.isVisible)
        title = dialog.title
        room = QRect(0, 0, title.width(), 10_000)
        needed = title.fontMetrics().boundingRect(room, int(Qt.TextFlag.TextWordWrap), title.text())
        assert needed.width() <= room.width()
        assert needed.height() <= title.height()
        dialog.reject()


@pytest.mark.usefixtures("direction")
def test_long_names_of_recent_sessions_are_elided(window: MainWindow, qtbot: QtBot) -> None:
    folder = Path.home().joinpath(*["a-rather-long-folder"] * 12)
    paths = [folder / f"{'a-long-name-' * 12}{number}.jsonl" for number in range(3)]
    window.start_page.show_recent(paths)
    recent = window.start_page.recent
    qtbot.waitUntil(recent.isVisible)
    for row in range(3):
        assert recent.visualItemRect(recent.item(row)).width() <= recent.viewport().width()
        assert recent.item(row).toolTip() == str(paths[row])
    assert recent.horizontalScrollBar().maximum() == 0


def test_the_menu_of_recent_sessions_shows_both_ends_of_a_long_path(
    window: MainWindow, tmp_path: Path, sample: Sample, qtbot: QtBot
) -> None:
    folder = tmp_path.joinpath("research & development", *["a-rather-long-folder"] * 6)
    folder.mkdir(parents=True)
    path = sample("real-v3-branched.jsonl").rename(folder / "a & b.jsonl")
    open_session(window, path, qtbot)
    menu = next(each for each in window.findChildren(QMenu) if each.title() == "Open &recent")
    menu.aboutToShow.emit()
    (recent,) = menu.actions()
    assert recent.text().endswith("a && b.jsonl")
    assert "…" in recent.text()
    assert menu.sizeHint().width() < window.width()
    with qtbot.waitSignal(window.session_ready):
        window.close_session()
        recent.trigger()
    assert window.pane is not None
    assert window.pane.document.path == path


def test_an_address_is_seen_whole_before_it_is_opened(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    pane.entry_tab.view.web_wanted.emit(QUrl("https://example.org/" + "abcdefgh" * 80))
    (box,) = pane.entry_tab.findChildren(QMessageBox)
    (address,) = [each for each in box.findChildren(QLabel) if each.text() == box.informativeText()]
    qtbot.waitUntil(address.isVisible)
    assert box.width() <= window.width()
    assert address.minimumSizeHint().width() <= address.width()
    assert address.heightForWidth(address.width()) <= address.height()
    assert box.focusWidget() is box.defaultButton() is box.button(QMessageBox.StandardButton.Cancel)
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    assert not box.isVisible()


@pytest.mark.parametrize("points", [8.0, 20.0])
def test_a_dialog_is_as_large_as_its_font_needs_and_no_larger_than_its_window(
    window: MainWindow, qapp: QApplication, qtbot: QtBot, points: float
) -> None:
    before = qapp.font()
    font = qapp.font()
    font.setPointSizeF(points)
    qapp.setFont(font)
    try:
        for dialog in (
            PruneDialog(plan(3), PruningSettings(), "pi", window),
            PruneDialog(Pruning(()), PruningSettings(), "pi", window),
            WriterDialog(RecentWriter(3.0, 2, "## Goal\n" * 30), window),
        ):
            qtbot.addWidget(dialog)
            dialog.open()
            least = dialog.minimumSizeHint()
            assert least.width() <= dialog.width() <= window.width()
            assert least.height() <= dialog.height() <= window.height()
            assert dialog.width() > 50 * dialog.fontMetrics().averageCharWidth()
            dialog.reject()
    finally:
        qapp.setFont(before)
