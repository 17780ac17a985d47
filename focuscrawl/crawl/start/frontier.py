"""Adapts the frontier of earlier runs to this run: adds its seeds, queues URLs that were refused and are wanted now, and puts
aside those that wait and are not wanted any more.

A summary may advise a setting, such as GUARD_ALLOW_NETWORKS. The next run with that setting fetches what was refused before."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import asdict

import orjson

from focuscrawl.config.arguments import CrawlArguments
from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import Options
from focuscrawl.frontier.states import MIRROR, REPEATS
from focuscrawl.frontier.url_cache import UrlCache
from focuscrawl.items import EXAMPLE, SEED
from focuscrawl.politeness.guard import Guard
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.store.frontier.refused_before import Passing, Unwanted, queue_refused, sort_waiting
from focuscrawl.url.key import BEFORE_ALL, UrlId
from focuscrawl.url.scope import Scope

logger = logging.getLogger(__name__)

SEEDS_AT_ONCE = 20_000
"""Seeds that enter the frontier before a stop is heeded: some four seconds' work on a busy machine."""
SEED_PRIORITY = 1.0
EXAMPLE_PRIORITY = 2.0
"""Examples are fetched first, because the topic is made of them."""


async def add_seeds(
    store: CrawlStore,
    job: CrawlJob,
    priority_of: Callable[[float, int], float],
    cache: UrlCache,
    ending: Callable[[], bool],
) -> None:
    """Add examples and seeds to the frontier, batch by batch. A million take minutes; if the run is stopped meanwhile, the next
    one adds the rest. `priority_of`: see `Ordering.start_priority`; `ending`: whether the run ends."""
    seeds, examples = job.seeds, job.topic.examples
    given = [(url, EXAMPLE, EXAMPLE_PRIORITY, n) for n, url in enumerate(examples)]
    given += [(url, SEED, SEED_PRIORITY, n) for n, url in enumerate(seeds)]
    new = 0
    for start in range(0, len(given), SEEDS_AT_ONCE):
        if ending():
            logger.warning("%d of %d seeds are in the frontier; the next run adds the others", start, len(given))
            return
        if start:
            logger.info("%d of %d seeds are in the frontier", start, len(given))
        part = [
            DiscoveredUrl(url, priority_of(first, n), kind=kind) for url, kind, first, n in given[start : start + SEEDS_AT_ONCE]
        ]
        # The seeds of a recrawl come from the store: the frontier knows them already.
        new += 0 if job.arguments.is_recrawl else await store.add_seeds(part)
        for each in part:
            if each.kind == SEED:
                cache.put(each.key.uid, each.priority)
    logger.info("crawl %s: seeds %d, new %d; directory %s", job.name, len(seeds), new, store.directory)


def passing(options: Options, arguments: CrawlArguments) -> Iterator[Passing]:
    """For each rule that a setting or an argument decides, what it lets pass."""
    networks = options.guard_allow_networks
    ports = Guard.of((), options.guard_allow_ports).ports
    yield Passing("address", networks)
    yield Passing("port", (*networks, *map(str, ports)))
    yield Passing("robots", (options.robotstxt_user_agent if options.robotstxt_obey else "all",))
    yield Passing("type", options.reading_documents)
    yield Passing("length", (f"{options.download_maxsize}, {options.archive_body_bytes}",))
    yield Passing("certificate", ("all",) if options.tls_policy == "note" else ())
    yield Passing(REPEATS, ("all",) if _follows_barren(options, arguments) else ())
    yield Passing(MIRROR, () if options.frontier_barren_share else ("all",))


def _follows_barren(options: Options, arguments: CrawlArguments) -> bool:
    """Whether everything in barren parts is fetched in the end."""
    return not options.frontier_barren_share or arguments.fetches_all


async def ask_again(store: CrawlStore, options: Options, arguments: CrawlArguments) -> None:
    """Queue URLs again that earlier runs refused and this one does not, or may not."""
    for each in passing(options, arguments):
        count = await store.call(queue_refused, passing=each, now=store.clock())
        if count:
            logger.info("settings have changed: %d refused before (%s), asked for again", count, each.rule)


def followed(job: CrawlJob, options: Options) -> str:
    """What decides which links the user wants followed (`link_rules.OF_JOB`), as text that is the same for the same, in
    whatever order it is given; of several topics, each scope counts once."""
    scopes = {orjson.dumps(asdict(part.scope), default=sorted) for part in job.parts or (job,) if isinstance(part.scope, Scope)}
    terms: dict[str, object] = {
        "max_depth": job.arguments.max_depth,
        "scopes": [orjson.Fragment(scope) for scope in sorted(scopes)],
        "documents": sorted(options.reading_documents),
    }
    if job.topic.languages:
        terms["languages"] = sorted(job.topic.languages)
    if _follows_barren(options, job.arguments):  # not named otherwise: what earlier versions have noted is then the same
        terms["barren"] = "wait" if options.frontier_barren_share else "all"
    return orjson.dumps(terms, default=sorted).decode()


async def sort_frontier(store: CrawlStore, unwanted: Unwanted, ending: Callable[[], bool]) -> None:
    """Put the waiting URLs aside that this run does not want, and queue those again that an earlier one did not want. If the
    run is `ending`, the next one does the rest."""
    aside = again = 0
    after: UrlId | None = BEFORE_ALL
    while after is not None and not ending():
        some = await store.call(sort_waiting, unwanted=unwanted, now=store.clock(), after=after)
        aside, again, after = aside + some.aside, again + some.again, some.after
    logger.info("other links are wanted than before: %d waiting URLs are put aside, %d wait again", aside, again)
