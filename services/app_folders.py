"""Where the application keeps its own files; never beside a session."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_config_path, user_data_path, user_state_path

APP_NAME = "branchwork"


def config_folder() -> Path:
    """Return the folder of the user's settings; `BRANCHWORK_HOME` moves all folders below it."""
    return _own("config") or user_config_path(APP_NAME, appauthor=False)


def state_folder() -> Path:
    """Return the folder of what is remembered between runs: recent files, positions, saved indexes."""
    return _own("state") or user_state_path(APP_NAME, appauthor=False)


def data_folder() -> Path:
    """Return the folder of what the user adds: extensions, the library's index."""
    return _own("data") or user_data_path(APP_NAME, appauthor=False)


def _own(name: str) -> Path | None:
    home = os.environ.get("BRANCHWORK_HOME")
    return Path(home) / name if home else None
