from __future__ import annotations

import pytest

from focuscrawl.search.terms import Analyzer, folded


@pytest.fixture(scope="module")
def analyzer() -> Analyzer:
    return Analyzer()


def test_long_words_give_their_parts_and_scripts_are_one(analyzer: Analyzer) -> None:
    assert {"搜索", "引擎", "搜索引擎"} <= set(analyzer.terms("搜索引擎"))
    assert analyzer.terms("搜尋望遠鏡") == analyzer.terms("搜寻望远镜")
    assert analyzer.terms("The Telescopes") == ["telescop"]


def test_a_sequence_has_every_token_in_its_order(analyzer: Analyzer) -> None:
    assert analyzer.sequence("To be, or 望遠鏡 in C++? 猫") == ["to", "be", "or", "望远", "远镜", "in", "c++", "猫"]
    assert analyzer.sequence("x" * 99) == ["x" * 40]
    assert analyzer.runs("猫 搜索引擎 a 優化") == ["搜索引擎", "优化"]
    assert analyzer.characters("a 猫 優化") == ["猫", "优", "化"]


def test_neighbours_are_words_side_by_side_or_two_characters(analyzer: Analyzer) -> None:
    assert analyzer.neighbors("搜索 优化") == [["搜索"], ["索优"], ["优化"]]
    assert analyzer.neighbors("redis caches 持久") == [["持久"], ["redi", "cach"], ["cach", "持久"]]
    assert analyzer.neighbors("redis") == []


@pytest.mark.parametrize(
    ("text", "wanted", "found"),
    [
        ("Galaxies, a galaxy; galactic", {"galaxi"}, ["Galaxies", "galaxy"]),
        ("搜索引擎和搜索", {"搜索", "搜索引擎"}, ["搜索引擎", "搜索"]),
        ("望遠鏡", {"望远镜"}, ["望遠鏡"]),
        ("İstanbul and istanbul: café, C++ and C", {"café", "c++"}, ["café", "C++"]),
        ("nothing", set(), []),
    ],
)
def test_places_are_those_of_the_text(analyzer: Analyzer, text: str, wanted: set[str], found: list[str]) -> None:
    assert [text[start:end] for start, end, _ in analyzer.places(text, frozenset(wanted))] == found


def test_folding_keeps_places() -> None:
    assert folded("İ望遠鏡X") == "İ望远镜x"
