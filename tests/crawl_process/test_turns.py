"""The order in which fetched pages are judged, and their links scored, where few URLs are chosen at a time."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

from focuscrawl.crawl.long_work import SLOW_SECONDS
from focuscrawl.crawl.turns import ROBOTS_SECONDS, Turns
from focuscrawl.items import Lease
from focuscrawl.url.key import UrlId
from tests import factories


@dataclass
class Fetches:
    """Some leases in flight, and the names of those whose links were scored."""

    names: str
    robots: str = ""
    now: float = 1000.0
    leases: dict[UrlId, Lease] = field(default_factory=dict)
    scored: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.turns = Turns(self.leases, lambda: self.now)
        self.turns.taken = True
        for name in self.names:
            lease = factories.lease(f"http://{name}.test/", at=self.now, robots=name in self.robots)
            self.leases[lease.url_id] = lease

    def lease(self, name: str) -> Lease:
        return next(lease for lease in self.leases.values() if lease.url == f"http://{name}.test/")

    def end(self, name: str) -> None:
        lease = self.leases.pop(self.lease(name).url_id)
        self.turns.ended(lease)

    async def score(self, name: str) -> None:
        lease = self.lease(name)
        self.turns.answered(lease)
        await self.turns.score(lease)
        self.scored.append(name)
        if self.turns.taken:
            self.end(name)


async def soon() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_links_are_scored_in_the_order_of_their_leases_and_a_choice_stands_between_two() -> None:
    fetches, seen = Fetches("abc"), list[list[str]]()
    tasks = []
    for name in "cba":
        tasks.append(asyncio.ensure_future(fetches.score(name)))
        await soon()
    for _ in range(3):
        seen.append(list(fetches.scored))
        fetches.turns.chosen()
        await soon()
    await asyncio.gather(*tasks)
    assert [*seen, fetches.scored] == [["a"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c"]]


async def test_a_page_is_judged_while_the_one_before_is_committed_but_its_links_wait() -> None:
    fetches, done, seen = Fetches("abc"), list[str](), list[list[str]]()

    async def judge_and_score(name: str) -> None:
        await fetches.turns.judge(fetches.lease(name))
        done.append(f"{name} judged")
        await fetches.turns.score(fetches.lease(name))
        done.append(f"{name} scored")

    tasks = [asyncio.ensure_future(judge_and_score(name)) for name in "cba"]
    for step in ("commits", "ends", "chosen"):
        await soon()
        seen.append(list(done))
        match step:
            case "commits":
                fetches.turns.commits(fetches.lease("a"))
            case "ends":
                fetches.end("a")
            case "chosen":
                fetches.turns.chosen()
    await soon()
    for task in tasks:
        task.cancel()
    before = ["a judged", "a scored"]
    assert [*seen, done] == [before, [*before, "b judged"], [*before, "b judged"], [*before, "b judged", "b scored"]]


async def test_a_page_whose_turn_comes_after_one_without_an_answer_waits_for_that_one_no_longer_than_it_may() -> None:
    fetches = Fetches("abc")
    early = fetches.lease("b")
    fetches.leases[early.url_id] = replace(early, at=early.at - (SLOW_SECONDS - 0.02))
    fetches.turns.answered(fetches.lease("a"))
    task = asyncio.ensure_future(fetches.turns.score(fetches.lease("c")))
    await soon()
    fetches.end("a")
    fetches.turns.chosen()
    await soon()
    waited = not task.done()
    fetches.now += 0.02
    await asyncio.wait_for(task, SLOW_SECONDS / 2)
    assert waited


async def test_where_no_turns_are_taken_nothing_waits() -> None:
    fetches = Fetches("ab")
    fetches.turns.taken = False
    fetches.end("a")
    await fetches.score("b")
    assert fetches.scored == ["b"]


async def test_turns_that_are_taken_no_more_let_all_go() -> None:
    fetches = Fetches("ab")
    task = asyncio.ensure_future(fetches.score("b"))
    await soon()
    fetches.turns.taken = False
    fetches.turns.chosen()
    await task
    assert fetches.scored == ["b"]


async def test_a_robots_txt_holds_no_page() -> None:
    fetches = Fetches("ab", robots="a")
    await fetches.score("b")
    assert fetches.scored == ["b"]


def test_what_takes_long_is_not_awaited() -> None:
    fetches = Fetches("abr", robots="r")
    fetches.now += ROBOTS_SECONDS
    assert [lease.url for lease in fetches.turns.awaited] == ["http://a.test/", "http://b.test/"]
    fetches.turns.answered(fetches.lease("b"))
    fetches.now += SLOW_SECONDS - ROBOTS_SECONDS
    assert [lease.url for lease in fetches.turns.awaited] == ["http://b.test/"]
    fetches.now += ROBOTS_SECONDS
    assert not fetches.turns.awaited


async def test_a_page_waits_until_the_one_before_is_awaited_no_more() -> None:
    fetches = Fetches("ab")
    fetches.now += SLOW_SECONDS - 0.02
    fetches.turns.answered(fetches.lease("b"))
    task = asyncio.ensure_future(fetches.turns.score(fetches.lease("b")))
    await soon()
    waited = not task.done()
    fetches.now += 0.02
    await asyncio.wait_for(task, SLOW_SECONDS / 2)
    assert (waited, fetches.turns.teaching) == (True, True)


async def test_a_page_whose_links_are_scored_for_long_holds_up_no_choice() -> None:
    fetches = Fetches("a")
    await fetches.turns.score(fetches.lease("a"))
    teaching = fetches.turns.teaching
    fetches.now += SLOW_SECONDS
    assert (teaching, fetches.turns.teaching) == (True, False)


async def test_two_pages_of_one_lease_wait_for_the_same_turn() -> None:
    fetches = Fetches("ab")
    lease = fetches.lease("b")
    tasks = [asyncio.ensure_future(fetches.turns.score(lease)) for _ in range(2)]
    await soon()
    waited = [not task.done() for task in tasks]
    fetches.end("a")
    fetches.turns.chosen()
    await asyncio.gather(*tasks)
    assert waited == [True, True]
