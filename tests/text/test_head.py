from __future__ import annotations

import pytest

from focuscrawl.text.document import parse
from focuscrawl.text.head import MAX_TITLE, Meta, meta, refresh_target


def head(markup: str) -> Meta:
    return meta(parse(f"<html lang=zh-CN><head>{markup}</head><body><svg><title>icon</title></svg></body></html>"))


def test_title_description_keywords_language() -> None:
    found = head(
        "<title> A\n title </title><meta name=Keywords content='a, b'><meta name=description content=' says  so '>"
        "<meta property=og:description content=other>"
    )
    assert (found.title, found.keywords, found.description, found.language) == ("A title", "a, b", "says so", "zh-CN")


def test_titles_are_cut_and_cleaned() -> None:
    assert head("<title>" + "x" * 1_000_000 + "</title>").title == "x" * MAX_TITLE
    assert head("<title>safe\u202e\u0007&#x202e;\n<b>=1+1</b></title>").title == "safe <b>=1+1</b>"


@pytest.mark.parametrize(
    "placeholder", ["Untitled Document", "untitled", "New Page 1", "无标题文档", "無標題文件", "新网页 1", "新建网页"]
)
def test_what_an_editor_writes_without_a_title_is_none(placeholder: str) -> None:
    page = f"<title>{placeholder}</title>{{}}<h1>Steam engines</h1>"
    assert meta(parse(page.format(""))).title == "Steam engines"
    assert meta(parse(page.format("<meta property=og:title content=Engines>"))).title == "Engines"
    assert meta(parse(page.format("").replace("</title>", " no longer</title>"))).title == f"{placeholder} no longer"
    assert meta(parse(page.format(f"<meta property=og:title content='{placeholder}'>"))).title == "Steam engines"
    assert meta(parse(f"<h1>{placeholder}</h1>")).title == ""


def test_open_graph_stands_in() -> None:
    found = head("<meta property=og:title content=T><meta property=og:description content=D>")
    assert (found.title, found.description) == ("T", "D")
    assert meta(parse("<svg><title>icon</title></svg><h1>Heading</h1>")).title == "Heading"
    assert meta(parse("<h1><em>爬</em>虫<br>A <b>guide</b>line<div>2024</div></h1>")).title == "爬虫 A guideline 2024"


def test_robots_rules_of_every_agent_are_kept_raw() -> None:
    found = head(
        "<meta name=ROBOTS content='NoIndex, Follow'><meta name=focuscrawl content=nofollow><meta name=googlebot content=none>"
        "<meta name=robots content='unavailable_after: 2020-01-01'><meta name=viewport content='width=1'>"
        "<!-- <meta name=robots content=nofollow> --><script>'<meta name=robots content=nofollow>'</script>"
    )
    assert found.robots == [
        ("robots", "noindex, follow"),
        ("focuscrawl", "nofollow"),
        ("googlebot", "none"),
        ("robots", "unavailable_after: 2020-01-01"),
    ]


def test_addresses_as_written() -> None:
    found = head(
        "<base href=' /b/ '><link rel='x canonical' href=/c><noscript><meta http-equiv=Refresh content='3;url=/r'></noscript>"
    )
    assert (found.base, found.canonical, found.refresh) == ("/b/", "/c", "/r")


def test_an_empty_page_has_nothing() -> None:
    assert meta(parse("")) == Meta()


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("5; url=/x", "/x"),
        ("0;URL='http://a/b' ignored", "http://a/b"),
        ('1;url="/quote', "/quote"),
        ("5,x", "x"),
        ("5 x", "x"),
        ("0; /y", "/y"),
        (".5;url = z", "z"),
        ("; url=/n", "/n"),
        ("3", ""),
        ("", ""),
        ("url=/x", ""),
        ("5;", ""),
        ("5; url=", ""),
        ("1e9; url=/x", ""),
        # The steps of the HTML Standard, "shared declarative refresh steps", one by one.
        (" \t\n\f\r1;url=x", "x"),
        ("\u00a01;url=x", ""),
        ("+1;url=x", ""),
        ("-1;url=x", ""),
        ("x;url=x", ""),
        ("1x;url=x", ""),
        ("1\u00a0;url=x", ""),
        ("1..5.;url=x", "x"),
        (".;url=x", "x"),
        ("1:url=x", ""),
        ("1 ,url=x", "x"),
        ("1\n;\turl\r=\fx", "x"),
        ("1 url=x", "x"),
        ("1;;url=x", ";url=x"),
        ("1;,x", ",x"),
        ("1;uRl=x", "x"),
        ("1;u=x", "u=x"),
        ("1;ur=x", "ur=x"),
        ("1;url", "url"),
        ("1;url x", "url x"),
        ("1;urlx", "urlx"),
        ("1;url==x", "=x"),
        ("1;'x'", "x"),
        ("1;'x", "x"),
        ("1;x'", "x'"),
        ("1;url=x'y", "x'y"),
        ("1;url='x\"y'z", 'x"y'),
        ('1;url="x\'y"z', "x'y"),
        ("1;url=''", ""),
        ("1;url=x;y", "x;y"),
        ("\u0663;url=x", ""),
    ],
)
def test_refresh(content: str, target: str) -> None:
    assert refresh_target(content) == target


def test_feeds() -> None:
    found = head(
        "<link rel='Alternate home' type='application/RSS+xml; charset=utf-8' href=' /feed ' title=' News '>"
        "<link rel=alternate type=application/atom+xml href=atom.xml><link rel=alternate type=text/html hreflang=zh href=/zh>"
        "<link rel=alternate type=application/rss+xml href=''><link rel=stylesheet type=application/rss+xml href=no>"
    )
    assert found.feeds == [("/feed", "News"), ("atom.xml", "")]


@pytest.mark.parametrize("content", ["noindex;nofollow", "NOINDEX; FOLLOW", "index;nofollow", "noindex nofollow", "none"])
def test_a_robots_rule_with_any_separator(content: str) -> None:
    assert head(f'<meta name="robots" content="{content}">').robots == [("robots", content.lower())]


def test_link_elements_are_told_by_each_of_the_words_of_rel() -> None:
    found = head(
        "<link rel='Section NEXT' href=/2 title=' Two '><link rel=previous href=/0><link rel='next'><link href=/none>"
        "<link rel=canonical href=''><link rel='x CANONICAL' href=/1><link rel=canonical href=/other><link rel href=/nothing>"
        "<link rel='alternate' hreflang=' de ' href=/de><link rel=alternate hreflang type=application/rss+xml href=/feed>"
    )
    assert found.neighbors == [("/2", "Two", "Section NEXT"), ("/0", "", "previous")]
    assert found.canonical == "/1"
    assert found.translations == [("/de", "de"), ("/feed", "")]
    assert found.feeds == [("/feed", "")]
