from __future__ import annotations

from dataclasses import replace

import pytest

from focuscrawl.frontier.lanes import lifted
from focuscrawl.frontier.states import State
from focuscrawl.items import FEED, SEED, SITEMAP
from focuscrawl.recrawl.state import DAY, RevisitRecord
from focuscrawl.report.revisits.page_freshness import has_failed, next_visit, resting
from focuscrawl.store.explain import UrlFacts

NOW = 1_790_000_000.0
ENTRY = UrlFacts(State.DONE, 0.5, 0.0, 1, 0, 0, 0, 0, 0, 0, 200, "")
VISIT = RevisitRecord(
    1, 2, due_at=NOW + 3 * DAY, first_at=NOW - 90 * DAY, checked_at=NOW - DAY, visits=12, changes=3, period=4.0, weight=0.42,
)  # fmt: skip
BROKEN = replace(ENTRY, state=State.FAILED, status=500, error="http-500")
QUARTER = "a quarter of the time since it was last seen, 1 to 30 days"


def test_by_what_it_is_worth() -> None:
    told = replace(VISIT, signal=1.5, signal_at=NOW - 60, signal_kind=FEED, due_at=NOW - 30)
    assert "due since" in next_visit(told, ENTRY, NOW)
    assert "a feed says that it changed at" in next_visit(told, ENTRY, NOW)
    assert "a sitemap says" in next_visit(replace(told, signal_kind=SITEMAP), ENTRY, NOW)
    assert "0.30 of it for the new pages" in next_visit(replace(VISIT, hub=0.3), ENTRY, NOW)
    woken = replace(ENTRY, state=State.QUEUED, priority=lifted(0.7))
    assert next_visit(VISIT, woken, NOW).startswith("in this run, by how often")


@pytest.mark.parametrize(
    ("gone", "why"), [(1, "whether it is gone"), (100, "whether it is back"), (201, "whether it still redirects")]
)
def test_what_is_not_there(gone: int, why: str) -> None:
    assert why in next_visit(replace(VISIT, gone=gone, gone_at=NOW - DAY), replace(ENTRY, state=State.GONE), NOW)


@pytest.mark.parametrize(
    "entry",
    [
        BROKEN,
        replace(BROKEN, status=0, error="timeout"),
        replace(BROKEN, state=State.DENIED, error="robots"),
        replace(BROKEN, state=State.FILTERED, error="type"),
        replace(BROKEN, state=State.REDIR, status=302, error=""),
        replace(BROKEN, state=State.GONE, error="http-404"),
    ],
)
def test_a_visit_that_said_nothing(entry: UrlFacts) -> None:
    for policy in ("optimal", "uniform"):
        text = next_visit(VISIT, entry, NOW, policy)
        assert QUARTER in text
        assert "how often" not in text
    assert has_failed(VISIT, entry)
    assert QUARTER in next_visit(replace(VISIT, signal=1.0, signal_at=NOW, signal_kind=FEED), entry, NOW)


def test_what_a_url_that_is_on_its_way_was_before() -> None:
    woken = replace(BROKEN, state=State.WAIT, priority=lifted(0.2))
    assert has_failed(replace(VISIT, rest=State.FAILED), woken)
    assert not has_failed(VISIT, woken)
    assert resting(replace(VISIT, rest=State.NOTMOD), woken) is State.NOTMOD


def test_what_has_other_reasons() -> None:
    removed = replace(BROKEN, state=State.FILTERED, error="removed")
    assert next_visit(VISIT, removed, NOW).startswith("never, for an operator removed it")
    assert "30 days after the crawler stopped" in next_visit(VISIT, replace(BROKEN, error="crash"), NOW)
    asked = replace(VISIT, due_at=NOW, signal_at=NOW, signal_kind=SEED)
    assert "because an operator asked for it" in next_visit(asked, BROKEN, NOW)
    assert QUARTER in next_visit(replace(asked, due_at=NOW + DAY), BROKEN, NOW)


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ("uniform", "as every page (RECRAWL_POLICY uniform): once in 4 d"),
        ("batch", "at the beginning of a round, when all pages are due (RECRAWL_POLICY batch): rounds of 4 d"),
        (
            "nutch",
            "shorter after each change and longer after a visit without (RECRAWL_POLICY nutch): 4 d now",
        ),
        ("similarity", "by its own period, longer the more alike its versions are (RECRAWL_POLICY similarity): 4 d now"),
    ],
)
def test_policies_in_which_weights_play_no_part(policy: str, words: str) -> None:
    assert next_visit(VISIT, ENTRY, NOW, policy).endswith(words)
    told = next_visit(replace(VISIT, signal=1.0, signal_at=NOW, signal_kind=FEED, period=0.0), ENTRY, NOW, policy)
    assert told.endswith(f"(RECRAWL_POLICY {policy})")
