"""Session files are found wherever they lie, and odd folders do no harm."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from services.cancellation import CancellationToken, OperationCancelled
from services.library.walking import Walk

pytestmark = pytest.mark.spec("SF-13")


def names(walk: Walk) -> list[str]:
    return [file.path.name for files in walk.files() for file in files]


def touch(path: Path, age_s: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}\n")
    os.utime(path, (1_700_000_000 - age_s,) * 2)
    return path


def test_all_below_a_folder_newest_first(tmp_path: Path) -> None:
    touch(tmp_path / "old.jsonl", 100)
    touch(tmp_path / "new.jsonl", 1)
    touch(tmp_path / "notes.txt")
    touch(tmp_path / "a" / "b" / "c" / "deep.jsonl")
    (tmp_path / "folder.jsonl").mkdir()
    touch(tmp_path / "folder.jsonl" / "inside.jsonl")
    walk = Walk([tmp_path])
    assert names(walk) == ["new.jsonl", "old.jsonl", "deep.jsonl", "inside.jsonl"]
    assert not walk.problems


def test_links_that_lead_back_and_to_nowhere(tmp_path: Path) -> None:
    kept = touch(tmp_path / "project" / "one.jsonl")
    (tmp_path / "project" / "up").symlink_to(tmp_path)
    (tmp_path / "project" / "self").symlink_to(tmp_path / "project")
    (tmp_path / "lost.jsonl").symlink_to(tmp_path / "nothing")
    (tmp_path / "loop.jsonl").symlink_to(tmp_path / "loop.jsonl")
    (tmp_path / "same.jsonl").symlink_to(kept)
    walk = Walk([tmp_path, tmp_path / "project"])
    assert sorted(names(walk)) == ["same.jsonl"]  # a file with two names is listed once
    assert not walk.problems


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert names(Walk([tmp_path])) == []


def test_unreadable_and_missing_folders_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path / "open" / "one.jsonl")
    locked = touch(tmp_path / "locked" / "two.jsonl").parent
    scandir = os.scandir

    def refuse(folder: str) -> object:
        if Path(folder) == locked:
            raise PermissionError(13, "Permission denied", folder)
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", refuse)
    walk = Walk([tmp_path, tmp_path / "gone"])
    assert names(walk) == ["one.jsonl"]
    assert [(problem.path, problem.is_missing) for problem in walk.problems] == [
        (locked, False),
        (tmp_path / "gone", True),
    ]
    assert walk.problems[0].reason == "Permission denied"
    assert walk.is_blocked(locked / "two.jsonl")
    assert walk.is_blocked(locked / "deeper" / "three.jsonl")
    assert not walk.is_blocked(tmp_path / "open" / "one.jsonl")


def test_names_that_are_no_text(tmp_path: Path) -> None:
    odd = os.fsencode(tmp_path) + b"/\xff\xfe.jsonl"
    with open(odd, "wb") as file:
        file.write(b"{}\n")
    (found,) = [file for files in Walk([tmp_path]).files() for file in files]
    assert os.fsencode(found.path) == odd


def test_it_can_be_stopped(tmp_path: Path) -> None:
    for number in range(3):
        touch(tmp_path / str(number) / "s.jsonl")
    token = CancellationToken()
    found = Walk([tmp_path]).files(token)
    next(found)
    token.cancel()
    with pytest.raises(OperationCancelled):
        next(found)
