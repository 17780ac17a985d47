"""Does this part of the web still bring anything? One rule for every strategy: what surely brings less than a small share of
what the rest of the crawl brings gets no more requests.

Of each part stands what came back from it (`focuscrawl.frontier.part_counts`). What a fetch brings is 1 for a relevant page,
less for one that mostly says what was said before, 0 for everything else, also for a redirect that leaves its domain. A page
that names one that brought something gets a part of it, so that lists are not barren.

A part also gets no more when its last pages surely copy: when too much of their own text, without their host's template, was
said before (`focuscrawl.dedup.novelty`). An honest blog may repeat nine tenths of each page, but that is its template; a farm
has another template and copies the rest. What was closed stays closed until it brings something.
"""

from __future__ import annotations

import math
import re
import zlib
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from focuscrawl.dedup.novelty import Said
from focuscrawl.frontier.mirrors import Mirrors
from focuscrawl.frontier.part_counts import (
    ALL,
    FEW,
    FIRST,
    MOST_COPYING,
    NAMED,
    NAMES,
    NEW,
    TRIAL,
    VALUES,
    WIDE_PARTS,
    Counts,
    counts_of,
    lower,
    pieces,
    upper,
    window_of,
    words,
)
from focuscrawl.shared_counts import Part
from focuscrawl.url.groups import domain_of, groups_of
from focuscrawl.url.hosts import host_name
from focuscrawl.url.normalize import split

SURE_SHARE = 0.05
"""A part that surely brings less than this may be closed though it is more than `share` of a poor crawl's harvest …"""
MOST_SHARE = 0.5
"""… but not one that may bring half of what the rest does."""
OWN = 11 / 16
"""What the same host has said before counts so much of a copy, for lists quote the articles that they name. (A binary fraction:
counts of several workers add up to the same in any order.)"""
REPEATS = 0.5
"""A page of whose sentences more than this share was known repeats others."""
HUB_SHARE = 0.3
"""What the page that named a fruitful one gets of it."""
YOUNG = 3.0
"""Fetches below which a domain is new: what its pages bring counts for its first visit, and it introduces nobody."""
PROVEN = 3.0
"""Pages that a domain brings before its new hosts are judged for themselves alone."""
FIRST_VISIT = 2.0
"""Requests of a first visit: robots.txt and a page."""
HOP = 3.0
"""First visits for which one counts that only redirects to another host."""
WIDE = 0.25
"""Of the floor, for hosts and domains: their sections differ, and one that was not found yet may be the topic's."""
SAMPLED = 100
"""One link in so many into a closed part is followed all the same: else nothing more is learned there …"""
TRIES = 2
"""… half as many after each so many fetches that did not open it."""
SAME = 0.5
"""Of the addresses that differ in one value: it makes no difference where surely more show the same page."""
TRIAL_PAGES = 8.0
"""The first ones of a domain that was found by a link."""
MOST_FIELDS = 8
"""Of a query that are looked at."""
NOTHING_SAID = Said()
_drawn = re.compile(r"/([0-9a-zA-Z]{8,})(?=/)")
"""A directory whose name may be drawn by a machine."""


@dataclass(frozen=True, slots=True)
class Brought:
    """What a fetch has brought."""

    url: str
    """That was asked for."""
    parent: str = ""
    """URL of the page that named it; empty for what was given."""
    relevant: bool = False
    """And no duplicate."""
    original: str = ""
    """URL of the page that it repeats."""
    redirect: str = ""
    """URL that it redirects to."""
    said: Said = NOTHING_SAID
    """What of its text was said before."""

    @property
    def gain(self) -> float:
        return min(1.0, (1.0 - self.said.known) / (1.0 - REPEATS)) if self.relevant else 0.0


@dataclass(frozen=True, slots=True)
class Barren:
    """A part that was closed, for people."""

    part: str
    """Address that begins it or masked template; `first visits` …"""
    fetched: float
    """Lately."""
    gain: float
    repeats: bool
    """Rather because it repeats itself than because it is off the topic."""

    def __str__(self) -> str:
        """A sentence without a full stop."""
        if self.repeats:
            return f"{self.part}: most of the last {self.fetched:.0f} pages say what was said before"
        return f"{self.part}: {self.gain:.0f} of the last {self.fetched:.0f} pages brought something"


class YieldLimit:
    """Knows what parts of the web have brought; refuses URLs in those that proved barren.

    Memory is bounded: least recently used parts are forgotten. Shared between workers as `focuscrawl.shared_counts` says, but
    for who has named whom, which each keeps for itself."""

    def __init__(self, share: float = 0.2, max_parts: int = 50_000, follows: bool = False) -> None:
        """`share`: FRONTIER_BARREN_SHARE, of what the rest of the crawl brings; 0: nothing is ever barren. `follows`: with
        `at_edge=go-on` everything is fetched in the end but mirrors; links into barren parts are not refused."""
        self.share, self.max_parts, self.follows = share, max_parts, follows
        self._counts: OrderedDict[str, Counts] = OrderedDict()
        self._new: dict[str, Counts] = {}
        """The part of it that `take` has not handed out."""
        self._named: OrderedDict[str, set[str]] = OrderedDict()
        """Of domains that were not visited: who names them, NAMES at most."""
        self._introduced: OrderedDict[str, list[str]] = OrderedDict()
        """Of domains on trial: the counts of first visits that theirs belongs to."""
        self._shown: OrderedDict[str, str] = OrderedDict()
        """Addresses without one of their values: the first one that was asked for."""
        self.mirrors = Mirrors(max_parts)
        self._unjudged: set[str] = set()
        """Of what others have counted."""
        self.any_closed = False
        """Whether anything has proved barren so far."""
        self._least: float | None = None
        """The floor of a part that speaks for itself; None: to be made again, for something was counted since."""

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
        return "yield" if part and zlib.crc32(url.encode()) % self._sampled(part) else ""

    def _sampled(self, part: str) -> int:
        """One address in how many of this closed part is fetched: the rarer the longer it stays barren."""
        return SAMPLED << min(20, int(self._counts[part].tried / TRIES))

    def asked(self, url: str) -> None:
        """This URL is on its way: what differs from it only in a value that makes no difference need not be."""
        for bare in _without_values(url).values():
            self._show(bare, url)

    def refusal(self, url: str, parent: str) -> str:
        """Name of the rule that keeps a link out of the frontier; none where the link is to wait behind everything else."""
        rule = self.rule(url, parent)
        return "" if self.follows and rule == "yield" else rule

    def set_back(self, url: str, parent: str) -> str:
        """What becomes of this waiting URL, which the page `parent` names: `mirror` and `repeats` are put aside, for their text
        is there already; `yield` waits behind everything else, and `last` behind that: there only other hosts have repeated,
        or it is to be fetched all the same."""
        rule = self.rule(url, parent)
        if rule != "yield":
            return rule
        part = self.closed_part(url, parent)
        if not self._counts[part].says_nothing_new:
            return rule
        return "last" if self.follows or part[:1] in FIRST else "repeats"

    def closed_part(self, url: str, parent: str) -> str:
        """Name of the part for which the URL is refused; empty if there is none."""
        if not self.any_closed:  # as in most crawls: this is asked for each link of each page
            return ""
        return self._closed_value(url) or self._closed_around(url) or self._closed_first_visit(url, parent)

    def names(self, url: str, parent: str) -> None:
        """The page `parent` has a link to `url`."""
        domain, by = domain_of(url), domain_of(parent)
        if domain == by or self._fetched(f"d {domain}") or self._fetched(f"d {by}") < YOUNG or self._is_closed(f"d {by}"):
            return
        names = self._named.setdefault(domain, set())
        self._named.move_to_end(domain)
        if len(names) < NAMES:
            names.add(by)
        if len(self._named) > self.max_parts:
            self._named.popitem(last=False)

    def _judge_again(self) -> None:
        if self._unjudged:
            unjudged, self._unjudged = self._unjudged, set()
            self._judge(list(unjudged))

    def _closed_around(self, url: str) -> str:
        """Of the parts that it lies in: the narrowest of which enough is known decides."""
        for part in groups_of(url).within:
            counts = self._counts.get(part)
            if counts is None:
                continue
            if counts.closed:
                return part
            if part[0] != "k" and self._speaks_for_itself(counts):
                return ""
        return ""

    def _speaks_for_itself(self, counts: Counts) -> bool:
        """A narrow part of which enough is known, and that brings something new, is fetched from whatever lies around it."""
        if counts.fetched < FEW or counts.repeating >= REPEATS * counts.fetched or counts.rather_copies:
            return False
        if self._least is None:
            self._least = self._floor(self._rest())
        return counts.gain >= self._least * counts.fetched

    def _closed_value(self, url: str) -> str:
        """The parameter whose value makes no difference, where its page is known by another one."""
        fields = _without_values(url).items()
        return next((part for part, bare in fields if self._is_closed(part) and self._shown.get(bare, url) != url), "")

    def _closed_first_visit(self, url: str, parent: str) -> str:
        groups, by = groups_of(url), domain_of(parent)
        if self._fetched(groups.host):
            return self._closed_trial(groups.domain)
        if (hosts := self._if_closed(f"m {groups.domain[2:]}")) or self._fetched(groups.domain):
            return hosts or self._closed_among(self._unproven(groups.domain))
        if groups.domain[2:] == by:
            return ""
        if self._is_well_named(groups.domain):
            return self._if_closed(NAMED)
        return self._if_closed(f"n {by}") or self._if_closed(NEW)

    def _closed_trial(self, domain: str) -> str:
        """Where domains on trial copy, one that rather copies itself need not prove it: a farm has many."""
        counts = self._counts.get(domain)
        first = self._introduced.get(domain)
        return self._if_closed(TRIAL) or self._closed_among(first) if first and counts and counts.rather_copies else ""

    def _unproven(self, domain: str) -> list[str]:
        """Which first visits a domain belongs to that has brought little so far: its new hosts are judged as if it
        were new, for redirects lead from host to host of some domains, too."""
        counts = self._counts.get(domain)
        return self._introduced.get(domain, []) if counts and counts.gain < PROVEN else []

    def _closed_among(self, first: list[str]) -> str:
        return next(filter(self._is_closed, [NAMED] if NAMED in first else first), "")

    def _is_well_named(self, domain: str) -> bool:
        return len(self._named.get(domain[2:], ())) >= NAMES

    def _if_closed(self, part: str) -> str:
        return part if self._is_closed(part) else ""

    def _is_closed(self, part: str) -> bool:
        counts = self._counts.get(part)
        return counts is not None and counts.closed

    def _fetched(self, part: str) -> float:
        counts = self._counts.get(part)
        return counts.fetched if counts else 0.0

    # --- learning

    def record(self, brought: Brought) -> list[str]:
        """A URL was fetched and judged. Returns the parts that are closed now and were not before."""
        if brought.redirect and domain_of(brought.redirect) == domain_of(brought.url):
            return self._record_hop_inside(brought)
        groups, gain = groups_of(brought.url), brought.gain
        touched = list(groups.within)
        first, values = self._first_visit(brought), self._values(brought)
        for part in (ALL, *touched):
            self._count(part, self._one(brought, part))
        if groups.domain in self._introduced:
            self._try(groups.domain, self._one(brought, TRIAL))
        weight = FIRST_VISIT * (HOP if brought.redirect else 1.0)
        for part in first:
            self._count(part, self._one(brought, part, weight))
        if gain and brought.parent:
            self._credit(brought, gain, bool(first))
        closed = self._judge([*touched, *first, TRIAL, *values])
        mirrors = self.mirrors.record(brought.url, brought.original)
        self.any_closed |= bool(mirrors)
        return [*closed, *(f"h {mirror}" for mirror in mirrors)]

    def _record_hop_inside(self, brought: Brought) -> list[str]:
        """A redirect inside its domain says nothing, but for the first one from one host to another: some domains have endless
        hosts."""
        groups = groups_of(brought.url)
        moved = host_name(brought.redirect) != host_name(brought.url)
        if not brought.parent or not moved or self._fetched(groups.host):
            return []
        first = f"m {groups.domain[2:]}"
        self._count(groups.host, Counts(1.0))
        self._count(first, Counts(FIRST_VISIT * HOP))
        return self._judge([first])

    def _try(self, domain: str, one: Counts) -> None:
        """A domain that was found by a link is on trial until its first pages were rather its own: from then on it is believed
        as what was given."""
        counts = self._counts[domain]
        if counts.fetched <= TRIAL_PAGES:
            self._count(TRIAL, one)
        elif counts.gain >= PROVEN and not counts.rather_copies:
            del self._introduced[domain]

    def _one(self, brought: Brought, part: str, weight: float = 1.0) -> Counts:
        """What this fetch is for the part.

        What other domains have said counts against first visits and domains on trial: a section of a good host may have been
        read on a farm first, and what is believed is the source of all that it says. What other hosts of its domain have said
        counts against all hosts and domains. First visits that copy count as wholly copied: hardly an honest one does.

        What is known as the copy of one page counts against first visits alone, for mirrors: an article may stand on two good
        hosts, and a farm's page has pieces of many."""
        said, first, wide = brought.said, part[:1] in FIRST, part[:2] in WIDE_PARTS
        on_trial = wide and f"d {domain_of(brought.url)}" in self._introduced
        copied = OWN * said.own + (said.sister if first or wide else 0.0) + (said.foreign if first or on_trial else 0.0)
        if brought.original and (part == TRIAL or not first):
            copied = 0.0
        copied = float(copied > MOST_COPYING) if first else copied
        repeating = said.known > REPEATS or (said.silent and not brought.gain)
        return Counts(weight, weight * brought.gain, weight * repeating, weight * copied, weight * copied * copied)

    def _first_visit(self, brought: Brought) -> list[str]:
        """The counts of first visits that it belongs to; before it is counted itself."""
        groups = groups_of(brought.url)
        if not brought.parent or self._fetched(groups.host):
            return []
        if self._fetched(groups.domain):
            return [f"m {groups.domain[2:]}"]
        by = domain_of(brought.parent)
        if by == groups.domain[2:]:
            return []
        named = self._is_well_named(groups.domain)
        self._named.pop(groups.domain[2:], None)
        first = self._introduced[groups.domain] = [f"n {by}", NEW, *([NAMED] if named else [])]
        if len(self._introduced) > self.max_parts:
            self._introduced.popitem(last=False)
        return first

    def _values(self, brought: Brought) -> list[str]:
        """The counts of values of query parameters that it belongs to: each time that an address differs from a known one only
        in the value, does it show another page?"""
        judged, original = [], _without_values(brought.original) if brought.original else {}
        for part, bare in _without_values(brought.url).items():
            if self._shown.get(bare, brought.url) != brought.url:
                same = original.get(part) == bare
                self._count(part, Counts(1.0, float(not same), float(same)))
                judged.append(part)
            self._show(bare, brought.url)
        return judged

    def _show(self, bare: str, url: str) -> None:
        self._shown.setdefault(bare, url)
        self._shown.move_to_end(bare)
        if len(self._shown) > self.max_parts:
            self._shown.popitem(last=False)

    def _credit(self, brought: Brought, gain: float, first: bool) -> None:
        """Who has led there: the parts of the page that named it, and who had introduced its domain."""
        own = set(groups_of(brought.url).within)
        for part in groups_of(brought.parent).within:
            if part not in own:
                self._count(part, Counts(gain=HUB_SHARE * gain))
        domain = groups_of(brought.url).domain
        if not first and self._fetched(domain) <= YOUNG:
            for part in self._introduced.get(domain, ()):
                self._count(part, Counts(gain=gain))

    def _count(self, part: str, one: Counts) -> None:
        self._add(part, one)
        self._new.setdefault(part, Counts()).add(one, math.inf)
        if len(self._new) > self.max_parts:
            del self._new[next(iter(self._new))]

    def _add(self, part: str, one: Counts) -> None:
        self._least = None
        counts = self._counts.setdefault(part, Counts())
        counts.add(one, window_of(part))
        counts.gain = min(counts.gain, counts.fetched)
        self._counts.move_to_end(part)
        if len(self._counts) > self.max_parts:
            self._counts.popitem(last=False)

    def _judge(self, parts: list[str]) -> list[str]:
        """Close what proved barren, open what has brought something since."""
        if not self.share:
            return []
        closed = []
        for part in dict.fromkeys(parts):
            counts, rest = self._counts.get(part), self._rest(part)
            if counts is None:
                continue
            barren = self._is_barren(part, counts, rest)
            if barren and not counts.closed:
                counts.closed, counts.tried = True, 0.0
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

    def _rest(self, part: str = ALL) -> float:
        """What the rest of the crawl brings at least, of a fetch."""
        all_, own = self._counts.get(ALL, Counts()), self._counts.get(part, Counts()) if part != ALL else Counts()
        fetched = max(0.0, all_.fetched - own.fetched)
        return lower(min(max(0.0, all_.gain - own.gain), fetched), fetched)

    # --- for people, and other processes

    def barren(self) -> list[Barren]:
        """The parts that are closed now, those with most fetches first; of nested ones the widest."""
        found = [(part, counts) for part, counts in self._counts.items() if counts.closed]
        found.sort(key=lambda item: (-item[1].fetched, len(item[0])))
        named: list[Barren] = []
        for part, counts in found:
            name = words(part)
            if not any(
                name.startswith(other.part) or re.search(rf"[./]{re.escape(other.part)}/", f"{name}/") for other in named
            ):
                named.append(Barren(name, counts.fetched, counts.gain, counts.says_nothing_new))
        return named

    def told(self, url: str, parent: str) -> str:
        """The part for which this URL, which the page `parent` names, is not fetched, and what it brought; a sentence without a
        full stop, empty if there is none."""
        origin = split(url)[0]
        if original := self.mirrors.aliases.get(origin):
            return _mirror(origin, original)
        self._judge_again()
        part = self.closed_part(url, parent)
        if not part:
            return ""
        counts = self._counts[part]
        rest = f"; the rest of the crawl brings {self._rest(part):.2f} of a page"
        return f"{Barren(words(part), counts.fetched, counts.gain, counts.says_nothing_new)}{rest}"

    def sentences(self, most: int) -> list[str]:
        """The barren parts with most fetches, then mirrors; each a sentence without a full stop."""
        mirrors = [_mirror(mirror, original) for mirror, original in self.mirrors.aliases.items()]
        return [*map(str, self.barren()[:most]), *mirrors[:most]]

    def take(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`."""
        new, self._new = self._new, {}
        return chain(pieces(new), self.mirrors.take())

    def add(self, part: Part) -> None:
        """Take over what other workers' pages brought. Raises as `focuscrawl.shared_counts.Learned.add`."""
        if "mirrors" in part:
            self.mirrors.add(part)
            return
        rows = {str(name): counts_of(values) for name, values in part["parts"].items()}
        for name, counts in rows.items():
            self._add(name, counts)
        self._unjudged.update(rows)

    def whole(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`; least recently used first."""
        return iter([*pieces(self._counts), *self.mirrors.whole()])

    def restart(self) -> None:
        """See `focuscrawl.shared_counts`."""
        self._counts.clear()
        self._least = None
        self.mirrors.restart()
        for part, counts in self._new.items():
            self._add(part, counts)


def _without_values(url: str) -> dict[str, str]:
    """Of each value that an address carries, of a query parameter or drawn by a machine in the path, the name of its count and
    the address without it.

    >>> _without_values("http://h.org/a?id=1&sid=2")
    {'v http://h.org?id': 'http://h.org/a?sid=2', 'v http://h.org?sid': 'http://h.org/a?id=1'}
    >>> _without_values("http://h.org/s/3fa9c2b1/a")
    {'v http://h.org/s/': 'http://h.org/s//a'}
    """
    origin, (path, _, query) = split(url)[0], url.partition("?")
    fields = query.split("&")[:MOST_FIELDS] if query else []
    found = {
        f"{VALUES}{origin}?{field.partition('=')[0]}": f"{path}?{'&'.join(other for other in fields if other != field)}"
        for field in fields
    }
    for drawn in _drawn.finditer(path, len(origin)):
        start, end = drawn.span(1)
        if any(map(str.isdigit, drawn[1])):
            found[VALUES + url[:start]] = url[:start] + url[end:]
    return found


def _mirror(mirror: str, original: str) -> str:
    return f"{mirror} shows the pages of {original}"
