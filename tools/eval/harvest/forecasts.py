"""Checks the forecast of `focuscrawl.frontier.forecast` on replayed crawls: compares each forecast with what came after it.

    python -m tools.eval.harvest.forecasts [--web dev dev-en] [--cache FOLDER]

Every topic of the recorded webs is crawled in the default order for 1 200 fetches, once from its examples and once from its
keywords; without recorded webs, the topics of the synthetic exam are. Relevance is the crawl's own verdict. Every STEP fetches
the forecast says how many relevant pages the next hundred fetches should bring and how many are left. The program prints, for
the tables in `focuscrawl/frontier/forecast.py`, what came for each range of forecasts; and what FRONTIER_STOP_YIELD would
have saved and lost.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean, quantiles
from tempfile import gettempdir

from focuscrawl.crawl.stopping import BEST_WAITING, JUDGED_PAGES
from focuscrawl.frontier.forecast import HUNDRED, LEAST, MOST_WAITING, raw_estimates
from focuscrawl.frontier.stop_rules import StopRules, StopWatch
from focuscrawl.inspect.replay import Replay, model_judge
from focuscrawl.text.segment import RememberingSegmenter
from focuscrawl.url.scope import Scope
from models.link.link_score import LinkScorer
from models.link.tunnelling import LearnedTunnelling
from models.order.learned import LearnedOrder
from models.order.protocol import OrderContext
from models.page.page_model import PAGE_MODELS, make
from models.topic.vsm import TopicModel
from tools.eval.harvest.reading import ReadPage, ReadWeb, read_web
from tools.eval.harvest.recorded import RecordedWeb, missing
from tools.eval.harvest.replay import HOST_SHARE, OpenRules, TopicWeb
from tools.eval.harvest.synthetic import TOPICS, Exam

FETCHES, STEP, IN_FLIGHT = 1200, 25, 8
NEXT_BOUNDS = (0, 1, 3, 7, 15, 30, 50, 75, 90, 101)
LEFT_BOUNDS = (0, 1, 5, 15, 30, 60, 120, 250, 600, 1001)
LIMIT = 0.05
"""The value of FRONTIER_STOP_YIELD that is tried."""


@dataclass
class Crawled:
    """One replay: for each fetch its priority, whether its page was relevant, and whether a link led to it (else it was a
    seed); and the best waiting priorities by the number of fetches before."""

    name: str
    fetches: list[tuple[float, bool, bool]]
    waiting: dict[int, list[float]]


def crawled(name: str, web: TopicWeb, topic: TopicModel) -> Crawled:
    order = LearnedOrder(OrderContext(topic, LinkScorer(topic, web.segmenter), web.segmenter, web.seeds))
    judge, tunnelling = model_judge(make(PAGE_MODELS[0], topic), web.segmenter), LearnedTunnelling(0)
    rules = OpenRules(Scope(), focused=True, tunnelling=tunnelling)
    replay = Replay(web, order, judge, FETCHES, tunnelling, IN_FLIGHT, HOST_SHARE, rules)
    found = Crawled(name, [], {})
    for number, fetch in enumerate(replay, 1):
        found.fetches.append((fetch.lease.priority, fetch.verdict.relevant, fetch.lease.depth > 0))
        if number % STEP == 0:
            found.waiting[number] = replay.frontier.best(MOST_WAITING)
    return found


def recorded(names: Sequence[str], cache: Path) -> Iterator[Crawled]:
    """Two replays of each topic of the recorded webs."""
    for name in names:
        web = RecordedWeb(name, cache, FETCHES)
        pages = read_web(web.path, web.cache)

        def read(number: int, web: RecordedWeb = web, pages: ReadWeb = pages) -> ReadPage:
            return pages.page(web.graph.urls[number])

        for topic in web.topics:
            truth = web.truth(topic)
            segmenter = RememberingSegmenter(truth.keywords)
            site = TopicWeb(read, web.page_of, [web.graph.urls[seed] for seed in truth.seeds], segmenter)
            texts = [(page.url, page.whole) for page in map(read, truth.examples)]
            yield crawled(f"{topic}, examples", site, TopicModel.fit(segmenter, texts, truth.keywords))
            yield crawled(f"{topic}, keywords", site, TopicModel.fit(segmenter, keywords=truth.keywords))


def synthetic() -> Iterator[Crawled]:
    """One replay of each topic of the synthetic exam."""
    for name in TOPICS:
        exam = Exam(name)
        yield crawled(name, exam.pages, TopicModel.fit(exam.pages.segmenter, keywords=exam.keywords))


def came(crawls: Sequence[Crawled]) -> Iterator[tuple[float, float, int, int]]:
    """For each forecast: relevant pages forecast among the next hundred, forecast to be left, found among the next hundred, and
    found until the end."""
    for each in crawls:
        relevant = [hit for _, hit, _ in each.fetches]
        for number, best in each.waiting.items():
            led = [(priority, hit) for priority, hit, by_link in each.fetches[:number] if by_link]
            if len(led) >= LEAST and number + HUNDRED <= len(relevant):
                soon, left = raw_estimates(led, best)
                yield soon, left, sum(relevant[number : number + HUNDRED]), sum(relevant[number:])


def print_table(title: str, pairs: Sequence[tuple[float, int]], bounds: Sequence[float]) -> None:
    print(f"\n{title}\n reckoned  times   mean  came: quartiles  mean")
    for low, high in pairwise(bounds):
        rows = [pair for pair in pairs if low <= pair[0] < high]
        if len(rows) > 1:
            first, middle, third = quantiles([came for _, came in rows], method="inclusive")
            means = fmean(forecast for forecast, _ in rows), fmean(came for _, came in rows)
            print(f"{low:>4}-{high:<4}{len(rows):>7}{means[0]:>7.1f}{first:>8.0f}{middle:>5.0f}{third:>5.0f}{means[1]:>7.1f}")


def print_stops(crawls: Sequence[Crawled]) -> None:
    """Print how many fetches stopping would have saved and how many relevant pages it would have lost."""
    saved = lost = 0
    for each in crawls:
        end = stopped_at(each)
        saved += len(each.fetches) - end
        lost += sum(hit for _, hit, _ in each.fetches[end:])
    fetches, relevant = sum(len(each.fetches) for each in crawls), sum(hit for each in crawls for _, hit, _ in each.fetches)
    print(f"\nFRONTIER_STOP_YIELD={LIMIT}: saves {saved} of {fetches} fetches, loses {lost} of {relevant} relevant pages")


def stopped_at(crawl: Crawled) -> int:
    watch = StopWatch(StopRules(expected_yield=LIMIT, edge=0))
    for number, (priority, hit, by_link) in enumerate(crawl.fetches, 1):
        watch.record(priority, hit, given=not by_link)
        if number % JUDGED_PAGES == 0 and watch.look(crawl.waiting[number][:BEST_WAITING]):
            return number
    return len(crawl.fetches)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.eval.harvest.forecasts", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--web", nargs="+", default=["dev", "dev-en"], help="names of recorded webs, or files")
    parser.add_argument("--cache", type=Path, default=Path(gettempdir()) / "focuscrawl-harvest")
    options = parser.parse_args(arguments)
    options.cache.mkdir(parents=True, exist_ok=True)
    crawls = []
    for each in synthetic() if missing() else recorded(options.web, options.cache):
        crawls.append(each)
        print(f"{each.name}: {sum(hit for _, hit, _ in each.fetches)} relevant", file=sys.stderr, flush=True)
    rows = list(came(crawls))
    print_table("relevant pages among the next hundred", [(soon, hits) for soon, _, hits, _ in rows], NEXT_BOUNDS)
    print_table("relevant pages left", [(left, hits) for _, left, _, hits in rows], LEFT_BOUNDS)
    print_stops(crawls)
    return 0


if __name__ == "__main__":
    sys.exit(main())
