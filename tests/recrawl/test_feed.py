from __future__ import annotations

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.items import FEED, SEED, SITEMAP, SourceEntry
from focuscrawl.recrawl.entries import SourceContent, may_announce
from focuscrawl.recrawl.feed import MAX_ENTRIES, plain
from focuscrawl.recrawl.read_source import NoSourceError, content_of, is_source, read_apart, read_source
from tests.linear_time import linear

URL = "http://news.a.test/feed"
NOW = 1_790_000_000.0
"""2026-09-21 13:33:20 UTC."""
RSS = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><channel>
<title>Site</title><link>http://a.test/</link><atom:link href="http://a.test/feed" rel="self" type="application/rss+xml"/>
<item><title>Stars &amp; galaxies</title><link>http://a.test/1?a=1&amp;b=2</link>
<pubDate>Sun, 20 Sep 2026 18:00:00 +0800</pubDate>
<description><![CDATA[<p>Red&nbsp;shift <a href="/x">z</a></p>]]></description><content:encoded>long</content:encoded>
<media:title>no</media:title><category>c</category></item>
<item><guid isPermaLink="true">http://a.test/2</guid><dc:date>2026-09-01T00:00:00Z</dc:date></item>
<item><guid isPermaLink="false">urn:3</guid><title>no address</title></item>
</channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://a.test/blog/"><title>Blog</title>
<link rel="self" href="f"/>
<updated>2026-09-21T00:00:00Z</updated>
<entry><title type="html">&lt;b&gt;New&lt;/b&gt; telescope</title><id>tag:a.test,2026:1</id><link rel="edit" href="no"/>
<link href="1"/><published>2026-09-01T00:00:00Z</published><updated>2026-09-20T10:00:00+02:00</updated>
<summary type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">of <i>one</i> metre</div></summary></entry></feed>"""
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
  xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>T</title></channel>
<item rdf:about="http://a.test/1"><title>One</title><link>http://a.test/1</link><dc:date>2026-09-01</dc:date></item></rdf:RDF>"""
OLD = """<?xml version="1.0" encoding="gb2312"?>
<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://127.0.0.1:1/rss-0.91.dtd">
<rss version="0.91"><channel><item><title>望远镜发现新的星系</title><link>http://a.test/新闻</link><description>天文学家</description></item>
</channel></rss>"""


def read(text: str | bytes, content_type: str = "application/rss+xml") -> SourceContent:
    try:
        return read_source(text.encode() if isinstance(text, str) else text, URL, FEED, NOW, content_type)
    except NoSourceError:
        return SourceContent()


def test_rss() -> None:
    assert read(RSS) == SourceContent(
        [
            SourceEntry("http://a.test/1?a=1&b=2", 1789898400.0, "Stars & galaxies", "Red shift z"),
            SourceEntry("http://a.test/2", 1788220800.0),
        ],
        feed=True,
    )


JSON = """{"version": "https:\\/\\/jsonfeed.org\\/version\\/1.1", "title": "天文", "items": [
{"id": "1", "url": "http://a.test/1", "title": "New <b>telescope</b>", "content_html": "<p>of one metre</p>",
 "date_published": "2026-09-01T00:00:00Z", "date_modified": "2026-09-20T10:00:00+02:00"},
{"id": "http://a.test/2", "summary": 7}, {"id": "urn:3"}, "no item", {"url": "http://elsewhere.example/"}]}"""


def test_json_feed() -> None:
    assert is_source(JSON.encode())
    assert read_source(JSON.encode(), URL, FEED, NOW) == SourceContent(
        [
            SourceEntry("http://a.test/1", 1789891200.0, "New telescope", "of one metre"),
            SourceEntry("http://a.test/2"),
        ],
        feed=True,
    )


@pytest.mark.parametrize(
    "body", [JSON[:-9], JSON.replace("items", "entries"), '{"version": "1"}', "[" * 9000, JSON.replace("[", "7, [")]
)
def test_another_json_file(body: str) -> None:
    with pytest.raises(NoSourceError):
        read_source(body.encode(), URL, FEED, NOW)


def test_opml_names_sites_of_others_if_a_user_gives_it() -> None:
    body = b"""<opml version="1.0"><body><outline text="A" htmlUrl="http://one.example/" xmlUrl="http://one.example/rss"/>
        <outline title="B &amp; b" xmlUrl="http://two.example/rss"/><outline text="C" htmlUrl="about"/></body></opml>"""
    found = read_source(body, URL, SEED, NOW)
    assert found.entries == [SourceEntry("http://one.example/", title="A"), SourceEntry("http://news.a.test/about", title="C")]
    assert (found.further, found.sites) == ([SourceEntry("http://two.example/rss", title="B & b")], True)
    assert content_of(read_apart(body, URL, str(SEED), str(NOW), "")) == found
    with pytest.raises(NoSourceError):
        read_source(body, URL, FEED, NOW)


def test_atom() -> None:
    assert read(ATOM).entries == [SourceEntry("http://a.test/blog/1", 1789891200.0, "New telescope", "of one metre")]


def test_rss_1_0() -> None:
    # a day stands for its last second, as in sitemaps
    assert read(RDF).entries == [SourceEntry("http://a.test/1", 1788307199.0, "One")]


@pytest.mark.parametrize("charset", ["gb2312", "utf-8"])
def test_chinese_in_gbk_with_a_dtd_that_nobody_fetches(charset: str) -> None:
    told = read(OLD.replace("gb2312", charset).encode("gbk"), "text/xml")
    assert told.entries == [SourceEntry("http://a.test/%E6%96%B0%E9%97%BB", 0.0, "望远镜发现新的星系", "天文学家")]


@pytest.mark.parametrize(
    "body",
    [
        RSS.encode("utf-16"),
        b"\xef\xbb\xbf\n " + RSS.encode(),
        RSS.encode()[: RSS.index("<item><guid")].rstrip(),
        RSS.replace("&amp; galaxies", "& galaxies").replace("a=1&amp;b", "a=1&b").encode(),
        RSS.replace("<category>c</category>", "<x:y>undeclared</x:y><georss:point>1</georss:point><b>&nbsp;").encode(),
        RSS.replace("2.0", "0.92").encode() + b"<!-- behind --> words",
        RSS.replace("<title>Site", "<title>Si\x00\x0bte").encode(),
        gzip.compress(RSS.encode()),
    ],
)
def test_shapes_of_the_world(body: bytes) -> None:
    first = read(body).entries[0]
    assert (first.url, first.title, first.modified) == ("http://a.test/1?a=1&b=2", "Stars & galaxies", 1789898400.0)


def test_times_that_cannot_be() -> None:
    dates = [
        "Mon, 01 Jan 2035 00:00:00 GMT",
        "Tue, 22 Sep 2026 01:00:00 GMT",
        "31 Feb 99999",
        "yesterday",
        "1 Jan 1970 00:00:00 GMT",
    ]
    items = "".join(f"<item><link>/{n}</link><pubDate>{date}</pubDate></item>" for n, date in enumerate(dates))
    told = read(f"<rss><channel>{items}</channel></rss>")
    assert [entry.modified for entry in told.entries] == [0.0, 1790038800.0, 0.0, 0.0, 0.0]


def test_times_that_feedparser_misreads() -> None:
    found = read(
        RSS.replace("Sun, 20 Sep 2026 18:00:00 +0800", "2026/09/20 10:00").replace("2026-09-01T00:00:00Z", "Tue, 01 Sep 2026")
    )
    assert [entry.modified for entry in found.entries] == [1789898400.0, 1788307199.0]


@pytest.mark.parametrize(
    ("feed", "namespace"),
    [
        ("rss", "https://a.test/rss/rss.html"),
        ("rss", "http://www.w3.org/2005/Atom"),
        ("feed", "https://www.w3.org/2005/atom"),
    ],
)
def test_a_made_up_namespace_of_the_whole_feed(feed: str, namespace: str) -> None:
    item, link = ("entry", '<link href="/1"/>') if feed == "feed" else ("item", "<link>/1</link>")
    entry = f'<{item}><x:title xmlns:x="http://other.test/">no</x:title><title>One</title>{link}</{item}>'
    found = read(f'<{feed} xmlns="{namespace}">{entry}</{feed}>')
    assert found == SourceContent([SourceEntry("http://news.a.test/1", 0.0, "One")], feed=True)


@pytest.mark.parametrize(
    "feed",
    [
        "<rss><item><link/><guid>http://a.test/1</guid></item></rss>",
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href=" "/><id>http://a.test/1</id></entry></feed>',
    ],
)
def test_an_empty_link_hides_no_guid_or_id(feed: str) -> None:
    assert read(feed).entries == [SourceEntry("http://a.test/1")]


def test_a_reference_of_html_alone_is_read_in_the_end() -> None:
    assert read("<rss><item><title>&#X41;&#x42;&hearts;</title><link>/1</link></item></rss>").entries[0].title == "AB♥"


def test_plain_words() -> None:
    assert plain("<p>a&amp;nbsp;b <script x='", 99) == "a b"
    assert plain("1 &lt; 2 &amp;lt;b&amp;gt;c", 99) == "1 < 2 c"
    assert plain("x" * 999, 300) == "x" * 300
    assert plain("星\u202e\x07", 9) == "星"


def test_at_most_so_many() -> None:
    items = "".join(f"<item><link>/{n}</link></item>" for n in range(MAX_ENTRIES + 9))
    assert len(read(f"<rss><channel>{items}").entries) == MAX_ENTRIES


def test_declared_entities_are_refused() -> None:
    assert (
        read('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss><channel><item><link>/&x;</link></item>')
        == SourceContent()
    )


@pytest.mark.parametrize("body", ["http://127.0.0.1:1/feed", "/etc/hosts", "file:///etc/hosts", "", "<", "{}", "<html><p>x"])
def test_what_is_no_feed(body: str) -> None:
    assert read(body).entries == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        b"<rss><channel>" + b"<item>" * 200_000,
        b"<rss><channel>" + b"<item><title>" * 120_000,
        b"<rss><channel><item><description>" + b"&lt;" * 600_000,
        b"<rss><channel><item><description>" + b"&lt;!-- " * 200_000,
        b"<rss><channel><item><title>" + b"x" * 4_000_000,
        b"<rss><channel><item>" + b"<link>/x</link>" * 200_000,
        b"<rss><channel>" + b"<item><pubDate>%s</pubDate><link>/x</link></item>" % (b"1-" * 500) * 500,
        b"<feed xmlns='http://www.w3.org/2005/Atom'>" + b"<entry xml:base='a/'>" * 100_000,
    ],
)
def test_hostile_files_take_no_time(body: bytes) -> None:
    with linear():
        read(body)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200), st.sampled_from([RSS, ATOM, RDF, OLD]), st.integers(0, 1500), st.integers(0, 60))
def test_never_raises(some: bytes, feed: str, at: int, cut: int) -> None:
    whole = feed.encode("gbk")
    read(whole[:at] + some + whole[at + cut :])
    read(some)


def test_for_whom_it_speaks() -> None:
    assert may_announce(FEED, URL, "https://www.a.test/x")
    assert not may_announce(FEED, URL, "http://b.test/x")


def test_the_root_tells_what_it_is() -> None:
    sitemap = b"<urlset><url><loc>http://news.a.test/1</loc></url><url><loc>http://a.test/2</loc></url></urlset>"
    assert read_source(RSS.encode(), URL, SITEMAP, NOW).feed
    told = read_source(sitemap, URL, FEED, NOW)
    assert (told.feed, [entry.url for entry in told.entries]) == (False, ["http://news.a.test/1"])
    assert read_source(b"http://news.a.test/1", URL, SITEMAP, NOW).entries == [SourceEntry("http://news.a.test/1")]
    packed = gzip.compress(b"http://news.a.test/1\n")
    assert read_source(packed, URL, SEED, NOW).entries == [SourceEntry("http://news.a.test/1")]
    assert read_source(b"<urlset/>", URL, FEED, NOW) == SourceContent()
    index = b"<sitemapindex><sitemap><loc>http://maps.a.test/1.xml</loc></sitemap><sitemap><loc>http://b.test/2</loc></sitemap>"
    assert read_source(index, URL, SITEMAP, NOW).further == [SourceEntry("http://maps.a.test/1.xml")]


@pytest.mark.parametrize(
    "body", [b"", b"<!doctype html><p>Not found", b"\x89PNG\r\n\x1a\n\0", b"http://news.a.test/1", b"words"]
)
def test_neither_sitemap_nor_feed(body: bytes) -> None:
    with pytest.raises(NoSourceError):
        read_source(body, URL, FEED, NOW)


def test_the_way_back_from_another_process() -> None:
    values = read_apart(RSS.encode(), URL, str(FEED), str(NOW), "application/rss+xml")
    assert content_of(values) == read_source(RSS.encode(), URL, FEED, NOW)
