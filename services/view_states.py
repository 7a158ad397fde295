"""How each session was last looked at: what was selected, folded, filtered, which tab, which sizes.

One small file a session, in a folder of ours, never beside the session. What cannot be read, or is not what was
written, counts as nothing. A session that was never looked at starts with the habits of the one that changed last.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import threading
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final

log = logging.getLogger(__name__)

MOST_FOLDS: Final = 2000  # of each kind
MOST_SESSIONS: Final = 500
MOST_BYTES: Final = 1 << 20
LATEST: Final = "latest"
HABITS: Final = ("columns", "arrangement", "docks", "map_docks")


@dataclass(frozen=True, slots=True)
class ViewState:
    """What is remembered of one session. Entries are named by id.

    `top_id` is the first row in view, `top_offset` how many pixels of it are above the edge. `docks` and `map_docks`
    are what Qt says of the docks in the session and around its tree, as base64; `columns` is the tree header's own.
    """

    selected_id: str | None = None
    at_leaf: bool = True
    top_id: str | None = None
    top_offset: int = 0
    unfolded_heads: list[str] = field(default_factory=list)
    folded_points: list[str] = field(default_factory=list)
    filter_mode: str = ""
    branch_points_only: bool = False
    arrangement: str = ""
    tab: str = ""
    columns: dict[str, Any] = field(default_factory=dict)
    docks: str = ""
    map_docks: str = ""

    @classmethod
    def of(cls, value: Any) -> ViewState:
        """Return what of `value`, as read from a file, has the right type; the rest as at first."""
        if not isinstance(value, dict):
            return cls()
        plain = cls()
        good: dict[str, Any] = {}
        for each in fields(cls):
            given, usual = value.get(each.name), getattr(plain, each.name)
            if each.name in ("selected_id", "top_id"):
                is_good = given is None or isinstance(given, str)
            elif isinstance(usual, list):
                given = [item for item in given if isinstance(item, str)] if isinstance(given, list) else usual
                given, is_good = given[:MOST_FOLDS], True
            else:
                is_good = type(given) is type(usual)
            if is_good:
                good[each.name] = given
        return cls(**good)

    def habits(self) -> ViewState:
        """Return what of this state suits other sessions, too."""
        return ViewState(**{name: getattr(self, name) for name in HABITS})


class ViewStates:
    """The states by session file. Reading and writing block: for worker threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._noted: dict[Path, ViewState] = {}
        self._latest: ViewState | None = None

    def recall(self, session_file: Path) -> ViewState:
        """Return how a session was looked at last; for one that never was, the habits of the latest one."""
        found = self._noted.get(session_file) or self._read(self._file(session_file))
        if found is None:
            latest = self._latest or self._read(self._folder / f"{LATEST}.json")
            return ViewState() if latest is None else latest.habits()
        return found

    def note(self, session_file: Path, state: ViewState) -> None:
        """Know a state from now on; `write` is still to come. Does not block."""
        self._noted[session_file] = self._latest = state

    def write(self, session_file: Path) -> None:
        """Write what was noted. A file that can't be written is only logged: nobody's work depends on it."""
        with self._lock:
            state = self._noted.get(session_file)
            if state is None or len(text := json.dumps(asdict(state))) > MOST_BYTES:
                return
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
                is_new = not self._file(session_file).exists()
                for file in (self._folder / f"{LATEST}.json", self._file(session_file)):
                    temporary = file.with_suffix(f".{os.getpid()}.tmp")
                    temporary.write_text(text, encoding="utf-8")
                    temporary.replace(file)
                if is_new:
                    self._forget_oldest()
            except OSError as error:
                log.warning("how the session was looked at was not kept: %s", error)
            if self._noted.get(session_file) is state:
                del self._noted[session_file]

    def _forget_oldest(self) -> None:
        files = [(entry.stat().st_mtime_ns, entry.path) for entry in os.scandir(self._folder) if entry.is_file()]
        for _time, path in sorted(files)[: -MOST_SESSIONS - 1]:
            Path(path).unlink(missing_ok=True)

    def _read(self, file: Path) -> ViewState | None:
        try:
            with file.open("rb") as opened:
                return ViewState.of(json.loads(opened.read(MOST_BYTES + 1)))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError):
            return ViewState()

    def _file(self, session_file: Path) -> Path:
        name = hashlib.sha256(os.fsencode(session_file)).hexdigest()[:32]
        return self._folder / f"{name}.json"
