"""Page weights in the store, on both engines."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import pytest

from focuscrawl.graph.page_weight import weight
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta
from focuscrawl.store.explain import explain
from focuscrawl.store.pages import weighing
from focuscrawl.store.pages.standing import AT, heaviest, standing_of
from focuscrawl.store.pages.stored import stored_pages
from focuscrawl.store.pages.weighing import keep_standings
from focuscrawl.url.hosts import uid_of
from tests.report import sample

A, B, BLOG = (url for url, *_ in sample.PAGES[1:])


@pytest.fixture
def db(sampled: Database) -> Database:
    """The seed links to a, b and the blog; a and the blog link back. b is a copy of a."""
    for target, page_id in ((A, 1), (B, 1), (BLOG, 1), (sample.SEED, 2), (sample.SEED, 4)):
        sample.insert(sampled, "inlink", hid=sample.hid(target), uid=uid_of(target), page_id=page_id)
    return sampled


def test_weights_are_kept_page_by_page(db: Database) -> None:
    assert keep_standings(db, sample.NOW) == 4
    seed, a = standing_of(db, 1), standing_of(db, 2)
    assert seed
    assert a
    assert asdict(seed) == {
        "page_id": 1, "weight": pytest.approx(weight(2, 0, 1, 0)[0]), "in_degree": 2, "parents": 0.0, "copies": 1,
        "directory_depth": 0,
    }  # fmt: skip
    assert (a.copies, a.parents, a.directory_depth) == (2, 1.0, 2)
    assert read_meta(db, AT) == str(sample.NOW)


def test_the_heaviest_come_first(db: Database) -> None:
    keep_standings(db, sample.NOW)
    rows = list(heaviest(db, 3))
    assert [url for _, url, _ in rows] == [sample.SEED, BLOG, A]
    assert [one.weight for one, _, _ in rows] == sorted((one.weight for one, _, _ in rows), reverse=True)


@pytest.mark.parametrize("block", [1, 2, 1000])
def test_what_is_gone_loses_its_row(db: Database, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighing, "BLOCK", block)
    keep_standings(db, sample.NOW)
    db.execute("update page set gone=2 where page_id in (2, 4)")
    assert keep_standings(db, sample.NOW + 1) == 2
    assert [standing_of(db, page_id) is not None for page_id in (1, 2, 3, 4)] == [True, False, True, False]
    seed = standing_of(db, 1)
    assert seed
    assert seed.in_degree == 0


def test_exports_and_why_have_them(db: Database) -> None:
    before = {page.url: (page.weight, page.in_degree) for page in stored_pages(db, everything=True)}
    assert set(before.values()) == {(0.0, 0)}
    assert explain(db, A).standing is None
    keep_standings(db, sample.NOW)
    pages = {page.url: page for page in stored_pages(db, everything=True)}
    assert (pages[sample.SEED].in_degree, pages[A].in_degree) == (2, 1)
    assert pages[sample.SEED].weight > pages[A].weight > 0
    assert explain(db, A).standing == standing_of(db, 2)


def test_a_store_without_pages(tmp_path: Path, store_url: str) -> None:
    sample.empty_crawl(tmp_path, store_url).close()
    with closing(open_store(tmp_path)) as db:
        assert keep_standings(db, sample.NOW) == 0
        assert list(heaviest(db, 5)) == []


def test_two_that_keep_them_at_once(db: Database, tmp_path: Path) -> None:
    """Workers that end at the same time wait for each other; none fails, and no row is there twice."""

    def keep(number: int) -> int:
        with closing(open_store(tmp_path)) as own:
            return keep_standings(own, sample.NOW + number)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(keep, range(12))) == [4] * 12
    assert db.execute("select count(*) from standing").fetchone()[0] == 4
