"""When a crawl searches the web again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from focuscrawl.frontier.search_times import (
    MOST_FAILURES,
    MOST_SEARCHES,
    PAGES_BETWEEN,
    SECONDS_BETWEEN,
    SOON_PAGES,
    SearchTimes,
)


def search(times: SearchTimes, pages: int, now: float = 0.0, *, failed: bool = False) -> None:
    times.sent(pages)
    times.ended(now, failed=failed)


def test_the_first_is_due_at_once_and_the_next_a_hundred_pages_later() -> None:
    times = SearchTimes()
    assert times.is_due(0)
    search(times, 3)
    assert not times.is_due(3 + PAGES_BETWEEN - 1)
    assert times.is_due(3 + PAGES_BETWEEN)


def test_two_seconds_lie_between_an_answer_and_the_next_request() -> None:
    times = SearchTimes()
    assert times.wait(50.0) == 0.0
    search(times, 0, 50.0)
    assert times.wait(50.5) == SECONDS_BETWEEN - 0.5
    assert times.wait(60.0) == 0.0


def test_three_failures_in_a_row_end_it_and_others_do_not() -> None:
    times = SearchTimes()
    for failed in (True, True, False, True, True):
        search(times, 0, failed=failed)
        assert not times.over
    assert not times.may_be_early, "what has just failed is not tried again before it is due"
    assert times.is_due(PAGES_BETWEEN)
    search(times, 0, failed=True)
    assert times.failures == MOST_FAILURES
    assert times.over
    assert not times.is_due(10**6)


def test_where_there_was_nothing_to_ask() -> None:
    times = SearchTimes()
    times.nothing_to_ask(5, soon=True)
    assert not times.is_due(5 + SOON_PAGES - 1)
    assert times.is_due(5 + SOON_PAGES)
    times.nothing_to_ask(15)
    assert not times.is_due(15 + PAGES_BETWEEN - 1)


@given(st.lists(st.tuples(st.integers(0, 5000), st.booleans()), max_size=200))
def test_never_more_than_the_limit(steps: list[tuple[int, bool]]) -> None:
    times, made = SearchTimes(), 0
    for pages, failed in steps:
        if times.is_due(pages) or times.may_be_early:
            search(times, pages, failed=failed)
            made += 1
    assert made == times.made <= MOST_SEARCHES
