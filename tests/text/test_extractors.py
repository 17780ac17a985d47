"""What trafilatura is given, so that it takes less memory."""

from __future__ import annotations

from justext.utils import get_stoplist
from lxml.html import fromstring
from trafilatura import external

from focuscrawl.text import extractors
from tests.text.pages import PROSE, article


def test_stop_words_of_all_languages_are_told_from_other_words() -> None:
    words = extractors._StopWords()
    for language in ("English", "Czech", "Russian"):
        assert all(word in words for word in get_stoplist(language))
    assert not any(word in words for word in ("telescope", "爬虫", "", "tHe"))


def test_justext_tells_sentences_from_lists_by_them() -> None:
    extractors.by_trafilatura(article(PROSE))  # loads it
    sentence = "It is not the telescope that sees the stars but the man who is behind it and has learned what to look for. "
    names = "Betelgeuse Rigel Bellatrix Mintaka Alnilam Alnitak Saiph Aldebaran Castor Pollux Procyon Sirius Adhara Capella "
    tree = fromstring(f"<body><p>{sentence * 3}</p><p>{names * 4}</p></body>")
    text = " ".join(external.try_justext(tree, None, None).itertext())
    assert sentence.strip() in text
    assert "Betelgeuse" not in text
