"""navigate, compact, prune, label: what they answer, what they write, and that the agents open it."""

import asyncio
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from model.context import build_session_context
from model.json_text import JsonObject
from model.pruning import pruning_notice
from model.rules import PI_1_6
from model.session_loading import load_session
from model.timestamps import iso_timestamp
from services.agent_session import AgentSession
from services.app_folders import state_folder
from services.cancellation import CancellationToken
from services.operations import CompactionOptions, NavigationOptions
from services.position_memory import FilePositions
from services.pruning import prune
from services.session_ids import new_uuid, now_ms
from services.session_keys import session_key
from services.session_setup import session_maker
from services.session_store import SessionStore
from tests.cli.agents_open import assert_agents_open
from tests.cli.conftest import Cli, with_model, write_settings
from tests.services.loopback_server import LoopbackServer, chat
from tests.services.sessions import copy_of, figure, lines_of, message, write_session
from tests.services.test_compaction import long_session

AWS_KEY = "AKIA" + "Q3EGRT7KLMN2PXYZ"
PRUNE_MUCH = {"pruning": {"protectTokens": 500, "minimumSavings": 100, "protectedTools": []}}
USAGE = {"input": 1, "output": 1, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 2}
COST = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}


@pytest.fixture
def tree_file(tmp_path: Path) -> Path:
    return write_session(tmp_path / "s.jsonl", figure())


def tool_session(path: Path, dialect: str, results: int = 8, tokens: int = 10_000, first_tool: str = "read") -> Path:
    """Tool results of equal size, the newest last (CP-3, test vector)."""
    header = {"type": "session", "version": 3, "id": "tools", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/x"}
    records: list[JsonObject] = [header, message("u", None, "user", "go")]
    for number in range(results):
        tool = first_tool if number == 0 else "bash"
        call = {"type": "toolCall", "id": f"call{number}", "name": tool, "arguments": {}}
        answer = message(f"a{number}", records[-1]["id"], "assistant", "", stopReason="toolUse")
        answer["message"] |= {"content": [call], "usage": {**USAGE, "cost": COST}}
        more = {"toolCallId": f"call{number}", "toolName": tool, "isError": False}
        records += [answer, message(f"t{number}", f"a{number}", "toolResult", "x" * (4 * tokens), **more)]
    return write_session(path, records)


def clean(cli: Cli, path: Path) -> list[JsonObject]:
    """The records of a file that the agents open and in which `check` finds nothing."""
    assert cli("check", path, "--json").json["problems"] == []
    return assert_agents_open(path)


class TestNavigate:
    @pytest.mark.spec("TN-9", "TN-11")
    def test_without_a_summary_writes_nothing(self, cli: Cli, tree_file: Path) -> None:
        before = tree_file.read_bytes()
        assert cli("navigate", tree_file, "f0000000", "--json").json == {
            "cancelled": False,
            "aborted": False,
            "commonAncestorId": "a0000000",
            "abandoned": ["b0000000", "c0000000", "d0000000"],
            "leafId": "f0000000",
            "summarySkipped": False,
        }
        assert tree_file.read_bytes() == before
        assert "--set-resume-point" in cli("navigate", tree_file, "f0000000").out

    def test_to_a_user_message_returns_its_text(self, cli: Cli, tree_file: Path) -> None:
        found = cli("navigate", tree_file, "a0000000", "--json").json
        assert (found["leafId"], found["editorText"]) == (None, "Fix the parser.")

    def test_to_the_leaf_is_nothing(self, cli: Cli, tree_file: Path) -> None:
        before = tree_file.read_bytes()
        found = cli("navigate", tree_file, "d0000000", "--summarize", "--set-resume-point", "--json").json
        assert (found["leafId"], found["abandoned"], found["cancelled"]) == ("d0000000", [], False)
        assert tree_file.read_bytes() == before

    @pytest.mark.spec("TN-8")
    def test_with_a_summary_appends_one_entry_at_the_target(self, cli: Cli, tree_file: Path) -> None:
        found = cli("navigate", tree_file, "f0000000", "--summarize", "--json").json
        entry = lines_of(tree_file)[-1]
        assert entry["id"] == found["summaryEntryId"] == found["leafId"]
        assert (entry["type"], entry["parentId"], entry["fromId"]) == ("branch_summary", "f0000000", "d0000000")
        assert entry["details"] == {"readFiles": [], "modifiedFiles": ["src/a.py"]}
        assert len(lines_of(tree_file)) == len(figure()) + 1

    def test_a_label_is_written_too(self, cli: Cli, tree_file: Path) -> None:
        found = cli("navigate", tree_file, "f0000000", "--summarize", "--label", "tried", "--json").json
        *_, summary, label = lines_of(tree_file)
        assert (label["id"], label["targetId"], label["label"]) == (found["leafId"], summary["id"], "tried")
        assert found["labelEntryId"] == label["id"]

    @pytest.mark.spec("TN-11")
    def test_the_resume_point_is_written_only_when_it_is_needed(self, cli: Cli, tree_file: Path) -> None:
        found = cli("navigate", tree_file, "e0000000", "--set-resume-point", "--json").json
        entry = lines_of(tree_file)[-1]
        assert (entry["customType"], entry["parentId"]) == ("branchwork.resume-point", "e0000000")
        assert found["resumePointEntryId"] == found["leafId"] == entry["id"]
        assert cli("check", tree_file, "--json").json["leafId"] == entry["id"]
        found = cli("navigate", tree_file, "d0000000", "--summarize", "--set-resume-point", "--json").json
        assert "resumePointEntryId" not in found

    def test_nothing_to_summarise_is_said(self, cli: Cli, tree_file: Path) -> None:
        with tree_file.open("a") as file:
            file.write(json.dumps({**message("9", "d0000000", "user", "x"), "type": "custom"}) + "\n")
        found = cli("navigate", tree_file, "d0000000", "--summarize", "--json").json
        assert (found["summarySkipped"], found["leafId"]) == (True, "d0000000")

    def test_an_unknown_target_is_refused(self, cli: Cli, tree_file: Path) -> None:
        before = tree_file.read_bytes()
        assert "nowhere" in cli("navigate", tree_file, "nowhere", "--summarize").failed(1)
        assert tree_file.read_bytes() == before

    def test_a_model_writes_the_summary_when_one_is_set_up(self, cli: Cli, tree_file: Path) -> None:
        with LoopbackServer(chat("## Goal\nFrom the model")) as server:
            with_model(server.url)
            arguments = ("--instructions", "only the ids", "--replace-instructions", "--json")
            cli("navigate", tree_file, "f0000000", "--summarize", *arguments)
            prompt = server.requests[0].json["messages"][-1]["content"]
        assert "From the model" in lines_of(tree_file)[-1]["summary"]
        assert str(prompt).count("only the ids") == 1
        assert "Additional focus" not in str(prompt)

    def test_the_summarizer_can_be_chosen(self, cli: Cli, tree_file: Path) -> None:
        with_model("http://127.0.0.1:9")
        assert cli("navigate", tree_file, "f0000000", "--summarize", "--summarizer", "offline").code == 0
        assert "Offline digest" in lines_of(tree_file)[-1]["summary"]
        assert "offline, model" in cli("navigate", tree_file, "a0000000", "--summarizer", "oracle").failed(2).replace(
            "model, offline", "offline, model"
        )

    def test_a_failing_model_leaves_everything_as_it_was(self, cli: Cli, tree_file: Path) -> None:
        before = tree_file.read_bytes()
        with_model("http://127.0.0.1:9")
        cli("navigate", tree_file, "f0000000", "--summarize", "--json").failed(1)
        assert tree_file.read_bytes() == before

    def test_an_extension_may_cancel(self, cli: Cli, tree_file: Path, tmp_path: Path) -> None:
        extension = tmp_path / "no_moves.py"
        extension.write_text(
            "from services.hooks import hookimpl\n\n"
            "@hookimpl\ndef session_before_tree(event, ctx):\n    print('noise')\n    return {'cancel': True}\n"
        )
        write_settings({"extensions": [str(extension)]})
        before = tree_file.read_bytes()
        ended = cli("navigate", tree_file, "f0000000", "--json")
        assert (ended.code, json.loads(ended.out)["cancelled"]) == (1, True)
        assert json.loads(ended.out)["leafId"] == "d0000000"
        assert "extension" in ended.err
        assert tree_file.read_bytes() == before


class TestASummaryBesideAnotherProgram:
    """One goes on from the leaf while the summary is made."""

    @pytest.fixture
    def at_work(self, tmp_path: Path) -> Path:
        path = write_session(tmp_path / "s.jsonl", long_session(split=True))
        leaf_id = lines_of(path)[-1]["id"]
        line = json.dumps(message("agent1", leaf_id, "assistant", "At work.", stopReason="stop"))
        extension = tmp_path / "agent.py"
        extension.write_text(
            f"from services.hooks import hookimpl\n\ndef write():\n    with open({str(path)!r}, 'a') as file:\n"
            f"        file.write({line!r} + '\\n')\n\n"
            "@hookimpl\ndef session_before_tree(event, ctx):\n    write()\n\n"
            "@hookimpl\ndef session_compacting(event, ctx):\n    write()\n"
        )
        write_settings({"extensions": [str(extension)]})
        return path

    @pytest.mark.parametrize("arguments", [("compact", "--keep", "150"), ("navigate", "u1", "--summarize")])
    @pytest.mark.parametrize("json_too", [False, True])
    def test_nothing_is_written_unless_it_is_wanted(
        self, cli: Cli, at_work: Path, arguments: tuple[str, ...], json_too: bool
    ) -> None:
        command, *more = arguments
        ended = cli(command, at_work, *more, *(["--json"] if json_too else []))
        assert ended.code == 1
        assert "--write-beside" in ended.err
        text = json.loads(ended.out)["summary"] if json_too else ended.out
        assert "## Goal" in text  # what was paid for isn't lost
        assert lines_of(at_work)[-1]["id"] == "agent1"

    def test_beside_it_where_that_is_wanted(self, cli: Cli, at_work: Path) -> None:
        leaf_id = lines_of(at_work)[-1]["id"]
        ended = cli("compact", at_work, "--keep", "150", "--write-beside", "--json")
        entry = lines_of(at_work)[-1]
        assert (entry["id"], entry["parentId"]) == (ended.json["entryId"], leaf_id)
        assert "go on apart" in ended.err


def test_several_commands_at_once_go_on_from_each_other(tree_file: Path) -> None:
    count = len(lines_of(tree_file))
    command = [sys.executable, "-m", "gui.main", "label", str(tree_file), "f0000000"]
    running = [subprocess.Popen([*command, f"name {number}"], cwd=Path(__file__).parents[2]) for number in range(6)]
    assert [process.wait(timeout=120) for process in running] == [0] * 6
    before, *added = lines_of(tree_file)[count - 1 :]
    assert len(added) == 6
    for entry in added:
        assert entry["parentId"] == before["id"]
        before = entry


class TestCompact:
    @pytest.mark.spec("CP-19")
    def test_answers_with_what_was_saved(self, cli: Cli, tmp_path: Path) -> None:
        path = write_session(tmp_path / "s.jsonl", long_session(split=True))
        preview = cli("preview", path, "--keep", 150, "--json").json
        found = cli("compact", path, "--keep", 150, "--json").json
        entry = lines_of(path)[-1]
        assert found["entryId"] == entry["id"]
        assert found["summary"] == entry["summary"]
        assert found["firstKeptEntryId"] == entry["firstKeptEntryId"] == preview["firstKeptEntryId"]
        assert found["tokensBefore"] == entry["tokensBefore"] == preview["tokensBefore"]
        assert found["isSplitTurn"] is preview["isSplitTurn"] is True

    def test_nothing_to_compact_is_a_failure(self, cli: Cli, tree_file: Path) -> None:
        before = tree_file.read_bytes()
        assert "too small" in cli("compact", tree_file).failed(1)
        assert tree_file.read_bytes() == before

    def test_sizes_before_and_after_are_told_apart(self, cli: Cli, tmp_path: Path) -> None:
        path = copy_of("real-v3-large.jsonl", tmp_path)
        estimated = sum(message["tokens"] for message in cli("context", path, "--json").json["messages"])
        out = cli("compact", path).out
        after = cli("context", path, "--json").json
        assert re.search(r"^Recorded before +177,657 tokens", out, re.M)
        assert re.search(rf"^Estimated before +{estimated:,} tokens", out, re.M)
        assert re.search(rf"^Estimated after +{after['tokens']:,} tokens", out, re.M)
        assert after["tokens"] == sum(message["tokens"] for message in after["messages"])

    def test_people_read_the_summary(self, cli: Cli, tmp_path: Path) -> None:
        path = write_session(tmp_path / "s.jsonl", long_session())
        assert "## Goal" in cli("compact", path, "--keep", 150, "--instructions", "x").out

    def test_likely_secrets_are_not_sent_unasked(self, cli: Cli, tmp_path: Path) -> None:
        path = write_session(tmp_path / "s.jsonl", long_session())
        leak = message("90000000", "a2", "user", f"the key is {AWS_KEY}")
        last = [message("91000000", "90000000", "assistant", "word " * 400)]
        path = write_session(path, [*long_session()[:7], leak, *last])
        before = path.read_bytes()
        write_settings({"compaction": {"remoteEndpoint": "https://summaries.example/x"}, "retry": {"maxRetries": 0}})
        said = cli("compact", path, "--keep", 100).failed(1)
        assert "AWS access key" in said
        assert "--secrets mask" in said
        assert AWS_KEY not in said
        assert path.read_bytes() == before


class TestPrune:
    @pytest.mark.spec("CP-3")
    def test_omp_results_are_replaced_and_the_original_is_kept(self, cli: Cli, tmp_path: Path) -> None:
        path = tool_session(tmp_path / "s.jsonl", "omp")
        before = path.read_bytes()
        planned = cli("prune", path, "--dialect", "omp", "--dry-run", "--json").json
        assert planned == {"pruned": ["t1", "t2", "t3"], "tokensSaved": 29_973}
        assert path.read_bytes() == before
        found = cli("prune", path, "--dialect", "omp", "--json").json
        assert (found["pruned"], found["tokensSaved"]) == (planned["pruned"], planned["tokensSaved"])
        assert Path(found["backup"]).read_bytes() == before
        entries = {entry["id"]: entry for entry in clean(cli, path)}
        text = [{"type": "text", "text": "[Output truncated - 10000 tokens]"}]
        assert [entries[id]["message"]["content"] for id in found["pruned"]] == [text] * 3
        assert all(isinstance(entries[id]["message"]["prunedAt"], int) for id in found["pruned"])
        unchanged = [line for line in before.splitlines() if json.loads(line)["id"] not in found["pruned"]]
        assert [line for line in path.read_bytes().splitlines() if line in set(unchanged)] == unchanged
        assert cli("prune", path, "--dialect", "omp", "--json").json == {"pruned": [], "tokensSaved": 0}

    @pytest.mark.spec("CP-3", "R-23")
    def test_pi_results_are_edited_in_the_context(self, cli: Cli, tmp_path: Path) -> None:
        path = tool_session(tmp_path / "s.jsonl", "pi")
        before = path.read_bytes()
        found = cli("prune", path, "--json").json
        assert found == {"pruned": ["t1", "t2", "t3"], "tokensSaved": 29_973}
        assert path.read_bytes().startswith(before)
        entries = clean(cli, path)
        edits = entries[-3:]
        assert [edit["type"] for edit in edits] == ["context_edit"] * 3
        assert [edit["targetId"] for edit in edits] == found["pruned"]
        assert [edit["parentId"] for edit in edits] == [entries[-4]["id"], edits[0]["id"], edits[1]["id"]]
        session = load_session(path.read_bytes(), new_uuid, PI_1_6)
        context = build_session_context(session.entries, rules=PI_1_6)
        shown = dict(zip(context.source_ids, context.messages, strict=True))
        assert shown["t2"]["content"] == [{"type": "text", "text": pruning_notice(10_000)}]
        assert cli("prune", path, "--json").json == {"pruned": [], "tokensSaved": 0}

    def test_too_little_is_left_alone(self, cli: Cli, tree_file: Path) -> None:
        before = tree_file.read_bytes()
        assert cli("prune", tree_file, "--json").json == {"pruned": [], "tokensSaved": 0}
        assert "Nothing to prune" in cli("prune", tree_file).out
        assert tree_file.read_bytes() == before

    def test_the_policy_is_the_settings(self, cli: Cli, tmp_path: Path) -> None:
        path = tool_session(tmp_path / "s.jsonl", "omp", results=3, tokens=100, first_tool="bash")
        write_settings({"pruning": {"protectTokens": 100, "minimumSavings": 10, "protectedTools": []}})
        assert cli("prune", path, "--dry-run", "--json").json["pruned"] == ["t0", "t1"]

    def test_people_are_told_how_context_edits_are_undone(self, cli: Cli, tmp_path: Path) -> None:
        path = tool_session(tmp_path / "s.jsonl", "pi")
        leaf_id = lines_of(path)[-1]["id"]
        assert "undo" not in cli("prune", path, "--dry-run").out
        out = cli("prune", path).out
        assert out.endswith(f"To undo it, go to {leaf_id}, the entry before the new ones.\n")

    def test_more_output_later_is_pruned_beside_what_was(self, cli: Cli, tmp_path: Path) -> None:
        path = tool_session(tmp_path / "s.jsonl", "pi")
        cli("prune", path)
        longer = tool_session(tmp_path / "longer.jsonl", "pi", results=12)
        added = lines_of(longer)[len(figure()) + 11 :]
        assert added[0]["id"] == "a8"
        added[0]["parentId"] = lines_of(path)[-1]["id"]
        with path.open("a") as file:
            file.writelines(json.dumps(entry) + "\n" for entry in added)
        assert cli("prune", path, "--json").json["pruned"] == ["t4", "t5", "t6", "t7"]
        clean(cli, path)


class TestLabel:
    @pytest.mark.spec("SF-4.9")
    def test_sets_and_clears(self, cli: Cli, tree_file: Path) -> None:
        found = cli("label", tree_file, "b0000000", " good idea ", "--json").json
        entry = lines_of(tree_file)[-1]
        assert found == {
            "entryId": entry["id"],
            "targetId": "b0000000",
            "label": "good idea",
            "leafId": entry["id"],
        }
        tree = cli("tree", tree_file, "--json").json["entries"]
        assert next(each for each in tree if each["id"] == "b0000000")["label"] == "good idea"
        assert "[good idea]" in cli("tree", tree_file).out
        assert cli("label", tree_file, "b0000000", "--json").json["label"] is None
        assert all("label" not in each for each in cli("tree", tree_file, "--json").json["entries"])

    def test_what_would_change_nothing_is_not_written(self, cli: Cli, tree_file: Path) -> None:
        cli("label", tree_file, "b0000000", "idea")
        before = tree_file.read_bytes()
        assert (
            cli("label", tree_file, "b0000000", "idea ").out
            == "b0000000 has that label already. Nothing was written.\n"
        )
        assert cli("label", tree_file, "c0000000").out == "c0000000 has no label. Nothing was written.\n"
        assert cli("label", tree_file, "c0000000", "--json").json["entryId"] is None
        assert tree_file.read_bytes() == before

    def test_an_upgrade_of_the_file_and_its_backup_are_named(self, cli: Cli, tmp_path: Path) -> None:
        path = copy_of("real-v1-before-compaction.jsonl", tmp_path)
        id = cli("tree", path, "--json").json["entries"][0]["id"]
        ended = cli("label", path, id, "x", "--json")
        assert ended.json["label"] == "x"
        assert re.fullmatch(r"branchwork: warning: .* version 1\. .* version 3; .*v1\.bak\.\n", ended.err)
        assert cli("label", path, id, "y").err == ""

    def test_a_text_like_an_option_goes_behind_two_dashes(self, cli: Cli, tree_file: Path) -> None:
        assert cli("label", tree_file, "--json", "--", "b0000000", "--x").json["label"] == "--x"

    def test_of_nothing_is_refused(self, cli: Cli, tree_file: Path) -> None:
        before = tree_file.read_bytes()
        cli("label", tree_file, "nowhere", "x").failed(1)
        assert tree_file.read_bytes() == before


class TestBesideAnotherProgram:
    """The agents do not lock their files, so who writes beside one is told."""

    @pytest.fixture
    def fresh(self, tmp_path: Path) -> Path:
        now = iso_timestamp(now_ms() - 20_000)
        return write_session(
            tmp_path / "s.jsonl", [*figure(), {**message("9", "d0000000", "user", "x"), "timestamp": now}]
        )

    @pytest.mark.parametrize(
        "arguments",
        [
            ("label", "{file}", "a0000000", "x"),
            ("navigate", "{file}", "f0000000", "--summarize"),
            ("navigate", "{file}", "f0000000", "--set-resume-point"),
        ],
    )
    def test_a_change_right_after_another_program_wrote_is_warned_about(
        self, cli: Cli, fresh: Path, arguments: tuple[str, ...]
    ) -> None:
        ended = cli(*(str(fresh) if argument == "{file}" else argument for argument in arguments), "--json")
        assert ended.code == 0
        assert re.fullmatch(r"branchwork: warning: Another program wrote this session 2\d seconds ago.*\n", ended.err)
        json.loads(ended.out)

    def test_ones_own_changes_are_nothing_to_be_warned_of(self, cli: Cli, fresh: Path) -> None:
        assert "warning" in cli("label", fresh, "a0000000", "x").err
        assert cli("label", fresh, "a0000000", "y").err == ""
        assert cli("prune", fresh).err == ""

    def test_looking_and_moving_are_free(self, cli: Cli, fresh: Path) -> None:
        for arguments in (("tree", fresh), ("preview", fresh), ("navigate", fresh, "f0000000")):
            assert cli(*arguments).err == ""

    def test_where_the_window_left_off_does_not_matter(self, cli: Cli, tree_file: Path) -> None:
        store = SessionStore.open(tree_file)
        FilePositions(state_folder() / "positions.json").remember(
            session_key(store.path, store.session_id), "e0000000", store.index.count
        )
        store.close()
        cli("label", tree_file, "a0000000", "x")
        assert lines_of(tree_file)[-1]["parentId"] == "d0000000"


class TestEveryWrittenFileOpensInTheAgents:
    """The samples of both agents, before and after each change."""

    @pytest.mark.parametrize(
        "arguments",
        [
            ("navigate", "{file}", "{other}", "--summarize", "--label", "left"),
            ("navigate", "{file}", "{other}", "--set-resume-point"),
            ("navigate", "{file}", "{first}", "--summarize"),
            ("compact", "{file}", "--keep", "300"),
            ("label", "{file}", "{other}", 'a label with ไทย and "quotes"'),
            ("prune", "{file}"),
        ],
        ids=lambda arguments: "-".join(arguments[:1] + arguments[3:4]),
    )
    def test_after(self, cli: Cli, sample: Path, arguments: tuple[str, ...]) -> None:
        write_settings(PRUNE_MUCH)
        version = cli("check", sample, "--json").json["version"]
        before = sample.read_bytes()
        entries = cli("tree", sample, "--json").json["entries"]
        places = {
            "{file}": str(sample),
            "{first}": next(each["id"] for each in entries if each.get("role") == "user"),
            "{other}": next(each["id"] for each in entries[20:] if each.get("role") == "assistant"),
        }
        ended = cli(*(places.get(argument, argument) for argument in arguments))
        assert ended.code == 0, ended.err
        assert sample.read_bytes() != before
        records = clean(cli, sample)
        assert len(records) > len(entries)
        kept = [backup.read_bytes() for backup in sample.parent.iterdir() if backup != sample]
        assert sample.read_bytes().startswith(before) or before in kept
        assert (version < 3) == (sample.with_name(sample.name + ".v1.bak").exists())


Operation = Callable[[AgentSession], Coroutine[Any, Any, object]]


def navigated(session: AgentSession) -> Coroutine[Any, Any, object]:
    options = NavigationOptions(summarize=True, label="left", custom_instructions="be short")
    target = session.snapshot().index.id_of(25)
    return session.navigate_tree(target, options, CancellationToken(), lambda event: None)


def compacted(session: AgentSession) -> Coroutine[Any, Any, object]:
    options = CompactionOptions(keep_recent_tokens=300, instructions="be short", boundary="sinceKept")
    return session.compact(options, CancellationToken(), lambda event: None)


async def labelled(session: AgentSession) -> object:
    return session.set_label(session.snapshot().index.id_of(25), "here")


async def pruned(session: AgentSession) -> object:
    return prune(session, CancellationToken())


async def resumed(session: AgentSession) -> object:
    target = session.snapshot().index.id_of(25)
    await session.navigate_tree(target, NavigationOptions(), CancellationToken(), lambda event: None)
    return session.set_resume_point()


@pytest.mark.parametrize(
    ("by_api", "arguments"),
    [
        (
            navigated,
            ("navigate", "{file}", "{id}", "--summarize", "--label", "left", "--instructions", "be short"),
        ),
        (resumed, ("navigate", "{file}", "{id}", "--set-resume-point")),
        (compacted, ("compact", "{file}", "--keep", "300", "--instructions", "be short", "--boundary", "sinceKept")),
        (labelled, ("label", "{file}", "{id}", "here")),
        (pruned, ("prune", "{file}")),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_the_command_line_leaves_the_bytes_that_the_api_leaves(
    cli: Cli, sample: Path, by_api: Operation, arguments: tuple[str, ...]
) -> None:
    write_settings(PRUNE_MUCH)
    other = Path(shutil.copy(sample, sample.with_name("other.jsonl")))
    store = SessionStore.open(other)
    known = {store.index.id_of(row) for row in range(store.index.count)}
    id = store.index.id_of(25)
    try:
        asyncio.run(_awaited(by_api, session_maker(store)))
    finally:
        store.close()
    ended = cli(*({"{file}": str(sample), "{id}": id}.get(argument, argument) for argument in arguments))
    assert ended.code == 0, ended.err
    assert len(_comparable(sample, known)) > 1
    assert _comparable(sample, known) == _comparable(other, known)


async def _awaited(operation: Operation, session: AgentSession) -> object:
    return await operation(session)


def _comparable(path: Path, known: set[str]) -> list[str]:
    """The lines of a file. Ids that were made now are numbered, and the times of what was written now left out."""
    text = path.read_text(encoding="utf-8")
    fresh = [record["id"] for record in lines_of(path)[1:] if record["id"] not in known]
    for number, id in enumerate(fresh):
        text = text.replace(f'"{id}"', f'"#{number}"')
    lines = [re.sub(r'"prunedAt":\d+', '"prunedAt":0', line) for line in text.split("\n")]
    return [re.sub(r'"timestamp":"[^"]*"', "", line) if '"id":"#' in line else line for line in lines]
