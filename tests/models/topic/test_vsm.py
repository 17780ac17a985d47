from __future__ import annotations

import math
import subprocess
import sys
from time import thread_time

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.text.segment import Segmenter
from models.page.calibrated import CalibratedModel
from models.topic.evidence import Evidence
from models.topic.vsm import FIRST_REFRESH, REASONS, TopicModel, similarity


def test_equation_2_by_hand() -> None:
    # x = (2·1, 1·3) over a (topic) and z (not); w = (0.6, 0.8) over a and b
    idf = {"a": 1.0, "z": 3.0}.__getitem__
    assert similarity([("a", 2), ("z", 1)], {"a": 0.6, "b": 0.8}, idf) == pytest.approx(2 * 0.6 / math.sqrt(4 + 9))
    assert similarity([], {"a": 1.0}, idf) == 0.0


def test_a_page_on_the_topic_is_relevant_and_another_is_not(topic: TopicModel, segmenter: Segmenter, off_topic: str) -> None:
    on = topic.judge(segmenter.terms("怎样给数据库建索引？ An index makes SQL faster, says the MySQL manual."))
    off = topic.judge(segmenter.terms(off_topic))
    assert on.relevant
    assert on.relevance > 0.3 > on.threshold > off.relevance
    assert not off.relevant


def test_the_verdict_names_the_terms_that_counted(topic: TopicModel, segmenter: Segmenter) -> None:
    verdict = topic.judge(
        segmenter.terms("数据库 数据库 数据库 database table 公园 " + "postgresql sql 索引 事务 隔离 日志 disk")
    )
    assert verdict.terms[0][0] == "数据库"
    assert [share for _, share in verdict.terms] == sorted((share for _, share in verdict.terms), reverse=True)
    assert len(verdict.terms) == REASONS
    assert 0.8 < sum(share for _, share in verdict.terms) <= 1.001
    assert "公园" not in dict(verdict.terms)


def test_empty_and_foreign_texts_score_zero(topic: TopicModel) -> None:
    assert topic.judge([]) == topic.judge(["公园"])
    assert topic.judge([]).relevance == topic.similarity([]) == topic.short_similarity([]) == 0.0


def test_scores_stay_within_bounds(topic: TopicModel, segmenter: Segmenter, examples: list[tuple[str, str]]) -> None:
    assert all(0 < topic.similarity(segmenter.terms(text)) <= 1 for _, text in examples)
    assert topic.similarity(list(topic.weights)) <= 1


def test_short_texts_count_each_word_once(topic: TopicModel) -> None:
    assert topic.short_similarity(["数据库", "数据库", "公园"]) == pytest.approx(topic.similarity(["数据库", "公园"]))


def test_three_keywords_or_one_page_are_enough(segmenter: Segmenter, off_topic: str) -> None:
    page = segmenter.terms("The database manual: SQL queries use an index. 数据库 的 索引 和 查询")
    for topic in (
        TopicModel.fit(segmenter, keywords=["database", "SQL", "索引"]),
        TopicModel.fit(segmenter, [("one", "数据库 database SQL 索引 查询，SQL database manual")]),
    ):
        assert topic.judge(page).relevant
        assert not topic.judge(segmenter.terms(off_topic)).relevant
        assert "3 examples or more from several sites would" in topic.threshold.explanation


def test_a_topic_needs_words(segmenter: Segmenter) -> None:
    with pytest.raises(BadInput, match="give keywords other than function words"):
        TopicModel.fit(segmenter, [("a", "the and of")], ["的", ""])


def test_a_given_threshold_is_kept(segmenter: Segmenter) -> None:
    assert TopicModel.fit(segmenter, keywords=["database"], threshold=0.0).threshold.value == 0.0
    topic = TopicModel.fit(segmenter, keywords=["database"], threshold=0.25)
    topic.refresh()
    assert topic.threshold.value == 0.25
    assert "given by the user" in topic.threshold.explanation


def test_the_own_threshold_is_a_cosine_whatever_the_user_gave(segmenter: Segmenter, examples: list[tuple[str, str]]) -> None:
    free = TopicModel.fit(segmenter, examples, ["database"])
    told = TopicModel.fit(segmenter, examples, ["database"], threshold=0.9)
    assert told.own_threshold == free.own_threshold == free.threshold.value < 0.9
    for topic in (free, told):
        topic.learn(["databas", "park"], relevant=True)
        topic.refresh()
    assert told.own_threshold == free.own_threshold == free.threshold.value
    assert told.threshold.value == 0.9


def test_a_verdict_is_its_own_similarity(topic: TopicModel) -> None:
    assert topic.judge(["databas", "park"]).similarity == topic.similarity(["databas", "park"]) > 0
    assert topic.judge(["park"]).similarity == 0.0


def test_negative_examples_push_a_meaning_away(segmenter: Segmenter) -> None:
    good, bad = ("g", "database index sql storage"), ("b", "index of share prices, stock index, fund index")
    page = segmenter.terms("The stock index fell, the fund index rose.")
    without = TopicModel.fit(segmenter, [good])
    against = TopicModel.fit(segmenter, [good], negatives=[bad])
    assert against.similarity(page) < without.similarity(page)


def test_the_crawl_teaches_which_words_are_boilerplate(topic: TopicModel) -> None:
    before = topic.similarity(["数据库", "导航"])
    refreshed = [topic.learn(["导航", "公园"], relevant=False) for _ in range(FIRST_REFRESH * 2)]
    assert refreshed.index(True) == FIRST_REFRESH - 1
    assert sum(refreshed) == topic.revision == 2
    assert topic.similarity(["数据库", "导航"]) > before


def test_a_refresh_takes_no_time_that_a_crawl_would_feel(topic: TopicModel) -> None:
    start = thread_time()
    topic.refresh()
    assert thread_time() - start < 1.0  # 10 ms on an idle machine


def test_the_same_input_gives_the_same_topic(segmenter: Segmenter, examples: list[tuple[str, str]]) -> None:
    one, two = (TopicModel.fit(segmenter, examples, ["数据库"]) for _ in range(2))
    assert (one.weights, one.threshold) == (two.weights, two.threshold)


@pytest.mark.system
def test_judging_needs_neither_scikit_learn_nor_jieba() -> None:
    code = (
        "import sys; from models.topic import json_file, vsm, keywords, background; from models.link import link_score; "
        "from focuscrawl.text.segment import Segmenter; Segmenter(['数据库']).terms('数据库'); "
        "background.Background().idf('x'); sys.exit(bool({'sklearn', 'jieba', 'numpy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_function_word_beside_keywords_makes_no_page_relevant() -> None:
    page = "Boil the potatoes and the onions in the pot, and put the butter on the table. " * 5
    for keyword in ("the", "of"):
        keywords = [keyword, "railway"]
        model = CalibratedModel(TopicModel.fit(cut := Segmenter(keywords), keywords=keywords))
        assert not model.judge(cut.terms(page)).relevant
        assert model.judge(cut.terms(page + "The railway, the railway and the railway.")).relevant


def test_function_words_of_other_languages_do_not_count_in_a_keyword_of_several_words() -> None:
    told = {
        "chemin de fer": "Le chemin de fer de la ville. ",
        "Tag der Arbeit": "Der Tag der Arbeit wird gefeiert. ",
        "historia del arte": "La historia del arte de la ciudad. ",
    }
    other = "La recette de la soupe de la ville. Der Rest der Suppe ist der Beste der Woche. El caldo del pueblo, del campo. "
    for keyword, page in told.items():
        model = CalibratedModel(TopicModel.fit(cut := Segmenter([keyword]), keywords=[keyword]))
        assert model.judge(cut.terms(page * 3)).relevant
        assert not model.judge(cut.terms(other * 3)).relevant
    assert Evidence.read(Segmenter(["de"]), keywords=["de"]).keyword_terms == ("de",), "all that there is"
