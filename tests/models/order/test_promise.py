from __future__ import annotations

import numpy as np
import pytest

from models.order.expected_yield import LEAST_SLOPE, WORDS_FROM, Promise, probability


def _row(*groups: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    return np.array([*groups, 0, 0], np.int32)


def _chance(promise: Promise, row: np.ndarray[tuple[int, ...], np.dtype[np.int32]], score: float = 0.1) -> float:
    return float(probability(promise.log_odds(row[None, :], np.array([score])))[0])


def test_at_first_the_link_score_alone_decides() -> None:
    promise, scores = Promise(), np.array([0.0, 0.05, 0.2, 0.9])
    odds = promise.log_odds(np.array([_row(5), _row(6), _row(5), _row(WORDS_FROM + 1)]), scores)
    assert np.all(np.diff(odds) > 0)
    assert promise.prior(scores) == pytest.approx(probability(odds))


def test_groups_learn_what_they_lead_to() -> None:
    promise = Promise()
    for _ in range(15):
        promise.learn(_row(5, 9), 0.1, 1.0)
        promise.learn(_row(6, 9), 0.1, 0.0)
    assert _chance(promise, _row(5)) > 0.6 > 0.3 > _chance(promise, _row(6))
    assert _chance(promise, _row(6)) < _chance(promise, _row(77)) < _chance(promise, _row(5))


def test_a_word_says_less_than_a_place() -> None:
    places, words = Promise(), Promise()
    for _ in range(10):
        places.learn(_row(5), 0.1, 1.0)
        words.learn(_row(WORDS_FROM + 5), 0.1, 1.0)
    assert _chance(places, _row(5)) - _chance(places, _row(6)) > _chance(words, _row(WORDS_FROM + 5)) - _chance(words, _row(6))


def test_the_estimate_comes_near_the_share() -> None:
    promise, random = Promise(), np.random.RandomState(3)
    for _ in range(600):
        promise.learn(_row(5), 0.1, float(random.rand() < 0.7))
    assert _chance(promise, _row(5)) == pytest.approx(0.7, abs=0.12)


def test_the_link_score_keeps_a_say_whatever_the_judge_says() -> None:
    promise = Promise()
    for _ in range(300):
        promise.learn(_row(), 0.9, 0.0)
        promise.learn(_row(), 0.01, 1.0)
    assert promise._base[1] == pytest.approx(LEAST_SLOPE)
