"""What the acts of a person cost in the real window on one session file: scrolling, choosing, searching, going about.

usage: python -m tests.bench.bench_window [--again] FILE

Works on a copy of the file, without a display. Prints for each act the longest turn of the event loop: in processor
time of the window's thread, which other programs do not disturb, and on the clock, beside the idle line. For a search
also the time until the first matches were painted and until all were found; for scrolling the cost of a frame, alone
and beside a worker, which should not be more.

The yardstick says what the machine adds: reading a few thousand objects that rested for half a second, beside reading
them at once. A machine of one's own takes about as long for both; a shared one may take memory away from a program that
rests, and then counts the return of each page as processor time of whoever touches it. With --again each act is done
twice, and the second time, with its memory in place, is what counts.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QWidget

    from gui.main_window import MainWindow
    from gui.session_pane import SessionPane

    Do = Callable[[], object]
    Act = Callable[..., None]

PATIENCE_S = 120.0
REST_S = 0.15  # what is done behind an act is over then, and memory does not rest yet
UNMEASURED = ("quit", "close_session", "open_demo", "choose_file", "language_system", "language_en", "language_tr")
WORDS = ("e", "error", "import error", "naïve", "zzz-not-there")


class Turns:
    """Measures the turns of the event loop between `start` and `stop`, in milliseconds.

    A turn lasts from one look at what a person did to the next. A timer of ours would not do: others that are due are
    served before it, some of them twice.
    """

    def __init__(self) -> None:
        from PySide6.QtCore import QAbstractEventDispatcher

        self._loop = QAbstractEventDispatcher.instance()
        self._clock = self._used = 0.0
        self.longest = self.busiest = 0.0

    def start(self) -> None:
        self._clock, self._used = time.perf_counter(), time.thread_time()
        self.longest = self.busiest = 0.0
        self._loop.awake.connect(self._end_turn)

    def stop(self) -> str:
        self._loop.awake.disconnect(self._end_turn)
        return f"busiest turn {self.busiest:5.1f} ms, longest {self.longest:5.1f} ms"

    def _end_turn(self) -> None:
        clock, used = time.perf_counter(), time.thread_time()
        self.longest = max(self.longest, (clock - self._clock) * 1000)
        self.busiest = max(self.busiest, (used - self._used) * 1000)
        self._clock, self._used = clock, used


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--again", action="store_true", help="do each act twice and measure the second time")
    arguments = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as home:
        os.environ["BRANCHWORK_HOME"] = home
        measure(Path(shutil.copy(arguments.file, home)), again=arguments.again)
    return 0


def yardstick() -> str:
    """What objects cost that rested, and what they cost when they were just read, in milliseconds."""
    objects = [{"number": number, "text": str(number)} for number in range(60_000)]
    chance = random.Random(1)
    places = [chance.randrange(len(objects)) for _ in range(8_000)]

    def read() -> float:
        start = time.thread_time()
        total = 0
        for place in places:
            total += objects[place]["number"]  # type: ignore[operator]
        return (time.thread_time() - start) * 1000

    at_once, rested = [], []
    for _ in range(5):
        read()
        at_once.append(read())
        time.sleep(0.5)
        rested.append(read())
    return f"{'yardstick':32} at once {statistics.median(at_once):.1f} ms, rested {statistics.median(rested):.1f} ms"


def measure(path: Path, *, again: bool = False) -> None:
    from PySide6.QtCore import QEventLoop, QTimer

    from gui.application import make_application, make_window, settle
    from gui.theme import LIGHT

    application = make_application(sys.argv[:1])
    window = make_window(application, LIGHT)
    window.resize(1440, 900)
    window.show()
    settle(window)
    ready: list[bool] = []
    window.session_ready.connect(lambda: ready.append(True))

    def pump(until: Callable[[], bool], at_least_s: float = 0.0) -> None:
        loop, looking, start = QEventLoop(), QTimer(), time.monotonic()

        def look() -> None:
            passed = time.monotonic() - start
            if (until() and passed >= at_least_s) or passed > PATIENCE_S:
                loop.quit()

        looking.timeout.connect(look)
        looking.start(1)
        loop.exec()  # as in the window: what is to be deleted is deleted, too

    pump(lambda: window.preload.is_finished, 2.0)
    window.open_file(path)
    pump(lambda: bool(ready))
    pane = window.pane
    assert pane is not None
    pump(lambda: not pane.is_computing, 2.0)
    turns = Turns()

    def run(do: Do, at_least_s: float) -> None:
        done: list[object] = []

        def now() -> None:
            try:
                do()
            finally:
                done.append(True)

        QTimer.singleShot(0, now)  # in a turn of its own, as what a person does
        pump(lambda: bool(done) and not window.sessions.is_busy, at_least_s)

    def act(name: str, do: Do, undo: Do | None = None) -> None:
        if again:
            run(do, REST_S)
            if undo is not None:
                run(undo, REST_S)
        else:
            pump(lambda: True, 0.1)
        turns.start()
        run(do, REST_S if again else 0.5)
        print(f"{name:32} {turns.stop()}", flush=True)

    print(yardstick(), flush=True)
    act("idle", lambda: None)
    measure_scrolling(pane, application)
    for key in ("Up", "Down", "PageUp", "PageDown", "Home", "End"):
        act(f"key {key}", lambda key=key: press(pane.tree, key))
    for place in range(pane.tabs.count()):
        if pane.tabs.isTabVisible(place):
            other = (place + 1) % 2
            act(f"tab {pane.tabs.tabText(place)}", lambda place=place: pane.tabs.setCurrentIndex(place),
                lambda other=other: pane.tabs.setCurrentIndex(other))  # fmt: skip
    pane.tabs.setCurrentWidget(pane.compaction_tab)
    pump(lambda: not pane.is_computing, 0.5)
    for keep in (1000, 5000, 40_000):
        act(f"slider to {keep}", lambda keep=keep: pane.compaction_tab.keep.setValue(keep),
            lambda: pane.compaction_tab.keep.setValue(20_000))  # fmt: skip
    pane.tabs.setCurrentIndex(0)
    for mode in ("no-tools", "user-only", "all", "default"):
        act(f"filter {mode}", lambda mode=mode: window.set_filter(mode), lambda: window.set_filter("labeled-only"))
    measure_search(pane, turns, pump)
    jumps, view = pane.jumps, pane.map_view
    for name in ("leaf", "previous_fork", "parent", "child", "next_branch", "next_fork", "next_label"):
        act(name.replace("_", " "), getattr(jumps, f"to_{name}"), jumps.back)
    act("back", jumps.back, jumps.forward)
    act("forward", jumps.forward, jumps.back)
    points = window.going.branch_points
    act("branch points only", points.trigger, points.trigger)
    act("all rows again", points.trigger, points.trigger)
    act("timeline", pane.show_timeline, lambda: pane.tabs.setCurrentIndex(0))
    heads = sorted(pane.document.outline.hides if pane.document.outline else ())
    if heads:
        pane.tree.select_entry(heads[len(heads) // 2])
        act("comparison", pane.show_comparison, lambda: pane.tabs.setCurrentIndex(0))
    for _ in range(3):
        act(f"map, zoom {view.zoom:.0f}", lambda: (view.viewport().repaint(), view.zoom_by(8)))
    act("label", lambda: pane.edits.set_label("marked"), lambda: pane.edits.set_label(""))
    for text in ("dark", "contrast", "light"):
        other = "light" if text == "dark" else "dark"
        act(f"theme {text}", lambda text=text: window.assistance.theme_chosen.emit(text),
            lambda other=other: window.assistance.theme_chosen.emit(other))  # fmt: skip
    measure_gestures(window, act)
    measure_commands(window, act, pump)
    tabs = window.sessions
    act("second session", window.open_demo, window.close_session)
    act("the first again", lambda: tabs.setCurrentIndex(0), lambda: tabs.setCurrentIndex(1))
    act("the second again", lambda: tabs.setCurrentIndex(1), lambda: tabs.setCurrentIndex(0))
    act("closed again", window.close_session, window.open_demo)
    act("the file closed", window.close_session, lambda: window.open_file(path))
    act("the file again", lambda: window.open_file(path), window.close_session)
    window.close()
    pump(lambda: True, 0.2)


def measure_gestures(window: MainWindow, act: Act) -> None:
    """What has no command: folds, the window's size, entries that are large."""
    pane = window.pane
    assert pane is not None
    tree, store = pane.tree, pane.document.store
    assert store is not None
    for key in ("Left", "Right"):
        act(f"key {key}", lambda key=key: press(tree, key))
    size = window.size()
    act("smaller window", lambda: window.resize(900, 600), lambda: window.resize(size))
    act("larger window", lambda: window.resize(size), lambda: window.resize(900, 600))
    lengths = store.index.length
    for row in lengths.argsort()[-3:].tolist():
        act(f"entry of {lengths[row]:,} bytes", lambda row=row: tree.select_entry(row), pane.go_to_leaf)
        forms = pane.entry_tab.forms
        for name, button in forms.items():
            act(f"  {name}", button.click, forms["rendered" if name == "json" else "json"].click)


def measure_commands(window: MainWindow, act: Act, pump: Callable[..., None]) -> None:
    """Every command of the window, and closing what it opened."""
    from PySide6.QtWidgets import QApplication
    from shiboken6 import isValid

    for command in window.assistance.shortcuts.actions():
        name = command.objectName()
        if name in UNMEASURED or not command.isEnabled():
            continue
        act(f"command {name}", command.trigger, command.trigger if command.isCheckable() else close_opened)
        while (opened := QApplication.activePopupWidget() or QApplication.activeModalWidget()) is not None:
            act("  closed", close_opened, command.trigger)
            pump(lambda opened=opened: not isValid(opened) or not opened.isVisible())


def close_opened() -> None:
    """Close the dialog or menu that is in front, if there is one."""
    from PySide6.QtWidgets import QApplication

    if (opened := QApplication.activePopupWidget() or QApplication.activeModalWidget()) is not None:
        opened.close()


def press(widget: QWidget, key: str) -> None:
    """Press a key as Qt's tests do."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    QTest.keyClick(widget, Qt.Key[f"Key_{key}"])


def measure_scrolling(pane: SessionPane, application: QApplication) -> None:
    """Jump to places and paint them at once, and scroll on by some rows: milliseconds of processor time a frame."""
    bar, view = pane.tree.verticalScrollBar(), pane.tree.viewport()
    chance = random.Random(1)

    def frames(name: str, values: list[int]) -> None:
        spent, passed = [], []
        for value in values:
            start, clock = time.thread_time(), time.perf_counter()
            bar.setSliderPosition(value)  # as the wheel and the mouse do
            view.repaint()
            spent.append((time.thread_time() - start) * 1000)
            passed.append((time.perf_counter() - clock) * 1000)
            application.processEvents()
        spent.sort()
        print(f"{name:32} median {spent[len(spent) // 2]:5.1f} ms, 95 % {spent[int(len(spent) * 0.95)]:5.1f} ms, "
              f"worst {spent[-1]:5.1f} ms; on the clock {statistics.median(passed):5.1f} ms", flush=True)  # fmt: skip

    places = [chance.randrange(bar.maximum() + 1) for _ in range(200)]
    frames("jump and paint", places)
    frames("the same places again", places)
    with decoding(pane):
        frames("and beside a busy worker", places)
    frames("scroll by three rows", [min(bar.maximum(), 3 * step) for step in range(200)])


@contextmanager
def decoding(pane: SessionPane) -> Iterator[None]:
    """A worker that decodes entries all the time, as those do that add up a large session."""
    from model.interruptions import interruptible
    from services.cancellation import CancellationToken, OperationCancelled

    store, token = pane.document.store, CancellationToken()
    assert store is not None

    def work() -> None:
        with suppress(OperationCancelled), interruptible(token.raise_if_set):
            while True:
                for first in range(0, store.index.count, 64):
                    store.entries(range(first, min(first + 64, store.index.count)))

    worker = threading.Thread(target=work)
    worker.start()
    yield
    token.cancel()
    worker.join()


def measure_search(pane: SessionPane, turns: Turns, pump: Callable[..., None]) -> None:
    from PySide6.QtCore import QEvent, QObject

    painted: list[float] = []

    class Watcher(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            rows = pane.document.rows
            if event.type() == QEvent.Type.Paint and rows is not None and not painted:
                in_view = pane.tree.entries_in_view()
                if any(rows.content(row).matched_words for row in in_view):
                    painted.append(time.perf_counter())
            return False

    watcher = Watcher()
    pane.tree.viewport().installEventFilter(watcher)
    pane.open_search()
    for word in (WORDS[-1], *WORDS):  # the first search also looks for lines that are written in an unusual way
        pane.search_bar.text.clear()
        pump(lambda: not pane.is_computing, 0.2)
        painted.clear()
        turns.start()
        start = time.perf_counter()
        pane.search_bar.text.setText(word)
        pump(lambda: not pane.is_computing)
        seconds = time.perf_counter() - start
        first = f"first painted after {(painted[0] - start) * 1000:.0f} ms, " if painted else ""
        found = f"{first}{pane.search_bar.state.text()} after {seconds:.2f} s"
        print(f"{f'search {word}':32} {turns.stop()}; {found}", flush=True)
    pane.search_bar.leave()


if __name__ == "__main__":
    raise SystemExit(main())
