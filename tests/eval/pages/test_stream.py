from focuscrawl.items import Link
from focuscrawl.text.segment import Segmenter
from tools.eval.harvest.reading import ReadPage
from tools.eval.pages.stream import as_judged


def test_pages_are_judged_with_their_tags() -> None:
    tag = Link("https://blog.example/tags/crawling/", "Crawling", position="article/p.tags/a")
    page = ReadPage("https://blog.example/1", "A day", "It rained.", [tag])
    assert "crawl" in as_judged(page, Segmenter(), True).words
