"""What the entries of a session show without a model: requests and their outcomes, files, commands, failures, commits.

Everything found is a quotation or a count, with the ids of the entries it comes from. Nothing depends on a language
except where a rule says so. One pass over the messages; no input raises.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from model.interruptions import interruptibly
from model.json_text import JsonObject
from model.messages import block_texts, content_blocks, role_of, text_field, tool_calls

_READABLE_LINE: Final = 240  # characters
COMMIT_KEY: Final = "git commit"
_KEY_LENGTH: Final = 2000  # characters of a command by which runs are told apart

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07")
_FENCE = re.compile(r"^```.*?(?:^```[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_MARKUP = re.compile(r"^\s{0,8}(?:#{1,6}\s+|[-*•]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+|>\s?)", re.MULTILINE)
_EXIT_CODE = re.compile(r"^(?:Command exited with code|Execution failed with code) (\d+)\s*$", re.MULTILINE)
_FAILURE_WORDS = re.compile(
    r"\berror\b|\bfailed\b|\bfailure\b|exception|traceback|panic|fatal|cannot|can't|could not|not found|no such file"
    r"|denied|undefined|unexpected|×|✖|✗|错误|失败|エラー|오류|ошибка|hata\b|خطأ",
    re.IGNORECASE,
)
_NOISE_LINE = re.compile(r"^\s*(?:>|Debugger |Waiting for the debugger|$)")
_STOPPED = re.compile(r"^Command aborted\s*\Z", re.MULTILINE)
_NO_OUTPUT = re.compile(r"^\s*(?:\(no output\)|Command (?:aborted|exited with code \d+))?\s*$")
_SEARCH_COMMAND = re.compile(
    r"^(?:sudo )?(?:e?grep|rg|ag|diff|cmp|test|\[|git diff|git grep|which|type|find|ls|pgrep)\b"
)
_COMMIT = re.compile(r"\bgit\b[^\n;&|]*\bcommit\b")
_COMMIT_MESSAGE = re.compile(r"(?:-[a-zA-Z]*m|--message)[ =]\s*(?:\"((?:[^\"\\]|\\.)*)\"|'([^']*)')", re.DOTALL)
_HEREDOC = re.compile(r"^\$\(cat <<-?\s*['\"]?\w+['\"]?\n")
_LEADING_CD = re.compile(r"^\s*cd\s+(?:\"[^\"]*\"|'[^']*'|[^\s;&|]+)\s*(?:&&|;)\s*")
_LEADING_ADD = re.compile(r"^git\s+add\b[^\n;&|]*&&\s*")
_TRAILING_FILTER = re.compile(
    r"\s*(?:2>&1|2>/dev/null)?\s*\|\s*(?:tail|head|grep|tee|less|cat|sort|wc|sed|awk)\b.*\Z", re.DOTALL
)
_FILE_COMMAND = re.compile(
    r"(?:^|&&|;|\n)\s*(?:sudo\s+)?((?:git\s+(?:mv|rm|checkout|switch|revert|reset|merge|rebase|push|tag|stash)|mv|cp|rm"
    r"|mkdir|ln|touch|npm\s+(?:install|publish|i)|pip\s+install|cargo\s+(?:add|publish))\b[^\n;&|]*)"
)


class Evidence(NamedTuple):
    """A message and the entry that it comes from."""

    entry_id: str
    message: JsonObject


class Quote(NamedTuple):
    """Words of the session and the entry they stand in."""

    text: str
    entry_id: str


class Interruption(NamedTuple):
    """An answer that did not end by itself: stopped by the user, or failed with the error `text`."""

    text: str
    entry_id: str
    is_abort: bool


@dataclass(slots=True)
class CommandRuns:
    """All runs of one command: `key` is what they share, `command` the first one in full."""

    key: str
    command: str
    successes: list[str] = field(default_factory=list)  # entry ids of the results
    failures: list[Quote] = field(default_factory=list)  # the line that tells most about each failure
    failed_last: bool = False

    @property
    def count(self) -> int:
        """How often it ran."""
        return len(self.successes) + len(self.failures)


@dataclass(slots=True)
class FileWork:
    """What was done to one file by the tools `read`, `write` and `edit`; lists of result entry ids."""

    path: str
    reads: list[str] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    edits: list[str] = field(default_factory=list)
    failures: list[Quote] = field(default_factory=list)
    failed_last: bool = False


@dataclass(slots=True)
class TurnEvidence:
    """One request and what came of it, up to the next request."""

    request: Quote | None
    finished: bool = False  # the assistant's last message ended by itself, without a call
    interrupted: Interruption | None = None  # the assistant's last message was stopped or failed
    answer: Quote | None = None  # the assistant's last words
    changed_files: dict[str, str] = field(default_factory=dict)  # path -> entry id of the first change
    commits: list[Quote] = field(default_factory=list)
    pending_calls: int = 0

    @property
    def entry_ids(self) -> tuple[str, ...]:
        """The entries of the request and of the last words."""
        return tuple(quote.entry_id for quote in (self.request, self.answer) if quote)


@dataclass(slots=True)
class Findings:
    """Everything that was found, in the order of the session."""

    turns: list[TurnEvidence] = field(default_factory=list)
    files: dict[str, FileWork] = field(default_factory=dict)
    commands: dict[str, CommandRuns] = field(default_factory=dict)
    file_commands: list[Quote] = field(default_factory=list)
    commits: list[Quote] = field(default_factory=list)
    changed_since_commit: dict[str, str] = field(default_factory=dict)
    summaries: list[Quote] = field(default_factory=list)
    notes: list[Quote] = field(default_factory=list)  # messages of extensions
    user_commands: list[Quote] = field(default_factory=list)
    images: list[str] = field(default_factory=list)
    message_count: int = 0


def find_evidence(evidence: Iterable[Evidence]) -> Findings:
    """Return what the messages show."""
    collector = _Collector()
    for item in interruptibly(evidence):
        collector.take(item)
    return collector.findings


class _Collector:
    def __init__(self) -> None:
        self.findings = Findings()
        self._calls: dict[str, tuple[str, JsonObject]] = {}  # open tool calls: call id -> name and arguments

    def take(self, item: Evidence) -> None:
        self.findings.message_count += 1
        match role_of(item.message):
            case "user":
                self._take_request(item)
            case "assistant":
                self._take_answer(item)
            case "toolResult":
                self._take_result(item)
            case "bashExecution" | "pythonExecution":
                self._take_execution(item)
            case "branchSummary" | "compactionSummary":
                self._add_quote(self.findings.summaries, text_field(item.message, "summary"), item.entry_id)
            case "custom" | "hookMessage":
                self._add_quote(self.findings.notes, " ".join(block_texts(item.message.get("content"))), item.entry_id)

    @property
    def _turn(self) -> TurnEvidence:
        if not self.findings.turns:
            self.findings.turns.append(TurnEvidence(None))
        return self.findings.turns[-1]

    def _take_request(self, item: Evidence) -> None:
        content = item.message.get("content")
        text = "\n".join(block_texts(content))
        self.findings.images += [item.entry_id] * sum(block.get("type") == "image" for block in content_blocks(content))
        self._calls.clear()
        self.findings.turns.append(TurnEvidence(Quote(text, item.entry_id)))

    def _take_answer(self, item: Evidence) -> None:
        turn, message = self._turn, item.message
        calls, reason = tool_calls(message), text_field(message, "stopReason")
        text = "\n\n".join(text for text in block_texts(message.get("content")) if text.strip())
        if text.strip():
            turn.answer = Quote(text, item.entry_id)
        interrupted = reason in ("aborted", "error")
        error = "" if reason == "aborted" else text_field(message, "errorMessage")
        turn.interrupted = Interruption(error, item.entry_id, reason == "aborted") if interrupted else None
        turn.finished = not calls and not interrupted and reason != "length"
        for call in calls:
            arguments = call.get("arguments")
            known = arguments if isinstance(arguments, dict) else {}
            self._calls[text_field(call, "id")] = (text_field(call, "name"), known)
            turn.pending_calls += 1

    def _take_result(self, item: Evidence) -> None:
        call_id = text_field(item.message, "toolCallId")
        name, arguments = self._calls.pop(call_id, (text_field(item.message, "toolName"), {}))
        self._turn.pending_calls = max(0, self._turn.pending_calls - 1)
        output = "\n".join(block_texts(item.message.get("content")))
        failed = item.message.get("isError") is True
        path, command = text_field(arguments, "path"), text_field(arguments, "command")
        if path and name in ("read", "write", "edit"):
            self._take_file(name, path, output, failed, item.entry_id)
        elif command:
            self._take_command(command, output, failed, item.entry_id)
        elif failed:
            self._take_command(name or "tool", output, failed, item.entry_id)

    def _take_file(self, name: str, path: str, output: str, failed: bool, entry_id: str) -> None:
        work = self.findings.files.setdefault(path, FileWork(path))
        work.failed_last = failed
        if failed:
            work.failures.append(Quote(f"{name}: {telling_line(output)}", entry_id))
            return
        {"read": work.reads, "write": work.writes, "edit": work.edits}[name].append(entry_id)
        if name != "read":
            self._turn.changed_files.setdefault(path, entry_id)
            self.findings.changed_since_commit.setdefault(path, entry_id)

    def _take_command(self, command: str, output: str, failed: bool, entry_id: str) -> None:
        key = command_key(command)
        runs = self.findings.commands.setdefault(key, CommandRuns(key, command))
        if _STOPPED.search(output):
            return
        if failed and _is_failure(key, output):
            runs.failures.append(Quote(telling_line(output), entry_id))
            runs.failed_last = True
            return
        runs.successes.append(entry_id)
        runs.failed_last = False
        if failed:  # a search that found nothing
            return
        if _COMMIT.search(command):
            self._take_commit(command, entry_id)
        else:
            self.findings.file_commands += [
                Quote(" ".join(match.group(1).split()), entry_id) for match in _FILE_COMMAND.finditer(command)
            ]

    def _take_commit(self, command: str, entry_id: str) -> None:
        message = _COMMIT_MESSAGE.search(command)
        text = next((group for group in message.groups() if group is not None), "") if message else ""
        text = _HEREDOC.sub("", text).replace('\\"', '"')
        quote = Quote(text.strip().split("\n")[0] or "(message not given on the command line)", entry_id)
        self.findings.commits.append(quote)
        self._turn.commits.append(quote)
        self.findings.changed_since_commit.clear()

    def _take_execution(self, item: Evidence) -> None:
        command = text_field(item.message, "command") or text_field(item.message, "code")
        code = item.message.get("exitCode")
        failed = isinstance(code, int) and code != 0
        self._add_quote(self.findings.user_commands, command, item.entry_id)
        if command and failed:
            self._take_command(command, text_field(item.message, "output"), failed, item.entry_id)

    @staticmethod
    def _add_quote(quotes: list[Quote], text: str, entry_id: str) -> None:
        if text.strip():
            quotes.append(Quote(text, entry_id))


def _is_failure(key: str, output: str) -> bool:
    """Whether a failed result reports something: a search that ends with code 1 and no output found nothing."""
    if _SEARCH_COMMAND.match(key):
        code = _EXIT_CODE.search(output)
        return not (code and code.group(1) == "1" and all(_NO_OUTPUT.match(line) for line in output.split("\n")))
    return True


def command_key(command: str) -> str:
    """Return what two runs of one command share: no change of folder in front, no filter behind, no extra blanks.

    All commits are one command: the next one takes up what the last one left.
    """
    text = command = command[:_KEY_LENGTH]
    while (shorter := _LEADING_CD.sub("", text, count=1)) != text:
        text = shorter
    if _COMMIT.match(_LEADING_ADD.sub("", text)):
        return COMMIT_KEY
    text = _TRAILING_FILTER.sub("", text)
    return " ".join(text.removesuffix("2>&1").split()) or " ".join(command.split())


def telling_line(output: str) -> str:
    """Return the line of a failed output that tells most: the first that names a failure, else the last one."""
    lines = [line.strip() for line in _ANSI.sub("", output[:20_000]).split("\n")]
    useful = [line for line in lines if not _NOISE_LINE.match(line) and not _NO_OUTPUT.match(line)]
    code = _EXIT_CODE.search(output)
    telling = [line for line in useful if _FAILURE_WORDS.search(line)]
    readable = [line for line in telling if len(line) <= _READABLE_LINE]  # a longer one is source code
    fallback = f"exit code {code.group(1)}" if code else "no output"
    return next(iter(readable + telling + useful[-1:]), fallback)


def without_code(markdown: str) -> str:
    """Return a text without its fenced code blocks."""
    return _FENCE.sub(" ", markdown)


def plain_text(markdown: str) -> str:
    """Return running text: without code blocks, heading and list marks, on one line."""
    return " ".join(_MARKUP.sub("", without_code(markdown)).split())


def excerpt(text: str, limit: int) -> str:
    """Return `text` on one line, cut after at most `limit` characters, between words where the script has them."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    cut = line.rfind(" ", limit // 2, limit)
    end = cut if cut > 0 else limit
    while end > 1 and (unicodedata.combining(line[end]) or line[end] == "\u200d" or line[end - 1] == "\u200d"):
        end -= 1
    return line[:end].rstrip() + " …"


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text in any script, with their final marks."""
    for line in _FENCE.sub("\n", text).split("\n"):
        for sentence in re.split(r"(?<=[.!?।])\s+|(?<=[。！？؟])\s*", _MARKUP.sub("", line)):
            if sentence.strip():
                yield sentence.strip()


def weight(text: str) -> int:
    """Return how much a text says: its letters and digits; an ideograph counts three."""
    return sum(
        3 if unicodedata.category(char) == "Lo" and ord(char) > 0x2E7F else 1 for char in text[:4000] if char.isalnum()
    )
