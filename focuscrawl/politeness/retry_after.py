"""How long does the server ask us to stay away? The Retry-After header (RFC 9110, section 10.2.3)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,6})?")


def parse(value: str | None, now: float) -> float | None:
    """Seconds to wait from `now` on, not yet capped; None where the value says nothing usable.

    A negative number, a date that is over and plain text are no answer: the caller's default holds, because a server
    that answers 429 with "retry in the past" is not better off with a request at once.
    """
    text = (value or "").strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    at = moment(text)
    return at - now if at is not None and at > now else None


def moment(text: str) -> float | None:
    """Epoch seconds of a date as HTTP, mail or ISO 8601 write it, UTC where no zone is given; None for other text."""
    text = text.strip()
    if not text or len(text) > 100:
        return None
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            found = read(text)
            return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
        except (ValueError, TypeError, OverflowError, IndexError):
            continue
    return None
