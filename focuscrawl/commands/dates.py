"""Times as people type them: a date, a date with a time, or how long ago."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from focuscrawl.errors import BadInput

AGO = re.compile(r"(\d{1,6})([mhdw])", re.ASCII)
SECONDS = {"m": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0}
DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?)?", re.ASCII)
WANTED = "a date as 2026-11-20, 2026-11-20T14:00 (UTC, or with an offset as +01:00), or how long ago: 90m, 12h, 7d, 2w"


def time_of(option: str, given: str, now: float) -> float:
    """Epoch seconds. Raises BadInput for what is no date or lies in the future."""
    text = given.strip()
    ago = AGO.fullmatch(text)
    if ago:
        return max(now - int(ago[1]) * SECONDS[ago[2]], 0.0)
    try:
        if not DATE.fullmatch(text):
            raise ValueError
        moment = datetime.fromisoformat(text)
        at = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise BadInput(f"{option} {given!r} is no time; give {WANTED}") from None
    if at > now:
        raise BadInput(f"{option} {given!r} lies in the future")
    return max(at, 0.0)
