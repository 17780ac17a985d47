from __future__ import annotations

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.text.segment import Segmenter
from models.topic.evidence import KEPT_TERMS, Document, Evidence, without_furniture


def test_texts_become_counts_with_their_source(segmenter: Segmenter) -> None:
    evidence = Evidence.read(
        segmenter, [("page", "SQL sql 数据库"), ("empty", "的")], ["SQL", "sql"], seeds=["http://a.example/"]
    )
    assert evidence.examples == (Document("page", {"sql": 2, "数据库": 1}),)
    assert evidence.keyword_terms == ("sql",)
    assert evidence.seeds == ("http://a.example/",)
    assert evidence.han_share == pytest.approx(1 / 4)


def test_a_long_text_is_cut_to_its_most_frequent_terms() -> None:
    document = Document.of("long", [f"t{n}" for n in range(5000)] + ["often"] * 3)
    assert len(document.counts) == KEPT_TERMS
    assert document.counts["often"] == 3


def test_nothing_to_go_by_is_bad_input(segmenter: Segmenter) -> None:
    with pytest.raises(BadInput, match="has no words"):
        Evidence.read(segmenter, negatives=[("bad", "database")])
    with pytest.raises(BadInput, match="has no words"):
        Evidence.read(segmenter, [("dates", "2023 11 2022")])


def test_lines_that_three_texts_share_are_furniture() -> None:
    texts = [f"Home | About\nown line {n}\nAll rights reserved" for n in range(3)]
    assert without_furniture(texts) == ["own line 0", "own line 1", "own line 2"]
    assert without_furniture(texts[:2]) == texts[:2]
    assert without_furniture(["same"] * 5) == ["same"] * 5
