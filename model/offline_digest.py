"""A summary written without a model: quotations and counts from the entries, in the structured format (CP-13).

It states nothing that isn't in the entries, and each line names the entries that it comes from. The same entries give
the same text. It's a summary, not a dump: each section has a limit, and what is left out is counted.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple

from model.digest_evidence import (
    CommandRuns,
    Evidence,
    FileWork,
    Findings,
    Quote,
    TurnEvidence,
    excerpt,
    find_evidence,
    plain_text,
    sentences,
    weight,
)

LABEL: Final = "> Offline digest: made without a model, from quotations and counts only."

# Characters of a quotation, by what it's for.
GOAL_LENGTH: Final = 400
REQUEST_LENGTH: Final = 160
ANSWER_LENGTH: Final = 200
STATEMENT_LENGTH: Final = 500
FAILURE_LENGTH: Final = 160
COMMAND_LENGTH: Final = 100
MAX_CONSTRAINT_LENGTH: Final = 300  # of the whole sentence

# Lines of a section.
MAX_DONE: Final = 24
MAX_OPEN: Final = 6
MAX_BLOCKED: Final = 8
MAX_CONSTRAINTS: Final = 10
MAX_DECISIONS: Final = 8
MAX_STEPS: Final = 6
MAX_CONTEXT: Final = 12
MAX_CARRIED: Final = 12  # of each section of the earlier summary
MAX_FREE_TEXT: Final = 6000  # characters of an earlier summary that isn't in the format

_SUBSTANTIAL: Final = 12  # weight from which a request is more than "go on"
_FILES_NAMED: Final = 5
_SHORT_OPENING: Final = 60  # characters

_CONSTRAINT_WORDS = re.compile(
    r"\b(?:must(?:n't)?|never|always|don'?t|do not|only|prefer|avoid|without|instead of|no need|make sure|keep"
    r"|should(?:n't)?|nicht|niemals|immer|nur|ohne|muss|bitte|sadece|asla|her zaman|olmalı|siempre|nunca|solo|sin"
    r"|toujours|jamais|sans|seulement|всегда|никогда|только|нельзя)\b"
    r"|不要|必须|只能|总是|请勿|应该|なければ|しないで|必ず|だけ|반드시|하지 ?마|만 "
    r"|يجب|لا ت|فقط|دائما|ต้อง|ห้าม|อย่า|เท่านั้น",
    re.IGNORECASE,
)
_QUESTION_END = re.compile(r"[?？؟]\s*[)\"'”»*_`]*$")
_NEXT_HEADING = re.compile(
    r"^\s*(?:#{1,6}\s*|\*\*)?(?:next(?: steps?)?|to ?do|remaining|still (?:to do|open))\b", re.IGNORECASE
)
_LIST_ITEM = re.compile(r"^\s*(?:[-*•]|\d{1,3}[.)])\s+(?:\[ \]\s+)?(?!\[[xX]\])(.+)")
_OPEN_ITEM = re.compile(r"^\s*[-*•]\s+\[ \]\s+(.+)")


class Line(NamedTuple):
    """A line of the digest and the entries it comes from."""

    text: str
    entry_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Digest:
    """A finished digest. `line_sources` has one item for each line of `text`: the ids of the entries it comes from."""

    text: str
    line_sources: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class EarlierSummary:
    """The summary of the compaction before, which a new one continues."""

    text: str
    entry_id: str


def history_digest(
    evidence: Iterable[Evidence], earlier: EarlierSummary | None = None, check: Callable[[], None] = lambda: None
) -> Digest:
    """Return the summary of a compaction's history or of a branch, in the structured format (CP-13).

    `earlier` is merged in section by section. `check` is called now and then and may raise to stop.
    """
    findings = find_evidence(evidence, check)
    carried = _carried(earlier)
    sections = [
        ("## Goal", _goal(findings, carried)),
        ("## Constraints & Preferences", _merged(carried, "constraints", _constraints(findings), MAX_CONSTRAINTS)),
        ("## Progress\n### Done", _merged(carried, "done", _done(findings), MAX_DONE)),
        ("### In Progress", _merged(carried, "in progress", _in_progress(findings), MAX_OPEN)),
        ("### Blocked", _merged(carried, "blocked", _blocked(findings), MAX_BLOCKED)),
        ("## Key Decisions", _merged(carried, "decisions", _decisions(findings), MAX_DECISIONS)),
        ("## Next Steps", _numbered(_merged(carried, "next steps", _next_steps(findings), MAX_STEPS))),
        ("## Critical Context", _merged(carried, "context", _context(findings), MAX_CONTEXT)),
    ]
    if carried.get("free text"):
        sections.append(("## Earlier Summary", carried["free text"]))
    return _assembled(sections)


def turn_prefix_digest(evidence: Iterable[Evidence], check: Callable[[], None] = lambda: None) -> Digest:
    """Return the summary of the first part of a split turn (CP-14)."""
    findings = find_evidence(evidence, check)
    first = next((turn.request for turn in findings.turns if turn.request and turn.request.text.strip()), None)
    request = [Line(f"“{excerpt(first.text, STATEMENT_LENGTH)}”", (first.entry_id,))] if first else []
    progress = [*_done_beyond_turns(findings), *_file_lines(findings)]
    return _assembled(
        [
            ("## Original Request", request),
            ("## Progress So Far", progress[:MAX_DONE]),
            ("## Needed for What Follows", [*_blocked(findings), *_context(findings)][:MAX_CONTEXT]),
        ]
    )


def short_digest(evidence: Iterable[Evidence], check: Callable[[], None] = lambda: None) -> str:
    """Return two or three sentences for lists (CP-13, the short summary); empty when nothing was done."""
    findings = find_evidence(evidence, check)
    changed = [work.path for work in findings.files.values() if work.writes or work.edits]
    parts = []
    if changed:
        names = ", ".join(_file_name(path) for path in changed[:3])
        more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
        parts.append(f"I changed {names}{more}.")
    if findings.commits:
        parts.append(f"I committed “{excerpt(findings.commits[-1].text, COMMAND_LENGTH)}”.")
    if last := next((turn.answer for turn in reversed(findings.turns) if turn.answer), None):
        parts.append(f"My last words were “{excerpt(plain_text(last.text), REQUEST_LENGTH)}”.")
    return " ".join(parts)


# --- Sections -------------------------------------------------------------------------------------------------------


def _goal(findings: Findings, carried: dict[str, list[Line]]) -> list[Line]:
    requests = [turn.request for turn in findings.turns if turn.request and weight(turn.request.text) >= _SUBSTANTIAL]
    requests = requests or [turn.request for turn in findings.turns if turn.request and turn.request.text.strip()]
    earlier = carried.get("goal", [])
    lines = list(earlier)
    if requests:
        first, last = requests[0], requests[-1]
        word = "Then asked" if earlier else "Asked"
        lines.append(Line(f"{word}: “{excerpt(first.text, GOAL_LENGTH)}”", (first.entry_id,)))
        if last is not first:
            lines.append(Line(f"Latest request: “{excerpt(last.text, GOAL_LENGTH)}”", (last.entry_id,)))
    return lines[-MAX_OPEN:] if earlier else lines


def _constraints(findings: Findings) -> list[Line]:
    found: dict[str, Line] = {}
    for request in (turn.request for turn in findings.turns if turn.request):
        for sentence in sentences(request.text):
            if _is_constraint(sentence):
                text = f"- “{excerpt(sentence, ANSWER_LENGTH)}”"
                found.setdefault(text.casefold(), Line(text, (request.entry_id,)))
    return list(found.values())


def _is_constraint(sentence: str) -> bool:
    """Whether a sentence of the user lays something down: it isn't long, asks nothing and has a word for it."""
    return (
        weight(sentence) >= 8
        and len(sentence) <= MAX_CONSTRAINT_LENGTH
        and not _QUESTION_END.search(sentence)
        and _CONSTRAINT_WORDS.search(sentence) is not None
    )


def _done(findings: Findings) -> list[Line]:
    lines = [line for turn in findings.turns if (line := _turn_line(turn))]
    return _limited(lines, MAX_DONE - 6, "requests") + _done_beyond_turns(findings)


def _turn_line(turn: TurnEvidence) -> Line | None:
    """A request that was answered: what was asked, the answer's beginning, the files changed."""
    if not turn.finished or not turn.request or not turn.answer:
        return None
    if weight(turn.request.text) < _SUBSTANTIAL and not turn.changed_files and not turn.commits:
        return None
    text = f"- [x] “{excerpt(turn.request.text, REQUEST_LENGTH)}”"
    answer = excerpt(_opening(turn.answer.text), ANSWER_LENGTH)
    if answer:
        text += f" → “{answer}”"
    if turn.changed_files:
        text += f" (changed {_names(list(turn.changed_files))})"
    return Line(text, (*turn.entry_ids, *turn.changed_files.values()))


def _done_beyond_turns(findings: Findings) -> list[Line]:
    commits = [Line(f"“{excerpt(commit.text, COMMAND_LENGTH)}”", (commit.entry_id,)) for commit in findings.commits]
    lines = []
    if commits:
        shown = commits[-8:]
        more = f"{len(commits) - len(shown)} earlier, " if len(commits) > len(shown) else ""
        text = f"- [x] Committed ({more}newest last): " + "; ".join(commit.text for commit in shown)
        lines.append(Line(text, tuple(chain.from_iterable(commit.entry_ids for commit in commits))))
    if findings.file_commands:
        shown_commands = list({quote.text: quote for quote in findings.file_commands}.values())[-8:]
        listed = "; ".join(f"`{excerpt(quote.text, COMMAND_LENGTH)}`" for quote in shown_commands)
        lines.append(Line(f"- [x] Ran: {listed}", tuple(quote.entry_id for quote in shown_commands)))
    lines += [
        Line(
            f"- [x] `{excerpt(runs.key, COMMAND_LENGTH)}` succeeded last time ({_runs(runs)})",
            (runs.successes[-1], *(failure.entry_id for failure in runs.failures)),
        )
        for runs in _repeated(findings)
        if not runs.failed_last
    ]
    return lines


def _file_lines(findings: Findings) -> list[Line]:
    changed = [work for work in findings.files.values() if work.writes or work.edits]
    changed.sort(key=lambda work: -(len(work.writes) + len(work.edits)))
    lines = [Line(f"- [x] `{work.path}`: {_work(work)}", (*work.writes, *work.edits)) for work in changed[:10]]
    if len(changed) > 10:
        ids = tuple(chain.from_iterable((*work.writes, *work.edits) for work in changed[10:]))
        lines.append(Line(f"- [x] {len(changed) - 10} more files changed", ids))
    read_only = [work for work in findings.files.values() if work.reads and work not in changed]
    if read_only:
        text = f"- [x] Read {_names([work.path for work in read_only])}"
        lines.append(Line(text, tuple(work.reads[0] for work in read_only)))
    return lines


def _in_progress(findings: Findings) -> list[Line]:
    lines = []
    last = findings.turns[-1] if findings.turns else None
    if last and not last.finished and last.request and last.request.text.strip():
        state = "no answer yet"
        if last.interrupted:
            state = f"stopped: {excerpt(last.interrupted.text, FAILURE_LENGTH)}" if last.interrupted.text else "stopped"
        elif last.pending_calls:
            state = "ends in the middle of a tool call"
        elif last.answer:
            state = f"last words: “{excerpt(plain_text(last.answer.text), ANSWER_LENGTH)}”"
        changed = f"; changed {_names(list(last.changed_files))}" if last.changed_files else ""
        text = f"- [ ] “{excerpt(last.request.text, REQUEST_LENGTH)}” ({state}{changed})"
        lines.append(Line(text, (*last.entry_ids, *last.changed_files.values())))
    if findings.commits and findings.changed_since_commit:
        names = _names(list(findings.changed_since_commit))
        lines.append(
            Line(f"- [ ] Changed since the last commit: {names}", tuple(findings.changed_since_commit.values()))
        )
    return lines


def _blocked(findings: Findings) -> list[Line]:
    """Failures that were not followed by a success of the same command or on the same file."""
    lines = [
        Line(f"- `{excerpt(runs.key, COMMAND_LENGTH)}` failed: {_last_failure(runs.failures)}", _ids(runs.failures))
        for runs in findings.commands.values()
        if runs.failed_last
    ]
    lines += [
        Line(f"- `{work.path}`: {_last_failure(work.failures)}", _ids(work.failures))
        for work in findings.files.values()
        if work.failed_last
    ]
    last = findings.turns[-1] if findings.turns else None
    if last and last.interrupted and last.interrupted.text:
        text = f"- The last answer ended with: {excerpt(last.interrupted.text, FAILURE_LENGTH)}"
        lines.append(Line(text, (last.interrupted.entry_id,)))
    return _limited(lines, MAX_BLOCKED, "failures", newest=True)


def _decisions(findings: Findings) -> list[Line]:
    """Answers of the user to questions, and what the user said after stopping the assistant."""
    lines = []
    for before, turn in zip(findings.turns, findings.turns[1:], strict=False):
        if not turn.request or weight(turn.request.text) < 3:
            continue
        said = excerpt(turn.request.text, REQUEST_LENGTH)
        if before.interrupted and not before.interrupted.text.startswith(("4", "5")):
            if weight(said) >= _SUBSTANTIAL:
                ids = (before.interrupted.entry_id, turn.request.entry_id)
                lines.append(Line(f"- **“{said}”**: said after the answer was stopped", ids))
        elif _QUESTION_END.search(turn.request.text.rstrip()):
            continue  # a question back decides nothing
        elif before.finished and before.answer and (question := _final_question(before.answer.text)):
            ids = (before.answer.entry_id, turn.request.entry_id)
            lines.append(Line(f"- **“{said}”**: in answer to “{excerpt(question, ANSWER_LENGTH)}”", ids))
    return _limited(lines, MAX_DECISIONS, "answers", newest=True)


def _next_steps(findings: Findings) -> list[Line]:
    last = findings.turns[-1] if findings.turns else None
    if not last or not last.answer:
        return []
    source = (last.answer.entry_id,)
    steps = [Line(excerpt(item, ANSWER_LENGTH), source) for item in _announced(last.answer.text)]
    if last.finished and (question := _final_question(last.answer.text)):
        steps.append(Line(f"Open question: “{excerpt(question, ANSWER_LENGTH)}”", source))
    return steps[:MAX_STEPS]


def _context(findings: Findings) -> list[Line]:
    lines = [
        Line(
            f"- Brought from another branch or earlier history: “{excerpt(plain_text(quote.text), STATEMENT_LENGTH)}”",
            (quote.entry_id,),
        )
        for quote in findings.summaries[-2:]
    ]
    lines += [
        Line(f"- Note of an extension: “{excerpt(quote.text, ANSWER_LENGTH)}”", (quote.entry_id,))
        for quote in findings.notes[-2:]
    ]
    overcome = [runs for runs in findings.commands.values() if runs.failures and not runs.failed_last]
    lines += [
        Line(
            f"- `{excerpt(runs.key, COMMAND_LENGTH)}` failed before it succeeded: {_last_failure(runs.failures)}",
            (*_ids(runs.failures), runs.successes[-1]),
        )
        for runs in overcome[-3:]
    ]
    if findings.user_commands:
        shown = list({quote.text: quote for quote in findings.user_commands}.values())[-4:]
        listed = "; ".join(f"`{excerpt(quote.text, COMMAND_LENGTH)}`" for quote in shown)
        lines.append(Line(f"- The user ran: {listed}", tuple(quote.entry_id for quote in shown)))
    if findings.images:
        count = len(findings.images)
        images = "an image" if count == 1 else f"{count} images"
        lines.append(Line(f"- The user attached {images}", tuple(dict.fromkeys(findings.images))))
    answers = [turn.answer for turn in findings.turns if turn.answer]
    lines += [
        Line(f"- {title}: “{excerpt(plain_text(quote.text), STATEMENT_LENGTH)}”", (quote.entry_id,))
        for title, quote in zip(("The assistant before that", "The assistant's last words"), answers[-2:], strict=False)
        if len(answers) > 1
    ]
    if len(answers) == 1:
        text = excerpt(plain_text(answers[0].text), STATEMENT_LENGTH)
        lines.append(Line(f"- The assistant's last words: “{text}”", (answers[0].entry_id,)))
    return lines


# --- The earlier summary ---------------------------------------------------------------------------------------------

_HEADINGS: Final = {
    "goal": "goal",
    "constraints & preferences": "constraints",
    "constraints and preferences": "constraints",
    "done": "done",
    "in progress": "in progress",
    "blocked": "blocked",
    "key decisions": "decisions",
    "next steps": "next steps",
    "critical context": "context",
    "progress": "",
}
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*\s*$")
_FILE_TAGS = re.compile(r"<(read-files|modified-files)>.*?</\1>", re.DOTALL)
_EMPTY_LINES: Final = frozenset({"", "(none)", "- (none)", "none", "---", LABEL})
_CARRIED_MARK: Final = " (from the earlier summary)"


def _carried(earlier: EarlierSummary | None) -> dict[str, list[Line]]:
    """The lines of the earlier summary by section; what stands under other headings is kept as free text."""
    if earlier is None:
        return {}
    carried: dict[str, list[Line]] = {}
    free: list[str] = []
    section = ""
    for text in _FILE_TAGS.sub("", earlier.text).split("\n"):
        heading = _HEADING.match(text)
        known = _HEADINGS.get(heading.group(1).strip("* ").casefold()) if heading else None
        if known is not None:
            section = known
        elif heading:
            section = "free text"
            free.append(f"**{heading.group(1)}**")
        elif section and section != "free text":
            if text.strip() not in _EMPTY_LINES:
                carried.setdefault(section, []).append(Line(text.rstrip(), (earlier.entry_id,)))
        elif text.strip() not in _EMPTY_LINES:
            free.append(text.rstrip())
    if free:
        text = "\n".join(free)
        if (left_out := len(text) - MAX_FREE_TEXT) > 0:
            text = text[:MAX_FREE_TEXT].rsplit("\n", 1)[0] + f"\n({left_out} more characters)"
        carried["free text"] = [Line(line, (earlier.entry_id,)) for line in text.split("\n")]
    return carried


def _merged(carried: dict[str, list[Line]], section: str, fresh: list[Line], limit: int) -> list[Line]:
    """The earlier lines of a section, then the fresh ones; nothing twice, the newest where there are too many."""
    earlier = [line for line in carried.get(section, []) if line.text not in {new.text for new in fresh}]
    if section in ("in progress", "next steps", "blocked"):  # nothing shows whether they still hold
        earlier = [
            line if line.text.endswith(_CARRIED_MARK) else Line(line.text + _CARRIED_MARK, line.entry_ids)
            for line in earlier[-MAX_OPEN:]
        ]
    return _limited(earlier, MAX_CARRIED, "earlier points", newest=True) + fresh[:limit]


# --- Putting it together ---------------------------------------------------------------------------------------------


def _assembled(sections: Sequence[tuple[str, list[Line]]]) -> Digest:
    lines = [Line(LABEL)]
    for heading, content in sections:
        lines.append(Line(""))
        lines += [Line(part) for part in heading.split("\n")]
        lines += content or [Line("(none)")]
    ids = tuple(tuple(dict.fromkeys(line.entry_ids)) for line in lines)
    return Digest("\n".join(line.text for line in lines), ids)


def _numbered(lines: list[Line]) -> list[Line]:
    """The lines as a numbered list; earlier ones lose the number they had."""
    return [
        Line(f"{number}. {re.sub(r'^(?:[-*]|[0-9]{1,3}[.)]) +', '', line.text)}", line.entry_ids)
        for number, line in enumerate(lines, start=1)
    ]


def _limited(lines: list[Line], limit: int, what: str, *, newest: bool = False) -> list[Line]:
    """At most `limit` lines: the newest, or the first and the newest; how many were left out stands in their place."""
    if len(lines) <= limit:
        return lines
    head = 0 if newest else 1
    tail = limit - head - 1
    left_out = lines[head : len(lines) - tail]
    ids = tuple(chain.from_iterable(line.entry_ids for line in left_out))
    return [*lines[:head], Line(f"- ({len(left_out)} more {what})", ids), *lines[len(lines) - tail :]]


def _repeated(findings: Findings) -> list[CommandRuns]:
    """The commands that were run again and again, most often first: the checks of the project."""
    repeated = [runs for runs in findings.commands.values() if len(runs.successes) + len(runs.failures) >= 3]
    repeated.sort(key=lambda runs: -(len(runs.successes) + len(runs.failures)))
    return repeated[:3]


def _announced(text: str) -> list[str]:
    """The points that a statement names as still to do: unchecked boxes, and lists under "next" headings."""
    open_items = [match.group(1) for line in text.split("\n") if (match := _OPEN_ITEM.match(line))]
    under_heading, listed = [], False
    for line in text.split("\n"):
        if _NEXT_HEADING.match(line):
            listed = True
        elif listed and (item := _LIST_ITEM.match(line)):
            under_heading.append(item.group(1))
        elif listed and line.strip():
            listed = False
    return list(dict.fromkeys(plain_text(item) for item in open_items + under_heading))


def _final_question(text: str) -> str | None:
    """The question that a statement ends with, or None."""
    last = next(reversed(list(sentences(text))), "")
    return last if _QUESTION_END.search(last) else None


def _opening(text: str) -> str:
    """The beginning of a statement: its first paragraph, and more where that is short or only announces something."""
    opening = ""
    for paragraph in re.split(r"\n\s*\n", text):
        opening = f"{opening} {plain_text(paragraph)}".strip()
        if len(opening) >= _SHORT_OPENING and not opening.endswith((":", "：")):
            break
    return opening


def _names(paths: list[str]) -> str:
    shown = ", ".join(f"`{path}`" for path in paths[:_FILES_NAMED])
    return f"{shown} and {len(paths) - _FILES_NAMED} more" if len(paths) > _FILES_NAMED else shown


def _file_name(path: str) -> str:
    return re.split(r"[/\\]", path.rstrip("/\\"))[-1] or path


def _work(work: FileWork) -> str:
    counts = (("written", len(work.writes)), ("edited", len(work.edits)))
    return ", ".join(f"{what} {_times(count)}" for what, count in counts if count)


def _runs(runs: CommandRuns) -> str:
    failures = len(runs.failures)
    return f"{_times(len(runs.successes) + failures)} run" + (f", {failures} failed" if failures else "")


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _last_failure(failures: list[Quote]) -> str:
    repeated = f" ({_times(len(failures))})" if len(failures) > 1 else ""
    return excerpt(failures[-1].text, FAILURE_LENGTH) + repeated if failures else "no output"


def _ids(quotes: list[Quote]) -> tuple[str, ...]:
    return tuple(quote.entry_id for quote in quotes)
