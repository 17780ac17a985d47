"""The URL that a page names as its own (`rel=canonical`, RFC 6596): which one is it, and is it worth a link?"""

from __future__ import annotations

from collections.abc import Iterable

from focuscrawl.items import CANONICAL, FILE, UNFOLLOWED, Link
from focuscrawl.url.hosts import bare_host, host_name, in_site
from focuscrawl.url.in_headers import header_links
from focuscrawl.url.normalize import normalize, split
from focuscrawl.url.versions import is_version

_UNFOLLOWED = frozenset((*UNFOLLOWED, FILE))


def canonical_of(reference: str, base: str, charset: str = "utf-8") -> str:
    """The normal URL of a reference with which a page names its own, relative to the URL `base`; empty if it is none."""
    return (normalize(reference, base, charset) or "") if reference and not reference.startswith("#") else ""


def canonical_in_headers(headers: Iterable[tuple[str, str]], page_url: str) -> str:
    """The normal URL that the headers Link of an answer name as that of its page, the first one that is valid; empty: none."""
    values = [value for name, value in headers if name.lower() == "link"]
    named = (link.reference for value in values for link in header_links(value) if link.has_rel(CANONICAL))
    return next(filter(None, (canonical_of(reference, page_url) for reference in named)), "")


def canonical_link(url: str, page_url: str, known: Link | None) -> Link | None:
    """The link to the normal URL that a page names as its own, marked as that; None if it is worth no link.

    It is a link if it is that of another version of a manual, or of the page's host. Any other (`?from=home` or a category left
    out) is marked where it is one, but not worth a request for each page. Other hosts are not believed.

    Args:
        url: what the page names.
        page_url: normal URL of the page.
        known: the link of the page to that URL, if there is one. It is marked in place.
    """
    if url == page_url or bare_host(url) != bare_host(page_url):
        return None
    if known is None and _without_version(url) != _without_version(page_url):
        return None
    link = known or Link(url, position="head/link", in_site=in_site(host_name(url), host_name(page_url)))
    link.rel = (CANONICAL,) if is_closed(link.rel) else (*link.rel, CANONICAL)
    return link


def is_closed(rel: tuple[str, ...]) -> bool:
    """Whether a link with these tokens is not to be followed."""
    return not _UNFOLLOWED.isdisjoint(rel)


def _without_version(url: str) -> list[str]:
    """The parts of the URL, without its host and directories that may be versions."""
    return [part for part in split(url)[1].split("/") if not is_version(part)]
