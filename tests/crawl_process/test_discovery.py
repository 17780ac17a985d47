"""The searches of one process: who makes them, what becomes of failures, what a hit is worth, and what is tried before a crawl
ends."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from focuscrawl.crawl import discovery
from focuscrawl.crawl.discovery import MOST_IN_VAIN, Discovery
from focuscrawl.crawl.link_rules import LinkRules
from focuscrawl.crawl.relevance.several_topics import SeveralTopics
from focuscrawl.crawl.runner import Answer
from focuscrawl.crawl.stopping import Stopping
from focuscrawl.frontier.search_times import MOST_FAILURES, PAGES_BETWEEN
from focuscrawl.frontier.stop_rules import Stop
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.sqlite import connect
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.scope import Scope
from models.link.link_score import LinkScorer
from models.topic.vsm import TopicModel
from tests.factories import NOW

HIT = {"url": "http://far.test/", "title": "A comet", "content": "The comet and its orbit."}


class Web:
    """A runner whose search engine answers as it is told, and which keeps what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.answers, self.asked = list(answers), list[str]()

    async def ask(self, url: str) -> Answer:
        self.asked.append(url)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def found(*hits: object) -> Answer:
    return Answer(200, json.dumps({"results": list(hits)}).encode())


def topic_of(*keywords: str) -> Any:
    segmenter = Segmenter(keywords)
    model = TopicModel.fit(segmenter, keywords=keywords)
    job = SimpleNamespace(topic=SimpleNamespace(keywords=keywords, synonyms=()))
    topic = SimpleNamespace(
        model=model, job=job, segmenter=segmenter, scorer=LinkScorer(model, segmenter), busy=False,
        page_model=SimpleNamespace(companions=()),
    )  # fmt: skip
    topic.by_name = {"": topic}
    return topic


class Made:
    """A discovery with its surroundings."""

    def __init__(self, db: Database, web: Web, topic: Any = None, claimed: bool = True) -> None:
        self.counts = SimpleNamespace(pages=0, requests=1)
        self.stats = dict[str, int]()
        counting: Any = SimpleNamespace(counts=self.counts, inc=self._inc, request=lambda label: self._inc(label, 1))
        stopping: Any = SimpleNamespace(reason="", requested=lambda: None, find_more=None)
        leases: Any = SimpleNamespace(room=9, retry_now=lambda: None)
        control: Any = SimpleNamespace(waits=False)
        silent: Any = SimpleNamespace(on=False, start_priority=lambda score, number: score)
        store: Any = SimpleNamespace(
            claim=self._claim, call=self._call, clock=lambda: NOW, limits=SimpleNamespace(grain=""), only=None
        )
        runner: Any = web
        self.stopping, self.leases, self.control = stopping, leases, control
        self._db, self._claimed = db, claimed
        self.discovery = Discovery(
            instance="http://s.test/", store=store, topic=topic or topic_of("comet", "planet", "orbit"),
            rules=LinkRules(Scope()), ordering=silent,
            recrawling=silent, leases=leases, control=control, stopping=stopping, counting=counting,
            runner=runner,
        )  # fmt: skip

    def _inc(self, name: str, count: int = 1) -> None:
        self.stats[name] = self.stats.get(name, 0) + count

    async def _claim(self, key: str) -> bool:
        return self._claimed

    async def _call(self, operation: Callable[..., Any], **given: object) -> Any:
        return operation(self._db, **given)

    def search(self) -> int | None:
        """Makes the next search as soon as a hundred more pages were stored."""
        self.counts.pages += PAGES_BETWEEN
        return asyncio.run(self.discovery._search())

    def find_more(self) -> bool:
        return asyncio.run(self.discovery.find_more())


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    monkeypatch.setattr("focuscrawl.frontier.search_times.SECONDS_BETWEEN", 0.0)
    opened = connect(tmp_path / "store.sqlite")
    yield opened
    opened.close()


def test_three_failures_in_a_row_are_told_in_two_sentences(db: Database, caplog: pytest.LogCaptureFixture) -> None:
    web = Web(Answer(error="the server did not answer in time"))
    made = Made(db, web)
    with caplog.at_level(logging.WARNING):
        assert [made.search() for _ in range(MOST_FAILURES)] == [None] * MOST_FAILURES
    assert [record.getMessage() for record in caplog.records] == [
        "a search of the web failed, the crawl goes on: http://s.test/: the server did not answer in time.",
        "3 searches in a row have failed: this run searches the web no more",
    ]
    assert len(set(web.asked)) == 1, "the same words are tried again"
    assert made.stats == {"search": 3, "discover/failed_count": 3}
    assert not made.find_more()
    assert len(web.asked) == MOST_FAILURES


def test_what_waited_for_a_search_that_failed_does_not_ask_again(db: Database) -> None:
    answered = asyncio.Event()

    class Slow(Web):
        async def ask(self, url: str) -> Answer:
            answer = await super().ask(url)
            await answered.wait()
            return answer

    async def both() -> list[int | bool | None]:
        waiting = asyncio.gather(made.discovery._search(), made.discovery.find_more(), made.discovery._search())
        await asyncio.sleep(0.05)
        answered.set()
        return list(await waiting)

    made = Made(db, web := Slow(Answer(error="the server did not answer in time")))
    assert asyncio.run(both()) == [None, False, None]
    assert len(web.asked) == 1


def test_a_search_that_a_stop_has_broken_off_is_no_failure(db: Database, caplog: pytest.LogCaptureFixture) -> None:
    made = Made(db, Web(Answer(error="the crawl stopped first")))

    def stop(label: str) -> None:
        made.stopping.reason = "signal"

    made.discovery.counting.request = stop  # type: ignore[method-assign,assignment]
    assert made.search() is None
    assert not caplog.records


@pytest.mark.parametrize("why", ["paused", "stopped", "no room", "no topic yet", "another worker searches"])
def test_nothing_is_asked(db: Database, why: str) -> None:
    web = Web(found(HIT))
    made = Made(db, web, claimed=why != "another worker searches")
    made.control.waits = why == "paused"
    made.stopping.reason = "minutes" if why == "stopped" else ""
    made.leases.room = 0 if why == "no room" else 9
    made.discovery.topic.busy = why == "no topic yet"  # type: ignore[misc]
    assert made.search() is None
    assert web.asked == []


def test_a_hit_has_the_score_of_a_link_on_a_page_at_the_threshold(db: Database) -> None:
    made = Made(db, Web(found(HIT, {"url": "http://plain.test/", "title": "", "content": ""})))
    assert made.search() == 2
    rows = dict(db.execute("select origin, priority from url join host using(hid)").fetchall())
    threshold = made.discovery.topic.model.own_threshold  # type: ignore[union-attr]
    assert rows["http://plain.test"] == pytest.approx(0.26 * threshold, abs=1e-4)
    assert rows["http://far.test"] > 0.3


def test_several_topics_take_turns_and_their_scores_are_joined(db: Database) -> None:
    topics = {"sky": topic_of("comet", "orbit"), "food": topic_of("bread", "oven")}
    shared: Any = SeveralTopics.__new__(SeveralTopics)
    shared.by_name, shared._ready = topics, SimpleNamespace(is_set=lambda: True)
    web = Web(found(HIT))
    made = Made(db, web, shared)
    assert [made.search(), made.search()] == [1, 0]
    assert [url.partition("q=")[2].partition("&")[0] for url in web.asked] == ["comet+orbit", "bread+oven"]
    (parts,) = db.execute("select priority_parts from url").fetchone()
    assert {name for name, _ in json.loads(parts)} == {
        f"{topic}/{part}" for topic in topics for part in ("search", "snippet", "title", "url")
    }


def test_the_end_waits_for_searches_until_one_finds_something(db: Database) -> None:
    web = Web(found(), found(), found(HIT))
    assert Made(db, web).find_more()
    assert len(web.asked) == 3


def test_the_end_does_not_wait_for_searches_that_find_nothing(db: Database) -> None:
    web = Web(found())
    assert not Made(db, web).find_more()
    assert len(web.asked) == MOST_IN_VAIN


def test_terms_are_searched_for_as_pages_write_them() -> None:
    segmenter = Segmenter()
    model = TopicModel.fit(segmenter, [("a", "telescopes telescopes galaxies galaxies 望远镜 望远镜 望远镜 crawling 2024")])
    topic: Any = SimpleNamespace(
        model=model, segmenter=segmenter, job=SimpleNamespace(topic=SimpleNamespace(keywords=(), synonyms=())),
        page_model=SimpleNamespace(companions={"eclips", "unknown"}),
    )  # fmt: skip
    words = discovery._words_of(topic, {"telescop": "telescopes", "galaxi": "galaxy", "eclips": "eclipse"})
    assert set(words.terms) == {"望远镜", "telescopes", "galaxy"}
    assert words.companions == ("eclipse",)
    model.weights |= {"telescop_galaxi": 0.9, "二手房_价格": 0.9, "red_telescop": 0.9}
    words = discovery._words_of(topic, {"telescop": "telescopes", "galaxi": "galaxy"})
    assert set(words.terms) == {"望远镜", "telescopes", "galaxy", "telescopes galaxy", "二手房价格"}


class Ending:
    """A real `Stopping` at its end, with searches that bring so many new URLs one after the other."""

    def __init__(self, brings: list[bool], at_edge: list[bool]) -> None:
        async def find_more() -> bool:
            return brings.pop(0)

        async def still_at_edge(store: object) -> bool:
            return at_edge.pop(0)

        self.closed: list[str] = []
        job: Any = SimpleNamespace(arguments=SimpleNamespace(at_edge="stop"))
        conditions: Any = SimpleNamespace(still_at_edge=still_at_edge)
        silent: Any = SimpleNamespace(close=self.closed.append)
        self.stopping = Stopping(job, conditions, silent, silent, silent, silent)
        self.stopping.find_more = find_more
        self.stopping._store = silent

    async def end(self, reason: str) -> str:
        self.stopping.stop_or_recrawl(Stop(reason, "why"))
        self.stopping.stop_or_recrawl(Stop(reason, "again"))
        assert self.stopping.reason == ("" if reason in ("edge", "empty") else reason)
        await _a_while()
        return self.stopping.reason


async def _a_while() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("reason", "brings", "at_edge", "ends"),
    [
        ("empty", [True], [], ""),
        ("empty", [False], [], ""),  # it ends when it is empty once more
        ("edge", [True], [False], ""),
        ("edge", [True, True, False], [True, True, True], "edge"),
        ("edge", [False], [False], ""),
        ("harvest", [], [], "harvest"),
    ],
)
def test_before_it_ends_for_want_of_urls_a_crawl_looks_for_more(
    reason: str, brings: list[bool], at_edge: list[bool], ends: str
) -> None:
    assert asyncio.run(Ending(brings, at_edge).end(reason)) == ends
    assert brings == at_edge == []


async def test_an_empty_crawl_that_found_nothing_ends_when_it_is_empty_again() -> None:
    ending = Ending([False, False], [])
    ending.stopping.stop_or_recrawl(Stop("empty", "why"))
    await _a_while()
    ending.stopping._in_vain = False  # as when a page was stored
    ending.stopping.stop_or_recrawl(Stop("empty", "again"))
    await _a_while()
    reasons = [ending.stopping.reason]
    ending.stopping.stop_or_recrawl(Stop("empty", "at last"))
    assert [*reasons, ending.stopping.reason] == ["", "empty"]
