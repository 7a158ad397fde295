"""Sessions of older versions in the form of the current one (SF-8). Only in memory: whoever writes decides when."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from model.entries import entry_type, fresh_entry_id
from model.json_text import JsonObject

CURRENT_VERSION: Final = 3


@dataclass(frozen=True, slots=True)
class Migration:
    """The records of a session in the current version, and the version they were stored in."""

    records: tuple[Any, ...]
    stored_version: float

    @property
    def changed(self) -> bool:
        """Whether the session was stored in an older version."""
        return self.stored_version < CURRENT_VERSION


def stored_version(header: JsonObject | None) -> float:
    """Return the version that a header names: 1 when it names none, the current one when it is no number."""
    version = None if header is None else header.get("version")
    if version is None:
        return 1
    try:
        number = float(version) if isinstance(version, str | int | float) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    return CURRENT_VERSION if math.isnan(number) else number


def migrate(records: Sequence[Any], header: JsonObject | None, new_uuid: Callable[[], str]) -> Migration:
    """Return the records of a session file in the current version; they are copied where they change.

    `records` are all records in order with the header among them: the index of a version 1 compaction counts them,
    from 0. `new_uuid` gives the text of a random UUID at each call. A current session comes back as it is, so
    migrating twice is migrating once. Records that are no objects stay.
    """
    version = stored_version(header)
    migrated = list(records)
    if version < 2:
        migrated = _with_ids(migrated, new_uuid)
    if version < CURRENT_VERSION:
        migrated = [_renamed(record) for record in migrated]
    return Migration(tuple(migrated), version)


def _with_ids(records: list[Any], new_uuid: Callable[[], str]) -> list[Any]:
    """Version 1 to 2: a chain of ids and parents in file order, and kept boundaries by id."""
    taken: set[str] = set()
    migrated: list[Any] = []
    parent: str | None = None
    for record in records:
        if not isinstance(record, dict) or entry_type(record) == "session":
            migrated.append(record)
            continue
        copy = {name: value for name, value in record.items() if name != "firstKeptEntryIndex"}
        if entry_type(record) == "compaction":
            boundary = _id_at(migrated, record.get("firstKeptEntryIndex"))
            if boundary is not None:
                copy["firstKeptEntryId"] = boundary
        copy["id"] = fresh_entry_id(taken, new_uuid)
        copy["parentId"] = parent
        taken.add(copy["id"])
        parent = copy["id"]
        migrated.append(copy)
    return migrated


def _id_at(migrated: list[Any], index: Any) -> str | None:
    """The new id of the record at an index, when it is an entry that came before."""
    if isinstance(index, bool) or not isinstance(index, int | float) or index not in range(len(migrated)):
        return None
    target = migrated[int(index)]
    return target["id"] if isinstance(target, dict) and entry_type(target) != "session" else None


def _renamed(record: Any) -> Any:
    """Version 2 to 3: the role `hookMessage` is called `custom`; the header names the new version."""
    kind = entry_type(record)
    if kind == "session":
        return {**record, "version": CURRENT_VERSION}
    if kind != "message" or not isinstance(record.get("message"), dict):
        return record
    message = record["message"]
    return record if message.get("role") != "hookMessage" else {**record, "message": {**message, "role": "custom"}}
