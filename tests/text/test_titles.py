"""Which pieces of a page are its title."""

from __future__ import annotations

import pytest

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
