"""Does this part of the web still bring anything? One rule for every strategy: what surely brings less than a small share of
what the rest of the crawl brings gets no more requests.

What fetches bring (`focuscrawl.frontier.brought`) is counted for each part that they belong to (`part_table`), for first visits
(`first_visits`) and for values in addresses (`same_values`); here the parts are judged. A page that names one that brought
something gets a part of it, so that lists are not barren.

A part also gets no more when its last pages surely copy: when too much of their own text, without their host's template, was
said before (`focuscrawl.dedup.novelty`). An honest blog may repeat nine tenths of each page, but that is its template; a farm
has another template and copies the rest. What was closed stays closed until it brings something.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from itertools import chain

from focuscrawl.frontier.brought import REPEATS, Brought
from focuscrawl.frontier.closed_parts import Barren, barren_of, widest
from focuscrawl.frontier.first_visits import YOUNG, FirstVisits
from focuscrawl.frontier.mirrors import Compared, Mirrors
from focuscrawl.frontier.part_counts import ALL, FEW, FIRST, TRIAL, VALUES, WIDE_PARTS, Counts, lower, upper
from focuscrawl.frontier.part_table import PartTable
from focuscrawl.frontier.same_values import SameValues
from focuscrawl.shared_counts import Part
from focuscrawl.url.groups import domain_of, groups_of, is_of_all_kinds
from focuscrawl.url.hosts import host_name
from focuscrawl.url.normalize import split

SURE_SHARE = 0.06
"""A part that surely brings less than this may be closed though it is more than `share` of a poor crawl's harvest …"""
MOST_SHARE = 0.5
"""… but not one that may bring half of what the rest does."""
HUB_SHARE = 0.3
"""What the page that named a fruitful one gets of it."""
FIRST_VISIT = 2.0
"""Requests of a first visit: robots.txt and a page."""
HOP = 3.0
"""First visits for which one counts that only redirects to another host."""
WIDE = 0.25
"""Of the floor, for hosts and domains: their sections differ, and one that was not found yet may be the topic's."""
SAMPLED = 100
"""One link in so many into a closed part is followed all the same: else nothing more is learned there …"""
MOST_HALVINGS = 20
"""… half as many after each fetch there that brought nothing, or copied."""
SAME = 0.5
"""Of the addresses that differ in one value: it makes no difference where surely more show the same page."""


class YieldLimit:
    """Knows what parts of the web have brought; refuses URLs in those that proved barren.

    Memory is bounded. Shared between workers as `focuscrawl.shared_counts` says, but for who has named whom and which addresses
    were asked for, which each keeps for itself. What workers know is a sum until a part is closed for what it copies: from then
    on its pages count for that part alone, with each worker from when it knows."""

    def __init__(self, share: float = 0.2, max_parts: int = 50_000, follows: bool = False) -> None:
        """`share`: FRONTIER_BARREN_SHARE, of what the rest of the crawl brings; 0: nothing is ever barren. `follows`: with
        `at_edge=go-on` everything is fetched in the end but mirrors; links into barren parts are not refused."""
        self.share, self.follows = share, follows
        self._table = PartTable(max_parts)
        self._first_visits = FirstVisits(self._table)
        self._values = SameValues(max_parts)
        self.mirrors = Mirrors(max_parts)
        self._unjudged: set[str] = set()
        """Of what others have counted."""
        self.any_closed = False
        """Whether anything has proved barren so far."""
        self._least = (-1, 0.0)
        """Version of the table, and the floor of a part that speaks for itself."""

    # --- asking

    def admits(self, url: str, parent: str) -> bool:
        """May this normal URL be fetched, which the page `parent` names? Without a parent it was given, and may."""
        return not self.rule(url, parent)

    def rule(self, url: str, parent: str) -> str:
        """Name of the rule that refuses it: `mirror`, `yield` or none."""
        if not self.share or not parent:
            return ""
        self._judge_again()
        if not self.mirrors.admits(url):
            return "mirror"
        part = self.closed_part(url, parent)
        if not part or zlib.crc32(url.encode()) % self._sampled(part) == 0:
            return ""
        if part.startswith(VALUES):
            self._values.refused(url, part)
        return "yield"

    def _sampled(self, part: str) -> int:
        """One address in how many of this closed part is fetched: the rarer the longer it stays barren."""
        counts = self._table.get(part)
        return SAMPLED << min(MOST_HALVINGS, int(counts.tried)) if counts else SAMPLED

    def asked(self, url: str) -> None:
        """This URL is on its way: what differs from it only in a value that makes no difference need not be."""
        self._values.asked(url)

    def instead(self, url: str) -> str:
        """This URL was given up: which one, refused as its twin, is to be fetched in its place? Empty if there is none."""
        return self._values.failed(url)

    def refusal(self, url: str, parent: str) -> str:
        """Name of the rule that keeps a link out of the frontier; none where the link is to wait behind everything else."""
        rule = self.rule(url, parent)
        return "" if self.follows and rule == "yield" else rule

    def set_back(self, url: str, parent: str) -> str:
        """What becomes of this waiting URL, which the page `parent` names: `mirror` and `repeats` are put aside, for their text
        is there already; the others wait behind everything else, one behind the other (`focuscrawl.frontier.lanes`): `yield`;
        `new`, a first visit, of which there is no end and which costs a robots.txt, too; and `last`, what copies, or lies on a
        barren domain that has brought nothing at all."""
        rule = self.rule(url, parent)
        if rule != "yield":
            return rule
        part = self.closed_part(url, parent)
        if part[:1] in FIRST:
            return "last" if self._first_visits.copies(url, parent) else "new"
        if self._says_nothing_new(part):
            return "last" if self.follows else "repeats"
        return "last" if self._has_brought_nothing(groups_of(url).domain) else rule

    def _has_brought_nothing(self, domain: str) -> bool:
        """Whether this domain is closed as a whole, and not one of its pages was ever relevant or named one that was."""
        counts = self._table.get(domain)
        return counts is not None and counts.closed and not counts.gain

    def closed_part(self, url: str, parent: str) -> str:
        """Name of the part for which the URL is refused; empty if there is none."""
        if not self.any_closed:  # as in most crawls: this is asked for each link of each page
            return ""
        return (
            self._table.if_closed(*self._values.spared(url))
            or self._closed_around(url)
            or self._first_visits.closed(url, parent)
        )

    def names(self, url: str, parent: str) -> None:
        """The page `parent` has a link to `url`."""
        self._first_visits.names(url, parent)

    def _says_nothing_new(self, part: str) -> bool:
        counts = self._table.get(part)
        return counts is not None and counts.says_nothing_new

    def _judge_again(self) -> None:
        if self._unjudged:
            unjudged, self._unjudged = self._unjudged, set()
            self._judge(list(unjudged))

    def _closed_around(self, url: str) -> str:
        """Of the parts that it lies in: the narrowest of which enough is known decides."""
        for part in groups_of(url).within:
            counts = self._table.get(part)
            if counts is None:
                continue
            if counts.closed:
                return part
            if not is_of_all_kinds(part) and self._speaks_for_itself(counts):
                return ""
        return ""

    def _speaks_for_itself(self, counts: Counts) -> bool:
        """A narrow part of which enough is known, and that brings something new, is fetched from whatever lies around it."""
        if counts.fetched < FEW or counts.repeating >= REPEATS * counts.fetched or counts.rather_copies:
            return False
        if self._least[0] != self._table.version:
            self._least = self._table.version, self._floor(self._table.rest())
        return counts.gain >= self._least[1] * counts.fetched

    # --- learning

    def record(self, brought: Brought) -> list[str]:
        """A URL was fetched and judged. Returns the parts that are closed now and were not before."""
        if brought.redirect and domain_of(brought.redirect) == domain_of(brought.url):
            return self._record_hop_inside(brought)
        groups = groups_of(brought.url)
        first = self._first_visits.visit(brought)
        doubt = self._first_visits.doubt(groups.domain)
        # what a closed part of a host copies is not held against the host and its domain
        within = groups.of_host if any(map(self._copies, groups.of_host)) else groups.within
        for part in (ALL, *within):
            self._table.count(part, brought.counts(part, doubt))
        self._first_visits.learn(brought)
        weight = FIRST_VISIT * (HOP if brought.redirect else 1.0)
        for part in first:
            self._table.count(part, brought.counts(part, weight=weight))
        if brought.gain and brought.parent:
            self._credit(brought, bool(first))
        closed = [*self._judge_within(within), *self._judge([*first, TRIAL, *self._compare(brought)])]
        return [*closed, *self._shut(self.mirrors.record(brought.url, brought.original))]

    def in_question(self, url: str) -> list[str]:
        """The origins that the one of `url` is to be compared with, see `Mirrors.in_question`."""
        return self.mirrors.in_question(url) if self.share else []

    def compared(self, url: str, original: str, compared: Compared) -> list[str]:
        """The origin of `url` was compared with others, see `Mirrors.compare`. Returns the parts that are closed now."""
        return self._shut(self.mirrors.compare(url, original, compared))

    def _shut(self, mirrors: Iterable[str]) -> list[str]:
        closed = [f"h {mirror}" for mirror in mirrors]
        self.any_closed |= bool(closed)
        return closed

    def _record_hop_inside(self, brought: Brought) -> list[str]:
        """A redirect inside its domain says nothing, but for the first one from one host to another: some domains have endless
        hosts."""
        first = self._first_visits.hop_inside(brought)
        if not first or host_name(brought.redirect) == host_name(brought.url):
            return []
        self._table.count(groups_of(brought.url).host, Counts(1.0))
        self._table.count(first, Counts(FIRST_VISIT * HOP))
        return self._judge([first])

    def _compare(self, brought: Brought) -> Iterable[str]:
        """Count for each value in which alone the address differs from a known one whether it shows another page."""
        compared = self._values.compare(brought.url, brought.original)
        for part, same in compared.items():
            self._table.count(part, Counts(1.0, float(not same), float(same)))
        return compared

    def _credit(self, brought: Brought, first: bool) -> None:
        """Who has led there: the parts of the page that named it, and who had introduced its domain."""
        groups = groups_of(brought.url)
        for part in groups_of(brought.parent).within:
            if part not in groups.within:
                self._table.count(part, Counts(gain=HUB_SHARE * brought.gain))
        if not first and self._table.fetched(groups.domain) <= YOUNG:
            for part in self._first_visits.introduced(groups.domain):
                self._table.count(part, Counts(gain=brought.gain))

    # --- judging

    def _copies(self, part: str) -> bool:
        """Whether it is closed, and copies."""
        counts = self._table.get(part)
        return counts is not None and counts.closed and counts.copies

    def _judge_within(self, parts: Iterable[str]) -> list[str]:
        """Judge nested parts, the narrowest first. Where one of a host is closed now for what it copies, it is found out anew
        whether the host copies."""
        closed: list[str] = []
        for part in parts:
            if part[:2] in WIDE_PARTS and any(map(self._copies, closed)):
                self._table.forget_copies(part)
            closed += self._judge([part])
        return closed

    def _judge(self, parts: list[str]) -> list[str]:
        """Close what proved barren, open what has brought something since."""
        if not self.share:
            return []
        closed = []
        for part in dict.fromkeys(parts):
            counts, rest = self._table.get(part), self._table.rest(part)
            if counts is None:
                continue
            barren = self._is_barren(part, counts, rest)
            if barren:
                if not counts.closed:
                    counts.closed, counts.was_closed, counts.tried = True, True, 0.0
                    self.any_closed = True
                    closed.append(part)
            elif counts.closed and self._is_fruitful(counts, rest):
                counts.closed = False
        return closed

    def _is_barren(self, part: str, counts: Counts, rest: float) -> bool:
        """What copies is barren whatever it brings: the first pages of a farm, of which nothing was said before, bring as much
        as any. What only repeats is, where the rest brings more: on small blogs most sentences of a page stand on every page,
        and a crawl that has found little yet would close the only host that it has."""
        if part.startswith(VALUES):
            return lower(counts.repeating, counts.fetched) > SAME
        most, floor = upper(counts.gain, counts.fetched), self._floor(rest)
        if part[:1] in FIRST:
            most = min(most, upper(0.0, counts.fruitless))
        if part[:2] in WIDE_PARTS:
            floor *= WIDE
        return most < floor or counts.copies or (most < rest and counts.repeats and part[:1] not in FIRST)

    def _is_fruitful(self, counts: Counts, rest: float) -> bool:
        """A closed part opens again when it surely brings something new, as a host does whose endless search was closed, and
        not because the rest is exhausted."""
        if counts.repeats or counts.rather_copies:
            return False
        return lower(counts.gain, counts.fetched) > max(MOST_SHARE * rest, SURE_SHARE)

    def _floor(self, rest: float) -> float:
        return min(max(self.share * rest, SURE_SHARE), MOST_SHARE * rest)

    # --- for people, and other processes

    def barren(self) -> list[Barren]:
        """The parts that are closed now, those with most fetches first; of nested ones the widest."""
        return widest(self._table.all())

    def told(self, url: str, parent: str) -> str:
        """The part for which this URL, which the page `parent` names, is not fetched, and what it brought; a sentence without a
        full stop, empty if there is none."""
        origin = split(url)[0]
        if original := self.mirrors.aliases.get(origin):
            return _mirror(origin, original)
        self._judge_again()
        part = self.closed_part(url, parent)
        counts = self._table.get(part) if part else None
        if counts is None:
            return ""
        return f"{barren_of(part, counts)}; the rest of the crawl brings {self._table.rest(part):.2f} of a page"

    def sentences(self, most: int) -> list[str]:
        """The barren parts with most fetches, then mirrors; each a sentence without a full stop."""
        mirrors = [_mirror(mirror, original) for mirror, original in self.mirrors.aliases.items()]
        return [*map(str, self.barren()[:most]), *mirrors[:most]]

    def take(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`."""
        return chain(self._table.take(), self.mirrors.take())

    def add(self, part: Part) -> None:
        """Take over what other workers' pages brought. Raises as `focuscrawl.shared_counts.Learned.add`."""
        if "mirrors" in part:
            self.mirrors.add(part)
        else:
            self._unjudged.update(self._table.add(part))

    def whole(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`; least recently used first."""
        return iter([*self._table.whole(), *self.mirrors.whole()])

    def restart(self) -> None:
        """See `focuscrawl.shared_counts`."""
        self._table.restart()
        self.mirrors.restart()


def _mirror(mirror: str, original: str) -> str:
    return f"{mirror} shows the pages of {original}"
