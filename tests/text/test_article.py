"""`ArticleDocument` takes what readability takes: the parts of its work that were left out change no text."""

from __future__ import annotations

import pytest
from readability import Document

from focuscrawl.text.article import ArticleDocument
from tools.eval.extraction.corpus import corpus

PROSE = "A focused crawler fetches pages about its topic, and leaves the others. It reads each page and scores its links. "
ODD = (
    "<!-- before --><html><head><base href='http://b.example/x/'><style>p {}</style><link rel=stylesheet href=a.css></head>"
    "<body onload='go()'><!-- <p>none</p> -->one <script>let a = '<p>none</p>'</script>two<?php none ?> three"
    f"<div hidden>none, {PROSE}</div>four<div style='color: red; display:none'>none, {PROSE}</div>"
    f"<div class=content style='width: 10px'><p onclick='x()'>{PROSE * 3}</p><p>{PROSE}"
    "<a href='javascript:x()'>five</a>"
    "<!-- none --> six</p><form action='/a'><input name=b><select><option>c</select></form>"
    "<svg><a xlink:href='/d'>e</a></svg></div>"
    f"<iframe src='https://www.youtube.com/embed/x'></iframe><div class='comment'>{PROSE}</div></body></html><!-- behind -->"
)
PAGES = {sample.name: sample.html for sample in corpus()} | {
    "odd": ODD,
    "short": "<p>little</p>",
    "text": "no markup at all",
    "image": f"<div><p>{PROSE * 3}</p><image src=a.png><p>{PROSE}</p></div>",
    "surrogates": f"<div><p>\ud800 {PROSE * 3}</p></div>",
    "nested": "<div>" * 200 + f"<p>{PROSE * 3}</p>",
}


@pytest.mark.parametrize("name", PAGES)
def test_as_readability(name: str) -> None:
    ours, theirs = (kind(PAGES[name]).summary(html_partial=True) for kind in (ArticleDocument, Document))
    assert "none" not in ours
    assert ours.replace("javascript:x()", "/x/") == theirs.replace("http://b.example", "")


def test_a_page_without_elements_cannot_be_parsed() -> None:
    from readability.readability import Unparseable

    for kind in (ArticleDocument, Document):
        with pytest.raises(Unparseable):
            kind("").summary()
