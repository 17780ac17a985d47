"""Which hosts of an ordinary crawl have their sitemaps and feeds visited, and how many of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from focuscrawl.crawl.site_sources import MOST_VISITS, SiteSources
from focuscrawl.items import EXAMPLE, LINK, SEED, SITEMAP, Lease, Link, Page, Verdict
from focuscrawl.store.commit import Committed
from focuscrawl.store.revisits.sources import given_hosts
from focuscrawl.url.scope import Scope

STORED, NOT_STORED = Committed(page_id=1), Committed()


class Store:
    """Notes what is asked of it, and answers a moment later. `good`: from which question on hosts look good. Of each question
    `there` sources can be visited."""

    given: Sequence[int] = ()
    """Hosts of seeds and examples."""

    def __init__(self, there: int, good: int) -> None:
        self.asked: list[tuple[str, int]] = []
        self._there, self._good = there, good

    def clock(self) -> float:
        return 1.0

    async def call(self, operation: Callable[..., Any], limit: int = 0, **given: object) -> Any:
        if operation is given_hosts:
            return self.given
        name = operation.__name__
        self.asked.append((name, limit))
        await asyncio.sleep(0)
        return None if name == "wake_sources" and len(self.asked) < self._good else min(self._there, limit)


def page(relevant: bool = True, hid: int = 1, kind: int = LINK, links: Sequence[Link] = ()) -> Page:
    lease = Lease(hid, 1, "http://a.test/p", kind=kind)
    return Page(lease, lease.url, 200, verdict=Verdict(0.9, relevant, 0.5), links=list(links))


def index(hid: int = 1, **values: Any) -> Page:
    lease = Lease(hid, 2, "http://a.test/sitemap.xml", kind=SITEMAP)
    return Page(lease, lease.url, 200, **(values or {"feeds": ["http://a.test/1.xml", "http://a.test/2.xml"]}))


def asked(
    fetches: Sequence[tuple[Page, Committed]], there: int = 1, good: int = 1, at_once: bool = False
) -> list[tuple[str, int]]:
    store: Any = Store(there, good)
    sources = SiteSources(store, Scope())

    async def go() -> None:
        commits = [sources.committed(fetched, done) for fetched, done in fetches]
        if at_once:
            await asyncio.gather(*commits)
        else:
            for commit in commits:
                await commit

    asyncio.run(go())
    asked: list[tuple[str, int]] = store.asked
    return asked


def test_a_host_is_asked_about_until_it_looks_good() -> None:
    assert asked([(page(), STORED)] * 7, good=3) == [("wake_sources", MOST_VISITS)] * 3


def test_only_stored_relevant_pages_make_a_host_look_good() -> None:
    assert asked([(page(relevant=False), STORED), (page(), NOT_STORED)]) == []


@pytest.mark.parametrize("kind", [SEED, EXAMPLE])
def test_a_given_page_from_which_no_link_leads_further_needs_no_relevant_ones(kind: int) -> None:
    elsewhere, further = Link("http://b.test/", in_site=False), Link("http://a.test/x")
    assert asked([(page(False, kind=kind, links=[elsewhere]), STORED)]) == [("wake_sources", MOST_VISITS)]
    assert asked([(page(False, kind=kind, links=[elsewhere, further]), STORED), (page(False), STORED)]) == []


def test_pages_of_one_host_that_end_at_once_let_it_be_visited_once() -> None:
    assert asked([(page(), STORED)] * 7, at_once=True) == [("wake_sources", MOST_VISITS)]
    assert asked([(page(), STORED), (page(hid=2), STORED)], at_once=True) == [("wake_sources", MOST_VISITS)] * 2


def test_further_sitemaps_have_what_is_left() -> None:
    further = [(index(), NOT_STORED)] * 4
    assert asked([(page(), STORED), *further], there=2) == [
        ("wake_sources", MOST_VISITS), ("wake_unread", MOST_VISITS - 2), ("wake_unread", MOST_VISITS - 4),
    ]  # fmt: skip


def test_what_another_worker_let_be_visited_leads_further() -> None:
    assert asked([(index(), NOT_STORED)]) == [("wake_unread", MOST_VISITS)]
    assert asked([(index(redirect="http://a.test/sitemap_index.xml"), NOT_STORED)]) == [("wake_unread", MOST_VISITS)]
    assert asked([(index(feeds=[]), NOT_STORED)]) == []


def test_hosts_of_given_pages_have_theirs_visited_once_nothing_else_is_left() -> None:
    store: Any = Store(1, 1)
    sources = SiteSources(store, Scope())
    store.given = [1, 2]

    async def go() -> list[bool]:
        await sources.committed(page(True, 2), STORED)
        return [await sources.nothing_else() for _ in range(2)]

    assert asyncio.run(go()) == [True, False]
    assert store.asked == [("wake_sources", MOST_VISITS)] * 2  # of host 2, which looked good before, and of host 1
