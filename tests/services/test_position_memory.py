"""The memory of positions: bounded, shared between instances, and harmless when its file is broken."""

import json
from pathlib import Path

import pytest

from services.position_memory import MOST_KEPT, FilePositions
from tests.services.sessions import figure, open_session, write_session


def test_a_position_is_known_to_the_next_run(tmp_path: Path) -> None:
    file = tmp_path / "state" / "positions.json"
    FilePositions(file).remember("s", "leaf", 7)
    FilePositions(file).remember("t", None, 0)
    assert FilePositions(file).recall("s") == ("leaf", 7)
    assert FilePositions(file).recall("t") == (None, 0)
    assert FilePositions(file).recall("u") is None


def test_only_the_last_sessions_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "positions.json"
    file.write_text(json.dumps({str(number): ["x", number] for number in range(MOST_KEPT)}))
    FilePositions(file).remember("new", "y", 1)
    kept = json.loads(file.read_text())
    assert len(kept) == MOST_KEPT
    assert "0" not in kept
    assert kept["new"] == ["y", 1]


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"s": 5}', '{"s": [1, 2]}', '{"s": ["a"]}', '{"s": ["a", "b"]}'])
def test_a_broken_file_is_an_empty_one(text: str, tmp_path: Path) -> None:
    file = tmp_path / "positions.json"
    file.write_text(text)
    assert FilePositions(file).recall("s") is None
    FilePositions(file).remember("s", "leaf", 1)
    assert FilePositions(file).recall("s") == ("leaf", 1)


def test_a_file_that_cannot_be_written_is_only_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "blocked").write_text("a file, no folder")
    FilePositions(tmp_path / "blocked" / "positions.json").remember("s", "leaf", 1)
    assert "not kept" in caplog.text


def test_two_files_with_one_session_id_have_places_of_their_own(tmp_path: Path) -> None:
    memory = FilePositions(tmp_path / "positions.json")
    session = open_session(write_session(tmp_path / "s.jsonl", figure()), memory=memory)
    copy = write_session(tmp_path / "copy.jsonl", figure())
    session.move_leaf("e0000000")
    assert open_session(copy, memory=memory).leaf_id == "d0000000"
    open_session(copy, memory=memory).move_leaf("f0000000")
    assert open_session(tmp_path / "s.jsonl", memory=memory).leaf_id == "e0000000"
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "s.jsonl")
    assert open_session(tmp_path / "link.jsonl", memory=memory).leaf_id == "e0000000"


def test_another_session_at_the_same_path_has_no_place_yet(tmp_path: Path) -> None:
    memory = FilePositions(tmp_path / "positions.json")
    path = write_session(tmp_path / "s.jsonl", figure())
    open_session(path, memory=memory).move_leaf("e0000000")
    header, *entries = figure()
    write_session(path, [{**header, "id": "another"}, *entries])
    assert open_session(path, memory=memory).leaf_id == "d0000000"


def test_what_was_kept_by_session_id_is_found_once(tmp_path: Path) -> None:
    file = tmp_path / "positions.json"
    file.write_text(json.dumps({"figure": ["e0000000", 6]}))
    path = write_session(tmp_path / "s.jsonl", figure())
    copy = write_session(tmp_path / "copy.jsonl", figure())
    assert open_session(path, memory=FilePositions(file)).leaf_id == "e0000000"
    assert open_session(copy, memory=FilePositions(file)).leaf_id == "d0000000"
    assert open_session(path, memory=FilePositions(file)).leaf_id == "e0000000"


def test_a_session_comes_back_to_where_it_was(tmp_path: Path) -> None:
    path = write_session(tmp_path / "s.jsonl", figure())
    memory = FilePositions(tmp_path / "positions.json")
    open_session(path, memory=memory).move_leaf("e0000000")
    session = open_session(path, memory=memory)
    assert session.leaf_id == "e0000000"
    session.set_label("a0000000", "x")
    assert open_session(path, memory=memory).leaf_id == session.leaf_id


def test_a_copy_of_what_we_wrote_is_not_taken_for_the_work_of_another_program(tmp_path: Path) -> None:
    memory = FilePositions(tmp_path / "positions.json")
    session = open_session(write_session(tmp_path / "s.jsonl", figure()), memory=memory)
    session.set_label("a0000000", "x")
    session.move_leaf("e0000000")
    session.store.save_copy(tmp_path / "copy.jsonl")
    assert open_session(tmp_path / "copy.jsonl", memory=memory).writer_gate.seconds_ago is not None
    session.note_copy(tmp_path / "copy.jsonl")
    copy = open_session(tmp_path / "copy.jsonl", memory=memory)
    assert copy.writer_gate.seconds_ago is None
    assert copy.leaf_id == copy.resume_leaf_id
