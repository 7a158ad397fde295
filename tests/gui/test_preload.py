"""What is imported before it is needed: with Qt's classes on the window's thread only, and never much of it at once."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.preload import DIALOG_LIBRARIES, DIALOG_MODULES, SESSION_LIBRARIES, SESSION_MODULES, Preload
from tests.gui.conftest import preloaded

MOST_MODULES_A_STEP = 10
THREADS = """
import builtins, os, sys, threading
from PySide6.QtCore import QObject, QTimer
os.environ["QT_QPA_PLATFORM"] = "offscreen"
elsewhere = set()
make = builtins.__build_class__
def build(function, name, *bases, **options):
    made = make(function, name, *bases, **options)
    if isinstance(made, type(QObject)) and threading.current_thread() is not threading.main_thread():
        elsewhere.add(f"{made.__module__}.{name}")
    return made
builtins.__build_class__ = build
from gui.application import make_application, make_window, settle
application = make_application(["branchwork"])
window = make_window(application)
window.show()
window.assistance.preload.finished.connect(application.quit)
window.preload.finished.connect(window.assistance.preload.start)
QTimer.singleShot(0, lambda: settle(window))
QTimer.singleShot(60_000, lambda: os._exit(3))
application.exec()
assert "gui.session_pane" in sys.modules and "gui.settings_dialog.dialog" in sys.modules
print(sorted(elsewhere), flush=True)
os._exit(0)
"""


SETTINGS = """
import os, sys
from PySide6.QtCore import QTimer
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from gui.application import make_application, make_window, settle
application = make_application(["branchwork"])
window = make_window(application)
window.show()
assistance, before = window.assistance, set()
def begin():
    before.update(sys.modules)
    assistance.open_settings()
    look()
def look():
    if assistance.settings_dialog is None or assistance.settings_dialog.is_busy:
        QTimer.singleShot(20, look)
        return
    heavy = ("gui", "services", "model", "httpx", "keyring")
    new = {name for name in set(sys.modules) - before if name.split(".")[0] in heavy}
    print(sorted(name for name in new if "library" not in name), flush=True)  # the library begins by itself
    os._exit(0)
assistance.preload.finished.connect(lambda: QTimer.singleShot(0, begin))
window.preload.finished.connect(assistance.preload.start)
QTimer.singleShot(0, lambda: settle(window))
QTimer.singleShot(60_000, lambda: os._exit(3))
application.exec()
"""


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_no_class_of_qt_is_made_on_another_thread() -> None:
    """Qt asks for the class of what gets an event without holding the interpreter: the program would end."""
    assert run(THREADS) == "[]"


def test_what_a_thread_imports_has_nothing_to_do_with_qt() -> None:
    names = [*SESSION_LIBRARIES, *DIALOG_LIBRARIES]
    code = f"import importlib, sys\nfor name in {names}: importlib.import_module(name)\n"
    assert run(code + "print([name for name in sys.modules if name.startswith(('PySide6', 'shiboken6'))])") == "[]"


@pytest.mark.parametrize(
    ("libraries", "modules"),
    [(SESSION_LIBRARIES, SESSION_MODULES), (DIALOG_LIBRARIES, DIALOG_MODULES)],
    ids=["session", "dialogs"],
)
def test_no_step_brings_many_modules_with_it(libraries: tuple[str, ...], modules: tuple[str, ...]) -> None:
    """Add a part of what a step brings to the modules before it, or to the libraries when it does without Qt."""
    first = ["gui.application", "gui.main_window"]
    if modules is DIALOG_MODULES:
        first += [*SESSION_LIBRARIES, *SESSION_MODULES]
    code = f"""
import importlib, sys
ours = ("gui", "services", "model")
for name in {[*first, *libraries]}: importlib.import_module(name)
for name in {list(modules)}:
    before = set(sys.modules)
    importlib.import_module(name)
    new = sorted(each for each in set(sys.modules) - before if each.split(".")[0] in ours)
    if not 0 < len(new) <= {MOST_MODULES_A_STEP}: print(name, len(new), *new)
"""
    assert run(code) == ""


def test_opening_the_settings_imports_nothing_more() -> None:
    """Also a worker that imports holds the interpreter, and with it the window that opens the dialog."""
    assert run(SETTINGS) == "[]"


def test_settings_wanted_at_once_open_when_their_modules_are_there(window: MainWindow, qtbot: QtBot) -> None:
    window.assistance.open_settings("summaries")
    assert window.assistance.settings_dialog is None
    qtbot.waitUntil(lambda: window.assistance.settings_dialog is not None)
    assert window.preload.is_finished
    assert window.assistance.preload.is_finished


def test_nothing_begins_after_the_window_was_closed(window: MainWindow, qtbot: QtBot) -> None:
    window.assistance.open_settings()
    window.close()
    qtbot.wait(300)
    assert not window.preload.is_finished
    assert window.assistance.settings_dialog is None
    window.close()


def test_a_module_that_cannot_be_imported_holds_up_nothing(qtbot: QtBot, caplog: pytest.LogCaptureFixture) -> None:
    owner = QObject()
    preload = Preload(("no_such_library", "json"), ("no.such.module",), owner)
    told: list[object] = []
    preload.finished.connect(lambda: told.append(threading.current_thread()))
    preload.start()
    preload.start()
    qtbot.waitUntil(lambda: preload.is_finished)
    assert told == [threading.main_thread()]
    assert "no_such_library" in caplog.text
    assert "no.such.module" in caplog.text


def test_the_warm_up_imports_the_dialogs(window: MainWindow, qtbot: QtBot) -> None:
    preloaded(window, qtbot)
    qtbot.waitUntil(lambda: window.assistance.preload.is_finished)
