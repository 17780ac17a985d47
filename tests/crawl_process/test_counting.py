"""What a process counts of the pages it stores."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from focuscrawl.crawl.committing import Committer
from focuscrawl.crawl.counting import Counting
from focuscrawl.crawl.runner import Answer
from focuscrawl.dedup.text_reuse import SeenSentences
from focuscrawl.frontier.fetch_yield import FetchYield
from focuscrawl.frontier.outcome import FetchOutcome
from focuscrawl.frontier.states import Event
from focuscrawl.items import SITEMAP, SOFT404_PROBE, Duplicate, Lease, Page, Verdict
from focuscrawl.store.commit import Committed


class Runner:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.stats: dict[str, Any] = {}

    def count(self, name: str, count: int) -> None:
        self.stats[name] = self.stats.get(name, 0) + count

    def note(self, name: str, value: float) -> None:
        self.stats[name] = value

    def figures(self) -> dict[str, Any]:
        return self.stats

    def wake(self) -> None: ...

    def widen(self, requests: int) -> None: ...
    async def ask(self, url: str) -> Answer:
        return Answer(error="nobody is there")

    def close(self, reason: str) -> None: ...


def page(name: str = "new", revisit: bool = False) -> Page:
    url = f"http://a.test/{name}"
    return Page(Lease(1, 2, url, revisit=revisit), url, 200, verdict=Verdict(0.5, True, 0.3))


def test_known_pages_that_left_the_collection_or_joined_it_count_as_that_too() -> None:
    runner = Runner()
    Counting(runner).commit(page(revisit=True), FetchOutcome(Event.STORED), Committed(revisit_result="same", left=2, joined=1))
    assert runner.stats == {"recrawl/same_count": 1, "recrawl/left_count": 2, "recrawl/joined_count": 1}


def test_a_stored_page_and_a_failure() -> None:
    runner = Runner()
    counting = Counting(runner)
    counting.commit(page(), FetchOutcome(Event.STORED), Committed(page_id=1, new_links=3))
    counting.commit(page(), FetchOutcome(Event.GONE, "http-404"), Committed())
    counting.commit(page(), FetchOutcome(Event.RETRY, "timeout"), Committed())
    counts = counting.counts
    assert (counts.pages, counts.relevant, counts.duplicates, counts.errors) == (1, 1, 0, 1)
    assert runner.stats == {
        "frontier/discovered_count": 3,
        "archive/pages_count": 1,
        "relevance/relevant_count": 1,
        "archive/error_count/http-404": 1,
        "frontier/retry_count/timeout": 1,
    }


def test_a_site_without_a_sitemap_and_an_answered_probe_are_no_errors() -> None:
    runner = Runner()
    counting = Counting(runner)
    for kind in (SITEMAP, SOFT404_PROBE):
        url = "http://a.test/x"
        counting.commit(Page(Lease(1, 2, url, kind=kind), url, 404), FetchOutcome(Event.GONE, "http-404"), Committed())
    assert counting.counts.errors == 0
    assert runner.stats == {}


def committer(recorded: list[FetchYield], recrawls: bool, home: bool = False) -> Committer:
    """One whose commits are all stored, and whose yields are only listed. `home`: what the store says when it is asked whether
    a page may be the new home of another."""

    def record(brought: FetchYield) -> list[str]:
        recorded.append(brought)
        return []

    unused: Any = None

    async def call(operation: object, **given: object) -> bool:
        return home

    stored: Any = SimpleNamespace(commit=_committed, call=call)
    cache: Any = SimpleNamespace(close=lambda uid: None)
    stopping: Any = SimpleNamespace(stored=lambda page: None, judge_waiting=_judged)
    yields: Any = SimpleNamespace(record=record, in_question=lambda url: [], take_opened=list, keep_aside=None)
    recrawling: Any = SimpleNamespace(on=recrawls)
    return Committer(
        store=stored, options=unused, ordering=unused, read_back=unused, recrawling=recrawling, finder=unused, cache=cache,
        yields=yields, site_sources=None, seen_sentences=SeenSentences(), counting=Counting(Runner()), stopping=stopping,
        unwanted=unused,
    )  # fmt: skip


def written(parts: Committer, each: Page) -> None:
    change: Any = SimpleNamespace(page=each, outcome=FetchOutcome(Event.STORED), instead="")
    asyncio.run(parts._write(change))


def test_a_revisit_says_nothing_of_what_a_part_of_its_host_yields() -> None:
    """Else a part of 30 pages would be shut after ten recrawls."""
    recorded: list[FetchYield] = []
    parts = committer(recorded, recrawls=True)
    for name, revisit in (("new", False), ("known", True)):
        written(parts, page(name, revisit))
    assert ([each.url for each in recorded], parts.counting.counts.pages) == (["http://a.test/new"], 2)


def test_a_file_that_is_no_page_counts_for_the_files_beside_it() -> None:
    files: list[str] = []
    parts = committer([], recrawls=False)

    def record_file(url: str) -> list[str]:
        files.append(url)
        return []

    parts.yields.record_file = record_file  # type: ignore[method-assign]
    for name, error in (("file", "type"), ("slow", "timeout")):
        each = page(name)
        each.error = error
        written(parts, each)
    assert files == ["http://a.test/file"]


def test_where_a_part_opens_again_what_was_put_aside_or_refused_on_its_site_is_judged_again() -> None:
    """Without a name: where first visits are open again. Nothing was put aside for those."""
    judged: list[str] = []
    again: list[str] = []

    async def find_again(site: str) -> None:
        again.append(site)

    async def let_back(site: str, rule: object) -> int:
        judged.append(site)
        return 3

    parts = committer([], recrawls=False)
    store, yields = parts.store, parts.yields
    store.let_back, yields.take_opened = let_back, lambda: ["", "a.test", "b.test"]  # type: ignore[method-assign]
    ordering: Any = SimpleNamespace(let_any_back=lambda: judged.append("the order"))
    read_back: Any = SimpleNamespace(find_again=find_again)
    parts.ordering, parts.read_back = ordering, read_back
    written(parts, page())
    assert judged == ["a.test", "the order", "b.test", "the order"]
    assert again == ["", "a.test", "b.test"]
    assert parts.counting._runner.figures()["frontier/let_back_count"] == 6


@pytest.mark.parametrize(("recrawls", "parent", "gain"), [(True, "", 1.0), (True, "http://a.test/", 0.0), (False, "", 0.0)])
def test_in_a_recrawl_the_new_home_of_a_page_brings_back_what_was_stored(recrawls: bool, parent: str, gain: float) -> None:
    """No link has led there. Else the part of the web to which a site has moved would stay closed."""
    recorded: list[FetchYield] = []
    parts = committer(recorded, recrawls)
    text = "\n".join(f"Telescope number {each} shows a galaxy far away." for each in range(9))
    parts.seen_sentences.read(text, "http://a.test/old")
    home = page()
    home.lease, home.text = replace(home.lease, parent=parent), text
    written(parts, home)
    assert [each.gain for each in recorded] == [gain]


@pytest.mark.parametrize(("recrawls", "home", "counts"), [(True, True, 0), (True, False, 1), (False, True, 1)])
def test_in_a_recrawl_the_only_copy_of_a_page_is_not_held_against_its_part(recrawls: bool, home: bool, counts: int) -> None:
    """The original may be gone: whether it is will be known at its own visit."""
    recorded: list[FetchYield] = []
    parts = committer(recorded, recrawls, home)
    copy = page()
    copy.lease, copy.text = replace(copy.lease, parent="http://a.test/"), "Many stars."
    copy.duplicate = Duplicate(1, "http://a.test/old", "exact", 1.0)
    written(parts, copy)
    assert [each.original for each in recorded] == ["http://a.test/old"] * counts


def test_in_a_recrawl_the_text_of_a_page_that_is_gone_is_not_copied() -> None:
    recorded: list[FetchYield] = []
    parts = committer(recorded, recrawls=True, home=True)
    text = "\n".join(f"Telescope number {each} shows a galaxy far away." for each in range(9))
    parts.seen_sentences.read(text, "http://a.test/old")
    home = page()
    home.lease, home.text = replace(home.lease, parent="http://a.test/"), text
    written(parts, home)
    assert [each.gain for each in recorded] == [1.0]


async def _judged() -> None:
    """Nothing ends this crawl."""


async def _committed(*_: object) -> Committed:
    return Committed(page_id=1)
