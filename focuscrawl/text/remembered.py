"""A segmenter that cuts each short text once: for replays, which meet the same anchors and contexts run after run."""

from __future__ import annotations

from collections.abc import Iterable

from focuscrawl.text.segment import Segmenter
from focuscrawl.text.synonyms import Groups

SHORT = 2_000
"""Characters; longer texts are pages, and whoever replays those keeps their terms by page."""
KEPT = 150_000
"""Texts; then all are forgotten."""


class RememberingSegmenter(Segmenter):
    """As `Segmenter`. Lists of terms are handed out again: they are not to be changed."""

    def __init__(self, user_words: Iterable[str] = (), prefer: str = "", synonyms: Groups = ()) -> None:
        super().__init__(user_words, prefer, synonyms)
        self._texts: dict[str, list[str]] = {}

    def terms(self, text: str) -> list[str]:
        found = self._texts.get(text)
        if found is None:
            found = super().terms(text)
            if len(text) <= SHORT:
                if len(self._texts) >= KEPT:
                    self._texts.clear()
                self._texts[text] = found
        return found
