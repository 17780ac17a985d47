"""Decides whether the headers of an answer say that it is the stored version, and whether this host's headers are trusted.

This is the check before fetching of the Nutch paper, in one request: instead of a HEAD request, ETag, Last-Modified and
Content-Length of the answer to the GET are compared with the stored ones (RFC 9110, sections 8.6 and 8.8). Headers lie, so each
host has a record of how often they agreed and the body was the same, and how often it was different.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from focuscrawl.politeness.pace import http_time
from focuscrawl.recrawl.state import RevisitRecord, SiteProfile

Headers = Iterable[tuple[str, str]]
"""Names and values as received."""

PRIOR_AGREED, PRIOR_LIED = 9.5, 0.5
"""An unknown host counts as one whose headers were right 9.5 times and wrong half a time: one lie costs it our trust, and four
visits that prove right bring it back."""
TRUSTED = 0.9
"""Headers are trusted if the mean is at least this: see the prior above."""
REMEMBERED = 40
"""With more comparisons of a host than this, all count half, so that old ones fade, because servers change."""
READ_EVERY = 10
"""One in this many visits in a row reads the body, whatever the headers say."""
LONGEST_TAG = 200
"""Characters of an ETag that the store keeps. One that fills them may have been cut, and proves nothing."""
LONGEST_DATE = 80
"""Characters of a Last-Modified that the store keeps; a date has 29."""
MOST_BYTES = (1 << 63) - 1
"""The largest number that a column of the store holds."""


def agree(stored_etag: str, stored_modified: str, stored_length: int, headers: Headers, now: float = 0.0) -> bool:
    """Whether the answer's headers agree with the stored ones in all they say, and say enough to prove the same version.

    ETags are compared weakly (section 8.8.3.2). A useless validator counts as none: an empty ETag, and a Last-Modified that is
    not a date or is not earlier than the answer itself (its Date; else `now`), because that is the time of the request and not
    of a change. A Content-Length can only disprove, because many pages keep their length. `stored_length`: -1 if it was not
    given.
    """
    by_name = _by_name(headers)
    tags = _opaque(stored_etag), _opaque(by_name.get("etag", ""))
    dates = stored_modified, by_name.get("last-modified", "")
    if dates[1] and not is_past(dates[1], http_time(by_name.get("date", "")) or now):
        dates = "", ""
    length = length_of(headers)
    lengths_differ = stored_length >= 0 and length >= 0 and stored_length != length
    if tags[0] != tags[1] or dates[0] != dates[1] or lengths_differ:
        return False
    return bool(tags[0] or dates[0])


def stored_validators(headers: Headers) -> tuple[str, str]:
    """ETag and Last-Modified of an answer, cut to the lengths that the store keeps."""
    header = {name.lower(): value for name, value in headers}
    return header.get("etag", "")[:LONGEST_TAG], header.get("last-modified", "")[:LONGEST_DATE]


def is_past(modified: str, made: float) -> bool:
    """Whether a Last-Modified is a date before `made`, when the answer was made (epoch seconds; 0: not known, any date is)."""
    at = http_time(modified)
    return at is not None and at > 0 and (made <= 0 or at < made)


def length_of(headers: Headers) -> int:
    """The Content-Length, in bytes as sent; -1 if there is none, or not one valid number."""
    values = {value.strip() for name, value in headers if name.lower() == "content-length"}
    value = values.pop() if len(values) == 1 else ""
    return min(int(value), MOST_BYTES) if value.isascii() and value.isdigit() and len(value) < 20 else -1


def trusted(profile: SiteProfile) -> bool:
    """Whether the host's headers have proved right so often that its bodies need not be read, by the mean of the Beta
    distribution of its record."""
    return (profile.headers_right + PRIOR_AGREED) / (
        profile.headers_right + profile.headers_wrong + PRIOR_AGREED + PRIOR_LIED
    ) >= TRUSTED


def must_read(record: RevisitRecord) -> bool:
    """Whether the body must be read this time, whatever the headers say, so that the request is sent without validators."""
    return record.unread >= READ_EVERY - 1


def learn(profile: SiteProfile, agreed: bool, same: bool) -> SiteProfile:
    """The profile after a visit that read the body. Headers that disagree say nothing about the host, because they do so for a
    page that has changed, too.

    Args:
        profile: The profile before.
        agreed: Whether the headers said that it is the stored version.
        same: Whether it is.
    """
    if not agreed:
        return profile
    right, wrong = profile.headers_right + int(same), profile.headers_wrong + int(not same)
    if right + wrong > REMEMBERED:
        right, wrong = right // 2, wrong // 2
    return replace(profile, headers_right=right, headers_wrong=wrong)


def _by_name(headers: Headers) -> dict[str, str]:
    """The headers by name in lower case. A header with two different values counts as empty."""
    by_name: dict[str, str] = {}
    for name, value in headers:
        key = name.lower()
        by_name[key] = value.strip() if by_name.get(key, value.strip()) == value.strip() else ""
    return by_name


def _opaque(tag: str) -> str:
    """The ETag without its mark of weakness; empty if it is useless."""
    opaque = tag.strip().removeprefix("W/")
    return opaque if opaque.strip('"') and len(tag) < LONGEST_TAG else ""
