"""Numbers and times as the window writes them: short, aligned, in the user's locale."""

from __future__ import annotations

import re
import time
from functools import lru_cache

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLocale, QTime

_TIME_ZONE = re.compile(r"[\s(]*\bt{1,4}\b\)?")  # in a format of Qt; all times here are local ones


@lru_cache(maxsize=4096)
def short_count(count: int) -> str:
    """Return `count` in at most five characters: 940, 4.1k, 61k, 1.2M."""
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if count >= size:
            value = count / size
            digits = 1 if value < 100 else 0
            return QLocale().toString(value, "f", digits) + unit
    return QLocale().toString(count)


def full_count(count: int) -> str:
    """Return `count` with the locale's group separators."""
    return QLocale().toString(count)


@lru_cache(maxsize=4096)
def price(dollars: float) -> str:
    """Return a recorded price as the agents note it, in dollars: $0.004, $1.20, $1,204."""
    if 0 < dollars < 0.0005:
        return "<" + QLocale().toCurrencyString(0.001, "$", 3)
    return QLocale().toCurrencyString(dollars, "$", 3 if dollars < 1 else 2 if dollars < 1000 else 0)


def clock(time_ms: int | None, last_ms: int | None) -> str:
    """Return the local time of day on the day of `last_ms`, the newest time around; on other days the day, too."""
    if time_ms is None:
        return ""
    when = _local(time_ms)
    if when is None:
        return ""
    time_of_day = _time_of_day(when.tm_hour, when.tm_min)
    last = None if last_ms is None else _local(last_ms)
    if last is not None and (when.tm_year, when.tm_yday) == (last.tm_year, last.tm_yday):
        return time_of_day
    return f"{_day(when.tm_year, when.tm_mon, when.tm_mday)} {time_of_day}"


def _local(time_ms: int) -> time.struct_time | None:
    try:
        return time.localtime(time_ms / 1000)
    except (OverflowError, OSError, ValueError):  # a year that no calendar has
        return None


@lru_cache(maxsize=1440)
def _time_of_day(hour: int, minute: int) -> str:
    return QLocale().toString(QTime(hour, minute), "HH:mm")


@lru_cache(maxsize=512)
def _day(year: int, month: int, day: int) -> str:
    return QLocale().toString(QDate(year, month, day), "d MMM")


def full_time(time_ms: int | None) -> str:
    """Return date and time to the second in the user's locale."""
    if time_ms is None:
        return ""
    form = QLocale().dateTimeFormat(QLocale.FormatType.LongFormat)
    return QLocale().toString(QDateTime.fromMSecsSinceEpoch(time_ms), _TIME_ZONE.sub("", form))


def ago(time_ms: int | None, now_ms: int) -> str:
    """Return how long ago `time_ms` was, in its largest unit."""
    if time_ms is None:
        return ""
    seconds = max(0, (now_ms - time_ms) // 1000)
    translate = QCoreApplication.translate
    for size, text in (
        (31_536_000, translate("ago", "{0} y ago")),
        (2_592_000, translate("ago", "{0} mo ago")),
        (86_400, translate("ago", "{0} d ago")),
        (3_600, translate("ago", "{0} h ago")),
        (60, translate("ago", "{0} min ago")),
    ):
        if seconds >= size:
            return text.format(seconds // size)
    return translate("ago", "just now")


def span_text(milliseconds: int) -> str:
    """Return a stretch of time in its two largest units."""
    translate = QCoreApplication.translate
    minutes = max(0, milliseconds) // 60_000
    days, hours = minutes // 1440, minutes // 60 % 24
    if days:
        return translate("span", "{0} d {1} h").format(days, hours)
    if hours:
        return translate("span", "{0} h {1} min").format(hours, minutes % 60)
    if minutes:
        return translate("span", "{0} min").format(minutes)
    return translate("span", "{0} s").format(max(0, milliseconds) // 1000)
