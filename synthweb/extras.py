"""Pages outside the numbered ones: about, ads, members' pages, tunnels; files; redirects; dead addresses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from synthweb.document import Anchor, Document, Label, Recipe
from synthweb.facts import Facts
from synthweb.hashing import mix, number_of
from synthweb.hosts import Host
from synthweb.labels import LABELS
from synthweb.linking import Linker, tunnel_path
from synthweb.nasty import EXTRA_ADDRESSES, decorate
from synthweb.words import GENERAL

SIMPLE = re.compile(r"^/(?:(about|contact)\.html|(login)(?:\?.*)?|(ads|private)/(\d+)\.html)$")
TUNNEL = re.compile(r"^/via/([\w-]+)/(\d)\.html$")
FILE = re.compile(r"^/files/(?:(report)-(\d+)\.pdf|(archive)-(\d+)\.zip|(scan)-(\d+)|(brochure)-(\d+)\.html)$")
DEAD = re.compile(r"^/(?:missing|(gone))/\d+\.html$")
REDIRECT = re.compile(r"^/(?:(go|away)/(\d+)|hop/(\d+)/(\d+)|(loop)/(a|b)|(self))$")
FILE_TYPES = {
    "report": "application/pdf",
    "archive": "application/zip",
    "scan": "application/octet-stream",
    "brochure": "text/html",
}
FILE_HEADS = {"archive": b"PK\x03\x04", "scan": b"\x89PNG\r\n\x1a\n"}
FILE_SIZE = 20_000


@dataclass(frozen=True, slots=True)
class Bytes:
    """A file that is no page."""

    label: Label
    content_type: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Moved:
    """A redirect; `location` is the header as it stands (some are relative)."""

    label: Label
    location: str


def plain_label(facts: Facts, host: Host, target: str, kind: str, topic: str = "", status: int = 200) -> Label:
    """Label of an address that is no numbered page."""
    return Label(
        url=facts.url(host, target),
        kind=kind,
        status=status,
        topic=topic,
        language=host.role.language,
        charset=host.role.charset,
        allowed=facts.allowed(host, target),
    )


def extra_page(facts: Facts, linker: Linker, host: Host, target: str) -> Document | None:
    """About, contact, login, ad, members' and tunnel pages."""
    simple, tunnel = SIMPLE.match(target), TUNNEL.match(target)
    words = LABELS[host.role.language]
    if simple and host.role.extras and int(simple[4] or 0) < EXTRA_ADDRESSES:
        name = simple[1] or simple[2] or simple[3]
        topic = host.sections[0].topic if name == "private" else GENERAL
        kind = {"private": "private", "ads": "ad"}.get(name, "static")
        title = words.get(name, words["sponsor"])
        return small_page(facts, linker, host, plain_label(facts, host, target, kind, topic), title, [])
    section = host.by_path.get(tunnel[1]) if tunnel else None
    if tunnel is None or section is None or not 1 <= int(tunnel[2]) <= section.tunnel:
        return None
    step = int(tunnel[2])
    href = tunnel_path(section, step + 1) if step < section.tunnel else facts.path(host, 1 + section.index)
    label = plain_label(facts, host, target, "tunnel", GENERAL)
    return small_page(facts, linker, host, label, words["partner"], [Anchor(href, words["more"])])


def small_page(facts: Facts, linker: Linker, host: Host, label: Label, title: str, links: list[Anchor]) -> Document:
    """A page with a short text of its own."""
    seed = mix(facts.seed, number_of(label.url.split(facts.suffix or ".test", 1)[-1]), host.twin)
    return Document(
        label=label,
        title=f"{title} - {facts.site(host)}",
        site=facts.site(host),
        date=facts.date(host, seed % 1000),
        recipe=Recipe(host.role.language, label.topic, seed, 160),
        nav=linker.navigation(host, None),
        related=decorate(host, links, Random(seed)),
        footer=linker.footer(host, 0),
        theme=host.twin % 3,
    )


def file_at(facts: Facts, host: Host, target: str) -> Bytes | None:
    """PDF, archive, image without a name, and a PDF that says it is HTML."""
    match = FILE.match(target) if host.role.binaries else None
    if match is None:
        return None
    name = next(group for group in match.groups() if group)
    noise = Random(mix(facts.seed, host.twin, number_of(target))).randbytes(FILE_SIZE)
    body = FILE_HEADS.get(name, b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n") + noise
    return Bytes(plain_label(facts, host, target, "binary"), FILE_TYPES[name], body)


def redirect_at(facts: Facts, host: Host, target: str) -> Moved | None:
    """A redirect: to a page (`go`), along a chain (`hop/LEFT/n`), to another host (`away`), in a circle, to itself."""
    match = REDIRECT.match(target) if host.role.redirects else None
    if match is None:
        return None
    number = int(match[2] or match[4] or 0) % host.size
    if match[7] or match[5]:
        location = target if match[7] else f"/loop/{'b' if match[6] == 'a' else 'a'}"
        final = facts.url(host, location)
    elif match[3] and int(match[3]) > 1:
        # A relative Location: resolved against /hop/LEFT/n.
        location, final = f"../{int(match[3]) - 1}/{number}", facts.url(host, f"/hop/{int(match[3]) - 1}/{number}")
    elif match[1] == "away":
        other = facts.layout.hosts[(host.twin + 1) % len(facts.layout.hosts)]
        location = final = facts.url(other, facts.path(other, number % other.size))
    else:
        location = facts.path(host, number)
        final = facts.url(host, location)
    label = plain_label(facts, host, target, "redirect", status=301 if match[1] == "away" else 302)
    return Moved(Label(label.url, "redirect", label.status, redirect=final, allowed=label.allowed), location)


def dead_status(host: Host, target: str) -> int:
    """404, 410, or 200 for the sorry page of a host that does not know better."""
    match = DEAD.match(target)
    if match and match[1]:
        return 410
    return 200 if host.role.soft_missing else 404
