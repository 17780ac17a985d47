"""What an operator decides about freshness, as values of the settings RECRAWL_*."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True, frozen=True)
class RecrawlSettings:
    """The settings RECRAWL_*, except for RECRAWL_CHECK_HEADERS, which the middleware reads; times are days."""

    policy: str = "optimal"
    bandwidth: float = 0.1
    """Visits per page and day."""
    period: float = 10.0
    """The first period, for policies that adapt it (`nutch`, `similarity`)."""
    least_period: float = 1 / 24
    most_period: float = 180.0
    prior: float = 1 / 30
    """Changes per day of a page of which nothing is known, on a host of which nothing is known."""
    versions: int = 3
    """Former versions of a page that are kept."""
    grace: float = 30.0
    """How long the text of a page that is gone stays in the store."""
    signals: bool = True
    """Whether sitemaps and feeds are read."""
    most_errors: float = 0.5
    """Share of the requests of a run of `scrapy recrawl` that may fail before its exit code is 3."""
    most_gone: float = 0.2
    """Share of the visited pages that may be found gone before its exit code is 3."""
