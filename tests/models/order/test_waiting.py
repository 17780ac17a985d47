from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from focuscrawl.url.key import UrlId
from models.order import waiting_urls
from models.order.waiting_urls import WaitingUrls

keys = st.tuples(st.integers(0, 1), st.integers(0, 3))
priorities = st.sampled_from([0.0, 0.1, 0.11, 0.5, 0.9])


@pytest.fixture(autouse=True)
def two_changes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting_urls, "AT_ONCE", 2)


class FrontierAgrees(RuleBasedStateMachine):
    """Invariant: what the frontier was told differs from what a URL is worth by the margin at most, or a change is due."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting = WaitingUrls()
        self.worth: dict[UrlId, float] = {}
        self.frontier: dict[UrlId, float] = {}
        self.closed: set[UrlId] = set()

    @rule(key=keys, priority=priorities)
    def offer(self, key: UrlId, priority: float) -> None:
        self.waiting.offer(key, priority)
        if key not in self.closed:
            self.frontier.setdefault(key, priority)
            self.worth[key] = priority

    @rule(key=keys, priority=priorities)
    def move(self, key: UrlId, priority: float) -> None:
        self.waiting.move(key, priority)
        if key in self.frontier:
            self.worth[key] = priority

    @rule(key=keys)
    def close(self, key: UrlId) -> None:
        self.waiting.close(key)
        self.closed.add(key)
        self.frontier.pop(key, None)

    @rule()
    def tell(self) -> None:
        changes = self.waiting.changes()
        assert len(changes) <= 2
        for change in changes:
            assert change.key in self.frontier
            self.frontier[change.key] = change.priority

    @invariant()
    def nothing_is_lost(self) -> None:
        assert len(self.waiting) == len(self.frontier)
        apart = {key for key, told in self.frontier.items() if abs(told - self.worth[key]) > 0.02}
        assert {key for key in self.frontier if key in self.waiting} == set(self.frontier)
        assert apart == set(self.waiting._moved)


FrontierAgrees.TestCase.settings = settings(max_examples=30, stateful_step_count=25, deadline=None)
TestFrontierAgrees = pytest.mark.filterwarnings("default")(FrontierAgrees.TestCase)
