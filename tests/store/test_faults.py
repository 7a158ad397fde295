"""A disk that fails after any number of bytes, at any step: what was reported saved is there, nothing else changes."""

import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from model.entries import new_branch_summary_entry
from model.json_text import stringify
from services import session_store
from services.disk import Disk
from services.session_files import set_session_name
from services.session_store import SessionStore
from services.store_errors import StoreError
from tests.store.damaged_files import HEADER, SAMPLES, chain, entry, lines
from tests.store.plain_reading import assert_equals, read_plainly
from tests.store.scale import PATIENCE, TIMES

pytestmark = PATIENCE

Opened = Callable[[Path], SessionStore]
SUMMARY = new_branch_summary_entry(
    "aaaaaaaa", "00000001", "2026-02-03T09:00:00.000Z", "pi", from_id="00000004", summary="What was tried. ü 😀"
)
LENGTH = len(stringify(SUMMARY).encode()) + 1


class FailingDisk(Disk):
    """Writes so many bytes and fails then, or fails at another step; counts the steps."""

    def __init__(self, *, bytes_left: int = 1 << 40, failing_step: int = -1, error: int = 28) -> None:
        self.bytes_left = bytes_left
        self.steps = 0
        self.failing_step = failing_step
        self.error = error

    def _step(self) -> None:
        self.steps += 1
        if self.steps == self.failing_step:
            raise OSError(self.error, os.strerror(self.error))

    def write(self, handle: int, data: bytes | memoryview) -> int:
        self._step()
        if len(data) > self.bytes_left:
            super().write(handle, bytes(data[: self.bytes_left]))
            self.bytes_left = 0
            raise OSError(self.error, os.strerror(self.error))
        self.bytes_left -= len(data)
        return super().write(handle, data)

    def sync(self, handle: int) -> None:
        self._step()
        super().sync(handle)

    def truncate(self, handle: int, size: int) -> None:
        self._step()
        super().truncate(handle, size)

    def link(self, path: Path, other: Path) -> None:
        self._step()
        super().link(path, other)

    def replace(self, path: Path, other: Path) -> None:
        self._step()
        super().replace(path, other)

    def sync_folder(self, folder: Path) -> None:
        self._step()
        super().sync_folder(folder)


@pytest.fixture(autouse=True)
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other program writes: don't wait for it to finish its line."""
    monkeypatch.setattr(session_store, "_WRITER_PATIENCE_S", 0.0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "session.jsonl"
    file.write_bytes(lines(HEADER, *chain(5)))
    return file


@pytest.mark.parametrize("ending", [b"", b'{"type":"mess'], ids=["whole file", "torn file"])
def test_append_fails_after_any_number_of_bytes(path: Path, opened: Opened, ending: bytes) -> None:
    old = path.read_bytes() + ending
    path.write_bytes(old)
    store = opened(path)
    index = store.index
    for count in range(LENGTH + bool(ending)):
        for error in (28, 5, 13):
            store.disk = FailingDisk(bytes_left=count, error=error)
            with pytest.raises(StoreError):
                store.append([SUMMARY])
            assert path.read_bytes() == old
            assert store.index is index
            assert store.refresh().kind == "none"
    store.disk = FailingDisk()
    assert store.append([SUMMARY]) == range(5, 6)
    assert_equals(store.index, read_plainly(path.read_bytes()))


def test_append_fails_and_cannot_be_taken_back(path: Path, opened: Opened) -> None:
    """The piece that stays is a damaged line; nothing else is lost, and the next append is whole."""
    old = path.read_bytes()
    for count in range(1, LENGTH):
        path.write_bytes(old)
        store = opened(path)
        store.disk = FailingDisk(bytes_left=count, failing_step=2)
        with pytest.raises(StoreError):
            store.append([SUMMARY])
        torn = path.read_bytes()
        assert torn.startswith(old)
        assert len(torn) == len(old) + count
        store.disk = Disk()
        store.append([{**SUMMARY, "id": "bbbbbbbb"}])
        data = path.read_bytes()
        assert data.startswith(torn + b"\n")
        assert store.entry(store.index.count - 1)["id"] == "bbbbbbbb"
        assert_equals(store.index, read_plainly(data))
        store.close()


def test_sync_fails(path: Path, opened: Opened) -> None:
    old = path.read_bytes()
    store = opened(path)
    store.disk = FailingDisk(failing_step=2, error=5)
    with pytest.raises(StoreError):
        store.append([SUMMARY])
    assert (path.read_bytes(), store.index.count) == (old, 5)


def test_a_failed_append_leaves_what_others_wrote_behind_it(path: Path, opened: Opened) -> None:
    """Nothing of another program is cut off, even if a piece of ours stays before it."""
    store = opened(path)
    foreign = b"\n" + lines(entry("foreign", "00000004"))

    class Overtaken(FailingDisk):
        def write(self, handle: int, data: bytes | memoryview) -> int:
            try:
                return super().write(handle, data)
            finally:
                os.write(handle, foreign)

    store.disk = Overtaken(bytes_left=30)
    with pytest.raises(StoreError):
        store.append([SUMMARY])
    assert path.read_bytes().endswith(foreign)
    store.refresh()
    assert store.index.row_of("foreign") == 5
    assert store.index.row_of("aaaaaaaa") is None


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Let the system itself cut writes off: no file grows beyond `size` bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


@pytest.mark.skipif(sys.platform != "linux", reason="needs the limit of the system")
def test_the_system_cuts_the_append_off_anywhere(path: Path, opened: Opened) -> None:
    old = path.read_bytes()
    store = opened(path)
    store.append([{**SUMMARY, "id": "bbbbbbbb"}])  # the lock's file is there before the limit is
    old = path.read_bytes()
    for count in range(LENGTH):
        with largest_file(len(old) + count), pytest.raises(StoreError):
            store.append([SUMMARY])
        assert path.read_bytes() == old
    assert store.append([SUMMARY]) == range(6, 7)


# Rewrites


def migrate(store: SessionStore) -> None:
    store.append([{**SUMMARY, "parentId": None}])


def prune(store: SessionStore) -> None:
    old = store.entry(3)
    store.replace_entries({3: {**old, "message": {**old["message"], "content": "x" * 100}}})


def retitle(store: SessionStore) -> None:
    set_session_name(store, None, "Another name")


REWRITES: dict[str, tuple[Callable[[SessionStore], None], bytes]] = {
    "migration": (migrate, lines(*SAMPLES["real-v1-large"].splitlines()[:40])),
    "pruning": (prune, lines(HEADER, *chain(8))),
    "title": (retitle, SAMPLES["omp-branched"]),
}


def check_after_failure(path: Path, store: SessionStore, old: bytes) -> None:
    names = {file.name for file in path.parent.iterdir() if file.is_file()}
    assert path.read_bytes() == old
    assert names == {path.name}
    assert store.refresh().kind == "none"


@pytest.mark.parametrize("name", REWRITES)
def test_rewrite_fails_at_any_step(name: str, path: Path, opened: Opened) -> None:
    rewrite, old = REWRITES[name]
    path.write_bytes(old)
    store = opened(path)
    index = store.index
    counter = FailingDisk()
    replaced_at = 0
    for step in range(1, 500):
        store.disk = disk = FailingDisk(failing_step=step)
        try:
            rewrite(store)
        except StoreError:
            if path.read_bytes() != old:
                replaced_at = step
                break
            check_after_failure(path, store, old)
            assert store.index is index
        else:
            counter = disk
            break
    assert counter.steps or replaced_at
    assert path.with_name(path.name + (".v1.bak" if name == "migration" else ".bak")).read_bytes() == old
    assert_equals(SessionStore.open(path).index, read_plainly(path.read_bytes()))


@pytest.mark.parametrize("name", REWRITES)
def test_rewrite_fails_after_any_number_of_bytes(name: str, path: Path, opened: Opened) -> None:
    rewrite, old = REWRITES[name]
    path.write_bytes(old)
    store = opened(path)
    for count in range(0, len(old), max(1, len(old) // (60 * TIMES))):
        store.disk = FailingDisk(bytes_left=count)
        with pytest.raises(StoreError):
            rewrite(store)
        check_after_failure(path, store, old)
    store.disk = Disk()
    rewrite(store)
    assert_equals(store.index, read_plainly(path.read_bytes()))


def test_a_copy_that_fails_leaves_nothing(path: Path, opened: Opened, tmp_path: Path) -> None:
    store = opened(path)
    folder = tmp_path / "copies"
    folder.mkdir()
    for save in (store.save_copy, store.save_repaired_copy):
        for count in range(0, path.stat().st_size, 50):
            store.disk = FailingDisk(bytes_left=count)
            with pytest.raises(OSError):
                save(folder / "copy.jsonl")
            assert list(folder.iterdir()) == []
