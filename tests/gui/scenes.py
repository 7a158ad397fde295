"""The window in every state that a person meets, for tests that look at all of it: colours, layout, names, keys.

Works without pytest, so that a process of its own can show the same at another scale.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

from PySide6.QtCore import QCoreApplication, QEvent, QSettings
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from gui.library_pane import LibraryPane
from gui.main_window import MainWindow
from gui.prune_dialog import PruneDialog
from gui.review_dialog import ReviewDialog
from gui.secrets_dialog import SecretsDialog
from gui.session_pane import SessionPane
from gui.settings_dialog.dialog import PAGE_NAMES
from gui.writer_dialog import WriterDialog
from model.pruning import PrunedResult, Pruning
from model.settings import PruningSettings
from services.operations import CompactionOptions, DraftSummary, SummarizerInfo
from services.questions import RecentWriter, SecretsFound
from services.recent_files import RecentFiles
from services.secrets_scan import find_secrets
from tests.gui.test_story import FIRST_HALF, chunk, configure_model
from tests.services.loopback_server import Connection, LoopbackServer, stream

SESSIONS = Path(__file__).parents[1] / "sessions"
SIZE = (1440, 900)
PATIENCE_S = 30.0
SECRET = "sk-ant-" + "aB3dE5gH7jK9mN1pQ3sT5vW7"
SUMMARY = """## Goal
Port the selectors to theme tokens.

## Progress
- [x] Read the renderer
- [ ] Replace the constants

## Next Steps
1. Run the checks
"""


def wait_until(condition: Callable[[], object]) -> None:
    """Handle events until `condition` holds; AssertionError when it never does."""
    give_up = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < give_up, "it never came to that"
        pump()
        time.sleep(0.002)
    pump()


def pump() -> None:
    """Handle all events that are there."""
    QApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


class Stage:
    """One window with one session, brought into the `SCENES`, in any order. Close it at the end."""

    def __init__(self, folder: Path, *, size: tuple[int, int] = SIZE) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        settings = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)
        self.window = MainWindow(settings, RecentFiles(folder / "recent.json"))
        self.window.library.hide()
        self.window.resize(*size)
        self.window.show()
        self.window.resize(*size)
        self.window.activateWindow()
        self._server: LoopbackServer | None = None
        self._dialog: QDialog | None = None
        self._scenes: dict[str, Callable[[], QWidget]] = {
            "start": self._start,
            "recent": self._recent,
            "entry": self._entry,
            "context": lambda: self._tab("context"),
            "navigate": self._navigate,
            "compaction": self._compaction,
            "compare": lambda: self._tab("compare", other_branch=True),
            "timeline": lambda: self._tab("timeline"),
            "search": self._search,
            "running": self._running,
            "library": self._library,
            "palette": self._palette,
            "help": self._help,
            "failed": self._failed,
            "label": self._label,
            "go to id": self._go_to_id,
            "event log": self._event_log,
            "prune": self._prune,
            "review": self._review,
            "secrets": self._secrets,
            "writer": self._writer,
            **{f"settings {name}": lambda name=name: self._settings(name) for name in PAGE_NAMES},
        }

    @property
    def names(self) -> tuple[str, ...]:
        """Every scene."""
        return tuple(self._scenes)

    def show(self, name: str) -> QWidget:
        """Bring the window into a scene; return the window or dialog that is in front in it."""
        self.clear()
        front = self._scenes[name]()
        pump()
        return front

    def clear(self) -> None:
        """Leave the scene that is shown."""
        if self._server is not None:
            self.window.stop()
            wait_until(lambda: not any(pane.runner.is_running for pane in self.window.sessions.panes()))
            self._server.__exit__()
            self._server = None
        if self._dialog is not None:
            self._dialog.reject()
        if (palette := self.window.assistance.palette) is not None and palette.isVisible():
            palette.close_palette()
        self.window.library.hide()
        if self.window.pane is not None and self.window.pane.search_bar.isVisible():
            self.window.pane.search_bar.leave()
        pump()

    def close(self) -> None:
        """Close the window and all that belongs to it."""
        self.clear()
        self.window.close()
        self.window.deleteLater()
        pump()

    # What is shown

    def open(self, name: str) -> SessionPane:
        """Open a copy of a sample session, or come back to it."""
        path = self._folder / name
        if not path.exists():
            shutil.copyfile(SESSIONS / name, path)
        pane = self.window.pane
        if pane is None or pane.document.path != path:
            ready: list[bool] = []
            self.window.session_ready.connect(lambda: ready.append(True))
            known = [each for each in self.window.sessions.panes() if each.document.path == path]
            self.window.open_file(path)
            wait_until(lambda: bool(ready) or bool(known))
            pane = cast("SessionPane", self.window.pane)
        self._settle(pane)
        return pane

    def _settle(self, pane: SessionPane) -> None:
        wait_until(lambda: not pane.is_computing)

    def _start(self) -> QWidget:
        while self.window.pane is not None:
            self.window.close_session()
            pump()
        self.window.start_page.show_recent([])
        return self.window

    def _recent(self) -> QWidget:
        self._start()
        self.window.start_page.show_recent([self._folder / "first.jsonl", self._folder / "second session.jsonl"])
        return self.window

    def _entry(self) -> QWidget:
        pane = self.open("real-v3-branched.jsonl")
        pane.select_id("e547f69a")
        pane.tabs.setCurrentWidget(pane.entry_tab)
        pane.tree.setFocus()
        self._settle(pane)
        return self.window

    def _tab(self, name: str, *, other_branch: bool = False) -> QWidget:
        pane = self.open("real-v3-branched.jsonl")
        if other_branch:
            pane.select_id("e547f69a")
        else:
            pane.go_to_leaf()
        pane.tabs.setCurrentWidget(getattr(pane, f"{name}_tab"))
        self._settle(pane)
        return self.window

    def _navigate(self) -> QWidget:
        self._tab("navigate", other_branch=True)
        return self.window

    def _compaction(self) -> QWidget:
        pane = self.open("real-v3-before-compaction.jsonl")
        pane.go_to_leaf()
        pane.show_compaction()
        self._settle(pane)
        cut = next(
            (
                index
                for number in range(pane.document.model.rowCount())
                if (content := pane.document.model.content(index := pane.document.model.index(number, 0)))
                and content.is_cut
            ),
            None,
        )
        assert cut is not None
        pane.tree.scrollTo(cut, pane.tree.ScrollHint.PositionAtCenter)
        return self.window

    def _search(self) -> QWidget:
        pane = self.open("real-v3-branched.jsonl")
        pane.open_search()
        pane.search_bar.text.setText("theme")
        self._settle(pane)
        wait_until(lambda: not pane.is_computing and pane.search_bar.isVisible())
        return self.window

    def _running(self) -> QWidget:
        def stall(connection: Connection) -> None:
            connection.wait_until_gone()

        self._server = LoopbackServer(stream([chunk(FIRST_HALF)], then=stall))
        self._server.__enter__()
        configure_model(self._server.url)
        self.window.assistance.settings_changed.emit()
        pane = self.open("real-v3-before-compaction.jsonl")
        pane.show_compaction()
        self._settle(pane)
        pane.compaction.compact(CompactionOptions(keep_recent_tokens=20_000))
        wait_until(lambda: pane.compaction_tab.footer.is_running)
        return self.window

    def _library(self) -> QWidget:
        self._entry()
        folder = Path.home() / ".pi" / "agent" / "sessions" / "--home-dev--"
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("real-v3-branched.jsonl", "real-v1-before-compaction.jsonl"):
            shutil.copyfile(SESSIONS / name, folder / name)
        library = self.window.library
        library.show()
        library.start()
        wait_until(lambda: library.pane is not None and library.pane.view.isVisible())
        view = cast("LibraryPane", library.pane).view
        wait_until(lambda: view.model().rowCount(view.model().index(0, 0)) > 0)
        view.setCurrentIndex(view.model().index(0, 0, view.model().index(0, 0)))
        return self.window

    def _palette(self) -> QWidget:
        self._entry()
        self.window.assistance.open_palette()
        return self.window

    def _failed(self) -> QWidget:
        path = self._folder / "broken.jsonl"
        path.write_text("this is no session\n", "utf-8")
        failures: list[str] = []
        self.window.session_failed.connect(failures.append)
        self.window.open_file(path)
        wait_until(lambda: bool(failures))
        return self.window

    def _take(self, dialog: QDialog | None) -> QWidget:
        assert dialog is not None
        self._dialog = dialog
        dialog.finished.connect(self._forget_dialog)
        dialog.open()
        wait_until(dialog.isVisible)
        return dialog

    def _forget_dialog(self, *_: object) -> None:
        self._dialog = None

    def _help(self) -> QWidget:
        self.window.assistance.open_help()
        dialog = self.window.assistance.help_dialog
        assert dialog is not None
        dialog.build()
        return self._take(dialog)

    def _settings(self, page: str) -> QWidget:
        self.window.preload.start()
        wait_until(self.window.preload.isFinished)
        self.window.assistance.open_settings(page)
        dialog = self.window.assistance.settings_dialog
        assert dialog is not None
        dialog.page(page)
        wait_until(lambda: dialog.form.survey is not None)
        return self._take(dialog)

    def _label(self) -> QWidget:
        self._entry()
        pane = cast("SessionPane", self.window.pane)
        pane.ask_for_label()
        return self._take(_child_dialog(pane))

    def _go_to_id(self) -> QWidget:
        self._entry()
        pane = cast("SessionPane", self.window.pane)
        pane.ask_for_id()
        return self._take(_child_dialog(pane))

    def _event_log(self) -> QWidget:
        self._entry()
        pane = cast("SessionPane", self.window.pane)
        pane.show_event_log()
        return self._take(_child_dialog(self.window))

    def _prune(self) -> QWidget:
        results = tuple(
            PrunedResult(number, f"a1b2c3d{number}", 4_000, 3_900, {"role": "toolResult", "toolName": "read"})
            for number in range(4)
        )
        return self._take(PruneDialog(Pruning(results), PruningSettings(), "pi", self.window))

    def _review(self) -> QWidget:
        return self._take(ReviewDialog(DraftSummary(SUMMARY, SummarizerInfo("model", "acme", "")), self.window))

    def _secrets(self) -> QWidget:
        return self._take(
            SecretsDialog(SecretsFound("api.example.org", tuple(find_secrets(f"key {SECRET}"))), self.window)
        )

    def _writer(self) -> QWidget:
        return self._take(WriterDialog(RecentWriter(3.0), self.window))


def _child_dialog(owner: QWidget) -> QDialog:
    pump()
    return next(dialog for dialog in owner.findChildren(QDialog) if dialog.isVisible())
