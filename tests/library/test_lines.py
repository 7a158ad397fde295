"""Lines come as they are, in whatever blocks they are read."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.cancellation import CancellationToken, OperationCancelled
from services.library.lines import HEAD, Lines, read_lines, records_at, records_of


def split(block: Lines) -> list[tuple[int, bytes]]:
    """Offset and bytes of each line of a block, without its LF."""
    found, at = [], 0
    for line in block.data.removesuffix(b"\n").split(b"\n") if block.data else []:
        found.append((block.offset + at, line))
        at += len(line) + 1
    return found


def all_lines(data: bytes, start: int = 0, end: int | None = None, **named: int) -> list[tuple[int, bytes]]:
    blocks = read_lines(io.BytesIO(data), start, len(data) if end is None else end, **named)
    return [line for block in blocks for line in split(block)]


@given(st.lists(st.binary(max_size=12).filter(lambda part: b"\n" not in part)), st.booleans(), st.integers(1, 9))
def test_any_bytes_in_any_blocks(parts: list[bytes], ended: bool, block_bytes: int) -> None:
    data = b"\n".join(parts) + (b"\n" if ended and parts else b"")
    found = all_lines(data, block_bytes=block_bytes)
    assert b"".join(line + b"\n" for _, line in found).rstrip(b"\n") == data.rstrip(b"\n")
    for offset, line in found:
        assert data[offset : offset + len(line)] == line
        assert offset == 0 or data[offset - 1 : offset] == b"\n"


def test_only_the_last_line_may_lack_its_end() -> None:
    blocks = list(read_lines(io.BytesIO(b"one\ntwo\nthree"), 0, 13, block_bytes=5))
    assert [block.is_ended for block in blocks] == [True] * (len(blocks) - 1) + [False]
    assert all_lines(b"one\ntwo\nthree", 4, 8) == [(4, b"two")]


def test_a_line_that_is_too_long_is_skipped_and_the_next_is_read() -> None:
    data = b"one\n" + b"x" * 100 + b"\ntwo\n" + b"y" * 100
    blocks = list(read_lines(io.BytesIO(data), 0, len(data), block_bytes=8, most_bytes=16))
    assert [(block.offset, block.skipped) for block in blocks if block.skipped] == [(4, 101), (109, 100)]
    assert [line for block in blocks for _, line in split(block)] == [b"one", b"two"]


def test_reading_a_line_without_end_can_be_stopped() -> None:
    """Field report P04: a file may be nothing but a hole."""
    token = CancellationToken()

    class Endless(io.RawIOBase):
        def seek(self, offset: int, whence: int = 0) -> int:
            return offset

        def read(self, size: int = -1) -> bytes:
            self.reads = getattr(self, "reads", 0) + 1
            if self.reads == 20:
                token.cancel()
            return bytes(size)

    with pytest.raises(OperationCancelled):
        list(read_lines(Endless(), 0, 1 << 50, token, block_bytes=64, most_bytes=256))  # type: ignore[arg-type]


def test_heads() -> None:
    line = (
        b'{"type":"message","id":"a1","parentId":null,"timestamp":"2026-02-03T08:00:00.000Z","message":{"role":"user"}}'
    )
    head = HEAD.match(line)
    assert head is not None
    assert head.groups() == (b"message", b"a1", None, b"2026-02-03T08:00:00.000Z", b"user")
    assert HEAD.match(b'{"id":"a1","type":"message"}') is None


def test_records_of_any_line() -> None:
    assert records_of(b"") == records_of(b" \t ") == records_of(b"7") == records_of(b"\xff\x00") == []
    assert records_of(b'\xef\xbb\xbf{"a":1}\r') == [{"a": 1}]
    assert records_of(b'{"name":"\\ud800"}') == [{"name": "\ud800"}]
    glued = b'{"type":"a","id":"1","timestamp":"x"}{"type":"b","id":"2","timestamp":"y"}'
    assert [record["id"] for record in records_of(glued)] == ["1", "2"]


@given(st.binary(max_size=60))
def test_records_of_never_raises(line: bytes) -> None:
    assert all(isinstance(record, dict) for record in records_of(line))


def test_s09_a_record_over_several_lines() -> None:
    """Field report S09."""
    data = b'{"type":"x","timestamp":"t","text":"a\n\r\nb"}\n{"type":"y"}\n'
    (record,), behind = records_at(data, 0)
    assert record["text"] == "a\n\r\nb"
    assert records_at(data, behind) == ([{"type": "y"}], len(data))
    assert records_at(b'{"type":"x","text":"a\nb', 0) == ([], 22)
