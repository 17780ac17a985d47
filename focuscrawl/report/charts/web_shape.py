"""Shows the shape of the crawled web: as tables on a terminal, as plain values for JSON, and as drawings in the report."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from focuscrawl.report.plain import count, percent, plural
from focuscrawl.report.table import Column, Table
from focuscrawl.url.readable import readable, readable_host

if TYPE_CHECKING:
    from focuscrawl.graph.shape import Distribution, Ranked, Shape

PART_NAMES = {
    "core": "core",
    "in": "IN",
    "out": "OUT",
    "tubes": "tubes",
    "tendrils": "tendrils",
    "disconnected": "disconnected",
}
"""The names of the literature (Broder and others 2000)."""
PART_WORDS = {
    "core": "all reach each other",
    "in": "lead to the core",
    "out": "the core leads to them",
    "tubes": "on ways past the core",
    "tendrils": "hang on the others",
    "disconnected": "not connected with the core",
}


def shape_parts(shape: Shape, name: str) -> list[str | Table]:
    """What `report.table.show` prints."""
    if not shape.pages:
        return [f"Crawl {name} has no page yet."]
    parts: list[str | Table] = [_figures(shape, name), _laws(shape), _bow_tie(shape)]
    parts += [_ranked(title, shape, rows) for title, rows in (("Hubs", shape.hubs), ("Authorities", shape.authorities)) if rows]
    if shape.citations.strongest:
        parts.append(_citations(shape))
    return parts


def as_json(shape: Shape, name: str) -> dict[str, object]:
    """The shape as plain values, for programs."""
    values = asdict(shape)
    for key in ("in_degree", "out_degree", "site_size"):
        law = getattr(shape, key).law
        if law:
            values[key]["law"]["plausible"] = law.plausible
    return {"crawl": name, **values}


def distances_in_words(shape: Shape) -> str:
    """Mean distance and diameter, with the mean distance that the law of 1999 expects."""
    found = shape.distances
    if found is None:
        return "no page links to another"
    mean = f"{found.mean:.2f}" + ("" if found.exact else f" ± {found.error:.1g}")
    longest = f"the longest way {'' if found.exact else 'at least '}{found.longest}"
    sampled = "" if found.exact else f" (from {plural(found.starts, 'page')} drawn at random)"
    return (
        f"{mean} clicks between two pages, {longest}{sampled}; 0.35 + 2.06 log10 n expects {found.expected:.2f};"
        f" {percent(found.connected)} of the pairs are connected"
    )


def law_in_words(distribution: Distribution) -> str:
    """Whether the distribution is a power law, in words."""
    law = distribution.law
    if law is None:
        return "too few different values to say"
    if law.too_steep:
        return "no power law: it falls off faster"
    fitted = f"exponent {law.alpha:.2f} ± {law.error:.2f} from {count(law.xmin)} on ({count(law.tail)} values)"
    if law.plausible:
        return f"power law, {fitted}, p {law.p:.2f}"
    return f"no power law (p {law.p:.2f}); the nearest has {fitted}"


def distributions(shape: Shape) -> list[tuple[str, Distribution]]:
    """The distributions that are shown, with their names."""
    return [("in-degree", shape.in_degree), ("out-degree", shape.out_degree), ("pages of a site", shape.site_size)]


def _figures(shape: Shape, name: str) -> Table:
    cited = shape.citations
    rows = [
        ("pages", f"{count(shape.pages)} of {plural(shape.hosts, 'host')}, {plural(shape.sites, 'site')}"),
        ("links", f"{count(shape.links)} between them, {count(shape.outside)} to URLs that were not stored"),
        ("distance", distances_in_words(shape)),
        ("hosts", f"{count(cited.links)} links between hosts; {plural(cited.mutual, 'pair')} cite each other"),
    ]
    return Table([Column("", ours=True), Column("", ours=True)], rows, f"Web of {name}")


def _laws(shape: Shape) -> Table:
    rows = [
        (title, f"{found.mean:.1f}", count(found.most), count(found.zero), law_in_words(found))
        for title, found in distributions(shape)
    ]
    numbers = [Column(name, True) for name in ("mean", "most", "of them 0")]
    columns = [Column("", ours=True), *numbers, Column("power law", ours=True)]
    return Table(columns, rows, "Degrees and sizes")


def _bow_tie(shape: Shape) -> Table:
    parts = shape.parts.items()
    rows = [(PART_NAMES[part], count(size), percent(size / shape.pages), PART_WORDS[part]) for part, size in parts]
    columns = [Column("part", ours=True), Column("pages", True), Column("share", True), Column("", ours=True)]
    return Table(columns, rows, "Bow tie")


def _ranked(title: str, shape: Shape, rows: Sequence[Ranked]) -> Table:
    by = "links between hosts" if shape.ranked_between_hosts else "all links"
    cells = [(percent(row.score), readable(row.url)) for row in rows]
    return Table([Column("share", True), Column("page")], cells, f"{title} (by {by})")


def _citations(shape: Shape) -> Table:
    rows = [
        (readable_host(pair.host), readable_host(pair.other), count(pair.links), count(pair.back))
        for pair in shape.citations.strongest
    ]
    columns = [Column("host"), Column("and"), Column("links", True), Column("back", True)]
    return Table(columns, rows, "Hosts that cite each other")


@dataclass(slots=True, frozen=True)
class Area:
    """The circle of a part of the bow tie. Its area is proportional to the part's pages."""

    part: str
    pages: int
    x: float
    y: float
    radius: float
    label: float
    """y of its name, which is below it."""
    words: float
    """y of its description, which is below the name."""


@dataclass(slots=True, frozen=True)
class BowTie:
    width: int
    height: int
    areas: list[Area]
    flows: list[tuple[float, float, float]]
    """Arrows in the direction of links: x1, x2, y."""


@dataclass(slots=True, frozen=True)
class DistributionCurve:
    """A distribution on logarithmic axes: for each value the share of all that are at least as large."""

    title: str
    words: str
    points: list[tuple[float, float]]
    law: tuple[float, float, float, float] | None
    """The line of a plausible law: x1, y1, x2, y2."""
    x_ticks: list[tuple[float, str]]
    y_ticks: list[tuple[float, str]]


TIE_WIDTH = 560
"""Width of the drawing of the bow tie, if there is room."""
COLUMNS = (92.0, 280.0, 468.0)
"""x of the centers of its circles."""
PLOT = (240, 190)
"""Width and height of the plot of a distribution."""
LEFT, RIGHT, TOP, BOTTOM = 44, 14, 8, 24
"""Margins of a plot."""
LARGEST, LEAST = 66.0, 3.0
"""Radius of the circle of a part with all pages, and of one with hardly any."""


def bow_tie(shape: Shape, width: int = TIE_WIDTH) -> BowTie:
    """The drawing: `in`, core and `out` in the upper row, along which links lead, and the other parts below if they have pages.
    In a narrower drawing the circles shrink, but the words keep their size."""
    scale = width / TIE_WIDTH
    lower = 0 if scale == 1 else 16  # so that the words in the middle do not overlap those beside them
    row_height = 48 + lower + 2 * LARGEST * scale
    rows = [("in", "core", "out"), ("tendrils", "tubes", "disconnected")]
    shown = rows if any(shape.parts[part] for part in rows[1]) else rows[:1]
    areas = [
        _area(part, shape, x * scale, row_height * row, LARGEST * scale, lower if x == COLUMNS[1] else 0)
        for row, parts in enumerate(shown)
        for part, x in zip(parts, COLUMNS, strict=True)
    ]
    flows = [
        (one.x + one.radius + 8, other.x - other.radius - 8, one.y)
        for one, other in pairwise(areas[:3])
        if one.pages and other.pages
    ]
    return BowTie(width, round(row_height * len(shown)), areas, flows)


def _area(part: str, shape: Shape, x: float, top: float, largest: float, lower: float) -> Area:
    """The circle of a part. `largest`: radius for all pages. `lower`: by how much its words are moved down."""
    pages = shape.parts[part]
    radius = max(LEAST, largest * math.sqrt(pages / shape.pages)) if pages else 0.0
    label = top + 2 * largest + 24
    return Area(part, pages, x, top + largest + 4, radius, label, label + 16 + lower)


def curves(shape: Shape) -> list[DistributionCurve]:
    """The drawings of those `distributions` that have enough different values."""
    return [_curve(title, found) for title, found in distributions(shape) if len(found.points) > 2]


def _curve(title: str, distribution: Distribution) -> DistributionCurve:
    decades = max(1, math.ceil(math.log10(distribution.points[-1][0])))
    lowest = math.floor(math.log10(distribution.points[-1][1]))

    def x(value: float) -> float:
        return LEFT + (PLOT[0] - LEFT - RIGHT) * math.log10(value) / decades

    def y(share: float) -> float:
        return TOP + (PLOT[1] - TOP - BOTTOM) * math.log10(share) / lowest

    line = None
    if distribution.law and distribution.law.plausible:
        # The line begins on the curve at xmin, and ends at the last value or where it leaves the plot at the bottom.
        last = distribution.points[-1][0]
        begin = next(share for value, share in distribution.points if value >= distribution.law.xmin)
        end = max(begin * (last / distribution.law.xmin) ** (1 - distribution.law.alpha), 10.0**lowest)
        reached = distribution.law.xmin * (end / begin) ** (1 / (1 - distribution.law.alpha))
        line = (x(distribution.law.xmin), y(begin), x(reached), y(end))
    step = max(1, -lowest // 4 + (-lowest % 4 > 0))
    return DistributionCurve(
        title,
        law_in_words(distribution),
        [(x(value), y(share)) for value, share in distribution.points],
        line,
        [(x(10**power), f"{10**power:,}") for power in range(0, decades + 1, 1 if decades < 4 else 2)],
        [(y(10.0**-power), f"{100 * 10.0**-power:g} %") for power in range(0, -lowest + 1, step)],
    )
