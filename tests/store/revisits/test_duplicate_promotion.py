"""A copy takes the place of an original that is gone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from focuscrawl.items import Fingerprint
from focuscrawl.store.engines.database import Database, transaction
from focuscrawl.store.frontier.host_rows import HostChanges
from focuscrawl.store.pages.stored import stored_pages
from focuscrawl.store.revisits.change_log import changes_of
from focuscrawl.store.revisits.duplicate_promotion import promote_duplicate
from tests.report import sample
from tests.report.sample import NOW

COPY = sample.PAGES[2][0]


@pytest.fixture
def db(sampled: Database) -> Database:
    sample.add_page(sampled, 5, "http://blog.example.org/copy", "Copy", 0.6, 1, 1, 2, "en", at=NOW)
    return sampled


def handed_over(db: Database, page_id: int) -> int:
    def keys(mark: Fingerprint) -> Sequence[int]:
        return [mark.simhash % 1000, 8]

    hosts = HostChanges()
    with transaction(db):
        db.execute("update page set gone=2 where page_id=?", (page_id,))
        heir, _ = promote_duplicate(db, page_id, 1, NOW + 5, keys, hosts)
        hosts.write(db, NOW + 5)
    return heir


def test_the_oldest_copy_takes_its_place(db: Database) -> None:
    assert handed_over(db, 2) == 3
    assert db.execute("select page_id, original from page where page_id in (3, 5) order by page_id").fetchall() == [
        (3, None),
        (5, 3),
    ]
    assert [page.url for page in stored_pages(db)] == [sample.SEED, COPY]
    assert db.execute("select count(*) from band where page_id=3").fetchone() == (2,)
    assert [(change.net.value, change.reason, change.url) for change in changes_of(db, NOW, NOW + 9)] == [
        ("new", "joined", COPY)
    ]
    assert db.execute("select duplicates from host where name='news.example.com'").fetchone() == (0,)


def test_relevant_copies_come_first_and_those_that_are_gone_do_not_count(db: Database) -> None:
    db.execute("update page set relevant=0 where page_id=3")
    assert handed_over(db, 2) == 5
    db.execute("update page set gone=2 where page_id=3")
    assert handed_over(db, 5) == 0
    assert list(changes_of(db, NOW + 6, NOW + 9)) == []


def test_a_copy_that_is_off_topic_is_no_news(db: Database) -> None:
    db.execute("update page set relevant=0 where page_id in (3, 5)")
    assert handed_over(db, 2) == 3
    assert list(changes_of(db, NOW, NOW + 9)) == []
    assert handed_over(db, 1) == 0
