"""A trace reads an answer as the crawl does, its headers included."""

from __future__ import annotations

from unittest.mock import Mock

from focuscrawl.inspect.trace import read
from focuscrawl.items import Page
from focuscrawl.report.trace import Trace
from tests.factories import lease

URL = "http://a.test/x"


def test_what_headers_say_of_a_page_counts() -> None:
    headers = (("Link", "</home>; rel=canonical"), ("X-Robots-Tag", "noindex"), ("Refresh", "0; url=/next"))
    page, trace = Page(lease(URL), URL, 200, 5.0, headers=headers, body=b"<a href=/y>y</a>"), Trace(URL, "now")
    read(trace, Mock(agent="focuscrawl"), page)
    assert (page.canonical, [link.url for link in page.links]) == (
        "http://a.test/home",
        ["http://a.test/next", "http://a.test/y"],
    )
    assert (trace.stages[-1].name, trace.stages[-1].decided) == ("meta robots", "noindex")
