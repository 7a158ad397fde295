"""The real window in a process that may be killed at any time.

    python -m tests.gui.killed_window FILE ENTRY

changes how FILE looks, prints that as JSON, and goes on until it is killed.

    python -m tests.gui.killed_window FILE

prints how FILE looks, and ends.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer

from gui.application import make_application, make_window, settle
from gui.main_window import MainWindow
from gui.session_pane import SessionPane
from gui.tree_columns import Column


def main() -> int:
    """Open the file and do the one or the other. An error ends the process, for which a test would wait in vain."""
    sys.excepthook = _fail
    application = make_application(sys.argv[:1])
    window = make_window(application)
    window.show()
    window.session_ready.connect(lambda: QTimer.singleShot(0, lambda: _go_on(window)))
    QTimer.singleShot(0, lambda: settle(window))
    QTimer.singleShot(0, lambda: window.open_file(Path(sys.argv[1])))
    return application.exec()


def _fail(*error: Any) -> None:
    sys.__excepthook__(*error)
    os._exit(1)


def _go_on(window: MainWindow) -> None:
    pane = window.pane
    assert pane is not None
    if pane.document.is_laying_out:
        QTimer.singleShot(10, lambda: _go_on(window))
    elif len(sys.argv) > 2:
        _look_at(window, pane, sys.argv[2])
    else:
        print(json.dumps(_look_of(window, pane)), flush=True)
        window.close()


def _look_at(window: MainWindow, pane: SessionPane, entry_id: str) -> None:
    window.resize(790, 700)  # within the screen of the offscreen platform
    window.library.setVisible(False)
    window.set_filter("all")
    pane.document.laid_out.connect(lambda: QTimer.singleShot(0, lambda: _select(window, pane, entry_id)))


def _select(window: MainWindow, pane: SessionPane, entry_id: str) -> None:
    pane.select_id(entry_id)
    pane.tree.expand(pane.tree.currentIndex())
    pane.tree.tree_header.want(Column.CONTEXT, False)
    pane.tabs.setCurrentWidget(pane.context_tab)
    pane.resizeDocks([pane.inspector], [333], Qt.Orientation.Horizontal)
    QTimer.singleShot(300, lambda: print(json.dumps(_look_of(window, pane)), flush=True))


def _look_of(window: MainWindow, pane: SessionPane) -> dict[str, Any]:
    index = pane.document.index
    assert index is not None
    return {
        "selected": pane.selected_id,
        "unfolded": sorted(map(index.id_of, pane.tree.folds()[0])),
        "filter": pane.document.filter_mode,
        "tab": pane.tabs.current_name,
        "columns": pane.tree.tree_header.chosen(),
        "inspector": pane.inspector.width(),
        "size": [window.width(), window.height()],
        "library": window.library.isVisible(),
    }


if __name__ == "__main__":
    sys.exit(main())
