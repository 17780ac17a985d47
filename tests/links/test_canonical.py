"""The canonical URL in the headers of an answer; that of a head is in `test_extract`."""

from __future__ import annotations

import pytest

from focuscrawl.links.canonical import canonical_in_headers

URL = "http://a.example/papers/one.pdf"


@pytest.mark.parametrize(
    ("values", "canonical"),
    [
        (["</one.html>; rel=canonical"], "http://a.example/one.html"),
        (['<one.html#top>; REL="alternate Canonical"'], "http://a.example/papers/one.html"),
        (["<//b.example/one>; rel=canonical"], "http://b.example/one"),
        (['<a.css>; rel=preload; title="a, b", <one>; rel=canonical'], "http://a.example/papers/one"),
        (["<a.css>; rel=preload", "<one>; rel=canonical", "<two>; rel=canonical"], "http://a.example/papers/one"),
        (["<javascript:x>; rel=canonical, <http://[>; rel=canonical, <one>; rel=canonical"], "http://a.example/papers/one"),
        (["<one>; rel=canonical; anchor=two.pdf"], ""),
        (["one; rel=canonical"], ""),
        (["<javascript:x>; rel=canonical"], ""),
        (["<http://[>; rel=canonical"], ""),
        (["<>; rel=canonical", "<#top>; rel=canonical"], ""),
        ([], ""),
    ],
)
def test_the_url_that_headers_name(values: list[str], canonical: str) -> None:
    assert canonical_in_headers([("Content-Type", "x"), *(("LINK", value) for value in values)], URL) == canonical
