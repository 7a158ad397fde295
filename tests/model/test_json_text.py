import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.json_text import members, number_text, parse, stringify, utf16_length, utf16_prefix
from tests.model.strategies import TEXTS, json_values

SESSIONS = Path(__file__).parents[1] / "sessions"

pytestmark = pytest.mark.spec("SF-11.2")


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-3.5, "-3.5"),
        (100.10, "100.1"),
        (1e5, "100000"),
        (0.000001, "0.000001"),
        (1.25e-6, "0.00000125"),
        (1e-7, "1e-7"),
        (1.5e-7, "1.5e-7"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.5e300, "1.5e+300"),
        (123456789012345680000, "123456789012345680000"),
        (5e-324, "5e-324"),
        (2**53, "9007199254740992"),
        (2**53 + 1, "9007199254740992"),
        (-(2**53) - 1, "-9007199254740992"),
        (2**53 + 2, "9007199254740994"),
        (10**400, "null"),
        (math.inf, "null"),
        (-math.inf, "null"),
        (math.nan, "null"),
    ],
)
def test_numbers_print_as_in_javascript(number: float, text: str) -> None:
    assert number_text(number) == text


def test_texts_keep_other_scripts_and_escape_what_json_must() -> None:
    assert stringify('ığ ช 😀 \x7f\u2028/"\\\b\f\n\r\t\x01') == '"ığ ช 😀 \x7f\u2028/\\"\\\\\\b\\f\\n\\r\\t\\u0001"'


def test_lone_surrogates_are_escaped_and_split_pairs_are_joined() -> None:
    assert stringify({"\udead": "a\ud83d"}) == '{"\\udead":"a\\ud83d"}'
    assert stringify("\ud83d\ude00") == '"😀"'
    assert stringify("\ude00\ud83d") == '"\\ude00\\ud83d"'


def test_index_like_keys_come_first_in_ascending_order() -> None:
    value = {"b": 1, "10": 2, "2": 3, "01": 4, "-1": 5, "1.5": 6, "4294967295": 7, "4294967294": 8, "0": 9, "١": 10}
    assert [key for key, _ in members(value)] == [
        "0",
        "2",
        "10",
        "4294967294",
        "b",
        "01",
        "-1",
        "1.5",
        "4294967295",
        "١",
    ]
    assert stringify({"x": {"b": 1, "1": 2}}) == '{"x":{"1":2,"b":1}}'


def test_depth_has_no_limit() -> None:
    value: object = []
    for _ in range(50_000):
        value = [value]
    assert stringify(value) == "[" * 50_001 + "]" * 50_001


def test_what_is_no_json_is_refused() -> None:
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(ValueError, match="contains itself"):
        stringify(loop)
    with pytest.raises(TypeError, match="set is not JSON"):
        stringify({"a": {1}})
    shared = {"a": 1}
    assert stringify([shared, shared]) == '[{"a":1},{"a":1}]'


@given(json_values)
def test_what_is_printed_reads_back(value: object) -> None:
    text = stringify(value)
    assert stringify(parse(text)) == text
    json.loads(text)


@pytest.mark.parametrize("path", sorted(SESSIONS.glob("*.jsonl")), ids=lambda path: path.name)
@pytest.mark.spec("SF-11.3")
def test_lines_that_the_agents_wrote_are_printed_byte_for_byte(path: Path) -> None:
    lines = [line for line in path.read_bytes().split(b"\n") if line]
    assert [stringify(parse(line)).encode() for line in lines] == lines


def test_reading_keeps_surrogates_and_replaces_bad_bytes() -> None:
    assert parse('["\\ud83d", "\\ud83d\\ude00"]') == ["\ud83d", "😀"]
    assert parse(b'"a\xff\xfeb"') == "a\ufffd\ufffdb"
    assert parse('{"b": 1, "a": 2, "b": 3}') == {"b": 3, "a": 2}
    assert list(parse('{"b": 1, "a": 2, "b": 3}')) == ["b", "a"]


def test_reading_takes_integers_of_any_length() -> None:
    assert parse("9" * 400) == int("9" * 400)
    assert parse("-" + "9" * 5000) == -math.inf
    assert parse('{"a": 1e400, "n": ' + "1" * 4301 + "}") == {"a": math.inf, "n": math.inf}


@pytest.mark.parametrize(
    "text", ["", "{", "NaN", "[Infinity]", "[-Infinity]", "{'a': 1}", "1 2", '"\n"', "[" * 100_000]
)
def test_what_cannot_be_read_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):
        parse(text)


@pytest.mark.parametrize(
    ("text", "units", "kept", "split"),
    [
        ("abc", 2, "ab", "ab"),
        ("abc", 9, "abc", "abc"),
        ("abc", 0, "", ""),
        ("abc", -1, "", ""),
        ("a😀b", 1, "a", "a"),
        ("a😀b", 2, "a", "a\ud83d"),
        ("a😀b", 3, "a😀", "a😀"),
        ("😀", 1, "", "\ud83d"),
        ("é\ud83dx", 2, "é\ud83d", "é\ud83d"),
        ("é\ud83d", 2, "é\ud83d", "é\ud83d"),
        ("é\ud83d\ude00", 2, "é", "é\ud83d"),
        ("é\ude00\ude00", 2, "é\ude00", "é\ude00"),
    ],
)
@pytest.mark.spec("CP-1", "CP-12.1")
def test_prefixes_count_utf16_units(text: str, units: int, kept: str, split: str) -> None:
    assert utf16_prefix(text, units) == kept
    assert utf16_prefix(text, units, keep_pairs=False) == split


@given(TEXTS, st.integers(0, 30))
@pytest.mark.spec("CP-1")
def test_a_prefix_is_as_long_as_it_may_be(text: str, units: int) -> None:
    assert utf16_length(text) == len(text.encode("utf-16-le", "surrogatepass")) // 2
    assert utf16_length(utf16_prefix(text, units, keep_pairs=False)) == min(units, utf16_length(text))
    assert utf16_length(text) - utf16_length(utf16_prefix(text, utf16_length(text))) == 0
    assert min(units, utf16_length(text)) - utf16_length(utf16_prefix(text, units)) in (0, 1)


def plainly_read(text: str) -> object:
    """What Python's own reader makes of a text, `ValueError` for what is no JSON."""

    def refuse(name: str) -> None:
        raise ValueError(name)

    try:
        return json.loads(text, parse_constant=refuse)
    except ValueError:
        return ValueError


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda values: st.lists(values, max_size=4) | st.dictionaries(st.text(max_size=3), values, max_size=4),
        max_leaves=8,
    ),
    st.booleans(),
    st.integers(0, 80),
    st.sampled_from(["", "", "0", "-", "e", ".", '"', "\\", "\\ud800", ",", "[", "}", " ", "\x01", "\u2028", "NaN"]),
)
def test_whoever_reads_it_a_text_means_the_same(value: object, plain: bool, at: int, odd: str) -> None:
    text = json.dumps(value, ensure_ascii=plain)
    text = text[:at] + odd + text[at:]
    expected = plainly_read(text)
    for given_text in (text, text.encode("utf-8", "surrogatepass")):
        if expected is ValueError:
            with pytest.raises(ValueError):
                parse(given_text)
        else:
            read = parse(given_text)
            assert read == expected
            assert repr(read) == repr(expected)  # also the order of the keys, and whether a number has a point
