"""Words that say nothing about any topic, in English and Chinese."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def _read(name: str) -> frozenset[str]:
    lines = files("focuscrawl.text").joinpath("data", name).read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@cache
def stop_words() -> frozenset[str]:
    """Lower-cased stop words of both languages, as they stand in a text (not stemmed)."""
    return _read("stopwords_en.txt") | _read("stopwords_zh.txt")
