"""The labels that announce a list of other pages."""

from __future__ import annotations

import pytest

from focuscrawl.text.other_pages import announces_others
from tests.text.pages import PROSE, text

LINK = "<p><a href=/1>{}</a></p>"


@pytest.mark.parametrize(
    "label",
    [
        "Related articles",
        "MOST READ:",
        "You may also like…",
        "Read more:",
        "相关新闻",
        "热门排行：",
        "上一篇",
        "関連記事",
        "관련 기사",
    ],
)
def test_a_label_is_told_whatever_its_case_and_marks(label: str) -> None:
    assert announces_others(label)


@pytest.mark.parametrize(
    "label", ["See also", "Related topics", "Weitere Informationen", "Further reading", "Trains", "相关法律规定了什么", ""]
)
def test_what_names_sources_or_says_more_is_no_label(label: str) -> None:
    assert not announces_others(label)


@pytest.mark.parametrize(
    "label", ["Mehr lesen:", "Weitere aktuelle Themen", "Lees verder", "Noch mehr Züge", "À lire également"]
)
def test_links_below_such_a_label_are_no_text_in_other_languages_either(label: str) -> None:
    html = f"<main><p>{PROSE * 3}</p><h3>{label}</h3>{LINK.format('Of trains') * 2}<p>{PROSE * 2}</p></main>"
    assert text(html) == [(PROSE * 3).strip(), (PROSE * 2).strip()]


@pytest.mark.parametrize("label", ["Mehr erfahren", "Pour en savoir plus", "Saber más"])
def test_what_stands_below_further_information_stays(label: str) -> None:
    below = text(f"<main><p>{PROSE * 3}</p><h3>{label}</h3>{LINK.format('Of trains') * 2}<p>{PROSE * 2}</p></main>")
    assert below[1:-1] == [label, "Of trains", "Of trains"]
