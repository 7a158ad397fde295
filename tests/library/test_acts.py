"""Folders, names and the trash."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from services.errors import ServiceError
from services.library import trash
from services.library.folders import add_folder, library_folders, remove_folder
from services.library.renaming import rename_session
from services.library.trash import move_to_trash, restore
from services.session_lock import SessionLock
from services.session_store import SessionStore
from services.settings_files import SettingsFiles
from tests.library.session_files import SessionFile, state_of
from tests.services.sessions import copy_of


@pytest.mark.spec("SF-13")
def test_the_agents_folders(own_folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = library_folders()
    assert folders.agents == (own_folders / ".pi/agent/sessions", own_folders / ".omp/agent/sessions")
    monkeypatch.setenv("PI_CONFIG_DIR", ".other")
    assert library_folders().agents[1] == own_folders / ".other/agent/sessions"
    monkeypatch.setenv("PI_CODING_AGENT_SESSION_DIR", "/elsewhere")
    assert library_folders().agents[0] == Path("/elsewhere")
    monkeypatch.setenv("PI_CODING_AGENT_DIR", "/both")
    monkeypatch.delenv("PI_CODING_AGENT_SESSION_DIR")
    assert library_folders().all == (Path("/both/sessions"),)


@pytest.mark.spec("SF-13", "ST-4")
def test_folders_out_of_settings(own_folders: Path) -> None:
    settings = own_folders / ".pi/agent/settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"sessionDir": "~/mine"}))
    assert library_folders().agents[0] == own_folders / "mine"
    settings.write_text("{broken")
    assert library_folders().agents[0] == own_folders / ".pi/agent/sessions"


@pytest.mark.spec("ST-4")
def test_adding_and_removing_folders(tmp_path: Path) -> None:
    files = SettingsFiles()
    one, two = tmp_path / "one", tmp_path / "zwei ünd"
    one.mkdir()
    two.mkdir()
    assert add_folder(one).added == (one,)
    assert add_folder(one).added == (one,)
    assert add_folder(two).all[-2:] == (one, two)
    assert json.loads(files.own_file.read_text())["sessions"]["folders"] == [str(one), str(two)]
    assert remove_folder(one).added == (two,)
    assert remove_folder(two).added == ()
    assert "sessions" not in json.loads(files.own_file.read_text())
    with pytest.raises(ServiceError, match="no folder"):
        add_folder(tmp_path / "nothing")


@pytest.mark.spec("SF-4")
def test_a_pi_session_gets_an_entry(folder: Path) -> None:
    file = SessionFile(folder / "s.jsonl").user("q")
    before = file.path.read_bytes()
    rename_session(file.path, "A new\nname")
    assert file.path.read_bytes().startswith(before)
    entry = json.loads(file.path.read_bytes().splitlines()[-1])
    assert (entry["type"], entry["name"], entry["parentId"]) == ("session_info", "A new name", "e0000000")
    store = SessionStore.open(file.path)
    assert store.session_name == "A new name"
    store.close()
    rename_session(file.path, "")
    store = SessionStore.open(file.path)
    assert store.session_name is None
    store.close()


def test_what_cannot_be_renamed(folder: Path) -> None:
    (folder / "data.jsonl").write_text('{"a":1}\n')
    with pytest.raises(ServiceError, match="not a session"):
        rename_session(folder / "data.jsonl", "x")
    with pytest.raises(ServiceError, match="cannot be read"):
        rename_session(folder / "gone.jsonl", "x")
    newer = SessionFile(folder / "newer.jsonl", version=4).user("q")
    before = newer.path.read_bytes()
    with pytest.raises(ServiceError):
        rename_session(newer.path, "x")
    assert newer.path.read_bytes() == before


def test_to_the_trash_and_back(folder: Path) -> None:
    file = SessionFile(folder / "s.jsonl").user("q")
    with_it = folder / "s"
    with_it.mkdir()
    (with_it / "1.bash.log").write_text("output")
    before = state_of(folder)
    moved = move_to_trash(file.path)
    assert not file.path.exists()
    assert not with_it.exists()
    assert moved.path == file.path
    assert moved.can_restore
    restore(moved)
    after = state_of(folder)
    after.pop(str(with_it))
    before.pop(str(with_it))
    assert after == before
    leftover = [path for path in Path(os.environ["HOME"]).rglob("*") if path.suffix == ".trashinfo"]
    assert not leftover


def test_another_folder_of_that_name_is_left_alone(folder: Path) -> None:
    file = SessionFile(folder / "s.jsonl").user("q")
    (folder / "s").mkdir()
    (folder / "s" / "notes.txt").write_text("mine")
    move_to_trash(file.path)
    assert (folder / "s" / "notes.txt").read_text() == "mine"


def test_a_session_that_another_window_works_on_stays(folder: Path) -> None:
    file = SessionFile(folder / "s.jsonl").user("q")
    lock = SessionLock(file.path)
    lock.acquire()
    with pytest.raises(ServiceError, match="Another window"):
        move_to_trash(file.path)
    assert file.path.exists()
    lock.release()
    move_to_trash(file.path)


def test_nothing_is_overwritten_by_putting_back(folder: Path) -> None:
    file = SessionFile(folder / "s.jsonl").user("q")
    moved = move_to_trash(file.path)
    file.path.write_text("somebody else's")
    with pytest.raises(ServiceError, match="stays there"):
        restore(moved)
    assert file.path.read_text() == "somebody else's"
    file.path.unlink()
    restore(moved)
    assert b"session" in file.path.read_bytes()


def test_a_desktop_without_a_trash(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = SessionFile(folder / "s.jsonl").user("q")

    class NoTrash:
        def __init__(self, _name: str) -> None: ...

        def moveToTrash(self) -> bool:
            return False

    monkeypatch.setattr(trash, "QFile", NoTrash)
    with pytest.raises(ServiceError, match="nothing was deleted"):
        move_to_trash(file.path)
    assert file.path.exists()
    with pytest.raises(ServiceError, match="not there"):
        move_to_trash(folder / "gone.jsonl")


def test_the_name_that_a_session_has_is_not_written_again_and_an_upgrade_is_told(folder: Path) -> None:
    old = copy_of("real-v1-before-compaction.jsonl", folder)
    upgrade = rename_session(old, "A name")
    assert upgrade is not None
    assert (upgrade.old_version, upgrade.version) == (1, 3)
    assert upgrade.backup.is_file()
    before = old.read_bytes()
    assert rename_session(old, " A name ") is None
    assert old.read_bytes() == before
