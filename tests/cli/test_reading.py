"""check, tree, context, preview: the JSON for scripts says what the model says, and the text for people fits."""

import json
import re
from pathlib import Path

import pytest

from gui.command_line.text_layout import shown_width
from model.compaction import CompactionPreparation
from model.context import path_context
from model.entries import entry_id, entry_type, message_of, parent_id
from model.file_operations import compute_file_lists
from model.labels import resolve_labels
from model.messages import role_of
from model.rules import PRESETS
from model.session_loading import load_session
from model.token_estimates import estimate_context
from model.tree import SessionTree
from services.session_ids import new_uuid
from tests.cli.conftest import Cli
from tests.services.sessions import SAMPLES, copy_of, figure, message, open_session, write_session
from tests.services.test_compaction import long_session

BRANCHED = SAMPLES / "real-v3-branched.jsonl"
OMP = SAMPLES / "omp-branched.jsonl"


class TestCheck:
    def test_says_what_a_file_is(self, cli: Cli) -> None:
        assert cli("check", OMP, "--json").json == {
            "dialect": "omp",
            "version": 3,
            "entries": 121,
            "roots": 2,
            "leafId": "4c5cfc8a",
            "readOnly": False,
            "problems": [],
        }

    def test_lists_what_is_odd_with_its_place(self, cli: Cli, tmp_path: Path) -> None:
        path = write_session(tmp_path / "s.jsonl", [*figure(), message("90000000", "lost", "user", "orphan")])
        size = path.stat().st_size
        with path.open("a", encoding="utf-8") as file:
            file.write('{"type":"message","id":\n')
        problems = cli("check", path, "--json").json["problems"]
        assert [(problem["kind"], problem["line"]) for problem in problems] == [("orphan", 8), ("unreadable", 9)]
        assert problems[1]["offset"] == size
        shown = cli("check", path).out
        assert "2 problems" in shown
        assert problems[0]["message"] in shown

    def test_an_old_file_is_named_by_its_version_and_left_alone(self, cli: Cli, tmp_path: Path) -> None:
        path = copy_of("real-v1-large.jsonl", tmp_path)
        before = path.read_bytes()
        found = cli("check", path, "--json").json
        assert (found["version"], found["readOnly"], found["problems"]) == (1, False, [])
        assert path.read_bytes() == before

    def test_a_newer_version_can_only_be_read(self, cli: Cli, tmp_path: Path) -> None:
        header, *entries = figure()
        path = write_session(tmp_path / "s.jsonl", [{**header, "version": 4}, *entries])
        found = cli("check", path, "--json").json
        assert (found["version"], found["readOnly"]) == (4, True)
        assert "newer" in found["readOnlyReason"]

    def test_an_empty_file_is_an_empty_session(self, cli: Cli, tmp_path: Path) -> None:
        (tmp_path / "s.jsonl").touch()
        found = cli("check", tmp_path / "s.jsonl", "--json").json
        assert (found["entries"], found["leafId"], found["roots"]) == (0, None, 0)
        assert cli("tree", tmp_path / "s.jsonl", "--json").json == {"leafId": None, "roots": [], "entries": []}
        assert cli("tree", tmp_path / "s.jsonl").code == 0
        assert cli("context", tmp_path / "s.jsonl", "--json").json["messages"] == []

    def test_the_dialect_can_be_said(self, cli: Cli, tmp_path: Path) -> None:
        path = write_session(tmp_path / "s.jsonl", figure())
        assert cli("check", path, "--json").json["dialect"] == "pi"
        assert cli("check", path, "--json", "--dialect", "omp").json["dialect"] == "omp"


class TestTree:
    @pytest.mark.parametrize("name", ["real-v3-branched.jsonl", "omp-branched.jsonl", "real-v3-large.jsonl"])
    @pytest.mark.spec("TN-1")
    def test_the_json_is_the_tree_of_the_model(self, cli: Cli, name: str) -> None:
        found = cli("tree", SAMPLES / name, "--json").json
        entries = load_session((SAMPLES / name).read_bytes(), new_uuid).entries
        tree = SessionTree(entries)
        labels = resolve_labels(entries)
        assert found["leafId"] == entry_id(entries[-1])
        assert sorted(found["roots"]) == sorted(str(entry_id(entries[row])) for row in tree.roots)
        assert len(found["entries"]) == len(entries)
        for row, (shown, entry) in enumerate(zip(found["entries"], entries, strict=True)):
            id = entry_id(entry)
            label = labels.get(id or "")
            assert shown["id"] == id
            assert shown["parentId"] == parent_id(entry)
            assert shown["type"] == entry_type(entry)
            assert shown.get("role") == role_of(message_of(entry))
            assert shown.get("label") == (label.text if label else None)
            assert shown["children"] == [entry_id(entries[child]) for child in tree.children(row)]
            assert shown["timestamp"] == entry["timestamp"]

    def test_people_see_every_entry_once_whatever_the_branch(self, cli: Cli) -> None:
        lines = cli("tree", BRANCHED, "--filter", "all").out.splitlines()
        shown = [line.split()[1 if line[0] in "│●" else 0] for line in lines[5:]]
        expected = [entry["id"] for entry in cli("tree", BRANCHED, "--json").json["entries"]]
        assert sorted(shown) == sorted(expected)

    def test_the_active_path_is_the_trunk_and_branches_stand_under_their_fork(self, cli: Cli, tmp_path: Path) -> None:
        path = write_session(tmp_path / "s.jsonl", figure())
        lines = cli("tree", path).out.splitlines()[5:]
        assert [line.split(maxsplit=2)[:2] for line in lines[:1]] == [["│", "a0000000"]]
        assert [next(id for id in line.split() if id.endswith("0000000"))[0] for line in lines] == list("aefbcd")
        assert "├─assistant: Another way." in lines[1]
        assert "│ assistant: Text of F." in lines[2]
        assert lines[-1].startswith("● d0000000")

    def test_what_a_file_holds_cannot_steer_the_terminal(self, cli: Cli, tmp_path: Path) -> None:
        evil = "\x1b]0;owned\x07\x1b[2J\u202eabc\x9b31m"
        path = write_session(tmp_path / "s.jsonl", [figure()[0], message("90000000", None, "user", evil)])
        for command in (("tree", path), ("context", path), ("context", path, "--full")):
            out = cli(*command).out
            assert "owned" in out
            assert not set(out) & set("\x1b\x07\x9b\u202e")

    def test_lines_fit_the_terminal(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", "72")
        for command in ("tree", "context"):
            out = cli(command, BRANCHED).out.replace("\u2068", "").replace("\u2069", "")
            assert max(map(shown_width, out.splitlines())) == 72

    def test_types_and_roles_that_nobody_knows_are_named(self, cli: Cli, tmp_path: Path) -> None:
        strange = {**message("90000000", "d0000000", "oracle", "?"), "timestamp": "no date"}
        odd = {"type": "later_type", "id": "91000000", "parentId": "90000000", "timestamp": 5}
        path = write_session(tmp_path / "s.jsonl", [*figure(), strange, odd])
        *_, one, two = cli("tree", path, "--json").json["entries"]
        assert (one["type"], one["role"], one["timestamp"]) == ("message", "oracle", None)
        assert (two["type"], "role" in two, two["timestamp"]) == ("later_type", False, "1970-01-01T00:00:00.005Z")


class TestContext:
    @pytest.mark.parametrize("path", [BRANCHED, OMP])
    @pytest.mark.spec("CB-1")
    def test_is_what_the_model_would_see(self, cli: Cli, path: Path) -> None:
        found = cli("context", path, "--json").json
        session = open_session(path)
        context = session.context(session.leaf_id)
        assert found["leafId"] == session.leaf_id
        assert [each["entryId"] for each in found["messages"]] == context.source_ids
        assert [each["role"] for each in found["messages"]] == [each["role"] for each in context.messages]
        path_read = session.snapshot().path(session.leaf_id)
        estimate = estimate_context(path_read, path_context(path_read).projection)
        assert found["tokens"] == estimate.tokens
        assert context.state.model is not None
        assert found["model"] == {"provider": context.state.model.provider, "modelId": context.state.model.model_id}
        assert found["thinkingLevel"] == context.state.thinking_level

    def test_sizes_are_told_apart(self, cli: Cli) -> None:
        path = SAMPLES / "real-v3-large.jsonl"
        found, planned = cli("context", path, "--json").json, cli("preview", path, "--json").json
        estimated = sum(message["tokens"] for message in found["messages"])
        assert found["tokens"] == planned["tokensBefore"] == 177_657, "the last answer has recorded it"
        for out in (cli("context", path).out, cli("preview", path).out):
            assert re.search(r"^Recorded.* 177,657 tokens", out, re.M)
            assert re.search(rf"^Estimated.* {estimated:,} tokens", out, re.M)

    def test_at_another_leaf(self, cli: Cli, tmp_path: Path) -> None:
        path = write_session(tmp_path / "s.jsonl", figure())
        found = cli("context", path, "--leaf", "e0000000", "--json").json
        assert [each["entryId"] for each in found["messages"]] == ["a0000000", "e0000000"]
        assert found["messages"][1]["text"] == "Another way."
        cli("context", path, "--leaf", "nowhere").failed(1)

    def test_what_is_not_sent_has_no_role_for_the_model(self, cli: Cli, tmp_path: Path) -> None:
        bash = message("90000000", "d0000000", "bashExecution", "", command="ls", output="a", excludeFromContext=True)
        path = write_session(tmp_path / "s.jsonl", [*figure(), bash])
        last = cli("context", path, "--json").json["messages"][-1]
        assert (last["role"], last["llmRole"], last["text"]) == ("bashExecution", None, "")
        assert "bashExecution, not sent" in cli("context", path).out

    def test_private_history_of_a_provider_makes_it_approximate(self, cli: Cli, tmp_path: Path) -> None:
        remote = {"openaiRemoteCompaction": {"provider": "openai", "replacementHistory": [], "compactionItem": {}}}
        compaction = {
            "type": "compaction", "id": "90000000", "parentId": "d0000000", "timestamp": "2026-01-01T00:00:00.000Z",
            "summary": "s", "firstKeptEntryId": "d0000000", "tokensBefore": 1, "preserveData": remote,
        }  # fmt: skip
        path = write_session(tmp_path / "s.jsonl", [*figure(), compaction])
        assert cli("context", path, "--json").json["approximate"] is True
        assert "Approximate" in cli("context", path).out
        assert "approximate" not in cli("context", path, "--leaf", "d0000000", "--json").json

    def test_people_may_see_the_whole_texts(self, cli: Cli, tmp_path: Path) -> None:
        text = "first line\nsecond line " + "long " * 400
        path = write_session(tmp_path / "s.jsonl", [figure()[0], message("90000000", None, "user", text)])
        assert "second line " + "long " * 399 + "long" in cli("context", path, "--full").out


class TestPreview:
    @pytest.mark.spec("CP-25")
    @pytest.mark.parametrize("rules", ["branchwork", "pi-1.6", "omp-13.19"])
    @pytest.mark.parametrize("path", [SAMPLES / "real-v3-large.jsonl", OMP])
    def test_is_the_preparation_and_its_prompts(self, cli: Cli, path: Path, rules: str) -> None:
        found = cli("preview", path, "--keep", 900, "--rules", rules, "--json").json
        session = open_session(path, rules=PRESETS[rules])
        expected = session.preview_compaction(keep_recent_tokens=900)
        assert isinstance(expected, CompactionPreparation)
        files = compute_file_lists(expected.file_ops)
        assert found == {
            "windowStartId": expected.window_start_id,
            "cutPointId": expected.cut_point_id,
            "firstKeptEntryId": expected.first_kept_entry_id,
            "turnStartId": expected.turn_start_id,
            "isSplitTurn": expected.is_split_turn,
            "keepRecentTokens": expected.keep_recent_tokens,
            "tokensBefore": expected.tokens_before,
            "tokensSummarized": expected.summarize.tokens,
            "tokensTurnPrefix": expected.turn_prefix.tokens,
            "tokensKept": expected.keep.tokens,
            "summarize": list(expected.summarize.entry_ids),
            "turnPrefix": list(expected.turn_prefix.entry_ids),
            "keep": list(expected.keep.entry_ids),
            "unsummarizedDropped": list(expected.unsummarized_dropped.entry_ids),
            "previousSummary": expected.previous_summary,
            "readFiles": list(files.read_files),
            "modifiedFiles": list(files.modified_files),
            "prompts": [
                {"pass": request.pass_name, "systemPrompt": request.system_prompt, "prompt": request.prompt}
                for request in session.compaction_prompts(expected)
            ],
        }

    def test_says_why_nothing_would_be_done(self, cli: Cli, tmp_path: Path) -> None:
        path = write_session(tmp_path / "s.jsonl", figure())
        found = cli("preview", path, "--json").json
        assert found["reason"] == "too_small"
        assert found["firstKeptEntryId"] is None
        assert found.keys() >= {"keep", "prompts", "tokensBefore", "windowStartId"}
        assert "too small" in cli("preview", path).out

    def test_the_boundary_can_be_chosen(self, cli: Cli) -> None:
        kept = cli("preview", OMP, "--keep", 900, "--boundary", "sinceKept", "--json").json
        after = cli("preview", OMP, "--keep", 900, "--boundary", "sinceCompaction", "--json").json
        assert kept["unsummarizedDropped"] == []
        assert after["unsummarizedDropped"] != []
        assert "sinceKept" in cli("preview", OMP, "--keep", 900).out

    def test_instructions_are_in_the_prompt(self, cli: Cli, tmp_path: Path) -> None:
        path = write_session(tmp_path / "s.jsonl", long_session())
        found = cli("preview", path, "--keep", 100, "--instructions", "mind the ids", "--json").json
        assert found["prompts"][0]["prompt"].endswith("Additional focus: mind the ids")
        assert "mind the ids" in cli("preview", path, "--keep", 100, "--instructions", "mind the ids", "--prompts").out
        assert "mind the ids" not in cli("preview", path, "--keep", 100, "--instructions", "mind the ids").out

    def test_with_the_leaf_imagined_elsewhere(self, cli: Cli, tmp_path: Path) -> None:
        path = write_session(tmp_path / "s.jsonl", long_session())
        entries = cli("tree", path, "--json").json["entries"]
        leaf = entries[-3]["id"]
        found = cli("preview", path, "--keep", 100, "--leaf", leaf, "--json").json
        assert found["keep"][-1] == leaf


def test_looking_changes_nothing(cli: Cli, sample: Path) -> None:
    before, stat = sample.read_bytes(), sample.stat()
    for command in ("check", "tree", "context", "preview"):
        assert cli(command, sample).code == 0
        json.loads(cli(command, sample, "--json").out)
    assert sample.read_bytes() == before
    assert sample.stat().st_mtime_ns == stat.st_mtime_ns
    assert [file.name for file in sample.parent.iterdir()] == [sample.name]
