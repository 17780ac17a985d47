"""What the overview says of a crawl that was looked at again."""

from __future__ import annotations

import json

import pytest

from focuscrawl.frontier.states import State
from focuscrawl.items import FEED, SITEMAP, SOFT404_PROBE
from focuscrawl.politeness.pace import Pace
from focuscrawl.store import overview
from focuscrawl.store.engines.database import Database
from focuscrawl.store.explain import explain
from focuscrawl.store.frontier.host_rows import dump_pace
from focuscrawl.store.revisits.revisit_rows import wake
from focuscrawl.store.workers.runs import all_runs
from focuscrawl.url.hosts import uid_of
from tests.report import sample


@pytest.fixture
def db(sampled: Database) -> Database:
    return sampled


def test_what_a_run_stored_stays_its_own_when_others_store_newer_versions(db: Database) -> None:
    counts = {"pages": 4, "relevant": 3, "duplicates": 1, "requests": 9, "errors": 0}
    db.execute("update run set stats=? where id=1", (json.dumps({"counts": counts}),))
    sample.insert(db, "run", id=2, started_at=sample.NOW + 100)
    db.execute("update page set run=2 where page_id>1")
    first, second = all_runs(db)
    assert (first.pages, first.relevant, first.duplicates) == (4, 3, 1)
    assert (second.pages, second.relevant, second.duplicates) == (3, 2, 1)


@pytest.mark.parametrize(("said", "pages", "relevant"), [(9, 9, 5), (2, 4, 3)])
def test_a_run_without_an_end_has_stored_what_its_last_heartbeat_said_or_more(
    db: Database, said: int, pages: int, relevant: int
) -> None:
    db.execute("update run set ended_at=null, reason=null, stats='{}'")
    stats = json.dumps({"pages": said, "relevant": 5, "duplicates": 2})
    sample.insert(
        db, "worker", id=7, run=1, machine="m", process_id=1, process_started="1", beat_at=sample.NOW, state="dead", stats=stats
    )
    (run,) = all_runs(db)
    assert (run.pages, run.relevant) == (pages, relevant)


def test_what_is_no_page_or_is_stored_is_not_told_as_not_stored(db: Database) -> None:
    before = {(row.cause, row.count) for row in overview.causes(db)}
    sample.add_url(db, "http://news.example.com/sitemap.xml", State.GONE, kind=SITEMAP, error="http-404")
    sample.add_url(db, "http://news.example.com/feed", State.FAILED, kind=FEED, error="parse")
    sample.add_url(db, "http://news.example.com/none-1", State.GONE, kind=SOFT404_PROBE, error="http-404")
    page = (sample.hid("http://news.example.com/"), uid_of(sample.PAGES[1][0]))
    db.execute("update url set state=10, error='http-404' where hid=? and uid=?", page)
    db.execute("update page set gone=1 where hid=? and uid=?", page)
    assert {(row.cause, row.count) for row in overview.causes(db)} == before
    assert [row.url for row in overview.seeds(db)] == [sample.SEED, sample.RETRIED]
    db.execute("update page set gone=2 where hid=? and uid=?", page)
    assert ("http-404", 2) in {(row.cause, row.count) for row in overview.causes(db)}


def test_hosts_are_told_without_pages_that_are_gone(db: Database) -> None:
    db.execute("update page set gone=2 where page_id in (1, 4)")
    hosts, totals = overview.hosts(db), overview.totals(db)
    assert sum(host.pages for host in hosts) == totals.pages == 2
    assert sum(host.relevant for host in hosts) == totals.relevant
    assert sum(host.duplicates for host in hosts) == totals.duplicates
    told = {host.origin: (host.pages, host.relevant) for host in hosts}
    for url, *_ in sample.PAGES:
        host = explain(db, url).host
        assert host
        assert (host.pages, host.relevant) == told[host.origin]


@pytest.mark.parametrize(("fails", "trouble"), [(5, "http-500"), (4, "")])
def test_a_host_whose_waiting_urls_are_held_back_by_its_failures_says_so(db: Database, fails: int, trouble: str) -> None:
    origin = "http://news.example.com"
    sample.add_url(db, f"{origin}/again", State.WAIT, error="http-500")
    db.execute("update host set pace=? where origin=?", (dump_pace(Pace(fails=fails)), origin))
    (host,) = (host for host in overview.hosts(db) if host.origin == origin)
    assert (host.pages, host.trouble) == (3, trouble)
    db.execute("update url set state=? where state in (?, ?, ?)", (State.DONE, State.QUEUED, State.WAIT, State.LEASED))
    assert [host.trouble for host in overview.hosts(db) if host.origin == origin] == [""]


def test_what_a_recrawl_has_still_to_do(db: Database) -> None:
    assert overview.frontier_now(db, sample.NOW).due == 0
    for place, (url, *_) in enumerate(sample.PAGES):
        sample.insert(
            db, "revisit", hid=sample.hid(url), uid=uid_of(url), due_at=1.0, signature_digest=b"", value=0.5 if place else 0.0
        )
    assert overview.frontier_now(db, sample.NOW).due == 3
    wake(db, 2)
    assert overview.frontier_now(db, sample.NOW).due == 3
