"""The figures of a collection, on both engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuscrawl.items import Content
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.page_record import CONTENTS, content_record
from focuscrawl.store.pages.collection import Collection, LeftOut, Part, collection_of, quantiles
from tests.report import sample


@pytest.fixture
def db(sampled: Database) -> Database:
    """The sample: of its four pages two are kept, one is a copy, one off topic. And five more, one of them not read whole."""
    for page_id in range(5, 10):
        url = f"http://blog.example.org/{page_id}"
        sample.add_page(sampled, page_id, url, "t", 0.5, 1, 0, None, "en", at=sample.NOW + page_id)
    sampled.execute("update page set noindex=1 where page_id=8")
    sampled.execute("update page set gone=2 where page_id=9")
    sampled.execute("update page set kind='index' where page_id=5")
    sampled.execute("update page set content_type='Text/HTML; charset=utf-8' where page_id=6")
    sampled.execute("update page set content_type='application/pdf' where page_id=7")
    keep(sampled, 1, words=10, characters=60, quality=0.95, language="en", author="Ada", published="2021-03-04")
    keep(sampled, 2, words=30, characters=40, quality=1.0, language="zh-Hans", code_share=0.5, reserved=("noai", "rsl"))
    keep(sampled, 5, words=20, characters=50, quality=0.62, published="2021-01-01", licence="CC-BY-4.0", reserved=("rsl",))
    keep(sampled, 6, published="2019-12-31")
    keep(sampled, 9, words=1_000, licence="MIT")
    return sampled


def keep(db: Database, page_id: int, **content: object) -> None:
    db.execute(CONTENTS.upsert, CONTENTS.to_row(content_record(page_id, Content(**content))))  # type: ignore[arg-type]


def test_the_collection_is_what_is_exported(db: Database) -> None:
    found = collection_of(db)
    assert (found.pages, found.read, found.hosts, found.sites) == (5, 4, 2, 2)
    assert (found.words, found.characters, found.bytes) == (60, 150, 500)
    assert found.code_share == pytest.approx(20 / 150)
    assert (found.with_author, found.with_date, found.with_licence, found.with_reserved) == (1, 3, 1, 2)
    assert (found.first_fetched, found.last_fetched) == (sample.NOW + 1, sample.NOW + 7)
    assert found.left_out == LeftOut(off_topic=1, duplicates=1, noindex=1, gone=1)


def test_what_is_gone_is_counted_as_gone_whatever_else_it_is(db: Database) -> None:
    for page_id in range(1, 9):
        db.execute("update page set gone=2 where page_id=?", (page_id,))
    counted = db.execute("select count(*) from page where status=200 and gone>=2").fetchone()[0]
    others = db.execute("select count(*) from page where status=200 and gone<2 and relevant=0").fetchone()[0]
    left_out = collection_of(db).left_out
    assert (left_out.gone, left_out.off_topic) == (counted, others)


def test_its_parts_with_their_pages_and_words(db: Database) -> None:
    found = collection_of(db)
    assert found.languages == [Part("en", 4, 30), Part("zh-Hans", 1, 30)]
    assert found.kinds == [Part("content", 4, 40), Part("index", 1, 20)]
    assert found.content_types == [Part("text/html", 4, 60), Part("application/pdf", 1, 0)]
    assert found.largest_sites == [Part("example.org", 3, 20), Part("example.com", 2, 40)]
    assert found.years == [Part("2019", 1, 0), Part("2021", 2, 30)]
    assert found.licences == [Part("CC-BY-4.0", 1, 20)]
    assert found.reserved == [Part("rsl", 2, 50), Part("noai", 1, 30)]


def test_lengths_and_quality_are_of_pages_with_words(db: Database) -> None:
    found = collection_of(db)
    assert dict(found.word_quantiles) == {0.05: 10, 0.25: 10, 0.5: 20, 0.75: 30, 0.95: 30}
    assert dict(found.quality_quantiles)[0.5] == 0.95
    assert found.quality == [Part("0.6", 1, 20), Part("0.9", 1, 10), Part("1.0", 1, 30)]


def test_lengths_are_binned_without_gaps(db: Database) -> None:
    assert collection_of(db).lengths == [Part("1", 3, 60)]
    keep(db, 6, words=250)
    keep(db, 7, words=100)
    assert collection_of(db).lengths == [Part("1", 3, 60), Part("50", 0, 0), Part("100", 1, 100), Part("200", 1, 250)]


def test_each_quality_rule(db: Database) -> None:
    english = {"gopher_words": 10.0, "gopher_mean_word_length": 4.0, "fineweb_short_lines": 0.9}
    keep(db, 1, words=10, language="en", signals=english)
    keep(db, 2, words=90, language="zh-Hans", signals={**english, "gopher_words": 90.0, "gopher_mean_word_length": 9.0})
    found = {rule.signal: (rule.judged, rule.passed) for rule in collection_of(db, rules=True).rules}
    assert found["gopher_words"] == (3, 2)
    assert found["gopher_mean_word_length"] == (3, 2)
    assert found["fineweb_short_lines"] == (2, 1)  # not a rule in Chinese
    assert collection_of(db).rules == []


def test_an_empty_store(tmp_path: Path, store_url: str) -> None:
    db = sample.empty_crawl(tmp_path, store_url)
    assert collection_of(db) == Collection()
    db.close()


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ({}, {}),
        ({7: 1}, {0.05: 7, 0.5: 7, 0.95: 7}),
        ({1: 1, 2: 1, 3: 1, 4: 1}, {0.05: 1, 0.5: 2, 0.95: 4}),
        ({1: 95, 100: 5}, {0.05: 1, 0.5: 1, 0.95: 1}),
        ({1: 94, 100: 6}, {0.05: 1, 0.5: 1, 0.95: 100}),
    ],
)
def test_quantiles(pages: dict[int, int], expected: dict[float, float]) -> None:
    histogram = [(float(value), Part("", number)) for value, number in pages.items()]
    assert dict(quantiles(histogram, (0.05, 0.5, 0.95))) == expected
