"""The stored pages and links of one crawl, to be crawled again without a network."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from focuscrawl.items import Link, Verdict
from focuscrawl.store.database import Database
from focuscrawl.store.links import decode
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.key import url_key
from models.order.protocol import Key
from models.replay import Content, Places

UNDONE = frozenset({"tunnel", "yield", "depth", "duplicate"})
"""Rules that refused a link because of what the crawl had met until then: another order meets other things."""
KEPT_WORDS = 50_000
"""Pages whose terms stay in memory."""

PAGES = """select p.pid, p.hid, p.uid, p.url, p.kind, p.title, p.relevance, p.relevant, p.threshold, p.cosine,
    coalesce(p.original, p.pid)
    from page p where p.status=200 order by p.pid"""
SEEDS = """select p.url from page p join url u on u.hid=p.hid and u.uid=p.uid where p.status=200 and u.kind>0
    order by u.kind desc, p.pid"""
REDIRECTS = "select hid, uid, redirect from fetches where redirect<>'' order by id"
MOST_HOPS = 10
UNJUDGED = Verdict(0.0, False, 1.0)


@dataclass(slots=True, frozen=True)
class Stored:
    """One page."""

    pid: int
    url: str
    kind: str
    title: str
    verdict: Verdict
    group: int
    """pid of the page that it repeats, else its own."""


class StoredWeb:
    """Implements `models.replay.ReplayWeb` over a store that may be in use. `topic`: whose verdicts, in a crawl of several."""

    def __init__(self, db: Database, segmenter: Segmenter, topic: str = "") -> None:
        self._db, self._segmenter = db, segmenter
        own = verdicts_of_topic(db, topic)
        self.pages: dict[int, Stored] = {}
        """By pid, in the order of storing."""
        self._pids: dict[Key, int] = {}
        for pid, hid, uid, url, kind, title, score, relevant, limit, cosine, group in db.execute(PAGES):
            verdict = own.get(pid, UNJUDGED) if topic else Verdict(score, bool(relevant), limit, (), cosine)
            self.pages[pid] = Stored(pid, url, kind, title, verdict, group)
            self._pids[hid, uid] = pid
        self._pids |= redirects(db)
        self.seeds: Sequence[str] = [url for (url,) in db.execute(SEEDS)]
        self.place = Places(lambda url: self._pids.get(url_key(url)[2:]))
        self._words: dict[int, list[str]] = {}

    def read(self, number: int) -> Content:
        """The page with this pid; its links are fresh objects."""
        stored = self.pages[number]
        text, packed = self._db.execute("select text, links from body where pid=?", (number,)).fetchone()
        words = self._words.get(number)
        if words is None:
            main = zlib.decompress(text).decode("utf-8", "replace")
            words = self._segmenter.terms(f"{stored.title}\n{main}")
            if len(self._words) < KEPT_WORDS:
                self._words[number] = words
        return Content(stored.url, words, fresh(decode(packed)), stored.kind, stored.title, same=stored.group)


def fresh(links: list[Link]) -> list[Link]:
    """The links without scores and without what the course of the crawl had refused."""
    for link in links:
        link.score, link.parts = 0.0, {}
        if link.refused in UNDONE:
            link.refused = ""
    return links


def verdicts_of_topic(db: Database, topic: str) -> dict[int, Verdict]:
    """The verdicts of one of a crawl's topics, by pid."""
    rows = db.execute("select pid, score, relevant, threshold, cosine from verdict where topic=?", (topic,))
    return {pid: Verdict(score, bool(relevant), limit, (), cosine) for pid, score, relevant, limit, cosine in rows}


def redirects(db: Database) -> dict[Key, int]:
    """The pages that redirecting URLs led to, over any number of redirects in a row."""
    to = {(hid, uid): url_key(target)[2:] for hid, uid, target in db.execute(REDIRECTS)}
    pids: dict[Key, int] = {(hid, uid): pid for hid, uid, pid in db.execute("select hid, uid, pid from page where status=200")}
    found: dict[Key, int] = {}
    for start in to:
        key, hops = start, 0
        while key in to and hops < MOST_HOPS:
            key, hops = to[key], hops + 1
        if key in pids:
            found[start] = pids[key]
    return found
