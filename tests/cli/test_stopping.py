"""Ctrl+C and the death of the process: nothing is half written, and the exit code tells."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.conftest import with_model, write_settings
from tests.cli.test_changing import PRUNE_MUCH
from tests.services.loopback_server import LoopbackServer, chat, silent
from tests.services.sessions import copy_of, figure, lines_of, write_session
from tests.services.test_compaction import long_session

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of another system")


@contextmanager
def started(*arguments: object) -> Iterator["subprocess.Popen[str]"]:
    """The command as a process of its own; it is gone at the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "gui.main", *map(str, arguments)],
        cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_session(tmp_path / "s.jsonl", long_session())


def others(path: Path) -> list[str]:
    return sorted(file.name for file in path.parent.iterdir() if file != path)


@pytest.mark.spec("CP-23")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_stops_a_compaction_that_waits_for_a_model(path: Path, number: int, code: int) -> None:
    before = path.read_bytes()
    with LoopbackServer(silent) as server:
        with_model(server.url)
        with started("compact", path, "--keep", 150) as process:
            assert server.arrived.acquire(timeout=30)
            process.send_signal(number)
            out, err = process.communicate(timeout=30)
        assert (process.returncode, out) == (code, "")
        assert err == "branchwork: Stopped; nothing was written.\n"
        assert server.all_gone(), "the connection is closed"
    assert path.read_bytes() == before
    assert others(path) == []


@pytest.mark.spec("TN-10")
def test_a_stopped_navigation_says_so_in_json(tmp_path: Path) -> None:
    path = write_session(tmp_path / "s.jsonl", figure())
    before = path.read_bytes()
    with LoopbackServer(silent) as server:
        with_model(server.url)
        with started("navigate", path, "f0000000", "--summarize", "--set-resume-point", "--json") as process:
            assert server.arrived.acquire(timeout=30)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    found = json.loads(out)
    assert (found["cancelled"], found["aborted"], found["leafId"]) == (True, True, "d0000000")
    assert found["commonAncestorId"] is not None
    assert found["abandoned"][-1] == "d0000000"
    assert err.count("\n") == 1
    assert path.read_bytes() == before


def test_a_killed_process_leaves_the_file_as_it_was(path: Path) -> None:
    before = path.read_bytes()
    with LoopbackServer(silent, chat("## Goal\nAfter the kill")) as server:
        with_model(server.url)
        with started("compact", path, "--keep", 150) as process:
            assert server.arrived.acquire(timeout=30)
            process.kill()
            process.communicate(timeout=30)
        assert path.read_bytes() == before
        with started("compact", path, "--keep", 150) as process:
            process.communicate(timeout=30)
        assert process.returncode == 0, "the lock of the killed process is gone with it"
    assert "After the kill" in lines_of(path)[-1]["summary"]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("arguments", [("compact", "--keep", "500"), ("prune",), ("repair", "--out", "copy.jsonl")])
def test_whenever_it_comes_the_file_is_whole(tmp_path: Path, arguments: tuple[str, ...], number: int) -> None:
    """The signal comes at many moments; the file is always either as it was or completely changed."""
    write_settings(PRUNE_MUCH)
    command, *options = arguments
    options = [str(tmp_path / "copy.jsonl") if option == "copy.jsonl" else option for option in options]
    duration_s = _duration_s(tmp_path, command, options)
    for step in range(6):
        path = copy_of("omp-branched.jsonl", tmp_path)
        before = path.read_bytes()
        (tmp_path / "copy.jsonl").unlink(missing_ok=True)
        with started(command, path, *options) as process:
            time.sleep(duration_s * (0.4 + step * 0.1))
            process.send_signal(number)
            process.communicate(timeout=30)
        after = path.read_bytes()
        for line in after.splitlines():
            json.loads(line)
        assert after.endswith(b"\n")
        # A signal may also come when all is done and the process is about to leave: then it ends by that signal.
        assert after.startswith(before) or process.returncode in (0, -signal.SIGKILL, -number)
        if process.returncode == 130:
            assert after == before
            assert [name for name in others(path) if "tmp" in name] == []
            assert not (tmp_path / "copy.jsonl").exists()
        if (tmp_path / "copy.jsonl").exists():
            assert len((tmp_path / "copy.jsonl").read_bytes()) == len(before)


def _duration_s(tmp_path: Path, command: str, options: list[str]) -> float:
    """How long the command takes when nobody stops it."""
    path = copy_of("omp-branched.jsonl", tmp_path)
    start = time.monotonic()
    with started(command, path, *options) as process:
        process.communicate(timeout=60)
    return time.monotonic() - start


def test_a_process_that_was_told_to_ignore_ctrl_c_ignores_it(path: Path) -> None:
    with LoopbackServer(chat("## Goal\nDone")) as server:
        with_model(server.url)
        command = ["bash", "-c", 'trap "" INT; exec "$@"', "bash", sys.executable, "-m", "gui.main"]
        process = subprocess.Popen([*command, "compact", str(path), "--keep", "150"], cwd=ROOT, env=os.environ)
        assert server.arrived.acquire(timeout=30)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0
