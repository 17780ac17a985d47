"""The quality gate of recrawling: small simulations of every policy on the real formulas."""

from __future__ import annotations

import numpy as np
import pytest

from focuscrawl.recrawl.planning import POLICIES
from tools.eval.freshness.pages import make_pages
from tools.eval.freshness.running import SIGNALLED, Row, run
from tools.eval.freshness.setting import Setting, settings
from tools.eval.freshness.settling import settle
from tools.eval.freshness.table import BASE, RIVALS, markdown, shortcomings

pytestmark = pytest.mark.slow

DIGESTS = {
    BASE: "d3dc6aa7a3a32d02",
    "Pareto, 0.1": "97f890cfbf224445",
}
SMALL = {setting.name: setting for setting in settings(2_000, 120.0)}
BASE_NAMES = (*POLICIES, SIGNALLED, "oracle")


@pytest.fixture(scope="module")
def base() -> dict[str, Row]:
    return {name: run(name, SMALL[BASE]) for name in BASE_NAMES}


@pytest.mark.parametrize("name", DIGESTS)
def test_the_pages_are_the_same_everywhere(name: str) -> None:
    assert make_pages(SMALL[name]).digest() == DIGESTS[name]


def test_optimal_is_near_the_oracle_and_before_all_others(base: dict[str, Row]) -> None:
    rows = list(base.values())
    assert shortcomings(rows) == []
    ours = base["optimal"]
    assert ours.freshness >= 0.80
    assert ours.staleness_age <= 0.8
    assert all(ours.freshness - base[rival].freshness > 0.04 for rival in RIVALS)


def test_all_spend_the_same(base: dict[str, Row]) -> None:
    fetches = {row.fetches for row in base.values()}
    assert max(fetches) - min(fetches) <= 1
    assert max(fetches) == pytest.approx(0.1 * 2_000 * 60, rel=0.01)


def test_signals_are_worth_something(base: dict[str, Row]) -> None:
    assert base[SIGNALLED].freshness >= base["optimal"].freshness + 0.01


@pytest.mark.parametrize("name", ["log-normal, 0.03", "log-normal, 0.4", "Pareto, 0.1", "host caps, 0.1", "jumping rates, 0.1"])
def test_optimal_is_better_than_round_robin_in_every_setting(name: str) -> None:
    rows = [run(policy, SMALL[name]) for policy in ("optimal", "uniform")]
    assert shortcomings(rows) == []


def test_no_page_starves() -> None:
    long = Setting("long", pages=500, hosts=10, days=400.0, step=1 / 2)
    for name in POLICIES:
        assert run(name, long).oldest <= 181.0, name


def test_similarity_settles_around_the_true_periods() -> None:
    for settled in settle():
        ratio = settled.ratio
        assert 0.55 <= float(np.median(ratio)) <= 1.5, settled.kind
        assert float(np.quantile(ratio, 0.1)) >= 0.45
        assert float(np.quantile(ratio, 0.9)) <= 2.0


def test_the_table_has_a_line_for_every_policy(base: dict[str, Row]) -> None:
    lines = list(markdown(list(base.values())))
    assert lines[0] == f"| policy | {BASE} |"
    assert [line.split("|")[1].strip() for line in lines[2:]][: len(POLICIES)] == list(POLICIES)


def test_shortcomings_are_named(base: dict[str, Row]) -> None:
    worse = [
        base["oracle"],
        base["uniform"],
        Row(BASE, "optimal", 0.5, 3.0, 0.1, 1, 1.0, 0.0),
        Row(BASE, SIGNALLED, 0.5, 3.0, 0.1, 1, 1.0, 0.0),
    ]
    text = "\n".join(shortcomings(worse))
    assert "uniform is fresher than optimal" in text
    assert "of the oracle's freshness" in text
    assert "staleness age 3.00 days" in text
    assert "with signals 0.500" in text
