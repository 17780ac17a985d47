"""Drift alarms of a process: counted for each topic, told once, and a reason to stop only where that is wanted. And how a crawl
with limits waits."""

from __future__ import annotations

import asyncio
import logging
import random
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from focuscrawl.crawl.stopping import StopConditions, Stopping
from focuscrawl.dedup.methods import method
from focuscrawl.frontier.outcome import outcome_of
from focuscrawl.frontier.patience import patience
from focuscrawl.items import LINK, Duplicate, Page, Verdict
from focuscrawl.store.commit import Commit
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.store.pages.duplicates import DuplicateFinder
from focuscrawl.text.segment import Segmenter
from models.topic.vsm import TopicModel
from tests import factories

FINDER = DuplicateFinder(method("simhash"))
STARS = ["comet", "planet", "galaxy", "nebula", "orbit", "telescope"]
SHOPS = ["price", "cart", "order", "discount", "delivery", "basket"]


def watching(stop_on_drift: bool, digest: str = "sky") -> StopConditions:
    model = TopicModel.fit(Segmenter(), keywords=STARS)
    model.topic_digest = digest
    options: Any = SimpleNamespace(
        frontier_stop_harvest=0.0, frontier_stop_window=1000, frontier_stop_yield=0.0, frontier_edge=0.01,
        frontier_edge_window=500, relevance_drift_bound=0.6, frontier_stop_on_drift=stop_on_drift,
    )  # fmt: skip
    topic: Any = SimpleNamespace(model=model)
    topic.by_name = {"": topic}
    job: Any = SimpleNamespace(name="sky", arguments=SimpleNamespace(fetches_all=False))
    return StopConditions(job, options, topic, True)


def page(number: int, words: list[str], duplicate: bool = False) -> Page:
    rng = random.Random(number)
    made = factories.page(factories.lease(f"http://h{number}.test/", priority=0.5, depth=1))
    made.words = rng.choices(words, k=12) + [f"w{rng.randrange(9000)}" for _ in range(20)] + [STARS[0]]
    made.words = Segmenter().terms(" ".join(made.words))
    made.verdict = Verdict(0.5, True, 0.2)
    made.duplicate = Duplicate(1, "http://x.test/", "exact", 1.0) if duplicate else None
    return made


def fetch(watch: StopConditions, duplicate: bool = False) -> list[str]:
    """Reasons to stop while the crawl moves from stars to shops."""
    pages = [page(n, STARS if n < 60 else SHOPS, duplicate) for n in range(260)]
    return [stop.reason for each in pages if (stop := watch.record(each))]


def test_a_drift_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    watch = watching(stop_on_drift=False)
    with caplog.at_level(logging.WARNING):
        assert fetch(watch) == []
    assert len(watch.alarms) == 1
    assert [record.getMessage() for record in caplog.records] == [f"the crawl drifts: {watch.alarms[0]}"]
    assert "less about the topic" in watch.alarms[0]


@pytest.mark.parametrize("relevant_before", [True, False])
def test_a_resumed_crawl_that_finds_no_more_comes_to_its_edge(tmp_path: Path, relevant_before: bool) -> None:
    async def crawl() -> list[str]:
        store = CrawlStore(tmp_path, "sky", factories.limits(99), "{}")
        await store.add_seeds([DiscoveredUrl("http://a.test/", 1.0)])
        [lease], _ = await store.lease(1)
        found = factories.page(replace(lease, kind=LINK))
        found.verdict = Verdict(0.5, relevant_before, 0.2)
        await store.call(lambda db: db.execute("update url set kind=?", (LINK,)))
        await store.commit(Commit(found, outcome_of(found, ()), store.clock(), store.run, store.worker), FINDER)
        await store.add_seeds([DiscoveredUrl(f"http://a.test/{n}", 0.01) for n in range(9)])
        watch, stops = watching(stop_on_drift=False), []
        await watch.open(store)
        for number in range(1500):
            stop = watch.record(factories.page(factories.lease(f"http://h{number}.test/", priority=0.02, depth=1)))
            stops += [each.reason for each in (stop, await watch.judge_waiting(store)) if each]
        store.close("edge", "{}")
        return stops

    stops = asyncio.run(crawl())
    assert set(stops) == ({"edge"} if relevant_before else set())


def test_a_drift_may_be_a_reason_to_stop() -> None:
    assert fetch(watching(stop_on_drift=True)) == ["drift"]


@pytest.mark.parametrize(("digest", "alarms"), [("sky", ["drift"]), ("another", [])])
def test_a_later_run_is_measured_by_the_first_pages_of_the_crawl(tmp_path: Path, digest: str, alarms: list[str]) -> None:
    async def run(watch: StopConditions, pages: list[Page]) -> list[str]:
        store = CrawlStore(tmp_path, "x", factories.limits(99), "{}")
        await watch.open(store)
        reasons = []
        for each in pages:
            reasons += [stop.reason for stop in (watch.record(each),) if stop]
            await watch.judge_waiting(store)
        store.close("test", "{}")
        return reasons

    assert asyncio.run(run(watching(True), [page(n, STARS) for n in range(60)])) == []
    later = [page(n, SHOPS) for n in range(60, 260)]
    assert asyncio.run(run(watching(True, digest), later)) == alarms


def test_repeated_texts_are_no_drift() -> None:
    watch = watching(stop_on_drift=True)
    assert fetch(watch, duplicate=True) == []
    assert watch.alarms == []


def test_a_crawl_that_finds_nothing_says_so_once(caplog: pytest.LogCaptureFixture) -> None:
    conditions = watching(False)
    with caplog.at_level(logging.WARNING):
        for number in range(300):
            off_topic = page(number, ["bread", "oven"])
            off_topic.lease = factories.lease(off_topic.url, priority=0.5, depth=2)
            off_topic.verdict = Verdict(0.1, False, 0.2)
            conditions.record(off_topic)
    told = [record.getMessage() for record in caplog.records if "is relevant" in record.getMessage()]
    assert len(told) == 1
    assert told[0].startswith("none of the first 200 pages is relevant: the crawl goes on and follows every link")


@pytest.mark.parametrize(
    ("limits", "fetches"),
    [
        ({}, 0),
        ({"max_pages": 20_000}, 20_000),
        ({"max_requests": 20_000}, 20_000),
        ({"max_pages": 500_000, "max_requests": 1_000}, 1_000),
        ({"max_pages": 1_000, "max_requests": 500_000}, 1_000),
        ({"budget": 60}, 60),
    ],
)
def test_the_least_limit_says_how_patient_a_crawl_is(limits: dict[str, int], fetches: int) -> None:
    arguments = SimpleNamespace(**{"max_pages": None, "max_requests": None, "budget": None, "minutes": None, **limits})
    stopping: Any = SimpleNamespace(_arguments=arguments)
    assert Stopping.patience(stopping, 1800) == patience(fetches, 1800)
