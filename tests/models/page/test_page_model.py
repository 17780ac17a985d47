from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.text.segment import Segmenter
from models.page import page_model
from models.page.page_context import NO_CONTEXT, page_context
from models.page.page_model import PAGE_MODELS, judge_and_learn, load, make, save
from models.topic import json_file
from models.topic.vsm import TopicModel


@pytest.mark.parametrize("name", PAGE_MODELS)
def test_a_saved_model_judges_as_before(name: str, tmp_path: Path, topic: TopicModel, segmenter: Segmenter) -> None:
    model, words = make(name, topic), segmenter.terms("an index of a database, SQL")
    context = page_context("Index", "http://a.example/sql/index", segmenter)
    for _ in range(3):
        model.learn(words, model.judge(words, context).relevant, context)
    save(model, tmp_path / "model.json")
    again = load(tmp_path / "model.json", topic)
    assert (again.name, again.topic) == (name, topic)
    assert again.judge(words, context).relevance == pytest.approx(model.judge(words, context).relevance, abs=1e-3)
    assert [file.name for file in tmp_path.iterdir()] == ["model.json"]
    model.refresh()
    assert topic.revision > 0


@pytest.mark.parametrize("name", PAGE_MODELS)
def test_every_verdict_has_the_cosine(name: str, topic: TopicModel, segmenter: Segmenter) -> None:
    model = make(name, topic)
    words = segmenter.terms("an index of a database, SQL, and flowers in the park")
    for _ in range(2):
        assert model.judge(words).similarity == pytest.approx(topic.similarity(words))
        model.learn(words, True)
        model.refresh()
    assert model.judge([]).similarity == 0.0


@pytest.mark.parametrize("name", PAGE_MODELS)
def test_no_word_goes_with_the_topic_before_a_page_was_seen(name: str, topic: TopicModel) -> None:
    assert not make(name, topic).companions


@pytest.mark.parametrize("name", PAGE_MODELS)
def test_a_page_in_another_language_teaches_only_if_somebody_labelled_it(name: str, segmenter: Segmenter) -> None:
    model = make(name, TopicModel.fit(segmenter, keywords=["telescope"], languages=("en",)))
    words = segmenter.terms("telescope " * 9)
    told = [
        (judge_and_learn(model, words, NO_CONTEXT, language, label).relevant, model.topic.background.pages)
        for language, label in [("zh", None), ("zh", True), ("zh", False), ("en", None)]
    ]
    pages = told[0][1]
    assert told[:3] == [(False, pages), (True, pages + 1), (False, pages + 2)]
    assert told[3][1] == pages + 3


def test_the_default_comes_first_and_unknown_names_are_refused(topic: TopicModel) -> None:
    assert PAGE_MODELS[0] == "calibrated"
    with pytest.raises(BadInput, match="no page model 'magic'; choose one of calibrated, vsm, naive-bayes"):
        make("magic", topic)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "not valid JSON"),
        (pickle.dumps({"format": "focuscrawl page model"}), "not valid JSON"),
        (b"[1]", "not a page model"),
        (b'{"format": "focuscrawl page model", "version": 0}', "version 0"),
        (b'{"format": "focuscrawl page model", "version": 1}', "digest"),
    ],
)
def test_other_files_are_refused_in_one_sentence(tmp_path: Path, topic: TopicModel, content: bytes, sentence: str) -> None:
    path = tmp_path / "model.json"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=sentence) as error:
        load(path, topic)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("state", [{}, {"lately": 2.0}, {"lately": 0.1, "addresses": {"sum": 9, "pages": 1, "words": {}}}, []])
def test_a_whole_file_with_a_wrong_part_is_refused(tmp_path: Path, topic: TopicModel, state: object) -> None:
    content = {"format": page_model.FORMAT, "version": page_model.VERSION, "model": "calibrated", "state": state}
    content["digest"] = json_file.digest(content)
    (tmp_path / "model.json").write_text(json.dumps(content))
    with pytest.raises(BadInput, match="misses a part"):
        load(tmp_path / "model.json", topic)


def test_a_missing_file_is_refused(tmp_path: Path, topic: TopicModel) -> None:
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        load(tmp_path / "none.json", topic)


def test_naive_bayes_lacks_examples_of_a_topic_of_keywords(segmenter: Segmenter, examples: list[tuple[str, str]]) -> None:
    words, pages = TopicModel.fit(segmenter, [], ["database"]), TopicModel.fit(segmenter, examples, ["database"])
    assert page_model.lacking("naive-bayes", words).startswith("RELEVANCE_MODEL=naive-bayes learns from example pages")
    assert [page_model.lacking(*case) for case in (("naive-bayes", pages), ("calibrated", words), ("vsm", words))] == [""] * 3
