"""Every setting that we read, declared once: type, range, unit, meaning. The defaults stand in `focuscrawl/settings.py`.

A field is named after its setting, in lower case: `options.politeness_delay` is POLITENESS_DELAY. From the declarations follow
the check at the start (a value that cannot be used is refused with one sentence), the values that the rooms get, the names that
a misspelt one is compared with, and the tables of docs/settings.md; tests/config/test_options.py holds all of them together.

To add a setting: its default in settings.py, its declaration here, and a row with its name in docs/settings.md, which
`python -m tools.settings_table` fills in.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, get_args, get_origin

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic.fields import FieldInfo

from focuscrawl import settings as defaults
from focuscrawl.config.given_settings import refuse_rewired, refuse_unknown
from focuscrawl.errors import BadInput, quoted
from focuscrawl.frontier.partition import Foreign, Grain, Partition, parse_part
from focuscrawl.politeness.dns_sources import servers_of
from focuscrawl.politeness.guard import Guard
from focuscrawl.reading.documents.formats import CHOICES
from focuscrawl.recrawl.settings import RecrawlSettings

if TYPE_CHECKING:
    from focuscrawl.dedup.methods import DedupMethod

# --- types: how text from the command line, the environment or Scrapyd is read -------------------------------------------


def _whole_number(value: object) -> object:
    return int(value) if isinstance(value, str) else value  # "2.0" is refused: Scrapy's own getint() fails on it


LARGEST = 2**63 - 1
"""Of whole numbers, for the store and for queues."""
LONGEST = 10**9
"""Of other numbers, which are seconds where they may be large (30 years): dates end somewhere."""


def _not_too_large(value: float, info: ValidationInfo) -> float:
    most = LARGEST if isinstance(value, int) else LONGEST
    if value > most:
        raise BadInput(f"setting {str(info.field_name).upper()}={value} is out of range; use {most} at most")
    return value


def _boolean(value: object) -> bool:
    """What Scrapy's getbool() takes, because others read the same settings by it; `yes` would fail there with a traceback."""
    if str(value) not in ("0", "1", "true", "false", "True", "False"):
        raise ValueError
    return str(value) in ("1", "true", "True")


def _parts(value: object) -> tuple[str, ...]:
    """Read as by Scrapy's getlist(): text between commas, or a list."""
    parts = value.split(",") if isinstance(value, str) else value or ()
    if not isinstance(parts, list | tuple | set):
        raise ValueError
    return tuple(text for part in parts if (text := str(part).strip()))


def _dns_servers(value: object) -> tuple[str, ...]:
    servers_of(parts := _parts(value))
    return parts


def _networks(value: object) -> tuple[str, ...]:
    Guard.of(parts := _parts(value))
    return parts


def _ports(value: object) -> tuple[str, ...]:
    Guard.of((), parts := _parts(value))
    return parts


def _documents(value: object) -> tuple[str, ...]:
    parts = tuple(part.lower() for part in _parts(value))
    if unknown := [part for part in parts if part not in CHOICES]:
        raise BadInput(
            f"setting READING_DOCUMENTS={unknown[0][:40]!r} is unknown; use a list of {', '.join(CHOICES)}, or nothing for none"
        )
    return parts


def _seconds(value: object) -> tuple[float, ...]:
    try:
        seconds = tuple(float(part) for part in _parts(value))
    except ValueError:
        seconds = (-1.0,)
    if not all(0 <= each <= LONGEST for each in seconds):
        raise BadInput(f"setting FRONTIER_RETRY_DELAYS={value!r} is not a list of seconds; use for example 60,300,1800")
    return seconds


def _store_url(value: object) -> str:
    url = str(value or "")
    if url and not url.startswith(("postgresql://", "postgres://")):
        scheme = re.match(r"[a-z][a-z0-9+.-]{,19}(?=://)", url)  # the rest may hold a password
        raise BadInput(
            f"setting STORE_URL{f'={scheme[0]}…' if scheme else ''} is unknown; use postgresql://USER@HOST:PORT/DATABASE,"
            " or nothing for SQLite"
        )
    place, _, rest = url.partition("://")[2].partition("/")
    # What follows the first @, or a / before it, would be taken for the host or the database, and be printed as such.
    if f"{place}{rest}".partition("?")[0].count("@") > 1 or ("@" in rest.partition("?")[0] and "@" not in place):
        raise BadInput(
            "setting STORE_URL has more than one @, or a / before it; write those in a password as %40 and %2F, and : as %3A"
        )
    return url


LONGEST_CONTACT = 200
"""Characters: it goes into a header of every request."""


def _contact(value: object) -> str:
    contact = str(value or "").strip()
    if not contact.isprintable() or len(contact) > LONGEST_CONTACT:
        raise BadInput(f"setting CONTACT={contact[:40]!r} cannot stand in a header; use an address such as you@example.org")
    return contact


_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


def _log_level(value: object) -> str:
    if not isinstance(value, int) and value not in _LEVELS:
        raise BadInput(f"setting LOG_LEVEL={value!r} is unknown; use one of {', '.join(_LEVELS)}")
    return str(value)


def _text(value: object) -> str:
    return "" if value is None else str(value)


Text = Annotated[str, BeforeValidator(_text)]
Switch = Annotated[bool, BeforeValidator(_boolean)]
Whole = Annotated[int, BeforeValidator(_whole_number), AfterValidator(_not_too_large)]
Number = Annotated[float, Field(allow_inf_nan=False), AfterValidator(_not_too_large)]


def _declared(meaning: str, least: float | None = None, most: float | None = None, *, values: str = "") -> Any:
    """A setting.

    Args:
        meaning: for the tables of docs/settings.md.
        least, most: the range of a number, both ends included.
        values: the unit of a number (plural), or what is wanted where the type does not say it.
    """
    return Field(description=meaning, ge=least, le=most, json_schema_extra={"values": values})


# --- the settings, in the order of docs/settings.md -------------------------------------------------------------------------


class Options(BaseModel):
    """The checked value of every declared setting."""

    model_config = ConfigDict(frozen=True)

    # the crawl
    crawls_dir: Text = _declared("folder of all crawls; each has a folder of its own", values="path")
    store_url: Annotated[str, BeforeValidator(_store_url)] = _declared(
        "where a new crawl keeps its store: empty is SQLite in the crawl's directory, else a PostgreSQL server (15 or newer)"
        " that workers on many machines share; see below",
        values="`postgresql://USER@HOST:PORT/DATABASE`",
    )
    topics_dir: Text = _declared("folder of the topics that `scrapy topic` makes", values="path")
    contact: Annotated[str, BeforeValidator(_contact)] = _declared(
        "an e-mail address or a web page; goes into the User-Agent, so that site owners can reach you. Crawling public hosts"
        " without it gives one warning",
        values="text",
    )
    user_agent: Text = _declared("how the crawler names itself; `CONTACT` is added", values="text")
    live_enabled: Switch = _declared("the live table on a terminal")
    summary_enabled: Switch = _declared(
        "the closing summary on standard error, or in the log file; the report is written in any case"
    )
    report_language: Literal["en", "zh"] = _declared(
        "the language of reports (`scrapy report` takes `--language`, too), of the live table and the closing summary, and of"
        " what commands print for people ([which](commands.md#in-chinese))"
    )

    # Scrapy's own that a crawl reads: checked with ours, because Scrapy would fail on them later and with a traceback
    concurrent_requests: Whole = _declared(
        "requests in flight of one process; those that have waited for more than a second do not count. A crawl that chooses by"
        " score often has fewer",
        1,
    )
    concurrent_items: Whole = _declared(
        "items of one response in the pipelines at once; 2 costs a third of Scrapy's 100 per page", 1, 1000
    )
    download_timeout: Number = _declared(
        "until an answer begins, and the most that its body may pause; the whole may take twice as long. Of a body that pauses"
        " or takes longer, what came is kept, and marked as cut off",
        0.1,
        values="seconds",
    )
    download_maxsize: Whole = _declared(
        "a larger answer is given up; of a page, the beginning is kept, of this or `ARCHIVE_BODY_BYTES`, whichever is"
        " less; 0: no limit",
        0,
        values="bytes",
    )
    log_level: Annotated[str, BeforeValidator(_log_level)] = _declared(
        "what is logged, one line an event", values=", ".join(f"`{level}`" for level in _LEVELS)
    )

    # frontier
    frontier_idle_stop: Number = _declared(
        "the crawl ends as `empty` when nothing falls due within this time and no other worker holds a lease; what waits"
        " stays in the store. A host that answers is waited for, however long its delay (a Crawl-delay counts up to 120 s)",
        0,
        values="seconds",
    )
    frontier_cache_size: Whole = _declared(
        "URLs in the cache in front of the seen-test; the least frequently used goes first", 1, values="URLs"
    )
    frontier_retry_delays: Annotated[tuple[float, ...], BeforeValidator(_seconds)] = _declared(
        "wait before each further try of a URL (times 0.8 to 1.2); after the last it is given up."
        " One that is answered with 429 or 503 waits for its Retry-After, twice as long each time, and has four times as many"
        " tries",
        values="list of seconds",
    )
    frontier_host_share: Number = _declared(
        "a host with more than this share of the last 200 fetches counts for 0.8 of its priority: it gives way to hosts that"
        " are nearly as good, never to poor ones; 1: off. Focused strategies only",
        0,
        1,
    )
    frontier_patience: Number = _declared(
        "a crawl with `max_pages` or `max_requests`, or a recrawl with `budget`, fetches nothing poor while better URLs only"
        " wait for their hosts' delays, and keeps few fetches on the way, as long as all of them can be made within this time,"
        " or within its `minutes` if that is less; 0: it does neither. Focused strategies and recrawls only",
        0,
        values="seconds",
    )
    frontier_random_seed: Whole = _declared(
        "what chance decides in the order of the crawl (samples, exploration) is the same for the same number", 0, 2**63 - 1
    )
    frontier_weight_prior: Number = _declared(
        "share of a page's weight (in-degree, parents, mirrors, directory depth) that is added to its priority, in every"
        " strategy",
        0,
        1,
    )
    frontier_stop_harvest: Number = _declared("stop when the share of relevant pages falls below this; 0: never", 0, 1)
    frontier_stop_window: Whole = _declared("pages over which that share is measured", 1, values="pages")
    frontier_stop_yield: Number = _declared(
        "stop when for 100 pages a smaller share of the next 100 has been expected to be relevant (0.05: fewer than five); 0:"
        " never",
        0,
        1,
    )
    frontier_edge: Number = _declared(
        "the edge is reached when the best waiting URL has had a smaller chance to be relevant … (see `at_edge`); 0: never",
        0,
        1,
    )
    frontier_barren_share: Number = _declared(
        "a part of the web (domain, host, directory, template of addresses, query parameter, new hosts) that surely brings less"
        " than this share of what the rest of the crawl brings gets no more requests (docs/traps.md); 0: never",
        0,
        1,
    )
    frontier_sitemaps: Switch = _declared(
        "ordinary crawls read a few sitemaps and feeds, too, of hosts of which many pages are relevant, or whose seed has no"
        " link: entries that speak of the topic enter the frontier. Strategies that do not choose by score leave them to"
        " recrawls"
    )
    frontier_edge_window: Whole = _declared("… for this many pages", 1, values="pages")
    frontier_stop_on_drift: Switch = _declared(
        "stop at a drift alarm; else it is a warning in the log, the summary and the report"
    )

    # parts of several workers
    partition_grain: Grain = _declared(
        "what stays together: a host name, a registered domain, hosts in one IPv4 /24 or IPv6 /48 (by name before the IP"
        " address is known; the first one decides), or the pages of a host below one first path segment. One grain holds for a"
        " crawl; another is refused while workers are active, else everything is divided again"
    )
    partition_foreign: Foreign = _declared(
        "a link to another worker's part: written down for its owner, refused by the rule `foreign`, or written down and"
        " fetched when nothing of one's own is ready"
    )

    # recrawl
    recrawl_policy: Literal["optimal", "uniform", "batch", "nutch", "similarity"] = _declared(
        "when a page is revisited: by change rate and relevance, each as often as any, all at once, or each by its own period"
        " of change (the last two)"
    )
    recrawl_bandwidth: Number = _declared(
        "what `optimal`, `uniform` and `batch` plan for: 0.1 is each page every ten days on average",
        1e-6,
        1000,
        values="revisits per page and day",
    )
    recrawl_period: Number = _declared(
        "first period of `nutch` and `similarity`; at least the least period", 0.001, 36_500, values="days"
    )
    recrawl_least_period: Number = _declared("no page is revisited more often (0.04: an hour) …", 0.001, 36_500, values="days")
    recrawl_most_period: Number = _declared("… or less often", 0.001, 36_500, values="days")
    recrawl_prior: Number = _declared(
        "change rate of a page as long as nothing is known of it or its host", 1e-6, 1000, values="changes per day"
    )
    recrawl_versions: Whole = _declared(
        "former versions of a page that are kept, with what changed", 0, 1000, values="versions"
    )
    recrawl_grace: Number = _declared("after this time the text of a page that is gone is removed", 0, 36_500, values="days")
    recrawl_check_headers: Switch = _declared(
        "a body is not read when headers say that it is the same, on hosts whose headers have proved right"
    )
    recrawl_signals: Switch = _declared("sitemaps and feeds are read, for pages that are new or have changed")
    recrawl_most_errors: Number = _declared(
        "`scrapy recrawl` ends with exit code 3 when a larger share of its requests failed …", 0, 1
    )
    recrawl_most_gone: Number = _declared("… or of the pages that it checked is newly gone or missing", 0, 1)

    # politeness
    politeness_delay: Number = _declared(
        "between requests to one host, from the end of one to the start of the next. 0 turns the adaptive part off too",
        0,
        values="seconds",
    )
    politeness_concurrency: Whole = _declared("requests in flight to one host", 1)
    politeness_address_delay: Number = _declared("the same delay for one IP address", 0, values="seconds")
    politeness_address_concurrency: Whole = _declared("requests in flight to one IP address", 1)
    politeness_latency_factor: Number = _declared("the delay is at least this many times the host's latency", 0)
    robotstxt_obey: Switch = _declared("obey robots.txt (RFC 9309)")
    robotstxt_user_agent: Annotated[str, BeforeValidator(lambda value: str(value or "focuscrawl"))] = _declared(
        "the product token looked for in robots.txt and in meta robots", values="text"
    )

    # IP addresses
    dns_servers: Annotated[tuple[str, ...], BeforeValidator(_dns_servers)] = _declared(
        "name servers, asked in rotation; empty: the system's", values="list of `IP` or `IP:PORT`"
    )
    dns_query_timeout: Number = _declared("for one question to one server", 0.01, values="seconds")
    dns_cache_size: Whole = _declared("hosts whose IP addresses are remembered", 1, values="hosts")
    guard_allow_networks: Annotated[tuple[str, ...], BeforeValidator(_networks)] = _declared(
        "networks that may be asked although they are not public, on any port", values="list such as `127.0.0.0/8`"
    )
    guard_allow_ports: Annotated[tuple[str, ...], BeforeValidator(_ports)] = _declared(
        "ports that may be asked; empty: 80, 81, 88, 443, 8000, 8008, 8080, 8081, 8088, 8443, 8888",
        values="list such as `443,8000-8100`",
    )
    tls_policy: Literal["note", "strict"] = _declared(
        "what follows when the certificate of a host is not good: it is noted with the page, or nothing of the host is read"
    )

    # pages, links, archive
    relevance_model: Literal["calibrated", "vsm", "naive-bayes"] = _declared("what judges pages; see below")
    relevance_segmenter: Literal["rjieba", "jieba"] = _declared(
        "what cuts the Chinese text of pages: `rjieba`, or the reference `jieba`, which always cuts a topic's own texts"
    )
    relevance_min_term_weight: Number = _declared("terms of the topic below this weight are dropped", 0, 1)
    relevance_best_text: Switch = _declared(
        "give kept pages the text of the best extractor, in a process of its own, after their commit"
    )
    search_index: Switch = _declared(
        "keep the search index near the store while a crawl runs, in a process of its own; else `scrapy search` does all of it"
    )
    search_searxng_url: Text = _declared(
        "a SearXNG instance that the dashboard searches for pages of a topic; it must answer JSON", values="address"
    )
    scrapyd_url: Text = _declared(
        "a Scrapyd with this project, whose jobs the dashboard starts and shows beside its own; user and password may stand in"
        " it",
        values="address",
    )
    reading_documents: Annotated[tuple[str, ...], BeforeValidator(_documents)] = _declared(
        "documents besides HTML that are fetched and read, in a process with limits; empty: none. `txt` opens links to plain"
        " text, which many sites have as sources of their pages. See [pages](pages.md)",
        values=f"list of {', '.join(f'`{name}`' for name in CHOICES)}",
    )
    relevance_drift_bound: Number = _declared(
        "a drift alarm when the centre of the last 100 relevant pages is less than this share as near to the topic as that of"
        " the first 50 was, or when most of them come from one page template with nearly the same words; while the centre is"
        " away nothing is learned from relevant pages that are as far from the topic; 0: no alarms",
        0,
        1,
    )
    linkscore_tunnelling: Literal["learned", "fixed"] = _declared(
        "through how many irrelevant pages in a row links are followed: as far as it has paid in this crawl, and beyond while"
        " few such links are known, or a fixed number"
    )
    linkscore_tunnel_depth: Whole = _declared("that number, where it is `fixed`", 0, values="pages")
    linkscore_replay_pages: Whole = _declared(
        "fetches of earlier runs that are shown to the order strategy when a crawl resumes", 0, values="fetches"
    )
    dedup_method: Literal["simhash", "shingles", "winnowing"] = _declared(
        "how near-duplicates are found; where a crawl changes it, only equal texts are copies of what was stored before, until"
        " that is read again"
    )
    dedup_simhash: Literal["numpy", "simhash"] = _declared(
        "what computes SimHashes: our NumPy code, or the package `simhash`, the reference; both give the same values"
    )
    archive_max_bytes: Whole = _declared("a WARC file is closed above this size", 1 << 16, values="bytes")
    archive_body_bytes: Whole = _declared(
        "what is read and kept of a body, on the wire and unpacked; the download ends there, and the page is marked as cut",
        1 << 10,
        values="bytes",
    )

    @property
    def recrawl(self) -> RecrawlSettings:
        """The settings RECRAWL_*, for the rooms that know no others."""
        values = {field.name: getattr(self, f"recrawl_{field.name}") for field in fields(RecrawlSettings)}
        values["period"] = max(self.recrawl_period, self.recrawl_least_period)  # where it was not given, it follows
        return RecrawlSettings(**values)

    @property
    def dedup(self) -> DedupMethod:
        """The way to find near-duplicates."""
        from focuscrawl.dedup.methods import method  # late: it imports numpy

        return method(self.dedup_method, self.dedup_simhash)

    def partition(self, part: str) -> Partition | None:
        """This worker's part of the hosts.

        Args:
            part: `i/n`, the argument `partition`; "" for a worker that takes any host.

        Raises:
            BadInput: it is not of this form.
        """
        return Partition(*parse_part(part), self.partition_grain, self.partition_foreign) if part else None

    @model_validator(mode="after")
    def _periods_in_order(self) -> Self:
        least = self.recrawl_least_period
        for name, days in (("RECRAWL_PERIOD", self.recrawl_period), ("RECRAWL_MOST_PERIOD", self.recrawl_most_period)):
            if days >= least:
                continue
            if days != getattr(defaults, name):
                raise BadInput(
                    f"setting {name}={days:g} is below RECRAWL_LEAST_PERIOD={least:g}; raise {name}, or lower the other"
                )
            if name == "RECRAWL_MOST_PERIOD":
                raise BadInput(f"setting RECRAWL_LEAST_PERIOD={least:g} is above {name}={days:g}; lower it, or raise {name}")
        return self


# --- from Scrapy's settings to Options ------------------------------------------------------------------------------------

DECLARED: Mapping[str, FieldInfo] = {name.upper(): field for name, field in Options.model_fields.items()}


def read_options(settings: Mapping[Any, Any], environment: Mapping[str, str] = os.environ) -> Options:
    """The checked values of all declared settings.

    Args:
        settings: Scrapy's, with our defaults in them.
        environment: of the process, for misspelt variables FOCUSCRAWL_*.

    Raises:
        BadInput: one sentence that names a setting that is misspelt, or has a value that cannot be used.
    """
    refuse_unknown(settings, environment, DECLARED)
    refuse_rewired(settings)
    given = {name: settings.get(name) for name in DECLARED}
    try:
        return Options.model_validate({name.lower(): value for name, value in given.items()})
    except ValidationError as error:
        raise _first_problem(error, given) from None


def values_of(field: FieldInfo) -> str:
    """What a setting can be, in words: `seconds, 0 or more`."""
    extra = field.json_schema_extra
    values = str(extra["values"]) if isinstance(extra, dict) else ""
    if field.annotation is bool:
        return "`True` or `False`"
    if get_origin(field.annotation) is Literal:
        return ", ".join(f"`{word}`" for word in get_args(field.annotation))
    return ", ".join(filter(None, (values, _range(field))))


def _range(field: FieldInfo) -> str:
    """`0 or more`, `0 to 1`; "" for what is not a number."""
    least, most = (next((getattr(each, end) for each in field.metadata if hasattr(each, end)), None) for end in ("ge", "le"))
    if least is None:
        return ""
    return f"{_plain(least)} or more" if most is None else f"{_plain(least)} to {_plain(most)}"


def _plain(number: float) -> str:
    """0.000001 as people write it, not 1e-06."""
    return str(number) if isinstance(number, int) else f"{number:.6f}".rstrip("0").rstrip(".")


def _first_problem(error: ValidationError, given: Mapping[str, object]) -> BadInput:
    """The first of pydantic's errors as one sentence. A validator's own BadInput is that sentence already."""
    problem = error.errors(include_url=False)[0]
    cause = problem.get("ctx", {}).get("error")
    if isinstance(cause, BadInput):
        return cause
    name = str(problem["loc"][0]).upper()
    value = given[name]
    field, start = DECLARED[name], f"setting {name}={quoted(value) if isinstance(value, str) else repr(value)}"
    if field.annotation is bool:
        return BadInput(f"{start} is neither true nor false; use True or False")
    if get_origin(field.annotation) is Literal:
        return BadInput(f"{start} is unknown; use one of {', '.join(get_args(field.annotation))}")
    if get_origin(field.annotation) is tuple:
        return BadInput(f"{start} is not a list; use text with commas between, or a list")
    if problem["type"] in ("greater_than_equal", "less_than_equal", "finite_number"):
        return BadInput(f"{start} is out of range; use {_range(field)}")
    return BadInput(f"{start} is not a {'whole ' if field.annotation is int else ''}number; use {_range(field)}")
