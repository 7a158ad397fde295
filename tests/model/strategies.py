"""Random JSON, random forests and random sessions for property tests."""

from typing import Any

from hypothesis import strategies as st

from model.json_text import JsonObject
from tests.model.session_builders import Chain, text_block, tool_call, usage

TEXTS = st.text(st.characters(exclude_categories=[]), max_size=12)  # lone surrogates included
NUMBERS = st.integers() | st.floats(allow_nan=False) | st.sampled_from([2**53 + 1, 10**30, -0.0, 1e21, 1e-7])
SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS
IDS = st.sampled_from(["a", "b", "c", "d", "e", "f", "g", "h"])

json_values = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(TEXTS | st.sampled_from(["0", "7", "type"]), inner, max_size=4)
    ),
    max_leaves=5,
)

ENTRY_TYPES = (
    "message",
    "compaction",
    "branch_summary",
    "custom_message",
    "custom",
    "model_change",
    "thinking_level_change",
    "usage",
    "label",
    "session_info",
    "context_edit",
    "service_tier_change",
    "ttsr_injection",
    "mcp_tool_selection",
    "session_init",
    "mode_change",
    "reset_boundary",
    "session",
    "mystery",
)
ROLES = (
    "system",
    "developer",
    "user",
    "assistant",
    "toolResult",
    "custom",
    "hookMessage",
    "branchSummary",
    "compactionSummary",
    "bashExecution",
    "pythonExecution",
    "fileMention",
    "observer",
)
BLOCK_TYPES = ("text", "image", "thinking", "toolCall", "redactedThinking")


def _messy(names: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[JsonObject]:
    """Objects with some of the named fields, each as it should be or any JSON."""
    return st.fixed_dictionaries({}, optional={name: value | json_values for name, value in names.items()})


messy_blocks = _messy(
    {
        "type": st.sampled_from(BLOCK_TYPES),
        "text": TEXTS,
        "thinking": TEXTS,
        "name": TEXTS,
        "arguments": json_values,
        "data": TEXTS,
    }
)
messy_contents = TEXTS | st.lists(messy_blocks, max_size=3) | json_values
messy_messages = _messy(
    {
        "role": st.sampled_from(ROLES),
        "content": messy_contents,
        "summary": TEXTS,
        "command": TEXTS,
        "code": TEXTS,
        "output": TEXTS,
        "exitCode": st.integers(),
        "cancelled": st.booleans(),
        "excludeFromContext": st.booleans(),
        "files": st.lists(_messy({"path": TEXTS, "content": TEXTS, "image": messy_blocks}), max_size=2),
        "sections": st.dictionaries(TEXTS, st.none() | TEXTS, max_size=2),
        "toolsAdded": st.lists(_messy({"name": TEXTS}), max_size=2),
        "toolsRemoved": st.lists(_messy({"name": TEXTS}), max_size=2),
        "meta": _messy({"truncation": json_values, "limits": json_values}),
        "usage": _messy({"input": NUMBERS, "output": NUMBERS, "totalTokens": NUMBERS}),
        "stopReason": st.sampled_from(["stop", "error", "aborted"]),
        "provider": TEXTS,
        "model": TEXTS,
        "prunedAt": st.integers(),
        "timestamp": NUMBERS,
    }
)
messy_entries = _messy(
    {
        "type": st.sampled_from(ENTRY_TYPES),
        "id": IDS,
        "parentId": st.none() | IDS,
        "timestamp": st.sampled_from(["2026-02-03T08:00:00.000Z", "2026-02-03", "never"]) | NUMBERS,
        "message": messy_messages,
        "summary": TEXTS,
        "content": messy_contents,
        "firstKeptEntryId": IDS,
        "targetId": IDS,
        "label": TEXTS,
        "name": TEXTS,
        "replacement": st.none() | _messy({"content": messy_contents}),
        "preserveData": _messy({"openaiRemoteCompaction": json_values}),
        "systemMessage": messy_messages,
        "injectedRules": st.lists(TEXTS, max_size=2),
        "selectedToolNames": st.lists(TEXTS, max_size=2),
    }
)
messy_sessions = st.lists(messy_entries, max_size=5)


@st.composite
def forests(draw: st.DrawFn) -> list[JsonObject]:
    """Entries whose parents are earlier, later, missing, themselves or in a circle; some ids occur twice."""
    count = draw(st.integers(0, 12))
    ids = [draw(st.sampled_from([f"n{row}", f"n{row}", f"n{row}", "n0"])) for row in range(count)]
    parents = st.none() | st.sampled_from([*ids, "missing"])
    times = st.sampled_from(["2026-02-03T08:00:00Z", "2026-02-03T09:00:00Z", "2026-02-01", "never"])
    return [{"type": "custom", "id": id, "parentId": draw(parents), "timestamp": draw(times)} for id in ids]


@st.composite
def sessions(draw: st.DrawFn) -> list[JsonObject]:
    """Well-formed sessions of several branches: every tool result follows its call, kept boundaries are on the path."""
    chain = Chain()
    leaf: str | None = None
    for _ in range(draw(st.integers(0, 8))):
        if chain.entries and draw(st.booleans()):
            leaf = draw(st.sampled_from(chain.entries))["id"]
        leaf = _exchange(draw, chain, leaf)
    return chain.entries


def _exchange(draw: st.DrawFn, chain: Chain, leaf: str | None) -> str:
    kind = draw(st.sampled_from(["turn", "turn", "turn", "compaction", "settings", "custom", "summary", "edit"]))
    if kind == "turn" or leaf is None:
        return _turn(draw, chain, leaf)
    path = _path(chain.entries, leaf)
    if kind == "compaction":
        kept = draw(st.sampled_from([entry["id"] for entry in path if _may_begin_kept_range(entry)] or [None]))
        return str(chain.compaction(kept, draw(TEXTS), parent=leaf)["id"])
    if kind == "settings":
        return str(chain.add("thinking_level_change", parent=leaf, thinkingLevel="high")["id"])
    if kind == "custom":
        return str(chain.add("custom_message", parent=leaf, customType="n", content=draw(TEXTS), display=True)["id"])
    if kind == "edit":
        target = draw(st.sampled_from(path))["id"]
        return str(chain.add("context_edit", parent=leaf, targetId=target, replacement=None)["id"])
    return str(chain.add("branch_summary", parent=leaf, fromId="root", summary=draw(TEXTS))["id"])


def _turn(draw: st.DrawFn, chain: Chain, leaf: str | None) -> str:
    chain.user(draw(TEXTS), parent=leaf)
    for number in range(draw(st.integers(0, 2))):
        call = f"t{len(chain.entries)}-{number}"
        chain.assistant([tool_call(call, path="a.py")], stopReason="toolUse")
        chain.tool_result(call, draw(TEXTS))
    chain.assistant([text_block(draw(TEXTS))], usage=usage(draw(st.integers(0, 1000))))
    return str(chain.entries[-1]["id"])


def _may_begin_kept_range(entry: JsonObject) -> bool:
    return entry["type"] != "compaction" and entry.get("message", {}).get("role") != "toolResult"


def _path(entries: list[JsonObject], leaf: str) -> list[JsonObject]:
    by_id = {entry["id"]: entry for entry in entries}
    path = []
    id: str | None = leaf
    while id is not None:
        path.append(by_id[id])
        id = by_id[id]["parentId"]
    return path[::-1]
