from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from focuscrawl.frontier.lanes import lifted
from focuscrawl.frontier.outcome import MAX_HOPS, outcome_of, priority_after_hop
from focuscrawl.frontier.states import Event
from focuscrawl.items import Duplicate, Page
from focuscrawl.politeness.pace import retry_after_seconds
from tests import factories

DELAYS = (60.0, 300.0, 1800.0)


def page(status: int = 200, error: str = "", redirect: str = "", **lease: Any) -> Page:
    return factories.page(factories.lease(**lease), status, error=error, redirect=redirect)


@pytest.mark.parametrize(
    ("made", "event", "reason"),
    [
        (page(), Event.STORED, ""),
        (replace(page(304), unmodified="304"), Event.UNCHANGED, ""),
        (replace(page(200), unmodified="headers"), Event.UNCHANGED, ""),
        (page(304, etag='"1"'), Event.GAVE_UP, "http-304"),
        (page(301, redirect="http://b.test/"), Event.REDIRECTED, ""),
        (page(301, redirect="http://a.test/"), Event.GAVE_UP, "redirect-loop"),
        (page(302, redirect="http://b.test/", hops=MAX_HOPS), Event.GAVE_UP, "redirect-loop"),
        (page(302), Event.GAVE_UP, "redirect-broken"),
        (page(404), Event.GONE, "http-404"),
        (page(410), Event.GONE, "http-410"),
        (page(403), Event.GAVE_UP, "http-403"),
        (page(500), Event.RETRY, "http-500"),
        (page(500, tries=3), Event.GAVE_UP, "http-500"),
        (page(429, tries=9), Event.RETRY, "http-429"),
        (page(0, error="timeout"), Event.RETRY, "timeout"),
        (page(0, error="certificate"), Event.RETRY, "certificate"),
        (page(0, error="dns", tries=3), Event.GAVE_UP, "dns"),
        (page(0, error="robots"), Event.DENIED, "robots"),
        (page(0, error="address"), Event.FILTERED, "address"),
        (page(301, error="redirect-to-host"), Event.FILTERED, "redirect-to-host"),
        (page(200, error="parse"), Event.GAVE_UP, "parse"),
        (page(206), Event.GAVE_UP, "http-206"),
    ],
)
def test_outcomes(made: Page, event: Event, reason: str) -> None:
    outcome = outcome_of(made, DELAYS, 1.0)
    assert (outcome.event, outcome.reason) == (event, reason)


def test_duplicate() -> None:
    made = page()
    made.duplicate = Duplicate(1, "http://b.test/", "exact", 1.0)
    assert outcome_of(made, DELAYS).event is Event.DUPLICATE


def test_delays_grow_with_the_tries() -> None:
    waits = [outcome_of(page(502, tries=n), DELAYS, 1.0).retry_in for n in range(3)]
    assert waits == list(DELAYS)


def test_the_retry_after_of_a_busy_host_is_kept_and_grows_with_the_tries() -> None:
    made = [replace(page(503, tries=n), retry_after=7200.0) for n in range(2)]
    assert [outcome_of(each, DELAYS).retry_in for each in made] == [7200.0, 14_400.0]


def test_a_url_on_a_busy_host_has_four_times_the_tries_and_is_not_given_up_while_the_host_fails() -> None:
    assert outcome_of(page(503, tries=12), DELAYS).event is Event.GAVE_UP
    assert outcome_of(page(503, tries=12, probe=True), DELAYS).event is Event.RETRY


def test_no_url_waits_for_the_year_9999() -> None:
    made = page(429)
    made.retry_after = retry_after_seconds("Fri, 31 Dec 9999 23:59:59 GMT", 1.7e9)
    assert outcome_of(made, DELAYS).retry_in == 86_400.0


def test_a_hop_to_another_domain_costs_half_a_priority_or_a_click() -> None:
    assert priority_after_hop(0.8) == 0.4
    assert priority_after_hop(-3.5) == -4.5
    assert priority_after_hop(lifted(0.6)) == pytest.approx(lifted(0.3))
