"""Both scripts of Chinese, and the dictionaries by which it is cut."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.text import chinese
from focuscrawl.text.chinese import script, simplified
from focuscrawl.text.data.make_simplified import pairs
from focuscrawl.text.segment import Segmenter
from tests.text.languages import PROSE, TRADITIONAL


def test_both_scripts_give_the_same_terms() -> None:
    segmenter = Segmenter(["網絡爬蟲"])
    assert segmenter.terms("網絡爬蟲與搜索引擎") == segmenter.terms("网络爬虫与搜索引擎")
    assert "网络爬虫" in segmenter.terms("網絡爬蟲")
    assert segmenter.reference_terms("網絡爬蟲") == ["网络爬虫", "网络", "爬虫"]


def test_what_simplified_text_uses_too_stays() -> None:
    assert simplified("著名的乾隆 English") == "著名的乾隆 English"
    assert list(pairs(["# head", "萬\t万", "著\t着 著", ""])) == ["萬万"]


@settings(max_examples=30)
@given(st.text())
def test_folding_keeps_the_length_and_is_done_once(text: str) -> None:
    once = simplified(text)
    assert len(once) == len(text)
    assert simplified(once) == once


@pytest.mark.parametrize(
    ("text", "expected"),
    [(TRADITIONAL, "Hant"), (PROSE["zh"], "Hans"), ("中文", ""), ("", ""), ("皇后在里面看雲", "Hans"), ("plain", "")],
)
def test_the_characters_of_a_chinese_text_tell_its_script(text: str, expected: str) -> None:
    assert script(text) == expected


@pytest.fixture
def dictionaries(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Those that are loaded beside the one that rjieba makes when it is imported; no segmenter was made before."""
    rjieba, made = pytest.importorskip("rjieba"), list[Any]()
    real = rjieba.Jieba

    def make() -> Any:
        made.append(real())
        return made[-1]

    monkeypatch.setattr(chinese, "_first", [])
    monkeypatch.setattr(rjieba, "add_word", lambda *word: None)  # it is the same for all tests
    monkeypatch.setattr(rjieba, "Jieba", make)
    return made


def test_the_first_segmenter_takes_the_dictionary_that_is_there(dictionaries: list[Any]) -> None:
    first, other = chinese.cutter(("量子",), "rjieba").cut, chinese.cutter(("光谱",), "rjieba").cut
    assert list(first("望远镜")) == ["望远镜"]
    assert not dictionaries
    assert list(other("望远镜")) == ["望远镜"]
    assert len(dictionaries) == 1


def test_a_dictionary_is_loaded_once_and_only_for_chinese_text(dictionaries: list[Any]) -> None:
    chinese.cutter((), "rjieba")
    segmenter = Segmenter(["光谱"], prefer="rjieba")
    assert segmenter.terms("a telescope, a café") == ["telescop", "café"]
    assert not dictionaries
    assert segmenter.terms("望远镜") == segmenter.terms("望远镜") == ["望远镜"]
    assert len(dictionaries) == 1


def test_the_dictionary_is_read_again_when_it_was_forgotten() -> None:
    segmenter = Segmenter(["量子纠缠"], prefer="rjieba")
    before = segmenter.reference_terms("量子纠缠的望远镜")
    segmenter.forget_reference()
    assert chinese._jieba_base.cache_info().currsize == 0
    assert segmenter.reference_terms("量子纠缠的望远镜") == before


def test_what_pages_are_cut_by_is_not_forgotten() -> None:
    segmenter = Segmenter(prefer="jieba")
    segmenter.terms("望远镜")
    segmenter.forget_reference()
    assert chinese._jieba_base.cache_info().currsize == 1
