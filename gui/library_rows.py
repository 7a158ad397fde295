"""The rows of the library: what they are, and the words in them, ready to paint and to be read aloud."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLocale

from gui.number_text import full_count, full_time, short_count
from gui.row_content import entries_text
from gui.translation import shown
from services.library.sessions import LibrarySession

if TYPE_CHECKING:
    from services.library.searching import Hit

translate = QCoreApplication.translate

MINUTE_MS = 60_000
TAG_CHARACTERS = 6


class RowKind(IntEnum):
    """What a row of the library is."""

    SHELF = 0
    SESSION = 1
    HIT = 2
    MORE = 3


@dataclass(frozen=True, slots=True)
class LibraryRow:
    """One row. `key` tells it from all others and stays the same when the row's contents change."""

    kind: RowKind
    key: str
    title: str = ""
    note: str = ""
    tip: str = ""
    session: LibrarySession | None = None
    hit: Hit | None = None
    children: tuple[LibraryRow, ...] = ()
    has_time: bool = False
    """Whether the time of day tells the session from another one of the same name."""
    tag: str = ""
    """Tells it from one that was active in the same minute, too."""


@dataclass(frozen=True, slots=True)
class SessionTexts:
    """The words of a session's row."""

    title: str
    tag: str
    """Beside the title, where another session has the same."""
    meta: tuple[str, ...]
    """Counts and day; shorter ones follow for where there is less room."""
    measures: str
    """Size and cost."""
    fork: str
    """From which session it was forked; empty for one that was not."""
    problem: str
    tip: str
    spoken: str


def session_texts(
    session: LibrarySession,
    origin: LibrarySession | None,
    now_ms: int,
    *,
    note: str = "",
    is_open: bool = False,
    shared_cost: float = 0.0,
    has_time: bool = False,
    tag: str = "",
) -> SessionTexts:
    """Return the words for a session. `origin` is the session it was forked from, `note` stands before everything."""
    facts = session.facts
    title = session.display_name
    day = day_text(session.active_ms, now_ms)
    if has_time:
        day += ", " + time_text(session.active_ms)
    counts = [] if facts.entries is None else [entries_text(facts.entries), branches_text(facts.branches or 0)]
    cost, size = cost_text(session.cost), size_text(session.size)
    fork = ""
    if facts.parent_session:
        fork = (
            translate("LibraryRows", "from “{0}”").format(origin.display_name)
            if origin
            else translate("LibraryRows", "fork of an unknown session")
        )
    problem = shown(facts.problem or "")
    told = [
        title,
        tag,
        note,
        translate("LibraryRows", "open") if is_open else "",
        *counts,
        translate("LibraryRows", "last active {0}").format(full_time(session.active_ms)),
        size,
        translate("LibraryRows", "cost {0}").format(cost) if cost else "",
        translate("LibraryRows", "forked {0}").format(fork) if origin else fork,
        problem,
    ]
    tip = [
        title,
        "",
        " · ".join(counts),
        translate("LibraryRows", "Last active: {0}").format(full_time(session.active_ms)),
        translate("LibraryRows", "Size: {0}").format(size),
        translate("LibraryRows", "Tokens used: {0}").format(full_count(int(session.tokens))) if session.tokens else "",
        translate("LibraryRows", "Cost: {0}").format(cost) if cost else "",
        translate("LibraryRows", "of it before the fork: {0}").format(cost_text(shared_cost))
        if shared_cost and cost
        else "",
        translate("LibraryRows", "Forked {0}").format(fork)
        if origin
        else translate("LibraryRows", "Forked from: {0}").format(facts.parent_session)
        if fork
        else "",
        translate("LibraryRows", "Directory: {0}").format(facts.cwd) if facts.cwd else "",
        translate("LibraryRows", "Written by: {0}").format({"pi": "Pi", "omp": "OMP"}[session.dialect])
        if session.dialect
        else "",
        str(session.path),
        problem,
    ]
    return SessionTexts(
        title=title,
        tag=tag,
        meta=(f"{note} · {day}",) if note else _metas(counts, session, day),
        measures=" · ".join(filter(None, (size, cost))),
        fork=fork,
        problem=problem,
        tip="\n".join(line for number, line in enumerate(tip) if line or number == 1),
        spoken=", ".join(filter(None, told)),
    )


def _metas(counts: Sequence[str], session: LibrarySession, day: str) -> tuple[str, ...]:
    """Counts and day in words, and the same in short."""
    entries, branches = session.facts.entries, session.facts.branches or 0
    whole = " · ".join((*counts, day))
    if entries is None:
        return (whole,)
    short = translate("LibraryRows", "{0} entr. · {1} br.").format(short_count(entries), short_count(branches))
    return whole, f"{short} · {day}"


def spoken_row(row: LibraryRow, *, is_unfolded: bool = True) -> str:
    """Return a shelf, a hit or a "more" row as a screen reader says it."""
    if row.hit is not None:
        return f"{row.hit.speaker_name}: {row.hit.text}"
    if row.kind is RowKind.SHELF:
        return ", ".join(filter(None, (row.title, row.note, "" if is_unfolded else translate("LibraryRows", "folded"))))
    return row.title


def branches_text(count: int) -> str:
    """Return `count` branches in words."""
    return (
        translate("LibraryRows", "1 branch")
        if count == 1
        else translate("LibraryRows", "{0} branches").format(full_count(count))
    )


def sessions_text(count: int) -> str:
    """Return `count` sessions in words."""
    return (
        translate("LibraryRows", "1 session")
        if count == 1
        else translate("LibraryRows", "{0} sessions").format(full_count(count))
    )


def more_hits_text(count: int) -> str:
    """Return `count` places that are not shown yet in words."""
    return (
        translate("LibraryRows", "1 more hit")
        if count == 1
        else translate("LibraryRows", "{0} more hits").format(full_count(count))
    )


def hits_text(count: int) -> str:
    """Return `count` found places in words."""
    return (
        translate("LibraryRows", "1 hit")
        if count == 1
        else translate("LibraryRows", "{0} hits").format(full_count(count))
    )


def cost_text(cost: float | None) -> str:
    """Return a price in dollars, as the agents note it; empty for none."""
    if not cost or cost < 0:
        return ""
    if cost < 0.01:
        return "<" + QLocale().toCurrencyString(0.01, "$", 2)
    return QLocale().toCurrencyString(cost, "$", 2 if cost < 1000 else 0)


def size_text(size: int) -> str:
    """Return a number of bytes in its largest unit."""
    precision = 0 if size < 1_000_000 else 1
    return QLocale().formattedDataSize(size, precision, QLocale.DataSizeFormat.DataSizeSIFormat)


def day_text(time_ms: int, now_ms: int) -> str:
    """Return a day as people call it: today, yesterday, Fri, 12 Nov, 12 Nov 2024."""
    now = QDateTime.fromMSecsSinceEpoch(now_ms).date()
    return _day_text(QDateTime.fromMSecsSinceEpoch(time_ms).date().toJulianDay(), now.toJulianDay())


def time_text(time_ms: int) -> str:
    """Return a time of day."""
    return QLocale().toString(QDateTime.fromMSecsSinceEpoch(time_ms).time(), QLocale.FormatType.ShortFormat)


@lru_cache(maxsize=2048)
def _day_text(day: int, today: int) -> str:
    if day == today:
        return translate("LibraryRows", "today")
    if day == today - 1:
        return translate("LibraryRows", "yesterday")
    date = QDate.fromJulianDay(day)
    if today - 6 <= day < today:
        return QLocale().toString(date, "ddd")
    same_year = date.year() == QDate.fromJulianDay(today).year()
    return QLocale().toString(date, "d MMM" if same_year else "d MMM yyyy")


def summary_text(count: int, tokens: float, cost: float) -> str:
    """Return what a number of sessions come to, in one line."""
    parts = [sessions_text(count)]
    if tokens:
        parts.append(translate("LibraryRows", "{0} tokens").format(short_count(int(tokens))))
    if text := cost_text(cost):
        parts.append(text)
    return " · ".join(parts)


def session_rows(sessions: Sequence[LibrarySession], prefix: str = "") -> tuple[LibraryRow, ...]:
    """Return the rows of some sessions; `prefix` tells them from rows of the same sessions elsewhere."""
    names = Counter(each.display_name for each in sessions)
    minutes = Counter(
        (each.display_name, each.active_ms // MINUTE_MS) for each in sessions if names[each.display_name] > 1
    )
    return tuple(
        LibraryRow(
            RowKind.SESSION,
            f"{prefix}{each.path}",
            session=each,
            has_time=(has_time := names[each.display_name] > 1),
            tag=_tag(each) if has_time and minutes[each.display_name, each.active_ms // MINUTE_MS] > 1 else "",
        )
        for each in sessions
    )


def _tag(session: LibrarySession) -> str:
    """The end of a session's id: the beginnings of ids are times."""
    return (session.facts.session_id or session.path.stem)[-TAG_CHARACTERS:]
