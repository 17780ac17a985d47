"""Whatever strangers write, nothing of ours raises but the errors that say so. Bounded: a few hundred inputs each, more with
`--hypothesis-seed` and time. (URLs, robots.txt, codings, charsets, sitemaps and feeds have theirs beside their own tests.)"""

from __future__ import annotations

import gzip
import math
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.config.seed_list import seeds_of_text
from focuscrawl.config.topic_file import parse_topic, read_seeds
from focuscrawl.errors import BadInput
from focuscrawl.items import FEED, SITEMAP
from focuscrawl.politeness.meta_robots import directives
from focuscrawl.politeness.pace import retry_after_seconds
from focuscrawl.reading.page import read_page
from focuscrawl.recrawl.read_source import NoSourceError, read_source
from focuscrawl.store.warc.recovery import verify
from focuscrawl.url.normalize import normalize

EXAMPLES = 150
BASE = "http://host.test/dir/page"
TAGS = (
    "<div>",
    "</div>",
    "<p",
    ">",
    "<a href=",
    "'",
    '"',
    "<!--",
    "-->",
    "<script>",
    "</script>",
    "<table><tr><td>",
    "<base href=",
    "<meta name=robots content=",
    "<meta http-equiv=refresh content=0;url=",
    "<title>",
    "</title>",
    "<frameset>",
    "<svg>",
    "<math>",
    "<template>",
    "<![CDATA[",
    "]]>",
    "&#x110000;",
    "&#0;",
    "&amp",
    "\0",
    "\ufffe",
    "\u202e",
    "\ud7ff",
    "天文",
)
LINES = (
    "http://",
    "https://[",
    "//",
    "@",
    ":99999/",
    "%zz",
    "#",
    "\t",
    "[topic]",
    "[seeds]",
    "urls = [",
    "]",
    '"',
    "=",
    "name",
    "keywords",
    "\ufeff",
    "\r",
    "\n",
    "例子",
    "\0",
    "1e999",
    "{",
    "}",
    "-1",
    "[[",
    "threshold = nan",
)
XML = (
    "<urlset>",
    "</urlset>",
    "<url>",
    "<loc>",
    "</loc>",
    "<lastmod>",
    "<rss>",
    "<channel>",
    "<item>",
    "<link>",
    "<feed>",
    "<entry>",
    "<!DOCTYPE x [<!ENTITY a 'b'>]>",
    "&a;",
    "&",
    "<",
    "2026-99-99",
    "http://host.test/",
    "<?xml",
    "?>",
    "\0",
)


def mixed(pieces: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Pieces that mean something, in any order, with any text between."""
    return st.lists(st.one_of(st.sampled_from(pieces), st.text(max_size=8)), max_size=40).map("".join)


@given(mixed(TAGS), st.sampled_from(("utf-8", "utf-16", "gb18030", "latin-1")), st.text(max_size=30))
@settings(max_examples=EXAMPLES)
def test_any_page_is_read(html: str, coding: str, label: str) -> None:
    reading = read_page(html.encode(coding, "replace"), f"text/html; charset={label}", BASE)
    assert not [character for character in reading.text if "\ud800" <= character <= "\udfff" or character == "\0"]
    for link in reading.links:
        assert normalize(link.url) == link.url


@given(st.binary(max_size=400), st.text(max_size=40))
@settings(max_examples=EXAMPLES)
def test_any_bytes_are_read(body: bytes, content_type: str) -> None:
    read_page(body, content_type, BASE)


@given(mixed(LINES))
@settings(max_examples=EXAMPLES)
def test_any_list_of_seeds_is_read_or_refused(text: str) -> None:
    for url in seeds_of_text(text).urls:
        assert normalize(url) == url


@given(text=mixed(LINES))
@settings(max_examples=EXAMPLES)
@pytest.mark.parametrize("name", ["topic.toml", "topic.txt"])
def test_any_topic_file_is_read_or_refused(text: str, name: str) -> None:
    with suppress(BadInput):
        parse_topic(Path(name), text)


@given(body=st.binary(max_size=300))
@settings(max_examples=EXAMPLES)
def test_any_file_of_seeds_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, body: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzzed-seeds"
    path.write_bytes(body)
    with suppress(BadInput):
        read_seeds(path)


@given(
    st.lists(st.tuples(st.sampled_from(("robots", "focuscrawl", "x")), st.text(max_size=60))), st.lists(st.text(max_size=60))
)
@settings(max_examples=EXAMPLES)
def test_any_robots_rule_is_judged(metas: list[tuple[str, str]], headers: list[str]) -> None:
    directives(metas, headers, "focuscrawl", 1e9)


@given(st.one_of(st.text(max_size=40), st.from_regex(r"[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [A-Z+0-9]{1,5}")))
@settings(max_examples=EXAMPLES)
def test_any_retry_after_is_a_time_to_come_or_none(value: str) -> None:
    wait = retry_after_seconds(value, 1e9)
    assert wait is None or (wait >= 0 and math.isfinite(wait))


@given(text=mixed(XML))
@settings(max_examples=EXAMPLES)
@pytest.mark.parametrize("kind", [SITEMAP, FEED])
def test_any_sitemap_or_feed_is_read(kind: int, text: str) -> None:
    with suppress(NoSourceError):
        read_source(text.encode("utf-8", "replace"), BASE, kind, 1e9)


@given(st.binary(max_size=300), st.integers(0, 300), st.booleans())
@settings(max_examples=EXAMPLES)
def test_any_archive_is_walked(tmp_path_factory: pytest.TempPathFactory, data: bytes, at: int, packed: bool) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzzed.warc.gz"
    path.write_bytes(gzip.compress(b"WARC/1.1\r\n" + data)[: at + 20] if packed else data)
    found = verify(path)
    assert found.length <= found.size
