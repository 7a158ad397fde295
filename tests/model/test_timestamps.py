from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.timestamps import iso_timestamp, timestamp_ms
from tests.model.strategies import json_values

pytestmark = pytest.mark.spec("SF-3", "P-066", "P-104")

NINE = 1_770_109_200_000  # 2026-02-03T09:00:00Z


@pytest.mark.parametrize(
    ("value", "milliseconds"),
    [
        ("2026-02-03T09:00:00.000Z", NINE),
        ("2026-02-03T09:00:00Z", NINE),
        ("2026-02-03T09:00Z", NINE),
        ("2026-02-03t09:00:00z", NINE),
        ("2026-02-03 09:00:00", NINE),
        (" 2026-02-03T09:00:00Z ", NINE),
        ("2026-02-03T12:00:00.5+03:00", NINE + 500),
        ("2026-02-03T05:30:00-0330", NINE),
        ("2026-02-03T09:00:00.1239Z", NINE + 123),
        ("2026-02-03T24:00:00Z", NINE + 15 * 3_600_000),
        ("2026-02-03", NINE - 9 * 3_600_000),
        ("2026-02", 1_769_904_000_000),
        ("2026", 1_767_225_600_000),
        ("2026-02-30T10:00:00Z", 1_772_445_600_000),
        ("-000001-01-01", -62_198_755_200_000),
        ("+012026-01-01T00:00:00Z", 317_336_745_600_000),
        ("1970-01-01", 0),
        (NINE, NINE),
        (NINE + 0.7, NINE),
        (0, 0),
        (-1, -1),
    ],
)
def test_dates_in_the_forms_that_files_hold(value: Any, milliseconds: int) -> None:
    assert timestamp_ms(value) == milliseconds


@pytest.mark.parametrize(
    "value",
    [
        "yesterday",
        "",
        "2026-02-30T25:00:00Z",
        "2026-13-01",
        "2026-00-01",
        "2026-01-32",
        "2026-01-00",
        "2026-02-03T09:60:00Z",
        "2026-02-03T09:00:60Z",
        "2026-02-03T24:00:01Z",
        "2026-02-03T24:01:00Z",
        "2026-02-03T24:00:00.001Z",
        "2026-02-03T9:00Z",
        "٢٠٢٦-01-01",
        "+999999-01-01",
        True,
        None,
        [],
        float("nan"),
        float("inf"),
        8_640_000_000_000_001,
    ],
)
def test_what_is_no_date_has_no_time(value: Any) -> None:
    assert timestamp_ms(value) is None


@given(st.integers(-8_640_000_000_000_000, 8_640_000_000_000_000))
def test_times_are_written_so_that_they_read_back(milliseconds: int) -> None:
    assert timestamp_ms(iso_timestamp(milliseconds)) == milliseconds


@given(st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31)))
def test_times_are_written_as_the_standard_library_does(moment: datetime) -> None:
    moment = moment.replace(microsecond=moment.microsecond // 1000 * 1000, tzinfo=UTC)
    milliseconds = round((moment - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds() * 1000)
    assert iso_timestamp(milliseconds) == moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def test_a_time_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match="is no time"):
        iso_timestamp(8_640_000_000_000_001)


@given(json_values)
def test_any_json_is_a_time_or_none(value: Any) -> None:
    result = timestamp_ms(value)
    assert result is None or isinstance(result, int)
