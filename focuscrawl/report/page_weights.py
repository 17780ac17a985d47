"""Shows page weights to people: the heaviest pages of a crawl, and the weight of one page in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from focuscrawl.graph.page_weight import Standing
from focuscrawl.report.plain import count, plural
from focuscrawl.report.table import Column, Table
from focuscrawl.url.readable import readable

Heavy = tuple[Standing, str, str]
"""Standing, URL and title of a page."""


def standing_words(standing: Standing) -> str:
    """A weight in words: `0.62: 12 pages link to it (their level 1.5), 2 copies, directory depth 1`."""
    links = f"{plural(standing.in_degree, 'page')} {'links' if standing.in_degree == 1 else 'link'} to it"
    level = f" (their level {standing.parents:.1f})" if standing.in_degree else ""
    copies = f"{count(standing.copies)} copies" if standing.copies > 1 else "no copy"
    return f"{standing.weight:.2f}: {links}{level}, {copies}, directory depth {standing.directory_depth}"


def weight_table(rows: Sequence[Heavy], pages: int) -> Table:
    """A table of the heaviest pages. `pages`: how many pages have a weight."""
    columns = [Column(name, True) for name in ("weight", "in-degree", "parents", "copies", "depth")]
    cells = [
        (f"{one.weight:.3f}", count(one.in_degree), f"{one.parents:.1f}", count(one.copies), str(one.directory_depth),
         readable(url), title)
        for one, url, title in rows
    ]  # fmt: skip
    title = f"The {count(len(rows))} heaviest of {plural(pages, 'page')}"
    return Table([*columns, Column("page"), Column("title", width=40, spare=True)], cells, title)


def as_json(rows: Sequence[Heavy], pages: int, name: str) -> dict[str, object]:
    """The heaviest pages as plain values, for programs."""
    heaviest = []
    for standing, url, title in rows:
        values = asdict(standing)
        del values["page_id"]
        heaviest.append({"url": url, "title": title, **values})
    return {"crawl": name, "pages": pages, "heaviest": heaviest}
