"""The seeds of a run, and what its settings let pass that an earlier one refused."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.settings import Settings

from focuscrawl.config.arguments import CrawlArguments, parse_arguments
from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import Options, read_options
from focuscrawl.config.topic_file import TopicDefinition
from focuscrawl.crawl.order import ordered_by
from focuscrawl.crawl.process import CrawlProcess
from focuscrawl.crawl.start import frontier
from focuscrawl.crawl.start.frontier import followed, passing
from focuscrawl.frontier.states import MIRROR, REPEATS
from focuscrawl.frontier.url_cache import UrlCache
from focuscrawl.items import EXAMPLE, SEED
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.store.workers.control import WantedState
from focuscrawl.url.scope import Scope

SEEDS = tuple(f"http://a.test/{number}" for number in range(5))


@pytest.mark.parametrize("stopped", ["", "SIGINT", "stop"])
def test_many_seeds_enter_the_frontier_in_parts_between_which_a_stop_is_heeded(
    stopped: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(frontier, "SEEDS_AT_ONCE", 2)
    added: list[DiscoveredUrl] = []

    async def add_seeds(found: Sequence[DiscoveredUrl]) -> int:
        added.extend(found)
        crawl.stopping.reason = stopped if stopped == "SIGINT" else ""
        crawl.control.wanted = WantedState.STOP if stopped == "stop" else WantedState.RUN
        return len(found)

    crawl: Any = SimpleNamespace(stopping=SimpleNamespace(reason=""), control=SimpleNamespace(wanted=WantedState.RUN))
    store: Any = SimpleNamespace(add_seeds=add_seeds, directory="sky")
    topic = TopicDefinition(name="sky", examples=("http://b.test/",))
    job = CrawlJob("sky", SEEDS, topic, Scope(), parse_arguments({"seeds": SEEDS[0]}))
    ending = partial(CrawlProcess._is_ending, crawl)
    with caplog.at_level(logging.INFO):
        asyncio.run(frontier.add_seeds(store, job, lambda base, number: base, UrlCache(9), ending))
    assert [(each.url, each.kind) for each in added][:2] == [("http://b.test/", EXAMPLE), (SEEDS[0], SEED)]
    assert len(added) == (2 if stopped else 6)
    last = (
        "2 of 6 seeds are in the frontier; the next run adds the others"
        if stopped
        else "crawl sky: seeds 5, new 6; directory sky"
    )
    assert caplog.messages[-1] == last


def options(share: float) -> Options:
    settings = Settings()
    settings.setmodule("focuscrawl.settings")
    settings.set("FRONTIER_BARREN_SHARE", share)
    return read_options(settings, {})


def arguments(at_edge: str) -> CrawlArguments:
    return parse_arguments({"seeds": "http://a.test/", "at_edge": at_edge})


@pytest.mark.parametrize(
    ("share", "at_edge", "repeats", "mirrors"),
    [(0.2, "stop", False, False), (0.2, "go-on", True, False), (0.0, "stop", True, True), (0.0, "go-on", True, True)],
)
def test_where_no_part_is_given_up_what_was_put_aside_for_its_part_waits_again(
    share: float, at_edge: str, repeats: bool, mirrors: bool
) -> None:
    """The advice to set FRONTIER_BARREN_SHARE=0 had no effect on it."""
    passed = {each.rule: bool(each.values) for each in passing(options(share), arguments(at_edge))}
    assert (passed[REPEATS], passed[MIRROR]) == (repeats, mirrors)


def test_and_links_that_were_refused_for_their_part_are_looked_at_again() -> None:
    def terms(share: float, at_edge: str, *languages: str) -> str:
        topic = SimpleNamespace(languages=languages)
        job: Any = SimpleNamespace(parts=(), scope=None, arguments=arguments(at_edge), topic=topic)
        return followed(job, options(share))

    assert len({terms(0.2, "stop"), terms(0.2, "go-on"), terms(0.0, "stop")}) == 3
    assert len({terms(0.2, "stop"), terms(0.2, "stop", "zh"), terms(0.2, "stop", "zh", "en")}) == 3
    assert terms(0.2, "stop") == terms(0.5, "stop")
    assert terms(0.2, "stop", "zh", "en") == terms(0.2, "stop", "en", "zh")


def test_the_order_of_the_types_of_documents_changes_no_link() -> None:
    job: Any = SimpleNamespace(parts=(), scope=None, arguments=arguments("stop"), topic=SimpleNamespace(languages=()))
    one, other, less = (
        followed(job, options(0.2).model_copy(update={"reading_documents": types}))
        for types in (("pdf", "docx"), ("docx", "pdf"), ("pdf",))
    )
    assert one == other != less


def test_the_order_of_topics_and_one_more_without_a_scope_of_its_own_change_no_link() -> None:
    """A worker that named the same topics in another order, or one more, was refused for other links than those at work."""

    def terms(*scopes: Scope) -> str:
        parts = tuple(SimpleNamespace(scope=scope) for scope in scopes)
        job: Any = SimpleNamespace(parts=parts, arguments=arguments("stop"), topic=SimpleNamespace(languages=()))
        return followed(job, options(0.2))

    sea, sky = Scope(hosts=("sea.test",)), Scope(hosts=("sky.test",))
    assert terms(sea, sky) == terms(sky, sea, sky)
    assert len({terms(sea, sky), terms(sea, sea), terms(sea, Scope())}) == 3


def test_what_orders_urls_is_the_strategy_with_its_weights() -> None:
    """A worker with other weights was let in, and sorted the common queue by priorities of another scale."""
    usual, given = options(0.2), {"seeds": "a.toml"}
    weights = ({"frontier_weight_prior": 0.5}, {"linkscore_tunnelling": "fixed"})
    others = [ordered_by(parse_arguments(given), usual.model_copy(update=each)) for each in weights]
    others += [
        ordered_by(parse_arguments(given | each), usual) for each in ({"strategy": "hits"}, {"important": "b.com,a.com"})
    ]
    assert len({"learned", *others}) == 5
    assert ordered_by(parse_arguments(given), usual) == "learned", "as earlier versions noted it"
    assert ordered_by(parse_arguments(given | {"important": "a.com，b.com"}), usual) == others[-1]
    assert ordered_by(parse_arguments(given), usual.model_copy(update={"frontier_random_seed": 7})) == "learned"
