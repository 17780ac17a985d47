from __future__ import annotations

import pytest

from focuscrawl.links.page_kind import block_length, file_name, is_serial, page_kind
from focuscrawl.reading.page import read_page
from tests.links.labelled import labelled

PROSE = "word " * 30


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://a/", ""),
        ("http://a/b/", ""),
        ("http://a/b/index.html", ""),
        ("http://a/default.aspx?x=1", ""),
        ("http://a/list_12.html", ""),
        ("http://a/list_12_3.html", ""),
        ("http://a/page/3/", ""),
        ("http://a/archives/2019/", ""),
        ("http://a/b/C.html?x=/y", "c"),
        ("http://a/pages/20427d78/", "20427d78"),
        ("http://a/2019/06/14/intranet-kms/", "intranet-kms"),
        ("http://a/%E4%B8%BB.html", "主"),
    ],
)
def test_file_name(url: str, name: str) -> None:
    assert file_name(url) == name


@pytest.mark.parametrize(
    ("name", "expected"),
    [("12345", True), ("t20240105_12345", True), ("617807d7", True), ("content_98765", True), ("2019", False),
     ("being-polite", False), ("decade", False), ("defaced", False), ("ch06", False), ("", False)],
)  # fmt: skip
def test_serial_numbers(name: str, expected: bool) -> None:
    assert is_serial(name) is expected


@pytest.mark.parametrize(
    ("url", "text", "headings", "kind"),
    [
        ("http://a/", PROSE, ["H"], "index"),
        ("http://a/12345.html", "", [], "content"),
        ("http://a/view.php?tid=12345", "", [], "content"),
        ("http://a/name.html", PROSE, [], "content"),
        ("http://a/name.html", "short\nblocks", [], "index"),
        ("http://a/name.html", "Heading\n" + "word " * 12, ["Heading"], "content"),
        ("http://a/name.html", "word " * 12 + "\nHeading", ["Heading"], "index"),
        ("http://a/name.html", "Heading\nwords", ["Heading"], "index"),
        ("http://a/name.html", "", ["Heading"], "index"),
    ],
)
def test_algorithm_1(url: str, text: str, headings: list[str], kind: str) -> None:
    assert page_kind(url, text, headings) == kind


def test_text_below_a_heading_that_is_mostly_links_is_a_list() -> None:
    text = "Heading\n" + "word " * 12
    assert page_kind("http://a/name.html", text, ["Heading"], link_text=10) == "content"
    assert page_kind("http://a/name.html", text, ["Heading"], link_text=40) == "index"


def test_a_han_character_says_as_much_as_three_letters() -> None:
    assert block_length("主题a") == 7


def test_accuracy_on_the_labelled_sample() -> None:
    pages = list(labelled())
    right = [read_page(html.encode(), "text/html", url).kind == kind for url, html, kind in pages]
    assert len(pages) == 64
    assert sum(right) / len(right) >= 0.95
