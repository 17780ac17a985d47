"""A crawl of a recorded web without HTTP: real reading, terms, verdicts and link scores; a heap for the frontier."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

from focuscrawl.items import Lease, Link, Page
from focuscrawl.text.segment import Segmenter
from models.link_score import SEED_SCORE, LinkScorer
from models.tunnelling import follow, next_distance
from models.vsm import TopicModel
from tests.eval.harvest.reading import ReadPage

Reader = Callable[[int], ReadPage]
Resolve = Callable[[str], int | None]


@dataclass
class Crawl:
    """What a simulated crawl did."""

    order: list[int] = field(default_factory=list)
    """Pages in the order in which they were fetched."""
    judged: dict[int, bool] = field(default_factory=dict)
    blocked: int = 0
    """Links that the tunnelling limit kept out, counted as often as they were met."""


@dataclass
class Waiting:
    """A page in the frontier."""

    score: float
    distance: int


def best_first(
    topic: TopicModel,
    segmenter: Segmenter,
    seeds: list[int],
    read: Reader,
    resolve: Resolve,
    budget: int,
    tunnel_depth: int = 3,
    learn: bool = True,
) -> Crawl:
    """Always the page with the highest score of any link to it; its distance is the least of those links'."""
    crawl, scorer, ticks = Crawl(), LinkScorer(topic, segmenter), itertools.count()
    waiting = {seed: Waiting(SEED_SCORE, 0) for seed in seeds}
    heap = [(-SEED_SCORE, next(ticks), seed) for seed in seeds]
    while heap and len(crawl.order) < budget:
        score, _, number = heapq.heappop(heap)
        if number in crawl.judged or waiting[number].score != -score:
            continue
        distance = waiting.pop(number).distance
        read_page = read(number)
        words = segmenter.terms(f"{read_page.title}\n{read_page.text}")
        verdict = topic.judge(words)
        crawl.order.append(number)
        crawl.judged[number] = verdict.relevant
        if learn:
            topic.learn(words, verdict.relevant)
        if not follow(verdict.relevant, distance, tunnel_depth):
            crawl.blocked += len(read_page.links)
            continue
        page = Page(Lease(0, 0, read_page.url), read_page.url, verdict=verdict)
        far = next_distance(verdict.relevant, distance)
        for url, anchor, context in read_page.links:
            target = resolve(url)
            if target is None or target in crawl.judged:
                continue
            link = Link(url, anchor, context)
            scorer.score(link, page)
            known = waiting.get(target)
            if known is None or link.score > known.score:
                waiting[target] = Waiting(link.score, min(far, known.distance) if known else far)
                heapq.heappush(heap, (-link.score, next(ticks), target))
            else:
                known.distance = min(known.distance, far)
    return crawl


def breadth_first(seeds: list[int], read: Reader, resolve: Resolve, budget: int) -> list[int]:
    """Pages in the order in which links to them were met."""
    order = list(dict.fromkeys(seeds))
    seen = set(order)
    for number in order:
        if len(order) >= budget:
            break
        for url, _, _ in read(number).links:
            target = resolve(url)
            if target is not None and target not in seen:
                seen.add(target)
                order.append(target)
    return order[:budget]
