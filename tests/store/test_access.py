"""Whether the system lets us write, found out without writing, at the beginning and whenever it changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from services.disk import Disk
from services.session_store import SessionStore
from services.store_errors import FOLDER_PROTECTED, PROTECTED, ReadOnlyError, WriteError
from tests.store.damaged_files import HEADER, chain, entry, lines

Opened = Callable[[Path], SessionStore]


class ProtectedDisk(Disk):
    """Lets nobody write where `protected` says so, and replaces no file in a protected folder."""

    def __init__(self, *protected: Path) -> None:
        self.protected = set(protected)

    def may_write(self, path: Path) -> bool:
        return path not in self.protected

    def link(self, path: Path, other: Path) -> None:
        if other.parent in self.protected:
            raise PermissionError(13, "Permission denied")
        super().link(path, other)

    def replace(self, path: Path, other: Path) -> None:
        if other.parent in self.protected:
            raise PermissionError(13, "Permission denied")
        super().replace(path, other)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A session of three entries."""
    made = tmp_path / "s.jsonl"
    made.write_bytes(lines(HEADER, *chain(3)))
    return made


def test_a_protected_file_is_read_only_until_it_is_not_any_more(path: Path, opened: Opened) -> None:
    store = opened(path)
    before = path.read_bytes()
    assert (store.read_only, store.is_protected) == (None, False)
    disk = ProtectedDisk(path)
    store.disk = disk
    assert store.refresh().kind == "none", "nobody wrote anything"
    assert (store.read_only, store.is_protected) == (PROTECTED, True)
    with pytest.raises(ReadOnlyError):
        store.append([json.loads(entry("new", None))])
    assert path.read_bytes() == before
    disk.protected.clear()
    store.refresh()
    assert store.read_only is None
    store.append([json.loads(entry("new", None))])
    assert path.read_bytes() != before


def test_in_a_protected_folder_is_appended_but_nothing_replaced(path: Path, opened: Opened) -> None:
    store = opened(path)
    store.disk = ProtectedDisk(path.parent)
    store.refresh()
    assert store.read_only is None
    store.append([json.loads(entry("new", None))])
    with pytest.raises(ReadOnlyError) as refused:
        store.replace_entries({0: store.entry(0)})
    assert str(refused.value) == FOLDER_PROTECTED
    assert not isinstance(refused.value, WriteError)
