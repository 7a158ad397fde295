"""What a digest reads out of texts: constraints, questions, announcements, openings. Nothing here raises."""

import re
from dataclasses import replace
from typing import Final

from model.digest_evidence import TurnEvidence, excerpt, plain_text, sentences, weight, without_code
from model.interruptions import interruptibly
from model.summary_sections import read_summary

SUBSTANTIAL: Final = 12  # weight from which a request is more than "go on"
MAX_CONSTRAINT_LENGTH: Final = 300  # of the whole sentence
_SHORT_OPENING: Final = 60  # characters
_DEEP_FOLDER: Final = 3  # parts from which a common folder is worth a line

_CONSTRAINT_WORDS = re.compile(
    r"\b(?:must(?:n't)?|never|always|don'?t|do not|only|prefer|avoid|without|instead of|no need|make sure"
    r"|nicht|niemals|immer|nur|ohne|muss|bitte|sadece|asla|her zaman|olmalı|siempre|nunca|solo|sin"
    r"|toujours|jamais|sans|seulement|всегда|никогда|только|нельзя)\b"
    r"|不要|必须|只能|总是|请勿|应该|なければ|しないで|必ず|だけ|반드시|하지 ?마|만 "
    r"|يجب|لا ت|فقط|دائما|ต้อง|ห้าม|อย่า|เท่านั้น",
    re.IGNORECASE,
)
_THINKING_ALOUD = re.compile(r"\b(?:i|we) (?:don'?t|do not) (?:think|ti?nk|know|understand|see)\b", re.IGNORECASE)
_QUESTION_END = re.compile(r"[?？؟]\s*[)\"'”»*_`]*$")
_NEXT_HEADING = re.compile(
    r"^\s*(?:#{1,6}\s*|\*\*)?(?:next(?: steps?)?|to ?do|remaining|still (?:to do|open))\b", re.IGNORECASE
)
_LIST_ITEM = re.compile(r"^\s*(?:[-*•]|\d{1,3}[.)])\s+(?:\[ \]\s+)?(?!\[[xX]\])(.+)")
_OPEN_ITEM = re.compile(r"^\s*[-*•]\s+\[ \]\s+(.+)")


def quoted(text: str, limit: int) -> str:
    """Return a quotation of at most `limit` characters."""
    return f"“{excerpt(text, limit)}”"


def topics(turns: list[TurnEvidence]) -> list[TurnEvidence]:
    """Return the turns, those that only say "go on" put together with the one before. O(turns and what they hold)."""
    groups: list[list[TurnEvidence]] = []
    for turn in interruptibly(turns, each=1):
        says_little = not turn.request or weight(turn.request.text) < SUBSTANTIAL
        if groups and groups[-1][0].request and says_little:
            groups[-1].append(turn)
        else:
            groups.append([turn])
    return [group[0] if len(group) == 1 else _one_turn(group) for group in groups]


def _one_turn(group: list[TurnEvidence]) -> TurnEvidence:
    """The request of the first turn with what came of all: it ends as the last one did."""
    changed_files: dict[str, str] = {}
    for turn in group:
        for path, entry_id in turn.changed_files.items():
            changed_files.setdefault(path, entry_id)
    return replace(
        group[-1],
        request=group[0].request,
        answer=next((turn.answer for turn in reversed(group) if turn.answer), None),
        changed_files=changed_files,
        commits=[commit for turn in group for commit in turn.commits],
    )


def common_folder(paths: list[str]) -> str:
    """Return the folder that holds all absolute paths, "" without a deep one."""
    absolute = [path.split("/")[:-1] for path in paths if path.startswith("/")]
    if len(absolute) < 2:
        return ""
    shared = absolute[0]
    for parts in absolute[1:]:
        same = 0
        while same < min(len(shared), len(parts)) and shared[same] == parts[same]:
            same += 1
        shared = shared[:same]
    return "/".join(shared) if len(shared) > _DEEP_FOLDER else ""


def is_constraint(sentence: str) -> bool:
    """Return whether a sentence of the user lays something down: it isn't long, asks nothing and has a word for it."""
    return (
        len(sentence) <= MAX_CONSTRAINT_LENGTH
        and weight(sentence) >= 8
        and not _QUESTION_END.search(sentence)
        and _CONSTRAINT_WORDS.search(_THINKING_ALOUD.sub("", sentence)) is not None
    )


def is_question(text: str) -> bool:
    """Return whether a text ends with a question mark of any script."""
    return _QUESTION_END.search(text.rstrip()) is not None


def announced(text: str) -> list[str]:
    """Return the points that a statement names as still to do: unchecked boxes, and lists under "next" headings."""
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


def final_question(text: str) -> str | None:
    """Return the question that a statement ends with, or None."""
    last = next(reversed(list(sentences(text))), "")
    return last if _QUESTION_END.search(last) else None


def opening_of(text: str) -> str:
    """Return the beginning of a statement: its first paragraph, and more where that is short or announces something."""
    opening = ""
    for paragraph in re.split(r"\n\s*\n", without_code(text)):
        opening = f"{opening} {plain_text(paragraph)}".strip()
        if len(opening) >= _SHORT_OPENING and not opening.endswith((":", "：")):
            break
    return opening


def gist(summary: str) -> str:
    """Return what a summary says first: its goal, else its own beginning."""
    structured = read_summary(summary)
    goal = structured.section("Goal")
    words = goal.text if goal and goal.items else "\n".join(section.text for section in structured.sections)
    return plain_text(words)
