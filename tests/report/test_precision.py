"""What the summary says of the pages that were called relevant."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from focuscrawl.report.precision import (
    CALIBRATED,
    LEAST_JUDGED,
    UNTOLD,
    Precision,
    expected_precision,
    precision_in_words,
    precision_of,
)
from focuscrawl.store.crawls import open_store
from focuscrawl.store.pages.verdicts import called_relevant, judge_name, set_judge
from tests.report.sample import sample_crawl


def test_a_range_around_what_the_probabilities_promise() -> None:
    found = expected_precision(100, 55.0)
    assert found is not None
    assert (found.pages, found.middle) == (100, 0.55)
    assert found.low == pytest.approx(0.19)
    assert found.high == pytest.approx(0.91)
    assert expected_precision(LEAST_JUDGED - 1, 10.0) is None
    for sure, share in ((99.9, 1.0), (0.1, 0.0)):
        told = expected_precision(100, sure)
        assert told is not None
        assert share in (told.low, told.high)


def test_a_sentence() -> None:
    text = "Of 100 pages called relevant about 88 should really be so; it was 80 to 95 in four of five such crawls."
    assert precision_in_words(Precision(300, 0.88, 0.8, 0.95)) == text


def test_of_a_kind_of_page_it_says_that_it_cannot_tell() -> None:
    assert precision_in_words(Precision(300, 0.88, 0.8, 0.95, of_kind=True)) == UNTOLD
    assert not any(sign.isdigit() for sign in UNTOLD)


def test_only_a_model_of_probabilities_promises_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample_crawl(tmp_path)
    monkeypatch.setattr("focuscrawl.report.precision.LEAST_JUDGED", 2)
    with closing(open_store(tmp_path, "", name="sample", create=True)) as db:
        pages, total = called_relevant(db)
        assert pages == 3
        assert total == pytest.approx(0.12 + 0.61 + 0.58)
        db.execute("update page set threshold=0.5")  # the first one is a seed that the model would not have called relevant
        assert called_relevant(db)[0] == 2
        assert called_relevant(db, "no such topic") == (0, 0.0)
        assert judge_name(db) == ""
        set_judge(db, "vsm")
        assert precision_of(db, of_kind=False) is None
        set_judge(db, CALIBRATED)
        told = precision_of(db, of_kind=False)
        assert told is not None
        assert told.pages == 2
        assert not told.of_kind
        assert precision_of(db, of_kind=True) == replace(told, of_kind=True)
        assert precision_of(db, "no such topic", of_kind=False) is None
