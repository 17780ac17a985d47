"""What a fetch has brought, and how it counts for the parts of the web to which its URL belongs.

A relevant page has a gain of 1, or less if most of its text was seen before. Everything else has a gain of 0, also a redirect
that leaves its domain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from focuscrawl.dedup.text_reuse import SeenSentences, TextReuse
from focuscrawl.frontier.longer_paths import end_alike
from focuscrawl.frontier.part_counts import MOST_COPYING, Counts
from focuscrawl.frontier.part_names import FIRST, TRIAL, WIDE_PARTS
from focuscrawl.frontier.same_values import differ_in_one
from focuscrawl.items import EXAMPLE, SEED, Page
from focuscrawl.links.page_kind import names_one
from focuscrawl.url.groups import groups_of
from focuscrawl.url.hosts import bare_host
from focuscrawl.url.normalize import split
from focuscrawl.url.versions import apart

OWN = 11 / 16
"""How much a sentence that was seen on the same host counts as copied: not fully, because lists quote the articles that
they name. (A binary fraction, so that the counts of several workers add up to the same in any order.)"""
REPEATS = 0.5
"""A page repeats others if more than this share of its sentences was known before."""
NO_REUSE = TextReuse()


@dataclass(frozen=True, slots=True)
class FetchYield:
    """The result of one fetch."""

    url: str
    """The URL that was fetched."""
    parent: str = ""
    """URL of the page that linked to it; empty if the user gave the URL."""
    relevant: bool = False
    """Whether it brought a relevant page that is not a duplicate, nor takes the place of one that named its URL."""
    original: str = ""
    """URL of the page that it repeats, or that named its URL as its own; empty: none."""
    redirect: str = ""
    """URL that it redirects to; empty: none."""
    target_known: bool = False
    """Whether the crawl knew that URL already."""
    canonical: str = ""
    """URL that the page names as its own; empty: none."""
    is_home: bool = False
    """Whether it takes the place of a page that named its URL as its own."""
    reuse: TextReuse = NO_REUSE
    """How much of its text was seen before."""
    given: bool = False
    """Whether the user gave its domain, by a seed or an example."""
    leads_alike: bool = False
    """Whether the page that it repeats lies on another host, and it leads to the same paths on its own."""

    shown: float = 1.0
    """How much of the original it shows: less than all where that is another version of the page."""
    undecided: bool = False
    """Whether only what is below its URL will show whether it is a copy (`Duplicate.own`)."""

    def believed(self, doubt: float) -> FetchYield:
        """This fetch, with what its page shares with other domains counted only as far as its own domain is in doubt: a farm
        that took the articles of a good domain may have been read first.

        doubt: 0 if the domain is believed, 1 if it is not; see `counts`."""
        return replace(self, reuse=self.reuse._replace(known=self.reuse.known - (1.0 - doubt) * self.reuse.elsewhere))

    def beside(self, version: str) -> FetchYield:
        """This fetch, where another `version` of its page was fetched before (empty: none was). If it repeats most of that, it
        is no page of its own: what differs is not worth as much."""
        if not version or self.original or self.reuse.known <= REPEATS:
            return self
        return replace(self, original=version, shown=self.reuse.known)

    @property
    def gain(self) -> float:
        return min(1.0, (1.0 - self.reuse.known) / (1.0 - REPEATS)) if self.relevant else 0.0

    def counts(self, part: str, doubt: float = 0.0, weight: float = 1.0) -> Counts:
        """What the fetch adds to the counts of a part.

        What does not follow from the fields:

        - An irrelevant page without a sentence counts as repeating, because it says nothing new.
        - If the user gave the domain, neither such pages nor what the host repeats of itself count against host and domain:
          people's home pages, which all greet with the same words, may come before what they lead to.
        - A page does not repeat what was read at a longer URL of it, or in another version (`/docs/1.x/guide` before
          `/docs/guide`), because the pages beside it may be at the shorter URLs, or in this version, alone.
        - A page that takes the place of one that named its URL counts only for the parts that hold both: what it brings was
          counted for the others where the first one lies.

        Args:
            part: name of the part, see `focuscrawl.frontier.part_names`.
            doubt: how much of the text that was seen on other domains counts against the host and the domain, 0 to 1.
            weight: what one fetch counts.
        """
        if self.is_home and part in self._home and part not in groups_of(self.original).of_host:
            return Counts()
        copied = self._copied(part, doubt)
        if self.given and part[:2] in WIDE_PARTS:
            repeating = min(self.reuse.known, self.reuse.sibling + self.reuse.foreign) > REPEATS
        else:
            repeating = self.reuse.known > REPEATS or (self.reuse.empty and not self.gain)
        repeating = repeating and not self._was_read_at_another_url
        return Counts(weight, weight * self.gain, weight * repeating, weight * copied, weight * copied * copied)

    def _copied(self, part: str, doubt: float) -> float:
        """The share of the page's own text that counts as copied for this part, 0 to 1.

        Text that was seen on other domains counts against first visits. It counts against hosts and domains only as far as they
        are in doubt, because a section of a good host may have been read on a farm first. Text that was seen on domains given
        by the user, or on other hosts of the same domain, counts fully against first visits, hosts and domains. What a host has
        said itself does not count against it and its domain if they were given: a shop shows its list in many orders. A first
        visit that copies too much counts as wholly copied, because honest pages hardly ever do.

        A page that repeats one other page as a whole counts against first visits, because of mirrors. Otherwise it counts only
        against directories and templates, and only if the other page lies on the same host: an article may stand on two good
        hosts, whereas a farm's page has pieces of many. Nor does it count against those in which the URL lies that it names
        as its own: they hold what is worth fetching, too."""
        reuse, first, wide = self.reuse, part[:1] in FIRST, part[:2] in WIDE_PARTS
        if self.original and (part == TRIAL or not first):
            elsewhere = not first and not wide and self._repeats_its_host and part not in self._home
            return OWN if elsewhere else 0.0
        foreign = reuse.foreign if first else max(reuse.given, doubt * reuse.foreign) if wide else 0.0
        own = 0.0 if wide and self.given else OWN * reuse.own
        copied = own + (reuse.sibling if first or wide else 0.0) + foreign
        return float(copied > MOST_COPYING) if first else copied

    @property
    def _home(self) -> tuple[str, ...]:
        """The parts of the host in which the URL lies that the page names as its own, if it was fetched from another, or
        that another URL of it named."""
        home = self.url if self.is_home else self.canonical if self.canonical != self.url else ""
        return groups_of(home).of_host if home else ()

    @property
    def _was_read_at_another_url(self) -> bool:
        """Whether the page that it repeats was read in another version, or at a longer URL, which ends alike."""
        is_longer = self.original.count("/") > self.url.count("/") and end_alike(self.url, self.original)
        return is_longer or bool(self.original and apart(self.url, self.original)[0])

    @property
    def _repeats_its_host(self) -> bool:
        """Whether the page that it repeats lies on the same host, at a URL that differs in more than one value. (If only one
        value differs, or one of the two has it alone, or they end alike, it makes no difference, which is counted for the value
        itself.)"""
        if split(self.original)[0] != split(self.url)[0]:
            return False
        return not (end_alike(self.url, self.original) or differ_in_one(self.url, self.original))


def fetch_yield_of(page: Page, seen_sentences: SeenSentences, new_links: bool = True) -> FetchYield:
    """What the fetch of a judged page or of a redirect has brought. From now on `seen_sentences` knows the page's sentences.

    `new_links`: whether it led to URLs that the crawl did not know."""
    url, parent = page.lease.url, page.lease.parent
    if page.redirect:
        return FetchYield(url, parent, redirect=page.redirect, target_known=not new_links)
    leads_on = page.duplicate is not None and page.duplicate.leads_on
    named_by = next((each.named_by for each in page.outgrown if each.named_by), "") if page.duplicate is None else ""
    original = page.duplicate.url if page.duplicate and not leads_on else named_by
    is_seed, index = page.lease.kind in (SEED, EXAMPLE), page.kind == "index"
    # A post of a thread has copied the thread, an article no list.
    reuse = seen_sentences.read(page.text, url, is_seed, index, parent, page.language, bool(parent) and names_one(parent))
    return FetchYield(
        url,
        parent,
        page.in_collection and not named_by,
        original,
        canonical=page.canonical,
        is_home=bool(named_by),
        reuse=NO_REUSE if leads_on else reuse,
        given=seen_sentences.is_given(url),
        leads_alike=_leads_alike(page),
        undecided=leads_on and page.duplicate is not None and bool(page.duplicate.own),
    )


def _leads_alike(page: Page) -> bool:
    host = bare_host(page.url)
    return page.duplicate is not None and page.duplicate.mirrored and any(bare_host(link.url) == host for link in page.links)
