"""Made pages, and how they are read: as a layout, as blocks, by the fast tier, and with a vote of extractors that say what they
are told."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from focuscrawl.text.blocks import Block
from focuscrawl.text.clean import bare
from focuscrawl.text.document import parse
from focuscrawl.text.extract import MainText, fast_text, main_text
from focuscrawl.text.layout import Layout
from focuscrawl.text.main_element import main_element, main_pieces
from focuscrawl.text.marks import marked_layout
from focuscrawl.text.piece_blocks import blocks
from focuscrawl.text.repeated import Site, digest

PROSE = "A focused crawler fetches pages about its topic and leaves the others alone. It reads each page and scores its links. "
CHINESE = "主题爬虫只下载与主题有关的网页，其余的网页不去访问。它阅读每个网页，并给网页中的链接打分，然后先访问分数高的链接。"
NOTICE = "This notice about the search box stands on each of the pages of this site, and says nothing of them."
LINKS = "".join(f"<li><a href='/{number}'>another page {number}</a></li>" for number in range(20))
ARTICLE = "<meta property='og:type' content='article'>"
TITLED = f"{ARTICLE}<title>On crawlers | Daily</title>"


def article(text: str) -> str:
    """A page with a menu, an article of two paragraphs, and a footer."""
    links = "".join(f"<li><a href='/{number}'>menu entry {number}</a></li>" for number in range(30))
    return (
        f"<html><body><nav><ul>{links}</ul></nav><article><h1>Heading here</h1>"
        f"<p>{text * 2}</p><p>{text}</p></article><footer>all rights reserved</footer></body></html>"
    )


def layout(html: str) -> Layout:
    return marked_layout(parse(html))


def made(html: str, limit: int = 10_000) -> list[Block]:
    """The blocks of all pieces of a page."""
    page = layout(html)
    return blocks(page, list(range(len(page.pieces))), limit)


def text(html: str) -> list[str]:
    """The pieces that the layout alone takes for the main text."""
    page = layout(html)
    return [page.pieces[at].text.strip() for at in main_pieces(page, main_element(page))]


def fast(html: str) -> str:
    return fast_text(parse(html))


def kept(html: str, site: Site | None = None) -> MainText:
    return main_text(parse(html), "http://a.example/x", site)


def say(monkeypatch: pytest.MonkeyPatch, *texts: str) -> list[int]:
    """Let the extractors find these texts; the list tells which of them were asked."""
    asked: list[int] = []

    def extractor(at: int) -> Callable[[str, str], str]:
        def text(html: str, url: str) -> str:
            asked.append(at)
            return texts[at]

        return text

    monkeypatch.setattr("focuscrawl.text.votes.EXTRACTORS", {str(at): extractor(at) for at in range(len(texts))})
    return asked


def site_of(*texts: str, pages: int = 9) -> Site:
    """A site whose pages all have these texts."""
    site = Site()
    for number in range(pages):
        site.learn(f"http://a.example/{number}", [digest(bare(text)) for text in texts], {})
    return site
