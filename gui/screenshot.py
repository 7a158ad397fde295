"""Renders the real window to a picture, for documentation, tests and review."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from gui.theme import THEMES, ThemeName

if TYPE_CHECKING:
    from gui.main_window import MainWindow

PATIENCE_S = 60.0
SETTLE_S = 0.4


def take_screenshot(
    out: Path,
    path: Path | None,
    *,
    select: str | None = None,
    size: tuple[int, int] = (1440, 900),
    tab: str | None = None,
    theme: ThemeName = "light",
    unfold: bool = False,
    language: str | None = None,
    prepare: Callable[[MainWindow], object] | None = None,
) -> int:
    """Open `path` (None: the start page), select an entry, and write the window to `out`. Returns the exit code.

    `prepare` may bring the window into another state before the picture is taken.
    Works without a display: Qt's offscreen platform is used where there is none.
    """
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QCoreApplication, QEvent
    from PySide6.QtWidgets import QWidget

    from gui.application import make_application, make_window

    application = make_application(sys.argv[:1], language)
    window = make_window(application, THEMES[theme], remembers=False)
    window.library.hide()  # the user's other sessions are not part of the picture
    window.resize(*size)
    window.show()
    window.resize(*size)

    def pump(until: float) -> None:
        while time.monotonic() < until:
            application.processEvents()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            time.sleep(0.005)

    failure = ""
    if path is not None:
        failures: list[str] = []
        done: list[bool] = []
        window.session_ready.connect(lambda: done.append(True))
        window.session_failed.connect(failures.append)
        window.open_file(path)
        give_up = time.monotonic() + PATIENCE_S
        while not done and not failures and time.monotonic() < give_up:
            pump(time.monotonic() + 0.02)
        pump(time.monotonic() + SETTLE_S)
        failure = failures[0] if failures else "" if done else "The session was not read in time."
        pane = window.pane
        assert pane is not None
        if select is not None and not failure and not pane.select_id(select):
            failure = f"There is no entry {select} to select."
        if unfold and pane.tree.currentIndex().isValid():
            pane.tree.expand(pane.tree.currentIndex())
        if tab is not None:
            shown = getattr(pane, f"{tab.lower()}_tab", None)  # by the name in the code, whatever the language
            if isinstance(shown, QWidget):
                pane.tabs.setCurrentWidget(shown)
        pump(time.monotonic() + SETTLE_S)
        if prepare is not None and not failure:
            prepare(window)
            pump(time.monotonic() + SETTLE_S)
        give_up = time.monotonic() + PATIENCE_S
        while done and pane.is_computing and time.monotonic() < give_up:
            pump(time.monotonic() + 0.02)
        pump(time.monotonic() + SETTLE_S)
    else:
        pump(time.monotonic() + SETTLE_S)
    saved = window.grab().save(str(out))
    window.close()
    pump(time.monotonic() + 0.05)
    if not saved:
        print(f"branchwork: the picture could not be written to {out}", file=sys.stderr)
        return 1
    if failure:
        print(f"branchwork: {failure}", file=sys.stderr)
        return 1
    return 0
