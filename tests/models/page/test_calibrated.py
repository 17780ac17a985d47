from __future__ import annotations

import pytest

from focuscrawl.items import IN_TITLE, counted, only_in_title, whole_text
from focuscrawl.text.segment import Segmenter
from models.page.calibrated import CalibratedModel
from models.page.calibration import probability
from models.page.page_context import PageContext, page_context
from models.topic.vsm import REASONS, TopicModel

OTHER = "Flowers bloom in spring and children play in the park all day long with friends"
NEAR = "The manual of a database: how an index makes SQL queries faster"


@pytest.fixture
def model(topic: TopicModel) -> CalibratedModel:
    return CalibratedModel(topic)


def test_scores_are_probabilities_and_order_pages(model: CalibratedModel, segmenter: Segmenter) -> None:
    near, off = model.judge(segmenter.terms(NEAR)), model.judge(segmenter.terms(OTHER))
    assert 0 < off.relevance < off.threshold <= near.relevance < 1
    assert near.relevant
    assert not off.relevant


def test_title_and_url_count(model: CalibratedModel, segmenter: Segmenter) -> None:
    words = segmenter.terms("an index of friends")
    bare = model.judge(words).relevance
    named = model.judge(words, page_context("SQL database", "http://a.example/database/sql", segmenter)).relevance
    assert named > bare


FORM = "These citations may not always be correct. Choose the format of the file."
TITLE = "How an index makes SQL queries of a database faster"


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("", True),  # a page whose text a script would bring
        (f"{TITLE} Citation of {TITLE}. {FORM}", True),  # a view of a record
        (f"{TITLE} {NEAR}. PostgreSQL stores tables on disk. {FORM}", False),  # it says more than its title does
        (f"{TITLE} {'The database has another index. ' * 4} {FORM}", False),  # a short page about what its title names
    ],
)
def test_a_page_that_names_the_topic_in_its_title_alone_stays_relevant_and_is_marked(
    model: CalibratedModel, segmenter: Segmenter, text: str, marked: bool
) -> None:
    words, context = segmenter.terms(whole_text(TITLE, text)), page_context(TITLE, "http://a.example/1/cite", segmenter)
    verdict = model.judge(words, context)
    assert verdict.relevant
    assert only_in_title(verdict.terms) is marked
    assert IN_TITLE not in dict(counted(verdict.terms))
    assert not only_in_title(model.judge(words).terms), "without a title nothing is repeated"


def test_an_irrelevant_page_is_not_marked(model: CalibratedModel, segmenter: Segmenter) -> None:
    words = segmenter.terms(whole_text("The park", OTHER))
    assert model.judge(words, page_context("The park", "http://a.example/", segmenter)).terms == ()


def test_the_verdict_names_what_counted(model: CalibratedModel, segmenter: Segmenter) -> None:
    verdict = model.judge(segmenter.terms(NEAR))
    assert "databas" in dict(verdict.terms)
    assert len(verdict.terms) <= REASONS
    assert model.judge([]).terms == ()
    assert model.judge([]).relevance == 0.0


def test_words_of_urls_are_learned_without_labels(model: CalibratedModel, segmenter: Segmenter) -> None:
    good, bad = PageContext(url_terms=("alpha",)), PageContext(url_terms=("omega",))
    unsure = segmenter.terms("a table of friends and an index")
    before = model.judge(unsure, good).relevance
    for _ in range(20):
        for text, context in ((NEAR, good), (OTHER, bad)):
            words = segmenter.terms(text)
            model.learn(words, model.judge(words, context).relevant, context)
    after = model.judge(unsure, good)
    assert after.relevance > before
    assert after.relevance > model.judge(unsure, bad).relevance
    assert "url:alpha" in dict(after.terms)


def test_who_knows_better_is_believed(topic: TopicModel, segmenter: Segmenter) -> None:
    words, context = segmenter.terms(OTHER), PageContext(url_terms=("alpha",))
    told, alone = CalibratedModel(topic), CalibratedModel(topic)
    for _ in range(5):
        told.learn(words, True, context)
        alone.learn(words, False, context)
    assert told.signals(words, context)[1] > alone.signals(words, context)[1]


def test_pages_come_in_runs(model: CalibratedModel, segmenter: Segmenter) -> None:
    words = segmenter.terms(NEAR)
    before = model.judge(words).relevance
    off = segmenter.terms(OTHER)
    for _ in range(20):
        model.learn(off, model.judge(off).relevant)
    assert model.judge(words).relevance < before


def test_a_given_threshold_is_one_of_probabilities(segmenter: Segmenter) -> None:
    model = CalibratedModel(TopicModel.fit(segmenter, keywords=["database"], threshold=0.9))
    assert model.judge(segmenter.terms(OTHER)).threshold == 0.9


def test_one_page_or_keywords_are_enough(segmenter: Segmenter) -> None:
    for topic in (
        TopicModel.fit(segmenter, keywords=["database", "SQL", "索引"]),
        TopicModel.fit(segmenter, [("one", "数据库 database SQL 索引 查询，SQL database manual")]),
    ):
        model = CalibratedModel(topic)
        assert model.judge(segmenter.terms(NEAR)).relevance > model.judge(segmenter.terms(OTHER)).relevance


def test_beside_keywords_pages_are_judged_by_the_words_of_three_examples_but_not_of_two(segmenter: Segmenter) -> None:
    examples = [(f"http://{host}.example/", f"database index {host} query") for host in ("one", "two", "three")]
    topics = [TopicModel.fit(segmenter, examples[:count], ["database"]) for count in range(4)]
    alone, one, two, three = (CalibratedModel(topic).judge(segmenter.terms(NEAR)) for topic in topics)
    assert alone == one == two != three
    assert segmenter.terms("query")[0] in topics[1].weights, "links are scored by them"


def test_pages_like_an_example_in_another_language_than_the_keyword_become_relevant(segmenter: Segmenter) -> None:
    like = segmenter.terms("Index and query: an index makes each query faster, and a query without an index reads all rows")

    def found(examples: list[tuple[str, str]]) -> list[bool]:
        model, verdicts = CalibratedModel(TopicModel.fit(segmenter, examples, ["数据库"])), []
        for number in range(60):
            for words in (segmenter.terms("数据库的手册：数据库的查询") if number % 2 else like, segmenter.terms(OTHER)):
                verdicts.append(model.judge(words).relevant)
                model.learn(words, verdicts[-1])
        return verdicts[-4:]

    assert found([]) == [False, False, True, False], "like the example, off the topic, with the keyword, off the topic"
    assert found([("http://one.example/", "An index is for a query")]) == [True, False, True, False]


def test_learned_state_comes_back(model: CalibratedModel, segmenter: Segmenter) -> None:
    context, words = PageContext(url_terms=("alpha", "beta")), segmenter.terms(NEAR)
    for _ in range(4):
        model.learn(words, True, context)
    again = CalibratedModel.restore(model.topic, model.state())
    assert again.signals(words, context) == pytest.approx(model.signals(words, context), abs=1e-3)


def test_probabilities_stay_away_from_certainty() -> None:
    assert 0 < probability(-1e9) < 0.001
    assert 0.999 < probability(1e9) < 1
