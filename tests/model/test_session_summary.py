from typing import Any

import pytest
from hypothesis import given

from model.json_text import JsonObject
from model.rules import PI_1_6
from model.session_names import latest_short_summary, session_name
from model.session_summary import SessionSummary, summarize_session
from tests.model.session_builders import MINUTE_MS, START_MS, Chain, text_block
from tests.model.strategies import messy_sessions

HEADER = {"type": "session", "id": "s", "timestamp": "2026-02-03T08:00:00.000Z", "cwd": "/p"}


def row(chain: Chain, header: JsonObject = HEADER) -> SessionSummary:
    summary = summarize_session(header, chain.entries)
    assert summary is not None
    return summary


class TestNames:
    @pytest.mark.spec("SF-4.10", "SF-13")
    def test_the_last_name_of_the_file_counts(self) -> None:
        chain = Chain()
        assert session_name(chain.entries) is None
        chain.add("session_info", name="First")
        chain.add("session_info", name=" Sec\r\nond ", parent=None)
        assert session_name(chain.entries) == "Sec ond"

    @pytest.mark.spec("SF-4.10")
    @pytest.mark.parametrize("fields", [{"name": " \n"}, {"name": None}, {}, {"name": 5}])
    def test_an_empty_name_clears_it(self, fields: JsonObject) -> None:
        chain = Chain()
        chain.add("session_info", name="First")
        chain.add("session_info", **fields)
        assert session_name(chain.entries) is None

    @pytest.mark.spec("SF-13", "O-020")
    def test_the_last_short_summary(self) -> None:
        chain = Chain()
        chain.compaction(None, shortSummary="one")
        chain.compaction(None, shortSummary="two")
        chain.compaction(None)
        chain.add("custom", shortSummary="three")
        assert latest_short_summary(chain.entries) == "two"
        assert latest_short_summary(chain.entries[2:]) is None


@pytest.mark.spec("SF-13")
def test_the_row_of_a_session() -> None:
    chain = Chain()
    chain.user("")
    chain.user([text_block("Fix "), {"type": "image"}, text_block("the login")])
    chain.assistant("Done.")
    chain.tool_result("t", "files")
    chain.add("model_change", provider="p", modelId="m")
    summary = row(chain, {**HEADER, "title": "T", "parentSession": "/x.jsonl"})
    assert summary == SessionSummary(
        session_id="s",
        cwd="/p",
        name=None,
        title="T",
        short_summary=None,
        parent_session="/x.jsonl",
        created_ms=START_MS,
        modified_ms=START_MS + 3 * MINUTE_MS,
        message_count=4,
        first_message="Fix  the login",
        all_text="Fix  the login Done.",
    )


@pytest.mark.spec("SF-13", "SF-2")
def test_a_session_without_anything() -> None:
    summary = row(Chain(), {"type": "session", "id": "s", "cwd": 5})
    assert (summary.cwd, summary.first_message, summary.all_text) == ("", None, "")
    assert (summary.created_ms, summary.modified_ms, summary.message_count) == (None, None, 0)
    assert row(Chain()).modified_ms == START_MS


@pytest.mark.spec("SF-13")
def test_the_name_that_is_shown() -> None:
    chain = Chain()
    assert row(chain).display_name == "s"
    chain.user("question")
    assert row(chain).display_name == "question"
    chain.compaction(None, shortSummary="I fixed it.")
    assert row(chain).display_name == "I fixed it."
    assert row(chain, {**HEADER, "title": "Title"}).display_name == "Title"
    chain.add("session_info", name="Name")
    assert row(chain, {**HEADER, "title": "Title"}).display_name == "Name"


@pytest.mark.spec("SF-13")
def test_the_last_activity_is_that_of_a_question_or_an_answer() -> None:
    chain = Chain()
    chain.user("a")
    chain.user("b")["message"].pop("timestamp")
    chain.tool_result()
    assert row(chain).modified_ms == START_MS + 2 * MINUTE_MS
    chain.user("c")["message"]["timestamp"] = START_MS - 1
    assert row(chain).modified_ms == START_MS + 2 * MINUTE_MS
    chain.message("assistant")
    assert row(chain).modified_ms == START_MS + 2 * MINUTE_MS
    chain.user("d")["message"]["timestamp"] = True
    assert row(chain).modified_ms == START_MS + 6 * MINUTE_MS


@pytest.mark.spec("SF-9.6")
@pytest.mark.parametrize("content", [None, 5, {}])
def test_a_message_without_content_hides_no_session_but_from_pi(content: Any) -> None:
    chain = Chain()
    chain.user("a")
    chain.user(content)
    assert row(chain).all_text == "a"
    assert row(chain).message_count == 2
    assert summarize_session(HEADER, chain.entries, PI_1_6) is None
    assert summarize_session(HEADER, chain.entries[:1], PI_1_6) is not None


@given(messy_sessions)
@pytest.mark.spec("SF-9.5")
def test_any_entries_have_a_row(entries: list[JsonObject]) -> None:
    assert summarize_session({}, entries) is not None
