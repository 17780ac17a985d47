"""Long texts are cut into terms beside everything else."""

from __future__ import annotations

import asyncio
import random

from focuscrawl.crawl.page_reading import pieces, set_facts, terms_of
from focuscrawl.items import Link, Page
from focuscrawl.reading.page import Reading
from focuscrawl.text.segment import Segmenter
from tests.factories import lease

MOST_AT_ONCE = 20_000
"""Characters that hold up the event loop for less than 0.1 s."""
CHOICE = random.Random(1)
LINES = "\n".join("".join(CHOICE.choices("望远镜观测星系天文学家用的是在 telescope", k=100)) for _ in range(6000))


async def test_a_long_text_is_cut_piece_by_piece_with_a_turn_for_others_after_each() -> None:
    segmenter = Segmenter(("望远镜",))
    cut: list[int] = []
    turns = 0

    class Counting(Segmenter):
        def terms(self, text: str) -> list[str]:
            cut.append(len(text))
            return segmenter.terms(text)

    async def beside() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    watch = asyncio.ensure_future(beside())
    found = await terms_of(LINES, Counting())
    watch.cancel()
    assert found == segmenter.terms(LINES)
    assert max(cut) <= MOST_AT_ONCE
    assert turns >= len(cut) - 1
    assert sum(cut) == len(LINES)
    assert "".join(pieces(LINES)) == LINES


def test_the_header_refresh_is_a_link_as_a_meta_refresh_is() -> None:
    def links(header: str) -> list[tuple[str, str]]:
        page = Page(lease("http://a.test/x"), "http://a.test/x", 200, 5.0, headers=(("Refresh", header),))
        set_facts(page, Reading(links=[Link("http://a.test/y", position="body")]), "focuscrawl")
        return [(link.url, link.position) for link in page.links]

    known = ("http://a.test/y", "body")
    assert links("0; url=/z") == [("http://a.test/z", "meta"), known]
    assert [links(header) for header in ("5", "0; url=/x", "0;url=/y", "0;url=javascript:x")] == [[known]] * 4


def test_the_header_link_names_the_url_of_a_page_that_names_none_itself() -> None:
    def page(header: str, canonical: str = "", url: str = "http://a.test/3.2/x.pdf") -> Page:
        made = Page(lease(url), url, 200, 5.0, headers=(("Link", header),))
        links = [Link("http://a.test/y", position="body", rel=("next",))]
        set_facts(made, Reading(links=links, canonical=canonical), "focuscrawl")
        return made

    def named(header: str, canonical: str = "") -> tuple[str, list[tuple[str, tuple[str, ...]]]]:
        made = page(header, canonical)
        return made.canonical, [(link.url, link.rel) for link in made.links]

    known, version = ("http://a.test/y", ("next",)), "http://a.test/stable/x.pdf"
    assert named("</x.html>; rel=canonical") == ("http://a.test/x.html", [known])
    assert named("</y>; rel=canonical") == ("http://a.test/y", [("http://a.test/y", ("next", "canonical"))])
    assert named("</stable/x.pdf>; rel=canonical") == (version, [known, (version, ("canonical",))])
    assert named("</x.html>; rel=canonical", "http://a.test/own") == ("http://a.test/own", [known])
    elsewhere = "http://b.test/stable/x.pdf"
    assert named(f"<{elsewhere}>; rel=canonical") == (elsewhere, [known])
    assert named("x; rel=canonical") == named("<javascript:x>; rel=canonical") == ("", [known])
    assert [link.url for link in page("<x.pdf>; rel=canonical").links] == ["http://a.test/y"]
