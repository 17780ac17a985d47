"""What a page model is given of a page."""

from focuscrawl.items import Lease, Link, Page
from focuscrawl.text.segment import Segmenter
from models.page.page_context import TAG_TIMES, model_input

TAG = Link("https://blog.example/tags/crawling/", "Crawling", position="article/p.tags/a")


def page(*links: Link, kind: str = "content") -> Page:
    url = "https://blog.example/p/1"
    return Page(Lease(0, 0, url), url, 200, title="A day", kind=kind, links=list(links))


def test_tags_count_as_if_the_text_said_them() -> None:
    segmenter = Segmenter()
    words = segmenter.terms("A day\nIt rained.")
    given, context = model_input(page(TAG), words, segmenter)
    assert given == [*words, *TAG_TIMES * segmenter.terms("crawling")]
    assert context.title_terms == segmenter.terms("A day")


def test_a_page_without_tags_is_given_as_it_is() -> None:
    words = ["rain"]
    assert model_input(page(), words, Segmenter())[0] is words
    assert model_input(page(TAG, kind="index"), words, Segmenter())[0] is words
