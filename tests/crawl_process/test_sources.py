"""What becomes of a sitemap or feed before it is committed: entries, links to what is new, further sitemaps."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from focuscrawl.crawl.link_rules import LinkRules
from focuscrawl.crawl.sources import MOST_FURTHER, MOST_NEW, MOST_ON_TOPIC, SourceReader
from focuscrawl.frontier.yields import YieldLimit
from focuscrawl.items import FEED, SEED, SITEMAP, Lease, Page
from focuscrawl.reading.worker import WorkerProcess
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.sqlite import connect
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.revisits.sources import MOST_NESTED, RELEVANT
from focuscrawl.url.hosts import hid_of
from focuscrawl.url.scope import Scope
from models.link.tunnelling import FixedTunnelling
from tests.factories import known

pytestmark = pytest.mark.system

NOW = 1_790_000_000.0
ADDRESS = "http://a.test/sitemap.xml"


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    opened = connect(tmp_path / "store.sqlite")
    yield opened
    opened.close()


class Crawl:
    """Of a crawl process, what reading uses: a recrawl, or an ordinary crawl of which `similarity` is the topic's."""

    def __init__(self, db: Database, scope: Scope, similarity: Callable[[str], float] | None = None) -> None:
        self._db, self.counts = db, Counter[str]()
        self.job, self.store, self.counting = SimpleNamespace(scope=scope), self, self
        self.link_rules = LinkRules(scope, yields=YieldLimit())
        self.recrawling = SimpleNamespace(on=similarity is None)
        self.reads_sources = True
        self.topic = SimpleNamespace(similarity=similarity)
        self.reading_process = WorkerProcess()

    async def call(self, operation: Callable[..., Any], **given: object) -> Any:
        return operation(self._db, **given)

    def inc(self, name: str, count: int = 1) -> None:
        self.counts[name] += count


def read(crawl: Crawl, body: str, kind: int = SITEMAP, **lease: int) -> Page:
    page = Page(Lease(hid_of("http://a.test"), 1, ADDRESS, kind=kind, **lease), ADDRESS, 200, NOW, body=body.encode())  # type: ignore[arg-type]

    async def reading() -> None:
        reader = SourceReader(cast(Any, crawl))
        await (reader.read_seed(page) if kind == SEED else reader.read(page))
        await crawl.reading_process.close()

    asyncio.run(reading())
    return page


def sitemap(*urls: str, element: str = "url") -> str:
    root = "urlset" if element == "url" else "sitemapindex"
    inner = "".join(
        f"<{element}><loc>{url}</loc><lastmod>2026-01-01T00:{number // 60 % 60:02}:{number % 60:02}Z</lastmod></{element}>"
        for number, url in enumerate(urls)
    )
    return f"<{root}>{inner}</{root}>"


INDEX = sitemap("http://a.test/1.xml", "http://a.test/2.xml", element="sitemap")
OPML = '<opml><outline text="A" htmlUrl="http://one.test/"/><outline text="B" xmlUrl="http://two.test/rss"/></opml>'
TWO = ["http://a.test/2.xml", "http://a.test/1.xml"]


@pytest.mark.parametrize(
    ("body", "reads_sources", "lease", "feeds", "lists"),
    [
        (INDEX, True, {}, TWO, []),
        (INDEX, False, {}, [], TWO),
        (INDEX, False, {"distance": MOST_NESTED}, [], []),
        (OPML, True, {}, [], ["http://two.test/rss"]),
        (OPML, False, {}, [], ["http://two.test/rss"]),
    ],
)
def test_lists_that_a_seed_names_are_fetched_like_it_if_nothing_else_visits_them(
    db: Database, body: str, reads_sources: bool, lease: dict[str, int], feeds: list[str], lists: list[str]
) -> None:
    crawl = Crawl(db, Scope(), lambda _: 0.0)
    crawl.reads_sources = reads_sources
    page = read(crawl, body, SEED, **lease)
    assert (page.feeds, page.lists) == (feeds, lists)
    assert [link.url for link in page.links] == (["http://one.test/"] if body == OPML else [])


def test_what_nobody_knows_becomes_links(db: Database) -> None:
    known(db, "http://a.test/known", at=NOW)
    db.execute("update host set pages=19, relevant=9")
    crawl = Crawl(db, Scope(exclude=("/private/",)))
    page = read(crawl, sitemap(*(f"http://a.test/{name}" for name in ("known", "private/x", "login", "old", "new"))))
    assert [entry.url[14:] for entry in page.entries] == ["new", "old", "login", "private/x", "known"]
    assert [(link.url, link.position, link.anchor, link.in_site) for link in page.links] == [
        ("http://a.test/new", "sitemap", "", True),
        ("http://a.test/old", "sitemap", "", True),
    ]
    assert (page.kind, page.error, page.feeds) == ("sitemap", "", [])
    assert page.share == pytest.approx(0.455)
    assert crawl.counts == {"signals/sitemap_count": 1, "signals/entry_count": 5, "signals/new_count": 2}


def test_a_feed_brings_words(db: Database) -> None:
    item = "<item><title>Telescope</title><link>/1</link><description>sees &lt;b&gt;a galaxy</description></item>"
    page = read(Crawl(db, Scope()), f"<rss><channel>{item}<item><link>/2</link><title>T</title></item></channel></rss>", FEED)
    assert [(link.anchor, link.context, link.position) for link in page.links] == [
        ("Telescope", "sees a galaxy", "feed"),
        ("T", "T", "feed"),
    ]
    assert page.kind == "feed"


def test_the_latest_come_first_and_the_rest_later(db: Database) -> None:
    urls = [f"http://a.test/{number}" for number in range(MOST_NEW + 700)]
    crawl = Crawl(db, Scope())
    first = read(crawl, sitemap(*urls))
    assert [link.url for link in first.links] == urls[-1 : -MOST_NEW - 1 : -1]
    discover(db, [DiscoveredUrl(link.url, 0.5) for link in first.links], NOW)
    second = read(crawl, sitemap(*urls))
    assert [link.url for link in second.links] == urls[-MOST_NEW - 1 : -2 * MOST_NEW - 1 : -1]
    discover(db, [DiscoveredUrl(link.url, 0.5) for link in second.links], NOW)
    third = read(crawl, sitemap(*urls))
    assert (len(third.links), [page.left for page in (first, second, third)]) == (200, [True, True, False])


def test_exactly_as_many_as_one_visit_takes_leave_nothing(db: Database) -> None:
    page = read(Crawl(db, Scope()), sitemap(*(f"http://a.test/{number}" for number in range(MOST_NEW))))
    assert (len(page.links), page.left) == (MOST_NEW, False)


@pytest.mark.parametrize(("name", "left"), [("bread", True), ("known", False), ("private/bread", False)])
def test_an_ordinary_crawl_leaves_what_is_off_the_topic(db: Database, name: str, left: bool) -> None:
    known(db, "http://a.test/known", at=NOW)
    crawl = Crawl(db, Scope(exclude=("/private/",)), lambda text: float("star" in text))
    page = read(crawl, sitemap("http://a.test/star", f"http://a.test/{name}"))
    assert ([link.url for link in page.links], page.left) == (["http://a.test/star"], left)


@pytest.mark.parametrize(("pages", "found"), [(1, ["star", "2", "1"]), (RELEVANT, ["star"])])
def test_where_it_is_the_only_way_in_what_is_off_the_topic_comes_last(db: Database, pages: int, found: list[str]) -> None:
    known(db, "http://a.test/", at=NOW)
    db.execute("update host set pages=?", (pages,))
    crawl = Crawl(db, Scope(), lambda text: float("star" in text))
    page = read(crawl, sitemap(*(f"http://a.test/{name}" for name in ("star", "1", "2"))))
    assert [link.url for link in page.links] == [f"http://a.test/{name}" for name in found]


def test_a_seed_that_is_a_sitemap_or_feed_is_a_list_of_its_entries(db: Database) -> None:
    links = read(Crawl(db, Scope(), lambda text: 0.0), sitemap("http://a.test/1", "http://a.test/2"), SEED)
    assert ([link.url for link in links.links], links.kind) == (["http://a.test/2", "http://a.test/1"], "index")
    index = read(Crawl(db, Scope(), lambda text: 0.0), sitemap("http://a.test/1.xml", element="sitemap"), SEED)
    assert (index.links, index.feeds) == ([], ["http://a.test/1.xml"])
    broken = read(Crawl(db, Scope(), lambda text: 0.0), "<rss></channel>", SEED)
    assert (broken.links, broken.error) == ([], "")


def test_what_no_visit_may_follow_is_not_left(db: Database) -> None:
    crawl = Crawl(db, Scope())
    crawl.link_rules = LinkRules(Scope(), max_depth=3)
    assert not read(crawl, sitemap(*(f"http://a.test/{number}" for number in range(MOST_NEW + 1))), depth=3).left


def test_an_ordinary_crawl_takes_what_speaks_of_the_topic_the_nearest_first(db: Database) -> None:
    def similarity(text: str) -> float:
        return text.count("star") / 10 + text.count("Comets")

    stars = [f"http://a.test/star{number}/{'star/' * (number % 2)}" for number in range(MOST_ON_TOPIC + 2)]
    page = read(Crawl(db, Scope(), similarity), sitemap("http://a.test/bread", *stars))
    found = [link.url for link in page.links]
    assert (
        found
        == [url for url in reversed(stars) if "star/star" not in url and url.count("star") == 2]
        + [url for url in reversed(stars) if url.count("star") == 1][: MOST_ON_TOPIC // 2 - 1]
    )
    item = "<item><title>Comets</title><link>/7</link></item><item><title>Bread</title><link>/8</link></item>"
    told = read(Crawl(db, Scope(), similarity), f"<rss><channel>{item}</channel></rss>", FEED)
    assert [link.url for link in told.links] == ["http://a.test/7"]


def test_refused_pages_do_not_fill_the_places(db: Database) -> None:
    urls = ["http://a.test/wanted", *(f"http://a.test/file{number}.zip" for number in range(1500))]
    assert [link.url for link in read(Crawl(db, Scope()), sitemap(*urls)).links] == ["http://a.test/wanted"]


def test_an_index_brings_sitemaps_to_a_depth(db: Database) -> None:
    urls = [f"http://a.test/{number}.xml" for number in range(MOST_FURTHER + 50)]
    crawl = Crawl(db, Scope(include=("/news/",)))
    page = read(crawl, sitemap(*urls, element="sitemap"))
    assert page.feeds == urls[-1 : -MOST_FURTHER - 1 : -1]
    assert page.left
    assert len(page.entries) == len(urls)  # their times are signals
    assert page.links == []
    assert read(crawl, sitemap(*urls, element="sitemap"), distance=MOST_NESTED).feeds == []
    assert read(Crawl(db, Scope(hosts=("b.test",))), sitemap(*urls, element="sitemap")).feeds == []


@pytest.mark.parametrize("body", ["<!doctype html><p>Not found", "", "<!DOCTYPE x [<!ENTITY y 'z'>]><urlset/>"])
def test_what_is_neither(db: Database, body: str) -> None:
    crawl = Crawl(db, Scope())
    page = read(crawl, body)
    assert (page.error, page.entries, page.links) == ("parse", [], [])
    assert crawl.counts == {"signals/broken_count": 1}


def test_no_tunnelling_and_no_filters_for_sources() -> None:
    rules = LinkRules(Scope(exclude=("/x/",)), tunnelling=FixedTunnelling(0), max_depth=3)
    lease = Lease(1, 1, ADDRESS, kind=FEED)
    page = Page(lease, ADDRESS, redirect="http://a.test/feed")
    assert rules.page_rule(page) == ""
    assert rules.redirect_rule(page) == ""
    assert rules.redirect_rule(Page(lease, ADDRESS, redirect="http://b.test/feed")) == "host"
    assert rules.redirect_rule(Page(lease, ADDRESS, redirect="http://a.test/x/feed")) == "exclude"
    assert rules.redirect_rule(Page(Lease(1, 1, ADDRESS), ADDRESS, redirect="http://a.test/feed")) == "feed"
    assert rules.page_rule(Page(Lease(1, 1, ADDRESS, kind=FEED, depth=3), ADDRESS)) == "depth"
    assert rules.page_rule(Page(Lease(1, 1, ADDRESS), ADDRESS)) == "tunnel"
