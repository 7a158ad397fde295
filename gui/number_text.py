"""Numbers and times as the window writes them: short, aligned, in the user's locale."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale


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


def clock(time_ms: int | None, last_ms: int | None) -> str:
    """Return the local time of day on the day of `last_ms`, the newest time around; on other days the day, too."""
    if time_ms is None:
        return ""
    when = QDateTime.fromMSecsSinceEpoch(time_ms)
    if last_ms is not None and when.date() == QDateTime.fromMSecsSinceEpoch(last_ms).date():
        return when.toString("HH:mm")
    return QLocale().toString(when, "d MMM HH:mm")


def full_time(time_ms: int | None) -> str:
    """Return date and time to the second in the user's locale."""
    if time_ms is None:
        return ""
    return QLocale().toString(QDateTime.fromMSecsSinceEpoch(time_ms), QLocale.FormatType.LongFormat)


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
