"""The real window for tests: opened on copies of real sessions, driven through widgets and events."""

from __future__ import annotations

import gc
import importlib.abc
import itertools
import shutil
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import QEvent, QLocale, QObject, QPoint, QSettings, Qt, QTranslator
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui import library_rows, number_text
from gui.main_window import MainWindow
from gui.row_content import entry_name
from gui.session_pane import SessionPane
from gui.settings_dialog import setting_texts
from gui.theme import LIGHT, apply_theme
from gui.translation import install_translation
from services.recent_files import RecentFiles

SESSIONS = Path(__file__).parents[1] / "sessions"
TESTS_A_FULL_RUN = 20
_tests = itertools.count(1)


@pytest.fixture(autouse=True)
def collected_here() -> Iterator[None]:
    """Have the cyclic collector run between tests only, as in the program at moments of its own.

    Anywhere else it might run on a worker's thread and destroy there what an earlier test has left of its widgets.
    """
    gc.disable()
    yield
    gc.collect(1 if next(_tests) % TESTS_A_FULL_RUN else 2)
    gc.enable()


class Elsewhere(importlib.abc.MetaPathFinder):
    """Notes what is imported by other threads than the window's."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def find_spec(self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None) -> None:
        if threading.current_thread() is not threading.main_thread():
            self.names.add(fullname)

    def of_qt(self) -> list[str]:
        """Return the modules that name classes of Qt's."""
        modules = {name: vars(sys.modules[name]) for name in tuple(self.names) if name in sys.modules}
        return sorted(
            name
            for name, members in modules.items()
            if name.startswith("PySide6") or any(isinstance(each, type(QObject)) for each in tuple(members.values()))
        )  # copies: some may still be on their way


@pytest.fixture(scope="session", autouse=True)
def classes_of_qt_are_made_here() -> Iterator[None]:
    """See `gui.preload`: made on another thread they may end the program."""
    elsewhere = Elsewhere()
    sys.meta_path.insert(0, elsewhere)
    yield
    sys.meta_path.remove(elsewhere)
    assert elsewhere.of_qt() == []


@pytest.fixture
def sample(tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that copies a sample session to where it may be changed."""

    def copy(name: str) -> Path:
        target = tmp_path / name
        shutil.copyfile(SESSIONS / name, target)
        return target

    return copy


def forget_texts() -> None:
    """Forget what was written in a language: a window keeps its own to the end."""
    kept = (number_text.short_count, number_text.price, number_text._time_of_day, number_text._day)
    for each in (*kept, library_rows._day_text, setting_texts._texts, entry_name):
        each.cache_clear()


@pytest.fixture
def turkish(qapp: QApplication) -> Iterator[QApplication]:
    """The application, speaking Turkish for one test."""
    before = QLocale()
    others = set(qapp.findChildren(QTranslator))
    assert install_translation(qapp, "tr") == "tr"
    forget_texts()
    yield qapp
    for translator in set(qapp.findChildren(QTranslator)) - others:
        qapp.removeTranslator(translator)
    QLocale.setDefault(before)
    forget_texts()


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[MainWindow]:
    """The main window, shown and active."""
    apply_theme(qapp, LIGHT)
    made = MainWindow(
        QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat), RecentFiles(tmp_path / "recent.json")
    )
    made.resize(1440, 900)
    made.show()
    qtbot.waitExposed(made)
    made.activateWindow()
    yield made
    made.close()
    made.deleteLater()


def preloaded(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until all that a session needs is imported."""
    window.preload.start()
    qtbot.waitUntil(lambda: window.preload.is_finished)


def open_session(window: MainWindow, path: Path, qtbot: QtBot) -> SessionPane:
    """Open `path` and wait until its rows are laid out."""
    with qtbot.waitSignal(window.session_ready, timeout=20_000):
        window.open_file(path)
    pane = window.pane
    assert pane is not None
    settle(pane, qtbot)
    return pane


def settle(pane: SessionPane, qtbot: QtBot) -> None:
    """Wait until nothing of the pane is being computed and what is shown has its place."""
    qtbot.waitUntil(lambda: not pane.is_computing, timeout=20_000)
    QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)


def click_entry(pane: SessionPane, entry_id: str, qtbot: QtBot) -> int:
    """Click the row of an entry, unfolding what is around it; return its entry row."""
    index = pane.document.index
    assert index is not None
    row = index.row_of(entry_id)
    assert row is not None
    outline = pane.document.outline
    assert outline is not None
    for owner in outline.owners(row):
        pane.tree.expand(pane.document.model.index_of(owner))
    where = pane.document.model.index_of(row)
    assert where.isValid(), "the filter hides this entry"
    pane.tree.scrollTo(where)
    point = pane.tree.visualRect(where).center()
    qtbot.mouseClick(pane.tree.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(point))
    assert pane.tree.current_entry() == row
    return row
