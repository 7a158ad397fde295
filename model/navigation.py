"""Moving in the tree: which entries are left behind, where the move ends, what goes to the editor (TN-4, TN-5)."""

from dataclasses import dataclass

from model.entries import entry_id, entry_type, message_of, parent_id
from model.json_text import JsonObject
from model.messages import block_texts, role_of
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


def _editable_text(entry: JsonObject) -> str | None:
    if entry_type(entry) == "custom_message":
        return "".join(block_texts(entry.get("content")))
    message = message_of(entry)
    if message is None or role_of(message) != "user":
        return None
    return "".join(block_texts(message.get("content")))
