"""What the command prints: its answer on standard output, everything else in single lines on the error output."""

import json
import os
import re
import shutil
import sys
from collections.abc import Iterable
from typing import Any, Final, TextIO

from gui.command_line.text_layout import safe_line
from model.json_text import stringify

PROGRAM: Final = "branchwork"

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_CHUNK_LINES: Final = 512


class Console:
    """The two outputs of one run. Nothing is written to them before the answer is complete, but for warnings.

    What goes to one that was closed before the program began goes nowhere.
    """

    def __init__(self) -> None:
        self._out = sys.stdout or _nowhere()
        self._err = sys.stderr or _nowhere()

    @property
    def width(self) -> int | None:
        """The columns of the terminal that the answer goes to, None when it goes elsewhere."""
        if not self._out.isatty() and not os.environ.get("COLUMNS", "").isdigit():
            return None
        return shutil.get_terminal_size().columns

    @property
    def is_watched(self) -> bool:
        """Whether a person sees the error output."""
        return self._err.isatty()

    def print_lines(self, lines: Iterable[str]) -> None:
        """Print lines for a person. Raises OSError."""
        waiting: list[str] = []
        for line in lines:
            waiting.append(line + "\n")
            if len(waiting) == _CHUNK_LINES:
                self._write("".join(waiting), self._out.encoding or "utf-8")
                waiting.clear()
        self._write("".join(waiting), self._out.encoding or "utf-8")

    def print_json(self, value: Any) -> None:
        """Print a JSON value on one line, in UTF-8. Raises OSError."""
        self._write(json_line(value), "utf-8")

    def print_bytes(self, chunks: Iterable[bytes]) -> None:
        """Print bytes as they are. Raises OSError."""
        for chunk in chunks:
            self._out.buffer.write(chunk)
        self._out.buffer.flush()

    def error(self, text: str) -> None:
        """Say on one line why the command fails."""
        self._note(f"{PROGRAM}: {safe_line(text)}")

    def warning(self, text: str) -> None:
        """Say on one line what the user should know."""
        self._note(f"{PROGRAM}: warning: {safe_line(text)}")

    def status(self, text: str) -> None:
        """Tell a person who watches what is being done."""
        if self.is_watched and text:
            self._note(safe_line(text))

    def _note(self, text: str) -> None:
        try:
            self._err.write(text + "\n")
            self._err.flush()
        except (OSError, ValueError):  # nobody listens; the exit code tells the rest
            return

    def _write(self, text: str, encoding: str) -> None:
        self._out.flush()
        self._out.buffer.write(text.encode(encoding, "replace"))
        self._out.buffer.flush()


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # to the end of the process, as the outputs are


def json_line(value: Any) -> str:
    """Return a JSON value as one line of text; lone surrogates are escaped, numbers that JSON lacks become null."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (ValueError, RecursionError):
        text = stringify(value)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"
