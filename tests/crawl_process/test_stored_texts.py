"""What a later run knows of the texts that earlier ones have stored."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from focuscrawl.crawl import stored_texts
from focuscrawl.crawl.stored_texts import StoredTexts
from focuscrawl.dedup.methods import method
from focuscrawl.dedup.text_reuse import SeenSentences, TextReuse
from focuscrawl.frontier.fetch_yield import FetchYield
from focuscrawl.frontier.outcome import outcome_of
from focuscrawl.frontier.yields import YieldLimit
from focuscrawl.items import LINK, SEED
from focuscrawl.store.commit import Commit
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.store.pages.duplicates import DuplicateFinder
from tests import factories

SAID = {
    "http://given.test/": (SEED, "The comet was seen from three observatories in the same night."),
    "http://old.test/1": (LINK, "Nobody had expected a second tail of ionised gas so early."),
    "http://list.test/": (LINK, "It was the brightest that anybody alive had ever seen by day."),
    "http://farm.test/1": (LINK, "Its orbit will bring it back in four hundred years or so."),
}
"""By URL, in the order of storing: kind of URL and text; the list is an index page."""
SESSION = "http://given.test/"
TEXTS = [text for _, text in SAID.values()]
FINDER = DuplicateFinder(method("simhash"))


class Later:
    """What a run that follows reads, and what it knows then."""

    def __init__(self, store: CrawlStore) -> None:
        self.store, self.seen_sentences, self.yields, self.ending = store, SeenSentences(), YieldLimit(), False
        self.texts = StoredTexts(store, self.seen_sentences, self.yields, lambda: self.ending)


@pytest.fixture
def later(tmp_path: Path) -> Later:
    """Of a run that follows the one which stored these pages."""
    return asyncio.run(stored(tmp_path))


async def stored(folder: Path) -> Later:
    store = opened(folder)
    for url, (kind, text) in SAID.items():
        await store.add_seeds([DiscoveredUrl(url, 1.0, kind=kind)])
        [lease], _ = await store.lease(1)
        page = factories.page(lease, text=text)
        page.kind = "index" if url == "http://list.test/" else "content"
        await store.commit(Commit(page, outcome_of(page, ()), store.clock(), store.run, store.worker), FINDER)
    store.close("test", "{}")
    return Later(opened(folder))


def opened(folder: Path) -> CrawlStore:
    return CrawlStore(folder, "x", factories.limits(99), "{}")


def reuse(later: Later, stopping: bool = False) -> list[TextReuse]:
    """How much of a new page of another domain was said before, for each text."""

    async def read() -> list[TextReuse]:
        later.ending = stopping
        await later.texts.read_earlier()
        later.store.close("test", "{}")
        return [later.seen_sentences.read(text, f"http://new{number}.test/") for number, text in enumerate(TEXTS)]

    return asyncio.run(read())


def test_a_later_run_knows_what_an_earlier_one_has_read_and_where(later: Later) -> None:
    assert reuse(later) == [
        TextReuse(known=1.0, foreign=1.0, given=1.0),
        TextReuse(known=1.0, foreign=1.0, elsewhere=1.0),
        TextReuse(),
        TextReuse(known=1.0, foreign=1.0, elsewhere=1.0),
    ]


def test_the_first_and_the_last_pages_are_read_so_that_the_start_takes_no_longer(
    later: Later, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_texts, "FIRST_READ", 1)
    monkeypatch.setattr(stored_texts, "LAST_READ", 1)
    assert [each.known for each in reuse(later)] == [1.0, 0.0, 0.0, 1.0]


def test_a_stop_does_not_wait_for_the_reading(later: Later) -> None:
    assert [each.known for each in reuse(later, stopping=True)] == [0.0] * len(TEXTS)


async def test_what_other_workers_store_meanwhile_is_known_too(tmp_path: Path) -> None:
    """Two workers each knew half of a farm's sentences, so that both fetched as much of it as one alone."""

    async def follow(later: Later) -> list[float]:
        await later.texts.read_others()  # not before the texts of earlier runs are read
        later.texts.read_to = 0
        own, later.store.worker = later.store.worker, 1  # as if it had stored them itself
        await later.texts.read_others()
        later.store.worker = own
        known = [sum(later.seen_sentences.read(text, "http://new.test/").known for text in TEXTS[:1])]
        later.texts.read_to = 0
        await later.texts.read_others()
        known += [later.seen_sentences.read(text, "http://new.test/").known for text in TEXTS[1:]]
        assert later.texts.read_to == len(TEXTS)
        later.store.close("test", "{}")
        return known

    assert (await follow(await stored(tmp_path))) == [0.0, 1.0, 0.0, 1.0]


async def test_addresses_that_others_have_fetched_spare_those_that_differ_in_a_value_that_makes_no_difference(
    tmp_path: Path,
) -> None:
    """Each worker, and each later run, fetched every page under a session of its own."""
    later = await stored(tmp_path)
    limit = later.yields
    for number in range(9):
        limit.record(FetchYield(f"http://old.test/{number}a", SESSION))
        limit.record(FetchYield(f"http://old.test/{number}a?sid=5", SESSION, original=f"http://old.test/{number}a"))
    rules = [limit.rule(f"http://old.test/1?sid={number}", SESSION) for number in range(3)]
    await later.texts.read_earlier()
    later.store.close("test", "{}")
    assert (rules + [limit.rule(f"http://old.test/1?sid={number}", SESSION) for number in range(3)]) == [
        "",
        "",
        "",
        "yield",
        "yield",
        "yield",
    ]
