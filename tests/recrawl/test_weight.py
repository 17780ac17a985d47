from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.recrawl.marginal_value import HUB_LEAST, HUB_MOST, hub_after, own_weight, weight_of, whole_weight
from focuscrawl.recrawl.marginal_value import LEAST_WEIGHT as LEAST
from tests.recrawl.planned import column


@pytest.mark.parametrize(
    ("relevance", "relevant", "weight"),
    [(0.8, True, 0.8), (0.5, False, 0.1), (0.0, False, LEAST), (0.0, True, LEAST), (7.0, True, 1.0)],
)
def test_relevance_is_the_weight_of_a_page(relevance: float, relevant: bool, weight: float) -> None:
    assert own_weight(relevance, relevant) == pytest.approx(weight)
    assert weight_of(relevance, relevant, "content", 0.9) == pytest.approx((weight, 0.0))


def test_an_index_page_also_weighs_what_its_links_promise() -> None:
    weight, hub = weight_of(0.1, False, "index", 0.6)
    assert hub == 0.6
    assert weight == pytest.approx(0.62)
    assert weight_of(0.1, False, "index", 0.0)[1] == HUB_LEAST
    assert weight_of(0.1, False, "index", 9.0)[1] == HUB_MOST


def test_the_hub_value_follows_what_visits_bring() -> None:
    hub = column(0.6)
    assert float(hub_after(hub, column(0.0))[0]) == pytest.approx(0.42)
    assert float(hub_after(hub, column(1.0))[0]) == pytest.approx(0.72)
    for _ in range(40):
        hub = hub_after(hub, column(50.0))
    assert float(hub[0]) == pytest.approx(HUB_MOST, rel=1e-3)


@settings(max_examples=50, deadline=None)
@given(st.floats(-10, 10), st.floats(-10, 1e6))
def test_no_weight_is_nothing_or_without_bound(own: float, hub: float) -> None:
    assert LEAST <= float(whole_weight(column(own), column(hub))[0]) <= 10 + HUB_MOST
