"""The Qt application: what is set up once, before the first window."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLocale, QSettings, QTimer
from PySide6.QtGui import QFont, QPainter, QPixmap
from PySide6.QtWidgets import QApplication

from gui.icons import application_icon, icon_names, icon_pixmap, renderer
from gui.idle_collector import IdleCollector
from gui.main_window import MainWindow
from gui.number_text import full_time
from gui.theme import THEMES, Theme, apply_theme, current_theme, note_desktop_accent, system_theme
from gui.translation import install_translation
from gui.turns import Turns
from gui.window_memory import STATE_FOLDER
from services.app_folders import config_folder, state_folder
from services.recent_files import RecentFiles

SCRIPTS_IN_SESSIONS = "aé 漢 テ 한 ไทย عربي 🌳 Ω →"
SWITCH_INTERVAL_S = 0.00005


def make_application(arguments: list[str], language: str | None = None) -> QApplication:
    """Return the application object, speaking `language` (a code; None: the one of the settings, or the system's)."""
    application = QApplication(arguments)
    install_translation(application, language or str(_window_settings(config_folder()).value("language", "")))
    application.setApplicationName("branchwork")
    application.setApplicationDisplayName("Branchwork")
    application.setDesktopFileName("branchwork")
    application.setWindowIcon(application_icon())
    application.setLayoutDirection(QLocale().textDirection())
    note_desktop_accent(application)
    return application


def make_window(application: QApplication, theme: Theme | None = None, *, remembers: bool = True) -> MainWindow:
    """Return the main window in the user's theme, or in `theme`; `remembers` tells whether it leaves traces."""
    folder, state = config_folder(), state_folder()
    if not remembers:
        import atexit  # with what they import in turn these cost more than they are worth at a start
        import shutil
        import tempfile

        folder = state = Path(tempfile.mkdtemp(prefix="branchwork-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        application.setProperty(STATE_FOLDER, str(state))
    settings = _window_settings(folder)
    chosen = str(settings.value("theme", ""))
    apply_theme(application, theme or next((each for name, each in THEMES.items() if name == chosen), system_theme()))
    return MainWindow(settings, RecentFiles(state / "recent.json"))


def _window_settings(folder: Path) -> QSettings:
    return QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)


def settle(window: MainWindow) -> None:
    """After the first paint: keep the collector off what lives as long as the program, and get ready for a session."""
    # Each call into Qt lets go of the interpreter, and a busy worker gives it back after this time: painting takes some
    # thousand calls. At Python's 5 ms, and even at 0.5 ms, the window would stand still while a worker decodes.
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    gc.collect()
    collector = IdleCollector(lambda: window.sessions.is_busy, window)
    collector.take_over()
    window.sessions.pane_closed.connect(collector.note_closed)
    window.preload.finished.connect(gc.freeze)  # the modules that were loaded meanwhile
    window.preload.finished.connect(lambda: Turns(_first_uses(window), window).start())
    window.preload.finished.connect(window.library.start)
    window.session_ready.connect(window.sessions.prepare_soon)
    window.preload.start()


def _first_uses(window: MainWindow) -> Iterator[Callable[[], object]]:
    """What Qt and its bindings put off until the first use, which would hold up the first session."""
    from gui.entry_delegate import ICONS, TONES, row_fonts

    for font in row_fonts(window.font()):
        for text in SCRIPTS_IN_SESSIONS.split():
            yield partial(_draw, text, font)
    yield lambda: full_time(0)
    for name in icon_names():
        yield partial(renderer, name, current_theme().text)
    for speaker, name in ICONS.items():
        yield partial(
            icon_pixmap,
            name,
            current_theme().tone(TONES[speaker]).name(),
            window.fontMetrics().height(),
            window.devicePixelRatioF(),
        )
    yield window.sessions.prepare


def _draw(text: str, font: QFont) -> None:
    """The first character of a script that a font lacks makes Qt search all fonts."""
    pixmap = QPixmap(80, 20)
    painter = QPainter(pixmap)
    painter.setFont(font)
    painter.drawText(0, 15, text)
    painter.end()


def run_window(path: Path | None, *, demo: bool = False, language: str | None = None) -> int:
    """Show the window, with a session if one is given, until it is closed. Returns the exit code."""
    application = make_application(sys.argv[:1], language)
    window = make_window(application)
    window.show()
    QTimer.singleShot(0, lambda: settle(window))
    if demo:
        QTimer.singleShot(0, window.open_demo)
    elif path is not None:
        QTimer.singleShot(0, lambda: window.open_file(path))
    return application.exec()
