"""A session file read without any of the store's code: every line decoded, the tree built entry by entry."""

from dataclasses import dataclass
from uuid import uuid4

from model.body_measures import measure_entry
from model.entries import entry_id, message_of, parent_id
from model.entry_index import INVALID_TIME, EntryIndex
from model.entry_kinds import Kind, Role, Trait, kind_of, role_of
from model.json_text import JsonObject
from model.labels import resolve_labels
from model.session_loading import load_session
from model.timestamps import timestamp_ms
from model.tree import SessionTree

BODY_TRAITS = Trait.VISIBLE_TEXT | Trait.FAILED | Trait.TOOL_CALLS | Trait.EMPTY_SUMMARY


@dataclass(frozen=True)
class Expected:
    """What must be in an index, as lists in file order."""

    entries: list[JsonObject]
    ids: list[str]
    parents: list[int]
    named_parents: list[str | None]
    kinds: list[int]
    roles: list[int]
    times: list[int]
    estimates: list[int]
    traits: list[int]
    orphans: list[int]
    cuts: list[int]
    labels: dict[int, str]


def read_plainly(data: bytes) -> Expected:
    """Return what a store must find in a file. Raises NotASessionError."""
    session = load_session(data, lambda: uuid4().hex)
    with_ids = [entry for entry in session.entries if entry_id(entry) is not None]
    last = {entry_id(entry): place for place, entry in enumerate(with_ids)}
    entries = [entry for place, entry in enumerate(with_ids) if last[entry_id(entry)] == place]
    tree = SessionTree(entries)
    rows = range(len(entries))
    measures = [measure_entry(entry) for entry in entries]
    times = [timestamp_ms(entry.get("timestamp")) for entry in entries]
    parents = [tree.parent(row) for row in rows]
    labels = {tree.row_of(target): label.text for target, label in resolve_labels(entries).items()}
    return Expected(
        entries=entries,
        ids=[str(entry_id(entry)) for entry in entries],
        parents=[-1 if parent is None else parent for parent in parents],
        named_parents=[parent_id(entry) for entry in entries],
        kinds=[int(kind_of(entry.get("type"))) for entry in entries],
        roles=[int(_role(entry)) for entry in entries],
        times=[INVALID_TIME if time is None else time for time in times],
        estimates=[measure.estimate for measure in measures],
        traits=[int(measure.traits) for measure in measures],
        orphans=[row for row in rows if tree.root_kinds.get(row) == "orphan"],
        cuts=[row for row in rows if tree.root_kinds.get(row) == "cycle"],
        labels={row: text for row, text in labels.items() if row is not None},
    )


def assert_equals(index: EntryIndex, expected: Expected, *, measured: bool = True) -> None:
    """Compare every column of an index with a plain reading."""
    rows = range(index.count)
    assert [index.id_of(row) for row in rows] == expected.ids
    assert [index.row_of(id) for id in expected.ids] == list(rows)
    assert index.kind.tolist() == expected.kinds
    assert index.role.tolist() == expected.roles
    assert index.time_ms.tolist() == expected.times
    assert index.parent.tolist() == expected.parents
    assert [index.named_parent(row) for row in rows] == expected.named_parents
    assert [row for row in rows if index.traits[row] & Trait.ORPHAN] == expected.orphans
    assert [row for row in rows if index.traits[row] & Trait.CYCLE_CUT] == expected.cuts
    assert index.measured is measured
    if measured:
        assert index.estimate.tolist() == expected.estimates
        assert (index.traits & BODY_TRAITS).tolist() == expected.traits


def _role(entry: JsonObject) -> Role:
    if kind_of(entry.get("type")) is not Kind.MESSAGE:
        return Role.NONE
    message = message_of(entry)
    return role_of(message.get("role") if message else None)
