"""The near-duplicate methods stay as good as they are, on data that stays the same."""

from __future__ import annotations

import pytest

from focuscrawl.dedup.methods import method
from tools.eval.dedup.corpus import corpus, digest_of
from tools.eval.dedup.trial import run

pytestmark = pytest.mark.slow

DATA = corpus(seed=1, pages=40)
FLOORS = {"simhash": (0.99, 0.86), "shingles": (0.99, 0.96), "winnowing": (0.99, 0.93)}
"""Precision and recall."""


def test_the_data_is_the_data_that_the_floors_were_measured_on() -> None:
    assert digest_of(DATA) == "b6359ec90288b927"


@pytest.mark.parametrize("name", FLOORS)
def test_precision_and_recall(name: str) -> None:
    result = run(method(name), DATA)
    precision, recall = FLOORS[name]
    assert result.precision >= precision
    assert result.recall >= recall
