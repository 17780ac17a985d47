"""Kinds of page on many hosts: what URLs, titles and the shape of pages say of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tools.eval.webs.words import Glance

HOSTS, MOST_OF_A_HOST = 4, 1 / 3
"""A kind of page is on so many hosts at least, and no host has more of its pages than this part."""


@dataclass(frozen=True)
class Kind:
    """Pages whose path or title matches, and which have the shape. Of a title counts what stands before the site's name."""

    name: str
    path: str = "(?!)"
    title: str = "(?!)"
    shape: Callable[[Glance], bool] = bool

    def holds(self, page: Glance) -> bool:
        """Whether the page is of this kind."""
        path = "/" + page.url.split("/", 3)[3]
        named = re.search(self.path, path) or re.search(self.title, own_title(page.title), re.IGNORECASE)
        return bool(named) and self.shape(page)


def own_title(title: str) -> str:
    """The title without what follows a dash or a bar, which is the site's name."""
    return re.split(r"\s[—–|·-]+\s|\s::\s", title, maxsplit=1)[0].strip()


def _lists(page: Glance) -> bool:
    return len(page.links) >= 25


def _says(page: Glance) -> bool:
    return len(page.words) >= 60


def _has(*words: str) -> Callable[[Glance], bool]:
    return lambda page: sum(word in page.words for word in words) >= 2


KINDS = (
    Kind("source code", r"/_modules/\w|_source\.html$|/src/[\w.-]+\.html$", r"^source code\b", _says),
    Kind(
        "index of names",
        r"/(genindex|py-modindex|doc-index|bookindex|theindex|index-all|api-index-full|allclasses(-index|-frame)?)(-All|-all)?\.html$",
        r"^(general |concept |function |variable |command )?index( of \w+)?$|^all classes",
        _lists,
    ),
    Kind(
        "release notes",
        r"(?i)/(release[-_]?notes?|changelog|changes|whats_?new|news|release-[\d.-]+)",
        r"\brelease notes|^(the )?change ?logs?\b|what.s new|^changes in|^news\b|^release \d|^version \d",
        _says,
    ),
    Kind("installation", title=r"^(\d[\d.]*\s)?(\w+ )?(install|download|building|compiling)", shape=_says),
    Kind("tutorial", title=r"tutorial|getting started|quick ?start|first steps|walk ?through", shape=_says),
    Kind("questions", title=r"\bfaqs?\b|frequently asked|troubleshoot|common (questions|problems)"),
    Kind(
        "development",
        title=r"^(\d[\d.]*\s)?(contribut|developing|development|hacking|coding (style|standards)|how to contribute)",
        shape=_says,
    ),
    Kind(
        "class",
        r"(?i)/(class|interface|struct)[-._][\w.]+\.html?$|/classes/\w",
        r"^(class|interface|struct) \w+|\bclass( template)? reference$|^\w+ (class|interface)$|^\w+ \([\w.]+ [\d.]+ .*api\)",
        _has("method", "methods", "constructor", "functions", "members", "properties", "inheritance", "extends", "hierarchy"),
    ),
    Kind("package", r"/package-(summary|frame|tree|use)\.html$|/namespace[\w.]+\.html$"),
    Kind("manual page", title=r"\(\d\w?\)$|man(ual)? page", shape=_has("synopsis", "description", "options", "usage")),
    Kind("examples", title=r"\bexamples?$|cookbook|recipes|^examples?\b|sample (code|program)", shape=_says),
    Kind("options", title=r"\b(options|settings|parameters|directives|configuration)\b", shape=_says),
    Kind("home of a manual", r"^/(index\.html?)?$", shape=lambda page: len(page.links) >= 5),
)


def kinds_of(pages: Sequence[Glance], hosts: Sequence[str]) -> list[tuple[str, frozenset[int]]]:
    """Each kind with the numbers of its pages, where enough hosts have it and none has most of it."""
    found = []
    for kind in KINDS:
        members = frozenset(number for number, page in enumerate(pages) if kind.holds(page))
        by_host = Counter(hosts[number] for number in members)
        if len(by_host) >= HOSTS and max(by_host.values()) <= MOST_OF_A_HOST * len(members):
            found.append((kind.name, members))
    return found
