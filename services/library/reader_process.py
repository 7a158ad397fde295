"""The reader in a process of its own, for when there is much to read.

A thread that decodes a gigabyte shares the interpreter with the window: each row that is painted would wait for it
again and again. The process writes the index and tells on its standard output, a JSON line at a time, what it has read.
It ends when its standard input does, so that it never outlives the window.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from model.sentences import packed, told, unpacked
from services.cancellation import CancellationToken, OperationCancelled
from services.errors import ServiceError
from services.library.database import BrokenIndexError, LibraryDatabase
from services.library.reader import Progress, Reader

log = logging.getLogger(__name__)

LEAST_BYTES: Final = 16 << 20  # to read; for less, starting a process costs more than it saves
_STOP_PATIENCE_S: Final = 5.0


def is_possible() -> bool:
    """Whether this program can start itself with another entry point."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def read_in_process(
    file: Path,
    token: CancellationToken,
    read: Callable[[Path], None],
    progress: Callable[[Progress], None],
) -> bool:
    """Let a process bring the files of the index to the last stage; False when it failed for no known reason.

    `read` is called with the path of each file that is known better. Blocking. Raises OperationCancelled, ServiceError
    and BrokenIndexError as `Reader` does.
    """
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__, os.fspath(file)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError:
        log.warning("no process to read the sessions in", exc_info=True)
        return False
    forget = token.add_callback(process.terminate)
    try:
        with process:
            assert process.stdout is not None
            for line in process.stdout:
                _take(json.loads(line), read, progress)
            process.wait(_STOP_PATIENCE_S)
    except ValueError:
        log.warning("the process that reads the sessions said something odd", exc_info=True)
        return False
    finally:
        forget()
        process.kill()
    token.raise_if_set()
    return process.returncode == 0


def _take(said: dict[str, Any], read: Callable[[Path], None], progress: Callable[[Progress], None]) -> None:
    if "failed" in said:
        raise ServiceError(unpacked(said["failed"]))
    if "broken" in said:
        raise BrokenIndexError(said["broken"])
    for path in said.get("read", ()):
        read(Path(os.fsdecode(bytes.fromhex(path))))
    if "phase" in said:
        progress(Progress(said["phase"], said["done"], said["total"]))


# --- In the process --------------------------------------------------------------------------------------------------


class _Teller:
    """Writes to standard output what was read and how far it is; a line for each progress."""

    def __init__(self) -> None:
        self._read: list[str] = []

    def note(self, path: Path) -> None:
        self._read.append(os.fsencode(path).hex())

    def tell(self, progress: Progress) -> None:
        _say({"read": self._read, "phase": progress.phase, "done": progress.done, "total": progress.total})
        self._read = []

    def finish(self) -> None:
        _say({"read": self._read})


def _say(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def _end_with_parent() -> None:
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)  # a transaction that is open is taken back at the next opening


def main(arguments: list[str]) -> int:
    """Read what the index at the given path does not know yet. Returns the exit code."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    teller = _Teller()
    try:
        database = LibraryDatabase(Path(arguments[0]))
        reader = Reader(
            database, CancellationToken(), lambda session: teller.note(session.path), teller.note, teller.tell
        )
        reader.run([entry.session for entry in database.known().values() if entry.session is not None])
        teller.finish()
        database.close()
    except BrokenIndexError as error:
        _say({"broken": str(error)})
    except ServiceError as error:
        _say({"failed": packed(told(error))})
    except OperationCancelled:
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
