"""The stored pages of a crawl as `scrapy topic replay` follows them, without the network.

The store may be in use. Everything is read at once, except texts and links, which are read page by page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from focuscrawl.items import UNJUDGED, Link, Verdict
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.records import unpacked_text
from focuscrawl.store.pages.links import decode
from focuscrawl.url.key import UrlId

PAGES = """select p.page_id, p.hid, p.uid, p.url, p.kind, p.title, p.fetched_at, p.digest, coalesce(p.original, p.page_id),
    p.language, p.noindex, {verdict} from page p {join} where p.status=200 order by p.page_id"""
BEST = "p.relevance, p.relevant, p.threshold, p.similarity"
OF_TOPIC = "v.relevance, v.relevant, v.threshold, v.similarity"
JOIN = "left join verdict v on v.page_id=p.page_id and v.topic=?"
SEEDS = """select p.url from page p join url u on u.hid=p.hid and u.uid=p.uid where p.status=200 and u.kind>0
    order by u.kind desc, p.page_id"""


@dataclass(slots=True, frozen=True)
class ReplayablePage:
    """One page, without its text and links."""

    page_id: int
    url_id: UrlId
    url: str
    kind: str
    title: str
    fetched_at: float
    digest: bytes
    """Of its text; pages with the same one are exact duplicates."""
    group: int
    """page_id of the page that it repeats, else its own."""
    language: str
    noindex: bool
    verdict: Verdict


def replayable_pages(db: Database, topic: str = "") -> Iterator[ReplayablePage]:
    """All pages with status 200 in the order of storing. `topic`: whose verdicts, in a crawl of several; pages that were not
    judged for it are not relevant."""
    sql = PAGES.format(verdict=OF_TOPIC if topic else BEST, join=JOIN if topic else "")
    for page_id, hid, uid, url, kind, title, at, digest, group, language, noindex, *judged in db.execute(
        sql, (topic,) if topic else ()
    ):
        relevance, relevant, threshold, similarity = judged
        verdict = UNJUDGED if relevance is None else Verdict(relevance, bool(relevant), threshold, (), similarity)
        facts = (url, kind, title, at, bytes(digest), group, language, bool(noindex))
        yield ReplayablePage(page_id, (hid, uid), *facts, verdict)


def text_and_links(db: Database, page_id: int) -> tuple[str, list[Link]]:
    """The main text of a page, and its links as fresh objects."""
    text, links = db.execute("select text, links from body where page_id=?", (page_id,)).fetchone()
    return unpacked_text(text), decode(links)


def stored_seeds(db: Database) -> list[str]:
    """The URLs of seeds and example pages that were stored, example pages first."""
    return [url for (url,) in db.execute(SEEDS)]
