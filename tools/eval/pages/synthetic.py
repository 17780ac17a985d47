"""The exam of page models that travels with the project: all pages of the demo's synthetic web, in a fixed random order."""

from __future__ import annotations

import random

from focuscrawl.text.segment import RememberingSegmenter
from tools.eval.harvest.synthetic import Exam
from tools.eval.pages.stream import Stream, TestPage, as_judged

EXAMPLES, PAGES = 20, 600


def stream(exam: Exam, topic: str = "") -> Stream:
    """A stream of `PAGES` pages; the first `EXAMPLES` relevant ones of the shuffled web are the pool of examples."""
    numbers = list(range(len(exam.urls)))
    random.Random(3).shuffle(numbers)
    relevant = [number for number in numbers if exam.urls[number] in exam.truth.relevant]
    segmenter = RememberingSegmenter(exam.keywords)

    def test_page(number: int) -> TestPage:
        return as_judged(exam.read(number), segmenter, exam.urls[number] in exam.truth.relevant)

    pool = [(page.url, page.whole) for page in map(exam.read, relevant[:EXAMPLES])]
    fetched = [test_page(number) for number in numbers[:PAGES]]
    return Stream("synthetic", topic, exam.keywords, segmenter, pool, fetched, [])
