from __future__ import annotations

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.items import SITEMAP, SourceEntry
from focuscrawl.recrawl.entries import SourceContent, gives_change_times, may_announce
from focuscrawl.recrawl.read_source import NoSourceError, is_source, read_source
from focuscrawl.recrawl.sitemap import MAX_ENTRIES
from focuscrawl.recrawl.state import DAY
from focuscrawl.text.safe_xml import MAX_BYTES, unpacked
from tests.linear_time import linear

URL = "http://a.test/sitemap.xml"
NOW = 1_790_000_000.0
"""2026-09-21 13:33:20 UTC."""
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def sitemap(*urls: str, root: str = "urlset", attributes: str = NAMESPACE) -> bytes:
    return f"{HEAD}<{root} {attributes}>{''.join(urls)}</{root}>".encode()


def url(loc: str, lastmod: str = "", more: str = "") -> str:
    return f"<url><loc>{loc}</loc>{f'<lastmod>{lastmod}</lastmod>' if lastmod else ''}{more}</url>"


def read(body: bytes, content_type: str = "application/xml") -> SourceContent:
    try:
        return read_source(body, URL, SITEMAP, NOW, content_type)
    except NoSourceError:
        return SourceContent()


def addresses(body: bytes) -> list[str]:
    return [entry.url for entry in read(body).entries]


def test_a_plain_sitemap() -> None:
    body = sitemap(
        url("http://a.test/", "2026-09-20T10:00:00+00:00", "<changefreq>daily</changefreq><priority>0.8</priority>"),
        url("\n  http://a.test/b?x=1&amp;y=2 \n", "2026-09-20"),
        url("http://a.test/中文"),
        url("mailto:x@a.test"),
        url(""),
        "<url/>",
    )
    assert read(body) == SourceContent(
        [
            SourceEntry("http://a.test/", 1789898400.0),
            SourceEntry("http://a.test/b?x=1&y=2", 1789948799.0),
            SourceEntry("http://a.test/%E4%B8%AD%E6%96%87"),
        ]
    )


def test_an_index() -> None:
    child = "<sitemap><loc>http://a.test/1.xml.gz</loc><lastmod>2026-09-01T00:00:00Z</lastmod></sitemap>"
    told = read(sitemap(child, url("http://a.test/no"), root="sitemapindex"))
    assert told == SourceContent(further=[SourceEntry("http://a.test/1.xml.gz", 1788220800.0)])


def test_repeated_addresses_have_the_latest_time() -> None:
    body = sitemap(url("http://a.test/1", "2026-01-01"), url("http://a.test/1#x", "2026-02-01"), url("http://a.test/1"))
    assert read(body).entries == [SourceEntry("http://a.test/1", 1769990399.0)]


@pytest.mark.parametrize(
    "body",
    [
        sitemap(url("http://a.test/1"), attributes=""),
        sitemap(url("http://a.test/1"), attributes='xmlns="http://www.google.com/schemas/sitemap/0.84"'),
        sitemap("<x:url><x:loc>http://a.test/1</x:loc></x:url>", root="x:urlset", attributes='xmlns:x="http://x.test/"'),
        b"\xef\xbb\xbf\n\n" + sitemap(url("http://a.test/1")),
        sitemap(url("http://a.test/1")).decode().replace("UTF-8", "UTF-16").encode("utf-16"),
        sitemap(url("http://a.test/1"))[:-20],
        sitemap(url("http://a.test/1"), "<url><loc>http://a.test/2")[:-20],
        sitemap(url("<![CDATA[http://a.test/1]]>")),
        b"<!-- made by x --><?xml-stylesheet href='s.xsl'?>" + sitemap(url("http://a.test/1")),
        sitemap(url("http://a.test/1")).replace(b"UTF-8", b"none-such"),
        gzip.compress(sitemap(url("http://a.test/1"))),
        gzip.compress(sitemap(url("http://a.test/1")))[:-9],
        gzip.compress(sitemap(url("http://a.test/1"))[:50]) + gzip.compress(sitemap(url("http://a.test/1"))[50:]),
        b"\r\nhttp://a.test/1\r\nftp://a.test/2\r\nsome words\r\n",
        b"\xef\xbb\xbfhttp://a.test/1",
    ],
)
def test_shapes_of_the_world(body: bytes) -> None:
    assert addresses(body)[:1] == ["http://a.test/1"]


def test_ampersands_as_many_write_them() -> None:
    body = sitemap(url("http://a.test/?a=1&b=2"), url("http://a.test/?a=1&copy=2"), url("<![CDATA[http://a.test/?c=1&d=2]]>"))
    assert addresses(body) == ["http://a.test/?a=1&b=2", "http://a.test/?a=1&copy=2", "http://a.test/?c=1&d=2"]


def test_news_with_titles_and_images_with_none() -> None:
    date = "<news:publication_date>2026-09-21T10:00:00+08:00</news:publication_date>"
    news = f"<news:news>{date}<news:title>红移 &amp; z</news:title></news:news>"
    images = "<image:image><image:loc>http://a.test/i.png</image:loc><image:title>no</image:title></image:image>"
    spaces = 'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:image="http://x.test/"'
    body = sitemap(url("http://a.test/1", more=images + news), attributes=f"{NAMESPACE} {spaces}")
    assert read(body).entries == [SourceEntry("http://a.test/1", 1789956000.0, "红移 & z")]


def test_times_that_cannot_be() -> None:
    times = ["2031-01-01", "1970-01-01", "2026-09-22T10:00:00Z", "2026-09-21", "2026-09-23T10:00:00Z"]
    body = sitemap(*(url(f"http://a.test/{n}", time) for n, time in enumerate(times)))
    assert [entry.modified for entry in read(body).entries] == [0.0, 0.0, 1790071200.0, 1790035199.0, 0.0]


def test_times_as_in_mail() -> None:
    assert read(sitemap(url("http://a.test/1", "Sun, 20 Sep 2026 10:00:00 GMT"))).entries[0].modified == 1789898400.0


def test_a_page_that_stands_in_for_a_sitemap() -> None:
    assert read(b"<!DOCTYPE html><html><body><a href='http://a.test/1'>x</a><p>http://a.test/2") == SourceContent()


LAUGHS = (
    '<!DOCTYPE l [<!ENTITY a "ha">' + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9)) + "]>"
)


@pytest.mark.parametrize(
    "body",
    [
        f"{LAUGHS}<urlset><url><loc>http://a.test/&j;</loc></url></urlset>",
        f"<!-- <x> -->{LAUGHS}<urlset><url><loc>http://a.test/1</loc></url></urlset>",
        '<!DOCTYPE u SYSTEM "http://127.0.0.1:1/x.dtd" [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]><urlset/>',
        '<!DOCTYPE u [<!ATTLIST url x CDATA "y">]><urlset><url><loc>http://a.test/1</loc></url></urlset>',
    ],
)
def test_declared_entities_are_refused(body: str) -> None:
    assert read(body.encode()) == SourceContent()


def test_a_reference_is_text() -> None:
    body = '<!DOCTYPE urlset SYSTEM "http://127.0.0.1:1/x.dtd"><urlset><url><loc>http://a.test/&x;</loc></url></urlset>'
    assert addresses(body.encode()) == ["http://a.test/&x;"]


@pytest.mark.slow
def test_at_most_so_many() -> None:
    body = sitemap(*(f"<url><loc>/{n}</loc></url>" for n in range(MAX_ENTRIES + 10)))
    assert len(read(body).entries) == MAX_ENTRIES
    lines = "\n".join(f"http://a.test/{n}" for n in range(MAX_ENTRIES + 10))
    assert len(read(lines.encode()).entries) == MAX_ENTRIES


def test_a_bomb_is_cut() -> None:
    bomb = gzip.compress(bytes(MAX_BYTES + 9), 1)
    assert len(unpacked(bomb)) == MAX_BYTES
    assert unpacked(gzip.compress(bomb)) == bomb
    assert len(unpacked(gzip.compress(b"x") * 3000)) == 3000


@pytest.mark.slow
def test_a_file_of_many_empty_members_does_not_take_long() -> None:
    """4 MB took 27 seconds, and 16 MB are read, when each member cost a copy of those behind it."""
    body = gzip.compress(b"") * 500_000
    with linear():
        assert unpacked(body) == b""
        assert not is_source(body)


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        b"<urlset>" + b"<url>" * 400_000,
        b"<urlset>" + b"<url><loc>x</loc>" * 100_000,
        b"<urlset " + b"a" * 2_000_000,
        b"<urlset>" + b"<!-- " * 400_000,
        b"<?x " * 400_000,
        b"<!--" * 400_000,
        b"<!DOCTYPE " * 200_000,
        b"&" * 2_000_000,
        b"<urlset>" + b"&" * 1_000_000,
        b"<urlset " + b" ".join(b"a%d='1'" % n for n in range(40_000)) + b"/>",
        b"http://a.test/" + b"x" * 2_000_000,
    ],
)
def test_hostile_files_take_no_time(body: bytes) -> None:
    with linear():
        read(body)


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda text: sitemap(url(text, text)))))
def test_never_raises(body: bytes) -> None:
    for kind in (body, gzip.compress(body), body[:-7], b"\x1f\x8b" + body):
        read(kind, "text/xml; charset=gb2312")


def test_for_whom_it_speaks() -> None:
    assert may_announce(SITEMAP, URL, "https://a.test/x")
    assert may_announce(SITEMAP, URL, "http://www.a.test/x")
    assert not may_announce(SITEMAP, URL, "http://b.a.test/x")
    assert not may_announce(SITEMAP, URL, "http://b.test/x")


def test_times_that_are_all_of_now() -> None:
    now = [SourceEntry(f"http://a.test/{n}", NOW - n) for n in range(9)]
    assert not gives_change_times(now, NOW)
    assert not gives_change_times([*now, SourceEntry("http://a.test/old", NOW - 9 * DAY)], NOW)
    assert gives_change_times([*now, *(SourceEntry(f"http://a.test/old{n}", NOW - 9 * DAY) for n in range(3))], NOW)
    assert gives_change_times(now[:4], NOW)
    assert gives_change_times([SourceEntry("http://a.test/untold")], NOW)
