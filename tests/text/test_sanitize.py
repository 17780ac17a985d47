from __future__ import annotations

import pytest

from focuscrawl.text.complexity import sanitize
from focuscrawl.text.document import parse
from tests.linear_time import linear
from tests.text import hostile


@pytest.mark.parametrize("name", hostile.PAGES)
def test_a_tamed_page_parses_fast(name: str) -> None:
    html = sanitize(hostile.page(name, 0.5))
    with linear():
        parse(html).text(1_000)


@pytest.mark.parametrize(
    ("name", "words", "href"),
    [
        ("nested_div", "deepest words", "/deep"),
        ("nested_tables", "cell words", "/cell"),
        ("long_attribute", "words", "/after"),
        ("unclosed", "open 3", "/open3"),
    ],
)
def test_neither_deep_text_nor_deep_links_are_lost(name: str, words: str, href: str) -> None:
    document = parse(sanitize(hostile.page(name, 0.1)))
    assert words in " ".join(document.text(100_000).split())
    assert href in [node.attributes["href"] for node in document.tree.css("a[href]")]


def test_an_ordinary_page_is_left_alone() -> None:
    page = "<html><body><div class='a'><p>text <b>bold</b></p><a href='/x'>x</a></div></body></html>"
    assert sanitize(page) == page


def test_an_overlong_tag_keeps_its_first_attributes() -> None:
    html = sanitize(f"<a href='/x' title='{'y ' * 20_000}'>words</a>")
    assert html == "<a href='/x'>words</a>"
