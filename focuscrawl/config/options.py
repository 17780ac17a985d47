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


def _number(value: object) -> object:
    return float(value) if isinstance(value, str) else value  # as Scrapy's getfloat(), which takes full-width digits, too


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
        raise BadInput(f"setting CONTACT={contact[:40]!r} cannot be sent in a header; use an address such as you@example.org")
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
Number = Annotated[float, BeforeValidator(_number), Field(allow_inf_nan=False), AfterValidator(_not_too_large)]


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
        "where a new crawl keeps its store. Empty: SQLite in the crawl's folder. Else: a PostgreSQL server (15 or newer), which"
        " workers on many machines can share; see below",
        values="`postgresql://USER@HOST:PORT/DATABASE`",
    )
    topics_dir: Text = _declared("folder of the topics that `scrapy topic` makes", values="path")
    contact: Annotated[str, BeforeValidator(_contact)] = _declared(
        "an e-mail address or a web page. It goes into the User-Agent, so that site owners can reach you. A crawl of public"
        " hosts without it gives one warning",
        values="text",
    )
    user_agent: Text = _declared("the name by which servers see the crawler; `CONTACT` is added", values="text")
    live_enabled: Switch = _declared("show the live table on a terminal")
    summary_enabled: Switch = _declared(
        "print the closing summary on standard error, or into the log file; the report is written in any case"
    )
    report_language: Literal["en", "zh"] = _declared(
        "the language of reports (`scrapy report --language` overrides it), of the live table and the closing summary, and of"
        " the output of commands for people ([which](commands.md#in-chinese)); the log stays in English, its alarms, too"
    )

    # Scrapy's own that a crawl reads: checked with ours, because Scrapy would fail on them later and with a traceback
    concurrent_requests: Whole = _declared(
        "most requests in flight of one process. Requests that have waited for more than a second do not count. A crawl that"
        " chooses by score often sends fewer at once",
        1,
    )
    concurrent_items: Whole = _declared(
        "items of one response in the pipelines at once. 2 takes a third of the time that Scrapy's 100 takes per page", 1, 1000
    )
    download_timeout: Number = _declared(
        "longest wait until an answer begins, and longest pause of its body. The whole answer may take twice as long. If a body"
        " pauses or takes longer, the part that came is kept, and marked as cut off",
        0.1,
        values="seconds",
    )
    download_maxsize: Whole = _declared(
        "a larger answer is given up. Of a page the beginning is kept: this many bytes or `ARCHIVE_BODY_BYTES`, whichever is"
        " less. 0: no limit",
        0,
        values="bytes",
    )
    log_level: Annotated[str, BeforeValidator(_log_level)] = _declared(
        "least level of the events that are logged, one line per event", values=", ".join(f"`{level}`" for level in _LEVELS)
    )

    # frontier
    frontier_idle_stop: Number = _declared(
        "the crawl ends as `empty` if nothing falls due within this time and no other worker holds a lease. The waiting URLs"
        " stay in the store. For a host that answers, the crawl waits as long as its delay (a Crawl-delay counts up to 120 s)",
        0,
        values="seconds",
    )
    frontier_cache_size: Whole = _declared(
        "size of the cache in front of the seen-test; the least frequently used URL leaves it first", 1, values="URLs"
    )
    frontier_retry_delays: Annotated[tuple[float, ...], BeforeValidator(_seconds)] = _declared(
        "waits before the retries of a URL (times 0.8 to 1.2); after the last retry it is given up."
        " After 429 or 503 a URL waits for its Retry-After, twice as long each time, and has four times as many tries",
        values="list of seconds",
    )
    frontier_host_share: Number = _declared(
        "the priorities of a host with more than this share of the last 200 fetches are multiplied by 0.8. So it gives way to"
        " hosts that are nearly as good, but not to poor ones. 1: off. Focused strategies only",
        0,
        1,
    )
    frontier_patience: Number = _declared(
        "a crawl with `max_pages` or `max_requests`, or a recrawl with `budget`, does not fetch poor URLs while better ones"
        " only wait for their hosts' delays, and keeps few fetches in flight. It does so if it can make all its fetches within"
        " this time, or within its `minutes` if that is less. 0: it does neither. Focused strategies and recrawls only",
        0,
        values="seconds",
    )
    frontier_random_seed: Whole = _declared(
        "seed of the random choices in the order of a crawl (samples, exploration)", 0, 2**63 - 1
    )
    frontier_weight_prior: Number = _declared(
        "share of a page's weight (in-degree, parents, mirrors, directory depth) that every strategy adds to its priority",
        0,
        1,
    )
    frontier_stop_harvest: Number = _declared("stop when the share of relevant pages falls below this; 0: never", 0, 1)
    frontier_stop_window: Whole = _declared("pages over which that share is measured", 1, values="pages")
    frontier_stop_yield: Number = _declared(
        "stop if, for 100 pages, the expected share of relevant pages among the next 100 has been smaller (0.05: fewer than"
        " five); 0: never",
        0,
        1,
    )
    frontier_edge: Number = _declared(
        "the edge (see `at_edge`) is reached when the best waiting URL has had a smaller chance to be relevant for"
        " `FRONTIER_EDGE_WINDOW` pages; 0: never",
        0,
        1,
    )
    frontier_barren_share: Number = _declared(
        "a part of the web (domain, host, directory, template of URLs, query parameter, new hosts) gets no more requests if it"
        " surely brings less than this share of what the rest of the crawl brings ([traps](traps.md)); 0: never",
        0,
        1,
    )
    frontier_sitemaps: Switch = _declared(
        "ordinary crawls also read a few sitemaps and feeds: of hosts with many relevant pages, or whose seed has no link, and,"
        " when nothing else is left, of the other hosts of seeds. Entries that speak of the topic enter the frontier."
        " Strategies that do not choose by score leave sitemaps and feeds to recrawls"
    )
    frontier_edge_window: Whole = _declared("pages for which that chance must have been so small", 1, values="pages")
    frontier_stop_on_drift: Switch = _declared(
        "stop at a drift alarm. If off, the alarm is a warning in the log, the summary and the report"
    )

    # parts of several workers
    partition_grain: Grain = _declared(
        "what stays together: a host name, a registered domain, hosts in one IPv4 /24 or IPv6 /48 (by name before the IP"
        " address is known; the first one decides), or the pages of a host below one first path segment. A crawl has one"
        " grain. Another one is refused while workers are active; otherwise it divides everything again"
    )
    partition_foreign: Foreign = _declared(
        "what happens to a link into another worker's part: it is queued for its owner; refused by the rule `foreign`; or"
        " queued, and also fetched by this worker when no URL of its own part is ready"
    )

    # recrawl
    recrawl_policy: Literal["optimal", "uniform", "batch", "nutch", "similarity"] = _declared(
        "when a page is revisited: by change rate and relevance; each page equally often; all pages at once; or each page by"
        " its own period of change (the last two)"
    )
    recrawl_bandwidth: Number = _declared(
        "the number of revisits that `optimal`, `uniform` and `batch` plan for: 0.1 is each page every ten days on average",
        1e-6,
        1000,
        values="revisits per page and day",
    )
    recrawl_period: Number = _declared(
        "first period of `nutch` and `similarity`; never below `RECRAWL_LEAST_PERIOD`", 0.001, 36_500, values="days"
    )
    recrawl_least_period: Number = _declared(
        "shortest period between two visits of a page (0.04: an hour)", 0.001, 36_500, values="days"
    )
    recrawl_most_period: Number = _declared("longest period between two visits of a page", 0.001, 36_500, values="days")
    recrawl_prior: Number = _declared(
        "change rate of a page while nothing is known of it or its host", 1e-6, 1000, values="changes per day"
    )
    recrawl_versions: Whole = _declared(
        "number of former versions of a page that are kept, with what changed", 0, 1000, values="versions"
    )
    recrawl_grace: Number = _declared("the text of a gone page is removed after this time", 0, 36_500, values="days")
    recrawl_check_headers: Switch = _declared(
        "do not read a body if headers say that it is the same, on hosts whose headers have proved right"
    )
    recrawl_signals: Switch = _declared("read sitemaps and feeds, to find pages that are new or have changed")
    recrawl_most_errors: Number = _declared(
        "`scrapy recrawl` ends with exit code 3 if a larger share of its requests failed", 0, 1
    )
    recrawl_most_gone: Number = _declared(
        "`scrapy recrawl` ends with exit code 3 if a larger share of the checked pages is newly gone or missing", 0, 1
    )

    # politeness
    politeness_delay: Number = _declared(
        "delay between requests to one host, from the end of one to the start of the next. 0 also turns the adaptive part off",
        0,
        values="seconds",
    )
    politeness_concurrency: Whole = _declared("most requests in flight to one host", 1)
    politeness_address_delay: Number = _declared("delay between requests to one IP address", 0, values="seconds")
    politeness_address_concurrency: Whole = _declared("most requests in flight to one IP address", 1)
    politeness_latency_factor: Number = _declared("the delay is at least this many times the host's latency", 0)
    robotstxt_obey: Switch = _declared("obey robots.txt (RFC 9309)")
    robotstxt_user_agent: Annotated[str, BeforeValidator(lambda value: str(value or "focuscrawl"))] = _declared(
        "the product token looked for in robots.txt and in meta robots", values="text"
    )

    # IP addresses
    dns_servers: Annotated[tuple[str, ...], BeforeValidator(_dns_servers)] = _declared(
        "name servers, used in rotation; empty: the system's", values="list of `IP` or `IP:PORT`"
    )
    dns_query_timeout: Number = _declared("longest wait for the answer of one name server", 0.01, values="seconds")
    dns_cache_size: Whole = _declared("number of hosts whose IP addresses are remembered", 1, values="hosts")
    guard_allow_networks: Annotated[tuple[str, ...], BeforeValidator(_networks)] = _declared(
        "networks that the crawl may connect to although they are not public, on any port", values="list such as `127.0.0.0/8`"
    )
    guard_allow_ports: Annotated[tuple[str, ...], BeforeValidator(_ports)] = _declared(
        "ports that the crawl may connect to; empty: 80, 81, 88, 443, 8000, 8008, 8080, 8081, 8088, 8443, 8888",
        values="list such as `443,8000-8100`",
    )
    tls_policy: Literal["note", "strict"] = _declared(
        "what happens if the certificate of a host is not good: it is noted with the page, or no page of the host is read"
    )

    # pages, links, archive
    relevance_model: Literal["calibrated", "vsm", "naive-bayes"] = _declared("the page model; see below")
    relevance_segmenter: Literal["rjieba", "jieba"] = _declared(
        "the segmenter that cuts Chinese pages into words: `rjieba`, or the reference `jieba`. A topic's own texts are always"
        " cut by `jieba`"
    )
    relevance_min_term_weight: Number = _declared("terms of the topic below this weight are dropped", 0, 1)
    relevance_best_text: Switch = _declared(
        "read kept pages whole after their commit, in a process of its own, which gives them the text of the best extractor"
    )
    search_index: Switch = _declared(
        "update the search index while a crawl runs, in a process of its own. If off, `scrapy search` does all the work"
    )
    search_searxng_url: Text = _declared(
        "a SearXNG instance that the dashboard searches for pages of a topic; it must answer in JSON", values="URL"
    )
    scrapyd_url: Text = _declared(
        "a Scrapyd with this project. The dashboard starts its jobs and shows them beside its own. The URL may hold user"
        " and password",
        values="URL",
    )
    reading_documents: Annotated[tuple[str, ...], BeforeValidator(_documents)] = _declared(
        "documents besides HTML that are fetched and read, in a process with limits; empty: none. `txt` also follows links to"
        " plain text, which many sites have as sources of their pages. See [pages](pages.md#documents-that-are-no-html)",
        values=f"list of {', '.join(f'`{name}`' for name in CHOICES)}",
    )
    relevance_drift_bound: Number = _declared(
        "give a drift alarm if the similarity to the topic of the centre of the last 100 relevant pages is less than this share"
        " of what it was for the first 50, or if most of the 100 come from one page template with nearly the same words. While"
        " the centre is away, relevant pages that are as far from the topic teach nothing. 0: no alarms",
        0,
        1,
    )
    linkscore_tunnelling: Literal["learned", "fixed"] = _declared(
        "through how many irrelevant pages in a row links are followed. `learned`: as far as it has paid in this crawl, and"
        " further while few such links are known. `fixed`: `LINKSCORE_TUNNEL_DEPTH`"
    )
    linkscore_tunnel_depth: Whole = _declared(
        "irrelevant pages in a row, if `LINKSCORE_TUNNELLING` is `fixed`", 0, values="pages"
    )
    linkscore_replay_pages: Whole = _declared(
        "number of earlier fetches that the order strategy sees when a crawl resumes", 0, values="fetches"
    )
    dedup_method: Literal["simhash", "shingles", "winnowing"] = _declared(
        "how near-duplicates are found. If you change it for a crawl, only equal texts count as copies of pages stored before,"
        " until those pages are fetched again"
    )
    dedup_simhash: Literal["numpy", "simhash"] = _declared(
        "what computes SimHashes: our NumPy code, or the reference, the package `simhash`. Both give the same values"
    )
    archive_max_bytes: Whole = _declared("a WARC file is closed above this size", 1 << 16, values="bytes")
    archive_body_bytes: Whole = _declared(
        "most bytes of a body that are read and kept, packed and unpacked. The download ends there, and the page is marked as"
        " cut",
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
        return BadInput(f"{start} is not a list; use a text with commas, or a list")
    if problem["type"] in ("greater_than_equal", "less_than_equal", "finite_number"):
        return BadInput(f"{start} is out of range; use {_range(field)}")
    return BadInput(f"{start} is not a {'whole ' if field.annotation is int else ''}number; use {_range(field)}")
