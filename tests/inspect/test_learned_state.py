"""What a stored crawl has learned, made again from its store, is what its own process knew."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from scrapy.settings import Settings

from focuscrawl.config.arguments import CrawlArguments
from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import Options, read_options
from focuscrawl.config.topic_file import TopicDefinition
from focuscrawl.crawl.link_rules import LinkRules
from focuscrawl.crawl.relevance.stored_topic import judge_of, publish
from focuscrawl.crawl.start.stored_job import remember_job
from focuscrawl.dedup.methods import method
from focuscrawl.frontier.outcome import outcome_of
from focuscrawl.frontier.yields import YieldLimit
from focuscrawl.inspect.learned_state import LearnedState
from focuscrawl.items import Link, Page, Verdict
from focuscrawl.store.commit import Commit
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.store.pages.duplicates import DuplicateFinder
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.scope import Scope
from models.link.link_score import LinkScorer
from models.link.tunnelling import LearnedTunnelling
from models.order.learned import LearnedOrder
from models.order.protocol import Change, OrderContext
from models.topic.vsm import TopicModel
from tests import factories
from tests.factories import limits

LIMITS = limits(99)
KEYWORDS = ("comet", "planet")
SEED = "http://a.test/"
GOOD, BAD = "http://a.test/good/", "http://a.test/bad/"


def options(**values: object) -> Options:
    settings = Settings()
    settings.setmodule("focuscrawl.settings")
    for name, value in values.items():
        settings.set(name, value, "cmdline")
    return read_options(settings, {})


class LiveCrawl:
    """A crawl's process: the default order, learned tunnelling, the rules, and a store that all fetches are committed to."""

    def __init__(self, folder: Path) -> None:
        self.store = CrawlStore(folder, "news", LIMITS, "{}")
        self.segmenter = Segmenter(KEYWORDS)
        self.model = TopicModel.fit(self.segmenter, keywords=KEYWORDS, made="2026-01-02")
        self.model.topic_digest = "digest"
        scorer = LinkScorer(self.model, self.segmenter)
        self.order = LearnedOrder(OrderContext(self.model, scorer, self.segmenter, (SEED,)))
        self.tunnelling = LearnedTunnelling()
        self.rules = LinkRules(Scope(exclude=("/closed/",)), tunnelling=self.tunnelling, yields=YieldLimit(), max_depth=5)

    async def fetch(self, url: str, links: list[Link], relevant: bool) -> None:
        """As the pipelines do it: tunnelling, rules, order, commit."""
        await self.store.add_seeds([DiscoveredUrl(url, 2.0)])
        [lease] = (await self.store.lease(1))[0]
        page = Page(lease, lease.url, 200, 5.0, kind="content", title=lease.url, text=f"text of {lease.url}")
        page.verdict = Verdict(0.9 if relevant else 0.1, relevant, 0.35, (("comet", 1.0),), 0.3 if relevant else 0.01)
        page.links = links
        self.tunnelling.see(page)
        self.rules.refuse(page)
        self.order.see(page)
        self.order.changes()
        found = [DiscoveredUrl(link.url, link.priority, 1) for link in page.links if not link.refused]
        made = Commit(page, outcome_of(page, (60.0,), 1.0), self.store.clock(), self.store.run, self.store.worker, found)
        await self.store.commit(made, DuplicateFinder(method("simhash")))


async def crawl(folder: Path, strategy: str = "learned") -> LiveCrawl:
    """Forty pages: one directory keeps what its links let expect, the other does not."""
    live = LiveCrawl(folder)
    links = [Link(f"{part}{n}.html", "news", "news of today", "body/ul/li/a") for n in range(1, 30) for part in (GOOD, BAD)]
    await live.fetch(SEED, [*links, Link("http://a.test/closed/1.html")], True)
    for n in range(1, 20):
        await live.fetch(f"{GOOD}{n}.html", [], True)
        await live.fetch(f"{BAD}{n}.html", [], False)
    arguments = CrawlArguments.model_validate({"name": "news", "strategy": strategy, "max_depth": 5})
    job = CrawlJob("news", (SEED,), TopicDefinition(keywords=KEYWORDS), Scope(exclude=("/closed/",)), arguments)
    await live.store.call(lambda db: publish(db, "", live.model, None, 1, 1.0))
    await live.store.call(lambda db: remember_job(db, job))
    return live


class Seen:
    """An order that notes verdicts."""

    focused = True

    def __init__(self) -> None:
        self.relevant: dict[str, bool] = {}

    def see(self, page: Page) -> None:
        self.relevant[page.url] = bool(page.verdict and page.verdict.relevant)

    def changes(self) -> list[Change]:
        return []


def met() -> Page:
    """A page that is traced: links to both directories, and one that the user excluded."""
    url = "http://a.test/new.html"
    page = factories.page(url, fetched_at=9.0, kind="content")
    page.verdict = Verdict(0.9, True, 0.35, (), 0.3)
    page.links = [Link(f"{GOOD}90.html", "news"), Link(f"{BAD}90.html", "news"), Link("http://a.test/closed/2.html")]
    return page


def state_of(db: Database, **values: object) -> LearnedState:
    judge = judge_of(db, "", "calibrated", 2.0)
    assert judge is not None
    return LearnedState(db, "news", options(**values), {"": judge}, Segmenter(KEYWORDS))


@pytest.fixture
def live(tmp_path: Path) -> LiveCrawl:
    async def made() -> LiveCrawl:
        live = await crawl(tmp_path)
        live.store.close("max_pages", "{}")
        return live

    return asyncio.run(made())


def test_links_are_scored_as_the_crawl_would_score_them_now(live: LiveCrawl, tmp_path: Path) -> None:
    db = open_store(tmp_path)
    state, here, there = state_of(db), met(), met()
    shown = state.learn()
    live.rules.refuse(here)
    live.order.see(here)
    state.rules.refuse(there)
    state.order.see(there)
    db.close()
    assert (shown, state.strategy) == (39, "learned")
    assert [link.refused for link in there.links] == [link.refused for link in here.links] == ["", "", "exclude"]
    assert [link.score for link in there.links] == pytest.approx([link.score for link in here.links], abs=1e-4)
    good, bad, _ = there.links
    assert good.score > bad.score + 0.1
    assert good.parts["learned"] > bad.parts["learned"]
    assert state.summary(shown) == "strategy learned, tunnelling learned; learned from 39 fetches"


def test_after_a_change_of_the_topic_its_verdicts_teach_and_not_those_of_the_former_one(
    live: LiveCrawl, tmp_path: Path
) -> None:
    other = TopicModel.fit(live.segmenter, keywords=("bad",), made="2026-01-03")
    other.topic_digest = "another"
    db = open_store(tmp_path)
    assert publish(db, "", other, None, 0, 2.0)
    state, seen = state_of(db), Seen()
    state.order = seen
    state.learn()
    db.close()
    assert {url for url, relevant in seen.relevant.items() if relevant} == {f"{BAD}{n}.html" for n in range(1, 20)}


def test_tunnelling_is_as_the_crawl_has_learned_it(live: LiveCrawl, tmp_path: Path) -> None:
    db = open_store(tmp_path)
    state = state_of(db)
    state.learn()
    db.close()
    assert isinstance(state.tunnelling, LearnedTunnelling)
    assert vars(state.tunnelling) == vars(live.tunnelling)


def test_only_the_last_fetches_are_shown_as_to_a_crawl_that_resumes(live: LiveCrawl, tmp_path: Path) -> None:
    db = open_store(tmp_path)
    assert state_of(db, LINKSCORE_REPLAY_PAGES=7).learn() == 7
    db.close()


@pytest.mark.parametrize(
    ("strategy", "settings", "told"),
    [
        ("best-first", {"LINKSCORE_TUNNELLING": "fixed"}, "strategy best-first, tunnelling fixed; nothing of it learns"),
        ("breadth-first", {}, "strategy breadth-first; nothing of it learns"),
        ("hits", {"LINKSCORE_TUNNELLING": "fixed"}, "strategy hits, tunnelling fixed; learned from 1 fetch"),
    ],
)
async def test_the_crawls_own_strategy_and_the_settings_tunnelling(
    tmp_path: Path, strategy: str, settings: dict[str, str], told: str
) -> None:
    live = await crawl(tmp_path, strategy)
    live.store.close("max_pages", "{}")
    db = open_store(tmp_path)
    state = state_of(db, **settings)
    db.close()
    assert state.strategy == strategy
    assert state.summary(1) == told


def test_without_a_job_and_a_fetch_nothing_was_learned_and_it_is_said(tmp_path: Path) -> None:
    store = CrawlStore(tmp_path, "news", LIMITS, "{}")
    model = TopicModel.fit(Segmenter(KEYWORDS), keywords=KEYWORDS)
    asyncio.run(store.call(lambda db: publish(db, "", model, None, 1, 1.0)))
    store.close("empty", "{}")
    db = open_store(tmp_path)
    state, page = state_of(db), met()
    shown = state.learn()
    state.rules.refuse(page)
    state.order.see(page)
    db.close()
    assert (shown, state.knows_job) == (0, False)
    learned = "strategy learned, tunnelling learned; nothing was learned yet; the crawl's scope is not known"
    assert state.summary(shown) == learned
    assert [link.refused for link in page.links] == ["", "", ""]
    assert page.links[0].score > 0
