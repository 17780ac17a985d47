"""What a later run knows of the texts that earlier ones have stored."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from focuscrawl.crawl import committing
from focuscrawl.crawl.committing import Committer
from focuscrawl.dedup.methods import method
from focuscrawl.dedup.text_reuse import TextReuse
from focuscrawl.frontier.outcome import outcome_of
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
TEXTS = [text for _, text in SAID.values()]
FINDER = DuplicateFinder(method("simhash"))


@pytest.fixture
def later(tmp_path: Path) -> Committer:
    """Of a run that follows the one which stored these pages."""
    return asyncio.run(stored(tmp_path))


async def stored(folder: Path) -> Committer:
    store = opened(folder)
    for url, (kind, text) in SAID.items():
        await store.add_seeds([DiscoveredUrl(url, 1.0, kind=kind)])
        [lease], _ = await store.lease(1)
        page = factories.page(lease, text=text)
        page.kind = "index" if url == "http://list.test/" else "content"
        await store.commit(Commit(page, outcome_of(page, ()), store.clock(), store.run, store.worker), FINDER, 0)
    store.close("test", "{}")
    unused: Any = None
    return Committer(
        store=opened(folder), options=unused, ordering=unused, recrawling=unused, finder=FINDER, cache=unused, yields=unused,
        site_sources=None, counting=unused, stopping=unused,
    )  # fmt: skip


def opened(folder: Path) -> CrawlStore:
    return CrawlStore(folder, "x", factories.limits(99), "{}")


def reuse(later: Committer, stopping: bool = False) -> list[TextReuse]:
    """How much of a new page of another domain was said before, for each text."""

    async def read() -> list[TextReuse]:
        await later.read_again(lambda: stopping)
        later.store.close("test", "{}")
        return [later.seen_sentences.read(text, f"http://new{number}.test/") for number, text in enumerate(TEXTS)]

    return asyncio.run(read())


def test_a_later_run_knows_what_an_earlier_one_has_read_and_where(later: Committer) -> None:
    assert reuse(later) == [
        TextReuse(known=1.0, foreign=1.0, given=1.0),
        TextReuse(known=1.0, foreign=1.0, elsewhere=1.0),
        TextReuse(),
        TextReuse(known=1.0, foreign=1.0, elsewhere=1.0),
    ]


def test_the_first_and_the_last_pages_are_read_so_that_the_start_takes_no_longer(
    later: Committer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(committing, "FIRST_READ", 1)
    monkeypatch.setattr(committing, "LAST_READ", 1)
    assert [each.known for each in reuse(later)] == [1.0, 0.0, 0.0, 1.0]


def test_a_stop_does_not_wait_for_the_reading(later: Committer) -> None:
    assert [each.known for each in reuse(later, stopping=True)] == [0.0] * len(TEXTS)
