"""First visits: new hosts and domains are judged by what other new ones have brought.

New hosts and domains cost nothing to make, so a spider trap may have any number of them. Therefore the first visit to a new
host is counted together with those to other new hosts of its domain, and the first visit to a new domain together with those
to other domains that the same domain names and with those to all new domains. Once it was visited, a domain that was found by
a link is on trial until its pages have proved to be mostly its own text.

Each worker remembers by itself which domains name a new one; this is not shared."""

from __future__ import annotations

from focuscrawl.frontier.fetch_yield import FetchYield
from focuscrawl.frontier.part_names import NAMED, NAMES, NEW, TRIAL, new_domains_by, new_hosts_of
from focuscrawl.frontier.part_table import PartTable
from focuscrawl.recent import Recent
from focuscrawl.url.groups import domain_of, groups_of, part_of_domain, part_of_host
from focuscrawl.url.normalize import split

YOUNG = 3.0
"""A domain with fewer fetches is new: what its pages bring counts for its first visit, and that it names other domains does not
speak for those."""
PROVEN = 3.0
"""Relevant pages that a domain must have brought before it can be trusted, and before its new hosts are judged apart from new
domains."""
MOST_DOMAINS = 50_000
"""Domains of which is remembered which ones name them, and of which who introduced them."""
MOST_NAMES = 16
"""Most domains remembered that name the same new one."""
TRIAL_PAGES = 8.0
"""How many first pages of a domain that was found by a link count as its trial."""
TRUSTED_DOUBT = 11 / 32
"""How much text that was seen on other domains counts against a domain that was found by a link, once it is trusted. With
this value a domain probably copies if nine tenths of its last pages were seen elsewhere. (A binary fraction, as in
`focuscrawl.frontier.fetch_yield`.)"""


class FirstVisits:
    """Remembers which domains have named which. Bounded: the least recently used are forgotten.

    A `domain` is given by the name of its counts (`d example.org`) wherever nothing else is said."""

    def __init__(self, table: PartTable) -> None:
        self._table = table
        self._named: Recent[str, list[str]] = Recent(MOST_DOMAINS)
        """For each domain that was not visited or was found by a link, the domains that name it."""
        self._introduced: Recent[str, list[str]] = Recent(MOST_DOMAINS)
        """For each domain that was found by a link, the names of the counts to which its first visit belongs."""
        self._trusted: set[str] = set()
        """The domains found by a link that have passed their trial."""

    def names(self, url: str, parent: str) -> None:
        """Note that the page `parent` has a link to `url`."""
        if split(url)[0] == split(parent)[0]:  # as most links of most pages
            return
        named, naming = domain_of(url), domain_of(parent)
        if named == naming:
            return
        domain, by = part_of_domain(named), part_of_domain(naming)
        if self._table.fetched(domain) and domain not in self._introduced:
            return
        names = self._named.get(domain, [])
        if len(names) < MOST_NAMES and by not in names:
            names.append(by)
        self._named.note(domain, names)

    def closed(self, url: str, parent: str) -> str:
        """The name of the counts of first visits for which the URL is refused; empty if it is not refused."""
        table, groups, by = self._table, groups_of(url), part_of_domain(domain_of(parent))
        if table.fetched(groups.host) or groups.host == part_of_host(split(parent)[0]):
            # no first visit, but the domain may be on trial
            return self._closed_trial(groups.domain)
        if new_hosts := table.if_closed(new_hosts_of(groups.domain)):
            return new_hosts
        if table.fetched(groups.domain):
            return self._closed_among(self._unproven(groups.domain))
        if groups.domain == by:
            return ""
        return table.if_closed(NAMED) if self._is_well_named(groups.domain) else table.if_closed(new_domains_by(by), NEW)

    def copies(self, url: str, parent: str) -> bool:
        """Whether the URL's domain probably copies, as far as is known now. If the domain was not visited, whether one of those
        that name it does."""
        domain = groups_of(url).domain
        if self._table.fetched(domain):
            return self._probably_copies(domain)
        return any(map(self._probably_copies, (groups_of(parent).domain, *self._named.get(domain, ()))))

    def _probably_copies(self, domain: str) -> bool:
        return self._table.get(domain).probably_copies

    def _closed_trial(self, domain: str) -> str:
        """The name of the counts for which a visited domain is closed because it copies; empty if it is open.

        If domains on trial copy, one that probably copies itself is closed without further proof, because a farm has many. So
        is, once they copied, one in company, whatever later trials show. A domain that several old ones name is judged by
        others that are named so, because two pages that quote are soon met."""
        if domain not in self._introduced or not self._probably_copies(domain) or self._is_trusted(domain):
            return ""
        if self._is_well_named(domain):
            return self._table.if_closed(NAMED)
        trial = self._table.get(TRIAL)
        if trial.closed or (trial.was_closed and self._is_in_company(domain)):
            return TRIAL
        return self._closed_among(self.introduced(domain))

    def _is_trusted(self, domain: str) -> bool:
        """Whether a domain has passed its trial and is not in company: what a farm took passes for its own until another of its
        hosts has shown it."""
        return domain in self._trusted and not self._is_in_company(domain)

    def _is_in_company(self, domain: str) -> bool:
        """Whether the domain and one that probably copies name each other, as the hosts of a farm do. A farm may name a good
        host whose articles it took, but that does not name the farm in turn."""
        return any(self._probably_copies(by) and domain in self._named.get(by, ()) for by in self._named.get(domain, ()))

    def _unproven(self, domain: str) -> list[str]:
        """The names of the counts to which the first visit of the domain belongs, if it has brought little so far; else none.
        The new hosts of such a domain are judged as if it were new, because some domains redirect from host to host."""
        return self.introduced(domain) if self._table.get(domain).gain < PROVEN else []

    def _closed_among(self, first: list[str]) -> str:
        """The first of these counts of first visits that is closed; empty if none is. If NAMED is one of them, it decides
        alone."""
        return self._table.if_closed(*([NAMED] if NAMED in first else first))

    def _is_well_named(self, domain: str) -> bool:
        """Whether several old and open domains name this one, and no domain that probably copies does."""
        names = self._named.get(domain, ())
        old = sum(self._table.fetched(by) >= YOUNG and not self._table.is_closed(by) for by in names)
        return old >= NAMES and not any(map(self._probably_copies, names))

    def introduced(self, domain: str) -> list[str]:
        """The names of the counts to which the first visit to this domain belongs, while it is on trial; empty if it is
        trusted or was not found by a link."""
        return [] if domain in self._trusted else self._introduced.get(domain, [])

    def doubt(self, domain: str) -> float:
        """How much text that was seen on other domains counts against this one: 1 while it is on trial or in company,
        TRUSTED_DOUBT after that, 0 if it was not found by a link."""
        if domain not in self._introduced:
            return 0.0
        return TRUSTED_DOUBT if self._is_trusted(domain) else 1.0

    def visit(self, fetch: FetchYield) -> list[str]:
        """The names of the counts of first visits to which this fetch belongs; none if it is no first visit. To be called
        before the fetch is counted for its host and domain."""
        groups = groups_of(fetch.url)
        if not fetch.parent or self._table.fetched(groups.host):
            return []
        if self._table.fetched(groups.domain):
            return [new_hosts_of(groups.domain)]
        by = part_of_domain(domain_of(fetch.parent))
        if groups.domain == by:
            return []
        named = self._is_well_named(groups.domain)
        first = [new_domains_by(by), NEW, *([NAMED] if named else [])]
        for forgotten, _ in self._introduced.note(groups.domain, first):
            self._trusted.discard(forgotten)
        return first

    def hop_inside(self, fetch: FetchYield) -> str:
        """The name of the counts of first visits to which a redirect from one host of a domain to another belongs; empty if the
        host was fetched from before, or if the URL was given."""
        groups = groups_of(fetch.url)
        return new_hosts_of(groups.domain) if fetch.parent and not self._table.fetched(groups.host) else ""

    def learn(self, fetch: FetchYield) -> None:
        """Count a fetch of a domain that is on trial, for the trials of all domains. After its first pages the domain is
        trusted, nearly as one that was given, once it has brought enough and its last pages do not surely copy: a good host
        may be read after a farm that took its articles."""
        domain = groups_of(fetch.url).domain
        if domain not in self._table or not self.introduced(domain):
            return
        counts = self._table.get(domain)
        if counts.fetched <= TRIAL_PAGES:
            self._table.count(TRIAL, fetch.counts(TRIAL))
        elif counts.gain >= PROVEN and not counts.copies:
            self._trusted.add(domain)
