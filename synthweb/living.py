"""The pages of a living web at a time: numbered pages with what has changed since they were written."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from synthweb.document import Anchor, Document, Label, Revision
from synthweb.documents import document_of, label_of
from synthweb.extras import Moved, dead_status, plain_label
from synthweb.facts import Facts
from synthweb.hosts import LIST_STEP, Host, Section
from synthweb.life import NEVER, Life
from synthweb.linking import LATEST, Linker
from synthweb.noise import noisy
from synthweb.prose import Writer

LOOKED_AT = 20
"""Positions at the end of a section among which the newest articles are."""
FEED = "/feed.xml"
FEED_TYPES = {"rss": "application/rss+xml", "atom": "application/atom+xml"}


class LivingLinker(Linker):
    """Makes links as they were written at a time: to what was there, at the address of then."""

    def __init__(self, facts: Facts, life: Life, now: float) -> None:
        super().__init__(facts)
        self.life, self.now = life, max(now, life.start)

    def path(self, host: Host, number: int) -> str:
        """Address of a page on its host."""
        return self.life.path(host, number, self.now)

    def size(self, host: Host, section: int) -> int:
        """Positions of a section that have appeared."""
        return self.life.count(host, section, self.now)

    def there(self, host: Host, number: int) -> bool:
        """Whether an article is there."""
        return self.life.alive(host, number, self.now)

    def article_at(self, host: Host, section: Section, draw: int) -> int:
        """Number of some article of a section: the drawn one, or the next that is there."""
        size = self.size(host, section.index)
        for step in range(size):
            number = super().article_at(host, section, draw + step)
            if self.there(host, number):
                return number
        return super().article_at(host, section, draw)

    def newest(self, host: Host, section: Section) -> list[Anchor]:
        """The last articles of a section that are there."""
        return [self.own(host, at) for at in self.last_numbers(host, section)[:LATEST]]

    def last_numbers(self, host: Host, section: Section) -> list[int]:
        """Numbers of the last articles of a section that are there, the newest first."""
        last = self.size(host, section.index) - 1
        positions = [at for at in range(last, max(last - LOOKED_AT, 0), -1) if at % LIST_STEP]
        numbers = [host.number_at(section.index, at) for at in positions]
        return [number for number in numbers if self.there(host, number)]


class Living:
    """The numbered pages of one web by time."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.life = Life(facts)

    def linker(self, now: float) -> LivingLinker:
        """Makes the links that are written now."""
        return LivingLinker(self.facts, self.life, now)

    def resource(self, host: Host, number: int, new_address: bool, now: float) -> Document | Moved | Label:
        """What stands at the first or at the new address of a page."""
        found = self.label(host, number, new_address, now)
        if found.redirect:
            return Moved(found, self.life.path(host, number, now))
        return found if found.kind in ("dead", "soft404") else self.document(host, number, now)

    def label(self, host: Host, number: int, new_address: bool, now: float) -> Label:
        """The truth about the first or the new address of a page."""
        life, here = self.life, self.life.alive(host, number, now)
        moved = life.moves(host, number) <= now
        path = self.facts.path(host, number)
        if not here or (new_address and not moved):
            return self.missing(host, life.path(host, number, NEVER) if new_address else path, vanished=not here)
        label = label_of(self.facts, host, number)
        if not moved:
            return label
        target = self.facts.url(host, life.path(host, number, now))
        if new_address:
            return replace(label, url=target)
        return Label(label.url, "redirect", host.role.moved, redirect=target, allowed=label.allowed)

    def missing(self, host: Host, path: str, vanished: bool) -> Label:
        """The label of an address where there is nothing (any more)."""
        status = dead_status(host, path)
        if vanished and status == 404:
            status = host.role.vanished
        return plain_label(self.facts, host, path, "soft404" if status == 200 else "dead", status=status)

    def document(self, host: Host, number: int, now: float, *, quiet: bool = False) -> Document:
        """A page that is there; `quiet`: without the noise that is no change."""
        article = self.facts.kind(host, number) == "article"
        written = self.linker(self.life.born(host, number) if article else now)
        document = document_of(self.facts, written, host, number)
        if article:
            document = self.changed(document, host, number, now)
        label = replace(document.label, url=self.facts.url(host, self.life.path(host, number, now)))
        feed = (FEED, FEED_TYPES[host.role.feed]) if host.role.feed else ("", "")
        document = replace(document, label=label, feed=feed)
        return document if quiet else noisy(document, self.linker(now), host, number, now)

    def changed(self, document: Document, host: Host, number: int, now: float) -> Document:
        """An article after the changes up to now."""
        title, recipe = document.title, document.recipe
        revisions: list[Revision] = []
        for change in self.life.changes(host, number, now):
            if change.kind == "title" and recipe:
                title = Writer(recipe.language, recipe.topic, change.key).title()
            elif change.kind == "rewritten" and recipe:
                recipe, revisions = replace(recipe, seed=change.key), []
            else:
                revisions.append(change.revision)
        born = self.life.born(host, number)
        date = document.date if born <= self.life.start else datetime.fromtimestamp(born, UTC).date().isoformat()
        return replace(document, title=title, recipe=recipe, revisions=tuple(revisions), date=date)

    def modified(self, host: Host, number: int, now: float) -> float:
        """When the page last became what it is, noise apart. Of home and section pages at the latest: they may be older."""
        life = self.life
        if self.facts.kind(host, number) == "article":
            return max([life.born(host, number), *(change.at for change in life.changes(host, number, now)[-1:])])
        numbers = self.listed(host, number, now)
        times = [life.start, life.born(host, number)]
        for at in numbers:
            times += [time for time in (life.born(host, at), life.moves(host, at), life.vanishes(host, at)) if time <= now]
        return max(times)

    def listed(self, host: Host, number: int, now: float) -> list[int]:
        """Articles that an index page lists or has just listed."""
        if number > len(host.sections):
            section, first = host.position_of(number)
            end = min(first + LIST_STEP + 1, self.life.count(host, section.index, now))
            return [host.number_at(section.index, at) for at in range(first + 1, end)]
        sections = (host.sections[number - 1],) if number else host.visible
        found: list[int] = []
        for section in sections:
            last = self.life.count(host, section.index, now) - 1
            found += [host.number_at(section.index, at) for at in range(max(last - LOOKED_AT, 1), last + 1)]
        return [at for at in found if self.facts.kind(host, at) == "article"]
