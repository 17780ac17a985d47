from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from models.topic.evidence import Emphasis, Evidence, EvidenceText
from models.topic.weights import Vector, compose, document_vector, emphasized, means, topic_weights

IDF = {"a": 1.0, "b": 2.0, "c": 4.0}.__getitem__
DOCUMENTS = (EvidenceText("1", {"a": 2, "b": 1}), EvidenceText("2", {"b": 3, "c": 1}))


def test_equation_1_by_hand() -> None:
    # f·idf: a 2·1, b 1·2, divided by sqrt(2² + 2²)
    assert document_vector({"a": 2, "b": 1}, IDF) == pytest.approx({"a": 1 / math.sqrt(2), "b": 1 / math.sqrt(2)})


def test_the_topic_weight_is_the_mean_over_the_documents() -> None:
    half, length = 1 / math.sqrt(2), math.sqrt(6**2 + 4**2)
    assert means(DOCUMENTS, IDF) == pytest.approx({"a": half / 2, "b": (half + 6 / length) / 2, "c": 4 / length / 2})


def test_scikit_learn_finds_the_same_weights() -> None:
    assert means(DOCUMENTS, IDF) == pytest.approx(_by_scikit_learn(DOCUMENTS), abs=1e-12)


def test_numbers_of_a_text_are_no_terms_of_its_topic() -> None:
    dated = EvidenceText("3", {"a": 2, "b": 1, "2023": 40, "11": 12})
    assert means([dated], lambda term: 2.0 if term.isdecimal() else IDF(term)) == means(DOCUMENTS[:1], IDF)


def test_numbers_that_the_user_wrote_are_terms() -> None:
    evidence = Evidence(keyword_terms=("1984",), examples=(EvidenceText("1", {"a": 1, "1984": 3}),))
    assert set(topic_weights(evidence, lambda _: 1.0, 0.02)) == {"a", "1984"}


def test_no_documents_have_no_weights() -> None:
    assert means((), IDF) == {}


def _by_scikit_learn(documents: Sequence[EvidenceText]) -> Vector:
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.preprocessing import normalize

    vectorizer = DictVectorizer(sparse=True)
    counts = vectorizer.fit_transform([dict(document.counts) for document in documents])
    names = vectorizer.get_feature_names_out()
    weighted = normalize(counts.multiply([IDF(name) for name in names]).tocsr(), norm="l2")
    return {str(name): float(mean) for name, mean in zip(names, weighted.mean(axis=0).A1, strict=True)}


def test_a_document_of_words_that_everybody_uses_weighs_nothing() -> None:
    assert document_vector({"a": 3}, lambda term: 0.0) == {"a": 0.0}


def test_weak_terms_are_dropped_but_keywords_stay() -> None:
    weights = compose({"strong": 0.5, "weak": 0.019}, {}, {"keyword": 0.01}, min_weight=0.02)
    assert set(weights) == {"strong", "keyword"}
    assert sum(weight**2 for weight in weights.values()) == pytest.approx(1)


def test_counter_examples_take_weight_away() -> None:
    plain = compose({"crypto": 0.5, "coin": 0.4}, {}, {}, 0.02)
    against = compose({"crypto": 0.5, "coin": 0.4}, {"coin": 0.6, "price": 0.5}, {}, 0.02)
    assert against["coin"] / against["crypto"] < 0.5 * plain["coin"] / plain["crypto"]
    assert "price" not in against
    assert "coin" not in compose({"crypto": 0.5, "coin": 0.4}, {"coin": 0.8}, {}, 0.02)


def test_keywords_alone_make_a_topic() -> None:
    weights = topic_weights(Evidence(keyword_terms=("b", "c")), IDF, 0.02)
    assert weights == pytest.approx({"b": 2 / math.sqrt(20), "c": 4 / math.sqrt(20)})


def test_shared_words_are_those_of_three_sites() -> None:
    pages = [
        EvidenceText(f"http://a.s{site}.example/", {"own": 9, "kind": 1} | ({"some": 1} if site < 2 else {}))
        for site in range(5)
    ]
    twice = [*pages, EvidenceText("http://b.s0.example/", {"some": 1})]
    mean = means(twice, lambda _: 1.0)
    assert emphasized(mean, twice, Emphasis.ALL) == mean
    shared, common = (emphasized(mean, twice, emphasis) for emphasis in (Emphasis.SHARED, Emphasis.COMMON))
    assert set(shared) == set(common) == {"own", "kind"}
    assert shared["own"] / shared["kind"] == pytest.approx(mean["own"] / mean["kind"])


def test_common_words_count_by_the_share_of_sites() -> None:
    pages = [EvidenceText(f"http://s{site}.example/", {"all": 1} | ({"most": 1} if site < 3 else {})) for site in range(5)]
    mean = means(pages, lambda _: 1.0)
    common = emphasized(mean, pages, Emphasis.COMMON)
    assert common["most"] / common["all"] == pytest.approx(mean["most"] / mean["all"] * (2 / 4) ** 2)
