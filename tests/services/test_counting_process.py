"""Exact counts by another process: right, stoppable, and with a sentence when it fails."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from services import counting_process
from services.cancellation import CancellationToken, OperationCancelled
from services.counting_process import count_in_process
from services.errors import ServiceError
from services.token_counter import exact_token_counter


def test_it_counts_as_the_counter_does() -> None:
    texts = ["hello world", "สวัสดี", "", "\ud83d <|endoftext|>", "x" * 70_000]
    assert count_in_process(texts, CancellationToken()) == exact_token_counter().count_all(texts)


def test_it_stops_when_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that would never answer is ended, and nothing waits for it."""
    started: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def endless(command: list[str], **more: object) -> subprocess.Popen[bytes]:
        process = popen(
            [sys.executable, "-c", "import time; time.sleep(600)"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        started.append(process)
        is_running.set()
        return process

    is_running = threading.Event()
    monkeypatch.setattr(counting_process.subprocess, "Popen", endless)
    token = CancellationToken()
    raised: list[BaseException] = []

    def count() -> None:
        try:
            count_in_process(["x"], token)
        except OperationCancelled as error:
            raised.append(error)

    thread = threading.Thread(target=count)
    thread.start()
    assert is_running.wait(30)
    token.cancel()
    thread.join(30)
    assert not thread.is_alive()
    assert raised
    assert started[0].poll() is not None


@pytest.mark.parametrize("program", ["import sys; sys.exit(3)", "print('{}')", "print('[1')", "import os; os.close(0)"])
def test_an_odd_answer_is_a_failure(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    popen = subprocess.Popen
    monkeypatch.setattr(
        counting_process.subprocess,
        "Popen",
        lambda _command, **more: popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE),
    )
    with pytest.raises(ServiceError, match="can't be counted"):
        count_in_process(["x" * 1_000_000], CancellationToken())


def test_no_process_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object, **__: object) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(counting_process.subprocess, "Popen", none)
    with pytest.raises(ServiceError, match="no other process"):
        count_in_process(["x"], CancellationToken())
