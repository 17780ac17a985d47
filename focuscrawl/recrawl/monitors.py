"""Checks whether a recrawl went as it should: its figures, and the thresholds beyond which somebody should look."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass

from focuscrawl.items import FEED, SITEMAP, SOFT404_PROBE, Lease
from focuscrawl.recrawl.settings import RecrawlSettings

logger = logging.getLogger(__name__)

LEAST_REQUESTS = 20
"""A smaller run raises no alarm, because one bad page would make it a bad run …"""
LEAST_TOLD = 3
"""… unless all its requests failed, or all its pages are missed, and these are at least this many. One sitemap that fails in an
hour in which no page is due is no reason to look."""
# The fields of `Figures` that a stat `recrawl/NAME_count` gives.
SEEN = (
    "unmodified", "same", "minor", "changed", "suspect", "gone", "moved", "absent", "back", "failed", "new", "outside", "left",
    "joined", "unanswered",
)  # fmt: skip
STATUS = "downloader/response_status_count/"
MISSING = (404, 410)
KINDS = {SITEMAP: "sitemap", FEED: "feed", SOFT404_PROBE: "probe"}


def asked_for(lease: Lease) -> str:
    """What a request is made for, as a word for the stats: page, robots, sitemap, feed or probe."""
    return "robots" if lease.robots else KINDS.get(lease.kind, "page")


@dataclass(slots=True, frozen=True)
class Figures:
    """What a run with mode=recrawl has found: numbers of pages by what became of them since the last visit, and of requests."""

    unmodified: int = 0
    """The body was not read, because by a 304 or by the headers it is the same."""
    same: int = 0
    minor: int = 0
    """The words differ, but by at most 3 bits of the SimHash."""
    changed: int = 0
    suspect: int = 0
    """Missing, but not yet for long enough to be gone."""
    gone: int = 0
    moved: int = 0
    absent: int = 0
    """Gone, moved or suspect, as before."""
    back: int = 0
    failed: int = 0
    """The fetch failed."""
    new: int = 0
    outside: int = 0
    """New pages that are not in the collection: off topic, copies, or not to be indexed."""
    left: int = 0
    """Pages that are there, but belong to the collection no more. Revisited ones count among the same, minor and changed ones,
    too, as do those that `joined`; the others are copies of a page that was stored, or took the place of one that is gone."""
    joined: int = 0
    """Known pages that belong to the collection now."""
    unanswered: int = 0
    """URLs that stay due because their hosts gave no answer, in this run or when they were asked last."""
    requests: int = 0
    """All requests, including those counted by the next fields."""
    robots: int = 0
    sitemap: int = 0
    feed: int = 0
    probe: int = 0
    errors: int = 0
    """Requests without an answer, or with an error status other than 404 and 410."""

    @classmethod
    def of(cls, stats: Mapping[str, object]) -> Figures:
        """The figures of a run, from its stats."""
        seen = {name: _whole(stats.get(f"recrawl/{name}_count")) for name in SEEN}
        unanswered = _sum(stats, "politeness/failure_count/")
        statuses = {status: _whole(stats.get(f"{STATUS}{status}")) for status in range(400, 600) if status not in MISSING}
        requests = _sum(stats, "politeness/answer_count/") + unanswered
        asked = {name: _whole(stats.get(f"requests/{name}_count")) for name in ("robots", *KINDS.values())}
        return cls(**seen, **asked, requests=requests, errors=unanswered + sum(statuses.values()))

    @property
    def page_requests(self) -> int:
        """Requests for pages, including redirects and retries."""
        return self.requests - self.robots - self.sitemap - self.feed - self.probe

    @property
    def unchanged(self) -> int:
        return self.unmodified + self.same

    @property
    def missed(self) -> int:
        """Pages that this run found missing: suspect or gone."""
        return self.suspect + self.gone

    @property
    def visited(self) -> int:
        """Pages that were revisited, whatever the result."""
        found = self.unchanged + self.minor + self.changed + self.back
        return found + self.missed + self.moved + self.absent + self.failed


def alarms(figures: Figures, settings: RecrawlSettings) -> list[str]:
    """A sentence for each threshold that is exceeded, and one if nothing was fetched because no host with due URLs answered. In
    a run of fewer than 20 requests the thresholds count only if all requests, at least three, failed, or if all pages, at least
    three, are newly gone or missing."""
    small, pages = figures.requests < LEAST_REQUESTS, figures.visited - figures.absent
    all_failed = figures.errors >= figures.requests >= LEAST_TOLD
    all_missed = figures.missed == pages >= LEAST_TOLD
    shares = (
        (figures.errors, figures.requests, "requests failed", "RECRAWL_MOST_ERRORS", settings.most_errors),
        (figures.missed, pages, "pages are gone or missing now", "RECRAWL_MOST_GONE", settings.most_gone),
    )
    counted = (not small or all_failed, not small or all_missed)
    silent = figures.unanswered > 0 and figures.errors >= figures.requests
    nothing = ["nothing was fetched, because no host with due URLs answered"] if silent else []
    return nothing + [
        f"{part} of {whole} {what} ({part / whole:.0%}), more than {name}={most:g} allows"
        for (part, whole, what, name, most), counts in zip(shares, counted, strict=True)
        if counts and whole and part / whole > most
    ]


def log_alarms(sentences: list[str]) -> None:
    """Log the alarms as errors, which cron sends by mail."""
    for sentence in sentences:
        logger.error("%s", sentence)


def _sum(stats: Mapping[str, object], prefix: str) -> int:
    return sum(_whole(value) for name, value in stats.items() if name.startswith(prefix))


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0
