"""Closes barren parts of the web, for every order strategy alike: a part that surely brings less than a small share of what the
rest of the crawl brings gets no more requests.

What fetches bring (`focuscrawl.frontier.fetch_yield`) is counted for each part to which their URLs belong (`part_table`), for
first visits (`first_visits`) and for values in URLs (`same_values`). When a part counts as barren is decided by the rules in
`barrenness`; `part_judge` asks them after each fetch. If a page brings something, the page that linked to it is credited with a
share, so that lists of links are not barren.

A part is also closed if its last pages surely copy: if too much of their own text, without their host's template, was seen
before (`focuscrawl.dedup.text_reuse`). An honest blog may repeat nine tenths of each page, but that is its template; a farm has
another template and copies the rest. A closed part stays closed until it brings something.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from itertools import chain

from focuscrawl.frontier.barrenness import Barren, barren_of, brings_too_little, floor, is_hardly_tried, is_new_enough, widest
from focuscrawl.frontier.below_lists import BelowLists
from focuscrawl.frontier.fetch_yield import FetchYield
from focuscrawl.frontier.first_visits import YOUNG, FirstVisits
from focuscrawl.frontier.longer_paths import ContinuedUrls, LongerPaths
from focuscrawl.frontier.mirrors import Compared, Mirrors
from focuscrawl.frontier.part_counts import FEW, FIRST_VISIT, Counts
from focuscrawl.frontier.part_judge import PartJudge
from focuscrawl.frontier.part_names import (
    ALL,
    FILES,
    FIRST,
    TRIAL,
    VALUES,
    all_longer_paths_of,
    below_lists_of,
    files_at,
    hops_from,
    hops_on,
)
from focuscrawl.frontier.part_table import NOTHING, PartTable
from focuscrawl.frontier.same_values import SameValues, counts_of_values
from focuscrawl.shared_counts import Part
from focuscrawl.url.groups import domain_of, groups_of, is_of_all_kinds, part_of_host
from focuscrawl.url.hosts import host_name
from focuscrawl.url.normalize import join, split

HUB_SHARE = 0.3
"""Share of a page's gain with which the parts of the page that linked to it are credited."""
HOP = 3.0
"""A first visit that only redirects to another host counts as this many first visits."""
SAMPLED = 100
"""One in this many links into a closed part is followed all the same, because else nothing more would be learned of it …"""
MOST_HALVINGS = 20
"""… and half as many after each such fetch that brought nothing, or copied, at most this many times."""


class YieldLimit:
    """Knows what parts of the web have brought, and refuses URLs in those that proved barren.

    A URL is judged at four moments, each with a method of its own, because a reason to refuse it may count at one and not at
    another:

    - a page links to it: `refusal`, and `refusal_of_named` if the page names it as its own URL;
    - a page redirects to it: `refusal`, and `refusal_of_home` if the page is stored already and has moved;
    - it waits in the frontier, or is about to be fetched: `set_back`, and `on_original` if it lies on a mirror;
    - it was put aside, and its part has opened again: `keep_aside`.

    All of them ask `rule`, which asks `closed_part`. After a fetch, `record` counts what it has brought and judges its parts.

    Memory is bounded. The counts are shared between workers as `focuscrawl.shared_counts` says. Which domains have named which,
    and which URLs were fetched, each worker remembers by itself. The counts of all workers are a sum until a part is closed
    because it copies: from then on its pages count for that part alone, for each worker from the time when it knows of it."""

    def __init__(self, share: float = 0.2, follows: bool = False) -> None:
        """Begin without any counts.

        Args:
            share: FRONTIER_BARREN_SHARE, the share of what the rest of the crawl brings below which a part is barren; 0: no
                part is ever barren.
            follows: whether everything but mirrors is fetched in the end (`at_edge=go-on`), so that links into barren parts
                are not refused.
        """
        self.share, self.follows = share, follows
        self._table = PartTable()
        self._judge = PartJudge(self._table, share)
        self._first_visits = FirstVisits(self._table)
        self._values = SameValues()
        self._paths = LongerPaths(self._table)
        self._continued = ContinuedUrls()
        self._below = BelowLists()
        self.mirrors = Mirrors()
        self._floor_at = (-1, 0.0)
        """A version of the table, and the floor by all its counts, which `_stays_open` asks for with each link."""

    # --- asking

    @property
    def any_closed(self) -> bool:
        """Whether anything has proved barren so far."""
        return self._judge.any_closed or bool(self.mirrors.aliases)

    def admits(self, url: str, parent: str) -> bool:
        """Whether this normal URL, to which the page `parent` links, may be fetched. A URL without a parent was given by the
        user, and always may."""
        return not self.rule(url, parent)

    def rule(self, url: str, parent: str) -> str:
        """The name of the rule that refuses the URL: `mirror`, `yield`, or empty."""
        if not self.share or not parent:
            return ""
        if not (self._judge.any_closed or self._judge.unjudged or self.mirrors.aliases):
            return ""  # a short way for most crawls, because this is asked for each link of each page
        self._judge.judge_again()
        if not self.mirrors.admits(url):
            return "mirror"
        part = self.closed_part(url, parent)
        if not part or zlib.crc32(url.encode()) % self._sampled(part) == 0:
            return ""
        if part.startswith(VALUES):
            self._values.refused(url, part)
        self._paths.refused(url, part)
        return "yield"

    def _sampled(self, part: str) -> int:
        """One URL in how many of this closed part is fetched. The longer the part stays barren, the fewer are."""
        return SAMPLED << min(MOST_HALVINGS, int(self._table.get(part).tried))

    def asked(self, url: str) -> None:
        """Note that this URL is being fetched. From now on URLs that differ from it only in a value that makes no difference
        are refused."""
        self._values.asked(url)
        self._paths.names(url)

    def was_fetched(self, url: str) -> None:
        """Note that another worker or an earlier run has fetched this URL: the same as `asked`, for what this process did not
        fetch itself."""
        self._values.asked(url)
        self._paths.fetched(url)
        self._continued.names(url)

    def instead(self, url: str) -> str:
        """The URL to fetch in place of this one, which could not be fetched: another URL of the same page, which was
        refused because this one seemed to be enough. Empty if there is none."""
        longer = self._paths.failed(url)
        return self._values.failed(url) or longer

    def refusal(self, url: str, parent: str) -> str:
        """The name of the rule that keeps a link out of the frontier; empty if the link may enter.

        Two kinds of refused links enter all the same, to wait behind everything else (`set_back`): all of them in a crawl that
        fetches everything in the end, and those that differ from a known URL only in a value that made a difference on some
        pages of the host."""
        rule = self.rule(url, parent)
        if not rule:
            self._paths.names(url)
            self._continued.names(url)
        waits = rule == "yield" and (self.follows or self._may_differ(url, parent))
        return "" if waits else rule

    def _may_differ(self, url: str, parent: str) -> bool:
        """Whether this refused URL may show another page after all: the value in which alone it differs from a known URL has
        made a difference at times, and it is not sure that it hardly ever does (`Counts.repeats`)."""
        value = self._closed_value(url, parent)
        counts = self._table.get(value) if value else NOTHING
        return counts.gain > 0 and not counts.repeats

    def _closed_value(self, url: str, parent: str) -> str:
        """The name of the counts of the value for which the URL is refused, if that is the only reason; else empty. That the
        pages around it repeat others does not count as another reason, because the value explains it."""
        part = self.closed_part(url, parent)
        if not part.startswith(VALUES) or self._table.if_closed(hops_from(url), self._continued.spared(url)):
            return ""
        around = self._closed_around(url)
        counts = self._table.get(around) if around else NOTHING
        return "" if brings_too_little(around, counts, self._table.rest(around), self.share) else part

    def refusal_of_home(self, url: str, parent: str) -> str:
        """As `refusal`, for the URL to which a stored page has moved; `parent` links to the old one. The page is fetched at its
        new home although its text was seen before, even on a mirror, and although first visits to new hosts bring little."""
        if self.refusal(url, parent) != "yield":
            return ""
        part = self.closed_part(url, parent)
        return "" if part[:1] in FIRST or self._table.get(part).says_nothing_new else "yield"

    def refusal_of_named(self, url: str, parent: str) -> str:
        """As `refusal`, for the URL that the page `parent` names as its own URL. It is followed although it shows the same
        page as `parent`, because the page is to be kept at that URL."""
        refusal = self.refusal(url, parent)
        return "" if refusal == "yield" and self._closed_value(url, parent) else refusal

    def set_back(self, url: str, parent: str) -> str:
        """The rule by which this waiting URL, to which the page `parent` links, is set back; empty if it is not.

        URLs set back by `mirror` and `repeats` are put aside, because their text is stored already. The others wait behind
        everything else, in this order (`focuscrawl.frontier.lanes`): `yield`; `new` for first visits, which are endless and
        also cost a robots.txt; and `last` for URLs that copy or lie on a barren domain that has brought nothing at all."""
        rule = self.rule(url, parent)
        if rule != "yield":
            return rule
        part = self.closed_part(url, parent)
        if part[:1] in FIRST:
            return "last" if self._first_visits.copies(url, parent) else "new"
        if part.startswith(FILES) or self._table.get(part).says_nothing_new:
            return "last" if self.follows else "repeats"
        return "last" if self._has_brought_nothing(groups_of(url).domain) else rule

    def on_original(self, url: str, parent: str) -> str:
        """The same path on the original of the mirror on which this URL lies; empty if a rule refuses that, or if it lies on
        none."""
        origin, path = split(url)
        twin = join(self.mirrors.aliases[origin], path) if origin in self.mirrors.aliases else ""
        return twin if twin and not self.rule(twin, parent) else ""

    def keep_aside(self, url: str, parent: str) -> str:
        """As `set_back`, for a URL that was put aside, when its part has opened again: the rule for which it stays aside; empty
        if it waits again. `repeats` also holds if a value in it is known to make no difference: the URL from which it differs
        in that value may have been fetched by another worker or an earlier run, which this process does not know."""
        return "repeats" if self._table.if_closed(*counts_of_values(url)) else self.set_back(url, parent)

    def _has_brought_nothing(self, domain: str) -> bool:
        """Whether this domain is closed as a whole, and none of its pages was ever relevant or linked to a relevant one."""
        counts = self._table.get(domain)
        return counts.closed and not counts.gain

    def closed_part(self, url: str, parent: str) -> str:
        """The name of the closed part because of which the URL is refused; empty if there is none."""
        if not self._judge.any_closed:
            return ""
        return (
            self._table.if_closed(*self._values.spared(url), hops_from(url), files_at(url), self._continued.spared(url))
            or self._paths.spared(url)
            or self._closed_around(url)
            or self._first_visits.closed(url, parent)
        )

    def is_said_before(self, url: str) -> bool:
        """Whether this stored page lies in a closed part whose pages repeat or copy others: a revisit is worth little."""
        if not self.share:
            return False
        self._judge.judge_again()
        part = self._closed_around(url) if self._judge.any_closed else ""
        counts = self._table.get(part) if part else NOTHING
        return counts.closed and (counts.repeats or counts.probably_copies)

    def lists_lead_to_known(self, url: str) -> bool:
        """Whether lists in the section of this URL that say the same as others mostly lead to what was known."""
        return bool(self.share and self._table.if_closed(below_lists_of(url)))

    def names(self, url: str, parent: str) -> None:
        """Note that the page `parent` has a link to `url`."""
        self._first_visits.names(url, parent)

    def _closed_around(self, url: str) -> str:
        """The closed part in which the URL lies; empty if there is none. Of nested parts the narrowest of which enough is known
        decides; unless it copies, at first over the templates that were read alone."""
        groups = groups_of(url)
        hardly_read = self._table.fetched(groups.template) < FEW
        for part in groups.within:
            counts = self._table.get(part)
            if counts is NOTHING:
                continue
            if counts.closed and not (hardly_read and part in groups.around and is_hardly_tried(counts)):
                return part
            if not is_of_all_kinds(part) and self._stays_open(counts):
                return ""
        return ""

    def _stays_open(self, counts: Counts) -> bool:
        """Whether enough is known of a narrow part, and it brings something new, so that it stays open even if a wider part
        around it is closed."""
        if not is_new_enough(counts):
            return False
        if self._floor_at[0] != self._table.version:
            self._floor_at = self._table.version, floor(self._table.rest(), self.share)
        return counts.gain >= self._floor_at[1] * counts.fetched

    # --- learning

    def record(self, fetch: FetchYield) -> list[str]:
        """Count what a fetch has brought. Returns the names of the parts that are closed now and were not before."""
        if fetch.redirect and domain_of(fetch.redirect) == domain_of(fetch.url):
            return self._record_hop_inside(fetch)
        groups = groups_of(fetch.url)
        first = self._first_visits.visit(fetch)
        doubt = self._first_visits.doubt(groups.domain)
        fetch = fetch.believed(doubt).beside(self._paths.version_of(fetch.url))
        within = self._judge.answerable(groups)
        for part in (ALL, *within):
            self._table.count(part, fetch.counts(part, doubt))
        self._first_visits.learn(fetch)
        weight = FIRST_VISIT * (HOP if fetch.redirect else 1.0)
        for part in first:
            self._table.count(part, fetch.counts(part, weight=weight))
        if fetch.gain and fetch.parent:
            self._credit(fetch, bool(first))
        files = files_at(fetch.url)
        if not fetch.redirect and files in self._table:
            self._table.count(files, Counts(1.0, 1.0))
        closed = [*self._judge.judge_nested(within), *self._judge.judge([*first, TRIAL, files, *self._compare(fetch)])]
        if fetch.is_home:
            mirrors = self.mirrors.record_home(fetch.url, fetch.original)
        else:
            mirrors = self.mirrors.record(fetch.url, fetch.original, fetch.leads_alike)
        return [*closed, *map(part_of_host, mirrors)]

    def record_file(self, url: str) -> list[str]:
        """Count a fetch that brought a file which cannot be read as a page. It says nothing of the directory in which it lies,
        but of URLs of its template, if no pages are there. Returns the parts that are closed now."""
        files = files_at(url)
        self._table.count(files, Counts(1.0, repeating=1.0))
        return self._judge.judge([files])

    def take_opened(self) -> list[str]:
        """The registered domains with a part that has opened again since the last call, by its own counts or with those of
        others, or with a host that turned out to be no mirror: what was put aside or refused there is to be judged again. One
        is empty where first visits are open again: what was refused is anywhere."""
        return sorted(self._judge.take_opened().union(map(domain_of, self.mirrors.take_opened())))

    def in_question(self, url: str) -> list[str]:
        """The origins with which the one of `url` is to be compared, see `Mirrors.in_question`."""
        return self.mirrors.in_question(url) if self.share else []

    def compared(self, url: str, original: str, compared: Compared) -> list[str]:
        """Learn how the origin of `url` compares with others, see `Mirrors.compare`. Returns the names of the parts that are
        closed now and were not before."""
        return [part_of_host(mirror) for mirror in self.mirrors.compare(url, original, compared)]

    def _record_hop_inside(self, fetch: FetchYield) -> list[str]:
        """Count a redirect within a domain. It says nothing of the parts in which it lies, but whether such redirects lead to
        URLs that were known (`forum.php?goto=lastpost&tid=5`) or lie in a closed part (`/save?job=5` to `/login?next=…`). The
        first visit to a host that leads to another host counts, because some domains have endless hosts. Returns the parts
        that are closed now."""
        hops = hops_from(fetch.url)
        useless = fetch.target_known or bool(self.closed_part(fetch.redirect, fetch.parent))
        self._table.count(hops, Counts(1.0, float(not useless), float(useless)))
        on = self._count_same(self._continued.compare(fetch.url, fetch.redirect))
        first = self._first_visits.hop_inside(fetch)
        if not first or host_name(fetch.redirect) == host_name(fetch.url):
            return self._judge.judge([hops, *on])
        self._table.count(groups_of(fetch.url).host, Counts(1.0))
        self._table.count(first, Counts(FIRST_VISIT * HOP))
        return self._judge.judge([hops, *on, first])

    def _compare(self, fetch: FetchYield) -> Iterable[str]:
        """Count, for each value in which alone the URL differs from one that was fetched, whether it shows the same page, and
        so for a URL that continues it. Returns the names of these counts."""
        below = self._below.compare(fetch)
        for part, counts in below.items():
            self._table.count(part, counts)
        if fetch.undecided:
            self.was_fetched(fetch.url)
            return below
        parts = (self._values, self._paths, self._continued)
        compared = {part: same for each in parts for part, same in each.compare(fetch.url, fetch.original).items()}
        self._continued.names(fetch.url)
        return [*below, *self._count_same(compared, fetch.shown)]

    def _count_same(self, compared: dict[str, bool], shown: float = 1.0) -> Iterable[str]:
        """Count for these parts whether a fetch has shown what was known, so much of it. Returns their names."""
        for part, same in compared.items():
            self._table.count(part, Counts(1.0, 1.0 - shown * same, shown * same))
        return compared

    def _credit(self, fetch: FetchYield, first: bool) -> None:
        """Credit those who have led to a fruitful page: the parts of the page that linked to it, and the first visits to which
        that of its domain belongs, while the domain is new."""
        groups = groups_of(fetch.url)
        for part in groups_of(fetch.parent).within:
            if part not in groups.within:  # the others have counted the page itself
                self._table.count(part, Counts(gain=HUB_SHARE * fetch.gain))
        if not first and self._table.fetched(groups.domain) <= YOUNG:
            for part in self._first_visits.introduced(groups.domain):
                self._table.count(part, Counts(gain=fetch.gain))

    # --- for people, and other processes

    def barren(self) -> list[Barren]:
        """The parts that are closed now, see `widest`."""
        return widest(self._table.all())

    def reason(self, url: str, parent: str) -> str:
        """Why this URL, to which the page `parent` links, is not fetched: the closed part and what it brought, as a sentence
        without a full stop; empty if no part is the reason."""
        origin = split(url)[0]
        if original := self.mirrors.aliases.get(origin):
            return _mirror(origin, original)
        self._judge.judge_again()
        # Which URLs were fetched is not known here. As this one was refused, one that differs in a closed value alone was.
        part = self.closed_part(url, parent) or self._table.if_closed(
            *counts_of_values(url), *all_longer_paths_of(url), hops_on(url)
        )
        if not part:
            return ""
        return f"{barren_of(part, self._table.get(part))}; the rest of the crawl brings {self._table.rest(part):.2f} of a page"

    def sentences(self, most: int) -> list[str]:
        """At most `most` barren parts, those with most fetches first, then at most as many mirrors; each a sentence without a
        full stop."""
        mirrors = [_mirror(mirror, original) for mirror, original in self.mirrors.aliases.items()]
        return [*map(str, self.barren()[:most]), *mirrors[:most]]

    @property
    def has_news(self) -> bool:
        """Whether others should hear at once of what was learned here: a part was closed or opened, or many pages fetched."""
        return self._table.has_news

    def take(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`."""
        return chain(self._table.take(), self.mirrors.take())

    def add(self, part: Part) -> None:
        """Add what other workers counted. Raises as `focuscrawl.shared_counts.Learned.add`."""
        if "mirrors" in part:
            self.mirrors.add(part)
        else:
            self._judge.counted_by_others(self._table.add(part))

    def whole(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`; the least recently used parts come first."""
        self._judge.judge_again()
        return iter([*self._table.whole(), *self.mirrors.whole()])

    def restart(self) -> None:
        """See `focuscrawl.shared_counts`."""
        self._table.restart()
        self.mirrors.restart()


def _mirror(mirror: str, original: str) -> str:
    return f"{mirror} shows the pages of {original}"
