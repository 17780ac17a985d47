from __future__ import annotations

import pytest

from focuscrawl.text import segment
from focuscrawl.text.segment import RememberingSegmenter, Segmenter


def test_terms_are_those_of_the_segmenter_and_cut_once() -> None:
    segmenter, text = RememberingSegmenter(["分布式爬虫"]), "A crawler, 分布式爬虫"
    assert segmenter.terms(text) == Segmenter(["分布式爬虫"]).terms(text)
    assert segmenter.terms(text) is segmenter.terms(text)


def test_long_texts_are_not_kept_and_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segment, "KEPT", 3)
    segmenter = RememberingSegmenter()
    for number in range(10):
        segmenter.terms(f"crawler {number}")
    segmenter.terms("word " * 1000)
    assert len(segmenter._texts) <= 3


def test_synonyms_of_two_words_are_terms_from_the_start() -> None:
    synonyms = (("blockchain", "distributed ledger"),)
    remembering, plain = RememberingSegmenter([], synonyms=synonyms), Segmenter([], synonyms=synonyms)
    for text in ("distributed", "a distributed ledger"):
        assert remembering.terms(text) == plain.terms(text)
