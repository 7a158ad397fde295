from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.json_text import stringify
from model.records import BYTE_ORDER_MARK, Problem, read_records
from model.rules import OMP_13_19, PI_1_6, Rules
from tests.model.strategies import json_values

pytestmark = pytest.mark.spec("SF-9.1")

ONE = b'{"type":"message","id":"a","timestamp":"t","message":{"role":"user","content":"}{\\" \xe2\x80\xa8"}}'
TWO = b'{"type":"message","id":"b","timestamp":"t","details":[{"type":"text","text":"x"}]}'
TORN = b'{"type":"message","id":"c","timestamp":"t","content":[{"type":"text","text":"hello"},{"type":"tex'


def ids(data: bytes, rules: Rules | None = None) -> list[Any]:
    scan = read_records(data) if rules is None else read_records(data, rules)
    return [record.value["id"] if isinstance(record.value, dict) else record.value for record in scan.records]


def kinds(data: bytes) -> list[str]:
    return [problem.kind for problem in read_records(data).problems]


@pytest.mark.spec("SF-1")
def test_each_line_is_a_record_with_its_place() -> None:
    scan = read_records(ONE + b"\n" + TWO + b"\n")
    assert [(record.value["id"], record.line, record.offset) for record in scan.records] == [
        ("a", 1, 0),
        ("b", 2, len(ONE) + 1),
    ]
    assert scan.problems == ()
    assert scan.ends_with_newline


def test_only_line_feeds_end_lines() -> None:
    separators = '{"id":"a","t":"\u2028\u2029\u0085\x7f"}\n'.encode()
    assert ids(separators + TWO) == ["a", "b"]


@pytest.mark.spec("SF-9.4")
def test_a_last_line_without_line_feed_is_read_and_noted() -> None:
    scan = read_records(ONE + b"\n" + TWO)
    assert len(scan.records) == 2
    assert not scan.ends_with_newline
    assert read_records(b"").ends_with_newline
    assert read_records(b"").records == ()


def test_blank_lines_and_windows_line_ends_are_no_trouble() -> None:
    data = b"\r\n \t\n" + ONE + b"\r\n\n" + TWO + b" \r\n"
    assert ids(data) == ["a", "b"]
    assert [record.line for record in read_records(data).records] == [3, 5]
    assert kinds(data) == []


def test_a_byte_order_mark_is_accepted_except_by_pi() -> None:
    assert ids(BYTE_ORDER_MARK + ONE) == ["a"]
    assert ids(BYTE_ORDER_MARK + ONE, OMP_13_19) == ["a"]
    assert ids(BYTE_ORDER_MARK + ONE, PI_1_6) == []
    assert read_records(BYTE_ORDER_MARK + ONE).records[0].offset == 3
    assert ids(ONE + b"\n" + BYTE_ORDER_MARK + TWO, PI_1_6) == ["a"]


def test_bytes_that_are_no_utf8_read_as_replacement_characters() -> None:
    assert read_records(b'{"\xff\xfe":1}').records[0].value == {"\ufffd\ufffd": 1}


class TestDamage:
    @pytest.mark.parametrize(
        ("line", "found", "problems"),
        [
            (ONE + TWO, ["a", "b"], ["recovered"]),
            (ONE + b" " + TWO + ONE, ["a", "b", "a"], ["recovered"]),
            (TORN + ONE, ["a"], ["recovered", "unreadable"]),
            (TORN + ONE + TWO, ["a", "b"], ["recovered", "unreadable"]),
            (ONE + TORN, ["a"], ["recovered", "unreadable"]),
            (ONE + TORN + TWO, ["a", "b"], ["recovered", "unreadable"]),
            (TORN, [], ["unreadable"]),
            (b"garbage", [], ["unreadable"]),
            (b"x" + ONE, ["a"], ["recovered", "unreadable"]),
            (b"\0" * 9 + ONE, ["a"], ["hole", "recovered"]),
            (ONE + b"\0" * 9, ["a"], ["hole", "recovered"]),
            (TORN + b"\0" + ONE + b"\0\0" + TWO, ["a", "b"], ["hole", "recovered", "unreadable"]),
            (b"\0" * 64, [], ["hole"]),
            (b"[" * 5000 + ONE, ["a"], ["recovered", "unreadable"]),
            (b'{"a":' * 5000, [], ["unreadable"]),
        ],
    )
    def test_whole_records_are_found_again(self, line: bytes, found: list[str], problems: list[str]) -> None:
        assert ids(TWO + b"\n" + line + b"\n" + ONE) == ["b", *found, "a"]
        assert kinds(line) == problems

    def test_a_piece_of_a_torn_record_is_no_record(self) -> None:
        torn_behind_a_block = TORN[: TORN.index(b',{"type":"tex')]
        nested = b'{"type":"custom","id":"n","timestamp":"t","data":' + ONE
        assert ids(torn_behind_a_block) == []
        assert ids(nested + b",") == []

    def test_problems_name_line_and_offset(self) -> None:
        scan = read_records(ONE + b"\n" + TORN + TWO + b"\n\n\0\n")
        assert [(problem.kind, problem.line, problem.offset) for problem in scan.problems] == [
            ("recovered", 2, len(ONE) + 1),
            ("unreadable", 2, len(ONE) + 1),
            ("hole", 4, len(ONE + TORN + TWO) + 3),
        ]
        assert scan.problems[0].message == "This line is damaged; one whole record was found in it."
        assert scan.problems[2] == Problem(
            "hole", 4, scan.problems[2].offset, "1 NUL byte stands here, as a crash leaves it."
        )
        assert read_records(ONE + b"\n\0\0\n").problems[0].message == (
            "2 NUL bytes stand here, as a crash leaves them."
        )

    def test_values_that_are_no_objects_are_reported(self) -> None:
        assert ids(b'5\n"text"\nnull\n[1]') == [5, "text", None, [1]]
        assert kinds(b'5\n"text"\nnull\n[1]\n' + ONE) == ["not an object"] * 4

    def test_pi_skips_damaged_lines_and_omp_keeps_their_first_record(self) -> None:
        data = ONE + TWO + b"\n" + TORN + ONE + b"\n\0" + ONE + b"\n" + TWO
        assert ids(data, PI_1_6) == ["b"]
        assert ids(data, OMP_13_19) == ["a", "b"]

    @pytest.mark.parametrize(
        "line",
        [
            b'{"type":[' * 25_000,
            b'{"type":"' * 25_000,
            b'{"a":1,' * 25_000,
            b'{"x":' + b'[{"y":1},' * 25_000,
            b"\0{" * 40_000,
        ],
    )
    def test_the_search_does_not_run_away(self, line: bytes) -> None:
        assert ids(line) == []


@given(st.binary(max_size=200))
@pytest.mark.spec("SF-9.5")
def test_any_bytes_can_be_read(data: bytes) -> None:
    for rules in (None, PI_1_6, OMP_13_19):
        ids_of_records = ids(data, rules)
        assert isinstance(ids_of_records, list)


@given(st.lists(json_values, max_size=5))
@pytest.mark.spec("SF-11.3")
def test_what_is_written_is_read_back_without_problems_but_scalars(values: list[Any]) -> None:
    data = "".join(f"{stringify(value)}\n" for value in values).encode("utf-8", "surrogatepass")
    scan = read_records(data)
    assert [stringify(record.value) for record in scan.records] == [stringify(value) for value in values]
    assert {problem.kind for problem in scan.problems} <= {"not an object"}


@given(st.lists(st.sampled_from([ONE, TWO, TORN, b"\0\0", b"{", b'"', b"\\", b" "]), min_size=1, max_size=6))
def test_no_whole_record_at_the_ends_of_a_line_is_lost(pieces: list[bytes]) -> None:
    line = b"".join(pieces)
    found = ids(line)
    if pieces[0] in (ONE, TWO):
        assert found[:1] == ids(pieces[0])
    if pieces[-1] in (ONE, TWO):
        assert found[-1:] == ids(pieces[-1])
