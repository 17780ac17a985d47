"""What the layout of a page says of its elements and pieces."""

from __future__ import annotations

import pytest

from focuscrawl.text.layout import Element, Layout, Piece, held, is_link, is_main_heading, is_prose, prefix_sums, size_of

PAGE = Layout(
    [Element("body", last=3), Element("main", parent=0, first=1, last=3), Element("p", parent=1, first=2, last=3)],
    [Piece(text, "paragraph", 0, at, size_of(text), 0) for at, text in enumerate(("Home", "On trains", "They run."))],
)


def test_the_pieces_of_an_element_are_a_run_of_those_of_the_page() -> None:
    assert [piece.text for piece in PAGE.inside(PAGE.elements[1])] == ["On trains", "They run."]


def test_what_is_around_an_element_begins_with_itself_and_leaves_out_the_body() -> None:
    assert [element.tag for element in PAGE.around(2)] == ["p", "main"]


def test_sums_over_an_element_are_differences_of_prefix_sums() -> None:
    sums = prefix_sums(piece.size for piece in PAGE.pieces)
    assert sums == [0, 4, 13, 22]
    assert [held(sums, element) for element in PAGE.elements] == [22, 18, 9]


@pytest.mark.parametrize(
    ("size", "linked", "prose", "link"),
    [(79, 0, False, False), (80, 0, True, False), (80, 39, True, False), (80, 40, False, False), (10, 9, False, False),
     (10, 10, False, True), (100, 91, False, True), (0, 0, False, False)],
)  # fmt: skip
def test_prose_is_long_and_not_mostly_links_and_a_link_is_hardly_anything_else(
    size: int, linked: int, prose: bool, link: bool
) -> None:
    piece = Piece("", "paragraph", 0, 0, size, linked)
    assert (is_prose(piece), is_link(piece)) == (prose, link)


def test_only_a_heading_of_the_first_level_is_a_main_one() -> None:
    first, second = Piece("Trains", "heading", 1, 0, 6, 0), Piece("Trains", "heading", 2, 0, 6, 0)
    item = Piece("Trains", "item", 1, 0, 6, 0)
    assert [is_main_heading(piece) for piece in (first, second, item)] == [True, False, False]


def test_a_chinese_sentence_weighs_three_bytes_a_character() -> None:
    assert (size_of("train"), size_of("火车"), size_of("\ud800")) == (5, 6, 1)


@pytest.mark.parametrize(
    ("tag", "classes", "name"), [("div", "post wide", "div.post wide"), ("section", "", "section."), ("div", "", "")]
)
def test_parts_of_one_text_have_a_name_in_common(tag: str, classes: str, name: str) -> None:
    assert Element(tag, classes).name == name
