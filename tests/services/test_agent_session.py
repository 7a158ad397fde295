"""What an `AgentSession` is besides its operations: the leaf, labels, the resume point, the memory of positions."""

import asyncio
import json
from pathlib import Path

import pytest

from model.errors import UnknownEntryError
from services.cancellation import CancellationToken
from services.operations import CompactionOptions, NavigationOptions
from services.session_store import StoreChange
from tests.services.sessions import BRANCHED, Events, copy_of, figure, lines_of, message, open_session, write_session
from tests.services.test_compaction import long_session


class Memory:
    """Positions by session key."""

    def __init__(self) -> None:
        self.positions: dict[str, tuple[str | None, int]] = {}

    def recall(self, key: str, earlier_key: str = "") -> tuple[str | None, int] | None:
        return self.positions.get(key)

    def remember(self, key: str, leaf_id: str | None, entry_count: int) -> None:
        self.positions[key] = (leaf_id, entry_count)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_session(tmp_path / "s.jsonl", figure())


@pytest.mark.spec("SF-10", "TN-11")
def test_a_session_starts_at_the_last_entry_and_moving_writes_nothing(path: Path) -> None:
    before = path.read_bytes()
    session = open_session(path)
    assert session.leaf_id == session.resume_leaf_id == "d0000000"
    session.move_leaf("e0000000")
    session.move_leaf(None)
    assert session.leaf_id is None
    assert session.resume_leaf_id == "d0000000"
    with pytest.raises(UnknownEntryError):
        session.move_leaf("nowhere")
    assert path.read_bytes() == before
    assert open_session(path).leaf_id == "d0000000"


def test_an_empty_file_has_no_leaf(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.touch()
    session = open_session(path)
    assert (session.leaf_id, session.resume_leaf_id) == (None, None)
    assert session.context(None).messages == []


@pytest.mark.spec("TN-11")
def test_a_position_is_remembered_until_the_file_grows(path: Path) -> None:
    memory = Memory()
    open_session(path, memory=memory).move_leaf("e0000000")
    session = open_session(path, memory=memory)
    assert (session.leaf_id, session.resume_leaf_id) == ("e0000000", "d0000000")
    with path.open("a") as file:
        file.write(json.dumps(message("90000000", "d0000000", "user", "more")) + "\n")
    assert open_session(path, memory=memory).leaf_id == "90000000"


@pytest.mark.spec("SF-4.9")
def test_a_label_is_a_child_of_the_leaf_and_becomes_the_leaf(path: Path) -> None:
    """Field report D02."""
    session = open_session(path)
    label_id = session.set_label("b0000000", " good idea ")
    entry = lines_of(path)[-1]
    assert (entry["id"], entry["parentId"], entry["targetId"], entry["label"]) == (
        label_id,
        "d0000000",
        "b0000000",
        "good idea",
    )
    assert session.leaf_id == label_id
    row = session.snapshot().row("b0000000")
    assert session.store.labels[row] == "good idea"
    session.set_label("b0000000", " ")
    assert row not in session.store.labels
    assert "label" not in lines_of(path)[-1]


def test_what_would_change_nothing_is_not_written(path: Path) -> None:
    session = open_session(path)
    before = path.read_bytes()
    assert session.set_label("b0000000", " ") is None
    assert session.set_session_name("  ") is False
    assert session.set_resume_point() is None, "agents resume there anyway"
    assert path.read_bytes() == before
    session.move_leaf("e0000000")
    assert session.set_resume_point() is not None
    assert session.set_label("b0000000", "idea") is not None
    assert session.set_session_name("A name") is True
    before = path.read_bytes()
    assert session.set_resume_point() is None
    assert session.set_label("b0000000", " idea ") is None
    assert session.set_session_name("A name\n") is False
    assert path.read_bytes() == before
    assert session.set_session_name("") is True
    assert session.store.session_name is None


def test_a_title_that_is_there_already_is_not_written_again(tmp_path: Path) -> None:
    header, *entries = figure()
    path = write_session(tmp_path / "omp.jsonl", [{**header, "title": "A  title"}, *entries])
    session = open_session(path, dialect="omp")
    assert session.set_session_name("Another  title") is True
    before = path.read_bytes()
    assert session.set_session_name(" Another title ") is False
    assert path.read_bytes() == before


def test_a_move_does_not_write_a_label_that_is_there_already(path: Path) -> None:
    session = open_session(path)
    session.set_label("e0000000", "other way")
    before = path.read_bytes()
    options = NavigationOptions(label="other way")
    result = asyncio.run(session.navigate_tree("e0000000", options, CancellationToken(), Events()))
    assert result.label_entry_id is None
    assert session.leaf_id == "e0000000"
    assert path.read_bytes() == before


def test_a_label_of_nothing_is_refused(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(UnknownEntryError):
        open_session(path).set_label("nowhere", "x")
    assert path.read_bytes() == before


@pytest.mark.spec("TN-11")
def test_the_resume_point_makes_agents_resume_at_the_leaf(path: Path) -> None:
    session = open_session(path)
    session.move_leaf("e0000000")
    entry_id = session.set_resume_point()
    entry = lines_of(path)[-1]
    assert entry == {
        "type": "custom",
        "id": entry_id,
        "parentId": "e0000000",
        "timestamp": "2026-02-02T02:40:00.250Z",
        "customType": "branchwork.resume-point",
        "data": {},
    }
    again = open_session(path)
    assert again.leaf_id == entry_id
    assert again.context(again.leaf_id).source_ids == session.context("e0000000").source_ids


@pytest.mark.spec("SF-11")
def test_foreign_entries_leave_the_leaf_where_it_was(path: Path) -> None:
    session = open_session(path)
    session.move_leaf("e0000000")
    with path.open("a") as file:
        file.write(json.dumps(message("90000000", "d0000000", "user", "more")) + "\n")
    session.take_in(session.store.refresh())
    assert session.leaf_id == "e0000000"
    assert session.resume_leaf_id == "90000000"


def test_a_leaf_that_is_gone_falls_back_to_the_last_entry(path: Path) -> None:
    session = open_session(path)
    write_session(path, figure()[:4])
    session.take_in(session.store.refresh())
    assert session.leaf_id == "f0000000"
    session.take_in(StoreChange("none"))
    assert session.leaf_id == "f0000000"


@pytest.mark.spec("CB-1")
def test_the_context_follows_the_leaf(tmp_path: Path) -> None:
    session = open_session(copy_of(BRANCHED, tmp_path))
    usage = session.context_usage(session.leaf_id, 200_000)
    assert usage is not None
    assert usage.tokens is None or usage.tokens > 0
    first = session.snapshot().index.id_of(3)
    assert len(session.context(first).messages) < len(session.context(session.leaf_id).messages)


@pytest.mark.spec("ST-2", "CP-15")
def test_who_can_write_a_summary_depends_on_the_settings(path: Path) -> None:
    def configured(remote: bool, model: bool) -> tuple[list[str], list[str]]:
        def change(given):  # type: ignore[no-untyped-def]
            compaction = given.compaction.replaced(remote_endpoint="https://sum.example/x" if remote else None)
            chosen = given.model.replaced(provider="anthropic", model_id="claude") if model else given.model
            return given.replaced(compaction=compaction, model=chosen)

        session = open_session(path, change)
        return [info.id for info in session.summarizers("compaction")], [
            info.id for info in session.summarizers("branch")
        ]

    assert configured(False, False) == (["offline"], ["offline"])
    assert configured(True, False) == (["remote", "offline"], ["offline"])
    assert configured(True, True) == (["remote", "model", "offline"], ["model", "offline"])
    assert configured(False, True) == (["model", "offline"], ["model", "offline"])


@pytest.mark.parametrize("kind", ["branch", "compaction", "split compaction", "second compaction"])
def test_the_lines_of_a_saved_digest_lead_to_their_entries(kind: str, tmp_path: Path) -> None:
    records = long_session(split=kind == "split compaction", previous="Old." if kind == "second compaction" else None)
    path = write_session(tmp_path / "s.jsonl", records)
    session = open_session(path)
    token, events = CancellationToken(), Events()
    if kind == "branch":
        result = asyncio.run(session.navigate_tree("a0", NavigationOptions(summarize=True), token, events))
        saved, sources = result.summary_entry_id, result.line_sources
    else:
        compaction = asyncio.run(session.compact(CompactionOptions(keep_recent_tokens=150), token, events))
        saved, sources = compaction.entry_id, compaction.line_sources
    assert saved
    assert sources
    assert open_session(path).line_sources(saved) == sources
    lines = open_session(path).snapshot().entry(saved)["summary"].split("\n")
    by_line = dict(zip(lines, sources, strict=True))
    assert any("Request" in line and ids and ids[0].startswith("u") for line, ids in by_line.items())


def test_other_summaries_have_no_sources(tmp_path: Path) -> None:
    path = copy_of(BRANCHED, tmp_path)
    summaries = [record["id"] for record in lines_of(path) if record["type"] in ("compaction", "branch_summary")]
    session = open_session(path)
    assert [session.line_sources(id) for id in summaries] == [()] * len(summaries)
