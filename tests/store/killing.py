"""Kill a process of ours at random moments while it appends to sessions and rewrites them, and look at the files.

usage: python -m tests.store.killing {append|rewrite} FOLDER COUNT SEED

Forks a writer, kills it, checks the file, and so on, until COUNT changes were reported as saved and LEAST_KILLS writers
were killed. Prints the numbers of kills and of changes; fails with an AssertionError. A program of its own: a process
that forks should have no threads.
"""

import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from model.entries import new_branch_summary_entry
from services.session_lock import SessionLock
from services.session_store import SessionStore
from tests.store.damaged_files import HEADER, chain, lines

TIME = "2026-02-03T09:00:00.000Z"
LONGEST_LIFE_S = {"append": 0.2, "rewrite": 0.1}
TRIALS_A_FILE = 20
LEAST_KILLS = 20


def killed(write: Callable[[int], None], life_s: float) -> list[bytes]:
    """Run `write(pipe)` in a process that is killed after a while, and return what it reported before."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            os.close(reading)
            write(writing)
        finally:
            os._exit(1)
    os.close(writing)
    try:
        first = os.read(reading, 1)  # it has begun
        time.sleep(life_s)
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    reports = first
    while part := os.read(reading, 65536):
        reports += part
    os.close(reading)
    return [line for line in reports.split(b"\n")[:-1] if line]


def append_until_killed(path: Path, pipe: int) -> None:
    store = SessionStore.open(path)
    os.write(pipe, b"\n")
    while True:
        leaf = store.index.id_of(store.index.count - 1)
        id = store.new_entry_id()
        store.append([new_branch_summary_entry(id, leaf, TIME, "pi", from_id=leaf, summary="x" * 3000)])
        os.write(pipe, id.encode() + b"\n")


def rewrite_until_killed(path: Path, pipe: int) -> None:
    store = SessionStore.open(path)
    os.write(pipe, b"\n")
    number = 0
    while True:
        number += 1
        row = number % store.index.count
        old = store.entry(row)
        store.replace_entries({row: {**old, "message": {**old["message"], "content": f"{os.getpid()} {number}"}}})
        os.write(pipe, f"{row} {os.getpid()} {number}\n".encode())


def check_appended(path: Path, before: bytes, reports: list[bytes]) -> None:
    data = path.read_bytes()
    assert data.startswith(before), "old bytes changed"
    store = SessionStore.open(path)
    missing = [id for id in reports if store.index.row_of(id.decode()) is None]
    assert not missing, f"reported as saved and not there: {missing}"
    assert store.index.parent.tolist() == list(range(-1, store.index.count - 1))
    new = [line for line in data[len(before) :].split(b"\n") if line]  # an empty one ends what a killed writer tore
    assert len(new) <= len(reports) + 1, "more than the entry that was under way"
    store.close()


def check_rewritten(path: Path, before: bytes, reports: list[bytes]) -> None:
    store = SessionStore.open(path)
    assert store.problems == ()
    latest = {int(row): b" ".join(text).decode() for row, *text in (report.split() for report in reports)}
    old_lines = before.splitlines()[1:]
    assert store.index.count == len(old_lines)
    unreported = 0
    for row, line in enumerate(old_lines):
        content = store.entry(row)["message"]["content"]
        if row in latest and content == latest[row]:
            continue
        unreported += store.raw_line(row) != line
        assert row not in latest or store.raw_line(row) != line, "a reported change is not there"
    assert unreported <= 1, "more than the change that was under way"
    backups = list(path.parent.glob(path.name + ".bak*"))
    assert len(backups) >= len(reports)
    for backup in backups:
        assert len(backup.read_bytes().splitlines()) == len(old_lines) + 1
        backup.unlink()
    store.close()


def main(kind: str, folder: Path, count: int, seed: int) -> None:
    randomness = random.Random(seed)
    SessionLock(folder).acquire()  # import what a writer needs before the first of them is forked
    trial = done = 0
    while done < count or trial < LEAST_KILLS:  # a fast machine does many changes in one life
        path = folder / f"{kind}-{trial // TRIALS_A_FILE}.jsonl"
        if not path.exists():
            path.write_bytes(lines(HEADER, *chain(30)))
        before = path.read_bytes()
        life_s = randomness.random() * LONGEST_LIFE_S[kind]
        if kind == "append":
            reports = killed(lambda pipe, path=path: append_until_killed(path, pipe), life_s)  # type: ignore[misc]
            check_appended(path, before, reports)
        else:
            reports = killed(lambda pipe, path=path: rewrite_until_killed(path, pipe), life_s)  # type: ignore[misc]
            check_rewritten(path, before, reports)
        trial += 1
        done += len(reports)
    print(trial, done)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
