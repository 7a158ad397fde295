"""Imports what a session and the dialogs need while nobody waits for it, so that opening one never blocks the window.

Modules with classes of Qt's are imported by the window's own thread, a few in each turn of its event loop. On another
thread they would end the program: Qt's bindings keep the classes in one table, and Qt asks it for the class of whatever
gets an event without holding the interpreter, also while another thread adds to it. The others, which cost more, are
imported by a thread.
"""

from __future__ import annotations

import importlib
import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, QThread, Signal

from gui.turns import Turns

log = logging.getLogger(__name__)

# Without Qt, all that they import included.
SESSION_LIBRARIES: Final = (
    "numpy", "networkx", "model.settings", "services.session_setup", "services.agent_turns", "services.branch_answers",
    "services.compaction_forecast", "services.composer_drafts", "services.context_facts", "services.context_reading",
    "services.counting_process", "services.event_journal", "services.library.lineage", "services.library.shelves",
    "services.made_cuts", "services.recorded_costs", "services.sendable_images", "services.session_search",
    "services.view_states", "services.worker_loop", "model.branch_sums", "model.branch_points", "model.column_filters",
    "model.context_timeline", "model.cut_preview", "model.display_order", "model.map_layout", "model.markdown_blocks",
)  # fmt: skip
DIALOG_LIBRARIES: Final = (
    "services.endpoints.discovery", "services.export", "services.settings_survey", "services.extensions", "httpx",
)  # fmt: skip
# In this order each brings only a few others of ours with it.
SESSION_MODULES: Final = (
    "gui.composer", "gui.session_document", "gui.session_tree_view", "gui.inspector.problems_tab",
    "gui.inspector.stored_summary", "gui.inspector.summary_stream", "gui.inspector.compaction_tab",
    "gui.compare_control", "gui.context_control", "gui.navigation_control", "gui.timeline_control",
    "gui.inspector.tabs", "gui.map_control", "gui.secrets_dialog", "gui.question_desk", "gui.session_edits",
    "gui.prune_control", "gui.session_work", "gui.session_pane", "gui.library_view", "gui.library_pane",
)  # fmt: skip
DIALOG_MODULES: Final = (
    "gui.settings_dialog.setting_row", "gui.settings_dialog.all_settings_page", "gui.settings_dialog.model_page",
    "gui.settings_dialog.dialog", "gui.command_palette", "gui.help", "gui.export_control",
)  # fmt: skip


class Preload(QObject):
    """Imports `libraries` on a thread and then `modules` on this one; `finished` says that they are there."""

    finished = Signal()

    def __init__(self, libraries: Sequence[str], modules: Sequence[str], parent: QObject) -> None:
        super().__init__(parent)
        self._modules = modules
        self._libraries = _Libraries(libraries, self)
        self._turns = Turns(self._steps(), self)
        self._libraries.finished.connect(self._go_on)
        self._is_started = False
        self._is_closed = False
        self.is_finished = False

    def start(self) -> None:
        """Begin. Harmless if repeated."""
        if not self._is_started and not self._is_closed:
            self._is_started = True
            self._libraries.start()

    def close(self) -> None:
        """Import nothing more, and wait for the thread; `finished` is not sent any more."""
        self._is_closed = True
        self._turns.stop()
        self._libraries.wait()

    def _go_on(self) -> None:
        if not self._is_closed:
            self._turns.start()

    def _steps(self) -> Iterator[Callable[[], None]]:
        for name in self._modules:
            if name not in sys.modules:
                yield partial(_import, name)
        yield self._finish

    def _finish(self) -> None:
        self.is_finished = True
        self.finished.emit()


class _Libraries(QThread):
    def __init__(self, names: Sequence[str], parent: QObject) -> None:
        super().__init__(parent)
        self._names = names

    def run(self) -> None:
        """Work of the thread."""
        for name in self._names:
            _import(name)


def _import(name: str) -> None:
    try:
        importlib.import_module(name)
    except Exception:  # the import that needs it reports it where a person can see it
        log.exception("preloading %s failed", name)
