"""Words in two columns, clicks on them, and the site that all examples come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.store.pages.page_texts import PageText
from focuscrawl.text.segment import Segmenter
from focuscrawl.topics.file_changes import TermEdits, new_text, write_topic
from focuscrawl.topics.paths import TopicPaths
from focuscrawl.topics.suggesting import passage
from focuscrawl.topics.term_columns import LARGEST, clicked, columns, only_site, word_pattern
from focuscrawl.topics.workspace import Workspace
from tests.topics.crawled import COOKING, PAGES, SKY, URLS


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Two pages about the sky, one about cooking, which does not belong."""
    paths = TopicPaths(tmp_path, "sky")
    write_topic(paths.toml, new_text("sky", values={"keywords": ["telescope", "望远镜"], "weights": {"peel": 0.0}}))
    made = Workspace(paths, "2026-01-31")
    made.keep(PageText(url, title, text) for url, (_, title, text, _) in zip(URLS, PAGES, strict=True))
    made.pick([URLS[0], URLS[2]])
    made.reject([URLS[5]])
    return made


def test_two_columns_with_quotes(workspace: Workspace) -> None:
    found = columns(workspace)
    assert (found.picked, found.rejected) == (2, 1)
    rows = {term.word: term for term in found.speak_for}
    assert (rows["telescope"].origin, rows["telescope"].picked, rows["telescope"].rejected) == ("keyword", 1, 0)
    assert [quote.word for quote in rows["望远镜"].quotes] == ["望远镜"]
    nebula = rows["nebula"].quotes[0]
    assert SKY.startswith((nebula.before + nebula.word + nebula.after).strip())
    assert nebula.source == URLS[0]
    against = {term.word: term for term in found.speak_against}
    assert (against["peel"].weight, against["peel"].origin) == (0.0, "given")
    proposed = [term for term in found.speak_against if term.weight is None]
    assert {"onions", "heat"} <= {term.word for term in proposed}
    assert all(term.rejected == 1 and term.quotes[0].source == URLS[5] for term in proposed)
    assert not {term.word for term in proposed} & set(rows)


def test_what_a_click_means(workspace: Workspace) -> None:
    weight = {term.word: term.weight for term in columns(workspace).speak_for}["nebula"]
    assert weight
    assert clicked(workspace, "nebula", "up") == TermEdits(weights={"nebula": round(1.5 * weight, 4)})
    assert clicked(workspace, "nebula", "for") == TermEdits(keywords=["nebula"])
    assert clicked(workspace, "nebula", "against") == TermEdits(negative=["nebula"])
    assert clicked(workspace, "nebula", "out") == TermEdits(remove=["nebula"])
    workspace.edit(TermEdits(weights={"nebula": 0.88, "comet": workspace.min_weight}, negative=["soup"]))
    assert clicked(workspace, "nebula", "up").weights == {"nebula": LARGEST}
    assert clicked(workspace, "comet", "down") == TermEdits(remove=["comet"])
    assert clicked(workspace, "soup", "down").weights["soup"] < 0
    for word, click in (("potatoes", "up"), ("nebula", "sideways")):
        with pytest.raises(BadInput):
            clicked(workspace, word, click)


def test_words_are_found_as_they_are_written() -> None:
    assert word_pattern("web crawler").search("A Web\nCrawlers' war")
    assert not word_pattern("art").search("a start")
    assert word_pattern("c++").search("in C++ and")


def test_the_only_site() -> None:
    assert only_site(["http://a.example.com/1", "http://b.example.com/2"]) == "example.com"
    assert only_site(["http://a.example.com/1", "http://other.test/2"]) == ""
    assert only_site(["http://a.example.com/1", "own.html"]) == ""
    assert only_site([]) == ""


def test_a_passage_marks_the_words_that_count_and_loses_nothing() -> None:
    segmenter = Segmenter(["望远镜"])
    text = f"{COOKING}\nTelescopes, 望遠鏡裡的星雲!"
    pieces = passage(text, segmenter, {"telescop": 0.5, "望远镜": 0.4})
    assert "".join(piece for piece, _ in pieces) == "Telescopes, 望遠鏡裡的星雲!"
    assert [piece for piece, counts in pieces if counts] == ["Telescopes", "望遠鏡"]
    assert passage("", segmenter, {}) == []


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("A washing-machine, and machines for washing", ["washing-machine"]),
        ("State of the art, or a state", ["State of the art"]),
        ("Learn machine learning by learning", ["machine learning"]),
        ("他修理家電、洗衣機維修和洗衣機", ["洗衣機維修"]),
        ("PHP 函数 in PHP", ["PHP 函数"]),
    ],
)
def test_a_passage_marks_phrases_as_a_whole(text: str, marked: list[str]) -> None:
    weights = {"wash_machin": -0.4, "state_art": 0.3, "machin_learn": 0.2, "洗衣机_维修": -0.4, "php_函数": 0.1}
    pieces = passage(text, Segmenter(phrases=["washing machine", "洗衣机 维修", "php 函数"]), weights)
    assert "".join(piece for piece, _ in pieces) == text
    assert [piece for piece, counts in pieces if counts] == marked
