"""What each strategy costs: time a page and a link, the longest page, and memory for each URL that it has met.

    python -m tools.bench.orders [--pages N] [--links N] [--strategies A,B]

Pages are made up: half of each page's links are new, the others lead to what is known; no text comes twice, so that no cache
helps. Time is processor time; memory, taken in a run of its own, counts what caches of texts hold too. Changes are
collected after each page, as a crawl does.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import tracemalloc
from collections.abc import Iterator, Sequence
from time import process_time

from focuscrawl.items import Lease, Link, Page, Verdict
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.key import url_key
from models.link.link_score import LinkScorer
from models.order.protocol import Order, OrderContext
from models.order.strategies import STRATEGIES, make_order
from models.topic.vsm import TopicModel

WORDS = "database index query table lock flower river garden music travel history engine market winter 数据 音乐"


def url_of(number: int) -> str:
    return f"http://h{number % 97}.example/{number % 13}/p{number}.html"


def pages(count: int, links: int) -> Iterator[Page]:
    """Pages 0, 1, …; the links of page n lead to later ones half the time."""
    rng = random.Random(1)
    for number in range(count):
        url = url_of(number)
        _, _, hid, uid = url_key(url)
        relevant = rng.random() < 0.4
        made = [
            Link(
                url_of(number * links // 2 + place if place % 2 else rng.randrange(count)),
                " ".join(rng.choices(WORDS.split(), k=3)),
                " ".join(rng.choices(WORDS.split(), k=25)),
            )
            for place in range(links)
        ]
        score = rng.random() / 2
        yield Page(Lease(hid, uid, url), url, 200, verdict=Verdict(score, relevant, 0.2, (), score), links=made)


def shown(order: Order, made: Sequence[Page]) -> list[float]:
    """Seconds for each page."""
    times = []
    for page in made:
        start = process_time()
        order.see(page)
        order.changes()
        times.append(process_time() - start)
    return times


def measure(name: str, count: int, links: int) -> str:
    """One row of the table."""
    segmenter = Segmenter()
    topic = TopicModel.fit(segmenter, [], ["database", "index", "数据"])

    def order() -> Order:
        return make_order(name, OrderContext(topic, LinkScorer(topic, segmenter), segmenter, [url_of(0)]))

    gc.collect()
    times = shown(order(), list(pages(count, links)))
    made = list(pages(count, links))
    known = len({link.url for page in made for link in page.links} | {page.url for page in made})
    measured = order()
    gc.collect()
    tracemalloc.start()
    for page in made:
        measured.see(page)
        measured.changes()
        page.links = []
    gc.collect()
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    mean, longest = sum(times) / count, max(times)
    return f"{name:15}{1e6 * mean / links:10.1f}{1e3 * mean:10.2f}{1e3 * longest:12.2f}{held / 2**20:10.1f}{held / known:10.0f}"


GARBAGE_THRESHOLD = 20_000
"""As in a crawl."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.orders", description=__doc__)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--links", type=int, default=40, help="links on each page")
    parser.add_argument("--strategies", default=",".join(STRATEGIES), help="comma-separated")
    options = parser.parse_args(arguments)
    gc.set_threshold(GARBAGE_THRESHOLD)
    print(f"{'strategy':15}{'us/link':>10}{'ms/page':>10}{'longest ms':>12}{'MiB':>10}{'bytes/URL':>10}")
    for name in options.strategies.split(","):
        print(measure(name, options.pages, options.links), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
