"""The rules by which a part of the web is closed and opens again, on counts alone."""

from __future__ import annotations

import pytest

from focuscrawl.frontier.barrenness import floor, is_barren, is_fruitful, is_hardly_tried, is_new_enough
from focuscrawl.frontier.part_counts import Counts

SHARE = 0.2
DIRECTORY, HOST, NEW_HOSTS, VALUE, HOPS, FILES = (
    "p http://a.test/x", "h http://a.test", "m a.test", "v a.test?sort", "r http://a.test/go?id", "f http://a.test/get?id",
)  # fmt: skip


@pytest.mark.parametrize(
    ("rest", "least"),
    [(0.5, 0.1), (0.2, 0.06), (0.1, 0.05), (0.0, 0.0)],
    ids=[
        "a share of the rest",
        "never below what is surely little",
        "but half of a poor rest",
        "nothing, where there is nothing",
    ],
)
def test_the_floor(rest: float, least: float) -> None:
    assert floor(rest, SHARE) == pytest.approx(least)


@pytest.mark.parametrize(
    ("part", "counts", "barren"),
    [
        (DIRECTORY, Counts(5.0), False),
        (DIRECTORY, Counts(60.0), True),
        (DIRECTORY, Counts(60.0, 6.0), False),
        (HOST, Counts(60.0), False),
        (HOST, Counts(200.0), True),
        (DIRECTORY, Counts(20.0, 20.0, copying=16.0, squares=12.8), True),
        (DIRECTORY, Counts(30.0, 6.0, repeating=29.0), True),
        (DIRECTORY, Counts(30.0, 20.0, repeating=29.0), False),
        (NEW_HOSTS, Counts(60.0, 0.0), True),
        (NEW_HOSTS, Counts(60.0, 6.0, repeating=60.0), False),
    ],
)
def test_a_part_is_barren_if_it_surely_brings_little_or_copies(part: str, counts: Counts, barren: bool) -> None:
    assert is_barren(part, counts, 0.5, SHARE) is barren


def test_a_value_in_urls_makes_no_difference_if_most_pages_are_the_same() -> None:
    assert is_barren(VALUE, Counts(12.0, 1.0, 11.0), 0.5, SHARE)
    assert not is_barren(VALUE, Counts(12.0, 5.0, 7.0), 0.5, SHARE)


def test_redirects_and_files_are_compared_with_the_pages_of_their_template() -> None:
    useless, files = Counts(20.0, repeating=20.0), Counts(20.0, repeating=20.0)
    assert [is_barren(HOPS, useless, 0.5, SHARE, pages) for pages in (0.0, 20.0)] == [True, False]
    assert [is_barren(FILES, files, 0.5, SHARE, pages) for pages in (0.0, 40.0)] == [True, False]
    assert not is_barren(FILES, Counts(4.0, repeating=4.0), 0.5, SHARE)


def test_a_closed_part_opens_if_it_surely_brings_something_new() -> None:
    assert is_fruitful(Counts(10.0, 8.0), 0.5)
    assert not is_fruitful(Counts(10.0, 2.0), 0.5)
    assert not is_fruitful(Counts(10.0, 10.0, copying=8.0, squares=6.4), 0.5)
    assert not is_fruitful(Counts(30.0, 30.0, repeating=30.0), 0.5)


def test_the_rest_being_exhausted_opens_nothing() -> None:
    assert not is_fruitful(Counts(100.0, 5.0), 0.0)


def test_a_narrow_part_is_judged_apart_once_it_is_known_and_new() -> None:
    assert is_new_enough(Counts(5.0, repeating=2.0))
    assert not is_new_enough(Counts(4.0))
    assert not is_new_enough(Counts(10.0, repeating=5.0))
    assert not is_new_enough(Counts(10.0, copying=8.0, squares=6.4))


def test_what_was_tried_often_since_it_was_closed_decides_over_unknown_templates() -> None:
    tried = Counts(20.0)
    assert is_hardly_tried(tried)
    tried.tried = 10.0
    assert not is_hardly_tried(tried)
