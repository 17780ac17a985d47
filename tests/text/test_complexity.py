from __future__ import annotations

import pytest

from focuscrawl.text.complexity import is_heavy, sanitize, walk
from focuscrawl.text.document import parse
from tests.linear_time import linear
from tests.text import hostile


@pytest.mark.slow
@pytest.mark.parametrize("name", hostile.PAGES)
def test_hostile_pages_are_heavy_and_this_is_seen_in_time(name: str) -> None:
    html = hostile.page(name)
    with linear():
        assert is_heavy(html)


def test_ordinary_pages_are_light() -> None:
    row = "<tr><td><a href='/x'>name</a></td><td><span class='a'>text<br>more</span></td></tr>"
    page = "<html><body><div><table>" + row * 800 + "</table></div><script>if (a < b && c == '<div>') {}</script></body></html>"
    assert not is_heavy(page)
    assert not is_heavy("")
    assert not is_heavy("x")


def test_a_closed_tree_is_measured_by_its_depth_not_by_its_size() -> None:
    assert not is_heavy("<section><p>text</p></section>" * 5_000)
    assert is_heavy("<div>" * 2_000 + "</div>" * 2_000)


@pytest.mark.parametrize(
    "page",
    [
        "<div></x>" * 2_000 + "</div>" * 2_000 + "<x>" * 2_000,
        "<DIV>" * 2_000 + "</x>" * 2_000,
        '<p a="<b>" ' + " ".join(f'a{number}="<i>"' for number in range(6_000)) + ">",
        "<p " + " ".join(f'a{number}=">"' for number in range(20_000)) + ">",
    ],
)
def test_a_heavy_page_in_disguise_is_heavy(page: str) -> None:
    assert is_heavy(page)


def test_walk_reports_names_depths_and_places() -> None:
    html = '<div><!-- <p> --><script>"<ul>"</script><B title=">">x</B><br></div></i>'
    steps = [(name, depth, html[start:end]) for name, depth, start, end in walk(html)]
    assert steps == [
        ("div", 1, "<div>"),
        ("b", 2, '<B title=">">'),
        ("/b", 2, "</B>"),
        ("br", 0, "<br>"),
        ("/div", 1, "</div>"),
        ("/i", -1, "</i>"),
    ]


@pytest.mark.parametrize("name", hostile.PAGES)
def test_a_sanitized_page_parses_fast(name: str) -> None:
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


def test_sanitizing_leaves_an_ordinary_page_alone() -> None:
    page = "<html><body><div class='a'><p>text <b>bold</b></p><a href='/x'>x</a></div></body></html>"
    assert sanitize(page) == page


def test_an_overlong_tag_keeps_its_first_attributes() -> None:
    html = sanitize(f"<a href='/x' title='{'y ' * 20_000}'>words</a>")
    assert html == "<a href='/x'>words</a>"
