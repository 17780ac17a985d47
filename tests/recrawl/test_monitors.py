"""The figures of a recrawl, and the thresholds that make somebody look."""

from __future__ import annotations

import pytest

from focuscrawl.items import EXAMPLE, FEED, SITEMAP, SOFT404_PROBE, Lease
from focuscrawl.recrawl.monitors import Figures, alarms, asked_for, log_alarms
from focuscrawl.recrawl.settings import RecrawlSettings
from tests.factories import lease

STATS: dict[str, object] = {
    "recrawl/unmodified_count": 10, "recrawl/same_count": 5, "recrawl/minor_count": 2, "recrawl/changed_count": 3,
    "recrawl/suspect_count": 1, "recrawl/gone_count": 2, "recrawl/moved_count": 1, "recrawl/absent_count": 4,
    "recrawl/back_count": 1, "recrawl/failed_count": 6, "recrawl/new_count": 7, "recrawl/signals_count": 90,
    "recrawl/outside_count": 8, "requests/page_count": 25, "requests/robots_count": 5, "requests/sitemap_count": 3,
    "requests/feed_count": 2, "requests/probe_count": 1,
    "politeness/answer_count/2xx": 20, "politeness/answer_count/4xx": 9, "politeness/answer_count/5xx": 4,
    "politeness/failure_count/timeout": 2, "politeness/failure_count/dns": 1,
    "downloader/response_status_count/200": 20, "downloader/response_status_count/404": 6,
    "downloader/response_status_count/410": 1, "downloader/response_status_count/403": 2,
    "downloader/response_status_count/503": 4, "start_time": "today",
}  # fmt: skip


def test_pages_and_requests_are_counted_apart() -> None:
    found = Figures.of(STATS)
    assert (found.unchanged, found.missed, found.new) == (15, 3, 7)
    assert (found.visited, found.outside) == (35, 8)
    assert (found.page_requests, found.robots, found.sitemap, found.feed, found.probe) == (25, 5, 3, 2, 1)
    assert (found.requests, found.errors) == (36, 9)  # a page that is not there is no error; the dns failure is one


def test_a_run_without_stats_has_found_nothing() -> None:
    assert Figures.of({}) == Figures()
    assert alarms(Figures(), RecrawlSettings()) == []


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        (
            Figures(same=12, failed=28, requests=40, errors=28),
            ["28 of 40 requests failed (70%), more than RECRAWL_MOST_ERRORS=0.5"],
        ),
        (Figures(same=20, failed=20, requests=40, errors=20), []),
        (
            Figures(same=30, gone=6, suspect=4, requests=40),
            ["10 of 40 pages are gone or missing now (25%), more than RECRAWL_MOST_GONE=0.2"],
        ),
        (Figures(same=30, absent=10, requests=40), []),
        (Figures(same=1, gone=18, requests=19, errors=18), []),
        (Figures(gone=1, suspect=2, absent=4, requests=9), ["3 of 3 pages are gone or missing now (100%)"]),
        (Figures(gone=19, requests=19, errors=18), ["19 of 19 pages are gone"]),
        (Figures(gone=2, requests=2), []),
        (Figures(gone=3, failed=1, requests=4), []),
        (Figures(failed=2, requests=4, errors=4), ["4 of 4 requests failed (100%)"]),
        (Figures(requests=3, sitemap=3, errors=3), ["3 of 3 requests failed (100%)"]),
        (Figures(requests=2, sitemap=2, errors=2), []),
        (Figures(unanswered=7), ["nothing was fetched, because no host with due URLs answered"]),
        (Figures(unanswered=7, failed=1, requests=1, errors=1), ["nothing was fetched"]),
        (Figures(unanswered=7, same=1, requests=2, errors=1), []),
        (Figures(requests=30, errors=30), ["30 of 30 requests failed"]),
        (Figures(gone=30, requests=60, errors=31), ["31 of 60 requests failed", "30 of 30 pages are gone"]),
    ],
)
def test_a_threshold_that_is_passed_is_named_with_its_figure(found: Figures, wanted: list[str]) -> None:
    said = alarms(found, RecrawlSettings())
    assert len(said) == len(wanted)
    assert all(sentence.startswith(begin) for sentence, begin in zip(said, wanted, strict=True))


def test_thresholds_are_settings() -> None:
    found = Figures(gone=30, requests=60, errors=31)
    assert alarms(found, RecrawlSettings(most_errors=0.6, most_gone=1.0)) == []


@pytest.mark.parametrize(
    ("lease", "word"),
    [
        (lease("http://a.test/"), "page"),
        (lease("http://a.test/", kind=EXAMPLE), "page"),
        (lease("http://a.test/robots.txt", robots=True), "robots"),
        (lease("http://a.test/sitemap.xml", kind=SITEMAP), "sitemap"),
        (lease("http://a.test/feed", kind=FEED), "feed"),
        (lease("http://a.test/none", kind=SOFT404_PROBE), "probe"),
    ],
)
def test_what_a_request_is_for(lease: Lease, word: str) -> None:
    assert asked_for(lease) == word


def test_alarms_are_signed_by_the_monitors(caplog: pytest.LogCaptureFixture) -> None:
    log_alarms(["3 of 3 pages are gone"])
    assert caplog.record_tuples == [("focuscrawl.recrawl.monitors", 40, "3 of 3 pages are gone")]
