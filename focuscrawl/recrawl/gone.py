"""Decides whether a page is gone. It is suspect at the first 404 or 410, gone only when confirmed, and revisited even then.

    state     404                       410       200    301, 308   errors, 302, 303, 307
    LIVE      SUSPECT                   SUSPECT   LIVE   MOVED      as it was, later again
    SUSPECT   SUSPECT; GONE at the      GONE      LIVE   MOVED      as it was, later again
              third revisit or later,
              3 days after the first
    GONE      GONE                      GONE      LIVE   MOVED      as it was, later again
    MOVED     MOVED                     MOVED     LIVE   MOVED      as it was, later again
    REMOVED   GONE                      GONE      LIVE   MOVED      as it was, later again

An operator took a REMOVED page out of the collection: it is visited only if an operator adds it again.

A soft 404 counts as a 404: a page with status 200 that says that there is no such page. To recognize such pages, the host is
probed with a URL that cannot exist (Bar-Yossef et al., Sic Transit Gloria Telae, WWW 2004). Some sites show the same page at
every URL (programs that draw their pages in the browser, hosts that answer everything with the home page). Two guards keep
their pages alive: only a page that was different before (`suspicious`) can be a soft 404 now, and an answer to the probe that
is the host's home page does not count (`soft404_of`). And the texts decide (`says_the_same`): where every page has the
shop's terms or the forum's rules in its text, the SimHashes of its pages may all be near to that of the answer.

While most of the host's fetches fail, no answer counts: there is an outage or a block, during which answers prove nothing.
Times are seconds since the epoch.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from enum import IntEnum
from urllib.parse import unquote

from focuscrawl.dedup.simhash import distance as bits
from focuscrawl.dedup.tokens import plain_words
from focuscrawl.items import PageSignature
from focuscrawl.recrawl.state import DAY, RevisitRecord, SiteProfile

SLACK = 0.1 * DAY
"""Subtracted from whole days, because a daily cron job reaches a page some minutes earlier or later than the day before."""
AGAIN = (1 * DAY - SLACK, 3 * DAY - SLACK, 9 * DAY - SLACK)
"""A suspect page is revisited after the first of these waits, then after the second, then always after the third."""
CONFIRMED_VISITS, CONFIRMED_SPAN = 3, 3 * DAY
"""A page is gone after 404s at this many revisits in a row, over at least this time."""
TOMBSTONE, RAREST = 90 * DAY, 730 * DAY
"""A gone or moved page is revisited after TOMBSTONE, then each time after twice as long, but at most RAREST."""
SHORTEST_DELAY, LONGEST_DELAY, SHARE_DELAY = 1 * DAY - SLACK, 30 * DAY, 0.25
"""A page that cannot be fetched is tried again after SHARE_DELAY of the time since it was last seen, within the two bounds."""
OUTAGE = 0.5
"""If more than this share of the host's fetches fail, its answers prove nothing."""
WEIGHT = 0.1
"""Weight of the latest fetch in the host's share of failures, which so covers about its last 20 fetches."""

_GONE, _MOVED, TAKEN_OUT = 100, 200, 300
"""Below _GONE, `RevisitRecord.gone` counts the revisits in a row that found nothing. From _GONE or _MOVED on it counts those
since the page was gone or had moved. TAKEN_OUT: an operator removed the page."""
_MOST = 90
"""Most revisits that are counted, so that no count reaches the next of the numbers above."""


class Gone(IntEnum):
    """Whether a page is still there, as the store keeps it in `page.gone`."""

    LIVE = 0
    SUSPECT = 1
    GONE = 2
    MOVED = 3
    REMOVED = 4
    """Taken out of the collection by an operator."""


def state_of(record: RevisitRecord) -> Gone:
    """The state of the page that `record.gone` encodes."""
    if record.gone >= TAKEN_OUT:
        return Gone.REMOVED
    if record.gone >= _MOVED:
        return Gone.MOVED
    if record.gone >= _GONE:
        return Gone.GONE
    return Gone.SUSPECT if record.gone > 0 else Gone.LIVE


def missing(record: RevisitRecord, status: int, failure_share: float, now: float) -> tuple[RevisitRecord, Gone]:
    """The record after an answer that says there is no such page.

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
    record, state = replace(record, signal=0.0), state_of(record)  # this answer settles whatever was announced
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
    """The record after a permanent redirect to another URL. (A temporary one is `failed`: it says nothing about the page.)"""
    first = record.gone_at if state_of(record) is Gone.MOVED else now
    return _tombstone(replace(record, gone_at=first), Gone.MOVED, now)


def found(record: RevisitRecord) -> RevisitRecord:
    """The record after an answer with the page, which is LIVE again. The policy decides when it is due."""
    return replace(record, gone=0, gone_at=0.0)


def failed(record: RevisitRecord, now: float) -> RevisitRecord:
    """The record after a fetch that says nothing about the page (timeout, DNS, 5xx, 403, 429, robots.txt). The longer the page
    has not been seen, the later it is tried again."""
    seen = max(record.checked_at, record.first_at)
    wait = (now - seen) * SHARE_DELAY if seen else 0.0
    return replace(record, due_at=now + min(max(wait, SHORTEST_DELAY), LONGEST_DELAY))


def failure_share_after(failure_share: float, failed: bool) -> float:
    """The host's share of failures after one more fetch."""
    return (1 - WEIGHT) * failure_share + WEIGHT * failed


def _is_confirmed(count: int, status: int, span: float) -> bool:
    """Whether a page is gone after `count` misses over `span` seconds. A 410 is meant to be permanent (RFC 9110, section
    15.5.11), so the second miss confirms it. A 404 may be an accident and needs more."""
    if status == 410:
        return count > 1
    return count >= CONFIRMED_VISITS and span >= CONFIRMED_SPAN


def _tombstone(record: RevisitRecord, state: Gone, now: float) -> RevisitRecord:
    """The record of a page out of the collection, which is revisited rarely. A revisit before it is due (`--all`) does not
    change when it is due."""
    if state_of(record) is state and now < record.due_at:
        return replace(record, checked_at=now)
    base = _MOVED if state is Gone.MOVED else _GONE
    revisits = record.gone - base + 1 if state_of(record) is state else 0
    wait = min(TOMBSTONE * 2 ** min(revisits, 10), RAREST)
    return replace(record, gone=base + min(revisits, _MOST), checked_at=now, due_at=now + wait)


# Soft 404s


ANOTHER = 18
"""Bits. Texts at least so far apart share only their site's phrases; unrelated texts differ in 32."""
CHANGED_MUCH = 8
"""Bits that are enough if the text lost half of its length."""
NEAR = 6
"""Most bits between a host's answers to two URLs that cannot exist. The answers may name the URL: one word that differs is
within 3 bits for half of the pages of 40 words, and within 6 for nine in ten; texts that share half of their words differ in
20."""
KNOWN_FOR = 30 * DAY
"""A host is probed again after this time: one request a month. If it begins to answer everything with 200, that goes
unnoticed until then."""
NAME_LENGTH = 24
"""Characters of a random name that no page has."""


def suspicious(distance: int, old_length: int, new_length: int) -> bool:
    """Whether a page changed so much that its host is to be probed.

    A probe costs one request for each host and month, so this may be wrong often.

    Args:
        distance: Bits between the SimHashes of the words of the old and the new version.
        old_length: Length of the old version; negative if not known.
        new_length: Length of the new version in the same unit; negative if not known.
    """
    if distance >= ANOTHER:
        return True
    return distance >= CHANGED_MUCH and 0 <= new_length < old_length / 2


_SORRY = re.compile(
    r"\b404\b|not[ -]found|(?:could|can)(?: ?not|n?['’]t) (?:be found|find)|(?:does|do)(?: not|n['’]t) exist"
    r"|no longer (?:exists?|available)"
    r"|no such page|page (?:is )?missing|nothing (?:was )?found"
    r"|找不到|不存在|未找到|[无無]法找到|[没沒]有找到|(?:页面|頁面|网页|網頁|内容|內容).{0,8}[删刪]除",
    re.IGNORECASE,
)
SORRY_LENGTH = 1_000
"""Characters. A longer main text is an apology for a missing page only if it begins with one."""
BEGINNING = 300
"""Characters of a main text with which an apology begins. Below it may stand similar articles, as a search for the words of the
URL finds them."""
SHORTEST_APOLOGY = 3
"""Words, or Chinese characters."""
_ends = re.compile(r"[.!?。！？\n]")


def excuses(title: str, text: str) -> bool:
    """Whether a page that was never seen before reads as an apology for a missing page, so that its host is to be probed. A
    probe costs one request a month, so this may be wrong often; it decides nothing else."""
    return any(map(_SORRY.search, (title, text if len(text) <= SORRY_LENGTH else text[:BEGINNING])))


def apologies(title: str, text: str) -> list[str]:
    """The sentences with which a page apologizes, if it begins so: of its title and of the beginning of its main text."""
    return [*filter(_SORRY.search, (title, *_ends.split(text[:BEGINNING])))]


def is_soft404(signature: PageSignature, profile: SiteProfile) -> bool:
    """Whether a page's words may be those with which its host answers a URL that cannot exist. Ask `suspicious` first, and then
    `says_the_same`."""
    if not profile.soft404_simhash or not signature.simhash:
        return False
    return bits(signature.simhash, profile.soft404_simhash) <= NEAR


SAID = 10_000
"""Characters of an answer to a probe that are kept, and of a page that are compared with it."""


def said(text: str, url: str) -> list[str]:
    """The words of a page at a URL that are compared with those of another one at another URL: without numbers, and without
    words of its URL, which an answer for missing pages may name. `text`: title and main text."""
    named = set(plain_words(unquote(url)))
    return [word for word in plain_words(text[:SAID]) if word not in named and not any(map(str.isdigit, word))]


def says_the_same(words: Sequence[str], answer: Sequence[str]) -> bool:
    """Whether a page is the answer of its host to a probe, both as `said` gives them. What a page says beside the text of its
    site counts against it, unlike between duplicates, of which one may have more."""
    from focuscrawl.dedup.confirm import THRESHOLD  # NumPy, as in `simhash64`
    from focuscrawl.dedup.shingles import resemblance, shingles

    return words == answer or resemblance(shingles(words), shingles(answer)) >= THRESHOLD


def is_said(sentence: str, url: str, words: Sequence[str]) -> bool:
    """Whether a sentence of the page at `url` stands among the words of another page, as `said` gives them. Words of the URL
    count in neither."""
    ours, theirs = said(sentence, url), said(" ".join(words), url)
    return len(ours) >= SHORTEST_APOLOGY and f" {' '.join(ours)} " in f" {' '.join(theirs)} "


def soft404_of(status: int, signature: PageSignature, home: PageSignature | None) -> int | None:
    """What to keep as `SiteProfile.soft404_simhash` of the answer to a probe. None if the answer is not an error page with
    status 200: it says 404, has no words (their SimHash is 0), redirects, or is the home page (`home`; None: not in the
    store)."""
    if status != 200 or not signature.simhash:
        return None
    if home is not None and bits(signature.simhash, home.simhash) <= NEAR:
        return None
    return signature.simhash


def soft404_probe_url(origin: str, month: int = 0) -> str:
    """A URL of the origin (`https://example.org`) that cannot exist: letters and digits that look random, but are the same for
    the same `month` (any number)."""
    name = base64.b32encode(hashlib.sha256(f"probe {month} {origin}".encode()).digest())
    return f"{origin}/{name.decode().lower()[:NAME_LENGTH]}"


def stale(profile: SiteProfile, now: float) -> bool:
    """Whether the host's answer to a probe is missing or too old, so that it has to be probed."""
    return profile.soft404_probed_at <= 0 or not 0 <= now - profile.soft404_probed_at <= KNOWN_FOR
