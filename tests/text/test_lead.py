"""The lead of an article: what it says in short between its title and its text."""

from __future__ import annotations

import pytest

from focuscrawl.text.lead import lead_of
from tests.text.pages import ARTICLE, fast, layout

HEAD = f"{ARTICLE}<title>On crawlers - The Gazette</title>"
TITLE = "<h1>On crawlers</h1>"
LEAD = "Crawlers that know their topic leave most of the web alone, and find more of what they look for."
CHINESE = "主题爬虫只下载与主题有关的网页，其余的网页不去访问，因此用同样的时间可以找到更多的内容。"
TEXT = "A focused crawler fetches pages about its topic and leaves the others alone, as far as it can tell. " * 3


def lead(body: str, head: str = HEAD) -> str | None:
    page = layout(head + body)
    at = lead_of(page)
    return None if at is None else page.pieces[at].text.strip()


@pytest.mark.parametrize(
    "body",
    [
        f"{TITLE}<p>{LEAD}</p><p>{TEXT}</p>",
        f"<div>{TITLE}<div><h2>{LEAD}</h2></div></div><div><p>{TEXT}</p></div>",
        f"<header>{TITLE}<p>{LEAD}</p></header><div><p>{TEXT}</p></div>",
        f"{TITLE}<p>By <a href=/ada>Ada Birch</a></p><p>{LEAD}</p><p>{TEXT}</p>",
        f"{TITLE}<p>12 May 2021, updated on 14 May 2021 by Ada Birch, editor of the Gazette, and readers</p><p>{LEAD}</p>",
        f"{TITLE}<figure><figcaption>{TEXT}</figcaption></figure><p>{LEAD}</p><p>{TEXT}</p>",
        f"{TITLE}<div class=image-caption><p>{TEXT}</p></div><p>{LEAD}</p><p>{TEXT}</p>",
        f"{TITLE}<p>Photograph: Ada Birch / Norwich Evening News / Press Association / Reuters / Getty Images</p><p>{LEAD}</p>",
        f"<header><h1>The Gazette</h1><p>{TEXT}</p></header><h1>On crawlers</h1><p>{LEAD}</p>",
        f"{TITLE}<p>Ten minutes {' ' * 100} to read</p><p>{LEAD}</p><p>{TEXT}</p>",
        f"{TITLE}<aside><p>{TEXT}</p></aside><p>{LEAD}</p><p>{TEXT}</p>",
        f"<h2><a href=/>The Gazette</a></h2><p>{TEXT}</p>{TITLE}<p>{LEAD}</p>",
    ],
)
def test_the_first_prose_below_the_title_is_the_lead(body: str) -> None:
    assert lead(body) == LEAD


@pytest.mark.parametrize(("title", "expected"), [(TITLE, LEAD), ("<h2>On crawlers</h2>", None)])
def test_what_a_site_says_below_a_link_to_its_start_is_no_lead(title: str, expected: str | None) -> None:
    site = f"<header><h2><a href=/>The Sun</a></h2><p>{TEXT}</p></header>"
    assert lead(f"{site}{title}<p>{LEAD}</p>", f"{ARTICLE}<title>The Sun: On crawlers</title>") == expected


def test_a_chinese_article_has_a_lead_too() -> None:
    assert lead(f"<h1>主题爬虫</h1><p>{CHINESE}</p><p>{TEXT}</p>", HEAD.replace("On crawlers", "主题爬虫")) == CHINESE


@pytest.mark.parametrize(
    "body",
    [
        f"<p>{LEAD}</p><p>{TEXT}</p>",
        f"{TITLE}<ul><li>{LEAD}</ul><p>{TEXT}</p>",
        f"{TITLE}<p><a href=/1>Read this</a>: {LEAD}</p><p>{TEXT}</p>",
        f"{TITLE}<p>{LEAD} And …</p><p>{TEXT}</p>",
        f"{TITLE}<p>{TEXT * 4}</p>",
        f"{TITLE}<p>Short.</p>",
    ],
)
def test_lists_links_and_texts_that_are_cut_long_or_short_are_no_lead(body: str) -> None:
    assert lead(body) is None


def test_a_page_that_does_not_call_itself_an_article_has_no_lead() -> None:
    assert lead(f"{TITLE}<p>{LEAD}</p><p>{TEXT}</p>", "<title>On crawlers</title>") is None


@pytest.mark.parametrize(
    "top", ["<div class=top>{}</div>", "<header>{}</header>", "<div><header class=page-head><div>{}</div></header></div>"]
)
def test_the_text_of_an_article_begins_with_title_and_lead(top: str) -> None:
    html = f"{HEAD}{top.format(f'{TITLE}<p>{LEAD}</p>')}<div class=text><p>{TEXT}</p><p>{TEXT}</p><p>{TEXT}</p></div>"
    assert fast(html).split("\n")[:2] == ["On crawlers", LEAD]
