"""A summary written without a model: quotations and counts from the entries, in the structured format (CP-13).

It states nothing that isn't in the entries, and each line names the entries that it comes from. The same entries give
the same text. It's a summary, not a dump: each section has a limit, and what is left out is counted.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from model.digest_evidence import Evidence, find_evidence
from model.digest_sections import MAX_CONTEXT, Line, Sections, limited, short_statement
from model.earlier_summary import CarriedLines, EarlierSummary, SectionName, carried_lines

LABEL: Final = "> Offline digest: made without a model, from quotations and counts only."
MAX_CARRIED: Final = 12  # lines of a section of the earlier summary
MAX_UNCERTAIN: Final = 6  # the same of sections of which nothing shows whether they still hold
MAX_FREE_TEXT: Final = 6000  # characters of an earlier summary that isn't in the format

_UNCERTAIN: Final[frozenset[SectionName]] = frozenset({"in progress", "blocked", "next steps"})
_CARRIED_MARK: Final = " (from the earlier summary)"
_LIST_MARK = re.compile(r"\s*(?:[-*]|[0-9]{1,3}[.)])\s+")


@dataclass(frozen=True, slots=True)
class Digest:
    """A finished digest. `line_sources` has one item for each line of `text`: the ids of the entries it comes from."""

    text: str
    line_sources: tuple[tuple[str, ...], ...]


def history_digest(evidence: Iterable[Evidence], earlier: EarlierSummary | None = None) -> Digest:
    """Return the summary of a compaction's history or of a branch, in the structured format (CP-13). O(messages).

    `earlier` is merged in section by section.
    """
    sections = Sections.of(find_evidence(evidence))
    carried = carried_lines(earlier.text, LABEL) if earlier else CarriedLines()
    source = (earlier.entry_id,) if earlier else ()

    def merged(name: SectionName, fresh: list[Line]) -> list[Line]:
        lines = [
            Line(text, source) for text in carried.sections.get(name, []) if text not in {new.text for new in fresh}
        ]
        if name in _UNCERTAIN:
            lines = [_marked(line) for line in lines[-MAX_UNCERTAIN:]]
        return limited(lines, MAX_CARRIED, "earlier points", newest=True) + fresh

    parts = [
        ("## Goal", merged("goal", sections.goal(continues="goal" in carried.sections))),
        ("## Constraints & Preferences", merged("constraints", sections.constraints())),
        ("## Progress\n### Done", merged("done", sections.done())),
        ("### In Progress", merged("in progress", sections.in_progress())),
        ("### Blocked", merged("blocked", sections.blocked())),
        ("## Key Decisions", merged("decisions", sections.decisions())),
        ("## Next Steps", _numbered(merged("next steps", sections.next_steps()))),
        ("## Critical Context", merged("context", sections.context())),
    ]
    if carried.free:
        parts.append(("## Earlier Summary", [Line(text, source) for text in _shortened(carried.free)]))
    return _assembled(parts)


def turn_prefix_digest(evidence: Iterable[Evidence]) -> Digest:
    """Return the summary of the first part of a split turn (CP-14)."""
    sections = Sections.of(find_evidence(evidence))
    return _assembled(
        [
            ("## Original Request", sections.original_request()),
            ("## Progress So Far", [*sections.commits_and_commands(), *sections.file_work()]),
            ("## Needed for What Follows", [*sections.blocked(), *sections.context()][:MAX_CONTEXT]),
        ]
    )


def short_digest(evidence: Iterable[Evidence]) -> str:
    """Return two or three sentences for lists (CP-13, the short summary); empty when nothing was done."""
    return short_statement(find_evidence(evidence))


def _marked(line: Line) -> Line:
    """An earlier point, marked as such; marked once, however often it is carried."""
    if line.text.endswith(_CARRIED_MARK) or not _LIST_MARK.match(line.text):
        return line
    return Line(line.text + _CARRIED_MARK, line.entry_ids)


def _shortened(lines: list[str]) -> list[str]:
    shown: list[str] = []
    length = 0
    for line in lines:
        length += len(line) + 1
        if length > MAX_FREE_TEXT:
            return [*shown, f"({len(lines) - len(shown)} more lines)"]
        shown.append(line)
    return shown


def _numbered(lines: list[Line]) -> list[Line]:
    """The lines as a numbered list; a mark that one had before is taken off."""
    return [
        Line(f"{number}. {_LIST_MARK.sub('', line.text, count=1)}", line.entry_ids)
        for number, line in enumerate(lines, start=1)
    ]


def _assembled(parts: Sequence[tuple[str, list[Line]]]) -> Digest:
    lines = [Line(LABEL)]
    for heading, content in parts:
        lines.append(Line(""))
        lines += [Line(part) for part in heading.split("\n")]
        lines += content or [Line("(none)")]
    ids = tuple(tuple(dict.fromkeys(line.entry_ids)) for line in lines)
    return Digest("\n".join(line.text for line in lines), ids)
