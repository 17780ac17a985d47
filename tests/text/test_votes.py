"""Which extractors are asked about the pieces of a page, and on which source."""

from __future__ import annotations

import pytest

from focuscrawl.text.blocks import plain
from focuscrawl.text.document import parse
from focuscrawl.text.repeated import Site
from tests.linear_time import linear
from tests.text.pages import NOTICE, PROSE, article, kept, say, site_of


@pytest.mark.parametrize("script", ["<script>a = '<p>' < 1;{}</script>", "<STYLE>{}</Style >", "<script>{}"])
def test_scripts_do_not_count_for_what_is_too_large_and_are_not_read(monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    sources: list[str] = []

    def extractor(html: str, url: str) -> str:
        sources.append(html)
        return ""

    monkeypatch.setattr("focuscrawl.text.votes.EXTRACTORS", {"one": extractor})
    page = article(PROSE).replace("<footer>", f"<div class=notes><p>{NOTICE}</p></div><footer>").replace("</body></html>", "")
    assert kept(page + script.format("<b>" * 150_000)).extractor == "vote"
    assert sources == [parse(page).html]
    assert kept(page + script.format("x")).extractor == "vote"
    assert "x" in sources[1].removeprefix(page), "a small page is read as it is"


def test_the_scripts_of_a_large_page_are_found_in_linear_time() -> None:
    with linear():
        kept("<script" * 100_000 + "</script" * 100_000)
        kept("<script>" + "</" * 300_000)


def test_votes_that_end_alike_on_page_after_page_are_not_held_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = say(monkeypatch, PROSE, PROSE, PROSE)
    site = Site()
    for number in range(15):
        aside = f"Aside number {number}, which no extractor takes for a part of the text, stands in its place on every page."
        html = article(f"Page {number}. {PROSE}").replace("<footer>", f"<div class=tags><p>{aside}</p></div><footer>")
        found = kept(html, site)
        site.learn(f"http://a.example/{number}", found.digests, found.votes)
        assert aside not in plain(found.blocks)
    assert asked == [0, 1] * 8


def test_extractors_are_asked_only_as_far_as_the_text_hangs_on_them(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = say(monkeypatch, PROSE, NOTICE, NOTICE)
    assert kept(article(PROSE)).extractor == "vote"
    assert asked == []  # the layout has found all of it
    html = article(PROSE).replace("<footer>", f"<div class=tags><p>{NOTICE}</p></div><footer>")
    assert NOTICE in plain(kept(html, site_of(PROSE)).blocks)
    assert asked == [0, 1, 2]
    asked = say(monkeypatch, NOTICE, NOTICE, PROSE)
    assert NOTICE in plain(kept(html, site_of(PROSE)).blocks)
    assert asked == [0, 1]  # two agree
