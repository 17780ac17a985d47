"""Our settings, read and checked once: a wrong one stops the start with one sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from scrapy.settings import BaseSettings

from focuscrawl.errors import BadInput
from focuscrawl.frontier.partition import FOREIGN, GRAINS, Partition, parse_part
from focuscrawl.politeness.dns_sources import servers_of
from focuscrawl.politeness.guard import Guard
from focuscrawl.politeness.pace import PaceSettings
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.store.frontier.leasing import Limits
from models.link.tunnelling import POLICIES
from models.page.page_model import PAGE_MODELS

# Single settings, read and checked: a wrong one is refused with one sentence.


Value = TypeVar("Value", int, float)


def one_of(settings: BaseSettings, name: str, valid: Sequence[str]) -> str:
    """One of the words in `valid`. Raises BadInput."""
    value = str(settings.get(name))
    if value not in valid:
        raise BadInput(f"setting {name}={value!r} is unknown; use one of {', '.join(valid)}")
    return value


def number(
    settings: BaseSettings, name: str, kind: Callable[[str | float], Value], least: float = 0, most: float | None = None
) -> Value:
    """Between `least` and `most`. Raises BadInput."""
    raw = settings.get(name)
    range_ = f"{least} or more" if most is None else f"{least} to {most}"
    what = "a whole number" if kind is int else "a number"
    try:
        value = kind(raw if isinstance(raw, int | float) else str(raw).strip())
    except ValueError:
        raise BadInput(f"setting {name}={raw!r} is not {what}; use {range_}") from None
    if not value >= least or (most is not None and value > most) or value == float("inf"):
        raise BadInput(f"setting {name}={raw!r} is out of range; use {range_}")
    return value


def yes(settings: BaseSettings, name: str) -> bool:
    """Raises BadInput."""
    try:
        return settings.getbool(name)
    except ValueError:
        raise BadInput(f"setting {name}={settings.get(name)!r} is neither true nor false; use True or False") from None


# The settings RECRAWL_*, read and checked.


RECRAWL_POLICIES = ("optimal", "uniform", "batch", "nutch", "similarity")
SHORTEST, LONGEST = 0.001, 36_500.0
"""Days."""


def read_recrawl_options(settings: BaseSettings) -> RecrawlSettings:
    """Raises BadInput naming the setting and what would be right."""
    least = number(settings, "RECRAWL_LEAST_PERIOD", float, least=SHORTEST, most=LONGEST)
    return RecrawlSettings(
        policy=one_of(settings, "RECRAWL_POLICY", RECRAWL_POLICIES),
        bandwidth=number(settings, "RECRAWL_BANDWIDTH", float, least=1e-6, most=1000.0),
        period=_period(settings, "RECRAWL_PERIOD", least),
        least_period=least,
        most_period=_period(settings, "RECRAWL_MOST_PERIOD", least),
        prior=number(settings, "RECRAWL_PRIOR", float, least=1e-6, most=1000.0),
        versions=number(settings, "RECRAWL_VERSIONS", int, most=1000),
        grace=number(settings, "RECRAWL_GRACE", float, most=LONGEST),
        check_headers=yes(settings, "RECRAWL_CHECK_HEADERS"),
        signals=yes(settings, "RECRAWL_SIGNALS"),
        most_errors=number(settings, "RECRAWL_MOST_ERRORS", float, most=1.0),
        most_gone=number(settings, "RECRAWL_MOST_GONE", float, most=1.0),
    )


def _period(settings: BaseSettings, name: str, least: float) -> float:
    """A period in days that the least one does not exceed."""
    days = number(settings, name, float, least=SHORTEST, most=LONGEST)
    if days < least:
        raise BadInput(f"setting {name}={days:g} is below RECRAWL_LEAST_PERIOD={least:g}; raise {name}, or lower the other")
    return days


DEDUP_METHODS = ("simhash", "shingles", "winnowing")
LONGEST_CONTACT = 200
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


@dataclass(slots=True, frozen=True)
class Options:
    crawls_dir: str
    store_url: str
    contact: str
    user_agent: str
    idle_stop: float
    cache_size: int
    random_seed: int
    retry_delays: tuple[float, ...]
    stop_harvest: float
    stop_window: int
    stop_promise: float
    stop_on_drift: bool
    edge: float
    edge_window: int
    drift_bound: float
    delay: float
    concurrency: int
    address_delay: float
    address_concurrency: int
    latency_factor: float
    requests: int
    obey_robots: bool
    robots_agent: str
    """Product token looked for in robots.txt, META robots and X-Robots-Tag."""
    relevance_model: str
    """Name of the page model, see `models.page.page_model`."""
    min_term_weight: float
    best_text: bool
    dedup_method: str
    tunnelling: str
    tunnel_depth: int
    replay_pages: int
    host_share: float
    warc_bytes: int
    body_bytes: int
    partition_grain: str
    partition_foreign: str
    recrawl: RecrawlSettings

    def partition(self, part: str) -> Partition | None:
        """This worker's part of the hosts, from `i/n`; None: it takes what comes. Raises BadInput."""
        return Partition(*parse_part(part), self.partition_grain, self.partition_foreign) if part else None

    def limits(self, pages_per_host: int, focused: bool = True, own: Partition | None = None) -> Limits:
        """What the frontier keeps to."""
        host = PaceSettings(self.delay, self.concurrency, self.latency_factor)
        address = PaceSettings(self.address_delay, self.address_concurrency, 0.0, statuses=False)
        share = self.host_share if focused else 1.0
        return Limits(host, address, self.requests, pages_per_host, 0, self.obey_robots, share, own)


def read_options(settings: BaseSettings) -> Options:
    """Raises BadInput naming the setting and what would be right."""
    _check_others(settings)
    return Options(
        crawls_dir=str(settings.get("CRAWLS_DIR")),
        store_url=_store_url(settings),
        contact=_contact(settings),
        user_agent=str(settings.get("USER_AGENT")),
        idle_stop=number(settings, "FRONTIER_IDLE_STOP", float),
        cache_size=number(settings, "FRONTIER_CACHE_SIZE", int, least=1),
        random_seed=number(settings, "FRONTIER_RANDOM_SEED", int, most=2**63 - 1),
        retry_delays=_delays(settings, "FRONTIER_RETRY_DELAYS"),
        stop_harvest=number(settings, "FRONTIER_STOP_HARVEST", float, most=1.0),
        stop_window=number(settings, "FRONTIER_STOP_WINDOW", int, least=1),
        stop_promise=number(settings, "FRONTIER_STOP_YIELD", float, most=1.0),
        stop_on_drift=yes(settings, "FRONTIER_STOP_ON_DRIFT"),
        edge=number(settings, "FRONTIER_EDGE", float, most=1.0),
        edge_window=number(settings, "FRONTIER_EDGE_WINDOW", int, least=1),
        drift_bound=number(settings, "RELEVANCE_DRIFT_BOUND", float, most=1.0),
        delay=number(settings, "POLITENESS_DELAY", float),
        concurrency=number(settings, "POLITENESS_CONCURRENCY", int, least=1),
        address_delay=number(settings, "POLITENESS_ADDRESS_DELAY", float),
        address_concurrency=number(settings, "POLITENESS_ADDRESS_CONCURRENCY", int, least=1),
        latency_factor=number(settings, "POLITENESS_LATENCY_FACTOR", float),
        requests=number(settings, "CONCURRENT_REQUESTS", int, least=1),
        obey_robots=yes(settings, "ROBOTSTXT_OBEY"),
        robots_agent=str(settings.get("ROBOTSTXT_USER_AGENT") or "focuscrawl"),
        relevance_model=one_of(settings, "RELEVANCE_MODEL", PAGE_MODELS),
        min_term_weight=number(settings, "RELEVANCE_MIN_TERM_WEIGHT", float, most=1.0),
        best_text=yes(settings, "RELEVANCE_BEST_TEXT"),
        dedup_method=one_of(settings, "DEDUP_METHOD", DEDUP_METHODS),
        tunnelling=one_of(settings, "LINKSCORE_TUNNELLING", POLICIES),
        tunnel_depth=number(settings, "LINKSCORE_TUNNEL_DEPTH", int),
        replay_pages=number(settings, "LINKSCORE_REPLAY_PAGES", int),
        host_share=number(settings, "FRONTIER_HOST_SHARE", float, most=1.0),
        warc_bytes=number(settings, "ARCHIVE_MAX_BYTES", int, least=1 << 16),
        body_bytes=number(settings, "ARCHIVE_BODY_BYTES", int, least=1 << 10),
        partition_grain=one_of(settings, "PARTITION_GRAIN", GRAINS),
        partition_foreign=one_of(settings, "PARTITION_FOREIGN", FOREIGN),
        recrawl=read_recrawl_options(settings),
    )


def _check_others(settings: BaseSettings) -> None:
    """What resolver, guard, handler and Scrapy itself read later, when it is too late for one sentence."""
    servers_of(str(value) for value in settings.getlist("DNS_SERVERS"))
    Guard.of(settings.getlist("GUARD_ALLOW_NETWORKS"), settings.getlist("GUARD_ALLOW_PORTS"))
    number(settings, "DNS_QUERY_TIMEOUT", float, least=0.01)
    number(settings, "DNS_CACHE_SIZE", int, least=1)
    number(settings, "DOWNLOAD_TIMEOUT", float, least=0.1)
    number(settings, "DOWNLOAD_MAXSIZE", int)
    number(settings, "CONCURRENT_ITEMS", int, least=1)
    yes(settings, "LIVE_ENABLED")
    yes(settings, "SUMMARY_ENABLED")
    level = settings.get("LOG_LEVEL")
    if not isinstance(level, int) and level not in LOG_LEVELS:
        raise BadInput(f"setting LOG_LEVEL={level!r} is unknown; use one of {', '.join(LOG_LEVELS)}")


def _store_url(settings: BaseSettings) -> str:
    url = str(settings.get("STORE_URL") or "")
    if url and not url.startswith(("postgresql://", "postgres://")):
        shown = url.partition(":")[0][:20]
        raise BadInput(
            f"setting STORE_URL={shown}… is unknown; use postgresql://USER@HOST:PORT/DATABASE, or nothing for SQLite"
        )
    if url.partition("?")[0].count("@") > 1:  # what follows the first would be taken for the host, and be printed as such
        raise BadInput("setting STORE_URL has more than one @; write one in a password as %40, / as %2F and : as %3A")
    return url


def _contact(settings: BaseSettings) -> str:
    contact = str(settings.get("CONTACT") or "").strip()
    if not contact.isprintable() or len(contact) > LONGEST_CONTACT:
        raise BadInput(f"setting CONTACT={contact[:40]!r} cannot stand in a header; use an address such as you@example.org")
    return contact


def _delays(settings: BaseSettings, name: str) -> tuple[float, ...]:
    try:
        delays = tuple(float(value) for value in settings.getlist(name))
    except ValueError:
        delays = (-1.0,)
    if any(not 0 <= delay < float("inf") for delay in delays):
        raise BadInput(f"setting {name}={settings.get(name)!r} is no list of seconds; use for example 60,300,1800")
    return delays
