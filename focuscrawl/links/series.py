"""Tells by their links what pages that say the same are to each other: copies, further pages of a list, or homes of two sites.

Galleries, and lists whose links all say "read more", say the same on each of their pages, as do frames, pages that only send
visitors on, and lists of several things of one kind, such as the months of each mailing list in an archive: what differs is
where they lead.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import chain

from focuscrawl.items import CANONICAL, Link, Page
from focuscrawl.links.page_kind import file_name
from focuscrawl.url.groups import groups_of
from focuscrawl.url.hosts import bare_host
from focuscrawl.url.normalize import split
from focuscrawl.url.versions import apart

_NEIGHBOR = re.compile(
    r"\W*(?:(?:(?:the )?(?:next|prev(?:ious)?|older|newer)(?: (?:page|pages|posts|entries|articles|results))?"
    r"|(?:page )?[0-9]{1,4}|[上下前后後][一1]?[页頁]|末[页頁]|尾[页頁]|第\s*[0-9]{1,4}\s*[页頁])\W*|[<>«»‹›←→]+\W*)",
    re.IGNORECASE,
)
"""The anchor of a link to another page of the same list."""
_NEXT = re.compile(r"\W*(?:(?:the )?(?:next|older)\b.*|[下后後][一1]?[页頁]\W*|[>»›→]+\W*)", re.IGNORECASE)
_PREVIOUS = re.compile(r"\W*(?:(?:the )?(?:prev|newer).*|[上前][一1]?[页頁]\W*|[<«‹←]+\W*)", re.IGNORECASE)
"""Which of them lead forward, to what is not seen yet, and back."""


def how_it_repeats(
    url: str, links: Iterable[Link], kind: str, other: str, others: Iterable[Link], other_kind: str
) -> tuple[bool, bool, frozenset[str]]:
    """What `Duplicate.leads_on`, `Duplicate.mirrored` and `Duplicate.own` say of a page that says the same as `other`. `kind`:
    `index` for a list. Some columns of few entries are taken for content pages, but hardly their home."""
    there = url, list(links), other, list(others)
    if in_version := links_in_version(*there[:3]):  # manuals have next pages, too
        return False, mirrored(*there), in_version
    further = leads_on(*there) or (kind == "index" and is_other_section(url, there[1], other))
    further = further or ("index" in (kind, other_kind) and is_other_column(*there))
    if further:
        return True, mirrored(*there), frozenset()
    below = links_below(*there[:3])
    if kind != "index" and len(below) < 2:  # an article and its comments, or the same for the printer
        below = frozenset()
    return bool(below), mirrored(*there), below


def text_or_frames(page: Page) -> str:
    """What a page is compared by: its text, or the pages that it shows if it has none and consists of frames alone."""
    links = [] if page.text else [link for link in page.links if CANONICAL not in link.rel]
    if not links or not all(_last_tag(link) == "frame" for link in links):
        return page.text
    return " ".join(["frames", *(str(uid) for uid in sorted(link.key.uid for link in links))])


def leads_on(url: str, links: Iterable[Link], other: str, others: Iterable[Link]) -> bool:
    """Whether the page `url` is a further page of the list that the page `other` is a page of, or shows another page in a frame
    or by a refresh. Both say the same.

    It is a further page if either names neighbors ("next page"), and it names pages of its host that `other` does not. What
    differs between the two URLs may stand in the links as well, such as the number of a session. So it does not count, nor do
    neighbors and the same list with other filters: a list may go on for ever, with the same entries on each page. But it leads
    on as the first page of a list of which `other`, such as a home with the newest entries, is none.
    """
    links, others, origin = list(links), list(others), split(url)[0]
    if origin != split(other)[0]:
        return False
    if {link.url for link in links if _is_shown(link)} - {link.url for link in others}:
        return True
    if not any(map(_is_neighbor, others)) and _is_first_page(links):
        return True
    return any(map(_is_neighbor, chain(links, others))) and bool(_other_entries(url, links, other, others))


def is_other_column(url: str, links: Iterable[Link], other: str, others: Iterable[Link]) -> bool:
    """Whether the list `url` names pages of its host that the list `other` does not. Both say the same where all that they say
    is in the side bar, and what differs is a few titles.

    Filters have no end. So URLs formed like those of the two, which are lists, do not count, nor what lies in the same
    first directory, but for files below the list's own directory."""
    links, others = list(links), list(others)
    if split(url)[0] != split(other)[0]:
        return False
    forms = {groups_of(url).of_host, groups_of(other).of_host}  # a column `/news-and-events/` is not formed like a post
    around, below = {_first_directory(url), _first_directory(other)} - {""}, url.partition("?")[0].rpartition("/")[0] + "/"
    return any(
        _first_directory(entry) not in around or (entry.startswith(below) and "." in entry.rpartition("/")[2])
        for entry in _other_entries(url, links, other, others)
        if groups_of(entry).of_host not in forms
    )


def _first_directory(url: str) -> str:
    """The first directory of the path; empty if the page lies in none."""
    return split(url)[1].partition("?")[0][1:].rpartition("/")[0].partition("/")[0]


def _other_entries(url: str, links: list[Link], other: str, others: list[Link]) -> list[str]:
    """The URLs on its host that the list `url` names and `other`, a list of this host, does not, but for neighbors, these lists
    with other filters, and what differs as their own URLs do. A field that tells most of its entries from each other, such as
    `id` of `/course?id=5` and `/lecture?id=71`, is no number of a session."""
    ours, theirs = _pieces(url), _pieces(other)
    varying = ours ^ theirs
    lists = {url.partition("?")[0], other.partition("?")[0]}
    here = (link for link in links if split(link.url)[0] == split(url)[0])
    entries = [link.url for link in here if not _is_neighbor(link) and CANONICAL not in link.rel]
    entries = [each for each in entries if each.partition("?")[0] not in lists]
    names = {piece.partition("=")[0] for piece in varying if "=" in piece}
    names = {name for name in names if not _tells_apart(name, entries)}
    known = {_bare(link.url, varying, names) for link in others}
    return [each for each in entries if _bare(each, varying, names) not in known]


def _tells_apart(name: str, urls: Iterable[str]) -> bool:
    """Whether of the URLs with a field of this name most would be the same without it."""
    having = {each for each in urls if re.search(rf"[?&]{re.escape(name)}=", each)}
    return bool(having) and 2 * len({_bare(each, set(), {name}) for each in having}) <= len(having)


def is_other_section(url: str, links: Iterable[Link], other: str) -> bool:
    """Whether the list `url` is that of another section than the list `other`, which says the same: their URLs differ in
    the name of one directory, a word, and it leads to pages below its own (`/archives/users/` and `/archives/dev/`).

    The same list with another filter is none (`/color/red/size/m`): from there one may choose another color, and another size
    besides, which stand apart because each follows its name."""
    place = _differing_name(url, other)
    if place is None:
        return False
    names = url.split("/")
    if place == len(names) - 1 or any(map(str.isdigit, names[place] + other.split("/")[place])):
        return False  # a page, a year, a version or a session
    links = list(links)
    choices = {_differing_name(url, link.url) for link in links} - {None}
    if place in choices and any(abs(choice - place) > 1 for choice in choices if choice is not None):
        return False
    section = "/".join(names[: place + 1]) + "/"
    return any(link.url.startswith(section) and link.url != url for link in links)


def links_in_version(url: str, links: Iterable[Link], other: str) -> frozenset[str]:
    """The links of a page that says the same as `other`, and lies in another version of a manual than that, to pages in its own
    version."""
    here, there = apart(url, other)
    inner = there if len(there) > len(here) else "\n"  # it may lie in the other one
    return frozenset(link.url for link in links if here and link.url.startswith(here) and not link.url.startswith(inner))


def links_below(url: str, links: Iterable[Link], other: str) -> frozenset[str]:
    """The links of a page that says the same as `other` to pages below its own URL, as the list of another course, term,
    volume or day has: what is there is known only when it is read. Empty if one of the two URLs has all names of the
    other, whatever their order, as where paths grow by filters and relative links."""
    names, others = url.split("/"), other.split("/")
    if names[:3] != others[:3] or not (Counter(names) - Counter(others) and Counter(others) - Counter(names)):
        return frozenset()
    path, query, _ = url.partition("?")
    directory, _, name = path.rpartition("/")
    below = (directory if not name or not file_name(url) else path) + "/"
    return frozenset(link.url for link in links if link.url.startswith(below) and link.url != url) if not query else frozenset()


def _differing_name(url: str, other: str) -> int | None:
    """The place of the only name in which two URLs of one origin differ; None if they differ in more, or in none."""
    ours, theirs = url.split("/"), other.split("/")
    if len(ours) != len(theirs) or ours[:3] != theirs[:3]:
        return None
    places = [place for place, (name, its) in enumerate(zip(ours, theirs, strict=True)) if name != its]
    return places[0] if len(places) == 1 else None


def mirrored(url: str, links: Iterable[Link], other: str, others: Iterable[Link]) -> bool:
    """Whether the page `url` lies on another host than `other`, which says the same, and leads to no other paths there than
    `other` does on its own host. One that leads only to further hosts is no mirror unless `other` leads there, too."""
    host, original = bare_host(url), bare_host(other)
    if host == original:
        return False
    urls, known = {link.url for link in links}, {link.url for link in others}
    own = _paths_on(host, urls)
    return own <= _paths_on(original, known) if own else urls <= known


def _paths_on(bare: str, urls: Iterable[str]) -> set[str]:
    """The paths and queries of those URLs that lie on this host, be it by another scheme or with `www.`."""
    return {split(url)[1] for url in urls if bare_host(url) == bare}


def _is_shown(link: Link) -> bool:
    """Whether a browser shows the page that is linked to in place of the page or in a frame of it."""
    return link.position == "meta" or _last_tag(link) in ("frame", "iframe")


def _last_tag(link: Link) -> str:
    return link.position.rpartition("/")[2].partition(".")[0]


def _is_neighbor(link: Link) -> bool:
    return not {"next", "prev"}.isdisjoint(link.rel) or _NEIGHBOR.fullmatch(link.anchor) is not None


def _is_first_page(links: list[Link]) -> bool:
    """Whether there is a next page, and none before."""
    neighbors = [link for link in links if _is_neighbor(link)]
    is_next = any("next" in link.rel or _NEXT.fullmatch(link.anchor) for link in neighbors)
    return is_next and not any("prev" in link.rel or _PREVIOUS.fullmatch(link.anchor) for link in neighbors)


def _pieces(url: str) -> set[str]:
    """The segments of the path, and the fields of the query."""
    return set(re.split(r"[/?&]", split(url)[1]))


def _bare(url: str, varying: set[str], names: set[str]) -> tuple[str, ...]:
    """What is left of a URL without these pieces, and without fields of these names."""
    pieces = re.split(r"[/?&]", url)
    return tuple(each for each in pieces if each not in varying and ("=" not in each or each.partition("=")[0] not in names))
