"""Turns the options of `scrapy export` into values, and finds how a crawl's pages were gathered, for the card of a data set."""

from __future__ import annotations

import argparse
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from focuscrawl.command_line.option_values import host_of, time_of
from focuscrawl.config.arguments import split_list
from focuscrawl.errors import BadInput
from focuscrawl.export.card import Origin
from focuscrawl.export.selection import Filters, kinds_named, languages_named
from focuscrawl.export.since import PageSet, chosen_then, last_export, unread_then
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.stored import newest_archived, pages_by_reason
from focuscrawl.store.pages.verdicts import topics_of
from focuscrawl.store.workers.runs import all_runs
from focuscrawl.store.workers.status import store_now

LAST = "last"
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)b?", re.IGNORECASE)
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
LEAST_SHARD, MOST_SHARD = 1_000, 10**15
"""Least bytes of a shard. A smaller value is a mistake of the unit."""
SHOWN_TERMS = 12
CONTENT = ("content",)
"""Kinds of pages in a corpus, without lists of links."""


@dataclass(slots=True, frozen=True)
class Since:
    """The time from which on changes are exported."""

    at: float | None
    """None: there was no export yet."""
    label: str = ""
    """Label of the mark that is set afterwards."""
    had: PageSet | None = None
    """The pages that the destination has; None: a time was given, so that no mark is set."""
    waiting: PageSet | None = None
    """Those that were not read whole yet when the last export came to them; None as for `had`."""
    chosen: str | None = None
    """The filters of the last export, as they were typed; None: not known, or as for `had`."""


def filters_of(options: argparse.Namespace) -> Filters:
    """The filters that the options ask for. Raises BadInput for a value that cannot be used."""
    kinds = split_list(options.kind)
    return Filters(
        kinds=kinds_named(kinds) if kinds or options.all else CONTENT,
        languages=languages_named(split_list(options.language)),
        hosts=tuple(host_of(host) for host in split_list(options.host)),
        licences=split_list(options.licence),
        min_words=options.min_words,
        min_relevance=options.min_relevance,
        min_quality=options.min_quality,
        no_reserved=options.no_reserved,
    )


def since_of(given: str, db: Database) -> Since | None:
    """The meaning of `last`, `last:LABEL` or a time; None if nothing was given. Raises BadInput for anything else."""
    if not given:
        return None
    word, colon, label = given.partition(":")
    if word.lower() == LAST:
        if colon and not label:
            raise BadInput(f"--since {given!r} has no label after the colon; give last or last:LABEL")
        at, had = last_export(db, label) or (None, PageSet())
        return Since(at, label, had, unread_then(db, label), chosen_then(db, label))
    try:
        return Since(time_of("--since", given, store_now(db)))
    except BadInput as error:
        raise BadInput(f"{error}; or last, for what has changed since the last export") from None


def size_of(given: str) -> int:
    """The bytes that `500MB` or `2G` mean; 0 if nothing was given. Raises BadInput for anything else."""
    if not given:
        return 0
    found = _SIZE.fullmatch(given.strip())
    size = float(found[1]) * _UNITS[found[2].lower()] if found else 0.0
    if not LEAST_SHARD <= size <= MOST_SHARD:
        raise BadInput(f"--shard-size {given!r} is not a size; give one such as 500MB or 2GB")
    return int(size)


CHOOSING = (
    "all", "topic", "kind", "language", "host", "licence", "min_words", "min_relevance", "min_quality", "no_reserved"
)  # fmt: skip
"""The options that choose pages, whenever they have changed."""


def as_typed(options: argparse.Namespace, names: Sequence[str] = (*CHOOSING, "since")) -> str:
    """The options that choose pages, as they were typed."""
    given = ((f"--{name.replace('_', '-')}", getattr(options, name)) for name in names)
    return " ".join(name if value is True else f"{name} {value}" for name, value in given if value)


def origin_of(db: Database, crawl: Crawl) -> Origin:
    """How the crawl's pages were gathered, as far as its store and archive tell."""
    from focuscrawl.crawl.start.stored_job import kept_job

    job, runs = kept_job(db), all_runs(db)
    ends = [run.ended_at or run.last_at or run.started_at for run in runs]
    names = topics_of(db)
    parts = job.parts if job else ()
    seeds = dict.fromkeys(seed for part in parts for seed in part.seeds) if parts else (job.seeds if job else ())
    return Origin(
        crawl=crawl.name,
        topic=", ".join(names) if names else (job.topic.title if job else "") or crawl.name,
        keywords=job.topic.keywords if job else (),
        terms=_terms(db, names or ("",)),
        seeds=tuple(seeds),
        strategy=str(job.arguments.get("strategy") or "learned") if job else "",
        user_agent=_user_agent(db, crawl.directory / "warc"),
        runs=len(runs),
        first_at=min((run.started_at for run in runs), default=0.0),
        last_at=max(ends, default=0.0),
        fetched=sum(pages_by_reason(db).values()),
    )


def _terms(db: Database, names: tuple[str, ...]) -> tuple[str, ...]:
    from focuscrawl.crawl.relevance.stored_topic import load_topic
    from models.topic.background import Background

    weights: dict[str, float] = {}
    for name in names:
        try:
            stored = load_topic(db, name)
            weights |= stored.topic(Background()).weights if stored else {}
        except BadInput:  # a card without terms is better than none
            continue
    return tuple(sorted(weights, key=lambda term: -weights[term])[:SHOWN_TERMS])


def _user_agent(db: Database, folder: Path) -> str:
    """The user agent in the archived request of the newest page."""
    from focuscrawl.store.warc.file import RecordFiles
    from focuscrawl.store.warc.recovery import DamagedWarcError

    place = newest_archived(db)
    if place is None:
        return ""
    files = RecordFiles(folder)
    try:
        records = files.answer(*place)
    except (OSError, DamagedWarcError):
        return ""
    finally:
        files.close()
    request = next((zlib.decompress(each.data, 31) for each in records if each.kind == "request"), b"")
    found = re.search(rb"^user-agent:\s*(.*?)\r?$", request, re.IGNORECASE | re.MULTILINE)
    return found[1].decode("latin-1") if found else ""
