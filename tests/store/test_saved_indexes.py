"""The index of a large session is there again at the next opening, if the file is exactly the same."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from services import saved_indexes, session_store
from services.saved_indexes import SavedIndexes
from services.session_reading import SessionReader
from services.session_store import SessionStore, StoreChange
from tests.store.damaged_files import HEADER, SAMPLES, chain, corpus, entry, lines
from tests.store.plain_reading import assert_equals, read_plainly


@pytest.fixture(autouse=True)
def small_files_too(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (saved_indexes, session_store):
        monkeypatch.setattr(module, "LEAST_BYTES", 1)


@pytest.fixture
def saved(tmp_path: Path) -> SavedIndexes:
    return SavedIndexes(tmp_path / "indexes")


@pytest.fixture
def path(tmp_path: Path, saved: SavedIndexes) -> Path:
    """A session whose index is saved."""
    file = tmp_path / "session.jsonl"
    file.write_bytes(SAMPLES["real-v3-branched"])
    save(file, saved)
    return file


def save(path: Path, saved: SavedIndexes) -> None:
    store = SessionStore.open(path)
    store.measure()
    store.save_index(saved)
    store.close()


@pytest.fixture
def read_anew(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that were read because no saved index did."""
    files: list[Path] = []
    read = SessionReader.read

    def noted(reader: SessionReader, *arguments: object) -> object:
        files.append(reader.path)
        return read(reader, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(SessionReader, "read", noted)
    return files


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(data, id=name)
        for name, data in {**corpus(), **SAMPLES}.items()
        if data.endswith(b"\n") and len(data) < 3_000_000 and b'"version":3' in data
    ],
)
def test_everything_is_as_it_was(data: bytes, tmp_path: Path, saved: SavedIndexes, read_anew: list[Path]) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(data)
    try:
        save(path, saved)
    except ValueError:
        return
    read_anew.clear()
    first, again = SessionStore.open(path), SessionStore.open(path, saved=saved)
    assert len(read_anew) == (1 if list(saved.folder.glob("*.index")) else 2)
    assert_equals(again.index, read_plainly(data))
    for name in ("header", "dialect", "problems", "labels", "session_name", "read_only", "version"):
        assert getattr(again, name) == getattr(first, name), name
    for kept, read in zip(again.problems, first.problems, strict=True):
        assert (kept.message.template, kept.message.values) == (read.message.template, read.message.values)
    with path.open("ab") as file:
        file.write(lines(entry("new", None)))
    assert again.refresh() == first.refresh()
    assert_equals(again.index, read_plainly(path.read_bytes()))
    first.close()
    again.close()


def rewrite_with_old_time(path: Path, old: bytes, new: bytes) -> None:
    status = path.stat()
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


CHANGES: dict[str, Callable[[Path], object]] = {
    "longer": lambda path: path.write_bytes(path.read_bytes() + lines(entry("a", None))),
    "shorter": lambda path: os.truncate(path, path.stat().st_size - 1),
    "time": lambda path: os.utime(path, ns=(1, 1)),
    "permissions": lambda path: path.chmod(0o600),
    "in the middle, with the old time": lambda path: rewrite_with_old_time(path, b"theme.md", b"theme.mx"),
    "another file of that name": lambda path: (
        shutil.copy2(path, path.with_name("x")) and path.with_name("x").replace(path)
    ),
    "head": lambda path: rewrite_with_old_time(path, b"2026-03-02T06:00:14", b"2026-03-02T06:00:15"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_file_is_read_anew(name: str, path: Path, saved: SavedIndexes, read_anew: list[Path]) -> None:
    CHANGES[name](path)
    store = SessionStore.open(path, saved=saved)
    assert read_anew == [path]
    assert_equals(store.index, read_plainly(path.read_bytes()))
    store.close()


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "other"])
def test_a_damaged_index_is_none(damage: str, path: Path, saved: SavedIndexes, read_anew: list[Path]) -> None:
    (file,) = saved.folder.iterdir()
    data = bytearray(file.read_bytes())
    if damage == "cut":
        del data[-100:]
    elif damage == "flip":
        data[-100] ^= 1
    file.write_bytes({"empty": b"", "other": b'{"format":1}\n'}.get(damage, bytes(data)))
    store = SessionStore.open(path, saved=saved)
    assert read_anew == [path]
    assert_equals(store.index, read_plainly(path.read_bytes()))
    store.close()


def test_old_indexes_are_forgotten(tmp_path: Path, saved: SavedIndexes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_indexes, "MOST_FILES", 3)
    for number in range(5):
        file = tmp_path / f"{number}.jsonl"
        file.write_bytes(lines(HEADER, *chain(3)))
        save(file, saved)
    assert len(list(saved.folder.iterdir())) == 3


def test_a_folder_that_cannot_be_written_does_no_harm(path: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    save(path, SavedIndexes(tmp_path / "file" / "indexes"))
    assert SessionStore.open(path, saved=SavedIndexes(tmp_path / "file")).refresh() == StoreChange()
