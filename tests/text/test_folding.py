from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.text.chinese import simplified
from focuscrawl.text.data.make_simplified import pairs
from focuscrawl.text.segment import Segmenter


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
