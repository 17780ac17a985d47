"""The pages that a model is tested on: in the order in which a best-first crawl meets them, then a random sample."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from focuscrawl.text.segment import RememberingSegmenter, Segmenter
from focuscrawl.text.vocabulary import Vocabulary
from models.page.assessment import Text
from models.page.page_context import PageContext, model_input
from models.topic.vsm import TopicModel
from tools.eval.harvest.reading import ReadPage, ReadWeb, read_web
from tools.eval.harvest.recorded import RecordedWeb, Truth
from tools.eval.harvest.replay import TopicWeb, crawl, maker

ORDERED_BY = "vsm"
"""The page model behind the order: none of those that are improved, so that they are all tested on the same pages."""


@dataclass(frozen=True)
class TestPage:
    """One page as a model sees it, and the truth."""

    url: str
    words: Sequence[str]
    context: PageContext
    relevant: bool


@dataclass(frozen=True)
class Stream:
    """All that is needed to measure models on one topic."""

    web: str
    topic: str
    keywords: list[str]
    segmenter: RememberingSegmenter
    pool: list[Text]
    """Relevant pages to take examples from: the topic's own first."""
    fetched: list[TestPage]
    others: list[TestPage]
    """A random sample of the pages that were not fetched."""
    negative: Sequence[str] = ()
    """Negative terms."""


def streams(
    name: str,
    cache: Path,
    budget: int,
    topics: Sequence[str] = (),
    first: int | None = None,
    keywords: Mapping[str, list[str]] = MappingProxyType({}),
    negative: Mapping[str, list[str]] = MappingProxyType({}),
) -> Iterator[Stream]:
    """One stream a topic of a recorded web, or of the `first` ones. The orders are kept in `cache`. `keywords`: by topic,
    instead of the web's own, which the order still follows. `negative`: negative terms by topic."""
    web = RecordedWeb(name, cache, 3000)
    pages = read_web(web.path, web.cache)
    for topic in [topic for topic in web.topics if not topics or topic in topics][:first]:
        yield _stream(web, pages, web.truth(topic), budget, keywords.get(topic), negative.get(topic, []))


def _stream(
    web: RecordedWeb, pages: ReadWeb, truth: Truth, budget: int, keywords: list[str] | None, negative: list[str]
) -> Stream:
    def read(number: int) -> ReadPage:
        return pages.page(web.graph.urls[number])

    relevant, urls = {*truth.relevant, *truth.examples}, web.graph.urls
    file = web.cache / f"pages-{ORDERED_BY}-{web.name}-{truth.topic}-{budget}.json"
    if not file.exists():
        texts = [(page.url, page.whole) for page in map(read, truth.examples)]
        segmenter = RememberingSegmenter(truth.keywords)
        site = TopicWeb(read, web.page_of, [urls[seed] for seed in truth.seeds], segmenter)
        topic = TopicModel.fit(segmenter, texts, truth.keywords)
        file.write_text(json.dumps(crawl(site, maker("best-first"), topic, budget, model=ORDERED_BY).order), "utf-8")
    keywords = truth.keywords if keywords is None else keywords
    segmenter = RememberingSegmenter.of(Vocabulary(tuple(keywords), tuple(negative)))
    order: list[int] = json.loads(file.read_text("utf-8"))
    rng = random.Random(truth.topic)
    rest_of_web = sorted(set(range(len(urls))) - set(order))
    others = [
        number for number in rng.sample(rest_of_web, min(len(rest_of_web), budget // 3)) if _is_there(pages, urls[number])
    ]
    more = rng.sample(truth.relevant, min(100, len(truth.relevant) // 2))

    def test_page(number: int) -> TestPage:
        return as_judged(read(number), segmenter, number in relevant)

    pool = [(page.url, page.whole) for page in map(read, [*truth.examples, *more])]
    fetched, rest = [test_page(number) for number in order], [test_page(number) for number in others]
    return Stream(web.name, truth.topic, keywords, segmenter, pool, fetched, rest, negative)


def as_judged(page: ReadPage, segmenter: Segmenter, relevant: bool) -> TestPage:
    """The page as a crawl gives it to its page model, tags and all."""
    words, context = model_input(page, segmenter.terms(page.whole), segmenter)
    return TestPage(page.url, words, context, relevant)


def _is_there(pages: ReadWeb, url: str) -> bool:
    try:
        pages.page(url)
    except TypeError:  # the web has no answer of status 200 for it
        return False
    return True
