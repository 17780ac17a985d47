"""What a page model remembers of the crawl."""

from __future__ import annotations

import pytest

from models.page import crawl_record
from models.page.crawl_record import _WordSums


def test_a_word_that_is_met_late_is_learned_though_many_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawl_record, "KEPT_WORDS", 100)
    sums = _WordSums()
    for number in range(100):
        for _ in range(3):
            sums.learn([f"known{number}"], 0.1)
    for _ in range(5):
        sums.learn(["late"], 0.9)
    assert sums.words["late"][1] == 4  # its first meeting made room, and was forgotten
    assert len(sums.words) == 76


def test_a_word_has_as_long_to_come_again_late_in_a_crawl_as_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawl_record, "KEPT_WORDS", 100)
    sums = _WordSums()
    for number in range(1_000):
        sums.learn([f"once{number}"], 0.1)
        if number % 60 == 0:
            sums.learn(["late"] if number >= 500 else [f"early{number}"], 0.9)
    assert sums.words["late"][1] == 8
