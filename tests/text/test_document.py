from __future__ import annotations

from typing import get_args

import pytest

from focuscrawl.text.complexity import MAX_HTML
from focuscrawl.text.document import Kind, Mark, parse


def test_text_without_scripts_and_navigation() -> None:
    page = "<nav>menu</nav><script>var x</script><style>p{}</style><p>words</p><footer>imprint</footer>"
    assert parse(page).text(100) == "words"


def test_navigation_when_there_is_nothing_else() -> None:
    assert parse("<nav><a href='/'>menu</a></nav>").text(100) == "menu"


def test_reading_text_leaves_the_tree_whole() -> None:
    document = parse("<nav><a href='/'>menu</a></nav><p>words</p>")
    document.text(100)
    assert len(document.tree.css("nav a[href]")) == 1


def test_pages_without_a_body() -> None:
    assert parse("").text(100) == ""
    assert parse("<frameset><frame src='a.html'></frameset>").text(100) == ""


def test_source_is_cut() -> None:
    assert len(parse("x" * (MAX_HTML + 5)).html) == MAX_HTML


def test_what_the_source_says() -> None:
    document = parse("<p class=related>words</p>")
    assert document.says("crumbs", "related")
    assert not document.says("crumbs", "Related")


@pytest.mark.parametrize(
    ("element", "selector", "name"),
    [
        ("<p itemprop=author>Ada</p>", "[itemprop='author']", "itemprop"),
        ("<a rel='nofollow AUTHOR'>Ada</a>", "a[rel~='author' i]", "rel"),
        ("<a rel='category tag'>Cats</a>", "a[rel~='category']", "rel"),
        ("<a accesskey=u>Up</a>", "a[accesskey='u']", "accesskey"),
        ("<time pubdate>2024-03-04</time>", "time[pubdate]", "pubdate"),
        ("<div role=main>words</div>", "main, [role=main]", "role"),
        ("<main>words</main>", "main, [role=main]", "main"),
    ],
)
def test_marked_elements_are_looked_for_only_where_the_page_has_some(element: str, selector: str, name: Mark) -> None:
    document = parse(f"<p>words</p>{element}")
    assert [node.html for node in document.marked(selector, name)] == [node.html for node in document.tree.css(selector)] != []
    assert parse("<p class=author rel=nofollow role=note>words</p>").marked("p", name) == []


def test_elements_of_each_kind_in_document_order() -> None:
    page = """<head><base href=/b><link rel=next href=2><link href=3><meta name=a></head><h2>one</h2><a href=4>four</a>
    <a>none</a><iframe src=5></iframe><h1>two</h1><area href=6><span class="note sr-only">aloud</span><pre>code</pre>"""
    document = parse(page)
    kinds: tuple[Kind, ...] = get_args(Kind)
    tags = {kind: [node.tag for node in document.elements(kind)] for kind in kinds}
    assert tags == {
        "link": ["a", "iframe", "area"],
        "heading": ["h2", "h1"],
        "code": ["pre"],
        "meta": ["meta"],
        "base": ["base"],
        "rel": ["link"],
        "unspoken": ["span"],
    }


@pytest.mark.parametrize(
    ("head", "is_article"),
    [
        ('<meta property="og:type" content="article">', True),
        ("<meta content='article' property='og:type'/>", True),
        ('<meta property="og:type" content="news" />', True),
        ('<meta property="og:type" content="newsroom">', False),
        ("<META PROPERTY=og:type CONTENT=Article>", True),
        ('<meta property="og:type" content="website">', False),
        ('<!-- <meta property="og:type" content="article"> -->', False),
        ("<script>var asked = 'article:published_time'</script>", False),
        ('<meta property="og:type" content="website"><meta name="section" content="article">', False),
        ('<meta property="article:published_time" content="2024-03-01">', True),
        ('<script type="application/ld+json">{"@context": "https://schema.org", "@type": "NewsArticle"}</script>', True),
        ('<script type="application/ld+json">{"@context": "https://schema.org", "@type": ["BlogPosting"]}</script>', True),
        ('<script type="application/ld+json">{"@context": "https://schema.org", "@type": "TechArticle"}</script>', False),
        ("<script>var types = {'Article': 'schema.org'}</script>", False),
        (
            '<meta property="og:type" content="article">'
            '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "DiscussionForumPosting"}</script>',
            False,
        ),
    ],
)
def test_what_calls_itself_an_article(head: str, is_article: bool) -> None:
    assert parse(f"<html><head>{head}</head><body><p>Text</p></body></html>").is_article is is_article


def test_an_example_on_a_page_whose_head_has_no_end_says_nothing_of_the_page() -> None:
    assert not parse("<title>Metadata</title><p>The date is in <code>article:published_time</code>.</p>").is_article


def test_microdata_tells_articles_of_news_and_blogs_from_others() -> None:
    body = '<div itemscope itemtype="http://schema.org/{}"><p>Text</p></div>'
    assert parse(body.format("NewsArticle")).is_article
    assert not parse(body.format("Article")).is_article
