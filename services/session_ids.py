"""Ids of new sessions, as each agent makes them (SF-2)."""

from __future__ import annotations

import secrets
import time
import uuid

from model.dialects import Dialect

_SNOWFLAKE_EPOCH_MS = 1_420_070_400_000


def now_ms() -> int:
    """Return the present time in Unix milliseconds."""
    return time.time_ns() // 1_000_000


def new_session_id(dialect: Dialect, time_ms: int | None = None) -> str:
    """Return the id of a new session: a UUID of version 7 (Pi), or 16 hex digits with the time in front (OMP)."""
    time_ms = now_ms() if time_ms is None else time_ms
    if dialect == "omp":
        return f"{(time_ms - _SNOWFLAKE_EPOCH_MS) << 22 | secrets.randbits(22):016x}"
    value = time_ms << 80 | secrets.randbits(80)
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return str(uuid.UUID(int=value))


def new_uuid() -> str:
    """Return the text of a random UUID."""
    return str(uuid.uuid4())
