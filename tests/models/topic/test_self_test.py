"""A topic that a crawl could not follow is told of before the crawl starts."""

from __future__ import annotations

import random
from pathlib import Path

from focuscrawl.config.topic_file import TopicDefinition
from focuscrawl.text.segment import Segmenter
from models.page.assessment import Label, train
from models.page.calibrated import CalibratedModel
from models.page.page_context import page_context
from models.topic.background import draw
from models.topic.evidence import GivenTerms
from models.topic.json_file import load, save
from models.topic.self_test import self_test
from models.topic.vsm import TopicModel

SKY = "telescope galaxy nebula comet planet orbit eclipse supernova quasar asteroid"
CHINESE_SKY = "望远镜 星系 星云 彗星 行星 轨道 日食 超新星 类星体 小行星"
SITE = "rivergate gazette newsroom subscription masthead columnist herald edition"
KITCHEN = "bread oven flour dough recipe sauce butter sugar"


def text(dice: random.Random, words: str, count: int, site: str = "", han: float = 0.0) -> str:
    """A page about nothing, with words of a subject twice each and those of its site four times."""
    terms = draw(dice, han, 120) + dice.sample(words.split(), count) * 2 + site.split() * 4
    dice.shuffle(terms)
    return " ".join(terms)


def test_examples_that_know_each_other_need_no_warning(topic: TopicModel) -> None:
    found = self_test(topic)
    assert (found.examples, found.recognized, found.warning) == (4, 4, "")


def test_examples_that_share_no_words_are_told_of(segmenter: Segmenter) -> None:
    dice = random.Random(1)
    found = self_test(TopicModel.fit(segmenter, [(f"http://s{n}.example/", text(dice, "bread", 0)) for n in range(6)]))
    assert found.recognized < 4
    assert f"Only {found.recognized} of the 6 examples are recognized by the others" in found.warning


def test_words_that_would_help_are_named_as_people_write_them(segmenter: Segmenter) -> None:
    pages = [(f"http://s{n}.example/", f"{word} docstring") for n, word in enumerate(("soup", "chess", "violin", "moon"))]
    topic = TopicModel.fit(segmenter, [*pages, *((f"http://t{n}.example/", f"n{n} k{n}") for n in range(4))])
    assert "such as docstring," in self_test(topic, {"docstr": "docstring"}).warning


def test_two_pages_of_one_site_are_told_of(segmenter: Segmenter) -> None:
    topic = TopicModel.fit(segmenter, [(f"http://rivergate.example/{n}", f"{word} galaxy") for n, word in enumerate("ab")])
    assert "All 2 examples are pages of rivergate.example" in self_test(topic).warning


def test_a_word_or_two_are_too_few(segmenter: Segmenter) -> None:
    assert "no more than a word or two" in self_test(TopicModel.fit(segmenter, keywords=["galaxy"])).warning
    assert self_test(TopicModel.fit(segmenter, keywords=SKY.split())).warning == ""


def test_keywords_that_tell_little_are_told_of() -> None:
    def warning(*keywords: str) -> str:
        return self_test(TopicModel.fit(Segmenter(keywords), keywords=keywords)).warning

    told = warning("the", "的", "galaxy", "comet")
    assert told == "Keywords that stand on pages about anything distinguish few pages: the, 的."
    told = warning("first aid", "vitamin c", "bandage")
    assert "one word counts alone, because texts of any kind have the others: first aid (aid), vitamin c (vitamin)." in told
    assert warning("http client", "galaxy", "comet") == ""


def test_given_terms_that_count_for_nothing_or_in_part_are_told_of(tmp_path: Path) -> None:
    def warning(weights: dict[str, float], *negative: str) -> str:
        keywords = ["galaxy", "comet", "quasar"]
        segmenter = Segmenter.of(TopicDefinition(negative_terms=negative, weights=tuple(weights.items())).vocabulary)
        given = GivenTerms.read(segmenter, list(weights.items()), negative)
        topic = TopicModel.fit(segmenter, keywords=keywords, given_terms=given)
        save(topic, tmp_path / "topic.json")
        return self_test(load(tmp_path / "topic.json", topic.background)).warning

    told = warning({"http": 0.4, "www": 0.0, "state of": 0.2}, "first aid", "the", "我的世界", "washing machine")
    assert "count for nothing, because such words are no terms: the, http." in told
    assert "weights of which one word counts alone, because texts of any kind have the others: first aid (aid), " in told
    assert "我的世界 (世界), state of (state)." in told
    assert warning({"http client": 0.4, "x-ray": 0.3}, "e-mail", "washing machine") == ""


def test_a_function_word_weighs_less_than_a_word_that_tells() -> None:
    weights = TopicModel.fit(Segmenter(["the", "的", "comet"]), keywords=["the", "的", "comet"]).weights
    assert weights["comet"] > 2 * max(weights["the"], weights["的"])


def test_keywords_of_a_language_that_no_example_has_are_told_of() -> None:
    """Examples raise the threshold to what pages of their language reach."""
    keywords = ["telescope", "galaxy", "望远镜", "星系"]
    segmenter, dice = Segmenter(keywords), random.Random(1)

    def fitted(*subjects: str) -> TopicModel:
        texts = [
            (f"http://s{n}.example/", text(dice, words, 6, han=float(words == CHINESE_SKY))) for n, words in enumerate(subjects)
        ]
        return TopicModel.fit(segmenter, texts, keywords)

    def called(topic: TopicModel) -> int:
        model = CalibratedModel(topic)
        return sum(model.judge(segmenter.terms(text(dice, CHINESE_SKY, 5, han=1.0))).relevant for _ in range(40))

    english, both, none = fitted(*[SKY] * 4), fitted(*[SKY] * 3, CHINESE_SKY), fitted()
    assert called(english) < called(both) < called(none)
    assert "The keywords 望远镜, 星系 are in another language than all examples" in self_test(english).warning
    assert "The keywords telescope, galaxy are" in self_test(fitted(*[CHINESE_SKY] * 3)).warning
    assert (self_test(both).warning, self_test(none).warning) == ("", "")
    assert self_test(fitted(*[SKY] * 2)).warning == "", "beside keywords two examples raise no threshold"
    texts = [(f"http://s{n}.example/", text(dice, SKY, 6)) for n in range(4)]
    joined = TopicModel.fit(Segmenter(keywords, synonyms=(("telescope", "望远镜"),)), texts, keywords)
    assert "The keyword 星系 is in another language" in self_test(joined).warning
    chinese = TopicModel.fit(Segmenter(keywords, synonyms=(("望远镜", "星系"),)), texts, keywords)
    assert "The keywords 望远镜, 星系 are" in self_test(chinese).warning, "no word of the examples' language"
    empty = TopicModel.fit(Segmenter(["comet", "的"]), texts, ["comet", "的"])
    assert "another language" not in self_test(empty).warning


def test_two_examples_beside_keywords_do_not_make_their_site_relevant(segmenter: Segmenter) -> None:
    dice = random.Random(1)
    examples = [(f"http://rivergate.example/{n}", text(dice, SKY, 6, SITE)) for n in range(2)]

    def called(examples: list[tuple[str, str]]) -> tuple[int, int]:
        """Of 40 pages of the examples' site on another subject, and of 40 pages elsewhere on the topic."""
        model = CalibratedModel(TopicModel.fit(segmenter, examples, SKY.split()[:4]))
        pages = [(text(dice, KITCHEN, 6, SITE), "rivergate"), (text(dice, SKY, 6), "elsewhere")] * 40
        verdicts = []
        for number, (page, host) in enumerate(pages):
            context = page_context("", f"http://{host}.example/{number}", segmenter)
            verdicts.append(verdict := model.judge(terms := segmenter.terms(page), context))
            model.learn(terms, verdict.relevant, context)
        return sum(verdict.relevant for verdict in verdicts[::2]), sum(verdict.relevant for verdict in verdicts[1::2])

    assert called(examples)[0] == 0
    assert called(examples)[1] >= 0.9 * called([])[1]


def test_labels_beside_keywords_do_not_make_pages_of_their_site_relevant_that_name_a_keyword(segmenter: Segmenter) -> None:
    dice = random.Random(1)
    labels = [Label(f"http://rivergate.example/{n}", True, "", text(dice, SKY, 6, SITE)) for n in range(2)]
    pages = [segmenter.terms(f"{text(dice, KITCHEN, 6, SITE)} telescope") for _ in range(40)]
    for known in range(3):
        model = train(segmenter, labels[:known], keywords=SKY.split()[:8])
        assert not any(model.judge(page).relevant for page in pages)


def test_three_examples_of_one_site_do_not_turn_the_topic_into_the_site(segmenter: Segmenter) -> None:
    dice = random.Random(1)
    examples = [(f"http://rivergate.example/{n}", text(dice, SKY, 6, SITE)) for n in range(3)]
    topic = TopicModel.fit(segmenter, examples, SKY.split()[:4])
    assert "All 3 examples are pages of rivergate.example" in self_test(topic).warning
    model = CalibratedModel(topic)

    def called(words: str, site: str, host: str) -> int:
        contexts = [page_context("", f"http://{host}.example/{n}", segmenter) for n in range(40)]
        return sum(model.judge(segmenter.terms(text(dice, words, 5, site)), context).relevant for context in contexts)

    assert called(KITCHEN, SITE, "rivergate") == 0
    assert called(SKY, "", "elsewhere") >= 10
