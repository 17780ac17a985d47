"""All figures of a crawled web at once: what `scrapy graph`, the report and a dashboard show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from focuscrawl.graph import bow_tie, power_law
from focuscrawl.graph.citations import Citations, citations
from focuscrawl.graph.distances import Distances, distances
from focuscrawl.graph.hubs import Scores, between_hosts, hits
from focuscrawl.graph.power_law import PowerLaw
from focuscrawl.graph.web import WebGraph

SHOWN = 10
"""How many hubs, authorities and pairs of hosts are listed."""
LEAST_SCORE = 1e-4
"""Least score of a listed hub or authority, 0.01 % of all. Smaller scores are remnants of the unfinished iteration."""
POINTS = 40
"""Points of a distribution that are kept for a drawing."""
UrlsOf = Callable[[Sequence[int]], Mapping[int, str]]
"""URLs by `page_id`."""


@dataclass(slots=True, frozen=True)
class Distribution:
    """The distribution of numbers such as in-degrees."""

    mean: float
    most: int
    zero: int
    """How many are 0."""
    points: list[tuple[int, float]]
    """(value, share of all that are at least this), evenly spaced by logarithms, for a drawing."""
    law: PowerLaw | None
    """None if there are too few numbers."""


@dataclass(slots=True, frozen=True)
class Ranked:
    url: str
    score: float
    """Its share of the sum of all scores."""


@dataclass(slots=True, frozen=True)
class Shape:
    pages: int
    links: int
    """Number of ordered pairs of stored pages of which the first links to the second."""
    outside: int
    """Links to URLs that were not stored."""
    hosts: int
    sites: int
    in_degree: Distribution
    out_degree: Distribution
    """Distribution of out-degrees, including links to URLs that were not stored."""
    site_size: Distribution
    """Distribution of the number of stored pages of a registered domain."""
    parts: dict[str, int]
    """Pages in each of `bow_tie.PARTS`."""
    distances: Distances | None
    """None if no page links to another."""
    hubs: list[Ranked]
    authorities: list[Ranked]
    ranked_between_hosts: bool
    """Whether only links between hosts counted for hubs and authorities."""
    citations: Citations


def shape_of(graph: WebGraph, urls_of: UrlsOf) -> Shape:
    """All figures of a graph. Takes some minutes and 1 GB for a million pages with ten million links."""
    crossing = between_hosts(graph)
    hubs, authorities = hits(graph.links if crossing is None else crossing)
    return Shape(
        pages=graph.size,
        links=int(graph.links.nnz),
        outside=int(graph.outside.sum()),
        hosts=len(graph.host_names),
        sites=len(graph.site_names),
        in_degree=distribution(graph.in_degrees),
        out_degree=distribution(graph.out_degrees),
        site_size=distribution(np.bincount(graph.sites) if graph.size else np.empty(0, np.int64)),
        parts=bow_tie.sizes(bow_tie.parts(graph)),
        distances=distances(graph),
        hubs=_ranked(graph, hubs, urls_of),
        authorities=_ranked(graph, authorities, urls_of),
        ranked_between_hosts=crossing is not None,
        citations=citations(graph, SHOWN),
    )


def distribution(values: npt.NDArray[np.integer]) -> Distribution:
    """The distribution of whole numbers, of which none is negative."""
    if not len(values):
        return Distribution(0.0, 0, 0, [], None)
    points, counts = np.unique(values[values > 0], return_counts=True)
    shares = np.cumsum(counts[::-1])[::-1] / len(values)
    spread = np.geomspace(1, points[-1], POINTS) if len(points) else np.empty(0)
    wanted = np.unique(np.searchsorted(points, spread - 1e-6))
    return Distribution(
        mean=float(values.mean()),
        most=int(values.max()),
        zero=int((values == 0).sum()),
        points=[(int(points[place]), float(shares[place])) for place in wanted],
        law=power_law.fit(values),
    )


def _ranked(graph: WebGraph, scores: Scores, urls_of: UrlsOf) -> list[Ranked]:
    best = np.argsort(-scores, kind="stable")[:SHOWN]
    best = best[scores[best] >= LEAST_SCORE]
    page_ids = graph.page_ids[best].tolist()
    urls = urls_of(page_ids)
    return [Ranked(urls.get(page_id, ""), float(score)) for page_id, score in zip(page_ids, scores[best], strict=True)]
