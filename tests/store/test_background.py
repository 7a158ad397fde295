"""Loading and following on threads of their own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QFileSystemWatcher, QObject, QThread
from pytestqt.qtbot import QtBot

from services import session_follower, session_loader, session_reading
from services.session_follower import SessionFollower
from services.session_loader import SessionLoader
from services.session_store import SessionStore, StoreChange
from tests.store.damaged_files import HEADER, SAMPLES, chain, entry, lines
from tests.store.plain_reading import assert_equals, read_plainly


class Log(QObject):
    """What a loader sends, in order; its slots run on the thread of the test."""

    def __init__(self, loader: SessionLoader) -> None:
        super().__init__()
        self.events: list[tuple[str, object]] = []
        self.threads: set[QThread] = set()
        loader.snapshot.connect(self.on_snapshot)
        loader.measured.connect(self.on_measured)
        loader.failed.connect(self.on_failed)
        loader.stopped.connect(self.on_stopped)

    def on_snapshot(self, store: SessionStore) -> None:
        self._note("partial" if store.partial else "snapshot", store)

    def on_measured(self, store: SessionStore) -> None:
        self._note("measured", store)

    def on_failed(self, sentence: str) -> None:
        self._note("failed", sentence)

    def on_stopped(self) -> None:
        self._note("stopped", None)

    def _note(self, name: str, value: object) -> None:
        self.events.append((name, value))
        self.threads.add(QThread.currentThread())

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.events]


@pytest.fixture
def loaded(qtbot: QtBot) -> Iterator[Callable[[Path], Log]]:
    logs: list[Log] = []

    def load(path: Path) -> Log:
        loader = SessionLoader(path)
        logs.append(Log(loader))
        with qtbot.waitSignal(loader.finished):
            loader.start()
        qtbot.waitUntil(lambda: bool(logs[-1].names and logs[-1].names[-1] in ("measured", "failed", "stopped")))
        return logs[-1]

    yield load
    for log in logs:
        for _, value in log.events:
            if isinstance(value, SessionStore):
                value.close()


def test_a_small_file_comes_whole(loaded: Callable[[Path], Log], tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(SAMPLES["real-v3-branched"])
    log = loaded(path)
    assert log.names == ["snapshot", "measured"]
    assert log.events[0][1] is log.events[1][1]
    assert log.threads == {QThread.currentThread()}


def test_of_a_large_file_the_end_comes_first(
    loaded: Callable[[Path], Log], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_loader, "TAIL_FIRST_BYTES", 1000)
    monkeypatch.setattr(session_reading, "EXACT_BYTES", 1000)
    monkeypatch.setattr(session_reading, "_TAIL_SIZES", (50, 30_000))
    path = tmp_path / "session.jsonl"
    path.write_bytes(SAMPLES["real-v3-branched"])
    log = loaded(path)
    assert log.names == ["partial", "snapshot", "measured"]
    (_, tail), (_, store), _ = log.events
    assert isinstance(tail, SessionStore)
    assert isinstance(store, SessionStore)
    assert 5 < tail.index.count < store.index.count
    assert tail.read_only
    assert tail.session_id == store.session_id
    first = store.index.count - tail.index.count
    for row in range(tail.index.count):
        assert tail.index.id_of(row) == store.index.id_of(first + row)
        assert tail.entry(row) == store.entry(first + row)
        assert tail.index.estimate[row] == store.index.estimate[first + row]
        assert tail.index.parent[row] == max(store.index.parent[first + row] - first, -1)
    assert_equals(store.index, read_plainly(path.read_bytes()))


@pytest.mark.parametrize("name", ["real-v1-large", "no header"])
def test_no_end_without_the_rest(name: str, tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes({**SAMPLES, "no header": lines(*chain(10))}[name])
    assert SessionStore.open_tail(path) is None


def test_failures_are_sentences(loaded: Callable[[Path], Log], tmp_path: Path) -> None:
    (tmp_path / "notes").write_bytes(b"hello\n")
    for path in (tmp_path / "missing", tmp_path / "notes", tmp_path):
        log = loaded(path)
        assert log.names == ["failed"]
        assert str(log.events[0][1]).endswith(".")


def test_stop(tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(SAMPLES["real-v3-large"])
    loader = SessionLoader(path)
    log = Log(loader)
    loader.stop()
    with qtbot.waitSignal(loader.stopped):
        loader.start()
    assert loader.wait(5000)
    assert log.names == ["stopped"]


@pytest.fixture
def followed(tmp_path: Path, qtbot: QtBot) -> Iterator[tuple[Path, SessionStore, SessionFollower]]:
    path = tmp_path / "session.jsonl"
    path.write_bytes(lines(HEADER, *chain(5)))
    store = SessionStore.open(path)
    follower = SessionFollower(store)
    follower.start()
    yield path, store, follower
    follower.stop()
    assert follower.wait(5000)
    store.close()


Followed = tuple[Path, SessionStore, SessionFollower]


def append(path: Path, *new: bytes) -> None:
    with path.open("ab") as file:
        file.write(lines(*new))


def test_appended_lines_are_told(followed: Followed, qtbot: QtBot) -> None:
    path, store, follower = followed
    with qtbot.waitSignal(follower.changed) as caught:
        append(path, entry("a", "00000004"))
    assert caught.args == [StoreChange("appended", range(5, 6))]
    assert store.index.count == 6


def test_lost_notifications_are_made_up_for(followed: Followed, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    path, _, follower = followed
    watcher = follower.findChild(QFileSystemWatcher)
    assert isinstance(watcher, QFileSystemWatcher)
    watcher.removePaths([*watcher.files(), *watcher.directories()])
    with qtbot.waitSignal(follower.changed):
        append(path, entry("a", "00000004"))


def test_a_replaced_file_is_followed_on(followed: Followed, qtbot: QtBot) -> None:
    path, store, follower = followed
    with qtbot.waitSignal(follower.changed) as caught:
        other = path.with_name("other")
        other.write_bytes(lines(HEADER, *chain(2)))
        other.replace(path)
    assert caught.args is not None
    assert caught.args[0].kind == "replaced"
    with qtbot.waitSignal(follower.changed):
        append(path, entry("a", "00000001"))
    assert store.index.count == 3


def test_a_deleted_file_is_told_once_and_found_again(followed: Followed, qtbot: QtBot) -> None:
    path, _, follower = followed
    with qtbot.waitSignal(follower.changed) as caught:
        path.unlink()
    assert caught.args is not None
    assert caught.args[0].kind == "deleted"
    with qtbot.waitSignal(follower.changed) as caught:
        path.write_bytes(lines(HEADER, *chain(3)))
    assert caught.args is not None
    assert caught.args[0].kind == "replaced"


def test_own_changes_are_not_told(followed: Followed, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_follower, "CHECK_INTERVAL_S", 0.01)
    path, store, follower = followed
    told: list[StoreChange] = []
    follower.changed.connect(told.append)
    new = {"type": "custom", "id": "mine", "parentId": None, "timestamp": "2026-02-03T09:00:00.000Z", "customType": "x"}
    store.append([new])
    with qtbot.waitSignal(follower.changed):
        append(path, entry("a", "mine"))
    assert told == [StoreChange("appended", range(6, 7))]
