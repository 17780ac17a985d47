"""W3C datetimes (NOTE-datetime-19980827) as sitemaps have them, and what many write instead."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

_TIME = re.compile(
    r"(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2})"
    r"(?:[Tt ]\s?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s?([Zz]|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?)?)?"
)


def epoch_of(text: str) -> float:
    """Seconds since the epoch; 0 for what is no time. A year, month or day alone means the whole of it: its last second. A time
    without a zone is UTC's."""
    found = _TIME.fullmatch(text.strip()[:40])
    if found is None or found[1] < "1970":
        return 0.0
    year, month, day, hour, minute, second = (int(part) if part else 0 for part in found.groups()[:6])
    try:
        if found[4]:
            zone = timezone(_offset(found[7] or "Z"))
            return datetime(year, month, day, hour % 24, minute, min(second, 59), tzinfo=zone).timestamp()
        return _end(year, month, day).timestamp() - 1.0
    except (ValueError, OverflowError):
        return 0.0


def _end(year: int, month: int, day: int) -> datetime:
    if day:
        return datetime(year, month, day, tzinfo=UTC) + timedelta(days=1)
    if month:
        start = datetime(year, month, 1, tzinfo=UTC)
        return (start + timedelta(days=31)).replace(day=1)
    return datetime(year + 1, 1, 1, tzinfo=UTC)


def _offset(zone: str) -> timedelta:
    if not zone.startswith(("+", "-")):
        return timedelta()
    digits = zone[1:].replace(":", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return -offset if zone[0] == "-" else offset
