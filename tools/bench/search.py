"""How long does a search take? `python -m tools.bench.search [PAGES]`: all of it, in a crawl of that many made-up pages.

Words are drawn by Zipf's law, so that the commonest stand in most pages. A query is what a page says: one to four of its words,
in one of five cases two neighbours as a phrase, in one of ten with its host. The same words are searched for by SQLite's FTS5
with its own rank in the same run. A million pages take 10 minutes and 3 GB of disk.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles

import numpy as np

from focuscrawl.items import Fingerprint, Lease, Page, Verdict
from focuscrawl.search.query import parse
from focuscrawl.search.searching import CrawlSearch
from focuscrawl.store.crawls import Crawl, open_store
from focuscrawl.store.engines.database import transaction
from focuscrawl.store.engines.page_record import PAGES, WarcLocation, record_of
from focuscrawl.url.key import url_key

VOCABULARY = 200_000
WORDS = 80
TITLE = 6
HOSTS = 1000
BATCH = 10_000
QUERIES = 500
BASELINE_QUERIES = 100
"""FTS5 takes seconds for some."""
LIMIT = 10
COMMON = 20
"""Queries of one word each: the commonest."""


@dataclass(frozen=True, slots=True)
class Made:
    """A page that is made up."""

    number: int
    words: list[str]

    @property
    def title(self) -> str:
        return " ".join(self.words[:TITLE])

    @property
    def text(self) -> str:
        return " ".join(self.words)

    @property
    def host(self) -> str:
        return f"h{self.number % HOSTS}.example"

    @property
    def url(self) -> str:
        return f"http://{self.host}/{self.number}"


def made(count: int) -> Iterator[Made]:
    """The same pages for every run."""
    draw = np.random.default_rng(1)
    shares = 1 / np.arange(1, VOCABULARY + 1)
    upto = np.cumsum(shares / shares.sum())
    words = np.array([f"w{number}" for number in range(VOCABULARY)], dtype=object)
    for start in range(0, count, BATCH):
        found = words[np.searchsorted(upto, draw.random((min(BATCH, count - start), WORDS))).clip(0, VOCABULARY - 1)]
        yield from (Made(start + place + 1, list(row)) for place, row in enumerate(found))


def fill(directory: Path, count: int) -> Crawl:
    """A crawl with these pages, without its frontier."""
    directory.mkdir()
    db = open_store(directory, create=True)
    names = ", ".join(PAGES.columns)
    insert = f"insert into page(page_id, {names}) values({', '.join('?' * (len(PAGES.columns) + 1))})"
    with transaction(db):
        for page in made(count):
            db.execute(insert, (page.number, *_row(page)))
            values = (page.number, zlib.compress(page.text.encode(), 1), zlib.compress(b"[]"))
            db.execute("insert into body(page_id, text, links) values(?, ?, ?)", values)
    db.close()
    return Crawl(directory.name, directory)


_TEMPLATE: dict[str, object] = {}


def _row(page: Made) -> Sequence[object]:
    """The columns of its record."""
    if not _TEMPLATE:
        lease = Lease(1, 1, page.url)
        whole = Page(lease, page.url, 200, 1.79e9, content_type="text/html", language="en", title="")
        whole.fingerprint, whole.verdict = Fingerprint(b"0" * 16, 1), Verdict(0.5, True, 0.1)
        _TEMPLATE.update(zip(PAGES.columns, PAGES.to_row(record_of(whole, WarcLocation())), strict=True))
    hid, uid = url_key(page.url).url_id
    simhash = (page.number * 0x9E3779B97F4A7C15) % (1 << 63)
    own = {
        "hid": hid, "uid": uid, "url": page.url, "title": page.title, "relevance": (page.number * 37 % 100) / 100,
        "fetched_at": 1.79e9 + page.number, "simhash": simhash, "digest": page.number.to_bytes(16),
    }  # fmt: skip
    return tuple((_TEMPLATE | own).values())


def fts5(path: Path, count: int) -> sqlite3.Connection:
    """SQLite's own full text of the same pages."""
    db = sqlite3.connect(path)
    db.execute("pragma synchronous=off")
    db.execute("create virtual table page using fts5(title, text, content='')")
    rows = ((page.number, page.title, page.text) for page in made(count))
    db.executemany("insert into page(rowid, title, text) values(?, ?, ?)", rows)
    db.commit()
    return db


def queries(count: int) -> list[str]:
    """What is searched for, drawn from pages all over the crawl."""
    draw = random.Random(3)
    chosen = set(draw.sample(range(1, count + 1), QUERIES))
    return [_query(page, draw) for page in made(count) if page.number in chosen]


def _query(page: Made, draw: random.Random) -> str:
    if draw.random() < 0.2:
        place = draw.randrange(WORDS - 1)
        return f'"{page.words[place]} {page.words[place + 1]}"'
    words = " ".join(draw.sample(page.words, draw.randint(1, 4)))
    return f"{words} site:{page.host}" if draw.random() < 0.1 else words


def _for_fts5(query: str) -> str:
    """The same without the host, which FTS5 cannot say."""
    if query.startswith('"'):
        return query
    return " OR ".join(word for word in query.split() if not word.startswith("site:"))


def timed(search: Callable[[str], object], wanted: Sequence[str]) -> list[tuple[float, float]]:
    """Milliseconds of each: by the clock, and of the processor, which does not depend on what else the machine does."""
    taken = []
    for query in wanted:
        began, ran = time.perf_counter(), time.process_time()
        search(query)
        taken.append((1000 * (time.perf_counter() - began), 1000 * (time.process_time() - ran)))
    return taken


def line(name: str, taken: Sequence[tuple[float, float]]) -> str:
    columns = ((cut[9], cut[18], max(times)) for times in zip(*taken, strict=True) for cut in [quantiles(times, n=20)])
    return f"  {name:44s}" + "".join(f"{value:9.1f}" for column in columns for value in column)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.bench.search", description=__doc__)
    parser.add_argument("pages", nargs="?", type=int, default=200_000)
    count = parser.parse_args().pages
    with tempfile.TemporaryDirectory() as folder:
        crawl = fill(Path(folder) / "made", count)
        began = time.process_time()
        search = CrawlSearch(crawl)
        indexing = time.process_time() - began
        size = sum(path.stat().st_size for path in (crawl.directory / "search").iterdir())
        print(f"{count:,} pages of {WORDS} words: indexed in {1000 * indexing / count:.2f} ms a page, {size / 1e6:,.0f} MB")
        wanted, common = queries(count), [f"w{number}" for number in range(COMMON)]
        baseline = fts5(Path(folder) / "fts5.sqlite", count)

        def ours(query: str) -> object:
            return search.search(parse(query), LIMIT)

        def by_fts5(query: str) -> object:
            statement = "select rowid from page where page match ? order by rank limit ?"
            return baseline.execute(statement, (_for_fts5(query), LIMIT)).fetchall()

        heads = [f"{head:>9s}" for head in ("median", "p95", "longest", "CPU", "p95", "longest")]
        print(f"  {'milliseconds':44s}{''.join(heads)}")
        print(line(f"scrapy search, {QUERIES} queries", timed(ours, wanted)))
        print(line(f"scrapy search, the {COMMON} commonest words", timed(ours, common)))
        print(line(f"FTS5, {BASELINE_QUERIES} of the same queries", timed(by_fts5, wanted[:BASELINE_QUERIES])))
        print(line(f"FTS5, the {COMMON} commonest words", timed(by_fts5, common)))
        baseline.close()
        search.close()


if __name__ == "__main__":
    main()
