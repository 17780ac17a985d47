"""Stored pages that are judged for a topic which the crawl did not have when they were fetched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from focuscrawl.items import Link, Verdict
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.engines.records import unpacked_text
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.host_rows import HostChanges
from focuscrawl.store.pages.links import decode, set_links
from focuscrawl.store.pages.verdicts import JUDGED, best_of, store_verdicts, verdicts_of
from focuscrawl.store.revisits.later_verdicts import set_best

UNJUDGED = """select p.page_id, p.url, p.title, p.language, p.kind, b.text, b.links, p.original is not null, p.depth
    from page p join body b on b.page_id=p.page_id where p.status=200 and p.page_id>?
    and not exists (select 1 from verdict v where v.page_id=p.page_id and v.topic=?) order by p.page_id limit ?"""


@dataclass(slots=True, frozen=True)
class StoredText:
    """A stored page as a topic judges it."""

    page_id: int
    url: str
    title: str
    language: str
    kind: str
    text: str
    links: list[Link]
    duplicate: bool
    depth: int


@dataclass(slots=True)
class NewlyJudgedPage:
    """A stored page that was judged for a new topic, and what of it is to be written."""

    page_id: int
    verdict: Verdict
    links: list[Link] | None = None
    """All of its links, where some of them have been scored again."""
    discovered: Sequence[DiscoveredUrl] = ()
    """Those that enter the frontier, or are lifted there."""


def begin(db: Database, topic: str, definition: str) -> None:
    """Forget the topic's verdicts if they follow another definition."""
    key = JUDGED + topic
    if read_meta(db, key) != definition:
        db.execute("delete from verdict where topic=?", (topic,))
        set_meta(db, key, definition)


def unjudged(db: Database, topic: str, after: int, count: int) -> list[StoredText]:
    """The next stored pages behind `after` (page_id) without a verdict for the topic."""
    return [
        StoredText(page_id, url, title, language, kind, unpacked_text(text), decode(links), bool(copy), depth)
        for page_id, url, title, language, kind, text, links, copy, depth in db.execute(UNJUDGED, (after, topic, count))
    ]


def store(db: Database, topic: str, pages: Sequence[NewlyJudgedPage], run: int, now: float) -> int:
    """Keep verdicts and links of `pages`, and log which of them join or leave the collection. Returns the number of URLs that
    are new in the frontier."""
    hosts = HostChanges()
    discovered: list[DiscoveredUrl] = []
    for page in pages:
        store_verdicts(db, page.page_id, {topic: page.verdict})
        set_best(db, page.page_id, best_of(verdicts_of(db, page.page_id)), run, now, hosts)
        if page.links is not None:
            set_links(db, page.page_id, page.links)
        for item in page.discovered:
            item.parent = page.page_id
        discovered += page.discovered
    new = discover(db, discovered, now, lift=True, hosts=hosts)
    hosts.write(db, now)
    return new
