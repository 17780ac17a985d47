"""Hosts that link to the manuals, which link little to each other: a catalogue, an alphabet, reading notes, a link list.

- `catalogue`: sections as a tree, pages of a dozen entries; an entry leads to a page with the package's description, which
  leads to the manuals. Lists every manual: three to five links from its front page.
- `alphabet`: a page a letter with a line for each manual; lists half of them, two links from the front page.
- `notes`: dated posts, each on a few manuals, most of them of one section; an archive by year, newer and older posts.
- `links`: one page of titles without a word on them; lists a third.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from tools.eval.webs.manuals import TOP, Site

A_PAGE = 12
"""Entries on a page of the catalogue."""
A_POST = 5
FRONTS = tuple(f"http://{name}{TOP}/" for name in ("catalogue", "alphabet", "notes", "links"))
"""Front pages of the portals."""
Pages = Iterator[tuple[str, str]]


def portals(sites: Sequence[Site], seed: str) -> dict[str, bytes]:
    """Pages of all four by URL; what is listed where is drawn with `seed`."""
    rng = random.Random(seed)
    ordered = sorted(sites, key=lambda site: site.host)
    catalogue_at, alphabet_at, notes_at, links_at = FRONTS
    pages = dict(_catalogue(catalogue_at, ordered))
    pages |= _alphabet(alphabet_at, rng.sample(ordered, (len(ordered) + 1) // 2))
    pages |= _notes(notes_at, ordered, rng)
    pages |= _links(links_at, rng.sample(ordered, (len(ordered) + 2) // 3))
    return {url: text.encode() for url, text in pages.items()}


def _catalogue(front: str, sites: Sequence[Site]) -> Pages:
    tree: dict[str, list[Site]] = {}
    for site in sites:
        tree.setdefault(_slug(site.section), []).append(site)
    names = {_slug(site.section): site.section for site in sites}
    tops = sorted({slug.split("/")[0] for slug in tree})
    heads = {slug.split("/")[0]: name.split("/")[0] for slug, name in names.items()}
    yield front, _page("Catalogue of manuals", [_list((f"{front}{top}/", heads[top], "") for top in tops)])
    for top in tops:
        below = sorted(slug for slug in tree if slug.split("/")[0] == top)
        entries = ((f"{front}{slug}/list1.html", names[slug], f"{len(tree[slug])} manuals") for slug in below)
        yield f"{front}{top}/", _page(heads[top], [_list(entries), _link(front, "All sections")])
    for slug, here in tree.items():
        parts = [here[at : at + A_PAGE] for at in range(0, len(here), A_PAGE)]
        for number, part in enumerate(parts, 1):
            listed = _list((f"{front}package/{site.host}.html", site.title, site.summary) for site in part)
            turn = [_link(f"{front}{slug}/list{number + 1}.html", "Next page")] if number < len(parts) else []
            up = _link(f"{front}{slug.split('/')[0]}/", "Up")
            yield f"{front}{slug}/list{number}.html", _page(f"{names[slug]}, page {number}", [listed, *turn, up])
    for site in sites:
        others = [other for other in tree[_slug(site.section)] if other is not site][:6]
        related = _list((f"{front}package/{other.host}.html", other.title, "") for other in others)
        yield (
            f"{front}package/{site.host}.html",
            _page(
                site.title,
                [
                    f"<p>{escape(site.summary)}</p>",
                    *(f"<p>{escape(part)}</p>" for part in site.description.split("\n\n")),
                    f"<p>Read it: {_link(site.url(site.home), site.title)}</p>",
                    "<h2>In the same section</h2>",
                    related,
                    _link(f"{front}{_slug(site.section)}/list1.html", site.section),
                ],
            ),
        )


def _alphabet(front: str, sites: Sequence[Site]) -> Pages:
    letters: dict[str, list[Site]] = {}
    for site in sorted(sites, key=lambda site: site.title.lower()):
        first = site.title[:1].lower()
        letters.setdefault(first if "a" <= first <= "z" else "0", []).append(site)
    bar = " ".join(_link(f"{front}{letter}.html", letter.upper()) for letter in sorted(letters))
    yield front, _page("Manuals from A to Z", [f"<p>{bar}</p>"])
    for letter, here in letters.items():
        entries = _list((site.url(site.home), site.title, site.summary) for site in here)
        yield f"{front}{letter}.html", _page(f"Manuals: {letter.upper()}", [f"<p>{bar}</p>", entries])


def _notes(front: str, sites: Sequence[Site], rng: random.Random) -> Pages:
    sections: dict[str, list[Site]] = {}
    for site in sites:
        sections.setdefault(site.section, []).append(site)
    posts = []
    for number in range(len(sites) // 3):
        section = rng.choice(sorted(sections))
        here = rng.sample(sections[section], min(A_POST - 1, len(sections[section])))
        here += rng.sample([site for site in sites if site not in here], A_POST - len(here)) if len(sites) > A_POST else []
        year = 2015 + 8 * number // max(1, len(sites) // 3)
        posts.append((f"{front}{year}/{number:03}-{_slug(section).replace('/', '-')}.html", f"Reading on {section}", here))
    years = sorted({url.split("/")[3] for url, _, _ in posts})
    latest = _list((url, title, "") for url, title, _ in posts[:-9:-1])
    archive = _list((f"{front}{year}/", year, "") for year in years)
    yield front, _page("Reading notes", ["<h2>Latest</h2>", latest, "<h2>Archive</h2>", archive])
    for name in years:
        entries = _list((url, title, "") for url, title, _ in posts if url.split("/")[3] == name)
        yield f"{front}{name}/", _page(f"Notes of {name}", [entries, _link(front, "All notes")])
    for place, (url, title, here) in enumerate(posts):
        said = [f"<p>{_link(site.url(site.home), site.title)}: {escape(site.description or site.summary)}</p>" for site in here]
        turns = [_link(posts[at][0], name) for at, name in ((place + 1, "Newer"), (place - 1, "Older")) if 0 <= at < len(posts)]
        yield url, _page(title, [*said, *turns, _link(front, "All notes")])


def _links(front: str, sites: Sequence[Site]) -> Pages:
    yield front, _page("Links", [_list((site.url(site.home), site.title, "") for site in sites)])


def _slug(section: str) -> str:
    return "/".join(re.sub(r"[^a-z0-9]+", "-", part.lower()).strip("-") or "other" for part in section.split("/"))


def _link(url: str, text: str) -> str:
    return f'<a href="{escape(url)}">{escape(text)}</a>'


def _list(entries: Iterable[tuple[str, str, str]]) -> str:
    items = (f"<li>{_link(url, text)}{f' - {escape(note)}' if note else ''}</li>" for url, text, note in entries)
    return "\n".join(["<ul>", *items, "</ul>"])


def _page(title: str, parts: Sequence[str]) -> str:
    head = f'<head><meta charset="utf-8"><title>{escape(title)}</title></head>'
    return "\n".join(["<!DOCTYPE html>", '<html lang="en">', head, f"<body><h1>{escape(title)}</h1>", *parts, "</body></html>"])
