"""Any page of a very large web on demand, in bounded time and memory."""

from __future__ import annotations

import tracemalloc
from random import Random

import pytest

from synthweb.plan import preset
from synthweb.web import SyntheticWeb
from tests.linear_time import linear

PAGES = 1_000_000


@pytest.mark.slow
def test_a_thousand_random_pages_of_a_million() -> None:
    web, draw = SyntheticWeb(preset("large", 3), 8080), Random(1)
    numbers = [draw.randrange(PAGES) for _ in range(1000)]
    with linear():
        for number in numbers:
            host, local = web.layout.locate(number)
            assert web.answer(host, web.facts.path(host, local)).status == 200


@pytest.mark.slow
def test_memory_does_not_grow_with_the_web() -> None:
    tracemalloc.start()
    try:
        web, draw = SyntheticWeb(preset("large", 3), 8080), Random(2)
        for _ in range(200):
            web.page(draw.randrange(PAGES))
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_links_of_a_large_web_lead_to_pages() -> None:
    web, draw = SyntheticWeb(preset("large", 4), 8080), Random(3)
    for _ in range(60):
        for link, _rel in web.links(web.page(draw.randrange(PAGES)).label.url):
            assert web.label(link).kind not in ("unknown", "dead") or "/missing/" in link or "/gone/" in link


@pytest.mark.parametrize("number", [-1, PAGES])
def test_there_is_nothing_outside(number: int) -> None:
    with pytest.raises(IndexError):
        SyntheticWeb(preset("large"), 80).page(number)
