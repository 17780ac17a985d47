"""What a numbered page is about: kind, topic, title, date, text recipe, original. Pure functions of seed and number."""

from __future__ import annotations

from functools import lru_cache

from synthweb.addresses import path_of
from synthweb.document import Recipe
from synthweb.hashing import mix, unit
from synthweb.hosts import LIST_STEP, Host
from synthweb.layout import Layout
from synthweb.prose import Writer
from synthweb.robots import rules_of
from synthweb.words import GENERAL, vocabulary

ON_TOPIC, ON_OTHER = 0.84, 0.93
"""Shares of a section's articles on its own topic, and with those on another topic of the host; the rest is general."""
NEAR_EDITS = 0.045
"""Share of slots that differ in a near-duplicate: about 2 % of the words."""
SHORTEST, LONGEST = 150, 780
TAGS = ((0.04, "noindex", False), (0.07, "nofollow", False), (0.09, "noindex", True), (0.11, "none", True))
"""Upper share of a tagged host's articles, value, and whether it stands in the X-Robots-Tag header."""

Spot = tuple[Host, int]
"""A host and a page number on it."""


class Facts:
    """Answers questions about numbered pages of one web."""

    def __init__(self, layout: Layout, port: int) -> None:
        self.layout = layout
        self.seed = layout.plan.seed
        self.suffix = "" if port == 80 else f":{port}"
        self.rules = [rules_of(host) for host in layout.hosts]
        self.title = lru_cache(maxsize=50_000)(self.make_title)

    def url(self, host: Host, target: str) -> str:
        """Canonical address of a path on a host."""
        return f"http://{host.name}{self.suffix}{target}"

    def path(self, host: Host, number: int) -> str:
        """Path of a page number."""
        return path_of(host, number, lambda at: (self.date(host, at), self.title(host.index, at)))

    def allowed(self, host: Host, target: str) -> bool:
        """By the host's robots.txt."""
        return self.rules[host.index].allows(target)

    def key(self, host: Host, number: int, salt: int) -> int:
        """64 bits for a page; the same on a mirror as on its original."""
        return mix(self.seed, host.twin, number, salt)

    def share(self, host: Host, number: int, salt: int) -> float:
        """A number in [0, 1) for a page."""
        return unit(self.seed, host.twin, number, salt)

    def kind(self, host: Host, number: int) -> str:
        """home, section, list or article."""
        if number <= len(host.sections):
            return "section" if number else "home"
        return "article" if host.position_of(number)[1] % LIST_STEP else "list"

    def duplicate_mark(self, host: Host, number: int) -> str:
        """near, exact or nothing, by hash alone: whether the page would like to be a duplicate."""
        plan, share = self.layout.plan, self.share(host, number, 5)
        if share >= plan.near_share + plan.copy_share or self.kind(host, number) != "article":
            return ""
        return "near" if share < plan.near_share else "exact"

    def original(self, host: Host, number: int) -> tuple[Spot, str] | None:
        """The article that this one copies, and how; None for an article of its own."""
        mark = self.duplicate_mark(host, number)
        if not mark:
            return None
        section, _ = host.position_of(number)
        places = [
            place
            for place in self.layout.places_of(section.topic, host.role.language)
            if place[0].index != host.twin and not place[0].role.faults
        ]
        if not places or section.tunnel:
            return None
        other, target = places[self.key(host, number, 6) % len(places)]
        position = self.key(host, number, 7) % other.section_size(target.index)
        spot = other, other.number_at(target.index, position)
        good = position % LIST_STEP and not self.duplicate_mark(*spot) and not self.robots_tag(*spot)[0]
        return (spot, mark) if good and self.allowed(other, self.path(*spot)) else None

    def topic(self, host: Host, number: int) -> str:
        """Topic of the content."""
        kind = self.kind(host, number)
        if kind == "home":
            return GENERAL if host.role.portal else host.sections[0].topic
        if kind == "section":
            return host.sections[number - 1].topic
        section, _ = host.position_of(number)
        if kind == "list":
            return section.topic
        copied = self.original(host, number)
        if copied:
            return self.topic(*copied[0])
        share = self.share(host, number, 3)
        if share < ON_TOPIC:
            return section.topic
        others = [part.topic for part in host.visible if part.topic != section.topic]
        return others[self.key(host, number, 4) % len(others)] if share < ON_OTHER else GENERAL

    def robots_tag(self, host: Host, number: int) -> tuple[str, bool]:
        """Robots value of an article and whether it is a header; ("", False) for none."""
        if not host.role.robot_tags or self.kind(host, number) != "article":
            return "", False
        share = self.share(host, number, 9)
        return next(((value, header) for limit, value, header in TAGS if share < limit), ("", False))

    def date(self, host: Host, number: int) -> str:
        """ISO date of publication, 2018 to 2024."""
        key = self.key(host, number, 8)
        return f"{2018 + key % 7}-{1 + key // 7 % 12:02}-{1 + key // 84 % 28:02}"

    def make_title(self, host_index: int, number: int) -> str:
        """Title; `title` is the same with a cache."""
        host = self.layout.hosts[host_index]
        kind = self.kind(host, number)
        if kind == "home":
            return self.site(host)
        if kind != "article":
            section = host.sections[number - 1] if kind == "section" else host.position_of(number)[0]
            name = vocabulary(section.topic, host.role.language).title
            return name if kind == "section" else f"{name} ({host.position_of(number)[1] // LIST_STEP + 1})"
        copied = self.original(host, number)
        if copied:
            return self.title(copied[0][0].index, copied[0][1])
        return Writer(host.role.language, self.topic(host, number), self.key(host, number, 1)).title()

    def site(self, host: Host) -> str:
        """Name of the site (of the original's site on a mirror)."""
        return self.layout.hosts[host.twin].display.rsplit(".", 1)[0].replace(".", " ").title()

    def recipe(self, host: Host, number: int) -> Recipe:
        """How the text is made; a copy uses its original's recipe, a near-duplicate with edits."""
        copied = self.original(host, number) if self.kind(host, number) == "article" else None
        if copied:
            recipe = self.recipe(*copied[0])
            if copied[1] == "exact":
                return recipe
            key = self.key(host, number, 10)
            return Recipe(recipe.language, recipe.topic, recipe.seed, recipe.words, NEAR_EDITS, key)
        article = self.kind(host, number) == "article"
        words = SHORTEST + int((LONGEST - SHORTEST) * self.share(host, number, 2) ** 2) if article else 40
        return Recipe(host.role.language, self.topic(host, number), self.key(host, number, 1), words)
