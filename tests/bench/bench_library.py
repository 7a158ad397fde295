"""What the library costs for a folder of sessions, as ratios to reading and to decoding all lines of the same files.

usage: python -m tests.bench.bench_library [--sessions N] [--entries N] [--huge MB] [--rounds K] [--window]
       [--folder DIR]

Makes N session files (with --huge one more of about that size), then measures in fresh processes that take turns:
the first rows, all rows, all counts, everything read, a second scan, the peak of memory, and a search. With PI_PEER
(the package directory of the Pi agent) and PI_NODE (a Node binary) set, Pi lists the same folder in the same rounds.
--window scans behind the real window and measures how long its thread is ever blocked, and what a key in the search
field costs. Absolute times are of the machine at hand: quote the ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

Figures = dict[str, float]

ROOT = Path(__file__).parents[2]
BEAT_MS = 4
WORD = "compaction"
PI_LIST = """
const { SessionManager } = await import(process.argv[1] + "/dist/core/session-manager.js");
const start = performance.now();
const found = await SessionManager.list("/work-tree/demo", process.argv[2]);
console.log(JSON.stringify({ list_s: (performance.now() - start) / 1000, sessions: found.length }));
"""


def make_sessions(folder: Path, sessions: int, entries: int, huge_mb: int) -> None:
    """Write the session files that are not there yet."""
    from tests.bench.make_session import main as make

    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(1, sessions + 1):
        file = folder / f"--project-{seed % 10}--" / f"{seed:05}.jsonl"
        if not file.exists():
            file.parent.mkdir(exist_ok=True)
            make(["--entries", str(entries), "--seed", str(seed), "--out", str(file)])
            text = file.read_text("utf-8")
            file.write_text(text.replace("/work-tree/demo", f"/work-tree/demo-{seed % 10}", 1), "utf-8")
    huge = folder / f"huge-{huge_mb}.jsonl"
    if huge_mb and not huge.exists():
        make(["--entries", str(huge_mb * 450), "--seed", "99999", "--out", str(huge)])


# Workers: each runs in a process of its own and prints one line of figures


def read_lines(folder: Path) -> Figures:
    """Merely iterate all lines."""
    start = time.perf_counter()
    count = 0
    for path in sorted(folder.rglob("*.jsonl")):
        with path.open("rb") as file:
            count += sum(1 for _ in file)
    return {"lines_s": time.perf_counter() - start, "lines": count}


def decode_lines(folder: Path) -> Figures:
    """Decode all lines with the standard library."""
    start = time.perf_counter()
    for path in sorted(folder.rglob("*.jsonl")):
        with path.open("rb") as file:
            for line in file:
                json.loads(line)
    return {"decode_s": time.perf_counter() - start}


def scan(folder: Path) -> Figures:
    """Scan the folder twice and search it once."""
    from services.cancellation import CancellationToken
    from services.library.scanning import LibraryUpdate, scan_library
    from services.library.searching import search_sessions
    from services.library.sessions import LibrarySession, Stage

    index = Path(tempfile.mkdtemp(prefix="branchwork-bench-")) / "library.db"
    sessions: dict[Path, LibrarySession] = {}
    marks: Figures = {}
    start = time.perf_counter()

    def take(update: LibraryUpdate) -> None:
        now = time.perf_counter() - start
        was_known = len(sessions)
        sessions.update((session.path, session) for session in update.sessions)
        if sessions:
            marks.setdefault("first_rows_s", now)
        if len(sessions) > was_known:
            marks["rows_s"] = now
        if sessions and all(session.stage >= Stage.COUNTED for session in sessions.values()):
            marks.setdefault("counts_s", now)

    scan_library([folder], CancellationToken(), take, file=index)
    marks["all_s"] = time.perf_counter() - start
    start = time.perf_counter()
    scan_library([folder], CancellationToken(), take, file=index)
    marks["again_s"] = time.perf_counter() - start
    start = time.perf_counter()
    found = search_sessions(WORD, sessions.values(), CancellationToken(), file=index)
    marks["search_ms"] = (time.perf_counter() - start) * 1e3
    marks["hits"] = sum(each.count for each in found)
    marks["index_share"] = index.stat().st_size / sum(session.size for session in sessions.values())
    marks["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    shutil.rmtree(index.parent)
    return marks


def window(folder: Path) -> Figures:
    """Scan behind the real window, then type into its search field."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["PI_CODING_AGENT_SESSION_DIR"] = str(folder)
    os.environ["BRANCHWORK_HOME"] = tempfile.mkdtemp(prefix="branchwork-bench-")
    from PySide6.QtCore import QTimer

    from gui.application import make_application, make_window, settle
    from gui.theme import LIGHT

    application = make_application(["bench"])
    made = make_window(application, LIGHT)
    made.resize(1440, 900)
    made.show()
    beats: list[float] = []
    timer = QTimer(interval=BEAT_MS)

    def tick() -> None:
        beats.append(time.perf_counter())
        if made.library.pane is not None:
            made.library.pane.view.viewport().update()

    timer.timeout.connect(tick)

    def pump(seconds: float) -> None:
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            application.processEvents()
            time.sleep(0.0005)

    pump(0.2)
    started = time.perf_counter()
    settle(made)
    while made.library.pane is None or not made.library.pane.model.rowCount():
        pump(0.005)
    pane = made.library.pane
    figures = {"window_first_rows_s": time.perf_counter() - started}
    pump(0.5)
    timer.start()
    while pane.control.is_scanning:
        pump(0.05)
    scanning = gaps(beats)
    pump(0.5)
    beats.clear()
    pump(1.0)
    figures["idle_worst_ms"] = max(gaps(beats))
    figures |= {"scan_worst_ms": max(scanning), "scan_p99_ms": sorted(scanning)[int(len(scanning) * 0.99)]}
    figures["scan_over_50_ms"] = float(sum(gap > 50 for gap in scanning))
    keys = []
    for end in range(1, 9):
        start = time.perf_counter()
        pane.field.setText("demo-3 token"[:end])
        pane.view.viewport().repaint()
        keys.append((time.perf_counter() - start) * 1e3)
    figures["key_worst_ms"] = max(keys)
    made.close()
    pump(0.2)
    shutil.rmtree(os.environ["BRANCHWORK_HOME"])
    return figures


def gaps(beats: list[float]) -> list[float]:
    """Milliseconds between beats."""
    return [(after - before) * 1e3 for before, after in pairwise(beats)]


WORKERS = {"lines": read_lines, "decode": decode_lines, "scan": scan, "window": window}


def run(worker: str, folder: Path) -> Figures:
    """Run a worker in a fresh process."""
    command = [sys.executable, "-m", "tests.bench.bench_library", "--worker", worker, "--folder", str(folder)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def pi_list(folder: Path) -> Figures:
    """Let Pi list one folder of the project's sessions, where it is there."""
    node = os.environ.get("PI_NODE", "node")
    command = [node, "--input-type=module", "-e", PI_LIST, os.environ["PI_PEER"], str(folder)]
    return dict(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def main() -> None:
    """Print medians over the rounds, and ratios formed inside a round."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=300)
    parser.add_argument("--entries", type=int, default=400)
    parser.add_argument("--huge", type=int, default=0, metavar="MB")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "branchwork-bench-sessions")
    parser.add_argument("--window", action="store_true")
    parser.add_argument("--worker", choices=WORKERS)
    given = parser.parse_args()
    if given.worker:
        print(json.dumps(WORKERS[given.worker](given.folder)))
        return
    make_sessions(given.folder, given.sessions, given.entries, given.huge)
    rounds: list[Figures] = []
    for _ in range(given.rounds):
        figures = run("lines", given.folder) | run("decode", given.folder) | run("scan", given.folder)
        for name in ("first_rows_s", "rows_s", "counts_s", "all_s", "again_s"):
            figures[f"{name[:-2]} / lines"] = figures[name] / figures["lines_s"]
            figures[f"{name[:-2]} / decode"] = figures[name] / figures["decode_s"]
        if "PI_PEER" in os.environ:
            figures |= pi_list(given.folder)
            figures["rows / pi list"] = figures["rows_s"] / figures["list_s"]
            figures["counts / pi list"] = figures["counts_s"] / figures["list_s"]
        if given.window:
            figures |= run("window", given.folder)
        rounds.append(figures)
    size = sum(path.stat().st_size for path in given.folder.rglob("*.jsonl"))
    print(f"{given.sessions} sessions, {size / 1e6:.0f} MB, median of {given.rounds} rounds (least to most)")
    for name in rounds[0]:
        values = [figures[name] for figures in rounds]
        print(f"{name:22} {statistics.median(values):10.3f}   ({min(values):.3f} to {max(values):.3f})")


if __name__ == "__main__":
    main()
