"""Is a page gone? Listed at the first 404 or 410, taken out only when that is confirmed, and revisited even then.

    state     404                       410       200    301, 308   errors, 302, 303, 307
    LIVE      SUSPECT                   SUSPECT   LIVE   MOVED      as it was, later again
    SUSPECT   SUSPECT; GONE at the      GONE      LIVE   MOVED      as it was, later again
              third revisit or later,
              3 days after the first
    GONE      GONE                      GONE      LIVE   MOVED      as it was, later again
    MOVED     MOVED                     MOVED     LIVE   MOVED      as it was, later again
    REMOVED   GONE                      GONE      LIVE   MOVED      as it was, later again

REMOVED is what an operator took out of the collection: it is visited only when an operator adds it again.

A soft 404 counts as a 404: a page with status 200 that says that there is no such page. To find them, the host is probed: asked
for a URL that cannot be (Bar-Yossef et al., Sic Transit Gloria Telae, WWW 2004). Two guards keep whole sites alive whose every
URL shows the same page (programs that draw their pages in the browser, hosts that answer everything with the home page): only a
page that was another one before (`suspicious`) can be one now, and an answer that is the host's home page is none
(`soft404_of`).

While most of the host's fetches fail, nothing counts: that is an outage or a block, and what it answers to the rest proves
nothing. Times are seconds since the epoch.
"""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from enum import IntEnum

from focuscrawl.dedup.simhash import distance as bits
from focuscrawl.items import PageSignature
from focuscrawl.recrawl.state import DAY, RevisitRecord, SiteProfile

SLACK = 0.1 * DAY
"""Cron comes at the same time each day, and reaches each page some minutes earlier or later."""
AGAIN = (1 * DAY - SLACK, 3 * DAY - SLACK, 9 * DAY - SLACK)
"""A page that seems gone is revisited after these."""
CONFIRMED_VISITS, CONFIRMED_SPAN = 3, 3 * DAY
"""This many revisits in a row, over this long, find a 404 before it counts."""
TOMBSTONE, RAREST = 90 * DAY, 730 * DAY
"""What is gone or has moved is revisited after the first, then each time after twice as long, at most the second."""
SHORTEST_DELAY, LONGEST_DELAY, SHARE_DELAY = 1 * DAY - SLACK, 30 * DAY, 0.25
"""A page that cannot be fetched is tried again after this share of the time since it was last seen, within these."""
OUTAGE = 0.5
"""Share of the host's fetches that fail, from which nothing that it answers proves anything."""
WEIGHT = 0.1
"""Of the latest fetch in the host's share of failures, which so is that of its last 20 or so."""

_GONE, _MOVED, TAKEN_OUT = 100, 200, 300
"""`RevisitRecord.gone` counts revisits in a row that found nothing, and from the first two of these
on those since it was gone or had moved; the last is that of a page that an operator took out."""
_MOST = 90
"""Revisits that are counted: below the difference of the two above."""


class Gone(IntEnum):
    """As the store keeps it in `page.gone`."""

    LIVE = 0
    SUSPECT = 1
    GONE = 2
    MOVED = 3
    REMOVED = 4
    """By an operator."""


def state_of(record: RevisitRecord) -> Gone:
    """What the record says."""
    if record.gone >= TAKEN_OUT:
        return Gone.REMOVED
    if record.gone >= _MOVED:
        return Gone.MOVED
    if record.gone >= _GONE:
        return Gone.GONE
    return Gone.SUSPECT if record.gone > 0 else Gone.LIVE


def missing(record: RevisitRecord, status: int, failure_share: float, now: float) -> tuple[RevisitRecord, Gone]:
    """After an answer that says there is no such page.

    Args:
        record: The record before it.
        status: 404, 410, or 200 for a soft 404.
        failure_share: Share of the host's last fetches that failed.
        now: Seconds since the epoch.

    Returns:
        The record after it, and the state of the page.
    """
    if failure_share > OUTAGE:
        return failed(record, now), state_of(record)
    record, state = replace(record, signal=0.0), state_of(record)  # whatever was announced, this is what there is
    if state in (Gone.GONE, Gone.MOVED):
        return _tombstone(record, state, now), state
    if state is Gone.REMOVED:
        return _tombstone(replace(record, gone_at=now), Gone.GONE, now), Gone.GONE
    count = min(record.gone + 1, _MOST)
    first = record.gone_at if record.gone else now
    if _is_confirmed(count, status, now - first):
        return _tombstone(replace(record, gone_at=first), Gone.GONE, now), Gone.GONE
    wait = AGAIN[0] if status == 410 else AGAIN[min(count, len(AGAIN)) - 1]
    return replace(record, gone=count, gone_at=first, checked_at=now, due_at=now + wait), Gone.SUSPECT


def moved(record: RevisitRecord, now: float) -> RevisitRecord:
    """After a permanent redirect to another address. (A temporary one is a `failed`: it says nothing about the page.)"""
    first = record.gone_at if state_of(record) is Gone.MOVED else now
    return _tombstone(replace(record, gone_at=first), Gone.MOVED, now)


def found(record: RevisitRecord) -> RevisitRecord:
    """After an answer with the page: whatever was thought of it is over. When it is due again is the policy's business."""
    return replace(record, gone=0, gone_at=0.0)


def failed(record: RevisitRecord, now: float) -> RevisitRecord:
    """After a fetch that says nothing about the page (timeout, DNS, 5xx, 403, 429, robots.txt): later again, the later
    the longer it has not been seen."""
    seen = max(record.checked_at, record.first_at)
    wait = (now - seen) * SHARE_DELAY if seen else 0.0
    return replace(record, due_at=now + min(max(wait, SHORTEST_DELAY), LONGEST_DELAY))


def failure_share_after(failure_share: float, failed: bool) -> float:
    """The host's share of failures after one more fetch."""
    return (1 - WEIGHT) * failure_share + WEIGHT * failed


def _is_confirmed(count: int, status: int, span: float) -> bool:
    """410 is meant to be for ever (RFC 9110, section 15.5.11): it needs but one revisit before. 404 may be a mishap."""
    if status == 410:
        return count > 1
    return count >= CONFIRMED_VISITS and span >= CONFIRMED_SPAN


def _tombstone(record: RevisitRecord, state: Gone, now: float) -> RevisitRecord:
    """Out of the collection, and revisited rarely. A revisit before its time (`--all`) moves nothing."""
    if state_of(record) is state and now < record.due_at:
        return replace(record, checked_at=now)
    base = _MOVED if state is Gone.MOVED else _GONE
    revisits = record.gone - base + 1 if state_of(record) is state else 0
    wait = min(TOMBSTONE * 2 ** min(revisits, 10), RAREST)
    return replace(record, gone=base + min(revisits, _MOST), checked_at=now, due_at=now + wait)


# Soft 404s


ANOTHER = 18
"""Bits from which on two texts have nothing in common but their site's phrases; texts of no relation differ in 32."""
CHANGED_MUCH = 8
"""With a text that lost half of its length, so many bits are enough."""
NEAR = 6
"""Bits between what the host says to two URLs that cannot be. They may name the URL: one word that differs is within
3 bits for half of the pages of 40 words, and within 6 for nine in ten; texts that share half of their words differ in 20."""
KNOWN_FOR = 30 * DAY
"""After which a host is probed again: one request a month. Until then one that begins to say 200 to everything is believed."""
NAME_LENGTH = 24
"""Characters of a name that no page has."""


def suspicious(distance: int, old_length: int, new_length: int) -> bool:
    """Whether a page changed so much that its host is to be probed.

    distance: bits between the SimHashes of the words of the old and the new version. Lengths in any one unit; negative
    when they are not known. Asking costs one request for each host and month, so this may be wrong often.
    """
    if distance >= ANOTHER:
        return True
    return distance >= CHANGED_MUCH and 0 <= new_length < old_length / 2


_SORRY = re.compile(
    r"\b404\b|not[ -]found|(?:could|can)(?:no|'|’)t be found|(?:does|do)(?: not|n['’]t) exist|no longer (?:exists?|available)"
    r"|no such page|page (?:is )?missing|nothing (?:was )?found"
    r"|找不到|不存在|未找到|[无無]法找到|[没沒]有找到|(?:页面|頁面|网页|網頁|内容|內容).{0,8}[删刪]除",
    re.IGNORECASE,
)
SORRY_LENGTH = 1_000
"""Characters of a main text that may be an excuse: what is longer says something."""


def excuses(title: str, text: str) -> bool:
    """Whether a page that was never seen before sounds as if there were nothing: asking its host costs one request a month, so
    this may be wrong often, and decides nothing."""
    return bool(_SORRY.search(title) or (len(text) <= SORRY_LENGTH and _SORRY.search(text)))


def is_soft404(signature: PageSignature, profile: SiteProfile) -> bool:
    """Whether words are those that the host says to a URL that cannot be. Ask `suspicious` first."""
    if not profile.soft404_simhash or not signature.simhash:
        return False
    return bits(signature.simhash, profile.soft404_simhash) <= NEAR


def soft404_of(status: int, signature: PageSignature, home: PageSignature | None) -> int | None:
    """What to keep as `SiteProfile.soft404_simhash` of the answer to a probe; None when the host has no error page of its own:
    it says 404, has no
    words (of which the SimHash is 0), redirects, or shows its home page (`home`; None: not in the store)."""
    if status != 200 or not signature.simhash:
        return None
    if home is not None and bits(signature.simhash, home.simhash) <= NEAR:
        return None
    return signature.simhash


def soft404_probe_url(origin: str, month: int = 0) -> str:
    """A URL of the origin (`https://example.org`) that cannot be: letters and digits at random, always the same ones
    for the same `month` (any number)."""
    name = base64.b32encode(hashlib.sha256(f"probe {month} {origin}".encode()).digest())
    return f"{origin}/{name.decode().lower()[:NAME_LENGTH]}"


def stale(profile: SiteProfile, now: float) -> bool:
    """Whether the host has to be probed, for the first time or again."""
    return profile.soft404_probed_at <= 0 or not 0 <= now - profile.soft404_probed_at <= KNOWN_FOR
