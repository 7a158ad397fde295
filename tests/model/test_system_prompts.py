import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.json_text import JsonObject
from model.system_prompts import current_system_message
from tests.model.session_builders import text_block
from tests.model.strategies import messy_messages

pytestmark = pytest.mark.spec("SF-5.1", "CP-19")

READ = {"name": "read"}
LS = {"name": "ls"}


def system(content: object = "", **fields: object) -> JsonObject:
    return {"role": "system", "content": content, **fields}


def test_without_system_messages_there_is_no_prompt() -> None:
    assert current_system_message([]) is None
    assert current_system_message([{"role": "user", "content": "x"}]) is None


def test_texts_are_joined_and_sections_and_tools_replayed() -> None:
    messages = [
        system(
            "base", sections={"cwd": "/a", "skills": "s"}, toolsAdded=[{"name": "read"}, {"name": "ls"}], timestamp=1
        ),
        {"role": "user", "content": "q"},
        system("", sections={"cwd": "/b", "skills": None}, toolsRemoved=[READ], timestamp=2),
        system(
            [text_block("more "), text_block("text")], toolsAdded=[{"name": "read", "v": 2}, {"name": "ls", "v": 2}]
        ),
    ]
    assert current_system_message(messages) == {
        "role": "system",
        "content": "base\n\nmore text",
        "sections": {"cwd": "/b"},
        "toolsAdded": [{**LS, "v": 2}, {**READ, "v": 2}],
        "timestamp": 1,
    }


def test_what_is_empty_is_left_out() -> None:
    removed = [system(sections={"a": "x"}, toolsAdded=[{"name": "t"}]), system(sections={"a": None, "b": None})]
    removed.append(system(toolsRemoved=[{"name": "t"}, {"name": "other"}]))
    assert current_system_message(removed) == {"role": "system", "content": ""}


@given(st.lists(messy_messages | messy_messages.map(lambda message: {**message, "role": "system"}), max_size=4))
@pytest.mark.spec("SF-9.5")
def test_any_messages_have_a_prompt_or_none(messages: list[JsonObject]) -> None:
    prompt = current_system_message(messages)
    assert prompt is None or isinstance(prompt["content"], str)
