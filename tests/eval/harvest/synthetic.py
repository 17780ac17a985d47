"""The harvest exam that travels with the project: the demo's synthetic web, crawled without HTTP.

Articles that the topic's truth calls relevant are to be found; the area is that of the recorded webs (relevant pages found
over the first 3R fetches against finding all R of them first). The seed, the topics and the budget are part of the exam.
"""

from __future__ import annotations

import hashlib
import tomllib
from functools import cache

from focuscrawl.links.reading import read_page
from focuscrawl.synthweb.plan import preset
from focuscrawl.synthweb.topic_file import seeds_of, topic_file
from focuscrawl.synthweb.truth import Truth, truth
from focuscrawl.synthweb.web import SyntheticWeb
from focuscrawl.text.segment import Segmenter
from models.vsm import TopicModel
from tests.eval.harvest.reading import ReadPage
from tests.eval.harvest.replay import best_first, breadth_first

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
        self.read = cache(self._read)

    def digest(self) -> str:
        """Of all pages and of what is relevant: another exam has another one."""
        total = hashlib.blake2b(digest_size=8)
        for url in self.urls:
            total.update(self._body(url)[0] + bytes([url in self.truth.relevant]))
        return total.hexdigest()

    def areas(self) -> dict[str, float]:
        """Area of best-first and of breadth-first."""
        segmenter = Segmenter(self.keywords)
        topic = TopicModel.fit(segmenter, keywords=self.keywords)
        starts = [self.numbers[url] for url in self.seeds]
        best = best_first(topic, segmenter, starts, self.read, self.resolve, BUDGET).order
        wide = breadth_first(starts, self.read, self.resolve, BUDGET)
        return {"best-first": self._area(best), "breadth-first": self._area(wide)}

    def resolve(self, url: str) -> int | None:
        """Number of the page that an address leads to."""
        label = self.web.label(url)
        return self.numbers.get(label.redirect or label.url)

    def _area(self, order: list[int]) -> float:
        whole, found, area, ideal = len(self.truth.relevant), 0, 0, 0
        for place in range(min(3 * whole, BUDGET)):
            found += place < len(order) and self.urls[order[place]] in self.truth.relevant
            area += found
            ideal += min(place + 1, whole)
        return area / ideal

    def _read(self, number: int) -> ReadPage:
        url = self.urls[number]
        body, content_type = self._body(url)
        page = read_page(body, content_type, url)
        return ReadPage(url, page.title, page.text, [(link.url, link.anchor, link.context) for link in page.links])

    def _body(self, url: str) -> tuple[bytes, str]:
        host = self.web.host_of(url)
        assert host is not None
        answer = self.web.answer(host, "/" + url.split("/", 3)[3])
        return answer.body, dict(answer.headers).get("Content-Type", "")


if __name__ == "__main__":
    for name in TOPICS:
        exam = Exam(name)
        print(name, exam.digest(), exam.areas(), len(exam.truth.relevant))
