"""Times in session files: ISO 8601 text in entries, Unix milliseconds in messages (SF-3)."""

import re
from datetime import date
from typing import Any, Final

_MAX_MS: Final = 8_640_000_000_000_000  # the range of a JavaScript date
_ISO = re.compile(
    r"(?P<year>[+-][0-9]{6}|[0-9]{4})(?:-(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2}))?)?"
    r"(?:[Tt ](?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:[.](?P<fraction>[0-9]+))?)?"
    r"\s?(?:[Zz]|(?P<sign>[+-])(?P<zone_hour>[0-9]{2}):?(?P<zone_minute>[0-9]{2}))?)?",
    re.ASCII,
)
_DAYS_TO_1970: Final = date(1970, 1, 1).toordinal()
_DAYS_IN_400_YEARS: Final = 146_097


def timestamp_ms(value: Any) -> int | None:
    """Return the Unix milliseconds of a timestamp, or None when it is no date.

    Reads ISO 8601 text (a date without time is UTC, and so is a time without zone) and numbers of milliseconds. As in
    the agents a day up to 31 is accepted in every month and runs over into the next one.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    milliseconds = _iso_ms(value) if isinstance(value, str) else _whole(value)
    return milliseconds if milliseconds is not None and abs(milliseconds) <= _MAX_MS else None


def iso_timestamp(milliseconds: int) -> str:
    """Return the form in which entries carry a time: ISO 8601, UTC, milliseconds, `Z`.

    Raises ValueError for a time outside the range of a JavaScript date.
    """
    if abs(milliseconds) > _MAX_MS:
        raise ValueError(f"{milliseconds} is no time")
    days, rest = divmod(milliseconds, 86_400_000)
    cycles, day_of_cycle = divmod(days + _DAYS_TO_1970 - 1, _DAYS_IN_400_YEARS)
    day = date.fromordinal(day_of_cycle + 1)
    year = day.year + 400 * cycles
    year_text = f"{year:04d}" if 0 <= year <= 9999 else f"{year:+07d}"
    minutes, milliseconds_of_minute = divmod(rest, 60_000)
    second, millisecond = divmod(milliseconds_of_minute, 1000)
    clock = f"{minutes // 60:02d}:{minutes % 60:02d}:{second:02d}.{millisecond:03d}"
    return f"{year_text}-{day.month:02d}-{day.day:02d}T{clock}Z"


def _whole(value: int | float) -> int | None:
    try:
        return int(value)
    except (OverflowError, ValueError):  # infinite or not a number
        return None


def _iso_ms(text: str) -> int | None:
    match = _ISO.fullmatch(text.strip())
    if match is None:
        return None
    month, day = int(match["month"] or 1), int(match["day"] or 1)
    hour, minute, second = (int(match[name] or 0) for name in ("hour", "minute", "second"))
    millisecond = int(((match["fraction"] or "") + "000")[:3])
    if not (1 <= month <= 12 and 1 <= day <= 31 and minute < 60 and second < 60):
        return None
    if hour > 24 or (hour == 24 and (minute or second or millisecond)):
        return None
    cycles, year_of_cycle = divmod(int(match["year"]) - 1, 400)
    days = date(year_of_cycle + 1, month, 1).toordinal() + cycles * _DAYS_IN_400_YEARS - _DAYS_TO_1970 + day - 1
    zone_minutes = int(match["zone_hour"] or 0) * 60 + int(match["zone_minute"] or 0)
    if match["sign"] == "-":
        zone_minutes = -zone_minutes
    minutes = (days * 24 + hour) * 60 + minute - zone_minutes
    return (minutes * 60 + second) * 1000 + millisecond
