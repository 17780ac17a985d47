"""A large store for `tools.bench.dashboard`: what a long crawl leaves in each of its tables, without having crawled."""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import orjson

from focuscrawl.frontier.states import State
from focuscrawl.items import Content, Fingerprint, Lease, Link, Page, Verdict
from focuscrawl.store.crawls import SQLITE_FILE, open_store
from focuscrawl.store.engines.page_record import CONTENTS, PAGES, WarcLocation, content_record, record_of
from focuscrawl.store.engines.records import packed_text
from focuscrawl.store.pages.links import encode
from focuscrawl.url.key import UrlKey, url_key

NAME = "large"
URLS_A_HOST = 50
"""On average; the largest host has a hundredth of all."""
LINKS = 20
"""Of a page."""
DAYS = 60
STATES = (
    (State.QUEUED, "", 0.90), (State.WAIT, "timeout", 0.01), (State.FAILED, "timeout", 0.02), (State.GONE, "http-404", 0.03),
    (State.DENIED, "robots", 0.02), (State.FILTERED, "type", 0.01), (State.REDIR, "", 0.01),
)  # fmt: skip
"""Of the URLs that are not stored: state, cause, share."""
LANGUAGES = ("zh", "zh", "zh", "en", "en", "fr", "")
CATEGORIES = ("News / Space", "News / Sport", "Science / Astronomy", "Science / Physics", "Blog", "")
RULES = ("nofollow", "calendar", "action", "file-type", "offsite")
FETCH = "worker, hid, uid, page_id, at, status, priority, depth, distance, tries, hops, kind, parent, tx"
BLOCK = 50_000
Row = tuple[object, ...]


def fill(crawls: Path, urls: int, pages: int) -> bool:
    """Make the crawl `NAME` in a folder of crawls; False: it is there already."""
    directory = crawls / NAME
    if (directory / SQLITE_FILE).exists():
        return False
    directory.mkdir(parents=True)
    open_store(directory, "", name=NAME, create=True).close()
    db = sqlite3.connect(directory / SQLITE_FILE)
    db.executescript("pragma synchronous=off; pragma cache_size=-1000000")
    keys = sorted({url_key(url) for url in _addresses(urls)}, key=lambda key: key.url_id)
    made = _Store(keys, pages)
    for table, columns, rows in (
        ("host", "hid, origin, name, site, best_priority, requests, pages, relevant, errors, links, ready_at", made.hosts()),
        ("url", "hid, uid, state, priority, depth, parent, status, error, path", made.urls()),
        ("page", ", ".join(PAGES.columns), made.page_rows()),
        ("content", ", ".join(CONTENTS.columns), made.contents()),
        ("body", "page_id, text, links", made.bodies()),
        ("fetches", FETCH, made.fetches()),
        ("revisit", "hid, uid, due_at, checked_at, visits, changes, shape, exposure, signature_digest", made.revisits()),
        ("refused", "hid, uid, rule, page_id", made.refused()),
        ("change", "at, run, kind, hid, uid, page_id, url, version", made.changes()),
        ("run", "id, started_at, ended_at, reason, arguments", made.runs()),
        ("inlink", "hid, uid, page_id", made.inlinks()),
    ):  # fmt: skip
        marks = ", ".join("?" * len(columns.split(",")))
        while block := list(islice(rows, BLOCK)):
            db.executemany(f"insert or ignore into {table}({columns}) values({marks})", block)
    db.commit()
    db.close()
    return True


def _addresses(urls: int) -> Iterator[str]:
    hosts, largest = max(urls // URLS_A_HOST, 1), max(urls // 100, 1)
    for number in range(urls):
        host = 0 if number < largest else number % hosts
        yield f"http://h{host}.site{host // 3}.test/part{number % 7}/{number}.html"


class _Store:
    """Rows of each table, in the order of its key. Page number n is that of URL n * step."""

    def __init__(self, keys: list[UrlKey], pages: int) -> None:
        self.keys, self.now = keys, time.time()
        self.step = max(len(keys) // pages, 1)
        self.stored = range(0, self.step * pages, self.step)

    def hosts(self) -> Iterator[Row]:
        stored: dict[int, int] = {}
        for place in self.stored:
            stored[self.keys[place].hid] = stored.get(self.keys[place].hid, 0) + 1
        for hid, origin in {key.hid: key.origin for key in self.keys}.items():
            name, pages = origin.removeprefix("http://"), stored.get(hid, 0)
            site = name.partition(".")[2]
            yield hid, origin, name, site, hid % 997 / 997, pages + 1, pages, pages // 2, hid % 3, pages * LINKS, self.now - 5

    def urls(self) -> Iterator[Row]:
        kinds = random.Random(1).choices(STATES, [share for *_, share in STATES], k=len(self.keys))
        for place, (key, (state, error, _)) in enumerate(zip(self.keys, kinds, strict=True)):
            if place % self.step == 0 and place in self.stored:
                state, error = State.DONE, ""
            yield (*key.url_id, int(state), place % 1009 / 1009, place % 9, 1 + place % len(self.stored), 0, error, key.path)

    def page_rows(self) -> Iterator[Row]:
        for number, place in enumerate(self.stored, 1):
            key, relevance = self.keys[place], number % 101 / 100
            url = key.origin + key.path
            verdict = Verdict(relevance, relevance > 0.5, 0.5, terms=(("telescope", 0.4), ("望远镜", 0.3)))
            page = Page(
                Lease(*key.url_id, url), url, 200, self._at(number), verdict=verdict,
                kind="index" if number % 8 == 0 else "content", title=f"Page {number} 页面",
                fingerprint=Fingerprint(b"", number), language=LANGUAGES[number % len(LANGUAGES)],
            )  # fmt: skip
            yield tuple(PAGES.to_row(record_of(page, WarcLocation(), run=1, worker=1, parent=number // 2)))

    def contents(self) -> Iterator[Row]:
        for number in range(1, len(self.stored) + 1):
            content = Content(category=CATEGORIES[number % len(CATEGORIES)])
            yield tuple(CONTENTS.to_row(content_record(number, content)))

    def bodies(self) -> Iterator[Row]:
        text = packed_text("The telescope sees a galaxy. 望远镜看见星系。" * 40)
        links = encode(
            Link(
                f"http://h1.site0.test/part1/{n}.html",
                "anchor",
                "around it",
                "body/a",
                (),
                True,
                0.5,
                {"url": 0.2, "anchor": 0.3},
            )
            for n in range(LINKS)
        )
        return ((number, text, links) for number in range(1, len(self.stored) + 1))

    def fetches(self) -> Iterator[Row]:
        for number, place in enumerate(self.stored, 1):
            yield (1, *self.keys[place].url_id, number, self._at(number), 200, 0.5, 1, 0, 0, 0, 0, number // 2, number)

    def revisits(self) -> Iterator[Row]:
        for number, place in enumerate(self.stored, 1):
            due = self.now + (number % 97 - 20) * 86_400 / 3
            yield (*self.keys[place].url_id, due, self._at(number), number % 5, number % 3, 1.0, 30.0, b"")

    def refused(self) -> Iterator[Row]:
        for number, key in enumerate(self.keys[:: self.step * 2]):
            yield key.hid, key.uid + 1, RULES[number % len(RULES)], 1 + number % len(self.stored)

    def changes(self) -> Iterator[Row]:
        kinds = ("new", "new", "new", "changed", "gone")
        for number, place in enumerate(self.stored, 1):
            key = self.keys[place]
            yield self._at(number), 1, kinds[number % 5], *key.url_id, number, key.origin + key.path, 0

    def runs(self) -> Iterator[Row]:
        arguments = orjson.dumps({"name": NAME, "seeds": "http://h0.site0.test/", "strategy": "learned"}).decode()
        yield 1, self._at(0), self.now, "finished", arguments

    def inlinks(self) -> Iterator[Row]:
        pages = len(self.stored)
        for number, key in enumerate(self.keys):
            for other in range(2):
                yield (*key.url_id, 1 + (number * 7 + other * 13) % pages)

    def _at(self, number: int) -> float:
        """Over the last days, the last page just now."""
        return self.now - DAYS * 86_400 * (1 - number / len(self.stored))
