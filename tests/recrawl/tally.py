"""One run of a recrawl against the truth of the living web: what it should have found, what it found, what it asked for."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from synthweb.changes import Difference, difference_of
from synthweb.hosts import Host
from synthweb.living import Living
from synthweb.web import SyntheticWeb
from tests.recrawl.living import LivingCrawl, Ran

CLASSES = ("rewritten", "paragraph", "title", "sentence")
TOLD_GONE = ("suspect", "gone")
Pages = dict[str, tuple[float, float]]
"""Stored pages by URL: the web's time when each was last read, and last looked at."""


@dataclass(slots=True)
class Tally:
    """Counts of one run, or of several together."""

    made: int = 0
    """Stored articles that changed since the run before."""
    outstanding: Counter[str] = field(default_factory=Counter)
    """Stored articles that had changed since they were last read, by class, when the run began."""
    visited: Counter[str] = field(default_factory=Counter)
    """Of these, asked for in the run …"""
    found: Counter[str] = field(default_factory=Counter)
    """… and logged as changed."""
    missed: Counter[str] = field(default_factory=Counter)
    """Asked for, changed, and not logged: by the host's profile (`Role.validation`) and what happened."""
    false: int = 0
    """Articles logged as changed though the text is the same: noise."""
    false_index: int = 0
    """Index pages logged as changed that list the same articles: what stands beside the list."""
    listings: int = 0
    """Index pages logged as changed that did list other articles."""
    gone: int = 0
    """Stored pages that are gone, not yet listed as gone or suspect when the run began."""
    found_gone: int = 0
    moved: int = 0
    """Stored at an address from which they have moved for good, and not at the new one, when the run began."""
    found_moved: int = 0
    """Of these, stored at their new address, after it."""
    false_gone: int = 0
    """Listed as gone or suspect, though they are there."""
    new: int = 0
    """Pages of the web that were not stored when the run began, and had appeared after the first crawl."""
    found_new: int = 0
    appeared: int = 0
    """Of all pages that have appeared since the first crawl and are there at the end, articles on the topic …"""
    stored_new: int = 0
    """… and of these, stored then."""
    requests: int = 0
    bytes: int = 0
    unread: int = 0
    """Bodies that were not downloaded: 304, or headers that agree."""
    fresh: float = 0.0
    """Share of the web's articles of which the store has the present text, after the run …"""
    stale: float = 0.0
    """… and before it."""
    fresh_relevant: float = 0.0
    """The same of the articles on the topic."""
    stale_relevant: float = 0.0
    runs: int = 0

    def add(self, other: Tally) -> None:
        """Counts add up, shares become means."""
        for name in ("outstanding", "visited", "found", "missed"):
            getattr(self, name).update(getattr(other, name))
        for name in ("fresh", "stale", "fresh_relevant", "stale_relevant"):
            mean = (getattr(self, name) * self.runs + getattr(other, name) * other.runs) / (self.runs + other.runs)
            setattr(self, name, mean)
        for name in ("false", "listings", "gone", "found_gone", "moved", "found_moved", "false_gone", "new", "found_new"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.appeared, self.stored_new = other.appeared, other.stored_new
        for name in ("made", "false_index", "requests", "bytes", "unread", "runs"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def recall(self) -> float:
        """Changes found against changes made; two of one page between two looks are one."""
        return self.found.total() / self.made if self.made else 1.0

    @property
    def seen(self) -> float:
        """Share of the changed pages that were asked for which were logged as changed."""
        return self.found.total() / self.visited.total() if self.visited else 1.0


class Judge:
    """Compares what a crawl's store says with the living web."""

    def __init__(self, web: SyntheticWeb) -> None:
        assert web.living is not None
        self.web = web
        self.living: Living = web.living

    def spot(self, url: str) -> tuple[Host, int] | None:
        """Host and page number of an address; None for one that is no numbered page."""
        host = self.web.host_of(url)
        spot = self.web.spot(host, self.web.path_of(url)) if host else None
        return (host, spot[0]) if host and spot else None

    def difference(self, url: str, then: float, now: float) -> Difference | None:
        """What became of a stored page; None for one that is no numbered page."""
        spot = self.spot(url)
        return difference_of(self.living, *spot, then, now) if spot else None

    def freshness(self, pages: Pages, now: float, topic: str = "") -> float:
        """Share of the articles there are (on a topic) of which the present text is stored, at whichever address."""
        fresh, there = set(), 0
        for url, (read, _) in pages.items():
            spot, difference = self.spot(url), self.difference(url, read, now)
            if spot and difference and difference.home and not difference.text and self._counts(*spot, topic):
                fresh.add(difference.home)
        for host in self.web.hosts:
            there += sum(self._counts(host, at, topic) and self.living.life.alive(host, at, now) for at in range(host.size))
        return len(fresh) / there

    def _counts(self, host: Host, number: int, topic: str) -> bool:
        facts = self.living.facts
        return facts.kind(host, number) == "article" and topic in ("", facts.topic(host, number))

    def newcomers(self, since: float, now: float) -> set[str]:
        """Pages that have appeared in between."""
        found = set()
        for host in self.web.hosts:
            for number in range(host.size):
                difference = difference_of(self.living, host, number, since, now)
                if difference and difference.fate == "new":
                    found.add(difference.url)
        return found

    def tally(self, crawl: LivingCrawl, before: Pages, suspects: set[str], ran: Ran) -> Tally:
        """`before`: the stored pages when the run began; `suspects`: those listed as gone or suspect by then."""
        now, asked, logged = crawl.times[-1], ran.urls(self.web), crawl.logged()
        after = crawl.pages()
        topic = self.web.plan.topic
        result = Tally(
            runs=1,
            requests=ran.requests,
            stale=self.freshness(before, now),
            fresh=self.freshness(after, now),
            stale_relevant=self.freshness(before, now, topic),
            fresh_relevant=self.freshness(after, now, topic),
        )
        changed = {url for kind, url, distance, detail in logged if kind == "changed" and (distance or not detail)}
        told_gone = {url for kind, url, _, _ in logged if kind in TOLD_GONE}
        for url, (read, _) in before.items():
            difference = self.difference(url, read, now)
            if difference is None:
                continue
            if difference.fate == "gone":
                result.gone += url not in suspects
                result.found_gone += url in told_gone and url not in suspects
                continue
            result.false_gone += url in told_gone
            recent = self.difference(url, max(read, crawl.times[-2]), now)
            result.made += bool(recent and recent.changed)
            if difference.fate == "moved":
                unseen = self.web.label(url, now).status == 301 and difference.home not in before
                result.moved += unseen
                result.found_moved += unseen and difference.home in after
            elif difference.changed:
                self._count_change(result, difference, asked, changed, ran)
            elif url in changed:
                result.listings += difference.text == "listing"
                result.false += difference.kind == "article"
                result.false_index += difference.kind != "article" and not difference.text
        newcomers = self.newcomers(crawl.times[0], now)
        result.new, result.found_new = len(newcomers - set(before)), len((newcomers - set(before)) & set(after))
        wanted = {url for url in newcomers if (spot := self.spot(url)) and self._counts(*spot, topic)}
        result.appeared, result.stored_new = len(wanted), len(wanted & set(after))
        stats = crawl.stats()
        result.bytes = int(stats.get("downloader/response_bytes", 0))
        result.unread = int(stats.get("recrawl/unmodified_count", 0))
        return result

    def _count_change(self, result: Tally, difference: Difference, asked: set[str], changed: set[str], ran: Ran) -> None:
        url, kind = difference.url, difference.text
        result.outstanding[kind] += 1
        if url not in asked:
            return
        result.visited[kind] += 1
        if url in changed:
            result.found[kind] += 1
            return
        host = self.web.host_of(url)
        assert host is not None
        path = self.web.path_of(url)
        statuses = [access.status for access in ran.asked if access.host == host.name and access.path == path]
        result.missed[f"{host.role.validation}, {statuses[-1]}"] += 1
