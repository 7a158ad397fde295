"""Which agent wrote a session: the dialect decides field names, boundary rule and defaults (SF-7)."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final, Literal

from model.json_text import JsonObject

Dialect = Literal["pi", "omp"]

DIALECTS: Final[tuple[Dialect, ...]] = ("pi", "omp")

_OMP_TYPES: Final = frozenset(
    {
        "service_tier_change",
        "ttsr_injection",
        "mcp_tool_selection",
        "session_init",
        "mode_change",
        "title_change",
        "credential_pin",
        "reset_boundary",
    }
)
_OMP_ROLES: Final = frozenset({"pythonExecution", "fileMention", "developer"})
_PI_TYPES: Final = frozenset({"usage", "context_edit", "session_info"})


@dataclass(frozen=True, slots=True)
class DetectedDialect:
    """The dialect of a session, and how many records of it bear the marks of each agent."""

    dialect: Dialect
    omp_marks: int = 0
    pi_marks: int = 0

    @property
    def mixed(self) -> bool:
        """Whether marks of both agents occur, which deserves a note to the user."""
        return self.omp_marks > 0 and self.pi_marks > 0


def detect_dialect(
    path: str | None,
    entries: Iterable[JsonObject],
    *,
    title_slot: bool = False,
    override: Dialect | None = None,
    default: Dialect = "pi",
) -> DetectedDialect:
    """Return the dialect of a session; the first decisive rule of SF-7 wins.

    `override` is the user's choice for this session. The majority of the marks decides (a title slot line is one of
    OMP's); then a directory named `.omp` or `.pi` in `path`; then `default`.
    """
    marks = [dialect_mark(entry) for entry in entries]
    return dialect_by_marks(
        path, marks.count("omp") + title_slot, marks.count("pi"), override=override, default=default
    )


def dialect_by_marks(
    path: str | None, omp_marks: int, pi_marks: int, *, override: Dialect | None = None, default: Dialect = "pi"
) -> DetectedDialect:
    """Return the dialect of a session in which so many marks of each agent were counted (see `detect_dialect`)."""
    if override is not None:
        dialect = override
    elif omp_marks != pi_marks:
        dialect = "omp" if omp_marks > pi_marks else "pi"
    else:
        dialect = _dialect_of_path(path) or default
    return DetectedDialect(dialect, omp_marks, pi_marks)


def dialect_mark(entry: Any) -> Dialect | None:
    """Return the agent whose mark an entry bears, or None for what both agents write."""
    if not isinstance(entry, dict):
        return None
    kind = _text(entry, "type")
    role = _text(entry.get("message"), "role") if kind == "message" else None
    if kind in _OMP_TYPES or role in _OMP_ROLES or entry.get("fromExtension") is not None:
        return "omp"
    if kind == "compaction" and (entry.get("shortSummary") is not None or entry.get("preserveData") is not None):
        return "omp"
    if kind == "model_change" and isinstance(entry.get("model"), str):
        return "omp"
    if kind in _PI_TYPES or role == "system" or entry.get("fromHook") is not None:
        return "pi"
    if kind == "model_change" and isinstance(entry.get("provider"), str) and isinstance(entry.get("modelId"), str):
        return "pi"
    return None


def _text(value: Any, name: str) -> str | None:
    text = value.get(name) if isinstance(value, dict) else None
    return text if isinstance(text, str) else None


def _dialect_of_path(path: str | None) -> Dialect | None:
    components = set(PurePath((path or "").replace("\\", "/")).parts)
    return "omp" if ".omp" in components else "pi" if ".pi" in components else None
