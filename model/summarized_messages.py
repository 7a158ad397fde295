"""The messages by which entries count when they are summarised (CP-9, BS-4).

They are those of the context where an entry is in it, and else what the entry stands for by itself.
"""

from collections.abc import Iterable, Sequence

from model.context import ProjectedEntry, entry_message
from model.entries import entry_id, entry_type, parent_id
from model.interruptions import interruptibly, newest_first
from model.json_text import JsonObject
from model.rules import BRANCHWORK, Rules
from model.timestamps import timestamp_ms

Messages = tuple[JsonObject, ...]


def linked_path(path: Sequence[JsonObject], rules: Rules = BRANCHWORK) -> Sequence[JsonObject]:
    """Return the part of a path that counts: all of it, under Pi's rules what follows the last broken parent link."""
    if not rules.path_follows_parent_links:
        return path
    for place in newest_first(path):
        if place == 0 or not parent_id(path[place]) == entry_id(path[place - 1]) is not None:
            return path[place:]
    return path


def path_messages(
    path: Sequence[JsonObject], projection: Iterable[ProjectedEntry], rules: Rules = BRANCHWORK
) -> list[Messages]:
    """Return the messages that each entry of a path contributes, given the projection at its end. O(path)."""
    contributed = {id(item.entry): item.messages for item in interruptibly(projection)}
    if rules.empty_branch_summary_in_window:
        return [contributed.get(id(entry)) or _empty_branch_summary(entry) for entry in interruptibly(path)]
    return [contributed.get(id(entry), ()) for entry in interruptibly(path)]


def branch_message(entry: JsonObject, rules: Rules = BRANCHWORK) -> JsonObject | None:
    """Return the message by which an entry of an abandoned branch is summarised, before context edits, or None."""
    message = entry_message(entry, rules)
    if message is None and rules.empty_branch_summary_in_branch:
        return next(iter(_empty_branch_summary(entry)), None)
    return message


def _empty_branch_summary(entry: JsonObject) -> Messages:
    """The message of a branch summary without text, which the context leaves out and the agents' summaries do not."""
    if entry_type(entry) != "branch_summary" or entry.get("summary"):
        return ()
    when = timestamp_ms(entry.get("timestamp"))
    return ({"role": "branchSummary", "summary": "", "fromId": entry.get("fromId"), "timestamp": when},)
