"""Two crawls of one job are the same crawl, whichever host answers first."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.crawl.run import ASTRONOMY, crawl
from tests.crawl.site import Hit, Reply, Site, page

HOSTS = {f"h{number}.test": f"127.61.0.{number}" for number in range(1, 7)}
PAGES = 90
FETCHES = 70
SLOWEST = 0.06
SETTINGS = {"POLITENESS_CONCURRENCY": "16", "POLITENESS_ADDRESS_CONCURRENCY": "16"}


def after_a_while(reply: Reply, chance: random.Random) -> Callable[[Hit], Reply]:
    return lambda hit: replace(reply, delay=chance.uniform(0.0, SLOWEST))


def web(site: Site, chance: random.Random) -> None:
    """Pages that link to six others at random, half of them on the topic; they answer after some time by chance."""
    structure = random.Random(1)
    places = [f"{host}/{n}" for n in range(PAGES // len(HOSTS)) for host in HOSTS]
    for at, name in enumerate(places):
        links = [site.url(structure.choice(places)) for _ in range(6)]
        topical = structure.random() < 0.5
        words = "galaxy and nebula" if topical else "river and bread"
        site.answers[name] = after_a_while(page(f"{words} {at}", links, on_topic=topical), chance)
    site.missing = {host: after_a_while(Reply(404), chance) for host in HOSTS}


def two_orders(folder: Path, strategy: str, given: str) -> list[list[str]]:
    """The pages of two crawls of one job, in their order."""
    with Site(HOSTS) as site:
        orders = []
        for number in range(2):
            web(site, random.Random(number))
            seeds = ",".join(site.url(f"{host}/0") for host in HOSTS)
            topic = ASTRONOMY if given == "keywords" else ",".join(site.url(f"{host}/1") for host in HOSTS)
            arguments = {given: topic, "name": "same", "strategy": strategy, "max_pages": FETCHES}
            run = crawl(folder / str(number), seeds, site.dns, SETTINGS, arguments, program="tests.crawl.unhurried")
            assert run.code == 0, run.err
            orders.append([url for (url,) in run.rows("same", "select url from page order by page_id")])
    assert len(orders[0]) == FETCHES
    return orders


@pytest.mark.parametrize("given", ["keywords", "examples"])
@pytest.mark.parametrize("strategy", ["learned", "best-first"])
def test_the_order_does_not_hang_on_which_host_answers_first(tmp_path: Path, strategy: str, given: str) -> None:
    # Without turns two crawls are never the same.
    one, other = two_orders(tmp_path, strategy, given)
    assert one == other
