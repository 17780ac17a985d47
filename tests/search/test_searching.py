"""The words of a query and the pages that they find, on the small crawl of `tests.topics.crawled`."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuscrawl.search.query import any_of, parse
from focuscrawl.search.searching import CrawlSearch
from focuscrawl.store.crawls import Crawl, crawl_named
from tests.report.sample import add_host, empty_crawl
from tests.search.asking import found, results
from tests.topics.crawled import AT, HOST, URLS, add_sky_page, sky_crawl


@pytest.fixture(scope="module")
def sky(tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    crawls = tmp_path_factory.mktemp("crawls")
    sky_crawl(crawls)
    return crawl_named(crawls, "web")


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("telescopes", "/sky/1 /sky/2 /sky/5"),
        ("望远镜", "/sky/3 /sky/4"),
        ("望遠鏡", "/sky/3 /sky/4"),
        ("telescope 土豆", "/sky/1 /sky/2 /sky/5 /food/3 /food/4"),
        ("supernova remnants", "/sky/2"),
        ('"distant galaxy"', "/sky/1 /sky/2"),
        ('"galaxy distant"', ""),
        ('"a distant galaxy, and the astronomer"', "/sky/1 /sky/2"),
        ('"distant galaxies" supernova', "/sky/1 /sky/2"),
        ("galaxy -supernova", "/sky/1"),
        ('soup -"serve with bread"', "/food/1"),
        ("title:comet", "/sky/5"),
        ("title:望远镜", "/sky/3 /sky/4"),
        ("lang:zh 星云 telescope", "/sky/3 /sky/4"),
        ("-lang:zh telescope 星云", "/sky/1 /sky/2 /sky/5"),
        ("site:example.com onion -site:other.example.com", "/food/1 /food/2"),
        ("site:xample.com onion", ""),
        ("telescope after:2030", ""),
        ("comet title:night before:2030 after:2026", "/sky/2"),
        ("文学家", "/sky/3"),  # cut as 天文学家, found as it stands
        ("汤", "/food/3 /food/4"),  # one character is no term
        ('"天文学家记"', "/sky/3"),
        ('"家记下"', "/sky/3"),
        ('"记家"', ""),
        ("telescope -汤 -星", "/sky/1 /sky/2 /sky/5"),
        ("title:汤", "/food/3 /food/4"),
        ('"20 minutes" 汤', ""),
        ("the", "/sky/1 /sky/2 /food/1 /food/2"),  # nor is a stop word
        ("nowhere", ""),
    ],
)
def test_what_a_query_finds(sky: Crawl, query: str, wanted: str) -> None:
    assert set(found(sky, query)) == {f"{path}.html" for path in wanted.split()}


def test_a_title_counts_more_and_neighbours_do(sky: Crawl) -> None:
    assert found(sky, "telescope")[0] == "/sky/1.html"
    assert found(sky, "galaxy night")[0] == "/sky/2.html"
    assert found(sky, "telescope", 1) == ["/sky/1.html"]


def test_words_of_addresses_are_searched_as_they_count_in_topics(tmp_path: Path) -> None:
    texts = {"/protocol.html": "The server speaks HTTP.", "/clients.html": "Clients wait in a hall.", "/dogs.html": "The dog."}
    db = empty_crawl(tmp_path / "web", "")
    add_host(db, HOST, len(texts), 0)
    for page_id, (path, text) in enumerate(texts.items(), 1):
        add_sky_page(db, page_id, path, "A page", text, "en")
    db.close()
    web = crawl_named(tmp_path, "web")
    assert set(found(web, "http client")) == {"/protocol.html", "/clients.html"}
    assert found(web, "the http") == ["/protocol.html"]
    assert found(web, "client html") == ["/clients.html"]
    assert "<mark>HTTP</mark>" in results(web, parse("the http"))[0].snippet.html


def test_what_is_told_of_a_page(sky: Crawl) -> None:
    page = results(sky, parse("serve bread"))[0]
    assert (page.url, page.title, page.language) == (URLS[6], "Onion soup", "en")
    assert (page.relevance, page.fetched_at, page.published, page.duplicates) == (0.1, AT + 7, "", 0)
    assert "<mark>Serve</mark> with <mark>bread</mark>" in page.snippet.html


def test_copies_are_counted_and_not_listed(sky: Crawl) -> None:
    (page,) = results(sky, parse("title:potato"))
    assert page.url == URLS[5]
    assert page.duplicates == 1


def test_words_of_a_topic_are_taken_as_they_are(sky: Crawl) -> None:
    search = CrawlSearch(sky)
    assert {hit.page_id for hit in search.best(any_of(["supernova remnants", "土豆"]), 9)} == {2, 8, 9}
    assert search.best(any_of(["galaxy telescope"]), 9) == []
    assert search.best(any_of(["!!", '"']), 9) == []
    search.close()
