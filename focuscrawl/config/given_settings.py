"""Which of the settings that a user gave have no effect: misspelt ones, and Scrapy's that nothing reads in this project.

Scrapy ignores both silently, so that a crawl that was meant to be polite would not be. Therefore a name that looks like one of
our settings and is not declared is refused, wherever it was given: `-s`, the environment, a project's own settings. And each of
Scrapy's well-known settings that nothing reads here (the frontier keeps the state, its host rows pace the requests, and the
middlewares are few: see settings.py) gets one warning at the start when it is set.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from scrapy.settings import BaseSettings, default_settings
from scrapy.utils.misc import load_object, walk_modules_iter

from focuscrawl import settings as defaults
from focuscrawl.config.environment import PREFIX
from focuscrawl.errors import BadInput, close_match, quoted

# --- misspelt ones ----------------------------------------------------------------------------------------------------------

FAMILIES = (
    "FRONTIER_", "PARTITION_", "RECRAWL_", "POLITENESS_", "DNS_", "GUARD_", "RELEVANCE_", "LINKSCORE_", "DEDUP_", "ARCHIVE_",
    "READING_", "SEARCH_", "SCRAPYD_", "TLS_", "LIVE_", "SUMMARY_", "REPORT_",
)  # fmt: skip
"""Prefixes of settings that only we and Scrapy use: any other name with one of them is misspelt. Our other settings
(CRAWLS_DIR, STORE_URL, TOPICS_DIR, CONTACT) begin with words that a user's own components may use too, so that of these only
names that are nearly the same are refused."""
NEAR = 0.85
"""Similarity from which on a name outside the families counts as misspelt: one letter too few or too many in a name of ten
has 0.95 (CRAWL_DIR), one changed has 0.89 in one of nine (STORE_URI). Lower, other projects' names would be refused."""
OTHER_VARIABLES = frozenset({"JOB_ROOTS", "JOB_NETWORKS", "WEBS", "EVAL", "READING"})
"""FOCUSCRAWL_* that are not settings: what a job of Scrapyd may use, and where tools/eval finds its recorded webs."""


def refuse_unknown(settings: Mapping[Any, Any], environment: Mapping[str, str], declared: Collection[str]) -> None:
    """Refuse what is likely to be a misspelt setting of ours.

    Args:
        settings: Scrapy's, with all that a user has given.
        environment: of the process; every variable FOCUSCRAWL_* in it must set something.
        declared: names of the settings that we read.

    Raises:
        BadInput: one sentence with the nearest name.
    """
    ours = [name for name in declared if not hasattr(default_settings, name)]
    for name in settings:
        if name in declared or name in UNREAD or hasattr(default_settings, str(name)):
            continue
        near = close_match(str(name), ours, NEAR)
        if near or str(name).startswith(FAMILIES):
            hint = _hint(near) if near else _argument(str(name)) or _hint(close_match(str(name), ours))
            raise BadInput(f"there is no setting {name}{hint}")
    for variable in environment:
        name = variable.removeprefix(PREFIX)
        if name == variable or name in OTHER_VARIABLES or hasattr(defaults, name):
            continue
        near = close_match(name, declared)
        raise BadInput(f"the variable {variable} sets nothing{_hint(near and PREFIX + near)}")


def _argument(name: str) -> str:
    """The end of the sentence where a name, without its family, is that of an argument of a crawl (`FRONTIER_STRATEGY`)."""
    from focuscrawl.config.arguments import CrawlArguments  # here, for commands to start soon

    argument = name.partition("_")[2].lower()
    return f"; did you mean the argument -a {argument}=…?" if argument in CrawlArguments.model_fields else ""


def _hint(name: str) -> str:
    return f"; did you mean {name}?" if name else "; docs/settings.md lists all"


# --- the wiring -------------------------------------------------------------------------------------------------------------

WIRING: Mapping[str, str] = {
    "SCHEDULER": "a crawl takes its URLs from the frontier",
    "TWISTED_DNS_RESOLVER": "the guard checks the addresses of all hosts there",
    "DNS_RESOLVER": "the guard checks the addresses of all hosts in ours; DNS_SERVERS names the servers to ask",
    "TWISTED_REACTOR": "a crawl runs on asyncio",
    "TWISTED_REACTOR_ENABLED": "a crawl runs on Twisted's reactor",
}
"""Settings of Scrapy without which nothing would be fetched, or fetched unguarded, and why: a crawl keeps our values."""


def refuse_rewired(settings: Mapping[Any, Any]) -> None:
    """Raises BadInput, one sentence, for a setting of WIRING with another value than ours."""
    for name, why in WIRING.items():
        ours = getattr(defaults, name, vars(default_settings).get(name))
        same = {str(ours), "None"} | ({"1", "true"} if ours is True else set())
        if name in settings and str(settings[name]) not in same:
            raise BadInput(f"setting {name}={quoted(str(settings[name]))} cannot be changed: {why}; leave it out")


# --- components of the user's own ---------------------------------------------------------------------------------------------

NAMED_BY_KEY = ("ITEM_PIPELINES", "DOWNLOADER_MIDDLEWARES", "SPIDER_MIDDLEWARES", "EXTENSIONS", "ADDONS")
"""Settings with classes as keys, and their places in the order as values."""
CALLED = {
    "ITEM_PIPELINES": ("process_item", "open_spider", "close_spider"),
    "DOWNLOADER_MIDDLEWARES": ("process_request", "process_response", "process_exception"),
    "SPIDER_MIDDLEWARES": (
        "process_spider_input", "process_spider_output", "process_spider_output_async", "process_spider_exception",
        "process_start",
    ),
}  # fmt: skip
"""What Scrapy calls, each if it is there, so that a component with a mistyped one does nothing and nobody is told."""
NAMED_BY_VALUE = ("DOWNLOAD_HANDLERS", "FEED_EXPORTERS", "FEED_STORAGES")
NAMED_ALONE = ("ITEM_PROCESSOR", "LOG_FORMATTER", "SPIDER_LOADER_CLASS", "STATS_CLASS")


def refuse_unusable_components(settings: BaseSettings) -> None:
    """Raises BadInput, one sentence, for a component that is named in a setting and cannot be imported, has no place in the
    order, needs arguments that Scrapy does not give, or has none of the methods that Scrapy calls. Scrapy finds that when the
    crawl begins, with a traceback, or never."""
    for name in NAMED_BY_KEY:
        for component, place in settings.getdict(name).items():
            if place is not None and not isinstance(place, int | float):
                raise BadInput(
                    f"setting {name} has {quoted(str(place))} as the place of {quoted(str(component))}; use a number"
                )
            if place is not None:
                loaded = _import(name, component, load_object)
                _refuse_wanting(name, component, loaded)
                _refuse_silent(name, component, loaded)
    for name in NAMED_BY_VALUE:
        for component in settings.getdict(name).values():
            if component is not None:
                _import(name, component, load_object)
    for name in NAMED_ALONE:
        _import(name, settings.get(name), load_object)
    only_warned_of = (ImportError, SyntaxError) if settings.getbool("SPIDER_LOADER_WARN_ONLY") else ()

    def load_spiders(module: str) -> None:
        with suppress(*only_warned_of):
            list(walk_modules_iter(module))

    for module in settings.getlist("SPIDER_MODULES"):
        _import("SPIDER_MODULES", module, load_spiders)


def _refuse_wanting(setting: str, named: Any, loaded: Any) -> None:
    """Scrapy makes a component by its `from_crawler`, with the crawler, or by calling it, with nothing."""
    from_crawler = getattr(loaded, "from_crawler", None)
    try:
        called = inspect.signature(from_crawler or loaded)
    except (TypeError, ValueError):
        return  # it cannot be called, or is written in C; what is wrong with it, if anything, is not to be seen
    try:
        called.bind(*([None] if from_crawler else []))
    except TypeError as error:
        raise BadInput(
            f"setting {setting} names {_shown(named)}, which Scrapy cannot make ({error}); give it a class method"
            " from_crawler(cls, crawler) that makes one, for example with values from crawler.settings"
        ) from error


def _refuse_silent(setting: str, named: Any, loaded: object) -> None:
    if setting not in CALLED or not isinstance(loaded, type):
        return  # only of a class it is known what its instances have; Scrapy calls any other object to get one
    methods = (*CALLED[setting], "from_crawler", "__getattr__")  # from_crawler may connect signals, and that be all
    if not any(hasattr(loaded, method) or _sets(loaded, method) for method in methods):
        raise BadInput(f"setting {setting} names {_shown(named)}, which has no method {methods[0]}; Scrapy would never call it")


def _sets(made: type, method: str) -> bool:
    """Whether `__init__` may give each instance the method, because its code names it."""
    codes = (getattr(vars(base).get("__init__"), "__code__", None) for base in made.__mro__)
    return any(code and method in code.co_names for code in codes)


def _shown(named: Any) -> str:
    return quoted(getattr(named, "__qualname__", str(named)))


def _import(setting: str, named: Any, importing: Callable[[str], object]) -> object:
    """What `named` names, or itself: a script may give the class."""
    if not isinstance(named, str):
        return named
    try:
        return importing(named)
    except (ImportError, NameError, SyntaxError, ValueError) as error:
        raise BadInput(
            f"setting {setting} names {quoted(named)}, which cannot be imported ({error}); correct the name, or put"
            " the folder that holds it on PYTHONPATH"
        ) from error


def refuse_no_dictionaries(given: Sequence[str], settings: BaseSettings) -> None:
    """Raises BadInput, one sentence, for an option `-s NAME=VALUE` with no dictionary where Scrapy wants one in JSON."""
    for name, _, value in (option.partition("=") for option in given):
        if not isinstance(settings[name], BaseSettings):
            continue
        try:
            fits = isinstance(json.loads(value), dict)
        except ValueError:
            fits = False
        if not fits:
            raise BadInput(
                f"setting {name}={quoted(value)} is not a JSON object; use for example '{name}={{\"MODULE.CLASS\": 500}}'"
            )


# --- Scrapy's that nobody reads here ----------------------------------------------------------------------------------------

_STATE = "does nothing here: the crawl's state is in its store, and the same command resumes it"
_QUEUES = "does nothing here: the frontier keeps the queues; -a strategy= decides their order"
_TRIES = "does nothing here: failed requests are tried again as FRONTIER_RETRY_DELAYS says"
_REDIRECTS = "does nothing here: each hop of a redirect is a URL of the frontier, with its own robots.txt, guard and pace"
_PACE = "does nothing here: the delay adapts to the host by itself (POLITENESS_LATENCY_FACTOR)"
_COOKIES = "does nothing here: no cookies are kept, so that nothing is carried from one host to another"
_PROXY = "does nothing here: requests go straight to their host, whose IP address the guard checks"
_MEMORY = "does nothing here: ARCHIVE_BODY_BYTES bounds a page; for the process, use the system's limits (cgroups, MemoryMax)"
_REMOTE = "does nothing here: nobody may run code in a crawl; scrapy pause, resume, stop and frontier steer it"
_CACHE = "does nothing here: the store and its WARC files hold what was fetched, and a recrawl asks only for what changed"
_LINKS = "does nothing here: every page is fetched for its links and its text, whatever its status"

UNREAD: Mapping[str, tuple[str, str]] = {
    "JOBDIR": ("", _STATE),
    "DUPEFILTER_CLASS": ("", "does nothing here: the frontier knows each URL once, in all runs and workers"),
    "SCHEDULER_PRIORITY_QUEUE": ("", _QUEUES),
    "SCHEDULER_DISK_QUEUE": ("", _QUEUES),
    "SCHEDULER_MEMORY_QUEUE": ("", _QUEUES),
    "DOWNLOAD_DELAY": ("", "is not what paces a crawl here: use POLITENESS_DELAY, which all workers share"),
    "RANDOMIZE_DOWNLOAD_DELAY": ("", "does nothing here: POLITENESS_DELAY is a least delay, and latency varies it"),
    "CONCURRENT_REQUESTS_PER_DOMAIN": (
        "",
        "is not what paces a crawl here: use POLITENESS_CONCURRENCY, which all workers share",
    ),
    "CONCURRENT_REQUESTS_PER_IP": (
        "",
        "is not what paces a crawl here: use POLITENESS_ADDRESS_CONCURRENCY, which all workers share",
    ),
    "AUTOTHROTTLE_ENABLED": ("AutoThrottle", _PACE),
    "CLOSESPIDER_PAGECOUNT": ("CloseSpider", "does nothing here: use -a max_pages="),
    "CLOSESPIDER_ITEMCOUNT": ("CloseSpider", "does nothing here: use -a max_pages= or -a max_relevant="),
    "CLOSESPIDER_TIMEOUT": ("CloseSpider", "does nothing here: use -a minutes="),
    "CLOSESPIDER_ERRORCOUNT": ("CloseSpider", "does nothing here: failed URLs do not end a crawl"),
    "CLOSESPIDER_PAGECOUNT_NO_ITEM": ("CloseSpider", "does nothing here: use FRONTIER_STOP_HARVEST"),
    "CLOSESPIDER_TIMEOUT_NO_ITEM": ("CloseSpider", "does nothing here: use -a minutes= or FRONTIER_IDLE_STOP"),
    "DEPTH_LIMIT": ("DepthMiddleware", "does nothing here: use -a max_depth="),
    "DEPTH_PRIORITY": ("DepthMiddleware", "does nothing here: use -a strategy=breadth-first or depth-first"),
    "URLLENGTH_LIMIT": ("UrlLengthMiddleware", "does nothing here: longer URLs than 2000 characters are refused as traps"),
    "HTTPERROR_ALLOWED_CODES": ("HttpErrorMiddleware", _LINKS),
    "HTTPERROR_ALLOW_ALL": ("HttpErrorMiddleware", _LINKS),
    "RETRY_ENABLED": ("RetryMiddleware", _TRIES),
    "RETRY_TIMES": ("RetryMiddleware", _TRIES),
    "RETRY_HTTP_CODES": ("RetryMiddleware", _TRIES),
    "RETRY_EXCEPTIONS": ("RetryMiddleware", _TRIES),
    "REDIRECT_ENABLED": ("RedirectMiddleware", _REDIRECTS),
    "REDIRECT_MAX_TIMES": ("RedirectMiddleware", _REDIRECTS),
    "METAREFRESH_ENABLED": ("MetaRefreshMiddleware", _REDIRECTS),
    "COMPRESSION_ENABLED": ("HttpCompressionMiddleware", "does nothing here: answers may be packed, and are unpacked"),
    "REFERER_ENABLED": ("RefererMiddleware", "does nothing here: no Referer is sent"),
    "ROBOTSTXT_PARSER": ("RobotsTxtMiddleware", "does nothing here: robots.txt is read as RFC 9309 says"),
    "REQUEST_FINGERPRINTER_CLASS": ("", "does nothing here: the frontier knows a URL by its normal form"),
    "COOKIES_ENABLED": ("CookiesMiddleware", _COOKIES),
    "HTTPPROXY_ENABLED": ("HttpProxyMiddleware", _PROXY),
    "HTTPCACHE_ENABLED": ("HttpCacheMiddleware", _CACHE),
    "HTTPAUTH_USER": ("HttpAuthMiddleware", "does nothing here: only what anybody may read is crawled"),
    "DNSCACHE_SIZE": ("", "does nothing here: use DNS_CACHE_SIZE"),
    "DNSCACHE_ENABLED": ("", "does nothing here: addresses are remembered as long as their records say (DNS_CACHE_SIZE)"),
    "DNS_TIMEOUT": ("", "does nothing here: use DNS_QUERY_TIMEOUT"),
    "MEMUSAGE_WARNING_MB": ("MemoryUsage", _MEMORY),
    "MEMUSAGE_LIMIT_MB": ("MemoryUsage", _MEMORY),
    "TELNETCONSOLE_ENABLED": ("TelnetConsole", _REMOTE),
    "REMOTE_CONTROL_ENABLED": ("RemoteControl", _REMOTE),
    "LOGSTATS_INTERVAL": ("LogStats", "does nothing here: the live table and scrapy runs show the progress"),
}
"""Setting -> (class that would read it, "" if our own components do its work; the rest of the sentence). If a user adds the
class to the middlewares or extensions, its settings have their effect again, and there is no warning."""
ELSEWHERE = "middlewares.foreign_spiders."
"""Prefix of components that work only for spiders which are not ours."""
COMPONENTS = ("DOWNLOADER_MIDDLEWARES", "SPIDER_MIDDLEWARES", "EXTENSIONS")
PROXY_VARIABLES = ("http_proxy", "https_proxy", "all_proxy")


def without_effect(
    settings: BaseSettings, environment: Mapping[str, str], own: Mapping[str, object] | None = None
) -> Iterator[str]:
    """One sentence for each of Scrapy's settings, and for a proxy of the environment, that was set and does nothing.

    Args:
        settings: Scrapy's, with all that a user has given.
        environment: of the process.
        own: what the spider itself has set.
    """
    components = set(_components(settings))
    for name, (reader, sentence) in UNREAD.items():
        if reader not in components and _is_set(name, settings, environment, own or {}):
            yield f"{name} {sentence}"
    proxy = next((name for name in PROXY_VARIABLES if environment.get(name) or environment.get(name.upper())), None)
    if proxy and "HttpProxyMiddleware" not in components:
        yield f"the environment's {proxy} {_PROXY}"


def _components(settings: BaseSettings) -> Iterator[str]:
    """Class names of all that is switched on."""
    for kind in COMPONENTS:
        for part, order in {**settings.getdict(f"{kind}_BASE"), **settings.getdict(kind)}.items():
            if order is not None and not str(part).startswith(ELSEWHERE):
                yield str(getattr(part, "__name__", part)).rpartition(".")[2]


def _is_set(name: str, settings: BaseSettings, environment: Mapping[str, str], own: Mapping[str, object]) -> bool:
    # By its value, not by its priority: what a script sets has the priority of a project's settings, as ours have.
    # Scrapy warns of a deprecated one, in words that suit no crawl, when its default is asked for by `getattr`, or it by `get`.
    default = own.get(name, getattr(defaults, name, vars(default_settings).get(name)))
    return PREFIX + name in environment or str(settings[name]) != str(default)
