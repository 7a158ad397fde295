import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.context import build_session_context
from model.errors import RefusedError, UnknownEntryError
from model.json_text import JsonObject, stringify
from model.labels import resolve_labels
from model.rules import BRANCHWORK, OMP_13_19, PRESETS, Rules
from model.session_loading import load_session
from model.session_writer import SessionWriter
from tests.model.session_builders import START_MS, Chain, text_block
from tests.model.strategies import TEXTS, sessions


def writer(entries: list[JsonObject] | None = None, dialect: Any = "pi", rules: Rules = BRANCHWORK) -> SessionWriter:
    numbers = itertools.count(1)
    return SessionWriter(
        entries or [], dialect, now_ms=lambda: START_MS, new_uuid=lambda: f"new{next(numbers)}", rules=rules
    )


@pytest.mark.spec("TN-2", "SF-11.1")
def test_an_entry_is_a_child_of_the_leaf_and_becomes_the_leaf() -> None:
    session = writer()
    assert session.leaf_id is None
    first = session.append_message({"role": "user", "content": "x"})
    second = session.append_thinking_level_change("high")
    assert (first["id"], first["parentId"], first["timestamp"]) == ("new1", None, "2026-02-03T08:00:00.000Z")
    assert (second["id"], second["parentId"]) == ("new2", "new1")
    assert session.leaf_id == "new2"
    assert session.entries == session.appended == session.path() == [first, second]


@pytest.mark.spec("SF-10")
def test_a_session_is_taken_up_at_its_last_entry() -> None:
    chain = Chain()
    chain.user()
    chain.user(parent=None)
    session = writer([*chain.entries, {"type": "custom"}])
    assert session.leaf_id == "e2"
    session.append_custom_entry("n", {"k": 1})
    assert session.appended[0]["parentId"] == "e2"
    assert session.entries[:2] == chain.entries
    assert session.path() == [chain.entries[1], session.appended[0]]


@pytest.mark.spec("SF-11.4")
def test_a_new_session_is_written_with_its_first_question_or_answer() -> None:
    for role, in_pi, in_omp in (("user", True, False), ("assistant", True, True), ("system", False, False)):
        for rules, expected in ((BRANCHWORK, in_pi), (OMP_13_19, in_omp)):
            session = writer(rules=rules)
            session.append_model_change("acme/m")
            assert not session.has_conversation
            session.append_message({"role": role, "content": "x"})
            assert session.has_conversation == expected


@pytest.mark.spec("TN-2")
def test_the_leaf_moves_to_known_entries_only() -> None:
    session = writer()
    session.append_message({"role": "user", "content": "x"})
    session.append_message({"role": "assistant", "content": []})
    session.branch("new1")
    assert session.append_message({"role": "user", "content": "y"})["parentId"] == "new1"
    session.branch(None)
    assert session.append_message({"role": "user", "content": "z"})["parentId"] is None
    with pytest.raises(UnknownEntryError):
        session.branch("nope")


@pytest.mark.spec("TN-7", "TN-8", "O-138", "O-139", "O-144")
def test_a_summary_hangs_at_the_target_and_names_the_leaf_that_was_left() -> None:
    session = writer()
    for text in "abc":
        session.append_message({"role": "user", "content": text})
    entry = session.branch_with_summary("new1", "s", details={"readFiles": []})
    assert (entry["parentId"], entry["fromId"]) == ("new1", "new3")
    assert entry["details"] == {"readFiles": []}
    assert session.leaf_id == entry["id"]
    assert not any(child["parentId"] == "new3" for child in session.entries)
    assert session.branch_with_summary(None, "t")["parentId"] is None
    session.branch(None)
    assert session.branch_with_summary("new1", "u")["fromId"] == "root"
    with pytest.raises(UnknownEntryError):
        session.branch_with_summary("nope", "v")


@pytest.mark.spec("SF-4.3")
def test_omp_names_the_entry_that_the_summary_hangs_at() -> None:
    session = writer(dialect="omp", rules=OMP_13_19)
    session.append_message({"role": "user", "content": "x"})
    session.append_message({"role": "user", "content": "y"})
    assert session.branch_with_summary("new1", "s", from_extension=True)["fromId"] == "new1"
    assert session.branch_with_summary(None, "s")["fromId"] == "root"


@pytest.mark.spec("CP-18", "CP-19", "O-129", "SF-5.1")
def test_a_compaction_carries_the_prompt_in_force() -> None:
    session = writer()
    session.append_message({"role": "system", "content": "Be brief."})
    session.append_message({"role": "user", "content": "hi"})
    session.append_message({"role": "system", "content": "", "sections": {"cwd": "/a"}})
    entry = session.append_compaction("sum", "new2", 12, details={"k": 1})
    prompt = {"role": "system", "content": "Be brief.", "sections": {"cwd": "/a"}, "timestamp": START_MS}
    assert entry["systemMessage"] == prompt
    assert (entry["firstKeptEntryId"], entry["tokensBefore"], entry["details"]) == ("new2", 12, {"k": 1})
    assert build_session_context(session.entries).messages[0] == prompt
    assert session.append_compaction("sum", None, 12)["firstKeptEntryId"] == "new5"
    assert "systemMessage" not in writer(dialect="omp").append_compaction("sum", None, 1, short_summary="s")


@pytest.mark.spec("SF-4.9", "TN-6")
def test_labels_are_set_on_known_entries() -> None:
    session = writer()
    session.append_message({"role": "user", "content": "x"})
    entry = session.append_label_change("new1", "here")
    assert session.leaf_id == entry["id"]
    assert {id: label.text for id, label in resolve_labels(session.entries).items()} == {"new1": "here"}
    session.append_label_change("new1", None)
    assert resolve_labels(session.entries) == {}
    with pytest.raises(UnknownEntryError):
        session.append_label_change("nope", "x")


class TestContextEdits:
    def session(self) -> SessionWriter:
        session = writer()
        session.append_message({"role": "user", "content": "q"})
        session.append_message({"role": "assistant", "content": []})
        session.append_custom_message_entry("n", "note", True)
        return session

    @pytest.mark.spec("SF-4.11", "CB-6")
    def test_a_text_becomes_a_block_for_an_answer(self) -> None:
        session = self.session()
        block = {"content": [text_block("short")]}
        assert session.append_context_edit("new1", {"content": "short"})["replacement"] == {"content": "short"}
        assert session.append_context_edit("new3", {"content": "short"})["replacement"] == {"content": "short"}
        assert session.append_context_edit("new2", {"content": "short"})["replacement"] == block
        assert session.append_context_edit("new2", block)["replacement"] == block
        assert session.append_context_edit("new2", None)["replacement"] is None

    @pytest.mark.spec("SF-4.11")
    @pytest.mark.parametrize("replacement", [{}, {"text": "x"}, {"content": None}, {"content": 5}, "x", []])
    def test_a_replacement_needs_content(self, replacement: Any) -> None:
        with pytest.raises(RefusedError, match="content"):
            self.session().append_context_edit("new1", replacement)

    @pytest.mark.spec("SF-4.11")
    def test_only_messages_of_the_branch_can_be_edited(self) -> None:
        session = self.session()
        session.append_message({"role": "bashExecution", "command": "ls"})
        session.append_model_change("acme/m")
        for id in ("new4", "new5"):
            with pytest.raises(RefusedError, match="edited"):
                session.append_context_edit(id, None)
        with pytest.raises(UnknownEntryError):
            session.append_context_edit("nope", None)
        session.branch("new1")
        with pytest.raises(RefusedError, match="active branch"):
            session.append_context_edit("new2", None)


@pytest.mark.spec("SF-4.4", "SF-4.8", "SF-4.10", "SF-4.12")
def test_the_other_entries() -> None:
    session = writer(dialect="omp")
    message = session.append_custom_message_entry("n", "note", False, details=1, attribution="user")
    assert (message["details"], message["attribution"], message["display"]) == (1, "user", False)
    assert session.append_session_info("a\nb")["name"] == "a b"
    assert session.append_usage("k", "p", "m", {}, "note")["note"] == "note"
    assert session.append_bookkeeping("mode_change", {"mode": "plan"})["mode"] == "plan"
    assert session.append_model_change("acme/m", "smol")["role"] == "smol"
    assert len(session.path()) == 5


@given(sessions(), st.data())
@pytest.mark.spec("CB-10", "CP-18", "O-130")
def test_the_context_after_appending_is_the_context_after_reloading(
    entries: list[JsonObject], data: st.DataObject
) -> None:
    rules = data.draw(st.sampled_from(list(PRESETS.values())))
    session = writer(entries, rules=rules)
    for _ in range(data.draw(st.integers(1, 5))):
        ids = [entry["id"] for entry in session.entries]
        operation = data.draw(
            st.sampled_from(["message", "compaction", "summary", "label", "branch"] if ids else ["message"])
        )
        if operation == "message":
            role = data.draw(st.sampled_from(["user", "assistant", "system"]))
            session.append_message({"role": role, "content": data.draw(TEXTS), "timestamp": 1})
        elif operation == "compaction":
            session.append_compaction(data.draw(TEXTS), data.draw(st.sampled_from([None, *ids])), 5)
        elif operation == "summary":
            session.branch_with_summary(data.draw(st.sampled_from(ids)), data.draw(TEXTS))
        elif operation == "label":
            session.append_label_change(data.draw(st.sampled_from(ids)), "x")
        else:
            session.branch(data.draw(st.sampled_from(ids)))
    header = {"type": "session", "version": 3, "id": "s"}
    text = "".join(f"{stringify(line)}\n" for line in [header, *session.entries])
    loaded = load_session(text.encode("utf-8"), lambda: "unused")
    in_memory = build_session_context(session.entries, session.leaf_id, rules)
    assert stringify(build_session_context(loaded.entries, session.leaf_id, rules).messages) == stringify(
        in_memory.messages
    )
    assert build_session_context(loaded.entries, session.leaf_id, rules).state == in_memory.state
