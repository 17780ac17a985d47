"""Which worker reads a kept page whole, on both engines."""

from __future__ import annotations

import pytest

from focuscrawl.items import Content
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.content import ArchivedPage, archived_pages, read_before, store_content, unread
from focuscrawl.store.workers.lifecycle import leave, register
from tests.report import sample

HERE, ELSEWHERE = "this folder", "that folder"


@pytest.fixture
def workers(db: Database) -> list[int]:
    """Two in one crawl directory, one in another, each of which has stored two kept pages: 1 and 2, 3 and 4, 5 and 6."""
    numbers = [register(db, 1, sample.NOW, where) for where in (HERE, HERE, ELSEWHERE)]
    for page_id in range(1, 7):
        sample.add_page(db, page_id, f"http://a.test/{page_id}", "t", 0.5, 1, 0, None, "en", at=sample.NOW)
        db.execute("update page set worker=? where page_id=?", (numbers[(page_id - 1) // 2], page_id))
    return numbers


def left_to(db: Database, worker: int, where: str = HERE) -> list[int]:
    return [page.page_id for page in unread(db, 20, where, worker)]


def test_no_page_is_read_by_two_workers(db: Database, workers: list[int]) -> None:
    first, second, other = workers
    assert (left_to(db, first), left_to(db, second), left_to(db, other, ELSEWHERE)) == ([1, 2], [3, 4], [5, 6])
    (page, _) = unread(db, 20, HERE, second)
    store_content(db, page, None)
    assert (left_to(db, first), left_to(db, second)) == ([1, 2], [4])


def test_the_oldest_worker_reads_what_others_in_its_directory_have_left(db: Database, workers: list[int]) -> None:
    first, second, other = workers
    leave(db, first)
    assert (left_to(db, second), left_to(db, other, ELSEWHERE)) == ([1, 2, 3, 4], [5, 6])
    third = register(db, 2, sample.NOW, HERE)
    assert (left_to(db, second), left_to(db, third)) == ([1, 2, 3, 4], [])
    db.execute("update worker set state='dead' where id=?", (second,))
    assert (left_to(db, third), left_to(db, other, ELSEWHERE)) == ([1, 2, 3, 4], [5, 6])


def test_reading_again_is_for_all_pages_of_the_directory(db: Database, workers: list[int]) -> None:
    found: list[ArchivedPage] = list(archived_pages(db, HERE))
    assert [page.page_id for page in found] == [1, 2, 3, 4]


def test_what_is_missing_could_not_be_read_or_was_not_yet(db: Database, workers: list[int]) -> None:
    first, second, _ = unread(db, 20, HERE, workers[0]) + unread(db, 20, HERE, workers[1])[:1]
    store_content(db, first, None)
    store_content(db, second, Content())
    assert [page.page_id for page in archived_pages(db, HERE, missing=True)] == [1, 3, 4]


def test_pages_of_a_site_that_were_read_before(db: Database, workers: list[int]) -> None:
    sample.add_page(db, 7, "http://b.test/7", "t", 0.5, 1, 0, None, "en", at=sample.NOW)
    db.execute("update page set worker=? where page_id=7", (workers[0],))
    pages = {page.page_id: page for page in archived_pages(db, HERE)}
    for page_id, content in {1: Content(), 2: None, 3: Content(), 7: Content()}.items():
        store_content(db, pages[page_id], content)
    assert {page.page_id for page in read_before(db, 4, HERE, 20)} == {1, 3}
    assert len(read_before(db, 4, HERE, 1)) == 1
    assert read_before(db, 4, ELSEWHERE, 20) == []
