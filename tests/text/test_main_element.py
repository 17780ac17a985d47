"""Which element holds the main text."""

from __future__ import annotations

import pytest

from tests.text.pages import LINKS, PROSE, TITLED, text


def test_the_descent_ends_where_prose_would_be_left_out() -> None:
    html = f"<div id=a><ul>{LINKS}</ul><div id=b><p>{PROSE}</p><div id=c><p>{PROSE * 4}</p></div></div></div>"
    assert text(html) == [PROSE.strip(), (PROSE * 4).strip()]


def test_a_heading_beside_the_largest_part_belongs_to_the_text() -> None:
    assert text(f"<ul>{LINKS}</ul><div><h2>Of crawlers</h2><div><p>{PROSE * 4}</p></div></div>")[0] == "Of crawlers"


def test_a_named_element_counts_when_it_holds_the_text() -> None:
    teaser = f"<article><p>{PROSE}</p></article>"
    assert text(f"{teaser}<div><p>{PROSE * 3}</p></div>") == [PROSE.strip(), (PROSE * 3).strip()]
    assert text(f"<div><p>{PROSE}</p></div><main><p>{PROSE * 3}</p></main>") == [(PROSE * 3).strip()]


def test_the_title_above_the_element_is_part_of_it() -> None:
    html = f"<title>Crawlers - Site</title><header><h1>Crawlers</h1></header><main><p>{PROSE * 3}</p></main>"
    assert text(html)[0] == "Crawlers"
    assert text(html.replace("<h1>Crawlers", "<h1>Welcome")) == [(PROSE * 3).strip()]


@pytest.mark.parametrize("box", ["<div class=sidebar>{}</div>", "<div class='comments'>{}</div>"])
def test_a_box_in_the_text_stays_when_it_is_prose_and_goes_when_it_is_links(box: str) -> None:
    html = f"<main><p>{PROSE * 3}</p>{{}}<p>{PROSE * 3}</p></main>"
    assert len(text(html.format(box.format(f"<p>{PROSE * 2}</p>")))) == 3
    assert len(text(html.format(box.format(f"<ul>{LINKS}</ul>")))) == 2


def test_a_cell_beside_cells_of_links_is_the_text() -> None:
    html = f"<table><tr><td><ul>{LINKS}</ul></td><td><p>{PROSE}</p><p>{PROSE}</p></td></tr></table>"
    assert text(html) == [PROSE.strip()] * 2


def test_an_index_is_its_links() -> None:
    assert len(text(f"<nav><a href=/>Home</a></nav><div><ul>{LINKS}</ul></div>")) == 20


def test_links_around_the_text_of_a_page_without_layout_are_its_menu() -> None:
    links = "<ul><li><a href=/2>a page</a></li></ul>"
    see = f"<p>See also:</p>{links}<p>The end.</p>"
    assert text(f"{links}<p>{PROSE * 2}</p>{links}") == [(PROSE * 2).strip()]
    assert text(f"{links}<p>{PROSE * 2}</p>{see}{links}")[1:] == ["See also:", "a page", "The end."]


def test_a_page_without_text() -> None:
    assert text("") == text("<img src=x>") == []


def test_a_title_above_all_columns_does_not_keep_the_columns() -> None:
    right = f"<div class=r><h3>Pictures</h3><ul>{LINKS}</ul></div>"
    columns = f"<div><div class=l><p>{PROSE * 3}</p><p>{PROSE * 3}</p></div>{right}</div>"
    html = f"<title>Crawlers - News</title><div><h1>Crawlers</h1><div>1 March 2024<a href=/>Daily</a></div>{columns}</div>"
    assert text(html) == ["Crawlers", (PROSE * 3).strip(), (PROSE * 3).strip()]


def test_a_short_sentence_under_the_title_belongs_to_the_text() -> None:
    html = (
        f"<title>Notes</title><div><h1>Notes</h1><p>It fixes several bugs.</p><div><p>{PROSE * 3}</p><p>{PROSE}</p></div></div>"
    )
    assert text(html)[:2] == ["Notes", "It fixes several bugs."]


def test_a_title_below_the_largest_part_belongs_to_the_text() -> None:
    html = f"<title>Notes</title><div><div><p>{PROSE}</p><p>{PROSE}</p></div><div><h1>Notes</h1></div></div>"
    assert text(html)[-1] == "Notes"


def test_the_name_of_the_site_above_the_title_is_no_section_of_the_text() -> None:
    site = "<div><h1>Depot</h1><p>For all who love trains</p><a href=/>Home</a></div>"
    post = f"<div><h2><a href=/>Line 2</a></h2><a href=/>Reply</a><div><p>{PROSE * 3}</p></div></div>"
    assert text(f"<title>Line 2 - Depot</title>{site}{post}") == ["Line 2", (PROSE * 3).strip()]


def test_a_link_below_the_text_that_begins_as_the_title_does_takes_no_section_from_it() -> None:
    facts = "<div><h2>Facts</h2><div>Founded</div><div>1901</div></div>"
    page = f"<div>{facts}<div><p>{PROSE * 3}</p><p>{PROSE}</p></div></div><div><h3><a href=/>Depot</a></h3></div>"
    assert text(f"<title>Depot | Trains</title>{page}")[:3] == ["Facts", "Founded", "1901"]
    long = "Of the night train that stands at the junction every winter until the snow is gone from the line"
    site = "<div><h1>Depot</h1><div>For all</div><a href=/>Home</a></div>"
    post = f"<div><h2><a href=/>{long}</a></h2><div>x</div><div><p>{PROSE * 3}</p></div></div>"
    assert text(f"<title>{long} - Depot</title>{site}{post}")[0] == long


def test_a_post_of_two_sentences_is_the_text_and_not_the_longer_column_beside_it() -> None:
    card = f"<div class=card-widget><div>最新文章</div><div>{'<a href=/1>2024-12-23 返程</a>' * 5}</div></div>"
    column = f"<div class=aside-content><div class=card-widget><a href=/tags>标签</a></div>{card * 3}</div>"
    post = "<div id=post><article><p>又来到这个位置了。</p><p>马上又需要做一个决定了。</p></article></div>"
    assert text(f"<main class=layout>{post}{column}</main>") == ["又来到这个位置了。", "马上又需要做一个决定了。"]


def test_a_post_of_a_sentence_is_the_text_and_not_the_longer_list_of_other_posts() -> None:
    others = f"<div class=relatedPosts><div>相关推荐</div>{LINKS}</div>"
    column = "<div class=aside-content><a href=/>文章</a><div>162</div><div>公告</div><div>世界，即非世界。</div></div>"
    post = "<article><p>该有的会有，无运的会无。</p><p>都是好的。</p></article>"
    assert text(f"<main><div>{post}{others}</div>{column}</main>") == ["该有的会有，无运的会无。", "都是好的。"]
    index = f"<article><p>都是好的。</p><ul>{LINKS}</ul></article>"
    assert "another page 7" in text(f"<main><div>{index}{others}</div>{column}</main>")


def test_a_column_without_a_sentence_is_no_text() -> None:
    column = f"<div class=sidebar>{'<div>Posts</div><div>162</div><div>Notice of the day</div>' * 6}</div>"
    assert text(f"<main><div><p>{PROSE}</p></div>{column}</main>") == [PROSE.strip()]
    poem = "<p>A train departs,</p><p>the snow is deep,</p><p>the moon is gone.</p>" * 4
    assert len(text(f"<div><h1>Of snow</h1><div class=post-box>{poem}</div></div>")) == 13
    sentence = f"<div class=sidebar><p>{PROSE * 2}</p></div>"
    assert text(f"<main><div><p>{PROSE}</p></div>{sentence}</main>") == [PROSE.strip(), (PROSE * 2).strip()]


def test_a_short_list_of_posts_is_the_text_and_not_the_longer_marked_column_beside_it() -> None:
    """As on pages of a tag under Hexo's theme Butterfly."""
    entry = "<div class=item><time>2022-11-03</time><a href=/kvm>Virtual machines with KVM</a></div>"
    column = "".join(f"<div>{name} 2023</div>" for name in ("May", "April", "March", "January", "October", "August", "July"))
    html = (
        f"<main><div id=tag><div>Tag - Virtual</div>{entry}</div><div class=aside-content>{column}<ul>{LINKS}</ul></div></main>"
    )
    assert text(html) == ["Tag - Virtual", "2022-11-03 Virtual machines with KVM"]


SLOGAN = f"<div><ul>{LINKS}</ul><p>Latest news, weather, health, business, sports and science from all over the land.</p></div>"


def test_a_slogan_among_links_beside_an_article_does_not_keep_them() -> None:
    html = f"{TITLED}<div><h1>On crawlers</h1><div class=a><p>{PROSE * 4}</p></div>{SLOGAN}</div>"
    assert text(html) == ["On crawlers", (PROSE * 4).strip()]
    assert len(text(html.replace("'article'", "'website'"))) == 2 + 21


def test_a_section_of_links_with_a_sentence_stays_beside_sections_of_an_article() -> None:
    section = f"<section><h2>Elsewhere</h2><p>{PROSE}</p><ul>{LINKS}</ul></section>"
    found = text(f"{TITLED}<div><section><h2>Of crawlers</h2><p>{PROSE * 6}</p></section>{section}</div>")
    assert (found[0], found[2], len(found)) == ("Of crawlers", "Elsewhere", 24)


@pytest.mark.parametrize("head", [TITLED, "<title>On crawlers | Daily</title>"])
def test_columns_beside_the_title_and_the_text_are_none_of_it(head: str) -> None:
    column = f"<div class=b><div><h3>Hot leads</h3><ul>{LINKS}</ul><p>{PROSE}</p></div><p>{PROSE}</p></div>"
    html = f"{head}<div><div class=a><div><h1>On crawlers</h1></div><div>{f'<p>{PROSE * 2}</p>' * 4}</div></div>{column}</div>"
    assert text(html) == ["On crawlers", *[(PROSE * 2).strip()] * 4]


def test_a_text_in_parts_that_are_called_the_same_is_whole() -> None:
    first = f"<div class=part><div><h1>On crawlers</h1><p>{PROSE * 5}</p></div></div>"
    html = f"{TITLED}<div>{first}{f'<div class=part><p>{PROSE * 2}</p></div>' * 2}<div><ul>{LINKS}</ul></div></div>"
    assert text(html) == ["On crawlers", (PROSE * 5).strip(), *[(PROSE * 2).strip()] * 2]


@pytest.mark.parametrize(
    "body",
    [
        f"<p>{PROSE * 2}<a href='/1'>{PROSE}</a></p>" * 3,
        f"{PROSE * 2}<br>{PROSE * 2}<br>{PROSE * 2}",
        "<p>Rails that gleam in the rain,</p><p>a whistle over the plain.</p>" * 10,
        f"<pre>{'crawl(seeds, depth)' * 30}</pre>",
    ],
)
def test_a_text_beside_a_shorter_one_with_the_title_is_its_other_part(body: str) -> None:
    html = f"{TITLED}<div><div class=intro><h1>On crawlers</h1><p>{PROSE * 3}</p></div><div class=body>{body}</div></div>"
    assert len(text(html)) == 2 + max(1, body.count("<p>"))


def test_a_remark_and_prose_beside_a_section_of_a_manual_stay() -> None:
    note = f"<div class=note><p>{PROSE}</p></div>"
    html = f"<title>On crawlers</title><main>{note}<section><h1>On crawlers</h1>{f'<p>{PROSE * 2}</p>' * 5}</section></main>"
    assert len(text(html)) == 7


def test_a_header_is_no_article_however_much_of_it_it_holds() -> None:
    header = f"<header><h1>On crawlers</h1><p>{PROSE}</p></header>"
    html = f"{TITLED}<article>{header}<div><p>A line.</p><p>Another line.</p><p>A third line.</p></div></article>"
    assert text(html) == ["On crawlers", PROSE.strip(), "A line.", "Another line.", "A third line."]
