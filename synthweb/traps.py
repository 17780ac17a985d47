"""Endless parts of the web: a calendar, paths that grow by a relative link, a space of filters."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

from synthweb.document import Anchor, Document, Label, Recipe
from synthweb.facts import Facts
from synthweb.hashing import mix, number_of
from synthweb.hosts import Host
from synthweb.labels import LABELS
from synthweb.words import GENERAL

PREFIXES = {"/calendar/": "calendar", "/browse/": "growing", "/shop/": "facets"}
MONTH = re.compile(r"^/calendar/(\d{4})/(\d{1,2})/(?:(\d{1,2})\.html)?$")
FACETS = {
    "color": ("red", "green", "blue", "white", "black"),
    "size": ("s", "m", "l", "xl"),
    "brand": ("acme", "umbra", "zenit", "polar"),
    "sort": ("price", "name", "date"),
    "view": ("list", "grid"),
}
SEGMENTS = ("more", "deeper", "archive")
LONGEST_PATH = 1500


def trap_of(host: Host, target: str) -> str:
    """Name of the trap that an address lies in; empty for none."""
    if not host.role.traps:
        return ""
    return next((name for prefix, name in PREFIXES.items() if target.startswith(prefix)), "")


def trap_page(facts: Facts, host: Host, target: str) -> Document | None:
    """A page of a trap; None where even the trap has no such address."""
    trap = trap_of(host, target)
    links = {"calendar": calendar_links, "growing": growing_links, "facets": facet_links}[trap](host, target)
    if not links:
        return None
    # The growing paths look like the topic, so that only their shape gives them away; the filters show one text always.
    topic = host.sections[0].topic if trap != "calendar" else GENERAL
    seed = mix(facts.seed, host.index, 41 if trap == "facets" else number_of(target))
    label = Label(
        url=facts.url(host, target),
        kind="trap",
        topic=topic,
        language=host.role.language,
        charset=host.role.charset,
        trap=trap,
        allowed=facts.allowed(host, target),
    )
    recipe = Recipe(host.role.language, topic, seed, 120)
    return Document(
        label=label,
        title=f"{facts.site(host)} {trap}",
        site=facts.site(host),
        date="2024-01-01",
        recipe=recipe,
        nav=(Anchor("/", LABELS[host.role.language]["home"]),),
        entries=tuple(links),
        theme=host.index % 3,
    )


def calendar_links(host: Host, target: str) -> list[Anchor]:
    """Months before and after without end, and the days of this one."""
    match = MONTH.match(target)
    if match is None:
        return []
    words, months = LABELS[host.role.language], int(match[1]) * 12 + int(match[2]) - 1
    links = [Anchor(f"/calendar/{at // 12:04}/{at % 12 + 1}/", words["month"]) for at in (months + 1, months - 1)]
    days = range(1, 29) if match[3] is None else ()
    return links + [Anchor(f"/calendar/{match[1]}/{match[2]}/{day}.html", f"{words['day']} {day}") for day in days]


def growing_links(host: Host, target: str) -> list[Anchor]:
    """Relative links that make the path one segment longer each time, as a forgotten slash does."""
    if len(target) > LONGEST_PATH:
        return []
    return [Anchor(f"{segment}/", LABELS[host.role.language]["deeper"]) for segment in SEGMENTS]


def facet_links(host: Host, target: str) -> list[Anchor]:
    """Every filter set, changed or removed, with the fields in the order in which they were clicked."""
    path, _, query = target.partition("?")
    chosen = dict(parse_qsl(query))
    links = []
    for field, values in FACETS.items():
        for value in values:
            fields = {key: old for key, old in chosen.items() if key != field}
            if chosen.get(field) != value:
                fields[field] = value
            text = "&".join(f"{key}={old}" for key, old in fields.items())
            links.append(Anchor(f"{path}?{text}", f"{field} {value}"))
    return links
