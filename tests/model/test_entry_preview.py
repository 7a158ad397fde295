"""One line about an entry: paths are told from the session's working directory on."""

from __future__ import annotations

from typing import Any

import pytest

from model.entry_preview import MAX_CHARACTERS, entry_preview

HOME = "/home/ada/work"


def result_of(name: str, arguments: dict[str, Any], text: str = "", *, failed: bool = False) -> tuple[Any, Any]:
    message = {"role": "toolResult", "toolName": name, "isError": failed, "content": [{"type": "text", "text": text}]}
    return {"type": "message", "message": message}, {"type": "toolCall", "name": name, "arguments": arguments}


@pytest.mark.parametrize(
    ("folder", "name", "arguments", "line"),
    [
        (HOME, "read", {"path": f"{HOME}/src/main.py"}, "src/main.py"),
        (f"{HOME}/", "read", {"path": f"{HOME}/src/main.py"}, "src/main.py"),
        (HOME, "read", {"path": HOME}, HOME),
        (HOME, "read", {"path": f"{HOME}-old/a.py"}, f"{HOME}-old/a.py"),
        (HOME, "read", {"path": f"/mnt{HOME}/a.py"}, f"/mnt{HOME}/a.py"),
        (HOME, "read", {"path": "../a.py"}, "../a.py"),
        ("", "read", {"path": "/a.py"}, "/a.py"),
        ("/", "read", {"path": "/a.py"}, "/a.py"),
        ("C:\\work", "read", {"path": "C:\\work\\src\\a.py"}, "src\\a.py"),
        (HOME, "bash", {"command": f"cd {HOME} && make test"}, "make test"),
        (HOME, "bash", {"command": f"cd {HOME}/src && ls"}, "cd src && ls"),
        (HOME, "bash", {"command": f"grep -n x {HOME}/a {HOME}/b"}, "grep -n x a b"),
        (HOME, "bash", {"command": f"ls {HOME}/"}, f"ls {HOME}/"),
        (HOME, "read", {"path": f"{HOME}/a.py", "offset": 201, "limit": 100}, "a.py:201-300"),
        (HOME, "read", {"path": "a.py", "offset": 201}, "a.py:201-"),
        (HOME, "read", {"path": "a.py", "limit": 100}, "a.py:1-100"),
        (HOME, "read", {"path": "a.py", "offset": 0, "limit": "x"}, "a.py"),
        ("/srv/a.b (c)", "read", {"path": "/srv/a.b (c)/d"}, "d"),
    ],
)
def test_paths_of_tools_are_told_from_the_working_directory(
    folder: str, name: str, arguments: dict[str, Any], line: str
) -> None:
    entry, call = result_of(name, arguments)
    assert entry_preview(entry, call, folder).text == line


def test_what_people_and_models_say_stays_as_it_is() -> None:
    said = {"type": "message", "message": {"role": "user", "content": f"look at {HOME}/src/main.py"}}
    assert entry_preview(said, None, HOME).text == f"look at {HOME}/src/main.py"


def test_calls_of_an_assistant_and_commands_of_a_user_are_shortened_too() -> None:
    block = {"type": "toolCall", "name": "read", "arguments": {"path": f"{HOME}/a.py"}}
    answer = {"type": "message", "message": {"role": "assistant", "content": [block]}}
    ran = {"type": "message", "message": {"role": "bashExecution", "command": f"cat {HOME}/a.py", "exitCode": 0}}
    assert entry_preview(answer, None, HOME).text == "read(a.py)"
    assert entry_preview(ran, None, HOME).text == "cat a.py"


def test_an_outcome_is_told_with_the_command() -> None:
    entry, call = result_of("bash", {"command": f"cd {HOME} && make"}, f"{HOME}/a.c:3: error", failed=True)
    assert entry_preview(entry, call, HOME).text == "make → a.c:3: error"


@pytest.mark.parametrize("text", ["word " * 200, "x" * (MAX_CHARACTERS + 1), " \n" * 2000 + "x"])
def test_a_text_that_goes_on_says_so(text: str) -> None:
    entry = {"type": "message", "message": {"role": "user", "content": text}}
    shown = entry_preview(entry).text
    assert len(shown) <= MAX_CHARACTERS
    assert shown.endswith("…")
    whole = {"type": "message", "message": {"role": "user", "content": "x" * MAX_CHARACTERS}}
    assert entry_preview(whole).text == "x" * MAX_CHARACTERS
