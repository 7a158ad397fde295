"""Where the agents keep their sessions.

Source: session-format spec, SF-13.
"""

from __future__ import annotations

import os
from pathlib import Path

from services.blobs import omp_folder


def pi_folder() -> Path:
    """Return Pi's agent folder."""
    own = os.environ.get("PI_CODING_AGENT_DIR")
    return Path(own).expanduser() if own else Path.home() / ".pi" / "agent"


def session_folders(pi_sessions: str | None = None) -> list[Path]:
    """Return the folders below which sessions of both agents are kept, those that exist."""
    return [folder for folder in default_folders(pi_sessions) if folder.is_dir()]


def default_folders(pi_sessions: str | None = None) -> list[Path]:
    """Return where both agents keep sessions, be the folders there or not.

    `pi_sessions` is Pi's setting `sessionDir`; its environment variable goes before it.
    """
    own = os.environ.get("PI_CODING_AGENT_SESSION_DIR") or pi_sessions
    folders = [Path(own).expanduser() if own else pi_folder() / "sessions", omp_folder() / "sessions"]
    return list(dict.fromkeys(folders))
