from __future__ import annotations

import numpy as np
import pytest

from models.order.expected_yield import LEAST_SLOPE, WORDS_FROM, ExpectedYield, probability


def _row(*groups: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    return np.array([*groups, 0, 0], np.int32)


def _chance(model: ExpectedYield, row: np.ndarray[tuple[int, ...], np.dtype[np.int32]], score: float = 0.1) -> float:
    return float(probability(model.log_odds(row[None, :], np.array([score])))[0])


def test_at_first_the_link_score_alone_decides() -> None:
    model, scores = ExpectedYield(), np.array([0.0, 0.05, 0.2, 0.9])
    odds = model.log_odds(np.array([_row(5), _row(6), _row(5), _row(WORDS_FROM + 1)]), scores)
    assert np.all(np.diff(odds) > 0)
    assert model.prior(scores) == pytest.approx(probability(odds))


def test_groups_learn_what_they_lead_to() -> None:
    model = ExpectedYield()
    for _ in range(15):
        model.learn(_row(5, 9), 0.1, 1.0)
        model.learn(_row(6, 9), 0.1, 0.0)
    assert _chance(model, _row(5)) > 0.6 > 0.3 > _chance(model, _row(6))
    assert _chance(model, _row(6)) < _chance(model, _row(77)) < _chance(model, _row(5))


def test_a_word_says_less_than_a_place() -> None:
    places, words = ExpectedYield(), ExpectedYield()
    for _ in range(10):
        places.learn(_row(5), 0.1, 1.0)
        words.learn(_row(WORDS_FROM + 5), 0.1, 1.0)
    assert _chance(places, _row(5)) - _chance(places, _row(6)) > _chance(words, _row(WORDS_FROM + 5)) - _chance(words, _row(6))


def test_the_estimate_comes_near_the_share() -> None:
    model, random = ExpectedYield(), np.random.RandomState(3)
    for _ in range(600):
        model.learn(_row(5), 0.1, float(random.rand() < 0.7))
    assert _chance(model, _row(5)) == pytest.approx(0.7, abs=0.12)


def test_the_link_score_keeps_a_say_whatever_the_judge_says() -> None:
    model = ExpectedYield()
    for _ in range(300):
        model.learn(_row(), 0.9, 0.0)
        model.learn(_row(), 0.01, 1.0)
    assert model._base[1] == pytest.approx(LEAST_SLOPE)
