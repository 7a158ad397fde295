"""What opening, following and appending cost in the store, as ratios, beside the targets of the project.

usage: python -m tests.bench.bench_store [--entries N] [--preset tiny|real] [--rounds K] [--folder DIR]

Makes session files of N entries and of 1 000, measures each figure in fresh processes that take turns, and prints
medians of ratios formed inside a round. With PI_PEER (the package directory of the Pi agent) and PI_NODE (a Node
binary) set, Pi opens the same files in the same rounds; otherwise the rows that compare with it are left out. Absolute
times are of the machine at hand: quote the ratios.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

Figures = dict[str, float]

ROOT = Path(__file__).parents[2]
SMALL = 1000
BEAT_MS = 4
LIVE_ENTRIES = 60
BURST_ENTRIES = 20_000
PI_OPEN = """
import { readFileSync } from "node:fs";
const { SessionManager } = await import(process.argv[1] + "/dist/core/session-manager.js");
const start = performance.now();
const cpu = process.cpuUsage();
const session = SessionManager.open(process.argv[2]);
const open_s = (performance.now() - start) / 1000;
const used = process.cpuUsage(cpu);
const open_cpu_s = (used.user + used.system) / 1e6;
const peak_mb = Number(readFileSync("/proc/self/status", "utf8").match(/VmHWM:\\s+(\\d+)/)[1]) / 1024;
const tree = performance.now();
session.getTree();
console.log(JSON.stringify({ open_s, open_cpu_s, peak_mb, tree_s: (performance.now() - tree) / 1000 }));
"""


def like_the_application() -> None:
    """Give the interpreter back soon, and collect at no moment that matters, as `gui/application.py` has it."""
    sys.setswitchinterval(0.00005)
    gc.collect()
    gc.freeze()
    gc.disable()


# Workers: each runs in a process of its own and prints one line of figures


def lines(path: Path) -> Figures:
    """Index a file and merely iterate its lines, by turns."""
    from services.session_reading import SessionReader
    from services.session_store import SessionStore

    ratios, index_s = [], []
    for _ in range(5):
        start = time.perf_counter()
        with path.open("rb") as file:
            for _line in file:
                pass
        middle = time.perf_counter()
        SessionReader(path).read()
        index_s.append(time.perf_counter() - middle)
        ratios.append(index_s[-1] / (middle - start))
    start = time.process_time()
    store = SessionStore.open(path)
    middle = time.process_time()
    store.measure()
    return {
        "index_s": min(index_s),
        "lines_ratio": statistics.median(ratios),
        "index_cpu_s": middle - start,
        "measure_cpu_s": time.process_time() - middle,
    }


def memory(path: Path) -> Figures:
    """Anonymous memory that an index adds, before and after its bodies were measured."""
    import msgspec  # noqa: F401 - so that only the index is counted
    import numpy  # noqa: F401

    from services.session_store import SessionStore

    SessionStore.open(path.with_name("small.jsonl")).measure()
    before = status_mb("RssAnon")
    store = SessionStore.open(path)
    opened = status_mb("RssAnon")
    store.measure()
    per_entry = 2**20 / store.index.count
    return {
        "entry_bytes": (opened - before) * per_entry,
        "measured_entry_bytes": (status_mb("RssAnon") - before) * per_entry,
    }


def load(path: Path) -> Figures:
    """Load a file in the background of an event loop: times to the first rows, the whole tree, the measures; stalls."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    import services.session_store  # noqa: F401 - the application imports it when idle
    from services.session_loader import SessionLoader

    like_the_application()
    application = QApplication([])  # noqa: F841 - it has to be there
    loader = SessionLoader(path)
    marks: Figures = {}
    beats: list[float] = []
    timer = QTimer()
    timer.setInterval(BEAT_MS)
    timer.timeout.connect(lambda: beats.append(time.perf_counter()))
    timer.start()
    run_until(lambda: len(beats) > 100)
    idle = gaps_ms(beats)
    start = time.perf_counter()
    beats[:] = [start]
    loader.snapshot.connect(
        lambda store: marks.setdefault("first_s" if store.partial else "tree_s", time.perf_counter() - start)
    )
    loader.measured.connect(lambda _: marks.setdefault("measured_s", time.perf_counter() - start))
    loader.start()
    run_until(lambda: "measured_s" in marks)
    busy = gaps_ms(beats)
    loader.wait()
    marks.setdefault("first_s", marks["tree_s"])
    return {
        **marks,
        "peak_mb": status_mb("VmHWM"),
        "idle_worst_ms": idle[-1],
        "worst_ms": busy[-1],
        "p99_ms": busy[int(len(busy) * 0.99)],
        "over_16": sum(gap > 16 for gap in busy),
    }


def live(path: Path) -> Figures:
    """Another process appends single entries: from written to told, and what the store itself takes."""
    from PySide6.QtWidgets import QApplication

    from services.session_follower import SessionFollower
    from services.session_store import SessionStore

    application = QApplication([])  # noqa: F841 - it has to be there
    store = SessionStore.open(path)
    store.measure()
    line = path.read_bytes()[-4000:].splitlines()[-1]
    told: list[float] = []
    taken: list[float] = []
    follower = SessionFollower(store)
    follower.changed.connect(lambda _: told.append(time.perf_counter()))
    follower.start()
    waits = []
    for number in range(LIVE_ENTRIES):
        run_until(pause(0.06))
        count = len(told)
        start = time.perf_counter()
        append(path, line, number)
        run_until(lambda count=count: len(told) > count)  # type: ignore[misc]
        waits.append(told[-1] - start)
    follower.stop()
    follower.wait()
    for number in range(LIVE_ENTRIES, 2 * LIVE_ENTRIES):
        append(path, line, number)
        start = time.perf_counter()
        store.refresh()
        taken.append(time.perf_counter() - start)
    own = []
    for number in range(LIVE_ENTRIES):
        entry = {"type": "custom", "id": f"own-{number}", "parentId": None, "timestamp": "x", "customType": "x"}
        start = time.perf_counter()
        store.append([entry], durable=False)
        own.append(time.perf_counter() - start)
    return {
        "told_ms": statistics.median(waits) * 1e3,
        "take_in_us": statistics.median(taken) * 1e6,
        "append_us": statistics.median(own) * 1e6,
    }


def burst(path: Path) -> Figures:
    """Another process appends as fast as it can: entries followed a second, and stalls."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from services.session_follower import SessionFollower
    from services.session_store import SessionStore

    like_the_application()
    application = QApplication([])  # noqa: F841 - it has to be there
    store = SessionStore.open(path)
    store.measure()
    last = store.index.count + BURST_ENTRIES
    follower = SessionFollower(store)
    follower.start()
    beats: list[float] = []
    timer = QTimer()
    timer.setInterval(BEAT_MS)
    timer.timeout.connect(lambda: beats.append(time.perf_counter()))
    timer.start()
    start = time.perf_counter()
    with subprocess.Popen(worker("write", path), cwd=ROOT) as writer:
        run_until(lambda: writer.poll() is not None)
        written = time.perf_counter()
        run_until(lambda: store.index.count >= last)
    done = time.perf_counter()
    follower.stop()
    follower.wait()
    gaps = gaps_ms(beats)
    return {
        "followed_per_s": BURST_ENTRIES / (done - start),
        "lag_ms": (done - written) * 1e3,
        "burst_worst_ms": gaps[-1],
    }


def write(path: Path) -> Figures:
    """Append many entries in single writes; not a measurement."""
    line = path.read_bytes()[-4000:].splitlines()[-1]
    for number in range(BURST_ENTRIES):
        append(path, line, number)
    return {}


def saved(path: Path) -> Figures:
    """Open a file from its saved index."""
    from services.saved_indexes import SavedIndexes
    from services.session_store import SessionStore

    indexes = SavedIndexes(path.parent / "indexes")
    store = SessionStore.open(path, saved=indexes)
    if not store.index.measured:
        store.measure()
        store.save_index(indexes)
    store.close()
    start = time.perf_counter()
    again = SessionStore.open(path, saved=indexes)
    seconds = time.perf_counter() - start
    return {"reopen_s": seconds, "measured": float(again.index.measured)}


WORKERS: dict[str, Callable[[Path], Figures]] = {
    worker.__name__: worker for worker in (lines, memory, load, live, burst, write, saved)
}


# Their tools


def append(path: Path, line: bytes, number: int) -> None:
    """Append a copy of an entry under an id of its own, in one write."""
    handle = os.open(path, os.O_WRONLY | os.O_APPEND)
    os.write(handle, re.sub(rb'"id":"[^"]*"', b'"id":"g%07x"' % number, line, count=1) + b"\n")
    os.close(handle)


def run_until(done: Callable[[], bool], longest_s: float = 300) -> None:
    """Run the event loop of this thread until something is done."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    until = time.perf_counter() + longest_s
    timer = QTimer()
    timer.timeout.connect(lambda: loop.quit() if done() or time.perf_counter() > until else None)
    timer.start(2)
    loop.exec()


def pause(seconds: float) -> Callable[[], bool]:
    until = time.perf_counter() + seconds
    return lambda: time.perf_counter() > until


def gaps_ms(beats: list[float]) -> list[float]:
    return sorted((b - a) * 1e3 for a, b in pairwise(beats)) or [0.0]


def status_mb(name: str) -> float:
    match = re.search(rf"{name}:\s+(\d+)", Path("/proc/self/status").read_text("ascii"))
    return int(match[1]) / 1024 if match else 0.0


def worker(name: str, path: Path) -> list[str]:
    return [sys.executable, "-m", "tests.bench.bench_store", "--worker", name, str(path)]


# The rounds


def figures(name: str, path: Path) -> Figures:
    """Run a worker and return its figures."""
    copy = path.with_name(f"copy-{path.name}") if name in ("live", "burst") else path
    if copy != path:
        shutil.copyfile(path, copy)
    environment = {**os.environ, "BRANCHWORK_HOME": str(path.parent / "home"), "QT_QPA_PLATFORM": "offscreen"}
    shutil.rmtree(path.parent / "home", ignore_errors=True)
    out = subprocess.run(worker(name, copy), cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    if copy != path:
        copy.unlink()
    return {key: float(value) for key, value in json.loads(out.stdout.splitlines()[-1]).items()}


def pi(path: Path) -> Figures:
    """Have Pi open a file; nothing without it, or where it fails."""
    peer, node = os.environ.get("PI_PEER"), os.environ.get("PI_NODE", "node")
    if not peer:
        return {}
    command = [node, "--input-type=module", "-e", PI_OPEN, peer, str(path)]
    out = subprocess.run(command, check=False, capture_output=True, text=True)
    return json.loads(out.stdout) if out.returncode == 0 else {}


def one_round(small: Path, large: Path) -> dict[str, float]:
    """Measure everything once, and return the figures and ratios of the report."""
    both = {name: (figures(name, small), figures(name, large)) for name in ("load", "live")}
    (small_load, load_), (small_live, live_) = both["load"], both["live"]
    read, held, reopened, bursts = (figures(name, large) for name in ("lines", "memory", "saved", "burst"))
    peer = pi(large)
    report = {
        "T2 first rows, large / small": load_["first_s"] / small_load["first_s"],
        "T4 index / for line in file": read["lines_ratio"],
        "T6 bytes an entry": held["entry_bytes"],
        "   bytes an entry, measured": held["measured_entry_bytes"],
        "T7 worst gap, ms": load_["worst_ms"],
        "   99th percentile, ms": load_["p99_ms"],
        "   gaps over 16 ms": load_["over_16"],
        "   worst / idle worst": load_["worst_ms"] / load_["idle_worst_ms"],
        "T8 written to told, large / small": live_["told_ms"] / small_live["told_ms"],
        "   written to told, ms": live_["told_ms"],
        "   taken in, large / small": live_["take_in_us"] / small_live["take_in_us"],
        "   taken in, us": live_["take_in_us"],
        "   appended by us, us": live_["append_us"],
        "T9 entries followed a second": bursts["followed_per_s"],
        "   worst gap, ms ": bursts["burst_worst_ms"],
        "   behind the writer, ms": bursts["lag_ms"],
        "first rows, s": load_["first_s"],
        "whole tree, s": load_["tree_s"],
        "all measured, s": load_["measured_s"],
        "index alone, s": read["index_s"],
        "reopened, s": reopened["reopen_s"],
        "peak memory, MB": load_["peak_mb"],
    }
    if peer:
        report |= {
            "T1 first rows / Pi open": load_["first_s"] / peer["open_s"],
            "T3 whole tree / Pi open": load_["tree_s"] / peer["open_s"],
            "   in processor time": read["index_cpu_s"] / peer["open_cpu_s"],
            "T5 peak memory / Pi": load_["peak_mb"] / peer["peak_mb"],
            "T8 taken in / Pi getTree": live_["take_in_us"] / 1e6 / peer["tree_s"],
            "T11 measures / Pi open": (load_["measured_s"] - load_["tree_s"]) / peer["open_s"],
            "   in processor time ": read["measure_cpu_s"] / peer["open_cpu_s"],
            "T20 reopened / Pi open": reopened["reopen_s"] / peer["open_s"],
            "Pi open, s": peer["open_s"],
        }
    return report


TARGETS = {
    "T2 first rows, large / small": "<= 1.5",
    "T1 first rows / Pi open": "100k <= 0.05, 1M tiny <= 0.015",
    "T3 whole tree / Pi open": "10k <= 0.5, 100k <= 0.15, 1M tiny <= 0.20",
    "   in processor time": "the same; for a machine that others use, too",
    "   in processor time ": "the same",
    "T4 index / for line in file": "100k <= 2",
    "T5 peak memory / Pi": "<= 0.25",
    "T6 bytes an entry": "1M tiny <= 100",
    "T7 worst gap, ms": "<= 50",
    "   99th percentile, ms": "<= 16",
    "   gaps over 16 ms": "0 in the median",
    "   worst / idle worst": "<= 3",
    "T8 written to told, large / small": "<= 1.3 (painted)",
    "   written to told, ms": "<= 50 (painted)",
    "T8 taken in / Pi getTree": "100k <= 0.03 (painted)",
    "T9 entries followed a second": ">= 5000",
    "   worst gap, ms ": "<= 50",
    "T11 measures / Pi open": "100k <= 0.6",
    "T20 reopened / Pi open": "r1m <= 0.01",
}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=20_000)
    parser.add_argument("--preset", default="tiny")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="where the files are made and kept; default: a temporary one")
    parser.add_argument("--worker", nargs=2, metavar=("NAME", "FILE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        print(json.dumps(WORKERS[options.worker[0]](Path(options.worker[1]))), flush=True)
        os._exit(0)
    folder = options.folder or Path(tempfile.mkdtemp(prefix="bench-store-"))
    folder.mkdir(parents=True, exist_ok=True)
    small, large = folder / "small.jsonl", folder / f"{options.preset}-{options.entries}.jsonl"
    for path, count in ((small, SMALL), (large, options.entries)):
        if not path.exists():
            maker = ["-m", "tests.bench.make_session", "--entries", str(count), "--preset", options.preset]
            subprocess.run([sys.executable, *maker, "--out", str(path)], cwd=ROOT, check=True)
    rounds = [one_round(small, large) for _ in range(options.rounds)]
    print(f"{options.entries} entries, preset {options.preset}, {large.stat().st_size >> 20} MB, {len(rounds)} rounds")
    for name in rounds[0]:
        values = [figures_[name] for figures_ in rounds]
        print(f"{name:36} {statistics.median(values):12.3f}   {TARGETS.get(name, '')}")
    if options.folder is None:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
