"""Operations that make or name whole sessions: a branch as a file of its own, the name of a session.

Source: session-format spec, SF-4.10, SF-11.6, SF-13.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from model.branch_extraction import ExtractedBranch, extract_branch
from model.entries import entry_id, new_session_info_entry, one_line, parent_id
from model.entry_index import EntryIndex
from model.entry_kinds import Kind
from model.errors import UnknownEntryError
from model.json_text import stringify
from model.repair import mended_entry
from model.runs import Runs
from model.timestamps import iso_timestamp
from services.cancellation import CancellationToken
from services.file_rewrite import write_new_file
from services.session_ids import new_session_id, new_uuid, now_ms
from services.session_rewriting import changed_line
from services.session_store import SessionStore


def session_file_name(timestamp: str, session_id: str) -> str:
    """Return the name of a session's file: header time and id. Whatever else an id holds, the result is one name."""
    name = f"{timestamp.replace(':', '-').replace('.', '-')}_{session_id}"
    return "".join(character if character.isalnum() or character in "-_." else "-" for character in name) + ".jsonl"


def save_branch(
    store: SessionStore,
    leaf_id: str,
    folder: Path | None = None,
    *,
    file: Path | None = None,
    token: CancellationToken | None = None,
) -> Path:
    """Write the path from the root to `leaf_id` as a session of its own and return its file.

    It is `file`, or else one named as the agents do, in `folder` or beside the session. The entries are those that the
    store holds at the call, mended where an agent could not open them; the new header names the session that they came
    from. Raises UnknownEntryError, OperationCancelled, FileExistsError and any other OSError.
    """
    index = store.index
    leaf = index.row_of(leaf_id)
    if leaf is None:
        raise UnknownEntryError(leaf_id)
    path_rows = Runs(index.parent).path(leaf).tolist()
    rows = sorted({*path_rows, *np.flatnonzero(index.kind == Kind.LABEL).tolist()})
    time_ms = now_ms()
    branch = extract_branch(
        store.entries(rows, index),
        leaf_id,
        store.dialect,
        session_id=new_session_id(store.dialect, time_ms),
        cwd=store.cwd or os.getcwd(),
        parent_session=str(store.path.absolute()),
        now_ms=time_ms,
        new_uuid=new_uuid,
    )
    name = session_file_name(iso_timestamp(time_ms), branch.header["id"])
    file = file or (folder or store.path.parent) / name
    write_new_file(file, _lines(branch, store, index, token))
    return file


def _lines(
    branch: ExtractedBranch, store: SessionStore, index: EntryIndex, token: CancellationToken | None
) -> Iterator[bytes]:
    """The lines of a new session; behind the last one it is too late to cancel."""
    yield f"{stringify(branch.header)}\n".encode()
    for entry in branch.entries:
        if token is not None:
            token.raise_if_set()
        mended = mended_entry(entry, parent_id(entry), branch.header["timestamp"])
        row = index.row_of(entry_id(entry) or "")
        yield changed_line(mended, b"" if row is None else store.raw_line(row, index)) + b"\n"
    if token is not None:
        token.seal()


def has_session_name(store: SessionStore, name: str) -> bool:
    """Whether the session has exactly that name; a blank one: whether it has none."""
    return _spelt(store, name) == (store.session_name or "")


def set_session_name(store: SessionStore, leaf_id: str | None, name: str) -> str | None:
    """Give the session a name, none if it is blank, the way its agent does.

    Pi gets a `session_info` entry behind the leaf; its id, the new leaf, is returned. OMP gets a title in the header,
    for which the file is rewritten; None is returned. Raises StoreError.
    """
    if store.dialect == "omp":
        store.set_title(_spelt(store, name))
        return None
    entry = new_session_info_entry(store.new_entry_id(), leaf_id, iso_timestamp(now_ms()), store.dialect, name=name)
    store.append([entry])
    return entry_id(entry)


def _spelt(store: SessionStore, name: str) -> str:
    """The name as the session's agent keeps it."""
    return " ".join(name.split()) if store.dialect == "omp" else one_line(name)
