"""Finds words that the best pages have in common but the topic lacks, some of which may deserve a place among its keywords."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from math import log

from focuscrawl.crawl.relevance.stored_topic import load_topic
from focuscrawl.errors import BadInput
from focuscrawl.store.engines.database import Database
from focuscrawl.store.outlook import texts_by_verdict
from focuscrawl.store.pages.verdicts import topics_of
from focuscrawl.text.segment import Segmenter
from focuscrawl.text.stems import spellings, written
from focuscrawl.url.hosts import host_name
from models.topic.background import Background

PAGES = 60
"""So many relevant pages are compared with as many irrelevant ones, the best of each."""
LEAST_PAGES = 10
"""With fewer pages of either kind, a comparison says nothing."""
LEAST_SHARE = 0.2
"""Least share of the relevant pages that contain a word that they have in common …"""
LEAST_HOSTS = 2
"""… and the least number of hosts of these pages, so that it is not a habit of one site."""
TIMES = 3.0
"""A word must be at least this many times more frequent in relevant pages than in irrelevant ones."""
SHOWN = 8


def missing_terms(db: Database) -> list[str]:
    """At most SHOWN words in their written form, the most telling first; none in a crawl of several topics, or if the topic
    cannot be read. Takes 0.3 ms a page."""
    try:
        stored = None if topics_of(db) else load_topic(db, "")
        topic = stored.topic(Background()) if stored else None
    except BadInput:  # reported where the topic judges pages
        return []
    if topic is None:
        return []
    good, other = texts_by_verdict(db, True, PAGES), texts_by_verdict(db, False, PAGES)
    if min(len(good), len(other)) < LEAST_PAGES:
        return []
    evidence = topic.evidence
    segmenter = Segmenter.of(evidence.vocabulary)
    known = {*topic.weights, *evidence.keyword_terms, *evidence.given.negative}
    pages = [(host_name(url), segmenter.terms(text)) for url, text in good]
    terms = distinguishing_terms(pages, [segmenter.terms(text) for _, text in other], known)
    forms = spellings(text for _, text in good)
    return [written(term, forms) for term in terms]


def distinguishing_terms(
    good: Sequence[tuple[str, Sequence[str]]], other: Sequence[Sequence[str]], known: Collection[str]
) -> list[str]:
    """The terms in which relevant pages differ most from irrelevant ones, the best SHOWN first.

    Args:
        good: host and terms of each relevant page.
        other: terms of each irrelevant page.
        known: terms to leave out.
    """
    pages, against = Counter[str](), Counter[str](term for terms in other for term in set(terms))
    hosts: dict[str, set[str]] = {}
    for host, terms in good:
        pages.update(each := set(terms))
        for term in each:
            hosts.setdefault(term, set()).add(host)
    least_hosts = min(LEAST_HOSTS, len({host for host, _ in good}))
    worth = {}
    for term, number in pages.items():
        share, elsewhere = number / len(good), (against[term] + 0.5) / len(other)
        if term in known or term.isdecimal() or len(hosts[term]) < least_hosts:
            continue
        if share >= LEAST_SHARE and share >= TIMES * elsewhere:
            worth[term] = share * log(share / elsewhere)
    return sorted(worth, key=lambda term: (-worth[term], term))[:SHOWN]
