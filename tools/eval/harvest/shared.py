"""Pairs of topics in one crawl of a recorded web, against two crawls: `python -m tools.eval.harvest.shared`.

All crawls begin at the seeds of both topics. Columns: pages relevant to either, over the first fetches, as an area (1: all
of them first). `two crawls`: each topic alone, their fetches by turns, a page that both fetch found once and paid twice.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, zip_longest
from math import prod
from pathlib import Path

from focuscrawl.inspect.replay import Replay, ReplayedPage
from focuscrawl.items import Page, Verdict
from focuscrawl.report.charts.curve import area, found_curve
from focuscrawl.store.pages.verdicts import best_of
from focuscrawl.text.segment import RememberingSegmenter
from focuscrawl.url.scope import Scope
from models.link.link_score import LinkScorer
from models.link.tunnelling import LearnedTunnelling
from models.order.combined import Combined, merged
from models.order.protocol import Change, Order, OrderContext
from models.topic.vsm import TopicModel
from tools.eval.harvest.measure import opened
from tools.eval.harvest.reading import ReadPage
from tools.eval.harvest.recorded import Truth, missing
from tools.eval.harvest.replay import OpenRules, TopicWeb, maker

PAIRS = {
    "dev": ("java,xml", "crypto,macro", "ops,distributed", "calc,invest"),
    "dev-en": ("dns,git", "distcomp,webframework", "sqldb,testing", "xml,dns"),
}


def mean(values: Iterable[float]) -> float:
    """The average of the topics' priorities: what a link that only one of them wants loses by it is to be seen."""
    found = tuple(values)
    return sum(found) / len(found)


def larger(values: Iterable[float]) -> float:
    return max(values)


def chances(values: Iterable[float]) -> float:
    """Scores as independent chances: that of at least one."""
    return 1.0 - prod(1.0 - min(1.0, max(0.0, value)) for value in values)


MERGES: dict[str, Callable[[Iterable[float]], float]] = {
    "norm 4": merged,
    "norm 2": partial(merged, norm=2.0),
    "norm 8": partial(merged, norm=8.0),
    "larger": larger,
    "chances": chances,
    "mean": mean,
}


@dataclass
class _Judged:
    """A focused order that is told the verdicts for all topics, as a crawl's pages carry them."""

    order: Order
    verdicts: dict[str, dict[str, Verdict]]
    focused: bool = True

    def see(self, page: Page) -> None:
        page.verdicts = self.verdicts[page.url]
        self.order.see(page)

    def changes(self) -> list[Change]:
        return self.order.changes()


def crawl(
    web: TopicWeb, topics: dict[str, TopicModel], strategy: str, merge: Callable[[Iterable[float]], float], budget: int
) -> list[int]:
    """Pages in the order of their fetches, by one crawl for all of `topics`."""
    verdicts: dict[str, dict[str, Verdict]] = {}

    def judge(_: int, content: ReplayedPage) -> Verdict:
        found = verdicts[content.url] = {name: topic.judge(content.words) for name, topic in topics.items()}
        for name, topic in topics.items():
            topic.learn(content.words, found[name].relevant)
        return best_of(found)

    def order_of(topic: TopicModel) -> Order:
        scorer = LinkScorer(topic, web.segmenter)
        return maker(strategy)(OrderContext(topic, scorer, web.segmenter, web.seeds, topics=len(topics)))

    order = Combined({name: order_of(topic) for name, topic in topics.items()}, merge=merge)
    tunnelling = LearnedTunnelling()
    rules = OpenRules(Scope(), tunnelling=tunnelling)
    replay = Replay(web, _Judged(order, verdicts), judge, budget, tunnelling, rules=rules)
    return [fetch.number for fetch in replay]


def measure(name: str, pair: Sequence[str], options: argparse.Namespace) -> dict[str, float]:
    """Areas by column; `in both`: share of the relevant pages that are relevant to both."""
    recorded, pages = opened(name, options)
    truths = [recorded.truth(topic) for topic in pair]

    def read(number: int) -> ReadPage:
        return pages.page(recorded.graph.urls[number])

    seeds = dict.fromkeys(recorded.graph.urls[seed] for truth in truths for seed in truth.seeds)
    segmenter = RememberingSegmenter([word for truth in truths for word in truth.keywords])
    web = TopicWeb(read, recorded.page_of, list(seeds), segmenter)

    def model(truth: Truth) -> TopicModel:
        texts = [(page.url, page.whole) for page in map(read, truth.examples)]
        return TopicModel.fit(segmenter, texts, truth.keywords)

    wanted = set(chain.from_iterable(truth.relevant for truth in truths))
    both = set(truths[0].relevant) & set(truths[1].relevant)
    row = {"in both": len(both) / len(wanted)}
    for column in options.merges.split(","):
        merge = MERGES[column]
        order = crawl(web, {truth.topic: model(truth) for truth in truths}, options.strategy, merge, options.budget)
        row[column] = _area(order, wanted, options.budget)
    alone = [crawl(web, {truth.topic: model(truth)}, options.strategy, merged, options.budget // 2) for truth in truths]
    turns = [number for step in zip_longest(*alone) for number in step if number is not None]
    row["two crawls"] = _area(
        [number if at == turns.index(number) else -1 for at, number in enumerate(turns)], wanted, options.budget
    )
    return row


def _area(order: Sequence[int], wanted: set[int], budget: int) -> float:
    return area(found_curve(number in wanted for number in order), len(wanted), budget)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.eval.harvest.shared", description=__doc__)
    parser.add_argument("--web", nargs="+", default=["dev", "dev-en"])
    parser.add_argument("--strategy", default="best-first")
    parser.add_argument("--merges", default=",".join(MERGES), help="only these ways, comma-separated")
    parser.add_argument("--budget", type=int, default=3000)
    parser.add_argument("--cache", type=Path, required=True)
    options = parser.parse_args(arguments)
    if reason := missing():
        print(reason)
        return 0
    rows = []
    for name in options.web:
        for pair in PAIRS[name]:
            rows.append(measure(name, pair.split(","), options))
            print(f"{name} {pair}: " + "  ".join(f"{column} {value:.3f}" for column, value in rows[-1].items()), flush=True)
    print("mean: " + "  ".join(f"{column} {sum(row[column] for row in rows) / len(rows):.3f}" for column in rows[0]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
