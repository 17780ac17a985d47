"""The category that a page names, in the ways in which sites write it."""

from __future__ import annotations

import json

import pytest

from focuscrawl.reading.content import ArchivedResponse, read_content

URL = "http://a.test/manual/library/types.html"
HOME, MANUAL, LIBRARY = ("http://a.test/", "Home"), ("/manual/index.html", "Manual"), ("/manual/library/", "The Library")
TYPES = ("/manual/library/data.html", "Data Types")


def category(body: str, head: str = "") -> str:
    text = "<p>" + "Some words that make a text of a page long enough to be read. " * 5 + "</p>"
    page = f"<html><head>{head}</head><body>{body}<h1>Types</h1>{text}</body></html>"
    return read_content(page.encode(), ArchivedResponse(URL, "text/html; charset=utf-8")).category


def links(*steps: tuple[str, str], tag: str = "li") -> str:
    return "".join(f"<{tag}><a href='{target}'>{name}</a></{tag}>" for target, name in steps)


@pytest.mark.parametrize(
    "body",
    [
        f"<ul class='breadcrumbs'>{links(HOME, MANUAL, TYPES)}<li>Types</li></ul>",
        f"<nav aria-label='Breadcrumb'><ol>{links(HOME, MANUAL, TYPES, (URL, 'Types'))}</ol></nav>",
        f"<div id='breadcrumb'>{links(HOME, MANUAL, TYPES, tag='span')} » <b>Types</b></div>",
        f"<ul class='wy-breadcrumbs'><li><a href='/'></a></li>{links(MANUAL, TYPES)}"
        "<li class='wy-breadcrumbs-aside'><a href='/src'>View page source</a></li></ul>",
        f"<div class='breadcrumb'>{links(HOME, MANUAL, TYPES)}</div><div class='breadcrumb'>{links(HOME, LIBRARY)}</div>",
    ],
)
def test_breadcrumbs(body: str) -> None:
    assert category(body) == "Manual / Data Types"


def test_the_head_of_sphinx() -> None:
    buttons = "<li class='right'><a href='../genindex.html'>index</a></li><li class='right'><a href='x.html'>next</a></li>"
    body = f"<div class='related'><ul>{buttons}{links(('http://other.test/', 'Python'), MANUAL, LIBRARY, TYPES)}</ul></div>"
    assert category(body) == "The Library / Data Types"
    assert category(f"<div class='related'><ul>{buttons}{links(MANUAL)}</ul></div>") == ""


def test_a_list_of_json_ld() -> None:
    steps = [("", "首页"), ("db", "数据库"), ("db/mysql", "MySQL"), ("manual/library/types.html", "Types")]
    listed = [{"@type": "ListItem", "name": name, "item": f"http://a.test/{path}"} for path, name in steps]
    script = json.dumps({"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": listed})
    assert category("", f"<script type='application/ld+json'>{script}</script>") == "数据库 / MySQL"


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("<link rel='up' href='part.html' title='Chapter 4. Data Types'>", ""),
        ("", "<a rel='up' href='part.html'>Data Types</a>"),
        ("", "<a accesskey='u' href='part.html' title='Chapter&nbsp;4.&nbsp;Data Types'>Up</a>"),
    ],
)
def test_the_page_above(head: str, body: str) -> None:
    assert category(body, head) == "Data Types"


def test_what_is_shown_goes_before_what_a_link_element_names() -> None:
    head = "<link rel='up' href='part.html' title='part-node'>"
    assert (
        category("<div class='header'><p>Up: <a rel='up' accesskey='u' href='part.html'>The Part</a></p></div>", head)
        == "The Part"
    )


@pytest.mark.parametrize("target", ["index.html", "../index.html", "http://a.test/"])
def test_the_whole_manual_is_no_category(target: str) -> None:
    assert category(f"<a rel='up' href='{target}'>The Manual</a>") == ""
    assert category("", f"<link rel='up' href='{target}' title='The Manual'>") == ""


@pytest.mark.parametrize(
    ("head", "body", "found"),
    [
        ("<meta property='article:section' content='Databases'>", "", "Databases"),
        ("<meta name='ColumnName' content='通知公告'>", "", "通知公告"),
        ("", "<div class='post-meta'><a href='/categories/db/'>数据库</a> <a href='/tags/x/'>x</a></div>", "数据库"),
        ("", "<span class='cat-links'><a rel='category tag' href='/c/db'>Databases</a></span>", "Databases"),
    ],
)
def test_the_category_of_an_article(head: str, body: str, found: str) -> None:
    assert category(body, head) == found


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<div class='breadcrumb'></div>",
        f"<ul class='breadcrumbs'>{links(HOME)}</ul>",
        f"<ul class='breadcrumbs'>{links(HOME, (URL, 'Types'))}</ul>",
        f"<ul class='breadcrumbs'>{links(*((f'/c{n}', f'step {n}') for n in range(20)))}</ul>",
        f"<ul class='breadcrumbs'>{links(HOME, ('/x', 'long ' * 40))}</ul>",
        "".join(f"<div class='post-meta'><a href='/categories/{n}/'>c{n}</a></div>" for n in range(9)),
        "<ul class='breadcrumbs'><li><a href='http://[broken'>x</a></li><li><a>y</a></li></ul>",
        f"<div class='related'><h3>Related news</h3><ul>{links(('/1', 'Late trains'), ('/2', 'Trains'))}</ul></div>",
    ],
)
def test_what_names_none(body: str) -> None:
    assert category(body) == ""


def test_hostile_labels_are_one_line() -> None:
    label = "&lt;b&gt;\x1b[31m a&#10;b \u202e"
    found = category(f"<ul class='breadcrumbs'>{links(HOME, ('/x', label))}</ul>")
    assert "\n" not in found
    assert found.startswith("<b>")


@pytest.mark.parametrize(
    "link", ["<a href=/Section/rail>", "<a class=postCategory href=/rail>", "<a rel=category href=/rail>", "<a class=RUBRIK>"]
)
def test_the_link_of_an_article_to_its_category(link: str) -> None:
    assert category(f"<div class=post-meta>{link}Rail</a></div>") == "Rail"
