"""The name under which something is kept for one session file, outside of it.

Two files may hold one session id: a copy of a session is another session to the one who works in it. And one path may
hold another session tomorrow. So both make the name.
"""

from __future__ import annotations

import os
from pathlib import Path


def session_key(path: Path, session_id: str) -> str:
    """Return the name of the session with that id, empty when it has none, in the file at `path`."""
    return f"{os.path.realpath(path)}\n{session_id}"
