from __future__ import annotations

import pytest

from focuscrawl.items import Link, Page, Verdict
from focuscrawl.text.segment import Segmenter
from models.link import link_score
from models.link.link_score import SOURCE_TITLE_WEIGHT, SOURCE_URL_WEIGHT, WEIGHTS, LinkScorer, LinkWords
from models.topic.vsm import TopicModel
from tests import factories


@pytest.fixture
def scorer(topic: TopicModel, segmenter: Segmenter) -> LinkScorer:
    return LinkScorer(topic, segmenter)


def page(score: float) -> Page:
    return factories.page(verdict=Verdict(score, score > 0.1, 0.1, similarity=score))


def scored(scorer: LinkScorer, link: Link, on: float = 0.2) -> Link:
    scorer.score(link, page(on))
    return link


def test_the_score_is_the_sum_of_its_parts(scorer: LinkScorer) -> None:
    link = scored(scorer, Link("http://b.example/database/sql-index.html", "SQL 索引", "更多：SQL 索引 入门"))
    assert set(link.parts) == {*WEIGHTS, "source"}
    assert link.score == pytest.approx(sum(link.parts.values()))
    assert link.parts["page"] == pytest.approx(WEIGHTS["page"] * 0.2)
    assert all(0 < link.parts[name] <= weight for name, weight in WEIGHTS.items())


def test_weights_add_up_to_one() -> None:
    assert sum(WEIGHTS.values()) == pytest.approx(1)


def test_each_kind_of_evidence_lifts_a_link(scorer: LinkScorer) -> None:
    nothing = scored(scorer, Link("http://b.example/x/17", "more", "read more"), 0.0)
    assert nothing.score == 0.0
    for better in (
        scored(scorer, Link("http://b.example/x/17", "more", "read more"), 0.5),
        scored(scorer, Link("http://b.example/x/17", "database", "read more"), 0.0),
        scored(scorer, Link("http://b.example/x/17", "more", "more on the database"), 0.0),
        scored(scorer, Link("http://b.example/databases/17", "more", "read more"), 0.0),
    ):
        assert better.score > 0.05
        assert sum(part > 0 for part in better.parts.values()) == 1


def test_an_anchor_alone_is_its_own_context(scorer: LinkScorer) -> None:
    assert scored(scorer, Link("http://b.example/x", "database", "")).parts["context"] > 0


def test_a_page_without_a_verdict_adds_nothing(scorer: LinkScorer) -> None:
    link, unjudged = Link("http://b.example/x", "database"), page(0.5)
    unjudged.verdict = None
    scorer.score(link, unjudged)
    assert link.parts["page"] == 0.0
    assert link.score > 0


def test_no_link_has_a_score_above_one(scorer: LinkScorer) -> None:
    words = "数据库 database sql 索引"
    assert scored(scorer, Link("http://b.example/database/sql/数据库/索引", words, words), 1.0).score <= 1.0


def test_a_refreshed_topic_is_asked_again(scorer: LinkScorer, topic: TopicModel) -> None:
    link = Link("http://b.example/x", "database 导航", "database 导航")
    before = scored(scorer, link).score
    for _ in range(50):
        topic.learn(["导航"], relevant=False)
    assert scored(scorer, link).score > before


def test_caches_are_bounded(scorer: LinkScorer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_score, "CACHED", 10)
    for number in range(50):
        scored(scorer, Link(f"http://b.example/{number}", f"anchor {number}", f"context {number}"))
    assert all(len(known) <= 10 for known in (scorer._of_text, scorer._of_url))


def test_scores_and_parts_have_five_decimals(scorer: LinkScorer) -> None:
    link = scored(scorer, Link("http://b.example/sql", "SQL", "more"), 1 / 3)
    assert link.parts["page"] == round(WEIGHTS["page"] / 3, 5)
    assert all(value == round(value, 5) for value in (link.score, *link.parts.values()))


def test_a_list_that_is_called_like_the_topic_lifts_its_links(scorer: LinkScorer) -> None:
    def source(title: str, url: str) -> float:
        link = Link("http://a.example/posts/1.html", "more", "more")
        lists = page(0.1)
        lists.title, lists.url = title, url
        scorer.score(link, lists)
        return link.parts["source"]

    assert source("database", "http://a.example/tags/database/") == pytest.approx(
        SOURCE_TITLE_WEIGHT + SOURCE_URL_WEIGHT, abs=0.2
    )
    assert source("database", "http://a.example/tags/database/") > source("news", "http://a.example/tags/news/") == 0


def test_a_host_speaks_for_its_sitemap(scorer: LinkScorer, topic: TopicModel) -> None:
    link, sitemap = Link("http://a.example/x/17"), factories.page("http://a.example/", share=0.5)
    scorer.score(link, sitemap)
    assert link.score == link.parts["page"] == pytest.approx(WEIGHTS["page"] * 0.5 * topic.own_threshold, abs=1e-5)


def test_the_links_of_a_page_scored_together_are_scored_alike(scorer: LinkScorer) -> None:
    links = [
        Link("http://b.example/database/sql-index.html", "SQL 索引", "更多：SQL 索引 入门"),
        Link("http://b.example/x/17", "more", "read more"),
        Link("http://b.example/x/18", "database", ""),
    ]
    rows = scorer.parts(links, page(0.3))
    assert rows == [tuple(scored(scorer, link, 0.3).parts.values()) for link in links]


def test_words_are_cut_once(segmenter: Segmenter, monkeypatch: pytest.MonkeyPatch) -> None:
    words = LinkWords(segmenter)
    first = words.of_url("http://b.example/database/sql-index.html"), words.of_text("SQL 索引")
    monkeypatch.setattr("models.link.link_score.url_text", lambda url: "river")
    assert first == (words.of_url("http://b.example/database/sql-index.html"), words.of_text("SQL 索引"))
    assert words.of_url("http://b.example/x") == ["river"]
