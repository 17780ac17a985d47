"""The synthetic web as a whole: any address to its document, its bytes or its truth."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import date as Date  # noqa: N812
from functools import cached_property
from urllib.parse import urljoin, urlsplit

from synthweb.addresses import clean_target, number_at
from synthweb.announcing import SITEMAP, announcement, validators
from synthweb.document import Document, Label
from synthweb.documents import document_of, label_of
from synthweb.extras import Bytes, Moved, dead_status, extra_page, file_at, plain_label, redirect_at
from synthweb.facts import Facts
from synthweb.faults import fault_of
from synthweb.hosts import Host
from synthweb.labels import LABELS
from synthweb.layout import Layout, build_layout
from synthweb.life import moved_number
from synthweb.linking import Linker
from synthweb.living import Living
from synthweb.markup import render
from synthweb.noise import noises
from synthweb.plan import Plan
from synthweb.robots import MOVED
from synthweb.script import to_traditional
from synthweb.traps import trap_of, trap_page

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a host says to a request, before faults, compression and conditional requests."""

    status: int
    headers: Headers
    body: bytes

    @property
    def etag(self) -> str:
        """A strong validator made from the body."""
        return f'"{hashlib.blake2b(self.body, digest_size=8).hexdigest()}"'


class SyntheticWeb:
    """A web made from a plan; the port is part of every address. Nothing is kept but a bounded cache of titles.

    Every method is a pure function of plan, port and arguments. `now` (seconds since the epoch) counts in a living web only.
    """

    def __init__(self, plan: Plan, port: int = 80) -> None:
        self.plan = plan
        self.port = port
        self.layout: Layout = build_layout(plan)
        self.facts = Facts(self.layout, port)
        self.linker = Linker(self.facts)
        self.living = Living(self.facts) if plan.living else None

    @cached_property
    def hosts(self) -> tuple[Host, ...]:
        """All hosts."""
        return self.layout.hosts

    def host_of(self, url: str) -> Host | None:
        """The host of an address of this web, port included; None for any other address."""
        try:
            parts = urlsplit(url)
            port = parts.port or 80
            name = (parts.hostname or "").encode("idna").decode("ascii")
        except ValueError:
            return None
        return self.layout.by_name.get(name) if parts.scheme == "http" and port == self.port else None

    def page(self, number: int, now: float = 0.0) -> Document:
        """A page by its number in the whole web, 0..pages-1, at a cost independent of their number; else IndexError. In a
        living web whether or not it is there."""
        host, local = self.layout.locate(number)
        if self.living:
            return self.living.document(host, local, now)
        return document_of(self.facts, self.linker, host, local)

    def number(self, host: Host, target: str) -> int | None:
        """Page number on a host of a path and query in any of its variants."""
        facts = self.facts
        return number_at(host, clean_target(target), lambda at: (facts.date(host, at), facts.title(host.index, at)))

    def spot(self, host: Host, target: str) -> tuple[int, bool] | None:
        """Page number of the first or (True) the new address of a page of a living web."""
        number = moved_number(clean_target(target))
        if number is not None and number < host.size and self.facts.kind(host, number) == "article":
            return number, True
        number = self.number(host, target)
        return None if number is None else (number, False)

    def resource(self, host: Host, target: str, now: float = 0.0) -> Document | Bytes | Moved | Label:
        """What an address stands for; a Label alone where there is nothing."""
        if self.living and (spot := self.spot(host, target)):
            return self.living.resource(host, *spot, now)
        number = self.number(host, target)
        if number is not None:
            return document_of(self.facts, self.linker, host, number)
        found = self.unnumbered(host, target)
        if found is not None:
            return found
        status = dead_status(host, target)
        return plain_label(self.facts, host, target, "soft404" if status == 200 else "dead", status=status)

    def unnumbered(self, host: Host, target: str) -> Document | Bytes | Moved | None:
        """Trap pages, extra pages, files and redirects."""
        if trap_of(host, target):
            return trap_page(self.facts, host, target)
        clean = clean_target(target)
        return (
            extra_page(self.facts, self.linker, host, clean)
            or file_at(self.facts, host, clean)
            or redirect_at(self.facts, host, clean)
        )

    def label(self, url: str, now: float = 0.0) -> Label:
        """The truth about any address in any variant; kind `unknown` for one outside this web."""
        host = self.host_of(url)
        if host is None:
            return Label(url, "unknown", 0)
        target = self.path_of(url)
        if target in ("/robots.txt", MOVED):
            return Label(self.facts.url(host, target), "robots")
        if self.living and (spot := self.spot(host, target)):
            return self.living.label(host, *spot, now)
        if self.living and announcement(self.living, host, target, now):
            return Label(self.facts.url(host, target), "sitemap" if target == SITEMAP else "feed")
        number = self.number(host, target)
        if number is not None:
            return label_of(self.facts, host, number)
        found = self.resource(host, target)
        label = found if isinstance(found, Label) else found.label
        return replace(label, fault=fault_of(self.facts.seed, host, clean_target(target)).kind)

    def links(self, url: str, now: float = 0.0) -> list[tuple[str, str]]:
        """Links of a page as (absolute address as a browser resolves it, rel); none where there is no page."""
        host = self.host_of(url)
        if host is None:
            return []
        found = self.resource(host, self.path_of(url), now)
        if not isinstance(found, Document):
            return []
        return [(urljoin(url, anchor.href), anchor.rel) for anchor in found.anchors()]

    def answer(self, host: Host, target: str, now: float = 0.0) -> Answer:
        """Status, headers and body of an address, the same every time."""
        if target in ("/robots.txt", MOVED):
            return self.robots_answer(host, target)
        if self.living and (told := announcement(self.living, host, target, now)):
            answer = Answer(200, (("Content-Type", told[0]),), told[1].encode())
            return replace(answer, headers=(*answer.headers, ("ETag", answer.etag)))
        found = self.resource(host, target, now)
        if isinstance(found, Document):
            return self.living_answer(self.living, host, found, now) if self.living else self.page_answer(host, found)
        if isinstance(found, Moved):
            return Answer(found.label.status, (("Location", found.location), ("Content-Type", "text/html")), b"moved\n")
        if isinstance(found, Bytes):
            return Answer(200, (("Content-Type", found.content_type),), found.body)
        sorry = LABELS[host.role.language]["sorry"]
        text = f"<html><head><title>{found.status}</title></head><body><h1>{sorry}</h1></body></html>"
        if found.status == 200:
            text = text.replace("<title>200</title>", "<title>Search</title>")
        return Answer(found.status, (("Content-Type", "text/html; charset=utf-8"),), text.encode())

    def robots_answer(self, host: Host, target: str) -> Answer:
        """robots.txt, or what stands in its place."""
        rules = self.facts.rules[host.index]
        if rules.location and target != rules.location:
            return Answer(301, (("Location", rules.location),), b"")
        kind = "text/html" if rules.status != 200 else "text/plain"
        text = rules.text
        if self.living and host.role.sitemap and rules.status == 200:
            text += f"Sitemap: {self.facts.url(host, SITEMAP)}\n"
        return Answer(rules.status, (("Content-Type", kind),), text.encode())

    def living_answer(self, living: Living, host: Host, document: Document, now: float) -> Answer:
        """A page of a living web with the validators that its host sends."""
        answer = self.page_answer(host, document)
        headers = tuple(field for field in answer.headers if field[0] != "Last-Modified")
        spot = self.spot(host, self.path_of(document.label.url))
        if spot is None:
            return answer
        quiet = self.page_answer(host, living.document(host, spot[0], now, quiet=True)).body
        modified = living.modified(host, spot[0], now)
        noise = bool(noises(self.facts, host, spot[0]))
        return replace(answer, headers=headers + validators(host, modified, living.life.start, now, quiet, noise))

    @staticmethod
    def path_of(url: str) -> str:
        """Path and query of an address."""
        parts = urlsplit(url)
        return (parts.path or "/") + ("?" + parts.query if parts.query else "")

    def page_answer(self, host: Host, document: Document) -> Answer:
        """A page in the charset of its host, labelled as the host does it."""
        role = host.role
        html = render(document, role.charset if role.told in ("header", "meta") else "")
        if role.charset == "big5":
            html = to_traditional(html)
        told = {"header": role.charset, "wrong": "utf-8"}.get(role.told, "")
        headers = [("Content-Type", "text/html" + (f"; charset={told}" if told else ""))]
        if document.robots_header:
            headers.append(("X-Robots-Tag", document.robots_header))
        if role.validators:
            headers.append(("Last-Modified", http_date(document.date)))
        return Answer(200, tuple(headers), html.encode(role.charset, "xmlcharrefreplace"))


def http_date(date: str) -> str:
    """An ISO date as an HTTP date at noon."""
    moment = Date.fromisoformat(date)
    names = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    return f"{names[moment.weekday()]}, {moment.day:02} {months[moment.month - 1]} {moment.year} 12:00:00 GMT"
