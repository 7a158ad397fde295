"""Blobs and artifacts, ids and names of sessions, folders, locks, title slots."""

import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest

from model.session_titles import SLOT_BYTES, title_slot_line, with_title
from services import entry_cache
from services.blobs import BlobFolders, artifacts, is_blob_reference, omp_folder
from services.entry_cache import EntryCache
from services.session_files import session_file_name
from services.session_folders import pi_folder, session_folders
from services.session_ids import new_session_id
from services.session_lock import SessionLock
from services.store_errors import SessionLockedError
from tests.store.damaged_files import SESSIONS

PICTURE = next((SESSIONS / "omp-blobs").iterdir())
REFERENCE = f"blob:sha256:{PICTURE.name}"


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A session file as OMP lays it out, with one blob."""
    file = tmp_path / "agent" / "sessions" / "--home-dev--" / "x.jsonl"
    file.parent.mkdir(parents=True)
    shutil.copy(SESSIONS / "omp-branched.jsonl", file)
    (tmp_path / "agent" / "blobs").mkdir()
    shutil.copy(PICTURE, tmp_path / "agent" / "blobs" / PICTURE.name)
    return file


def test_a_blob_is_found_beside_the_sessions(session: Path) -> None:
    text = session.read_text("utf-8")
    assert REFERENCE in text
    folders = BlobFolders.of_session(session)
    assert folders.read(REFERENCE) == PICTURE.read_bytes()
    assert folders.image({"type": "image", "data": REFERENCE, "mimeType": "image/png"}) == PICTURE.read_bytes()
    assert session.read_text("utf-8") == text


def test_more_folders_are_looked_into(tmp_path: Path) -> None:
    assert BlobFolders.of_session(tmp_path / "x.jsonl", [PICTURE.parent]).read(REFERENCE) == PICTURE.read_bytes()


def test_references_that_give_nothing(session: Path) -> None:
    folders = BlobFolders.of_session(session)
    blobs = session.parents[2] / "blobs"
    fake = hashlib.sha256(b"other").hexdigest()
    (blobs / fake).write_bytes(b"not that")
    (blobs / "secret").write_bytes(b"secret")
    names = (fake, "0" * 64, "../secret", "secret", PICTURE.name + "\n", PICTURE.name.upper())
    wrong = [*(f"blob:sha256:{name}" for name in names), "", None, 5]
    for reference in wrong:
        assert folders.read(reference) is None, reference
    assert not is_blob_reference("blob:sha256:../secret")
    assert is_blob_reference(REFERENCE)


def test_images_in_the_block() -> None:
    folders = BlobFolders([])
    assert folders.image({"data": "aGVsbG8="}) == b"hello"
    for block in (None, [], {}, {"data": None}, {"data": "!!"}, {"data": "blob:sha256:x"}):
        assert folders.image(block) is None


def test_artifacts(session: Path) -> None:
    assert artifacts(session) == []
    folder = session.with_suffix("")
    folder.mkdir()
    for name in ("10.bash.log", "2.read.log", "notes.txt", "x.bash.log"):
        (folder / name).write_bytes(b"")
    assert [file.name for file in artifacts(session)] == ["2.read.log", "10.bash.log"]


def test_folders_of_the_agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR", "PI_CONFIG_DIR", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert (pi_folder(), omp_folder()) == (tmp_path / ".pi/agent", tmp_path / ".omp/agent")
    assert session_folders() == []
    for folder in (".pi/agent/sessions", ".omp/agent/sessions", "own", "data/omp/sessions"):
        (tmp_path / folder).mkdir(parents=True)
    assert session_folders() == [tmp_path / ".pi/agent/sessions", tmp_path / ".omp/agent/sessions"]
    assert session_folders(str(tmp_path / "own"))[0] == tmp_path / "own"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert omp_folder() == tmp_path / "data/omp"
    monkeypatch.setenv("PI_CONFIG_DIR", ".other")
    assert omp_folder() == tmp_path / ".other/agent"
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "own"))
    assert (pi_folder(), omp_folder()) == (tmp_path / "own", tmp_path / "own")


def test_the_cache_keeps_what_was_used_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry_cache, "MOST_ENTRIES", 3)
    monkeypatch.setattr(entry_cache, "MOST_BYTES", 100)
    cache = EntryCache()
    for row in range(3):
        cache.put((0, row), {"row": row}, 10)
    assert cache.get((0, 0)) == {"row": 0}
    cache.put((0, 3), {"row": 3}, 10)
    assert [cache.get((0, row)) for row in range(4)] == [{"row": 0}, None, {"row": 2}, {"row": 3}]
    assert cache.get((1, 0)) is None
    cache.put((0, 4), {"row": 4}, 5000)
    assert (len(cache), cache.get((0, 4))) == (1, {"row": 4})


def test_session_ids() -> None:
    uuid_7 = r"019cad21-eb84-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
    assert re.fullmatch(uuid_7, new_session_id("pi", 0x019CAD21EB84))
    assert new_session_id("omp", 1772701205900).startswith("14869bc563")
    assert len(new_session_id("omp")) == 16
    for dialect in ("pi", "omp"):
        assert len({new_session_id(dialect, 1772701211800) for _ in range(50)}) == 50


def test_file_names_are_names() -> None:
    time = "2026-02-03T08:00:00.000Z"
    assert session_file_name(time, "a-b.c_d") == "2026-02-03T08-00-00-000Z_a-b.c_d.jsonl"
    assert session_file_name(time, "../../x\\y") == "2026-02-03T08-00-00-000Z_..-..-x-y.jsonl"


def test_locks(tmp_path: Path) -> None:
    first, second = SessionLock(tmp_path / "x", tmp_path), SessionLock(tmp_path / "y" / ".." / "x", tmp_path)
    first.acquire()
    first.acquire()
    assert (first.is_held, second.is_held) == (True, False)
    with pytest.raises(SessionLockedError):
        second.acquire()
    SessionLock(tmp_path / "other", tmp_path).acquire()
    first.release()
    second.acquire()
    assert second.is_held


def test_a_state_folder_that_cannot_be_made_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    lock = SessionLock(tmp_path / "x", tmp_path / "file" / "locks")
    lock.acquire()
    assert not lock.is_held


@pytest.mark.parametrize("title", ["", "Short", "é" * 300, '"\\' * 200, "😀" * 100])
def test_title_slots(title: str) -> None:
    line = title_slot_line({"type": "title", "v": 1, "title": "x", "pad": "", "new": 1}, title, "user", "t")
    slot = json.loads(line)
    assert len(line) == SLOT_BYTES
    assert title.startswith(slot["title"])
    assert (slot["new"], slot["source"], list(slot)[:3]) == (1, "user", ["type", "v", "title"])


def test_a_title_slot_without_room() -> None:
    with pytest.raises(ValueError):
        title_slot_line({"type": "title", "more": "x" * 300}, "title", "user", "t")


def test_titles_in_a_header() -> None:
    header = {"type": "session", "title": "old", "cwd": "/"}
    assert list(with_title(header, "new", "user").items()) == [
        ("type", "session"), ("title", "new"), ("cwd", "/"), ("titleSource", "user"),
    ]  # fmt: skip
    assert with_title(header, "", "user") == {"type": "session", "cwd": "/"}
