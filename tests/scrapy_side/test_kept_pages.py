"""A spider that keeps a page to itself ends its lease all the same."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.http import Request, Response

from focuscrawl.items import Lease, Page
from focuscrawl.scrapy_side.kept_pages import KeptPagesMiddleware
from focuscrawl.scrapy_side.responses import HELD
from tests.factories import lease

LEASE = lease("http://a.test/")
PAGE = Page(LEASE, LEASE.url)


def given_up(made: list[Any], ended: tuple[Lease, ...] = (), meta: dict[str, Any] | None = None) -> list[tuple[str, str]]:
    """URL and cause of what is given up when a spider has made this of an answer."""
    given: list[tuple[str, str]] = []

    async def set_aside(page: Page, error: str) -> None:
        given.append((page.url, error))

    async def output() -> AsyncIterator[Any]:
        for each in made:
            yield each

    async def through() -> list[Any]:
        response = Response(LEASE.url, request=Request(LEASE.url, meta={"lease": LEASE} | (meta or {})))
        return [each async for each in KeptPagesMiddleware(crawl).process_spider_output(response, output())]

    crawl: Any = SimpleNamespace(
        leases=SimpleNamespace(holds=lambda lease: lease not in ended),
        store=SimpleNamespace(clock=lambda: 5.0),
        give_up=set_aside,
    )
    assert asyncio.run(through()) == made
    return given


@pytest.mark.parametrize("made", [[], [{"url": LEASE.url}], [Page(lease("http://a.test/other"), "http://a.test/other")]])
def test_a_page_that_the_spider_does_not_yield_is_given_up(made: list[Any]) -> None:
    """The crawl waited for it forever."""
    assert given_up(made) == [("http://a.test/", "dropped")]


@pytest.mark.parametrize("made", [[PAGE], [{"url": LEASE.url}, replace(PAGE, title="their own")]])
def test_a_page_that_it_yields_is_left_to_the_pipelines(made: list[Any]) -> None:
    assert given_up(made) == []


def test_a_page_that_is_held_for_the_topic_comes_later() -> None:
    assert given_up([], meta={HELD: True}) == []


def test_a_lease_that_has_ended_is_left_alone() -> None:
    assert given_up([], ended=(LEASE,)) == []


@pytest.mark.parametrize("meta", [{"lease": None}, {"lease": replace(LEASE, robots=True)}])
def test_what_is_no_page_of_the_crawl_is_left_alone(meta: dict[str, Any]) -> None:
    assert given_up([], meta=meta) == []
