"""What the dashboard reads of a store, on both engines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from focuscrawl.dashboard.crawl_pages import CRAWL_PAGES
from focuscrawl.store.crawls import all_crawls, crawls_of_database, open_store
from focuscrawl.store.engines.database import ERRORS, Database
from focuscrawl.store.frontier.host_browsing import Order, listed_hosts
from focuscrawl.store.overview import HostSums, host_sums, url_states
from focuscrawl.store.pages import browsing
from focuscrawl.store.pages.browsing import (
    PageFilter,
    PageGroup,
    alike,
    facets,
    linking_pages,
    listed_pages,
    path_to,
    title_and_text,
)
from focuscrawl.store.pages.fetch_log import ends_by_host
from focuscrawl.url.key import url_key
from tests.dashboard.desk import Desk
from tests.report import sample


@pytest.fixture
def folder(tmp_path: Path, store_url: str) -> Path:
    sample.sample_crawl(tmp_path / "sample", url=store_url)
    return tmp_path


@pytest.fixture
def db(folder: Path) -> Iterator[Database]:
    connection = open_store(folder / "sample")
    yield connection
    connection.close()


def test_pages_come_in_pieces_and_none_twice(db: Database) -> None:
    for wanted, order in (
        (PageFilter(), [4, 3, 2, 1]),
        (PageFilter(best_first=True), [2, 3, 1, 4]),
        (PageFilter(PageGroup.RELEVANT), [2, 1]),
    ):
        found, after = [], None
        for _ in range(5):
            part = listed_pages(db, wanted, after, 1)
            found += [page.page_id for page in part.pages]
            after = part.following
            if after is None:
                break
        assert found == order


def test_a_long_list_is_looked_through_in_steps(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browsing, "LOOKED", 2)
    first = listed_pages(db, PageFilter(PageGroup.GONE), None, 10)
    assert (first.pages, first.following) == ([], (0.0, 3))
    assert listed_pages(db, PageFilter(PageGroup.GONE), first.following, 10).following is None
    assert facets(db).cut


def test_facets_of_one_host(db: Database) -> None:
    assert facets(db, "blog.example.org").whats == {"off-topic": 1}


def test_pages_that_were_seen_to_change(db: Database) -> None:
    log = "insert into change(at, run, kind, hid, uid, page_id, url) select 1, 1, ?, hid, uid, page_id, url from page"
    db.execute(f"{log} where page_id in (2, 4)", ("changed",))
    db.execute(f"{log} where page_id=2", ("changed",))
    db.execute(f"{log} where page_id=1", ("new",))
    assert [page.page_id for page in listed_pages(db, PageFilter(changed=True), None, 10).pages] == [4, 2]
    assert facets(db).changed == 2
    assert facets(db, "blog.example.org").changed == 1


@pytest.mark.parametrize("order", get_args(Order))
def test_hosts_come_in_pieces_and_none_twice(db: Database, order: Order) -> None:
    whole = [host.origin for host in listed_hosts(db, order, 10).hosts]
    assert len(whole) == 3
    first = listed_hosts(db, order, 1)
    db.execute("update host set requests=requests+90, errors=errors+90 where origin=?", (whole[0],))
    found, after = [whole[0]], first.following
    while after:
        part = listed_hosts(db, order, 1, after)
        found, after = [*found, *(host.origin for host in part.hosts)], part.following
    assert found == whole


def test_the_way_from_a_seed(db: Database) -> None:
    assert [step.page_id for step in path_to(db, 4)] == [1, 2, 4]
    db.execute("update page set parent=4 where page_id=1")
    assert [step.page_id for step in path_to(db, 4)] == [1, 2, 4]
    assert path_to(db, 99) == []


def test_what_says_the_same(db: Database) -> None:
    assert [(each.page_id, each.is_original) for each in alike(db, 3, 9)] == [(2, True)]
    assert [(each.page_id, each.is_original) for each in alike(db, 2, 9)] == [(3, False)]
    assert alike(db, 1, 9) == []


def test_who_links_there_and_what_a_page_says(db: Database) -> None:
    assert [page.page_id for page in linking_pages(db, *url_key(sample.WAITING).url_id, 9)] == [1]
    assert title_and_text(db, 1) == ("News", "main text 正文")
    assert title_and_text(db, 99) is None


def test_sums_of_hosts_and_states(db: Database) -> None:
    assert host_sums(db) == HostSums(requests=10, pages=4, relevant=3, duplicates=1, links=12, hosts=3, hosts_fetched=2)
    db.execute("update page set gone=2 where page_id=3")  # the copy
    assert host_sums(db) == HostSums(requests=10, pages=3, relevant=2, links=12, hosts=3, hosts_fetched=2)
    assert url_states(db) == {"DONE": 3, "DUP": 1, "QUEUED": 2, "WAIT": 1, "GONE": 1, "DENIED": 1}


def test_times_of_the_last_fetches_by_host(db: Database) -> None:
    for number, (url, at) in enumerate(((sample.SEED, 1.0), (sample.FAILED, 2.0), (sample.WAITING, 4.0)), 1):
        sample.insert(
            db, "fetches", id=number, worker=1, hid=sample.hid(url), uid=number, page_id=0, at=at, status=200, priority=0.0,
            depth=0, distance=0, tries=0, hops=0, kind=0, parent=0,
        )  # fmt: skip
    db.execute("update host set pace=? where name='news.example.com'", ('{"delay": 2.5}',))
    assert ends_by_host(db, 9) == [("news.example.com", [1.0, 4.0], 2.5), ("blog.example.org", [2.0], 0.0)]
    assert ends_by_host(db, 1) == [("news.example.com", [4.0], 2.5)]


def test_what_takes_too_long_is_ended(db: Database) -> None:
    endless = "with recursive n(x) as (select 1 union all select x+1 from n where x<1000000000) select sum(x) from n"
    db.dialect.limit_time(db, 0.2)
    with pytest.raises(ERRORS):
        db.execute(endless).fetchall()


def test_every_page_can_be_read(folder: Path) -> None:
    desk = Desk(folder)
    for name in CRAWL_PAGES:
        assert desk.client.get(f"/c/sample/{name}.json?url={sample.SEED}").status_code == 200, name


def test_crawls_of_other_machines_are_found_in_the_database(folder: Path, store_url: str) -> None:
    if not store_url:
        return
    assert "sample" not in {crawl.name for crawl in crawls_of_database(store_url, folder, all_crawls(folder))}
    (folder / "sample").rename(folder.parent / "elsewhere")
    desk = Desk(folder, store_url=store_url)
    assert "sample" in {crawl["name"] for crawl in desk.data("/.json")["crawls"]}  # type: ignore[attr-defined]
    assert desk.client.get("/c/sample/").status_code == 200
    (folder.parent / "elsewhere").rename(folder / "sample")
