"""The stored web as arrays, on both engines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from focuscrawl.frontier.states import State
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages import link_graph
from focuscrawl.store.pages.link_graph import nodes_and_edges, shape_of_store, web_graph
from focuscrawl.url.hosts import uid_of
from tests.report import sample

BLOG = "http://blog.example.org/x?q=1"
A, B = "http://news.example.com/search/a.html", "http://news.example.com/search/b.html"
MOVED, MOVED_TWICE = "http://news.example.com/old", "http://blog.example.org/older"


@pytest.fixture
def db(sampled: Database) -> Database:
    """The sample's pages: the seed links to a, b, and what waits; a to the blog, twice; the blog back by two redirects."""
    for target, page_id in ((A, 1), (B, 1), (BLOG, 2), (MOVED, 2), (MOVED_TWICE, 4), (A, 2), (A, 77)):
        sample.insert(sampled, "inlink", hid=sample.hid(target), uid=uid_of(target), page_id=page_id)
    redirect(sampled, MOVED, BLOG)
    redirect(sampled, MOVED_TWICE, "http://blog.example.org/moved")
    redirect(sampled, "http://blog.example.org/moved", sample.SEED)
    redirect(sampled, "http://blog.example.org/lost", "http://elsewhere.test/")
    return sampled


def redirect(db: Database, url: str, to: str) -> None:
    sample.add_url(db, url, State.REDIR)
    sample.insert(
        db, "fetches", worker=1, hid=sample.hid(url), uid=uid_of(url), page_id=0, at=sample.NOW, status=301, redirect=to,
        priority=0.5, depth=1, distance=0, tries=0, hops=0, kind=0, parent=1,
    )  # fmt: skip


def links(db: Database) -> list[tuple[int, int]]:
    _, edges = nodes_and_edges(db)
    return sorted(edges)


def test_links_between_stored_pages_over_redirects(db: Database) -> None:
    graph = web_graph(db)
    assert graph.page_ids.tolist() == [1, 2, 3, 4]
    assert links(db) == [(1, 2), (1, 3), (2, 4), (4, 1)]
    assert graph.outside.tolist() == [1, 0, 0, 0]
    assert graph.in_degrees.tolist() == [1, 1, 1, 1]
    assert [graph.host_names[number] for number in graph.hosts] == ["news.example.com"] * 3 + ["blog.example.org"]
    assert [graph.site_names[number] for number in graph.sites] == ["example.com"] * 3 + ["example.org"]


@pytest.mark.parametrize("block", [1, 2, 3])
def test_it_is_read_in_blocks(db: Database, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = links(db)
    monkeypatch.setattr(link_graph, "BLOCK", block)
    monkeypatch.setattr(link_graph, "NODE_BLOCK", block)
    assert links(db) == whole


def test_pages_that_are_gone_or_failed_are_no_nodes(db: Database) -> None:
    db.execute("update page set gone=2 where page_id=2")
    db.execute("update page set status=404 where page_id=3")
    graph = web_graph(db)
    assert graph.page_ids.tolist() == [1, 4]
    assert links(db) == [(4, 1)]
    assert graph.outside.tolist() == [3, 0]


def test_facts_of_the_nodes(db: Database) -> None:
    nodes = dict(nodes_and_edges(db)[0])
    assert list(nodes) == [1, 2, 3, 4]
    assert {key: nodes[4][key] for key in ("url", "relevant", "site", "part", "in_degree", "out_degree")} == {
        "url": BLOG, "relevant": False, "site": "example.org", "part": "core", "in_degree": 1, "out_degree": 1,
    }  # fmt: skip
    assert nodes[3]["part"] == "out"
    assert nodes[2]["title"] == sample.HOSTILE
    assert all(set(facts) == set(link_graph.FIELDS) for facts in nodes.values())


def test_its_shape_names_pages(db: Database) -> None:
    shape = shape_of_store(db)
    assert shape.parts["core"] == 3
    assert [row.url for row in shape.hubs] == [sample.SEED]
    assert {row.url for row in shape.authorities} == {A, B}


@pytest.fixture
def nothing(tmp_path: Path, store_url: str) -> Iterator[Database]:
    sample.empty_crawl(tmp_path, store_url).close()
    connection = open_store(tmp_path)
    yield connection
    connection.close()


def test_a_store_without_pages(nothing: Database) -> None:
    sample.insert(nothing, "inlink", hid=5, uid=6, page_id=7)
    assert web_graph(nothing).size == 0
    assert shape_of_store(nothing).pages == 0
    nodes, edges = nodes_and_edges(nothing)
    found: Sequence[object] = [*nodes, *edges]
    assert found == []
