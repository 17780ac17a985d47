"""The grammar of RFC 8288, with its own examples (section 3.5), and what breaks it."""

from __future__ import annotations

import pytest

from focuscrawl.url.in_headers import header_links, header_reference
from tests.linear_time import linear


@pytest.mark.parametrize(
    ("value", "links"),
    [
        (
            '<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter"',
            [("http://example.com/TheBook/chapter2", {"rel": "previous", "title": "previous chapter"})],
        ),
        ('</>; rel="http://example.net/foo"', [("/", {"rel": "http://example.net/foo"})]),
        ('</terms>; rel="copyright"; anchor="#foo"', [("/terms", {"rel": "copyright", "anchor": "#foo"})]),
        (
            "</TheBook/chapter2>; rel=\"previous\"; title*=UTF-8'de'letztes%20Kapitel, </TheBook/chapter4>; rel=\"next\"",
            [
                ("/TheBook/chapter2", {"rel": "previous", "title*": "UTF-8'de'letztes%20Kapitel"}),
                ("/TheBook/chapter4", {"rel": "next"}),
            ],
        ),
        ("<a,b;c>;REL=Canonical,<d>", [("a,b;c", {"rel": "Canonical"}), ("d", {})]),
        (r'<a>; title="1, 2; <x>; \"3\""; rel=next , <b>', [("a", {"title": '1, 2; <x>; "3"', "rel": "next"}), ("b", {})]),
        ("<a> ; rel = next ; rel=prev;; crossorigin", [("a", {"rel": "next", "crossorigin": ""})]),
        (', ,<a>; rel="next', [("a", {"rel": "next"})]),
        ("<a>; rel=next, b; rel=prev, <c>", [("a", {"rel": "next"})]),
        ("<>; rel=canonical", [("", {"rel": "canonical"})]),
        ("a; rel=next", []),
        ("<a; rel=next", []),
        ("", []),
    ],
)  # fmt: skip
def test_links_of_a_header(value: str, links: list[tuple[str, dict[str, str]]]) -> None:
    assert [(link.reference, link.parameters) for link in header_links(value)] == links


@pytest.mark.parametrize(
    ("parameters", "of_the_page"),
    [
        ("rel=canonical", True),
        ('rel="Alternate CANONICAL"', True),
        ("rel=next; rel=canonical", False),
        ("rel=canonical; anchor=/other", False),
        ("rel=canonical-x", False),
        ("title=canonical", False),
    ],
)
def test_the_relation_of_the_page_to_what_a_header_names(parameters: str, of_the_page: bool) -> None:
    (link,) = header_links(f"<x>; {parameters}")
    assert link.has_rel("canonical") == of_the_page


def test_bytes_that_are_not_ascii() -> None:
    assert header_reference("/天文".encode()) == "/天文"
    assert header_reference("/天".encode("gbk")) == "/%CC%EC"
    assert next(header_links("</天文>".encode().decode("latin-1"))).reference == "/天文"


@pytest.mark.parametrize("piece", ["<a>,", "<", "<a>;", ";a=", '"', "\\", '<a>;b="', "<a>;b=c ", " ", ","])
def test_no_header_takes_long(piece: str) -> None:
    with linear():
        list(header_links("<a>" + piece * 200_000))
