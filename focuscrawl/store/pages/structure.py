"""How the stored pages of each site are divided: index and content pages, and the site's own categories."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.link_graph import LIVE

BLOCK = 10_000
"""Rows in memory at once."""
PAGES = f"""select p.page_id, coalesce(h.site, ''), p.kind, p.url, coalesce(c.category, '') from page p
    left join host h on h.hid=p.hid left join content c on c.page_id=p.page_id
    where p.page_id>? and {LIVE} order by p.page_id limit ?"""


@dataclass(slots=True)
class SiteStructure:
    """The stored pages of a registered domain that are not gone."""

    name: str
    index_pages: int = 0
    content_pages: int = 0
    categories: Counter[str] = field(default_factory=Counter)
    """Pages by the first level of the category that they name."""
    directories: Counter[str] = field(default_factory=Counter)
    """Those that name none, by the first directory of their address: `/`, `/posts/`."""

    @property
    def pages(self) -> int:
        return self.index_pages + self.content_pages


def site_structures(db: Database) -> list[SiteStructure]:
    """The largest first. One pass over the pages, 5 µs each; in memory the different categories and directories."""
    found: dict[str, SiteStructure] = {}
    last = 0
    while rows := db.execute(PAGES, (last, BLOCK)).fetchall():
        last = rows[-1][0]
        for _, site, kind, url, category in rows:
            structure = found.setdefault(site, SiteStructure(site))
            if kind == "index":
                structure.index_pages += 1
            else:
                structure.content_pages += 1
            if category:
                structure.categories[category.partition(" / ")[0]] += 1
            else:
                structure.directories[_directory(url)] += 1
    return sorted(found.values(), key=lambda each: (-each.pages, each.name))


def _directory(url: str) -> str:
    first, slash, _ = urlsplit(url).path.removeprefix("/").partition("/")
    return f"/{first}/" if slash and first else "/"
