"""What differs in a page of a living web from look to look, and is no change: a clock, a counter, advertisements, a sidebar."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from random import Random

from synthweb.document import Document
from synthweb.facts import Facts
from synthweb.hosts import Host
from synthweb.labels import ADS, LABELS
from synthweb.linking import Linker

QUIET = 0.35
"""Share of pages without noise."""
KINDS = ("clock", "counter", "ad", "sidebar")
ROTATION = 21_600.0
"""Seconds for which advertisement and sidebar stay."""
POPULAR = 3


def noises(facts: Facts, host: Host, number: int) -> frozenset[str]:
    """The kinds of noise of a page."""
    if facts.share(host, number, 71) < QUIET:
        return frozenset()
    bits = 1 + facts.key(host, number, 72) % 15
    return frozenset(kind for at, kind in enumerate(KINDS) if bits >> at & 1)


def noisy(document: Document, linker: Linker, host: Host, number: int, now: float) -> Document:
    """The page as it looks at this moment. `linker`: of now."""
    facts, words = linker.facts, LABELS[host.role.language]
    kinds, key = noises(facts, host, number), facts.key(host, number, 73)
    if not kinds:
        return document
    moment, turn = datetime.fromtimestamp(now, UTC), int(now // ROTATION)
    counter = f"{words['views']} {key % 5000 + int(now // (30 + key % 600)) % 10_000_000}" if "counter" in kinds else ""
    sidebar = document.sidebar
    if "sidebar" in kinds:
        rng = Random(key + turn)
        sections = [host.visible[int(rng.random() * len(host.visible))] for _ in range(POPULAR)]
        picks = [linker.article_at(host, section, rng.getrandbits(32)) for section in sections]
        sidebar = (*sidebar, *(linker.own(host, pick) for pick in dict.fromkeys(picks)))
    return replace(
        document,
        clock=f"{moment:%Y-%m-%d %H:%M:%S}" if "clock" in kinds else "",
        counter=counter,
        ad=ADS[host.role.language][(key + turn) % 3] if "ad" in kinds else document.ad,
        sidebar=sidebar,
        today=f"{words['today']} {moment:%Y-%m-%d}" if "sidebar" in kinds else "",
    )
