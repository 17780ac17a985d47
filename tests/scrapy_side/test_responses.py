"""From answers to pages: what was not read because nothing has changed is neither cut nor a page to be read."""

from __future__ import annotations

import gzip
from dataclasses import replace
from typing import Any

import pytest
from scrapy.http import Request, Response

from focuscrawl.items import FEED, LINK, SEED, SITEMAP, SOFT404_PROBE, Page
from focuscrawl.politeness.robots import MAX_BYTES
from focuscrawl.scrapy_side.responses import AGREED, ASKED, CODING, LATE, STOPPED, page_of, robots_answer
from tests.factories import lease

LEASE = lease("http://a.test/x", etag='"1"')


def page(status: int = 200, body: bytes = b"", flags: tuple[str, ...] = (), meta: dict[str, Any] | None = None) -> Page:
    request = Request(LEASE.url, meta={"lease": LEASE, "ip_address": "127.0.0.1", **(meta or {})})
    response = Response(LEASE.url, status, {"Content-Type": "text/html", "ETag": '"1"'}, body, list(flags), request)
    return page_of(response, 5.0)


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("/é中".encode(), "http://a.test/%C3%A9%E4%B8%AD"),
        ("/é".encode("latin-1"), "http://a.test/%E9"),
        (b"/a b\\c", "http://a.test/a%20b/c"),
        (b"\\\\b.test\\c", "http://b.test/c"),
        (b"  //bob:secret@b.test/ \t", "http://b.test/"),
        (b"javascript:alert(1)", ""),
        (b"", ""),
    ],
)
def test_where_a_redirect_leads(location: bytes, target: str) -> None:
    request = Request(LEASE.url, meta={"lease": LEASE})
    assert page_of(Response(LEASE.url, 302, {"Location": location}, b"", [], request), 5.0).redirect == target


def test_a_stopped_download_is_no_cut_page() -> None:
    made = page(flags=(STOPPED,), meta={AGREED: True})
    assert (made.unmodified, made.truncated, made.error, made.ok) == ("headers", "", "", False)
    assert (made.status, made.ip_address) == (200, "127.0.0.1")


@pytest.mark.parametrize("kind", ["application/pdf", "image/png"])
def test_nor_is_it_of_another_type(kind: str) -> None:
    """A page whose label lies was told by its first bytes, of which there are none now."""
    request = Request(LEASE.url, meta={"lease": LEASE, AGREED: True})
    made = page_of(Response(LEASE.url, 200, {"Content-Type": kind}, b"", [STOPPED], request), 5.0)
    assert (made.unmodified, made.error) == ("headers", "")


def test_a_download_that_others_stopped_is_cut() -> None:
    made = page(body=b"<p>half", flags=(STOPPED,))
    assert (made.unmodified, made.truncated, made.ok) == ("", "length", True)
    assert page(body=b"<p>half", flags=(STOPPED, LATE)).truncated == "time"


@pytest.mark.parametrize("status", [301, 404, 500])
def test_only_a_page_can_be_the_same(status: int) -> None:
    assert page(status, flags=(STOPPED,), meta={AGREED: True}).unmodified == ""


def test_304_counts_only_when_it_was_asked_for() -> None:
    assert page(304, meta={ASKED: True}).unmodified == "304"
    assert page(304, meta={ASKED: False}).unmodified == ""
    assert page(304).unmodified == ""


def test_a_page_that_was_read() -> None:
    made = page(body=b"<p>all", meta={ASKED: True})
    assert (made.unmodified, made.truncated, made.ok, made.body) == ("", "", True, b"<p>all")


@pytest.mark.parametrize(
    ("kind", "label"), [(FEED, "application/rss+xml"), (SITEMAP, "application/gzip"), (SITEMAP, "image/png")]
)
def test_sitemaps_and_feeds_have_types_of_their_own(kind: int, label: str) -> None:
    for held, error in ((replace(LEASE, kind=kind), ""), (LEASE, "type"), (replace(LEASE, kind=SOFT404_PROBE), "type")):
        request = Request(LEASE.url, meta={"lease": held})
        made = page_of(Response(LEASE.url, 200, {"Content-Type": label}, b"\x1f\x8b\0", [], request), 5.0)
        assert (made.error, made.collected) == (error, False)


@pytest.mark.parametrize(
    ("flag", "truncated", "error"), [("dataloss", "disconnect", "truncated"), (CODING, "coding", "coding")]
)
def test_what_did_not_come_whole_is_fetched_again_before_its_beginning_has_to_do(flag: str, truncated: str, error: str) -> None:
    def fetched(tries: int, status: int = 200) -> Page:
        request = Request(LEASE.url, meta={"lease": replace(LEASE, tries=tries)})
        response = Response(LEASE.url, status, {"Content-Type": "text/html"}, b"<p>half", [flag], request)
        return page_of(response, 5.0, most_retries=1)

    assert (fetched(0).truncated, fetched(0).error) == (truncated, error)
    assert (fetched(1).truncated, fetched(1).error, fetched(1).ok) == (truncated, "", True)
    assert fetched(0, 404).error == ""


def robots(body: bytes, *flags: str, status: int = 200) -> tuple[bytes, bool]:
    request = Request("http://a.test/robots.txt")
    answer = robots_answer(Response(request.url, status, {}, body, list(flags), request))
    return answer.body, answer.cut


def test_a_robots_txt_that_broke_off_is_told_from_a_long_one() -> None:
    rules = b"User-agent: *\nDisallow: /x\nDisallow: /y"
    assert robots(rules) == (rules, False)
    assert robots(rules, "dataloss") == (rules, True)
    assert robots(rules, CODING) == (rules, True)
    assert robots(rules, status=206) == (rules, True)
    assert robots(rules, STOPPED) == (b"User-agent: *\nDisallow: /x\n", False)  # the last line may go on
    assert robots(rules, STOPPED, LATE) == (rules, True)
    assert robots(gzip.compress(rules)) == (rules, False)
    assert robots(gzip.compress(rules)[:-6])[1]
    assert robots(gzip.compress(b"\n" * (MAX_BYTES * 3)))[1] is False


@pytest.mark.parametrize(("kind", "error"), [(SEED, ""), (LINK, "type")])
@pytest.mark.parametrize(
    "body",
    [
        b"<rss version='2.0'>",
        b"<?xml version='1.0'?>\n<!-- a --><urlset >",
        b"<rdf:RDF\n>",
        b"<feed>",
        b"<sitemapindex>",
        b"<?xml version='1.0'?><opml version='2.0'>",
        b'{"title": "a", "version": "https:\\/\\/jsonfeed.org\\/version\\/1.1"',
        gzip.compress(b"<urlset>", mtime=0),
        gzip.compress(b"http://a.test/1\nhttp://a.test/2\n", mtime=0),
    ],
)
def test_a_sitemap_or_feed_may_be_given_as_a_seed(kind: int, error: str, body: bytes) -> None:
    request = Request(LEASE.url, meta={"lease": replace(LEASE, kind=kind)})
    made = page_of(Response(LEASE.url, 200, {"Content-Type": "application/gzip"}, body, [], request), 5.0)
    assert made.error == error


@pytest.mark.parametrize(
    "body",
    [
        b"<?xml version='1.0'?><feedback></feedback>",
        b'{"version": "https://example.org/version/1"}',
        gzip.compress(b"<html>", mtime=0),
        gzip.compress(b"x\0", mtime=0),
    ],
)
def test_another_file_may_not(body: bytes) -> None:
    request = Request(LEASE.url, meta={"lease": replace(LEASE, kind=SEED)})
    assert page_of(Response(LEASE.url, 200, {"Content-Type": "application/rss+xml"}, body, [], request), 5.0).error == "type"
