"""What the user's scope lets in."""

from __future__ import annotations

import pytest

from focuscrawl.url.scope import REASONS, Scope


def test_everything_is_in_scope_by_default() -> None:
    assert Scope().refuses("http://anywhere.org/") == ""


@pytest.mark.parametrize(
    ("pattern", "url", "matches"),
    [
        ("/docs/", "http://e.com/docs/a", True),
        ("/docs/", "http://e.com/Docs/a", False),
        ("a.c", "http://e.com/abc", False),
        ("*.html", "http://e.com/a.html", True),
        ("*.html", "http://e.com/a.html?x", False),
        ("e.com/en/*", "http://www.e.com/en/x/y", True),
        ("/a/*/c", "http://e.com/a/b/b/c", True),
        ("/a/*/c", "http://e.com/a/b/c/d", False),
        ("/新闻/", "http://e.com/%E6%96%B0%E9%97%BB/1", True),
        ("re:/20(23|24)/$", "http://e.com/2024/", True),
        ("re:/20(23|24)/$", "http://e.com/2024/1", False),
        ("re:^http://e", "http://e.com/", True),
        ("(", "http://e.com/(", True),
    ],
)
def test_patterns(pattern: str, url: str, matches: bool) -> None:
    assert (Scope(include=(pattern,)).refuses(url) == "") is matches
    assert (Scope(exclude=(pattern,)).refuses(url) == "exclude") is matches


def test_exclude_beats_include() -> None:
    scope = Scope(include=("/docs/",), exclude=("/docs/old/",))
    assert scope.refuses("http://e.com/docs/new/") == ""
    assert scope.refuses("http://e.com/docs/old/") == "exclude"
    assert scope.refuses("http://e.com/blog/") == "include"


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        ("http://docs.e.com/", ""),
        ("http://docs.e.com:8080/", ""),
        ("http://www.e.com/", "host"),
        ("http://x.docs.e.com/", "host"),
        ("http://f.org/", ""),
        ("http://a.b.f.org/", ""),
        ("http://notf.org/", "host"),
        ("http://127.0.0.1:8000/", ""),
        ("http://127.0.0.1:8001/", "host"),
        ("http://[::1]/", ""),
    ],
)
def test_hosts(url: str, rule: str) -> None:
    assert Scope(hosts=("docs.e.com", ".f.org", "127.0.0.1:8000", "[::1]")).refuses(url) == rule


def test_one_site_keeps_to_the_domains_of_the_seeds() -> None:
    scope = Scope(one_site=True).with_seeds(["http://news.pku.edu.cn/", "http://a.github.io/x"])
    assert scope.refuses("http://www.pku.edu.cn/") == ""
    assert scope.refuses("http://a.github.io/y") == ""
    assert scope.refuses("http://b.github.io/y") == "host"
    assert scope.refuses("http://tsinghua.edu.cn/") == "host"


def test_hosts_and_one_site_together_let_either_in() -> None:
    scope = Scope(one_site=True, hosts=("cdn.org",)).with_seeds(["http://e.com/"])
    assert [scope.refuses(f"http://{host}/") for host in ("www.e.com", "cdn.org", "f.org")] == ["", "", "host"]


@pytest.mark.parametrize("pattern", ["", "  ", "re:(", "re:[", "re:*"])
def test_broken_patterns_are_refused_at_once(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"pattern|regular expression"):
        Scope(include=(pattern,))


def test_each_rule_says_its_reason() -> None:
    assert set(REASONS) == {"exclude", "include", "host"}
