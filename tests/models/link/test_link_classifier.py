from __future__ import annotations

from dataclasses import replace

import pytest

from focuscrawl.items import Link, Page
from focuscrawl.text.segment import Segmenter
from models.link import link_classifier
from models.link.link_classifier import EXAMPLES, LinkClassifier
from models.naive_bayes import NaiveBayes
from tests.models.order.pages import key_of, page, url_of

GOOD, BAD = ("database index", "sql tables"), ("picnic in spring", "flowers")


def link(number: int, good: bool) -> Link:
    anchor, context = GOOD if good else BAD
    return Link(url_of(number), anchor, context)


@pytest.fixture
def classifier(segmenter: Segmenter, monkeypatch: pytest.MonkeyPatch) -> LinkClassifier:
    monkeypatch.setattr(link_classifier, "ENOUGH", 3)
    return LinkClassifier(segmenter)


def taught(classifier: LinkClassifier) -> LinkClassifier:
    classifier.see(page(url_of(0), [link(number, number % 2 == 0) for number in range(1, 9)]))
    for number in range(1, 9):
        classifier.see(page(url_of(number), relevant=number % 2 == 0))
    return classifier


def test_it_speaks_when_there_are_enough_relevant_pages(classifier: LinkClassifier) -> None:
    classifier.see(page(url_of(0), [link(1, True), link(2, True), link(3, False)]))
    classifier.see(page(url_of(1)))
    classifier.see(page(url_of(3), relevant=False))
    assert not classifier.trained
    classifier.see(page(url_of(2)))
    assert classifier.trained


def test_what_must_not_be_indexed_teaches_as_irrelevant_pages_do(classifier: LinkClassifier) -> None:
    classifier.see(page(url_of(0), [link(1, True), link(2, True), link(3, False)]))
    for number in (1, 2, 3):
        classifier.see(replace(page(url_of(number)), noindex=number < 3))
    assert not classifier.trained


def test_it_learns_which_links_lead_to_relevant_pages(classifier: LinkClassifier) -> None:
    taught(classifier)
    assert classifier.log_odds(link(20, True)) > 1 > -1 > classifier.log_odds(link(20, False))


def test_it_is_the_batch_of_the_links_of_relevant_pages(classifier: LinkClassifier, segmenter: Segmenter) -> None:
    taught(classifier)
    batch = NaiveBayes()
    for number in range(1, 9):
        anchor, context = GOOD if number % 2 == 0 else BAD
        url = f"h{number % 3} p{number}"
        terms = [f"{f}:{t}" for f, text in (("a", anchor), ("u", url), ("c", context)) for t in segmenter.terms(text)]
        batch.learn(batch.numbers(terms), number % 2 == 0)
    terms = [f"a:{t}" for t in segmenter.terms("database index")] + ["u:h2", "u:p20"]
    assert classifier.log_odds(Link(url_of(20), "database index")) == pytest.approx(batch.log_odds(batch.numbers(terms)))


def test_links_on_irrelevant_pages_teach_nothing(classifier: LinkClassifier) -> None:
    classifier.see(page(url_of(0), [link(1, True)], relevant=False))
    classifier.see(page(url_of(1)))
    assert classifier.bayes.examples == (0, 0)


def test_links_to_what_is_known_already_teach_at_once(classifier: LinkClassifier) -> None:
    classifier.see(page(url_of(1), relevant=False))
    classifier.see(page(url_of(0), [link(1, True)]))
    assert classifier.bayes.examples == (1, 0)


def test_the_same_navigation_does_not_outweigh_the_rest(classifier: LinkClassifier) -> None:
    for number in range(10, 30):
        classifier.see(page(url_of(number), [link(1, True), Link(url_of(2), f"anchor {number}")]))
    classifier.see(page(url_of(1)))
    classifier.see(page(url_of(2)))
    assert classifier.bayes.examples == (0, 1 + EXAMPLES)
    for number in range(30, 50):
        classifier.see(page(url_of(number), [link(1, True)]))
    assert classifier.bayes.examples == (0, 2 * EXAMPLES)


def timeout() -> Page:
    made = page(url_of(1), relevant=False)
    made.status, made.error, made.verdict = 0, "timeout", None
    return made


def test_only_final_outcomes_teach(classifier: LinkClassifier) -> None:
    classifier.see(page(url_of(0), [link(1, True)]))
    classifier.see(timeout())
    assert classifier.bayes.examples == (0, 0)
    gone = page(url_of(1))
    gone.status, gone.verdict = 404, None
    classifier.see(gone)
    assert classifier.bayes.examples == (1, 0)


def test_waiting_links_are_scored_again_in_turn(classifier: LinkClassifier) -> None:
    taught(classifier)
    classifier.see(page(url_of(9), [link(number, number % 2 == 0) for number in range(20, 25)]))
    rounds = [classifier.rescored(2) for _ in range(5)]
    keys = [key for found in rounds for key, _ in found]
    assert keys == [key_of(url_of(number)) for number in (20, 21, 22, 23, 24)] * 2
    classifier.see(page(url_of(21)))
    assert key_of(url_of(21)) not in {key for key, _ in classifier.rescored(10)}


def test_memory_is_bounded(classifier: LinkClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_classifier, "REMEMBERED", 5)
    monkeypatch.setattr(link_classifier, "CACHED", 5)
    for number in range(30):
        classifier.see(page(url_of(100 + number), [Link(url_of(200 + number), f"a{number}", f"c{number}")]))
    assert len(classifier._waiting) <= 5
    assert all(len(texts) <= 5 for texts in classifier._texts.values())
