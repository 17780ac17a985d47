"""META robots, X-Robots-Tag and rel: the most restrictive wins."""

from __future__ import annotations

import pytest

from focuscrawl.politeness.meta_robots import Directives, directives, unfollowed

_NOW = 1_700_000_000.0
_OPEN = Directives()
_NOINDEX = Directives(noindex=True)
_NOFOLLOW = Directives(nofollow=True)
_NONE = Directives(noindex=True, nofollow=True)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", _OPEN),
        ("all", _OPEN),
        ("index, follow", _OPEN),
        ("noindex", _NOINDEX),
        ("NOFOLLOW", _NOFOLLOW),
        ("none", _NONE),
        ("noindex,nofollow", _NONE),
        ("noindex nofollow", _NONE),
        ("noindex; follow", _NOINDEX),
        ("index, noindex", _NOINDEX),
        ("all, none", _NONE),
        ("max-snippet:20, max-image-preview:none", _OPEN),
        ("noarchive, nosnippet, noimageindex", _OPEN),
        ("unavailable_after: 2020-09-21", _NOINDEX),
        ("unavailable_after: 2099-09-21, nofollow", _NOFOLLOW),
        ("nofollow, unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, max-snippet:5", _NONE),
        ("unavailable_after: whenever", _OPEN),
    ],
)
def test_content(content: str, expected: Directives) -> None:
    assert directives([("robots", content)], [], "focuscrawl", _NOW) == expected
    assert directives([("ROBOTS ", content)], [], "focuscrawl", _NOW) == expected
    assert directives([("FocusCrawl", content)], [], "focuscrawl", _NOW) == expected
    assert directives([("otherbot", content), ("description", content)], [], "focuscrawl", _NOW) == _OPEN
    assert directives([], [content], "focuscrawl", _NOW) == expected


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        (["otherbot: noindex, nofollow"], _OPEN),
        (["focuscrawl: noindex, nofollow"], _NONE),
        (["FocusCrawl:noindex"], _NOINDEX),
        (["*: nofollow"], _NOFOLLOW),
        (["nofollow", "focuscrawl: noindex"], _NONE),
        (["otherbot: noindex, focuscrawl: nofollow"], _NOFOLLOW),
        (["noindex, otherbot: nofollow"], _NOINDEX),
        (["focuscrawl: all, otherbot: none"], _OPEN),
        (["unavailable_after: 25 Jun 2010 15:00:00 PST"], _NOINDEX),
        (["otherbot: unavailable_after: 25 Jun 2010 15:00:00 PST"], _OPEN),
        (["focuscrawl: unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT"], _NOINDEX),
        (["unavailable_after: Friday, 25-Jun-10 15:00:00 GMT, nofollow"], _NONE),
        (["max-image-preview: none"], _OPEN),
    ],
)
def test_headers(headers: list[str], expected: Directives) -> None:
    assert directives([], headers, "focuscrawl", _NOW) == expected


def test_header_and_tags_add_up() -> None:
    assert directives([("robots", "noindex")], ["nofollow"], "focuscrawl", _NOW) == _NONE
    assert directives([("robots", "none")], ["all"], "focuscrawl", _NOW) == _NONE
    assert directives([("robots", "noindex"), ("focuscrawl", "nofollow")], [], "focuscrawl", _NOW) == _NONE


def test_a_huge_value_is_cut() -> None:
    assert directives([("robots", "x," * 1_000_000)], ["a:" * 1_000_000], "focuscrawl", _NOW) == _OPEN


@pytest.mark.parametrize(
    ("rel", "token"),
    [((), ""), (("noopener",), ""), (("NoFollow", "x"), "nofollow"), (("ugc",), "ugc"), (("sponsored",), "sponsored")],
)
def test_rel(rel: tuple[str, ...], token: str) -> None:
    assert unfollowed(rel) == token
