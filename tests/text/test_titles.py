"""Which pieces of a page are its title."""

from __future__ import annotations

import pytest

from focuscrawl.text.blocks import BlockKind
from focuscrawl.text.boilerplate import MARKED
from focuscrawl.text.layout import Element, Layout, Piece, size_of
from focuscrawl.text.titles import title_of, titles_and_main_headings, titles_of
from tests.text.pages import ARTICLE, LINKS, PROSE, TITLED, text


def test_items_of_a_nested_list_are_no_main_heading() -> None:
    nested = "<ul><li>First<ul><li>Crawlers</li></ul></li></ul>"
    title, main = "<title>Crawlers - Site</title>", f"<p>{PROSE * 3}</p>"
    in_the_text = text(f"{title}<header><h1>Crawlers</h1></header><main>{main}{nested}{main}</main>")
    assert (in_the_text[0], len(in_the_text)) == ("Crawlers", 5)
    assert text(f"{title}<header>{nested}</header><main>{main}</main>") == [(PROSE * 3).strip()]


def test_a_title_that_is_no_main_heading_belongs_to_the_text_before_which_it_stands() -> None:
    page = "<title>{} - Depot</title><h2>Depot</h2><h3>Line 2</h3>" + f"<ul>{LINKS}</ul>" + "<div><p>{}</p><p>{}</p></div>"
    assert text(page.format("Line 2", PROSE * 3, PROSE)) == ["Line 2", (PROSE * 3).strip(), PROSE.strip()]
    assert text(page.format("Line 21", PROSE * 3, PROSE)) == [(PROSE * 3).strip(), PROSE.strip()]


def test_the_name_of_the_site_is_not_the_title_of_its_articles() -> None:
    post = f"<div class=post><h4>On crawlers</h4><p>{PROSE * 3}</p></div>"
    column = f"<div class=col><p>{PROSE}</p><p>{PROSE}</p><ul>{LINKS}</ul></div>"
    html = f"{TITLED}<div class=top><h1>Daily</h1><ul>{LINKS}</ul></div><div><div>{post}</div>{column}</div>"
    assert text(html) == ["On crawlers", (PROSE * 3).strip()]


@pytest.mark.parametrize("head", [ARTICLE, ""])
def test_a_title_that_is_no_heading_is_the_title_where_no_heading_is(head: str) -> None:
    prose = "主题爬虫只下载与主题有关的网页，其余的网页不去访问。它阅读每个网页，并给网页中的链接打分，然后先访问分数高的链接。"
    article = f"<div class=tit>新的爬虫</div><div class=con>{f'<p>{prose}</p>' * 4}</div><ul>{LINKS}</ul>"
    html = f"{head}<title>新的爬虫_山川网</title><div>{article}</div><div><ul>{LINKS}</ul><p>{prose}</p></div>"
    assert text(html) == ["新的爬虫", *[prose] * 4]
    assert text(html.replace("</div><div class=con>", "</div><div class=con><h1>新的爬虫</h1>")) == ["新的爬虫", *[prose] * 4]


def page(head: str, *pieces: tuple[BlockKind, int, str]) -> Layout:
    """The title in a page's head, and the kind, level and text of its pieces."""
    found = Layout([Element("body")], [Piece(text, kind, level, 0, size_of(text), 0) for kind, level, text in pieces], head)
    found.titles = titles_of(found)
    return found


@pytest.mark.parametrize(
    ("kind", "level", "said", "is_title"),
    [
        ("heading", 4, "Night trains", True),
        ("heading", 4, "Night", True),
        ("heading", 4, "Nigh", False),
        ("heading", 4, "The Gazette", False),
        ("heading", 1, "The Gazette", True),
        ("heading", 1, "NIGHT-TRAINS!", True),
        ("heading", 1, "Title: Night trains", True),
        ("heading", 1, "Night trains - The Gazette of the north", True),
        ("heading", 1, "Timetables", False),
        ("heading", 1, "...", False),
        ("paragraph", 0, "Night trains", True),
        ("paragraph", 0, "Night", False),
        ("paragraph", 0, "The Gazette", False),
        ("item", 1, "Night trains", True),
    ],
)
def test_a_title_begins_that_in_the_head_or_is_a_main_heading_that_has_a_part_of_it(
    kind: BlockKind, level: int, said: str, is_title: bool
) -> None:
    assert bool(page("Night trains - The Gazette", (kind, level, said)).titles) is is_title
    assert not page("", (kind, level, said)).titles
    assert not page(" - ", (kind, level, said)).titles


def test_a_line_is_a_title_where_no_heading_is_and_is_neither_a_link_nor_boilerplate() -> None:
    line: tuple[BlockKind, int, str] = ("paragraph", 0, "Night trains")
    found = page("Night trains", line, line, line)
    assert found.titles == [0, 1, 2]
    found.pieces[0].linked, found.pieces[1].boilerplate = 1, MARKED
    assert titles_of(found) == [2]
    assert page("Night trains", line, ("heading", 3, "Night trains")).titles == [1]


def test_the_title_of_a_page_is_the_longest_of_those_that_begin_that_in_its_head() -> None:
    site: tuple[BlockKind, int, str] = ("heading", 1, "The Gazette of the northern railways")
    head = f"Night trains - {site[2]}"
    own: tuple[BlockKind, int, str] = ("heading", 2, "Night trains")
    assert title_of(page(head, site)) == 0
    assert title_of(page(head, own, site)) == 0
    assert title_of(page(head, ("heading", 2, "Night"), own, site)) == 1
    twice = page(head, own, own, own)
    assert title_of(twice) == 2
    twice.pieces[2].linked = twice.pieces[2].size
    assert title_of(twice) == 1
    twice.pieces[1].boilerplate = MARKED
    assert title_of(twice) == 0
    assert title_of(page(head)) is None


def test_a_title_that_comments_repeat_is_text_where_the_text_begins_alone() -> None:
    own = "<h2>Night trains</h2>"
    comments = f"<div class=comments>{own}<p>{PROSE}</p></div>"
    body = f"<ul>{LINKS}</ul>{own}<p>{PROSE * 2}</p><h3>Fares</h3><p>{PROSE * 2}</p>"
    assert text(f"<title>Night trains</title><div>{body}</div>{comments}").count("Night trains") == 1


def test_a_main_heading_in_other_words_heads_a_text_as_a_title_does() -> None:
    found = page("Night trains", ("heading", 2, "Night trains"), ("heading", 1, "Sleepers"), ("heading", 2, "Fares"))
    assert titles_and_main_headings(found) == {0, 1}


def test_a_title_in_a_header_that_is_marked_is_text() -> None:
    head = "<header class=menu><h1>Night trains</h1><a href=/>Home of the railways</a></header>"
    assert text(f"<title>Night trains</title><main>{head}<p>{PROSE * 3}</p></main>") == ["Night trains", (PROSE * 3).strip()]


def test_a_heading_that_begins_the_title_does_not_keep_the_columns_below_it() -> None:
    menu = f"<table><tr><td><h3>Menu</h3><ul>{LINKS}</ul></td><td><p>{PROSE * 2}</p><p>{PROSE * 2}</p></td></tr></table>"
    found = text(f"<title>Night trains</title><h2>Night trains</h2>{menu}")
    assert found == ["Night trains", *[(PROSE * 2).strip()] * 2]


def test_what_stands_above_a_line_that_is_the_title_is_no_text() -> None:
    line = "<div class=name>Night trains to the north</div>"
    html = f"<title>Night trains to the north - Gazette</title><div><div>Home &gt; North</div>{line}<p>{PROSE * 3}</p></div>"
    assert text(html) == ["Night trains to the north", (PROSE * 3).strip()]
