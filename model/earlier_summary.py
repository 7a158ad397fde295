"""An earlier summary taken apart, so that a new one made without a model can go on with it (CP-13)."""

import re
from dataclasses import dataclass, field
from typing import Final, Literal

from model.file_operations import without_file_tags

SectionName = Literal["goal", "constraints", "done", "in progress", "blocked", "decisions", "next steps", "context"]

_SECTIONS: Final[tuple[tuple[str, SectionName | None], ...]] = (
    ("goal", "goal"),
    ("constraint", "constraints"),
    ("user preference", "constraints"),
    ("preference", "constraints"),
    ("done", "done"),
    ("completed", "done"),
    ("in progress", "in progress"),
    ("current task", "in progress"),
    ("blocked", "blocked"),
    ("key decision", "decisions"),
    ("decision", "decisions"),
    ("next step", "next steps"),
    ("critical context", "context"),
    ("progress", None),  # holds sections, nothing of its own
)
_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*\s*")
_NOTHING: Final = frozenset({"", "(none)", "- (none)", "none", "- none", "---"})


@dataclass(frozen=True, slots=True)
class EarlierSummary:
    """The summary of the compaction before, which a new one continues."""

    text: str
    entry_id: str


@dataclass(slots=True)
class CarriedLines:
    """What an earlier summary holds: its lines by section, and as `free` what stands in none of them."""

    sections: dict[SectionName, list[str]] = field(default_factory=dict)
    free: list[str] = field(default_factory=list)


def carried_lines(summary: str, label: str) -> CarriedLines:
    """Return the lines of a summary by section; file elements, empty lines and the line `label` are left out.

    A heading below a section's own belongs to the section, any other unknown heading begins free text. Headings lose
    their marks, so that the lines can stand under other headings.
    """
    carried = CarriedLines()
    lines, level = carried.free, 0
    for line in without_file_tags(summary).split("\n"):
        heading = _HEADING.fullmatch(line.strip())
        if heading is None:
            if line.strip().casefold() not in _NOTHING and line.strip() != label:
                lines.append(line.rstrip())
            continue
        title = heading[2].strip("* :")
        named = [name for start, name in _SECTIONS if title.casefold().startswith(start)]
        if named and named[0] is None:
            continue
        if named and named[0] is not None:
            lines, level = carried.sections.setdefault(named[0], []), len(heading[1])
        else:
            if lines is not carried.free and len(heading[1]) <= level:
                lines = carried.free
            lines.append(f"**{title}**")
    return carried
