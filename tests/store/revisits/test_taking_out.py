"""An operator takes pages out of the collection: they are treated as gone, and nothing but an operator brings them back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from focuscrawl.dedup.methods import method
from focuscrawl.frontier.states import REMOVED, State
from focuscrawl.items import SITEMAP
from focuscrawl.recrawl.gone import Gone, state_of
from focuscrawl.recrawl.state import DAY, RevisitRecord
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.operator_changes import Added, UrlPrefix, add, parts_of_host, parts_of_prefix, remove_parts
from focuscrawl.store.overview import totals
from focuscrawl.store.pages.link_graph import LIVE
from focuscrawl.store.pages.stored import stored_pages
from focuscrawl.store.revisits.change_log import changes_of
from focuscrawl.store.revisits.revisit_rows import START, RevisitSelection, load_revisit, rank, unranked, wake, write_revisits
from focuscrawl.store.revisits.taking_out import TakenOut, count_pages, take_out_parts, take_out_urls
from focuscrawl.store.revisits.versions import purge_texts
from focuscrawl.url.hosts import uid_of
from tests.factories import leased
from tests.report import sample
from tests.report.sample import NOW, SEED, add_page, add_url, hid

NEWS, BLOG = "news.example.com", "blog.example.org"
ORIGINAL, COPY = sample.PAGES[1][0], sample.PAGES[2][0]
ELSEWHERE = "http://blog.example.org/copy"
MAP = "http://news.example.com/sitemap.xml"
LATER = NOW + 9 * DAY
KEYS = method("simhash").keys


@pytest.fixture
def db(sampled: Database) -> Database:
    """Of NEWS three pages, the third a copy of the second; of BLOG one that is off topic and another copy; visits of all."""
    add_page(sampled, 5, ELSEWHERE, "Copy", 0.6, 1, 1, 2, "en", at=NOW)
    add_url(sampled, MAP, State.DONE, kind=SITEMAP)
    visit = RevisitRecord(0, 0, first_at=NOW, checked_at=NOW, read_at=NOW, due_at=NOW + DAY)
    urls = [(url, 0) for (url,) in sampled.execute("select url from page")] + [(MAP, SITEMAP)]
    write_revisits(sampled, [replace(visit, hid=hid(url), uid=uid_of(url), kind=kind) for url, kind in urls])
    return sampled


def take_out(db: Database, host: str = NEWS) -> TakenOut:
    parts = parts_of_host(db, host)
    remove_parts(db, parts, LATER)
    return take_out_parts(db, parts, lambda: LATER, KEYS)


def test_each_transaction_has_its_own_time(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """An export of changes that is made between two of them has all before its time."""
    monkeypatch.setattr(db.dialect, "group", 1)
    times = iter(range(int(LATER), int(LATER) + 100))
    parts = parts_of_host(db, NEWS)
    take_out_parts(db, parts, lambda: float(next(times)), KEYS)
    (different,) = db.execute("select count(distinct at) from change where at>=?", (LATER,)).fetchone()
    assert different > 1


def visit_of(db: Database, url: str) -> RevisitRecord:
    found = load_revisit(db, hid(url), uid_of(url))
    assert found
    return found


def url_of(db: Database, url: str) -> tuple[State, str]:
    state, error = db.execute("select state, error from url where hid=? and uid=?", (hid(url), uid_of(url))).fetchone()
    return State(state), error


def gone_pages(db: Database) -> list[int]:
    return [page_id for (page_id,) in db.execute("select page_id from page where gone>=2 order by page_id")]


def due(db: Database, now: float) -> set[int]:
    return {visit.uid for visit in unranked(db, RevisitSelection(now), START, 99)[0]}


def test_pages_of_a_host_are_treated_as_gone_and_others_stay(db: Database) -> None:
    assert [page.url for page in stored_pages(db)] == [SEED, ORIGINAL]
    assert take_out(db) == TakenOut(urls=4, pages=3, promoted=1)
    assert gone_pages(db) == [1, 2, 3]
    assert [page.url for page in stored_pages(db)] == [ELSEWHERE]
    assert (totals(db).pages, totals(db).relevant, totals(db).gone) == (2, 1, 3)
    assert db.execute(f"select p.page_id from page p where {LIVE} order by 1").fetchall() == [(4,), (5,)]
    assert db.execute("select count(*) from inlink where page_id in (1, 2, 3)").fetchone() == (0,)


def test_a_copy_elsewhere_takes_the_place_and_none_that_leaves_itself(db: Database) -> None:
    take_out(db)
    assert db.execute("select page_id, original from page where page_id in (3, 5) order by 1").fetchall() == [(3, 5), (5, None)]
    changes = {change.url: (change.net.value, change.reason) for change in changes_of(db, LATER, LATER + 1)}
    assert changes == {SEED: ("gone", REMOVED), ORIGINAL: ("gone", REMOVED), ELSEWHERE: ("new", "joined")}
    assert db.execute("select count(*) from band where page_id=5").fetchone() == (4,)


def test_neither_recrawls_nor_links_nor_sitemaps_bring_them_back(db: Database) -> None:
    assert due(db, LATER) == {uid_of(url) for url in (*(page[0] for page in sample.PAGES), ELSEWHERE, MAP)}
    take_out(db)
    assert due(db, LATER + 9999 * DAY) == {uid_of(sample.PAGES[3][0]), uid_of(ELSEWHERE)}
    assert {url_of(db, url) for url in (SEED, ORIGINAL, COPY, MAP)} == {(State.FILTERED, REMOVED)}
    discover(db, [DiscoveredUrl(SEED, 1.0)], LATER)
    assert [one.url for one in leased(db, at=LATER + DAY) if one.hid == hid(SEED)] == []


def test_what_a_recrawl_has_ranked_stays_out_when_it_wakes(db: Database) -> None:
    ranked = unranked(db, RevisitSelection(LATER), START, 99)[0]
    take_out(db)
    rank(db, ranked, [0.5] * len(ranked))
    wake(db, 99)
    assert url_of(db, SEED) == (State.FILTERED, REMOVED)
    assert url_of(db, ELSEWHERE)[0] is State.QUEUED
    assert (visit_of(db, SEED).value, visit_of(db, SEED).rest, visit_of(db, COPY).rest) == (0.0, State.DONE, State.DUP)


def test_what_a_recrawl_has_woken_leaves_too(db: Database) -> None:
    ranked = unranked(db, RevisitSelection(LATER), START, 99)[0]
    rank(db, ranked, [0.5] * len(ranked))
    wake(db, 99)
    assert take_out(db).pages == 3
    assert url_of(db, COPY) == (State.FILTERED, REMOVED)
    assert visit_of(db, COPY).rest == State.DUP
    assert leased(db, at=LATER + DAY)[0].hid != hid(SEED)


def test_the_second_time_nothing_is_left_to_do(db: Database) -> None:
    take_out(db)
    rows = db.execute("select count(*) from change").fetchone()
    assert take_out(db) == TakenOut()
    assert db.execute("select count(*) from change").fetchone() == rows
    assert count_pages(db, parts_of_host(db, NEWS)) == 0


def test_what_was_interrupted_is_finished(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """The URLs are removed and the copy has left; the original is gone already, but nobody took its place."""
    part = UrlPrefix(hid(SEED))
    db.execute("update url set state=?, error=? where hid=?", (int(State.FILTERED), REMOVED, part.hid))
    db.execute("update page set gone=4 where page_id in (2, 3)")
    assert take_out_parts(db, [part], lambda: LATER, KEYS) == TakenOut(urls=0, pages=1, promoted=1)
    assert [page.url for page in stored_pages(db)] == [ELSEWHERE]


def test_a_prefix_and_single_urls(db: Database) -> None:
    parts = parts_of_prefix(db, "http://news.example.com/search/", False)
    assert count_pages(db, parts) == 2
    assert take_out_parts(db, parts, lambda: LATER, KEYS).pages == 2
    assert gone_pages(db) == [2, 3]
    assert take_out_urls(db, [SEED, SEED, "http://nowhere.example/"], lambda: LATER, KEYS) == TakenOut(urls=1, pages=1)
    assert gone_pages(db) == [1, 2, 3]
    assert url_of(db, MAP)[0] is State.DONE


def test_a_page_that_was_gone_before_is_only_kept_from_visits(db: Database) -> None:
    db.execute("update page set gone=2 where page_id=1")
    write_revisits(db, [replace(visit_of(db, SEED), gone=101, gone_at=NOW)])
    assert take_out(db).pages == 2
    assert state_of(visit_of(db, SEED)) is Gone.GONE
    assert url_of(db, SEED) == (State.FILTERED, REMOVED)


def test_only_an_operator_takes_it_back_and_the_next_visit_makes_it_a_page(db: Database) -> None:
    take_out(db)
    assert state_of(visit_of(db, SEED)) is Gone.REMOVED
    assert dict(add(db, [SEED], 1.0, LATER + DAY)) == {Added.DUE: 1}
    assert url_of(db, SEED) == (State.DONE, "")
    assert uid_of(SEED) in due(db, LATER + DAY)
    assert gone_pages(db) == [1, 2, 3], "it is no page before a visit has found it"


def test_its_text_is_purged_after_the_time_of_grace(db: Database) -> None:
    take_out(db)
    assert purge_texts(db, LATER - 1) == (0, 0)
    assert purge_texts(db, LATER)[1] == 3
    assert {page_id for (page_id,) in db.execute("select page_id from body")} == {4, 5}
