"""Draws the sites of a crawl as a treemap: a box for each site, and in it boxes for the site's categories.

Areas are in proportion to numbers, and boxes as square as possible. Source: Bruls, Huizing, van Wijk 2000, Squarified Treemaps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from focuscrawl.report.plain import count, one_line, percent, plural
from focuscrawl.store.pages.link_graph import SiteStructure
from focuscrawl.url.readable import readable_host

MOST_SITES, MOST_PARTS = 12, 10
"""Most sites, and most parts of each, that have a box of their own. The others share one."""
WIDTH, HEIGHT = 760.0, 430.0
NARROW = (360.0, 620.0, 9)
"""Width, height and sites of the drawing on a phone."""
HEAD = 17.0
"""Height of the line with a site's name."""
LETTER, BOLD, LINE = 6.6, 7.2, 14.0
"""Width of a letter of a label, of a bold one, and height of a line. A Chinese letter counts as two."""
OTHERS = "others"


@dataclass(slots=True, frozen=True)
class Box:
    x: float
    y: float
    width: float
    height: float

    def within(self, edge: float, top: float) -> Box:
        """The box inside margins of `top` above and of `edge` on the other sides."""
        width, height = max(0.0, self.width - 2 * edge), max(0.0, self.height - edge - top)
        return Box(self.x + edge, self.y + top, width, height)


def treemap(numbers: Sequence[float], whole: Box) -> list[Box]:
    """A box for each number, in their order, which should be descending. A box for 0 has no area. Each row takes time
    quadratic in its boxes, which suits drawings of some hundred."""
    boxes: list[Box] = []
    scale = whole.width * whole.height / (sum(numbers) or 1.0)
    areas, left = [number * scale for number in numbers], whole
    while areas:
        row = _row(areas, min(left.width, left.height))
        placed, left = _placed(areas[:row], left)
        boxes += placed
        areas = areas[row:]
    return boxes


def _row(areas: Sequence[float], side: float) -> int:
    """How many of the first areas form a row along `side`: one more as long as the worst of them becomes squarer."""
    best = _worst(areas[:1], side)
    for number in range(2, len(areas) + 1):
        worst = _worst(areas[:number], side)
        if worst > best:
            return number - 1
        best = worst
    return len(areas)


def _worst(row: Sequence[float], side: float) -> float:
    """The largest ratio of the sides of a box in a row of these areas along `side`."""
    total, least = sum(row), min(row)
    if least <= 0 or side <= 0:
        return float("inf")
    return max(side**2 * max(row) / total**2, total**2 / (side**2 * least))


def _placed(row: Sequence[float], left: Box) -> tuple[list[Box], Box]:
    """The boxes of a row along the shorter side of `left`, and the box that is left beside it."""
    total = sum(row)
    if total <= 0:
        return [Box(left.x, left.y, 0.0, 0.0) for _ in row], left
    if left.width >= left.height:
        thick, at, boxes = total / left.height, left.y, []
        for area in row:
            boxes.append(Box(left.x, at, thick, area / thick))
            at += area / thick
        return boxes, Box(left.x + thick, left.y, max(0.0, left.width - thick), left.height)
    thick, at, boxes = total / left.width, left.x, []
    for area in row:
        boxes.append(Box(at, left.y, area / thick, thick))
        at += area / thick
    return boxes, Box(left.x, left.y + thick, left.width, max(0.0, left.height - thick))


@dataclass(slots=True, frozen=True)
class Tile:
    box: Box
    label: str
    """As much of the name as there is room for; empty if there is next to none."""
    title: str
    """The whole name with its number of pages."""
    site: bool
    """Whether it is a site, not a part of one."""
    known: bool = True
    """Whether it is a category that the site names, not a directory."""


def tiles(
    sites: Sequence[SiteStructure],
    width: float = WIDTH,
    height: float = HEIGHT,
    most: int = MOST_SITES,
    translated: Callable[[str], str | None] = str,
) -> list[Tile]:
    """The tiles of the `most` largest sites and of their largest categories. `sites`: the largest first. `translated`: returns
    a text in the language of the drawing, or None if it has no translation."""
    shown = [(readable_host(site.name) or translated(OTHERS) or OTHERS, site.pages, site) for site in sites[:most]]
    rest = sites[most:]
    boxes = treemap([*(pages for _, pages, _ in shown), *([_sum(rest)] if rest else [])], Box(0, 0, width, height))
    drawn: list[Tile] = []
    for (name, pages, site), box in zip(shown, boxes, strict=False):
        kinds = f"{count(site.index_pages)} index, {count(site.content_pages)} content"
        title = f"{name}: {plural(pages, 'page')} ({kinds})"
        drawn.append(_tile(name, box, translated(title) or title, site=True))
        drawn += _parts(site, name, box.within(2.0, HEAD), translated)
    if rest:
        label = f"{plural(len(rest), 'other site')}: {plural(_sum(rest), 'page')}"
        title = translated(label) or label
        drawn.append(_tile(title, boxes[-1], title, site=True))
    return [tile for tile in drawn if tile.box.width > 1 and tile.box.height > 1]


def in_words(sites: Sequence[SiteStructure]) -> str:
    """Sentences on how many pages are of which kind, and how many name a category."""
    pages, index = _sum(sites), sum(site.index_pages for site in sites)
    named = sum(site.categories.total() for site in sites)
    different = sum(len(site.categories) for site in sites)
    return (
        f"{plural(pages, 'page')} of {plural(len(sites), 'site')}: {count(index)} index, {count(pages - index)} content."
        f" {plural(named, 'page')} ({percent(named / pages if pages else 0)}) {'names' if named == 1 else 'name'} a category of"
        f" the site, {count(different)} different at the first level; the others are drawn in grey by the first directory of"
        " their URL. Only pages that were read whole are asked for their category."
    )


def _parts(structure: SiteStructure, site: str, room: Box, translated: Callable[[str], str | None]) -> list[Tile]:
    """The tiles of a site's largest categories and directories, and one for the others."""
    parts = [(name, pages, True) for name, pages in structure.categories.items()]
    parts += [(name, pages, False) for name, pages in structure.directories.items()]
    parts.sort(key=lambda part: (-part[1], part[0]))
    rest = sum(pages for _, pages, _ in parts[MOST_PARTS:])
    parts = parts[:MOST_PARTS] + ([(translated(OTHERS) or OTHERS, rest, False)] if rest else [])
    boxes = treemap([pages for _, pages, _ in parts], room)
    return [
        _tile(name, box, f"{site}, {one_line(name)}: {translated(plural(pages, 'page')) or pages}", known=known)
        for (name, pages, known), box in zip(parts, boxes, strict=True)
    ]


def _tile(name: str, box: Box, title: str, *, site: bool = False, known: bool = True) -> Tile:
    room = (box.width - 8) / (BOLD if site else LETTER) if box.height >= LINE else 0
    return Tile(box, one_line(name, int(room)) if room >= 3 else "", title, site, known)


def _sum(sites: Sequence[SiteStructure]) -> int:
    return sum(site.pages for site in sites)
