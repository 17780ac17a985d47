"""The quality gate of change detection: what is no change may not look like one, and the other way around."""

from __future__ import annotations

import pytest

from focuscrawl.recrawl.state import MATERIAL as BITS
from tools.eval.change_detection.edits import CHANGES, EVERY, MATERIAL, NO_CHANGE, SAME_WORDS, TABLE_CHANGES, TABLE_NO_CHANGE
from tools.eval.change_detection.measure import Outcome, digest, measure
from tools.eval.change_detection.pages import LANGUAGES

pytestmark = pytest.mark.slow

DIGEST = "6a175b2d6715a755e012f8ab37d5465a32f28ab2dbeac617e601f423df12e59d"
ADDED_DIGEST = "65c0febc9c5b6d10b4f4638fb9f4b95ddb9287c1a74cbc8cd9968f723409083c"
"""Of the rewritten texts and the tables."""
MOST = {"plain advertisement": 1.0}
"""Share of the cases that may count as changed: nothing tells such an advertisement from the text. Of all else none may."""
MOST_MATERIAL = {"plain advertisement": 0.45}
LEAST = {("typing error", "zh"): 0.7}
"""Share of the cases that must count as changed: the segmenter drops stop words and single Chinese characters."""
LEAST_MATERIAL = {"sentence": 0.25, "title": 0.4, "paragraph added": 0.5, "half rewritten": 1.0, "other article": 1.0}


@pytest.fixture(scope="module")
def measured() -> dict[tuple[str, str], Outcome]:
    return measure()


def test_the_exam_is_the_one_that_the_floors_were_measured_on() -> None:
    assert digest(NO_CHANGE | CHANGES) == DIGEST
    assert digest(SAME_WORDS | TABLE_CHANGES | TABLE_NO_CHANGE) == ADDED_DIGEST
    assert len(EVERY) == sum(map(len, (NO_CHANGE, CHANGES, SAME_WORDS, TABLE_CHANGES, TABLE_NO_CHANGE)))


def test_what_is_no_change_does_not_look_like_one(measured: dict[tuple[str, str], Outcome]) -> None:
    for (kind, language), found in measured.items():
        if kind in NO_CHANGE:
            assert found.changed <= MOST.get(kind, 0.0) * found.cases, (kind, language)
            assert found.material <= MOST_MATERIAL.get(kind, 0.0) * found.cases, (kind, language)


def test_changes_are_seen(measured: dict[tuple[str, str], Outcome]) -> None:
    for (kind, language), found in measured.items():
        if kind in CHANGES:
            assert found.changed >= LEAST.get((kind, language), 1.0) * found.cases, (kind, language)
            assert found.material >= LEAST_MATERIAL.get(kind, 0.0) * found.cases, (kind, language)


@pytest.mark.parametrize("kind", [*SAME_WORDS, "third of a table", "all of a table"])
def test_a_text_rewritten_in_its_own_words_and_other_numbers_of_a_table_are_a_change_that_counts(
    measured: dict[tuple[str, str], Outcome], kind: str
) -> None:
    for language in LANGUAGES:
        found = measured[kind, language]
        assert found.material == found.changed == found.cases


def test_one_number_of_a_table_is_a_small_change(measured: dict[tuple[str, str], Outcome]) -> None:
    for language in LANGUAGES:
        found = measured["one number of a table", language]
        assert (found.changed, found.material) == (found.cases, 0)


@pytest.mark.parametrize("kind", TABLE_NO_CHANGE)
def test_dates_and_counters_around_tables_and_in_lists_are_no_change(
    measured: dict[tuple[str, str], Outcome], kind: str
) -> None:
    assert [measured[kind, language].changed for language in LANGUAGES] == [0, 0]


def test_precision_and_recall(measured: dict[tuple[str, str], Outcome]) -> None:
    """Of `changed` and of `more than 3 bits`, over all classes but the advertisement that nothing tells from the text."""
    real = [found for (kind, _), found in measured.items() if kind in CHANGES]
    false = [found for (kind, _), found in measured.items() if kind in NO_CHANGE and kind != "plain advertisement"]
    hits = sum(found.changed for found in real)
    assert hits / (hits + sum(found.changed for found in false)) >= 0.99
    assert hits / sum(found.cases for found in real) >= 0.97
    large = [found for (kind, _), found in measured.items() if kind in MATERIAL]
    assert sum(found.material for found in large) == sum(found.cases for found in large)
    assert sum(found.material for found in false) == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_bits_rise_with_the_size_of_the_change(measured: dict[tuple[str, str], Outcome], language: str) -> None:
    order = ("moved paragraph", "typing error", "sentence", "paragraph added", "half rewritten", "other article")
    means = [measured[kind, language].mean for kind in order]
    assert means == sorted(means)
    assert means[0] == 0.0
    assert means[1] <= BITS < means[3]
