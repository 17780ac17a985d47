"""One topic of a recorded web: areas and curves of all strategies asked for."""

from __future__ import annotations

import random
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from focuscrawl.crawl.link_rules import LinkRules
from focuscrawl.frontier.patience import patience
from focuscrawl.report.charts.curve import area, area_span, found_curve
from focuscrawl.text.segment import RememberingSegmenter
from models.link.tunnelling import make_tunnelling
from models.topic.vsm import TopicModel
from tools.eval.harvest.reading import ReadPage, ReadWeb, read_web
from tools.eval.harvest.recorded import ALL_REFERENCES, REFERENCES, RecordedWeb, Truth, keywords_in
from tools.eval.harvest.references import STEP, complete, curves
from tools.eval.harvest.replay import Crawl, OpenRules, TopicWeb, crawl, feature_groups, known_strategies, maker

LEARNING = frozenset({"learned"})
"""Strategies that learn from their own fetches, so that one page early or late changes all that follows …"""
JITTER = 0.05
"""… and if a topic is crawled more than once, their link scores are off by about this share (`JitteredScorer`). An order that
was chosen by single crawls has been lucky on the webs of that choice; the mean of such crawls has not."""
EARLY = (100, 250)
"""Fetches after which the harvest is told; multiples of STEP."""
Row = dict[str, Any]

_webs: dict[tuple[str, Path, int], tuple[RecordedWeb, ReadWeb]] = {}


@dataclass(frozen=True)
class Job:
    """One topic on one web."""

    web: str
    topic: str
    options: Namespace


def opened(name: str, options: Namespace) -> tuple[RecordedWeb, ReadWeb]:
    """A web and its read pages, once a process."""
    key = (name, options.cache, options.budget)
    if key not in _webs:
        web = RecordedWeb(name, options.cache, options.budget)
        _webs[key] = (web, read_web(web.path, web.cache))
    return _webs[key]


def measure(job: Job) -> Row:
    """The topic's row: `areas` and `curves` (every STEP fetches) by column, means over random seeds; `runs` holds each run.

    Columns are strategies, `strategy -group` for an ablation, and references."""
    web, pages = opened(job.web, job.options)
    complete(web, job.topic, references_of(job.options))
    truth = web.truth(job.topic)
    runs = list(_runs(web, pages, truth, job.options))
    row: Row = {"web": web.path.stem, "topic": job.topic, "title": truth.title, "relevant": len(truth.relevant), "runs": runs}
    row["reachable"], row["areas"], row["curves"] = truth.reachable, {}, {}
    for column in dict.fromkeys(run["column"] for run in runs):
        mine = [run for run in runs if run["column"] == column]
        row["areas"][column] = sum(run["area"] for run in mine) / len(mine)
        row["curves"][column] = [sum(points) / len(mine) for points in zip(*(run.pop("found") for run in mine), strict=True)]
    row["areas"] |= truth.areas
    row["curves"] |= curves(web.cache, web.name, job.topic, web.budget)
    return row


def references_of(options: Namespace) -> Sequence[str]:
    """The reference strategies to run."""
    if options.references:
        return [name for name in options.references.split(",") if name != "none"]
    return REFERENCES if options.quick else ALL_REFERENCES


def _runs(web: RecordedWeb, pages: ReadWeb, truth: Truth, options: Namespace) -> Iterator[Row]:
    def read(number: int) -> ReadPage:
        return pages.page(web.graph.urls[number])

    keywords = keywords_in(options.keyword_file).get(truth.topic, truth.keywords)[: options.keywords]
    answers = web.has_host if options.dead_links else None
    site = TopicWeb(read, web.page_of, (), RememberingSegmenter(keywords), answers)
    budget = min(options.budget, truth.reachable)
    fetches = min(budget, area_span(len(truth.relevant), budget) + len(truth.examples)) if options.short else budget
    wanted = len(truth.examples) if options.examples is None else options.examples
    for draw in range(options.seeds):
        drawn = drawn_examples(truth, wanted, draw)
        given = drawn.examples[:wanted]
        site.seeds = [web.graph.urls[page] for page in (*truth.seeds, *(given if options.fetch_examples else ()))]
        texts = [("" if options.example_files else page.url, page.whole) for page in map(read, given)]
        for name, without in variants(options):
            if draw and name not in LEARNING and wanted in (0, len(truth.examples)):
                continue
            topic = TopicModel.fit(site.segmenter, texts, keywords, threshold=options.threshold)
            make = maker(name, without=frozenset({without})) if without else maker(name)
            jitter = JITTER if options.seeds > 1 and name in LEARNING else 0.0
            tunnelling = make_tunnelling(options.tunnelling, options.tunnel_depth, draw)
            done = crawl(
                site, make, topic, fetches,
                model=options.model, random_seed=draw, tunnelling=tunnelling, in_flight=options.in_flight,
                patience=patience(options.budget, options.patience),
                host_share=options.host_share, barren_share=options.barren_share,
                rules=LinkRules if options.dead_links else OpenRules, jitter=jitter,
            )  # fmt: skip
            yield _row(f"{name} -{without}" if without else name, draw, done, drawn, budget, fetches)


def variants(options: Namespace) -> list[tuple[str, str]]:
    """(strategy, group of features that it does without)."""
    wanted = options.strategies.split(",") if options.strategies else known_strategies()
    groups = groups_of(options.ablation)
    return [(name, "") for name in wanted] + [(name, group) for name in wanted if name in LEARNING for group in groups]


def groups_of(ablation: str | None) -> list[str]:
    """The groups of features to leave out one by one: those named, or all that the learned strategy has."""
    if ablation is None:
        return []
    return ablation.split(",") if ablation else feature_groups()


def drawn_examples(truth: Truth, wanted: int, draw: int) -> Truth:
    """The truth with other examples: draw 0 takes the first, later ones take any; more than there are come from the
    relevant pages, and are then not looked for."""
    rng, examples = random.Random(f"{truth.topic}{draw}"), list(truth.examples)
    if wanted > len(examples):
        rest = wanted - len(examples)
        examples += sorted(rng.sample(truth.relevant, min(rest, len(truth.relevant) // 4)))
    elif draw:
        rng.shuffle(examples)
    taken = set(examples)
    return replace(truth, examples=examples, relevant=[page for page in truth.relevant if page not in taken])


def _row(column: str, draw: int, done: Crawl, truth: Truth, budget: int, fetches: int) -> Row:
    relevant, examples = set(truth.relevant), set(truth.examples)
    found = found_curve(page in relevant for page in done.order if page not in examples)
    precision, recall = verdicts(done, relevant, examples)
    whole = [*found, *[found[-1] if found else 0] * (fetches - len(found))]
    return {
        "column": column,
        "seed": draw,
        "area": area(found, len(relevant), budget),
        "found": whole[STEP - 1 :: STEP],
        "harvest": {str(pages): whole[pages - 1] / pages for pages in EARLY if pages <= len(whole)},
        "precision": precision,
        "recall": recall,
        "fetched": len(done.order),
        "ms_per_page": 1000 * done.seconds / max(1, len(done.order)),
        "tunnel": done.tally.tunnel,
        "moved": done.tally.moved,
        "dead": done.tally.dead,
    }


def verdicts(done: Crawl, relevant: set[int], examples: set[int]) -> tuple[float, float]:
    """Precision and recall of the model's verdicts over fetched pages, examples left out."""
    called = {page for page, verdict in done.judged.items() if verdict} - examples
    there = relevant & set(done.order)
    hits = len(called & there)
    return hits / max(1, len(called)), hits / max(1, len(there))
