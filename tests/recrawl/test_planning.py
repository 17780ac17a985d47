from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from focuscrawl.items import FEED, LINK, SITEMAP
from focuscrawl.recrawl import planning
from focuscrawl.recrawl.columns import ObservationColumns, ProfileColumns, RevisitColumns
from focuscrawl.recrawl.planning import POLICIES, Planner
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.recrawl.state import DAY, Observation, RevisitRecord, SiteProfile
from tests.recrawl.planned import NOW, column

HABIT = SiteProfile(1)


def planner(policy: str = "optimal", threshold: float = 0.0, bandwidth: float = 0.1) -> Planner:
    made = Planner(RecrawlSettings(policy=policy, bandwidth=bandwidth))
    made.threshold = threshold
    return made


def first(made: Planner, weight: float = 0.7, kind: int = LINK, hub: float = 0.0) -> RevisitRecord:
    return made.first(RevisitRecord(1, 2, kind=kind, hub=hub), HABIT, weight, NOW)


def course(made: Planner, distances: Sequence[int | None]) -> tuple[RevisitRecord, SiteProfile]:
    """After visits every five days that saw these distances."""
    visit, profile = first(made), HABIT
    for number, distance in enumerate(distances, 1):
        visit, profile = made.plan_next(visit, profile, Observation(NOW + number * 5 * DAY, distance=distance, relevance=0.7))
    return visit, profile


def test_a_first_fetch_begins_the_record() -> None:
    visit = first(planner())
    assert (visit.first_at, visit.checked_at, visit.read_at) == (NOW, NOW, NOW)
    assert visit.shape / visit.exposure == pytest.approx(1 / 30)
    assert (visit.visits, visit.changes, visit.weight) == (0, 0, 0.7)
    assert visit.due_at == pytest.approx(NOW + visit.period * DAY)


def test_before_a_threshold_is_solved_the_usual_page_has_the_mean_period() -> None:
    assert first(planner(bandwidth=0.2), weight=0.5).period == pytest.approx(5.0)


def test_a_page_of_a_busy_host_is_taken_for_busy() -> None:
    made = planner()
    busy = made.first(RevisitRecord(1, 2), SiteProfile(1, changes=400.0, exposure=100.0), 0.7, NOW)
    assert busy.due_at < first(made).due_at


def test_visits_are_counted() -> None:
    visit, profile = course(planner(), [0, 12, None, None, 3])
    assert (visit.visits, visit.changes, visit.unread) == (5, 1, 0)
    assert visit.changed_at == NOW + 10 * DAY
    assert visit.read_at == visit.checked_at == NOW + 25 * DAY
    assert visit.magnitude == pytest.approx(12 / 32)
    assert profile.exposure == pytest.approx(25.0, rel=0.01)
    assert profile.changes == pytest.approx(1.0, rel=0.15)


def test_a_body_that_was_not_read_is_no_change() -> None:
    visit, _ = course(planner(), [0, None, None])
    assert (visit.unread, visit.changes) == (2, 0)
    assert visit.read_at == NOW + 5 * DAY
    assert visit.checked_at == NOW + 15 * DAY


def test_a_page_of_which_no_fetch_is_known_is_begun() -> None:
    visit, profile = planner().plan_next(RevisitRecord(1, 2), HABIT, Observation(NOW, distance=20, relevance=0.4))
    assert (visit.first_at, visit.visits, visit.weight) == (NOW, 0, 0.4)
    assert profile == HABIT


def test_a_hub_is_worth_the_links_that_it_brings() -> None:
    made = planner()
    start = first(made, weight=0.62, hub=0.6)
    dry, _ = made.plan_next(start, HABIT, Observation(NOW + DAY, distance=0, relevance=0.02))
    rich, _ = made.plan_next(start, HABIT, Observation(NOW + DAY, distance=0, relevance=0.02, new_link_scores=2.0))
    assert dry.weight == pytest.approx(0.44)
    assert rich.weight == pytest.approx(0.02 + 0.42 + 0.6)
    assert rich.due_at < dry.due_at


@pytest.mark.parametrize("kind", [SITEMAP, FEED])
def test_a_source_has_changed_when_it_tells_something_new_and_has_no_say_on_the_pages_of_its_host(kind: int) -> None:
    made = planner(threshold=1e-6)
    source = first(made, kind=kind)
    assert source.period == pytest.approx(0.25)
    told, profile = made.plan_next(source, HABIT, Observation(NOW + DAY, distance=None, new_link_scores=1.5))
    assert told.changes == 1
    assert (profile.changes, profile.exposure) == (0.0, 0.0)
    silent, _ = made.plan_next(told, profile, Observation(NOW + 2 * DAY, distance=None))
    assert silent.changes == 1


def test_a_trusted_time_of_change_is_used() -> None:
    made = planner()
    start = first(made)
    seen = Observation(NOW + 30 * DAY, distance=20, relevance=0.7)
    blind, _ = made.plan_next(start, HABIT, seen)
    exact, _ = made.plan_next(start, HABIT, replace(seen, modified_at=NOW + 29 * DAY))
    assert exact.exposure < blind.exposure


def test_a_signal_brings_the_visit_forward_once() -> None:
    made = planner()
    visit = first(made)
    told = made.signalled(visit, HABIT, SITEMAP, NOW + DAY, NOW + 2 * DAY)
    assert told.due_at < visit.due_at
    assert (told.signal_kind, told.signal_at) == (SITEMAP, NOW + DAY)
    assert made.signalled(told, HABIT, SITEMAP, NOW + DAY, NOW + 3 * DAY) is told
    more = made.signalled(told, HABIT, SITEMAP, NOW + 2.5 * DAY, NOW + 3 * DAY)
    assert more.signal > told.signal
    assert more.due_at >= NOW


@pytest.mark.parametrize("modified_at", [0.0, NOW - DAY, NOW])
def test_what_is_no_news_is_no_signal(modified_at: float) -> None:
    made = planner()
    visit = first(made)
    assert made.signalled(visit, HABIT, FEED, modified_at, NOW + DAY) is visit


def test_signals_are_judged_by_the_visit_after_them() -> None:
    made = planner()
    told = made.signalled(first(made), HABIT, FEED, NOW + DAY, NOW + 2 * DAY)
    right, profile = made.plan_next(told, HABIT, Observation(NOW + 2 * DAY, distance=20, relevance=0.7))
    assert (profile.feed_right, profile.feed_wrong) == (1, 0)
    assert right.signal == 0.0
    assert made.signalled(right, profile, FEED, NOW + DAY, NOW + 3 * DAY) is right
    _, profile = made.plan_next(told, HABIT, Observation(NOW + 2 * DAY, distance=None, relevance=0.7))
    assert (profile.feed_right, profile.feed_wrong) == (0, 1)
    _, profile = made.plan_next(told, HABIT, Observation(NOW + 90 * DAY, distance=20, relevance=0.7))
    assert (profile.feed_right, profile.feed_wrong) == (0, 0)


def test_a_host_that_lied_often_is_believed_less() -> None:
    made = planner()
    visit = first(made)
    liar = replace(HABIT, sitemap_wrong=50)
    believed, doubted = (made.signalled(visit, profile, SITEMAP, NOW + DAY, NOW + DAY) for profile in (HABIT, liar))
    assert believed.due_at < doubted.due_at <= visit.due_at


def test_sitemaps_that_were_not_read_yet_compete_with_the_pages_that_are_due() -> None:
    made = planner(threshold=1.4)
    found = [RevisitRecord(1, number, kind=SITEMAP, due_at=NOW, weight=1 / number, hub=1 / number) for number in range(1, 41)]
    page = replace(first(made), due_at=NOW, checked_at=NOW - 6 * DAY, shape=1.0, exposure=5.0, weight=0.9)
    *values, due = made.values([*found, page], {}, NOW)
    assert values == sorted(values, reverse=True)
    assert [value > due for value in values].index(False) == 2
    assert min(made.values(found, {}, NOW + 200 * DAY)) > 0.99


@pytest.mark.parametrize("policy", ["uniform", "batch", "nutch", "similarity"])
def test_other_policies_do_not_heed_signals(policy: str) -> None:
    made = planner(policy)
    visit = first(made)
    told = made.signalled(visit, HABIT, SITEMAP, NOW + DAY, NOW + DAY)
    assert told.due_at == visit.due_at
    assert told.signal > 0


@pytest.mark.parametrize("policy", POLICIES)
def test_values_rank_what_is_due(policy: str) -> None:
    made = planner(policy)
    late = replace(first(made), due_at=NOW - 30 * DAY, checked_at=NOW - 60 * DAY, period=10.0)
    later = replace(late, due_at=NOW - 15 * DAY, checked_at=NOW - 40 * DAY, weight=0.2)
    values = made.values([later, late], {1: HABIT}, NOW)
    assert all(0 < value < 1 for value in values)
    assert values[1] > values[0]
    assert made.values([], {}, NOW) == []


def sample(count: int = 300) -> list[RevisitRecord]:
    random = np.random.default_rng(2)
    rates = np.exp(1.8 * random.standard_normal(count)) / 30
    return [RevisitRecord(number % 7, number, shape=0.5, exposure=0.5 / rate, weight=0.5) for number, rate in enumerate(rates)]


def test_the_threshold_spends_the_bandwidth() -> None:
    made, visits = planner(), sample()
    for _ in range(30):
        made.threshold = made.solve(visits)
    periods = []
    for visit in visits:
        again, _ = made.plan_next(
            replace(visit, checked_at=NOW, first_at=NOW), HABIT, Observation(NOW, distance=0, relevance=0.5)
        )
        periods.append(again.period)
    assert sum(1 / period for period in periods) / len(periods) == pytest.approx(0.1, rel=0.05)


def test_what_is_gone_does_not_count() -> None:
    made = planner()
    gone = [replace(visit, gone=2) for visit in sample()]
    assert made.solve(gone) == 0.0
    assert made.solve(sample() + gone) == made.solve(sample())
    assert made.solve_host(gone, 10.0) == 0.0


def test_a_host_gets_a_threshold_only_where_politeness_binds() -> None:
    made, visits = planner(threshold=1.0), sample()
    assert made.solve_host(visits, 1.0) == 0.0
    assert made.solve_host(visits, 0.0) == 0.0
    price = made.solve_host(visits, DAY)
    assert price > 1.0
    slow, quick = SiteProfile(1, threshold=price), SiteProfile(1)
    assert made.first(RevisitRecord(1, 2), slow, 0.7, NOW).due_at > made.first(RevisitRecord(1, 2), quick, 0.7, NOW).due_at


def test_where_politeness_binds_value_alone_ranks() -> None:
    """Else the pages that wait for the longest period would take all that a slow host allows."""
    made = planner(threshold=1.0)
    light = replace(first(made, weight=0.02), checked_at=NOW - 300 * DAY)
    heavy = replace(first(made, weight=1.0), checked_at=NOW - 170 * DAY)
    free, bound = (made.values([light, heavy], {1: SiteProfile(1, threshold=price)}, NOW) for price in (0.0, 5.0))
    assert free[0] > free[1]
    assert bound[0] < bound[1]


def test_what_slow_hosts_leave_is_spent_on_the_others() -> None:
    made, visits = planner(), sample()
    slow = {hid: SiteProfile(hid, threshold=1e3) for hid in range(3)}
    assert made.solve(visits, slow) < made.solve(visits)


def test_more_changes_seen_never_mean_a_later_visit() -> None:
    made = planner(threshold=1.0)
    few, many = course(made, [0, 9, 0, 0, 0]), course(made, [0, 9, 0, 9, 9])
    assert many[0].due_at < few[0].due_at


seen = st.tuples(
    st.floats(-5, 400),
    st.one_of(st.none(), st.integers(0, 64)),
    st.one_of(st.just(0.0), st.floats(0, 3e9)),
    st.floats(-1, 1e6),
    st.floats(0, 1),
)


@pytest.mark.slow
@examples(max_examples=60, deadline=None)
@given(
    st.sampled_from(list(POLICIES)),
    st.sampled_from([LINK, SITEMAP]),
    st.floats(0, 1e7),
    st.lists(seen, max_size=12),
)
def test_due_dates_are_finite_and_within_the_periods(
    policy: str, kind: int, threshold: float, steps: list[tuple[float, int | None, float, float, float]]
) -> None:
    made = planner(policy, threshold)
    visit, profile = first(made, kind=kind), HABIT
    for gap, distance, modified_at, promise, relevance in steps:
        at = visit.checked_at + gap * DAY
        visit = made.signalled(visit, profile, SITEMAP, at - 1.0, at)
        visit, profile = made.plan_next(visit, profile, Observation(at, distance, modified_at, promise, relevance))
        wait = (visit.due_at - at) / DAY
        least = 0.0 if policy == "batch" else 1 / 24
        assert least - 1e-6 <= wait <= 180.0 + 1e-6
        assert 1 / 24 <= visit.period <= 180.0
        assert all(
            math.isfinite(value) for value in (visit.shape, visit.exposure, visit.weight, profile.changes, profile.exposure)
        )
        assert 0 < made.values([visit], {1: profile}, visit.due_at)[0] < 1


@pytest.mark.parametrize("policy", POLICIES)
def test_columns_and_single_pages_agree(policy: str) -> None:
    """What the simulation measures is what a commit does."""
    made, settings = planner(policy), RecrawlSettings(policy=policy)
    starts = [first(made, weight=weight) for weight in (0.1, 0.5, 1.3)]
    sights = [Observation(NOW + 8 * DAY, distance=distance, relevance=0.4) for distance in (0, 2, 15)]
    names = [name for name in RevisitColumns.__slots__ if name != "source"]
    record = RevisitColumns(
        source=np.zeros(3, bool), **{name: column(*(getattr(visit, name) for visit in starts)) for name in names}
    )
    none = np.zeros(3)
    sight = ObservationColumns(none + NOW + 8 * DAY, column(0, 2, 15), none, none, none + 0.4)
    pool = ProfileColumns(none, none, none + made.revisit_threshold)
    together, _ = planning.planned_after_visit(record, pool, sight, POLICIES[policy](settings), settings)
    for number, (start, what) in enumerate(zip(starts, sights, strict=True)):
        alone, _ = made.plan_next(start, HABIT, what)
        for name in names:
            assert getattr(together, name)[number] == pytest.approx(getattr(alone, name)), name


def test_a_new_page_goes_before_what_is_just_due_and_the_better_one_first() -> None:
    made = planner(threshold=0.3)
    values = [made.new_value(score) for score in (-1.0, 0.0, 0.1, 0.9, 7.0)]
    assert values == sorted(values)
    assert values[0] > 0.5
    assert values[-1] < 1.0
