"""Escape stops what runs, from any focus, whatever the server does; the file stays as it was."""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QInputDialog
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.review_dialog import ReviewDialog
from gui.secrets_dialog import SecretsDialog
from gui.session_pane import SessionPane
from gui.writer_dialog import WriterDialog
from services.app_folders import data_folder
from services.cancellation import CancellationToken
from services.operations import CompactionOptions, NavigationOptions
from services.questions import Question
from services.session_events import PhaseChanged, RetryScheduled, SummaryDelta
from services.session_loader import TAIL_FIRST_BYTES
from services.session_store import SessionStore
from tests.gui.conftest import open_session
from tests.gui.test_story import OTHER_BRANCH, chunk, configure_model
from tests.services.loopback_server import (
    LoopbackServer,
    Script,
    answer,
    chat,
    silent,
    silent_after_head,
    stay_open,
    stream,
)
from tests.services.sessions import write_session
from tests.services.test_compaction import by_pass, long_session

Sample = Callable[[str], Path]
LIMIT_MS = 300


def trickle() -> Script:
    return stream((chunk("x") for _ in range(1000)), pause_s=0.05)


FOCUS: dict[str, Callable[[SessionPane], None]] = {
    "tree": lambda pane: pane.tree.setFocus(),
    "composer": lambda pane: pane.composer.text.setFocus(),
    "tabs": lambda pane: pane.tabs.tabBar().setFocus(),
    "stream": lambda pane: pane.navigate_tab.stream.setFocus(),
    "label": lambda pane: pane.navigate_tab.label_text.setFocus(),
}


def start_navigation(pane: SessionPane, qtbot: QtBot) -> None:
    pane.navigation.go(OTHER_BRANCH, NavigationOptions(summarize=True))
    assert pane.runner.is_running


def escape(pane: SessionPane, qtbot: QtBot) -> None:
    """Press Escape where the focus is; the session is idle within the limit."""
    focused = QApplication.focusWidget()
    assert focused is not None
    with qtbot.waitSignal(pane.runner.ended, timeout=LIMIT_MS) as ended:
        qtbot.keyClick(focused, Qt.Key.Key_Escape)
    assert ended.args is not None
    assert ended.args[0].kind == "aborted"
    assert not pane.runner.is_running


@pytest.mark.spec("CP-23", "TN-10")
@pytest.mark.parametrize("script", [silent, silent_after_head, trickle()], ids=["silent", "head only", "trickle"])
@pytest.mark.parametrize("focus", FOCUS)
def test_escape_from_any_focus(window: MainWindow, sample: Sample, qtbot: QtBot, focus: str, script: Script) -> None:
    path = sample("real-v3-branched.jsonl")
    before = path.read_bytes()
    with LoopbackServer(script) as server:
        configure_model(server.url)
        pane = open_session(window, path, qtbot)
        assert pane.document.session is not None
        leaf = pane.document.session.leaf_id
        threads = set(threading.enumerate())
        start_navigation(pane, qtbot)
        assert server.arrived.acquire(timeout=5)
        FOCUS[focus](pane)
        escape(pane, qtbot)
        assert server.all_gone()
        assert path.read_bytes() == before
        assert pane.document.session.leaf_id == leaf
        qtbot.waitUntil(lambda: set(threading.enumerate()) <= threads | set(server._threads), timeout=2000)
        focused = QApplication.focusWidget()
        assert focused is not None
        qtbot.keyClick(focused, Qt.Key.Key_Escape)  # nothing runs: harmless


@pytest.mark.spec("CP-23")
def test_escape_in_an_open_dialog_and_in_an_open_menu(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample("real-v3-before-compaction.jsonl")
    before = path.read_bytes()
    with LoopbackServer(silent) as server:
        configure_model(server.url)
        pane = open_session(window, path, qtbot)
        pane.compaction.compact(CompactionOptions(keep_recent_tokens=5000))
        assert server.arrived.acquire(timeout=5)
        pane.edits.ask_for_label()
        dialog = pane.findChild(QInputDialog)
        assert dialog is not None
        qtbot.waitUntil(dialog.isActiveWindow)
        escape(pane, qtbot)
        assert dialog.isVisible()  # Escape stopped the work; the next one closes the dialog
        dialog.close()

        pane.compaction.compact(CompactionOptions(keep_recent_tokens=5000))
        assert server.arrived.acquire(timeout=5)
        menu = window.menuBar().actions()[0].menu()
        menu.popup(window.mapToGlobal(window.rect().topLeft()))  # type: ignore[union-attr]
        with qtbot.waitSignal(pane.runner.ended, timeout=LIMIT_MS):
            qtbot.keyClick(menu, Qt.Key.Key_Escape)
        assert server.all_gone()
    assert path.read_bytes() == before


def test_escape_stops_the_session_in_front_first(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    with LoopbackServer(silent) as server:
        configure_model(server.url)
        first = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
        start_navigation(first, qtbot)
        second = open_session(window, sample("real-v3-before-compaction.jsonl"), qtbot)
        second.compaction.compact(CompactionOptions(keep_recent_tokens=5000))
        assert server.arrived.acquire(timeout=5)
        assert server.arrived.acquire(timeout=5)
        second.tree.setFocus()
        escape(second, qtbot)
        assert first.runner.is_running
        second.tree.setFocus()
        with qtbot.waitSignal(first.runner.ended, timeout=LIMIT_MS):
            qtbot.keyClick(second.tree, Qt.Key.Key_Escape)


@pytest.mark.parametrize("focus", ["tree", "composer", "menu"])
def test_escape_stops_the_reading_of_a_file(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, focus: str
) -> None:
    """From wherever: the end of a large file is shown while all of it is being read."""
    read_all = SessionStore.open.__func__  # type: ignore[attr-defined]
    is_left_alone = threading.Event()

    def read_slowly(
        cls: type[SessionStore], path: Path, *, token: CancellationToken | None = None, **options: Any
    ) -> SessionStore:
        assert token is not None
        while not token.is_set() and not is_left_alone.is_set():
            time.sleep(0.01)
        store: SessionStore = read_all(cls, path, token=token, **options)
        return store

    monkeypatch.setattr(SessionStore, "open", classmethod(read_slowly))
    path = tmp_path / "large.jsonl"
    text = "word " * 400
    header = {"type": "session", "version": 3, "id": "large", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/"}
    lines = [json.dumps(header)]
    for number in range(TAIL_FIRST_BYTES // len(text) + 200):
        entry = {"type": "message", "id": f"{number:08x}", "parentId": f"{number - 1:08x}" if number else None}
        message = {"role": "user", "content": text, "timestamp": number}
        lines.append(json.dumps({**entry, "timestamp": "2026-01-01T00:00:00.000Z", "message": message}))
    path.write_text("\n".join(lines) + "\n", "utf-8")
    assert path.stat().st_size > TAIL_FIRST_BYTES

    window.open_file(path)
    qtbot.waitUntil(lambda: window.pane is not None and window.pane.document.model.rowCount() > 0, timeout=20_000)
    pane = window.pane
    assert pane is not None
    assert pane.document.is_reading
    menu = window.menuBar().actions()[0].menu()
    if focus == "menu":
        menu.popup(window.mapToGlobal(window.rect().topLeft()))  # type: ignore[union-attr]
    else:
        FOCUS[focus](pane)
    with qtbot.waitSignal(pane.document.stopped, timeout=LIMIT_MS):
        qtbot.keyClick(menu if focus == "menu" else QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert not pane.document.is_reading
    assert pane.banner.action.text() == "Read it again"
    menu.close()  # type: ignore[union-attr]
    qtbot.keyClick(pane.tree, Qt.Key.Key_Escape)  # nothing is read: harmless

    is_left_alone.set()
    with qtbot.waitSignal(window.session_ready, timeout=20_000):
        pane.banner.action.click()
    qtbot.keyClick(pane.tree, Qt.Key.Key_Escape)  # only measured from here on, which goes on
    qtbot.waitUntil(lambda: pane.document.store is not None and pane.document.store.index.measured, timeout=20_000)


@pytest.mark.parametrize("phase", ["loading", "running", "idle"])
def test_closing_the_window_in_any_phase(window: MainWindow, sample: Sample, qtbot: QtBot, phase: str) -> None:
    """G06: closing while something runs ends it, loses nothing and leaves no thread behind."""
    path = sample("real-v3-before-compaction.jsonl")
    before = path.read_bytes()
    threads = set(threading.enumerate())
    with LoopbackServer(silent) as server:
        configure_model(server.url)
        if phase == "loading":
            window.open_file(path)
        else:
            pane = open_session(window, path, qtbot)
            if phase == "running":
                pane.compaction.compact(CompactionOptions(keep_recent_tokens=5000))
                assert server.arrived.acquire(timeout=5)
        began = time.monotonic()
        window.close()
        assert time.monotonic() - began < 5
        assert not window.isVisible()
    qtbot.waitUntil(lambda: set(threading.enumerate()) <= threads, timeout=3000)
    assert path.read_bytes() == before


def test_a_second_operation_is_refused_while_one_runs(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    with LoopbackServer(silent) as server:
        configure_model(server.url)
        pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
        start_navigation(pane, qtbot)
        assert server.arrived.acquire(timeout=5)
        pane.compaction.compact(CompactionOptions())
        assert "running" in window.status.currentMessage()
        pane.tree.setFocus()
        escape(pane, qtbot)
        assert len(server.requests) == 1


# --- Every phase of a run --------------------------------------------------------------------------------------------

WAITING_HOOKS = """
import asyncio
from services.extension_api import hookimpl

@hookimpl
async def session_before_compact(event, ctx):
    await asyncio.sleep(60)

@hookimpl
async def session_before_tree(event, ctx):
    await asyncio.sleep(60)
"""
SECRET = "sk-ant-" + "aB3dE5gH7jK9mN1pQ3sT5vW7"
done = chat("## Goal\nDone.")
half = stream([chunk("## Goal\nHalf")], then=stay_open)
busy = answer("{}", "application/json", "429 Too Many Requests", "retry-after: 20")


@dataclass(frozen=True)
class Phase:
    """A moment of a run: how the server answers, what is set up before, and how the moment is known."""

    script: Script
    reached: Callable[[object], bool]
    set_up: Callable[[Path, LoopbackServer, pytest.MonkeyPatch, ExitStack], None] = lambda *given: None
    reads_first: bool = False
    dialog: type[QDialog] | None = None


def in_phase(name: str) -> Callable[[object], bool]:
    return lambda event: isinstance(event, PhaseChanged) and event.phase == name


def with_waiting_hooks(*_given: object) -> None:
    folder = data_folder() / "extensions"
    folder.mkdir(parents=True)
    (folder / "waiting.py").write_text(WAITING_HOOKS, "utf-8")


def with_a_secret_for_another_host(
    path: Path, server: LoopbackServer, patch: pytest.MonkeyPatch, _stack: ExitStack
) -> None:
    """The last entry holds what looks like a key, and the model is elsewhere: behind a proxy on this machine."""
    lines = path.read_text("utf-8").splitlines()
    last = json.loads(lines[-1])
    content = [{"type": "text", "text": f"use {SECRET}"}]
    message = {"role": "user", "content": content, "timestamp": 1}
    for number in range(12):  # far enough before the end to be summarised
        entry = {"type": "message", "id": f"5ec2e7{number:02}", "parentId": last["id"], "timestamp": last["timestamp"]}
        lines.append(json.dumps(entry | {"message": message}))
        last = entry
        message = {"role": "user", "content": "word " * 4000, "timestamp": 1}
    path.write_text("\n".join(lines) + "\n", "utf-8")
    patch.setenv("http_proxy", server.url)
    patch.setenv("HTTP_PROXY", server.url)
    configure_model("http://models.example", plainHttpHosts=["models.example"])


def with_a_server_that_takes_no_connection(
    _path: Path, _server: LoopbackServer, _patch: pytest.MonkeyPatch, stack: ExitStack
) -> None:
    """Its queue is full, so that connecting never ends."""
    full = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
    for _ in range(3):
        waiting = stack.enter_context(socket.socket())
        waiting.setblocking(False)
        waiting.connect_ex(full.getsockname())
    configure_model(f"http://127.0.0.1:{full.getsockname()[1]}")


def just_written_by_an_agent(path: Path, *_given: object) -> None:
    """The last entry of the file is of this moment, and not ours."""
    lines = path.read_text("utf-8").splitlines()
    last = json.loads(lines[-1]) | {"timestamp": datetime.now(UTC).isoformat().replace("+00:00", "Z")}
    path.write_text("\n".join([*lines[:-1], json.dumps(last)]) + "\n", "utf-8")


PHASES = {
    "question about another writer": Phase(
        silent, lambda event: isinstance(event, Question), just_written_by_an_agent, dialog=WriterDialog
    ),
    "hook": Phase(silent, in_phase("hook"), with_waiting_hooks),
    "question about secrets": Phase(silent, in_phase("secrets"), with_a_secret_for_another_host, dialog=SecretsDialog),
    "connecting": Phase(silent, in_phase("connecting"), with_a_server_that_takes_no_connection),
    "sent": Phase(silent, in_phase("connecting")),
    "streaming": Phase(half, lambda event: isinstance(event, SummaryDelta)),
    "retry wait": Phase(busy, lambda event: isinstance(event, RetryScheduled)),
    "review": Phase(done, in_phase("review"), reads_first=True, dialog=ReviewDialog),
}


class Run:
    """A session in the window, an operation in it, and what must not have changed when it was stopped."""

    def __init__(self, operation: str, sample: Sample) -> None:
        self.operation = operation
        self.path = sample("real-v3-branched.jsonl" if operation == "navigation" else "real-v3-before-compaction.jsonl")

    def open(self, window: MainWindow, qtbot: QtBot) -> SessionPane:
        self.pane = open_session(window, self.path, qtbot)
        window.activateWindow()
        assert self.pane.document.session is not None
        self.before, self.leaf_id = self.path.read_bytes(), self.pane.document.session.leaf_id
        self.threads = set(threading.enumerate())
        return self.pane

    def start(self, *, reads_first: bool = False) -> None:
        """The cut with 20 000 tokens kept splits a turn: two requests at once."""
        pane = self.pane
        if self.operation == "navigation":
            pane.navigate_tab.review.setChecked(reads_first)
            pane.navigation.go(OTHER_BRANCH, NavigationOptions(summarize=True))
        else:
            pane.compaction_tab.review.setChecked(reads_first)
            pane.compaction.compact(CompactionOptions(keep_recent_tokens=20_000))
        assert pane.runner.is_running

    def check(self, qtbot: QtBot, server: LoopbackServer) -> None:
        session = self.pane.document.session
        assert session is not None
        assert not session.busy
        assert server.all_gone()
        assert self.path.read_bytes() == self.before
        assert session.leaf_id == self.leaf_id
        qtbot.waitUntil(lambda: not self.left_behind(server), timeout=3000)

    def left_behind(self, server: LoopbackServer) -> set[threading.Thread]:
        return {each for each in threading.enumerate() if each.is_alive()} - self.threads - set(server._threads)


@pytest.mark.spec("CP-23", "CP-21", "TN-10")
@pytest.mark.parametrize("operation", ["navigation", "compaction"])
@pytest.mark.parametrize("phase", PHASES)
def test_escape_in_every_phase(
    window: MainWindow, sample: Sample, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, phase: str, operation: str
) -> None:
    """M08, X09: whatever the run is doing, it ends; the session is idle and as before."""
    moment, run = PHASES[phase], Run(operation, sample)
    with LoopbackServer(moment.script) as server, ExitStack() as stack:
        configure_model(server.url)
        moment.set_up(run.path, server, monkeypatch, stack)
        pane = run.open(window, qtbot)
        with qtbot.waitSignal(pane.runner.reported, check_params_cb=moment.reached, timeout=10_000):
            run.start(reads_first=moment.reads_first)
        if phase == "sent":
            assert server.arrived.acquire(timeout=5)
        if moment.dialog is not None:
            qtbot.waitUntil(lambda: isinstance(pane.questions.dialog, moment.dialog), timeout=20_000)
            qtbot.waitUntil(lambda: QApplication.activeWindow() is pane.questions.dialog, timeout=20_000)
        else:
            pane.tree.setFocus()
        requests = len(server.requests)
        escape(pane, qtbot)
        assert pane.questions.dialog is None
        run.check(qtbot, server)
        assert len(server.requests) <= max(requests, 2)  # history and turn prefix, neither again


@pytest.mark.spec("CP-14", "CP-23")
def test_escape_when_one_of_two_passes_is_done(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    run = Run("compaction", sample)
    with LoopbackServer(done, silent) as server:
        configure_model(server.url)
        pane = run.open(window, qtbot)
        run.start()
        assert server.arrived.acquire(timeout=5)
        assert server.arrived.acquire(timeout=5)
        qtbot.waitUntil(lambda: any(each.gone.is_set() for each in server.connections), timeout=3000)
        pane.composer.text.setFocus()
        escape(pane, qtbot)
        run.check(qtbot, server)


@pytest.mark.spec("CP-18", "CP-23")
@pytest.mark.parametrize("operation", ["navigation", "compaction"])
def test_escape_just_before_the_commit(
    window: MainWindow, sample: Sample, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, operation: str
) -> None:
    """The summary is complete and the file is looked at a last time when Escape comes: nothing is written."""
    run = Run(operation, sample)
    at_the_door, go_on = threading.Event(), threading.Event()
    refresh = SessionStore.refresh

    def held_refresh(store: SessionStore) -> object:
        at_the_door.set()
        go_on.wait(10)
        return refresh(store)

    with LoopbackServer(done) as server:
        configure_model(server.url)
        pane = run.open(window, qtbot)
        monkeypatch.setattr(SessionStore, "refresh", held_refresh)
        run.start()
        qtbot.waitUntil(at_the_door.is_set, timeout=10_000)
        pane.tree.setFocus()
        try:
            escape(pane, qtbot)
        finally:
            go_on.set()
        run.check(qtbot, server)


@pytest.mark.spec("CP-18", "CP-23", "TN-10")
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_escape_at_two_hundred_random_moments(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """Each run has written its one entry or nothing, and the window is idle soon after the key."""
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    moments = random.Random(seed)
    path = write_session(tmp_path / "long.jsonl", long_session(split=True))
    script = by_pass(history=chat("one ", "two ", "three", pause_s=0.002), prefix=chat("four ", "five", pause_s=0.003))
    window.resize(700, 500)
    pressed: list[float] = []
    waits: list[float] = []
    kinds: Counter[str] = Counter()
    with LoopbackServer(script) as server:
        configure_model(server.url)
        pane = open_session(window, path, qtbot)
        session = pane.document.session
        assert session is not None
        threads = set(threading.enumerate())

        def press() -> None:
            pressed.append(time.monotonic())
            qtbot.keyClick(QApplication.focusWidget() or pane.tree, Qt.Key.Key_Escape)

        for _ in range(200):
            before = path.read_bytes()
            left = [moments.randrange(1, 14)]  # a run reports about ten times
            key = QTimer(pane)
            key.setSingleShot(True)
            key.timeout.connect(press)

            def count(_event: object, left: list[int] = left, key: QTimer = key) -> None:
                left[0] -= 1
                if left[0] == 0:
                    key.start(moments.choice((0, 0, 1, 3)))

            pane.runner.reported.connect(count)
            with qtbot.waitSignal(pane.runner.ended, timeout=10_000) as ended:
                if moments.random() < 0.5:
                    pane.navigation.go("a0", NavigationOptions(summarize=True))
                else:
                    pane.compaction.compact(CompactionOptions(keep_recent_tokens=150))
            pane.runner.reported.disconnect(count)
            key.stop()
            assert ended.args is not None
            if pressed:
                waits.append(time.monotonic() - pressed.pop())
            kind = ended.args[0].kind
            kinds[kind] += 1
            assert not session.busy
            added = path.read_bytes().removeprefix(before)
            if kind == "aborted":
                assert (added, session.leaf_id) == (b"", "s3")
            else:
                assert kind == "done"
                assert added.count(b"\n") == 1
                with qtbot.waitSignal(pane.runner.ended, timeout=10_000):
                    pane.navigation.go("s3", NavigationOptions())
        assert kinds["aborted"] > 20
        assert kinds["done"] > 20
        assert median(waits) * 1000 < LIMIT_MS
        assert server.all_gone()
        qtbot.waitUntil(
            lambda: {each for each in threading.enumerate() if each.is_alive()} <= threads | set(server._threads),
            timeout=20_000,
        )
