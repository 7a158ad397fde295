"""Imports what a session needs while nobody waits for it, so that opening one never blocks the window."""

from __future__ import annotations

import importlib
import logging

from PySide6.QtCore import QObject, QThread

log = logging.getLogger(__name__)

MODULES = ("numpy", "networkx", "model.settings", "services.session_setup", "gui.session_pane", "gui.library_pane")


class Preload(QThread):
    """Imports the modules of a session on its own thread; the signal `finished` says that they are there.

    Until then nobody else imports them: a second import of a module waits for the first.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)

    def run(self) -> None:
        """Work of the thread."""
        for name in MODULES:
            try:
                importlib.import_module(name)
            except Exception:  # the import that needs it reports it where a person can see it
                log.exception("preloading %s failed", name)
