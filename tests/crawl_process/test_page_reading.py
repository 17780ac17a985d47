"""Long texts are cut into terms beside everything else."""

from __future__ import annotations

import asyncio
import random
from time import thread_time

from focuscrawl.crawl.page_reading import pieces, terms_of
from focuscrawl.text.segment import Segmenter

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

    found = asyncio.run(terms())
    assert max(steps) < sum(steps) / 12  # of a piece of 100 000 characters it is a sixth
    assert found == segmenter.terms(LINES)
    assert "".join(pieces(LINES)) == LINES
