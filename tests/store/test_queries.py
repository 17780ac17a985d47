"""Overview, pages and explanations of a store that is known by heart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from focuscrawl.frontier.states import State
from focuscrawl.items import FEED, LINK, SITEMAP, Link
from focuscrawl.recrawl.state import RevisitRecord
from focuscrawl.store import overview
from focuscrawl.store.course import relevance_in_order
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.database import Database
from focuscrawl.store.explain import Explanation, QueuePosition, explain
from focuscrawl.store.pages import stored
from focuscrawl.store.pages.links import encode
from focuscrawl.store.revisits.revisit_rows import write_revisits
from focuscrawl.store.workers.runs import all_runs, seconds_of
from focuscrawl.store.workers.status import live_runs
from focuscrawl.url.hosts import uid_of
from focuscrawl.url.key import url_key
from tests.report import sample


@pytest.fixture
def db(tmp_path: Path, store_url: str) -> Iterator[Database]:
    sample.sample_crawl(tmp_path, url=store_url)
    connection = open_store(tmp_path, read_only=True)
    yield connection
    connection.close()


@pytest.fixture
def empty(tmp_path: Path, store_url: str) -> Iterator[Database]:
    connection = sample.empty_crawl(tmp_path, store_url)
    yield connection
    connection.close()


def test_totals(db: Database) -> None:
    totals = overview.totals(db)
    assert (totals.pages, totals.relevant, totals.distinct, totals.duplicates, totals.exact) == (4, 3, 2, 1, 1)
    assert (totals.hosts, totals.hosts_fetched, totals.requests, totals.waiting) == (3, 2, 10, 3)
    assert totals.harvest_rate == 0.75


def test_an_empty_store_has_totals_too(empty: Database) -> None:
    totals = overview.totals(empty)
    assert (totals.pages, totals.harvest_rate, totals.waiting, totals.states) == (0, 0.0, 0, {})
    for query in (all_runs, overview.hosts, overview.causes, overview.seeds, overview.best_pages, overview.copied_pages):
        assert query(empty) == []
    assert list(relevance_in_order(empty)) == []


def test_runs(db: Database) -> None:
    (run,) = all_runs(db)
    assert (run.reason, run.pages, run.relevant, run.duplicates, run.arguments) == ("max_pages", 4, 3, 1, {"seeds": "s.txt"})


@pytest.mark.parametrize("column", ["", "[1]", "{broken"])
def test_damaged_json_of_a_run_is_passed_over(empty: Database, column: str) -> None:
    sample.insert(empty, "run", id=1, started_at=1.0, stats=column, arguments=column)
    (run,) = all_runs(empty)
    assert (run.stats, run.arguments, run.reason, run.last_at) == ({}, {}, "", None)


def test_hosts_best_first_with_what_waits(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(host.name, host.pages, host.waiting) for host in overview.hosts(db)]
    assert rows == [("news.example.com", 3, 1), ("blog.example.org", 1, 1), ("down.example.net", 0, 1)]
    monkeypatch.setattr(overview, "MOST_HOSTS", 1)
    assert len(overview.hosts(db)) == 1


def test_causes_with_an_example(db: Database) -> None:
    found = {(row.cause, row.state, row.count, row.example) for row in overview.causes(db)}
    assert found == {
        ("http-404", State.GONE, 1, sample.FAILED),
        ("robots", State.DENIED, 1, sample.DENIED),
        ("timeout", State.WAIT, 1, sample.RETRIED),
    }


def test_seeds_best_pages_copies_and_refusals(db: Database) -> None:
    assert [(seed.url, seed.state) for seed in overview.seeds(db)] == [(sample.SEED, State.DONE), (sample.RETRIED, State.WAIT)]
    assert [page.relevance for page in overview.best_pages(db)] == [0.61, 0.12]
    (copied,) = overview.copied_pages(db)
    assert (copied.copies, copied.example) == (1, sample.PAGES[2][0])
    assert overview.refused_links(db) == {"calendar": 1}
    assert list(relevance_in_order(db)) == [True, True, True, False]


def test_the_frontier_at_this_moment(tmp_path: Path, store_url: str) -> None:
    sample.sample_crawl(tmp_path, url=store_url)
    db = open_store(tmp_path)
    db.execute("update host set best_priority=0.5, ready_at=? where name='news.example.com'", (sample.NOW + 30,))
    db.execute("update host set best_priority=0.5, ready_at=? where name='blog.example.org'", (sample.NOW + 1e6,))
    now = overview.frontier_now(db, sample.NOW)
    assert (now.ready, now.waiting, now.hosts, now.slowest, now.slowest_in) == (2, 1, 2, "news.example.com", 30.0)
    db.close()


@pytest.mark.parametrize("counted", [True, False])
def test_a_run_that_crashed_took_until_its_last_heartbeat(empty: Database, counted: bool) -> None:
    for run in (1, 2, 3):
        sample.insert(empty, "run", id=run, started_at=100.0, ended_at=150.0 if run == 3 else None)
    for run, state in ((1, "dead"), (3, "gone")):
        sample.insert(empty, "worker", run=run, machine="m", process_id=1, process_started=0.0, beat_at=130.0, state=state)
    runs = all_runs(empty, counted=counted)
    assert [seconds_of(run, 9_000.0) for run in runs] == [30.0, 0.0, 50.0]
    assert seconds_of(runs[0], 160.0, running=True) == 60.0
    sample.add_page(empty, 1, sample.SEED, "News", 0.5, 1, 0, None, "en", at=140.0)  # stored behind the last heartbeat
    assert seconds_of(all_runs(empty, counted=counted)[0], 9_000.0) == (40.0 if counted else 30.0)


def test_live_runs_have_a_worker_that_shows_signs_of_life(empty: Database) -> None:
    for run, state, beat in ((1, "live", 100.0), (2, "live", 1.0), (3, "gone", 100.0)):
        sample.insert(empty, "worker", run=run, machine="m", process_id=1, process_started=0.0, beat_at=beat, state=state)
    assert live_runs(empty, 110.0) == {1}


def test_stored_pages_are_the_relevant_ones_or_all(db: Database) -> None:
    assert [page.page_id for page in stored.stored_pages(db)] == [1, 2]
    every = list(stored.stored_pages(db, everything=True))
    assert [page.page_id for page in every] == [1, 2, 3, 4]
    copy = every[2]
    assert (copy.parent, copy.duplicate_of, copy.site) == (sample.PAGES[1][0], sample.PAGES[1][0], "example.com")
    assert (copy.text, copy.simhash, copy.terms) == ("main text 正文", 2**64 - 3, (("搜索", 0.4), ("crawler", 0.2)))


def test_pages_are_read_in_batches(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "BATCH", 1)
    assert [page.page_id for page in stored.stored_pages(db, everything=True)] == [1, 2, 3, 4]


def test_explaining_a_fetched_page(db: Database) -> None:
    facts = explain(db, sample.PAGES[1][0])
    assert facts.page is not None
    assert facts.parent is not None
    assert facts.parent.link is not None
    assert (facts.page.relevance, facts.parent.url, facts.parent.link.parts) == (0.61, sample.SEED, sample.PARTS)
    assert facts.place is None


def test_explaining_a_waiting_url_with_its_rank(db: Database) -> None:
    assert explain(db, sample.WAITING).place == QueuePosition(rank=1, of=2, host_rank=1, host_of=1)
    low = explain(db, sample.WAITING_LOW)
    assert low.place == QueuePosition(rank=2, of=2, host_rank=1, host_of=1)
    assert low.parent is not None
    assert low.parent.link is None
    assert explain(db, sample.WAITING).linked_from == (sample.SEED,)


def test_explaining_a_refused_link(db: Database) -> None:
    facts = explain(db, sample.REFUSED)
    assert facts.entry is None
    assert facts.refusal is not None
    assert facts.refusal.parent is not None
    assert (facts.refusal.rule, facts.refusal.parent.url) == ("calendar", sample.SEED)
    assert facts.found_on == facts.refusal.parent
    assert replace(facts, entry=explain(db, sample.SEED).entry).found_on is None  # no page led to a seed


def _near(db: Database, url: str) -> tuple[str, ...]:
    return explain(db, url).near


def test_explaining_what_was_never_seen(db: Database) -> None:
    facts: Explanation = explain(db, "http://unknown.example/")
    assert (facts.host, facts.entry, facts.page, facts.refusal, facts.robots) == (None, None, None, None, None)
    assert _near(db, "https://news.example.com/search/c.html") == (sample.WAITING,)
    assert _near(db, "http://www.news.example.com/search/c.html") == (sample.WAITING,)
    assert _near(db, sample.WAITING + "/") == (sample.WAITING,)
    assert _near(db, sample.WAITING + "?from=feed") == (sample.WAITING,)


def test_what_is_gone_is_in_no_list_and_no_number(tmp_path: Path, store_url: str) -> None:
    sample.sample_crawl(tmp_path, url=store_url)
    db = open_store(tmp_path)
    db.execute("update page set gone=1 where page_id=2")
    assert [page.page_id for page in stored.stored_pages(db)] == [1, 2]
    db.execute("update page set gone=2 where page_id=2")
    assert [page.page_id for page in stored.stored_pages(db)] == [1]
    every = list(stored.stored_pages(db, everything=True))
    assert [page.gone for page in every] == [False, True, False, False]
    totals = overview.totals(db)
    assert (totals.pages, totals.relevant, totals.distinct) == (3, 2, 1)
    assert [page.relevance for page in overview.best_pages(db)] == [0.12]
    assert overview.copied_pages(db) == []
    db.close()


def test_when_a_page_was_looked_at_and_had_changed(tmp_path: Path, store_url: str) -> None:
    sample.sample_crawl(tmp_path, url=store_url)
    db = open_store(tmp_path)
    url = sample.PAGES[0][0]
    seen = {"checked_at": sample.NOW + 9, "changed_at": sample.NOW + 5}
    sample.insert(db, "revisit", hid=sample.hid(url), uid=uid_of(url), due_at=0.0, signature_digest=b"", **seen)
    first, second = stored.stored_pages(db)
    assert (first.checked_at, first.changed_at) == (sample.NOW + 9, sample.NOW + 5)
    assert (second.checked_at, second.changed_at) == (second.fetched_at, 0.0)
    db.close()


def test_what_no_page_led_to_was_announced(tmp_path: Path, store_url: str) -> None:
    sample.sample_crawl(tmp_path, url=store_url)
    db = open_store(tmp_path)
    for path, kind, checked in (("s.xml", SITEMAP, 1.0), ("feed", FEED, 2.0), ("unread.xml", SITEMAP, 0.0), ("p", LINK, 1.0)):
        url = f"http://news.example.com/{path}"
        sample.add_url(db, url, State.DONE, kind=kind)
        write_revisits(db, [RevisitRecord(*url_key(url).url_id, kind, checked_at=checked)])
    sample.add_url(db, "http://news.example.com/found", State.QUEUED)
    sample.add_url(db, "http://news.example.com/linked", State.QUEUED, parent=2)
    announced = [explain(db, f"http://news.example.com/{name}").announced_by for name in ("found", "linked", "feed")]
    db.close()
    assert announced == [("http://news.example.com/feed", "http://news.example.com/s.xml"), (), ()]


A, B, C = (f"http://news.example.com/{name}" for name in "abc")


@pytest.mark.parametrize(
    ("links", "redirects", "told"),
    [
        ([Link(A, score=0.3)], [(A, B), (B, C)], A),
        ([Link(A, score=0.3), Link(C, score=0.1)], [(A, B), (B, C)], C),  # followed itself
        ([Link(A, score=0.3), Link(C, refused="nofollow")], [(A, C)], A),
        ([Link(A, score=0.3), Link(B, score=0.4)], [(A, C), (B, C)], B),  # the best of them
        ([Link(C, refused="nofollow")], [], C),
        ([], [(A, B), (B, A), (B, C)], ""),  # its links are other ones now
        ([Link(A)], [], ""),
    ],
)
def test_the_link_behind_redirects_is_told(
    tmp_path: Path, store_url: str, links: list[Link], redirects: list[tuple[str, str]], told: str
) -> None:
    """Whatever the number of redirects that stands with the URL: it stays when a redirect lifts a URL that waits."""
    sample.sample_crawl(tmp_path, url=store_url)
    db = open_store(tmp_path)
    db.execute("update body set links=? where page_id=2", (encode(links),))
    for url in (A, B, C):
        sample.add_url(db, url, State.DONE, parent=2)
    for parent in (1, 2):  # page 1 has a link to what redirected, too
        for url, target in [*redirects, *([(sample.SEED, C)] if parent == 1 else [])]:
            sample.insert(
                db, "fetches", worker=1, hid=sample.hid(url), uid=uid_of(url), page_id=0, at=sample.NOW, status=301,
                redirect=target, priority=0.5, depth=1, distance=0, tries=0, hops=0, kind=0, parent=parent,
            )  # fmt: skip
    parent_facts = explain(db, C).parent
    db.close()
    assert parent_facts
    assert parent_facts.page_id == 2
    assert (parent_facts.link.url if parent_facts.link else "") == told
