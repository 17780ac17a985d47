"""Links of the nasty kinds that some hosts add to their pages: sessions, tracking, redirects, dead ends, traps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

from synthweb.document import Anchor
from synthweb.hosts import Host
from synthweb.labels import LABELS

EXTRA_ADDRESSES = 40
"""Dead, private, ad and file addresses are numbered below this on each host."""
REDIRECTED = 0.2
PATHS = {
    "dead": ("/missing/{n}.html", "/gone/{n}.html"),
    "soft": ("/old/{n}.html",),
    "file": ("/files/report-{n}.pdf", "/files/archive-{n}.zip", "/files/scan-{n}", "/files/brochure-{n}.html"),
    "private": ("/private/{n}.html",),
    "sponsor": ("/ads/{n}.html",),
}
TRAP_DOORS = ("/calendar/2024/5/", "/browse/", "/shop/?color=red")
REDIRECT_DOORS = ("/hop/3/{n}", "/hop/12/{n}", "/loop/a", "/self", "/away/{n}", "/go/{n}")
ARROW = "→"


def decorate(host: Host, anchors: Iterable[Anchor], rng: Random) -> tuple[Anchor, ...]:
    """Add session ids (a new one on each page) and tracking parameters to links of the own host."""
    session = f"{rng.getrandbits(64):016x}"
    return tuple(decorated(host, anchor, session, rng) for anchor in anchors)


def decorated(host: Host, anchor: Anchor, session: str, rng: Random) -> Anchor:
    """One link of a page with its decoration."""
    if not anchor.href.startswith("/"):
        return anchor
    joint = "&" if "?" in anchor.href else "?"
    if host.role.sessions:
        return replace(anchor, href=f"{anchor.href}{joint}sid={session}")
    if host.role.tracking and rng.random() < 0.25:
        return replace(anchor, href=f"{anchor.href}{joint}utm_source=site&utm_medium=list")
    return anchor


def through_redirects(host: Host, related: list[Anchor], numbers: range, rng: Random) -> list[Anchor]:
    """Let one link in some pages go through a redirect on the own host."""
    if not host.role.redirects or not related or rng.random() >= REDIRECTED:
        return related
    number = numbers[int(rng.random() * len(numbers))]
    return [*related[:-1], Anchor(f"/go/{number}", related[-1].text)]


def one_of(kind: str, text: str, rng: Random, rel: str = "") -> Anchor:
    """A link to one of the numbered extra addresses of a kind."""
    paths = PATHS[kind]
    path = paths[int(rng.random() * len(paths))].format(n=int(rng.random() * EXTRA_ADDRESSES))
    return Anchor(path, text, rel)


def article_extras(host: Host, rng: Random) -> list[Anchor]:
    """What an article of this host links to besides articles."""
    role, words, links = host.role, LABELS[host.role.language], []
    if role.dead_links and rng.random() < 0.08:
        links.append(one_of("dead", words["old"], rng))
    if role.soft_missing and rng.random() < 0.3:
        links.append(one_of("soft", words["old"], rng))
    if role.binaries and rng.random() < 0.15:
        links.append(one_of("file", words["file"], rng))
    if role.robots in ("sections", "redirect") and rng.random() < 0.15:
        links.append(one_of("private", words["private"], rng))
    if role.extras and rng.random() < 0.1:
        links.append(one_of("sponsor", words["sponsor"], rng, "nofollow sponsored"))
    return links + trap_doors(host)


def trap_doors(host: Host) -> list[Anchor]:
    """The ways into the traps."""
    if not host.role.traps:
        return []
    words = LABELS[host.role.language]
    names = (words["month"], words["deeper"], words["facet"])
    return [Anchor(path, name) for path, name in zip(TRAP_DOORS, names, strict=True)]


def home_extras(host: Host, rng: Random) -> list[Anchor]:
    """What a home page links to besides: traps, all kinds of redirects, files."""
    words, links = LABELS[host.role.language], trap_doors(host)
    if host.role.redirects:
        numbers = [1 + int(rng.random() * (host.size - 1)) for _ in REDIRECT_DOORS]
        links += [Anchor(path.format(n=at), ARROW) for path, at in zip(REDIRECT_DOORS, numbers, strict=True)]
    if host.role.binaries:
        links += [Anchor(path.format(n=1), words["file"]) for path in PATHS["file"]]
    return links
