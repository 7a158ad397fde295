"""Reading in a process of its own gives what reading in a thread gives, and ends when it should."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from services.cancellation import CancellationToken, OperationCancelled
from services.errors import ServiceError
from services.library import reader_process
from services.library.reader_process import read_in_process
from services.library.sessions import Stage
from tests.library.conftest import Library
from tests.library.session_files import SessionFile


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a process read, however little there is to read."""
    monkeypatch.setattr(reader_process, "LEAST_BYTES", 0)


@pytest.fixture
def many(folder: Path) -> list[SessionFile]:
    files = [
        SessionFile(folder / f"{number}.jsonl", prefix=f"{number:02}").user(f"alpha {number}").assistant("a", 1.0)
        for number in range(12)
    ]
    (folder / "data.jsonl").write_text('{"type":"message","id":"1"}\n{"no":"session"}\n')
    return files


def test_it_finds_the_same(
    library: Library, many: list[SessionFile], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.scan()
    monkeypatch.setattr(reader_process, "LEAST_BYTES", 0)
    other = Library(library.folders, tmp_path / "other.db").scan()
    assert {path: (session.stage, session.facts, session.cost) for path, session in other.sessions.items()} == {
        path: (session.stage, session.facts, session.cost) for path, session in library.sessions.items()
    }
    assert other.result == library.result
    phases = [update.progress.phase for update in other.updates if update.progress]
    assert list(dict.fromkeys(phases)) == ["looking", "counting", "reading"]


@pytest.mark.usefixtures("in_process")
def test_it_stops_at_once_and_goes_on_later(
    library: Library, many: list[SessionFile], monkeypatch: pytest.MonkeyPatch
) -> None:
    token = CancellationToken()
    started = subprocess.Popen

    def start(*arguments: object, **named: object) -> object:
        process = started(*arguments, **named)  # type: ignore[call-overload]
        threading.Timer(0.02, token.cancel).start()
        return process

    monkeypatch.setattr(subprocess, "Popen", start)
    with pytest.raises(OperationCancelled):
        library.scan(token)
    monkeypatch.undo()
    library.scan()
    assert all(session.stage is Stage.READ for session in library.sessions.values())
    assert library.result.cost == 12.0


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize("executable", ["/nowhere/python", "/bin/false", "/bin/echo"])
def test_where_there_is_no_process_a_thread_reads(
    library: Library, many: list[SessionFile], monkeypatch: pytest.MonkeyPatch, executable: str
) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    library.scan()
    assert all(session.stage is Stage.READ for session in library.sessions.values())


def test_what_the_disk_refuses_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ServiceError, match="cannot be kept"):
        read_in_process(tmp_path / "file" / "library.db", CancellationToken(), lambda _: None, lambda _: None)


def test_it_does_not_outlive_the_window(library: Library, many: list[SessionFile]) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    code = (
        "import time; from services.library import reader_process as r; r.Reader.run = lambda *_: time.sleep(60); "
        "r.main([%r])"
    )
    library.scan()
    with subprocess.Popen(
        [sys.executable, "-c", code % os.fspath(library.file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
    ) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(30) == 1


def test_a_frozen_program_reads_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    assert reader_process.is_possible()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert not reader_process.is_possible()
