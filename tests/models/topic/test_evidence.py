from __future__ import annotations

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.text.segment import Segmenter
from models.topic.evidence import KEPT_TERMS, Evidence, EvidenceText, site_of, sites_of_files, without_boilerplate


def test_texts_become_counts_with_their_source(segmenter: Segmenter) -> None:
    evidence = Evidence.read(
        segmenter, [("page", "SQL sql 数据库"), ("empty", "的")], ["SQL", "sql"], seeds=["http://a.example/"]
    )
    assert evidence.examples == (EvidenceText("page", {"sql": 2, "数据库": 1}, ("sql", "sql", "数据库"), site="file 0"),)
    assert evidence.keyword_terms == ("sql",)
    assert evidence.seeds == ("http://a.example/",)
    assert evidence.han_share == pytest.approx(1 / 4)


def test_copies_count_once(segmenter: Segmenter) -> None:
    copies = [(f"http://{n}.example/", "Queries\nAn index of tables" + "\n" * n) for n in range(3)]
    evidence = Evidence.read(segmenter, [*copies, ("other", "joins")], negatives=[("a", "soup"), ("b", "soup")])
    assert [document.source for document in evidence.examples] == ["http://0.example/", "other"]
    assert [document.source for document in evidence.negatives] == ["a"]


def test_a_long_text_is_cut_to_its_most_frequent_terms() -> None:
    document = EvidenceText.of("long", [f"t{n}" for n in range(5000)] + ["often"] * 3)
    assert len(document.counts) == KEPT_TERMS
    assert document.counts["often"] == 3


def test_nothing_to_go_by_is_bad_input(segmenter: Segmenter) -> None:
    with pytest.raises(BadInput, match="has no words"):
        Evidence.read(segmenter, negatives=[("bad", "database")])
    with pytest.raises(BadInput, match="has no words"):
        Evidence.read(segmenter, [("dates", "2023 11 2022")])


def test_lines_that_three_texts_share_are_boilerplate() -> None:
    texts = [f"Home | About\nown line {n}\nAll rights reserved" for n in range(3)]
    assert without_boilerplate(texts) == ["own line 0", "own line 1", "own line 2"]
    assert without_boilerplate(texts[:2]) == texts[:2]
    assert without_boilerplate(["same"] * 5) == ["same"] * 5


def groups(texts: list[str]) -> list[list[int]]:
    sites = sites_of_files(texts)
    return [[number for number, other in enumerate(sites) if other == site] for site in dict.fromkeys(sites)]


def test_files_are_of_one_site_if_titles_end_alike_or_lines_are_shared() -> None:
    own = [f"{n} one\n{n} two\n{n} three\n{n} four" for n in range(7)]
    texts = [
        f"Queries - The Manual\n{own[0]}",
        f"Queries\n{own[1]}\nReport a bug",
        f"Tables - The Manual\n{own[2]}",
        f"Joins\n{own[3]}\nReport a bug",
        f"Queries - The Book\n{own[4]}\n{own[3]}",
        f"Queries\n{own[5]}\n{own[6]}\nReport a bug",
    ]
    assert groups(texts[:3]) == [[0, 2], [1]]
    assert groups(texts[:5]) == [[0, 2], [1, 3, 4]], "4 shares lines with 3, 3 with 1"
    assert groups([texts[1], texts[5]]) == [[0, 1]], "a fifth of the shorter one's lines"
    assert groups([texts[5], f"{texts[1]}\n{own[0]}"]) == [[0], [1]], "less than a fifth of either"


def test_texts_without_lines_are_of_no_common_site() -> None:
    assert groups(["", "", "\nplain text", "\nother text", "Title\n"]) == [[0], [1], [2], [3], [4]]


def test_a_page_is_of_its_address_and_a_file_of_a_site_that_was_found(segmenter: Segmenter) -> None:
    texts = [
        ("a.html", "Tables | Manual\ntable"),
        ("http://www.b.example/x", "Index | Manual\nindex"),
        ("c", "Joins | Manual\njoin"),
    ]
    sites = list(map(site_of, Evidence.read(segmenter, texts).examples))
    assert sites[1] == "b.example"
    assert sites[0] == sites[2] != "b.example"
