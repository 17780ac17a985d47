"""The rights that a page's owner reserves against machines, other than fetching: the terms of a page's `reserved`.

| term | reserved by |
|---|---|
| `noai`, `noimageai` | the robots directives of these names, in a meta element or in X-Robots-Tag |
| `tdm-reservation` | TDMRep (W3C Community Group report, 10 May 2024): 1 in a meta element, else in the header of this name |
| `ai-train=no`, `ai-input=no`, `search=no` | Content-Signal (contentsignals.org) in the robots.txt group for us, else for `*` |
| `rsl` | Really Simple Licensing 1.0: a License line in robots.txt; a link, script or Link header of its type |

`rsl` means that there are terms of use; they are not read and may allow everything. `/.well-known/tdmrep.json` is not fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from focuscrawl.items import Names
from focuscrawl.politeness.meta_robots import header_directives
from focuscrawl.politeness.robots import read
from focuscrawl.text.document import Document
from focuscrawl.text.head import Meta
from focuscrawl.text.sniff import media_type
from focuscrawl.url.in_headers import header_links

DIRECTIVES = ("noai", "noimageai")
USES = ("ai-train", "ai-input", "search")
"""The uses that Content-Signal names."""
TERMS = (*DIRECTIVES, "tdm-reservation", *(f"{use}=no" for use in USES), "rsl")
"""All terms, in the order in which they are given."""
RSL = "application/rsl+xml"
_RSL_ON_PAGE = f'link[rel~="license" i][type="{RSL}" i], script[type="{RSL}" i]'


def reserved_by_page(document: Document, head: Meta, headers: Sequence[tuple[str, str]], agent: str) -> Names:
    """What a page and the headers of its answer reserve, as terms in the order of `TERMS`.

    Args:
        document: The page.
        head: What was read from its head.
        headers: The headers of the answer as (name, value), names in any case.
        agent: Our product token.
    """
    found = set(_directives(head, _values(headers, "x-robots-tag"), agent))
    reservation = head.named.get("tdm-reservation") or next(iter(_values(headers, "tdm-reservation")), "")
    if reservation.strip() == "1":
        found.add("tdm-reservation")
    if document.tree.css_first(_RSL_ON_PAGE) is not None or any(map(_names_rsl, _values(headers, "link"))):
        found.add("rsl")
    return _ordered(found)


def reserved_by_robots(body: bytes, agent: str) -> Names:
    """What a robots.txt (its body as received) reserves for all pages of its origin."""
    records = read(body)
    signals = next(iter(records.group_of(agent).signals.values()))  # the group for us has ours alone
    found = {f"{use}=no" for use in USES if signals.get(use) is False}
    return _ordered(found | ({"rsl"} if records.licences else set()))


def joined(*terms: Names) -> Names:
    """The terms of several sources, each once, in the order of `TERMS`."""
    return _ordered({term for each in terms for term in each})


def _directives(head: Meta, headers: Iterable[str], agent: str) -> Iterable[str]:
    parts = [content for name, content in head.robots if name in ("robots", agent.lower())]
    parts += [part.lower() for part in header_directives(headers, agent)]
    words = {word for part in parts for word in re.split(r"[\s,;]+", part)}
    return words.intersection(DIRECTIVES)


def _names_rsl(value: str) -> bool:
    """Whether a header Link leads to terms of use. `value`: its bytes as Latin-1."""
    links = header_links(value)
    return any(link.has_rel("license") and media_type(link.parameters.get("type", "")) == RSL for link in links)


def _values(headers: Sequence[tuple[str, str]], name: str) -> list[str]:
    return [value for key, value in headers if key.lower() == name]


def _ordered(found: set[str]) -> Names:
    return tuple(term for term in TERMS if term in found)
