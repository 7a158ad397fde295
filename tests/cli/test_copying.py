"""branch and repair: new files that both agents open, and nothing that is overwritten."""

import json
from pathlib import Path

import pytest

from model.entries import entry_id
from model.session_loading import load_session
from model.tree import SessionTree
from services.session_files import save_branch
from services.session_ids import new_uuid
from services.session_store import SessionStore
from tests.cli.agents_open import CONTENT_ROLES, assert_agents_open
from tests.cli.conftest import Cli
from tests.services.sessions import figure, lines_of, message, write_session


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out.jsonl"


class TestBranch:
    @pytest.mark.spec("SF-11.6")
    def test_is_the_path_as_a_session_of_its_own(self, cli: Cli, sample: Path, out: Path) -> None:
        before = sample.read_bytes()
        entries = load_session(before, new_uuid).entries
        ids = [each["id"] for each in cli("tree", sample, "--json").json["entries"]]
        row = len(ids) * 2 // 3
        found = cli("branch", sample, ids[row], "--out", out, "--json").json
        header, *saved = assert_agents_open(out)
        assert cli("check", out, "--json").json["problems"] == []
        assert (header["id"], header["parentSession"]) == (found["sessionId"], str(sample))
        assert found == {
            "file": str(out),
            "sessionId": header["id"],
            "entries": len(saved),
            "leafId": saved[-1]["id"],
            "parentSession": str(sample),
        }
        tree = SessionTree(entries)
        expected = [ids[each] for each in tree.path_rows(row) if entries[each]["type"] != "label"]
        assert [entry["id"] for entry in saved if entry["type"] != "label"] == expected
        assert sample.read_bytes() == before

    def test_is_the_file_that_the_window_saves(self, cli: Cli, sample: Path, out: Path, tmp_path: Path) -> None:
        store = SessionStore.open(sample)
        id = store.index.id_of(store.index.count - 1)
        by_api = save_branch(store, id, tmp_path)
        store.close()
        cli("branch", sample, id, "--out", out)
        mine, theirs = (path.read_text(encoding="utf-8").split("\n") for path in (out, by_api))
        assert [line for line in mine if '"type":"label"' not in line][1:] == [
            line for line in theirs if '"type":"label"' not in line
        ][1:]
        assert len(mine) == len(theirs)

    def test_of_a_damaged_branch_can_be_opened(self, cli: Cli, tmp_path: Path, out: Path) -> None:
        odd = message("90000000", "d0000000", "user", "")
        odd["message"]["content"] = None
        path = write_session(tmp_path / "s.jsonl", [*figure(), odd])
        assert cli("branch", path, "90000000", "--out", out).code == 0
        assert_agents_open(out)

    def test_an_unknown_entry_is_refused(self, cli: Cli, sample: Path, out: Path) -> None:
        cli("branch", sample, "nowhere", "--out", out).failed(1)
        assert not out.exists()


class TestRepair:
    def test_a_whole_session_comes_out_as_it_is(self, cli: Cli, sample: Path, out: Path) -> None:
        found = cli("repair", sample, "--out", out, "--json").json
        assert found["problems"] == []
        records = assert_agents_open(out)
        expected = [each["id"] for each in cli("tree", sample, "--json").json["entries"]]
        assert [entry_id(entry) for entry in records[1:]] == expected
        assert found["entries"] == len(expected)

    def test_what_is_damaged_is_mended_or_left_out(self, cli: Cli, tmp_path: Path, out: Path) -> None:
        path = tmp_path / "s.jsonl"
        lost = message("90000000", "lost", "assistant", "orphan")
        again = message("90000000", "d0000000", "assistant", "again")
        lines = [json.dumps(record) for record in [*figure(), lost, again]]
        lines[3:3] = ["\0" * 40 + lines[3], "{torn", '"a scalar"', lines[4] + lines[5]]
        path.write_text("\ufeff" + "\r\n".join(lines) + '\r\n{"type":"mess', encoding="utf-8")
        before = path.read_bytes()
        assert cli("check", path, "--json").json["problems"] != []
        found = cli("repair", path, "--out", out, "--json").json
        assert found["mended"] != []
        assert found["problems"] == []
        records = assert_agents_open(out)
        [kept] = found["renamed"]
        assert kept["id"] == "90000000"
        assert sorted(record["id"] for record in records[1:] if record["id"] != kept["newId"]) == [
            "90000000", "a0000000", "b0000000", "c0000000", "d0000000", "e0000000", "f0000000",
        ]  # fmt: skip
        assert path.read_bytes() == before
        assert "in the original, 0 problems in the copy" in cli("repair", path, "--out", tmp_path / "2.jsonl").out

    def test_what_has_no_content_gets_an_empty_one(self, cli: Cli, tmp_path: Path, out: Path) -> None:
        empty = [message(f"9{number}", "d0000000", role, "") for number, role in enumerate(CONTENT_ROLES)]
        for entry in empty:
            entry["message"]["content"] = None
        note = {**empty[0], "type": "custom_message", "id": "note", "content": None, "customType": "x", "display": True}
        path = write_session(tmp_path / "s.jsonl", [*figure(), *empty, note])
        assert cli("repair", path, "--out", out).code == 0
        assert assert_agents_open(out)[-1]["content"] == ""

    def test_a_lost_header_is_made_anew(self, cli: Cli, tmp_path: Path, out: Path) -> None:
        path = write_session(tmp_path / "s.jsonl", figure()[1:])
        assert cli("check", path, "--json").json["readOnly"] is True
        assert "header" in cli("label", path, "a0000000", "x").failed(1)
        assert cli("repair", path, "--out", out).code == 0
        assert cli("check", out, "--json").json == {
            "dialect": "pi", "version": 3, "entries": 6, "roots": 1, "leafId": "d0000000", "readOnly": False,
            "problems": [],
        }  # fmt: skip
        assert_agents_open(out)


@pytest.mark.parametrize("command", ["branch", "repair", "export"])
def test_nothing_is_ever_overwritten(cli: Cli, tmp_path: Path, command: str) -> None:
    path = write_session(tmp_path / "s.jsonl", figure())
    before = path.read_bytes()
    arguments = {"branch": ["d0000000"], "repair": [], "export": ["--format", "json"]}[command]
    assert "already" in cli(command, path, *arguments, "--out", path).failed(1)
    (tmp_path / "dangling").symlink_to(tmp_path / "elsewhere")
    assert "already" in cli(command, path, *arguments, "--out", tmp_path / "dangling").failed(1)
    assert "No such folder" in cli(command, path, *arguments, "--out", tmp_path / "no" / "folder").failed(1)
    assert path.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["dangling", "s.jsonl"]


def test_repair_says_which_entries_have_new_ids(cli: Cli, tmp_path: Path) -> None:
    path = write_session(tmp_path / "s.jsonl", figure())
    lines = path.read_bytes().splitlines(keepends=True)
    id = json.loads(lines[2])["id"]
    first = lines[2].replace(b'"message":', b'"note":"only here","message":')
    path.write_bytes(b"".join([*lines[:2], first, *lines[2:]]))
    found = cli("repair", path, "--out", tmp_path / "copy.jsonl", "--json").json
    [renamed] = found["renamed"]
    assert renamed["id"] == id
    assert found["problems"] == []
    notes = {record["id"]: record.get("note") for record in lines_of(tmp_path / "copy.jsonl")}
    assert notes[renamed["newId"]] == "only here"
    said = cli("repair", path, "--out", tmp_path / "other.jsonl").out
    assert "under a new id" in said
    assert f"  {id} is " in said
