import itertools
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.errors import NotASessionError
from model.json_text import stringify
from model.rules import BRANCHWORK, OMP_13_19, PI_1_6, PRESETS, Rules
from model.session_loading import LoadedSession, OpeningEffect, load_session, opening_effect
from tests.model.strategies import messy_sessions

SESSIONS = Path(__file__).parents[1] / "sessions"
HEADER = b'{"type":"session","version":3,"id":"s","timestamp":"2026-02-03T08:00:00.000Z","cwd":"/p"}\n'
ENTRY = b'{"type":"message","id":"e1","parentId":null,"timestamp":"t","message":{"role":"user","content":"x"}}\n'
OTHER = b'{"type":"custom","id":"e2","parentId":"e1","timestamp":"t"}\n'


def new_ids() -> Callable[[], str]:
    numbers = itertools.count()
    return lambda: f"#{next(numbers)}"


def load(data: bytes, rules: Rules = BRANCHWORK) -> LoadedSession:
    return load_session(data, new_ids(), rules)


def ids(session: LoadedSession) -> list[str]:
    return [entry["id"] for entry in session.entries]


@pytest.mark.spec("SF-1", "SF-2", "SF-10")
@pytest.mark.parametrize("rules", PRESETS.values())
def test_a_session_is_its_header_and_its_entries(rules: Rules) -> None:
    session = load(HEADER + ENTRY + OTHER, rules)
    assert session.kind == "session"
    assert session.header == {
        "type": "session",
        "version": 3,
        "id": "s",
        "timestamp": "2026-02-03T08:00:00.000Z",
        "cwd": "/p",
    }
    assert ids(session) == ["e1", "e2"]
    assert session.leaf["id"] == "e2"
    assert not session.read_only
    assert not session.migrated
    assert session.problems == ()
    assert opening_effect(HEADER + ENTRY + OTHER, session, rules) == OpeningEffect("none")


@pytest.mark.spec("SF-10")
def test_a_session_without_entries_has_no_leaf() -> None:
    assert load(HEADER).leaf is None


@pytest.mark.spec("SF-9.2", "SF-9.10")
def test_the_header_is_the_first_session_record_with_an_id() -> None:
    note = b'{"type":"note"}\n5\n'
    nameless = b'{"type":"session","version":3,"id":7}\n'
    second = b'{"type":"session","version":3,"id":"second"}\n'
    session = load(note + nameless + HEADER + ENTRY + second + OTHER)
    assert session.header is not None
    assert session.header["id"] == "s"
    assert ids(session) == ["e1", "e2"]
    assert [problem.kind for problem in session.problems] == ["not an object"]
    for rules in (PI_1_6,):
        with pytest.raises(NotASessionError):
            load(note + HEADER + ENTRY, rules)


@pytest.mark.spec("SF-9.2")
def test_entries_before_the_header_are_not_lost() -> None:
    assert ids(load(ENTRY + b'{"type":"note","id":"n"}\n' + HEADER + OTHER)) == ["e1", "e2"]


@pytest.mark.spec("SF-9.2")
def test_entries_without_a_header_are_a_view_to_read() -> None:
    data = ENTRY + b'{"type":"note","id":"n"}\n{"type":"message","id":5}\n' + OTHER
    session = load(data)
    assert session.kind == "recovered"
    assert session.header is None
    assert session.read_only
    assert ids(session) == ["e1", "e2"]
    with pytest.raises(NotASessionError):
        load(data, PI_1_6)


@pytest.mark.spec("SF-9.2")
@pytest.mark.parametrize("data", [b"\n", b"# notes\n", b'{"type":"note","id":"n"}', b'{"type":"session","id":7}', b"5"])
def test_anything_else_is_no_session(data: bytes) -> None:
    for rules in (BRANCHWORK, PI_1_6):
        with pytest.raises(NotASessionError, match="no session header"):
            load(data, rules)
    assert load(data, OMP_13_19).kind == "empty"
    assert opening_effect(data, load(data, OMP_13_19), OMP_13_19) == OpeningEffect("replaced")


@pytest.mark.spec("SF-9.3")
def test_an_empty_file_is_an_empty_session() -> None:
    for rules, effect in ((BRANCHWORK, "none"), (PI_1_6, "replaced"), (OMP_13_19, "replaced")):
        session = load(b"", rules)
        assert session.kind == "empty"
        assert session.header is None
        assert session.entries == ()
        assert opening_effect(b"", session, rules).kind == effect


@pytest.mark.spec("SF-8")
def test_a_newer_version_is_read_only() -> None:
    session = load(HEADER.replace(b'"version":3', b'"version":4') + ENTRY)
    assert session.read_only
    assert not session.migrated
    assert ids(session) == ["e1"]


@pytest.mark.spec("SF-8")
def test_older_versions_are_migrated_in_memory() -> None:
    data = HEADER.replace(b'"version":3,', b"") + ENTRY + OTHER
    session = load(data)
    assert session.migrated
    assert session.stored_version == 1
    assert ids(session) == ["#0", "#1"]
    assert session.entries[1]["parentId"] == "#0"
    assert session.header is not None
    assert session.header["version"] == 3
    assert opening_effect(data, session, BRANCHWORK) == OpeningEffect("none")
    rewritten = opening_effect(data, load(data, PI_1_6), PI_1_6)
    assert rewritten.kind == "rewritten"
    assert load(rewritten.text).entries == session.entries


@pytest.mark.spec("SF-9.4")
def test_a_missing_final_newline_is_noted() -> None:
    data = HEADER + ENTRY[:-1]
    session = load(data)
    assert not session.ends_with_newline
    assert opening_effect(data, session, BRANCHWORK) == OpeningEffect("none")
    assert opening_effect(data, session, PI_1_6) == OpeningEffect("newline", data + b"\n")
    assert opening_effect(data, session, OMP_13_19) == OpeningEffect("none")


class TestTitleSlot:
    def slot(self, **fields: str) -> bytes:
        return (stringify({"type": "title", "v": 1, **fields}) + "\n").encode()

    @pytest.mark.spec("SF-1", "SF-2")
    def test_its_title_is_the_title_of_the_header(self) -> None:
        session = load(self.slot(title="New", source="user") + HEADER.replace(b'"cwd"', b'"title":"Old","cwd"') + ENTRY)
        assert session.header is not None
        assert session.header["title"] == "New"
        assert session.header["titleSource"] == "user"
        assert session.title_slot
        assert ids(session) == ["e1"]

    @pytest.mark.spec("SF-1")
    @pytest.mark.parametrize("fields", [{"title": ""}, {}])
    def test_an_empty_title_deletes_it(self, fields: dict[str, str]) -> None:
        session = load(self.slot(**fields, source="auto") + HEADER.replace(b'"cwd"', b'"title":"Old","cwd"'))
        assert session.header is not None
        assert "title" not in session.header
        assert "titleSource" not in session.header

    @pytest.mark.spec("SF-1")
    def test_only_the_first_line_is_a_slot(self) -> None:
        session = load(HEADER + self.slot(title="New"))
        assert not session.title_slot
        assert session.header is not None
        assert "title" not in session.header
        assert len(session.entries) == 1
        assert not load(b'{"type":"note"}\n' + HEADER).title_slot

    @pytest.mark.spec("SF-1")
    def test_the_recorded_agents_know_no_slot(self) -> None:
        with pytest.raises(NotASessionError):
            load(self.slot(title="New") + HEADER, PI_1_6)
        assert load(self.slot(title="New") + HEADER, OMP_13_19).kind == "empty"


@pytest.mark.spec("SF-9.5")
def test_pi_takes_scalars_for_entries() -> None:
    data = HEADER + b'5\n"text"\nnull\n0\n[]\n[1]\n{}\n' + ENTRY
    assert [stringify(entry) for entry in load(data, PI_1_6).entries][:-1] == ["5", '"text"', "[]", "[1]", "{}"]
    assert [stringify(entry) for entry in load(data).entries][:-1] == ["{}"]


@pytest.mark.parametrize("path", sorted(SESSIONS.glob("*.jsonl")), ids=lambda path: path.name)
@pytest.mark.spec("SF-1", "SF-9")
def test_the_sample_sessions_are_read_without_problems(path: Path) -> None:
    data = path.read_bytes()
    session = load(data)
    assert session.problems == ()
    assert len(session.entries) == data.count(b"\n") - 1
    assert len({entry["id"] for entry in session.entries}) == len(session.entries)


@settings(max_examples=40)
@given(messy_sessions, st.sampled_from(list(PRESETS.values())))
@pytest.mark.spec("SF-9.5")
def test_any_records_behind_a_header_are_a_session(entries: list[dict[str, object]], rules: Rules) -> None:
    lines = "".join(f"{stringify(entry)}\n" for entry in entries).encode("utf-8", "surrogatepass")
    session = load(HEADER + lines, rules)
    assert [stringify(entry) for entry in session.entries] == [
        stringify(entry) for entry in entries if entry.get("type") != "session"
    ]
