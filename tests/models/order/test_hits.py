from __future__ import annotations

import numpy as np
import pytest

from focuscrawl.items import Link
from models.order import hits
from models.order.hits import HitsOrder, authorities, priority
from models.order.protocol import OrderContext
from tests.models.order.pages import key_of, page, url_of

EDGES = [(0, 2), (0, 3), (0, 4), (1, 3), (1, 4), (5, 4), (5, 6), (4, 6)]


def converged(relevance: list[float]) -> list[float]:
    sources, targets = (np.array(side, dtype=np.uint32) for side in zip(*EDGES, strict=True))
    *_, (authority, _, _) = authorities(sources, targets, np.array(relevance), 200)
    return [float(value) for value in authority]


def test_authorities_are_the_principal_eigenvector() -> None:
    relevance = [0.9, 0.2, 0.5, 0.5, 0.8, 0.3, 0.1]
    links = np.zeros((7, 7))
    for source, target in EDGES:
        links[source, target] = 1
    r = np.diag(relevance)
    values, vectors = np.linalg.eig(links.T @ r @ links @ r)
    expected = np.abs(vectors[:, np.argmax(values.real)].real)
    assert converged(relevance) == pytest.approx(list(expected / expected.max()), abs=1e-6)


def test_links_of_irrelevant_hubs_count_less() -> None:
    same = converged([0.5] * 7)
    assert same[3] < same[4]  # 3 has two hubs, 4 has three
    assert converged([0.5, 0.5, 0.5, 0.5, 0.5, 0.0, 0.5])[4] == pytest.approx(1.0)


def test_a_web_without_relevance_has_no_authorities() -> None:
    assert converged([0.0] * 7) == [0.0] * 7


@pytest.mark.parametrize(("authority", "worth"), [(0.0, 0.0), (1.0, 1.0), (1e-4, 0.5), (1e-20, 0.0), (3.0, 1.0)])
def test_authorities_are_spread_over_the_priorities(authority: float, worth: float) -> None:
    assert priority(authority) == pytest.approx(worth)


def test_what_many_hubs_link_to_comes_first_and_waiting_urls_are_told(
    context: OrderContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hits, "FIRST_EDGES", 30)
    order, priorities = HitsOrder(context), dict[tuple[int, int], float]()
    for number in range(60):  # all link to 100 and 101, each to one of its own
        seen = page(url_of(number), [Link(url_of(n), "more") for n in (100, 101, 200 + number, number + 1)])
        order.see(seen)
        for link in seen.links:
            priorities.setdefault(key_of(link.url), link.priority)
        priorities.update({change.key: change.priority for change in order.changes()})
    worth = {number: priorities[key_of(url_of(number))] for number in (100, 101, 210, 259)}
    assert worth[100] == pytest.approx(worth[101])
    assert worth[100] > 0.9
    assert max(worth[210], worth[259]) < 0.85


def test_until_the_graph_is_worth_computing_link_score_decides(context: OrderContext) -> None:
    seen = page(url_of(0), [Link(url_of(1), "database"), Link(url_of(2), "more")])
    HitsOrder(context).see(seen)
    assert seen.links[0].priority == seen.links[0].score > seen.links[1].score
    assert "anchor" in seen.links[0].parts


def test_a_page_gives_its_share_between_two_computations(context: OrderContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hits, "FIRST_EDGES", 4)
    monkeypatch.setattr(hits, "GROWTH", 1000.0)
    order = HitsOrder(context)
    for number in range(30):
        order.see(page(url_of(number), [url_of(100), url_of(101)]))
    new = page(url_of(50), [url_of(100), url_of(300)])
    order.see(new)
    assert new.links[1].priority > 0.3
    nothing = page(url_of(51), [url_of(400)])
    order.see(nothing)
    assert nothing.links[0].priority == 0.0


def test_the_graph_is_bounded(context: OrderContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hits, "MAX_EDGES", 5)
    order = HitsOrder(context)
    for number in range(10):
        order.see(page(url_of(number), [url_of(100), url_of(101)]))
    assert len(order._sources) == 4
