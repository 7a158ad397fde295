"""The parts of a summary in the structured format, read tolerantly (CP-13).

Unknown and missing sections are fine, and so is text that follows no format at all: every line of it lands in a
section. File elements are read in the forms of both agents.
"""

import re
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from model.file_operations import MODIFIED_FILES_TAG, READ_FILES_TAG, FileLists, without_file_tags

Mark = Literal["done", "open", "number", "bullet", "text"]

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*")
_CHECKBOX = re.compile(r"\s*[-*+] \[(?P<state>[ xX])\] ?(?P<text>.*)")
_NUMBERED = re.compile(r"\s*[0-9]{1,9}[.)] (?P<text>.*)")
_BULLET = re.compile(r"\s*[-*+] (?P<text>.*)")
_DRIVE = re.compile(r"[A-Za-z]:\\")  # where a backslash separates folders
_OMITTED = re.compile(r"… \([0-9]+ more files omitted\)")
_FENCES: Final = ("```", "~~~")
_SPLIT_TURN_RULE: Final = "---"


@dataclass(frozen=True, slots=True)
class Item:
    """One point of a section: its text (lines that continue it included) and how it is marked."""

    text: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what follows it up to the next one. `level` 0 and no title: the text in front of all headings."""

    title: str
    level: int
    items: tuple[Item, ...] = ()

    @property
    def text(self) -> str:
        """The items as lines of plain text."""
        return "\n".join(item.text for item in self.items)


@dataclass(frozen=True, slots=True)
class StructuredSummary:
    """The sections of a summary in their order, and the files that it lists."""

    sections: tuple[Section, ...] = ()
    files: FileLists = field(default_factory=FileLists)

    def section(self, title: str) -> Section | None:
        """Return the first section with a title, whatever its level and letter case."""
        return next((section for section in self.sections if section.title.casefold() == title.casefold()), None)


def read_summary(summary: str) -> StructuredSummary:
    """Return the sections and file lists of a summary. O(length); never raises."""
    sections: list[Section] = []
    title, level = "", 0
    lines: list[str] = []
    in_fence = False
    for line in without_file_tags(summary).split("\n"):
        in_fence ^= line.lstrip().startswith(_FENCES)
        heading = None if in_fence else _HEADING.fullmatch(line)
        if heading is None:
            lines.append(line)
            continue
        sections += _section(title, level, lines)
        title, level, lines = heading[2], len(heading[1]), []
    sections += _section(title, level, lines)
    return StructuredSummary(tuple(sections), summary_files(summary))


def summary_files(summary: str) -> FileLists:
    """Return the files that a summary lists in its file elements."""
    return FileLists(_listed_files(summary, READ_FILES_TAG), _listed_files(summary, MODIFIED_FILES_TAG))


def summary_prose(summary: str) -> tuple[str, int]:
    """Return a summary without its file elements, and how many of its first lines have the same number in both."""
    places = [summary.find(f"<{tag}>") for tag in (READ_FILES_TAG, MODIFIED_FILES_TAG)]
    first = min((place for place in places if place >= 0), default=len(summary))
    return without_file_tags(summary), summary.count("\n", 0, first) + 1


def _section(title: str, level: int, lines: list[str]) -> list[Section]:
    items: list[Item] = []
    for line in lines:
        stripped = line.strip()
        if not stripped or stripped == _SPLIT_TURN_RULE:
            continue
        item = _item(line)
        if item.mark == "text" and items and line[:1].isspace():
            items[-1] = replace(items[-1], text=f"{items[-1].text}\n{stripped}")
        else:
            items.append(item)
    return [Section(title, level, tuple(items))] if title or items else []


def _item(line: str) -> Item:
    if match := _CHECKBOX.fullmatch(line):
        return Item(match["text"].strip(), "open" if match["state"] == " " else "done")
    if match := _NUMBERED.fullmatch(line):
        return Item(match["text"].strip(), "number")
    if match := _BULLET.fullmatch(line):
        return Item(match["text"].strip(), "bullet")
    return Item(line.strip(), "text")


def _listed_files(summary: str, tag: str) -> tuple[str, ...]:
    """The names in the last element of a kind: one a line, or all in one line joined by a backslash and an n (OMP)."""
    start = summary.rfind(f"<{tag}>")
    end = summary.find(f"</{tag}>", start)
    if start < 0 or end < 0:
        return ()
    names = summary[start + len(tag) + 2 : end].strip("\n").split("\n")
    if len(names) == 1 and not _DRIVE.match(names[0]):
        names = names[0].split("\\n")
    return tuple(name for name in names if name.strip() and not _OMITTED.fullmatch(name))
