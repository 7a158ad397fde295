"""In which entries of a session the likely secrets of a prompt stand."""

from collections.abc import Iterable, Sequence

from model.digest_evidence import Evidence
from model.json_text import stringify


def holding_entries(values: Sequence[str], evidence: Iterable[Evidence]) -> tuple[tuple[str, ...], ...]:
    """Return for each value the ids of the entries whose message holds it, in order. O(values × length).

    A prompt shows some texts as they are and others, such as the arguments of a call, as JSON; both are found. What
    came from elsewhere, such as instructions, has no entry.
    """
    found: dict[str, dict[str, None]] = {value: {} for value in values}
    forms = {value: {value, stringify(value)[1:-1]} for value in found}
    for each in evidence:
        text = stringify(each.message)
        for value, ids in found.items():
            if each.entry_id and any(form in text for form in forms[value]):
                ids[each.entry_id] = None
    return tuple(tuple(found[value]) for value in values)
