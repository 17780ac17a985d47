"""Stored pages that are judged for a topic which the crawl did not have when they were fetched."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import orjson

from focuscrawl.items import Link, Verdict
from focuscrawl.store.database import Database
from focuscrawl.store.discover import Found, discover
from focuscrawl.store.host_changes import HostChanges
from focuscrawl.store.links import decode, encode
from focuscrawl.store.meta import set_meta
from focuscrawl.store.topics import store_verdicts, verdicts_of

JUDGED = "topic_judged/"
"""Key in `meta` before a topic's name: digest of the definition that its stored verdicts follow."""
UNJUDGED = """select p.pid, p.url, p.title, b.text, b.links, p.original is not null, p.depth from page p
    join body b on b.pid=p.pid where p.status=200 and p.pid>?
    and not exists (select 1 from verdict v where v.pid=p.pid and v.topic=?) order by p.pid limit ?"""
PAGE = "select hid, relevant from page where pid=?"
SET_BEST = "update page set relevance=?, relevant=?, threshold=?, terms=?, cosine=? where pid=?"


@dataclass(slots=True, frozen=True)
class StoredText:
    """A stored page as a topic judges it."""

    pid: int
    url: str
    title: str
    text: str
    links: list[Link]
    duplicate: bool
    depth: int


@dataclass(slots=True)
class Judged:
    """What follows for a page."""

    pid: int
    verdict: Verdict
    links: list[Link] | None = None
    """All of its links, where some of them have been scored again."""
    found: Sequence[Found] = ()
    """Those that enter the frontier, or are lifted there."""


def begin(db: Database, topic: str, definition: str) -> None:
    """Forget the topic's verdicts if they follow another definition."""
    key = JUDGED + topic
    row = db.execute("select v from meta where k=?", (key,)).fetchone()
    if row is None or row[0] != definition:
        db.execute("delete from verdict where topic=?", (topic,))
        set_meta(db, key, definition)


def unjudged(db: Database, topic: str, after: int, count: int) -> list[StoredText]:
    """The next stored pages behind `after` (pid) without a verdict for the topic."""
    return [
        StoredText(pid, url, title, zlib.decompress(text).decode("utf-8", "replace"), decode(links), bool(copy), depth)
        for pid, url, title, text, links, copy, depth in db.execute(UNJUDGED, (after, topic, count))
    ]


def store(db: Database, topic: str, pages: Sequence[Judged], now: float) -> int:
    """Keep verdicts and links of `pages`. Returns the number of URLs that are new in the frontier."""
    hosts = HostChanges()
    found: list[Found] = []
    for page in pages:
        store_verdicts(db, page.pid, {topic: page.verdict})
        _set_best(db, page.pid, hosts)
        if page.links is not None:
            db.execute("update body set links=? where pid=?", (encode(page.links), page.pid))
        for item in page.found:
            item.parent = page.pid
        found += page.found
    new = discover(db, found, now, lift=True, hosts=hosts)
    hosts.write(db, now)
    return new


def best_of(verdicts: Mapping[str, Verdict]) -> Verdict:
    """The one that speaks for the page: relevant before others, then the largest score. There is at least one."""
    return max(verdicts.values(), key=lambda found: (found.relevant, found.score))


def _set_best(db: Database, pid: int, hosts: HostChanges) -> None:
    hid, relevant = db.execute(PAGE, (pid,)).fetchone()
    best = best_of(verdicts_of(db, pid))
    terms = orjson.dumps(best.terms).decode()
    db.execute(SET_BEST, (best.score, int(best.relevant), best.threshold, terms, best.similarity, pid))
    if change := int(best.relevant) - relevant:
        hosts.count(hid, (0, change, 0, 0, 0))
