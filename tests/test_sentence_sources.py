"""What the sources of `model` and `services` say to a person: always a sentence that can be translated."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.sentences import ROOT, made_sentences, sources

MODULES = sources()
TREES = {path: ast.parse(path.read_text("utf-8")) for path in MODULES}
ROOTS = {"ServiceError", "RefusedError"}
SAYING = {"Notice", "PhaseChanged", "RetryScheduled", "TurnRetryScheduled", "Problem", "SettingsProblem"}
SAYING |= {"ExtensionProblem", "FolderProblem", "StoreChange", "SummarizerInfo", "InvalidHookResultError"}
"""Values whose texts the window shows, besides the exceptions."""

FOR_PROGRAMS = {"SummaryFailedError", "SummaryAbortedError"}
"""Exceptions that end inside the layers: their words are those of the agents."""


@cache
def shown_exceptions() -> frozenset[str]:
    """The names of all exceptions that a person is told about."""
    found = set(ROOTS)
    bases = {
        node.name: {base.id for base in node.bases if isinstance(base, ast.Name)}
        for tree in TREES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    while more := {name for name, of in bases.items() if of & found} - found:
        found |= more
    return frozenset(found)


def called(node: ast.Call) -> str:
    """The name that is called; of `super().__init__()` the name of nothing."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def calls(path: Path, names: frozenset[str]) -> Iterator[ast.Call]:
    """The calls of `names` in a module, and those of `super().__init__()` inside classes of these names."""
    for node in ast.walk(TREES[path]):
        if isinstance(node, ast.Call) and called(node) in names:
            yield node
        elif isinstance(node, ast.ClassDef) and node.name in names:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Call) and called(inner) == "__init__":
                    yield inner


def raw_words(value: ast.AST, assigned: dict[str, list[ast.expr]], depth: int = 0) -> list[str]:
    """The words in an argument that are in no sentence, also by way of a local name."""
    found: list[str] = []
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Call | ast.Compare):
            continue  # a call of a sentence, or of a function that makes one
        if isinstance(node, ast.JoinedStr):
            found.append(ast.unparse(node))
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(r"\w .*\w", node.value):
            found.append(node.value)
        if isinstance(node, ast.Name) and depth < 3:
            for each in assigned.get(node.id, []):
                found += raw_words(each, assigned, depth + 1)
        pending += ast.iter_child_nodes(node)
    return found


def assignments(tree: ast.AST) -> dict[str, list[ast.expr]]:
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(node.value)
    return found


KINDS = {"mixed dialects", "not an object", "extra header", "no id", "repeated id", "own parent", "no header"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_a_person_is_told_is_a_sentence(path: Path) -> None:
    names = (shown_exceptions() | SAYING) - FOR_PROGRAMS
    local = assignments(TREES[path])
    raw = [
        f"{call.lineno}: {words}"
        for call in calls(path, names)
        for argument in (*call.args, *(keyword.value for keyword in call.keywords))
        for words in raw_words(argument, local)
        if words not in KINDS and not is_name(words)
    ]
    assert raw == []


def is_name(words: str) -> bool:
    """Whether a formatted text is made of names alone: "{model_id} ({host})"."""
    return words.startswith(("f'", 'f"')) and not re.search(r"[A-Za-z]{2}", re.sub(r"\{[^}]*\}", "", words[2:-1]))


def test_the_exceptions_are_found() -> None:
    assert {"BusyError", "WriteError", "EndpointError", "OutOfTime", "ExportHeldBack"} <= shown_exceptions()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_templates_have_a_place_for_each_value(path: Path) -> None:
    for call in made_sentences(TREES[path]):
        where = f"{path.name}:{call.lineno}"
        assert not call.keywords, where
        assert not any(isinstance(argument, ast.Starred) for argument in call.args), where
        template, values = call.args[0], call.args[1:]
        assert isinstance(template, ast.Constant), f"{where}: the template is no literal"
        places = set(re.findall(r"\{(.*?)\}", template.value))
        assert places == {str(number) for number in range(len(values))}, f"{where}: {template.value}"
        assert values or not re.search(r"[{}]", template.value), where


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("raise ServiceError('it is gone')", ["it is gone"]),
        ("raise ServiceError(f'{name} is gone')", ["f'{name} is gone'"]),
        ("message = f'{a} is gone'\nraise ServiceError(message)", ["f'{a} is gone'"]),
        ("raise ServiceError(Sentence('{0} is gone', name))", []),
        ("raise ServiceError(told(error))", []),
    ],
)
def test_raw_words_are_seen(source: str, words: list[str]) -> None:
    tree = ast.parse(source)
    call = next(node for node in ast.walk(tree) if isinstance(node, ast.Call) and called(node) == "ServiceError")
    assert raw_words(call.args[0], assignments(tree)) == words
