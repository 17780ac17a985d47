"""What a site says on every page: its name, which says nothing of the single page.

A keyword in the name of a site stands in its host, or in the part that begins or ends nearly all titles of its pages, and often
in lines of their texts, too. Where many pages say it just as often as nearly all do, it is the site's word, and only what a
page says beyond that is the page's own. On a site that is about the topic most pages say it again, and then all of it counts.
So does the name of a section or of a forum's board, which stands between: it tells what its pages are about.

Learned from the pages as they are met; a host is known from its third page on, and may show later that most of its pages are
about the word. `take_found` says of which hosts pages are to be judged again, for which words. Only pages count on which the
word stands in the host or in such a part of the title. Cost: O(keywords) a page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from focuscrawl.items import OF_SITE
from focuscrawl.shared_counts import Part, sliced
from models.page.page_context import PageContext
from models.topic.evidence import Evidence

LEAST_PAGES = 3
"""Pages of a host before it is known what all of them say."""
USUAL = 0.8
"""The part with which the titles of this share of its pages begin or end is a site's name. As often as this share say a word of
it in title and text, the site says it …"""
BARE = 0.4
"""… if this share of them, and one more, say it just so often. Measured in docs/experiments.md, *Names of sites and
keywords*."""
MOST_TIMES = 9
"""Words of a page are counted up to this number."""
LOOK_AGAIN = 1.25
"""A host is looked at again, whether its name says a further word, whenever it has this many times as many pages."""
KEPT_HOSTS, KEPT_SHARE = 5_000, 0.75
"""Hosts remembered (1 kB each for a few keywords), and the share of them, those with the most pages, that is left when there
are more."""
MOST_PARTS = 16
"""First and last parts of titles with a keyword that are remembered of a host; beyond it those met once are dropped."""

Row = list[int]
"""At n, pages that have a word in what may be the site's name, and n times in title and text; at 0, those that have a part of a
title."""
Host = dict[str, Row]
PAGES, PART = "", "title:"
"""The word whose row says on how many pages a host was met; what stands before the terms of a part of a title."""


class SiteWord(NamedTuple):
    """A word of a site's name."""

    times: int
    """How often each page says it, in title and text together."""
    in_title: bool


class OwnPart(NamedTuple):
    """What a page says beyond what its site says on every page."""

    terms: Sequence[str]
    """Of title and text."""
    context: PageContext
    left_out: tuple[str, ...] = ()
    """The words of the site's name that the page has, and that do not count."""

    @property
    def marks(self) -> tuple[tuple[str, float], ...]:
        """These words as terms of a verdict."""
        return tuple((OF_SITE + word, 0.0) for word in self.left_out)


def words_of_names(evidence: Evidence) -> tuple[str, ...]:
    """The words that do not count where a site says them on every page: the keywords, unless there are examples, which show by
    themselves what tells pages apart."""
    return tuple(dict.fromkeys(evidence.keyword_terms)) if evidence.keywords_first else ()


class _Look(NamedTuple):
    """How many pages a host had when it was looked at, and the words that it was found to say."""

    pages: int = 0
    said: frozenset[str] = frozenset()


class SiteWords:
    """By host and word, on how many pages the word stands, and how often. Implements `focuscrawl.shared_counts.Learned`."""

    def __init__(self) -> None:
        self._seen: dict[str, Host] = {}
        self._new: dict[str, Host] = {}
        """What `take` has not handed out yet."""
        self._looked: dict[str, _Look] = {}
        """By host of which a word may be in the name, when it was looked at last."""
        self._found: dict[str, dict[str, bool]] = {}
        """What `take_found` has not handed out yet."""

    def learn(self, words: Sequence[str], terms: Sequence[str], context: PageContext) -> None:
        """Count which of these words a page has, whose title and text have these terms."""
        if not context.host or not words:
            return
        parts = [part for part in context.outer_parts if any(word in part for word in words)]
        naming = {*context.host_terms, *chain.from_iterable(parts)}
        counts, rows = Counter(terms), {PAGES: _row(1)}
        for word in words:
            if counts[word] and word in naming:
                rows[word] = _row()
                rows[word][min(counts[word], MOST_TIMES)] = 1
        rows |= {PART + " ".join(part): _row(1) for part in parts}
        for hosts in (self._seen, self._new):
            _add(hosts, context.host, rows)
        self._look(words, context)

    def take_found(self) -> dict[str, dict[str, bool]]:
        """By host and word, whether the name of the host says it, where that was found since the last call. Pages of the host
        that were judged before may owe their verdicts to the contrary."""
        found, self._found = self._found, {}
        return found

    def _look(self, words: Sequence[str], context: PageContext) -> None:
        """Look which words the name of a page's host says, and which not any more."""
        pages = self._seen[context.host][PAGES][0] if context.host in self._seen else 0
        last = self._looked.get(context.host, _Look())
        if pages < LEAST_PAGES or pages < LOOK_AGAIN * last.pages:
            return
        said = frozenset(self.said(words, context))
        changed = said ^ last.said
        if not last.pages and pages > LEAST_PAGES:  # an earlier run, or another worker, has looked
            changed |= self._seen[context.host].keys() & set(words)
        if changed:
            self._found.setdefault(context.host, {}).update({word: word in said for word in changed})
        self._looked[context.host] = _Look(pages, said)
        if len(self._looked) > KEPT_HOSTS:
            self._looked = {host: look for host, look in self._looked.items() if host in self._seen}

    def said(self, words: Sequence[str], context: PageContext) -> dict[str, SiteWord]:
        """Those of these words that the page's site says on every page; none of a host that is not known yet."""
        rows = self._seen.get(context.host)
        if rows is None or (pages := rows[PAGES][0]) < LEAST_PAGES:
            return {}
        names = [key.removeprefix(PART) for key, row in rows.items() if key.startswith(PART) and row[0] >= USUAL * pages]
        in_titles = {term for name in names for term in name.split()}
        of_name = [word for word in words if word in in_titles or word in context.host_terms]
        found = {word: _site_word(rows.get(word, _row()), pages, word in in_titles) for word in of_name}
        return {word: its for word, its in found.items() if its}

    def own_part(self, words: Sequence[str], terms: Sequence[str], context: PageContext) -> OwnPart:
        """Of a page whose title and text have these terms, what is left without those of these words that its site says on
        every page."""
        said = self.said(words, context)
        if not said:
            return OwnPart(terms, context)
        own = _less(terms, {word: its.times for word, its in said.items()})
        titles = _less(context.title_terms, {word: 1 for word, its in said.items() if its.in_title})
        urls = _less(context.url_terms, {word: 1 for word in said if word in context.host_terms})
        had = {*terms, *context.url_terms}
        return OwnPart(own, replace(context, title_terms=titles, url_terms=urls), tuple(word for word in said if word in had))

    def take(self) -> Iterator[Part]:
        new, self._new = self._new, {}
        return _parts(new)

    def add(self, part: Part) -> None:
        for host, rows in part["hosts"].items():
            read = {str(word): _read(row) for word, row in rows.items()}
            if PAGES not in read or any(max(row) > read[PAGES][0] for row in read.values()):
                raise ValueError(f"words on more pages than {host} has")
            _add(self._seen, str(host), read)

    def whole(self) -> Iterator[Part]:
        return _parts(_copy(self._seen))

    def restart(self) -> None:
        self._seen = _copy(self._new)

    def state(self) -> dict[str, Host]:
        """All of it, as plain data for the file of a trained model."""
        return _copy(self._seen)


def _site_word(row: Row, pages: int, in_title: bool) -> SiteWord | None:
    """How often the site says a word of its name; None if most pages say it once more."""
    saying = [pages, *(sum(row[n:]) for n in range(1, MOST_TIMES + 1))]  # at n, those that say it n times or more
    times = max(n for n in range(MOST_TIMES) if saying[n] >= USUAL * pages)
    bare = saying[times] - saying[times + 1]
    return SiteWord(times, in_title) if bare >= BARE * pages + 1 else None


def _less(terms: Sequence[str], times: Mapping[str, int]) -> Sequence[str]:
    """The terms without the first ones of each of these words, so many of them."""
    left, kept = dict(times), []
    for term in terms:
        if left.get(term, 0) > 0:
            left[term] -= 1
        else:
            kept.append(term)
    return kept


def _row(first: int = 0) -> Row:
    return [int(first), *[0] * MOST_TIMES]


def _read(row: Sequence[int]) -> Row:
    read = [int(n) for n in row]
    if len(read) != len(_row()) or min(read) < 0:
        raise ValueError(f"no counts of a word: {row}")
    return read


def _add(hosts: dict[str, Host], host: str, rows: Host) -> None:
    known = hosts.setdefault(host, {})
    for word, row in rows.items():
        known[word] = [a + b for a, b in zip(known[word], row, strict=True)] if word in known else list(row)
    if len(known) > MOST_PARTS and sum(key.startswith(PART) for key in known) > MOST_PARTS:
        for key in [key for key, row in known.items() if key.startswith(PART) and row[0] == 1]:
            del known[key]
    if len(hosts) > KEPT_HOSTS:  # of equals those met last stay, as for words of URLs
        most = sorted(hosts.items(), key=lambda item: item[1][PAGES][0])[-int(KEPT_SHARE * KEPT_HOSTS) :]
        hosts.clear()
        hosts.update(most)


def _copy(hosts: dict[str, Host]) -> dict[str, Host]:
    return {host: {word: list(row) for word, row in rows.items()} for host, rows in hosts.items()}


def _parts(hosts: dict[str, Host]) -> Iterator[Part]:
    return ({"hosts": piece} for piece in sliced(hosts) if piece)
