"""Terms are shown as texts write them."""

from __future__ import annotations

from focuscrawl.text.segment import Segmenter
from focuscrawl.text.stems import spelled, spellings, written


def test_stems_are_shown_in_their_most_frequent_form() -> None:
    texts = ["Galaxies and galaxies, one galaxy", "telescopes; Telescope, telescopes", "恒星 C++"]
    terms = [(term, 0.5) for text in texts for term in dict.fromkeys(Segmenter(("c++",)).terms(text))]
    assert ("telescop", 0.5) in terms
    shown = spelled([*terms, ("url:telescop", 0.2), ("title:", 0.0), ("unknown", 0.1)], spellings(texts))
    assert [term for term, _ in shown] == ["galaxies", "telescopes", "恒星", "c++", "url:telescopes", "title:", "unknown"]
    assert shown[-1] == ("unknown", 0.1)


def test_phrases_are_shown_as_people_write_them() -> None:
    forms = spellings(["washing machines, washing machine, a washing machine"])
    phrases = ("wash_machin", "java_线程", "二手房_价格", "wash_unknown")
    assert [written(term, forms) for term in phrases] == ["washing machine", "java 线程", "二手房价格", "washing unknown"]
