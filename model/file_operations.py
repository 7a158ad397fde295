"""Files that a conversation read and changed, and how a summary lists them (CP-16, CP-17)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from model.dialects import Dialect
from model.interruptions import interruptibly
from model.json_text import JsonObject
from model.messages import content_blocks, role_of
from model.rules import BRANCHWORK, Rules
from model.summary_format import tidy_prompt

READ_FILES_TAG: Final = "read-files"
MODIFIED_FILES_TAG: Final = "modified-files"


@dataclass(frozen=True, slots=True)
class FileOperations:
    """Paths by the tool that touched them, exactly as the calls name them."""

    read: frozenset[str] = frozenset()
    written: frozenset[str] = frozenset()
    edited: frozenset[str] = frozenset()

    @staticmethod
    def union(parts: Iterable["FileOperations"]) -> "FileOperations":
        """Return the operations of all parts. O(paths in them)."""
        read: set[str] = set()
        written: set[str] = set()
        edited: set[str] = set()
        for part in interruptibly(parts):
            read |= part.read
            written |= part.written
            edited |= part.edited
        return FileOperations(frozenset(read), frozenset(written), frozenset(edited))


@dataclass(frozen=True, slots=True)
class FileLists:
    """Files only read, and files changed: sorted by UTF-16 units, without duplicates."""

    read_files: tuple[str, ...] = ()
    modified_files: tuple[str, ...] = ()

    def as_details(self) -> JsonObject:
        """Return the lists as the `details` of a compaction or branch summary."""
        return {"readFiles": list(self.read_files), "modifiedFiles": list(self.modified_files)}


def operations_in_messages(messages: Iterable[JsonObject], rules: Rules = BRANCHWORK) -> FileOperations:
    """Return the operations of the tools `read`, `write` and `edit` in messages: calls with a path that is text."""
    paths: dict[str, set[str]] = {"read": set(), "write": set(), "edit": set()}
    for message in interruptibly(messages):
        for name, arguments in _calls(message, rules):
            path = arguments.get("path") if isinstance(arguments, dict) else None
            if isinstance(name, str) and name in paths and isinstance(path, str) and path:
                paths[name].add(path)
    return FileOperations(frozenset(paths["read"]), frozenset(paths["write"]), frozenset(paths["edit"]))


def operations_in_details(entry: JsonObject, rules: Rules = BRANCHWORK) -> FileOperations:
    """Return the files that a compaction or branch summary lists, none when an extension wrote it.

    Modified files count as edited. Details of any other shape are ignored.
    """
    details = entry.get("details")
    if not isinstance(details, dict) or any(entry.get(mark) is True for mark in rules.extension_marks):
        return FileOperations()
    return FileOperations(read=_texts(details.get("readFiles")), edited=_texts(details.get("modifiedFiles")))


def compute_file_lists(operations: FileOperations) -> FileLists:
    """Return the lists to store: modified is written and edited, read is what was only read."""
    modified = operations.written | operations.edited
    return FileLists(_sorted(operations.read - modified), _sorted(modified))


def file_tags(lists: FileLists, dialect: Dialect, limit: int = 0, rules: Rules = BRANCHWORK) -> str:
    """Return the elements that list the files in a summary, "" without files.

    At most `limit` names an element (0: all); what is left out is counted in its last line.
    """
    separator = rules.file_tag_block_separator
    if separator is None:
        separator = "\n" if dialect == "omp" else "\n\n"
    named = ((READ_FILES_TAG, lists.read_files), (MODIFIED_FILES_TAG, lists.modified_files))
    text = separator.join(_element(tag, names, limit, rules) for tag, names in named if names)
    return tidy_prompt(text) if rules.summaries_reformatted else text


def with_file_tags(summary: str, lists: FileLists, dialect: Dialect, limit: int = 0, rules: Rules = BRANCHWORK) -> str:
    """Return a summary with the elements of `lists` behind it, in place of any that a model wrote into it (CP-17)."""
    tags = file_tags(lists, dialect, limit, rules)
    if not rules.old_file_tags_replaced:
        return f"{summary}\n\n{tags}" if tags else summary
    return "\n\n".join(part for part in (without_file_tags(summary), tags) if part)


def without_file_tags(summary: str) -> str:
    """Return a summary without its file elements and without white space at its end. An unclosed element stays."""
    for tag in (READ_FILES_TAG, MODIFIED_FILES_TAG):
        summary = _without_elements(summary, f"<{tag}>", f"</{tag}>")
    return summary.rstrip()


def _without_elements(text: str, opening: str, closing: str) -> str:
    """The text without elements of one kind and the white space behind each. O(length)."""
    kept: list[str] = []
    position = 0
    while (start := text.find(opening, position)) >= 0 and (end := text.find(closing, start)) >= 0:
        kept.append(text[position:start])
        position = end + len(closing)
        while position < len(text) and text[position].isspace():
            position += 1
    return "".join([*kept, text[position:]])


def _calls(message: JsonObject, rules: Rules) -> Iterator[tuple[Any, Any]]:
    """Name and arguments of the calls in an answer, and of those that a tool result says it made itself."""
    role = role_of(message)
    calls: Any = ()
    if role == "assistant":
        calls = [block for block in content_blocks(message.get("content")) if block.get("type") == "toolCall"]
    elif role == "toolResult" and rules.nested_calls_tracked:
        nested = message.get("nestedCalls")
        calls = nested.get("calls") if isinstance(nested, dict) else None
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict):
            yield call.get("name"), call.get("arguments")


def _element(tag: str, names: tuple[str, ...], limit: int, rules: Rules) -> str:
    shown = list(names)
    if limit and len(names) > limit:
        shown = [*names[:limit], f"… ({len(names) - limit} more files omitted)"]
    return f"<{tag}>\n{rules.file_tag_name_separator.join(shown)}\n</{tag}>"


def _texts(value: Any) -> frozenset[str]:
    return frozenset(item for item in value if isinstance(item, str)) if isinstance(value, list) else frozenset()


def _sorted(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(paths, key=lambda path: path.encode("utf-16-be", "surrogatepass")))
