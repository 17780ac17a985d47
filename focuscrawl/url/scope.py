"""The part of the web that the user wants crawled: patterns, hosts, or the seeds' own sites."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from urllib.parse import quote

from focuscrawl.url.hosts import host_name, registered_domain
from focuscrawl.url.normalize import split

REASONS = {
    "exclude": "an exclude pattern of the scope matches",
    "include": "no include pattern of the scope matches",
    "host": "the host is none of the scope's hosts, or lies outside the seeds' sites",
}

_ASCII = "".join(map(chr, range(0x21, 0x7F)))


@dataclass(frozen=True)
class Scope:
    """Which URLs the user wants crawled; all by default.

    - include, exclude: substrings of the URL; with a `*` (any characters) a shape that must match up to the URL's end; after
      `re:` a regular expression to search for. If both match, exclude wins.
    - hosts: exact host names, optionally with a port; with a leading dot, the domain and its sub-domains.
    - one_site: stay on the registered domains of the seeds, which are in `sites` (see `with_seeds`). If both hosts and one_site
      are given, a URL needs to match only one of them.

    Raises ValueError for a regular expression that does not compile.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    one_site: bool = False
    sites: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for pattern in (*self.include, *self.exclude):
            compiled(pattern)

    def with_seeds(self, urls: Iterable[str]) -> Scope:
        """The scope with the sites of these normal URLs added, if it needs them."""
        if not self.one_site:
            return self
        return replace(self, sites=frozenset(map(registered_domain, {host_name(url) for url in urls})))

    def refuses(self, url: str) -> str:
        """Name of the rule that keeps this normal URL out (`host`, `exclude`, `include`), empty if it is in scope."""
        if (self.hosts or self.one_site) and not self._holds(split(url)[0]):
            return "host"
        if self._exclude and any(pattern.search(url) for pattern in self._exclude):
            return "exclude"
        if self._include and not any(pattern.search(url) for pattern in self._include):
            return "include"
        return ""

    @cached_property
    def _holds(self) -> Callable[[str], bool]:
        """`_holds_origin`, which remembers its answers."""
        return lru_cache(maxsize=1024)(self._holds_origin)

    def _holds_origin(self, origin: str) -> bool:
        host = host_name(origin)
        if self.one_site and registered_domain(host) in self.sites:
            return True
        if host in self._exact or origin.partition("://")[2] in self._exact:
            return True
        return f".{host}".endswith(self._domains)

    @cached_property
    def _exact(self) -> frozenset[str]:
        return frozenset(host.strip("[]") if host.endswith("]") else host for host in self.hosts if not host.startswith("."))

    @cached_property
    def _domains(self) -> tuple[str, ...]:
        return tuple(host for host in self.hosts if host.startswith("."))

    @cached_property
    def _include(self) -> tuple[re.Pattern[str], ...]:
        return tuple(map(compiled, self.include))

    @cached_property
    def _exclude(self) -> tuple[re.Pattern[str], ...]:
        return tuple(map(compiled, self.exclude))


def compiled(pattern: str) -> re.Pattern[str]:
    """A scope pattern as a regular expression to search for. Raises ValueError if it is empty or does not compile.

    Chinese text in substrings and shapes is searched in the form that URLs have, percent-encoded in UTF-8.
    """
    if not pattern.strip():
        raise ValueError("the pattern is empty")
    if pattern.startswith("re:"):
        try:
            return re.compile(pattern[3:])
        except (re.error, RecursionError, OverflowError) as error:
            raise ValueError(f"not a regular expression: {error}") from error
    pieces = [re.escape(quote(piece, safe=_ASCII)) for piece in pattern.split("*")]
    return re.compile(".*".join(pieces) + ("$" if len(pieces) > 1 else ""))


# --- several topics in one crawl ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AnyScope(Scope):
    """The union of the topics' own scopes, `parts`, of which there is at least one."""

    parts: tuple[Scope, ...] = ()

    def refuses(self, url: str) -> str:
        """The first part's rule against this normal URL; empty if any part lets it in."""
        rules = [part.refuses(url) for part in self.parts]
        return rules[0] if rules and all(rules) else ""
