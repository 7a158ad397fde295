"""Paths in the short notation of the compaction spec (CP-27): `u a t m` are entries 1, 2, 3, 4 of 100 tokens each."""

import re

from model.compaction import CompactionPreparation, prepare_compaction
from model.dialects import Dialect
from model.json_text import JsonObject
from model.rules import BRANCHWORK, Rules
from model.settings import EffectiveCompactionSettings, default_settings
from tests.model.session_builders import Chain, text_block, tool_call

UNITS_PER_TOKEN = 4
_CODE = re.compile(r"(?P<kind>[A-Za-z]+)(?:\((?P<value>[^)]*)\))?")


def shaped(notation: str) -> list[JsonObject]:
    """A path of the entries `1`, `2`, ...: `u` user, `a` assistant, `w` assistant that writes file w, `t` tool result,
    `b` bash, `s` branch summary, `e` its empty form, `x` extension message, `m` model change, `l` label, `R` reset
    boundary, `C(id)` compaction that keeps from `id`. A number in brackets is the size in tokens."""
    chain = Chain()
    for number, code in enumerate(notation.split(), start=1):
        match = _CODE.fullmatch(code)
        assert match is not None, code
        _add(chain, match["kind"], str(number), match["value"])
    return chain.entries


def _add(chain: Chain, kind: str, id: str, value: str | None) -> None:
    text = "x" * (UNITS_PER_TOKEN * int(value) if value and value.isdigit() else UNITS_PER_TOKEN * 100)
    if kind == "u":
        chain.user(text, id=id)
    elif kind == "a":
        chain.assistant(text, id=id)
    elif kind == "w":
        chain.assistant([text_block(text), tool_call("t", "write", path="w")], id=id)
    elif kind == "t":
        chain.tool_result(text=text, id=id)
    elif kind == "b":
        chain.message("bashExecution", id=id, command=text, output="")
    elif kind in ("s", "e"):
        chain.add("branch_summary", id=id, fromId="root", summary=text if kind == "s" else "")
    elif kind == "x":
        chain.add("custom_message", id=id, customType="note", content=text, display=True)
    elif kind == "m":
        chain.add("model_change", id=id, provider="acme", modelId="small")
    elif kind == "l":
        chain.add("label", id=id, targetId="1", label="here")
    elif kind == "R":
        chain.add("reset_boundary", id=id)
    else:
        chain.compaction(value, id=id)


def compaction_settings(dialect: Dialect = "pi", **changes: object) -> EffectiveCompactionSettings:
    """The settings of a session without any file, with some values changed."""
    return default_settings(dialect).compaction.replaced(**changes)


def prepared(
    path: list[JsonObject], keep: int, rules: Rules = BRANCHWORK, dialect: Dialect = "pi", **changes: object
) -> CompactionPreparation:
    """The preparation of a path that has something to compact."""
    settings = compaction_settings(dialect, keep_recent_tokens=keep, **changes)
    preparation = prepare_compaction(path, settings, rules)
    assert isinstance(preparation, CompactionPreparation), preparation
    return preparation
