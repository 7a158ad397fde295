"""The real window in a process where somebody types and never pauses, until it is killed.

    python -m tests.gui.killed_typing FILE

types into the composer, a key every 100 ms, and prints the number of each.
"""

from __future__ import annotations

import sys
from itertools import count, cycle
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest

from gui.application import make_application, make_window, settle
from gui.main_window import MainWindow

KEY_MS = 100  # well below the pause after which unsent text is kept


def main() -> int:
    """Open the file and type."""
    application = make_application(sys.argv[:1])
    window = make_window(application)
    window.show()
    keys = QTimer(window)
    keys.setInterval(KEY_MS)
    window.session_ready.connect(keys.start)
    numbers, letters = count(1), cycle("typed on and ")
    keys.timeout.connect(lambda: _type(window, next(letters), next(numbers)))
    QTimer.singleShot(0, lambda: settle(window))
    QTimer.singleShot(0, lambda: window.open_file(Path(sys.argv[1])))
    return application.exec()


def _type(window: MainWindow, letter: str, number: int) -> None:
    assert window.pane is not None
    QTest.keyClicks(window.pane.composer.text, letter)
    print(number, flush=True)


if __name__ == "__main__":
    sys.exit(main())
