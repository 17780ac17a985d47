"""Which language a reader gets: by the switch (a cookie), else by what the browser asks for."""

from __future__ import annotations

from focuscrawl.report.language import LANGUAGES, Language


def choose(switched: str, accept: str) -> Language:
    """By the reader's own choice, else by the header Accept-Language (RFC 9110, 12.5.4)."""
    if switched in LANGUAGES:
        return Language(switched)
    ranges: list[tuple[float, int, str]] = []
    for place, part in enumerate(accept.split(",")[:20]):
        name, _, weight = part.strip().lower().partition(";q=")
        try:
            ranges.append((-float(weight or 1), place, name.partition("-")[0]))
        except ValueError:
            continue
    return Language(next((name for weight, _, name in sorted(ranges) if name in LANGUAGES and weight < 0), "en"))
