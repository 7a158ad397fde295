"""How long the window's thread is blocked while a session loads: a 4 ms timer, and the longest wait between two beats.

usage: python -m tests.bench.heartbeat FILE [--runs N]
Prints, per run, milliseconds: idle worst, loading worst and 99th percentile, and the times to the first rows and to the
complete tree. The idle worst of the same run is what to compare with; on a machine that others use, too, the processor
time of the worst turn tells what the window itself spent.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from itertools import pairwise
from pathlib import Path

BEAT_MS = 4


def beat(path: Path) -> dict[str, float]:
    """Open `path` in the real window and return the figures of one run."""
    from PySide6.QtCore import QTimer

    from gui.application import make_application, make_window, settle
    from gui.theme import LIGHT

    application = make_application(["heartbeat"])
    window = make_window(application, LIGHT)
    window.resize(1440, 900)
    window.show()
    beats: list[float] = []
    spent: list[float] = []
    timer = QTimer()
    timer.setInterval(BEAT_MS)

    def tick() -> None:
        beats.append(time.perf_counter())
        spent.append(time.thread_time())
        if (tree := getattr(window.pane, "tree", None)) is not None:
            tree.viewport().update()

    timer.timeout.connect(tick)

    def pump(seconds: float) -> None:
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            application.processEvents()
            time.sleep(0.0005)

    pump(0.2)
    timer.start()
    settle(window)
    pump(2.0)
    preloading = gaps(beats)
    beats.clear()
    pump(1.0)
    idle = gaps(beats)
    beats.clear()
    marks: dict[str, float] = {}
    start = time.perf_counter()
    beats.append(start)
    spent[:] = [time.thread_time()]
    window.session_shown.connect(lambda: marks.setdefault("first_rows", time.perf_counter() - start))
    window.session_ready.connect(lambda: marks.setdefault("ready", time.perf_counter() - start))
    window.open_file(path)
    opening = (time.perf_counter() - start) * 1e3
    while "ready" not in marks and time.perf_counter() - start < 120:
        pump(0.02)
    pump(2.0)
    loading = gaps(beats)
    window.close()
    pump(0.1)
    return {
        "preloading_worst_ms": max(preloading),
        "idle_worst_ms": max(idle),
        "open_call_ms": opening,
        "loading_worst_ms": max(loading),
        "loading_worst_processor_ms": max(gaps(spent)),
        "loading_p99_ms": sorted(loading)[int(len(loading) * 0.99)],
        "over_16_ms": float(sum(gap > 16 for gap in loading)),
        "over_50_ms": float(sum(gap > 50 for gap in loading)),
        "first_rows_ms": marks["first_rows"] * 1e3,
        "ready_ms": marks["ready"] * 1e3,
    }


def gaps(beats: list[float]) -> list[float]:
    """Milliseconds between beats."""
    return [(after - before) * 1e3 for before, after in pairwise(beats)]


def main() -> None:
    """Print the figures of a fresh process a run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--runs", type=int, default=1)
    given = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["BRANCHWORK_HOME"] = tempfile.mkdtemp(prefix="branchwork-bench-")
    results: list[dict[str, float]] = []
    for _ in range(given.runs):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            import json

            os.write(writer, json.dumps(beat(given.file)).encode())
            os._exit(0)
        os.close(writer)
        os.waitpid(child, 0)
        import json

        results.append(json.loads(os.read(reader, 65536)))
        os.close(reader)
    for key in results[0]:
        values = [result[key] for result in results]
        print(f"{key:26} {statistics.median(values):8.1f}   ({min(values):.1f} to {max(values):.1f})")


if __name__ == "__main__":
    main()
