"""A topic that a crawl could not follow is told of before the crawl starts."""

from __future__ import annotations

import random

from focuscrawl.text.segment import Segmenter
from models.page.calibrated import CalibratedModel
from models.page.page_context import page_context
from models.topic.background import draw
from models.topic.self_test import self_test
from models.topic.vsm import TopicModel

SKY = "telescope galaxy nebula comet planet orbit eclipse supernova quasar asteroid"
SITE = "rivergate gazette newsroom subscription masthead columnist herald edition"
KITCHEN = "bread oven flour dough recipe sauce butter sugar"


def text(dice: random.Random, words: str, count: int, site: str = "") -> str:
    """A page about nothing, with words of a subject twice each and those of its site four times."""
    terms = draw(dice, 0.0, 120) + dice.sample(words.split(), count) * 2 + site.split() * 4
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


def test_a_word_or_two_are_too_few(segmenter: Segmenter) -> None:
    assert "no more than a word or two" in self_test(TopicModel.fit(segmenter, keywords=["galaxy"])).warning
    assert self_test(TopicModel.fit(segmenter, keywords=SKY.split())).warning == ""


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
