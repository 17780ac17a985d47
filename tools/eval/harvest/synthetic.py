"""The harvest exam that travels with the project: the demo's synthetic web, crawled without HTTP.

Articles that the topic's truth calls relevant are to be found; the area is that of the recorded webs (relevant pages found
over the first 3R fetches against finding all R of them first). The seed, the topics and the budget are part of the exam.
"""

from __future__ import annotations

import argparse
import hashlib
import tomllib
from copy import copy
from dataclasses import replace
from functools import cache

from focuscrawl.reading.page import read_page
from focuscrawl.report.charts.curve import area, found_curve
from focuscrawl.text.segment import RememberingSegmenter
from models.page.page_model import PAGE_MODELS
from models.topic.vsm import TopicModel
from synthweb.plan import preset
from synthweb.topic_file import seeds_of, topic_file
from synthweb.truth import Truth, truth
from synthweb.web import SyntheticWeb
from tools.eval.harvest.reading import ReadPage
from tools.eval.harvest.replay import TopicWeb, crawl, known_strategies, maker

TOPICS = ("astronomy", "railways")
BUDGET = 700


class Exam:
    """One topic of the demo's web: its truth, and its pages by number."""

    def __init__(self, topic: str) -> None:
        self.web = SyntheticWeb(preset("demo", 1, topic=topic))
        self.seeds = seeds_of(self.web, topic)
        self.truth: Truth = truth(self.web, topic, self.seeds)
        self.keywords: list[str] = tomllib.loads(topic_file(self.web, topic))["topic"]["keywords"]
        self.urls = sorted(url for url in self.truth.graph if self.truth.labels[url].status == 200)
        self.numbers = {url: number for number, url in enumerate(self.urls)}
        self._stored = cache(self._read)
        self.pages = TopicWeb(self.read, self.resolve, self.seeds, RememberingSegmenter(self.keywords))

    def digest(self) -> str:
        """Of all pages and of what is relevant: another exam has another one."""
        total = hashlib.blake2b(digest_size=8)
        for url in self.urls:
            total.update(self.body(url)[0] + bytes([url in self.truth.relevant]))
        return total.hexdigest()

    def area(self, strategy: str, random_seed: int = 0, model: str = PAGE_MODELS[0]) -> float:
        """Of a strategy with a topic made of the keywords."""
        return area(self.found(strategy, random_seed, model), len(self.truth.relevant), BUDGET)

    def found(self, strategy: str, random_seed: int = 0, model: str = PAGE_MODELS[0]) -> list[int]:
        """Articles found after 1, 2, … fetches."""
        topic = TopicModel.fit(self.pages.segmenter, keywords=self.keywords)
        done = crawl(self.pages, maker(strategy), topic, BUDGET, model=model, random_seed=random_seed)
        return found_curve(self.urls[number] in self.truth.relevant for number in done.order)

    def read(self, number: int) -> ReadPage:
        """A page with fresh links."""
        page = self._stored(number)
        return replace(page, links=[copy(link) for link in page.links])

    def resolve(self, url: str) -> int | None:
        """Number of the page that a URL leads to."""
        label = self.web.label(url)
        return self.numbers.get(label.redirect or label.url)

    def _read(self, number: int) -> ReadPage:
        url = self.urls[number]
        body, content_type = self.body(url)
        page = read_page(body, content_type, url)
        return ReadPage(url, page.title, page.text, page.links, page.kind)

    def body(self, url: str) -> tuple[bytes, str]:
        host = self.web.host_of(url)
        assert host is not None
        answer = self.web.answer(host, "/" + url.split("/", 3)[3])
        return answer.body, dict(answer.headers).get("Content-Type", "")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    for name in TOPICS:
        exam = Exam(name)
        areas = {strategy: round(exam.area(strategy), 3) for strategy in known_strategies()}
        print(name, exam.digest(), areas, len(exam.truth.relevant), len(exam.urls))
