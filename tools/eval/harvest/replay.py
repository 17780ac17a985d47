"""One simulated crawl of one topic: our order, our verdicts, a web that is all there, or has its dead links, too."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from focuscrawl.crawl.link_rules import LinkRules
from focuscrawl.frontier.patience import Patience
from focuscrawl.frontier.yields import YieldLimit
from focuscrawl.inspect.replay import LinkCounts, PageFinder, Replay, ReplayedPage, model_judge
from focuscrawl.items import Link, Page
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.scope import Scope
from models.link.link_score import DIGITS, LinkScorer
from models.link.tunnelling import LearnedTunnelling, Tunnelling
from models.order.protocol import Order, OrderContext
from models.page.page_model import PAGE_MODELS
from models.page.page_model import make as make_model
from models.topic.vsm import TopicModel
from tools.eval.harvest.reading import ReadPage

HOST_SHARE, PATIENCE = 0.5, 1800.0
"""The defaults of FRONTIER_HOST_SHARE and FRONTIER_PATIENCE."""
Reader = Callable[[int], ReadPage]
Resolve = Callable[[str], int | None]
Answers = Callable[[str], bool]


class TopicWeb:
    """A `ReplayWeb` for one topic: terms are cut once a page and shared by all crawls of the topic."""

    def __init__(
        self, read: Reader, resolve: Resolve, seeds: Sequence[str], segmenter: Segmenter, answers: Answers | None = None
    ) -> None:
        """`answers`: whether there is the host of a URL that leads to no page: then links to such pages can be followed, in
        vain. None: they are refused."""
        self.seeds, self.segmenter = seeds, segmenter
        self._resolve, self._answers = resolve, answers
        self._dead: list[str] = []
        self.find = PageFinder(self._number)
        self._read = read
        self._words: dict[int, list[str]] = {}

    def _number(self, url: str) -> int | None:
        """Of the page that the URL leads to; dead links have numbers below 0."""
        page = self._resolve(url)
        if page is None and self._answers:
            self._dead.append(url)
            return -len(self._dead)
        return page

    def read(self, number: int) -> ReplayedPage:
        if number < 0 and self._answers:
            url = self._dead[-1 - number]
            return ReplayedPage(url, (), [], status=404 if self._answers(url) else 0)
        page = self._read(number)
        words = self._words.get(number)
        if words is None:
            words = self._words[number] = self.segmenter.terms(page.whole)
        return ReplayedPage(page.url, words, page.links, page.kind, page.title, text=page.text)


class OpenRules(LinkRules):
    """No URL is refused for its shape, nor for `rel=nofollow`: the references that we are compared with know no such rules."""

    def link_rule(self, link: Link, page: Page) -> str:
        return self.yields.refusal(link.url, page.url) if self.yields else ""


@dataclass
class Crawl:
    """What a simulated crawl did."""

    order: list[int] = field(default_factory=list)
    """Pages in the order in which they were fetched."""
    judged: dict[int, bool] = field(default_factory=dict)
    tally: LinkCounts = field(default_factory=LinkCounts)
    seconds: float = 0.0


def crawl(
    web: TopicWeb,
    make: Callable[[OrderContext], Order],
    topic: TopicModel,
    budget: int,
    *,
    model: str = PAGE_MODELS[0],
    random_seed: int = 0,
    tunnelling: Tunnelling | None = None,
    in_flight: int = 1,
    patience: Patience | None = None,
    host_share: float = HOST_SHARE,
    barren_share: float = 0.0,
    rules: type[LinkRules] = OpenRules,
    jitter: float = 0.0,
) -> Crawl:
    """Fetch `budget` pages. `barren_share`: FRONTIER_BARREN_SHARE. `jitter`: see `JitteredScorer`.

    Topic and page model learn from each page that is judged, as in a real crawl."""
    scorer = JitteredScorer(topic, web.segmenter, jitter, random_seed) if jitter else LinkScorer(topic, web.segmenter)
    order = make(OrderContext(topic, scorer, web.segmenter, web.seeds, random_seed=random_seed))
    judge = model_judge(make_model(model, topic), web.segmenter)
    tunnelling = tunnelling or LearnedTunnelling(random_seed)
    yields = YieldLimit(barren_share) if barren_share else None
    refusing = rules(Scope(), focused=order.focused, tunnelling=tunnelling, yields=yields)
    replay = Replay(web, order, judge, budget, tunnelling, in_flight, host_share, refusing, yields, patience)
    done, began = Crawl(tally=replay.tally), time.process_time()
    for fetch in replay:
        done.order.append(fetch.number)
        done.judged[fetch.number] = fetch.verdict.relevant
    done.seconds = time.process_time() - began
    return done


class JitteredScorer(LinkScorer):
    """Link scores that are off by a few per cent, to measure how much of a difference between two orders is luck."""

    def __init__(self, topic: TopicModel, segmenter: Segmenter, jitter: float, seed: int) -> None:
        """`jitter`: standard deviation of the factors' logarithms. A URL has the same factor in the whole crawl, by `seed`."""
        super().__init__(topic, segmenter)
        self._jitter, self._seed = jitter, seed

    def score(self, link: Link, page: Page) -> None:
        super().score(link, page)
        link.score = min(1.0, round(link.score * self._factor(link.url), DIGITS))

    def parts(self, links: Sequence[Link], page: Page) -> list[tuple[float, ...]]:
        factors = (self._factor(link.url) for link in links)
        exact = super().parts(links, page)
        return [tuple(part * factor for part in parts) for factor, parts in zip(factors, exact, strict=True)]

    def _factor(self, url: str) -> float:
        return math.exp(random.Random(f"{self._seed} {url}").gauss(0.0, self._jitter))


def maker(name: str, **options: Any) -> Callable[[OrderContext], Order]:
    """The factory of a strategy; `options` are handed on to it (`without`: groups of features to leave out)."""
    from models.order.strategies import STRATEGIES

    factory: Callable[..., Order] = STRATEGIES[name].make
    return lambda context: factory(context, **options)


def known_strategies() -> list[str]:
    """Names of all our strategies."""
    from models.order.strategies import STRATEGIES

    return list(STRATEGIES)


def feature_groups() -> list[str]:
    """The groups of features that `learned` can be made without."""
    from importlib import import_module

    return sorted(import_module("models.order.learned").GROUPS)
