"""A crawl beside breadth-first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

import pytest

from focuscrawl.inspect import hindsight as module
from focuscrawl.inspect.hindsight import breadth_first, gains, hindsight
from focuscrawl.items import Link
from focuscrawl.report.charts.hindsight import Hindsight, draw, sentence
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.links import encode
from focuscrawl.url.key import UrlId
from tests.report.sample import DENIED, PAGES, SEED, WAITING, sample_crawl

GRAPH: dict[UrlId, list[UrlId]] = {
    (1, 1): [(1, 2), (1, 3), (2, 1)],
    (2, 1): [(2, 2), (3, 1)],
    (1, 2): [(1, 1), (1, 4)],
}


def test_hosts_take_turns_and_each_url_comes_once() -> None:
    order = breadth_first([(1, 1)], lambda key: GRAPH.get(key, []), (), 99)
    assert order == [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (3, 1), (1, 4)]


def test_it_ends_with_its_budget_and_passes_over_what_is_closed() -> None:
    assert breadth_first([(1, 1)], lambda key: GRAPH.get(key, []), {(2, 1)}, 3) == [(1, 1), (1, 2), (1, 3)]


def test_a_text_counts_once_and_a_page_that_is_not_stored_by_its_chance() -> None:
    order = [(1, 1), (1, 2), (1, 3), (2, 1)]
    groups = {(1, 1): 7, (1, 3): 7, (2, 1): 8}
    assert list(gains(order, groups)) == [1, 0, 0, 1]
    assert list(gains(order, groups, {(1, 2): 0.25})) == [1, 0.25, 0, 1]


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    sample_crawl(tmp_path)
    connection = open_store(tmp_path)
    links = [Link(DENIED), Link(PAGES[3][0]), Link(WAITING), Link(PAGES[1][0], refused="tunnel"), Link(SEED, refused="host")]
    connection.execute("update body set links=? where page_id=1", (encode(links),))
    yield connection
    connection.close()


def test_a_stored_crawl(db: Database) -> None:
    found = hindsight(db)
    assert found is not None
    assert found.found == (1, 2, 2, 2), "the third page repeats the second"
    assert found.least == (1, 1, 1, 2), "seed, waiting, the page off the topic, the second page"
    assert found.most[-1] > found.least[-1]
    assert len(found.most) == len(found.least)


def test_large_and_empty_crawls_are_left_alone(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PAGES", 3)
    assert hindsight(db) is None
    db.execute("delete from page")
    assert hindsight(db) is None


def test_the_sentence_and_the_picture() -> None:
    crawl = Hindsight(tuple(range(1, 301)), tuple(accumulate([0.25] * 300)), tuple(accumulate([0.5] * 300)))
    assert sentence(crawl) == (
        "Breadth-first would have found 75 to 150 relevant pages among 300 pages (estimated from the stored links);"
        " this crawl found 300."
    )
    drawing = draw(crawl)
    axes = drawing.frame
    points = [tuple(map(float, point.split(","))) for point in f"{drawing.found} {drawing.band}".split()]
    assert all(axes.left <= x <= axes.right and axes.top <= y <= axes.bottom for x, y in points)
    assert axes.y_ticks[0][1] == "0"
    assert drawing.found.split()[-1].startswith(f"{axes.right:.1f},")


def test_nothing_is_compared_where_nothing_was_found() -> None:
    assert sentence(Hindsight((0, 0), (0.0,), (0.5,))) == ""
    assert sentence(Hindsight((), (), ())) == ""
    assert draw(Hindsight((1,), (), ())).band == ""
