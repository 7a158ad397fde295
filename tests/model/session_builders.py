"""Small sessions for tests: entries in a chain, one minute apart."""

from typing import Any

from model.json_text import JsonObject
from model.timestamps import iso_timestamp

START_MS = 1_770_105_600_000  # 2026-02-03T08:00:00Z
MINUTE_MS = 60_000
_SAME = object()


def usage(context_tokens: int, output: int = 0) -> JsonObject:
    """A usage record whose context size is `context_tokens`."""
    counts = {"input": context_tokens - output, "output": output, "cacheRead": 0, "cacheWrite": 0}
    cost = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}
    return {**counts, "totalTokens": context_tokens, "cost": cost}


def text_block(text: str) -> JsonObject:
    return {"type": "text", "text": text}


def tool_call(id: str, name: str = "read", **arguments: Any) -> JsonObject:
    return {"type": "toolCall", "id": id, "name": name, "arguments": arguments}


class Chain:
    """Entries e1, e2, ... in file order. Each hangs at the one before it unless `parent` says otherwise."""

    def __init__(self) -> None:
        self.entries: list[JsonObject] = []

    def add(self, type: str, *, id: str | None = None, parent: Any = _SAME, **fields: Any) -> JsonObject:
        number = len(self.entries) + 1
        if parent is _SAME:
            parent = self.entries[-1]["id"] if self.entries else None
        entry = {
            "type": type,
            "id": id or f"e{number}",
            "parentId": parent,
            "timestamp": iso_timestamp(START_MS + number * MINUTE_MS),
            **fields,
        }
        self.entries.append(entry)
        return entry

    def message(self, role: str, *, id: str | None = None, parent: Any = _SAME, **fields: Any) -> JsonObject:
        time = START_MS + (len(self.entries) + 1) * MINUTE_MS
        return self.add("message", id=id, parent=parent, message={"role": role, **fields, "timestamp": time})

    def user(self, content: Any = "question", **place: Any) -> JsonObject:
        return self.message("user", content=content, **place)

    def assistant(self, content: Any = "answer", **fields: Any) -> JsonObject:
        blocks = [text_block(content)] if isinstance(content, str) else content
        fields.setdefault("stopReason", "stop")
        fields.setdefault("usage", usage(0))
        return self.message("assistant", content=blocks, provider="acme", model="acme-large", **fields)

    def tool_result(self, call_id: str = "t1", text: str = "result", **fields: Any) -> JsonObject:
        content = [text_block(text)]
        return self.message("toolResult", toolCallId=call_id, toolName="read", content=content, isError=False, **fields)

    def compaction(self, first_kept: str | None, summary: str = "summary", **fields: Any) -> JsonObject:
        boundary = {} if first_kept is None else {"firstKeptEntryId": first_kept}
        return self.add("compaction", summary=summary, **boundary, tokensBefore=50_000, **fields)
