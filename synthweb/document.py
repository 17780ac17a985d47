"""What a page of the synthetic web is, before it becomes HTML: label, links, and the recipe of its text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Label:
    """The truth about one address."""

    url: str
    """Canonical address."""
    kind: str
    """home, section, list, article, static, tunnel, private, redirect, trap, binary, dead, soft404, robots, unknown."""
    status: int = 200
    """What the server says when nothing fails."""
    topic: str = ""
    """Topic of the content; `general` for none of the topics; empty where there is no text."""
    language: str = ""
    charset: str = ""
    duplicate_of: str = ""
    """Address of the original."""
    duplicate: str = ""
    """mirror (same bytes), exact (same text in another layout), near (date, ad, 2 % edits); empty for an original."""
    redirect: str = ""
    """Target, for a redirect."""
    trap: str = ""
    """calendar, growing or facets."""
    noindex: bool = False
    nofollow: bool = False
    allowed: bool = True
    """By robots.txt of its host (false for a host whose robots.txt answers 503)."""
    fault: str = ""
    """Failure that the server injects on the first requests, or on all of them."""
    tunnel: int = 0
    """Irrelevant pages in a row on the only way to its section."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A link as it stands in the page."""

    href: str
    text: str
    rel: str = ""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the text of a page is made: equal recipes give equal texts."""

    language: str
    topic: str
    seed: int
    words: int
    edits: float = 0.0
    edit_seed: int = 0


@dataclass(frozen=True, slots=True)
class Revision:
    """A change of a text after it was first written."""

    kind: str
    """`sentence`: one is replaced; `paragraph`: one is added."""
    key: int
    """What is written, and where."""


@dataclass(frozen=True, slots=True)
class Document:
    """A page: everything that its HTML is rendered from."""

    label: Label
    title: str
    site: str
    """Name of the site for the head of the page."""
    date: str
    """ISO date of publication."""
    recipe: Recipe | None = None
    keywords: tuple[str, ...] = ()
    nav: tuple[Anchor, ...] = ()
    trail: tuple[Anchor, ...] = ()
    """Breadcrumb."""
    inline: tuple[Anchor, ...] = ()
    """Links inside the text."""
    entries: tuple[Anchor, ...] = ()
    """The list of an index page, with a snippet each."""
    related: tuple[Anchor, ...] = ()
    sidebar: tuple[Anchor, ...] = ()
    footer: tuple[Anchor, ...] = ()
    robots: str = ""
    """Content of META robots."""
    robots_header: str = ""
    """X-Robots-Tag."""
    ad: str = ""
    """Text of an advertisement in the middle of the page."""
    theme: int = 0
    revisions: tuple[Revision, ...] = ()
    """What has changed in the text of the recipe, oldest first."""
    feed: tuple[str, str] = ("", "")
    """Address and media type of the feed that the head names."""
    clock: str = ""
    """A clock in the head of the page."""
    counter: str = ""
    """Behind the date: how often the page was read."""
    today: str = ""
    """A line on top of the sidebar."""

    def anchors(self) -> Iterator[Anchor]:
        """All links in the order of the HTML."""
        for group in (self.nav, self.trail, self.inline, self.entries, self.related, self.sidebar, self.footer):
            yield from group
