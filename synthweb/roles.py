"""What kinds of hosts the synthetic web has: each role is a bundle of habits good and bad."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Role:
    """The habits of a host."""

    language: str
    weight: int = 10
    """Share of the web's pages, relative to the other hosts."""
    topical: bool = False
    """The main section is about the web's topic; else the topics go round."""
    style: int = 1
    """Shape of the addresses: 0 dated with slug, 1 `/section/12.html`, 2 `show.php?cat=section&id=12`."""
    charset: str = "utf-8"
    told: str = "header"
    """Where the charset is told: `header` (and meta), `meta` only, `none`, or `wrong` (header says utf-8)."""
    robots: str = "plain"
    """plain, sections, delay, unavailable (503), missing (404), redirect."""
    latency: float = 0.0
    """Seconds before each answer."""
    faults: bool = False
    traps: bool = False
    island: bool = False
    """Has a section that nothing on its topic links to: only a chain of irrelevant pages leads there."""
    robot_tags: bool = False
    sessions: bool = False
    """Own links carry a session id that differs from page to page."""
    redirects: bool = False
    soft_missing: bool = False
    """Unknown addresses answer 200 with the same sorry page."""
    binaries: bool = False
    dead_links: bool = False
    tracking: bool = False
    """Some links carry tracking parameters."""
    portal: bool = False
    """Its home page lists the other hosts."""
    mirror: str = ""
    """Role of which this host is an exact copy."""
    gzip: bool = True
    validators: bool = True
    extras: bool = True
    """Has about, contact and login pages and sponsored links."""
    shares_address: bool = False
    """Lives on the address of the host before it."""
    unicode_name: bool = False
    validation: str = "right"
    """Of a living web: `right` validators with 304s; `ignored`: sent, but conditional requests are answered 200; `none`;
    `shifting`: an ETag that differs with each request; `now`: Last-Modified is always now; `stuck`: it never moves, and 304
    is said by it though the text has changed."""
    vanished: int = 404
    """Of a living web: status of a page that is gone, unless `soft_missing`."""
    moved: int = 301
    """Of a living web: status of a page that has moved."""
    sitemap: str = ""
    """Of a living web: `right` lastmod, always `now`, or no sitemap."""
    feed: str = ""
    """Of a living web: `rss`, `atom` or none."""
    outage: str = ""
    """Of a living web: how it is down for days: `busy503` or `reset`."""


ROLES: dict[str, Role] = {
    "plain-en": Role("en", extras=False),
    "plain-zh": Role("zh", style=0, extras=False),
    "query-zh": Role("zh", style=2, tracking=True, extras=False),
    "portal": Role("en", weight=7, portal=True, redirects=True, binaries=True, dead_links=True, tracking=True),
    "observatory": Role("zh", weight=14, topical=True, style=0, charset="gbk", dead_links=True, gzip=False),
    "journal": Role("en", weight=12, topical=True, robots="sections", robot_tags=True, redirects=True),
    "mirror": Role("en", weight=12, mirror="journal", robots="sections", robot_tags=True, redirects=True),
    "stars": Role("zh", topical=True, style=1, told="meta", robots="redirect", unicode_name=True, tracking=True),
    "island-en": Role("en", style=0, island=True, dead_links=True),
    "island-zh": Role("zh", style=1, island=True, charset="gb18030", told="wrong"),
    "island-sessions": Role("en", style=2, island=True, sessions=True),
    "delay": Role("zh", weight=2, robots="delay", shares_address=True, gzip=False),
    "closed": Role("en", weight=2, topical=True, robots="unavailable"),
    "slow": Role("en", weight=2, topical=True, latency=0.6, shares_address=True),
    "flaky": Role("en", weight=6, topical=True, style=0, faults=True),
    "taiwan": Role("zh", weight=4, topical=True, charset="big5", told="none", robots="missing"),
    "maze": Role("en", weight=5, topical=True, traps=True, soft_missing=True, robots="missing", validators=False),
    "gateway": Role("en", weight=4, portal=True, extras=False, sitemap="right"),
    "gazette": Role("en", weight=14, topical=True, extras=False, sitemap="right", feed="rss"),
    "bulletin": Role("zh", topical=True, extras=False, validation="ignored", sitemap="now", feed="atom"),
    "magazine": Role("en", topical=True, extras=False, validators=False, validation="none", soft_missing=True, feed="rss"),
    "record": Role("zh", topical=True, extras=False, charset="gbk", vanished=410, sitemap="right"),
    "shifter": Role("en", topical=True, extras=False, validation="shifting", moved=302, gzip=False, sitemap="now"),
    "clockwork": Role("zh", topical=True, style=2, extras=False, validation="now", feed="atom"),
    "statue": Role("en", weight=6, topical=True, extras=False, validation="stuck"),
    "shaky": Role("en", weight=6, extras=False, outage="busy503"),
    "fallen": Role("zh", weight=6, extras=False, outage="reset", sitemap="right"),
}
