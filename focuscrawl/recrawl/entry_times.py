"""Reads the time that an entry of a sitemap or feed gives, in the forms that sites use.

A W3C datetime (NOTE-datetime-19980827), or what many write in its place; else a time as in mail, as RSS has it; else the first
date of any form, of which the day counts. feedparser's own reader takes `2024/03/04` for a day in November.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

from focuscrawl.politeness.pace import http_time
from focuscrawl.reading.written_dates import dates_in

_LONGEST = 60
"""Characters of a time that are read."""
_W3C = re.compile(
    r"(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2})"
    r"(?:[Tt ]\s?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s?([Zz]|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?)?)?"
)
_ZONE = re.compile(r"(?<=:\d\d)\s?(?:GMT|UTC)?\s?([+-])(\d\d?)(?::?(\d\d))?$")
"""The zone of `10:00:00 GMT+8` and `10:00:00 +08:00`, which readers of mail misread."""

_HALF_DAY = re.compile(r"\b(\d\d?)(:\d\d(?::\d\d)?)\s?(?:([Aa])|[Pp])(?:[Mm]\b|\.[Mm]\.)")
"""A time of the clock with twelve hours: `3:04 PM`, `03:04:05 p.m.`"""


def epoch_of(text: str) -> float:
    """Seconds since the epoch; 0 if the text is not a time. A year, month or day alone stands for its last second. A time
    without a zone is in UTC."""
    try:
        return max(_epoch(text.strip()[:_LONGEST]), 0.0)
    except (ValueError, OverflowError):
        return 0.0


def _epoch(text: str) -> float:
    """As `epoch_of`. Raises ValueError or OverflowError for a time that cannot be."""
    text = _HALF_DAY.sub(_of_whole_day, text)
    if found := _W3C.fullmatch(text):
        return _epoch_of_w3c(found)
    in_mail = _ZONE.sub(lambda zone: f" {zone[1]}{zone[2]:0>2}{zone[3] or '00'}", text)
    if (at := http_time(in_mail)) is not None:
        return at
    days = (found.day for found in dates_in(text, "en"))
    return next((_last_second(day.year, day.month, day.day) for day in days), 0.0)


def _epoch_of_w3c(found: re.Match[str]) -> float:
    year, month, day, hour, minute, second = (int(part) if part else 0 for part in found.groups()[:6])
    if not found[4]:
        return _last_second(year, month, day)
    zone = timezone(_offset(found[7] or "Z"))
    # Second 60 and hour 24, the end of the day (ISO 8601), occur, but datetime refuses them.
    started = datetime(year, month, day, 0 if hour == 24 else hour, minute, min(second, 59), tzinfo=zone)
    return (started + timedelta(days=hour == 24)).timestamp()


def _of_whole_day(half: re.Match[str]) -> str:
    """A time of half a day as one of 24 hours. One that is of 24 hours already stays as it is."""
    hour = int(half[1])
    if hour <= 12:
        hour = hour % 12 + (0 if half[3] else 12)
    return f"{hour:02}{half[2]}"


def _last_second(year: int, month: int, day: int) -> float:
    """The last second of this day, month (`day` is 0) or year (both are 0)."""
    return _end(year, month, day).timestamp() - 1.0


def _end(year: int, month: int, day: int) -> datetime:
    """When this day, month (`day` is 0) or year (both are 0) ends."""
    if day:
        return datetime(year, month, day, tzinfo=UTC) + timedelta(days=1)
    if month:
        start = datetime(year, month, 1, tzinfo=UTC)
        return (start + timedelta(days=31)).replace(day=1)  # 31 days later it is the next month, whatever the month
    return datetime(year + 1, 1, 1, tzinfo=UTC)


def _offset(zone: str) -> timedelta:
    if not zone.startswith(("+", "-")):
        return timedelta()
    digits = zone[1:].replace(":", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return -offset if zone[0] == "-" else offset
