#!/usr/bin/env python3
"""Write a deterministic synthetic Pi v3 session file (JSONL) for tests and benchmarks.

The output is what a coding agent's session manager would have appended: one header line, then one
JSON object a line, each with ``type``, ``id``, ``parentId`` and ``timestamp``; bodies are user,
assistant and tool-result messages (with usage), settings changes, compactions, branch summaries,
labels, extension entries and so on. Same options and same seed: same bytes, whatever the hash seed.
Only the standard library is used (Python 3.9+), and only ``Random.random`` and
``Random.getrandbits`` draw numbers, because their streams are kept stable across Python releases.

Examples::

    make_session.py --entries 10000 --out s10k.jsonl
    make_session.py --entries 100000 --profile chain --branches 0 --compactions 20 --out chain.jsonl
    make_session.py --entries 1000000 --preset tiny --out s1m.jsonl
    make_session.py --entries 1000 --live 200 --live-interval 0.05 --out live.jsonl

Size presets (average line, roughly): tiny 0.4 KB, small 1 KB, real 2.5 KB, large 6 KB, huge 20 KB.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import IO, Any

Entry = dict[str, Any]

EPOCH = datetime(2026, 1, 5, 9, 0, 0, tzinfo=UTC)
PROVIDERS: tuple[tuple[str, str, str], ...] = (
    ("anthropic", "claude-sonnet-4-5", "anthropic-messages"),
    ("openai", "gpt-5.1-codex", "openai-responses"),
    ("google", "gemini-3-pro", "google-generative-ai"),
)
THINKING_LEVELS = ("off", "low", "medium", "high")
WORDS: tuple[str, ...] = (
    "the",
    "a",
    "session",
    "tree",
    "node",
    "parent",
    "child",
    "branch",
    "leaf",
    "cut",
    "point",
    "context",
    "token",
    "window",
    "model",
    "prompt",
    "tool",
    "result",
    "message",
    "summary",
    "compaction",
    "label",
    "follow",
    "append",
    "index",
    "offset",
    "line",
    "parse",
    "decode",
    "cache",
    "memory",
    "thread",
    "event",
    "queue",
    "view",
    "row",
    "column",
    "filter",
    "search",
    "path",
    "root",
    "ancestor",
    "walk",
    "merge",
    "test",
    "fails",
    "because",
    "function",
    "returns",
    "value",
    "wrong",
    "fix",
    "patch",
    "commit",
    "file",
    "module",
    "import",
    "class",
    "method",
    "error",
    "trace",
    "stack",
    "write",
    "read",
    "edit",
    "run",
    "check",
    "build",
    "lint",
    "type",
    "schema",
    "field",
    "optional",
    "string",
    "number",
    "list",
    "map",
    "set",
    "array",
    "buffer",
    "byte",
    "stream",
    "chunk",
    "should",
    "must",
    "never",
    "always",
    "when",
    "then",
    "naïve",
    "café",
    "über",
    "漢字",
    "テスト",
    "🌳",
    "🧪",
    "Ω",
    "→",
    "…",
    "“quoted”",
)
CODE_LINES: tuple[str, ...] = (
    "def walk(node: Node) -> Iterator[Node]:",
    "    while node is not None:",
    "        yield node",
    "        node = node.parent",
    'if (entry.type === "message") { return entry.message; }',
    "const byId = new Map<string, Entry>();",
    "\tfor i := 0; i < len(rows); i++ {",
    '\t\tfmt.Printf("%s\\t%d\\n", rows[i].Name, rows[i].Size)',
    "\t}",
    "FAILED tests/test_tree.py::test_cut_point - AssertionError: assert 41 == 42",
    '  File "src/app/model.py", line 128, in index',
    "drwxr-xr-x 2 user user 4096 Jan  5 09:12 src",
    "@@ -12,7 +12,9 @@ class SessionStore:",
    "-        return self._entries[row]",
    "+        return self._entry_at(self._offsets[row])",
    "[INFO] 2026-01-05T09:12:44.120Z loaded 1024 entries in 18.2 ms",
    "# Résumé: naïve walk is O(n²) — 木構造 🌲",
    "SELECT id, parent_id FROM entry WHERE path LIKE '%\\_tmp%' ESCAPE '\\';",
    "",
)
FILES: tuple[str, ...] = tuple(
    f"src/{pkg}/{name}.{ext}"
    for pkg in ("core", "ui", "tree", "io", "tests")
    for name, ext in (("model", "py"), ("store", "ts"), ("view", "py"), ("parse", "go"), ("readme", "md"))
)


@dataclass(frozen=True)
class SizeDist:
    """A text-length distribution: ``fixed:N``, ``uniform:LO-HI`` or ``lognormal:MEDIAN,SIGMA[,MAX]``."""

    kind: str
    a: float
    b: float = 0.0
    cap: int = 200_000

    @classmethod
    def parse(cls, text: str) -> SizeDist:
        """Parse the command-line form; raise ``argparse.ArgumentTypeError`` where it is malformed."""
        kind, _, rest = text.partition(":")
        try:
            if kind == "fixed":
                return cls("fixed", float(rest))
            if kind == "uniform":
                low, high = rest.split("-")
                return cls("uniform", float(low), float(high))
            if kind == "lognormal":
                parts = rest.split(",")
                cap = int(parts[2]) if len(parts) > 2 else 200_000
                return cls("lognormal", float(parts[0]), float(parts[1]), cap)
        except (ValueError, IndexError) as exc:
            raise argparse.ArgumentTypeError(f"bad size distribution {text!r}: {exc}") from exc
        raise argparse.ArgumentTypeError(f"unknown size distribution {text!r}")

    def draw(self, rng: Random, scale: float = 1.0) -> int:
        """Draw one length in characters, at least 1."""
        if self.kind == "fixed":
            value = self.a
        elif self.kind == "uniform":
            value = self.a + (self.b - self.a) * rng.random()
        else:
            # Box-Muller from two stable draws; 1 - u avoids log(0).
            normal = math.sqrt(-2.0 * math.log(1.0 - rng.random())) * math.cos(2.0 * math.pi * rng.random())
            value = min(self.a * math.exp(self.b * normal), self.cap)
        return max(1, int(value * scale))


@dataclass(frozen=True)
class Preset:
    """Text-length distributions of one size preset."""

    tool: str
    user: str
    assistant: str
    thinking: str
    thinking_share: float
    usage_cost: bool = True


PRESETS: dict[str, Preset] = {
    "tiny": Preset("uniform:20-140", "uniform:10-80", "uniform:10-80", "uniform:10-40", 0.1, False),
    "small": Preset(
        "lognormal:300,1.0,20000", "uniform:20-200", "lognormal:120,0.8,4000", "lognormal:120,0.8,4000", 0.3
    ),
    "real": Preset(
        "lognormal:1100,1.35,120000",
        "lognormal:160,0.9,8000",
        "lognormal:420,1.0,16000",
        "lognormal:420,1.0,16000",
        0.5,
    ),
    "large": Preset(
        "lognormal:3600,1.35,200000",
        "lognormal:260,1.0,12000",
        "lognormal:900,1.0,30000",
        "lognormal:900,1.0,30000",
        0.6,
    ),
    "huge": Preset(
        "lognormal:16000,1.2,400000",
        "lognormal:400,1.0,20000",
        "lognormal:1500,1.0,40000",
        "lognormal:2000,1.0,40000",
        0.7,
    ),
}


@dataclass
class Options:
    """Everything that decides the bytes of the output."""

    entries: int
    branches: int
    profile: str
    tool: SizeDist
    user: SizeDist
    assistant: SizeDist
    thinking: SizeDist
    thinking_share: float
    usage_cost: bool
    compactions: int
    labels: int
    images: int
    settings_share: float
    seed: int


@dataclass
class Stats:
    """What was written."""

    lines: int = 0
    bytes: int = 0
    branch_points: int = 0
    compactions: int = 0
    labels: int = 0
    images: int = 0
    max_depth: int = 0
    by_type: dict[str, int] = field(default_factory=dict)


class SessionWriter:
    """Generates entries one by one and writes each as a JSON line."""

    def __init__(self, opts: Options, out: IO[bytes]) -> None:
        self.opts = opts
        self.out = out
        self.rng = Random(opts.seed)
        self.stats = Stats()
        self._prose = self._make_prose(1 << 18)
        self._code = self._make_code(1 << 18)
        self._used: set[int] = set()
        # One item an entry; the tree is kept as parent numbers.
        self.ids: list[str] = []
        self.parent: list[int] = []
        self.depth: list[int] = []
        self.child_count: list[int] = []
        self.context_chars: list[int] = []
        self.is_message: list[bool] = []
        self.turn_ends: list[int] = []
        self.leaf = -1
        self.clock_ms = 0
        self.model = PROVIDERS[0]
        self.thinking_level = "medium"
        self._iso_second = -1
        self._iso_text = ""
        self._dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode

    # -- text -------------------------------------------------------------------------------------

    def _make_prose(self, size: int) -> str:
        parts: list[str] = []
        total = 0
        while total < size:
            count = 6 + int(self.rng.random() * 12)
            sentence = " ".join(self._pick(WORDS) for _ in range(count)) + self._pick(
                (". ", "? ", ".\n", ".\n\n- ", ": ")
            )
            parts.append(sentence)
            total += len(sentence)
        return "".join(parts)

    def _make_code(self, size: int) -> str:
        parts: list[str] = []
        total = 0
        while total < size:
            line = self._pick(CODE_LINES) + "\n"
            parts.append(line)
            total += len(line)
        return "".join(parts)

    def _pick(self, items: Sequence[Any]) -> Any:
        return items[int(self.rng.random() * len(items))]

    def _slice(self, pool: str, size: int) -> str:
        if size >= len(pool):
            return (pool * (size // len(pool) + 1))[:size]
        start = int(self.rng.random() * (len(pool) - size))
        return pool[start : start + size]

    def prose(self, size: int) -> str:
        """Prose of ``size`` characters."""
        return self._slice(self._prose, size)

    def code(self, size: int) -> str:
        """Code or log text of ``size`` characters."""
        return self._slice(self._code, size)

    # -- entries ----------------------------------------------------------------------------------

    def _new_id(self) -> str:
        while True:
            value = self.rng.getrandbits(32)
            if value not in self._used:
                self._used.add(value)
                return f"{value:08x}"

    def _tick(self, at_most_ms: int = 4000) -> tuple[str, int]:
        """Advance the clock; return (ISO 8601 text, Unix milliseconds)."""
        self.clock_ms += 1 + int(self.rng.random() * at_most_ms)
        second, milli = divmod(self.clock_ms, 1000)
        if second != self._iso_second:
            self._iso_second = second
            self._iso_text = (EPOCH + timedelta(seconds=second)).strftime("%Y-%m-%dT%H:%M:%S")
        return f"{self._iso_text}.{milli:03d}Z", int(EPOCH.timestamp()) * 1000 + self.clock_ms

    def _write(self, entry: Entry) -> None:
        data = self._dumps(entry).encode("utf-8") + b"\n"
        self.out.write(data)
        self.stats.lines += 1
        self.stats.bytes += len(data)
        kind = entry["type"]
        if kind == "message":
            kind = f"message/{entry['message']['role']}"
        self.stats.by_type[kind] = self.stats.by_type.get(kind, 0) + 1

    def header(self) -> None:
        """Write the header line."""
        high, low = self.rng.getrandbits(64), self.rng.getrandbits(64)
        text = f"{high:016x}{low:016x}"
        session_id = f"{text[:8]}-{text[8:12]}-7{text[13:16]}-a{text[17:20]}-{text[20:]}"
        iso, _ = self._tick(10)
        self._write({"type": "session", "version": 3, "id": session_id, "timestamp": iso, "cwd": "/work-tree/demo"})

    def _register(self, entry_id: str, chars: int, is_message: bool, reset: int | None = None) -> int:
        number = len(self.ids)
        parent = self.leaf
        self.ids.append(entry_id)
        self.parent.append(parent)
        self.child_count.append(0)
        self.is_message.append(is_message)
        if parent >= 0:
            self.child_count[parent] += 1
            if self.child_count[parent] == 2:
                self.stats.branch_points += 1
            depth = self.depth[parent] + 1
            base = self.context_chars[parent]
        else:
            depth, base = 1, 0
        self.depth.append(depth)
        self.stats.max_depth = max(self.stats.max_depth, depth)
        self.context_chars.append((base if reset is None else reset) + chars)
        self.leaf = number
        return number

    def _parent_id(self) -> str | None:
        return self.ids[self.leaf] if self.leaf >= 0 else None

    def plain(self, entry_type: str, **fields: Any) -> int:
        """Append an entry that adds nothing to the model's context."""
        iso, _ = self._tick(200)
        entry_id = self._new_id()
        self._write({"type": entry_type, "id": entry_id, "parentId": self._parent_id(), "timestamp": iso, **fields})
        return self._register(entry_id, 0, False)

    def message(self, message: Entry, chars: int) -> int:
        """Append a message entry; ``chars`` is what it adds to the context."""
        iso, millis = self._tick()
        entry_id = self._new_id()
        message["timestamp"] = millis
        self._write(
            {"type": "message", "id": entry_id, "parentId": self._parent_id(), "timestamp": iso, "message": message}
        )
        return self._register(entry_id, chars, True)

    def system(self) -> None:
        """Append the leading system message with its prompt sections and tools."""
        tools = [
            {
                "name": name,
                "description": f"The {name} tool",
                "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
            }
            for name in ("read", "bash", "edit", "write", "grep", "find", "ls")
        ]
        sections = {
            "preamble": "You are an expert coding assistant.",
            "cwd": "/work-tree/demo",
            "tools": self.prose(300),
        }
        self.message({"role": "system", "content": "", "sections": sections, "toolsAdded": tools}, 1200)

    def user(self) -> int:
        """Append a user message, some with an image."""
        text = self.prose(self.opts.user.draw(self.rng))
        content: Any = text if self.rng.random() < 0.3 else [{"type": "text", "text": text}]
        due = self.opts.images * len(self.ids) // max(1, self.opts.entries)
        if self.stats.images < due:
            self.stats.images += 1
            size = 8000 + int(self.rng.random() * 60000)
            data = f"{self.rng.getrandbits(6 * 64):096x}" * (size // 96 + 1)
            content = [
                {"type": "text", "text": text},
                {"type": "image", "data": data[: size // 4 * 4], "mimeType": "image/png"},
            ]
        return self.message({"role": "user", "content": content}, len(text))

    def _usage(self, output_chars: int) -> Entry:
        context = self.context_chars[self.leaf] if self.leaf >= 0 else 0
        cached = context // 4 * 9 // 10
        fresh = context // 4 - cached
        output = output_chars // 4 + 1
        usage: Entry = {
            "input": fresh,
            "output": output,
            "cacheRead": cached,
            "cacheWrite": fresh,
            "totalTokens": fresh + output + cached,
        }
        cost: Entry = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}
        if self.opts.usage_cost:
            parts = [round(n * rate / 1e6, 8) for n, rate in ((fresh, 3), (output, 15), (cached, 0.3), (fresh, 3.75))]
            cost = dict(zip(("input", "output", "cacheRead", "cacheWrite"), parts, strict=False))
            cost["total"] = round(sum(parts), 8)
        usage["cost"] = cost
        return usage

    def assistant(self, calls: int) -> list[tuple[str, str]]:
        """Append an assistant message with ``calls`` tool calls; return their (id, tool name)."""
        content: list[Entry] = []
        chars = 0
        if self.rng.random() < self.opts.thinking_share:
            text = self.prose(self.opts.thinking.draw(self.rng))
            content.append(
                {"type": "thinking", "thinking": text, "thinkingSignature": f"{self.rng.getrandbits(128):032x}"}
            )
            chars += len(text)
        if calls == 0 or self.rng.random() < 0.4:
            text = self.prose(self.opts.assistant.draw(self.rng))
            content.append({"type": "text", "text": text})
            chars += len(text)
        made: list[tuple[str, str]] = []
        for _ in range(calls):
            name = self._pick(("read", "bash", "bash", "edit", "write", "grep", "find", "ls"))
            arguments: Entry = {"path": self._pick(FILES)}
            if name == "bash":
                arguments = {"command": f"pytest -q {self._pick(FILES)} | tail -n 20"}
            elif name == "edit":
                half = max(8, self.opts.assistant.draw(self.rng) // 2)
                arguments.update(oldText=self.code(half), newText=self.code(half))
            elif name == "write":
                arguments["content"] = self.code(self.opts.assistant.draw(self.rng))
            call_id = f"call_{self.rng.getrandbits(48):012x}"
            content.append({"type": "toolCall", "id": call_id, "name": name, "arguments": arguments})
            chars += sum(len(str(v)) for v in arguments.values()) + len(name)
            made.append((call_id, name))
        stop = "toolUse" if calls else "stop"
        if not calls:
            draw = self.rng.random()
            stop = "aborted" if draw < 0.02 else "error" if draw < 0.03 else "stop"
        provider, model, api = self.model
        message: Entry = {
            "role": "assistant",
            "content": content,
            "api": api,
            "provider": provider,
            "model": model,
            "usage": self._usage(chars),
            "stopReason": stop,
        }
        if stop == "error":
            message["errorMessage"] = "overloaded: try again later"
        self.message(message, chars)
        return made

    def tool_result(self, call_id: str, name: str) -> None:
        """Append one tool result."""
        text = self.code(self.opts.tool.draw(self.rng))
        message: Entry = {
            "role": "toolResult",
            "toolCallId": call_id,
            "toolName": name,
            "content": [{"type": "text", "text": text}],
            "isError": self.rng.random() < 0.04,
        }
        self.message(message, len(text))

    def bash_execution(self) -> None:
        """Append a direct shell command of the user's."""
        text = self.code(self.opts.tool.draw(self.rng))
        self.message(
            {
                "role": "bashExecution",
                "command": "git status --short",
                "output": text,
                "exitCode": 0,
                "cancelled": False,
                "truncated": False,
            },
            len(text),
        )

    def compaction(self) -> bool:
        """Append a compaction that keeps the last entries of the path; False where the path is too short."""
        steps = 10 + int(self.rng.random() * 40)
        node = self.leaf
        first_kept = -1
        kept_chars = 0
        while node >= 0 and steps > 0:
            if self.is_message[node]:
                first_kept = node
            kept_chars = self.context_chars[self.leaf] - self.context_chars[node]
            node = self.parent[node]
            steps -= 1
        if first_kept < 0:
            return False
        summary = "## Goal\n" + self.prose(600) + "\n## Progress\n" + self.prose(600)
        iso, _ = self._tick()
        entry_id = self._new_id()
        tokens_before = self.context_chars[self.leaf] // 4
        self._write(
            {
                "type": "compaction",
                "id": entry_id,
                "parentId": self._parent_id(),
                "timestamp": iso,
                "summary": summary,
                "firstKeptEntryId": self.ids[first_kept],
                "tokensBefore": tokens_before,
                "details": {"readFiles": list(FILES[:3]), "modifiedFiles": list(FILES[3:5])},
            }
        )
        self._register(entry_id, len(summary), False, reset=max(0, kept_chars))
        self.stats.compactions += 1
        return True

    def label(self) -> None:
        """Append a label on an earlier entry; one in ten clears a label."""
        back = min(len(self.ids) - 1, int(-math.log(1.0 - self.rng.random()) * 40))
        target = self.ids[len(self.ids) - 1 - back]
        fields: Entry = {"targetId": target}
        if self.rng.random() >= 0.1:
            fields["label"] = f"mark-{self.stats.labels + 1}"
        self.plain("label", **fields)
        self.stats.labels += 1

    def extension(self) -> None:
        """Append an extension's entry; its own fields come before the id, as the agent writes them."""
        iso, _ = self._tick(200)
        entry_id = self._new_id()
        entry: Entry
        if self.rng.random() < 0.5:
            entry = {"type": "custom", "customType": "demo.state", "data": {"count": len(self.ids), "on": True}}
            chars = 0
        else:
            text = self.prose(40)
            entry = {"type": "custom_message", "customType": "demo.note", "content": text, "display": True}
            chars = len(text)
        entry.update(id=entry_id, parentId=self._parent_id(), timestamp=iso)
        self._write(entry)
        self._register(entry_id, chars, False)

    def context_edit(self) -> None:
        """Append an edit that omits or replaces the nearest user or tool message of the path."""
        node = self.leaf
        while node >= 0 and not self.is_message[node]:
            node = self.parent[node]
        if node < 0:
            return
        replacement = None if self.rng.random() < 0.5 else {"content": [{"type": "text", "text": "(omitted)"}]}
        self.plain("context_edit", targetId=self.ids[node], replacement=replacement)

    def settings(self) -> None:
        """Append one settings or bookkeeping entry."""
        draw = self.rng.random()
        if draw < 0.35:
            self.model = self._pick(PROVIDERS)
            self.plain("model_change", provider=self.model[0], modelId=self.model[1])
        elif draw < 0.65:
            self.thinking_level = self._pick(THINKING_LEVELS)
            self.plain("thinking_level_change", thinkingLevel=self.thinking_level)
        elif draw < 0.75:
            self.plain("session_info", name=f"Session {len(self.ids)}")
        elif draw < 0.8:
            self.plain("usage", kind="cache_warm", provider=self.model[0], model=self.model[1], usage=self._usage(0))
        elif draw < 0.85:
            self.context_edit()
        else:
            self.extension()

    def branch(self) -> bool:
        """Move the leaf to an earlier entry that has one child; half the time leave a branch summary."""
        target = -1
        for _ in range(24):
            if self.opts.profile == "bushy":
                candidate = self.turn_ends[int(self.rng.random() * len(self.turn_ends))]
            else:
                back = 1 + int(-math.log(1.0 - self.rng.random()) * 2)
                candidate = self.turn_ends[max(0, len(self.turn_ends) - 1 - back)]
            if candidate != self.leaf and self.child_count[candidate] == 1:
                target = candidate
                break
        if target < 0:
            return False
        left = self.ids[self.leaf]
        self.leaf = target
        if self.rng.random() < 0.5:
            iso, _ = self._tick()
            entry_id = self._new_id()
            summary = self.prose(300)
            self._write(
                {
                    "type": "branch_summary",
                    "id": entry_id,
                    "parentId": self.ids[target],
                    "timestamp": iso,
                    "fromId": left,
                    "summary": summary,
                    "details": {"readFiles": list(FILES[:2]), "modifiedFiles": []},
                }
            )
            self._register(entry_id, len(summary), False)
        return True

    # -- the conversation -------------------------------------------------------------------------

    def run(self) -> Stats:
        """Write the whole session."""
        opts = self.opts
        self.header()
        if opts.entries >= 8:
            self.plain("model_change", provider=self.model[0], modelId=self.model[1])
            self.plain("thinking_level_change", thinkingLevel=self.thinking_level)
            self.system()
            self.plain("session_info", name="Synthetic session")
        while len(self.ids) < opts.entries:
            self.turn(opts.entries)
        return self.stats

    def turn(self, limit: int) -> None:
        """Write one turn (a user message and all that answers it), never past ``limit`` entries."""
        opts = self.opts

        def full() -> bool:
            return len(self.ids) >= limit

        def due(total: int) -> int:
            return total * (len(self.ids) + 1) // max(1, opts.entries)

        self.user()
        mean_steps = 1.2 if opts.profile == "bushy" else 6.0
        steps = int(-math.log(1.0 - self.rng.random()) * mean_steps)
        for _ in range(steps):
            if full():
                return
            parallel = 1 if self.rng.random() < 0.8 else 2 + int(self.rng.random() * 2)
            for call_id, name in self.assistant(parallel):
                if full():
                    return
                self.tool_result(call_id, name)
        if full():
            return
        self.assistant(0)
        self.turn_ends.append(self.leaf)
        if not full() and self.rng.random() < opts.settings_share:
            self.settings()
        if not full() and self.rng.random() < 0.01:
            self.bash_execution()
        if not full() and self.stats.compactions < due(opts.compactions):
            self.compaction()
        if not full() and self.stats.labels < due(opts.labels):
            self.label()
        if not full() and self.stats.branch_points < due(opts.branches):
            self.branch()


def build_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("--entries", type=int, default=1000, help="entries to write, the header line not counted")
    parser.add_argument(
        "--branches",
        type=int,
        default=None,
        help="branch points wanted, spread evenly; default: chain 0, realistic 1 in 200 entries, bushy 1 in 12",
    )
    parser.add_argument(
        "--profile", choices=("chain", "realistic", "bushy"), default="realistic", help="shape of the tree"
    )
    parser.add_argument("--preset", choices=sorted(PRESETS), default="real", help="text sizes")
    parser.add_argument(
        "--tool-result-size",
        type=SizeDist.parse,
        default=None,
        metavar="DIST",
        help="fixed:N, uniform:LO-HI or lognormal:MEDIAN,SIGMA[,MAX], in characters; default: the preset's",
    )
    parser.add_argument(
        "--compactions", type=int, default=None, help="compaction entries wanted; default: 1 in 1500 entries"
    )
    parser.add_argument("--labels", type=int, default=None, help="label entries wanted; default: 1 in 250 entries")
    parser.add_argument("--images", type=int, default=0, help="user messages with an image of 8 to 68 KB")
    parser.add_argument(
        "--settings-share", type=float, default=0.15, help="share of turns followed by a settings or extension entry"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of every random choice")
    parser.add_argument(
        "--live", type=int, default=0, metavar="N", help="then append N more entries, turn by turn, flushing each line"
    )
    parser.add_argument(
        "--live-interval", type=float, default=0.05, metavar="S", help="seconds between the appended lines"
    )
    parser.add_argument("--stats", action="store_true", help="print what was written, as JSON, on standard error")
    parser.add_argument("--out", default="-", help="output file, - for standard output")
    return parser


class _PacedOut:
    """A binary writer that flushes and then waits after every line: a growing session file."""

    def __init__(self, out: IO[bytes], interval: float) -> None:
        self._out = out
        self._interval = interval

    def write(self, data: bytes) -> int:
        """Write one line, flush it, wait."""
        written = self._out.write(data)
        self._out.flush()
        time.sleep(self._interval)
        return written


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit status."""
    args = build_parser().parse_args(argv)
    if args.entries < 1:
        print("make_session: --entries must be at least 1", file=sys.stderr)
        return 2
    preset = PRESETS[args.preset]
    default_branches = {"chain": 0, "realistic": args.entries // 200, "bushy": args.entries // 12}[args.profile]
    opts = Options(
        entries=args.entries,
        branches=default_branches if args.branches is None else args.branches,
        profile=args.profile,
        tool=args.tool_result_size or SizeDist.parse(preset.tool),
        user=SizeDist.parse(preset.user),
        assistant=SizeDist.parse(preset.assistant),
        thinking=SizeDist.parse(preset.thinking),
        thinking_share=preset.thinking_share,
        usage_cost=preset.usage_cost,
        compactions=args.entries // 1500 if args.compactions is None else args.compactions,
        labels=args.entries // 250 if args.labels is None else args.labels,
        images=args.images,
        settings_share=args.settings_share,
        seed=args.seed,
    )
    out: IO[bytes] = sys.stdout.buffer if args.out == "-" else open(args.out, "wb", buffering=1 << 20)  # noqa: SIM115
    try:
        writer = SessionWriter(opts, out)
        writer.run()
        out.flush()
        if args.live:
            writer.out = _PacedOut(out, args.live_interval)  # type: ignore[assignment]
            limit = args.entries + args.live
            while len(writer.ids) < limit:
                writer.turn(limit)
    finally:
        if out is not sys.stdout.buffer:
            out.close()
    if args.stats:
        summary = dict(vars(writer.stats))
        summary["average_line"] = round(writer.stats.bytes / max(1, writer.stats.lines), 1)
        print(json.dumps(summary, sort_keys=True), file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
