"""A page counts however it spells the words of a topic."""

from __future__ import annotations

import pytest

from focuscrawl.text.keyword_spellings import spellings, with_spellings
from focuscrawl.text.segment import Segmenter
from models.topic.vsm import TopicModel


@pytest.mark.parametrize(
    ("keyword", "written"),
    [
        ("web framework", "a webframework"), ("web-framework", "two webframeworks"), ("webframework", "webframeworks"),
        ("email", "E-Mails"), ("e-mail", "email"), ("e-mail", "an e-mail"), ("b-tree", "btrees"), ("k-means", "kmeans"),
        ("colour", "colors"), ("color", "coloured"), ("colour theory", "color theory"), ("optimization", "optimised"),
        ("visualisation", "visualize"), ("analyse", "analyzing"), ("centre", "center"), ("theater", "theatres"),
        ("dialog", "dialogues"), ("defence", "defense"), ("邮件 e-mail", "用邮件email发送"),
    ],
)  # fmt: skip
def test_other_spellings_give_the_terms_of_the_keyword(keyword: str, written: str) -> None:
    segmenter = Segmenter([keyword])
    assert set(segmenter.reference_terms(keyword)) <= set(segmenter.terms(written))
    assert TopicModel.fit(segmenter, keywords=[keyword]).similarity(segmenter.terms(written)) > 0.3


@pytest.mark.parametrize(
    ("keyword", "written"),
    [
        ("x-ray", "a ray of light"), ("k-means", "a mean value"), ("e-mail", "send the mail"), ("email", "apple-mail"),
        ("four", "for"), ("tour", "tor"), ("software", "softwaer"), ("rust", "r-ust and rus t"), ("c++", "c"),
        ("prolog", "the prologue of a play"), ("timber", "the timbre of a flute"), ("Louvre", "louvers"),
    ],
)  # fmt: skip
def test_other_words_do_not(keyword: str, written: str) -> None:
    segmenter = Segmenter([keyword])
    expected = segmenter.terms("rust") if keyword == "rust" else segmenter.reference_terms(keyword)
    assert bool(set(expected) & set(segmenter.terms(written))) == (keyword == "rust")


def test_texts_without_a_keyword_are_cut_as_ever() -> None:
    text = "An e-mail on colour, color, X-rays, and a web framework."
    assert Segmenter(["comet", "铁路"]).terms(text) == Segmenter().terms(text) == Segmenter().reference_terms(text)
    assert {"colour", "color", "mail", "ray"} <= set(Segmenter().terms(text))


def test_words_that_the_user_gave_stay_apart() -> None:
    segmenter = Segmenter(["colour", "color"])
    assert segmenter.terms("colour color") == ["colour", "color"]


def test_spellings_of_synonyms_count_as_their_group() -> None:
    segmenter = Segmenter(["tint"], synonyms=(("tint", "colour", "colour scheme"),))
    assert segmenter.terms("color colours colourscheme color") == ["tint"] * 4
    assert segmenter.synonyms == (("tint", "colour", "colour scheme"),)


def test_groups_grow_by_spellings() -> None:
    assert with_spellings((), ["comet", "彗星", "c++"]) == ()
    assert with_spellings((("dye", "colour"),), ["dye", "colour", "data base"]) == (
        ("dye", "colour", "color"), ("data base", "database"),
    )  # fmt: skip
    assert spellings("彗星") == spellings("") == spellings("c++") == []
