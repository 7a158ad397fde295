"""Exact token counts from a process of its own.

Loading the counter takes some tenths of a second in which no other thread of the interpreter runs: the window would
stand still. The process is started for one count and ends with it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

from model.sentences import Sentence
from services.cancellation import CancellationToken
from services.errors import ServiceError

COUNTER: Final = "services.token_counter"


def count_in_process(texts: Sequence[str], token: CancellationToken) -> int:
    """Return the exact number of tokens of several texts, counted by another process.

    Blocking; cancelling `token` ends the process. Raises OperationCancelled, and ServiceError when it cannot be done.
    """
    if not sys.executable or getattr(sys, "frozen", False):
        raise ServiceError(_no_process())
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", COUNTER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError as error:
        raise ServiceError(_no_process()) from error
    forget = token.add_callback(process.kill)
    try:
        answer, _ = process.communicate(json.dumps(list(texts)).encode("ascii"))
    except OSError as error:
        token.raise_if_set()
        raise ServiceError(_no_answer()) from error
    finally:
        forget()
        process.kill()
        process.wait()
    token.raise_if_set()
    try:
        return int(json.loads(answer)["tokens"])
    except (ValueError, TypeError, KeyError) as error:
        raise ServiceError(_no_answer()) from error


def _no_process() -> Sentence:
    return Sentence("Tokens can't be counted: no other process can be started here.")


def _no_answer() -> Sentence:
    return Sentence("Tokens can't be counted: the process that counts them did not answer as it should.")
