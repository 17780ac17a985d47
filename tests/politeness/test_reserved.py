from __future__ import annotations

import pytest

from focuscrawl.politeness.reserved import TERMS, joined, reserved_by_page, reserved_by_robots
from focuscrawl.politeness.robots import read
from focuscrawl.text.document import parse
from focuscrawl.text.head import meta

Headers = tuple[tuple[str, str], ...]


def on_page(html: str, headers: Headers = ()) -> tuple[str, ...]:
    document = parse(html)
    return reserved_by_page(document, meta(document), headers, "focuscrawl")


@pytest.mark.parametrize(
    ("html", "headers", "expected"),
    [
        ("", (), ()),
        ('<meta name="robots" content="noai, noimageai">', (), ("noai", "noimageai")),
        ('<meta name="ROBOTS" content="index,NOAI">', (), ("noai",)),
        ('<meta name="otherbot" content="noai">', (), ()),
        ("", (("X-Robots-Tag", "noai"),), ("noai",)),
        ("", (("x-robots-tag", "otherbot: noai, focuscrawl: noimageai"),), ("noimageai",)),
        ('<meta name="robots" content="noindex">', (("X-Robots-Tag", "all"),), ()),
        ("", (("TDM-Reservation", "1"),), ("tdm-reservation",)),
        ("", (("tdm-reservation", "0"),), ()),
        ('<meta name="tdm-reservation" content="1">', (), ("tdm-reservation",)),
        ('<meta name="tdm-reservation" content="0">', (("tdm-reservation", "1"),), ()),
        ('<meta name="tdm-policy" content="https://a.example/policy.json">', (), ()),
        ('<link rel="license" type="application/rsl+xml" href="https://a.example/l.xml">', (), ("rsl",)),
        ('<script type="application/rsl+xml"><rsl></rsl></script>', (), ("rsl",)),
        ("", (("Link", '<https://a.example/l.xml>; rel="license"; type="application/rsl+xml"'),), ("rsl",)),
        ("", (("Link", '<https://a.example/l.html>; rel="license"'),), ()),
        ("", (("Link", '</a.css>; rel=preload, </l.xml>; Type=application/RSL+xml; rel="external license"'),), ("rsl",)),
        ("", (("Link", '</l.xml>; rel=license; type="application/rsl+xml; charset=utf-8"'),), ("rsl",)),
    ],
)
def test_a_page_and_its_headers(html: str, headers: Headers, expected: tuple[str, ...]) -> None:
    assert on_page(html, headers) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("User-agent: *\nContent-Signal: search=yes,ai-train=no\nAllow: /", ("ai-train=no",)),
        ("User-Agent: *\nContent-signal: search=yes, ai-input=no, ai-train=no", ("ai-train=no", "ai-input=no")),
        ("user-agent: *\ncontent-signal: SEARCH=NO", ("search=no",)),
        ("User-agent: *\nContent-Signal: search=yes,ai-train=no,use=reference", ("ai-train=no",)),
        ("User-agent: *\nContent-Signal: ai-train=yes", ()),
        ("User-agent: other\nContent-Signal: ai-train=no", ()),
        ("User-agent: *\nContent-Signal: ai-train=no\nUser-agent: focuscrawl\nDisallow:", ()),
        (
            "User-agent: a\nContent-Signal: search=no\nUser-agent: focuscrawl\nContent-Signal: ai-train=no",
            ("ai-train=no",),
        ),
        (
            "User-agent: *\nContent-Signal: ai-train=no\nDisallow: /x\nUser-agent: *\nContent-Signal: ai-train=yes",
            ("ai-train=no",),
        ),
        ("Content-Signal: ai-train=no\nUser-agent: *\nDisallow:", ()),
        ("# Content-Signal: ai-train=no\nUser-agent: *", ()),
        ("User-agent: *\nContent-Signal: x-ai-train=no ai-train=nope", ()),
        ("License: https://a.example/license.xml\n\nUser-agent: bot\nAllow: /", ("rsl",)),
        ("User-agent: *\nDisallow: /x\nLicense: https://a.example/license.xml", ("rsl",)),
        ("License: MIT", ()),
    ],
)
def test_robots_txt(lines: str, expected: tuple[str, ...]) -> None:
    assert reserved_by_robots(lines.encode(), "focuscrawl") == expected


def test_signals_and_licences_end_no_group() -> None:
    body = b"User-agent: a\nContent-Signal: ai-train=no\nLicense: https://a.example/l\nUser-agent: focuscrawl\nDisallow: /x"
    assert reserved_by_robots(body, "a") == ("ai-train=no", "rsl")
    assert reserved_by_robots(body, "focuscrawl") == ("rsl",)  # a signal is for the agents right above it, as a Crawl-delay is
    assert [str(rule) for rule in read(body).group_of("a").rules] == ["Disallow: /x"]


def test_joined_terms_keep_their_order() -> None:
    assert joined(("rsl",), ("noai", "rsl"), ()) == ("noai", "rsl")
    assert joined(TERMS, TERMS) == TERMS
