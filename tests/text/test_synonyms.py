from __future__ import annotations

import pytest

from focuscrawl.text.segment import Segmenter

GROUPS = (("blockchain", "区块链", "distributed ledger"), ("网络爬虫", "web crawler", "网络蜘蛛"))


@pytest.fixture(scope="module")
def segmenter() -> Segmenter:
    return Segmenter(["bitcoin"], synonyms=GROUPS)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("区块链和 bitcoin", ["blockchain", "bitcoin"]),
        ("區塊鏈", ["blockchain"]),
        ("Distributed ledgers, distributed systems", ["blockchain", "distribut", "system"]),
        ("a web crawler", ["网络爬虫"]),
        ("网络蜘蛛", ["网络爬虫"]),
        ("web", ["web"]),
        ("", []),
    ],
)
def test_members_of_a_group_are_one_term(segmenter: Segmenter, text: str, terms: list[str]) -> None:
    assert segmenter.terms(text) == terms
    assert segmenter.reference_terms(text) == terms


def test_groups_without_terms_change_nothing() -> None:
    assert Segmenter(synonyms=(("!!", "crawler"), ("crawler", ".."))).terms("the crawler") == ["crawler"]


def test_the_longest_phrase_is_taken() -> None:
    segmenter = Segmenter(synonyms=(("x1", "red apple"), ("x2", "red apple pie")))
    assert segmenter.terms("red apple pie red apple") == ["x2", "x1"]
