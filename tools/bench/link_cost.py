"""What choosing the next link costs on real pages: microseconds a link and a page, by strategy, and its share of a page.

    python -m tools.bench.link_cost [--pages 600] [--rounds 3] [--strategies A,B] [--cache DIR]

All strategies are shown the same pages, those that best-first fetches on a recorded web (the synthetic web where there is
none), in interleaved rounds; times are medians over the rounds. What a page costs is told by pages of which no link is
scored; the rest is the links'. The share is that of the time for reading, cutting, judging and packing the page together
with the strategy's own; network, WARC and database come on top of it.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from time import process_time

from focuscrawl.dedup.simhash import simhash64
from focuscrawl.items import Link, Page
from focuscrawl.reading.page import read_page
from focuscrawl.store.pages.links import decode, encode
from focuscrawl.text.segment import Segmenter
from models.link.link_score import LinkScorer
from models.order.protocol import Change, Order, OrderContext
from models.order.strategies import STRATEGIES, make_order
from models.topic.vsm import TopicModel
from tools.eval.harvest.reading import read_web
from tools.eval.harvest.recorded import RecordedWeb, missing
from tools.eval.harvest.replay import TopicWeb, crawl
from tools.eval.harvest.synthetic import Exam
from tools.eval.webs.recorded import WEBS

TOPICS = {"dev": "java", "dev-en": "xml"}


@dataclass
class Sample:
    """Pages of one crawl, and what the orders are made with."""

    name: str
    keywords: list[str]
    seeds: Sequence[str]
    pages: list[Page]
    packed: list[bytes]
    """The pages' links: each round unpacks its own."""
    bodies: list[tuple[bytes, str]]

    def links(self, number: int) -> list[Link]:
        """Fresh ones, with what refused them."""
        return decode(self.packed[number])


class Recorder:
    """Best-first that keeps what it was shown."""

    def __init__(self, order: Order) -> None:
        self.focused = order.focused
        self._order = order
        self.pages: list[Page] = []
        self.packed: list[bytes] = []

    def see(self, page: Page) -> None:
        self.packed.append(encode(page.links))
        self._order.see(page)
        self.pages.append(replace(page, links=[]))

    def changes(self) -> list[Change]:
        return self._order.changes()


def recorded(name: str, count: int, cache: Path) -> Sample:
    """From a recorded web."""
    web = RecordedWeb(name, cache, 3000)
    pages, truth = read_web(web.path, cache), web.truth(TOPICS[name])
    urls = web.graph.urls
    seeds, segmenter = [urls[seed] for seed in truth.seeds], Segmenter(truth.keywords)
    site = TopicWeb(lambda number: pages.page(urls[number]), web.page_of, seeds, segmenter)
    sample = _sample(name, truth.keywords, site, count)
    for page in sample.pages:
        body, headers = web.graph.web.db.execute("select body, headers from page where url=?", (page.url,)).fetchone()
        sample.bodies.append((zlib.decompress(body), "text/html" if "html" in headers else ""))
    return sample


def synthetic(count: int) -> Sample:
    """From the web that travels with the project."""
    exam = Exam("astronomy")
    sample = _sample("synthetic", exam.keywords, TopicWeb(exam.read, exam.resolve, exam.seeds, Segmenter(exam.keywords)), count)
    sample.bodies = [exam.body(page.url) for page in sample.pages]
    return sample


def _sample(name: str, keywords: list[str], web: TopicWeb, count: int) -> Sample:
    recorders: list[Recorder] = []

    def make(context: OrderContext) -> Order:
        recorders.append(Recorder(make_order("best-first", context)))
        return recorders[0]

    crawl(web, make, TopicModel.fit(web.segmenter, keywords=keywords), count)
    return Sample(name, keywords, web.seeds, recorders[0].pages, recorders[0].packed, [])


def shown(sample: Sample, name: str) -> list[float]:
    """Seconds of each page under a fresh order."""
    segmenter = Segmenter(sample.keywords)
    topic = TopicModel.fit(segmenter, keywords=sample.keywords)
    order = make_order(name, OrderContext(topic, LinkScorer(topic, segmenter), segmenter, sample.seeds))
    times = []
    gc.collect()
    for number, page in enumerate(sample.pages):
        page.links = sample.links(number)
        start = process_time()
        order.see(page)
        order.changes()
        times.append(process_time() - start)
        page.links = []
        topic.learn(page.words, bool(page.verdict and page.verdict.relevant))
    return times


def handled(sample: Sample) -> float:
    """Seconds a page of everything else that is done to it before it is committed."""
    segmenter = Segmenter(sample.keywords)
    topic = TopicModel.fit(segmenter, keywords=sample.keywords)
    start = process_time()
    for page, (body, content_type) in zip(sample.pages, sample.bodies, strict=True):
        read = read_page(body, content_type, page.url)
        words = segmenter.terms(read.whole)
        simhash64(words)
        topic.learn(words, topic.judge(words).relevant)
        encode(read.links)
    return (process_time() - start) / len(sample.pages)


def divided(links: Sequence[int], times: Sequence[float]) -> tuple[float, float]:
    """Seconds (a page, a link): pages without a link to score show what a page costs, the rest is the links'."""
    bare = [seconds for count, seconds in zip(links, times, strict=True) if not count]
    page = median(bare) if bare else 0.0
    return page, (sum(times) - page * len(times)) / max(1, sum(links))


def measure(sample: Sample, names: Sequence[str], rounds: int) -> None:
    """Print the table of one web."""
    runs: dict[str, list[list[float]]] = {name: [] for name in names}
    rest = []
    for _ in range(rounds):
        rest.append(handled(sample))
        for name in names:
            runs[name].append(shown(sample, name))
    links = [sum(not link.refused for link in sample.links(number)) for number in range(len(sample.pages))]
    other, base = median(rest), 0.0
    count = len(sample.pages)
    scored = sum(links) / count
    print(f"{sample.name}: {count} pages, {scored:.0f} links a page that are scored, {1000 * other:.2f} ms a page otherwise")
    print(f"  {'strategy':15}{'us a link':>10}{'us a page':>11}{'ms in all':>11}{'share':>8}{'to best-first':>15}")
    for name in names:
        times = [median(three) for three in zip(*runs[name], strict=True)]
        each = sum(times) / count
        base = each if name == "best-first" else base
        page, link = divided(links, times)
        ratio = f"{each / base:15.2f}" if base else ""
        shares = f"{1e6 * link:10.1f}{1e6 * page:11.0f}{1000 * each:11.2f}{each / (each + other):8.0%}"
        print(f"  {name:15}{shares}{ratio}", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.bench.link_cost", description=__doc__)
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--strategies", default="", help="comma-separated (default: all)")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "focuscrawl-harvest")
    options = parser.parse_args(arguments)
    names = options.strategies.split(",") if options.strategies else list(STRATEGIES)
    names = ["best-first", *(name for name in names if name != "best-first")]
    if missing():
        measure(synthetic(options.pages), names, options.rounds)
        return 0
    options.cache.mkdir(parents=True, exist_ok=True)
    for name in (name for name in TOPICS if (WEBS / f"{name}.sqlite").exists()):
        measure(recorded(name, options.pages, options.cache), names, options.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
