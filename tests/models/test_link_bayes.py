from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.link import link_classifier
from models.link.link_classifier import IncrementalBayes, probability

words = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "f", "g", "h"]), max_size=8)
Example = tuple[list[str], bool]


def taught(examples: list[Example]) -> IncrementalBayes:
    model = IncrementalBayes()
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


def test_the_vocabulary_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_classifier, "MAX_TERMS", 2)
    model = IncrementalBayes()
    assert list(model.numbers(["a", "b", "c", "a"])) == [0, 1, 0]


@pytest.mark.parametrize(("log_odds", "chance"), [(0.0, 0.5), (2.0, 0.880797), (-2.0, 0.119203), (9999, 1.0), (-9999, 0.0)])
def test_log_odds_as_a_chance(log_odds: float, chance: float) -> None:
    assert probability(log_odds) == pytest.approx(chance, abs=1e-6)
