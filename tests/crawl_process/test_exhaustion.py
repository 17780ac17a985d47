"""What is looked for before a crawl ends for want of URLs, and why it then ends."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from focuscrawl.crawl.exhaustion import Exhaustion, PartitionExit
from focuscrawl.frontier.stop_rules import Stop
from focuscrawl.report.reasons import PLANNED_STOPS, STOPS


def exhaustion_of(read_back: Any, stopping: Any = None) -> Exhaustion:
    """Of a crawl that has nothing to recrawl, whose store answers with what an operation returns."""

    async def call(operation: Any) -> object:
        return operation(None)

    async def held_back(store: object) -> str:
        return " (held)"

    async def rank() -> bool:
        return False

    store: Any = SimpleNamespace(call=call)
    control: Any = SimpleNamespace(held_back=held_back)
    recrawling: Any = SimpleNamespace(on=False, rank=rank)
    unused: Any = None
    return Exhaustion(
        store=store, idle_stop=60.0, partition_exit=PartitionExit(None, 1.0), control=control, read_back=read_back,
        recrawling=recrawling, site_sources=None, counting=unused, stopping=stopping,
    )  # fmt: skip


async def test_links_of_stored_pages_are_looked_at_before_it_ends_for_want_of_urls() -> None:
    read_back = SimpleNamespace(has_more_to_follow=True)

    async def catch_up(at_end: bool) -> None:
        read_back.has_more_to_follow = not at_end

    read_back.catch_up = catch_up
    exhaustion = exhaustion_of(read_back)
    assert [await exhaustion.find_more(), await exhaustion.find_more()] == [True, False]


@pytest.mark.parametrize(
    ("silent", "hosts", "reason", "why"),
    [
        (0, 0, "empty", "no waiting URL falls due soon (held)"),
        (2, 4, "empty", "no waiting URL falls due soon (held)"),
        (1, 1, "outage", "the only host with pages does not answer now (held)"),
        (1200, 1300, "outage", "1,200 of the 1,300 hosts with pages do not answer now (held)"),
    ],
)
def test_a_crawl_that_ends_because_most_hosts_are_down_has_not_ended_as_planned(
    silent: int, hosts: int, reason: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With exit code 0, nobody noticed that the network had failed for a minute."""
    stops: list[Stop] = []
    monkeypatch.setattr("focuscrawl.crawl.exhaustion.silent_hosts", lambda db: (silent, hosts))
    asyncio.run(exhaustion_of(None, SimpleNamespace(stop_or_recrawl=stops.append)).end())
    assert stops == [Stop(reason, why)]
    assert reason in STOPS
    assert (reason in PLANNED_STOPS) is (reason == "empty")
