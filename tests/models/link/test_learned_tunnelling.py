from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.items import Duplicate, Link, Page, Verdict
from models.link import tunnelling
from models.link.tunnelling import (
    EXPLORATION,
    FARTHEST,
    LEAST_YIELD,
    FixedTunnelling,
    LearnedTunnelling,
    make_tunnelling,
)
from tests import factories


def page(distance: int, relevant: bool, uid: int = 1, depth: int = 1) -> Page:
    held = factories.lease(f"http://a.example/{uid}", distance=distance, depth=depth)
    return factories.page(held, verdict=Verdict(0.5, relevant, 0.1))


class Strict(LearnedTunnelling):
    """Without room: what it does once that is used up."""

    def _has_room(self) -> bool:
        return False


def taught(record: dict[int, tuple[int, int]]) -> LearnedTunnelling:
    """A policy without room that saw (pages, relevant ones) by distance, evenly mixed."""
    policy = Strict()
    for turn in range(max(pages for pages, _ in record.values())):
        for distance, (pages, relevant) in record.items():
            if turn < pages:
                policy.see(page(distance, turn * relevant // pages != (turn + 1) * relevant // pages))
    return policy


def follows(policy: LearnedTunnelling, distance: int) -> bool:
    """Whether it follows by its estimate, exploration left aside."""
    return sum(policy.follow(page(distance, False, uid)) for uid in range(200)) > 100


def test_policies_have_names() -> None:
    assert isinstance(make_tunnelling("learned"), LearnedTunnelling)
    assert isinstance(make_tunnelling("fixed", 1), FixedTunnelling)
    with pytest.raises(ValueError, match="deep"):
        make_tunnelling("deep")


def test_until_links_have_led_to_a_relevant_page_every_link_is_followed() -> None:
    policy = Strict()
    for _ in range(500):
        policy.see(page(0, False))
        policy.see(page(3, False))
    policy.see(page(0, True, depth=0))
    assert all(policy.follow(page(distance, False, uid)) for distance in range(FARTHEST + 1) for uid in range(40))
    policy.see(page(0, True))
    assert not follows(policy, FARTHEST)


def test_with_little_evidence_it_follows_a_few_pages() -> None:
    policy = Strict()
    policy.see(page(0, True))
    assert [follows(policy, distance) for distance in (0, 1, 2)] == [True] * 3
    assert not follows(policy, FARTHEST)


def test_tunnels_that_never_pay_are_cut() -> None:
    policy = taught({0: (400, 300), 1: (400, 0), 2: (400, 0), 3: (400, 0)})
    assert not follows(policy, 1)
    assert not follows(policy, 2)


def test_a_tunnel_is_dug_to_a_rich_distance_behind_poor_ones() -> None:
    poor = {0: (900, 600), 1: (300, 1), 2: (300, 1)}
    assert not follows(taught({**poor, 3: (300, 1)}), 0)
    assert follows(taught({**poor, 3: (300, 240)}), 0)


def far_page(uid: int, links: int = 10) -> Page:
    """Beyond what was ever relevant."""
    made = page(FARTHEST, False, uid)
    made.links = [Link(f"http://far.example/{uid}/{number}") for number in range(links)]
    return made


def test_beyond_the_learned_distance_links_are_followed_until_the_room_is_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunnelling, "FAR_LINKS", 100)
    policy, followed = LearnedTunnelling(), 0
    policy.see(page(0, True))
    for uid in range(200):
        policy.see(far_page(uid))
        followed += policy.follow(far_page(uid))
    assert 9 <= followed < 30
    assert policy.follow(page(0, True))
    assert policy.follow(page(0, False))


def test_the_room_grows_with_the_links_of_near_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunnelling, "FAR_LINKS", 0)

    def followed_beyond(near: int) -> int:
        policy = LearnedTunnelling()
        policy.see(page(0, True))
        for uid in range(near):
            close = page(0, True, uid)
            close.links = far_page(uid).links
            policy.see(close)
        for uid in range(200):
            policy.see(far_page(uid))
        return sum(policy.follow(far_page(uid, 0)) for uid in range(1000, 1200))

    assert followed_beyond(30) < 30
    assert followed_beyond(1000) == 200


def test_by_default_a_small_crawl_is_not_cut() -> None:
    policy = LearnedTunnelling()
    policy.see(page(0, True))
    for uid in range(1000):
        policy.see(far_page(uid))
    assert all(policy.follow(far_page(uid)) for uid in range(200))


def test_asking_takes_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunnelling, "FAR_LINKS", 1)
    policy = LearnedTunnelling()
    policy.see(page(0, True))
    assert all(policy.follow(far_page(uid)) for uid in range(200))


def test_where_the_harvest_has_gone_tunnels_grow_long() -> None:
    rich = taught({0: (300, 200), 1: (40, 0)})
    distance = next(d for d in range(FARTHEST + 1) if not follows(rich, d))
    for _ in range(1500):
        rich.see(page(0, False))
    assert follows(rich, distance)


def test_a_small_share_is_always_explored_and_the_same_on_a_resume() -> None:
    record = dict.fromkeys(range(1, FARTHEST + 1), (500, 0)) | {0: (500, 500)}
    answers = [taught(record).follow(page(5, False, uid)) for uid in (3, 4)]
    policy = taught(record)
    explored = [policy.follow(page(5, False, uid)) for uid in range(4000)]
    assert explored[3:5] == answers
    assert sum(explored) / 4000 == pytest.approx(EXPLORATION, abs=0.015)


def test_what_is_no_new_page_is_no_evidence() -> None:
    policy = LearnedTunnelling()
    failed, again = page(1, True), page(1, True)
    failed.error = "timeout"
    again.duplicate = Duplicate(1, "http://b.example/", "exact", 1.0)
    for one in (failed, again):
        policy.see(one)
    assert policy._pages == [0] * (FARTHEST + 1)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 15), st.booleans()), max_size=80))
def test_estimates_stay_chances_and_relevant_pages_are_always_followed(record: list[tuple[int, bool]]) -> None:
    policy = LearnedTunnelling()
    for distance, relevant in record:
        policy.see(page(distance, relevant))
    for distance in range(FARTHEST + 3):
        chance = policy._chances()[min(distance, FARTHEST)]
        assert 0 < chance < 1
        assert chance <= policy.expected_yield(distance) + 1e-12 < 1
        assert policy.follow(page(distance, True))
    assert 0 < LEAST_YIELD < 1
    assert sum(policy._pages) == len(record)
