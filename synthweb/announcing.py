"""How the hosts of a living web tell of their pages: validators, a sitemap, a feed of the newest articles."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from email.utils import formatdate
from html import escape

from synthweb.hosts import Host
from synthweb.living import FEED, FEED_TYPES, Living

SITEMAP = "/sitemap.xml"
FEED_LENGTH = 15
SITEMAP_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
ATOM_NAMESPACE = "http://www.w3.org/2005/Atom"


def iso(time: float) -> str:
    """Epoch seconds as W3C date and time."""
    return f"{datetime.fromtimestamp(int(time), UTC):%Y-%m-%dT%H:%M:%SZ}"


def validators(host: Host, modified: float, start: float, now: float, quiet: bytes, noisy: bool) -> tuple[tuple[str, str], ...]:
    """ETag and Last-Modified as the host sends them. `quiet`: the page without noise; `start`: of the web's life."""
    how = host.role.validation
    if how == "none":
        return ()
    if how in ("now", "stuck"):
        return (("Last-Modified", formatdate(now if how == "now" else start, usegmt=True)),)
    last = ("Last-Modified", formatdate(int(modified), usegmt=True))
    if how == "shifting":
        return (last,)  # the ETag of each request comes from the server
    tag = f'"{hashlib.blake2b(quiet, digest_size=8).hexdigest()}"'
    return (("ETag", f"W/{tag}" if noisy else tag), last)


def announcement(living: Living, host: Host, target: str, now: float) -> tuple[str, str] | None:
    """Media type and text of the host's sitemap or feed; None for any other address."""
    if target == SITEMAP and host.role.sitemap:
        return "application/xml", sitemap(living, host, now)
    if target == FEED and host.role.feed:
        return FEED_TYPES[host.role.feed], (rss if host.role.feed == "rss" else atom)(living, host, now)
    return None


def public_numbers(living: Living, host: Host) -> list[int]:
    """Pages outside hidden sections that robots.txt allows."""
    first = 1 + len(host.sections)
    numbers = [0, *(1 + section.index for section in host.visible)]
    numbers += [at for at in range(first, host.size) if not host.position_of(at)[0].tunnel]
    return [at for at in numbers if living.facts.allowed(host, living.facts.path(host, at))]


def sitemap(living: Living, host: Host, now: float) -> str:
    """All pages that are there, with the time of the last change, or with the present time (sitemaps.org protocol)."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<urlset xmlns="{SITEMAP_NAMESPACE}">']
    for number in public_numbers(living, host):
        if living.life.alive(host, number, now):
            url = escape(living.facts.url(host, living.life.path(host, number, now)))
            modified = now if host.role.sitemap == "now" else living.modified(host, number, now)
            lines.append(f"<url><loc>{url}</loc><lastmod>{iso(modified)}</lastmod></url>")
    return "\n".join([*lines, "</urlset>", ""])


def newest(living: Living, host: Host, now: float) -> list[int]:
    """Numbers of the newest articles of a host, the newest first."""
    linker = living.linker(now)
    numbers = [number for section in host.visible for number in linker.last_numbers(host, section)]
    numbers.sort(key=lambda number: (-living.life.born(host, number), -number))
    return [at for at in numbers if living.facts.allowed(host, living.facts.path(host, at))][:FEED_LENGTH]


def items(living: Living, host: Host, now: float) -> list[tuple[str, str, float, float]]:
    """Title, address, times of appearance and of the last change of the newest articles."""
    found = []
    for number in newest(living, host, now):
        url = escape(living.facts.url(host, living.life.path(host, number, now)))
        title = escape(living.document(host, number, now, quiet=True).title)
        found.append((title, url, living.life.born(host, number), living.modified(host, number, now)))
    return found


def rss(living: Living, host: Host, now: float) -> str:
    """RSS 2.0."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<rss version="2.0"><channel>']
    lines += [f"<title>{escape(living.facts.site(host))}</title>", f"<link>{living.facts.url(host, '/')}</link>"]
    for title, url, born, _ in items(living, host, now):
        date = formatdate(int(born), usegmt=True)
        lines.append(f"<item><title>{title}</title><link>{url}</link><pubDate>{date}</pubDate></item>")
    return "\n".join([*lines, "</channel></rss>", ""])


def atom(living: Living, host: Host, now: float) -> str:
    """Atom (RFC 4287); an entry is updated when its article changes."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<feed xmlns="{ATOM_NAMESPACE}">']
    lines += [f"<title>{escape(living.facts.site(host))}</title>", f"<updated>{iso(now)}</updated>"]
    for title, url, born, modified in items(living, host, now):
        times = f"<published>{iso(born)}</published><updated>{iso(modified)}</updated>"
        lines.append(f'<entry><title>{title}</title><link href="{url}"/><id>{url}</id>{times}</entry>')
    return "\n".join([*lines, "</feed>", ""])
