"""Long texts are cut into terms beside everything else."""

from __future__ import annotations

import asyncio
import gc
import random
from time import thread_time

from focuscrawl.crawl.page_reading import fill, pieces, terms_of
from focuscrawl.items import Link, Page
from focuscrawl.reading.page import Reading
from focuscrawl.text.segment import Segmenter
from tests.factories import lease

CHOICE = random.Random(1)
LINES = "\n".join("".join(CHOICE.choice("望远镜观测星系天文学家用的是在 telescope") for _ in range(100)) for _ in range(6000))


def test_no_piece_of_a_long_text_holds_up_the_loop_for_long() -> None:
    segmenter = Segmenter(("望远镜",))
    segmenter.terms(LINES[:1000])  # the dictionary is loaded
    steps: list[float] = []

    async def beside() -> None:
        while True:
            began = thread_time()
            await asyncio.sleep(0)
            steps.append(thread_time() - began)

    async def terms() -> list[str]:
        watch = asyncio.ensure_future(beside())
        found = await terms_of(LINES, segmenter)
        watch.cancel()
        return found

    gc.collect()
    gc.disable()  # a sweep of all that the tests before have left takes longer than a piece
    try:
        found = asyncio.run(terms())
    finally:
        gc.enable()
    assert max(steps) < sum(steps) / 12  # of a piece of 100 000 characters it is a sixth
    assert found == segmenter.terms(LINES)
    assert "".join(pieces(LINES)) == LINES


def test_the_header_refresh_is_a_link_as_a_meta_refresh_is() -> None:
    def links(header: str) -> list[tuple[str, str]]:
        page = Page(lease("http://a.test/x"), "http://a.test/x", 200, 5.0, headers=(("Refresh", header),))
        fill(page, Reading(links=[Link("http://a.test/y", position="body")]), "focuscrawl")
        return [(link.url, link.position) for link in page.links]

    known = ("http://a.test/y", "body")
    assert links("0; url=/z") == [("http://a.test/z", "meta"), known]
    assert [links(header) for header in ("5", "0; url=/x", "0;url=/y", "0;url=javascript:x")] == [[known]] * 4
