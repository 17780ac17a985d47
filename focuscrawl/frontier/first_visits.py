"""Which first visits does a URL belong to? New hosts and domains cost nothing to make: they are judged by what other new ones
have brought, and domains that were found by a link are on trial until their first pages were rather their own.

Which domains name a new one, each worker knows for itself."""

from __future__ import annotations

from collections import OrderedDict

from focuscrawl.frontier.brought import Brought
from focuscrawl.frontier.part_counts import NAMED, NAMES, NEW, TRIAL
from focuscrawl.frontier.part_table import PartTable
from focuscrawl.url.groups import domain_of, groups_of

YOUNG = 3.0
"""Fetches below which a domain is new: what its pages bring counts for its first visit, and it introduces nobody."""
PROVEN = 3.0
"""Pages that a domain brings before its new hosts are judged for themselves alone."""
MOST_NAMES = 16
"""Domains that name a new one, of which is known that they do."""
TRIAL_PAGES = 8.0
"""The first ones of a domain that was found by a link."""
BELIEVED = 11 / 32
"""What other domains have said counts so much against a domain that was found by a link, once it is believed: it rather copies
where nine tenths of its last pages were said elsewhere. (A binary fraction, as in `focuscrawl.frontier.brought`.)"""


class FirstVisits:
    """Who has named whom. Bounded: the least recently used are forgotten."""

    def __init__(self, table: PartTable) -> None:
        self._table = table
        self._named: OrderedDict[str, list[str]] = OrderedDict()
        """Of domains that were not visited, or were found by a link: those that name them, by the names of their counts."""
        self._introduced: OrderedDict[str, list[str]] = OrderedDict()
        """Of domains that were found by a link (by the names of their counts): the counts of first visits that theirs belongs
        to."""
        self._believed: set[str] = set()
        """Those of them that are no longer on trial."""

    def names(self, url: str, parent: str) -> None:
        """The page `parent` has a link to `url`."""
        named, names_it = domain_of(url), domain_of(parent)
        if named == names_it:
            return
        domain, by = _part_of(named), _part_of(names_it)
        if self._table.fetched(domain) and domain not in self._introduced:
            return
        names = self._named.setdefault(domain, [])
        self._named.move_to_end(domain)
        if len(names) < MOST_NAMES and by not in names:
            names.append(by)
        if len(self._named) > self._table.max_parts:
            self._named.popitem(last=False)

    def closed(self, url: str, parent: str) -> str:
        """Name of the first visits for which the URL is refused; empty if there are none."""
        table, groups, by = self._table, groups_of(url), domain_of(parent)
        if table.fetched(groups.host):
            return self._closed_trial(groups.domain)
        if (hosts := table.if_closed(_hosts_of(groups.domain))) or table.fetched(groups.domain):
            return hosts or self._closed_among(self._unproven(groups.domain))
        if groups.domain[2:] == by:
            return ""
        return table.if_closed(NAMED) if self._is_well_named(groups.domain) else table.if_closed(f"n {by}", NEW)

    def copies(self, url: str, parent: str) -> bool:
        """Whether its domain rather copies or, where it was not visited, one that names it, as it has turned out since."""
        domain = groups_of(url).domain
        if self._table.fetched(domain):
            return self._rather_copies(domain)
        return any(map(self._rather_copies, (groups_of(parent).domain, *self._named.get(domain, ()))))

    def _rather_copies(self, domain: str) -> bool:
        counts = self._table.get(domain)
        return counts is not None and counts.rather_copies

    def _closed_trial(self, domain: str) -> str:
        """Where domains on trial copy, one that rather copies itself need not prove it, for a farm has many. One that several
        old ones name is judged by others of these: two pages that quote are soon met."""
        if domain not in self._introduced or not self._rather_copies(domain):
            return ""
        if domain in self._believed:
            return self._closed_in_company(domain)
        if self._is_well_named(domain):
            return self._table.if_closed(NAMED)
        return self._table.if_closed(TRIAL) or self._closed_among(self.introduced(domain)) or self._closed_in_company(domain)

    def _closed_in_company(self, domain: str) -> str:
        """Once domains on trial were seen to copy, one that rather copies stays closed where another such one names it,
        whatever later trials show: the hosts of a farm name each other, and hardly the good hosts whose articles they took."""
        trial = self._table.get(TRIAL)
        in_company = trial is not None and trial.was_closed and any(map(self._rather_copies, self._named.get(domain, ())))
        return TRIAL if in_company else ""

    def _unproven(self, domain: str) -> list[str]:
        """Which first visits a domain belongs to that has brought little so far: its new hosts are judged as if it were new,
        for redirects lead from host to host of some domains, too."""
        counts = self._table.get(domain)
        return self.introduced(domain) if counts and counts.gain < PROVEN else []

    def _closed_among(self, first: list[str]) -> str:
        return self._table.if_closed(*([NAMED] if NAMED in first else first))

    def _is_well_named(self, domain: str) -> bool:
        """Whether several domains name it that are old and open, and none does that rather copies."""
        names = self._named.get(domain, ())
        old = sum(self._table.fetched(by) >= YOUNG and not self._table.is_closed(by) for by in names)
        return old >= NAMES and not any(map(self._rather_copies, names))

    def introduced(self, domain: str) -> list[str]:
        """The counts of first visits that the first one to this domain (by the name of its count) belongs to, while it is on
        trial; empty for a domain that is believed."""
        return [] if domain in self._believed else self._introduced.get(domain, [])

    def doubt(self, domain: str) -> float:
        """How much of what other domains have said counts against this one: all while it is on trial, BELIEVED from then on,
        nothing if it was given."""
        if domain not in self._introduced:
            return 0.0
        return BELIEVED if domain in self._believed else 1.0

    def visit(self, brought: Brought) -> list[str]:
        """The counts of first visits that this fetch belongs to; before it is counted itself."""
        groups = groups_of(brought.url)
        if not brought.parent or self._table.fetched(groups.host):
            return []
        if self._table.fetched(groups.domain):
            return [_hosts_of(groups.domain)]
        by = domain_of(brought.parent)
        if by == groups.domain[2:]:
            return []
        named = self._is_well_named(groups.domain)
        first = self._introduced[groups.domain] = [f"n {by}", NEW, *([NAMED] if named else [])]
        if len(self._introduced) > self._table.max_parts:
            self._believed.discard(self._introduced.popitem(last=False)[0])
        return first

    def hop_inside(self, brought: Brought) -> str:
        """The first visits that a redirect from one host to another of the same domain belongs to; empty for a host that is
        known, and for what was given."""
        groups = groups_of(brought.url)
        return _hosts_of(groups.domain) if brought.parent and not self._table.fetched(groups.host) else ""

    def learn(self, brought: Brought) -> None:
        """A domain that was found by a link is on trial until its first pages were rather its own: from then on it is believed
        nearly as what was given."""
        domain = groups_of(brought.url).domain
        counts = self._table.get(domain)
        if counts is None or not self.introduced(domain):
            return
        if counts.fetched <= TRIAL_PAGES:
            self._table.count(TRIAL, brought.counts(TRIAL))
        elif counts.gain >= PROVEN and not counts.rather_copies:
            self._believed.add(domain)


def _part_of(domain: str) -> str:
    """Name of the counts of a registered domain, as `focuscrawl.url.groups` gives it."""
    return f"d {domain}"


def _hosts_of(domain: str) -> str:
    """Name of the first visits to new hosts of a domain."""
    return f"m {domain[2:]}"
