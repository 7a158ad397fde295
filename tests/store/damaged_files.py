"""A corpus of session files as they should not be, and a strategy that makes more of them."""

import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

SESSIONS = Path(__file__).parents[1] / "sessions"
SAMPLES = {path.stem: path.read_bytes() for path in sorted(SESSIONS.glob("*.jsonl"))}
HEADER = (
    b'{"type":"session","version":3,"id":"01900000-0000-7000-8000-000000000001",'
    b'"timestamp":"2026-02-03T08:00:00.000Z","cwd":"/home/dev/project"}'
)


def entry(id: str, parent: str | None, text: str = "text", **changes: Any) -> bytes:
    """Return the line of a user message."""
    fields: dict[str, Any] = {
        "type": "message",
        "id": id,
        "parentId": parent,
        "timestamp": "2026-02-03T08:01:00.000Z",
        "message": {"role": "user", "content": text, "timestamp": 1770105660000},
    }
    return json.dumps({**fields, **changes}, ensure_ascii=False, separators=(",", ":")).encode()


def chain(count: int, prefix: str = "0000") -> list[bytes]:
    """Return the lines of a conversation in which each entry hangs at the one before."""
    ids = [None, *(f"{prefix}{number:04x}" for number in range(count))]
    return [entry(str(id), parent, f"text {id}") for parent, id in pairwise(ids)]


def lines(*parts: bytes, end: bytes = b"\n") -> bytes:
    """Return a file of lines."""
    return b"".join(part + end for part in parts)


def corpus() -> dict[str, bytes]:
    """Return damaged files by what is wrong with them."""
    ten = chain(10)
    whole = lines(HEADER, *ten)
    sample = SAMPLES["real-v3-branched"].splitlines()
    shuffled = sample[1:]
    random.Random(7).shuffle(shuffled)
    files = {
        "whole": whole,
        "header alone": lines(HEADER),
        "header without line end": HEADER,
        "no line end": whole[:-1],
        "torn last line": whole[:-40],
        "torn line inside": lines(HEADER, *ten[:4], ten[4][:50], *ten[5:]),
        "torn line and the next glued to it": lines(HEADER, *ten[:4], ten[4][:50] + ten[5], *ten[6:]),
        "half written, then whole": lines(HEADER, *ten[:4], ten[4][:60], *ten[4:]),
        "two on one line": lines(HEADER, *ten[:4], ten[4] + ten[5], *ten[6:]),
        "three on one line with blanks": lines(HEADER, ten[0] + b"  " + ten[1] + b"\t" + ten[2], *ten[3:]),
        "broken first line": lines(HEADER[:30], *ten),
        "no header": lines(*ten),
        "no header, unknown types between": lines(ten[0], b'{"type":"zap","id":"zap","parentId":null}', *ten[1:]),
        "two headers": lines(HEADER, *ten[:5], HEADER.replace(b"0001", b"0002"), *ten[5:]),
        "header with a number for an id": lines(HEADER.replace(b'"01900000-0000-7000-8000-000000000001"', b"7"), *ten),
        "notes before the header": lines(b"# notes", b'{"note":1}', HEADER, *ten),
        "entries before the header": lines(*ten[:3], HEADER, *ten[3:]),
        "unknown entries before the header": lines(b'{"type":"zap","id":"z"}', HEADER, *ten),
        "title slot": lines(json.dumps({"type": "title", "v": 1, "title": "T", "pad": ""}).encode(), HEADER, *ten),
        "title slot that deletes": lines(
            b'{"type":"title","v":1,"title":""}', HEADER[:-1] + b',"title":"old","titleSource":"auto"}', *ten
        ),
        "byte order mark": b"\xef\xbb\xbf" + whole,
        "byte order mark, no header": b"\xef\xbb\xbf" + lines(*ten),
        "windows line ends": lines(HEADER, *ten, end=b"\r\n"),
        "old line ends": lines(HEADER, *ten, end=b"\r"),
        "line separators in strings": lines(HEADER, entry("a", None, "\u2028\u2029\x85")),
        "form feeds around": lines(HEADER, b"\x0c" + ten[0] + b"\x0b", *ten[1:]),
        "blank lines": lines(b"", HEADER, b"   ", *ten[:5], b"", b"\t", *ten[5:], b""),
        "NULs on a line of their own": lines(HEADER, *ten[:5], b"\0" * 300, *ten[5:]),
        "NULs before a record": lines(HEADER, *ten[:5], b"\0" * 300 + ten[5], *ten[6:]),
        "NULs inside a record": lines(HEADER, *ten[:5], ten[5][:40] + b"\0" * 9 + ten[5][40:], *ten[6:]),
        "NULs at the end": whole + b"\0" * 4096,
        "NULs alone": b"\0" * 5000,
        "scalars": lines(HEADER, b"5", b'"text"', b"null", b"[1]", b"true", *ten),
        "conflict marks": lines(HEADER, *ten[:3], b"<<<<<<< HEAD", *ten[3:6], b"=======", *ten[6:], b">>>>>>> other"),
        "not JSON": b"hello\nworld\n",
        "other JSON": lines(b'{"a":1}', b'{"b":2}'),
        "random bytes": random.Random(3).randbytes(20_000),
        "real line ends inside a string": lines(HEADER, *ten[:3], ten[3].replace(b"text", b"te\nxt\nx"), *ten[4:]),
        "bad UTF-8": lines(HEADER, ten[0].replace(b"text 0", b"text \xff\xfe"), *ten[1:]),
        "bad UTF-8 in a key": lines(HEADER, ten[0].replace(b'"content"', b'"c\xffntent"'), *ten[1:]),
        "bad UTF-8 in an id": lines(HEADER, ten[0].replace(b"00000000", b"0000\xff000"), *ten[1:]),
        "lone surrogates": lines(
            HEADER, ten[0].replace(b"text 0", b"\\ud83d"), ten[1].replace(b'"00000001"', b'"a\\ud83d"')
        ),
        "escaped ids": lines(HEADER, ten[0].replace(b'"00000000"', b'"\\u0030000000\\u0030"'), *ten[1:]),
        "odd ids": lines(
            HEADER, *(entry(id, None) for id in ("a", "ü", "x" * 8, "x" * 9, "\0", "12345678\0", " ", "é" * 4))
        ),
        "ids that are no text": lines(
            HEADER, *(_with(entry("x", None), "id", id) for id in (1, None, [], {}, True, ""))
        ),
        "parents that are no text": lines(
            HEADER, *(entry(f"p{n}", None, parentId=p) for n, p in enumerate((1, [], {}, True, "")))
        ),
        "no parent at all": lines(HEADER, b'{"type":"message","id":"a","timestamp":"2026-02-03T08:01:00.000Z"}', *ten),
        "types that are no text": lines(
            HEADER, *(entry(f"t{n}", None, type=t) for n, t in enumerate((1, None, [], {}, "")))
        ),
        "no type": lines(HEADER, b'{"id":"a","parentId":null}', *ten),
        "unknown types": lines(HEADER, entry("u", None, type="brand_new"), *ten),
        "keys given twice": lines(
            HEADER,
            ten[0].replace(b'"message":{', b'"id":"other","message":{'),
            ten[1][:-1] + b',"id":"another"}',
            ten[2][:-1] + b',"parentId":null}',
            ten[3][:-1] + b',"type":"custom"}',
            ten[4][:-1] + b',"timestamp":"2020-01-01T00:00:00.000Z"}',
            ten[5][:-1] + b',"message":{"role":"assistant","content":[]}}',
            *ten[6:],
        ),
        "an id that is repeated only at first sight": lines(
            HEADER, *ten[:5], ten[2][:-1] + b',"id":"other"}', *ten[5:]
        ),
        "keys in another order": lines(
            HEADER, *(json.dumps(dict(reversed(json.loads(line).items()))).encode() for line in ten)
        ),
        "spaced JSON": lines(HEADER, *(json.dumps(json.loads(line), indent=None).encode() for line in ten)),
        "orphans": lines(HEADER, entry("a", "gone"), entry("b", "a"), entry("c", "lost"), *ten),
        "own parent": lines(HEADER, entry("a", "a"), entry("b", "a")),
        "circle of two": lines(HEADER, entry("a", "b"), entry("b", "a"), entry("c", "b")),
        "circle of five": lines(HEADER, *(entry(str(n), str((n + 1) % 5)) for n in range(5)), *ten),
        "two circles and a tail": lines(
            HEADER, entry("x", "c"), *(entry(a, b) for a, b in ("ab", "bc", "ca", "de", "ed")), entry("y", "e")
        ),
        "repeated lines": lines(HEADER, *ten[:5], *ten),
        "repeated ids": lines(HEADER, *ten, entry("00000003", None, "again"), *ten[8:]),
        "a repeated child before its parent": lines(HEADER, ten[1], ten[0], ten[1]),
        "shuffled": lines(sample[0], *shuffled),
        "upside down": lines(sample[0], *reversed(sample[1:])),
        "header at the end": lines(*sample[1:], sample[0]),
        "newer version": lines(HEADER.replace(b'"version":3', b'"version":9'), *ten),
        "version as text": lines(HEADER.replace(b'"version":3', b'"version":"3"'), *ten),
        "fractional version": lines(HEADER.replace(b'"version":3', b'"version":2.5'), *ten),
        "odd numbers": lines(
            HEADER,
            b'{"type":"custom","id":"n1","parentId":null,"timestamp":"t","data":{"a":1.0,"b":1e21,"c":-0,"d":1e400}}',
        ),
        "NaN": lines(HEADER, ten[0].replace(b'"text 00000000"', b"NaN"), *ten[1:]),
        "digits without end": lines(HEADER, ten[0].replace(b"1770105660000", b"9" * 5000), *ten[1:]),
        "deep nesting": lines(HEADER, ten[0].replace(b'"text 00000000"', b"[" * 500 + b"]" * 500), *ten[1:]),
        "too deep nesting": lines(HEADER, ten[0].replace(b'"text 00000000"', b"[" * 99_999 + b"]" * 99_999), *ten[1:]),
        "a line of ten megabytes": lines(HEADER, *ten[:2], entry("00000002", "00000001", "x" * 10_000_000), *ten[3:]),
        "a broken line of a megabyte": lines(HEADER, *ten[:2], ten[2][:-20] + b"x" * 1_000_000, *ten[3:]),
        "very many braces": lines(HEADER, *ten[:2], b'{"' * 150_000, *ten[3:]),
    }
    for field, values in WRONG_VALUES.items():
        made = [entry(f"w{number}", None) for number in range(len(values))]
        wrong = [_with(line, field, value) for line, value in zip(made, values, strict=True)]
        files[f"wrong {field}"] = lines(HEADER, *wrong, *ten)
    return files


WRONG_VALUES: dict[str, list[Any]] = {
    "timestamp": [
        1770105660000, 1.5, None, "", "yesterday", [], True, "2026-02-03", "2026-13-01T00:00:00.000Z",
        "2026-02-31T00:00:00.000Z", "2026-02-03T24:00:00.000Z", "2026-02-03T24:00:00.001Z", "2026-02-03T08:60:00.000Z",
        "2026-02-03T08:01:00.000z", "2026-02-03T08:01:00.00+Z", "+02026-2-03T8:01:00.000Z",
    ],
    "message": [
        None, [], "text", 1, {}, {"role": 1}, {"role": "observer"}, {"role": None, "content": "x"},
        {"role": "assistant", "content": None}, {"role": "assistant", "content": "text"},
        {"role": "assistant", "content": [None, 1, "x", [], {}, {"type": 1}, {"type": "text"}, {"type": "new"}]},
        {"role": "assistant", "content": [{"type": "toolCall", "name": 1, "arguments": None}]},
        {"role": "assistant", "content": [{"type": "toolCall", "name": "n", "arguments": [1, 2.50, 1e21]}]},
        {"role": "assistant", "content": [{"type": "toolCall", "name": "n", "arguments": {"a": {"b": 10**25}}}]},
        {"role": "assistant", "content": [{"type": "toolCall", "name": "n", "arguments": {"a": 10**16 - 1}}]},
        {"role": "assistant", "content": [{"type": "toolCall", "name": "n"}], "stopReason": "error"},
        {"role": "assistant", "content": [{"type": "text", "text": " \n"}], "stopReason": "aborted"},
        {"role": "assistant", "content": [], "stopReason": 5, "usage": None},
        {"role": "toolResult", "content": {}}, {"role": "toolResult", "toolName": 5, "content": [{"type": "image"}]},
        {"role": "user", "content": [{"type": "text", "text": "😀"}, {"type": "image", "data": "x"}]},
        {"role": "bashExecution", "command": 1, "output": None},
        {"role": "bashExecution", "command": "a", "output": "b"},
        {"role": "bashExecution", "command": "a", "output": "b", "content": "c"},
        {"role": "system", "content": "", "sections": {"a": "b", "c": None}, "toolsAdded": [{"name": "x"}]},
        {"role": "fileMention", "files": [{"path": "p", "content": "c"}]}, {"role": "pythonExecution", "code": "1"},
        {"role": "hookMessage", "content": "x"}, {"role": "branchSummary", "summary": "s"},
        {"role": "custom", "content": [{"type": "thinking", "thinking": "x"}]},
    ],
}  # fmt: skip


def _with(line: bytes, field: str, value: Any) -> bytes:
    return json.dumps({**json.loads(line), field: value}, ensure_ascii=False, separators=(",", ":")).encode()


# Strategies

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)
ids = st.sampled_from([f"{number:08x}" for number in range(6)] + ["a", "b", "long-id-of-another-agent", "é"])
TYPES = ["message", "message", "message", "compaction", "branch_summary", "custom_message", "custom", "model_change",
         "label", "session_info", "context_edit", "mode_change", "usage", "brand_new", "session", "title"]  # fmt: skip
texts = st.text(max_size=12) | st.sampled_from(['}{"type":"', "\\", "\u2028", "😀", " "])
blocks = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "thinking", "image", "toolCall", "redactedThinking", "other"])},
    optional={
        "text": texts,
        "thinking": texts,
        "name": texts,
        "arguments": st.dictionaries(texts, json_values, max_size=3),
    },
)
messages = st.fixed_dictionaries(
    {
        "role": st.sampled_from(["user", "assistant", "toolResult", "bashExecution", "system", "developer", "x"]),
        "content": texts | st.lists(blocks, max_size=3) | json_values,
    },
    optional={"stopReason": st.sampled_from(["stop", "error", "aborted"]), "command": texts, "output": texts},
)
entries = st.fixed_dictionaries(
    {
        "type": st.sampled_from(TYPES),
        "id": ids,
        "parentId": st.none() | ids,
        "timestamp": st.sampled_from(["2026-02-03T08:01:00.000Z", "2025-12-31T23:59:59.999Z", "never"]),
    },
    optional={
        "message": messages,
        "summary": texts | json_values,
        "content": texts | st.lists(blocks, max_size=2),
        "targetId": ids,
        "label": texts | st.none(),
        "name": texts,
    },
)


@st.composite
def damaged_files(draw: st.DrawFn) -> bytes:
    """A file of entries, some with wrong values in them, with damage done to its bytes."""
    parts: list[bytes] = [HEADER] if draw(st.integers(0, 9)) else []
    for value in draw(st.lists(entries, max_size=12)):
        spoilt = dict(value)
        if draw(st.integers(0, 5)) == 0 and spoilt:
            spoilt[draw(st.sampled_from(sorted(spoilt)))] = draw(json_values)
        compact = draw(st.integers(0, 5)) > 0
        parts.append(
            json.dumps(spoilt, ensure_ascii=not compact, separators=(",", ":") if compact else None).encode(
                "utf-8", "replace"
            )
        )
    data = bytearray(
        b"".join(part + draw(st.sampled_from([b"\n", b"\n", b"\n", b"\r\n", b"", b"\n\n"])) for part in parts)
    )
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(data)))
        change = draw(st.sampled_from(["cut", "insert", "flip", "double"]))
        if change == "cut":
            del data[at : at + draw(st.integers(1, 30))]
        elif change == "insert":
            data[at:at] = draw(
                st.sampled_from([b"\0" * 5, b"\n", b"}", b"{", b'"', b"\xff", b"\\", b"\xef\xbb\xbf", b"{}"])
            )
        elif change == "flip" and at < len(data):
            data[at] ^= 1 << draw(st.integers(0, 7))
        else:
            data[at:at] = data[max(0, at - 40) : at]
    return bytes(data)
