"""The window in every state that a person meets, for tests that look at all of it: colours, layout, names, keys.

Works without pytest, so that a process of its own can show the same at another scale.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, QSettings, QUrl
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QWidget

from gui.branch_list import open_branch_list
from gui.export_dialog import ExportDialog
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
from services.app_folders import config_folder
from services.operations import CompactionOptions, DraftSummary, SummarizerInfo
from services.questions import RecentWriter, SecretsFound
from services.recent_files import RecentFiles
from services.secrets_scan import find_secrets
from tests.gui.test_story import FIRST_HALF, chunk, configure_model
from tests.services.loopback_server import Connection, LoopbackServer, stream

SESSIONS = Path(__file__).parents[1] / "sessions"
SIZE = (1440, 900)
PATIENCE_S = 30.0
SETTLING_ROUNDS = 20
SECRET = "sk-ant-" + "aB3dE5gH7jK9mN1pQ3sT5vW7"
LONG_PATH = "/".join(f"a folder with a rather long name {number}" for number in range(6))
LONG_NAME = "a-name-without-a-blank_" * 9
MENUS = ("file", "go", "view", "session", "help")
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


def settle(front: QWidget) -> None:
    """Let the layout come to rest: what is seen for one turn while a text arrives from a worker is no scene.

    A scene in which something goes on for ever is taken as it is after a while.
    """
    before: list[QRect] = []
    for _round in range(SETTLING_ROUNDS):
        pump()
        now = [widget.geometry() for widget in front.findChildren(QWidget) if widget.isVisible()]
        if now == before:
            return
        before = now
        time.sleep(0.005)


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
        self._size = size
        self._server: LoopbackServer | None = None
        self._dialog: QDialog | None = None
        self._menu_shown: QMenu | None = None
        self._exports = 0
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
            "writer with text": lambda: self._writer(SUMMARY),
            "export": self._export,
            "export with secrets": self._export_secrets,
            "export taken name": self._export_taken_name,
            "exported": self._exported,
            "exported long name": partial(self._exported, LONG_NAME),
            "branches": self._branches,
            "link": self._link,
            "name": self._name,
            "settings untrusted": self._untrusted,
            "settings consent": self._consent,
            **{f"menu {name}": partial(self._menu, name) for name in MENUS},
            "menu row": self._row_menu,
            "menu library": self._library_menu,
            **{f"settings {name}": partial(self._settings, name) for name in PAGE_NAMES},
        }

    @property
    def names(self) -> tuple[str, ...]:
        """Every scene."""
        return tuple(self._scenes)

    def show(self, name: str) -> QWidget:
        """Bring the window into a scene; return the window or dialog that is in front in it."""
        self.clear()
        front = self._scenes[name]()
        settle(front)
        return front

    def clear(self) -> None:
        """Leave the scene that is shown."""
        if self._server is not None:
            self.window.stop()
            wait_until(lambda: not any(pane.runner.is_running for pane in self.window.sessions.panes()))
            self._server.__exit__()
            self._server = None
        if self._menu_shown is not None:
            self._menu_shown.close()
            self._menu_shown = None
        if self._dialog is not None:
            self._dialog.reject()
        if (palette := self.window.assistance.palette) is not None and palette.isVisible():
            palette.close_palette()
        self.window.library.hide()
        if self.window.pane is not None and self.window.pane.search_bar.isVisible():
            self.window.pane.search_bar.leave()
        pump()
        self.window.resize(*self._size)  # it may have had to grow for the scene before
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
        wait_until(lambda: self.window.preload.is_finished)
        self.window.assistance.open_settings(page)
        wait_until(lambda: self.window.assistance.settings_dialog is not None)
        dialog = self.window.assistance.settings_dialog
        assert dialog is not None
        dialog.page(page)
        wait_until(lambda: dialog.form.survey is not None and not dialog.is_busy)
        return self._take(dialog)

    def _label(self) -> QWidget:
        self._entry()
        pane = cast("SessionPane", self.window.pane)
        pane.edits.ask_for_label()
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

    def _writer(self, text: str = "") -> QWidget:
        return self._take(WriterDialog(RecentWriter(3.0, 2 if text else 0, text), self.window))

    def _branches(self) -> QWidget:
        self._entry()
        pane = cast("SessionPane", self.window.pane)
        open_branch_list(pane)
        return self._take(_child_dialog(pane))

    def _name(self) -> QWidget:
        self._entry()
        pane = cast("SessionPane", self.window.pane)
        pane.edits.ask_for_name()
        return self._take(_child_dialog(pane))

    def _link(self) -> QWidget:
        self._entry()
        tab = cast("SessionPane", self.window.pane).entry_tab
        tab.view.web_wanted.emit(QUrl("https://example.org/" + "a-rather-long-address/" * 9))
        return self._take(_child_dialog(tab))

    def _export(self) -> QWidget:
        self._entry()
        return self._ask_for_export()

    def _ask_for_export(self) -> QWidget:
        pane = cast("SessionPane", self.window.pane)
        self.window.export_action.trigger()
        assert pane.exports is not None
        wait_until(lambda: pane.exports is not None and not pane.exports.is_computing)
        return self._take(pane.exports.dialog)

    def _export_secrets(self) -> QWidget:
        path = self._folder / "secrets.jsonl"
        if not path.exists():
            lines = (SESSIONS / "real-v3-branched.jsonl").read_text("utf-8").splitlines(keepends=True)
            said = {"role": "user", "content": [{"type": "text", "text": f"key {SECRET}"}], "timestamp": 1}
            last = json.loads(lines[-1])
            entry = {**last, "type": "message", "id": "abcdef01", "parentId": last["id"], "message": said}
            path.write_text("".join(lines) + json.dumps(entry) + "\n", "utf-8")
        self._settle(self.open(path.name))
        return self._ask_for_export()

    def _export_taken_name(self) -> QWidget:
        front = cast("ExportDialog", self._export())
        folder = self._folder / LONG_PATH
        folder.mkdir(parents=True, exist_ok=True)
        taken = folder / "an export.html"
        taken.touch()
        front.path.setText(str(taken))
        wait_until(front.path_note.isVisible)
        return front

    def _exported(self, name: str = "export") -> QWidget:
        front = cast("ExportDialog", self._export_secrets())
        folder = self._folder / LONG_PATH
        folder.mkdir(parents=True, exist_ok=True)
        self._exports += 1
        front.path.setText(str(folder / f"{name} {self._exports}.html"))
        wait_until(front.export_button.isEnabled)
        front.export_button.click()
        wait_until(front.close_button.isVisible)
        return front

    def _untrusted(self) -> QWidget:
        path = self._folder / "untrusted.jsonl"
        project = self._folder / LONG_PATH
        (project / ".pi").mkdir(parents=True, exist_ok=True)
        (project / ".pi" / "settings.json").write_text(json.dumps({"compaction": {"keepRecentTokens": 5000}}), "utf-8")
        header, *rest = (SESSIONS / "real-v3-branched.jsonl").read_text("utf-8").splitlines(keepends=True)
        path.write_text(json.dumps({**json.loads(header), "cwd": str(project)}) + "\n" + "".join(rest), "utf-8")
        self.open(path.name)
        return self._settings("compaction")

    def _consent(self) -> QWidget:
        configure_model(f"http://{'a-host.' * 9}example.org:8080")
        self._entry()
        front = self._settings("summaries")
        (config_folder() / "settings.json").unlink()
        return front

    def _menu(self, name: str) -> QWidget:
        self._entry()
        action = self.window.menuBar().actions()[MENUS.index(name)]
        menu = cast("QMenu", action.menu())
        menu.popup(self.window.mapToGlobal(QPoint(60, 30)))
        self._menu_shown = menu
        wait_until(menu.isVisible)
        return menu

    def _row_menu(self) -> QWidget:
        self._entry()
        self.window.going.show_row_menu(self.window.mapToGlobal(QPoint(300, 200)))
        return self._take_menu()

    def _library_menu(self) -> QWidget:
        self._library()
        view = cast("LibraryPane", self.window.library.pane).view
        where = view.visualRect(view.currentIndex()).center()
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, where, view.viewport().mapToGlobal(where))
        QApplication.sendEvent(view.viewport(), event)
        return self._take_menu()

    def _take_menu(self) -> QWidget:
        pump()
        self._menu_shown = next(each for each in self.window.findChildren(QMenu) if each.isVisible())
        return self._menu_shown


def _child_dialog(owner: QWidget) -> QDialog:
    wait_until(lambda: any(dialog.isVisible() for dialog in owner.findChildren(QDialog)))
    return next(dialog for dialog in owner.findChildren(QDialog) if dialog.isVisible())
