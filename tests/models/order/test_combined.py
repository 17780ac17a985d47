"""Several topics' orders as one."""

from __future__ import annotations

import random

import pytest

from focuscrawl.frontier.forecast import ORDERED
from focuscrawl.items import Link, Page, Verdict
from focuscrawl.url.key import UrlId, url_key
from models.order import combined
from models.order.combined import BELOW, Combined, merged
from models.order.protocol import Change
from tests import factories


class Fixed:
    """Scores every link by a table, and notes the verdicts that it is shown."""

    def __init__(self, scores: dict[str, float], focused: bool = True) -> None:
        self.focused = focused
        self.scores = scores
        self.seen: list[Verdict | None] = []
        self.moved: list[Change] = []

    def see(self, page: Page) -> None:
        self.seen.append(page.verdict)
        for link in page.links:
            if not link.refused:
                link.score = link.priority = self.scores[link.url]
                link.parts = {"anchor": link.score}

    def changes(self) -> list[Change]:
        moved, self.moved = self.moved, []
        return moved


ONE, TWO = "http://a.test/1", "http://a.test/2"


def page(url: str = "http://a.test/") -> Page:
    found = factories.page(url, links=[Link(ONE), Link(TWO), Link("http://a.test/no", refused="scope")])
    found.verdicts = {"a": Verdict(0.9, True, 0.5), "b": Verdict(0.1, False, 0.5)}
    found.verdict = found.verdicts["a"]
    return found


def key(url: str) -> UrlId:
    return url_key(url).url_id


def test_a_link_that_is_good_for_two_topics_is_worth_more_than_for_one() -> None:
    order = Combined({"a": Fixed({ONE: 0.5, TWO: 0.5}), "b": Fixed({ONE: 0.5, TWO: 0.0})})
    seen = page()
    order.see(seen)
    one, two, refused = seen.links
    assert (one.score, round(one.priority, 4), two.score, two.priority) == (0.5946, 0.5946, 0.5, 0.5)
    assert one.parts == {"a/anchor": 0.5, "b/anchor": 0.5, "overlap": -0.4054}
    assert round(sum(one.parts.values()), 5) == one.score
    assert two.parts == {"a/anchor": 0.5, "b/anchor": 0.0}
    assert (refused.score, refused.parts) == (0.0, {})


def test_each_order_sees_the_page_under_its_own_verdict() -> None:
    orders = {"a": Fixed({ONE: 0.1, TWO: 0.1}), "b": Fixed({ONE: 0.1, TWO: 0.1}), "new": Fixed({ONE: 0.1, TWO: 0.1})}
    seen = page()
    Combined(orders).see(seen)
    assert [orders[name].seen[0] == seen.verdicts[name] for name in "ab"] == [True, True]
    later = orders["new"].seen[0]
    assert later is not None
    assert not later.relevant
    assert seen.verdict == seen.verdicts["a"]
    failed = factories.page(ONE, 0, error="dns")
    Combined(orders).see(failed)
    assert orders["a"].seen[-1] is None


def test_a_change_of_one_topic_keeps_what_the_others_think() -> None:
    first, second = Fixed({ONE: 0.5, TWO: 0.1}), Fixed({ONE: 0.2, TWO: 0.1})
    order = Combined({"a": first, "b": second})
    order.see(page())
    first.moved = [Change(key(ONE), 0.0, (("host", 0.0),))]
    assert order.changes() == [Change(key(ONE), 0.2, (("a/host", 0.0), ("b", 0.2)))]
    second.moved = [Change(key(ONE), 0.6)]
    assert order.changes() == [Change(key(ONE), 0.6)]
    assert order.changes() == []


def test_what_is_remembered_is_bounded_and_ends_with_the_fetch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combined, "REMEMBERED", 1)
    order = Combined({"a": Fixed({ONE: 0.5, TWO: 0.1}), "b": Fixed({ONE: 0.2, TWO: 0.1})})
    order.see(page())
    assert list(order._known) == [key(TWO)]
    order.see(factories.page(TWO, 404))
    assert order._known == {}


def test_orders_that_follow_every_link_keep_their_numbers() -> None:
    order = Combined({"a": Fixed({ONE: -1.5, TWO: -1.6}, False), "b": Fixed({ONE: -1.5, TWO: -1.6}, False)})
    seen = page()
    order.see(seen)
    assert not order.focused
    assert [link.priority for link in seen.links[:2]] == [-1.5, -1.6]


def test_changes_of_orders_that_follow_every_link_are_told_once() -> None:
    first, second = Fixed({}, focused=False), Fixed({}, focused=False)
    order = Combined({"a": first, "b": second})
    first.moved, second.moved = [Change(key(ONE), 0.5)], [Change(key(ONE), 0.5)]
    assert order.changes() == [Change(key(ONE), 0.5)]
    assert order.changes() == []


@pytest.mark.parametrize(
    ("values", "wanted"),
    [((0.3,), 0.3), ((2.0, 0.5), 2.0), ((0.9, 0.9, 0.9), BELOW), ((-1.0, -2.0), -1.0), ((0.5, -1.0), 0.5), ((0.0, 0.0), 0.0)],
)
def test_merged(values: tuple[float, ...], wanted: float) -> None:
    assert merged(values) == wanted


def test_what_several_topics_want_is_not_taken_for_an_exploration_by_the_forecast() -> None:
    assert merged((0.99, 0.98)) < ORDERED


def test_little_interest_adds_little() -> None:
    assert merged((0.6, 0.2)) < 0.602
    assert merged((0.6, 0.5)) > 0.66


def leveled(best: float) -> tuple[Combined, list[Link]]:
    """An order of topic `a`, whose links are worth 0.8, and `b`, whose links are worth `best`, after some pages."""
    scores = [{f"http://{topic}.test/{n}": worth for n in range(40)} for topic, worth in (("a", 0.8), ("b", best))]
    urls = [*scores[0], *scores[1]]
    order = Combined({"a": Fixed(dict.fromkeys(urls, 0.0) | scores[0]), "b": Fixed(dict.fromkeys(urls, 0.0) | scores[1])})
    for number in range(8):
        order.see(factories.page(f"http://s.test/{number}", links=[Link(url) for url in urls]))
    last = factories.page("http://s.test/last", links=[Link(urls[0]), Link(urls[-1])])
    order.see(last)
    return order, last.links


def test_each_topics_best_links_reach_one_height() -> None:
    order, (one, other) = leveled(0.4)
    assert one.priority == pytest.approx(0.8)
    assert other.priority == pytest.approx(0.8)
    assert other.score == 0.4  # what a link is worth by itself does not change
    moved = {change.key: change.priority for change in order.changes()}
    assert moved[key("http://b.test/7")] == moved.get(key("http://a.test/7"), 0.8) == pytest.approx(0.8)
    assert order.changes() == []


def test_links_to_fetched_pages_do_not_count_as_waiting() -> None:
    a, b = ([f"http://{topic}.test/{n}" for n in range(40)] for topic in "ab")
    worth = [dict.fromkeys([*a, *b], 0.0) | dict.fromkeys(a, 0.8), dict.fromkeys([*a, *b], 0.0) | dict.fromkeys(b, 0.4)]
    order = Combined({"a": Fixed(worth[0]), "b": Fixed(worth[1])})
    for url in a[:32]:  # of the good links of this topic fewer are left than the height asks for
        order.see(factories.page(url, links=[Link(each) for each in (*a, *b)]))
    last = factories.page("http://s.test/last", links=[Link(b[-1])])
    order.see(last)
    assert last.links[0].priority == pytest.approx(0.4)


def test_good_links_that_were_met_long_ago_count_as_long_as_they_wait() -> None:
    good = {f"http://{topic}.test/{n}": {topic: 0.8} for topic in "ab" for n in range(40)}
    noise = {f"http://n.test/{n}": {"a": 0.05, "b": 0.05} for n in range(20_000)}
    later = {f"http://b.test/later{n}": {"b": 0.8} for n in range(40)}
    urls = {**good, **noise, **later}
    order = Combined({topic: Fixed({url: worth.get(topic, 0.0) for url, worth in urls.items()}) for topic in "ab"})
    met = list(urls)
    for start in range(0, len(met), 500):
        order.see(factories.page(f"http://s.test/{start}", links=[Link(url) for url in met[start : start + 500]]))
    for number in range(combined.EVERY):
        order.see(factories.page(f"http://s.test/last{number}"))
    poor = factories.page("http://s.test/poor", links=[Link("http://n.test/7")])
    order.see(poor)
    assert poor.links[0].priority == pytest.approx(0.0595, abs=0.001), "not lifted as if nothing better were left for `a`"


def test_the_best_of_a_topic_are_known_however_they_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combined, "FOLLOWED", 20)
    monkeypatch.setattr(combined, "RANKED", 10)
    chance, best = random.Random(5), combined._BestOf()
    known: dict[UrlId, dict[str, float]] = {}
    for step in range(3_000):
        url = (0, chance.randrange(200))
        if chance.random() < 0.4:
            known.pop(url, None)
            best.drop(url)
        else:
            known[url] = {"a": chance.choice((0.1, 0.5, chance.random(), 1.0))}
            best.put(url, known[url]["a"])
        if step % 7 == 0:
            wanted = sorted(((one["a"], url) for url, one in known.items() if one["a"] < 1.0), reverse=True)
            assert [priority for priority, _ in best.ranked("a", known)] == [priority for priority, _ in wanted[:10]]


def test_a_topic_for_which_little_is_left_is_lifted_by_a_bounded_factor() -> None:
    _, (one, other) = leveled(0.01)
    assert other.priority == pytest.approx(0.03)
    assert one.priority == pytest.approx(0.8)
