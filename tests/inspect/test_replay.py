from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace

import pytest

from focuscrawl.crawl.link_rules import LinkRules
from focuscrawl.frontier.mirrors import ENOUGH
from focuscrawl.frontier.yields import YieldLimit
from focuscrawl.inspect.replay import OUTSIDE, PageFinder, Replay, ReplayedPage
from focuscrawl.inspect.replay_frontier import ReplayFrontier, WaitingUrl
from focuscrawl.items import Link, Page, Verdict
from focuscrawl.url.key import UrlId, url_key
from focuscrawl.url.scope import Scope
from models.link.tunnelling import FixedTunnelling
from models.order.protocol import Change

ROOT = "http://a.example/"
NOW = 1_790_000_000.0
Graph = dict[str, list[str]]


def url(name: str) -> str:
    return f"{ROOT}{name}"


def key(name: str) -> UrlId:
    return url_key(url(name)).url_id


class Web:
    """Pages named by letters; `same`: texts that several pages share, word for word or (other case) nearly."""

    def __init__(self, graph: Graph, seeds: Sequence[str], same: dict[str, str] | None = None) -> None:
        self.names = list(graph)
        self.graph, self.same = graph, same or {}
        self.texts: dict[str, str] = {}
        self.seeds = [url(name) for name in seeds]
        self.find = PageFinder(self.resolve)

    def resolve(self, address: str) -> int | None:
        name = address.removeprefix(ROOT).removesuffix("?old")
        return self.names.index(name) if name in self.names else None

    def read(self, number: int) -> ReplayedPage:
        name = self.names[number]
        same, links = self.same.get(name, ""), [Link(url(other)) for other in self.graph[name]]
        return ReplayedPage(
            url(name), [name], links, fetched_at=NOW, same=same.lower() or None, exact=same, text=self.texts.get(name, "")
        )


class ByPriority:
    """Links are worth what a table says; `moves`: what a page's sight moves."""

    def __init__(self, worth: dict[str, float], moves: dict[str, dict[str, float]] | None = None, focused: bool = True) -> None:
        self.focused, self.worth, self.moves = focused, worth, moves or {}
        self.pages: list[Page] = []
        self._changes: list[Change] = []

    def see(self, page: Page) -> None:
        self.pages.append(page)
        for link in page.links:
            if not link.refused:
                link.priority = self.worth.get(link.url.removeprefix(ROOT), 0.5)
        name = page.url.removeprefix(ROOT)
        self._changes = [Change(key(other), value) for other, value in self.moves.get(name, {}).items()]

    def changes(self) -> list[Change]:
        changes, self._changes = self._changes, []
        return changes


def replay(
    web: Web, order: ByPriority, relevant: Container[str] = "", budget: int = 99, depth: int = 3, in_flight: int = 1
) -> Replay:
    def judge(_: int, content: ReplayedPage) -> Verdict:
        return Verdict(0.5, content.words[0] in relevant, 0.5)

    return Replay(web, order, judge, budget, FixedTunnelling(depth), in_flight)


def fetched(run: Replay) -> str:
    web = run.web
    assert isinstance(web, Web)
    return "".join(web.names[fetch.number] for fetch in run)


def test_the_best_waiting_link_comes_first_and_each_page_once() -> None:
    web = Web({"s": ["a", "b", "c"], "a": ["s", "b"], "b": ["d"], "c": [], "d": []}, "s")
    run = replay(web, ByPriority({"a": 0.2, "b": 0.9, "c": 0.3, "d": 0.1}))
    assert fetched(run) == "sbcad"
    assert run.tally.left == 0


def test_the_budget_ends_it_and_what_waits_is_counted() -> None:
    run = replay(Web({"s": ["a", "b", "c"], "a": [], "b": [], "c": []}, "s"), ByPriority({"b": 0.9}), budget=2)
    assert fetched(run) == "sb"
    assert run.tally.left == 2


class WithDeadLinks(Web):
    """Links to capitals are dead: of Z not even the host answers."""

    def resolve(self, address: str) -> int | None:
        name = address.removeprefix(ROOT)
        return -ord(name) if name.isupper() else super().resolve(address)

    def read(self, number: int) -> ReplayedPage:
        return super().read(number) if number >= 0 else ReplayedPage("", (), [], status=0 if number == -ord("Z") else 404)


MIRROR, OWN = "http://mirror.example/", [f"own{number}" for number in range(9)]


class WithMirror(Web):
    """What the pages m and g say stands on s, too. On m, which lies on another host, the same addresses follow; g shows the
    page z in a frame."""

    def resolve(self, address: str) -> int | None:
        return super().resolve(address.replace(MIRROR, ROOT))

    def read(self, number: int) -> ReplayedPage:
        content = super().read(number)
        if content.url == url("m"):
            content.url, content.links = MIRROR, [Link(MIRROR + each) for each in OWN]
        if content.url == url("g"):
            content.links[0].position = "frameset/frame"
        return replace(content, language="fr", noindex=content.url == url("g"))


def test_what_is_followed_of_a_page_that_repeats_another_is_as_in_a_crawl() -> None:
    graph = {"s": ["m", "g", *OWN], "m": [], "g": ["z"], "z": [], **{each: [] for each in OWN}}
    order = ByPriority({"m": 0.9, "g": 0.8})
    fetched(replay(WithMirror(graph, "s", {"s": "x", "m": "x", "g": "x"}), order, relevant="s"))
    seen = {page.url: page for page in order.pages}
    assert [link.refused for link in seen[MIRROR].links] == [""] * (ENOUGH - 1) + ["duplicate"] * (len(OWN) - ENOUGH + 1)
    assert [link.refused for link in seen[url("g")].links] == [""]
    assert [(page.language, page.noindex) for page in order.pages[:3]] == [("fr", False), ("fr", False), ("fr", True)]


def test_dead_links_cost_no_page_and_the_order_sees_what_answers() -> None:
    web = WithDeadLinks({"s": ["A", "Z", "b", "c"], "b": [], "c": []}, "s")
    order = ByPriority({"A": 0.9, "Z": 0.8, "b": 0.7, "c": 0.6})
    run = replay(web, order, budget=2)
    assert fetched(run) == "sb"
    assert run.tally.dead == 2
    assert [(page.url, page.status, page.ok) for page in order.pages if not page.ok] == [(url("A"), 404, False)]


def test_what_the_order_changes_moves() -> None:
    web = Web({"s": ["a", "b", "c"], "a": [], "b": [], "c": []}, "s")
    order = ByPriority({"a": 0.9, "b": 0.5, "c": 0.4}, {"a": {"c": 0.8, "b": 0.1, "nobody": 1.0}})
    run = replay(web, order)
    assert fetched(run) == "sacb"
    assert run.tally.moved == 2


def test_with_several_on_the_way_the_first_answers_come_too_late() -> None:
    web = Web({"s": ["x"], "t": [], "u": [], "x": []}, "stu")
    assert fetched(replay(web, ByPriority({"x": 0.9}))) == "stux"
    order = ByPriority({"x": 0.9})
    assert fetched(replay(web, order, in_flight=3)) == "stux"
    web = Web({"s": ["a", "b"], "a": ["x"], "b": [], "x": []}, "s")
    assert fetched(replay(web, ByPriority({"a": 0.6, "b": 0.5, "x": 0.9}))) == "saxb"
    assert fetched(replay(web, ByPriority({"a": 0.6, "b": 0.5, "x": 0.9}), in_flight=2)) == "sabx"


def test_tunnelling_holds_for_focused_orders_only() -> None:
    chain = {"s": ["a"], "a": ["b"], "b": ["c"], "c": ["d"], "d": []}
    run = replay(Web(chain, "s"), ByPriority({}), depth=2)
    assert fetched(run) == "sab"
    assert run.tally.tunnel == 1
    assert fetched(replay(Web(chain, "s"), ByPriority({}), relevant="b", depth=2)) == "sabcd"
    assert fetched(replay(Web(chain, "s"), ByPriority({}, focused=False), depth=2)) == "sabcd"


def test_links_to_what_is_not_there_are_refused_and_counted() -> None:
    order = ByPriority({})
    run = replay(Web({"s": ["gone", "a"], "a": ["gone"]}, "s"), order)
    assert fetched(run) == "sa"
    assert run.tally.missing == 2
    assert [link.refused for link in order.pages[0].links] == [OUTSIDE, ""]


def test_links_of_a_page_that_repeats_another_are_not_followed() -> None:
    web = Web({"s": ["a", "b"], "a": ["x"], "b": ["y"], "x": [], "y": []}, "s", same={"a": "text", "b": "text"})
    assert fetched(replay(web, ByPriority({"a": 0.9, "b": 0.8, "x": 0.1}))) == "sabx"
    assert fetched(replay(web, ByPriority({"a": 0.8, "b": 0.9, "y": 0.1}))) == "sbay"


def test_a_page_that_says_more_than_the_one_it_repeats_takes_its_place() -> None:
    """As notes on a release do that have all those before: what only the copy of such a page links to is not followed."""
    web = Web({"s": ["a", "b", "c"], "a": ["x"], "b": ["y"], "c": ["z"], "x": [], "y": [], "z": []}, "s")
    web.same = {"a": "text", "b": "TEXT", "c": "Text"}
    old, new = (" ".join(f"{word}{n}" for n in range(400)) for word in ("old", "new"))
    web.texts = {"a": old, "b": f"{new} {old}", "c": old}
    assert fetched(replay(web, ByPriority({"a": 0.9, "b": 0.8, "c": 0.7}))) == "sabcxy"


def test_what_follows_every_link_follows_those_of_near_duplicates_too() -> None:
    graph = {"s": ["a", "b"], "a": ["x"], "b": ["y"], "x": [], "y": []}
    near, exact = Web(graph, "s", same={"a": "text", "b": "TEXT"}), Web(graph, "s", same={"a": "text", "b": "text"})
    assert fetched(replay(near, ByPriority({"a": 0.9, "b": 0.8}))) == "sabx"
    assert fetched(replay(near, ByPriority({"a": 0.9, "b": 0.8}, focused=False))) == "sabxy"
    assert fetched(replay(exact, ByPriority({"a": 0.9, "b": 0.8}, focused=False))) == "sabx"


def test_scope_depth_and_traps_are_those_of_a_crawl() -> None:
    far = "cal/2150/01/"
    web = Web({"s": ["a", "q", far], "a": ["b"], "b": ["c"], "c": [], "q": [], far: []}, "s")
    run = replay(web, ByPriority({}), relevant="sab")
    assert [web.names[fetch.number] for fetch in run] == ["s", "a", "q", "b", "c"]
    rules = LinkRules(Scope(exclude=("q",)), max_depth=2)
    assert fetched(Replay(web, ByPriority({}), run.judge, 99, FixedTunnelling(3), rules=rules)) == "sab"


@pytest.mark.parametrize("focused", [True, False])
def test_a_barren_part_of_a_host_is_left_by_every_order(focused: bool) -> None:
    good = [f"g/{n}" for n in range(60)]
    graph = {"s": ["d/a/0", "d/b", *good], "d/b": []} | {f"d/a/{n}": [f"d/a/{n + 1}", f"d/a/x{n}"] for n in range(200)}
    graph |= {name: [] for name in (*good, "d/a/200", *(f"d/a/x{n}" for n in range(200)))}
    web = Web(graph, "s")
    run = replay(web, ByPriority({}, focused=focused), relevant=["s", *good], depth=999)
    run = Replay(web, run.order, run.judge, 500, FixedTunnelling(999), yields=YieldLimit())
    found = [web.names[fetch.number] for fetch in run]
    assert {"s", "d/b", *good} <= set(found)
    assert len([name for name in found if name.startswith("d/a/")]) < 40
    assert run.tally.barren > 0


def test_two_addresses_of_one_page_are_fetched_once_under_the_better() -> None:
    order = ByPriority({"a": 0.2, "a?old": 0.9})
    run = replay(Web({"s": ["a", "a?old"], "a": []}, "s"), order)
    assert fetched(run) == "sa"
    assert order.pages[1].lease.url == url("a?old")
    assert order.pages[1].url == url("a")


def test_leases_say_how_a_page_was_reached() -> None:
    order = ByPriority({"a": 0.7})
    fetched(replay(Web({"s": ["a"], "a": ["b"], "b": []}, "s"), order, relevant="s"))
    first, second, third = (page.lease for page in order.pages)
    assert (first.depth, first.distance, first.parent) == (0, 0, "")
    assert (second.depth, second.distance, second.parent, second.priority) == (1, 0, url("s"), 0.7)
    assert (third.depth, third.distance) == (2, 1)
    assert (second.hid, second.uid) == key("a")


def test_a_seed_that_leads_nowhere_is_passed_over() -> None:
    assert fetched(replay(Web({"s": []}, ["nowhere", "s", "s"]), ByPriority({}))) == "s"


@pytest.mark.parametrize("margin", [0.02, float("inf")])
def test_a_better_link_lifts_what_waits_by_more_than_the_margin(margin: float) -> None:
    frontier = ReplayFrontier(margin)
    frontier.offer(key("a"), WaitingUrl(1, url("a"), 0.5, 4, 3))
    frontier.offer(key("b"), WaitingUrl(2, url("b"), 0.6))
    frontier.offer(key("a"), WaitingUrl(1, url("a"), 0.51, 2, 3))
    frontier.offer(key("a"), WaitingUrl(1, url("a"), 0.9, 5, 1))
    first = frontier.pop()
    assert first is not None
    assert first.number == (1 if margin < 1 else 2)
    assert len(frontier) == 1


def test_the_heap_does_not_grow_with_changes() -> None:
    frontier = ReplayFrontier(0.02)
    for number in range(10):
        frontier.offer(key(str(number)), WaitingUrl(number, url(str(number)), 0.5))
    for turn in range(2000):
        frontier.change(key(str(turn % 10)), turn / 2000)
    assert len(frontier._heap) < 1100
    assert [waiting.number for _ in range(10) if (waiting := frontier.pop())] == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    assert frontier.pop() is None


def test_a_host_above_its_share_gives_way_to_others_that_promise_nearly_as_much() -> None:
    frontier = ReplayFrontier(0.02, host_share=0.5)
    for number, priority in enumerate((0.9, 0.89, 0.88, 0.87)):
        frontier.offer((1, number), WaitingUrl(number, url(str(number)), priority))
    frontier.offer((2, 4), WaitingUrl(4, "http://b.example/4", 0.8))
    frontier.offer((2, 5), WaitingUrl(5, "http://b.example/5", 0.3))
    assert [waiting.number for _ in range(7) if (waiting := frontier.pop())] == [0, 4, 1, 2, 3, 5]
