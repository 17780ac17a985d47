from __future__ import annotations

import numpy as np
import pytest

from models.order.expected_yield import (
    LEAST_SLOPE,
    ExpectedYield,
    position_group,
    probability,
    sibling_group,
    url_groups,
    word_group,
)

PLACE, OTHER, THIRD, SHARED = 5, 6, 77, 9
WORD = word_group("etcd")


def _row(*groups: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    return np.array([*groups, 0, 0], np.int32)


def _chance(model: ExpectedYield, row: np.ndarray[tuple[int, ...], np.dtype[np.int32]]) -> float:
    return float(probability(model.log_odds(row[None, :], np.array([0.1])))[0])


def test_at_first_the_link_score_alone_decides() -> None:
    model, scores = ExpectedYield(), np.array([0.0, 0.05, 0.2, 0.9])
    odds = model.log_odds(np.array([_row(PLACE), _row(OTHER), _row(PLACE), _row(THIRD)]), scores)
    assert np.all(np.diff(odds) > 0)
    assert probability(odds) == pytest.approx(model.prior(scores))


def test_what_came_as_expected_is_worth_no_less_than_what_is_not_known() -> None:
    model = ExpectedYield()
    for _ in range(20):
        model.learn(_row(PLACE), 0.1, float(model.prior(np.array([0.1]))[0]))
    known, new = model.log_odds(np.array([_row(PLACE), _row(OTHER)]), np.array([0.1, 0.1]))
    assert known == pytest.approx(new)


def test_groups_learn_what_they_lead_to() -> None:
    model = ExpectedYield()
    for _ in range(15):
        model.learn(_row(PLACE, SHARED), 0.1, 1.0)
        model.learn(_row(OTHER, SHARED), 0.1, 0.0)
    assert _chance(model, _row(PLACE)) > 0.6 > 0.3 > _chance(model, _row(OTHER))
    assert _chance(model, _row(OTHER)) < _chance(model, _row(THIRD)) < _chance(model, _row(PLACE))


def test_a_word_says_less_than_a_place() -> None:
    places, words = ExpectedYield(), ExpectedYield()
    for _ in range(10):
        places.learn(_row(PLACE), 0.1, 1.0)
        words.learn(_row(WORD), 0.1, 1.0)
    assert _chance(places, _row(PLACE)) - _chance(places, _row(OTHER)) > _chance(words, _row(WORD)) - _chance(
        words, _row(OTHER)
    )


def test_a_long_record_is_not_overturned_by_one_fetch() -> None:
    known, new = ExpectedYield(), ExpectedYield()
    for _ in range(30):
        known.learn(_row(PLACE), 0.1, 1.0)
        new.learn(_row(OTHER), 0.1, 1.0)
    before = _chance(known, _row(PLACE)), _chance(new, _row(THIRD))
    known.learn(_row(PLACE), 0.1, 0.0)
    new.learn(_row(THIRD), 0.1, 0.0)
    lost = before[0] - _chance(known, _row(PLACE)), before[1] - _chance(new, _row(THIRD))
    assert 0 < lost[0] < 0.5 * lost[1]


def test_a_surprise_is_put_down_to_what_is_least_known() -> None:
    model = ExpectedYield()
    for _ in range(30):
        model.learn(_row(SHARED), 0.1, 0.5)
    old = _chance(model, _row(SHARED))
    model.learn(_row(SHARED, PLACE), 0.1, 1.0)
    assert _chance(model, _row(PLACE)) - _chance(model, _row(OTHER)) > 1.5 * (_chance(model, _row(SHARED)) - old) > 0


def test_examples_say_where_and_not_how_many() -> None:
    model, scores = ExpectedYield(), np.array([0.1, 0.5])
    before = model.prior(scores)
    for number in range(12):
        model.learn_example(np.array(url_groups(f"http://a.example/guide/{number}.html"), np.int32))
    assert model.prior(scores) == pytest.approx(before)
    near, far = (np.array(url_groups(f"http://{place}/new.html"), np.int32) for place in ("a.example/guide", "b.example/guide"))
    assert _chance(model, near) > 2 * _chance(model, far)
    for _ in range(6):
        model.learn(near, 0.1, 0.0)
    assert _chance(model, near) < _chance(ExpectedYield(), near)  # what the crawl finds there outweighs them


def test_the_estimate_comes_near_the_share() -> None:
    model, random = ExpectedYield(), np.random.RandomState(3)
    for _ in range(600):
        model.learn(_row(PLACE), 0.1, float(random.rand() < 0.7))
    assert _chance(model, _row(PLACE)) == pytest.approx(0.7, abs=0.12)


def test_the_link_score_keeps_a_say_whatever_the_judge_says() -> None:
    model = ExpectedYield()
    for _ in range(300):
        model.learn(_row(), 0.9, 0.0)
        model.learn(_row(), 0.01, 1.0)
    assert model._slope == pytest.approx(LEAST_SLOPE)


def test_places_that_are_always_new_leave_something_to_the_words() -> None:
    model = ExpectedYield()
    for number in range(10):
        places = sibling_group(f"http://a.example/{number}", "ul"), position_group("a.example", "content", f"ul{number}")
        model.learn(_row(*places, WORD), 0.1, 1.0)
    assert _chance(model, _row(WORD)) > 1.2 * _chance(model, _row(OTHER))
