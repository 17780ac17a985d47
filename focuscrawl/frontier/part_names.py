"""How the parts of the web are called whose yields are counted. The beginning of a part's name shows its kind:

| name | part |
|---|---|
| `d a.org`, `h http://a.org` | a registered domain, a host (`focuscrawl.url.groups`, as the next three) |
| `p http://a.org/x` | a directory |
| `k …`, `t …` | the URLs with one parameter, those of one template |
| `m a.org` | first visits to new hosts of this domain (`focuscrawl.frontier.first_visits`, as the next two) |
| `n a.org`, `n`, `n3` | first visits to new domains: those that this one names, all, those that several old ones name |
| `n8` | the first pages of domains that are on trial |
| `v …` | URLs that differ in one value (`focuscrawl.frontier.same_values`) |
| `v …/.../` | URLs that end alike (`focuscrawl.frontier.longer_paths`) |
| `v …/*/...` | what is below lists that say the same (`focuscrawl.frontier.below_lists`) |
| `r …`, `r …/...` | redirects within a domain from URLs of one template; those to a URL that continues the first |
| `f …` | files that are no pages, at URLs of one template |
| the empty name | the whole crawl |
"""

from __future__ import annotations

from focuscrawl.url.groups import TEMPLATE, groups_of
from focuscrawl.url.normalize import split

ALL, NEW, NAMED, TRIAL = "", "n", "n3", "n8"
"""Names of the counts of the whole crawl, of first visits to new domains, of first visits to new domains that several old ones
name, and of the pages of domains on trial."""
NAMES = 3
"""A new domain that this many old ones name is visited whatever other first visits bring."""
WIDE_PARTS = ("h ", "d ")
"""Beginnings of the names of hosts and domains."""
FIRST = ("n", "m")
"""Beginnings of the names of first visits."""
HOPS = "r "
"""Beginning of the names of redirects within a domain. Their counts say whether they lead to URLs that were known."""
HOPS_ON = "/..."
"""End of the names of those to URLs that continue their own. Their counts say whether they lead to one that was known, where
one was."""
FILES = "f "
"""Beginning of the names of files that are no pages. Their counts say whether pages are there, too."""
VALUES = "v "
"""Beginning of the names of values in URLs. Their counts say whether URLs that differ in this value alone show different
pages."""
ENDS = {1: "/.../", 2: "/.../*/"}
"""Ends of the names of URLs that end alike, by how many of their last names are the same."""


def new_domains_by(domain: str) -> str:
    """The name of first visits to new domains that a domain names, which is given by its own name.

    >>> new_domains_by("d a.org")
    'n a.org'
    """
    return f"n {domain[2:]}"


def new_hosts_of(domain: str) -> str:
    """The name of first visits to new hosts of a domain, which is given by its own name.

    >>> new_hosts_of("d a.org")
    'm a.org'
    """
    return f"m {domain[2:]}"


def hops_from(url: str) -> str:
    """The name of redirects within the domain from URLs like this one.

    >>> hops_from("http://h.org/jump.php?id=5")
    'r http://h.org/jump.php?id'
    """
    return groups_of(url).template.replace(TEMPLATE, HOPS, 1)


def hops_on(url: str) -> str:
    """The name of those that lead to URLs which continue their own.

    >>> hops_on("http://h.org/item/moon?from=list")
    'r http://h.org/item/*?from/...'
    """
    return hops_from(url) + HOPS_ON


def files_at(url: str) -> str:
    """The name of the files that are no pages, at URLs like this one.

    >>> files_at("http://h.org/export.php?id=5")
    'f http://h.org/export.php?id'
    """
    return groups_of(url).template.replace(TEMPLATE, FILES, 1)


def template_of(part: str) -> str:
    """The name of the template of URLs from which redirects, or at which files, have this name; empty for other parts.

    >>> template_of("f http://h.org/export.php?id"), template_of("h http://h.org")
    ('t http://h.org/export.php?id', '')
    """
    return TEMPLATE + part[len(FILES) :] if part.startswith((FILES, HOPS)) else ""


def longer_paths_of(url: str, names: int) -> str:
    """The name of the URLs of its host that end alike by so many last names.

    >>> longer_paths_of("http://h.org/manual/moon/sun/a.html", 1), longer_paths_of("http://h.org/manual/moon/sun/a.html", 2)
    ('v http://h.org/.../', 'v http://h.org/.../*/')
    """
    return f"{VALUES}{split(url)[0]}{ENDS[names]}"


def all_longer_paths_of(url: str) -> list[str]:
    """The names of all of these."""
    return [longer_paths_of(url, names) for names in ENDS]


def below_lists_of(url: str) -> str:
    """The name of what is below lists that say the same, in the first directory of this list's URL.

    >>> below_lists_of("http://h.org/courses/5/"), below_lists_of("http://h.org/week5")
    ('v http://h.org/courses/*/...', 'v http://h.org/*/...')
    """
    directories = groups_of(url).directories
    section = directories[0].partition(" ")[2] if directories else split(url)[0] + "/"
    return f"{VALUES}{section}*/..."


def words(part: str) -> str:
    """The name of a part for people.

    >>> words("n a.org"), words("r http://h.org/item/*/...")
    ('first visits to domains that a.org names', 'redirects from http://h.org/item/*')
    """
    kind, _, name = part.partition(" ")
    if part == NEW:
        return "first visits to unknown domains"
    if part == TRIAL:
        return "domains on trial"
    if part == NAMED:
        return f"first visits to domains that {NAMES} others name"
    if kind == "n":
        return f"first visits to domains that {name} names"
    if kind == "m":
        return f"new hosts of {name}"
    if kind == "r":
        return f"redirects from {name.removesuffix(HOPS_ON)}"
    return name
