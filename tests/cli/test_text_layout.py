"""Text for a terminal: as wide as it is shown, in any script, and harmless."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.command_line.text_layout import (
    Column,
    count_of,
    facts,
    fitted,
    isolated,
    safe_line,
    safe_lines,
    shown_width,
    table,
)

TEXTS = st.text(
    st.one_of(
        st.characters(codec=None),
        st.sampled_from("aé漢한ไก้🌳👩💻🏽שلا \u200d\u0301\ufe0f\u202e\u200f\x1b\n\t\u2028\ud800"),
    ),
    max_size=40,
)


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("abc", 3),
        ("Grüße, Ωμέγα", 12),
        ("漢字", 4),
        ("한글 a", 6),
        ("ไฟล์ตั้งค่า", 7),
        ("e\u0301", 1),
        ("🌳", 2),
        ("👩‍💻", 2),
        ("👍🏽", 2),
        ("❤️", 2),
        ("مرحبا", 5),
        ("👩🏽‍🤝‍👩🏿", 2),
        ("🏳️‍🌈", 2),
        ("1️⃣", 2),
        ("\u1112\u1161\u11ab", 2),
        ("→ é", 3),
        ("", 0),
    ],
)
def test_the_width_is_what_a_terminal_shows(text: str, width: int) -> None:
    assert shown_width(text) == width


# What usually changes the character before it: a skin tone, marks, a joiner, styles, an inner letter of a syllable.
ATTACHED = [
    "\U0001f3fb",
    "\U0001f3ff",
    "\u0301",
    "\u0300\u0323",
    "\u20e3",
    "\u200d",
    "\u200c",
    "\ufe0e",
    "\ufe0f",
    "\u1161",
]


@pytest.mark.parametrize("attached", ATTACHED, ids=ascii)
@pytest.mark.parametrize("right", [False, True])
def test_what_belongs_to_another_character_stands_for_itself_without_one(attached: str, right: bool) -> None:
    own = 2 if attached in ATTACHED[:2] else 0
    assert shown_width(attached) == own
    for before, width in (("", 0), (" ", 1), ("a", 1), ("漢", 2), ("→ ", 2), ("\u200d", 0), (attached, own)):
        assert shown_width(before + attached) == width + own, ascii(before)
        assert shown_width(before + attached + "b") == width + own + 1, ascii(before)
        for room in range(1, 6):
            assert shown_width(fitted(safe_line(before + attached), room, right=right)) == room, ascii(before)


def test_a_joiner_joins_pictures_only() -> None:
    assert shown_width("a\u200db") == 2
    assert shown_width("👩\u200db") == 3
    assert shown_width("a\u200d👩") == 3
    assert shown_width("क्\u200dष") == 2


@given(TEXTS)
def test_a_safe_line_steers_nothing(text: str) -> None:
    line = safe_line(text)
    assert all(unicodedata.category(character) not in ("Cc", "Cs") for character in line)
    assert not set(line) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029")
    assert safe_line(line) == line
    line.encode("utf-8")


@given(TEXTS, st.integers(1, 30), st.booleans())
def test_a_fitted_line_has_exactly_the_width(text: str, width: int, right: bool) -> None:
    fit = fitted(safe_line(text), width, right=right)
    assert shown_width(fit) == width
    assert fit.count("\u2068") == fit.count("\u2069")


def test_what_is_too_long_is_cut_between_characters_and_marked() -> None:
    assert fitted("abcdef", 4) == "abc…"
    assert fitted("漢字漢字", 4) == "漢… "
    assert fitted("ab", 4, right=True) == "  ab"
    assert fitted("👩‍💻👩‍💻👩‍💻", 4) == "👩‍💻… "


def test_only_text_from_right_to_left_is_isolated() -> None:
    assert isolated("abc") == "abc"
    assert isolated("أ b") == "\u2068أ b\u2069"


def test_control_characters_become_visible() -> None:
    assert safe_line("a\x1b[31m\x7f\x9bb") == "a␛[31m␡\ufffdb"
    assert safe_lines("a\tb\r\nc\x07  ") == ["a   b", "c␇"]


def test_columns_stand_below_each_other_and_the_last_one_gives_way() -> None:
    rows = [("漢字", "1", "x" * 30), ("b", "1,000", "short")]
    columns = [Column("Name"), Column("Tokens", right=True), Column("Text")]
    assert table(columns, rows, 24) == [
        "Name  Tokens  Text",
        "漢字       1  " + "x" * 9 + "…",
        "b      1,000  short",
    ]
    assert table(columns, rows)[1].endswith("x" * 30)
    assert table(columns, []) == ["Name  Tokens  Text"]


def test_facts_leave_out_what_is_not_there() -> None:
    assert facts([("Name", "x"), ("Nothing", None), ("Empty", ""), ("Longer name", 0)]) == [
        "Name         x",
        "Longer name  0",
    ]
    assert facts([]) == []


def test_numbers_have_their_noun() -> None:
    assert [count_of(1, "entry", "entries"), count_of(1200, "entry", "entries"), count_of(0, "root")] == [
        "1 entry",
        "1,200 entries",
        "0 roots",
    ]
