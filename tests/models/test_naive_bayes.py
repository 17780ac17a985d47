from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models import naive_bayes
from models.naive_bayes import NaiveBayes, probability

words = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "f", "g", "h"]), max_size=8)
Example = tuple[list[str], bool]


def taught(examples: list[Example]) -> NaiveBayes:
    model = NaiveBayes()
    for terms, positive in examples:
        model.learn(model.numbers(terms), positive)
    return model


def by_scikit_learn(examples: list[Example], text: list[str]) -> float:
    """Log-odds of the positive class, fitted in one batch."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.naive_bayes import MultinomialNB

    vectorizer = DictVectorizer()
    counts = vectorizer.fit_transform([{term: terms.count(term) for term in terms} for terms, _ in examples])
    model = MultinomialNB(alpha=1.0).fit(counts, [positive for _, positive in examples])
    known = vectorizer.transform([{term: text.count(term) for term in text}])
    negative, positive = model.predict_log_proba(known)[0]
    return float(positive - negative)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(words, st.booleans()), min_size=1, max_size=12), words)
def test_it_is_the_batch_model_of_the_same_examples(examples: list[Example], text: list[str]) -> None:
    examples = [*examples, (["a"], True), (["b", "a"], False)]
    model = taught(examples)
    assert model.log_odds(model.numbers(text)) == pytest.approx(by_scikit_learn(examples, text), abs=1e-6)


@settings(max_examples=20, deadline=None)
@given(st.permutations([(["a", "b"], True), (["a"], False), (["c", "c"], True), (["d"], False)]))
def test_the_order_of_examples_does_not_matter(examples: list[Example]) -> None:
    model = taught(examples)
    assert model.log_odds(model.numbers(["a", "c", "d"])) == pytest.approx(by_scikit_learn(examples, ["a", "c", "d"]))


def test_unknown_terms_say_nothing() -> None:
    model = taught([(["a"], True), (["b"], False)])
    assert model.log_odds(model.numbers(["a", "x", "y"])) == model.log_odds(model.numbers(["a"])) > 0


def test_one_class_alone_decides_nothing() -> None:
    model = taught([(["a"], True)])
    assert model.log_odds(model.numbers(["a"])) == 0.0
    assert model.examples == (0, 1)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(words, st.booleans()), max_size=8), words, words)
def test_a_batch_and_single_examples_give_one_model(examples: list[Example], text: list[str], further: list[str]) -> None:
    examples = [*examples, (["a"], True), (["b", "a"], False)]
    no, yes = ([Counter(terms) for terms, positive in examples if positive is kind] for kind in (False, True))
    single, batch = taught(examples), NaiveBayes.fit(no, yes)
    for model in (single, batch):
        model.learn(model.numbers(further), True)
    assert batch.log_odds(batch.numbers(text)) == pytest.approx(single.log_odds(single.numbers(text)), abs=1e-12)
    assert batch.term_log_odds() == pytest.approx(single.term_log_odds(), abs=1e-12)
    assert batch.examples == single.examples


def test_the_papers_formulas_by_hand() -> None:
    # vocabulary a, b, c: r = 3; positive: a twice, b once; negative: b once, c three times
    model = NaiveBayes.fit([{"b": 1}, {"c": 3}], [{"a": 2, "b": 1}])
    odds = model.term_log_odds()
    assert model.prior_log_odds() == pytest.approx(math.log(1 / 3) - math.log(2 / 3))
    assert odds["a"] == pytest.approx(math.log((1 + 2) / (3 + 3)) - math.log((1 + 0) / (3 + 4)))
    assert odds["b"] == pytest.approx(math.log((1 + 1) / (3 + 3)) - math.log((1 + 1) / (3 + 4)))
    assert model.log_odds(model.numbers(["a", "b"])) == pytest.approx(model.prior_log_odds() + odds["a"] + odds["b"])


def test_the_vocabulary_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(naive_bayes, "MAX_TERMS", 2)
    model = NaiveBayes()
    assert list(model.numbers(["a", "b", "c", "a"])) == [0, 1, 0]


@pytest.mark.parametrize(("log_odds", "chance"), [(0.0, 0.5), (2.0, 0.880797), (-2.0, 0.119203), (9999, 1.0), (-9999, 0.0)])
def test_log_odds_as_a_chance(log_odds: float, chance: float) -> None:
    assert probability(log_odds) == pytest.approx(chance, abs=1e-6)
