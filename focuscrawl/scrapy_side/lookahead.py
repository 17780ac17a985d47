"""Looks up host names before their URLs are leased: those of the best links on relevant pages."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence

from focuscrawl.scrapy_side.resolver import GuardedResolver
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.url.hosts import host_name

LINKS = 8
"""Best links of a page whose hosts are looked up."""
REMEMBERED = 4096
"""Hosts that are not asked for again; the resolver's cache knows how long their addresses are valid."""


class LookAhead:
    """`look_up` starts to look up names and returns at once; by default the process's resolver does it."""

    def __init__(self, look_up: Callable[[Iterable[str]], None] | None = None) -> None:
        self._look_up = look_up or _installed
        self._known: OrderedDict[str, None] = OrderedDict()

    def __call__(self, found: Sequence[DiscoveredUrl]) -> None:
        """Look up the hosts of the best of these URLs."""
        best = sorted(found, key=lambda item: -item.priority)[:LINKS]
        names = dict.fromkeys(host_name(item.key.origin) for item in best)
        new = [name for name in names if name not in self._known]
        self._known.update(dict.fromkeys(new))
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        if new:
            self._look_up(new)


def _installed(names: Iterable[str]) -> None:
    from twisted.internet import reactor

    resolver: object = getattr(reactor, "nameResolver", None)
    if isinstance(resolver, GuardedResolver):
        resolver.look_ahead(names)
