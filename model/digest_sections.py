"""The sections of a digest, each a list of lines that quote or count what was found (CP-13).

A line names the entries that it comes from. Each section has a limit; what is left out is counted.
"""

import re
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Final, NamedTuple

from model.digest_evidence import (
    COMMIT_KEY,
    CommandRuns,
    FileWork,
    Findings,
    Quote,
    TurnEvidence,
    excerpt,
    plain_text,
    sentences,
    weight,
)
from model.digest_words import (
    SUBSTANTIAL,
    announced,
    common_folder,
    final_question,
    gist,
    is_constraint,
    is_question,
    opening_of,
    quoted,
    topics,
)
from model.interruptions import interruptibly

# Characters of a quotation, by what it's for.
GOAL_LENGTH: Final = 400
REQUEST_LENGTH: Final = 220
ANSWER_LENGTH: Final = 200
STATEMENT_LENGTH: Final = 500
FAILURE_LENGTH: Final = 160
COMMAND_LENGTH: Final = 100

# Lines of a section.
MAX_REQUESTS: Final = 18
MAX_BLOCKED: Final = 8
MAX_CONSTRAINTS: Final = 10
MAX_DECISIONS: Final = 8
MAX_STEPS: Final = 6
MAX_CONTEXT: Final = 14

_NAMED_FILES: Final = 5
_LISTED_FILES: Final = 10
_NAMED_COMMITS: Final = 8
_REPEATED: Final = 3  # runs from which a command is one of the project's checks


class Line(NamedTuple):
    """A line of the digest and the entries it comes from."""

    text: str
    entry_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sections:
    """Writes the sections of one digest. Paths below `folder` are shown from there, behind an ellipsis."""

    findings: Findings
    folder: str

    @classmethod
    def of(cls, findings: Findings) -> "Sections":
        """Return the writer for what was found."""
        return cls(findings, common_folder(list(findings.files)))

    # --- What was asked ----------------------------------------------------------------------------------------------

    def goal(self, *, continues: bool) -> list[Line]:
        """The first request that says something and the last one. `continues`: earlier goals stand before them."""
        asked = [turn.request for turn in self.findings.turns if turn.request and turn.request.text.strip()]
        requests = [request for request in interruptibly(asked, each=1) if weight(request.text) >= SUBSTANTIAL] or asked
        if not requests:
            return []
        word = "Then asked" if continues else "Asked"
        lines = [Line(f"{word}: {quoted(requests[0].text, GOAL_LENGTH)}", (requests[0].entry_id,))]
        if len(requests) > 1:
            lines.append(Line(f"Latest request: {quoted(requests[-1].text, GOAL_LENGTH)}", (requests[-1].entry_id,)))
        return lines

    def original_request(self) -> list[Line]:
        """The request of a turn whose first part is summarised."""
        request = next((turn.request for turn in self.findings.turns if turn.request), None)
        if request is None or not request.text.strip():
            return []
        return [Line(quoted(request.text, STATEMENT_LENGTH), (request.entry_id,))]

    def constraints(self) -> list[Line]:
        """Sentences in which the user laid something down."""
        found: dict[str, Line] = {}
        for request in (turn.request for turn in interruptibly(self.findings.turns, each=1) if turn.request):
            for sentence in sentences(request.text):
                if is_constraint(sentence):
                    line = Line(f"- {quoted(sentence, ANSWER_LENGTH)}", (request.entry_id,))
                    found.setdefault(line.text.casefold(), line)
        return limited(list(found.values()), MAX_CONSTRAINTS, "such sentences")

    # --- What was done -----------------------------------------------------------------------------------------------

    def done(self) -> list[Line]:
        """The requests that were answered, then commits, commands and checks."""
        lines = [
            line for topic in interruptibly(topics(self.findings.turns), each=1) if (line := self._answered(topic))
        ]
        return limited(lines, MAX_REQUESTS, "requests") + self.commits_and_commands()

    def _answered(self, turn: TurnEvidence) -> Line | None:
        """A request that was answered: what was asked, how the answer begins, which files were changed."""
        if not turn.finished or not turn.request or not turn.answer:
            return None
        if weight(turn.request.text) < SUBSTANTIAL and not turn.changed_files and not turn.commits:
            return None
        text = f"- [x] {quoted(turn.request.text, REQUEST_LENGTH)}"
        if opening := opening_of(turn.answer.text):
            text += f" → {quoted(opening, ANSWER_LENGTH)}"
        if turn.changed_files:
            text += f" (changed {self._names(list(turn.changed_files))})"
        return Line(text, (*turn.entry_ids, *turn.changed_files.values()))

    def commits_and_commands(self) -> list[Line]:
        """Commits, commands that changed files, and the checks that succeeded when they ran last."""
        findings, lines = self.findings, []
        if findings.commits:
            shown = findings.commits[-_NAMED_COMMITS:]
            earlier = len(findings.commits) - len(shown)
            listed = "; ".join(quoted(commit.text, COMMAND_LENGTH) for commit in shown)
            more = f"{earlier} earlier, " if earlier else ""
            lines.append(Line(f"- [x] Committed ({more}newest last): {listed}", _ids(findings.commits)))
        if findings.file_commands:
            commands = list({quote.text: quote for quote in findings.file_commands}.values())[-_NAMED_COMMITS:]
            lines.append(Line(f"- [x] Ran: {'; '.join(self._code(quote.text) for quote in commands)}", _ids(commands)))
        return lines + [
            Line(
                f"- [x] {self._code(runs.key)} succeeded last time ({_runs(runs)})",
                (runs.successes[-1], *_ids(runs.failures)),
            )
            for runs in self._checks()
            if not runs.failed_last
        ]

    def file_work(self) -> list[Line]:
        """What was done to each file, most worked on first, and what was only read."""
        changed = [work for work in self.findings.files.values() if work.writes or work.edits]
        changed.sort(key=lambda work: -(len(work.writes) + len(work.edits)))
        shown, rest = changed[:_LISTED_FILES], changed[_LISTED_FILES:]
        lines = [Line(f"- [x] {self._code(work.path)}: {_work(work)}", (*work.writes, *work.edits)) for work in shown]
        if rest:
            ids = tuple(chain.from_iterable((*work.writes, *work.edits) for work in rest))
            lines.append(Line(f"- [x] {len(rest)} more files changed", ids))
        read = [work for work in self.findings.files.values() if work.reads and not work.writes and not work.edits]
        if read:
            text = f"- [x] Read {self._names([work.path for work in read])}"
            lines.append(Line(text, tuple(work.reads[0] for work in read)))
        return lines

    # --- What is open ------------------------------------------------------------------------------------------------

    def in_progress(self) -> list[Line]:
        """The last request, where it has no finished answer, and changes that were not committed."""
        findings, lines = self.findings, []
        asked = topics(findings.turns)
        last = asked[-1] if asked else None
        if last and not last.finished and last.request and last.request.text.strip():
            changed = f"; changed {self._names(list(last.changed_files))}" if last.changed_files else ""
            text = f"- [ ] {quoted(last.request.text, REQUEST_LENGTH)} ({_state(last)}{changed})"
            lines.append(Line(text, (*last.entry_ids, *last.changed_files.values())))
        if findings.commits and findings.changed_since_commit:
            names = self._names(list(findings.changed_since_commit))
            ids = tuple(findings.changed_since_commit.values())
            lines.append(Line(f"- [ ] Changed since the last commit: {names}", ids))
        return lines

    def blocked(self) -> list[Line]:
        """Failures that no success of the same command or on the same file followed."""
        findings = self.findings
        lines = [
            Line(
                f"- {self._code(runs.key)} failed and did not succeed later: {self._failure(runs.failures)}",
                _ids(runs.failures),
            )
            for runs in findings.commands.values()
            if runs.failed_last
        ]
        lines += [
            Line(f"- {self._code(work.path)}: {self._failure(work.failures)}", _ids(work.failures))
            for work in findings.files.values()
            if work.failed_last
        ]
        last = findings.turns[-1] if findings.turns else None
        if last and last.interrupted and last.interrupted.text:
            text = f"- The last answer ended with: {excerpt(last.interrupted.text, FAILURE_LENGTH)}"
            lines.append(Line(text, (last.interrupted.entry_id,)))
        return limited(lines, MAX_BLOCKED, "failures", newest=True)

    def decisions(self) -> list[Line]:
        """Answers of the user to questions, and what the user said after stopping the assistant; no questions back."""
        lines = []
        turns = self.findings.turns
        for before, turn in interruptibly(pairwise(turns), each=1):
            if not turn.request or weight(turn.request.text) < 3 or is_question(turn.request.text):
                continue
            said = quoted(turn.request.text, REQUEST_LENGTH)
            if before.interrupted and before.interrupted.is_abort:
                if weight(turn.request.text) >= SUBSTANTIAL:
                    ids = (before.interrupted.entry_id, turn.request.entry_id)
                    lines.append(Line(f"- **{said}**: said after the answer was stopped", ids))
            elif before.finished and before.answer and (question := final_question(before.answer.text)):
                ids = (before.answer.entry_id, turn.request.entry_id)
                lines.append(Line(f"- **{said}**: in answer to {quoted(question, ANSWER_LENGTH)}", ids))
        return limited(lines, MAX_DECISIONS, "answers", newest=True)

    def next_steps(self) -> list[Line]:
        """What the last statement announces, and the question it ends with."""
        last = self.findings.turns[-1] if self.findings.turns else None
        if not last or not last.answer:
            return []
        source = (last.answer.entry_id,)
        steps = [Line(excerpt(item, ANSWER_LENGTH), source) for item in announced(last.answer.text)]
        if last.finished and (question := final_question(last.answer.text)):
            steps.append(Line(f"Open question: {quoted(question, ANSWER_LENGTH)}", source))
        return steps[:MAX_STEPS]

    # --- What else matters -------------------------------------------------------------------------------------------

    def context(self) -> list[Line]:
        """Summaries and notes that were brought in, failures that were overcome, and the last statements."""
        findings, lines = self.findings, []
        if self.folder:
            ids = (work.reads or work.writes or work.edits or _ids(work.failures) for work in findings.files.values())
            lines.append(Line(f"- `…/` stands for `{self.folder}/`", tuple(found[0] for found in ids if found)[:1]))
        lines += [
            Line(f"- From an earlier summary: {quoted(gist(quote.text), STATEMENT_LENGTH)}", (quote.entry_id,))
            for quote in findings.summaries[-2:]
        ]
        lines += [
            Line(f"- Note of an extension: {quoted(quote.text, ANSWER_LENGTH)}", (quote.entry_id,))
            for quote in findings.notes[-2:]
        ]
        overcome = [runs for runs in findings.commands.values() if runs.failures and not runs.failed_last]
        lines += [
            Line(
                f"- {self._code(runs.key)} failed before it succeeded: {self._failure(runs.failures)}",
                (*_ids(runs.failures), runs.successes[-1]),
            )
            for runs in overcome[-3:]
        ]
        if findings.user_commands:
            shown = list({quote.text: quote for quote in findings.user_commands}.values())[-4:]
            lines.append(Line(f"- The user ran: {'; '.join(self._code(quote.text) for quote in shown)}", _ids(shown)))
        if count := len(findings.images):
            images = "an image" if count == 1 else f"{count} images"
            lines.append(Line(f"- The user attached {images}", tuple(dict.fromkeys(findings.images))))
        return (lines + self._last_statements())[:MAX_CONTEXT]

    def _last_statements(self) -> list[Line]:
        answers = [turn.answer for turn in self.findings.turns if turn.answer][-2:]
        titles = ("The assistant before that", "The assistant's last words")[-len(answers) :] if answers else ()
        return [
            Line(f"- {title}: {quoted(plain_text(answer.text), STATEMENT_LENGTH)}", (answer.entry_id,))
            for title, answer in zip(titles, answers, strict=True)
        ]

    # --- Words -------------------------------------------------------------------------------------------------------

    def _checks(self) -> list[CommandRuns]:
        """The commands that were run again and again, most often first."""
        repeated = [
            runs for runs in self.findings.commands.values() if runs.count >= _REPEATED and runs.key != COMMIT_KEY
        ]
        repeated.sort(key=lambda runs: -runs.count)
        return repeated[:3]

    def _short(self, text: str) -> str:
        return text.replace(self.folder + "/", "…/") if self.folder else text

    def _code(self, text: str) -> str:
        return f"`{excerpt(self._short(text), COMMAND_LENGTH).replace('`', chr(39))}`"

    def _names(self, paths: list[str]) -> str:
        shown = ", ".join(f"`{self._short(path)}`" for path in paths[:_NAMED_FILES])
        return f"{shown} and {len(paths) - _NAMED_FILES} more" if len(paths) > _NAMED_FILES else shown

    def _failure(self, failures: list[Quote]) -> str:
        repeated = f" ({_times(len(failures))})" if len(failures) > 1 else ""
        return excerpt(self._short(failures[-1].text), FAILURE_LENGTH) + repeated if failures else "no output"


def limited(lines: list[Line], limit: int, what: str, *, newest: bool = False) -> list[Line]:
    """Return at most `limit` lines: the newest, or the first and the newest, and a count of what was left out."""
    if len(lines) <= limit:
        return lines
    head = 0 if newest else 1
    tail = limit - head - 1
    left_out = lines[head : len(lines) - tail]
    ids = tuple(chain.from_iterable(line.entry_ids for line in left_out))
    return [*lines[:head], Line(f"- ({len(left_out)} more {what})", ids), *lines[len(lines) - tail :]]


def short_statement(findings: Findings) -> str:
    """Return two or three sentences in the first person; empty when nothing was done."""
    changed = [work.path for work in findings.files.values() if work.writes or work.edits]
    parts = []
    if changed:
        names = ", ".join(re.split(r"[/\\]", path.rstrip("/\\"))[-1] or path for path in changed[:3])
        more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
        parts.append(f"I changed {names}{more}.")
    if findings.commits:
        parts.append(f"I committed {quoted(findings.commits[-1].text, COMMAND_LENGTH)}.")
    if last := next((turn.answer for turn in reversed(findings.turns) if turn.answer), None):
        parts.append(f"My last words were {quoted(plain_text(last.text), REQUEST_LENGTH)}.")
    return " ".join(parts)


def _state(turn: TurnEvidence) -> str:
    if turn.interrupted:
        words = excerpt(turn.interrupted.text, FAILURE_LENGTH)
        return f"stopped: {words}" if words else "stopped"
    if turn.pending_calls:
        return "ends in the middle of a tool call"
    return f"last words: {quoted(plain_text(turn.answer.text), ANSWER_LENGTH)}" if turn.answer else "no answer yet"


def _work(work: FileWork) -> str:
    counts = (("written", len(work.writes)), ("edited", len(work.edits)))
    return ", ".join(f"{what} {_times(count)}" for what, count in counts if count)


def _runs(runs: CommandRuns) -> str:
    failed = f", {len(runs.failures)} failed" if runs.failures else ""
    return f"run {_times(runs.count)}{failed}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _ids(quotes: list[Quote]) -> tuple[str, ...]:
    return tuple(quote.entry_id for quote in quotes)
