"""Labels: the last label entry of a target in file order counts, over the whole file (SF-4.9)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from model.entries import entry_type
from model.json_text import JsonObject


@dataclass(frozen=True, slots=True)
class Label:
    """The label of an entry and the time of the label entry that set it (as written there)."""

    text: str
    timestamp: Any


def resolve_labels(entries: Iterable[JsonObject]) -> dict[str, Label]:
    """Return the labels in force by target id, also of ids that no entry has.

    A label entry without text clears the label of its target; one without a target says nothing.
    """
    labels: dict[str, Label] = {}
    for entry in entries:
        target = entry.get("targetId")
        if entry_type(entry) != "label" or not isinstance(target, str):
            continue
        text = entry.get("label")
        if isinstance(text, str) and text:
            labels[target] = Label(text, entry.get("timestamp"))
        else:
            labels.pop(target, None)
    return labels
