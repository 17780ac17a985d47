"""Addresses that are never fetched, by the name of the rule, and their neighbors that are."""

from __future__ import annotations

import pytest

from focuscrawl.url.filters import REASONS, RULES, file_type, refusing_rule

HOST = "http://www.example.com"


@pytest.mark.parametrize(
    ("tail", "kind"),
    [
        ("/a/b.JPG", "image"),
        ("/a.tar.gz", "archive"),
        ("/song.mp3?x=1", "audio"),
        ("/clip.mp4", "video"),
        ("/report.pdf", "document"),
        ("/%E8%A1%A8.xlsx", "document"),
        ("/setup.exe", "executable"),
        ("/app.min.js", "asset"),
        ("/sitemap.xml", "data"),
        ("/_sources/index.rst.txt", "source"),
        ("/news.rss", "feed"),
        ("/", ""),
        ("", ""),
        ("/.pdf", ""),
        ("/a.pdf/", ""),
        ("/page.html", ""),
        ("/index.php?file=a.pdf", ""),
        ("/v1.2", ""),
        ("/whois/example.com", ""),
        ("/wiki/Node.js", ""),
        ("/tags/vue.js", ""),
        ("/wiki/File:A.jpg", "image"),
        ("/u/repo/blob/main/setup.py", ""),
        ("/ws/ISAPI.dll?ViewItem", ""),
        ("/cgi-bin/find.py?q=1", ""),
    ],
)
def test_file_types(tail: str, kind: str) -> None:
    assert file_type(HOST + tail) == kind
    assert refusing_rule(HOST + tail) == ("file-type" if kind else "")


@pytest.mark.parametrize(
    ("query", "rule"),
    [
        ("id=5&format=ris", "file-type"),
        ("fileType=BibTeX&id=5", "file-type"),
        ("ical=1", "file-type"),
        ("outlook-ical=1", "file-type"),
        ("format=epub", ""),
        ("type=bib", ""),
        ("vertical=1", ""),
    ],
)
def test_a_query_may_ask_for_a_file(query: str, rule: str) -> None:
    """Of 385 requests to a calendar 88 had gone to `?ical=1`."""
    assert refusing_rule(f"{HOST}/event/5/?{query}") == rule


@pytest.mark.parametrize(
    "tail",
    [
        "/login",
        "/user/login.php?next=/a",
        "/sign-in/",
        "/signup",
        "/log_out",
        "/logout?x",
        "/register.aspx",
        "/forgot-password",
        "/wp-login.php",
        "/wp-admin/post.php?post=1",
        "/cart",
        "/shop/add-to-cart/12",
        "/checkout/",
        "/post/7/edit",
        "/post/delete/7",
        "/a/print/55",
        "/printthread.php?t=5",
        "/pages/viewinfo.action?pageId=7",
        "/pages/diffpagesbyversion.action?pageId=7",
        "/a/share",
        "/index.php?action=edit&title=A",
        "/w?title=A&action=history",
        "/forum.php?mod=logging&action=login",
        "/member.php?mod=register",
        "/t?do=print",
        "/posting.php?mode=quote&f=3&p=71",
        "/viewtopic.php?f=3&t=5&view=print",
        "/a?replytocom=12",
        "/a?share=twitter",
        "/a?add-to-cart=9",
        "/w?oldid=7",
        "/w?title=A&redlink=1",
        "/a?print=1",
        "/wiki/Special:UserLogin",
        "/a?printable=yes",
        "/docs/map/edit",
        "/docs/map/print/",
        "/docs/7/delete",
        "/docs/map/delete.php",
        "/docs/app/wp-admin/",
        "/documents/map/delete",
    ],
)
def test_actions_are_refused(tail: str) -> None:
    assert refusing_rule(HOST + tail) == "action"


@pytest.mark.parametrize(
    "tail",
    [
        "/logins/",
        "/blog/login-design",
        "/login-page.html",
        "/cartography/",
        "/delete.html",
        "/tags/share/",
        "/wiki/Edit",
        "/docs/delete/",
        "/en-US/docs/Web/API/Element/remove",
        "/en/14/reference/core/delete",
        "/reference/cli/tool/login/",
        "/define/print",
        "/dictionary/english/basket",
        "/manual/zh/function.delete.php",
        "/registering",
        "/printers/",
        "/prints/5",
        "/pages/viewpage.action?pageId=7",
        "/pages/viewinfo",
        "/a?action=view",
        "/a?op=show",
        "/a?mode=list",
        "/a?print=0",
        "/a?shared=1",
        "/a?view=history",
        "/editors/edition",
        "/votes/2",
        "/thread?do=read",
    ],
)
def test_what_only_looks_like_an_action(tail: str) -> None:
    assert refusing_rule(HOST + tail) == ""


def test_feeds_scheme_and_length() -> None:
    assert refusing_rule(HOST + "/blog/feed/") == "feed"
    assert refusing_rule(HOST + "/?feed=rss2") == "feed"
    assert refusing_rule(HOST + "/wiki/RSS") == ""
    assert refusing_rule("ftp://example.com/") == "scheme"
    assert refusing_rule(HOST + "/" + "a" * 2100) == "length"
    assert refusing_rule(HOST + "/" + "a" * 1900) == ""


def test_rules_can_be_left_out_by_name_or_kind_of_file() -> None:
    assert refusing_rule(HOST + "/feed", frozenset({"feed"})) == ""
    assert refusing_rule(HOST + "/news.rss", frozenset({"feed"})) == ""
    assert refusing_rule(HOST + "/a.pdf", frozenset({"document"})) == ""
    assert refusing_rule(HOST + "/a.zip", frozenset({"document"})) == "file-type"
    assert refusing_rule(HOST + "/a.zip", frozenset({"file-type"})) == ""
    assert refusing_rule(HOST + "/" + "a" * 2100, frozenset({"length"})) == ""


def test_each_rule_says_its_reason() -> None:
    assert REASONS.keys() == RULES.keys()


def test_hostile_addresses_take_no_time() -> None:
    for text in ("/login" * 300, "?action=" * 200, "/" * 1900, "a.b" * 600, "/sign-" * 300):
        assert refusing_rule(HOST + "/" + text) in {*RULES, ""}
