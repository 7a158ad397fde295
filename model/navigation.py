"""Moving in the tree: which entries are left behind, where the move ends, what goes to the editor (TN-4, TN-5)."""

from dataclasses import dataclass

from model.entries import entry_id, entry_type, message_of, parent_id
from model.errors import RefusedError, UnknownEntryError
from model.json_text import JsonObject
from model.messages import block_texts, role_of
from model.rules import BRANCHWORK, Rules
from model.sentences import Sentence
from model.tree import SessionTree


@dataclass(frozen=True, slots=True)
class AbandonedEntries:
    """The entries that a move leaves behind, oldest first, and the deepest entry that both positions share."""

    entries: tuple[JsonObject, ...]
    common_ancestor_id: str | None


def collect_entries_for_branch_summary(
    tree: SessionTree, old_leaf_id: str | None, target_id: str | None
) -> AbandonedEntries:
    """Return what a move from `old_leaf_id` to the selected `target_id` leaves behind (TN-4). O(depth).

    Every entry counts, whatever its type; compactions do not stop the walk. Without an old leaf nothing is left behind;
    without a common ancestor the whole path of the old leaf is.
    """
    ancestor_id = tree.common_ancestor(old_leaf_id, target_id)
    ancestor = tree.row_of(ancestor_id)
    rows = tree.path_rows(tree.row_of(old_leaf_id))
    first = 0 if ancestor is None else rows.index(ancestor) + 1
    return AbandonedEntries(tuple(tree.entries[row] for row in rows[first:]), ancestor_id)


def resulting_leaf(entry: JsonObject) -> tuple[str | None, str | None]:
    """Return the new leaf and the text for the prompt editor when `entry` is selected (TN-5).

    A user message or `custom_message` is taken up again: the leaf is its parent (None: before the first entry) and its
    text goes to the editor. Any other entry becomes the leaf itself and brings no text (None).
    """
    text = _editable_text(entry)
    return (entry_id(entry), None) if text is None else (parent_id(entry), text)


@dataclass(frozen=True, slots=True)
class NavigationPlan:
    """A move in the tree before it is made: where it ends, what it leaves behind, what goes to the editor.

    `stays` says that the target is the current leaf: nothing is to be done.
    """

    old_leaf_id: str | None
    target: JsonObject
    stays: bool
    abandoned: AbandonedEntries
    new_leaf_id: str | None
    editor_text: str | None

    def label_target_id(self, summary_entry: JsonObject | None) -> str | None:
        """Return the entry that a label of this move goes to: the summary if one was written, else the target
        (TN-6)."""
        return entry_id(self.target if summary_entry is None else summary_entry)


def plan_navigation(
    tree: SessionTree, old_leaf_id: str | None, target_id: str, rules: Rules = BRANCHWORK
) -> NavigationPlan:
    """Return what selecting `target_id` means for a session whose leaf is `old_leaf_id` (TN-3 … TN-7). O(depth).

    A summary of the abandoned entries would hang at `new_leaf_id`. Taking up an input whose parent is missing leads
    before the first entry. Raises UnknownEntryError, and RefusedError where the agent itself refuses.
    """
    row = tree.row_of(target_id)
    if row is None:
        raise UnknownEntryError(target_id)
    target = tree.entries[row]
    if target_id == old_leaf_id:
        return NavigationPlan(old_leaf_id, target, True, AbandonedEntries((), target_id), target_id, None)
    new_leaf_id, editor_text = resulting_leaf(target)
    if editor_text is not None:
        parent = tree.parent(row)
        if parent is None and new_leaf_id is not None and rules.orphan_input_refused:
            raise RefusedError(Sentence("The parent of the entry {0} is missing.", str(target_id)))
        new_leaf_id = None if parent is None else entry_id(tree.entries[parent])
    abandoned = collect_entries_for_branch_summary(tree, old_leaf_id, target_id)
    return NavigationPlan(old_leaf_id, target, False, abandoned, new_leaf_id, editor_text)


def _editable_text(entry: JsonObject) -> str | None:
    if entry_type(entry) == "custom_message":
        return "".join(block_texts(entry.get("content")))
    message = message_of(entry)
    if message is None or role_of(message) != "user":
        return None
    return "".join(block_texts(message.get("content")))
