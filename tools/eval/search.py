"""Does search find the page that is meant? `python -m tools.eval.search`, on recorded webs, beside SQLite's FTS5 as it comes.

A known-item test (Craswell, Hawking and Robertson, "Effective Site Finding using Link Anchor Information", 2001): what other
pages call a page in their links is the query, the page is the answer. Anchors that lead to several pages are left out, and what
the links say is not indexed, only titles and main texts (fast tier). A second test takes titles as queries and indexes the main
texts alone.
"""

from __future__ import annotations

import argparse
import random
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from focuscrawl.reading.page import read_page
from focuscrawl.search.index import IndexedPage, IndexState, SearchIndex
from focuscrawl.search.query import any_of
from focuscrawl.search.terms import Analyzer
from focuscrawl.url.hosts import host_name
from focuscrawl.url.normalize import normalize
from synthweb.plan import preset
from synthweb.web import SyntheticWeb
from tools.eval.webs.recorded import WEBS, body_of, opened, urls_of

PER_HOST = 400
"""Pages of one host that are indexed."""
QUERIES = 400
"""Of one language and test, at most."""
DEPTH = 10
_HAN = re.compile("[\u4e00-\u9fff]")
_WORD = re.compile(r"\w+")

Find = Callable[[str], Sequence[int]]
"""A query to the numbers of the best pages."""


@dataclass(frozen=True, slots=True)
class Read:
    """A page of a recorded web."""

    url: str
    title: str
    text: str
    language: str
    anchors: tuple[tuple[str, str], ...]
    """(URL, text) of its links."""


def read_web(web: Path) -> list[Read]:
    """The same pages for every run, at most `PER_HOST` of a host."""
    taken: Counter[str] = Counter()
    pages = []
    with opened(web) as database:
        urls = urls_of(database)
        random.Random(1).shuffle(urls)
        for url in urls:
            host, name = url.split("/")[2], normalize(url)
            if taken[host] < PER_HOST and name is not None:
                taken[host] += 1
                pages.append(_read(name, body_of(database, url)))
    return pages


def made_up(pages: int) -> list[Read]:
    """As many pages of the project's own web, for the floor of this measure."""
    web = SyntheticWeb(preset("demo"))
    urls = [web.page(number).label.url for number in range(pages)]
    hosts = [(url, web.host_of(url)) for url in urls]
    return [_read(url, web.answer(host, "/" + url.split("/", 3)[3]).body) for url, host in hosts if host]


def _read(url: str, body: bytes) -> Read:
    found = read_page(body, "text/html", url)
    links = tuple((link.url, " ".join(link.anchor.split())) for link in found.links)
    return Read(url, found.title, found.text, found.language, links)


def anchor_queries(pages: Sequence[Read]) -> Iterator[tuple[str, int]]:
    """(what links call it, its number) of pages that have a name of their own."""
    numbers = {page.url: number for number, page in enumerate(pages, 1)}
    targets: dict[str, set[str]] = defaultdict(set)
    uses: Counter[tuple[str, str]] = Counter()
    for page in pages:
        for url, text in set(page.anchors):
            targets[text.lower()].add(url)
            if url != page.url and url in numbers and is_query(text):
                uses[url, text] += 1
    named: dict[str, str] = {}
    for (url, text), _ in sorted(uses.items(), key=lambda item: (-item[1], item[0])):
        if len(targets[text.lower()]) == 1:
            named.setdefault(url, text)
    yield from ((text, numbers[url]) for url, text in sorted(named.items()))


def title_queries(pages: Sequence[Read]) -> Iterator[tuple[str, int]]:
    """(title, number) of pages whose title no other has."""
    count = Counter(page.title for page in pages)
    yield from ((page.title, number) for number, page in enumerate(pages, 1) if count[page.title] == 1 and is_query(page.title))


def has_han(text: str) -> bool:
    return bool(_HAN.search(text))


def is_query(text: str) -> bool:
    """Two words, or three Chinese characters, and no more than a person types."""
    return len(text) <= 60 and (len(_HAN.findall(text)) >= 3 or len(_WORD.findall(text)) >= 2)


def ours(pages: Sequence[Read]) -> Find:
    """The index as `scrapy search` has it."""
    index = SearchIndex(None, Analyzer())
    index.begin()
    for number, page in enumerate(pages, 1):
        host = host_name(page.url)
        index.put(IndexedPage(number, "", host, page.language, page.title, page.text, 0.0, 0.5, True, False))
    index.commit(IndexState(last_page=len(pages)))
    index.end()
    return lambda text: [hit.page_id for hit in index.find(any_of(text.split()), DEPTH)]


def fts5(pages: Sequence[Read], tokenizer: str, terms: Callable[[str], list[str]]) -> Find:
    """SQLite's full text with one of its own tokenizers and its own rank; any of the words."""
    database = sqlite3.connect(":memory:")
    database.execute(f"create virtual table page using fts5(title, text, tokenize='{tokenizer}')")
    rows = ((number, page.title, page.text) for number, page in enumerate(pages, 1))
    database.executemany("insert into page(rowid, title, text) values(?, ?, ?)", rows)

    def find(text: str) -> list[int]:
        wanted = " OR ".join(f'"{term}"' for term in dict.fromkeys(terms(text)))
        found = database.execute("select rowid from page where page match ? order by rank limit ?", (wanted or '""', DEPTH))
        return [row for (row,) in found]

    return find


def trigrams(text: str) -> list[str]:
    """Of each word its runs of three characters, as FTS5's tokenizer `trigram` cuts."""
    return [word[place : place + 3] for word in _WORD.findall(text) for place in range(max(len(word) - 2, 1))]


SYSTEMS: dict[str, Callable[[Sequence[Read]], Find]] = {
    "scrapy search": ours,
    "FTS5 unicode61": lambda pages: fts5(pages, "unicode61", _WORD.findall),
    "FTS5 porter": lambda pages: fts5(pages, "porter unicode61", _WORD.findall),
    "FTS5 trigram": lambda pages: fts5(pages, "trigram", trigrams),
}


def main() -> None:
    webs = sorted(WEBS.glob("*.sqlite"))
    if not webs:
        print(f"no recorded webs in {WEBS}: set FOCUSCRAWL_WEBS")
        return
    print(f"{'web':8s}{'queries':10s}{'language':10s}{'number':>7s}  {'system':16s}{'MRR@10':>8s}{'first':>8s}{'in ten':>8s}")
    for web in webs:
        pages = read_web(web)
        untitled = [replace(page, title="") for page in pages]
        for test, queries, indexed in (
            ("anchors", list(anchor_queries(pages)), pages),
            ("titles", list(title_queries(pages)), untitled),
        ):
            systems = {name: make(indexed) for name, make in SYSTEMS.items()}
            for language in ("zh", "en"):
                asked = [query for query in queries if has_han(query[0]) == (language == "zh")]
                random.Random(2).shuffle(asked)
                if len(asked) >= 50:
                    head = f"{web.stem:8s}{test:10s}{language:10s}{len(asked[:QUERIES]):7d}"
                    for name, find in systems.items():
                        print(f"{head}  {name:16s}{figures(find, asked[:QUERIES])}")


def figures(find: Find, queries: Sequence[tuple[str, int]]) -> str:
    """Mean reciprocal rank, share of first places, share of places up to ten."""
    ranks = reciprocal_ranks(find, queries)
    return "".join(f"{fmean(values):8.3f}" for values in (ranks, [rank == 1 for rank in ranks], [rank > 0 for rank in ranks]))


def reciprocal_ranks(find: Find, queries: Sequence[tuple[str, int]]) -> list[float]:
    """1 divided by the place of the page that is meant, for each query; 0 where it is not among the first ten."""
    return [next((1 / place for place, page in enumerate(find(text), 1) if page == wanted), 0.0) for text, wanted in queries]


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
